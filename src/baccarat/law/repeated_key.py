"""Keys that occur twice in one object of a JSON text.

JSON leaves open which of the two counts, and readers differ: one takes the first, another the last. So a text that a
person has written is refused. It is parsed a second time only if it has more colons than keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

_key_ends = re.compile(rb'"\s*:').findall


class _RepeatedKey(Exception):  # noqa: N818
    pass


def repeated_key(text: bytes, value: Any) -> str | None:
    """The first key that occurs twice in one object of a JSON text; `value` is what was read from the text."""
    try:
        keys = _count(value)
        if text.count(b":") == keys or len(_key_ends(text)) == keys:
            return None  # every key ends in a colon, and strings could only add to their number
        json.loads(text, object_pairs_hook=_once, parse_int=float)
    except _RepeatedKey as found:
        return str(found)
    except (ValueError, RecursionError):
        return None  # the reader of the text reports what is wrong with it
    return None


def _count(value: Any) -> int:
    """How many keys a value has, in all its objects."""
    if isinstance(value, dict):
        return len(value) + sum(map(_count, value.values()))
    return sum(map(_count, value)) if isinstance(value, list) else 0


def _once(pairs: Sequence[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise _RepeatedKey(key)
        seen.add(key)
