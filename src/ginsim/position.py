"""A hand in play, one action at a time: to set up positions and to check moves by the rules.

>>> hand = Position.deal("kawu", seed=1)
>>> hand.phase, hand.seat
('upcard', 'north')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ginsim import _deck, _position
from ginsim.cards import (
    NUM_CARDS,
    Cards,
    CardSet,
    card_name,
    card_number,
    read_card,
    read_cards,
    read_melds,
    read_order,
)
from ginsim.checks import check_flag, check_whole, check_word
from ginsim.columns import SEATS
from ginsim.errors import CardError, GinsimError, OptionError, count, refuse
from ginsim.rules import AnyRules, load_rules, to_record
from ginsim.shipped import settle_table
from ginsim.strategies import AnyStrategy, is_python, parse_strategy
from ginsim.strategies import to_record as strategies_record
from ginsim.tasks import MAX_INDEX, make_task


class IllegalAction(GinsimError):
    """An action that the rules do not allow in the position; the position is unchanged."""


class Position:
    """One hand between deal and score. Every action is checked by the rules.

    Args:
        rules: a rule set in any form.
        deck: all 52 cards in the order of the deck: dealt one by one, the non-dealer first, then
            the upcard (or the eleventh card), then the stock from its top. A list, or text.
        dealer: `south` or `north`.
        second_card: the second deck's top card, for rules that have one.
        seed, deal: what the chances of strategies in `play` follow.

    Raises:
        GinsimError: for a deck that is none, a dealer that is none, a second card that is missing
            or that the rules do not have, a seed or deal that is no whole number from 0.
    """

    def __init__(
        self,
        rules: AnyRules,
        deck: str | Iterable[str | int],
        dealer: str = "south",
        *,
        second_card: str | None = None,
        seed: int = 0,
        deal: int = 0,
    ) -> None:
        self.rules = load_rules(rules)
        numbers = read_order("deck", deck)
        if sorted(numbers) != list(range(NUM_CARDS)):
            raise CardError(
                f"deck: {count(len(numbers), 'card')}, {len(set(numbers))} different; "
                "allowed: each of the 52 cards once"
            )
        check_word("dealer", dealer, SEATS)
        if (self.rules.knock_card == "second-deck") != (second_card is not None):
            allowed = (
                "a card, since the rules have a second deck"
                if second_card is None
                else "none, since the rules have no second deck"
            )
            raise OptionError(refuse("second_card", second_card, allowed))
        self._hand = _position.Hand(
            to_record(self.rules),
            numbers,
            SEATS.index(dealer),
            second_card=None if second_card is None else read_card("second_card", second_card),
            key=_deck.make_key(check_whole("seed", seed, 0, None)),
            deal=check_whole("deal", deal, 0, MAX_INDEX - 1),
        )

    @classmethod
    def deal(cls, rules: AnyRules, *, seed: int, hand: int = 0, mirror: bool = False) -> Position:
        """The hand of that index in a simulation with that seed, as dealt."""
        index = check_whole("hand", hand, 0, MAX_INDEX - 1)
        number = check_whole("seed", seed, 0, None)
        mirrored = check_flag("mirror", mirror)
        first, size = (index - index % 2, 2) if mirrored else (index, 1)
        task = make_task(rules, "random", size, seed=number, first=first, mirror=mirrored)
        position = object.__new__(cls)
        position.rules = task.rules
        position._hand = _position.Hand.start(task.setup, index)
        return position

    @classmethod
    def build(
        cls,
        rules: AnyRules,
        *,
        nondealer: Cards,
        dealer: Cards,
        upcard: str | None = None,
        stock: str | Iterable[str | int] = (),
        second_card: str | None = None,
        dealer_seat: str = "south",
    ) -> Position:
        """A hand with given cards; what is left open is filled up in card order.

        Args:
            nondealer: his ten cards (eleven in an `eleven` deal).
            dealer: his ten cards.
            upcard: the card turned up, in an `upcard` deal.
            stock: the cards on top of the stock, from the top: a list, or text.
            second_card: the second deck's top card, for rules that have one.
            dealer_seat: where the dealer sits.

        Raises:
            GinsimError: for hands of another size, cards in two places, a missing upcard, and
                what the rules do not have.
        """
        full = load_rules(rules)
        check_word("dealer_seat", dealer_seat, SEATS)
        hands = [
            CardSet(read_cards("nondealer", nondealer)),
            CardSet(read_cards("dealer", dealer)),
        ]
        top = read_order("stock", stock)
        eleven = full.deal == "eleven"
        for name, cards, size in (
            ("nondealer", hands[0], 11 if eleven else 10),
            ("dealer", hands[1], 10),
        ):
            if len(cards) != size:
                raise CardError(
                    f"{name}: {count(len(cards), 'card')}; allowed: {size} with these rules"
                )
        first, second = ([card_number(card) for card in cards] for cards in hands)
        middle = first[10:]
        if eleven and upcard is not None:
            raise OptionError(
                refuse("upcard", upcard, "none, since these rules deal eleven cards and no upcard")
            )
        if not eleven:
            if upcard is None:
                raise CardError("upcard: none given; allowed: a card, in an upcard deal")
            middle = [read_card("upcard", upcard)]
        deck = [card for pair in zip(first, second, strict=False) for card in pair]
        deck += middle + top
        if len(set(deck)) != len(deck):
            doubles = sorted({card_name(card) for card in deck if deck.count(card) > 1})
            raise CardError(f"duplicate card {', '.join(doubles)}; each card may be in one place")
        deck += [card for card in range(NUM_CARDS) if card not in set(deck)]
        return cls(full, deck, dealer_seat, second_card=second_card)

    def copy(self) -> Position:
        """The same position, to be played on apart."""
        twin = object.__new__(Position)
        twin.rules = self.rules
        twin._hand = self._hand.copy()
        return twin

    # ------------------------------------------------------------ what can be seen

    @property
    def phase(self) -> str:
        """`upcard`, `draw`, `discard`, `wall`, `spread`, `layoff` or `over`."""
        return str(self._hand.phase)

    @property
    def seat(self) -> str:
        """The seat to act."""
        return SEATS[self._hand.seat]

    @property
    def dealer(self) -> str:
        """The seat that dealt."""
        return SEATS[self._hand.dealer]

    def hand(self, seat: str) -> CardSet:
        """A seat's cards: those of `south` or `north`."""
        return CardSet(self._hand.hands[SEATS.index(check_word("seat", seat, SEATS))])

    @property
    def top(self) -> str | None:
        """The pile's top card; None if none can be taken: right after the top card was taken,
        whatever lies under it, and while the pile is empty."""
        return None if self._hand.top is None else card_name(self._hand.top)

    @property
    def pile(self) -> CardSet:
        """All cards of the discard pile."""
        return CardSet(self._hand.pile)

    @property
    def stock(self) -> int:
        """How many cards the stock has."""
        return int(self._hand.stock)

    @property
    def knock_limit(self) -> int:
        """The most deadwood one may knock with."""
        return int(self._hand.knock_limit)

    @property
    def result(self) -> dict[str, Any] | None:
        """The record of a finished hand, with seats by name; None while it is played."""
        result = self._hand.result
        if result is None:
            return None
        named = dict(result)
        for field in ("dealer", "winner", "knocker"):
            named[field] = None if named[field] < 0 else SEATS[named[field]]
        named["knock_card"] = None if named["knock_card"] < 0 else card_name(named["knock_card"])
        return named

    def legal(self) -> list[tuple[str, ...]]:
        """The legal actions, such as ("draw_stock",) and ("discard", "4h")."""
        return [
            (str(action[0]), *(card_name(card) for card in action[1:]))
            for action in self._hand.legal()
        ]

    # ------------------------------------------------------------ actions

    def _apply(self, *action: Any) -> Position:
        try:
            self._hand.apply(action)
        except _position.IllegalAction as failure:
            if (action[0], self.phase) in (("spread", "spread"), ("lay_off", "layoff")):
                raise IllegalAction(f"action: {failure}") from None
            allowed = ", ".join(" ".join(item) for item in self.legal()) or "nothing"
            raise IllegalAction(
                f"action: {_say(*action)} is not allowed in phase {self.phase}; allowed: {allowed}"
            ) from None
        return self

    def pass_upcard(self) -> Position:
        """Leave the upcard to the other seat."""
        return self._apply("pass")

    def draw_pile(self) -> Position:
        """Take the top of the pile: the upcard, or the last discard."""
        return self._apply("draw_pile")

    def draw_stock(self) -> Position:
        """Draw from the stock."""
        return self._apply("draw_stock")

    def discard(self, card: str) -> Position:
        """Throw a card and play on."""
        return self._apply("discard", card_number(card))

    def knock(self, card: str) -> Position:
        """Throw a card and knock; the spread comes next."""
        return self._apply("knock", card_number(card))

    def declare_big_gin(self) -> Position:
        """Meld all cards without a discard; the spread comes next."""
        return self._apply("big_gin")

    def decline(self) -> Position:
        """At the wall: leave the last discard, and the hand is dead."""
        return self._apply("decline")

    def spread(self, melds: str | Iterable[Cards]) -> Position:
        """The knocker's melds: a list, or text with slashes between them."""
        return self._apply("spread", tuple(read_melds("melds", melds)))

    def lay_off(self, melds: str | Iterable[Cards], laid_off: Cards = 0) -> Position:
        """The defender's melds and the cards he lays on the knocker's; ends the hand.

        Args:
            melds: a list, or text with slashes between them.
        """
        return self._apply(
            "lay_off", tuple(read_melds("melds", melds)), read_cards("laid_off", laid_off)
        )

    def value_actions(self, search: AnyStrategy = "rollout") -> dict[tuple[str, ...], float]:
        """The net points that each action brings the seat to act, on average over play-outs.

        The search sees what the seat sees; docs/engine.md, "Search", says which actions it tries
        and how the hidden cards are drawn. A single action is not tried and has no value.

        Args:
            search: a strategy with play-outs, such as rollout(n=1024); none written in Python,
                which makes no play-outs.

        Raises:
            GinsimError: for a strategy without play-outs, and where there is nothing to search:
                at the spread, the layoff and when the hand is over.
        """
        if is_python(search):
            raise OptionError(
                "search: is written in Python and makes no play-outs; allowed: a strategy with "
                "play-outs: rollout"
            )
        strategy = settle_table(parse_strategy(search), self.rules)
        if not strategy.rollouts:
            raise OptionError(refuse("search", strategy.name, "a strategy with play-outs: rollout"))
        try:
            found = self._hand.value_actions(strategies_record((strategy, strategy)))
        except _position.IllegalAction as failure:
            raise IllegalAction(f"search: {failure}") from None
        if len(found) == 1:
            return {}
        return {
            (action[0], *(card_name(card) for card in action[1:])): points / strategy.rollouts
            for action, points, _, _ in found
        }

    def play(self, south: AnyStrategy, north: AnyStrategy) -> Position:
        """Let strategies play the hand to its end."""
        players = (
            each if is_python(each) else settle_table(parse_strategy(each), self.rules)
            for each in (south, north)
        )
        pair = strategies_record(tuple(players))
        while self.phase != "over":
            self._hand.apply(self._hand.decide(pair))
        return self


def _say(name: str, *parts: Any) -> str:
    """An action in words; cards are numbers, but sets of cards in a spread and a layoff."""
    words = [name]
    if name in ("spread", "lay_off"):
        melds, *laid = parts
        words += [" / ".join(str(CardSet(mask)) for mask in melds)]
        words += [f"and {CardSet(mask)}" for mask in laid if mask]
    else:
        words += [card_name(card) for card in parts]
    return " ".join(word for word in words if word)
