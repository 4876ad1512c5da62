"""Typed values from tables: what does not fit is refused in our words, with its place and what is allowed there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import inspect

from baccarat.law.error import nearest

SCALARS = frozenset({inspect.BoolType, inspect.IntType, inspect.StrType})


class Misfit(ValueError):  # noqa: N818
    """A value that does not fit: `path` says where, `say` what is wrong and what is allowed."""

    def __init__(self, path: str, say: str) -> None:
        super().__init__(f"{path}: {say}")
        self.path = path
        self.say = say


def typed(value: Any, kind: Any, path: str) -> Any:
    """The value as a `kind`; `Misfit` if it is none."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        misfit = next(_misfits(value, inspect.type_info(kind), path), None)
        raise misfit or Misfit(path, str(error)) from None


def _misfits(value: Any, kind: inspect.Type, path: str) -> Iterator[Misfit]:
    """Everything in a value that does not fit its type, the outermost first."""
    match kind:
        case inspect.AnyType():
            return
        case inspect.UnionType():
            yield from _of_none(value, kind, path)
        case inspect.StructType():
            yield from _of_struct(value, kind, path)
        case inspect.DictType():
            yield from _of_dict(value, kind, path)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            yield from _of_list(value, kind, item, path)
        case inspect.TupleType(item_types=items):
            yield from _of_tuple(value, kind, items, path)
        case inspect.LiteralType(values=words):
            yield from _of_words(value, kind, words, path)
        case _ if not _fits(value, kind):
            yield _not(value, kind, path)


def _fits(value: Any, kind: inspect.Type) -> bool:
    """Whether a plain value is of a plain type."""
    match kind:
        case inspect.IntType(ge=ge, le=le):
            is_whole = isinstance(value, int) and not isinstance(value, bool)
            return is_whole and (ge is None or value >= ge) and (le is None or value <= le)
        case inspect.StrType(min_length=least):
            return isinstance(value, str) and len(value) >= (least or 0)
        case inspect.BoolType():
            return isinstance(value, bool)
        case _:
            return True


def _not(value: Any, kind: inspect.Type, path: str) -> Misfit:
    return Misfit(path, f"{shown(value)} is not {described(kind)}")


def _of_none(value: Any, kind: inspect.UnionType, path: str) -> Iterator[Misfit]:
    """A value that fits none of several types; where only one could be meant, what is wrong with it as that one."""
    real = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    faults = {id(each): list(_misfits(value, each, path)) for each in real}
    if not all(faults.values()):
        return
    meant = [each for each in real if any(misfit.path != path for misfit in faults[id(each)])]
    meant += [each for each in real if isinstance(each, inspect.StructType) and isinstance(value, Mapping)]
    if len(real) == 1 or meant:
        yield faults[id((meant or real)[0])][0]
    else:
        yield _not(value, kind, path)


def _of_struct(value: Any, kind: inspect.StructType, path: str) -> Iterator[Misfit]:
    if not isinstance(value, Mapping):
        yield _not(value, kind, path)
        return
    fields = {field.encode_name: field for field in kind.fields}
    for key in value:
        if key not in fields:
            near = nearest(str(key), fields)
            hint = f"did you mean {near!r}?" if near else f"what may stand here: {', '.join(fields)}"
            yield Misfit(f"{path}.{key}", f"no such key here; {hint}")
    missing = [name for name, field in fields.items() if field.required and name not in value]
    if missing:
        yield Misfit(path, f"{missing[0]!r} is missing: {described(fields[missing[0]].type)}")
    for name, field in fields.items():
        if name in value:
            yield from _misfits(value[name], field.type, f"{path}.{name}")


def _of_dict(value: Any, kind: inspect.DictType, path: str) -> Iterator[Misfit]:
    if not isinstance(value, Mapping):
        yield _not(value, kind, path)
        return
    if len(value) < (kind.min_length or 0):
        yield Misfit(path, f"is empty; expected {described(kind)}")
    for key, each in value.items():
        yield from _misfits(key, kind.key_type, f"{path}.{key}")
        yield from _misfits(each, kind.value_type, f"{path}.{key}")


def _of_words(value: Any, kind: inspect.Type, words: tuple[Any, ...], path: str) -> Iterator[Misfit]:
    if any(value == word and type(value) is type(word) for word in words):
        return
    near = nearest(value, [word for word in words if isinstance(word, str)]) if isinstance(value, str) else None
    hint = f"; did you mean {near!r}?" if near else ""
    yield Misfit(path, f"{shown(value)} is not allowed; expected {described(kind)}{hint}")


def _of_tuple(value: Any, kind: inspect.Type, items: tuple[inspect.Type, ...], path: str) -> Iterator[Misfit]:
    if not isinstance(value, list | tuple) or len(value) != len(items):
        yield _not(value, kind, path)
        return
    for index, (each, item) in enumerate(zip(value, items, strict=True)):
        yield from _misfits(each, item, f"{path}[{index}]")


def _of_list(value: Any, kind: inspect.Type, item: inspect.Type, path: str) -> Iterator[Misfit]:
    if not isinstance(value, list | tuple):
        yield _not(value, kind, path)
        return
    if len(value) < (getattr(kind, "min_length", None) or 0):
        yield Misfit(path, f"is empty; expected {described(kind)}")
    for index, each in enumerate(value):
        yield from _misfits(each, item, f"{path}[{index}]")


def described(kind: inspect.Type) -> str:
    """What a type takes, in words."""
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=ge, le=le):
            if ge is not None and le is not None:
                return f"a whole number from {ge} to {le}"
            return "a whole number" + (f" of at least {ge}" if ge is not None else "")
        case inspect.StrType():
            return "a text" + (" that is not empty" if kind.min_length else "")
        case inspect.LiteralType(values=words):
            return " or ".join(map(shown, words)) if len(words) < 3 else "one of " + ", ".join(map(shown, words))
        case inspect.StructType(fields=fields):
            return f"a table with {', '.join(field.encode_name for field in fields if field.required) or 'its keys'}"
        case inspect.DictType():
            return f"a table, each of its values {described(kind.value_type)}"
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return f"a list, each of its entries {described(item)}"
        case inspect.TupleType(item_types=items):
            return f"a list of {len(items)}: {', '.join(map(described, items))}"
        case inspect.UnionType(types=types) if {*map(type, types)} >= SCALARS:
            more = [described(each) for each in types if type(each) not in SCALARS]
            return " or ".join(["a number, a text or a truth value", *more])
        case inspect.UnionType(types=types):
            return " or ".join(described(each) for each in types if not isinstance(each, inspect.NoneType))
        case _:
            return "a value"


def shown(value: Any) -> str:
    """A value as a message shows it, short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "a table" if value else "an empty table"
    if isinstance(value, list | tuple):
        return "a list" if value else "an empty list"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
