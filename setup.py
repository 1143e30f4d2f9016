"""The extension modules; everything else is in pyproject.toml."""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGE = Path("src/ginsim")

compile_args = ["-O3", "-fno-strict-aliasing", "-Wno-unused-function"]
if platform.machine().lower() in {"x86_64", "amd64"}:
    # Without it every popcount is a library call, and the solvers run three times slower.
    compile_args.append("-mpopcnt")
if os.environ.get("GINSIM_NATIVE") == "1":
    # For a local build only: the result may not run on another processor.
    compile_args.append("-march=native")

extensions = [
    Extension(f"ginsim.{path.stem}", [str(path)], extra_compile_args=compile_args)
    for path in sorted(PACKAGE.glob("_*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        nthreads=0,
        include_path=["src"],
        compiler_directives={
            "language_level": "3",
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "embedsignature": True,
        },
    )
)
