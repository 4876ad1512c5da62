"""Words of the checks: what may be named, what a value can be, what reads as a value."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from baccarat.cards import Rank, Suit
from baccarat.law.error import hint
from baccarat.law.fact import COUNTS
from baccarat.law.section import Option
from baccarat.law.shipped_file import shipped_text

Faults = Iterator[str]
HANDS = ("player", "banker")
EVENT_NAMES = (
    "own_on_both", "two_of_own", "own_king_on_banker_only", "own_king_on_player_only", "other_on_both",
    "posted_on_both", "suited_royal_on_both", "royal_on_both", "suited_royal_on_either", "royal_on_either", "otherwise",
)  # fmt: skip
"""The events of the Royal 9 ladder that play knows how to see."""
RANKS = tuple(rank.value for rank in Rank)
COURTS = (Rank.KING.value, Rank.QUEEN.value, Rank.JACK.value)
SUITS = tuple(suit.value.upper() for suit in Suit)
WALKS = (("dealer_right", "counterclockwise"), ("dealer_left", "clockwise"))
"""The direction of a walk that starts at this hand of the dealer."""
FACT_VALUES: dict[str, Collection[Any]] = {
    "player_count": COUNTS, "banker_count": COUNTS,
    "player_cards": (2, 3), "banker_cards": (2, 3), "cards": (4, 5, 6), "winner": (*HANDS, "tie"),
}  # fmt: skip


def unknown_word(place: str, word: Any, words: Collection[str], what: str) -> Faults:
    if not isinstance(word, str) or word not in words:
        yield f"{place}: {word!r} is no {what}{hint(str(word), words)}"


def is_among(value: Any, values: Collection[Any]) -> bool:
    """Whether a value is one of the values; a boolean is never a number."""
    if isinstance(values, range):  # which may be long
        return type(value) is int and value in values
    return any(value == each and type(value) is type(each) for each in values)


def choices(option: Option) -> Sequence[Any] | None:
    """Every value that may be elected, in order; None if they are unlimited."""
    if option.may:
        return (False, True)
    if option.shall is not None:
        return (option.shall,)
    if option.states is None and option.at_least is not None and option.at_most is not None:
        return range(option.at_least, option.at_most + 1)
    return option.elect or None


def is_cited(table: Mapping[str, Any]) -> bool:
    cite = table.get("cite")
    return isinstance(cite, list) and bool(cite) and all(isinstance(key, str) for key in cite)


@cache
def reading_names() -> frozenset[str]:
    """The numbers of all readings, from their headings alone: loading an edition stays fast."""
    text = shipped_text("readings.toml")
    return frozenset(re.findall(r"^\[([^\[\].]+)\]$", text, re.MULTILINE))


def leaves(node: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The entries of the pay tables by name; a table of tables that are not cells is a group of entries."""
    tables = [value for value in node.values() if isinstance(value, Mapping)] if isinstance(node, Mapping) else []
    if tables and "cite" not in node and not any("odds" in table for table in tables):
        for key, value in node.items():
            yield from leaves(value, f"{name}.{key}" if name else key)
    else:
        yield name, node
