"""Differences of documents: what has changed between two JSON objects, in the parts of a patch of a view.

    {"splice": {"corrigible": [0, 0, {"number": 41, …}]}, "set": {"call.say": "“Player 6”"}, "drop": ["hands.banker"]}

A path leads into the object: names and indexes with dots between. `splice` comes first, then `set`, then `drop`. The
difference depends on the two objects alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
"""A JSON object as a reader has it: dictionaries, lists, texts, numbers, booleans and None."""


def difference(before: Json, after: Json) -> Json:
    """What leads from one object to another; empty if they are equal."""
    found: Json = {"splice": {}, "set": {}, "drop": []}
    _compare_objects("", before, after, found)
    return {part: changes for part, changes in found.items() if changes}


def apply_difference(document: Json, difference: Json) -> None:
    """Apply a difference to an object, or the same parts of a patch to the state of a view.

    One of a different object may raise `LookupError`; then the object is useless, and a whole one is needed.
    """
    for path, (start, count, *new) in difference.get("splice", {}).items():
        holder, key = _find(document, path)
        holder[key][start : start + count] = new
    for path, value in difference.get("set", {}).items():
        holder, key = _find(document, path)
        holder[key] = value
    for path in difference.get("drop", ()):
        holder, key = _find(document, path)
        del holder[key]


def _find(value: Any, path: str) -> tuple[Any, Any]:
    """What holds the thing that a path leads to, and its key or index there."""
    *way, last = path.split(".")
    for key in way:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value, int(last) if isinstance(value, list) else last


def _compare_objects(prefix: str, before: Json, after: Json, found: Json) -> None:
    """Note what differs between two objects."""
    for key, value in after.items():
        if key not in before:
            found["set"][f"{prefix}{key}"] = value
        elif before[key] != value:
            _compare(f"{prefix}{key}", before[key], value, found)
    found["drop"] += [f"{prefix}{key}" for key in before if key not in after]


def _compare(path: str, before: Any, after: Any, found: Json) -> None:
    """Note what differs between two values: in parts where most of an object is the same, else the whole value."""
    if isinstance(before, dict) and isinstance(after, dict) and _is_mostly_same(before, after):
        _compare_objects(f"{path}.", before, after, found)
    elif isinstance(before, list) and isinstance(after, list) and before and after:
        _compare_lists(path, before, after, found)
    else:
        found["set"][path] = after


def _is_mostly_same(before: Json, after: Json) -> bool:
    """Whether at least half of an object has stayed, and each key can be part of a path."""
    if any(not key or "." in key for key in (*before, *after)):
        return False
    same = sum(1 for key, value in after.items() if key in before and before[key] == value)
    return 2 * same >= max(len(before), len(after))


def _compare_lists(path: str, before: Sequence[Any], after: Sequence[Any], found: Json) -> None:
    """Note what differs between two lists, without what is the same at their ends."""
    shorter = min(len(before), len(after))
    start = next((index for index in range(shorter) if before[index] != after[index]), shorter)
    left = shorter - start
    end = next((index for index in range(left) if before[-1 - index] != after[-1 - index]), left)
    gone, come = before[start : len(before) - end], after[start : len(after) - end]
    if start == end == 0:
        found["set"][path] = after
    elif len(gone) == len(come) and all(_may_be_compared(*pair) for pair in zip(gone, come, strict=True)):
        for index, (old, new) in enumerate(zip(gone, come, strict=True), start=start):
            if old != new:
                _compare_objects(f"{path}.{index}.", old, new, found)
    else:
        found["splice"][path] = [start, len(gone), *come]


def _may_be_compared(old: Any, new: Any) -> bool:
    return isinstance(old, dict) and isinstance(new, dict) and _is_mostly_same(old, new)
