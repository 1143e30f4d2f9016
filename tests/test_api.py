"""What users import: the public names, the stubs of the compiled modules, the examples."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import ginsim

PACKAGE = Path(ginsim.__file__).parent
COMPILED = [path.stem for path in sorted(PACKAGE.glob("_*.pyi"))]
#: `ginsim.__main__` is left out: it runs the command.
MODULES = ["ginsim"] + [
    info.name
    for info in pkgutil.walk_packages(ginsim.__path__, "ginsim.")
    if not info.name.endswith("__main__")
]


def run_python(code: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---------------------------------------------------------------- the package's names


@pytest.mark.parametrize("name", ginsim.__all__)
def test_a_public_name_is_there_and_explained(name: str) -> None:
    value = getattr(ginsim, name)
    if name == "__version__" or name.isupper():
        return
    assert callable(value)
    assert value.__doc__
    # Dataclasses and models that say nothing show their signature instead.
    assert not value.__doc__.startswith(f"{name}(")


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'ginsim' has no attribute 'simulat'"):
        _ = ginsim.simulat  # type: ignore[attr-defined]


def test_the_lists_of_public_names_agree() -> None:
    tree = ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8"))
    static = {
        alias.name: node.module
        for branch in tree.body
        if isinstance(branch, ast.If)
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    lazy = {name: f"ginsim.{module}" for name, module in ginsim._MODULE_OF.items()}
    assert static == lazy
    assert sorted(ginsim.__all__) == sorted([*lazy, "__version__"])
    assert set(dir(ginsim)) == set(ginsim.__all__)


def test_no_module_has_the_name_of_a_public_one() -> None:
    modules = {info.name for info in pkgutil.iter_modules(ginsim.__path__)}
    assert modules.isdisjoint(ginsim.__all__)


def test_names_stay_when_all_modules_are_loaded() -> None:
    imports = "\n".join(f"import {name}" for name in MODULES)
    lines = run_python(
        f"{imports}\n"
        "from types import ModuleType\n"
        "print([n for n in ginsim.__all__ if isinstance(getattr(ginsim, n), ModuleType)])\n"
        "print(ginsim.simulate is ginsim.simulation.simulate)\n"
    )
    assert lines.split() == ["[]", "True"]


def test_the_package_alone_loads_nothing_heavy() -> None:
    heavy = {"numpy", "pandas", "pydantic", "click"}
    loaded = run_python("import sys, ginsim\nprint(*sys.modules)").split()
    assert "ginsim" in loaded
    assert heavy.isdisjoint(loaded)


# ---------------------------------------------------------------- the compiled modules' stubs


def public(names: Any) -> set[str]:
    return {name for name in names if not name.startswith("_")}


def declared(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    """The public names that a stub, or a class in it, declares."""
    found: dict[str, ast.stmt] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found[node.target.id] = node
    return {name: found[name] for name in public(found)}


STUBS = {
    name: declared(ast.parse((PACKAGE / f"{name}.pyi").read_text(encoding="utf-8")).body)
    for name in COMPILED
}


def own_names(name: str) -> set[str]:
    """The public names that a compiled module defines, without those it imports."""
    module = importlib.import_module(f"ginsim.{name}")

    def is_imported(attribute: str, value: object) -> bool:
        return isinstance(value, ModuleType) or any(
            attribute in stub
            and getattr(importlib.import_module(f"ginsim.{other}"), attribute) is value
            for other, stub in STUBS.items()
            if other != name
        )

    return {a for a in public(vars(module)) if not is_imported(a, getattr(module, a))}


def stub_parameters(node: ast.FunctionDef) -> list[tuple[str, bool, Any]]:
    """Name, whether by keyword only, and default of each parameter."""
    args = node.args
    assert (args.posonlyargs, args.vararg, args.kwarg) == ([], None, None)
    required = len(args.args) - len(args.defaults)
    defaults = [None] * required + args.defaults
    pairs = [*zip(args.args, defaults, strict=True)]
    by_keyword = [*zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    return [
        (arg.arg, kind, inspect.Parameter.empty if value is None else ast.literal_eval(value))
        for kind, arguments in ((False, pairs), (True, by_keyword))
        for arg, value in arguments
    ]


def true_parameters(function: Any) -> list[tuple[str, bool, Any]]:
    return [
        (parameter.name, parameter.kind is parameter.KEYWORD_ONLY, parameter.default)
        for parameter in inspect.signature(function).parameters.values()
    ]


def check_member(node: ast.stmt, value: Any) -> None:
    """A stub's declaration has the kind and, for a function, the parameters of the real thing."""
    if isinstance(node, ast.ClassDef):
        assert isinstance(value, type)
        members = declared(node.body)
        assert members.keys() == public(vars(value))
        for name, member in members.items():
            check_member(member, vars(value)[name])
    elif isinstance(node, ast.FunctionDef):
        is_property = any(ast.unparse(mark) == "property" for mark in node.decorator_list)
        assert is_property == inspect.isgetsetdescriptor(value), node.name
        if not is_property:
            assert stub_parameters(node) == true_parameters(value), node.name
    else:
        assert not callable(value)


@pytest.mark.parametrize("name", COMPILED)
def test_a_stub_declares_what_its_module_has(name: str) -> None:
    assert STUBS[name].keys() == own_names(name)
    module = importlib.import_module(f"ginsim.{name}")
    for attribute, node in STUBS[name].items():
        check_member(node, getattr(module, attribute))


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = [
        test.name
        for name in MODULES
        for test in finder.find(importlib.import_module(name))
        if test.examples
    ]
    assert {"ginsim", "ginsim.simulation", "ginsim.solvers", "ginsim.position"} <= {*found}
