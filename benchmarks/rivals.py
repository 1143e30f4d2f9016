"""Other engines beside this one, on the same hands, in one run.

    python -m benchmarks.rivals                 # makes an environment for them, some minutes
    python -m benchmarks.rivals --json FILE     # keeps the figures
    python -m benchmarks.rivals --hands 20000   # more hands than the 4,000 of each kind

OpenSpiel (C++ behind Python) and RLCard (Python) come from the package index into an environment of
their own, with this package as it is here. What is compared is the same work: the least deadwood of
the same ten-card hands, where all answers must agree, and whole hands, played by a simple bot each.
Rounds of the engines take turns, so that whatever else the machine does meets all of them.

A call from Python costs something whatever it asks for. One hand after the other, that cost is in
all figures; it is shown by itself, as a call of a built-in function with the same argument.

The fastest public engine that is known, jdh8/gin-rummy-engine (Rust), is on no package index. Its
21,500 hands a second of its `simple` player were measured once on such a machine, and are not
measured here.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import hands
from ginsim import _core, simulate
from ginsim.cli.info import find_processor

#: Versions that the figures are about; others may be installed already.
PACKAGES = ("open_spiel==2.0.2", "rlcard==1.2.0")
ROUNDS = 5
SEED = 1

#: Hands a second of the fastest engine known, and what it is.
FASTEST = ("jdh8/gin-rummy-engine, Rust, measured once on such a machine, not rerun", 21_500)


def main() -> None:
    """Make the environment and run the comparison in it."""
    parser = argparse.ArgumentParser(description="Compare with other engines.")
    parser.add_argument("--hands", type=int, default=4000, help="ten-card hands of each kind")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    parser.add_argument("--here", action="store_true", help="they are installed already")
    options = parser.parse_args()
    if options.here:
        document = compare(options.hands)
        print(format_document(document))
        if options.json:
            options.json.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        return
    with tempfile.TemporaryDirectory() as folder:
        python = make_environment(Path(folder))
        root = Path(__file__).parents[1]
        command = [python, "-m", "benchmarks.rivals", "--here", "--hands", str(options.hands)]
        command += ["--json", str(options.json.absolute())] if options.json else []
        paths = os.pathsep.join((str(root / "src"), str(root)))
        environment = {**os.environ, "PYTHONPATH": paths}
        sys.exit(subprocess.run(command, cwd=root, env=environment, check=False).returncode)


def make_environment(folder: Path) -> str:
    """An environment with this package's requirements and the other engines; its interpreter.

    Raises:
        SystemExit: in words, if they cannot be installed.
    """
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / "bin" / "python")
    needed = ["numpy", "pandas", "pydantic", "click", "pytest", "pytest-benchmark", *PACKAGES]
    print(f"installing {', '.join(PACKAGES)} ...", file=sys.stderr)
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", *needed],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"the other engines cannot be installed:\n{done.stderr[-2000:]}")
    return python


# ---------------------------------------------------------------- the engines

#: The order of suits of both others; ours is clubs, diamonds, hearts, spades.
SPIEL_SUITS = (3, 0, 1, 2)
RLCARD_SUITS = (3, 2, 1, 0)


def cards_of(mask: int, suits: Sequence[int]) -> list[int]:
    """The cards of a mask in another engine's numbers: 13 · its suit + rank."""
    cards = [card for card in range(52) if mask >> card & 1]
    return [13 * suits.index(card // 13) + card % 13 for card in cards]


def load_spiel() -> tuple[Callable[[list[int]], int], Callable[[int], int]]:
    """(least deadwood, play hands) of OpenSpiel."""
    import pyspiel

    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    game = pyspiel.load_game("gin_rummy")

    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), seat) for seat in (0, 1)]

    def play(count: int) -> int:
        # A whole hand in one call, so that Python has no part in it.
        for seed in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return count

    return utils.min_deadwood, play


def load_rlcard() -> tuple[Callable[[Any], int], Callable[[int], int], Callable[[int], Any]]:
    """(least deadwood, play hands, its cards of a mask) of RLCard."""
    import rlcard
    from rlcard.games.gin_rummy.utils import melding, utils
    from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

    environment = rlcard.make("gin-rummy", config={"seed": SEED})
    environment.set_agents([GinRummyNoviceRuleAgent() for _ in (0, 1)])

    def deadwood(hand: Any) -> int:
        clusters = melding.get_best_meld_clusters(hand)
        return int(utils.get_deadwood_count(hand, clusters[0] if clusters else []))

    def play(count: int) -> int:
        for _ in range(count):
            environment.run(is_training=False)
        return count

    def convert(mask: int) -> Any:
        return [utils.get_card(card) for card in cards_of(mask, RLCARD_SUITS)]

    return deadwood, play, convert


# ---------------------------------------------------------------- the comparison


def seconds_of(function: Callable[[], Any]) -> float:
    """Processor time of a call."""
    start = time.process_time()
    function()
    return time.process_time() - start


def take_turns(functions: dict[str, tuple[Callable[[], Any], int]]) -> dict[str, float]:
    """Median nanoseconds per unit of each; (function, units it works on)."""
    times: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(ROUNDS):
        for name, (function, units) in functions.items():
            times[name].append(seconds_of(function) / units * 1e9)
    return {name: statistics.median(values) for name, values in times.items()}


def compare(count: int) -> dict[str, Any]:
    """All figures of one run.

    Raises:
        SystemExit: in words, if an answer differs.
    """
    _, spiel_play = load_spiel()
    _, rlcard_play, _ = load_rlcard()
    document: dict[str, Any] = {
        "when": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "processor": find_processor(),
        "compiler": _core.COMPILER,
        "packages": list(PACKAGES),
        "deadwood": {},
    }
    for data in hands.DATA:
        document["deadwood"][data] = compare_deadwood(data, count)
    played = {"ginsim, simple": 200_000, "OpenSpiel, simple bot": 300, "RLCard, novice agent": 30}
    document["hands"] = take_turns(
        {
            "ginsim, simple": (
                lambda: simulate(
                    "openspiel", "simple", played["ginsim, simple"], seed=SEED, threads=1
                ),
                played["ginsim, simple"],
            ),
            "OpenSpiel, simple bot": (
                lambda: spiel_play(played["OpenSpiel, simple bot"]),
                played["OpenSpiel, simple bot"],
            ),
            "RLCard, novice agent": (
                lambda: rlcard_play(played["RLCard, novice agent"]),
                played["RLCard, novice agent"],
            ),
        }
    )
    return document


def compare_deadwood(data: str, count: int) -> dict[str, float]:
    """Nanoseconds a hand of each engine for the least deadwood of ten cards.

    Raises:
        SystemExit: in words, if an answer differs.
    """
    spiel_deadwood, _ = load_spiel()
    rlcard_deadwood, _, rlcard_cards = load_rlcard()
    large = hands.draw_hands(data, 10)
    array = large[:count]
    masks = array.tolist()
    spiel = [cards_of(mask, SPIEL_SUITS) for mask in masks]
    # The slowest answers a tenth of them.
    rlcard = [rlcard_cards(mask) for mask in masks[: max(count // 10, 1)]]
    ours = _core.deadwoods(array).tolist()
    for name, theirs in (
        ("OpenSpiel", [spiel_deadwood(cards) for cards in spiel]),
        ("RLCard", [rlcard_deadwood(cards) for cards in rlcard]),
    ):
        for mask, mine, other in zip(masks, ours, theirs, strict=False):
            if mine != other:
                sys.exit(f"{data}: {name} finds {other} for {mask:#x}, ginsim {mine}")
    return take_turns(
        {
            "ginsim, array": (lambda: _core.deadwoods(large), len(large)),
            "ginsim, one by one": (lambda: [_core.deadwood(mask) for mask in masks], count),
            "OpenSpiel, one by one": (lambda: [spiel_deadwood(cards) for cards in spiel], count),
            "RLCard, one by one": (
                lambda: [rlcard_deadwood(cards) for cards in rlcard],
                len(rlcard),
            ),
            "a call by itself": (lambda: [abs(mask) for mask in masks], count),
        }
    )


def format_document(document: dict[str, Any]) -> str:
    """The figures as tables."""
    lines = [
        f"{document['processor']}, {document['compiler']}, {document['when']}",
        f"against {', '.join(document['packages'])}; median of {ROUNDS} rounds in turn",
        "",
        f"{'ns a hand, least deadwood of ten':34}"
        + "".join(f"{data:>12}" for data in document["deadwood"]),
    ]
    figures = document["deadwood"]
    for name in next(iter(figures.values())):
        cells = "".join(f"{figures[data][name]:12,.1f}" for data in figures)
        lines.append(f"{name:34}{cells}")
    lines += ["", f"{'without the call itself, ratio':34}"]
    for name in ("OpenSpiel, one by one", "RLCard, one by one"):
        cells = ""
        for data in figures:
            call = figures[data]["a call by itself"]
            ratio = (figures[data][name] - call) / figures[data]["ginsim, array"]
            cells += f"{ratio:12,.0f}"
        lines.append(f"{name.partition(',')[0] + ' / ginsim, array':34}{cells}")
    ours = document["hands"]["ginsim, simple"]
    lines += ["", f"{'whole hands, one core':34}{'hands/s':>12}{'ginsim is':>14}"]
    for name, ns in document["hands"].items():
        times = "" if name.startswith("ginsim") else f"{ns / ours:12,.0f} x"
        lines.append(f"{name:34}{1e9 / ns:12,.0f}{times:>14}")
    what, rate = FASTEST
    lines += [
        f"{'the fastest known':34}{rate:12,}{1e9 / ours / rate:12,.0f} x",
        f"  ({what})",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
