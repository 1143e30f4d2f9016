"""Files of records: what is read equals what was written, and nothing else is read or replaced."""

from __future__ import annotations

import errno
import json
import os
import re
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import files
from ginsim.columns import TABLES
from ginsim.decision_frames import decisions
from ginsim.errors import OptionError
from ginsim.files import ENDINGS, open_records, read_records, write_records
from ginsim.formats import LAYOUT
from ginsim.records import make_frame
from ginsim.simulation import simulate

PAIR = ("greedy(knock_at=3)", "simple")
#: A seed of 201 bits: larger than any integer of JSON readers that stop at 64.
SEED = 2**200 + 1
FRAMES = {
    # Missing winners and knock cards, big gin, mirrored pairs.
    "hands": simulate("hollywood", PAIR, 2000, seed=SEED, first=6, mirror=True),
    "dead": simulate("kawu", "random", 50, seed=3),
    "dead only": simulate("kawu", "random", 500, seed=3).query("outcome == 'dead'"),
    "given decks": simulate("kawu", PAIR, seed=3, decks=[range(52), range(51, -1, -1)]),
    "no hands": simulate("kawu", "greedy", 0, seed=3),
    "some hands": simulate("kawu", "greedy", 100, seed=3).query("outcome == 'undercut'"),
    "decisions": decisions("kawu", PAIR, 60, seed=SEED),
    "no decisions": decisions("kawu", PAIR, 0, seed=1),
}
TEXTS = (".csv", ".jsonl")


def check_equal(frame: pd.DataFrame, other: pd.DataFrame) -> None:
    """Equal in every cell, dtype and category, and in provenance."""
    pd.testing.assert_frame_equal(frame, other, check_exact=True)
    assert frame.attrs == other.attrs
    for column in frame:
        if isinstance(frame[column].dtype, pd.CategoricalDtype):
            assert list(frame[column].cat.categories) == list(other[column].cat.categories)


def write_some(path: Path) -> pd.DataFrame:
    frame = simulate("kawu", PAIR, 100, seed=1)
    write_records(frame, path)
    return frame


# -- round trips ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("ending", [*ENDINGS, ".CSV"])
def test_what_is_read_equals_what_was_written(tmp_path: Path, ending: str, name: str) -> None:
    frame = FRAMES[name]
    path = tmp_path / f"records{ending}"
    write_records(frame, path)
    check_equal(read_records(path), frame.reset_index(drop=True))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("rows", TABLES)
def test_every_table_keeps_all_that_its_columns_can_hold(tmp_path: Path, rows: str) -> None:
    random = np.random.default_rng(1)
    arrays: dict[str, np.ndarray] = {}
    for column in TABLES[rows]:
        if column.categories:
            arrays[column.name] = random.integers(-1, len(column.categories), 300).astype(np.int8)
        elif column.dtype == "bool":
            arrays[column.name] = random.integers(0, 2, 300).astype(np.bool_)
        elif column.dtype == "float64":
            # Every digit, also of very small and large ones; and nan.
            values = random.standard_normal(300) * 10.0 ** random.integers(-300, 300, 300)
            values[::7] = np.nan
            values[1:4] = [0.1 + 0.2, 1e16 / 3, -0.0]
            arrays[column.name] = values
        else:
            bounds = np.iinfo(column.dtype)
            numbers = random.integers(bounds.min, bounds.max, 300, column.dtype, endpoint=True)
            numbers[:2] = bounds.min, bounds.max
            arrays[column.name] = numbers
    frame = make_frame(TABLES[rows], arrays, {"seed": SEED})
    for ending in ENDINGS:
        write_records(frame, tmp_path / f"x{ending}")
        check_equal(read_records(tmp_path / f"x{ending}"), frame)


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_read_can_be_changed(tmp_path: Path, ending: str) -> None:
    write_some(tmp_path / f"x{ending}")
    frame = read_records(tmp_path / f"x{ending}")
    frame.loc[3, "points"] = 77
    frame.loc[4, "outcome"] = "gin"
    assert frame["points"][3] == 77


@pytest.mark.parametrize("ending", ENDINGS)
def test_blocks_make_the_same_file_as_one_frame(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = FRAMES["hands"]
    monkeypatch.setattr("ginsim.formats.BLOCK", 37)
    blocks = tmp_path / f"blocks{ending}"
    with open_records(blocks, "hands", frame.attrs["provenance"]) as writer:
        for start in range(0, len(frame), 300):
            writer.write(frame[start : start + 300])
    check_equal(read_records(blocks), frame)
    if ending in TEXTS:
        monkeypatch.undo()
        write_records(frame, tmp_path / f"whole{ending}")
        assert blocks.read_bytes() == (tmp_path / f"whole{ending}").read_bytes()


def test_texts_are_those_of_pandas_after_the_header(tmp_path: Path) -> None:
    for name in ("hands", "decisions"):
        frame = FRAMES[name]
        for ending in TEXTS:
            path = tmp_path / f"{name}{ending}"
            write_records(frame, path)
            expected = StringIO()
            if ending == ".csv":
                frame.to_csv(expected, index=False, lineterminator="\n")
            else:
                frame.to_json(expected, orient="records", lines=True)
            header, _, rest = path.read_text(encoding="ascii").partition("\n")
            assert rest == expected.getvalue()
            document = json.loads(header.removeprefix("# ginsim "))
            assert document == {
                "format": LAYOUT,
                "ginsim": ginsim.__version__,
                "rows": name,
                "provenance": frame.attrs["provenance"],
                "count": len(frame),
            }


def test_equal_values_of_other_types_are_written(tmp_path: Path) -> None:
    frame = FRAMES["hands"]
    wide = frame.astype({"hand": "float64", "points": "int64", "outcome": str, "winner": object})
    wide["knocker"] = wide["knocker"].cat.reorder_categories(["north", "south"])
    wide.attrs = frame.attrs
    write_records(wide[reversed(list(wide))], tmp_path / "x.csv")
    check_equal(read_records(tmp_path / "x.csv"), frame)


def test_lost_provenance_stays_lost(tmp_path: Path) -> None:
    frame = FRAMES["hands"].copy()
    frame.attrs = {}
    for ending in ENDINGS:
        write_records(frame, tmp_path / f"x{ending}")
        check_equal(read_records(tmp_path / f"x{ending}"), frame)


def test_summaries_of_what_is_read_are_the_same(tmp_path: Path) -> None:
    frame = FRAMES["hands"]
    for ending in ENDINGS:
        write_records(frame, tmp_path / f"x{ending}")
        again = ginsim.summarize(read_records(tmp_path / f"x{ending}"))
        pd.testing.assert_frame_equal(again, ginsim.summarize(frame))


def test_tables_have_only_types_that_every_format_keeps() -> None:
    for table in TABLES.values():
        for column in table:
            if not column.categories:
                assert np.dtype(column.dtype).kind in "iub" or column.dtype == "float64"
            # None is taken for a missing value, or for a number, by readers of csv.
            assert not {"", "nan", "null", "NA"} & set(column.categories)
            assert not any(re.fullmatch(r"[\d.]+", word) for word in column.categories)
            assert len(column.categories) <= np.iinfo(np.int8).max


# -- other programs -------------------------------------------------------------------------------


def test_plain_pandas_reads_the_files(tmp_path: Path) -> None:
    frame = FRAMES["hands"]
    for ending in ENDINGS:
        write_records(frame, tmp_path / f"x{ending}")
    csv = pd.read_csv(tmp_path / "x.csv", comment="#")
    with (tmp_path / "x.jsonl").open() as lines:
        provenance = json.loads(next(lines))["provenance"]
        jsonl = pd.read_json(lines, lines=True)
    assert provenance == frame.attrs["provenance"]
    text = frame.astype({name: str for name in frame if str(frame[name].dtype) == "category"})
    for plain in (csv, jsonl):
        pd.testing.assert_frame_equal(
            plain.fillna({"winner": "nan", "knocker": "nan", "knock_card": "nan"}),
            text.fillna({"winner": "nan", "knocker": "nan", "knock_card": "nan"}),
            check_dtype=False,
        )
    check_equal(pd.read_parquet(tmp_path / "x.parquet"), frame)


# -- refusals -------------------------------------------------------------------------------------


def test_other_endings_are_refused(tmp_path: Path) -> None:
    for action in (lambda p: write_records(FRAMES["hands"], p), read_records):
        with pytest.raises(OptionError, match=r"x\.txt.*\.csv, \.jsonl or \.parquet"):
            action(tmp_path / "x.txt")


def test_places_that_cannot_be_written_to_are_refused(tmp_path: Path) -> None:
    frame = FRAMES["dead"]
    (tmp_path / "x.csv").mkdir()
    with pytest.raises(OptionError, match="is a folder"):
        write_records(frame, tmp_path / "x.csv", force=True)
    with pytest.raises(OptionError, match="does not exist"):
        write_records(frame, tmp_path / "none" / "x.csv")
    with pytest.raises(OptionError, match="does not exist"):
        read_records(tmp_path / "none.csv")
    (tmp_path / "plain").write_text("mine")
    with pytest.raises(OptionError, match=r"^path: '.*/plain' is a file; allowed: the name of a f"):
        write_records(frame, tmp_path / "plain" / "x.csv")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    with pytest.raises(OptionError, match=r"^path: '.*/link' is a link that leads nowhere"):
        write_records(frame, tmp_path / "link" / "x.csv")


def test_an_existing_file_is_replaced_by_force_only(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("mine")
    with pytest.raises(OptionError, match="exists; allowed: another name, or force=True"):
        write_records(FRAMES["dead"], path)
    assert path.read_text() == "mine"
    write_records(FRAMES["dead"], path, force=True)
    check_equal(read_records(path), FRAMES["dead"])


def test_a_file_that_appears_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"

    def write_slowly() -> None:
        with open_records(path, "hands", None) as writer:
            writer.write(FRAMES["dead"])
            path.write_text("mine")

    with pytest.raises(OptionError, match="exists"):
        write_slowly()
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_pyarrow_is_named_where_it_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    for action in (lambda p: write_records(FRAMES["dead"], p), read_records):
        with pytest.raises(OptionError, match=r"pyarrow.*ginsim-rummy\[parquet\]"):
            action(tmp_path / "x.parquet")


def test_frames_of_other_columns_are_refused(tmp_path: Path) -> None:
    frame = FRAMES["dead"]
    path = tmp_path / "x.csv"
    with pytest.raises(OptionError, match=r"those of hands \(missing deal; unknown x, 7\)"):
        write_records(
            frame.rename(columns={"deal": "x"}).assign(**{"y": 1}).rename(columns={"y": 7}), path
        )
    with pytest.raises(OptionError, match="allowed: the columns of hands"):
        write_records(pd.concat([frame, frame["hand"]], axis=1), path)
    with pytest.raises(OptionError, match="column points has the value 40000; allowed: int16"):
        write_records(frame.assign(points=40_000), path)
    with pytest.raises(OptionError, match=r"column points has the value 0\.5"):
        write_records(frame.assign(points=0.5), path)
    with pytest.raises(OptionError, match="column points has the value nan"):
        write_records(frame.assign(points=np.nan), path)
    with pytest.raises(OptionError, match=r"column points is of type \w+; allowed: int16"):
        write_records(frame.assign(points="many"), path)
    with pytest.raises(OptionError, match=r"column outcome has other values than .*: 'draw'"):
        write_records(frame.assign(outcome="draw"), path)
    with (
        pytest.raises(OptionError, match="not those of decisions"),
        open_records(path, "decisions", None) as writer,
    ):
        writer.write(frame)
    broken = frame.copy()
    broken.attrs = {"provenance": {"seed": {1, 2}}}
    with pytest.raises(OptionError, match="provenance has no JSON form"):
        write_records(broken, path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("what", [KeyboardInterrupt, SystemExit, ValueError])
def test_what_goes_wrong_leaves_no_file(
    tmp_path: Path, ending: str, what: type[BaseException]
) -> None:
    def write_half() -> None:
        with open_records(tmp_path / f"x{ending}", "hands", None) as writer:
            writer.write(FRAMES["dead"])
            assert len(list(tmp_path.iterdir())) == 1
            raise what

    with pytest.raises(what):
        write_half()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_disk_that_fails_at_the_end_leaves_what_was_there(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"x{ending}"
    frame = write_some(path)

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        write_records(FRAMES["dead"], path, force=True)
    assert list(tmp_path.iterdir()) == [path]
    check_equal(read_records(path), frame)


# -- damaged and foreign files --------------------------------------------------------------------


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_part_of_a_file_is_taken_for_it(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    frame = write_some(path)
    data = path.read_bytes()
    lengths = {0, 1, 9, 50, len(data) - 1, len(data) - 2, len(data) - 30, len(data) // 2}
    if ending in TEXTS:
        ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
        lengths |= {ends[0], ends[1], ends[1] - 1, ends[50], ends[-2], ends[-2] + 5}
    for length in sorted(lengths):
        path.write_bytes(data[:length])
        with pytest.raises(OptionError) as refused:
            read_records(path)
        assert str(path) in str(refused.value)
        assert "\n" not in str(refused.value)
    path.write_bytes(data)
    check_equal(read_records(path), frame)


@pytest.mark.parametrize("ending", TEXTS)
def test_rows_that_were_added_or_taken_are_noticed(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    write_some(path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines, lines[-1]]))
    with pytest.raises(OptionError, match="was added to: it has 101 rows and says 100"):
        read_records(path)
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(OptionError, match="is cut off: it has 99 rows and says 100"):
        read_records(path)


def test_an_unfinished_file_is_refused_under_any_name(tmp_path: Path) -> None:
    for ending in TEXTS:
        with open_records(tmp_path / f"x{ending}", "hands", None) as writer:
            writer.write(FRAMES["dead"])
            (part,) = tmp_path.glob(".*.part")
            copy = tmp_path / f"copy{ending}"
            writer._form.file.flush()  # type: ignore[attr-defined]
            copy.write_bytes(part.read_bytes())
        with pytest.raises(OptionError, match="was not finished"):
            read_records(copy)


@pytest.mark.parametrize("ending", ENDINGS)
def test_files_of_others_are_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    frame = FRAMES["dead"].copy()
    frame.attrs = {}
    if ending == ".csv":
        frame.to_csv(path, index=False)
    elif ending == ".jsonl":
        frame.to_json(path, orient="records", lines=True)
    else:
        frame.to_parquet(path)
    with pytest.raises(OptionError, match=r"is no file of records.*docs/files\.md"):
        read_records(path)
    for other in (b"\x00\xff\xfe\n" * 9, b"[1, 2]\n", b'{"format": 1}\n', b"# ginsim {}\n"):
        path.write_bytes(other)
        with pytest.raises(OptionError, match=r"is no file of records|is damaged"):
            read_records(path)


def edit_header(path: Path, **changes: Any) -> None:
    """Write a text file's header anew with other values."""
    text = path.read_text()
    first, _, rest = text.partition("\n")
    mark = "# ginsim " if first.startswith("#") else ""
    document = json.loads(first.removeprefix(mark)) | changes
    path.write_text(f"{mark}{json.dumps(document)}\n{rest}")


@pytest.mark.parametrize("ending", TEXTS)
def test_files_of_other_versions_are_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x{ending}"
    write_some(path)
    edit_header(path, ginsim="9.9.9")
    read_records(path)  # another version alone is no reason
    edit_header(path, format=2)
    with pytest.raises(OptionError, match=r"is of format 2, written by ginsim 9\.9\.9"):
        read_records(path)
    edit_header(path, format=1, rows="rubbers")
    with pytest.raises(OptionError, match=r"holds 'rubbers'.*reads hands"):
        read_records(path)
    edit_header(path, rows="hands")
    path.write_text(path.read_text().replace("laid_off", "lay_offs"))
    with pytest.raises(OptionError, match=r"missing laid_off; unknown lay_offs"):
        read_records(path)


def test_parquet_of_other_versions_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = tmp_path / "x.parquet"
    write_some(path)
    table = pq.read_table(path)
    header = json.loads(table.schema.metadata[b"ginsim"])
    pq.write_table(table.drop_columns(["laid_off"]), path)
    with pytest.raises(OptionError, match="missing laid_off"):
        read_records(path)
    pq.write_table(table.set_column(7, "points", pa.array([40_000] * 100)), path)
    with pytest.raises(OptionError, match="points has the value 40000"):
        read_records(path)
    header["format"] = 3
    pq.write_table(table.replace_schema_metadata({"ginsim": json.dumps(header)}), path)
    with pytest.raises(OptionError, match="is of format 3"):
        read_records(path)


def damage(path: Path, column: str, value: str) -> None:
    """Give a column of the last row another value."""
    lines = path.read_text().splitlines()
    if path.suffix == ".csv":
        cells = lines[-1].split(",")
        cells[lines[1].split(",").index(column)] = value
        lines[-1] = ",".join(cells)
    else:
        lines[-1] = re.sub(rf'("{column}":)[^,}}]+', rf"\g<1>{value}", lines[-1])
    path.write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("ending", TEXTS)
@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("points", "40000"),
        ("points", "1.5"),
        ("points", "null"),
        ("points", "many"),
        ("points", '"many"'),
        ("points", "[1]"),
        ("points", "99999999999999999999"),
        ("points", "-1e300"),
        ("stock", "128"),
        ("outcome", '"draw"'),
        ("outcome", "7"),
        ("outcome", "[1]"),
        ("outcome", "{}"),
        ("winner", '"South"'),
    ],
)
def test_impossible_values_are_refused(
    tmp_path: Path, ending: str, column: str, value: str
) -> None:
    path = tmp_path / f"x{ending}"
    write_some(path)
    damage(path, column, value)
    with pytest.raises(OptionError, match=re.escape(str(path))) as refused:
        read_records(path)
    assert str(refused.value).count("\n") == 0


def test_lines_of_another_length_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    write_some(path)
    lines = path.read_text().splitlines()
    for change in (
        [*lines[:-1], lines[-1] + ",7"],
        [*lines[:2], *(line + ",7" for line in lines[2:])],
        [*lines[:-1], lines[-1].rpartition(",")[0]],
        [*lines[:-1], lines[-1] + '"'],
    ):
        path.write_text("\n".join(change) + "\n")
        with pytest.raises(OptionError, match="is damaged"):
            read_records(path)
    path = tmp_path / "x.jsonl"
    write_some(path)
    lines = path.read_text().splitlines()
    for line, words in (
        (lines[-1].replace('"turns"', '"turn"'), "line 101: .*missing turns; unknown turn"),
        (lines[-1][:-1] + ',"more":1}', "line 101: .*unknown more"),
        ("[1, 2]", "line 101 is no object"),
        ("", "line 101 is no JSON"),
        (lines[-1][:-1], "line 101 is no JSON"),
    ):
        path.write_text("\n".join([*lines[:-1], line]) + "\n")
        with pytest.raises(OptionError, match=words):
            read_records(path)


def test_the_order_of_keys_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    frame = write_some(path)
    header, *rows = path.read_text().splitlines()
    turned = [json.dumps(dict(reversed(json.loads(row).items()))) for row in rows]
    path.write_text("\n".join([header, *turned]) + "\n")
    check_equal(read_records(path), frame)


def test_what_is_no_path_or_frame_is_refused() -> None:
    for call in (
        lambda: ginsim.read_records(5),  # type: ignore[arg-type]
        lambda: ginsim.write_records(5, "x.csv"),  # type: ignore[arg-type]
        lambda: ginsim.estimate(5, mean="net"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ginsim.OptionError, match="5 is not allowed"):
            call()
