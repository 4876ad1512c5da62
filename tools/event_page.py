"""The page of every event of a table: its name, what it says, and its fields with their types and meanings."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from enum import Enum
from typing import Any

import msgspec
from msgspec import inspect as types

from baccarat.table.machine import EVENT_DECODER  # noqa: F401  every module of events is read
from baccarat.table.registration import EVOLVERS

MICRO = 10**18
"""Numbers with this bound are sums in millionths of a cent, which do not fit a number of JSON."""
HEAD = """# Events of a table

Every event that a record of a table's stream may hold, by name. [The journal](journal.md) has the form of a record,
[the bundle](bundle.md) says what to check. Each event is a JSON object with `event`, its name, and the fields below.
A field whose default is *left out* is absent unless it has a value, and is never null. Every other field is written,
also where it has its default and that is `null`; only an event or object that is marked *short* leaves out each field
that has its default. Sums are whole cents unless it says otherwise, seats and positions are numbers, positions and
numbers of events begin at 0, and an object *by number* has the numbers as texts.
"""


def event_page() -> str:
    """Every event, then the objects within them."""
    inner: dict[type[Any], None] = {}
    lines = [HEAD]
    for kind in sorted(EVOLVERS, key=name_of):
        lines += [f"### `{name_of(kind)}`\n", *_described(kind, inner)]
    done: set[type[Any]] = set()
    lines.append("## Objects within events\n")
    while waiting := [kind for kind in inner if kind not in done]:
        for kind in waiting:
            done.add(kind)
            lines += [f"### {kind.__name__}\n", *_described(kind, inner)]
    return "\n".join(lines)


def name_of(kind: type[Any]) -> str:
    """The name of an event in a record."""
    return str(kind.__struct_config__.tag)


def _described(kind: type[Any], inner: dict[type[Any], None]) -> Iterator[str]:
    """What an event or an object says, and its fields."""
    short = " *Short.*" if kind.__struct_config__.omit_defaults else ""
    yield " ".join((inspect.getdoc(kind) or "").split()) + short + "\n"
    found = types.type_info(kind)
    assert isinstance(found, types.StructType)
    rows = [_row(kind, field, inner) for field in found.fields]
    yield from (["| field | type | default | meaning |", "|---|---|---|---|", *rows, ""] if rows else ["No field.\n"])


def _row(kind: type[Any], field: types.Field, inner: dict[type[Any], None]) -> str:
    meaning = "the clauses that it follows from" if field.name == "cites" else meanings(kind).get(field.name, "")
    return f"| `{field.encode_name}` | {type_words(field.type, inner)} | {_default(field)} | {meaning} |"


def _default(field: types.Field) -> str:
    if field.required:
        return "to be stated"
    made = field.default
    if made is msgspec.NODEFAULT:
        if field.default_factory is msgspec.NODEFAULT:  # so msgspec describes a default of UNSET
            return "left out"
        made = field.default_factory()
    written = msgspec.json.encode(made).decode()
    return f'`"{written}"`' if _is_micro(field.type) else f"`{written}`"


def _is_micro(found: types.Type) -> bool:
    return isinstance(found, types.IntType) and found.gt == -MICRO


def type_words(found: types.Type, inner: dict[type[Any], None]) -> str:  # noqa: PLR0912  a case for each type
    """A type in words; objects are noted in `inner`."""
    match found:
        case _ if _is_micro(found):
            return "millionths of a cent, as text"
        case types.IntType():
            return "number"
        case types.BoolType():
            return "true or false"
        case types.StrType():
            return "text"
        case types.EnumType(cls=cls):
            return _enum_words(cls)
        case types.LiteralType(values=values):
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case types.NoneType():
            return "null"
        case types.VarTupleType(item_type=item) | types.ListType(item_type=item):
            return f"list of {type_words(item, inner)}"
        case types.TupleType(item_types=items):
            return "list: " + ", ".join(type_words(item, inner) for item in items)
        case types.DictType(key_type=types.IntType(), value_type=value):
            return f"object by number: {type_words(value, inner)}"
        case types.DictType(value_type=value):
            return f"object by text: {type_words(value, inner)}"
        case types.UnionType(types=parts):
            return " or ".join(type_words(part, inner) for part in parts)
        case types.StructType(cls=cls):
            inner[cls] = None
            return f"[{cls.__name__}](#{cls.__name__.lower()})"
        case types.CustomType(cls=cls):
            return f"a {cls.__name__.lower()}"
        case types.AnyType():
            return "any"
        case _:
            return type(found).__name__.removesuffix("Type").lower()


def _enum_words(cls: type[Enum]) -> str:
    words = [f"`{member.value}`" for member in cls]
    return "one of " + ", ".join(words) if len(words) <= 8 else f"a {cls.__name__}, such as {words[0]}"


def meanings(kind: type[Any]) -> dict[str, str]:
    """What the class and those that it is made of say below each of their fields."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.startswith("baccarat."):
            found |= _own_meanings(each)
    return found


def _own_meanings(kind: type[Any]) -> dict[str, str]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(tree, ast.ClassDef)
    found: dict[str, str] = {}
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = " ".join(text.split())
    return found
