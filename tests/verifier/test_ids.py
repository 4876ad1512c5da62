"""Ids in the independent verifiers: a refusal for an id is accepted, two effects under one id are found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.law.rulebook import rulebook
from baccarat.record.journal import BODY_START, write_line
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from javascript import reports_of
from kept import kept_table, lines_of, rehashed
from verify_baccarat import verify

pytestmark = pytest.mark.slow


def journal(path: Path) -> bytes:
    """An id that was given, something else under it, which is refused, and another id."""
    table = kept_table(path, rulebook("ma-midi-4"))
    ann = Actor(who="p1", role=Role.PARTICIPANT)
    for command, given in ((Sit(seat=1), "1"), (Sit(seat=2), "1"), (Leave(seat=1), "2")):
        table.enter(command, Envelope(actor=ann, id=given))
    table.file.close()
    return path.read_bytes()


def changed(data: bytes, index: int, **fields: Any) -> bytes:
    """A journal with fields of one record changed, and every hash made anew."""
    lines = [line for _, line in lines_of(data)]
    body = {**msgspec.json.decode(lines[index][BODY_START:-2]), **fields}
    lines[index] = write_line(msgspec.json.Encoder(order="sorted").encode(body), bytes(32))
    return b"".join(rehashed(lines))


def refusal(**params: Any) -> dict[str, Any]:
    """A refusal for an id."""
    named = {"id": "1", "record": 1, "stream": "table 1", **params}
    return {
        "cites": ["house §one-effect"],
        "code": "repeated_id",
        "params": named,
        "what": "id_given_to_another_command",
    }


@pytest.mark.parametrize(
    ("index", "fields", "say"),
    [
        (2, {}, ""),
        (3, {"id": "1"}, "is used for two commands"),
        (2, {"id": "1"}, "is refused for its id must be entered without one"),
        (2, {"refused": refusal(id="9")}, "the id for which it is refused"),
        (2, {"refused": refusal(record=3)}, "the record with the id"),
        (2, {"refused": refusal(stream="table 2")}, "the record with the id"),
        (2, {"who": "p2"}, "the id for which it is refused"),
    ],
)
def test_both_verifiers_find_a_second_effect_and_a_refusal_without_ground(
    tmp_path: Path, index: int, fields: dict[str, Any], say: str
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(changed(journal(path), index, **fields))
    python = verify(path.read_bytes())
    (script,) = reports_of([path])
    ids = {check["name"]: check for check in script["checks"]}["ids"]
    assert (python.status, script["status"]) == ((1, 1) if say else (3, 3)), python.lines()
    assert ids["holds"] is (not say)
    assert bool(say) == any("ids" in str(line) and "✗" in str(line) for line in python.lines())
    assert say in " ".join(map(str, [*python.lines(), ids["faults"]]))
