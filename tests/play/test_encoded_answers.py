"""Answers whose shared parts are JSON already are written as the plain ones are, byte for byte."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec
import pytest

from baccarat.play.record import read, settle_record
from paths import DATA
from strategies import CODES, EDITIONS, record

ROUNDS: list[dict[str, Any]] = json.loads((DATA / "rounds.json").read_text(encoding="utf-8"))


def plain_and_encoded(made: dict[str, Any]) -> tuple[bytes, bytes]:
    """Both answers to a record, as they are written."""
    found = read(json.dumps(made))
    return msgspec.json.encode(settle_record(found)), msgspec.json.encode(settle_record(found, encoded=True))


@pytest.mark.parametrize("case", ROUNDS, ids=lambda case: case["id"])
def test_every_vector_is_written_alike(case: dict[str, Any]) -> None:
    for edition in case["valid_for"]:
        for expected in (case["expected"], {"outcome": "something else"}, None):
            made = {key: value for key, value in {**case, "ruleset": edition, "expected": expected}.items() if value}
            plain, encoded = plain_and_encoded(made)
            assert plain == encoded


@pytest.mark.parametrize("edition", EDITIONS)
def test_rounds_by_chance_are_written_alike_and_call_their_own_counts(edition: str) -> None:
    chance, counts = random.Random(edition), set()
    for _ in range(400):
        made = record(edition, " ".join(chance.sample(CODES, 6)), "1 player 2500", "3 banker 2500", "5 tie 500")
        plain, encoded = plain_and_encoded(made)
        assert plain == encoded
        calls = json.loads(encoded)["announcements"]
        counts.add(tuple(call["count"] for call in calls if "count" in call))
    assert len(counts) > 60 or counts == {()}


def test_an_answer_that_is_changed_changes_no_other() -> None:
    made = read(json.dumps(ROUNDS[0] | {"expected": None}))
    before = msgspec.json.encode(settle_record(made))
    answer = settle_record(made)
    answer["announcements"].clear()
    answer["wagers"].clear()
    answer["cites"].clear()
    assert msgspec.json.encode(settle_record(made)) == before
