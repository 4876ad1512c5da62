"""How sentences refer to people: by their names, or, without a name, by the beginning of the id.

An id has 32 digits. The first six distinguish people at a table; the whole id is in the data next to a sentence.
"""

from __future__ import annotations

import re

from baccarat.record.directory import Directory

_IDS = re.compile(r"\b(person|remark)-([0-9a-f]{6})[0-9a-f]{26}\b")


def name_persons(names: Directory | None, text: str) -> str:
    """A sentence with names in place of the ids that are known, and the others shortened."""
    return _IDS.sub(r"\1 \2", names.fill_names(text) if names is not None else text)
