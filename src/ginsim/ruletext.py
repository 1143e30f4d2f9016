"""Rule sets in words: sentences, and the table of fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ginsim.errors import count
from ginsim.fields import allowed_words, get_extra

if TYPE_CHECKING:
    from ginsim.rules import Rules


def explain(rules: Rules) -> list[str]:
    """The rules in plain English, one sentence (or two) for each subject."""
    return [*_deal(rules), *_knock(rules), *_score(rules), *_end(rules), *_game(rules)]


def format_value(value: object) -> str:
    """A field's value as a rules file and `--set` take it, without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_toml(rules: Rules) -> str:
    """The rules as a TOML file to copy and edit: every field with its meaning."""
    lines = [f"# Rule set {rules.name}: every field, with its meaning and what is allowed."]
    for field, value in rules.values().items():
        info = type(rules).model_fields[field]
        unit = get_extra(info, "unit")
        text = f'"{value}"' if isinstance(value, str) else format_value(value)
        lines += [
            "",
            f"# {info.description}",
            f"# Allowed: {allowed_words(info)}{f' {unit}' if unit else ''}",
            f"{field} = {text}",
        ]
    return "\n".join(lines) + "\n"


def write_field_table(model: type[Rules]) -> str:
    """The fields as a Markdown table: name, meaning, unit, allowed values, default."""
    lines = ["| field | meaning | allowed | unit | default |", "|---|---|---|---|---|"]
    for field in model.field_names():
        info = model.model_fields[field]
        lines.append(
            f"| `{field}` | {info.description} | {allowed_words(info)} "
            f"| {get_extra(info, 'unit') or '-'} | {format_value(info.default)} |"
        )
    return "\n".join(lines)


def _deal(rules: Rules) -> Iterator[str]:
    if rules.players == 4:
        yield (
            "Four play in two pairs: each pair's two players sit at two tables, a deck and an "
            "opponent each, with one knock card for both."
        )
    if rules.deal == "upcard":
        yield (
            "Two players get ten cards each and the next card is turned up; the non-dealer may "
            "take this upcard, then the dealer may, and after two passes the non-dealer draws "
            "from the stock."
        )
    else:
        yield (
            "The dealer gets ten cards and the non-dealer eleven, without an upcard; the "
            "non-dealer opens with a discard, a knock or gin, and the dealer may take that "
            "discard."
        )
    may = "may be" if rules.return_taken_card else "may not be"
    yield f"The card just taken from the discard pile {may} thrown in the same turn."


def _knock(rules: Rules) -> Iterator[str]:
    card = {"upcard": "the first upcard", "second-deck": "the top card of a second deck"}.get(
        rules.knock_card, ""
    )
    if rules.knock_limit == "card":
        ace = "one point" if rules.ace_limit == "one" else "gin only"
        yield (
            f"The knock limit of each hand is the value of {card}: face value, 10 for face "
            f"cards, and an ace allows {ace}."
        )
    elif rules.knock_limit == 0:
        yield "There is no knocking: a hand is won with gin only."
    else:
        yield f"A player may knock with {count(rules.knock_limit, 'point')} of deadwood or less."
    if rules.spade_doubles != "none":
        what = {
            "points": "the points of the hand",
            "prizes": "the points and the prize boxes of the hand",
            "all": "the points and all boxes of the hand",
        }[rules.spade_doubles]
        which = "that card" if rules.knock_limit == "card" else card
        yield f"If {which} is a spade, {what} count double."
    if rules.knock_limit != 0:
        yield (
            "The knocker may spread any arrangement within the limit."
            if rules.spread == "any"
            else "The knocker must spread an arrangement of least deadwood."
        )
        yield (
            "The defender may lay cards off on the knocker's melds, but not against gin."
            if rules.layoffs
            else "The defender lays nothing off."
        )


def _score(rules: Rules) -> Iterator[str]:
    if rules.knock_limit != 0:
        yield "A knocker with less deadwood than the defender scores the difference."
        clean = (
            ""
            if rules.clean_undercut_bonus == rules.undercut_bonus
            else f", or {rules.clean_undercut_bonus} with no deadwood at all"
        )
        yield (
            "A defender with less deadwood than the knocker undercuts and scores the difference "
            f"and {rules.undercut_bonus}{clean}."
        )
        yield {
            "undercut": "Equal deadwood is an undercut too.",
            "knocker": "With equal deadwood the knocker wins the hand, for 0 points.",
            "nobody": "With equal deadwood nobody wins the hand.",
        }[rules.tie]
    yield f"Gin scores the defender's deadwood and {rules.gin_bonus}."
    yield (
        "Big gin is not played: eleven melded cards are gin, with one of them discarded."
        if rules.big_gin_bonus == "off"
        else "Big gin, all eleven cards melded and none discarded, scores the defender's "
        f"deadwood and {rules.big_gin_bonus}."
    )
    boxes = {
        "for gin": rules.box_gin,
        "for big gin": rules.box_big_gin,
        "for an undercut": rules.box_undercut,
        "for a clean undercut": rules.box_clean_undercut,
    }
    if rules.box_base or any(boxes.values()):
        prizes = ", ".join(f"{number} {what}" for what, number in boxes.items() if number)
        yield (
            f"The winner of a hand gets {count(rules.box_base, 'box')}"
            f"{f', with prizes of {prizes}' if prizes else ''}."
        )


def _end(rules: Rules) -> Iterator[str]:
    left = f"{count(rules.dead_at, 'card')} {'is' if rules.dead_at == 1 else 'are'} left"
    if rules.wall == "dead":
        yield (
            f"The hand is dead, without a score, when {left} in the stock and the player who drew "
            "last throws without knocking."
        )
    else:
        yield (
            f"When {left} in the stock and the player who drew last throws without knocking, the "
            "opponent may take that card only to knock or for gin; otherwise the hand is dead, "
            "without a score."
        )
    if rules.give_back_limit == 1:
        yield "A turn that takes a card from the pile and throws it back ends the hand as dead."
    elif rules.give_back_limit:
        yield (
            f"{count(rules.give_back_limit, 'turn')} in a row that take a card from the pile and "
            "throw it back end the hand as dead."
        )
    yield (
        f"After {count(rules.max_pile_draws, 'draw')} from the pile by both together the hand is "
        "dead unless it ends with the turn, so that every hand ends."
    )


def _game(rules: Rules) -> Iterator[str]:
    if rules.players == 4:
        yield (
            "The pair with the greater total of both tables wins the hand and scores the "
            "difference of the totals, with one base box and the difference of the prize boxes; "
            "opponents change after each hand that is won."
        )
    dealer = {
        "loser": "The loser of a hand deals the next",
        "winner": "The winner of a hand deals the next",
        "alternate": "The deal alternates",
    }[rules.next_dealer]
    yield f"{dealer}; after a dead hand or a tie the same dealer deals again."
    if rules.scoring == "hollywood":
        shift = (
            ", one column further for each column closed without an entry of his"
            if rules.shutout_shift
            else ""
        )
        close = "closes" if rules.target == 1 else "close"
        yield (
            "Scores are kept in three Hollywood columns: a player's first win counts in the "
            "first, his second in the first two and later ones in all "
            f"three{shift}; {count(rules.target, 'point')} {close} a column."
        )
        yield (
            "The game ends with the third column; who has more boxes wins, with equal boxes who "
            "has more points."
        )
    elif rules.target == 0:
        yield "A game is one hand."
    else:
        yield f"The first player with {count(rules.target, 'point')} wins the game."
    if rules.box_column:
        yield f"Closing a column brings {count(rules.box_column, 'box')}."
    what = "column" if rules.scoring == "hollywood" else "game"
    if rules.game_bonus:
        yield f"Winning the {what} brings {count(rules.game_bonus, 'point')} at the end."
    if rules.hand_bonus:
        yield f"Each hand won brings {count(rules.hand_bonus, 'point')} at the end."
    if rules.shutout == "double-boxes":
        yield "If the loser has no box in a column, the winner's boxes of that column double."
    else:
        total = {
            "add": rules.game_bonus + rules.shutout_bonus,
            "replace": rules.shutout_bonus,
            "double": 2 * rules.game_bonus,
        }[rules.shutout]
        if total != rules.game_bonus:
            yield f"If the loser has won no hand, the {what} brings {total} instead."
