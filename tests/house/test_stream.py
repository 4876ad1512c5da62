"""Streams: put together and taken apart in one place."""

from __future__ import annotations

import pytest

from baccarat.house.stream import (
    CAGE_STREAM,
    COUPON_STREAM,
    DAY_STREAM,
    FORM_STREAM,
    HOUSE_STREAM,
    Stream,
    is_pit_stream,
    is_table_stream,
    kind_and_name,
    link_stream,
    pit_stream,
    stream_kind,
    stream_name,
    stream_of,
    table_stream,
)


@pytest.mark.parametrize(
    ("stream", "text", "kind", "name"),
    [
        (table_stream("3"), "table 3", "table", "3"),
        (table_stream("high limit 2"), "table high limit 2", "table", "high limit 2"),
        (pit_stream("A"), "pit A", "pit", "A"),
        (link_stream("north"), "link north", "link", "north"),
        (CAGE_STREAM, "cage", "cage", ""),
        (COUPON_STREAM, "coupons", "coupons", ""),
        (FORM_STREAM, "forms", "forms", ""),
        (DAY_STREAM, "day", "day", ""),
        (HOUSE_STREAM, "house", "house", ""),
        (Stream("cage 2"), "cage 2", "cage", "2"),
        (Stream("tables 3"), "tables 3", "tables", "3"),
        (Stream("table"), "table", "table", ""),
        (Stream(""), "", "", ""),
    ],
)
def test_a_stream_is_a_kind_and_a_name(stream: Stream, text: str, kind: str, name: str) -> None:
    assert stream == text
    assert kind_and_name(stream) == (stream_kind(stream), stream_name(stream)) == (kind, name)
    assert is_table_stream(stream) is (kind == "table" and name != "")
    assert is_pit_stream(stream) is (kind == "pit" and name != "")
    assert not name or stream_of(kind, name) == stream
