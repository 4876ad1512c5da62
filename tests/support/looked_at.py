"""Every address of the interface that can be looked at, with names that a practice house has."""

from __future__ import annotations

from baccarat.serve.app import api_routes


def concrete(path: str) -> str:
    """A path with names that are there, or have the form of such."""
    stream = "table%20ma-midi-4" if "/streams/" in path else "ma-midi-4"
    given = {
        "name": stream,
        "shoe": "1",
        "seq": "0",
        "number": "1",
        "stream": "cage",
        "serial": "1",
        "edition": "ma-midi-4",
        "other": "ma-midi-3",
    }
    for name, value in given.items():
        path = path.replace(f"{{{name}}}", value)
    for name in ("person", "session", "device", "proposal", "audit"):
        path = path.replace(f"{{{name}}}", "nobody")
    return f"{path}?stream=cage" if path == "/api/proposals" else path


def every_look() -> list[str]:
    """Every address that is asked with GET."""
    found = list[str]()
    for handler in api_routes():
        if "GET" in getattr(handler, "http_methods", ()):
            paths = getattr(handler, "paths", ())
            found += [concrete(path.replace(":str}", "}").replace(":int}", "}")) for path in paths]
    return sorted(found)
