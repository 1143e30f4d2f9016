"""Gin rummy by simulation: an exact compiled core, millions of hands, results as DataFrames.

>>> import ginsim
>>> ginsim.deadwood("4h 5h 6h 9c 9d 9s Kd")
10
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ginsim._version import __version__

if TYPE_CHECKING:
    from ginsim._deck import STREAM_VERSION as STREAM_VERSION
    from ginsim.cards import CardSet as CardSet
    from ginsim.cards import as_mask as as_mask
    from ginsim.errors import CardError as CardError
    from ginsim.errors import GinsimError as GinsimError
    from ginsim.errors import OptionError as OptionError
    from ginsim.errors import RulesError as RulesError
    from ginsim.errors import StrategyError as StrategyError
    from ginsim.position import IllegalAction as IllegalAction
    from ginsim.position import Position as Position
    from ginsim.replay import replay as replay
    from ginsim.replay import transcript as transcript
    from ginsim.rules import Rules as Rules
    from ginsim.rules import list_rulesets as list_rulesets
    from ginsim.rules import load_rules as load_rules
    from ginsim.scoring import knock_limit as knock_limit
    from ginsim.scoring import score_hand as score_hand
    from ginsim.simulate import simulate as simulate
    from ginsim.simulate import tally as tally
    from ginsim.solvers import arrange as arrange
    from ginsim.solvers import arrangements as arrangements
    from ginsim.solvers import best_discard as best_discard
    from ginsim.solvers import best_spread as best_spread
    from ginsim.solvers import deadwood as deadwood
    from ginsim.solvers import discard_deadwoods as discard_deadwoods
    from ginsim.solvers import is_meld as is_meld
    from ginsim.solvers import layoff as layoff
    from ginsim.stats import Tally as Tally
    from ginsim.stats import summarize as summarize
    from ginsim.strategies import Strategy as Strategy
    from ginsim.strategies import list_strategies as list_strategies
    from ginsim.strategies import parse_strategy as parse_strategy

#: Where each public name lives. They are imported when first used, so that a command line that
#: needs only the rules does not load pandas.
_HOMES = {
    "_deck": ("STREAM_VERSION",),
    "cards": ("CardSet", "as_mask"),
    "errors": ("CardError", "GinsimError", "OptionError", "RulesError", "StrategyError"),
    "position": ("IllegalAction", "Position"),
    "replay": ("replay", "transcript"),
    "rules": ("Rules", "list_rulesets", "load_rules"),
    "scoring": ("knock_limit", "score_hand"),
    "simulate": ("simulate", "tally"),
    "solvers": (
        "arrange", "arrangements", "best_discard", "best_spread", "deadwood",
        "discard_deadwoods", "is_meld", "layoff",
    ),
    "stats": ("Tally", "summarize"),
    "strategies": ("Strategy", "list_strategies", "parse_strategy"),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_MODULE_OF)]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'ginsim' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ginsim.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
