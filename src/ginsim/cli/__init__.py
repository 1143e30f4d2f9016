"""The `ginsim` command. Only click is imported here: completion in a shell runs this module."""

from ginsim.cli.app import main

__all__ = ["main"]
