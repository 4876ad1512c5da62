"""Proofs and evidence, checked by somebody who has only files and public keys."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import SignedNote
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness import Evidence
from baccarat.record.witness_share import ShareRequest
from log_floor import bodies, journal_lines
from log_verb import answered, cli, refused
from shared_shoe import HOUSE, ORIGIN, closing_body, closing_event, signed
from witnessed import WITNESS, cosigned

BODIES = bodies(20)
LOG, REWRITTEN = Log(BODIES), Log(bodies(20, changed=3))
KEY, WITNESS_KEY = str(HOUSE.verifier), str(WITNESS.verifier)
STRANGER = str(Signer("example.org/house", KeyKind.LOG, b"S" * 32).verifier)
CLOSED = [*bodies(8), closing_body(), closing_body(closing_event(inputs="cd" * 32), seq=9)]


def proof(index: int = 17, size: int = 20, *, note: SignedNote | None = None) -> bytes:
    return bytes(EntryProof(index, LOG.prove_inclusion(index, size), note or signed(LOG, size)))


def growth(old: int, size: int = 20) -> bytes:
    return "".join(f"{to_base64(each)}\n" for each in LOG.prove_consistency(old, size)).encode()


def closings(first: int = 8, second: int = 9) -> Evidence:
    log = Log(CLOSED)
    asked = [
        ShareRequest(CLOSED[at], EntryProof(at, log.prove_inclusion(at), signed(log, 10))) for at in (first, second)
    ]
    return Evidence(kind="two closings of one shoe", cosigned=bytes(asked[0]).decode(), shown=bytes(asked[1]).decode())


def evidence(kind: Any = "two roots at one size", *, old: int = 9, new: int = 9, shown: Log = REWRITTEN) -> Evidence:
    hashes = tuple(map(to_base64, shown.prove_consistency(min(old, new), new))) if old < new else ()
    texts = [bytes(signed(log, size)).decode() for log, size in ((LOG, old), (shown, new))]
    return Evidence(kind=kind, cosigned=texts[0], shown=texts[1], proof=hashes)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "journal.jsonl").write_bytes(journal_lines(BODIES))
    (tmp_path / "record").write_bytes(BODIES[17])
    (tmp_path / "old").write_bytes(bytes(signed(LOG, 12)))
    (tmp_path / "new").write_bytes(bytes(signed(LOG, 20)))
    return tmp_path


def status(folder: Path, data: bytes | Evidence, *words: str | Path) -> int:
    """The status of checking a file, in text and in JSON alike."""
    path = folder / "file"
    path.write_bytes(msgspec.json.encode(data) if isinstance(data, Evidence) else data)
    text, plain = cli("journal", "check", path, *words), cli("journal", "check", path, *words, "--json")
    assert text.exit_code == plain.exit_code, text.output
    assert (plain.exit_code == 2 or bool(plain.stderr)) or json.loads(plain.stdout)["status"] == plain.exit_code
    assert text.output.strip(), "a sentence"
    return plain.exit_code


# --------------------------------------------------------------------------------------------- a record


def test_a_proof_of_a_record(folder: Path) -> None:
    by = ("--journal", folder / "journal.jsonl")
    assert status(folder, proof(), *by, "--key", KEY) == 0
    assert status(folder, proof(), "--record", folder / "record", "--key", KEY) == 0
    (folder / "line").write_bytes(journal_lines(BODIES).splitlines(keepends=True)[17])
    assert status(folder, proof(), "--record", folder / "line", "--key", KEY) == 0
    assert status(folder, f"{to_base64(BODIES[17])}\n".encode() + proof(), "--key", KEY) == 0
    assert status(folder, proof(), *by) == 3, "no key is given"
    assert status(folder, proof(), *by, "--key", WITNESS_KEY) == 3
    assert status(folder, proof(), *by, "--key", KEY, "--key", WITNESS_KEY) == 3, "the witness has not cosigned"
    both = proof(note=cosigned(signed(LOG, 20)))
    assert status(folder, both, *by, "--key", KEY, "--key", WITNESS_KEY) == 0
    assert status(folder, both, *by, "--key", WITNESS_KEY) == 3, "the log's own key is not given"
    assert status(folder, proof(), *by, "--key", STRANGER) == 1
    assert status(folder, proof(), "--record", folder / "old", "--key", KEY) == 1, "another record"
    assert status(folder, proof().replace(b"index 17", b"index 16"), *by, "--key", KEY) == 1
    assert status(folder, proof(note=signed(REWRITTEN, 20)), *by, "--key", KEY) == 1
    assert status(folder, proof().replace(b"\n20\n", b"\n19\n"), *by, "--key", KEY) == 1
    changed = proof().replace(b"example.org/house/table/1\n20", b"example.org/house/table/2\n20")
    assert status(folder, changed, *by, "--key", KEY) == 1
    assert status(folder, proof(), "--key", KEY) == 2, "which record?"
    assert status(folder, proof().replace(b"index 17", b"index 90"), *by, "--key", KEY) == 1


def test_what_prove_makes_is_checked(folder: Path) -> None:
    journal, checkpoint = folder / "journal.jsonl", ("--checkpoint", folder / "new")
    words = ("journal", "prove", journal, *checkpoint)
    for more, by in (
        (("--record", "17"), ("--journal", journal)),
        (("--since", "12"), ("--old", folder / "old", *checkpoint)),
    ):
        assert status(folder, cli(*words, *more).stdout.encode(), *by, "--key", KEY) == 0
        assert status(folder, cli(*words, *more, "--json").stdout.encode(), *by, "--key", KEY) == 0
        assert status(folder, cli(*words, *more, "--json").stdout.encode(), "--key", KEY) == 2, "something is missing"
        written = json.loads(cli(*words, *more, "--json").stdout)
        for change in (
            {"size": 19},
            {"root": "x"},
            {"origin": "x"},
            {"record": 17, "since": 12},
            {"record": None, "since": None},
        ):
            assert status(folder, json.dumps(written | change).encode(), *by, "--key", KEY) == 2, change
        assert status(folder, json.dumps(written | {"proof": []}).encode(), *by, "--key", KEY) == 1


# ----------------------------------------------------------------------------------------------- growth


def test_a_proof_of_growth(folder: Path) -> None:
    by = ("--old", folder / "old", "--checkpoint", folder / "new")
    assert status(folder, growth(12), *by, "--key", KEY) == 0
    assert status(folder, growth(12), *by) == 3
    assert status(folder, growth(12), *by, "--key", KEY, "--key", WITNESS_KEY) == 3
    assert status(folder, growth(11), *by, "--key", KEY) == 1
    assert status(folder, b"", *by, "--key", KEY) == 1
    (folder / "old").write_bytes(bytes(signed(REWRITTEN, 12)))
    assert status(folder, growth(12), *by, "--key", KEY) == 1, "other records before"
    (folder / "old").write_bytes(bytes(signed(LOG, 12, origin="example.org/house/table/2")))
    assert status(folder, growth(12), *by, "--key", KEY) == 1, "another log"
    (folder / "old").write_bytes(bytes(signed(LOG, 12)).replace(b"\n12\n", b"\n11\n"))
    assert status(folder, growth(12), *by, "--key", KEY) == 1, "a changed checkpoint"
    (folder / "old").write_bytes(bytes(signed(LOG, 20)))
    assert status(folder, b"", *by, "--key", KEY) == 0, "the same log"
    assert status(folder, growth(12), "--old", folder / "old", "--key", KEY) == 2
    assert status(folder, growth(12), "--checkpoint", folder / "new", "--key", KEY) == 2
    assert status(folder, growth(12), "--old", folder / "none", "--checkpoint", folder / "new") == 2
    assert status(folder, growth(12), "--old", folder / "journal.jsonl", "--checkpoint", folder / "new") == 2


# --------------------------------------------------------------------------------------------- evidence


def test_evidence_of_each_kind(folder: Path) -> None:
    kind = "other records before the growth"
    for found in (evidence(), evidence(kind, old=11, new=20), closings()):
        assert status(folder, found, "--key", KEY) == 0, found.kind
        assert status(folder, found) == 3
        assert status(folder, found, "--key", WITNESS_KEY) == 3
        assert status(folder, found, "--key", STRANGER) == 1
        for part in ("cosigned", "shown"):
            by_stranger = msgspec.structs.replace(
                found, **{part: getattr(found, part).replace("— example", "— exomple")}
            )
            assert status(folder, by_stranger, "--key", KEY) == 1, "one of the two is not the log's"
    told = answered("journal", "check", folder / "file", "--key", KEY, status=1)
    assert (told["what"], told["holds"], told["checkpoints"][0]["signed_by"]) == (
        "evidence",
        True,
        [HOUSE.verifier.name],
    )


def test_what_contradicts_nothing_is_no_evidence(folder: Path) -> None:
    kind = "other records before the growth"
    for found in (
        evidence(shown=LOG),
        evidence(old=9, new=10),
        evidence(kind, old=11, new=20, shown=LOG),
        evidence(kind, old=9, new=9),
        msgspec.structs.replace(evidence(kind, old=11, new=20), proof=()),
        msgspec.structs.replace(evidence(kind, old=11, new=20), kind="two roots at one size"),
        closings(8, 8),
        closings(8, 3),
    ):
        assert status(folder, found, "--key", KEY) == 1, found
    other = bytes(signed(REWRITTEN, 9, origin=f"{ORIGIN}/2"))
    assert status(folder, msgspec.structs.replace(evidence(), shown=other.decode()), "--key", KEY) == 1, "two logs"
    moved = closings()
    wrong_index = moved.shown.replace("index 9", "index 8")
    assert status(folder, msgspec.structs.replace(moved, shown=wrong_index), "--key", KEY) == 1
    other_shoe = closing_body(closing_event(shoe="18"), seq=9)
    log = Log([*CLOSED[:9], other_shoe])
    shown = bytes(ShareRequest(other_shoe, EntryProof(9, log.prove_inclusion(9), signed(log, 10)))).decode()
    assert status(folder, msgspec.structs.replace(moved, shown=shown), "--key", KEY) == 1, "another shoe"


# ---------------------------------------------------------------------------------------------- bad input


def kinds(folder: Path) -> dict[str, tuple[bytes, tuple[str | Path, ...]]]:
    by = ("--key", KEY, "--key", WITNESS_KEY)
    note = cosigned(signed(LOG, 20))
    return {
        "record": (proof(note=note), ("--journal", folder / "journal.jsonl", *by)),
        "receipt": (f"{to_base64(BODIES[17])}\n".encode() + proof(note=note), by),
        "growth": (growth(12), ("--old", folder / "old", "--checkpoint", folder / "new", *by)),
        "evidence": (msgspec.json.encode(evidence()), by),
        "closings": (msgspec.json.encode(closings()), by),
    }


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["record", "receipt", "growth", "evidence", "closings"])
def test_cut_at_every_byte_it_is_a_sentence_and_never_right(folder: Path, kind: str) -> None:
    for name, size in (("old", 12), ("new", 20)):
        (folder / name).write_bytes(bytes(cosigned(signed(LOG, size))))
    data, words = kinds(folder)[kind]
    path = folder / "file"
    rows = {len(b"".join(data.splitlines(keepends=True)[:-1]))}  # without its last signature it is not cosigned
    for at in range(len(data)):
        path.write_bytes(data[:at])
        done = cli("journal", "check", path, *words)
        expected = (3,) if at in rows and kind in ("record", "receipt") else (1, 2)
        assert done.exit_code in expected, (at, done.output)
        assert done.output.strip()
        assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe", b"{", b"{}", b"[]", b'{"kind":"x"}', b'{"kind":1,"cosigned":"","shown":""}', b'{"a":' * 5_000,
        b'{"kind":"two roots at one size","cosigned":"","shown":""}',
        b'{"kind":"two closings of one shoe","cosigned":"\\n","shown":"x"}',
        b"c2sp.org/tlog-proof@v1\n", b"c2sp.org/tlog-proof@v1\nindex 1\n\n", b"x\nc2sp.org/tlog-proof@v1\n",
        b"hello\n", b"\x1b[2J\n", b"\n", b"\0" * 100,
    ],
)  # fmt: skip
def test_junk_is_a_sentence(folder: Path, data: bytes) -> None:
    words = ("--old", folder / "old", "--checkpoint", folder / "new", "--journal", folder / "journal.jsonl")
    assert status(folder, data, *words) == 2
    assert "\x1b[2J" not in cli("journal", "check", folder / "file", *words).output


def test_a_file_that_is_no_file(folder: Path) -> None:
    refused("journal", "check", folder / "none", status=2, say="cannot be read")
    refused("journal", "check", folder, status=2, say="cannot be read")
    (folder / "long").write_bytes(b"x" * 5_000_001)
    refused("journal", "check", folder / "long", status=2, say="longer than")


def test_without_cryptography_it_says_that_signatures_were_not_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = proof()
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    assert status(folder, data, "--journal", folder / "journal.jsonl", "--key", KEY) == 3
