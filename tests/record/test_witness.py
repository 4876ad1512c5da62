"""A witness: what it cosigns, everything that it refuses, what it keeps, and what is left when the power goes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.record import durable
from baccarat.record.checkpoint import Checkpoint, open_checkpoint, read_checkpoint, sign_checkpoint
from baccarat.record.encoding import from_base64
from baccarat.record.key import Kind, Signer, UnreadableKey, Verifier, time_of
from baccarat.record.log import EMPTY_ROOT, Log, contradicts
from baccarat.record.note import Note, Signature, UnreadableNote, read_note
from baccarat.record.witness import (
    CONFLICT,
    COSIGNED,
    UNKNOWN_LOG,
    UNREADABLE,
    WRONG_KEY,
    WRONG_PROOF,
    Answer,
    Evidence,
    Request,
    Witness,
    read_answer,
    read_request,
)
from baccarat.record.witness_ask import Asked, ask_witness
from baccarat.record.witness_folder import (
    FolderMemory,
    UnreadableMemory,
    answer_to,
    ask,
    put_answer,
    remove_old_answers,
    take_back,
    unanswered,
)

pytestmark = pytest.mark.slow

LOG = Signer("example.org/table-1", Kind.LOG, b"L" * 32)
STRANGER = Signer("example.org/table-1", Kind.LOG, b"S" * 32)
WITNESS = Signer("example.org/surveillance", Kind.WITNESS, b"W" * 32)
ENTRIES = [b"entry %d" % number for number in range(20)]
HONEST = Log(ENTRIES)
REWRITTEN = Log([*ENTRIES[:3], b"another", *ENTRIES[4:]])
NOW = 1_800_000_000

# the example of C2SP tlog-witness
REQUEST = b"""old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

\xe2\x80\x94 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
\xe2\x80\x94 example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
"""  # noqa: E501
COSIGNATURES = """— witness.example/w1 CMp+6LWBU0anHGH5aNDTJkH/gj79sG+T6+iP2ThYN5krrDJbR1HDnucjL39QsZTSvVjyQLrdk3DXDqI5G2HgLatVs0pWh6Up69HVOw==
— witness.example/w1 I7rEps0pvK2UqkS2gSpVUDhrhVtQV9lgF6pRrWAvjJHjyWpW7VcE3SiOlVlbQNt64vWhO+DlkL0+UfzuOBMh9ChdMkP1vi/lCAsmlw==
— witness.example/w2 AWui8Sk55XjYLOijihBjhqEH6nS1ndDymE0a+6idX7pLcnoB+dhnz0854aLZgrrKbYKA7nC3HNJhm/kWl7oJlqU3rXXvpysAdyP3wQ==
"""  # noqa: E501


@pytest.fixture
def memory(tmp_path: Path) -> FolderMemory:
    (tmp_path / "memory").mkdir()
    return FolderMemory(tmp_path / "memory", WITNESS.verifier)


@pytest.fixture
def witness(memory: FolderMemory) -> Witness:
    return Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)


def note_of(size: int, log: Log = HONEST, signer: Signer = LOG, origin: str = "example.org/table-1") -> Note:
    return sign_checkpoint(Checkpoint(origin=origin, size=size, root=log.root(size)), signer)


def request(old: int, size: int, log: Log = HONEST, signer: Signer = LOG) -> bytes:
    return bytes(Request(old, log.prove_consistency(old, size), note_of(size, log, signer)))


def cosigned(note: Note) -> Note:
    key = WITNESS.verifier
    return note.signed(Signature(key.name, key.id, WITNESS.cosign(note.text, time=NOW)))


def size_kept(memory: FolderMemory) -> int | None:
    note = memory.last("example.org/table-1")
    return None if note is None else read_checkpoint(note).size


# ------------------------------------------------------------------------------------------ it cosigns


def test_the_examples_of_the_specification_are_read_and_written_again() -> None:
    asked = read_request(REQUEST)
    assert (asked.old, len(asked.proof), len(asked.note.signatures)) == (20852014, 4, 2)
    assert bytes(asked) == REQUEST
    answer = Answer(COSIGNED, COSIGNATURES)
    assert [each.name for each in answer.cosignatures] == ["witness.example/w1"] * 2 + ["witness.example/w2"]
    assert "".join(map(str, answer.cosignatures)) == COSIGNATURES
    assert read_answer(bytes(answer)) == answer
    assert answer.known_size is None
    assert (Answer(CONFLICT, "7\n").known_size, Answer(UNKNOWN_LOG, "7\n").known_size) == (7, None)
    assert Answer(CONFLICT, COSIGNATURES).cosignatures == (), "a refusal cosigns nothing"


def test_consistent_growth_is_cosigned_step_by_step(witness: Witness, memory: FolderMemory) -> None:
    old = 0
    for now, size in enumerate((0, 1, 1, 2, 7, 8, 8, 20), start=NOW):
        answer = witness.answer(request(old, size), now=now)
        assert answer.status == COSIGNED, answer
        (cosignature,) = answer.cosignatures
        kept = note_of(size).signed(cosignature)
        assert open_checkpoint(bytes(kept), [WITNESS.verifier]).size == size
        assert time_of(cosignature.data) == now
        assert memory.last("example.org/table-1") == kept
        old = size


def test_a_clock_that_was_set_back_does_not_make_a_larger_log_look_older(witness: Witness) -> None:
    witness.answer(request(0, 5), now=NOW)
    (cosignature,) = witness.answer(request(5, 9), now=NOW - 1000).cosignatures
    assert time_of(cosignature.data) == NOW


def test_signatures_by_strangers_beside_the_logs_own_do_no_harm(witness: Witness) -> None:
    note = note_of(5).signed(*note_of(5, signer=STRANGER).signatures)
    assert witness.answer(bytes(Request(0, (), note)), now=NOW).status == COSIGNED


def test_each_log_has_a_memory_of_its_own(memory: FolderMemory) -> None:
    other = Signer("example.org/table-2", Kind.LOG, b"O" * 32)
    logs = {signer.verifier.name: [signer.verifier] for signer in (LOG, other)}
    witness = Witness(WITNESS, logs, memory)
    assert witness.answer(request(0, 5), now=NOW).status == COSIGNED
    note = note_of(9, REWRITTEN, other, "example.org/table-2")
    assert witness.answer(bytes(Request(0, (), note)), now=NOW).status == COSIGNED
    assert size_kept(memory) == 5


# ------------------------------------------------------------------------------------------ it refuses


def test_it_never_goes_back(witness: Witness, memory: FolderMemory) -> None:
    assert witness.answer(request(0, 9), now=NOW).status == COSIGNED
    for old, size in ((0, 5), (5, 8), (0, 0), (8, 9), (0, 9), (0, 12), (8, 20), (10, 20)):
        answer = witness.answer(request(old, size), now=NOW)
        assert (answer.status, answer.known_size) == (CONFLICT, 9), (old, size)
        assert size_kept(memory) == 9
    assert witness.answer(request(9, 12), now=NOW).status == COSIGNED


def test_another_root_at_the_same_size_is_refused_and_both_are_kept(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 9), now=NOW)
    for old in (9, 0, 5):
        answer = witness.answer(bytes(Request(old, (), note_of(9, REWRITTEN))), now=NOW)
        assert (answer.status, answer.known_size) == (CONFLICT, 9)
    assert size_kept(memory) == 9
    assert memory.last("example.org/table-1") is not None
    (path,) = memory.accusations()
    evidence = msgspec.json.decode(path.read_bytes(), type=Evidence)
    assert (evidence.kind, evidence.times) == ("two roots at one size", 3)
    pair = [open_checkpoint(text.encode(), [LOG.verifier]) for text in (evidence.cosigned, evidence.shown)]
    assert [each.size for each in pair] == [9, 9]
    assert [each.root for each in pair] == [HONEST.root(9), REWRITTEN.root(9)]


def test_a_rewritten_log_is_refused_whatever_it_proves(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 9), now=NOW)
    proofs = [REWRITTEN.prove_consistency(9, 15), HONEST.prove_consistency(9, 15), (), (HONEST.root(9),)]
    for proof in proofs:
        answer = witness.answer(bytes(Request(9, proof, note_of(15, REWRITTEN))), now=NOW)
        assert answer.status == WRONG_PROOF
    assert size_kept(memory) == 9
    (path,) = memory.accusations()
    evidence = msgspec.json.decode(path.read_bytes(), type=Evidence)
    assert (evidence.kind, evidence.times) == ("other records before the growth", 1), "one proof led to its own root"
    old, new = (open_checkpoint(text.encode(), [LOG.verifier]) for text in (evidence.cosigned, evidence.shown))
    shown = [from_base64(row) or b"" for row in evidence.proof]
    assert contradicts(new.root, size=new.size, old_root=old.root, old_size=old.size, proof=shown), "anybody can check"
    assert witness.answer(request(9, 15), now=NOW).status == COSIGNED, "the honest log goes on"


@pytest.mark.parametrize("known", [8, 9])
def test_an_honest_checkpoint_with_a_proof_of_nothing_accuses_nobody(
    witness: Witness, memory: FolderMemory, known: int
) -> None:
    """Whoever can write into the folder can add what the log has signed, beside any hashes."""
    witness.answer(request(0, known), now=NOW)
    right = HONEST.prove_consistency(known, 15)
    spoiled = [(*right[:at], bytes([at]) * 32, *right[at + 1 :]) for at in range(len(right))]
    tried = {*spoiled, (), right[1:], right[::-1], (*right, bytes(32)), REWRITTEN.prove_consistency(known, 15)}
    for proof in tried - {right}:
        assert witness.answer(bytes(Request(known, proof, note_of(15))), now=NOW).status == WRONG_PROOF
    assert not memory.accusations()
    assert sorted(path.suffix for path in Path(memory._folder).iterdir()) == [".checkpoint"]


def test_of_a_log_that_never_stops_lying_the_first_of_each_kind_is_kept_and_a_count(
    witness: Witness, memory: FolderMemory
) -> None:
    witness.answer(request(0, 9), now=NOW)
    for number in range(12):
        other = Log([*ENTRIES[:3], b"story %d" % number, *ENTRIES[4:]])
        witness.answer(bytes(Request(9, (), note_of(9, other))), now=NOW)
        witness.answer(request(9, 15, other), now=NOW)
    found = [msgspec.json.decode(path.read_bytes(), type=Evidence) for path in memory.accusations()]
    assert [(each.kind, each.times) for each in found] == [
        ("other records before the growth", 12),
        ("two roots at one size", 12),
    ]
    first = Log([*ENTRIES[:3], b"story 0", *ENTRIES[4:]])
    assert [read_checkpoint(read_note(each.shown.encode())).root for each in found] == [first.root(15), first.root(9)]


def test_evidence_that_cannot_be_read_is_not_overwritten(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 9), now=NOW)
    forked = bytes(Request(9, (), note_of(9, REWRITTEN)))
    witness.answer(forked, now=NOW)
    (path,) = memory.accusations()
    path.write_bytes(b"{")
    with pytest.raises(UnreadableMemory, match="the evidence against a log cannot be read"):
        witness.answer(forked, now=NOW)
    assert path.read_bytes() == b"{"


def test_a_proof_that_is_wrong_is_refused(witness: Witness) -> None:
    witness.answer(request(0, 9), now=NOW)
    right = HONEST.prove_consistency(9, 15)
    for proof in (right[1:], right[::-1], (*right, right[0]), (bytes(32), *right[1:])):
        assert witness.answer(bytes(Request(9, proof, note_of(15))), now=NOW).status == WRONG_PROOF
    assert witness.answer(bytes(Request(9, right[:1], note_of(9))), now=NOW).status == WRONG_PROOF, "none is needed"


def test_from_nothing_no_proof_is_taken(witness: Witness, memory: FolderMemory) -> None:
    assert witness.answer(bytes(Request(0, (bytes(32),), note_of(5))), now=NOW).status == WRONG_PROOF
    assert size_kept(memory) is None
    assert not memory.accusations(), "nothing was cosigned with which this could be compared"


def test_a_log_that_is_not_watched_is_unknown(witness: Witness) -> None:
    note = note_of(5, origin="example.org/table-2")
    assert witness.answer(bytes(Request(0, (), note)), now=NOW).status == UNKNOWN_LOG


def test_a_checkpoint_by_another_key_is_refused_before_anything_is_kept(witness: Witness, memory: FolderMemory) -> None:
    witness.answer(request(0, 5), now=NOW)
    note = note_of(5)
    spoiled = Note(note_of(5, REWRITTEN).text, note.signatures)
    for wrong in (note_of(9, signer=STRANGER), note_of(5, REWRITTEN, STRANGER), spoiled):
        assert witness.answer(bytes(Request(5, (), wrong)), now=NOW).status == WRONG_KEY
    assert size_kept(memory) == 5
    assert not memory.accusations(), "a stranger cannot accuse a log"


def test_an_old_size_above_the_checkpoint_is_unreadable(witness: Witness) -> None:
    assert witness.answer(bytes(Request(6, (), note_of(5))), now=NOW).status == UNREADABLE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"old 20852014", b"old 020852014"),
        (b"old 20852014", b"old -1"),
        (b"old 20852014", b"20852014"),
        (b"old 20852014\n", b""),
        (b"kaw=", b"ka="),
        (b"\n\nexample", b"\nexample"),
        (b"\n\nexample", b"\n\n\nexample"),
        (b"20852163", b"20852163x"),
        (b"CsUYap", b"CsUY"),
        (b"old", b"\xff"),
        (b"old 20852014\n", b"old 20852014\n" + b"PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=\n" * 60),
    ],
)
def test_what_is_no_request(witness: Witness, old: bytes, new: bytes) -> None:
    assert witness.answer(REQUEST, now=NOW).status == UNKNOWN_LOG, "it can be read"
    assert witness.answer(REQUEST.replace(old, new, 1), now=NOW).status == UNREADABLE


@given(st.binary(max_size=300))
def test_any_bytes_are_answered(data: bytes) -> None:
    class Nothing:
        def last(self, origin: str) -> Note | None:
            raise AssertionError(origin)

        def keep(self, origin: str, note: Note) -> None:
            raise AssertionError(origin, note)

        def accuse(self, origin: str, evidence: Evidence) -> None:
            raise AssertionError(origin, evidence)

    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, Nothing())
    for tried in (data, b"old 0\n\n" + data, data + request(0, 5)):
        if tried != request(0, 5):
            answer = witness.answer(tried, now=NOW)
            assert answer.status in (UNREADABLE, UNKNOWN_LOG, WRONG_KEY)
            assert read_answer(bytes(answer)) == answer


@pytest.mark.parametrize(
    "data", [b"", b"200 OK", b"200\n\nx\n", b"200 OK\n\nx", b"500 Oh\n\nx\n", b"\xff", b"0200 OK\n\nx\n"]
)
def test_what_is_no_answer(data: bytes) -> None:
    with pytest.raises(UnreadableNote):
        read_answer(data)


def test_a_witness_does_not_sign_with_the_key_of_a_log(memory: FolderMemory) -> None:
    with pytest.raises(ValueError, match="the key of a log"):
        Witness(LOG, {}, memory)


def test_a_key_of_another_kind_has_another_id() -> None:
    """A log's key does not pass for a witness's, even where both have the same name and the same bytes."""
    log = LOG.verifier
    witness = Verifier(log.name, Kind.WITNESS, log.public)
    assert log.id != witness.id
    assert Verifier.parse(str(witness)) == witness
    with pytest.raises(UnreadableKey, match="does not belong"):
        Verifier.parse(str(witness).replace(witness.id.hex(), log.id.hex()))


# ------------------------------------------------------------------------------------ what it keeps


def test_it_is_on_the_disk_before_it_is_said(memory: FolderMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
    witness.answer(request(0, 5), now=NOW)

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        witness.answer(request(5, 9), now=NOW)
    monkeypatch.undo()
    assert size_kept(memory) == 5, "what was not kept was not said"
    assert [path.suffix for path in Path(memory._folder).iterdir()] == [".checkpoint"], "no half file is left"


class PowerCut(BaseException):
    """Nothing more is done from here on, not even tidying up."""


@pytest.mark.parametrize("stop", range(12))
def test_at_every_write_a_power_cut_leaves_the_old_or_the_new_and_nothing_said_that_is_not_kept(
    stop: int, tmp_path: Path, memory: FolderMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
    witness.answer(request(0, 5), now=NOW)
    name = ask(tmp_path, read_request(request(5, 9)))
    done = 0

    def cut(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            nonlocal done
            if done == stop:
                raise PowerCut
            done += 1
            return real(*args, **named)

        return call

    monkeypatch.setattr(os, "open", cut(os.open))
    monkeypatch.setattr(os, "fsync", cut(os.fsync))
    monkeypatch.setattr(Path, "replace", cut(Path.replace))
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
    try:
        for found, data in unanswered(tmp_path):
            assert isinstance(data, bytes)
            put_answer(tmp_path, found, witness.answer(data, now=NOW))
    except PowerCut:
        pass
    monkeypatch.undo()
    kept, said = size_kept(memory), answer_to(tmp_path, name)
    assert kept in (5, 9)
    assert said is None or (said.status == COSIGNED and kept == 9)
    if done == stop:  # the power came back: the same request is answered
        assert witness.answer(request(kept, 12), now=NOW).status == COSIGNED
    else:
        assert (kept, said is not None, done) == (9, True, 11)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written, forced to the disk, put in place, and the folder forced to the disk: in that order."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    acts: list[str] = []

    def noted(act: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            held = path.read_bytes().decode() if path.exists() else "none"
            acts.append(f"{act} while {held}")
            return real(*args, **named)

        return call

    monkeypatch.setattr(os, "fsync", noted("sync", os.fsync))
    monkeypatch.setattr(Path, "replace", noted("replace", Path.replace))
    durable.replace(path, b"new")
    assert acts == ["sync while old", "replace while old", "sync while new"]
    mask = os.umask(0o022)
    try:
        durable.replace(path, b"newer")
        assert stat.S_IMODE(path.stat().st_mode) == 0o644, "others may read it, as the mask allows"
    finally:
        os.umask(mask)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_a_new_file_has_its_rights_and_an_old_one_stays(tmp_path: Path) -> None:
    path = tmp_path / "key"
    durable.create(path, b"secret", mode=0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(FileExistsError):
        durable.create(path, b"another", mode=0o600)
    assert path.read_bytes() == b"secret"


@pytest.mark.parametrize("change", ["cut", "size", "stranger", "other log"])
def test_a_memory_that_was_changed_stops_the_witness(memory: FolderMemory, change: str) -> None:
    witness = Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
    witness.answer(request(0, 9), now=NOW)
    (path,) = Path(memory._folder).glob("*.checkpoint")
    data = path.read_bytes()
    changed = {
        "cut": data[:-20],
        "size": data.replace(b"\n9\n", b"\n5\n"),
        "stranger": bytes(note_of(5, signer=STRANGER)),
        "other log": bytes(cosigned(note_of(5, origin="example.org/table-2"))),
    }
    path.write_bytes(changed[change])
    with pytest.raises(UnreadableMemory, match="what was cosigned last cannot be read"):
        witness.answer(request(0, 12), now=NOW)


def test_two_witnesses_do_not_share_a_memory_at_a_time(memory: FolderMemory, tmp_path: Path) -> None:
    with memory.locked(), pytest.raises(BlockingIOError, match="another witness"), memory.locked():
        pass
    with memory.locked():
        pass
    deep = FolderMemory(tmp_path / "a" / "b", WITNESS.verifier)
    with deep.locked():
        assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700, "nobody else looks in"


# ------------------------------------------------------------------------------------ through a folder


def test_requests_and_answers_lie_in_a_folder(tmp_path: Path, witness: Witness) -> None:
    asked = read_request(request(0, 5))
    name = ask(tmp_path, asked)
    assert name == ask(tmp_path, asked), "the same request is one file"
    assert answer_to(tmp_path, name) is None
    ((found, data),) = unanswered(tmp_path)
    assert isinstance(data, bytes)
    assert (found, data) == (name, bytes(asked))
    answer = witness.answer(data, now=NOW)
    put_answer(tmp_path, name, answer)
    assert answer_to(tmp_path, name) == answer
    assert not list(unanswered(tmp_path))
    remove_old_answers(tmp_path)
    assert answer_to(tmp_path, name) == answer, "its request is still there"
    (tmp_path / f"{name}.request").unlink()
    remove_old_answers(tmp_path)
    assert answer_to(tmp_path, name) is None
    ask(tmp_path, asked)
    put_answer(tmp_path, name, answer)
    take_back(tmp_path, name)
    take_back(tmp_path, name)
    assert [path.name for path in tmp_path.iterdir()] == ["memory"]


def test_a_request_that_is_still_being_copied_waits(tmp_path: Path) -> None:
    name = ask(tmp_path, read_request(request(0, 5)))
    path = tmp_path / f"{name}.request"
    path.write_bytes(path.read_bytes()[:-10])
    assert list(unanswered(tmp_path)) == [(name, None)]
    path.write_bytes(request(0, 5))
    assert list(unanswered(tmp_path)) == [(name, request(0, 5))]


def test_an_answer_that_is_a_pipe_or_a_link_is_not_waited_for_or_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(bytes(Answer(CONFLICT, "7\n")))
    name = ask(tmp_path, read_request(request(0, 5)))
    answer = tmp_path / f"{name}.answer"
    answer.symlink_to(outside)
    with pytest.raises(OSError, match="it is a link"):
        answer_to(tmp_path, name)
    put_answer(tmp_path, name, Answer(CONFLICT, "8\n"))
    assert outside.read_bytes() == bytes(Answer(CONFLICT, "7\n")), "the link is replaced, not what it names"
    assert answer_to(tmp_path, name) == Answer(CONFLICT, "8\n")
    answer.unlink()
    os.mkfifo(answer)
    with pytest.raises(OSError, match="it is no file"):
        answer_to(tmp_path, name)
    answer.unlink()
    answer.mkdir()
    take_back(tmp_path, name)
    assert not (tmp_path / f"{name}.request").exists()


def test_the_empty_log_has_one_root(witness: Witness) -> None:
    assert read_checkpoint(note_of(0)).root == EMPTY_ROOT
    assert witness.answer(request(0, 0), now=NOW).status == COSIGNED
    assert witness.answer(request(0, 3), now=NOW).status == COSIGNED


# ------------------------------------------------------------------------------------- the log's side


def asked_with(folder: Path, answers: dict[int, Answer], last: Note | None = None, log: Log = HONEST) -> Asked:
    """What becomes of asking for a cosignature on 9 entries, when the witness answers so by the old size."""
    note = note_of(9, log)
    for old, answer in answers.items():
        name = ask(folder, Request(old, log.prove_consistency(old, 9), note))
        put_answer(folder, name, answer)
    return ask_witness(folder, log, note, WITNESS.verifier, last)


def test_the_log_follows_a_conflict_to_the_size_that_the_witness_knows(tmp_path: Path) -> None:
    told = asked_with(tmp_path, {0: Answer(CONFLICT, "3\n"), 3: Answer(CONFLICT, "7\n")})
    assert told.state == "asked"
    asked = [read_request(data).old for _, data in unanswered(tmp_path) if isinstance(data, bytes)]
    assert asked == [7]
    right = Answer(COSIGNED, str(cosigned(note_of(9)).signatures[-1]))
    told = asked_with(tmp_path, {7: right})
    assert (told.state, told.note) == ("cosigned", cosigned(note_of(9)))
    assert not list(tmp_path.iterdir()), "all that was asked on the way is taken back"


@pytest.mark.parametrize(
    ("answers", "say"),
    [
        ({0: Answer(CONFLICT, "9\n"), 9: Answer(CONFLICT, "9\n")}, "the first 9 are not those it knows"),
        ({0: Answer(CONFLICT, "0\n")}, "the first 0 are not those it knows"),
        ({0: Answer(CONFLICT, "3\n"), 3: Answer(CONFLICT, "0\n")}, "has cosigned something else in the meantime"),
        ({0: Answer(CONFLICT, "10\n")}, "has cosigned 10 records, and this checkpoint covers only 9"),
        ({0: Answer(CONFLICT, "what?\n")}, "refuses to cosign (409): what?"),
        ({0: Answer(WRONG_PROOF, "no\n")}, "refuses to cosign (422): no"),
        ({0: Answer(COSIGNED, COSIGNATURES)}, "there is no cosignature by example.org/surveillance"),
        ({0: Answer(COSIGNED, "yes\n")}, "the answer of example.org/surveillance cannot be read"),
        ({0: Answer(COSIGNED, str(cosigned(note_of(8)).signatures[-1]))}, "or it is wrong"),
    ],
)
def test_the_log_says_why_it_is_not_cosigned(tmp_path: Path, answers: dict[int, Answer], say: str) -> None:
    told = asked_with(tmp_path, answers)
    assert (told.state, told.note) == ("refused", None)
    assert say in told.say
    assert not list(tmp_path.iterdir())


def test_the_log_asks_from_what_this_witness_cosigned_last(tmp_path: Path) -> None:
    asked_with(tmp_path, {}, last=cosigned(note_of(5)))
    asked_with(tmp_path, {}, last=note_of(6))
    asked_with(tmp_path, {}, last=cosigned(note_of(12)))
    asked = {read_request(data).old for _, data in unanswered(tmp_path) if isinstance(data, bytes)}
    assert asked == {5, 0, 9}, "of this witness; of none; of no more than the checkpoint covers"


def test_what_is_cosigned_already_is_checked_and_not_asked_again(tmp_path: Path) -> None:
    told = asked_with(tmp_path, {}, last=cosigned(note_of(9)))
    assert (told.state, told.note) == ("cosigned", cosigned(note_of(9)))
    wrong = note_of(9).signed(*cosigned(note_of(8)).signatures[-1:])
    assert asked_with(tmp_path, {}, last=wrong).state == "refused"
    assert not list(tmp_path.iterdir())
