"""How people are called in sentences: by their names, and whoever has none by the beginning of the id.

An id has 32 digits. The first six tell people at a table apart; the whole one stands in the data beside a sentence.
"""

from __future__ import annotations

import re

from baccarat.record.directory import Directory

_IDS = re.compile(r"\b(person|remark)-([0-9a-f]{6})[0-9a-f]{26}\b")


def name_persons(names: Directory | None, text: str) -> str:
    """A sentence with names in the place of the ids that are known, and the others shortened."""
    return _IDS.sub(r"\1 \2", names.fill_names(text) if names is not None else text)
