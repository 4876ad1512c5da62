"""Tables as they are compared: which words are citations, which are ours, and what is left without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baccarat.law.section import OUR_WORDS, SAID_BY, is_cite

RESTORED_MARK = "restored"
"""The mark of a row that a reading restores: it says where the row comes from, not what it rules."""


def is_law(key: str) -> bool:
    """Whether a field says something that is law: neither a citation nor our own words."""
    return not is_cite(key) and key not in OUR_WORDS


def is_odds(value: Any) -> bool:
    """Whether a table only adds a citation to odds, which other editions write without it."""
    return isinstance(value, Mapping) and set(value) == {"odds", "cite"}


def citing_field(key: str, table: Mapping[str, Any]) -> str:
    """The citation in a table that covers one of its fields."""
    for cite in (f"{key}_cite", SAID_BY.get(key, "")):
        if table.get(cite):
            return cite
    return "cite"


def bare_value(value: Any) -> Any:
    """A value as it is compared: without citations, our words and marks of origin."""
    if is_odds(value):
        return value["odds"]
    if isinstance(value, Mapping):
        return {key: bare_value(each) for key, each in value.items() if is_law(key) and key != RESTORED_MARK}
    return [bare_value(each) for each in value] if isinstance(value, list) else value
