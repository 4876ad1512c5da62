"""Declarations of what the house and its pages say to each other, for the type checker of the pages' scripts.

They are written from the message types themselves: the bodies and answers of the interface over HTTP, the messages of
the sockets, the view of a table with its events, and the commands. The elements of the pages are read from their files.
`tools/interface.py` writes all to `types/house.d.ts`, and a test compares. A script needs no import for them: it says
`@param {House.TableCard} card`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Collection, Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.serve.access.may import RULES  # noqa: E402
from baccarat.serve.fanout import message  # noqa: E402
from baccarat.serve.http.problem import ProblemDetail  # noqa: E402
from baccarat.serve.route.floor import FloorDay  # noqa: E402
from baccarat.serve.route.house_line import ActsShown  # noqa: E402
from baccarat.serve.route.page import PAGES  # noqa: E402
from baccarat.table.audience import STATE_SHOWN, Shown  # noqa: E402
from baccarat.table.registry import EVENT_SHOWN, EVOLVERS  # noqa: E402
from baccarat.table.state import TableState  # noqa: E402
from baccarat.table.view import SeatView, TableView  # noqa: E402
from golden_interface import openapi  # noqa: E402

FILE = ROOT / "types" / "house.d.ts"

WRITTEN = {
    ("ShownEvent", "event"): "TableEvent",
    ("HouseShown", "set"): "Topics",
    ("NarratedEvent", "patch"): "Patch | null",
    ("Replay", "view"): "TableView | null",
    ("Do", "command"): "Command",
    ("ExerciseAnswered", "trainee"): "Partial<Trainee>",
    ("ExerciseRequest", "trainee"): "Partial<Trainee>",
    ("TableAnswer", "view"): "TableView",
    ("TableView", "state"): "TableState",
    ("View", "view"): "TableView",
    ("View", "words"): "WordsChange",
    ("WordsChanged", "words"): "WordsChange",
    ("Seats", "participants"): "SeatView[]",
}
"""What the types leave open, by the name of a struct and of its field."""

BY_HAND = """
  /** A part of the changes of a document, such as a view's state: see docs/wire.md. */
  interface Changes {
    splice?: Record<string, [number, number, ...unknown[]]>;
    set?: Record<string, unknown>;
    drop?: string[];
  }

  /** What has changed in the words; all of them if there is no `from`. */
  interface WordsChange extends Changes {
    from?: number;
    seq: number;
  }

  /** What has changed in a view: see docs/wire.md. */
  interface Patch extends Changes {
    due?: Due[];
    events?: TableEvent[];
  }

  interface PatchMessage extends Patch {
    type: "patch";
    from: number;
    seq: number;
    words?: WordsChange;
  }

  /** What is followed of the whole house, by topic. */
  interface Topics {
    day?: FloorDay;
    notices?: NoticeShown[];
    books?: number;
    calls?: Calls;
    proposals?: ProposalShown[];
    alerts?: Alert[];
    acts?: ActsShown;
    [table: `table ${string}`]: FloorTable;
  }

  type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  type Parts<Path extends string> = Path extends `${infer Part}?${string}`
    ? Parts<Part>
    : Path extends `/${infer Part}/${infer More}`
      ? [Part, ...Parts<`/${More}`>]
      : Path extends `/${infer Part}`
        ? [Part]
        : [];
  type Route<M extends Method, Path extends string, R = Routes> = Path extends string
    ? R extends [M, infer Way, infer Answer, infer Body]
      ? Parts<Path> extends Way
        ? [Answer, Body]
        : never
      : never
    : never;

  /** The answer to a request: of anything if the address is known only at run time. */
  type Answer<M extends Method, Path extends string> = string extends Path ? any : Route<M, Path>[0];
  /** The body of a request. */
  type Body<M extends Method, Path extends string> = string extends Path ? any : Route<M, Path>[1];
"""


def declarations() -> str:
    """The whole file of declarations."""
    writer = _Writer(openapi())
    lines = ["// Written by tools/interface.py from the message types. Do not edit.", "", "declare namespace House {"]
    lines += writer.all()
    lines += [BY_HAND.strip("\n"), "}", "", *_elements()]
    return "\n".join(lines) + "\n"


class _Writer:
    """The declarations of the structs and enums that messages are made of."""

    def __init__(self, described: dict[str, Any]) -> None:
        self.described = described
        self.named = {kind.__name__: kind for kind in _structs_below(msgspec.Struct)}
        self.sent: dict[str, str] = {}
        """What the house sends, by name; what it is only sent has fields that may be left out."""
        self.is_sent = True

    def all(self) -> Iterator[str]:
        """Every declaration, those of what is sent first."""
        routes = list(self._routes())
        for kind in (TableView, TableState, SeatView, ActsShown, FloorDay, ProblemDetail):
            self._name(kind)
        to_client = self._union("ToClient", message.ToClient, extra=["PatchMessage"])
        events = self._events()
        self.is_sent = False
        from_client = self._union("FromClient", message.FromClient)
        commands = [self._name(rule.kind) for rule in RULES.values()]
        bodies = [self._route_line(method, path, operation) for method, path, operation in routes]
        for name in sorted(self.sent):
            yield self.sent[name]
        yield _alternatives("Command", commands)
        yield _alternatives("TableEvent", events)
        yield to_client
        yield from_client
        yield _alternatives("Routes", bodies)

    # ------------------------------------------------------------------------------------------- routes

    def _routes(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Every route, after what it answers has been declared."""
        for path, operations in self.described["paths"].items():
            for method, operation in operations.items():
                if path.startswith("/api/"):
                    self._answer(operation)
                    yield method.upper(), path, operation

    def _route_line(self, method: str, path: str, operation: dict[str, Any]) -> str:
        parts = ["string" if part.startswith("{") else json.dumps(part) for part in path.split("/")[1:]]
        body = self._content(operation.get("requestBody"))
        return f'["{method}", [{", ".join(parts)}], {self._answer(operation)}, {body or "undefined"}]'

    def _answer(self, operation: dict[str, Any]) -> str:
        found = [self._content(answer) for status, answer in operation["responses"].items() if status.startswith("2")]
        return found[0] or "null"

    def _content(self, described: dict[str, Any] | None) -> str:
        content = (described or {}).get("content", {})
        schema = content.get("application/json", {}).get("schema")
        if schema is None:
            return "string" if content else ""
        return self._schema(schema)

    def _schema(self, schema: dict[str, Any]) -> str:
        """The type of a schema: a named one, or an object whose fields are not described."""
        if "oneOf" in schema:
            return " | ".join(map(self._schema, schema["oneOf"]))
        if "$ref" in schema:
            return self._name(self.named[schema["$ref"].rpartition("/")[2]])
        return {"null": "undefined", "object": "Record<string, any>"}[schema["type"]]

    # ------------------------------------------------------------------------------------------- structs

    def _union(self, name: str, base: type[Any], extra: Collection[str] = ()) -> str:
        return _alternatives(name, [*(self._name(kind) for kind in _structs_below(base)), *extra])

    def _events(self) -> list[str]:
        """Every event that somebody is shown, with the fields that somebody sees of it."""
        return [
            self._name(kind, EVENT_SHOWN[str(kind.__struct_config__.tag)])
            for kind in EVOLVERS
            if EVENT_SHOWN[str(kind.__struct_config__.tag)].to.roles
        ]

    def _name(self, kind: type[Any], shown: Shown | None = None) -> str:
        """The name of a struct or enum, which is declared if it has not been."""
        name = kind.__name__.removeprefix("_")
        if name in self.sent:
            return name
        self.sent[name] = ""  # it may contain itself
        doc = f"  /** {(kind.__doc__ or '').strip().splitlines()[0]} */\n" if kind.__doc__ else ""
        if issubclass(kind, Enum):
            self.sent[name] = f"{doc}  type {name} = {' | '.join(json.dumps(each.value) for each in kind)};\n"
            return name
        fields = "".join(self._fields(kind, shown or STATE_SHOWN.get(kind.__name__)))
        self.sent[name] = f"{doc}  interface {name} {{\n{fields}  }}\n"
        return name

    def _fields(self, kind: type[Any], shown: Shown | None) -> Iterator[str]:
        info, settings = inspect.type_info(kind), kind.__struct_config__
        assert isinstance(info, inspect.StructType)
        if info.tag is not None:
            tag_field = "event" if shown is not None else info.tag_field
            yield f"    {tag_field}: {json.dumps(info.tag)};\n"
        for field in info.fields:
            if shown is not None and field.name not in shown.fields:
                continue  # nobody sees it
            may_lack = settings.omit_defaults if self.is_sent else True
            is_optional = (may_lack and not field.required) or _may_be_unset(field)
            if shown is not None:
                is_optional = is_optional or not _is_seen_by_all(shown, field.name)
            written = WRITTEN.get((kind.__name__, field.name)) or self._text(field.type)
            yield f"    {_key(field.encode_name)}{'?' if is_optional else ''}: {written};\n"

    def _text(self, kind: inspect.Type) -> str:
        """The type of a field."""
        match kind:
            case inspect.StructType() | inspect.EnumType():
                return self._name(kind.cls)
            case inspect.Metadata(type=of):
                return self._text(of)
            case inspect.UnionType(types=types):
                return " | ".join(dict.fromkeys(map(self._text, types)))
            case inspect.DictType(key_type=key, value_type=value):
                keys = self._text(key)
                text = f"Record<{keys}, {self._text(value)}>"
                return f"Partial<{text}>" if isinstance(key, inspect.EnumType | inspect.LiteralType) else text
            case inspect.TupleType(item_types=types):
                return f"[{', '.join(map(self._text, types))}]"
            case inspect.ListType() | inspect.VarTupleType() | inspect.FrozenSetType() | inspect.SetType():
                item = self._text(kind.item_type)
                return f"({item})[]" if " " in item else f"{item}[]"
            case inspect.LiteralType(values=values):
                return " | ".join(map(json.dumps, values))
        return _PLAIN.get(type(kind), "any")


_PLAIN: dict[type[inspect.Type], str] = {
    inspect.BoolType: "boolean",
    inspect.IntType: "number",
    inspect.FloatType: "number",
    inspect.StrType: "string",
    inspect.BytesType: "string",
    inspect.CustomType: "string",
    inspect.NoneType: "null",
}
"""Types by those that msgspec finds; one of our own, such as a sum of money in words, is sent as text."""


def _may_be_unset(field: inspect.Field) -> bool:
    """Whether a field is left out where it has no value."""
    return not field.required and field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT


def _is_seen_by_all(shown: Shown, field: str) -> bool:
    """Whether everybody who is shown something at all sees this field of it."""
    return shown.to.roles <= shown.fields[field].roles


def _structs_below(base: type[Any]) -> Iterator[type[Any]]:
    """The structs of the program that are made from another, in the order of their definition."""
    for kind in base.__subclasses__():
        if kind.__module__.startswith("baccarat."):
            yield kind
        yield from _structs_below(kind)


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _alternatives(name: str, kinds: Collection[str]) -> str:
    return f"  type {name} =\n" + "\n".join(f"    | {kind}" for kind in kinds) + ";\n"


# ----------------------------------------------------------------------------------------------- elements

_DEFINED = re.compile(r'customElements\.define\("([\w-]+)", (\w+)\)')
_WITH_ID = re.compile(r'<([\w-]+)\b[^>]*?\sid="([\w-]+)"')


def _elements() -> Iterator[str]:
    """The elements that scripts define, and those of the pages by their ids."""
    yield "/** The elements that scripts of the pages define. */"
    yield "interface HTMLElementTagNameMap {"
    for script in sorted((PAGES / "js" / "element").glob("*.js")):
        for tag, name in _DEFINED.findall(script.read_text(encoding="utf-8")):
            yield f'  "{tag}": import("/page/js/element/{script.name}").{name};'
    yield "}"
    yield ""
    found: dict[str, set[str]] = {}
    for page in PAGES.glob("*.html"):
        for tag, name in _WITH_ID.findall(page.read_text(encoding="utf-8")):
            found.setdefault(name, set()).add(tag)
    yield "/** The elements of the pages, by their ids; a page has some of them. */"
    yield "interface PageElements {"
    for name, tags in sorted(found.items()):
        kinds = " | ".join(f'HTMLElementTagNameMap["{tag}"]' for tag in sorted(tags))
        yield f"  {_key(name)}: {kinds};"
    yield "}"


def main() -> None:
    """Write the declarations."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(declarations(), encoding="utf-8")


if __name__ == "__main__":
    main()
