"""`ginsim balance`: what a rule does to the game, and at which value two ways to play are equal.

A module for each of its commands.
"""

from ginsim.cli.balance import measures, sensitivity, solve, sweep
from ginsim.cli.balance.common import balance

__all__ = ["balance", "measures", "sensitivity", "solve", "sweep"]
