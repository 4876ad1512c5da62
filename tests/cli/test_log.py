"""`baccarat journal` and `baccarat witness`: keys, checkpoints, proofs, cosignatures; everything that can go wrong."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.cli.log_files import leaves
from baccarat.record.checkpoint import checkpoint_of, open_checkpoint, sign_checkpoint
from baccarat.record.encoding import from_base64
from baccarat.record.journal import write_note
from baccarat.record.key import Signer, Verifier
from baccarat.record.log import extends
from baccarat.record.note import read_note
from baccarat.record.tlog_proof import read_proof
from log_floor import bodies, journal_lines
from paths import ROOT


def cli(*words: str | Path) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(map(str, words)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def answered(*words: str | Path, status: int = 0) -> Any:
    done = cli(*words, "--json")
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


Words = tuple[str | Path, ...]


def refused(*words: str | Path, status: int, say: str) -> None:
    """A message on standard error, nothing on standard output, and this status."""
    done = cli(*words)
    assert (done.exit_code, done.stdout) == (status, ""), done.output
    assert say in " ".join(done.stderr.split()), done.stderr
    assert "PRIVATE+KEY+example" not in done.stderr


class Floor:
    """A table with its journal and key, surveillance with its own, and a folder between them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "journal.jsonl"
        self.write(20)
        self.exchange = folder / "exchange"
        self.exchange.mkdir()
        self.public, self.witness = folder / "t1.pub", folder / "surveillance.pub"
        self.public.write_text(cli("journal", "key", self.key, "--new", "example.org/table-1").stdout)
        self.witness.write_text(
            cli("journal", "key", self.witness_key, "--new", "example.org/surveillance", "--witness").stdout
        )

    @property
    def key(self) -> Path:
        return self.folder / "t1.key"

    @property
    def witness_key(self) -> Path:
        return self.folder / "surveillance.key"

    def write(self, size: int, changed: int | None = None) -> None:
        self.journal.write_bytes(journal_lines(bodies(size, changed=changed)))

    def checkpoint(self) -> Any:
        return answered("journal", "checkpoint", self.journal, "--key", self.key)

    def ask(self, status: int = 0) -> Any:
        words = ("journal", "cosign", self.journal, "--folder", self.exchange, "--witness", self.witness)
        return answered(*words, status=status)

    def look(self, status: int = 0) -> Any:
        return answered("witness", self.exchange, "--key", self.witness_key, "--log", self.public, status=status)

    def cosigned(self) -> Any:
        """Ask, let the witness look, and take up the answer."""
        self.ask()
        self.look()
        return self.ask()

    def forget(self) -> None:
        """What somebody does who rewrites a journal: the old checkpoints go."""
        for path in self.folder.glob("journal.jsonl.*"):
            path.unlink()


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
    refused("journal", "key", floor.key, "--new", "x", status=2, say="is there already and is not overwritten")
    assert floor.key.read_bytes() == before


def test_a_key_that_others_may_read_is_not_used(floor: Floor) -> None:
    for mode in (0o640, 0o604, 0o620, 0o666):
        floor.key.chmod(mode)
        words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
        refused(*words, status=2, say="others may read or change this secret key")
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
    refused(*words, floor.folder, status=2, say="is no file with a key")
    for data, say in (
        (b"", "no signer key"),
        (b"\xff\xfe", "not UTF-8"),
        (floor.public.read_bytes(), "no signer key"),
        (floor.key.read_bytes()[:-9], "expected 32"),
        (floor.key.read_bytes().replace(b"table-1", b"table-2"), "the id of the key does not belong"),
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
    assert open_checkpoint(kept.read_bytes(), [key], origin="example.org/table-1").size == 20
    assert floor.checkpoint()["new"] is False
    floor.write(25)
    told = floor.checkpoint()
    assert (told["origin"], told["size"], told["new"]) == ("example.org/table-1", 25, True)
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
    cli("journal", "key", other, "--new", "example.org/table-1")
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
        (journal_lines(bodies(1)), "line 2: table 1 0 stands where table 1 1 is expected"),
        (journal_lines(bodies(2, changed=0))[-400:].partition(b"\n")[2], "line 2: the hash of table 1 1 is"),
        (b'{"hash":"' + b"0" * 64 + b'","record":' + b"x" * 70_000 + b"}\n", "line 2: longer than"),
    ],
)
def test_a_journal_that_cannot_be_read(floor: Floor, data: bytes, say: str) -> None:
    floor.write(1)
    floor.journal.write_bytes(floor.journal.read_bytes() + data)
    refused("journal", "checkpoint", floor.journal, "--key", floor.key, status=2, say=say)
    assert not (floor.folder / "journal.jsonl.checkpoint").exists()


def test_each_stream_of_a_journal_is_a_log(floor: Floor) -> None:
    tables = [bodies(9, stream=name) for name in ("table 1", "table 2/3")]
    both = [journal_lines(each).splitlines(keepends=True) for each in tables]
    floor.journal.write_bytes(b"".join(line for pair in zip(*both, strict=True) for line in pair))
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
    refused(*words, status=2, say="there are several streams in it, table 1 and table 2/3: say --stream")
    refused(*words, "--stream", "cage", status=2, say="there is no stream 'cage' in it")
    for name, each in zip(("table 1", "table 2/3"), tables, strict=True):
        assert list(leaves(floor.journal, name)) == each
        assert answered(*words, "--stream", name)["size"] == 9
        proof = cli("journal", "prove", floor.journal, "--record", "7", "--stream", name).stdout.encode()
        assert read_proof(proof).shows(each[7])
    kept = sorted(path.name for path in floor.folder.glob("*.checkpoint"))
    assert kept == ["journal.jsonl.table%201.checkpoint", "journal.jsonl.table%202%2F3.checkpoint"]


def test_checkpoints_within_a_journal_are_no_entries(floor: Floor) -> None:
    first = journal_lines(bodies(20)).splitlines(keepends=True)
    note = sign_checkpoint(checkpoint_of("example.org/table-1", bodies(5)), Signer.parse(floor.key.read_text().strip()))
    floor.journal.write_bytes(b"".join([*first[:5], write_note(note, "table 1"), *first[5:]]))
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


def test_a_record_is_proved_to_whoever_has_the_checkpoint(floor: Floor) -> None:
    floor.checkpoint()
    floor.write(25)  # records after the checkpoint do not matter
    for record in range(20):
        proof = read_proof(cli("journal", "prove", floor.journal, "--record", str(record)).stdout.encode())
        proof.note.verified([Verifier.parse(floor.public.read_text().strip())])
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
    refused(*words, status=2, say="say what is to be proved")
    refused(*words, "--record", "1", "--since", "1", status=2, say="say what is to be proved")
    refused(*words, "--record", "20", status=1, say="no entry 20 in a log of 20")
    refused(*words, "--record", "-1", status=1, say="no entry -1 in a log of 20")
    refused(*words, "--since", "21", status=1, say="a log of 20 entries does not follow one of 21")
    floor.write(20, changed=3)
    refused(*words, "--record", "1", status=1, say="the first 20 records are not those that its checkpoint covers")
    floor.write(12)
    refused(*words, "--record", "1", status=1, say="there are 12 records, and its checkpoint covers 20")


# ---------------------------------------------------------------------------------------------- witness


def test_a_witness_cosigns_growth_through_a_folder(floor: Floor) -> None:
    floor.checkpoint()
    assert floor.ask()["state"] == "asked"
    (answer,) = floor.look()["answers"]
    assert (answer["status"], answer["origin"], answer["size"], answer["say"]) == (
        200,
        "example.org/table-1",
        20,
        "cosigned",
    )
    told = floor.ask()
    assert told["state"] == "cosigned"
    keys = [Verifier.parse(path.read_text().strip()) for path in (floor.public, floor.witness)]
    kept = read_note((floor.folder / "journal.jsonl.cosigned").read_bytes())
    assert list(kept.verified(keys)) == keys
    assert told["checkpoint"].encode() == bytes(kept)
    assert not list(floor.exchange.iterdir()), "what has been dealt with is taken away"
    assert floor.ask()["checkpoint"] == told["checkpoint"], "asking again asks for nothing more"
    assert floor.look() == {"answers": [], "evidence": []}
    floor.write(33)
    floor.checkpoint()
    assert floor.cosigned()["size"] == 33


def test_a_log_that_has_forgotten_what_was_cosigned_is_told(floor: Floor) -> None:
    floor.checkpoint()
    floor.cosigned()
    floor.forget()
    floor.write(30)
    floor.checkpoint()
    floor.ask()
    (answer,) = floor.look(status=1)["answers"]
    assert (answer["status"], answer["say"]) == (409, "refused: cosigned last were 20 records")
    assert floor.ask()["state"] == "asked", "now with the proof from there"
    assert [each["status"] for each in floor.look()["answers"]] == [200]
    assert floor.ask()["state"] == "cosigned"


def test_a_journal_that_was_rewritten_with_its_own_key_is_found_out(floor: Floor) -> None:
    """Whoever holds the journal, its checkpoints and its key can sign anything; the witness remembers."""
    floor.checkpoint()
    floor.cosigned()
    for size in (20, 30):
        floor.forget()
        floor.write(size, changed=5)
        floor.checkpoint()
        floor.ask()
        floor.look(status=1)
        assert floor.ask()["state"] == "asked", "now from the size that the witness knows"
        floor.look(status=1)
        assert floor.ask(status=1)["state"] == "refused"
        assert not list(floor.exchange.iterdir())
        assert not (floor.folder / "journal.jsonl.cosigned").exists()
    memory = floor.folder / "surveillance.key.memory"
    kinds = sorted(json.loads(path.read_text())["kind"] for path in memory.glob("*.evidence"))
    assert kinds == ["other records before the growth", "two roots at one size"]


def test_a_journal_that_lost_records_is_found_out(floor: Floor) -> None:
    floor.checkpoint()
    floor.cosigned()
    floor.forget()
    floor.write(12)
    floor.checkpoint()
    floor.ask()
    floor.look(status=1)
    told = floor.ask(status=1)
    assert told["say"] == "example.org/surveillance has cosigned 20 records, and this checkpoint covers only 12"


def test_what_was_cosigned_must_still_hold_before_anything_is_signed(floor: Floor) -> None:
    floor.checkpoint()
    floor.cosigned()
    (floor.folder / "journal.jsonl.checkpoint").unlink()
    floor.write(30, changed=5)
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
    refused(*words, status=1, say="the first 20 entries are not those that were there before")


def test_a_cosignature_by_another_key_or_over_something_else_is_not_kept(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    (request,) = floor.exchange.glob("*.request")
    floor.look()
    answer = request.with_suffix(".answer")
    data = answer.read_bytes()
    wrong = [data[:-8] + b"AAAA" + data[-4:], data.replace(b"surveillance", b"somebody"), b"200 OK\n\nnothing\n", b"x"]
    for changed in wrong:
        floor.ask() if not request.exists() else None
        answer.write_bytes(changed)
        words = ("journal", "cosign", floor.journal, "--folder", floor.exchange, "--witness", floor.witness)
        done = cli(*words)
        assert done.exit_code == (2 if changed == b"x" else 1), done.output
        assert not (floor.folder / "journal.jsonl.cosigned").exists()


def test_a_cosignature_that_was_put_there_by_hand_is_not_believed(floor: Floor) -> None:
    floor.checkpoint()
    floor.cosigned()
    kept = floor.folder / "journal.jsonl.cosigned"
    rows = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(rows[:-1]) + rows[-1].replace(rows[-1][-20:-16], b"AAAA"))
    assert "or it is wrong" in floor.ask(status=1)["say"]


def test_a_log_that_nobody_watches_and_a_key_that_nobody_knows(floor: Floor) -> None:
    other = floor.folder / "other.key"
    public = cli("journal", "key", other, "--new", "example.org/table-2").stdout.strip()
    floor.checkpoint()
    floor.ask()
    words: Words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", public)
    (answer,) = answered(*words, status=1)["answers"]
    assert answer["status"] == 404
    assert "no log of this name is watched here" in floor.ask(status=1)["say"]
    same_name = floor.folder / "same.key"
    public = cli("journal", "key", same_name, "--new", "example.org/table-1").stdout.strip()
    floor.ask()
    (answer,) = answered(*words[:-1], public, status=1)["answers"]
    assert answer["status"] == 403
    floor.ask(status=1)
    assert floor.cosigned()["state"] == "cosigned", "the same may be asked again"


def test_two_witnesses_cosign_one_checkpoint(floor: Floor) -> None:
    floor.checkpoint()
    floor.cosigned()
    second = floor.folder / "regulator.key"
    public = cli("journal", "key", second, "--new", "example.org/regulator", "--witness").stdout.strip()
    words: Words = ("journal", "cosign", floor.journal, "--folder", floor.exchange, "--witness", public)
    assert answered(*words)["state"] == "asked"
    answered("witness", floor.exchange, "--key", second, "--log", floor.public)
    told = answered(*words)
    signed = [each.name for each in read_note(told["checkpoint"].encode()).signatures]
    assert signed == ["example.org/table-1", "example.org/regulator", "example.org/surveillance"]
    assert floor.ask()["state"] == "cosigned"


@pytest.mark.slow
def test_waiting_ends(floor: Floor) -> None:
    floor.checkpoint()
    words: Words = ("journal", "cosign", floor.journal, "--folder", floor.exchange, "--witness", floor.witness)
    done = cli(*words, "--wait", "1")
    assert done.exit_code == 1
    assert "there is no answer yet" in done.stdout


def test_folders_that_are_none_or_the_wrong_ones(floor: Floor) -> None:
    floor.checkpoint()
    words: Words = ("witness", floor.folder / "none", "--key", floor.witness_key, "--log", floor.public)
    refused(*words, status=2, say="is no folder")
    inside = floor.exchange / "memory"
    words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public, "--memory", inside)
    refused(*words, status=2, say="a log could change what the witness remembers")
    assert not inside.exists()
    words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public, "--memory", floor.public)
    refused(*words, status=2, say=str(floor.public))
    words = ("journal", "cosign", floor.journal, "--folder", floor.key, "--witness", floor.witness)
    refused(*words, status=2, say="is no folder")


def test_a_folder_that_cannot_be_written(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    floor.checkpoint()
    floor.ask()

    def denied(*_args: object, **_named: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("baccarat.record.durable._create", denied)
    words: Words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public)
    refused(*words, status=2, say="cannot be written: Permission denied")
    monkeypatch.undo()
    assert [each["status"] for each in floor.look()["answers"]] == [200], "nothing was half done"


def hostile(folder: Path, outside: Path) -> dict[str, str]:
    """Fill a folder with everything that is no request; what is said of each, by the name that is shown."""
    names = {what: hashlib.sha256(what.encode()).hexdigest() for what in ("folder", "pipe", "link", "dangling", "long")}
    (folder / f"{names['folder']}.request").mkdir()
    os.mkfifo(folder / f"{names['pipe']}.request")
    (folder / f"{names['link']}.request").symlink_to(outside)
    (folder / f"{names['dangling']}.request").symlink_to(folder / "nowhere")
    with (folder / f"{names['long']}.request").open("wb") as stream:
        stream.truncate(1 << 40)  # a file of holes
    for name in (b"odd \xff\x1b[2J\n", b"", b"..", b"a" * 200):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name + b".request")).write_bytes(b"x")
    (folder / "dir.answer").mkdir()
    (folder / "notes.answer").write_text("somebody's own")
    (folder / f"{'a' * 64}.answer").mkdir()
    (folder / f"{'b' * 64}.answer").symlink_to(outside)
    return {
        names["folder"]: "it is no file",
        names["pipe"]: "it is no file",
        names["link"]: "it is a link",
        names["dangling"]: "it is a link",
        names["long"]: "longer than 1,010,000 bytes",
        r"odd \udcff\x1b[2J\n": "expected the SHA-256",
        "": "expected the SHA-256",
        "..": "expected the SHA-256",
        "a" * 200: "expected the SHA-256",
        "a" * 64: "its old answer cannot be removed",
    }


def test_whatever_else_lies_in_the_folder_the_requests_are_answered(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    outside = floor.folder / "outside"
    outside.write_bytes(b"mine")
    expected = hostile(floor.exchange, outside)
    told = floor.look(status=2)
    assert [each["status"] for each in told["answers"] if not each["unusable"]] == [200]
    found = {each["request"]: each["say"] for each in told["answers"] if each["unusable"]}
    assert found.keys() == expected.keys()
    for name, say in expected.items():
        assert say in found[name], name
    assert floor.ask()["state"] == "cosigned"
    assert outside.read_bytes() == b"mine"
    assert not (floor.exchange / f"{'b' * 64}.answer").is_symlink(), "an old answer goes, whatever it names stays"
    assert (floor.exchange / "notes.answer").read_text() == "somebody's own"
    done = cli("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public)
    assert done.exit_code == 2
    assert all(say in " ".join(done.stderr.split()) for say in expected.values()), done.stderr
    assert "\x1b[2J" not in done.output


def test_an_answer_that_cannot_be_written_is_named_and_the_others_are(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    (request,) = floor.exchange.glob("*.request")
    request.with_suffix(".answer").mkdir()
    junk = b"what?"
    other = floor.exchange / f"{hashlib.sha256(junk).hexdigest()}.request"
    other.write_bytes(junk)
    told = {each["request"]: each for each in floor.look(status=2)["answers"]}
    assert told[request.stem]["unusable"]
    assert "its answer cannot be written: Is a directory" in told[request.stem]["say"]
    assert told[other.stem]["status"] == 400
    assert not list(floor.exchange.glob(".*")), "no half file is left"
    request.with_suffix(".answer").rmdir()
    (answer,) = floor.look(status=1)["answers"]
    assert answer["status"] == 409, "it was kept before it could be said; the log then asks from there"


@pytest.mark.slow
def test_ten_thousand_requests_are_answered_one_by_one(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    for number in range(10_000):
        data = b"request %d" % number
        (floor.exchange / f"{hashlib.sha256(data).hexdigest()}.request").write_bytes(data)
    told = [each["status"] for each in floor.look(status=1)["answers"]]
    assert (told.count(400), told.count(200), len(told)) == (10_000, 1, 10_001)


def test_a_request_that_is_not_whole_waits(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    (request,) = floor.exchange.glob("*.request")
    whole = request.read_bytes()
    request.write_bytes(whole[:100])
    (answer,) = floor.look()["answers"]
    assert (answer["status"], answer["say"]) == (None, "not whole yet")
    assert "not whole yet" in cli("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public).stdout
    request.write_bytes(whole)
    assert [each["status"] for each in floor.look()["answers"]] == [200]


def test_a_memory_that_was_changed_stops_the_witness(floor: Floor) -> None:
    floor.checkpoint()
    floor.cosigned()
    (kept,) = (floor.folder / "surveillance.key.memory").glob("*.checkpoint")
    kept.write_bytes(kept.read_bytes()[:-5])
    floor.write(25)
    floor.checkpoint()
    floor.ask()
    words: Words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public)
    refused(*words, status=2, say="what was cosigned last cannot be read")
    assert not list(floor.exchange.glob("*.answer"))


def test_without_cryptography_proofs_are_made_and_signing_names_the_extra(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor.checkpoint()
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    assert answered("journal", "prove", floor.journal, "--record", "7")["record"] == 7
    words: Words = ("journal", "checkpoint", floor.journal, "--key", floor.key)
    refused(*words, status=2, say='pip install "baccarat[proof]"')
    refused("journal", "key", floor.folder / "n.key", "--new", "n", status=2, say="baccarat[proof]")


def test_keys_of_many_logs_stand_in_one_file(floor: Floor) -> None:
    other = cli("journal", "key", floor.folder / "t2.key", "--new", "example.org/table-2").stdout
    logs = floor.folder / "logs"
    logs.write_text(f"# the logs that we watch\n\n{other}{floor.public.read_text()}")
    floor.checkpoint()
    floor.ask()
    words: Words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", logs)
    assert [each["status"] for each in answered(*words)["answers"]] == [200]
    assert cli(*words).stdout == "nothing is asked\n"


# ---------------------------------------------------------------------------------- files of somebody else


def test_a_file_of_somebody_else_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_bytes(b"my important notes")
    script = tmp_path / "script.jsonl"
    script.write_text('{"submission": "ma-midi-4"}\n{"do": "sit", "seat": 3, "who": "A. Patron"}\n')
    words: Words = ("run", script, "--journal", notes)
    refused(*words, status=2, say="as baccarat writes a journal; it is left as it is")
    assert sorted(tmp_path.iterdir()) == [notes, script]
    assert notes.read_bytes() == b"my important notes"


# ------------------------------------------------------------------------------------------------- docs


def test_the_checkpoint_on_the_page_is_signed_by_the_keys_on_the_page() -> None:
    page = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
    keys, note = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    known = [Verifier.parse(row) for row in keys.splitlines()]
    assert list(read_note(note.encode()).verified(known)) == known


@pytest.mark.slow
def test_the_commands_on_the_page_run(tmp_path: Path) -> None:
    """Every line of the page about the log, in its order, in an empty folder."""
    page = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
    commands = "".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL))
    assert commands.count("baccarat") == 9
    script = f'set -e\nbaccarat() {{ "{sys.executable}" -m baccarat "$@"; }}\n{commands}'
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    keys = [Verifier.parse((tmp_path / name).read_text().strip()) for name in ("t1.pub", "surveillance.pub")]
    cosigned = read_note((tmp_path / "journal.jsonl.cosigned").read_bytes())
    assert list(cosigned.verified(keys)) == keys
    proof = read_proof((tmp_path / "record-17.tlog-proof").read_bytes())
    assert proof.shows(list(leaves(tmp_path / "journal.jsonl"))[17])
