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
    from ginsim._deck import STREAM_VERSION
    from ginsim.advising import advise
    from ginsim.balance.measures import list_measures
    from ginsim.balance.sensitivity import FieldEffects, field_effects
    from ginsim.balance.solving import FieldSolution, solve_field
    from ginsim.balance.sweeping import sweep_rules
    from ginsim.bookings import book_games
    from ginsim.cards import CardSet, as_mask
    from ginsim.dealing import deals
    from ginsim.decision_frames import decisions
    from ginsim.decks import read_decks
    from ginsim.draws import outs, safety
    from ginsim.duels import Duel, duel
    from ginsim.equity import Equity, match_equity, solve_at_scores
    from ginsim.errors import (
        CardError,
        GinsimError,
        OptionError,
        RulesError,
        StrategyError,
        StudyError,
    )
    from ginsim.estimates import choose_rows, estimate
    from ginsim.files import read_records, write_records
    from ginsim.game_scoring import ColumnScore, GameScore, score_game
    from ginsim.game_series import group_series, summarize_series
    from ginsim.game_stats import GameTally, summarize_games
    from ginsim.games import simulate_game_hands, simulate_games, tally_games
    from ginsim.knock_solving import KnockSolution, solve_knocks
    from ginsim.logs import verify_hand, verify_log
    from ginsim.luck import Luck, judge_wins
    from ginsim.players import IllegalAnswer, PythonStrategy, View
    from ginsim.plots.balance import plot_effects, plot_roots, plot_sweep
    from ginsim.plots.curves import plot_deadwood, plot_response
    from ginsim.plots.knocks import plot_knock_gain, plot_knock_table, plot_knock_tables
    from ginsim.plots.lengths import plot_lengths
    from ginsim.plots.shares import plot_duel, plot_intervals, plot_outcomes, plot_ratings
    from ginsim.position import IllegalAction, Position
    from ginsim.reports.writing import make_report, write_report
    from ginsim.rescoring import rescore
    from ginsim.rules import Rules, list_rulesets, load_rules
    from ginsim.schemas import load_schema
    from ginsim.scoring import knock_limit, score_hand, score_tables
    from ginsim.sheets import Sheet, hollywood_sheet
    from ginsim.signatures import signature
    from ginsim.simulation import simulate, tally
    from ginsim.solvers import (
        arrange,
        arrangements,
        best_discard,
        best_discards,
        best_spread,
        deadwood,
        discard_deadwoods,
        is_meld,
        layoff,
    )
    from ginsim.stats import Tally, summarize
    from ginsim.strategies import Strategy, list_strategies, parse_strategy
    from ginsim.strategyfiles import write_strategy
    from ginsim.studies.data import Study
    from ginsim.studies.overview import check_study, merge_studies, study_status
    from ginsim.studies.runner import run_study
    from ginsim.studies.studyfile import read_study
    from ginsim.studies.tablefolder import read_tables
    from ginsim.timing import knock_chances, knock_timing
    from ginsim.tournaments import Tournament, tournament
    from ginsim.transcripts import replay, transcript
    from ginsim.tuning import Tuning, tune

__all__ = [
    "STREAM_VERSION",
    "CardError",
    "CardSet",
    "ColumnScore",
    "Duel",
    "Equity",
    "FieldEffects",
    "FieldSolution",
    "GameScore",
    "GameTally",
    "GinsimError",
    "IllegalAction",
    "IllegalAnswer",
    "KnockSolution",
    "Luck",
    "OptionError",
    "Position",
    "PythonStrategy",
    "Rules",
    "RulesError",
    "Sheet",
    "Strategy",
    "StrategyError",
    "Study",
    "StudyError",
    "Tally",
    "Tournament",
    "Tuning",
    "View",
    "__version__",
    "advise",
    "arrange",
    "arrangements",
    "as_mask",
    "best_discard",
    "best_discards",
    "best_spread",
    "book_games",
    "check_study",
    "choose_rows",
    "deadwood",
    "deals",
    "decisions",
    "discard_deadwoods",
    "duel",
    "estimate",
    "field_effects",
    "group_series",
    "hollywood_sheet",
    "is_meld",
    "judge_wins",
    "knock_chances",
    "knock_limit",
    "knock_timing",
    "layoff",
    "list_measures",
    "list_rulesets",
    "list_strategies",
    "load_rules",
    "load_schema",
    "make_report",
    "match_equity",
    "merge_studies",
    "outs",
    "parse_strategy",
    "plot_deadwood",
    "plot_duel",
    "plot_effects",
    "plot_intervals",
    "plot_knock_gain",
    "plot_knock_table",
    "plot_knock_tables",
    "plot_lengths",
    "plot_outcomes",
    "plot_ratings",
    "plot_response",
    "plot_roots",
    "plot_sweep",
    "read_decks",
    "read_records",
    "read_study",
    "read_tables",
    "replay",
    "rescore",
    "run_study",
    "safety",
    "score_game",
    "score_hand",
    "score_tables",
    "signature",
    "simulate",
    "simulate_game_hands",
    "simulate_games",
    "solve_at_scores",
    "solve_field",
    "solve_knocks",
    "study_status",
    "summarize",
    "summarize_games",
    "summarize_series",
    "sweep_rules",
    "tally",
    "tally_games",
    "tournament",
    "transcript",
    "tune",
    "verify_hand",
    "verify_log",
    "write_records",
    "write_report",
    "write_strategy",
]

#: Where each public name lives. They are imported when first used, so that a command line that
#: needs only the rules does not load pandas.
_HOMES = {
    "_deck": ("STREAM_VERSION",),
    "advising": ("advise",),
    "balance.measures": ("list_measures",),
    "balance.sensitivity": ("FieldEffects", "field_effects"),
    "balance.solving": ("FieldSolution", "solve_field"),
    "balance.sweeping": ("sweep_rules",),
    "bookings": ("book_games",),
    "cards": ("CardSet", "as_mask"),
    "dealing": ("deals",),
    "decision_frames": ("decisions",),
    "decks": ("read_decks",),
    "draws": ("outs", "safety"),
    "duels": ("Duel", "duel"),
    "errors": (
        "CardError",
        "GinsimError",
        "OptionError",
        "RulesError",
        "StrategyError",
        "StudyError",
    ),
    "equity": ("Equity", "match_equity", "solve_at_scores"),
    "estimates": ("choose_rows", "estimate"),
    "files": ("read_records", "write_records"),
    "game_scoring": ("ColumnScore", "GameScore", "score_game"),
    "game_series": ("group_series", "summarize_series"),
    "game_stats": ("GameTally", "summarize_games"),
    "games": ("simulate_game_hands", "simulate_games", "tally_games"),
    "knock_solving": ("KnockSolution", "solve_knocks"),
    "logs": ("verify_hand", "verify_log"),
    "luck": ("Luck", "judge_wins"),
    "players": ("IllegalAnswer", "PythonStrategy", "View"),
    "plots.balance": ("plot_effects", "plot_roots", "plot_sweep"),
    "plots.curves": ("plot_deadwood", "plot_response"),
    "plots.knocks": ("plot_knock_gain", "plot_knock_table", "plot_knock_tables"),
    "plots.lengths": ("plot_lengths",),
    "plots.shares": ("plot_duel", "plot_intervals", "plot_outcomes", "plot_ratings"),
    "position": ("IllegalAction", "Position"),
    "reports.writing": ("make_report", "write_report"),
    "rescoring": ("rescore",),
    "rules": ("Rules", "list_rulesets", "load_rules"),
    "schemas": ("load_schema",),
    "scoring": ("knock_limit", "score_hand", "score_tables"),
    "sheets": ("Sheet", "hollywood_sheet"),
    "signatures": ("signature",),
    "simulation": ("simulate", "tally"),
    "solvers": (
        "arrange",
        "arrangements",
        "best_discard",
        "best_discards",
        "best_spread",
        "deadwood",
        "discard_deadwoods",
        "is_meld",
        "layoff",
    ),
    "stats": ("Tally", "summarize"),
    "strategies": ("Strategy", "list_strategies", "parse_strategy"),
    "timing": ("knock_chances", "knock_timing"),
    "strategyfiles": ("write_strategy",),
    "studies.data": ("Study",),
    "studies.overview": ("check_study", "merge_studies", "study_status"),
    "studies.runner": ("run_study",),
    "studies.studyfile": ("read_study",),
    "studies.tablefolder": ("read_tables",),
    "tournaments": ("Tournament", "tournament"),
    "transcripts": ("replay", "transcript"),
    "tuning": ("Tuning", "tune"),
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}


if not TYPE_CHECKING:
    # For a type checker the imports above are all there is: it reports misspelt names.

    def __getattr__(name: str) -> Any:
        module = _MODULE_OF.get(name)
        if module is None:
            raise AttributeError(f"module 'ginsim' has no attribute {name!r}")
        value = getattr(importlib.import_module(f"ginsim.{module}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return __all__
