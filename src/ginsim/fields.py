"""Frozen records whose fields say in one place what they mean and what they allow.

`Record` is the base of `ginsim.rules.Rules` and `ginsim.strategies.Strategy`. A field's
description, unit and level stand in its `pydantic` field, its allowed values in its type;
error messages, the commands that explain, and the tables in the documentation are made from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from ginsim.errors import GinsimError, join_words, refuse, refuse_name


def describe(default: object, text: str, *, unit: str = "", level: str = "", note: str = "") -> Any:
    """A field with its default, its meaning in one sentence, its unit and its level.

    Args:
        note: what to add when a value is refused, for values a user has reason to try.
    """
    extra: dict[str, Any] = {"unit": unit, "level": level, "note": note}
    return Field(default, description=text, json_schema_extra=extra)


class Record(BaseModel):
    """A frozen, hashable record with a name, compared by everything but the name.

    The name says where a record came from; two records of different origin that play the same
    are equal.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    #: The exception of this record, and its word for a field.
    error: ClassVar[type[GinsimError]] = GinsimError
    field_word: ClassVar[str] = "field"

    name: str = Field("custom", description="where the record came from")

    def __init__(self, /, **values: Any) -> None:
        values = {field: _plain(value) for field, value in values.items()}
        problems: dict[str, str] = {}
        try:
            super().__init__(**values)
        except ValidationError as failure:
            for detail in failure.errors(include_url=False, include_context=False):
                field = str(detail["loc"][0])
                problems[field] = self._refuse(field, values.get(field))
        sound = {
            **{field: info.default for field, info in type(self).model_fields.items()},
            **{
                field: value
                for field, value in values.items()
                if field in type(self).model_fields and field not in problems
            },
        }
        found = list(problems.values())
        for fields, sentence in self.find_contradictions(sound):
            if not problems.keys() & set(fields):
                found.append(sentence)
        if found:
            raise self.error(*found)

    @classmethod
    def find_contradictions(
        cls, values: Mapping[str, Any]
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        """Combinations without meaning: the fields involved and the sentence for each."""
        return iter(())

    @classmethod
    def field_names(cls) -> tuple[str, ...]:
        """The fields that decide how the record plays: all but the name."""
        return tuple(field for field in cls.model_fields if field != "name")

    def values(self) -> dict[str, bool | int | str]:
        """The fields that decide how the record plays, with their values."""
        return {field: getattr(self, field) for field in self.field_names()}

    @classmethod
    def _refuse(cls, field: str, value: object) -> str:
        info = cls.model_fields.get(field)
        if info is None:
            return refuse_name(cls.field_word, field, cls.field_names())
        note = get_extra(info, "note")
        return refuse(field, value, allowed_words(info)) + (f" ({note})" if note else "")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record) or type(self) is not type(other):
            return NotImplemented
        return self.values() == other.values()

    def __hash__(self) -> int:
        return hash((type(self), *self.values().values()))


def get_extra(info: FieldInfo, key: str) -> str:
    """An entry of a field's metadata (see `describe`), empty if it has none."""
    extra = info.json_schema_extra
    return str(extra.get(key, "")) if isinstance(extra, dict) else ""


def choices(info: FieldInfo) -> tuple[str, ...]:
    """The words a field allows, in the order of their codes; empty for numbers and booleans."""
    return tuple(
        str(word)
        for kind, _ in _alternatives(info.annotation, info.metadata)
        if get_origin(kind) is Literal
        for word in get_args(kind)
    )


def allowed_words(info: FieldInfo) -> str:
    """What a field allows, in words: `whole numbers 0 to 10, or card`."""
    parts = []
    for kind, metadata in _alternatives(info.annotation, info.metadata):
        if get_origin(kind) is Literal:
            parts.append(join_words(map(str, get_args(kind))))
        elif kind is bool:
            parts.append("true or false")
        elif kind is int:
            low: Any = next(bound.ge for bound in metadata if isinstance(bound, Ge))
            high: Any = next(bound.le for bound in metadata if isinstance(bound, Le))
            parts.append(f"whole numbers {low} to {high}" if low != high else f"{low}")
        else:
            parts.extend(getattr(item, "allowed_words", "text") for item in metadata or ("",))
    return ", or ".join(parts)


def list_values(info: FieldInfo) -> range | tuple[int | str, ...]:
    """The values of a field of words and numbers; empty for others."""
    values: list[int | str] = list(choices(info))
    numbers = range(0)
    for kind, metadata in _alternatives(info.annotation, info.metadata):
        if kind is int:
            low: Any = next(bound.ge for bound in metadata if isinstance(bound, Ge))
            high: Any = next(bound.le for bound in metadata if isinstance(bound, Le))
            numbers = range(low, high + 1)
    return (*values, *numbers) if values else numbers


def _alternatives(kind: Any, metadata: list[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """The simple types of a field's type, each with its bounds."""
    if get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _alternatives(part, metadata)
    elif get_origin(kind) is Annotated:
        inner, *more = get_args(kind)
        for item in more:
            metadata = metadata + (item.metadata if isinstance(item, FieldInfo) else [item])
        yield from _alternatives(inner, metadata)
    else:
        yield kind, metadata


def _plain(value: Any) -> Any:
    """NumPy's scalars as Python's, so that a sweep over an array can set a field."""
    is_scalar = type(value).__module__ == "numpy" and getattr(value, "shape", None) == ()
    return value.item() if is_scalar else value
