"""Values of each row of a frame, from text: `outcome == gin and turns <= 10`.

What may be written, with the words that stand in docs/statistics.md:

- a column's name; a number; a value of a category as it is (`gin`, `Th`) or in quotes (`"2c"`);
- `==  !=  <  <=  >  >=`, also in chains (`1 <= turn <= 4`), `in (gin, big_gin)`, `not in`;
- `and  or  not`, `+  -  *  /`, brackets;
- `rank(CARD)`, `suit(CARD)` and `pips(CARD)` of a column of cards, `count(MASK)` and `count(MASK,
  WHAT)` of a column of sets: how many cards it has, or how many of a rank, a suit, or one card;
- `abs(X)`, `least(X, Y)`, `most(X, Y)`.

Text is read as Python reads an expression and then worked out here, node by node; nothing else is
run.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pandas as pd

from ginsim.cards import DECK, RANKS, SUITS, as_mask
from ginsim.columns import CARDS
from ginsim.errors import CardError, OptionError, join_words, refuse, refuse_name, show

#: No text is longer, so that none is nested deeper than Python can read.
LONGEST = 1000

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_FUNCTIONS = ("rank", "suit", "pips", "count", "abs", "least", "most")
_RANK_MASKS = {
    name: sum(1 << (suit * 13 + rank) for suit in range(4)) for rank, name in enumerate(RANKS)
}
_SUIT_MASKS = {name: 0x1FFF << (13 * suit) for suit, name in enumerate(SUITS)}
#: A suit or a card that begins with a digit, which Python would not read as a word.
_BARE_CARD = re.compile(r"(?<![\w\"'.])([2-9]|10)([cdhs])(?![\w\"'])")


class _Word(str):
    """A word that is no column: a value of a category, or something misspelt."""


def evaluate_expression(what: str, text: str, frame: pd.DataFrame) -> pd.Series[Any]:
    """The value of an expression in every row.

    Args:
        what: what it is for, as errors call it.
        text: the expression; the module says what may be written.
        frame: its columns are the names.

    Returns:
        A series with the frame's index: of numbers, of true and false, or a column itself.
        Comparisons with a missing value are false, and `!=` is true.

    Raises:
        OptionError: for what cannot be read, unknown columns and values, and types that do not
            go together.
    """
    return _Reader(what, text, frame).read()


class _Reader:
    def __init__(self, what: str, text: str, frame: pd.DataFrame) -> None:
        self.what = what
        self.text = text
        self.frame = frame

    def read(self) -> pd.Series[Any]:
        if len(self.text) > LONGEST:
            self.fail(f"longer than {LONGEST} characters")
        try:
            tree = ast.parse(_BARE_CARD.sub(r'"\1\2"', self.text.strip()), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.fail("not an expression")
        value = self.evaluate(tree.body)
        if isinstance(value, _Word):
            raise OptionError(f"{self.what}: {self.unknown(value)}")
        if not isinstance(value, pd.Series):
            value = pd.Series(value, index=self.frame.index)
        return value

    def fail(self, why: str) -> NoReturn:
        raise OptionError(
            f"{self.what}: {show(self.text)}: {why}; allowed: a column or an expression of "
            "columns, such as 'outcome == gin and turns <= 10'"
        )

    def unknown(self, name: str) -> str:
        return refuse_name("column", str(name), map(str, self.frame))

    # -- nodes ------------------------------------------------------------------------------------

    def evaluate(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return number
            case ast.Constant(value=str() as word):
                return _Word(word)
            case ast.Name(id=name):
                return self.frame[name] if name in self.frame else self.read_word(name)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return ~self.flags(operand)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -self.numbers(operand)
            case ast.BoolOp(op=op, values=values):
                join = operator.and_ if isinstance(op, ast.And) else operator.or_
                flags = self.flags(values[0])
                for value in values[1:]:
                    flags = join(flags, self.flags(value))
                return flags
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return _ARITHMETIC[type(op)](self.numbers(left), self.numbers(right))
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [left, *others]
                result = self.compare(sides[0], ops[0], sides[1])
                for place, other in enumerate(ops[1:], 1):
                    result = result & self.compare(sides[place], other, sides[place + 1])
                return result
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self.call(name, arguments)
            case _:
                self.fail(f"{ast.unparse(node)} is not known here")

    @staticmethod
    def read_word(name: str) -> Any:
        return {"true": True, "false": False}.get(name, _Word(name))

    def flags(self, node: ast.expr) -> Any:
        """True or false in every row."""
        value = self.evaluate(node)
        if isinstance(value, _Word):
            raise OptionError(f"{self.what}: {self.unknown(value)}")
        if isinstance(value, bool):
            return pd.Series(value, index=self.frame.index)
        if not isinstance(value, pd.Series) or not pd.api.types.is_bool_dtype(value.dtype):
            self.fail(f"{ast.unparse(node)} is not true or false")
        return value

    def numbers(self, node: ast.expr) -> Any:
        """Numbers wide enough to be added and multiplied, or one number."""
        value = self.evaluate(node)
        if isinstance(value, _Word):
            raise OptionError(f"{self.what}: {self.unknown(value)}")
        if not isinstance(value, pd.Series):
            return int(value) if isinstance(value, bool) else value
        if pd.api.types.is_bool_dtype(value.dtype) or pd.api.types.is_signed_integer_dtype(value):
            return value.astype(np.int64)
        if pd.api.types.is_numeric_dtype(value.dtype):
            return value.astype(np.float64)
        self.fail(f"{ast.unparse(node)} is not a number")

    # -- comparisons ------------------------------------------------------------------------------

    def compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Any:
        if isinstance(op, ast.In | ast.NotIn):
            if not isinstance(right, ast.Tuple | ast.List):
                self.fail(f"{ast.unparse(right)} is no list; a list is written (gin, big_gin)")
            found = pd.Series(False, index=self.frame.index)
            for item in right.elts:
                found = found | self.compare(left, ast.Eq(), item)
            return ~found if isinstance(op, ast.NotIn) else found
        if type(op) not in _COMPARISONS:
            self.fail("'is' is not known here")
        one, other = self.evaluate(left), self.evaluate(right)
        if isinstance(one, pd.Series) and not pd.api.types.is_numeric_dtype(one.dtype):
            return self.compare_values(one, op, other, ast.unparse(left))
        if isinstance(other, pd.Series) and not pd.api.types.is_numeric_dtype(other.dtype):
            if not isinstance(op, ast.Eq | ast.NotEq):
                self.fail(f"{ast.unparse(right)} has to stand to the left of < and >")
            return self.compare_values(other, op, one, ast.unparse(right))
        return _COMPARISONS[type(op)](self.numbers(left), self.numbers(right))

    def compare_values(self, column: pd.Series[Any], op: ast.cmpop, other: Any, name: str) -> Any:
        """A column of categories or of text with a word, a number as text, or another."""
        is_equality = isinstance(op, ast.Eq | ast.NotEq)
        kind = column.dtype
        if isinstance(other, pd.Series):
            if not is_equality:
                self.fail(f"{name} has no order with another column")
            equal = column.astype(object) == other.astype(object)
        elif isinstance(kind, pd.CategoricalDtype):
            known = [str(category) for category in kind.categories]
            if str(other) not in known:
                raise OptionError(
                    f"{self.what}: {refuse_name(f'value of {name}', str(other), known)}"
                )
            codes = column.cat.codes
            if not is_equality:
                if not kind.ordered:
                    self.fail(f"{name} has no order")
                return _COMPARISONS[type(op)](codes, known.index(str(other))) & (codes >= 0)
            equal = codes == known.index(str(other))
        elif is_equality:
            equal = column.astype(object) == other
        else:
            self.fail(f"{name} has no order")
        return ~equal if isinstance(op, ast.NotEq) else equal

    # -- functions --------------------------------------------------------------------------------

    def call(self, name: str, arguments: list[ast.expr]) -> Any:
        if name not in _FUNCTIONS:
            raise OptionError(f"{self.what}: {refuse_name('function', name, _FUNCTIONS)}")
        allowed = {"count": (1, 2), "least": (2,), "most": (2,)}.get(name, (1,))
        if len(arguments) not in allowed:
            self.fail(f"{name} takes {join_words(map(str, allowed))} in its brackets")
        if name in ("rank", "suit", "pips"):
            return self.read_cards(name, arguments[0])
        if name == "count":
            return self.count(*arguments)
        values = [self.numbers(argument) for argument in arguments]
        if name == "abs":
            return abs(values[0])
        return (np.minimum if name == "least" else np.maximum)(*values)

    def read_cards(self, name: str, node: ast.expr) -> Any:
        """Rank, suit or pips of a column of cards; missing where the card is."""
        column = self.evaluate(node)
        kind = getattr(column, "dtype", None)
        if not isinstance(kind, pd.CategoricalDtype) or tuple(kind.categories) != CARDS:
            self.fail(f"{ast.unparse(node)} is not a column of cards")
        codes = column.cat.codes.to_numpy()
        if name == "pips":
            pips = np.where(codes < 0, np.nan, np.minimum(codes % 13 + 1, 10))
            return pd.Series(pips, index=self.frame.index)
        numbers = np.where(codes < 0, -1, codes % 13 if name == "rank" else codes // 13)
        names = list(RANKS if name == "rank" else SUITS)
        kind = pd.CategoricalDtype(names, ordered=name == "rank")
        cards = pd.Categorical.from_codes(numbers.astype(np.int64), dtype=kind)
        return pd.Series(cards, index=self.frame.index)

    def count(self, node: ast.expr, wanted: ast.expr | None = None) -> Any:
        """How many cards a set has, or how many of a rank, a suit, or one card."""
        column = self.evaluate(node)
        if not isinstance(column, pd.Series) or column.dtype != np.uint64:
            self.fail(f"{ast.unparse(node)} is not a column of sets of cards")
        cards = column.to_numpy() & np.uint64(self.read_mask(wanted))
        return pd.Series(np.bitwise_count(cards).astype(np.int64), index=self.frame.index)

    def read_mask(self, wanted: ast.expr | None) -> int:
        if wanted is None:
            return DECK
        word = str(self.evaluate(wanted))
        known = {**_RANK_MASKS, **_SUIT_MASKS, "10": _RANK_MASKS["T"]}
        if word in known:
            return known[word]
        try:
            return as_mask(word)
        except CardError:
            allowed = f"a rank ({' '.join(RANKS)}), a suit ({' '.join(SUITS)}) or a card"
            raise OptionError(refuse(f"{self.what}: count", word, allowed)) from None
