"""Questions about the cards of one hand: deadwood, discards, layoffs, outs, safety, deals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from ginsim.cli.options import Names, Size, json_option, seed_option, threads_option
from ginsim.cli.text import format_table, print_json
from ginsim.errors import OptionError

#: The knock limits there are.
KNOCK_LIMITS = range(11)

if TYPE_CHECKING:
    from ginsim.cards import CardSet
    from ginsim.dealing import Deals, Distribution
    from ginsim.draws import Outs
    from ginsim.intervals import Estimate

cards_argument = click.argument("cards", nargs=-1, required=True)

seen_option = click.option(
    "--seen",
    default="",
    metavar="CARDS",
    help="Cards seen elsewhere, such as the discard pile.",
)


def _read(cards: Iterable[str]) -> CardSet:
    """The cards of one quoted argument or of several."""
    from ginsim.cards import CardSet

    return CardSet(" ".join(cards))


def _show(melds: Iterable[CardSet], rest: CardSet | str = "") -> str:
    """Melds in brackets, then what is in none."""
    return " ".join([*(f"[{meld}]" for meld in melds), str(rest)]).strip() or "-"


# ---------------------------------------------------------------- deadwood


@click.command()
@cards_argument
@json_option
def deadwood(cards: tuple[str, ...], as_json: bool) -> None:
    """Show a hand's least deadwood and melds that leave it.

    CARDS, up to eleven, is one quoted argument or several. If more than one arrangement leaves as
    little, it is the one of fewest sets, then of fewest melds.
    """
    from ginsim.solvers import arrange, arrangements

    hand = _read(cards)
    best = arrange(hand)
    if as_json:
        print_json(
            {
                "cards": list(hand),
                "deadwood": best.deadwood,
                "melds": [list(meld) for meld in best.melds],
                "unmelded": list(best.unmelded),
            }
        )
        return
    click.echo(f"deadwood {best.deadwood}")
    click.echo(f"  {_show(best.melds, best.unmelded)}")
    others = len(arrangements(hand)) - 1
    if others:
        click.echo(f"  {others} other arrangement{'s' * (others > 1)} as good")


# ---------------------------------------------------------------- discard


@click.command()
@cards_argument
@click.option(
    "--forbid",
    default="",
    metavar="CARDS",
    help="Cards that may not be thrown, such as the one just taken from the pile.",
)
@json_option
def discard(cards: tuple[str, ...], forbid: str, as_json: bool) -> None:
    """Show which card of a hand to throw, and what each leaves.

    CARDS, up to eleven, is one quoted argument or several.
    """
    from ginsim.solvers import best_discard, discard_deadwoods

    hand, barred = _read(cards), _read([forbid])
    best = best_discard(hand, forbid=barred)
    each = {card: left for card, left in discard_deadwoods(hand).items() if card not in barred}
    if as_json:
        print_json({"deadwood": best.deadwood, "discards": list(best.discards), "each": each})
        return
    click.echo(f"deadwood {best.deadwood} by throwing {_or(best.discards)}")
    if best.all_melded:
        click.echo(f"all {len(hand)} cards can be melded as they are")
    rows = [["throw", "leaves"]]
    # A stable sort: cards of the same deadwood stay in card order.
    rows += [[card, str(left)] for card, left in sorted(each.items(), key=lambda pair: pair[1])]
    click.echo(format_table(rows))


def _or(cards: Iterable[str]) -> str:
    from ginsim.errors import join_words

    return join_words(cards)


# ---------------------------------------------------------------- layoff


def _known_methods() -> tuple[str, ...]:
    from ginsim.solvers import LAYOFF_METHODS

    return LAYOFF_METHODS


@click.command()
@click.option(
    "--knocker",
    metavar="CARDS",
    help="The knocker's cards after his discard; he spreads the arrangement that `ginsim "
    "deadwood` shows.",
)
@click.option(
    "--melds", metavar="MELDS", help='The melds he spread, such as "7s 7h 7d / 3c 4c 5c".'
)
@click.option(
    "--unmelded",
    metavar="CARDS",
    help='With --melds: his other cards; "" is gin, against which nothing is laid off.',
)
@click.option("--defender", required=True, metavar="CARDS", help="The defender's cards.")
@click.option(
    "--method",
    type=Names("method", _known_methods),
    default="optimal",
    show_default=True,
    metavar="METHOD",
    help="How the defender plays: optimal chooses melds and layoffs together; greedy and "
    "in_order keep his best melds and lay off what fits, the dearest or the first card first; "
    "none lays nothing off.",
)
@json_option
def layoff(
    knocker: str | None,
    melds: str | None,
    unmelded: str | None,
    defender: str,
    method: str,
    as_json: bool,
) -> None:
    """Show what a defender is left with after a knock.

    The knocker is given by his cards (--knocker), or by what he spread (--melds, --unmelded).
    """
    from ginsim.solvers import arrange
    from ginsim.solvers import layoff as lay_off

    spread: Iterable[CardSet]
    if (knocker is None) == (melds is None):
        raise OptionError("layoff: allowed: either --knocker, or --melds with --unmelded")
    if (melds is None) != (unmelded is None):
        raise OptionError(
            "layoff: --melds and --unmelded go together; allowed: both, with "
            '--unmelded "" for gin, or --knocker alone'
        )
    if knocker is not None:
        arrangement = arrange(_read([knocker]))
        spread, rest = arrangement.melds, arrangement.unmelded
    else:
        spread, rest = _read_melds(melds or ""), _read([unmelded or ""])
    answer = lay_off(spread, _read([defender]), unmelded=rest, method=method)
    if as_json:
        print_json(
            {
                "knocker_deadwood": answer.knocker_deadwood,
                "defender_deadwood": answer.defender_deadwood,
                "knocker_melds": [list(meld) for meld in spread],
                "defender_melds": [list(meld) for meld in answer.melds],
                "laid_off": list(answer.laid_off),
            }
        )
        return
    gin = "" if answer.knocker_deadwood else "  gin: nothing is laid off"
    rows = [
        ["knocker", str(answer.knocker_deadwood), _show(spread, rest) + gin],
        ["defender", str(answer.defender_deadwood), _show(answer.melds, answer.unmelded)],
        ["laid off", "", str(answer.laid_off) or "-"],
    ]
    # Columns of unlike text: the last to the left as well.
    click.echo(format_table([["", "deadwood", "melds and loose cards"], *rows], left=3))


def _read_melds(text: str) -> list[CardSet]:
    """Melds separated by slashes; none at all is a spread too."""
    from ginsim.cards import CardSet, read_melds

    return [CardSet(mask) for mask in read_melds("--melds", text)]


# ---------------------------------------------------------------- outs


@click.command()
@cards_argument
@seen_option
@json_option
def outs(cards: tuple[str, ...], seen: str, as_json: bool) -> None:
    """Show which draws help a hand, and which can still come.

    A card helps if it lowers the least deadwood after the best discard, or extends a meld of an
    arrangement of least deadwood. CARDS, up to ten, is one quoted argument or several.
    """
    from ginsim.draws import outs as find_outs

    hand = _read(cards)
    found = find_outs(hand, seen=_read([seen]))
    if as_json:
        print_json(
            {
                "cards": list(hand),
                "deadwood": found.deadwood,
                "improve": found.improve,
                "extend": list(found.extend),
                "outs": list(found.outs),
                "unseen": list(found.unseen),
                "num_unseen": found.num_unseen,
            }
        )
        return
    click.echo(
        f"deadwood {found.deadwood}, outs {len(found.outs)}, of them unseen {found.num_unseen}"
    )
    rows = list(_out_rows(found))
    if rows:
        click.echo(format_table([["draw", "leaves", "extends", "seen"], *rows], left=1))


def _out_rows(found: Outs) -> Iterator[list[str]]:
    """The draws that leave least first."""
    leaves = {card: found.improve.get(card, found.deadwood) for card in found.outs}
    for card, left in sorted(leaves.items(), key=lambda pair: pair[1]):
        yield [
            card,
            str(left),
            "meld" if card in found.extend else "",
            "" if card in found.unseen else "seen",
        ]


# ---------------------------------------------------------------- safety


@click.command()
@click.argument("card")
@seen_option
@json_option
def safety(card: str, seen: str, as_json: bool) -> None:
    """Show which pairs of an opponent a discard would complete.

    With these two cards and CARD he would have a meld of three. Pairs that hold a card seen (the
    own hand, the pile) are left out.
    """
    from ginsim.draws import safety as find_safety

    found = find_safety(card, seen=_read([seen]))
    if as_json:
        print_json(
            {
                "card": found.card,
                "holdings": [list(pair) for pair in found.holdings],
                "num_holdings": found.num_holdings,
            }
        )
        return
    count = found.num_holdings
    click.echo(
        f"{found.card} would complete {count} holding{'s' * (count != 1)}"
        f"{': ' * bool(count)}{', '.join(map(str, found.holdings))}"
    )


# ---------------------------------------------------------------- deals


@click.command()
@click.option(
    "--cards",
    "num_cards",
    type=Size(low=1, high=11),
    default=10,
    show_default=True,
    help="How many cards a hand has.",
)
@click.option("--exact", is_flag=True, help="Count all hands instead of drawing some.")
@click.option(
    "--hands", "num_hands", type=Size(low=1), help="How many to draw.  [default: 1_000_000]"
)
@seed_option
@click.option(
    "--draw/--no-draw",
    default=True,
    help="Whether to look at a draw from the stock too.  [default: draw]",
)
@threads_option
@json_option
def deals(
    num_cards: int,
    exact: bool,
    num_hands: int | None,
    seed: int | None,
    draw: bool,
    threads: int | None,
    as_json: bool,
) -> None:
    """Show how hands are dealt: deadwood, gin, knocks.

    Hands of --cards cards by least deadwood, as dealt, and after one draw by the best discard.
    With --exact all hands are counted: ten cards take some ten seconds, with the draw a minute.
    """
    from ginsim.cli.progress import show_progress
    from ginsim.dealing import deals as count_deals

    with show_progress("hands") as progress:
        found = count_deals(
            num_cards,
            exact=exact,
            hands=num_hands,
            seed=seed,
            draw=draw,
            threads=threads,
            progress=progress,
        )
    if as_json:
        print_json(_deals_document(found))
    else:
        _print_deals(found)


def _deals_document(found: Deals) -> dict[str, Any]:
    """The JSON document; docs/json.md explains it."""
    return {
        "cards": found.cards,
        "exact": found.exact,
        **_distribution(found.dealt),
        "no_meld": _share(found.without_meld, found.no_meld),
        "after_draw": None if found.drawn is None else _distribution(found.drawn),
        "provenance": found.provenance,
    }


def _distribution(hands: Distribution) -> dict[str, Any]:
    mean = hands.mean
    return {
        "hands": hands.hands,
        "counts": {str(left): count for left, count in enumerate(hands.counts) if count},
        "gin": _share(hands.gin, hands.count_at_most(0)),
        "knock": {
            str(limit): _share(hands.knock(limit), hands.count_at_most(limit))
            for limit in KNOCK_LIMITS
        },
        "mean": {key: _finite(getattr(mean, key)) for key in ("value", "se", "low", "high")},
        "sd": _finite(hands.sd),
    }


def _share(figure: Estimate, count: int) -> dict[str, float | int]:
    return {"count": count, "share": figure.value, "low": figure.low, "high": figure.high}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _print_deals(found: Deals) -> None:
    hands = f"{found.hands:,} hand{'s' * (found.hands != 1)}"
    cards = f"{found.cards} card{'s' * (found.cards != 1)}"
    seed = "" if found.exact else f", drawn with seed {found.provenance['seed']}"
    click.echo(f"{'all ' * found.exact}{hands} of {cards}{seed}")
    columns = [found.dealt]
    if found.drawn is not None:
        columns.append(found.drawn)
        more = f"all {found.drawn.hands:,} hands" if found.exact else "the same hands"
        click.echo(f"after a draw: {more} with one card more, by the best discard")

    head = ["as dealt", "", "after a draw", ""][: 2 * len(columns)]
    click.echo("\nDeadwood:")
    rows = [["", *head]]
    rows.append(["mean", *(cell for hands in columns for cell in _mean_cells(hands))])
    rows.append(["s.d.", *(cell for hands in columns for cell in (f"{hands.sd:.3f}", ""))])
    click.echo(format_table(rows))

    intervals = "" if found.exact else ", with 95 % intervals"
    click.echo(f"\nChances in %{intervals}:")
    rows = [["", *head]]
    spare = [""] * (2 * len(columns) - 2)
    rows.append(["no meld", *_share_cells(found.without_meld, found.exact), *spare])
    for limit in KNOCK_LIMITS:
        label = "gin" if limit == 0 else f"knock, limit {limit}"
        cells = [_share_cells(hands.knock(limit), found.exact) for hands in columns]
        rows.append([label, *(cell for pair in cells for cell in pair)])
    click.echo(format_table(rows))

    click.echo("\nHands in % by deadwood:")
    rows = [["", *head]]
    highest = max(left for hands in columns for left, count in enumerate(hands.counts) if count)
    for low in range(-9, highest + 1, 10):  # 0 alone, then 1 to 10, 11 to 20, ...
        span = [
            hands.share(hands.count_at_most(low + 9) - hands.count_at_most(low - 1))
            for hands in columns
        ]
        cells = [_share_cells(share, found.exact) for share in span]
        label = f"{low} to {low + 9}" if low > 0 else "0"
        rows.append([label, *(cell for pair in cells for cell in pair)])
    click.echo(format_table(rows))


def _mean_cells(hands: Distribution) -> tuple[str, str]:
    mean = hands.mean
    if hands.exact or not math.isfinite(mean.se):
        return f"{mean.value:.3f}", ""
    return f"{mean.value:.3f}", f"({mean.low:.3f} to {mean.high:.3f})"


def _share_cells(share: Estimate, exact: bool) -> tuple[str, str]:
    """In %; small chances matter as much as large ones, so by significant digits."""
    if exact:
        return f"{100 * share.value:.6g}", ""
    return f"{100 * share.value:.4g}", f"({100 * share.low:.4g} to {100 * share.high:.4g})"
