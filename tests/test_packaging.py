"""The shape of the project: what is shipped, who imports whom, how the core is built."""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import ginsim

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ginsim"

#: Who may import whom: a module imports from lower layers and from its own, never from a higher
#: one. A new module gets its place here. A folder is one module, and `__init__` is the package
#: itself, `import ginsim`.
LAYERS = (
    # lowest
    ("_core", "_version", "digits", "errors", "intervals", "pages", "spending", "turns"),
    ("_count", "_deck", "_weighing", "cards", "checks", "fields", "memory", "sums", "tomlfiles"),
    ("_ahead", "_strategy", "columns", "decks", "rulefiles", "ruletext", "schemas", "tablefiles"),
    ("_hand",),
    ("_player", "_rollout"),
    ("_setup",),
    ("_batch", "_decisions", "_position"),
    ("_advising", "_knocking"),
    ("_books", "_tables"),
    ("_games", "_rescoring"),
    ("rules", "strategies"),
    (
        "batches",
        "ranges",
        "races",
        "draws",
        "expressions",
        "hand_bounds",
        "luck",
        "origins",
        "players",
        "records",
        "scoring",
        "solvers",
        "stats",
    ),
    ("shipped",),
    ("estimates", "figures", "files", "formats", "game_records", "game_series", "game_stats"),
    ("duel_sums", "ratings", "strategyfiles"),
    ("bookings",),
    ("tasks",),
    (
        "dealing",
        "decision_frames",
        "game_scoring",
        "position",
        "simulation",
        "timing",
        "transcripts",
    ),
    ("games", "knock_paths", "knock_solving", "logs"),
    ("signatures",),
    ("equity", "seen"),
    ("advising", "balance", "duels", "rescoring", "tournaments", "tuning"),
    ("sheet_hands", "sheet_pages", "sheets", "studies"),
    ("plots",),
    ("reports",),
    ("__init__",),
    ("__main__", "cli"),
    # highest
)
LAYER_OF = {name: number for number, names in enumerate(LAYERS) for name in names}

CYTHON_IMPORT = re.compile(
    r"^[ ]*from[ ]+(?P<base>[\w.]+)[ ]+c?import[ ]*(?:\((?P<block>[^)]*)\)|(?P<line>[^\n#]*))"
    r"|^[ ]*c?import[ ]+(?P<plain>[\w., ]+)",
    re.MULTILINE,
)


def find_modules() -> dict[str, list[Path]]:
    """The sources of each module, or of each sub-package as one module."""
    modules: dict[str, list[Path]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in {".py", ".pyx", ".pxd", ".pyi"}:
            name = path.relative_to(PACKAGE).parts[0].partition(".")[0]
            modules.setdefault(name, []).append(path)
    return modules


def without_type_checking(tree: ast.AST) -> Iterator[ast.AST]:
    """Walk a syntax tree, past what is there only for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            yield node
            yield from without_type_checking(node)


def imported_names(path: Path) -> Iterator[str]:
    """The dotted names that a source imports: `from a import b` is `a.b`."""
    if path.suffix in {".pyx", ".pxd"}:
        for match in CYTHON_IMPORT.finditer(path.read_text(encoding="utf-8")):
            names = match["block"] or match["line"] or match["plain"]
            for name in names.replace("\n", " ").split(","):
                word = name.split()[0] if name.split() else ""
                yield f"{match['base']}.{word}" if match["base"] else word
        return
    for node in without_type_checking(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from (f"{base}.{alias.name}" for alias in node.names)


def find_imports(name: str, paths: list[Path], known: set[str]) -> set[str]:
    """The modules of ginsim that the module `name` imports."""
    found = set()
    for path in paths:
        for dotted in imported_names(path):
            if dotted.startswith("."):
                pytest.fail(f"{path.relative_to(ROOT)}: write ginsim.… instead of {dotted}")
            first, _, rest = dotted.partition(".")
            if first == "ginsim":
                module = rest.partition(".")[0]
                found.add(module if module in known else "__init__")
    return found - {name}


def test_contributing_says_what_each_module_is_for() -> None:
    """The map of the modules, which a newcomer reads first, is complete."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"`([^`]*)`", text))))
    modules = {module for layer in LAYERS for module in layer if "." not in module}
    assert modules - named <= {"_version", "__init__", "__main__"}


def test_imports_point_down() -> None:
    modules = find_modules()
    table = f"the table LAYERS in {Path(__file__).relative_to(ROOT)}"
    if unknown := modules.keys() - LAYER_OF.keys():
        pytest.fail(f"no layer for {sorted(unknown)}: give a new module its place in {table}")
    if gone := LAYER_OF.keys() - modules.keys():
        pytest.fail(f"no module {sorted(gone)} in {PACKAGE.relative_to(ROOT)}: mend {table}")
    imports = {name: find_imports(name, paths, {*modules}) for name, paths in modules.items()}
    upward = [
        f"{name} (layer {LAYER_OF[name]}) imports {other} (layer {LAYER_OF[other]})"
        for name, others in imports.items()
        for other in sorted(others)
        if LAYER_OF[other] > LAYER_OF[name]
    ]
    assert not upward, f"imports must point down, see {table}"
    # Within a layer all is free but a circle, which this names.
    TopologicalSorter(imports).prepare()


def test_compiled_modules_know_nothing_above_them() -> None:
    for name, paths in find_modules().items():
        if any(path.suffix == ".pyx" for path in paths):
            others = find_imports(name, paths, LAYER_OF.keys() - {"__init__"})
            assert all(other.startswith("_") for other in others), (name, others)


def test_version_is_that_of_the_metadata() -> None:
    assert importlib.metadata.version("ginsim-rummy") == ginsim.__version__


def test_each_extension_module_has_a_stub() -> None:
    sources = sorted(PACKAGE.glob("*.pyx"))
    assert sources
    assert [path.name for path in sources if not path.with_suffix(".pyi").exists()] == []


def test_package_data_names_every_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["ginsim"]
    installed = {path for pattern in patterns for path in PACKAGE.glob(pattern)}
    # Python modules are installed without being named; these are for building, or built.
    other = {".py", ".pyx", ".c", ".so", ".pyc", ".html"}
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and path.suffix not in other}
    assert {path.relative_to(PACKAGE) for path in files - installed} == set()
    assert {".pxd", ".pyi", ".toml", ".json"} <= {path.suffix for path in installed}
    assert PACKAGE / "py.typed" in installed


@pytest.mark.parametrize(
    "script", sorted([*ROOT.glob("scripts/*"), *ROOT.glob(".ci/run")]), ids=lambda path: path.stem
)
def test_scripts_are_shell(script: Path) -> None:
    subprocess.run(["bash", "-n", script], check=True)
    # What is only sourced starts with an underscore.
    assert os.access(script, os.X_OK) != script.name.startswith("_")


def test_nogil_functions_state_their_contract() -> None:
    # Cython gives a hint only where a forgotten contract takes the GIL. Elsewhere it costs a
    # comparison a call, unseen. What is declared from C raises nothing and needs no contract.
    forgotten = [
        f"{path.name}:{number}: {line}"
        for path in sorted([*PACKAGE.glob("*.pyx"), *PACKAGE.glob("*.pxd")])
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\)\s*nogil:|^\s*cp?def\b.*\)\s*nogil\b", line)
    ]
    assert forgotten == []


def test_performance_hints_fail_the_build(tmp_path: Path) -> None:
    package = tmp_path / "src" / "ginsim"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(ROOT / "setup.py", tmp_path)
    source = package / "_planted.pyx"

    def translate(contract: str) -> subprocess.CompletedProcess[str]:
        source.write_text(f"cdef void f(int* x) {contract} nogil:\n    x[0] += 1\n")
        command = [sys.executable, "setup.py", "--name"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    failed = translate("")
    assert failed.returncode != 0
    assert "performance hint: src/ginsim/_planted.pyx:1" in failed.stderr
    # Else the next build would find all up to date, and pass.
    assert not source.with_suffix(".c").exists()

    passed = translate("noexcept")
    assert passed.returncode == 0, passed.stderr
    assert source.with_suffix(".c").exists()


def test_another_package_can_cimport_the_core(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "probe.pyx").write_text(
        "from ginsim._core cimport deadwood_of, mask_t\n"
        "def probe(mask_t hand):\n"
        "    return deadwood_of(hand)\n"
    )
    (tmp_path / "setup.py").write_text(
        "from Cython.Build import cythonize\n"
        "from setuptools import Extension, setup\n"
        "setup(ext_modules=cythonize([Extension('probe', ['probe.pyx'])], language_level='3'))\n"
    )
    built = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=tmp_path,
        env=os.environ | {"CFLAGS": "-O0"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    monkeypatch.syspath_prepend(tmp_path)
    probe = importlib.import_module("probe").probe
    # Ace, two, three of clubs are a run; ace, two, four are not.
    assert [probe(0b0111), probe(0b1011)] == [0, 1 + 2 + 4]
