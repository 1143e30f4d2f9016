"""What a player has seen of a hand, told in words and checked.

Cards, pile, turns and cards taken belong together: each turn brings a card to the pile, and each
pick-up takes one from it. What contradicts itself is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, SupportsIndex

from ginsim import _advising, _position
from ginsim._hand import knock_limit as core_limit
from ginsim.cards import Cards, CardSet, card_name, read_card, read_cards, read_order
from ginsim.checks import check_flag, check_whole, check_word
from ginsim.columns import SIDES
from ginsim.errors import CardError, OptionError, count, join_words, refuse
from ginsim.rules import Rules, to_record


@dataclass(frozen=True)
class Seen:
    """What a player has seen of a hand, checked.

    Attributes:
        hand: his cards, a mask.
        pile: the discard pile from the bottom.
        took: cards that the opponent took from the pile and still holds, a mask.
        showed: likewise his own.
        turn: his own turn that is played or would begin.
        other_turns: how many turns the opponent has had.
        dealer: 0 the player, 1 the opponent.
        pick_ups: cards that the opponent has taken in all; `own_pick_ups` likewise his own.
        drawn: the card just taken from the pile, -1 if it is from the stock.
        is_offer: the upcard is on offer.
        is_passed: the opponent has passed the upcard, and has had no turn.
    """

    rules: Rules
    hand: int
    pile: tuple[int, ...]
    took: int
    showed: int
    turn: int
    other_turns: int
    dealer: int
    pick_ups: int
    own_pick_ups: int
    limit: int
    knock_card: int
    drawn: int
    is_offer: bool
    is_passed: bool
    is_wall: bool

    def position(self) -> Any:
        """The compiled core's position of it.

        Raises:
            CardError: at the wall, if the last discard does not help.
        """
        try:
            return self._set_up()
        except _position.IllegalAction as failure:
            raise CardError(f"hand: {failure}; allowed: one that it lets knock") from None

    def _set_up(self) -> Any:
        return _advising.set_up(
            to_record(self.rules),
            self.hand,
            list(self.pile),
            self.took,
            self.showed,
            self.turn,
            self.other_turns,
            self.dealer,
            self.pick_ups,
            self.own_pick_ups,
            self.limit,
            self.knock_card,
            self.drawn,
            self.drawn >= 0,
            self.is_offer,
            self.is_passed,
            self.is_wall,
        )


def read_seen(
    rules: Rules,
    hand: Cards,
    pile: Cards | str,
    took: Cards,
    turn: SupportsIndex,
    just_took: str | None = None,
    showed: Cards = 0,
    pick_ups: SupportsIndex | None = None,
    own_pick_ups: SupportsIndex | None = None,
    dealer: str = "opponent",
    upcard: bool = False,
    passed: bool = False,
    knock_card: str | None = None,
) -> Seen:
    """Check what a player has seen; the arguments are as for `advise`.

    Raises:
        GinsimError: with the argument, its value and what is allowed.
    """
    cards, taken, shown = (
        read_cards(name, value)
        for name, value in (("hand", hand), ("took", took), ("showed", showed))
    )
    order = read_order("pile", pile if isinstance(pile, str | list | tuple) else CardSet(pile))
    drawn = _check_cards(cards, order, taken, shown, just_took)
    if drawn >= 0:
        shown |= 1 << drawn
    size = cards.bit_count()
    side = SIDES.index(check_word("dealer", dealer, SIDES))
    is_offer = check_flag("upcard", upcard)
    is_passed = check_flag("passed", passed)
    number = check_whole("turn", turn, 1, 60)
    _check_offer(rules, size, order, side, number, is_offer, is_passed)
    draws = _read_draws("pick_ups", pick_ups, taken, rules)
    own_draws = _read_draws("own_pick_ups", own_pick_ups, shown, rules)
    stock = 52 - size - 10 - len(order)
    is_wall = rules.wall == "fiftieth" and size == 10 and stock == rules.dead_at
    other_turns = _count_turns(
        rules, len(order), number, drawn >= 0, side, is_offer, draws, own_draws
    )
    if stock <= rules.dead_at - (size == 11) and not is_wall:
        raise CardError(
            f"pile: {count(len(order), 'card')} leave {stock} in the stock; allowed: a hand that "
            f"is not over, with more than {rules.dead_at}"
        )
    the_card = _read_knock_card(rules, knock_card)
    if rules.knock_card == "upcard":
        _check_upcard(the_card, order, taken | shown, draws + own_draws)
    return Seen(
        rules=rules,
        hand=cards,
        pile=tuple(order),
        took=taken,
        showed=shown,
        turn=number,
        other_turns=other_turns,
        dealer=side,
        pick_ups=draws,
        own_pick_ups=own_draws,
        limit=core_limit(to_record(rules), the_card),
        knock_card=the_card,
        drawn=drawn,
        is_offer=is_offer,
        # Who deals was asked after the opponent; who does not, and has drawn from the stock, too.
        is_passed=rules.deal == "upcard"
        and other_turns == 0
        and (side == 0 or not (is_offer or shown)),
        is_wall=is_wall,
    )


def _check_cards(
    cards: int, order: list[int], taken: int, shown: int, just_took: str | None
) -> int:
    """See that each card is in one place; the card just taken from the pile, or -1."""
    size = cards.bit_count()
    if size not in (10, 11):
        raise CardError(f"hand: {count(size, 'card')}; allowed: 10 before the draw, 11 after it")
    if taken.bit_count() > 10:
        raise CardError(f"took: {count(taken.bit_count(), 'card')}; allowed: up to 10")
    mask = sum(1 << card for card in set(order))
    twice = sorted({card for card in order if order.count(card) > 1})
    if twice:
        names = " ".join(card_name(card) for card in twice)
        raise CardError(f"pile: {names} is there more than once; allowed: each card once")
    for name, first, second in (
        ("hand and pile", cards, mask),
        ("hand and took", cards, taken),
        ("pile and took", mask, taken),
    ):
        if first & second:
            raise CardError(f"{name}: {CardSet(first & second)} is in both; allowed: in one place")
    if shown & ~cards:
        raise CardError(f"showed: {CardSet(shown & ~cards)} is not in the hand; allowed: its cards")
    if size == 11 and shown == cards:
        raise CardError("showed: all 11 cards; allowed: up to 10, taken before")
    if just_took is None:
        return -1
    drawn = read_card("just_took", just_took)
    if size != 11 or not cards >> drawn & 1:
        raise CardError(
            f"just_took: {card_name(drawn)} is not one of eleven cards of the hand; allowed: "
            "the card of the hand that was taken"
        )
    return drawn


def _check_offer(
    rules: Rules,
    size: int,
    order: list[int],
    side: int,
    turn: int,
    is_offer: bool,
    is_passed: bool,
) -> None:
    """See that the upcard can be on offer, or passed."""
    if is_offer and (size != 10 or len(order) != 1 or rules.deal != "upcard"):
        raise OptionError(
            "upcard: it is on offer to ten cards with a pile of one card, in an upcard deal; "
            f"allowed: no, with {count(size, 'card')} and a pile of {len(order)}"
        )
    if is_passed and not is_offer:
        raise OptionError(refuse("passed", True, "with upcard, while that is on offer"))
    if is_passed and SIDES[side] == "opponent":
        raise OptionError(refuse("passed", True, "no, if the opponent deals: he is asked second"))
    if size == 10 and not order:
        raise CardError("pile: no card; allowed: at least the top card, before the draw")
    if is_offer:
        check_whole("turn", turn, 1, 1, ", since the upcard is on offer")


def _read_draws(name: str, value: SupportsIndex | None, held: int, rules: Rules) -> int:
    """How many cards a seat has taken from the pile, of which it still holds some."""
    least = held.bit_count()
    if value is None:
        return least
    return check_whole(name, value, least, rules.max_pile_draws, ", those still held at least")


def _count_turns(
    rules: Rules,
    size: int,
    turn: int,
    is_taken: bool,
    side: int,
    is_offer: bool,
    draws: int,
    own_draws: int,
) -> int:
    """How many turns the opponent has had: as many as give a pile of this size.

    Args:
        size: cards in the pile.
        is_taken: the last card of eleven is from the pile.
        draws, own_draws: cards that the opponent, and the player, took from the pile.
    """
    is_eleven = rules.deal == "eleven"
    own_turns = turn - 1
    # He who does not deal begins; unless he passes the upcard, and the dealer takes it.
    usual, other = (turn, turn - 1) if SIDES[side] == "policy" else (turn - 1, turn)
    numbers = [0] if is_offer else [usual]
    if not is_eleven and not is_offer and (own_draws if SIDES[side] == "policy" else draws):
        numbers.append(other)
    # At the opening of an `eleven` deal nothing is drawn.
    most = max(numbers) - (is_eleven and SIDES[side] == "policy")
    own_most = own_turns + is_taken - (is_eleven and SIDES[side] == "opponent")
    for name, value, bound, who in (
        ("took, pick_ups", draws, most, "the opponent"),
        ("showed, own_pick_ups", own_draws, own_most, "the player"),
    ):
        if value > max(bound, 0):
            raise OptionError(
                f"{name}: {count(value, 'card')} taken by turn {turn}; allowed: up to "
                f"{max(bound, 0)}, one for each draw that {who} has had"
            )
    if draws + own_draws > rules.max_pile_draws - (not is_taken):
        raise OptionError(
            f"pick_ups, own_pick_ups: {draws + own_draws} in all; allowed: a hand that is not "
            f"over, with fewer than {rules.max_pile_draws}"
        )
    sizes = {
        number + own_turns + (not is_eleven) - draws - own_draws: number
        for number in numbers
        if number >= draws
    }
    if size not in sizes:
        allowed = join_words([str(each) for each in sorted(sizes) if each >= 0])
        raise CardError(
            f"pile: {count(size, 'card')} in turn {turn}, after {count(draws, 'pick-up')} of the "
            f"opponent and {own_draws} of one's own; allowed: {allowed or 'none'}, since each turn "
            "brings a card and each pick-up takes one; pick_ups and own_pick_ups also count cards "
            "thrown again"
        )
    return sizes[size]


def _read_knock_card(rules: Rules, knock_card: str | None) -> int:
    if rules.knock_card == "none":
        if knock_card is not None:
            raise OptionError(refuse("knock_card", knock_card, f"none by {rules.name}"))
        return -1
    if knock_card is None:
        raise OptionError(
            f"knock_card: none given; allowed: a card, which sets the limit by {rules.name}"
        )
    return read_card("knock_card", knock_card)


def _check_upcard(card: int, order: list[int], taken: int, draws: int) -> None:
    """See that the upcard can be where it is: at the bottom of the pile until it is taken."""
    name = card_name(card)
    if draws == 0 and order[0] != card:
        raise CardError(
            f"knock_card: {name} is not at the bottom of the pile; allowed: "
            f"{card_name(order[0])}, the upcard, since no card was taken"
        )
    if card in order[1:] and draws <= taken.bit_count():
        raise CardError(
            f"knock_card: {name} is in the pile above the bottom, so was taken and thrown again; "
            f"allowed: a card at the bottom, or more than {count(draws, 'pick-up')} in all by "
            "pick_ups and own_pick_ups, since those counted are still held"
        )
    if card not in order and not taken >> card & 1:
        raise CardError(
            f"knock_card: {name} is neither in the pile nor taken; allowed: the upcard, a card of "
            "pile, took, showed or just_took"
        )


def tell_seen(seen: Seen) -> dict[str, Any]:
    """What was seen, for provenance."""
    return {
        "hand": str(CardSet(seen.hand)),
        "pile": " ".join(card_name(card) for card in seen.pile),
        "took": str(CardSet(seen.took)),
        "showed": str(CardSet(seen.showed)),
        "just_took": None if seen.drawn < 0 else card_name(seen.drawn),
        "turn": seen.turn,
        "opponent_turns": seen.other_turns,
        "pick_ups": seen.pick_ups,
        "own_pick_ups": seen.own_pick_ups,
        "dealer": SIDES[seen.dealer],
        "upcard": seen.is_offer,
        "passed": seen.is_passed,
        "limit": seen.limit,
        "knock_card": None if seen.knock_card < 0 else card_name(seen.knock_card),
    }
