"""The list of routes within docs/api.md, from the routes themselves: method, path, who may, what."""

from __future__ import annotations

from typing import Any

from baccarat.serve.app import api_routes
from baccarat.serve.route.allow import KEY, RouteAccess
from baccarat.serve.route.visit import routes as visit_routes

TITLES = {
    "session": "Coming in",
    "tables": "Tables",
    "acts": "Acts at tables",
    "rules": "Rules and prices",
    "records": "Records",
    "house": "The house",
    "people": "People and devices",
    "exports": "Exports",
    "own rounds": "One's own rounds",
    "pictures": "Pictures",
    "drills": "Drills and the lesson",
}
"""The parts of the list, in order, by the tags of the routes."""


def route_list() -> str:
    """Every route in its part, one table per part."""
    found: dict[str, list[Any]] = {tag: [] for tag in TITLES}
    for handler in (*visit_routes, *api_routes()):
        for tag in getattr(handler, "tags", None) or ():
            found[tag].append(handler)
    parts = list[str]()
    for tag, title in TITLES.items():
        parts += [f"### {title}\n", "| request | who may | what |", "|---|---|---|"]
        parts += [row for handler in found[tag] for row in rows_of(handler)]
        parts.append("")
    return "\n".join(parts)


def rows_of(handler: Any) -> list[str]:
    """The rows of one handler."""
    allow: RouteAccess = handler.opt[KEY]
    made = list[str]()
    for path in sorted(handler.paths):
        plain = path.replace(":str}", "}").replace(":int}", "}")
        made += [f"| `{method} {plain}` | {allow.say} | {handler.summary} |" for method in sorted(handler.http_methods)]
    return made
