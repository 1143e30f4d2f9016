"""Any figure of records by groups, with its standard error and 95 % interval.

Here is what can be asked, and of which rows; figures.py computes. docs/statistics.md shows both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ginsim.errors import OptionError, refuse, refuse_name, show
from ginsim.expressions import evaluate_expression
from ginsim.figures import Cells, Floats, Measure, adjust, compute, two_sided

#: What a figure is made of: a column's name, an expression of columns such as "outcome == gin" or
#: "turns > 20", a function of the frame, or a value for each row.
Value: TypeAlias = "str | Callable[[pd.DataFrame], Any] | pd.Series[Any] | NDArray[Any]"
#: One, several, or several by names of one's own.
Values: TypeAlias = "Value | Sequence[Value] | Mapping[str, Value]"
#: Numerators and denominators.
Ratios: TypeAlias = (
    "tuple[Value, Value] | Sequence[tuple[Value, Value]] | Mapping[str, tuple[Value, Value]]"
)

#: More groups than this are a slip of the pen, such as grouping by hand.
MAX_GROUPS = 1_000_000
#: What stands beside the group's columns in a table.
COLUMNS = ("measure", "count", "clusters", "value", "se", "low", "high", "p", "p_holm")


def estimate(
    frame: pd.DataFrame,
    *,
    share: Values | None = None,
    mean: Values | None = None,
    ratio: Ratios | None = None,
    by: str | Sequence[str] | Mapping[str, Value] | None = None,
    paired: pd.DataFrame | Value | None = None,
    cluster: str | None = "deal",
) -> pd.DataFrame:
    """Shares, means and ratios by groups, with standard errors and 95 % intervals.

    Args:
        frame: records of hands or decisions, all or some of the rows, or any frame that has the
            columns asked for.
        share: of which rows the share is wanted: an expression of columns such as "outcome ==
            gin" or "turns > 20 and stock < 5" (docs/statistics.md), a column of true and false, a
            function of the frame (`lambda f: f["turns"] > 20`), or a true or false for each row.
            A categorical column's name stands for all of its values. Several in a list, or in a
            mapping by names of your own.
        mean: of what the mean is wanted, likewise: a column of numbers, a function, numbers.
        ratio: a pair (top, bottom) of such; the sum of the one over the sum of the other.
        by: columns of the groups, or a mapping of names to values. Every category of a
            categorical column is there, whether or not it has rows, and each observed value of
            another; a missing value makes a group of its own if there is one.
        paired: the figures are differences: those of `frame` minus those of this other frame,
            played on the same deals. Or true and false values, as for `share`: the figures of the
            rows where it is true minus those of the others.
        cluster: the column that says which rows depend on each other; None if none do.

    Returns:
        A frame with the columns of the groups and

        - `measure`: what was asked, or the name given to it;
        - `count`: rows of the group, on both sides of a difference;
        - `clusters`: deals among them, or values of `cluster`;
        - `value`, `se`, `low`, `high`: the figure, its standard error and 95 % interval; nan
          where there is no ground for one;
        - of differences `p`, the two-sided chance of one so large if there were none, and
          `p_holm`, the same adjusted for the number of rows of this table (Holm 1979).

    Raises:
        OptionError: for columns, values and types that are not there or do not fit, in words.

    >>> import ginsim
    >>> frame = ginsim.simulate("kawu", "greedy", 10_000, seed=1)
    >>> table = estimate(frame, share="outcome == gin", mean="points", by="dealer")
    >>> list(table.columns)
    ['dealer', 'measure', 'count', 'clusters', 'value', 'se', 'low', 'high']
    >>> table["count"].tolist()
    [5000, 5000, 5000, 5000]
    """
    if not isinstance(frame, pd.DataFrame):
        raise OptionError(refuse("frame", frame, "a frame of records"))
    rows = _Rows.make(frame, paired, cluster)
    measures = [*_list_shares(rows, share), *_list_means(rows, mean), *_list_ratios(rows, ratio)]
    if not measures:
        raise OptionError("estimate: nothing is asked for; allowed: share, mean, ratio")
    names = [measure.name for measure in measures]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(
                f"estimate: two figures are called {show(name)}; allowed: names of your own, as in "
                "share={'long': …, 'short': …}"
            )
    groups, keys = _make_groups(rows, by)
    cells = Cells.make(groups, len(keys), rows.cluster, rows.is_second)
    table = pd.concat(
        [pd.concat([keys, compute(cells, measure)], axis=1) for measure in measures],
        ignore_index=True,
    )
    if rows.is_second is not None:
        table["p"] = two_sided(table["value"].to_numpy(), table["se"].to_numpy())
        table["p_holm"] = adjust(table["p"].to_numpy())
    for key, source in (("provenance", frame), ("paired", paired)):
        if isinstance(source, pd.DataFrame) and "provenance" in source.attrs:
            table.attrs[key] = source.attrs["provenance"]
    return table


def choose_rows(frame: pd.DataFrame, where: str) -> pd.DataFrame:
    """The rows of a frame in which an expression of its columns is true.

    Args:
        where: such as "seat == north and turn <= 5" (docs/statistics.md).

    Returns:
        A frame with these rows, their index and the attributes of the first.

    Raises:
        OptionError: for what is no such expression.

    >>> import ginsim
    >>> frame = ginsim.simulate("kawu", "greedy", 1000, seed=1)
    >>> choose_rows(frame, "outcome in (gin, big_gin)")["outcome"].unique().tolist()
    ['gin']
    """
    flags = _flags("where", _evaluate("where", where, frame))
    chosen = frame[flags]
    chosen.attrs = dict(frame.attrs)
    return chosen


# -- rows and their values ------------------------------------------------------------------------


class _Rows(NamedTuple):
    """The rows of one frame, or of two after each other."""

    frames: tuple[pd.DataFrame, ...]
    #: Which rows are those that are subtracted; None if nothing is.
    is_second: NDArray[np.bool_] | None
    #: Numbers of the clusters; None if each row is one.
    cluster: NDArray[np.int64] | None

    @classmethod
    def make(
        cls, frame: pd.DataFrame, paired: pd.DataFrame | Value | None, cluster: str | None
    ) -> _Rows:
        if isinstance(paired, pd.DataFrame):
            is_second = np.arange(len(frame) + len(paired)) >= len(frame)
            rows = cls((frame, paired), is_second, None)
        else:
            rows = cls((frame,), None, None)
            if paired is not None:
                is_first = _flags("paired", rows.evaluate("paired", paired))
                rows = rows._replace(is_second=~is_first)
        return rows._replace(cluster=rows._find_clusters(cluster))

    def evaluate(self, what: str, value: Any) -> pd.Series[Any]:
        """A value of every row."""
        if len(self.frames) == 2 and not (isinstance(value, str) or callable(value)):
            raise OptionError(
                f"{what}: values for each row belong to one frame, and there are two; allowed: a "
                "column's name, an expression of columns or a function of the frame"
            )
        parts = [_evaluate(what, value, frame) for frame in self.frames]
        return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)

    def _find_clusters(self, cluster: str | None) -> NDArray[np.int64] | None:
        if cluster is None:
            if self.is_second is not None:
                raise OptionError(
                    refuse("cluster", None, "with paired, the column by which rows are matched")
                )
            return None
        if any(cluster not in frame for frame in self.frames):
            raise OptionError(
                f"cluster: no column {show(cluster)}; allowed: a column of the frame, or None if "
                "no rows depend on each other"
            )
        if cluster == "deal" and len(self.frames) == 2:
            _check_same_decks(*self.frames)
        column = self.evaluate("cluster", cluster)
        codes, uniques = pd.factorize(column, use_na_sentinel=False)
        if self.is_second is None:
            return None if len(uniques) == len(column) else codes
        ours, theirs = np.unique(codes[~self.is_second]), np.unique(codes[self.is_second])
        if len(ours) and len(theirs) and not len(np.intersect1d(ours, theirs)):
            raise OptionError(
                f"paired: no {cluster} is on both sides; allowed: rows that have some in common"
            )
        return codes


def _check_same_decks(frame: pd.DataFrame, other: pd.DataFrame) -> None:
    """See that equal deals are equal cards, as far as the frames tell."""
    ours, theirs = (part.attrs.get("provenance") for part in (frame, other))
    if ours is None or theirs is None:
        return
    # Decks that were given do not depend on the seed.
    keys = ["decks"] if "decks" in ours or "decks" in theirs else ["seed", "stream"]
    for key in keys:
        if ours.get(key) != theirs.get(key):
            raise OptionError(
                f"paired: the frames differ in {key} ({show(ours.get(key))} and "
                f"{show(theirs.get(key))}), so that their deals are not the same; allowed: frames "
                "played on the same deals"
            )


#: One column and one value; any other text is an expression.
_EQUALS = re.compile(r"\s*(?P<column>.+?)\s*==\s*(?P<value>[^\s\"'()]+|'[^']*'|\"[^\"]*\")\s*")


def _evaluate(what: str, value: Any, frame: pd.DataFrame) -> pd.Series[Any]:
    if isinstance(value, str):
        if value in frame:
            return frame[value]
        match = _EQUALS.fullmatch(value)
        # Two columns are compared as an expression.
        if match is not None and match["column"] in frame and match["value"] not in frame:
            return _equals(what, frame[match["column"]], match["value"].strip("'\""))
        return evaluate_expression(what, value, frame)
    if callable(value):
        value = value(frame)
    if isinstance(value, pd.Series) and not value.index.equals(frame.index):
        raise OptionError(f"{what}: values with another index than the frame's")
    if np.shape(value) != (len(frame),):
        raise OptionError(
            f"{what}: values of shape {np.shape(value)}; allowed: one for each row, ({len(frame)},)"
        )
    return value if isinstance(value, pd.Series) else pd.Series(value, index=frame.index)


def _equals(what: str, column: pd.Series[Any], text: str) -> pd.Series[Any]:
    kind = column.dtype
    if isinstance(kind, pd.CategoricalDtype):
        known = [str(category) for category in kind.categories]
        if text not in known:
            raise OptionError(f"{what}: {refuse_name(f'value of {column.name}', text, known)}")
        return column.cat.codes == known.index(text)
    if pd.api.types.is_bool_dtype(kind):
        if text.lower() not in ("true", "false"):
            raise OptionError(refuse(f"{what}: {column.name}", text, "true or false"))
        return column == (text.lower() == "true")
    if pd.api.types.is_numeric_dtype(kind):
        try:
            return column == (float(text) if "." in text else int(text))
        except ValueError:
            raise OptionError(refuse(f"{what}: {column.name}", text, "a number")) from None
    return column.astype(object) == text


def _flags(what: str, values: pd.Series[Any]) -> NDArray[np.bool_]:
    if not pd.api.types.is_bool_dtype(values.dtype) or values.isna().any():
        raise OptionError(
            f"{what}: values of type {values.dtype}; allowed: true or false for each row, as of "
            "'outcome == gin'"
        )
    return values.to_numpy(np.bool_)


def _numbers(what: str, values: pd.Series[Any]) -> Floats:
    if not pd.api.types.is_numeric_dtype(values.dtype):
        raise OptionError(f"{what}: values of type {values.dtype}; allowed: numbers")
    numbers = values.to_numpy(np.float64, na_value=np.nan)
    if not np.isfinite(numbers).all():
        raise OptionError(
            f"{what}: missing or infinite values; allowed: a number for each row. Leave the other "
            "rows out, or ask for a ratio"
        )
    return numbers


# -- what is asked --------------------------------------------------------------------------------


def _list_values(kind: str, asked: Any, is_one: Callable[[Any], bool]) -> Iterator[tuple[str, Any]]:
    """What is asked, by name."""
    if asked is None:
        return
    if isinstance(asked, Mapping):
        yield from ((str(name), value) for name, value in asked.items())
        return
    for value in [asked] if is_one(asked) else asked:
        if isinstance(value, str):
            yield value, value
        elif isinstance(value, tuple) and all(isinstance(part, str) for part in value):
            yield " / ".join(value), value
        else:
            yield kind, value


def _is_value(value: Any) -> bool:
    return isinstance(value, str | pd.Series | np.ndarray) or callable(value)


def _list_shares(rows: _Rows, asked: Any) -> Iterator[Measure]:
    for name, value in _list_values("share", asked, _is_value):
        values = rows.evaluate("share", value)
        if isinstance(values.dtype, pd.CategoricalDtype):
            codes = values.cat.codes.to_numpy()
            for code, category in enumerate(values.dtype.categories):
                yield Measure(
                    f"{name} == {category}", (codes == code).astype(np.float64), None, True
                )
        else:
            yield Measure(name, _flags("share", values).astype(np.float64), None, True)


def _list_means(rows: _Rows, asked: Any) -> Iterator[Measure]:
    for name, value in _list_values("mean", asked, _is_value):
        yield Measure(name, _numbers("mean", rows.evaluate("mean", value)), None, False)


def _list_ratios(rows: _Rows, asked: Any) -> Iterator[Measure]:
    for name, pair in _list_values("ratio", asked, lambda value: isinstance(value, tuple | str)):
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise OptionError(refuse("ratio", pair, "a pair (top, bottom), or several in a list"))
        top, bottom = (_numbers("ratio", rows.evaluate("ratio", part)) for part in pair)
        yield Measure(name, top, bottom, False)


# -- groups ---------------------------------------------------------------------------------------


def _make_groups(rows: _Rows, by: Any) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """The group of each row, and a frame with one row for each group."""
    if by is None:
        asked: dict[str, Any] = {}
    elif isinstance(by, Mapping):
        asked = {str(name): value for name, value in by.items()}
    else:
        asked = {str(name): name for name in ([by] if isinstance(by, str) else by)}
    for name in asked:
        if name in COLUMNS:
            raise OptionError(
                refuse("by", name, f"other names than {', '.join(COLUMNS)}; name it in a mapping")
            )
    columns = {name: rows.evaluate("by", value) for name, value in asked.items()}

    # Of values without a fixed list only the combinations that occur; then with each category.
    fixed = [name for name in columns if isinstance(columns[name].dtype, pd.CategoricalDtype)]
    groups = np.zeros(sum(map(len, rows.frames)), np.int64)
    codes: dict[str, NDArray[np.int64]] = {}
    levels: dict[str, Any] = {}
    size = 1
    for name in (name for name in columns if name not in fixed):
        code, levels[name] = pd.factorize(columns[name], sort=True, use_na_sentinel=False)
        groups, present = pd.factorize(groups * len(levels[name]) + code, sort=True)
        former, code = np.divmod(present, max(len(levels[name]), 1))
        codes = {other: codes[other][former] for other in codes} | {name: code}
        size = len(present)
    for name in fixed:
        code = columns[name].cat.codes.to_numpy().astype(np.int64)
        num_levels = len(columns[name].cat.categories)
        if (code < 0).any():
            code[code < 0] = num_levels
            num_levels += 1
        if size * num_levels > MAX_GROUPS:
            break
        groups = groups * num_levels + code
        codes = {other: codes[other].repeat(num_levels) for other in codes}
        codes[name] = np.tile(np.arange(num_levels), size)
        size *= num_levels
    if size > MAX_GROUPS or len(codes) < len(columns):
        raise OptionError(f"by: more than {MAX_GROUPS} groups; allowed: fewer")

    keys = {}
    for name, column in columns.items():
        if isinstance(column.dtype, pd.CategoricalDtype):
            code = np.where(codes[name] == len(column.cat.categories), -1, codes[name])
            keys[name] = pd.Series(pd.Categorical.from_codes(code, dtype=column.dtype))
        else:
            keys[name] = pd.Series(levels[name].take(codes[name]))
    order = np.arange(size)
    if codes:
        order = np.lexsort([codes[name] for name in reversed(list(columns))])
    places = np.empty(size, np.int64)
    places[order] = np.arange(size)
    table = pd.DataFrame(keys, index=range(size)).take(order).reset_index(drop=True)
    return places[groups], table
