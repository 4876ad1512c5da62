"""`baccarat journal` and `baccarat witness`: keys, checkpoints, proofs, cosignatures; everything that can go wrong."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from baccarat.cli.journal_files import leaves
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import checkpoint_of, open_checkpoint, sign_checkpoint
from baccarat.record.encoding import from_base64
from baccarat.record.journal import write_note
from baccarat.record.key import Signer, Verifier
from baccarat.record.log import extends
from baccarat.record.tlog_proof import read_proof
from log_floor import bodies, journal_lines
from log_verb import Floor, Words, answered, cli, refused


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


# ------------------------------------------------------------------------------------------------- keys


def test_a_new_key_is_secret_and_shown_again(floor: Floor) -> None:
    assert stat.S_IMODE(floor.key.stat().st_mode) == 0o600
    shown = cli("journal", "key", floor.key).stdout
    assert shown == floor.public.read_text()
    told = answered("journal", "key", floor.witness_key)
    assert (told["name"], told["of"], told["key"]) == (
        "example.org/surveillance",
        "witness",
        floor.witness.read_text().strip(),
    )
    assert str(Verifier.parse(told["key"])) == told["key"]
    secret = floor.key.read_text().strip().split("+", 4)[4]  # it may hold a + itself
    assert secret not in shown + floor.public.read_text()


def test_no_key_is_overwritten(floor: Floor) -> None:
    before = floor.key.read_bytes()
    refused("journal", "key", floor.key, "--new", "x", status=2, say="already exists and is not overwritten")
    assert floor.key.read_bytes() == before


def test_a_key_that_others_may_read_is_not_used(floor: Floor) -> None:
    for mode in (0o640, 0o604, 0o620, 0o666):
        floor.key.chmod(mode)
        words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
        refused(*words, status=2, say="other users can read or change this secret key")
        refused("journal", "key", floor.key, status=2, say="chmod 600")
    assert not (floor.folder / "journal.jsonl.checkpoint").exists()


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u00a0b"])
def test_a_name_that_no_key_can_have(floor: Floor, name: str) -> None:
    new = floor.folder / "new.key"
    refused("journal", "key", new, "--new", name, status=2, say="the name of a key")
    assert not new.exists()


def test_files_that_are_no_key(floor: Floor) -> None:
    words: Words = ("journal", "checkpoint", floor.journal, "--key")
    refused(*words, floor.folder / "none", status=2, say="No such file")
    refused(*words, floor.folder, status=2, say="is not a file")
    for data, say in (
        (b"", "not a signer key"),
        (b"\xff\xfe", "not UTF-8"),
        (floor.public.read_bytes(), "not a signer key"),
        (floor.key.read_bytes()[:-9], "expected 32"),
        (floor.key.read_bytes().replace(b"table/1", b"table/2"), "the id of the key does not belong"),
    ):
        path = floor.folder / "bad.key"
        path.write_bytes(data)
        path.chmod(0o600)
        refused(*words, path, status=2, say=say)


def test_a_log_and_a_witness_do_not_take_each_others_keys(floor: Floor) -> None:
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.witness_key)
    refused(*words, status=2, say="is the key of a witness; expected that of a log")
    floor.checkpoint()
    words = ("witness", floor.exchange, "--key", floor.key, "--log", floor.public)
    refused(*words, status=2, say="is the key of a log; expected that of a witness")
    words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.witness)
    refused(*words, status=2, say="is the key of a witness; expected that of a log")
    words = ("journal", "cosign", floor.journal, "--folder", floor.exchange, "--witness", floor.public)
    refused(*words, status=2, say="is the key of a log; expected that of a witness")
    refused(*words[:-1], floor.key, status=2, say="this is a signer key, which is secret")
    refused(*words[:-1], "no+such", status=2, say="expected name+id+key")
    refused(*words[:-1], "nosuch.pub", status=2, say="nosuch.pub: is neither a file nor a public key")
    refused(*words[:-1], "x" * 5000, status=2, say="is neither a file nor a public key")


# ------------------------------------------------------------------------------------------ checkpoints


def test_a_checkpoint_is_signed_kept_and_grows(floor: Floor) -> None:
    done = cli("journal", "checkpoint", floor.journal, "--key", floor.key)
    kept = floor.folder / "journal.jsonl.checkpoint"
    assert done.stdout.encode() == kept.read_bytes()
    key = Verifier.parse(floor.public.read_text().strip())
    assert open_checkpoint(kept.read_bytes(), [key], origin="example.org/house/table/1").size == 20
    assert floor.checkpoint()["new"] is False
    floor.write(25)
    told = floor.checkpoint()
    assert (told["origin"], told["size"], told["new"]) == ("example.org/house/table/1", 25, True)
    assert told["checkpoint"].encode() == kept.read_bytes()


def test_an_empty_journal_has_a_checkpoint(floor: Floor) -> None:
    floor.write(0)
    assert floor.checkpoint()["root"] == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="


def test_nothing_is_signed_once_a_record_was_changed_or_taken_away(floor: Floor) -> None:
    floor.checkpoint()
    kept = floor.folder / "journal.jsonl.checkpoint"
    before = kept.read_bytes()
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
    for changed in (0, 7, 19):
        floor.write(30, changed)
        refused(*words, status=1, say="the first 20 entries are not those that were there before")
    floor.write(19)
    refused(*words, status=1, say="there are 19 entries, and there were 20 before; nothing is signed")
    assert kept.read_bytes() == before


def test_a_checkpoint_by_another_key_is_not_followed(floor: Floor) -> None:
    floor.checkpoint()
    other = floor.folder / "other.key"
    cli("journal", "key", other, "--new", "example.org/house/table/1")
    words: Words = ("journal", "checkpoint", floor.journal, "--key", other)
    refused(*words, status=1, say="no known key has signed it")
    kept = floor.folder / "journal.jsonl.checkpoint"
    kept.write_bytes(kept.read_bytes()[:-10])
    words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
    refused(*words, status=2, say="only half of it has been written")


@pytest.mark.parametrize(
    ("data", "say"),
    [
        (b'{"hash":"0","record":{"seq":1}', "line 2: only half of the line has been written"),
        (b"\xff\n", "line 2: expected"),
        (b"\n", "line 2: expected"),
        (journal_lines(bodies(1)), "line 2: entry 0 of table 1 is in the place of entry 1"),
        (journal_lines(bodies(2, changed=0))[-400:].partition(b"\n")[2], "line 2: the hash of entry 1 of table 1 is"),
        (b'{"hash":"' + b"0" * 64 + b'","record":' + b"x" * 70_000 + b"}\n", "line 2: longer than"),
    ],
)
def test_a_journal_that_cannot_be_read(floor: Floor, data: bytes, say: str) -> None:
    floor.write(1)
    floor.journal.write_bytes(floor.journal.read_bytes() + data)
    refused("journal", "checkpoint", floor.journal, "--key", floor.key, status=2, say=say)
    assert not (floor.folder / "journal.jsonl.checkpoint").exists()


def test_each_stream_of_a_journal_is_a_log(floor: Floor) -> None:
    tables = [bodies(9, stream=name) for name in (Stream("table 1"), Stream("table 2/3"))]
    both = [journal_lines(each).splitlines(keepends=True) for each in tables]
    floor.journal.write_bytes(b"".join(line for pair in zip(*both, strict=True) for line in pair))
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
    refused(*words, status=2, say="it has several streams, table 1 and table 2/3: choose one with --stream")
    refused(*words, "--stream", "cage", status=2, say="it has no stream 'cage'")
    for name, each in zip((Stream("table 1"), Stream("table 2/3")), tables, strict=True):
        assert list(leaves(floor.journal, name)) == each
        assert answered(*words, "--stream", name)["size"] == 9
        proof = cli("journal", "prove", floor.journal, "--record", "7", "--stream", name).stdout.encode()
        assert read_proof(proof).shows(each[7])
    kept = sorted(path.name for path in floor.folder.glob("*.checkpoint"))
    assert kept == ["journal.jsonl.table%201.checkpoint", "journal.jsonl.table%202%2F3.checkpoint"]


def test_checkpoints_within_a_journal_are_no_entries(floor: Floor) -> None:
    first = journal_lines(bodies(20)).splitlines(keepends=True)
    signer = Signer.parse(floor.key.read_text().strip())
    note = sign_checkpoint(checkpoint_of("example.org/house/table/1", bodies(5)), signer)
    floor.journal.write_bytes(b"".join([*first[:5], write_note(note, Stream("table 1")), *first[5:]]))
    assert list(leaves(floor.journal)) == bodies(20)


def test_files_that_are_not_there(floor: Floor) -> None:
    refused("journal", "checkpoint", floor.folder / "none", "--key", floor.key, status=2, say="No such file")
    refused(
        "journal", "prove", floor.journal, "--record", "1", status=2, say="journal.jsonl.checkpoint: cannot be read"
    )
    nowhere = floor.folder / "none" / "file"
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.key, "--checkpoint", nowhere)
    refused(*words, status=2, say="cannot be written: No such file")
    refused("journal", "key", nowhere, "--new", "x", status=2, say="cannot be written: No such file")


def test_the_leaf_is_the_body_as_it_stands(floor: Floor) -> None:
    assert list(leaves(floor.journal)) == bodies(20)


# ----------------------------------------------------------------------------------------------- proofs


@pytest.mark.slow
def test_a_record_is_proved_to_whoever_has_the_checkpoint(floor: Floor) -> None:
    floor.checkpoint()
    floor.write(25)  # records after the checkpoint do not matter
    for record in range(20):
        proof = read_proof(cli("journal", "prove", floor.journal, "--record", str(record)).stdout.encode())
        proof.note.verified_signatures([Verifier.parse(floor.public.read_text().strip())])
        assert [proof.shows(entry) for entry in leaves(floor.journal)] == [at == record for at in range(25)]
    told = answered("journal", "prove", floor.journal, "--record", "7")
    assert (told["record"], told["size"], len(told["proof"])) == (7, 20, 5)


def test_growth_is_proved(floor: Floor) -> None:
    floor.checkpoint()
    for since in range(21):
        told = answered("journal", "prove", floor.journal, "--since", str(since))
        root, old_root = (from_base64(told[name]) or b"" for name in ("root", "old_root"))
        proof = [from_base64(each) or b"" for each in told["proof"]]
        assert extends(root, size=20, old_root=old_root, old_size=since, proof=proof)
    lines = cli("journal", "prove", floor.journal, "--since", "7").stdout.splitlines()
    assert lines == answered("journal", "prove", floor.journal, "--since", "7")["proof"]


def test_what_cannot_be_proved(floor: Floor) -> None:
    floor.checkpoint()
    words: Words = ("journal", "prove", floor.journal)
    refused(*words, status=2, say="nothing to prove")
    refused(*words, "--record", "1", "--since", "1", status=2, say="nothing to prove")
    refused(*words, "--record", "20", status=1, say="no entry 20 in a log of 20")
    refused(*words, "--record", "-1", status=1, say="no entry -1 in a log of 20")
    refused(*words, "--since", "21", status=1, say="a log of 20 entries does not follow one of 21")
    floor.write(20, changed=3)
    refused(*words, "--record", "1", status=1, say="the first 20 records are not those that its checkpoint covers")
    floor.write(12)
    refused(*words, "--record", "1", status=1, say="it has 12 records, but its checkpoint covers 20")
