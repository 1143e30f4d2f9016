"""Strategies written in Python: the same hands as compiled ones, views, refusals."""

from __future__ import annotations

import operator
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import IllegalAnswer, OptionError, PythonStrategy, StrategyError, View, _core
from ginsim.cards import CardSet, card_number
from ginsim.rules import load_rules
from tests import test_hidden


def cards_of(mask: int) -> list[int]:
    return [card for card in range(52) if mask >> card & 1]


def pips(card: int) -> int:
    return min(card % 13 + 1, 10)


class Greedy(PythonStrategy):
    """`greedy`, by docs/engine.md."""

    version = "1"
    knock_at = 10

    def take_upcard(self, view: View) -> bool:
        return view.deadwood_with_top < view.deadwood

    draw_from_pile = take_upcard

    def declare_big_gin(self, view: View) -> bool:
        return True

    def knock(self, view: View) -> bool:
        return view.deadwood <= min(self.knock_at, view.knock_limit)

    def discard(self, view: View) -> int:
        return min(cards_of(view.best_discards), key=lambda card: (-pips(card), card))


class ByHand(Greedy):
    """The same with nothing but the cards: deadwood is worked out anew, at the wall too."""

    def _left(self, view: View, cards: int, barred: int) -> dict[int, int]:
        left = _core.discard_deadwoods(cards)
        return {card: left[card] for card in left if not barred >> card & 1}

    def take_upcard(self, view: View) -> bool:
        assert view.top is not None
        both = view.hand | 1 << view.top
        return min(self._left(view, both, 1 << view.top).values()) < _core.deadwood(view.hand)

    def draw_from_pile(self, view: View) -> bool:
        if view.phase == "draw":
            return self.take_upcard(view)
        # Taken at the wall the card must end the hand: by big gin, or a knock as `knock` would.
        assert view.top is not None
        both = view.hand | 1 << view.top
        best = min(self._left(view, both, 1 << view.top).values())
        return _core.deadwood(both) == 0 or best <= min(self.knock_at, view.knock_limit)

    def knock(self, view: View) -> Any:
        best = min(self._left(view, view.hand, view.barred).values())
        # The card itself is an answer too.
        return best <= min(self.knock_at, view.knock_limit) and self.discard(view)

    def discard(self, view: View) -> int:
        left = self._left(view, view.hand, view.barred)
        return min(left, key=lambda card: (left[card], -pips(card), card))


class Simple(PythonStrategy):
    """`simple`, by docs/engine.md; its chances are those of the seat's stream."""

    version = "1"
    base = "simple"

    def take_upcard(self, view: View) -> bool:
        card = view.top
        assert card is not None
        ranks = {other % 13 for other in cards_of(view.hand) if other // 13 == card // 13}
        same = sum(other % 13 == card % 13 for other in cards_of(view.hand))
        runs = [
            {card % 13 + shift + step for step in range(3)} - {card % 13} for shift in (-2, -1, 0)
        ]
        return same >= 2 or any(run <= ranks for run in runs)

    def draw_from_pile(self, view: View) -> bool:
        return super().draw_from_pile(view) if view.phase == "wall" else self.take_upcard(view)

    def _considered(self, view: View) -> dict[int, int]:
        left = _core.discard_deadwoods(view.hand)
        allowed = {card: left[card] for card in left if not view.barred >> card & 1}
        used = [{drawn, thrown} for drawn, thrown in view.past if drawn is not None]
        fresh = {
            card: least
            for card, least in allowed.items()
            if view.drawn is None or {view.drawn, card} not in used
        }
        kept = fresh or allowed
        return {card: least for card, least in kept.items() if least == min(kept.values())}

    def knock(self, view: View) -> bool:
        return min(self._considered(view).values()) <= min(10, view.knock_limit)

    def discard(self, view: View) -> int:
        if view.knocking and min(self._considered(view).values()) > view.knock_limit:
            return super().discard(view)  # type: ignore[return-value]
        cards = sorted(self._considered(view))
        return cards[view.pick(len(cards))]


RULES = (
    "kawu",
    "modern",
    "eaai",
    "openspiel",
    "modern(wall=fiftieth, dead_at=20, return_taken_card=true)",
    "casual(deal=eleven)",
)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("player", "name"), [(Greedy(), "greedy"), (ByHand(), "greedy"), (Simple(), "simple")]
)
def test_the_same_hands_as_the_compiled_strategy(
    rules: str, player: PythonStrategy, name: str
) -> None:
    for ours, theirs in (((player, "greedy(4)"), (name, "greedy(4)")), (player, name)):
        found = ginsim.simulate(rules, ours, 1000, seed=9)
        pd.testing.assert_frame_equal(found, ginsim.simulate(rules, theirs, 1000, seed=9))
    decided = ginsim.decisions(rules, (name, player), 100, seed=2)
    pd.testing.assert_frame_equal(decided, ginsim.decisions(rules, name, 100, seed=2))


def test_it_is_taken_wherever_a_strategy_is() -> None:
    ours, theirs = (Greedy(), "simple"), ("greedy", "simple")
    options: dict[str, Any] = {"seed": 4, "mirror": True}
    assert (
        ginsim.tally("kawu", ours, 500, **options).sums
        == ginsim.tally("kawu", theirs, 500, **options).sums
    ).all()
    for play in (ginsim.simulate_games, ginsim.simulate_game_hands):
        found = play("kawu", ours, 20, **options)
        pd.testing.assert_frame_equal(found, play("kawu", theirs, 20, **options))
    four = ginsim.simulate_games("partnership", (Greedy(), "simple"), 6, seed=4)
    pd.testing.assert_frame_equal(four, ginsim.simulate_games("partnership", theirs, 6, seed=4))
    assert (
        ginsim.replay("kawu", ours, 4, 3)["events"] == ginsim.replay("kawu", theirs, 4, 3)["events"]
    )
    position = ginsim.Position.deal("kawu", seed=4)
    assert position.copy().play(*ours).result == position.copy().play(*theirs).result


def test_against_a_search() -> None:
    found = ginsim.simulate("kawu", (Greedy(), "rollout(4)"), 20, seed=4)
    pd.testing.assert_frame_equal(
        found, ginsim.simulate("kawu", ("greedy", "rollout(4)"), 20, seed=4)
    )


def test_what_is_not_written_is_as_the_base_plays() -> None:
    class Nothing(PythonStrategy):
        version = "1"
        base = "random"

    found = ginsim.simulate("kawu", Nothing(), 300, seed=4)
    pd.testing.assert_frame_equal(found, ginsim.simulate("kawu", "random", 300, seed=4))


def test_chance_is_that_of_the_hand() -> None:
    class Coin(PythonStrategy):
        version = "1"

        def draw_from_pile(self, view: View) -> bool:
            return view.random() < 0.5

        def discard(self, view: View) -> str:
            cards = list(CardSet(view.hand & ~view.barred))
            return cards[view.pick(len(cards))]

    class Careful(Coin):
        knock = Greedy.knock
        knock_at = 0

    first = ginsim.simulate("kawu", (Careful(), "greedy"), 60, seed=4)
    random.seed(1)
    np.random.default_rng(1)
    pd.testing.assert_frame_equal(
        ginsim.simulate("kawu", (Careful(), "greedy"), 20, seed=4, first=40),
        first[40:].reset_index(drop=True),
    )
    assert first["points"].nunique() > 5


def test_provenance_names_it() -> None:
    frame = ginsim.simulate("kawu", (Greedy(), "simple"), 2, seed=1)
    origin = frame.attrs["provenance"]["strategies"]["south"]
    assert origin["name"] == "Greedy"
    assert origin["version"] == "1"
    assert origin["python"] == f"{__name__}.Greedy"
    assert origin["base"]["name"] == "greedy"
    with pytest.raises(StrategyError, match=r"Greedy' is written in Python.*an instance of it"):
        ginsim.parse_strategy(origin)


def test_threads_are_refused() -> None:
    with pytest.raises(OptionError, match="threads: 2 is not allowed; allowed: 1, since"):
        ginsim.simulate("kawu", Greedy(), 10, seed=1, threads=2)
    assert len(ginsim.simulate("kawu", Greedy(), 10, seed=1, threads=1)) == 10


def test_a_version_and_a_base_are_needed() -> None:
    class Bare(PythonStrategy):
        pass

    class Deep(PythonStrategy):
        version = "1"
        base = "rollout"

    with pytest.raises(StrategyError, match="Bare: version: None is not allowed"):
        ginsim.simulate("kawu", Bare(), 1)
    with pytest.raises(StrategyError, match="Deep: base: 'rollout' is not allowed"):
        ginsim.simulate("kawu", Deep(), 1)


class Idle(PythonStrategy):
    """`greedy`, of a class of its own that decides nothing."""

    version = "1"


def test_the_class_is_no_player() -> None:
    message = r"strategy: Idle is a class; allowed: an instance of it, Idle\("
    idle: Any = Idle
    for play in (
        lambda: ginsim.simulate("kawu", idle, 1),
        lambda: ginsim.simulate("kawu", (idle, "greedy"), 1),
        lambda: ginsim.duel(idle, "greedy", "kawu", 2),
        lambda: ginsim.tournament([idle, "greedy"], "kawu", 2),
        lambda: ginsim.tune("greedy", "kawu", against=[idle]),
        lambda: ginsim.tune(idle, "kawu"),
        lambda: ginsim.Position.deal("kawu", seed=4).value_actions(idle),
        lambda: ginsim.Position.deal("kawu", seed=4).play(idle, "greedy"),
    ):
        with pytest.raises(StrategyError, match=message):
            play()


def test_comparisons_play_it() -> None:
    options: dict[str, Any] = {"seed": 4}
    ours = ginsim.duel(Greedy(), "simple", "kawu", 40, **options)
    theirs = ginsim.duel("greedy", "simple", "kawu", 40, **options)
    pd.testing.assert_frame_equal(ours.table, theirs.table)
    assert ours.a.name == "Greedy"
    assert ours.provenance["strategies"]["south"]["version"] == "1"
    hands = ginsim.duel("simple", Greedy(), "kawu", hands=100, **options)
    expected = ginsim.duel("simple", "greedy", "kawu", hands=100, **options)
    pd.testing.assert_frame_equal(hands.table, expected.table)

    many = ginsim.tournament(["simple", Greedy(), "greedy(4)"], "kawu", 40, **options)
    known = ginsim.tournament(["simple", "greedy", "greedy(4)"], "kawu", 40, **options)
    assert many.pairs["value"].tolist() == known.pairs["value"].tolist()
    assert many.provenance["strategies"]["Greedy"]["python"].endswith("test_players.Greedy")

    search: dict[str, Any] = {"budget": 4000, "validate": 40, "seed": 5}
    tuned = ginsim.tune("greedy", "kawu", against=[Greedy()], **search)
    same = ginsim.tune("greedy", "kawu", against=["greedy"], **search)
    assert tuned.found == same.found
    assert tuned.table["value"].tolist() == same.table["value"].tolist()
    assert list(tuned.pool) == ["Greedy"]


def test_comparisons_with_it_are_of_one_thread() -> None:
    message = "threads: 2 is not allowed; allowed: 1, since"
    for play in (
        lambda: ginsim.duel("greedy", Idle(), "kawu", 2, threads=2),
        lambda: ginsim.tournament(["greedy", "simple", Idle()], "kawu", 2, threads=2),
        lambda: ginsim.tune("greedy", "kawu", against=["greedy", Idle()], threads=2),
    ):
        with pytest.raises(OptionError, match=message):
            play()


def test_where_rules_are_needed_it_is_refused_in_words() -> None:
    with pytest.raises(StrategyError, match="'Idle' is written in Python; allowed here: a str"):
        ginsim.tune(Idle(), "kawu")
    with pytest.raises(OptionError, match="search: is written in Python and makes no play-outs"):
        ginsim.Position.deal("kawu", seed=4).value_actions(Idle())


@pytest.mark.parametrize(
    ("decision", "answer", "words"),
    [
        ("take_upcard", None, "Wrong: take_upcard: None is not allowed; allowed: True or False"),
        ("draw_from_pile", 1, "Wrong: draw_from_pile: 1 is not allowed; allowed: True or False"),
        ("discard", 52, "Wrong: discard: 52 is not allowed; allowed: one of the cards "),
        ("discard", "Xh", "Wrong: discard: 'Xh' is not allowed; allowed: one of the cards "),
        ("discard", True, "Wrong: discard: True is not allowed; allowed: one of the cards "),
        ("knock", "yes", r"Wrong: knock \(True, False or a card\): 'yes' is not allowed"),
    ],
)
def test_wrong_answers_are_refused(decision: str, answer: Any, words: str) -> None:
    wrong = type("Wrong", (PythonStrategy,), {"version": "1", decision: lambda *_: answer})
    four = load_rules("partnership").replace(deal="upcard")
    calls: list[Any] = [
        lambda: ginsim.simulate("kawu", (wrong(), "greedy"), 50, seed=1),
        lambda: ginsim.tally("kawu", ("greedy", wrong()), 50, seed=1),
        lambda: ginsim.decisions("kawu", wrong(), 50, seed=1),
        lambda: ginsim.simulate_games("kawu", wrong(), 5, seed=1),
        lambda: ginsim.tally_games(four, wrong(), 5, seed=1),
        lambda: ginsim.simulate_game_hands("kawu", wrong(), 5, seed=1),
        lambda: ginsim.Position.deal("kawu", seed=1).play(wrong(), wrong()),
    ]
    for call in calls:
        with pytest.raises(IllegalAnswer, match=words) as caught:
            call()
        assert caught.value.__notes__[0].startswith("in ")
    # Nothing is left behind.
    assert len(ginsim.simulate("kawu", (Greedy(), "greedy"), 5, seed=1)) == 5


def test_an_exception_comes_through_with_the_hand() -> None:
    class Failing(PythonStrategy):
        version = "1"
        at = 0

        def discard(self, view: View) -> int:
            if view.hand == self.at:
                raise KeyError("lost")
            return super().discard(view)  # type: ignore[return-value]

    rows = ginsim.decisions("kawu", "greedy", 100, seed=5, kinds=["discard"])
    row = rows[(rows["hand"] == 37) & (rows["seat"] == "south")].iloc[0]
    player = Failing()
    player.at = int(row["hand_cards"])
    with pytest.raises(KeyError, match="lost") as caught:
        ginsim.simulate("kawu", (player, "greedy"), 100, seed=5)
    assert caught.value.__notes__ == ["in hand 37"]


def test_a_view_ends_with_its_decision() -> None:
    views: list[View] = []

    class Keeping(PythonStrategy):
        version = "1"

        def draw_from_pile(self, view: View) -> bool:
            views.append(view)
            return False

    ginsim.simulate("kawu", (Keeping(), "greedy"), 3, seed=1)
    for name in dir(View):
        if not name.startswith("_"):
            call: Any = operator.attrgetter(name)
            if name in ("pick", "random"):
                call = operator.methodcaller(name, *[2] * (name == "pick"))
            with pytest.raises(RuntimeError, match="the decision that this view was made for"):
                call(views[0])
    # One of one's own is of no decision.
    with pytest.raises(RuntimeError, match="is over"):
        _ = View().hand


def test_a_view_shows_what_the_decision_frames_say() -> None:
    """Row by row, for a player who notes all that he sees."""
    seen: list[tuple[Any, ...]] = []

    class Noting(PythonStrategy):
        version = "1"

        def discard(self, view: View) -> int:
            seen.append(
                (
                    view.hand, view.pile, view.opponent_taken, view.opponent_thrown,
                    view.opponent_left, view.turn, view.drawn, view.from_pile, view.stock,
                    view.knock_limit, view.pile_draws, view.opponent_pile_draws, view.deadwood,
                    view.may_knock,
                )
            )  # fmt: skip
            return super().discard(view)  # type: ignore[return-value]

    rules = "oklahoma"
    ginsim.simulate(rules, (Noting(), "simple"), 200, seed=6)
    rows = ginsim.decisions(rules, ("greedy", "simple"), 200, seed=6, kinds=["discard"])
    rows = rows[(rows["seat"] == "south") & (rows["action"] != "big_gin")]
    assert len(rows) == len(seen) > 1000
    for (_, row), noted in zip(rows.iterrows(), seen, strict=True):
        assert noted == (
            row["hand_cards"], row["pile"], row["opponent_taken"], row["opponent_thrown"],
            row["opponent_left"], row["turn"], card_number(row["drawn"]),
            row["drawn_from"] == "pile",
            row["stock"], row["knock_limit"], row["pile_draws"], row["opponent_pile_draws"],
            row["best_deadwood"], row["knock_legal"],
        )  # fmt: skip


def test_nothing_hidden_is_seen() -> None:
    """A player that decides by all that its view has decides the same over other hidden cards."""
    names = [
        name
        for name in dir(View)
        if not name.startswith("_") and name not in ("pick", "random", "deadwood_with_top")
    ]

    def digest(view: View) -> int:
        return hash(tuple(str(getattr(view, name)) for name in names))

    class All(PythonStrategy):
        version = "1"

        def draw_from_pile(self, view: View) -> bool:
            return digest(view) % 2 == 0

        def discard(self, view: View) -> int:
            cards = cards_of(view.hand & ~view.barred)
            if view.knocking:
                cards = cards_of(view.best_discards)
            return cards[digest(view) % len(cards)]

    player: Any = All()
    test_hidden.check_decisions(3000, 4, test_hidden.by_strategy, [player])


def test_players_may_have_arguments_and_come_and_go() -> None:
    class Knocker(Greedy):
        def __init__(self, knock_at: int) -> None:
            self.knock_at = knock_at
            self.name = f"Knocker({knock_at})"

    frame = ginsim.simulate("kawu", (Knocker(3), Knocker(7)), 200, seed=2)
    names = [each["name"] for each in frame.attrs["provenance"]["strategies"].values()]
    assert names == ["Knocker(3)", "Knocker(7)"]
    pd.testing.assert_frame_equal(
        frame, ginsim.simulate("kawu", ("greedy(3)", "greedy(7)"), 200, seed=2)
    )
    for _ in range(10_000):
        last = Knocker(3)
    kept = [last]
    with pytest.raises(RuntimeError, match="more than 4095 Python strategies"):
        kept += [Knocker(3) for _ in range(5000)]


def test_hands_of_a_python_strategy_are_not_played_again() -> None:
    frame = ginsim.simulate("kawu", (Greedy(), "simple"), 20, seed=2)
    with pytest.raises(ginsim.GinsimError, match="is written in Python"):
        ginsim.rescore(frame, "kawu(gin_bonus=100)")


DECISIONS = ("take_upcard", "draw_from_pile", "declare_big_gin", "knock", "discard")


@pytest.mark.parametrize("decision", DECISIONS)
def test_the_base_needs_a_view(decision: str) -> None:
    class Plain(ginsim.PythonStrategy):
        version = "1"

    with pytest.raises(TypeError, match="view"):
        getattr(Plain(), decision)(None)


@pytest.mark.parametrize("asked", DECISIONS)
def test_the_base_is_asked_only_for_the_decision_at_hand(asked: str) -> None:
    """Asked for another, it would change what is known of the hand, and so the play."""
    phases = {"take_upcard": "upcard", "draw_from_pile": "draw"}
    seen = set()

    def ask(self: Any, view: Any, decision: str) -> Any:
        if phases.get(decision, "discard") != phases.get(asked, "discard"):
            with pytest.raises(ValueError, match=f"{asked}: the base is not asked now"):
                getattr(ginsim.PythonStrategy, asked)(self, view)
            seen.add(decision)
        return getattr(ginsim.PythonStrategy, decision)(self, view)

    class Curious(ginsim.PythonStrategy):
        version = "1"
        base = "expert"

        def take_upcard(self, view: Any) -> Any:
            return ask(self, view, "take_upcard")

        def draw_from_pile(self, view: Any) -> Any:
            return ask(self, view, "draw_from_pile")

        def discard(self, view: Any) -> Any:
            return ask(self, view, "discard")

    frame = ginsim.simulate("kawu", (Curious(), "greedy"), 40, seed=3, threads=1)
    plain = ginsim.simulate("kawu", ("expert", "greedy"), 40, seed=3)
    pd.testing.assert_frame_equal(frame, plain)
    assert len(seen) == 2
