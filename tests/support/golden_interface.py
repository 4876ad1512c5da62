"""The interface of the program as golden files: what is published, who may do what, and who sees what.

Each file is made by asking the program itself, never by reading its source, so that code can be moved and renamed as
long as the answers stay the same. `tools/interface.py` rewrites the files when a change is intended; the change is then
reviewed as a diff.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec

import baccarat
from baccarat.house.option_change import ChangeOptions
from baccarat.house.table_opening import OpenTable
from baccarat.record.field import fields_of
from baccarat.serve.access.may import RULES, TASKS, CommandRule
from baccarat.serve.act.form import form_of
from baccarat.serve.app import make_router
from baccarat.serve.route.allow import KEY
from baccarat.serve.route.page import PAGE_ROLES
from baccarat.table.audience import STATE_SHOWN, Shown
from baccarat.table.automation import MAKERS
from baccarat.table.due_text import ASKERS
from baccarat.table.registration import CLOCK_LIMITS, DEPENDS_ON_ACTOR, WRONG_MOMENTS
from baccarat.table.registry import EVENT_SHOWN, EVOLVERS
from baccarat.table.role import Role
from baccarat.table.step_function import FILL_FIELDS, TELL
from paths import DATA, ROOT

FOLDER = DATA / "golden"
WORDS = ROOT / "src" / "baccarat" / "serve" / "page" / "words"


def openapi() -> dict[str, Any]:
    """The description of the interface over HTTP."""
    return dict(make_router().openapi_schema.to_schema())


PUBLIC = ("odds", "sim", "report", "picture", "client", "audit.battery", "audit.resettle", "audit.rounds", "play.wager")
"""The packages that offer names of their own to Python programs, beside `baccarat` itself."""


def public_names() -> dict[str, list[str]]:
    """The names that Python programs may import from the package and from those of its parts that offer some."""
    modules = {f"baccarat.{name}": import_module(f"baccarat.{name}") for name in PUBLIC}
    return {"baccarat": sorted(baccarat.__all__), **{name: _offered(module) for name, module in modules.items()}}


def _offered(module: ModuleType) -> list[str]:
    """The names that a package binds, apart from its modules and what it only needs for types."""
    bound = {name for name, value in vars(module).items() if not isinstance(value, ModuleType)}
    return sorted(name for name in bound - {"annotations", "Any", "TYPE_CHECKING"} if not name.startswith("_"))


def cards() -> dict[str, Any]:
    """Of every command and every event: all that the program knows of it."""
    words = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(WORDS.glob("*.json"))
        if "." not in path.stem
    }
    return {
        "commands": {name: _command_card(name, rule, words) for name, rule in RULES.items()},
        "events": {str(kind.__struct_config__.tag): _event_card(kind) for kind in EVOLVERS},
    }


def roles() -> dict[str, Any]:
    """What each role may do, ask for and see."""
    return {
        "commands": {name: _command_roles(rule) for name, rule in RULES.items()},
        "seconds": {name: found for name, rule in RULES.items() if (found := _seconds(rule))},
        "routes": dict(_routes()),
        "pages": {page: _values(may) for page, may in PAGE_ROLES.items()},
        "tasks": {task.value: _values(may) for task, may in TASKS.items()},
        "sees_state": {name: _seen(shown) for name, shown in STATE_SHOWN.items()},
        "sees_event": {name: _seen(shown) for name, shown in EVENT_SHOWN.items()},
    }


GOLDEN: dict[str, Callable[[], dict[str, Any]]] = {
    "openapi": openapi,
    "public_names": public_names,
    "cards": cards,
    "roles": roles,
}


def path_of(name: str) -> Path:
    """Where a golden file lies."""
    return FOLDER / f"{name}.json"


def text_of(name: str) -> str:
    """A golden file as it should be now."""
    return json.dumps(GOLDEN[name](), sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def _values(roles: Iterable[Role]) -> list[str]:
    return sorted(role.value for role in roles)


def _plain(value: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


def _command_card(name: str, rule: CommandRule, words: dict[str, dict[str, str]]) -> dict[str, Any]:
    kind: Any = rule.kind
    return {
        "class": kind.__name__,
        "doc": (kind.__doc__ or "").split("\n", maxsplit=1)[0],
        "stream": rule.stream,
        "may": _values(rule.roles),
        "filed": _values(kind.ROLES),
        "second": _values(kind.SECOND),
        "steps": sorted(getattr(kind, "STEPS", ())),
        "stopped": getattr(kind, "STOPPED", None),
        "opens_shoe": getattr(kind, "OPENS_SHOE", None),
        "row": getattr(kind, "ROW", None),
        "origins": [origin.value for origin in getattr(kind, "ORIGINS", ())],
        "clock_limit": kind in CLOCK_LIMITS,
        "wrong_moment": kind in WRONG_MOMENTS,
        "asks_actor": kind in DEPENDS_ON_ACTOR,
        "cli_fields": _plain(fields_of(kind)),
        "form": _plain(form_of(kind)),
        "console": _console(name, kind.CARD.console),
        "from_shoe": kind.CARD.from_shoe,
        "asked": name in ASKERS,
        "automated": name in MAKERS,
        "discretion": kind.CARD.discretion,
        "group": kind.CARD.group,
        "pace": PACES[kind.CARD.pace],
        "words": {
            language: {
                prefix: texts[prefix + name] for prefix in ("act.", "dealer.act.", "said.") if prefix + name in texts
            }
            for language, texts in words.items()
        },
    }


PACES = {"none": "none", "prepare": "", "card": "CARD", "call": "CALL", "pay": "PAY", "clear": "clear"}
"""After which pause the automated dealer does a command."""
CONSOLES = {"": "", "plain": "plain", "seat": "fills", "reason": "fills", "declined": "stead"}


def _console(name: str, kind: str) -> str:
    """How the dealer's console prepares a command: with fields filled in, without fields, or in somebody's stead."""
    return "fills" if name in FILL_FIELDS else CONSOLES[kind]


def _event_card(kind: Any) -> dict[str, Any]:
    tag = str(kind.__struct_config__.tag)
    shown = EVENT_SHOWN.get(tag)
    return {
        "class": kind.__name__,
        "to": _values(role for role in Role if shown is not None and role in shown.to),
        "fields": {} if shown is None else {field: _sight(sight) for field, sight in shown.fields.items()},
        "sort": kind.CARD.sort,
        "told": kind in TELL,
        "short": kind.CARD.short,
        "given": kind.CARD.given,
        "rewinds": kind.REWINDS,
    }


def _sight(sight: Any) -> list[str]:
    return _values(role for role in Role if role in sight) + (["own"] if sight.own else [])


def _seen(shown: Shown) -> dict[str, Any]:
    return {
        "to": _values(role for role in Role if role in shown.to),
        **{field: _sight(sight) for field, sight in shown.fields.items()},
    }


def _command_roles(rule: CommandRule) -> dict[str, Any]:
    kind: Any = rule.kind
    return {"stream": rule.stream, "roles": _values(rule.roles), "filed_roles": _values(kind.ROLES)}


WITH_A_LIMIT: dict[type[Any], Any] = {
    OpenTable: SimpleNamespace(filed=SimpleNamespace(stated={"goodwill_limit": 1})),
    ChangeOptions: SimpleNamespace(changes={"goodwill_limit": 1}),
}
"""What is approved only where it files a goodwill limit."""


def _seconds(rule: CommandRule) -> dict[str, list[str]]:
    """In which capacities another approves a command, by the role of whoever asks for it."""
    kind: Any = rule.kind
    found = {}
    for role in Role:
        seconds = kind.seconds(WITH_A_LIMIT.get(kind, kind), role)  # no other command looks at its fields for this
        if seconds:
            found[role.value] = _values(seconds)
    return found


def _routes() -> Iterable[tuple[str, dict[str, Any]]]:
    """Whether each role is admitted to each route: in a real and in a practice house, for a device and for a person."""
    for route in make_router().routes:
        for handler in getattr(route, "route_handlers", ()):
            allow = handler.opt.get(KEY)
            for method in sorted(getattr(handler, "http_methods", ("WS",))) if allow is not None else ():
                if method != "OPTIONS":
                    yield (
                        f"{method} {route.path}",
                        {
                            role.value if role is not None else "nobody": [
                                allow.admits(role, is_practice=practice, is_person=person)
                                for practice in (False, True)
                                for person in (False, True)
                            ]
                            for role in (*Role, None)
                        },
                    )
