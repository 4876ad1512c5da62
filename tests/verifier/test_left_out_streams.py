"""A house's journal from which a whole stream was left out: no verifier answers as if nothing were missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus_house import house, house_journal_of
from three_verifiers import all_three

pytestmark = pytest.mark.slow

STREAMS = ["cage", "pit A", "link main", "table T1", "table T2", "table T3"]


def test_these_are_the_streams_of_the_house() -> None:
    assert sorted({record["stream"] for record in house()}) == sorted([*STREAMS, "house"])


@pytest.mark.parametrize("stream", STREAMS)
def test_each_says_that_a_stream_is_missing(tmp_path: Path, stream: str) -> None:
    path = tmp_path / "house.jsonl"
    path.write_bytes(house_journal_of([record for record in house() if record["stream"] != stream]))
    for said in all_three(path):
        assert said.status == 1 or f"the stream {stream} is not in the file" in "".join(said.gaps[0]), said
        assert said.status in (1, 3)
