"""The extension modules; everything else is in pyproject.toml."""

import contextlib
import io
import os
import platform
import sys
import time
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGE = Path("src/ginsim")

DIRECTIVES = {
    "language_level": "3",
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "embedsignature": True,
}


class Tee(io.StringIO):
    """Keeps what is written and passes it on at once."""

    def __init__(self, stream):
        super().__init__()
        self.stream = stream

    def write(self, text):
        self.stream.write(text)
        return super().write(text)


def compile_args():
    args = ["-O3", "-g0", "-fno-strict-aliasing"]
    # Two neighbouring fields written one by one and read as a pair make the processor wait.
    args.append("-fno-tree-slp-vectorize")
    # Of Cython's own code: helpers nobody calls, and packed records made into dicts.
    args += ["-Wno-unused-function", "-Wno-address-of-packed-member"]
    # The moves of a hand are larger than what is inlined by default, and worth it.
    args.append("--param=max-inline-insns-single=400")
    if platform.machine().lower() in {"x86_64", "amd64"}:
        # Without it every popcount is a library call, and the solvers run three times slower.
        args.append("-mpopcnt")
    if os.environ.get("GINSIM_NATIVE") == "1":
        # For a local build only: the result may not run on another processor.
        args.append("-march=native")
    return args


def translate(extensions):
    """Cython to C. In a checkout, not in an unpacked sdist, performance hints are errors.

    Cython says that a nogil function takes the GIL after every call, because its exception contract
    was forgotten, only as a "performance hint" line, and only when it writes the C file. So what
    was written is removed, else the next build would pass.
    Who builds an sdist may have a later Cython with new hints: there they stay hints.
    """
    start = time.time()
    with contextlib.redirect_stderr(Tee(sys.stderr)) as said:
        modules = cythonize(extensions, include_path=["src"], compiler_directives=DIRECTIVES)
    hints = said.getvalue().count("performance hint: ")
    if hints and not Path("PKG-INFO").exists():
        for path in PACKAGE.glob("_*.c"):
            if path.stat().st_mtime >= start - 1:
                path.unlink()
        sys.exit(f"error: Cython gave {hints} performance hint(s), see above")
    return modules


def find_modules():
    # An editable installation compiles in a folder of its own, all anew. scripts/_env.sh has built
    # the modules in place before, where such an installation finds them.
    if os.environ.get("GINSIM_BUILT_IN_PLACE") == "1":
        return []
    return translate(
        [
            Extension(f"ginsim.{path.stem}", [str(path)], extra_compile_args=compile_args())
            for path in sorted(PACKAGE.glob("_*.pyx"))
        ]
    )


setup(ext_modules=find_modules())
