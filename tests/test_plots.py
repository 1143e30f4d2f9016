"""Pictures: what they show is what the results say, and files are the same bytes again."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import ginsim
from ginsim.cli import main
from ginsim.errors import OptionError
from ginsim.plots import drawing
from ginsim.plots.drawing import COLOURS, HATCHES, LINES, MARKERS, render, wrap_name
from ginsim.plots.sources import name_cells, split_table

pytest.importorskip("matplotlib", reason="pictures need matplotlib")

from matplotlib.colors import to_rgb
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

PAIR = ("greedy(knock_at=4)", "greedy")


@pytest.fixture(scope="module")
def tally() -> ginsim.Tally:
    return ginsim.tally("kawu", PAIR, 2000, seed=5)


@pytest.fixture(scope="module")
def timing() -> pd.DataFrame:
    return ginsim.knock_timing("kawu", "greedy", "greedy", 20_000, seed=5)


@pytest.fixture(scope="module")
def solution() -> ginsim.KnockSolution:
    return ginsim.solve_knocks("kawu", "greedy", hands=500, seed=5)


#: What somebody may take for axes.
no_axes: Any = 7


def axes() -> Any:
    return Figure().add_subplot()


def xs(line: Any) -> list[float]:
    return [float(x) for x in line.get_xdata()]


def ys(line: Any) -> list[float]:
    return [float(y) for y in line.get_ydata()]


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


# ---------------------------------------------------------------- what is shown


def test_outcomes_are_those_of_the_table(tally: ginsim.Tally) -> None:
    ax: Any = axes()
    same: Any = ginsim.plot_outcomes({"one": tally, "two": tally}, ax)
    assert same is ax
    table = ginsim.summarize(tally)
    rows = table[(table["measure"] == "share") & (table["seat"] == "all") & (table["count"] > 0)]
    bars = [container for container in ax.containers if isinstance(container, BarContainer)]
    assert len(bars) == 2
    for each in bars:
        widths = [patch.get_width() for patch in each]
        np.testing.assert_allclose(widths, 100 * rows["value"])
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [name.replace("_", " ") for name in rows["outcome"]]
    # The whiskers end at the bounds of the intervals.
    whiskers = next(c for c in ax.containers if isinstance(c, ErrorbarContainer))[2][0]
    ends = [segment[:, 0] for segment in whiskers.get_segments()]
    np.testing.assert_allclose(ends, 100 * rows[["low", "high"]].to_numpy())
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["one", "two"]


def test_outcomes_of_hands_a_tally_and_a_table_are_one() -> None:
    hands = ginsim.simulate("kawu", PAIR, 500, seed=5)
    drawn = []
    ax: Any
    for source in (hands, ginsim.Tally.from_frame(hands), ginsim.summarize(hands)):
        ax = ginsim.plot_outcomes(source, axes())
        drawn.append([patch.get_width() for patch in ax.patches])
        assert ax.get_legend() is None
    assert drawn[0] == drawn[1] == drawn[2]


def test_cells_of_a_study_are_named_by_what_differs() -> None:
    cells = pd.DataFrame(
        {"rules": ["kawu", "kawu", "eaai"], "south": ["x", "y", "x"], "north": ["z", "z", "z"]}
    )
    assert name_cells(cells) == ["kawu: x", "kawu: y", "eaai: x"]
    assert name_cells(cells.assign(north=["u", "v", "w"])) == [
        "kawu: x – u",
        "kawu: y – v",
        "eaai: x – w",
    ]
    assert name_cells(cells.head(1)) == ["kawu"]
    (one, two, three) = split_table(cells.assign(value=[1, 2, 3]))
    assert [one[0], two[0], three[0]] == ["kawu: x", "kawu: y", "eaai: x"]
    assert two[1]["value"].tolist() == [2]


def test_open_verdicts_are_marked(timing: pd.DataFrame) -> None:
    ax: Any = ginsim.plot_knock_gain(timing, axes())
    is_open = ~timing["verdict"].isin(["knock", "play on"])
    assert 0 < is_open.sum() < len(timing)
    shown = texts(ax)
    assert len(shown) == len(timing)
    assert sum(text.endswith("?") for text in shown) == is_open.sum()
    hatched = [p for p in ax.patches if isinstance(p, Rectangle) and p.get_hatch()]
    assert len(hatched) == is_open.sum()
    spots = {(p.get_x() + 0.5, p.get_y() + 0.5) for p in hatched}
    first = timing["turn"].min()
    assert spots == {(row.deadwood, row.turn - first) for row in timing[is_open].itertuples()}
    by_place = {text.get_position(): text.get_text().rstrip("?") for text in ax.texts}
    row: Any
    for row in timing.itertuples():
        assert abs(float(by_place[row.deadwood, row.turn - first]) - row.gain) < 0.051
    assert [label.get_text() for label in ax.get_yticklabels()][-1] == "16+"


def test_a_knock_table_has_a_k_where_it_knocks(solution: ginsim.KnockSolution) -> None:
    table = solution.table
    (ax,) = ginsim.plot_knock_tables(solution)
    assert texts(ax) == ["K"] * int(table["knock"].sum())
    hatched = sum(bool(patch.get_hatch()) for patch in ax.patches)
    assert hatched == int(table["inherited"].sum())
    dark = {to_rgb(p.get_facecolor()) for p in ax.patches} - {(1.0, 1.0, 1.0)}
    assert len(dark) == 1


def test_layers_of_a_knock_table_have_axes_of_their_own(solution: ginsim.KnockSolution) -> None:
    two = pd.concat([solution.table.assign(pick_ups=0), solution.table.assign(pick_ups=3)])
    drawn = ginsim.plot_knock_tables(two)
    assert [ax.get_title() for ax in drawn] == [
        "pick-ups of the opponent 0",
        "pick-ups of the opponent 3+",
    ]
    with pytest.raises(OptionError, match=r'frame\[frame\["pick_ups"\] == 0\]'):
        ginsim.plot_knock_table(two, axes())


def test_a_response_is_in_order_with_its_band() -> None:
    frame = pd.DataFrame(
        {
            "bonus": [50, 0, 10, 20],
            "value": [0.5, 0.2, 0.3, np.nan],
            "low": [0.4, np.nan, 0.2, np.nan],
            "high": [0.6, np.nan, 0.4, np.nan],
        }
    )
    ax = ginsim.plot_response(frame, "bonus", axes(), percent=True, reference=0.5)
    line = ax.lines[0]
    assert np.asarray(line.get_xdata()).tolist() == [0, 10, 50]
    np.testing.assert_allclose(np.asarray(line.get_ydata(), float), [20, 30, 50])
    corners = np.concatenate([p.vertices for p in ax.collections[0].get_paths()])
    assert {(10, 20), (10, 40), (50, 40), (50, 60)} <= {(round(x), round(y)) for x, y in corners}
    assert ax.get_xlabel() == "bonus"
    words = pd.DataFrame({"tie": ["undercut", "nobody"], "value": [1, 2], "low": 0, "high": 3})
    ax = ginsim.plot_response(words, "tie", axes())
    assert [label.get_text() for label in ax.get_xticklabels()] == ["undercut", "nobody"]


def test_curves_differ_in_more_than_colour() -> None:
    frame = pd.DataFrame(
        {"x": [1, 2] * 3, "who": list("aabbcc"), "value": range(6), "low": 0, "high": 9}
    )
    ax = ginsim.plot_response(frame, "x", axes(), by="who")
    curves = [line for line in ax.lines if line.get_label() in {"a", "b", "c"}]
    assert len({line.get_marker() for line in curves}) == 3
    assert len({str(line.get_linestyle()) for line in curves}) == 3


def test_deadwood_is_the_mean_by_turn() -> None:
    frame = ginsim.decisions("kawu", ("greedy", "simple"), 200, seed=5)
    ax: Any = ginsim.plot_deadwood(frame, axes())
    discards = frame[frame["kind"] == "discard"]
    for line in ax.lines:
        label = str(line.get_label())
        if not label.startswith(("south", "north")):
            continue
        seat = label.partition(":")[0]
        means = discards[discards["seat"] == seat].groupby("turn")["best_deadwood"].mean()
        turns = np.asarray(line.get_xdata(), int)
        np.testing.assert_allclose(np.asarray(line.get_ydata(), float), means.loc[turns])
        assert turns[0] == 1
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["south: greedy", "north: simple"]


def test_lengths_are_the_shares_of_games() -> None:
    games = ginsim.simulate_games("kawu", "greedy", 300, seed=5)
    ax: Any = ginsim.plot_lengths(ginsim.GameTally.from_frame(games), axes())
    shares = 100 * games["hands"].value_counts(normalize=True)
    for patch in ax.patches:
        length = round(patch.get_x() + patch.get_width() / 2)
        assert patch.get_height() == pytest.approx(shares.get(length, 0.0))
    assert sum(patch.get_height() for patch in ax.patches) == pytest.approx(100)


def test_lengths_side_by_side_are_the_quantiles() -> None:
    games = ginsim.simulate_games("kawu", "greedy", 300, seed=5)
    ax = ginsim.plot_lengths({"one": games, "two": games}, axes())
    lines = {str(line.get_label()): line for line in ax.lines}
    ordered = np.sort(games["hands"])
    # The least length that a share of the games does not exceed: of 300 the 30th, 75th, …
    ends = [ordered[round(share * 300) - 1] for share in (0.1, 0.9)]
    assert np.asarray(lines["middle 80 % of games"].get_xdata()).tolist() == ends
    assert float(np.asarray(lines["mean"].get_xdata())[0]) == pytest.approx(ordered.mean())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one", "two"]


def test_a_duel_that_tells_nothing_is_hollow() -> None:
    frame = pd.DataFrame(
        {"who": ["a", "b"], "value": [0.5, 0.7], "low": [0.4, 0.6], "high": [0.6, 0.8]}
    )
    ax: Any = ginsim.plot_intervals(frame, "who", axes(), reference=0.5, percent=True)
    fills = [container[0].get_markerfacecolor() for container in ax.containers]
    assert to_rgb(fills[0]) == (1.0, 1.0, 1.0)
    assert to_rgb(fills[1]) == to_rgb(COLOURS[0])


@pytest.mark.parametrize("precision", [None, 0.08])
def test_duels_say_who_is_who(precision: float | None) -> None:
    games = 100 if precision is None else None
    duel = ginsim.duel("greedy", "simple", "kawu", games, precision=precision, seed=5)
    ax = ginsim.plot_duel(duel, axes())
    assert ax.get_title(loc="left") == "A greedy\nB simple"
    if precision is not None:
        last = duel.looks.iloc[-1]
        values = np.asarray(ax.lines[0].get_ydata(), float)
        assert values[-1] == pytest.approx(100 * last["value"])


def test_ratings_name_who_has_none() -> None:
    # Who loses every game has no finite rating.
    result = ginsim.tournament(["greedy", "simple", "random"], "kawu", 40, seed=5)
    ax = ginsim.plot_ratings(result, axes())
    rated = result.ratings[result.ratings["elo"].notna()]
    assert [label.get_text() for label in ax.get_yticklabels()] == rated["player"].tolist()
    for name in result.ratings["player"][result.ratings["elo"].isna()]:
        assert name in ax.get_xlabel()


# ---------------------------------------------------------------- balance


@pytest.fixture(scope="module")
def sweep() -> pd.DataFrame:
    vary = {"undercut_bonus": "0:20:10", "tie": ["undercut", "nobody"]}
    measures = ["points", "gin"]
    return ginsim.sweep_rules("kawu", vary=vary, measures=measures, hands=400, seed=1)


@pytest.mark.parametrize("difference", [False, True])
def test_a_sweep_has_a_panel_for_each_measure(sweep: pd.DataFrame, difference: bool) -> None:
    panels = ginsim.plot_sweep(sweep, difference=difference)
    column = "difference" if difference else "value"
    for ax, (name, scale) in zip(panels, (("gin", 100), ("points", 1)), strict=True):
        rows = sweep[sweep["measure"] == name]
        curves = [line for line in ax.get_lines() if str(line.get_label()).startswith("tie ")]
        for line, tie in zip(curves, ("undercut", "nobody"), strict=True):
            own = rows[(rows["tie"] == tie) & (rows["cell"] > 0)]
            assert xs(line) == [0, 10, 20]
            assert ys(line) == pytest.approx((scale * own[column]).tolist())
            assert line.get_label() == f"tie {tie}"
        (base,) = (
            line for line in ax.get_lines() if line.get_linestyle() == "--" and len(xs(line)) == 2
        )
        assert ys(base)[0] == pytest.approx(scale * rows[column].iloc[0])
    assert [ax.get_legend() is not None for ax in panels] == [False, True]


def test_a_sweep_from_a_file_is_drawn_alike(sweep: pd.DataFrame, tmp_path: Path) -> None:
    sweep.to_csv(tmp_path / "x.csv", index=False)
    again = pd.read_csv(tmp_path / "x.csv")
    assert render(lambda: ginsim.plot_sweep(sweep)) == render(lambda: ginsim.plot_sweep(again))


def test_many_curves_have_panels_by_a_field() -> None:
    vary = {"gin_bonus": "0:9", "undercut_bonus": "0:4", "tie": ["undercut", "nobody"]}
    table = ginsim.sweep_rules("kawu", vary=vary, measures="points", hands=10, seed=1)
    panels = ginsim.plot_sweep(table)
    ends = [ax.get_title(loc="left").split("\n")[-1] for ax in panels]
    assert ends == [f"undercut bonus: {value}" for value in range(5)]


def test_a_curve_looks_alike_in_all_panels() -> None:
    """Also where another has no figure: equal players have no skill."""
    table = ginsim.sweep_rules(
        "kawu",
        vary={"undercut_bonus": [0, 50]},
        strategies=["greedy", "simple"],
        against="greedy",
        measures=["win", "skill"],
        games=40,
        seed=1,
    )
    win, skill = ginsim.plot_sweep(table)
    looks = [
        {line.get_label(): line.get_color() for line in ax.get_lines() if len(xs(line)) == 2}
        for ax in (win, skill)
    ]
    assert {"greedy", "simple – greedy"} <= looks[0].keys()
    assert "greedy" not in looks[1]
    assert looks[0]["simple – greedy"] == looks[1]["simple – greedy"]
    # The explanation is where all of them are.
    assert [ax.get_legend() is not None for ax in (win, skill)] == [True, False]


def test_a_sweep_of_players_has_them_below_each_other() -> None:
    table = ginsim.sweep_rules(
        "kawu", strategies=["greedy", "simple"], measures="turns", hands=100, seed=1
    )
    (ax,) = ginsim.plot_sweep(table)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["greedy", "simple"]


def test_a_root_is_where_the_difference_is_zero() -> None:
    fields = "undercut_bonus+clean_undercut_bonus"
    found = ginsim.solve_field("kawu", fields, "greedy", "greedy(knock_at=0)", hands=1000, seed=1)
    assert found.roots.kind == "one"
    ax = ginsim.plot_roots(found, axes())
    drawn = {line.get_label(): line for line in ax.get_lines()}
    root = drawn["equal, as estimated"]
    assert xs(root) == pytest.approx([found.roots.root] * 2)
    ((low, high),) = found.roots.intervals
    (shade,) = (patch for patch in ax.patches if patch.get_label() == "equal, 95 %")
    assert isinstance(shade, Rectangle)
    left, right = ax.get_xlim()
    assert shade.get_x() == pytest.approx(max(low, left))
    assert shade.get_x() + shade.get_width() == pytest.approx(min(high, right))
    (printed,) = (one for one in ax.containers if one.get_label() == "as printed")
    assert isinstance(printed, ErrorbarContainer)
    assert xs(printed.lines[0]) == [25]
    assert ys(printed.lines[0]) == [pytest.approx(found.printed.value)]
    assert f"Equal at {found.roots.root:.2f}" in ax.get_title(loc="left").replace("\n", " ")


def test_effects_are_in_order_and_say_of_what() -> None:
    found = ginsim.field_effects(
        "kawu", {"gin_bonus": [20, 30], "layoffs": [True, False]}, hands=400, seed=1
    )
    ax = ginsim.plot_effects(found, axes())
    bars = [one for one in ax.containers if isinstance(one, ErrorbarContainer)]
    points = [xs(one.lines[0])[0] for one in bars]
    assert points == pytest.approx(found.effects["effect"].tolist())
    assert "layoffs: false minus true" in ax.get_xlabel()


def test_marks_are_told_apart_in_grey() -> None:
    # Lightness by ITU-R BT.709; neighbours differ by a tenth at least.
    grey = [np.dot(to_rgb(colour), (0.2126, 0.7152, 0.0722)) for colour in COLOURS]
    assert min(abs(one - other) for one, other in itertools.pairwise(grey)) > 0.1
    for marks in (COLOURS, MARKERS, LINES, HATCHES):
        assert len({*map(str, marks)}) == len(COLOURS)


def test_long_names_are_broken_where_their_parts_end() -> None:
    assert wrap_name("greedy") == "greedy"
    lines = wrap_name("greedy(knock_at=4, layoff=greedy, upcard=never)").split("\n")
    assert lines[0] == "greedy(knock_at=4,"
    assert all(len(line) <= 26 for line in lines)
    assert wrap_name("x" * 200).endswith("…")


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ginsim.plot_outcomes(7, axes()), "source: 7 is not allowed"),
        (lambda: ginsim.plot_outcomes({}, axes()), "source: {} is not allowed"),
        (lambda: ginsim.plot_lengths("kawu", axes()), "source: 'kawu' is not allowed"),
        (lambda: ginsim.plot_response(pd.DataFrame(), "x", axes()), "has no column 'x'"),
        (lambda: ginsim.plot_deadwood(3, axes()), "a frame of decisions"),  # type: ignore[arg-type]
        (lambda: ginsim.plot_ratings(pd.DataFrame({"player": []}), axes()), "no column 'elo'"),
        (lambda: ginsim.plot_sweep(pd.DataFrame({"cell": [0]})), "a table of sweep_rules"),
        (lambda: ginsim.plot_roots(no_axes), "found: 7 is not allowed"),
        (lambda: ginsim.plot_effects(no_axes), "found: 7 is not allowed"),
        (
            lambda: ginsim.plot_knock_gain(
                ginsim.knock_timing("kawu", hands=50, by="turn", seed=1), axes()
            ),
            "not told apart by turn and deadwood",
        ),
        (
            lambda: ginsim.plot_knock_gain(ginsim.knock_timing("kawu", hands=50, seed=1), no_axes),
            "ax: 7 is not allowed",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(OptionError, match=message.replace("(", r"\(").replace("{", r"\{")):
        call()


def test_without_matplotlib_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tally: ginsim.Tally, tmp_path: Path
) -> None:
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r'pip install "ginsim-rummy\[report\]'):
        ginsim.plot_outcomes(tally)
    words = ["hands", "kawu", "--hands", "10", "--plot", str(tmp_path / "x.svg")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert "--plot: needs matplotlib" in result.output


def test_matplotlib_is_imported_when_a_picture_is_drawn() -> None:
    code = (
        "import sys, ginsim; ginsim.plot_outcomes; ginsim.plot_knock_gain; "
        "ginsim.tally('kawu', 'greedy', 10, seed=1); sys.exit('matplotlib' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---------------------------------------------------------------- files


def _render_elsewhere(ending: str) -> bytes:
    """The same picture from another process, whose matplotlib is set otherwise."""
    code = (
        "import sys, matplotlib, ginsim; from ginsim.plots.drawing import render; "
        "matplotlib.rcParams.update({'font.size': 20, 'axes.grid': True, 'svg.hashsalt': 'x'}); "
        "tally = ginsim.tally('kawu', ('greedy(knock_at=4)', 'greedy'), 2000, seed=5, threads=1); "
        f"sys.stdout.buffer.write(render(lambda: ginsim.plot_outcomes(tally), {ending!r}))"
    )
    environment = os.environ | {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo"}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=True, capture_output=True, env=environment).stdout


@pytest.mark.parametrize(
    ("ending", "begins"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")]
)
def test_the_same_results_give_the_same_bytes(
    tally: ginsim.Tally, ending: str, begins: bytes
) -> None:
    data = render(lambda: ginsim.plot_outcomes(tally), ending)
    assert data.startswith(begins)
    assert data == _render_elsewhere(ending)
    assert b"dc:date" not in data
    assert b"CreationDate" not in data


def test_drawing_leaves_the_settings_of_the_user(tally: ginsim.Tally) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 7.0}):
        render(lambda: ginsim.plot_outcomes(tally))
        assert mpl.rcParams["font.size"] == 7.0


#: Commands that draw, each with what its picture has to come from.
COMMANDS = [
    ["hands", "kawu", "--hands", "200", "--seed", "1"],
    ["games", "kawu", "--games", "50", "--seed", "1"],
    ["games", "partnership", "--games", "5", "--seed", "1"],
    ["decisions", "kawu", "--hands", "100", "--seed", "1"],
    ["duel", "greedy", "simple", "--rules", "kawu", "--games", "20", "--seed", "1"],
    ["duel", "greedy", "simple", "--rules", "kawu", "--precision", "0.1", "--seed", "1"],
    ["tournament", "greedy", "simple", "--rules", "kawu", "--games", "20", "--seed", "1"],
    ["knock", "kawu", "--hands", "300", "--seed", "1"],
    ["knock", "kawu", "--turn", "5", "--deadwood", "7", "--hands", "300", "--seed", "1"],
    ["knock", "kawu", "--solve", "--hands", "200", "--seed", "1"],
    *(
        ["balance", *words.split(), "--hands", "100", "--seed", "1"]
        for words in (
            "sweep kawu --vary gin_bonus=20:30:5 --vary tie=nobody,knocker",
            "sweep kawu --strategy greedy --strategy simple",
            "solve kawu undercut_bonus+clean_undercut_bonus --against greedy(knock_at=0)",
            "solve hollywood knock_limit --against simple",
            "sensitivity kawu --vary gin_bonus=20,30 --vary layoffs=true,false",
        )
    ),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:3]))
def test_commands_draw(words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "picture.svg"
    result = CliRunner().invoke(main, [*words, "--plot", str(path)])
    assert result.exit_code == 0, result.output
    assert f"picture in {path}" in result.output
    first = path.read_bytes()
    assert first.startswith(b"<?xml")
    again = CliRunner().invoke(main, [*words, "--plot", str(path)])
    assert again.exit_code == 2
    assert "exists; allowed: another name, or --force" in again.output
    result = CliRunner().invoke(main, [*words, "--plot", str(path), "--force", "--json"])
    assert result.exit_code == 0, result.output
    json.loads(result.stdout)
    assert path.read_bytes() == first
    assert [entry.name for entry in tmp_path.iterdir()] == ["picture.svg"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["hands", "kawu", "--plot", "x.gif"], "ends in .svg, .png or .pdf"),
        (["hands", "kawu", "--plot", "no/such/x.svg"], "the folder 'no/such' does not exist"),
        (["knock", "kawu", "--by", "turn", "--plot", "x.svg"], "turn and deadwood"),
        (["knock", "kawu", "--by", "pickups", "--plot", "x.svg"], "turn and deadwood"),
        (["decisions", "kawu", "--kind", "draw", "--plot", "x.svg"], "--kind discard"),
        (
            [
                *("balance", "sweep", "kawu", "--vary", "gin_bonus=0:9", "--plot", "x.svg"),
                *("--vary", "undercut_bonus=0:9", "--vary", "clean_undercut_bonus=0:9"),
            ],
            "--plot: 10 curves in a panel; allowed: up to 8",
        ),
        (["balance", "solve", "kawu", "gin_bonus", "--plot", "x.gif"], "ends in .svg"),
        (["balance", "sensitivity", "kawu", "--vary", "gin_bonus=1,2", "--plot", "x"], "ends in"),
    ],
)
def test_pictures_that_cannot_be_are_refused_before_play(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert message in result.output
    assert not list(tmp_path.iterdir())
