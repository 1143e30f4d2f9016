"""Compare an sdist and a wheel with the tree they were made from: TREE SDIST WHEEL."""

import sys
import tarfile
import zipfile
from pathlib import Path

#: What must be in the sdist, beside the package.
SHIPPED = {"benchmarks", "docs", "examples", "scripts", "tests"}
#: What of the package is there only to build it, and so is not installed.
BUILD_ONLY = {".pyx"}
#: What is made by building, and so is in neither.
BUILT = {".c", ".pyc"}


def find_faults(tree: Path, sdist: set[str], wheel: set[str]) -> list[str]:
    """Everything that is missing or has no business there, in words."""
    paths = {path.relative_to(tree) for path in tree.rglob("*") if path.is_file()}
    files = {path for path in paths if path.suffix not in BUILT}
    package = {path for path in files if path.is_relative_to("src/ginsim")}
    beside = {path for path in files if path.parts[0] in SHIPPED}
    faults = [f"not in the sdist: {path}" for path in package | beside if str(path) not in sdist]
    faults += [
        f"not in the wheel: {path}"
        for path in package
        if path.suffix not in BUILD_ONLY and str(path.relative_to("src")) not in wheel
    ]
    faults += [f"in the sdist: {name}" for name in sdist if Path(name).suffix in BUILT | {".so"}]
    faults += [
        f"in the wheel: {name}"
        for name in wheel
        if Path(name).suffix in BUILT | BUILD_ONLY
        or not name.startswith(("ginsim/", "ginsim_rummy-"))
    ]
    return sorted(faults)


def main() -> None:
    tree, sdist_path, wheel_path = map(Path, sys.argv[1:])
    with tarfile.open(sdist_path) as archive:
        sdist = {name.partition("/")[2] for name in archive.getnames()}
    with zipfile.ZipFile(wheel_path) as archive:
        wheel = set(archive.namelist())
    for path, names in ((sdist_path, sdist), (wheel_path, wheel)):
        print(f"{path.name}: {len(names)} names, {path.stat().st_size // 1024} KiB")
    faults = find_faults(tree, sdist, wheel)
    print(*faults, sep="\n", end="\n" if faults else "")
    sys.exit(bool(faults))


main()
