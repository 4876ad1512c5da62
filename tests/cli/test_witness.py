"""The witness's verbs, through a folder: what it cosigns, what it refuses, and what it is told."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import Result

import forked
from baccarat.cli.journal_files import leaves
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import KeyKind, Verifier
from baccarat.record.log import Log
from baccarat.record.note import read_note
from baccarat.record.tlog_proof import read_proof
from baccarat.record.witness import AddCheckpointRequest
from baccarat.record.witness_folder import ask
from baccarat.record.witness_http import WitnessServer
from baccarat.serve.runtime.signing_key import known_witnesses
from campaign import times
from log_floor import bodies
from log_verb import Floor, Words, answered, cli, refused
from paths import ROOT
from shared_shoe import HOUSE, ORIGIN, signed


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


# ---------------------------------------------------------------------------------------------- witness


@pytest.mark.slow
def test_a_witness_cosigns_growth_through_a_folder(floor: Floor) -> None:
    floor.checkpoint()
    assert floor.ask()["state"] == "asked"
    (answer,) = floor.look()["answers"]
    assert (answer["status"], answer["origin"], answer["size"], answer["say"]) == (
        200,
        "example.org/house/table/1",
        20,
        "cosigned",
    )
    told = floor.ask()
    assert told["state"] == "cosigned"
    keys = [Verifier.parse(path.read_text().strip()) for path in (floor.public, floor.witness)]
    kept = read_note((floor.folder / "journal.jsonl.cosigned").read_bytes())
    assert list(kept.verified_signatures(keys)) == keys
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
    assert (answer["status"], answer["say"]) == (409, "refused: last cosigned at 20 records")
    assert floor.ask()["state"] == "asked", "now with the proof from there"
    assert [each["status"] for each in floor.look()["answers"]] == [200]
    assert floor.ask()["state"] == "cosigned"


@pytest.mark.slow
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


@pytest.mark.slow
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
    public = cli("journal", "key", same_name, "--new", "example.org/house/table/1").stdout.strip()
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
    assert signed == ["example.org/house/table/1", "example.org/regulator", "example.org/surveillance"]
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
    refused(*words, status=2, say="is not a folder")
    inside = floor.exchange / "memory"
    words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public, "--memory", inside)
    refused(*words, status=2, say="a log could change what the witness remembers")
    assert not inside.exists()
    words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public, "--memory", floor.public)
    refused(*words, status=2, say=str(floor.public))
    words = ("journal", "cosign", floor.journal, "--folder", floor.key, "--witness", floor.witness)
    refused(*words, status=2, say="is not a folder")


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
        names["folder"]: "it is not a file",
        names["pipe"]: "it is not a file",
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
def test_thousands_of_requests_are_answered_one_by_one(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    many = times(2_000)  # more than a process may have open
    for number in range(many):
        data = b"request %d" % number
        (floor.exchange / f"{hashlib.sha256(data).hexdigest()}.request").write_bytes(data)
    told = [each["status"] for each in floor.look(status=1)["answers"]]
    assert (told.count(400), told.count(200), len(told)) == (many, 1, many + 1)


def test_a_request_that_is_not_whole_waits(floor: Floor) -> None:
    floor.checkpoint()
    floor.ask()
    (request,) = floor.exchange.glob("*.request")
    whole = request.read_bytes()
    request.write_bytes(whole[:100])
    (answer,) = floor.look()["answers"]
    assert (answer["status"], answer["say"]) == (None, "not complete yet")
    assert (
        "not complete yet" in cli("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public).stdout
    )
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
    assert cli(*words).stdout == "no requests\n"


# --------------------------------------------------------------------- houses, successors and the share key


def house_request(floor: Floor, origin: str, size: int = 9) -> Path:
    """A request of a house about one of its logs, in the folder."""
    log = Log(bodies(20))
    request = bytes(AddCheckpointRequest(0, (), signed(log, size, origin=origin)))
    path = floor.exchange / f"{hashlib.sha256(request).hexdigest()}.request"
    path.write_bytes(request)
    return path


def test_a_house_is_watched_by_its_one_key(floor: Floor) -> None:
    words: Words = ("witness", floor.exchange, "--key", floor.witness_key, "--house", str(HOUSE.verifier))
    house_request(floor, ORIGIN)
    assert [each["status"] for each in answered(*words)["answers"]] == [200]
    house_request(floor, "example.org/house/table/%31")
    assert [each["status"] for each in answered(*words, status=1)["answers"]] == [404]
    again = str(HOUSE.with_name("example.org/again").verifier)
    refused(*words, "--house", again, status=2, say="two names")
    refused(*words, "--log", again, status=2, say="two names")
    refused(*words[:-2], status=2, say="nothing to watch")
    refused(
        *words[:-1], str(Verifier.parse(floor.witness.read_text().strip())), status=2, say="is the key of a witness"
    )
    refused("witness", *words[2:], status=2, say="expected one of these")


def test_a_successor_is_admitted_by_a_person(floor: Floor) -> None:
    words: Words = ("--key", floor.witness_key, "--house", str(HOUSE.verifier))
    house_request(floor, ORIGIN)
    answered("witness", floor.exchange, *words)
    successor = f"{ORIGIN}/2"
    house_request(floor, successor)
    assert [each["status"] for each in answered("witness", floor.exchange, *words, status=1)["answers"]] == [404]
    refused("witness", "--admit", f"{ORIGIN}/3", *words, status=1, say=f"its successor is {successor}")
    refused("witness", "--admit", "example.org/other/table/1/2", *words, status=1, say="not the successor of a log")
    told = answered("witness", "--admit", successor, *words)
    assert told["admitted"] == successor
    assert told["last_cosigned"].startswith(f"{ORIGIN}\n9\n")
    for path in floor.exchange.iterdir():
        path.unlink()
    house_request(floor, successor)
    house_request(floor, ORIGIN, size=12)
    found = {
        each["origin"]: each["status"] for each in answered("witness", floor.exchange, *words, status=1)["answers"]
    }
    assert found == {successor: 200, ORIGIN: 404}
    said = cli("witness", "--admit", f"{ORIGIN}/3", *words).stdout
    assert said.startswith(f"{successor}\n9\n")
    assert f"{ORIGIN}/3 is watched from now on" in said


def listen(floor: Floor, monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> Result:
    """What a witness says that listens, and is interrupted immediately."""

    def interrupted(_server: WitnessServer) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(WitnessServer, "serve", interrupted)
    return cli("witness", "--listen", "127.0.0.1:0", "--key", floor.witness_key, "--house", str(HOUSE.verifier), *words)


def test_the_share_key_is_made_once_and_kept_next_to_the_key(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    first = listen(floor, monkeypatch)
    assert first.exit_code == 0
    path = floor.folder / "surveillance.key.share"
    assert path.stat().st_mode & 0o777 == 0o600
    shown = first.stdout.splitlines()[1].removeprefix("share key: ")
    key = Verifier.parse(shown)
    assert (key.name, key.kind) == ("example.org/surveillance", KeyKind.LOG)
    (floor.folder / "witnesses").write_text(first.stdout.splitlines()[2].partition(": ")[2])
    ((cosigns, known),) = known_witnesses(str(floor.folder / "witnesses")).items()
    assert (str(cosigns), known.share_key) == (floor.witness.read_text().strip(), key)
    assert f"{key.name} answers at {known.address}\n" in first.stdout, "an address without a path, as a house takes it"
    assert cli("journal", "key", path).stdout.strip() == shown, "the verb shows it again"
    told = json.loads(listen(floor, monkeypatch, "--json").stdout)
    assert (told["share_key"], told["key"]) == (shown, floor.witness.read_text().strip())
    path.chmod(0o644)
    assert listen(floor, monkeypatch).exit_code == 2
    path.chmod(0o600)
    whole = path.read_text()
    for wrong in (whole[:-5], whole.splitlines()[0], "", "x", floor.witness_key.read_text()):
        path.write_text(wrong)
        done = listen(floor, monkeypatch)
        assert (done.exit_code, "SHARE+SECRET" in done.stderr or "key" in done.stderr) == (2, True)
        assert whole.splitlines()[1] not in done.output, "the secret is never printed"
    path.unlink()
    (floor.folder / "surveillance.key.memory" / "a.b.share").write_text("{}")
    done = listen(floor, monkeypatch)
    assert (done.exit_code, "is missing, but shares were opened with it" in done.stderr) == (2, True)
    assert not path.exists(), "a lost key is not replaced in silence"


def test_a_memory_that_was_rolled_back_is_not_used_again(floor: Floor) -> None:
    words: Words = ("witness", floor.exchange, "--key", floor.witness_key, "--log", floor.public)
    floor.checkpoint()
    floor.cosigned()
    for path in (floor.folder / "surveillance.key.memory").glob("*.checkpoint"):
        path.unlink()
    request = AddCheckpointRequest(0, (), read_note((floor.folder / "journal.jsonl.cosigned").read_bytes()))
    ask(floor.exchange, request)
    refused(*words, status=2, say="its memory was rolled back")
    refused(*words, status=2, say="this memory is older than that checkpoint")
    assert not list(floor.exchange.glob("*.answer"))


# ---------------------------------------------------------------------------------- files of somebody else


def test_a_file_of_somebody_else_is_not_taken_for_a_journal(tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_bytes(b"my important notes")
    script = tmp_path / "script.jsonl"
    script.write_text('{"submission": "ma-midi-4"}\n{"do": "sit", "seat": 3, "who": "A. Patron"}\n')
    words: Words = ("run", script, "--journal", notes)
    refused(*words, status=2, say="as baccarat writes a journal; the file is unchanged")
    assert sorted(tmp_path.iterdir()) == [notes, script]
    assert notes.read_bytes() == b"my important notes"


# ------------------------------------------------------------------------------------------------- docs


def test_the_checkpoint_on_the_page_is_signed_by_the_keys_on_the_page() -> None:
    page = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
    keys, note, *_ = re.findall(r"```text\n(.*?)```", page, re.DOTALL)
    known = [Verifier.parse(row) for row in keys.splitlines()]
    assert list(read_note(note.encode()).verified_signatures(known)) == known


@pytest.mark.slow
def test_the_commands_on_the_page_run(tmp_path: Path) -> None:
    """Every line of the page about the log, in its order, in an empty folder."""
    page = (ROOT / "docs" / "log.md").read_text(encoding="utf-8")
    commands = "".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL))
    assert commands.count("baccarat") == 10
    script = f'set -e\nbaccarat() {{ {shlex.join(forked.command())} "$@"; }}\n{commands}'
    done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    keys = [Verifier.parse((tmp_path / name).read_text().strip()) for name in ("t1.pub", "surveillance.pub")]
    cosigned = read_note((tmp_path / "journal.jsonl.cosigned").read_bytes())
    assert list(cosigned.verified_signatures(keys)) == keys
    shown = read_note(re.findall(r"```text\n(.*?)```", page, re.DOTALL)[1].encode())
    assert read_checkpoint(shown).size == read_checkpoint(cosigned).size, "the page shows what its commands make"
    for words in (
        ("--key", tmp_path / "t1.pub"),
        ("--key", tmp_path / "t1.pub", "--key", tmp_path / "surveillance.pub"),
    ):
        audited = cli("audit", tmp_path / "journal.jsonl", *words)
        assert audited.exit_code == 0, audited.output
    proof = read_proof((tmp_path / "record-17.tlog-proof").read_bytes())
    assert proof.shows(list(leaves(tmp_path / "journal.jsonl"))[17])
