"""Commands of the house have bounds, as those of a table have: what no house can mean is not read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from baccarat.house.book import HouseCommand, decode
from baccarat.house.cage import CAGE_BOOK
from baccarat.house.cage_act import BringBankroll, FillTray
from baccarat.house.form_book import FORMS, ReceiveSeries
from baccarat.house.gaming_day import DAY, CloseDay, OpenDay
from baccarat.house.house_book import HOUSE_BOOK, LinkTables
from baccarat.house.link import LINK
from baccarat.house.link_event import SetNextTerms
from baccarat.house.option_change import ChangeOptions
from baccarat.house.pit_book import PIT
from baccarat.table.bounds import ASCII, NO_BLANK_FIRST, VISIBLE

COMMANDS = [kind for book in (CAGE_BOOK, FORMS, DAY, LINK, HOUSE_BOOK, PIT) for kind in book.handlers]


def unbounded(kind: inspect.Type, path: str) -> Iterator[str]:
    """Where a type has no bounds, with all that stands within it."""
    match kind:
        case inspect.IntType() if kind.ge is None and kind.gt is None:
            yield path
        case inspect.StrType() if kind.max_length is None or kind.pattern not in (VISIBLE, ASCII, NO_BLANK_FIRST):
            yield path
        case inspect.VarTupleType(item_type=item):
            if kind.max_length is None:
                yield path
            yield from unbounded(item, f"{path}[]")
        case inspect.DictType(key_type=key, value_type=value):
            if kind.max_length is None:
                yield path
            for part in (key, value):
                yield from unbounded(part, f"{path}{{}}")
        case inspect.UnionType(types=types):
            for each in types:
                yield from unbounded(each, path)
        case inspect.StructType(fields=fields):
            for field in fields:
                yield from unbounded(field.type, f"{path}.{field.name}")


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
def test_every_field_of_every_command_of_the_house_has_bounds(kind: type[HouseCommand]) -> None:
    assert list(unbounded(inspect.type_info(kind), kind.__name__)) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (BringBankroll, {"amount": 10**15}),
        (FillTray, {"table": "T" * 201, "chips": {"chips": {"100": 1}}}),
        (FillTray, {"table": "T\u202e1", "chips": {"chips": {"100": 1}}}),
        (FillTray, {"table": "T1", "chips": {"chips": {"100": 10**9}}}),
        (FillTray, {"table": "T1", "chips": {"chips": {str(worth): 1 for worth in range(1, 60)}}}),
        (ReceiveSeries, {"table": "T1", "first": 1, "last": 2**31}),
        (OpenDay, {"name": "a\nb"}),
        (SetNextTerms, {"meter": "star", "terms": {"seed": 10**18, "contribution": 1}}),
        (LinkTables, {"name": "L", "tables": ["T"] * 100}),
        (ChangeOptions, {"changes": {}, "effective": 2**53}),
        (CloseDay, {"blanks": [2**31]}),
    ],
    ids=lambda each: each.__name__ if isinstance(each, type) else "",
)
def test_what_no_house_can_mean_is_not_read(kind: type[HouseCommand], fields: dict[str, Any]) -> None:
    data = json.dumps({"do": kind.__struct_config__.tag, **fields}).encode()
    with pytest.raises(msgspec.ValidationError):
        decode(data, kind)
