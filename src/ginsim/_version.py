"""The package's version, alone so that the build can read it without importing the rest."""

__version__ = "0.1.0"
