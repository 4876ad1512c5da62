"""Typed values from tables: what does not fit is refused in our words, with its place and what is allowed there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from baccarat.law.error import hint, nearest

SCALARS = frozenset({inspect.BoolType, inspect.IntType, inspect.StrType})


class Misfit(ValueError):  # noqa: N818
    """A value that does not fit: `path` says where, `say` what is wrong and what is allowed."""

    def __init__(self, path: str, say: str) -> None:
        super().__init__(f"{path}: {say}" if path else say)
        self.path = path
        self.say = say


class Wording(msgspec.Struct, frozen=True):
    """How messages speak of types: what a table is called, and which types have names of their own."""

    table: str
    named: tuple[tuple[inspect.Type, str], ...] = ()

    def type_in_words(self, kind: inspect.Type) -> str:
        """What a type takes, in words."""
        own = next((words for each, words in self.named if each == kind), None)
        return own or _type_text(kind, self)

    def short_text(self, value: Any) -> str:
        """A value as a message shows it, short."""
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, Mapping):
            return _article(self.table if value else f"empty {self.table}")
        if isinstance(value, list | tuple):
            return "a list" if value else "an empty list"
        text = repr(value)
        return text if len(text) <= 60 else f"{text[:57]}…"


IN_TOML = Wording("table")


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def convert_to(value: Any, kind: Any, path: str, *, words: Wording = IN_TOML) -> Any:
    """The value as a `kind`; `Misfit` if it does not fit."""
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise misfit_of(value, kind, path, words=words) or Misfit(path, str(error)) from None


def misfit_of(value: Any, kind: Any, path: str, *, words: Wording = IN_TOML) -> Misfit | None:
    """The first thing in a value that does not fit `kind`; None if all of it does."""
    return next(_misfits(value, _type_info(kind), path, words), None)


@cache
def _type_info(kind: Any) -> inspect.Type:
    """What msgspec knows about a type, cached because a thousand bad records of a type may come in a row."""
    return inspect.type_info(kind)


def _misfits(value: Any, kind: inspect.Type, path: str, words: Wording) -> Iterator[Misfit]:
    """Everything in a value that does not fit its type, the outermost first."""
    match kind:
        case inspect.AnyType():
            return
        case inspect.Metadata(type=inner):
            yield from _misfits(value, inner, path, words)
        case inspect.UnionType():
            yield from _union_misfits(value, kind, path, words)
        case inspect.StructType():
            yield from _struct_misfits(value, kind, path, words)
        case inspect.DictType():
            yield from _dict_misfits(value, kind, path, words)
        case inspect.VarTupleType() | inspect.ListType():
            yield from _list_misfits(value, kind, path, words)
        case inspect.TupleType():
            yield from _tuple_misfits(value, kind, path, words)
        case inspect.LiteralType(values=choices):
            yield from _choice_misfits(value, kind, choices, path, words)
        case inspect.EnumType(cls=cls):
            choices = tuple(member.value for member in cls)
            if not isinstance(value, str) or value not in cls._value2member_map_:
                yield from _choice_misfits(value, kind, choices, path, words)
        case _ if not _is_of_type(value, kind):
            yield _type_misfit(value, kind, path, words)


def _is_of_type(value: Any, kind: inspect.Type) -> bool:
    """Whether a plain value is of a plain type."""
    match kind:
        case inspect.IntType():
            least, most = _bounds(kind)
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            return is_whole and (least is None or value >= least) and (most is None or value <= most)
        case inspect.StrType(min_length=least, max_length=most, pattern=pattern):
            is_long = isinstance(value, str) and len(value) >= (least or 0) and (most is None or len(value) <= most)
            return is_long and (pattern is None or re.search(pattern, value) is not None)
        case inspect.BoolType():
            return isinstance(value, bool)
        case _:
            return True


def _bounds(kind: inspect.IntType) -> tuple[int | None, int | None]:
    """The least and the greatest number that a type takes, where it has them."""
    least = kind.ge if kind.gt is None else kind.gt + 1
    return least, kind.le if kind.lt is None else kind.lt - 1


def _child_path(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)


def _type_misfit(value: Any, kind: inspect.Type, path: str, words: Wording) -> Misfit:
    return Misfit(path, f"{words.short_text(value)} is not {words.type_in_words(kind)}")


def _union_misfits(value: Any, kind: inspect.UnionType, path: str, words: Wording) -> Iterator[Misfit]:
    """A value that fits none of several types; where only one could be meant, what is wrong with it as that one."""
    real = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    if value is None and len(real) < len(kind.types):
        return
    faults = {id(each): list(_misfits(value, each, path, words)) for each in real}
    if not all(faults.values()):
        return
    meant = [each for each in real if any(misfit.path != path for misfit in faults[id(each)])]
    meant += [each for each in real if isinstance(each, inspect.StructType) and isinstance(value, Mapping)]
    if len(real) == 1 or meant:
        yield faults[id((meant or real)[0])][0]
    else:
        yield _type_misfit(value, kind, path, words)


def _struct_misfits(value: Any, kind: inspect.StructType, path: str, words: Wording) -> Iterator[Misfit]:
    if not isinstance(value, Mapping):
        yield _type_misfit(value, kind, path, words)
        return
    fields = {field.encode_name: field for field in kind.fields}
    for key in value:
        if key not in fields and key != kind.tag_field and kind.forbid_unknown_fields:
            near = nearest(str(key), fields)
            known = f"did you mean {near!r}?" if near else f"allowed here: {', '.join(fields)}"
            yield Misfit(_child_path(path, key), f"no such key here; {known}")
    missing = [name for name, field in fields.items() if field.required and name not in value]
    if missing:
        yield Misfit(path, f"{missing[0]!r} is missing: {words.type_in_words(fields[missing[0]].type)}")
    for name, field in fields.items():
        if name in value:
            yield from _misfits(value[name], field.type, _child_path(path, name), words)


def _dict_misfits(value: Any, kind: inspect.DictType, path: str, words: Wording) -> Iterator[Misfit]:
    if not isinstance(value, Mapping):
        yield _type_misfit(value, kind, path, words)
        return
    yield from _length_misfits(value, kind, path, words)
    for key, each in value.items():
        name = int(key) if isinstance(kind.key_type, inspect.IntType) and re.fullmatch("-?[0-9]{1,9}", key) else key
        yield from _misfits(name, kind.key_type, _child_path(path, key), words)
        yield from _misfits(each, kind.value_type, _child_path(path, key), words)


def _length_misfits(
    value: Any, kind: inspect.DictType | inspect.VarTupleType | inspect.ListType, path: str, words: Wording
) -> Iterator[Misfit]:
    if len(value) < (kind.min_length or 0):
        yield Misfit(path, f"is empty; expected {words.type_in_words(kind)}")
    if kind.max_length is not None and len(value) > kind.max_length:
        yield Misfit(path, f"has {len(value)} entries; expected at most {kind.max_length}")


def _choice_misfits(
    value: Any, kind: inspect.Type, choices: tuple[Any, ...], path: str, words: Wording
) -> Iterator[Misfit]:
    if any(value == choice and type(value) is type(choice) for choice in choices):
        return
    near = hint(value, [word for word in choices if isinstance(word, str)]) if isinstance(value, str) else ""
    yield Misfit(path, f"{words.short_text(value)} is not allowed; expected {words.type_in_words(kind)}{near}")


def _tuple_misfits(value: Any, kind: inspect.TupleType, path: str, words: Wording) -> Iterator[Misfit]:
    if not isinstance(value, list | tuple) or len(value) != len(kind.item_types):
        yield _type_misfit(value, kind, path, words)
        return
    for index, (each, item) in enumerate(zip(value, kind.item_types, strict=True)):
        yield from _misfits(each, item, f"{path}[{index}]", words)


def _list_misfits(
    value: Any, kind: inspect.VarTupleType | inspect.ListType, path: str, words: Wording
) -> Iterator[Misfit]:
    if not isinstance(value, list | tuple):
        yield _type_misfit(value, kind, path, words)
        return
    yield from _length_misfits(value, kind, path, words)
    for index, each in enumerate(value):
        yield from _misfits(each, kind.item_type, f"{path}[{index}]", words)


def _type_text(kind: inspect.Type, words: Wording) -> str:
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return _number(kind)
        case inspect.StrType():
            return _text(kind)
        case inspect.LiteralType(values=choices):
            return _choice(choices, words)
        case inspect.EnumType(cls=cls):
            return _choice(tuple(member.value for member in cls), words)
        case inspect.StructType(fields=fields):
            keys = ", ".join(field.encode_name for field in fields if field.required) or "its keys"
            return f"{_article(words.table)} with {keys}"
        case inspect.DictType():
            return f"{_article(words.table)}, each of its values {words.type_in_words(kind.value_type)}"
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return f"a list, each of its entries {words.type_in_words(item)}"
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}: {', '.join(map(words.type_in_words, items))}"
        case inspect.UnionType(types=types) if {*map(type, types)} >= SCALARS:
            more = [words.type_in_words(each) for each in types if type(each) not in SCALARS]
            return " or ".join(["a number, a text, true or false", *more])
        case inspect.UnionType(types=types):
            return " or ".join(words.type_in_words(each) for each in types if not isinstance(each, inspect.NoneType))
        case _:
            return "a value"


def _number(kind: inspect.IntType) -> str:
    least, most = _bounds(kind)
    if least is not None and most is not None:
        return f"a whole number from {least} to {most}"
    return "a whole number" + (f" of at least {least}" if least is not None else "")


def _text(kind: inspect.StrType) -> str:
    if kind.max_length is not None:
        least = f"{kind.min_length} to" if kind.min_length else "at most"
        return f"a text of {least} {kind.max_length} visible characters"
    return "a text" + (" that is not empty" if kind.min_length else "")


def _choice(choices: tuple[Any, ...], words: Wording) -> str:
    shown = list(map(words.short_text, choices))
    return " or ".join(shown) if len(shown) < 3 else "one of " + ", ".join(shown)
