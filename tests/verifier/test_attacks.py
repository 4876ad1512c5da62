"""Files that a dishonest house or an outsider could show: the program and both small verifiers give one answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.audit.bundle.derivation import DerivationBudget
from baccarat.audit.bundle.published_table import PublishedTable
from baccarat.cli import app
from baccarat.engine.idempotency_index import denial
from baccarat.record.encoding import to_base64
from baccarat.record.entry import written_refusal
from baccarat.record.journal import write_note
from baccarat.record.key import KeyKind, Signer
from baccarat.record.note import SignedNote
from corpus_base import ALL, KEYS, PLAIN, STREAM, act, base, checkpoint, journal, lines_of, twin, with_event
from corpus_bundle import bundle, proved_again
from javascript import reports_of
from remade import Json, chained, renumbered
from three_verifiers import agreed
from two_verifiers import python_reports

pytestmark = pytest.mark.slow


def key_words(*names: str) -> list[str]:
    """The words of a command line that give these keys."""
    return [word for name in names for word in ("--key", str(KEYS[name].verifier))]


def children_time() -> float:
    """How long the processor worked for this process and for those that it has started, in seconds."""
    times = os.times()
    return times.user + times.children_user


def test_a_cosignature_counts_only_beside_a_known_key_of_the_log(tmp_path: Path) -> None:
    """Another log with the same root, of a key that the reader does not know, was cosigned; the house's own was not."""
    records, path = base("order-1"), tmp_path / "journal.jsonl"
    lab = Signer("example.net/lab/table/1", KeyKind.LOG, b"q" * 32)
    path.write_bytes(journal(records, checkpoint(records, signer=lab), checkpoint(records, witnessed=False)))
    found = agreed(path, *key_words("log", "witness"))
    assert found.status == 3
    assert any("not cosigned" in gap for gap in found.gaps[0])


def _paid_late(late: Json) -> None:
    late["events"].append({"event": "paid", "seat": 1, "win": 100_000_000, "stake": 0, "cites": []})


def _lost_late(late: Json, *, by: str = "fay", role: str = "floorperson", second: str = "sue") -> None:
    late.pop("origin", None)
    late |= {"who": by, "role": role, "command": {"do": "report_lost_seed", "reason": "gone"}}
    late["approvals"] = [{"role": "casino supervisor", "what": "report_lost_seed", "who": second}]
    late["events"] = [
        {"event": "seed_lost", "reason": "gone", "requester": by, "approver": second, "cites": ["ma-midi-4 §9(d)"]}
    ]


LATE: dict[str, tuple[Callable[[Json], object], int]] = {
    "as it is": (bool, 0),
    "reported lost by two persons": (_lost_late, 3),
    "a payment beside the seed": (_paid_late, 1),
    "another command": (lambda late: late["command"].update(do="correct_payment"), 1),
    "more in the command": (lambda late: late["command"].update(seat=1), 1),
    "more in the event": (lambda late: late["events"][0].update(seat=1), 1),
    "a sealed order that is no answer": (lambda late: late["events"][0].update(sealed=1), 1),
    "another seed in the command": (lambda late: late["command"].update(seed="00" * 32), 1),
    "given by a person": (lambda late: late.update(role="dealer", origin="person"), 1),
    "reported lost by a participant": (lambda late: _lost_late(late, role="participant"), 1),
    "reported lost by one person": (lambda late: _lost_late(late, second="fay"), 1),
}


@pytest.mark.parametrize("name", LATE)
def test_a_late_record_only_opens_the_seed_or_reports_it_lost(tmp_path: Path, name: str) -> None:
    """No state leads to it, so nobody decides it again: it has nothing that would have to be decided."""
    forge, status = LATE[name]
    records, made, path = [*map(twin, base())], bundle("round"), tmp_path / "bundle.json"
    late = with_event(records, "seed_revealed")
    forge(late)
    if late.get("origin") == "person":
        del late["origin"]
    made["entries"][-1]["record"], made["checkpoint"] = late, bytes(checkpoint(records)).decode()
    proved_again(made, records)
    path.write_text(json.dumps(made))
    assert agreed(path, *key_words(*ALL)).status == status


@pytest.mark.parametrize("named", [0, -1, False, 10**6])
def test_a_wager_is_not_refused_for_an_id_of_a_record_that_cannot_be(tmp_path: Path, named: Any) -> None:
    """A bundle of everything, in which nothing is missing: no record before the first one used the id."""
    records, path = base("order-1"), tmp_path / "bundle.json"
    at = records.index(act(records, "place_wager"))
    refused = twin(records[at])
    refused.pop("events")
    refused.pop("id", None)
    refused["refused"] = json.loads(written_refusal(denial("x-1", STREAM, 1)))
    refused["refused"]["params"]["record"] = named
    records = renumbered([*map(twin, records[:at]), refused])
    made = {
        "bundle": 1,
        "program": "x",
        "scope": {"kind": "all", "stream": str(STREAM)},
        "checkpoint": bytes(checkpoint(records)).decode(),
        "rulebooks": [{"hash": records[0]["rulebook"], "submission": records[0]["submission"]}],
        "entries": [{"index": k, "hash": each, "record": body} for k, (each, body) in enumerate(chained(records))],
    }
    path.write_text(json.dumps(made))
    assert agreed(path, *key_words(*PLAIN)).status == 1


def test_clauses_of_a_refusal_that_are_no_list_are_wrong_and_end_nothing(tmp_path: Path) -> None:
    records, path = [*map(twin, base()[:9])], tmp_path / "journal.jsonl"
    records[3].pop("events")
    records[3]["refused"] = {"code": "a", "cites": 5}
    path.write_bytes(journal(records))
    assert agreed(path, *key_words(*PLAIN)).status == 1


def test_a_checkpoint_of_a_stream_that_never_opens_does_not_end_an_audit(tmp_path: Path) -> None:
    records, path = base(), tmp_path / "journal.jsonl"
    note = f"a\n0\n{to_base64(sha256(b'').digest())}\n\n— a AAAAAAAA\n"
    line = json.dumps({"checkpoint": note, "stream": "table 9"}, separators=(",", ":"), ensure_ascii=False).encode()
    first, *rest = journal(records).splitlines(keepends=True)
    path.write_bytes(b"".join([first, line, b"\n", *rest]))
    (tmp_path / "journal.jsonl.table%201.checkpoint").write_bytes(bytes(checkpoint(records)))
    done = CliRunner().invoke(app, ["audit", str(path), *key_words(*ALL)])
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert done.exit_code in (0, 3)


def test_a_seed_that_is_revealed_again_and_again_is_derived_once(tmp_path: Path) -> None:
    """A thousand decks take half a second; a hundred seeds of them must not take a hundred times as long."""
    opening, path, seed = base("order-1")[0], tmp_path / "journal.jsonl", b"\x11" * 32
    law = opening["rulebook"]
    header = b"".join(pack(">Q", len(part)) + part for part in (b"1", b"0", law.encode())) + pack(">Q", 1000)
    commitment = sha256(b"baccarat/commit" + header + seed).hexdigest()
    shoe = {"event": "shoe_committed", "table": "1", "shoe": "0", "rulebook": law, "decks": 1000}
    same = {name: opening[name] for name in ("v", "stream", "rulebook", "behaviour")}
    same |= {"who": "a", "role": "dealer", "command": {"do": "x"}}
    events: list[list[Json]] = [
        [{**shoe, "commitment": commitment, "cites": []}],
        [{"event": "order_sealed", "root": "0" * 64}],
        [{"event": "seed_revealed", "seed": seed.hex()}] * 120,
    ]
    path.write_bytes(b"".join(lines_of(renumbered([opening, *({**same, "events": each} for each in events)]))))
    begin = children_time()
    assert agreed(path).status == 1
    assert children_time() - begin < 15


def test_shoes_of_a_thousand_decks_in_a_small_file_are_not_all_derived(tmp_path: Path) -> None:
    """Twenty of them in 18 kB took a browser a minute and a half; what is not derived is not covered."""
    opening, path, law = base("order-1")[0], tmp_path / "journal.jsonl", base("order-1")[0]["rulebook"]
    same = {name: opening[name] for name in ("v", "stream", "rulebook", "behaviour")}
    same |= {"who": "a", "origin": "card source", "command": {"do": "x"}}
    records, table = [opening], PublishedTable("1", budget=DerivationBudget(0))
    for number in range(20):
        seed = bytes([number]) * 32
        header = b"".join(pack(">Q", len(part)) + part for part in (b"1", b"%d" % number, law.encode()))
        commitment = sha256(b"baccarat/commit" + header + pack(">Q", 1000) + seed).hexdigest()
        shoe = {"event": "shoe_committed", "table": "1", "shoe": str(number), "rulebook": law, "decks": 1000}
        events: list[Json] = [
            {**shoe, "commitment": commitment, "cites": []},
            {"event": "seed_revealed", "seed": seed.hex(), "sealed": False},
            {"event": "shoe_closed", "seed": "revealed"},
        ]
        records.append({**same, "events": events})
        table.add_record(number + 1, None, events)
    assert [shoe.is_underived for shoe in table.shoes] == [False] * 2 + [True] * 18
    assert list(table.all_faults()) == []
    path.write_bytes(b"".join(lines_of(renumbered(records))))
    begin = children_time()
    for report in (python_reports([path])[0], reports_of([path])[0]):
        gaps = [gap for gap in report["coverage"][0]["gaps"] if "too few records for that many cards" in gap]
        assert (report["status"], len(gaps)) == (3, 18)
    assert children_time() - begin < 15


def test_a_signature_that_stands_there_again_and_again_is_verified_once(tmp_path: Path) -> None:
    records, path = base("order-1")[:9], tmp_path / "journal.jsonl"
    note = checkpoint(records)
    many = SignedNote(note.text, (*note.signatures, *[note.signatures[0]] * 98))
    path.write_bytes(b"".join([*lines_of(records), write_note(many, STREAM) * 60]))
    begin = children_time()
    agreed(path, *key_words(*PLAIN))
    assert children_time() - begin < 10
