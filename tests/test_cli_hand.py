"""The commands about one hand: the worked cases, what people read, what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import ginsim
from ginsim import CardSet
from ginsim.cli import main
from tests import cases


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def show(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.output


def run_json(*arguments: str) -> Any:
    return json.loads(show(*arguments, "--json"))


def refused(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.output.count("Error:") == 1
    return result.output


def sets(lists: list[list[str]]) -> list[CardSet]:
    return [CardSet(cards) for cards in lists]


# ---------------------------------------------------------------- the worked cases


@pytest.mark.parametrize("case", cases.of_kind("meld"))
def test_meld(case: dict[str, Any]) -> None:
    """What is no meld cannot be spread; what is one is found as one."""
    cards = case["input"]["cards"]
    spread = ("layoff", "--melds", cards, "--unmelded", "", "--defender", "")
    if case["expected"]["valid"]:
        assert sets(run_json(*spread)["knocker_melds"]) == [CardSet(cards)]
        assert sets(run_json("deadwood", cards)["melds"]) == [CardSet(cards)]
    else:
        assert f"{CardSet(cards)} is not a meld" in refused(*spread)
        assert run_json("deadwood", cards)["melds"] == []


@pytest.mark.parametrize("case", cases.of_kind("deadwood"))
def test_deadwood(case: dict[str, Any]) -> None:
    hand, expected = CardSet(case["input"]["hand"]), case["expected"]
    document = run_json("deadwood", case["input"]["hand"])
    assert document["deadwood"] == expected["deadwood"]
    assert document["cards"] == list(hand)
    # The melds and the rest are the hand, and the rest is the deadwood.
    pieces = [*sets(document["melds"]), CardSet(document["unmelded"])]
    assert sum(piece.mask for piece in pieces) == hand.mask
    assert sum(len(piece) for piece in pieces) == len(hand)
    assert all(ginsim.is_meld(meld) for meld in pieces[:-1])
    assert sum(map(ginsim.cards.pips, pieces[-1])) == expected["deadwood"]
    if "leftovers" in expected:
        assert pieces[-1] in [CardSet(cards) for cards in expected["leftovers"]]
    others = expected.get("arrangements", 1) - 1
    text = show("deadwood", *case["input"]["hand"].split())
    assert text.startswith(f"deadwood {expected['deadwood']}\n")
    if others:
        assert f"{others} other arrangement as good" in text


@pytest.mark.parametrize("case", cases.of_kind("best_discard"))
def test_discard(case: dict[str, Any]) -> None:
    hand, expected = case["input"]["hand"], case["expected"]
    banned = case["input"].get("banned", "")
    arguments = ("discard", hand, *(("--forbid", banned) if banned else ()))
    document = run_json(*arguments)
    assert document["deadwood"] == expected["deadwood"]
    assert CardSet(document["discards"]) == CardSet(expected["discards"])
    assert CardSet(document["each"]) == CardSet(hand) - CardSet(banned)
    assert {card for card, left in document["each"].items() if left == expected["deadwood"]} == set(
        document["discards"]
    )
    text = show(*arguments)
    assert ("all 11 cards can be melded" in text) == (expected.get("deadwood_11") == 0)
    first = text.splitlines()[-len(document["each"])].split()
    assert first[0] in document["discards"]
    assert int(first[1]) == expected["deadwood"]


@pytest.mark.parametrize("case", cases.of_kind("layoff"))
def test_layoff(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    arguments = ["layoff", "--melds", " / ".join(given["knocker_melds"])]
    arguments += ["--unmelded", given["knocker_deadwood"], "--defender", given["defender"]]
    document = run_json(*arguments)
    assert document["knocker_deadwood"] == expected["knocker_dw"]
    assert document["defender_deadwood"] == expected["defender_after"]
    assert sets(document["knocker_melds"]) == [CardSet(meld) for meld in given["knocker_melds"]]
    spent = [*sets(document["defender_melds"]), CardSet(document["laid_off"])]
    left = CardSet(given["defender"]) - CardSet(sum(piece.mask for piece in spent))
    assert sum(map(ginsim.cards.pips, left)) == expected["defender_after"]
    none = run_json(*arguments, "--method", "none")
    assert none["defender_deadwood"] == expected["defender_before"]
    assert none["laid_off"] == []
    low, high = expected.get("melds_first", (expected["defender_after"], 200))
    for method in ("greedy", "in_order"):
        assert low <= run_json(*arguments, "--method", method)["defender_deadwood"] <= high
    rows = [line.split() for line in show(*arguments).splitlines()]
    assert rows[1][:2] == ["knocker", str(expected["knocker_dw"])]
    assert rows[2][:2] == ["defender", str(expected["defender_after"])]


@pytest.mark.parametrize("case", cases.of_kind("arrangement"))
def test_arrangement(case: dict[str, Any]) -> None:
    """Both spreads of least deadwood; --knocker takes that of fewest sets."""
    given, expected = case["input"], case["expected"]
    hand, after = given["knocker"], {}
    for found in ginsim.arrangements(hand):
        melds = " / ".join(map(str, found.melds))
        document = run_json(
            *("layoff", "--melds", melds, "--unmelded", str(found.unmelded)),
            *("--defender", given["defender"]),
        )
        assert document["knocker_deadwood"] == expected["knocker_dw"]
        has_set = any(len({card[0] for card in meld}) == 1 for meld in document["knocker_melds"])
        after["mixed" if has_set else "runs"] = document["defender_deadwood"]
    assert after == expected["defender_after"]
    document = run_json("layoff", "--knocker", hand, "--defender", given["defender"])
    assert document["knocker_deadwood"] == expected["knocker_dw"]
    assert document["defender_deadwood"] == expected["defender_after"]["runs"]
    assert document["knocker_melds"] == run_json("deadwood", hand)["melds"]


@pytest.mark.parametrize("case", cases.of_kind("outs"))
def test_outs(case: dict[str, Any]) -> None:
    meld, expected = case["input"]["meld"], CardSet(case["expected"]["outs"])
    document = run_json("outs", meld)
    assert CardSet(document["outs"]) == CardSet(document["extend"]) == expected
    assert CardSet(document["unseen"]) == expected
    assert document["improve"] == {}
    assert show("outs", meld).startswith(f"deadwood 0, outs {len(expected)}, of them unseen")


@pytest.mark.parametrize("case", cases.of_kind("safety"))
def test_safety(case: dict[str, Any]) -> None:
    card, count = case["input"]["card"], case["expected"]["holdings"]
    document = run_json("safety", card)
    assert document["num_holdings"] == len(document["holdings"]) == count
    assert f"would complete {count} holdings: " in show("safety", card)


# ---------------------------------------------------------------- how cards are given


def test_cards_are_one_argument_or_several() -> None:
    expected = run_json("deadwood", "9s Ts Js Qs 4h")
    for words in (["9s", "Ts", "Js", "Qs", "4h"], ["9s", "10S,q♠ js", "4♥"], ["4h9sTsJsQs"]):
        assert run_json("deadwood", *words) == expected
    assert run_json("deadwood", "") == {"cards": [], "deadwood": 0, "melds": [], "unmelded": []}


def test_order_of_cards_does_not_matter() -> None:
    for order in permutations(["7s 8s", "9s 8h", "8d"]):
        assert run_json("outs", *order) == run_json("outs", "7s 8s 9s 8h 8d")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["deadwood", "1h Zc"], "unknown card '1h', 'Zc'"),
        (["deadwood", "4h", "4h"], "duplicate card 4h"),
        (["deadwood", "Ac2c3c4c5c6c7c8c9cTcJcQc"], "are 12 cards; allowed: 0 to 11"),
        (["deadwood"], "Missing argument 'CARDS...'"),
        (["discard", ""], "cards: no cards; allowed: 1 to 11"),
        (["discard", "4h", "--forbid", "4h"], "leaves no card to throw"),
        (["outs", "Ac2c3c4c5c6c7c8c9cTcJc"], "are 11 cards; allowed: 0 to 10"),
        (["outs", "4h", "--seen", "99"], "unknown card '99'"),
        (["safety", "4h 5h"], "unknown card '4h 5h'"),
        (["layoff", "--defender", "4h"], "either --knocker, or --melds with --unmelded"),
        (
            ["layoff", "--knocker", "4c", "--melds", "", "--unmelded", "4c", "--defender", "4h"],
            "either --knocker, or --melds with --unmelded",
        ),
        (["layoff", "--melds", "4c 5c 6c", "--defender", "4h"], "--melds and --unmelded go"),
        (
            ["layoff", "--knocker", "4c", "--unmelded", "4c", "--defender", "4h"],
            "--melds and --unmelded go together",
        ),
        (["layoff", "--knocker", "4c"], "Missing option '--defender'"),
        (["layoff", "--knocker", "4c", "--defender", "4c"], "duplicate card 4c"),
        (
            ["layoff", "--melds", "4c 5c 6c /", "--unmelded", "2c", "--defender", "4h"],
            "has an empty meld",
        ),
        (
            ["layoff", "--knocker", "4c", "--defender", "4h", "--method", "best"],
            "method: 'best' is not allowed; allowed: optimal, greedy, in_order or none",
        ),
        (["deals", "--cards", "12"], "allowed: a whole number from 1 to 11"),
        (["deals", "--exact", "--hands", "5"], "hands: 5 is not allowed; allowed: nothing with"),
        (["deals", "--exact", "--seed", "5"], "seed: 5 is not allowed; allowed: nothing with"),
        (["schema", "dedwood"], "unknown schema 'dedwood'; did you mean 'deadwood'?"),
    ],
)
def test_bad_input_is_refused_in_words(arguments: list[str], words: str) -> None:
    # Long messages are wrapped.
    assert words in " ".join(refused(*arguments).split())


# ---------------------------------------------------------------- what people read


def test_deadwood_text() -> None:
    text = show("deadwood", "7h 7s 7d 7c 5h 6h Kd Qc 2s 3d")
    assert text == "deadwood 25\n  [5h 6h 7h] [7c 7d 7s] Qc 3d Kd 2s\n"
    assert show("deadwood", "") == "deadwood 0\n  -\n"


def test_discard_text() -> None:
    text = show("discard", "Ac 2c 3c Kd Qh", "--forbid", "Kd")
    # The queen leaves the king's 10. A low card leaves the two others, king and queen: 25 (2 + 3
    # + 20) without the ace, 24 without the two, 23 without the three.
    assert [line.split() for line in text.splitlines()] == [
        ["deadwood", "10", "by", "throwing", "Qh"],
        ["throw", "leaves"],
        ["Qh", "10"],
        ["3c", "23"],
        ["2c", "24"],
        ["Ac", "25"],
    ]
    assert "deadwood 16 by throwing Kc or Kh" in show("discard", "4H5H6H9C9D9S2S3DKHKCAH")


def test_layoff_text() -> None:
    text = show(
        *("layoff", "--knocker", "4H 5H 6H 8H 8D 8S 9S TS JS KH"),
        *("--defender", "TH TD TC 6C 7C 8C 9C QS 5S 7S"),
    )
    assert text.splitlines()[1:] == [
        "  knocker   10        [4h 5h 6h] [8d 8h 8s] [9s Ts Js] Kh",
        "  defender  12        [6c 7c 8c 9c] [Tc Td Th] 5s 7s",
        "  laid off            Qs",
    ]
    gin = show("layoff", "--melds", "4h 5h 6h", "--unmelded", "", "--defender", "7h")
    assert "gin: nothing is laid off" in gin
    assert run_json("layoff", "--melds", "", "--unmelded", "4h", "--defender", "7h") == {
        "knocker_deadwood": 4,
        "defender_deadwood": 7,
        "knocker_melds": [],
        "defender_melds": [],
        "laid_off": [],
    }


def test_outs_text() -> None:
    text = show("outs", "9s Ts Js Qs Ah Ad", "--seen", "Ks 2c")
    assert [line.split() for line in text.splitlines()] == [
        ["deadwood", "2,", "outs", "4,", "of", "them", "unseen", "3"],
        ["draw", "leaves", "extends", "seen"],
        ["Ac", "0"],
        ["As", "0"],
        ["8s", "1", "meld"],
        ["Ks", "1", "meld", "seen"],
    ]
    assert show("outs", "9c 9d 9h 9s") == "deadwood 0, outs 0, of them unseen 0\n"
    assert run_json("outs", "9s Ts Js Qs Ah Ad", "--seen", "Ks 2c") == {
        "cards": ["Ad", "Ah", "9s", "Ts", "Js", "Qs"],
        "deadwood": 2,
        "improve": {"Ac": 0, "As": 0, "8s": 1, "Ks": 1},
        "extend": ["8s", "Ks"],
        "outs": ["Ac", "As", "8s", "Ks"],
        "unseen": ["Ac", "As", "8s"],
        "num_unseen": 3,
    }


def test_safety_text() -> None:
    seen = ("--seen", "Qh Qs Td")
    assert show("safety", "Qd", *seen) == "Qd would complete 1 holding: Jd Kd\n"
    assert show("safety", "Kd", "--seen", "Kh Ks Kc Qd") == "Kd would complete 0 holdings\n"
    assert run_json("safety", "Qd", *seen) == {
        "card": "Qd",
        "holdings": [["Jd", "Kd"]],
        "num_holdings": 1,
    }


# ---------------------------------------------------------------- deals


def test_exact_deals_document() -> None:
    document = run_json("deals", "--cards", "3", "--exact")
    found = ginsim.deals(3, exact=True)
    assert list(document)[:4] == ["cards", "exact", "hands", "counts"]
    assert (document["cards"], document["exact"], document["hands"]) == (3, True, 22_100)
    # 52 sets and 44 runs; the largest deadwood is three tens.
    assert document["counts"]["0"] == 96
    assert list(document["counts"])[-1] == "30"
    assert sum(document["counts"].values()) == 22_100
    gin = 96 / 22_100
    assert document["gin"] == {"count": 96, "share": gin, "low": gin, "high": gin}
    assert document["no_meld"]["count"] == 22_100 - 96
    assert list(document["knock"]) == [str(limit) for limit in range(11)]
    assert document["knock"]["0"] == document["gin"]
    # Three of the lowest cards: only A A 2 leaves 4 (C(4, 2) * 4 hands), nothing below.
    assert document["knock"]["3"]["count"] == 96
    assert document["knock"]["4"]["count"] == 96 + 24
    assert document["mean"]["value"] == found.dealt.mean.value
    assert document["sd"] == found.dealt.sd
    assert document["after_draw"]["hands"] == 270_725
    assert document["provenance"] == found.provenance
    assert run_json("deals", "--cards", "3", "--exact", "--no-draw")["after_draw"] is None


def test_sampled_deals_document() -> None:
    document = run_json("deals", "--hands", "2e4", "--seed", "4", "--threads", "2")
    found = ginsim.deals(10, hands=20_000, seed=4)
    assert found.drawn is not None
    assert document["provenance"] == found.provenance
    assert document["hands"] == document["after_draw"]["hands"] == 20_000
    for part, hands in ((document, found.dealt), (document["after_draw"], found.drawn)):
        assert part["counts"] == {
            str(left): count for left, count in enumerate(hands.counts) if count
        }
        knock = hands.knock(10)
        assert part["knock"]["10"] == {
            "count": hands.count_at_most(10),
            "share": knock.value,
            "low": knock.low,
            "high": knock.high,
        }
    assert run_json("deals", "--hands", "1", "--seed", "1")["sd"] is None


def test_deals_text() -> None:
    lines = show("deals", "--cards", "3", "--exact").splitlines()
    assert lines[0] == "all 22,100 hands of 3 cards"
    assert "all 270,725 hands with one card more" in lines[1]
    rows = {line.split()[0]: line.split() for line in lines if line}
    # 96 of 22,100 hands.
    assert rows["gin"][1] == rows["0"][1] == f"{96 / 221:.6g}"
    shares = [line.split()[-2] for line in lines if " to " in line or line.startswith("  0 ")]
    assert sum(map(float, shares)) == pytest.approx(100, abs=1e-3)

    sampled = show("deals", "--hands", "5000", "--seed", "4")
    assert "5,000 hands of 10 cards, drawn with seed 4" in sampled
    assert "95 % intervals" in sampled
    assert "after a draw: the same hands with one card more" in sampled
    alone = show("deals", "--hands", "5000", "--seed", "4", "--no-draw")
    assert "after a draw" not in alone
    assert show("deals", "--cards", "11", "--hands", "1").startswith("1 hand of 11 cards, drawn")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted in /proc")
def test_an_interrupted_count_ends_at_once() -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from ginsim.cli import main; main(prog_name='ginsim')"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, "deals", "--exact", "--threads", "2"],
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while len(os.listdir(f"/proc/{process.pid}/task")) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)  # until its two threads count
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert output == ""
    assert errors == "interrupted\n"


# ---------------------------------------------------------------- without pandas


@pytest.mark.parametrize(
    "arguments",
    [
        ["deadwood", "4h"],
        ["discard", "4h"],
        ["layoff", "--knocker", "4h", "--defender", "5h"],
        ["outs", "4h"],
        ["safety", "4h"],
        ["schema", "deadwood"],
        ["deals", "--help"],
    ],
)
def test_small_questions_load_no_pandas(arguments: list[str]) -> None:
    code = (
        "import sys; from ginsim.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "sys.exit(', '.join({'pandas', 'ginsim._batch', 'pydantic'} & sys.modules.keys()) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
