"""The partnership of four: two tables in lockstep, their difference, and whole games.

The hands are held against the slow twin (tests/reference.py), the games against the sheet kept
by hand (tests/books.py).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import ginsim
from ginsim import _games
from ginsim._hand import EVENTS
from ginsim.rules import Rules, to_game_record
from ginsim.strategies import parse_strategy
from ginsim.tasks import make_task
from tests import books, cases, reference
from tests.books import SEATS
from tests.test_books import check_played, plain

#: Four players that all look at the other table, each in another way.
READERS = (
    "greedy(knock_at=10, knock_after_win=0, win_from=20)",
    "greedy(knock_at=6, knock_after_win=2, knock_after_loss=10, loss_from=15)",
    "greedy(knock_at=8, layoff=greedy, knock_after_loss=3, loss_from=10)",
    "greedy(knock_at=4, layoff=none, knock_after_win=9, knock_after_loss=0)",
)
#: Players of pairs who wait for gin as soon as the partner has won or lost anything.
CAMPERS = ("greedy(knock_after_win=0, knock_after_loss=0)",) * 4
PLAIN = ("greedy", "greedy(knock_at=6)", "simple", "greedy(knock_at=4)")

RULES = (
    "partnership",
    "partnership(target=120, spade_doubles=all, box_base=2, box_gin=7, box_undercut=3, "
    "box_clean_undercut=5, box_big_gin=11, box_column=4)",
    # Dead tables, ties, prize boxes only where they were earned.
    "partnership(target=80, dead_at=18, tie=nobody, next_dealer=winner, first_dealer=seat)",
    # An upcard deal, the wall, one column.
    "openspiel(players=4, target=100, next_dealer=loser, dead_at=14, game_bonus=50)",
    "modern+hollywood(players=4, target=90, max_pile_draws=5, tie=knocker)",
)


# ---------------------------------------------------------------- the difference of the tables


@pytest.mark.parametrize("case", cases.of_kind("partnership"))
def test_cases(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    first, second = (
        (pair, difference, cases.OUTCOMES.get(outcome, outcome))
        for pair, difference, outcome in given["tables"]
    )
    score = ginsim.score_tables("partnership", first, second, spade=given.get("spade", False))
    assert score.winner == {"AB": "A+B", "CD": "C+D", None: None}[expected["winner"]]
    assert score.points == expected["points"]
    assert score.prize_boxes == expected["bonus_boxes"]
    # Who wins has one base box besides; footnote 2 of the rules leaves it single on spades.
    assert score.boxes == expected["bonus_boxes"] + (1 if expected["winner"] else 0)


#: The page's table: points and boxes of each kind of win.
PRIZES = {
    "knock": (0, 0),
    "gin": (25, 2),
    "big_gin": (30, 3),
    "undercut": (20, 1),
    "clean_undercut": (25, 2),
}
Table = tuple[str | None, int, str]


def net_by_signs(tables: Sequence[Table], doubles: str, spade: bool) -> tuple[Any, ...]:
    """Kind, winner, points, boxes, prize boxes: what A and B won counts plus, the other minus."""
    signs = {"A+B": 1, "C+D": -1, None: 0}
    points = sum(
        signs[pair] * (difference + PRIZES[outcome][0]) for pair, difference, outcome in tables
    )
    prizes = sum(signs[pair] * PRIZES[outcome][1] for pair, _, outcome in tables)
    winners = [pair for pair, _, _ in tables if pair is not None]
    if not winners:
        return "none", None, 0, 0, 0
    if points == 0:
        return "level", None, 0, 0, 0
    kind = "one" if len(winners) == 1 else "both" if winners[0] == winners[1] else "split"
    winner, sign = ("A+B", 1) if points > 0 else ("C+D", -1)
    # What a spade doubles: the net of points and prizes, and the base box.
    points_by, prizes_by, base = {
        "none": (1, 1, 1),
        "points": (2, 1, 1),
        "prizes": (2, 2, 1),
        "all": (2, 2, 2),
    }[doubles if spade else "none"]
    prize = max(sign * prizes, 0) * prizes_by
    return kind, winner, sign * points * points_by, base + prize, prize


def random_tables(rng: random.Random) -> list[Table]:
    most = rng.choice([2, 30, 90])
    return [
        (
            rng.choice(["A+B", "C+D", "A+B", "C+D", None]),
            rng.randint(0, most),
            rng.choice([*PRIZES]),
        )
        for _ in (1, 2)
    ]


def test_random_tables_net_by_signs() -> None:
    rng = random.Random(1)
    seen: Counter[str] = Counter()
    for doubles in ("none", "points", "prizes", "all"):
        rules = ginsim.load_rules("partnership").replace(spade_doubles=doubles)
        for _ in range(4000):
            tables, spade = random_tables(rng), rng.random() < 0.4
            score = ginsim.score_tables(rules, tables[0], tables[1], spade=spade)
            expected = net_by_signs(tables, doubles, spade)
            found = (score.kind, score.winner, score.points, score.boxes, score.prize_boxes)
            assert found == expected, (doubles, spade, tables)
            # The twin agrees.
            records = [
                {
                    "winner": -1 if pair is None else ("A+B", "C+D").index(pair),
                    "points": (difference + PRIZES[outcome][0])
                    * (2 if spade and doubles != "none" else 1),
                    "prize_boxes": PRIZES[outcome][1]
                    * (2 if spade and doubles in ("prizes", "all") else 1),
                }
                for pair, difference, outcome in tables
            ]
            net = reference.net_tables(rules, records[0], records[1], spade)
            pair = None if net.pair == -1 else ("A+B", "C+D")[net.pair]
            assert (net.kind, pair, net.points, net.boxes, net.prize_boxes) == expected
            seen[score.kind] += 1
            # A prize of the losing pair is greater than the winner's.
            seen["floor"] += (
                score.winner is not None
                and expected[4] == 0
                and any(PRIZES[outcome][1] for other, _, outcome in tables if other != score.winner)
            )
    assert min(seen[kind] for kind in ("both", "split", "one", "level", "none", "floor")) > 200


def test_the_order_of_tables_and_the_names_of_pairs_make_no_difference() -> None:
    rng = random.Random(2)
    other = {"A+B": "C+D", "C+D": "A+B", None: None}
    for _ in range(300):
        first, second = random_tables(rng)
        score = ginsim.score_tables("partnership", first, second)
        assert ginsim.score_tables("partnership", second, first) == score
        named = [
            (other[pair], difference, outcome) for pair, difference, outcome in (first, second)
        ]
        mirrored = ginsim.score_tables("partnership", named[0], named[1])
        assert mirrored.winner == other[score.winner]
        assert (mirrored.points, mirrored.boxes) == (score.points, score.boxes)


@pytest.mark.parametrize(
    ("rules", "table", "words"),
    [
        (
            "partnership",
            ("A", 5, "knock"),
            "second[0]: 'A' is not allowed; allowed: A+B or C+D, or None",
        ),
        ("partnership", ("A+B", 111, "knock"), "second[1]: 111 is not allowed"),
        ("partnership", ("A+B", -1, "knock"), "second[1]: -1 is not allowed"),
        ("partnership", ("A+B", 5, "dead"), "second[2]: 'dead' is not allowed"),
        ("kawu", ("A+B", 5, "big_gin"), "second[2]: 'big_gin' is not allowed"),
        ("partnership", ("A+B", 5), "second: ('A+B', 5) is not allowed"),
    ],
)
def test_bad_tables_are_refused_in_words(rules: str, table: Any, words: str) -> None:
    with pytest.raises(ginsim.OptionError) as failure:
        ginsim.score_tables(rules, (None, 0, "knock"), table)
    assert words in str(failure.value)


# ---------------------------------------------------------------- the twin's lockstep


class ShamHand:
    """A hand that lasts so many turns and is worth so much, and notes what it knew in each."""

    def __init__(self, turns: int, net: int) -> None:
        self.turns = turns
        self.result = {"net": net}
        self.other_net: int | None = None
        self.knew: list[int | None] = []

    def play_by_turns(self) -> Iterator[None]:
        for turn in range(1, self.turns + 1):
            self.knew.append(self.other_net)
            if turn < self.turns:
                yield


@pytest.mark.parametrize(
    ("turns", "knew"),
    [
        # Over in turn 2, known from turn 3 on.
        ((2, 4), ([None, None], [None, None, 7, 7])),
        # Also where table 2 is first, although table 1 begins each turn.
        ((4, 2), ([None, None, -5, -5], [None, None])),
        ((3, 3), ([None] * 3, [None] * 3)),
        ((1, 2), ([None], [None, 7])),
    ],
)
def test_the_twin_knows_a_result_from_the_next_turn_on(
    turns: tuple[int, int], knew: tuple[list[int | None], list[int | None]]
) -> None:
    first, second = ShamHand(turns[0], 7), ShamHand(turns[1], -5)
    reference.Tables(first, second).play()  # type: ignore[arg-type]
    assert (first.knew, second.knew) == knew


def test_the_twins_threshold() -> None:
    """10, after a win of 20 or more 0, after a loss of 5 or more 3; for north signs change."""
    strategy = parse_strategy(
        "greedy(knock_at=10, knock_after_win=0, win_from=20, knock_after_loss=3, loss_from=5)"
    )
    hand = reference.deal_hand(reference.HOLLYWOOD, (strategy, strategy), 1, 0, 0)
    for net, south in ((None, 10), (0, 10), (19, 10), (20, 0), (75, 0), (-4, 10), (-5, 3)):
        hand.other_net = net
        assert hand.threshold(0) == south
        hand.other_net = None if net is None else -net
        assert hand.threshold(1) == south


def test_the_twins_stops_are_its_turns() -> None:
    """Between two stops one turn begins, but for a decision at the wall that is declined."""
    stops = declined = 0
    pair = (parse_strategy("greedy(knock_at=0)"), parse_strategy("random"))
    for name in ("partnership", "openspiel(dead_at=12)"):
        rules = ginsim.load_rules(name)
        for deal in range(60):
            hand = reference.deal_hand(rules, pair, 3, deal, deal % 2)
            turn = 0
            for _ in hand.play_by_turns():
                turn += 1
                stops += 1
                assert sum(hand.turns) == turn
                assert hand.events[-1][0] == "discard"
            assert sum(hand.turns) in (turn, turn + 1)
            declined += sum(hand.turns) == turn
            assert hand.result
            assert hand.result["dead_reason"] == "stock" or sum(hand.turns) == turn + 1
    assert stops > 500
    # Who waits for gin lets a last discard pass that he could knock with.
    assert declined > 0


# ---------------------------------------------------------------- whole games

#: Who knocks by a table, unless the partner's result says otherwise.
TABLES = (
    "expert(knock_table=6/2, knock_after_win=0, win_from=5, knock_after_loss=10)",
    "expert",
    "expert(knock_table=4;8, knock_after_win=9, loss_from=20, knock_after_loss=1)",
    "greedy",
)


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_games_equal_the_twins(name: str, mirror: bool) -> None:
    twins = check_played(ginsim.load_rules(name), READERS, 4, 10, 4, mirror)
    assert all(record["winner"] is not None for record, _ in twins)


@pytest.mark.parametrize(
    "players",
    [CAMPERS, PLAIN, ("random", "greedy", "random", "simple"), TABLES],
    ids=str,
)
def test_games_of_other_players_equal_the_twins(players: tuple[str, ...]) -> None:
    check_played(ginsim.load_rules("partnership(target=100)"), players, 8, 3, 5, False)


@pytest.mark.slow
@pytest.mark.parametrize("name", RULES)
def test_many_games_equal_the_twins(name: str) -> None:
    rules = ginsim.load_rules(name)
    seen: Counter[str] = Counter()
    for players in (READERS, CAMPERS, PLAIN, READERS[::-1]):
        for _, rows in check_played(rules, players, 31, 0, 60, True):
            for row in rows:
                seen[row["net_kind"]] += 1
                seen[row["outcome"]] += 1
    assert len(seen) > 8


def test_one_strategy_or_two_are_those_of_the_pairs() -> None:
    rules, first, second = "partnership(target=100)", "greedy(knock_at=5)", "simple"
    for short, full in (
        (first, (first,) * 4),
        ((first, second), (first, first, second, second)),
    ):
        ours = plain(ginsim.simulate_game_hands(rules, short, 6, seed=2))
        assert ours == plain(ginsim.simulate_game_hands(rules, full, 6, seed=2))
    four = plain(ginsim.simulate_game_hands(rules, (first, second, first, second), 6, seed=2))
    assert ours != four


@pytest.mark.parametrize("rules", ["partnership", "partnership(wall=fiftieth)"])
@pytest.mark.parametrize("at", [4, 10])
def test_tables_played_apart_are_those_played_turn_by_turn(rules: str, at: int) -> None:
    """Who knocks after a partner's result as he would without it heeds it, but plays the same.

    So his tables are played turn by turn, and those of who does not heed it one after the other.
    """
    strategy = f"greedy(knock_at={at})"
    heeding = f"greedy(knock_at={at}, knock_after_win={at})"
    seen = set()
    for mirror in (False, True):
        apart, together = (
            ginsim.simulate_game_hands(rules, each, 60, seed=8, mirror=mirror)
            for each in (strategy, heeding)
        )
        assert plain(apart) == plain(together)
        seen |= set(zip(apart["other_known"], apart["other_net"] > 0, strict=True))
    assert seen == {(False, False), (True, False), (True, True)}


# ---------------------------------------------------------------- what is known of the other table


def first_turns(rows: list[dict[str, Any]]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each row of a table with that of the other table."""
    pairs = []
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert (first["table"], second["table"]) == (1, 2)
        assert first["hand_in_game"] == second["hand_in_game"]
        pairs += [(first, second), (second, first)]
    return pairs


def test_a_result_is_known_from_the_next_turn_on() -> None:
    """Told from the records alone: a table knows of the other iff it went on for longer.

    Without the wall every turn is counted in `turns`, so that is the turn in which a hand ended.
    """
    rows = plain(ginsim.simulate_game_hands("partnership", READERS, 150, seed=12))
    counted: Counter[str] = Counter()
    for row, other in first_turns(rows):
        known = row["turns"] > other["turns"]
        assert row["other_known"] == known
        assert row["other_net"] == (other["net"] if known else 0)
        counted["known"] += known
        counted["same turn"] += row["turns"] == other["turns"]
        counted["next turn"] += row["turns"] == other["turns"] + 1
    assert min(counted["known"], counted["same turn"], counted["next turn"]) > 100


def test_who_knows_of_the_partners_result_plays_by_it() -> None:
    """All knock with 10, with 2 if the partner won 25 or more, with 5 if he lost 20 or more.

    Nobody knocks above that, and just outside of it (the result is not known since both tables
    ended in the same turn, or it is one point short) somebody does.
    """
    player = "greedy(knock_after_win=2, win_from=25, knock_after_loss=5, loss_from=20)"
    # Every knock card allows ten.
    rules = "partnership(knock_limit=10)"
    rows = plain(ginsim.simulate_game_hands(rules, player, 400, seed=3))
    above: Counter[str] = Counter()
    for row, other in first_turns(rows):
        if row["knocker"] is None or row["outcome"] == "big_gin":
            continue
        deadwood = row[f"{row['knocker']}_deadwood"]
        sign = 1 if row["knocker"] == "south" else -1
        gained = sign * other["net"]
        longer = row["turns"] - other["turns"]
        limit = 10
        if longer > 0 and gained >= 25:
            limit = 2
        if longer > 0 and gained <= -20:
            limit = 5
        assert deadwood <= limit
        if deadwood > 2 and gained >= 25 and longer == 0:
            above["same turn, won"] += 1
        if deadwood > 5 and gained <= -20 and longer == 0:
            above["same turn, lost"] += 1
        if deadwood > 2 and gained in (23, 24) and longer > 0:
            above["won too little"] += 1
        if deadwood > 5 and gained in (-18, -19) and longer > 0:
            above["lost too little"] += 1
        above["won just enough"] += longer > 0 and gained == 25
        above["lost just enough"] += longer > 0 and gained == -20
        # Who has lost in one turn sees his partner, the same seat, play the next one.
        above["lost in the turn before"] += longer == 1 and gained <= -20
    assert len(above) == 7, above
    assert min(above.values()) >= 3, above


def test_a_turn_too_early_or_too_late_would_be_seen() -> None:
    """Hands in which it matters when a result is known: there the engine plays by the rules."""
    rules = ginsim.load_rules("partnership(target=60)")
    players = [parse_strategy(name) for name in CAMPERS]
    frame = plain(ginsim.simulate_game_hands(rules, CAMPERS, 25, seed=5))
    pairings = {"A-C B-D": 0, "A-D B-C": 1}
    differs: Counter[int] = Counter()
    for first, second in zip(frame[::2], frame[1::2], strict=True):
        played = {}
        for known_after in (0, 1, 2):
            both = reference.deal_tables(
                rules,
                players,
                5,
                first["deal"],
                SEATS.index(first["dealer"]),
                first["hand_in_game"],
                pairings[first["pairing"]],
                known_after,
            )
            both.play()
            played[known_after] = [books.hand_columns(table) for table in both.tables]
        ours = [{key: row[key] for key in played[1][0]} for row in (first, second)]
        assert ours == played[1]
        for known_after in (0, 2):
            differs[known_after] += played[known_after] != played[1]
    assert min(differs[0], differs[2]) >= 5, differs


def two_handed(rules: Rules) -> Rules:
    return rules.replace(players=2)


def test_who_does_not_look_plays_as_at_a_table_for_two() -> None:
    rules = ginsim.load_rules("partnership(target=100)")
    players = dict(zip("ABCD", map(parse_strategy, PLAIN), strict=True))
    rows = plain(ginsim.simulate_game_hands(rules, PLAIN, 12, seed=9))
    for row in rows:
        south, _, north = row["pairing"].split()[row["table"] - 1]
        hand = reference.deal_hand(
            two_handed(rules),
            (players[south], players[north]),
            9,
            row["deal"],
            SEATS.index(row["dealer"]),
            row["hand_in_game"],
            second_table=row["table"] == 2,
        )
        hand.play()
        columns = books.hand_columns(hand)
        assert {key: row[key] for key in columns} == columns


def test_table_1_of_the_first_hand_is_the_first_hand_of_two() -> None:
    """The same streams: A and C play what south and north of a game of two do."""
    rules = ginsim.load_rules("partnership")
    four = plain(ginsim.simulate_game_hands(rules, PLAIN, 40, seed=6, mirror=True))
    two = plain(ginsim.simulate_game_hands(two_handed(rules), PLAIN[::2], 40, seed=6, mirror=True))
    ours = [row for row in four if row["hand_in_game"] == 0 and row["table"] == 1]
    theirs = [row for row in two if row["hand_in_game"] == 0]
    assert len(ours) == len(theirs) == 40
    for our, their in zip(ours, theirs, strict=True):
        assert {key: our[key] for key in their} == their


# ---------------------------------------------------------------- traces


def tables_of(
    rules: Rules, players: Sequence[str], seed: int, game: int, hand_in_game: int
) -> list[list[reference.Event]]:
    """The events of both tables, in the form of the twin."""
    task = make_task(rules, tuple(players), 1, seed=seed, first=game, of_games=True)
    traces = _games.trace_tables(task.setup, to_game_record(rules), game, hand_in_game)
    return [
        [(EVENTS[kind], seat, card, mask) for kind, seat, card, mask in trace.tolist()]
        for trace in traces
    ]


def as_log(events: list[reference.Event]) -> list[dict[str, Any]]:
    """Events in the form of a log."""
    log: list[dict[str, Any]] = []
    for kind, seat, card, mask in events:
        event: dict[str, Any] = {"event": kind}
        if kind == "dead":
            event["reason"] = reference.DEAD_REASONS[card]
        else:
            event["seat"] = SEATS[seat]
        if kind in ("pass", "draw_pile", "draw_stock", "discard", "knock"):
            event["card"] = reference.card_name(card)
        if kind in ("meld", "layoff", "unmelded"):
            names = [reference.card_name(each) for each in sorted(reference.cards_of(mask))]
            event["cards"] = " ".join(names)
        log.append(event)
    return log


@pytest.mark.parametrize("name", RULES)
def test_each_table_plays_a_lawful_hand(name: str) -> None:
    """Every action is checked by `Position`, with the cards of the twin's decks."""
    rules, seed = ginsim.load_rules(name), 7
    players = tuple(map(parse_strategy, READERS))
    frame = plain(ginsim.simulate_game_hands(rules, READERS, 3, seed=seed))
    for first, second in zip(frame[::2], frame[1::2], strict=True):
        game, number = first["game"], first["hand_in_game"]
        traces = tables_of(rules, READERS, seed, game, number)
        twin = reference.deal_tables(
            rules,
            players,
            seed,
            first["deal"],
            SEATS.index(first["dealer"]),
            number,
            0 if first["pairing"] == "A-C B-D" else 1,
        )
        twin.play()
        for row, events, hand, stream in zip(
            (first, second), traces, twin.tables, (0, 4), strict=True
        ):
            deck = reference.deck(seed, first["deal"], number, stream=stream)
            document = {
                "rules": two_handed(rules).values(),
                "dealer": row["dealer"],
                "deck": [reference.card_name(card) for card in deck],
                "knock_card": row["knock_card"],
                "events": as_log(events),
            }
            report = ginsim.verify_hand(document)
            assert report.errors == []
            assert report.result is not None
            for key in ("outcome", "winner", "knocker", "points", "boxes", "turns", "stock"):
                assert report.result[key] == row[key], key
            promised = reference.promised_events
            assert promised(events, hand.strategies) == promised(hand.events, hand.strategies)


# ---------------------------------------------------------------- the rule cases


def test_pt16_dealers_and_opponents_alternate() -> None:
    expected = cases.by_id("PT16")["expected"]
    # Nobody wins with 18 cards in the stock still: many hands have no winner.
    rules = "partnership(target=80, dead_at=18)"
    rows = plain(ginsim.simulate_game_hands(rules, "greedy", 40, seed=2))
    again = 0
    for before, after in zip(rows[::2], rows[2::2], strict=False):
        if before["game"] != after["game"]:
            continue
        same = before["dealer"] == after["dealer"] and before["pairing"] == after["pairing"]
        changed = before["dealer"] != after["dealer"] and before["pairing"] != after["pairing"]
        # Without a winner the same dealers deal to the same opponents again.
        assert same if before["pair_winner"] is None else changed
        again += same
    assert again > 10
    scored = [row for row in rows if row["game"] == 0]
    while scored[0]["pair_winner"] is None:
        scored = scored[2:]
    first, second = scored[0], scored[2]
    # "A deals to C, B deals to D"
    assert dealers(first) == ["A", "B"]
    assert first["pairing"].split() == ["A-C", "B-D"]
    assert sorted(dealers(second)) == expected["dealers"]
    assert second["pairing"].split() == expected["pairings"]


def dealers(row: dict[str, Any]) -> list[str]:
    """Who deals at table 1 and at table 2; each table's south is named first."""
    place = 0 if row["dealer"] == "south" else 2
    return [players[place] for players in row["pairing"].split()]


def test_pt16_both_tables_have_partners_as_dealers() -> None:
    rows = plain(ginsim.simulate_game_hands("partnership", "greedy", 30, seed=3))
    seen = set()
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert first["dealer"] == second["dealer"]
        assert first["pairing"] == second["pairing"]
        seen.add((first["pairing"], tuple(dealers(first))))
    assert seen == {
        ("A-C B-D", ("A", "B")),
        ("A-C B-D", ("C", "D")),
        ("A-D B-C", ("A", "B")),
        ("A-D B-C", ("D", "C")),
    }


def test_pt17_the_count_is_told_and_nothing_else() -> None:
    """B's table sees of A's when it ended and for how many points, and nothing besides.

    A and C play in many ways, B and D in one: whenever A's table ends in the same turn with the
    same result, or not before B's, B's table plays the same hand.
    """
    looks = "greedy(knock_after_win=0, knock_after_loss=2)"
    hands: dict[tuple[Any, ...], dict[str, Any]] = {}
    repeated = 0
    results: dict[int, set[tuple[Any, ...]]] = {}
    for other in ("greedy", "greedy(0)", "greedy(4)", "simple", "random", "greedy(9)", looks):
        players = (other, looks, other, looks)
        rows = plain(ginsim.simulate_game_hands("partnership", players, 300, seed=4, max_hands=1))
        for first, second in zip(rows[::2], rows[1::2], strict=True):
            known = second["other_known"]
            told = (first["turns"], first["net"]) if known else None
            columns = {
                key: value
                for key, value in second.items()
                if key not in ("hand_in_game", "net_kind") and not key.startswith("pair_")
            }
            key = (second["game"], told)
            repeated += key in hands
            assert hands.setdefault(key, columns) == columns
            results.setdefault(second["game"], set()).add(
                (second["turns"], second["outcome"], second["net"])
            )
    # What is told was the same often, and where it was not B's play often changed.
    matters = sum(len(found) > 1 for found in results.values())
    assert repeated > 300
    assert matters > 50


def test_pt18_a_deck_at_each_table_and_one_card_for_both() -> None:
    """52 cards a table: whatever is dealt at one may be dealt at the other."""
    expected = cases.by_id("PT18")["expected"]
    rules = ginsim.load_rules("partnership(knock_limit=0, dead_at=0, max_pile_draws=100)")
    never = "greedy(knock_at=0)"
    rows = plain(ginsim.simulate_game_hands(rules, never, 12, seed=3, max_hands=4))
    whole = 0
    cards_at_both = 0
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert (first["knock_card"] == second["knock_card"]) == expected["shared_limit_card"]
        assert first["knock_limit"] == second["knock_limit"] == 0
        traces = tables_of(rules, (never,) * 4, 3, first["game"], first["hand_in_game"])
        drawn = []
        for row, events in zip((first, second), traces, strict=True):
            stock = [card for kind, _, card, _ in events if kind == "draw_stock"]
            assert len(stock) == len(set(stock))
            # Two hands, the eleventh card, what was drawn and what is left.
            assert 10 + 11 + len(stock) + row["stock"] == expected["per_table"]
            whole += row["stock"] == 0
            drawn.append(set(stock))
        cards_at_both += len(drawn[0] & drawn[1])
    assert cards_at_both > 0
    assert whole > 0
    # The card that sets the limit is open at both tables, whatever their decks.
    limits = plain(ginsim.simulate_game_hands("partnership", "greedy", 20, seed=3))
    for first, second in zip(limits[::2], limits[1::2], strict=True):
        assert first["knock_card"] == second["knock_card"]
        assert first["knock_limit"] == second["knock_limit"]
    assert len({row["knock_card"] for row in limits}) > 40


# ---------------------------------------------------------------- what is scored is what is played


def test_the_hand_of_the_pairs_is_that_of_the_tables() -> None:
    """The difference of the rows, by the formula above, and the sheet of the pairs."""
    rules = ginsim.load_rules("partnership")
    rows = plain(ginsim.simulate_game_hands(rules, READERS, 150, seed=13))
    frame = plain(ginsim.simulate_games(rules, READERS, 150, seed=13))
    pairs = {"south": "A+B", "north": "C+D", None: None}
    posted: dict[int, list[books.Hand]] = {}
    kinds: Counter[str] = Counter()
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        tables: list[Table] = []
        for row in (first, second):
            difference = abs(row["south_deadwood"] - row["north_deadwood"])
            if row["winner"] is None:
                tables.append((None, 0, "knock"))
            else:
                tables.append((pairs[row["winner"]], difference, row["outcome"]))
        spade = first["knock_card"].endswith("s")
        kind, winner, points, boxes, prizes = net_by_signs(tables, "prizes", spade)
        for row in (first, second):
            assert row["net_kind"] == kind
            assert pairs[row["pair_winner"]] == winner
            assert row["pair_points"] == points
            assert row["pair_net"] == (-points if winner == "C+D" else points)
            assert (row["pair_boxes"], row["pair_prize_boxes"]) == (boxes, prizes)
        kinds[kind] += 1
        seat = None if winner is None else ("A+B", "C+D").index(winner)
        posted.setdefault(first["game"], []).append((seat, points, boxes))
    assert min(kinds[kind] for kind in ("both", "split", "level")) > 10
    for record in frame:
        hands = posted[record["game"]]
        book = books.keep_book(rules, hands, SEATS.index(record["first_dealer"]))
        assert book.over
        assert record["hands"] == book.hands == len(hands)
        assert (record["south_points"], record["north_points"]) == book.points
        assert (record["south_boxes"], record["north_boxes"]) == book.boxes
        assert (record["south_hands"], record["north_hands"]) == book.won
