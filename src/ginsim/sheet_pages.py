"""How a sheet is shown: the grid as it is written, text for a terminal, a page of HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ginsim.errors import count, join_words
from ginsim.pages import write_page
from ginsim.rules import Rules, load_rules

if TYPE_CHECKING:
    from ginsim.sheet_hands import TableResult
    from ginsim.sheets import Sheet, SheetColumn, SheetHand

EMPTY = "."


def uses_boxes(rules: Rules) -> bool:
    """Whether anything brings boxes by these rules."""
    return any(value for field, value in rules.values().items() if field.startswith("box_"))


def uses_bonuses(rules: Rules) -> bool:
    """Whether scores may differ from points by these rules."""
    return bool(rules.game_bonus or rules.hand_bonus or rules.shutout_bonus)


# ---------------------------------------------------------------- the grid


def list_cells(sheet: Sheet, column: SheetColumn, player: str) -> Iterator[tuple[str, str]]:
    """What a player has in a column, from top to bottom: (what it is, how it is written)."""
    rules = sheet.rules
    for entry in column.entries[player]:
        yield "total", str(entry.total)
        if entry.prize_boxes:
            yield "prize", f"({entry.prize_boxes})"
    if column.closed_by is None:
        return
    with_boxes = uses_boxes(rules)
    if uses_bonuses(rules) or not with_boxes:
        if bonus := column.score[player] - column.points[player]:
            yield "bonus", f"+{bonus}"
        yield "score", f"={column.score[player]}"
    if not with_boxes:
        return
    if column.closed_by == player:
        if rules.box_column:
            yield "closing", f"+({rules.box_column})"
        if column.shutout and rules.shutout == "double-boxes":
            yield "shutout", "×2"
    yield "boxes", str(column.boxes[player])


def _list_columns(sheet: Sheet) -> list[list[tuple[str, str]]]:
    """The six columns of cells, made equally long."""
    columns = [
        list(list_cells(sheet, column, player))
        for player in sheet.players
        for column in sheet.columns
    ]
    # An empty sheet has one empty row.
    length = max(1, *map(len, columns))
    return [cells + [("empty", EMPTY)] * (length - len(cells)) for cells in columns]


def make_grid(sheet: Sheet) -> list[list[str]]:
    """The rows of cells of `Sheet.grid`."""
    columns = [[word for _, word in cells] for cells in _list_columns(sheet)]
    header = [player for player in sheet.players for _ in sheet.columns]
    return [header, *(list(row) for row in zip(*columns, strict=True))]


# ---------------------------------------------------------------- in words


def tell_head(sheet: Sheet) -> list[str]:
    """Which rules and which game."""
    lines = [f"{sheet.rules.name}: three columns to {sheet.rules.target}"]
    origin = sheet.provenance or {}
    if {"seed", "strategies"} <= origin.keys():
        played = ", ".join(
            f"{player} {how['name']}" for player, how in origin["strategies"].items()
        )
        mirrored = ", mirrored" if origin.get("mirror") else ""
        lines.append(f"game {sheet.game} of seed {origin['seed']}{mirrored}: {played}")
    if "rules" in origin:
        lines += _tell_changed(sheet, origin)
    return lines


def _tell_changed(sheet: Sheet, origin: dict[str, Any]) -> Iterator[str]:
    """By which other rules the game was played, and what was done to it since."""
    if marks := origin.get("rescored"):
        played_again = marks["method"] == "replayed" or sheet.game in marks.get("games", ())
        known = "games" in marks or marks["method"] != "booked and replayed"
        done = "played again" if played_again else "its hands scored and booked again"
        done = done if known else "played again, or its hands scored and booked again"
        yield f"rescored from {marks['from']}: {done}"
    old = load_rules(origin["rules"])
    if old != sheet.rules:
        yield f"played by {old.name}; its hands are booked by other rules here"


def tell_columns(sheet: Sheet) -> list[str]:
    """A sentence for each column."""
    lines = []
    for column in sheet.columns:
        if column.closed_by is None:
            state = "open"
        else:
            state = f"closed by {column.closed_by} with hand {column.closed_at}"
            if column.shutout:
                doubled = uses_boxes(sheet.rules) and sheet.rules.shutout == "double-boxes"
                state += ", a shutout (capote)" + (": boxes doubled" if doubled else "")
        lines.append(f"Column {column.number}: {state}.")
    return lines


def tell_result(sheet: Sheet) -> list[str]:
    """Who has won, by what, and what is paid; or who leads."""
    first, second = sheet.players
    word = "score" if uses_bonuses(sheet.rules) else "points"
    with_boxes = uses_boxes(sheet.rules)
    level = sheet.boxes[first] == sheet.boxes[second]
    ahead = sheet.winner if sheet.over else sheet.leader

    def compare(values: dict[str, int], player: str) -> str:
        return f"{values[player]} to {values[second if player == first else first]}"

    if ahead is None:
        lines = [f"{'Nobody wins' if sheet.over else 'Nobody leads'}: all is equal."]
    else:
        verb = "wins" if sheet.over else "leads"
        equal = f"Boxes are equal, {sheet.boxes[first]} each. " if level and with_boxes else ""
        what, values = (word, sheet.final) if level else ("boxes", sheet.boxes)
        lines = [f"{equal}{ahead} {verb} by {what}, {compare(values, ahead)}."]
    if not sheet.over:
        names = join_words((str(column.number) for column in _open_columns(sheet)), "and")
        plural = "s" if len(_open_columns(sheet)) > 1 else ""
        lines[0] = f"Not over, column{plural} {names} open. {lines[0]}"
    elif with_boxes:
        loser = second if ahead == first else first
        paid = f"{loser} pays {count(sheet.pays, 'box')}" if sheet.pays else "Nothing is paid"
        lines[0] += f" {paid}."
    if not level:
        lines.append(_tell_points(sheet, word, ahead, compare))
    if sheet.left_over:
        lines.append(f"{count(sheet.left_over, 'later hand')} left over: the game was over.")
    return lines


def _open_columns(sheet: Sheet) -> list[SheetColumn]:
    return [column for column in sheet.columns if column.closed_by is None]


def _tell_points(
    sheet: Sheet,
    word: str,
    ahead: str | None,
    compare: Callable[[dict[str, int], str], str],
) -> str:
    """Who is ahead by points, where boxes decide."""
    best = sheet.points_winner
    if best is None:
        return f"By {word} both are equal, {sheet.final[sheet.players[0]]} each."
    if best == ahead:
        return f"By {word} too: {compare(sheet.final, best)}."
    verb = "wins" if sheet.over else "leads"
    return f"By {word} {best} {verb}, {compare(sheet.final, best)}: the two differ; boxes decide."


def list_totals(sheet: Sheet) -> list[list[str]]:
    """A row for each total, after a row of the players."""
    rows = [["", *sheet.players]]

    def add(name: str, values: dict[str, int]) -> None:
        rows.append([name, *(str(values[player]) for player in sheet.players)])

    add("hands won", sheet.hands_won)
    add("points", sheet.points)
    if uses_bonuses(sheet.rules):
        add("score", sheet.final)
    if uses_boxes(sheet.rules):
        add("boxes", sheet.boxes)
    closed = [column for column in sheet.columns if column.closed_by is not None]
    for name, columns in (
        ("columns closed", closed),
        ("shutouts", [column for column in closed if column.shutout]),
    ):
        owners = [column.closed_by for column in columns]
        add(name, {player: owners.count(player) for player in sheet.players})
    return rows


def list_hands(sheet: Sheet) -> list[list[str]]:
    """A row for each hand, after a row of headings; all points and boxes are those after it."""
    with_boxes = uses_boxes(sheet.rules)
    known = any(hand.outcome or hand.tables for hand in sheet.hands)
    header = ["hand", "winner"] + ["how"] * known + ["points"] + ["boxes"] * with_boxes
    header += ["columns"]
    header += [f"{player} {column.number}" for player in sheet.players for column in sheet.columns]
    header += [f"{player} boxes" for player in sheet.players if with_boxes]
    header += ["closes"]
    rows = [header]
    for hand in sheet.hands:
        row = [str(hand.number), hand.winner or "-"] + [tell_how(hand)] * known
        row += [str(hand.points) if hand.winner else "-"]
        if with_boxes:
            prizes = f" ({hand.prize_boxes})" if hand.prize_boxes else ""
            row += [f"{hand.boxes}{prizes}" if hand.winner else "-"]
        row += [" ".join(map(str, hand.posted)) or "-"]
        row += [str(total) for player in sheet.players for total in hand.totals[player]]
        if with_boxes:
            row += [str(sum(hand.total_boxes[player])) for player in sheet.players]
        row += [" ".join(map(str, hand.closed))]
        rows.append(row)
    return rows


def tell_how(hand: SheetHand) -> str:
    """How a hand ended, in words; of a partnership both tables."""
    if hand.tables:
        return ", ".join(_tell_table(table) for table in hand.tables)
    return (hand.outcome or "-").replace("_", " ")


def _tell_table(table: TableResult) -> str:
    outcome = table.outcome.replace("_", " ")
    if table.winner is None:
        return f"{'-'.join(table.players)} {outcome}"
    return f"{table.winner} {outcome} {table.points}"


# ---------------------------------------------------------------- text


def write_text(sheet: Sheet, hands: bool) -> str:
    """The text of `Sheet.text`."""
    parts = ["\n".join(tell_head(sheet)), _align(make_grid(sheet))]
    if hands and sheet.hands:
        parts.append(_align(list_hands(sheet)))
    parts.append(_align(list_totals(sheet)))
    parts.append("\n".join([*tell_columns(sheet), *tell_result(sheet)]))
    return "\n\n".join(parts) + "\n"


#: Columns of words, which stand to the left; all others are numbers.
WORDS = ("", "winner", "how")


def _align(rows: Sequence[Sequence[str]]) -> str:
    """Cells under each other, words to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if name in WORDS else cell.rjust(width)
            for name, cell, width in zip(rows[0], row, widths, strict=True)
        ]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(lines)


# ---------------------------------------------------------------- HTML

_STYLE = """
.sheet td, .sheet th { border-left: 1px solid; border-right: 1px solid; min-width: 2.2rem; }
.sheet .second { border-left: 4px double; }
.sheet .boxes, .sheet .score { font-weight: bold; border-top: 3px double; }
.sheet .score + .boxes { border-top: 1px solid; }
.hands td, .hands th { border-bottom: 1px solid; white-space: nowrap; }
@media print {
  .hands th, .hands td { padding: .1rem .25rem; font-size: 8pt; }
}
"""


def write_html(sheet: Sheet) -> str:
    """The page of `Sheet.html`."""
    title = f"Hollywood sheet: {sheet.players[0]} and {sheet.players[1]}"
    parts = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(line)}</p>" for line in tell_head(sheet)),
        *_sheet_table(sheet),
        *_table("totals", "Totals", list_totals(sheet)),
        "<ul>",
        *(f"<li>{escape(line)}</li>" for line in [*tell_columns(sheet), *tell_result(sheet)]),
        "</ul>",
    ]
    if sheet.hands:
        parts += _table("hands", "Hands, and the columns after each", list_hands(sheet))
    return write_page(title, _STYLE, parts)


def _sheet_table(sheet: Sheet) -> Iterator[str]:
    yield '<div class="wide">'
    yield '<table class="sheet">'
    brackets = "; in brackets prize boxes" if uses_boxes(sheet.rules) else ""
    yield f"<caption>The sheet: running totals{brackets}</caption>"
    yield "<thead>"
    yield "<tr>"
    for place, player in enumerate(sheet.players):
        for column in sheet.columns:
            state = "open" if column.closed_by is None else "closed"
            second = ' class="second"' if place and column.number == 1 else ""
            yield (
                f'<th scope="col"{second}>{escape(player)}'
                f"<small>column {column.number}, {state}</small></th>"
            )
    yield "</tr>"
    yield "</thead>"
    yield "<tbody>"
    for row in zip(*_list_columns(sheet), strict=True):
        yield "<tr>"
        for place, (kind, word) in enumerate(row):
            names = kind + (" second" if place == len(sheet.columns) else "")
            yield f'<td class="{names}">{"" if kind == "empty" else escape(word)}</td>'
        yield "</tr>"
    yield "</tbody>"
    yield "</table>"
    yield "</div>"


def _table(name: str, caption: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table with headings at the top and at the left."""

    def mark(place: int) -> str:
        return ' class="words"' if rows[0][place] in WORDS else ""

    yield '<div class="wide">'
    yield f'<table class="{name}">'
    yield f"<caption>{escape(caption)}</caption>"
    yield "<thead>"
    yield "<tr>"
    for place, cell in enumerate(rows[0]):
        # A corner without a word is no heading.
        yield f'<th scope="col"{mark(place)}>{escape(cell)}</th>' if cell else "<td></td>"
    yield "</tr>"
    yield "</thead>"
    yield "<tbody>"
    for row in rows[1:]:
        yield "<tr>"
        yield f'<th scope="row"{mark(0)}>{escape(row[0])}</th>'
        yield from (
            f"<td{mark(place)}>{escape(cell)}</td>" for place, cell in enumerate(row[1:], start=1)
        )
        yield "</tr>"
    yield "</tbody>"
    yield "</table>"
    yield "</div>"
