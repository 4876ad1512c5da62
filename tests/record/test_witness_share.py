"""A witness promises its share in the order of a shoe, and opens it once, for one closing: each check, in its order."""

from __future__ import annotations

import os
from contextlib import suppress

import msgspec
import pytest

from baccarat.chain import leaf_hash
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.note import Signature, SignedNote
from baccarat.record.share import ShareSigner, read_share
from baccarat.record.tlog_proof import EntryProof
from baccarat.record.witness import AddCheckpointRequest, Evidence, Witness, WitnessStopped
from baccarat.record.witness_folder import FolderMemory, UnreadableMemory
from baccarat.record.witness_share import ShareRequest, ShareWitness, read_share_request
from cut_writes import PowerLost, cut_power_after
from evidence_files import accusations
from log_floor import bodies
from shared_shoe import (
    HOUSE,
    ORIGIN,
    SHARES,
    closing_body,
    closing_event,
    closing_request,
    cosign,
    log_with,
    promised,
    reread,
    share_witness,
    signed,
    with_note,
)
from witnessed import NOW, WITNESS

BODY = closing_body()
UNSORTED = BODY.replace(b'{"event":"inputs_closed","inputs"', b'{"inputs"').replace(
    b'"shoe":"17"', b'"shoe":"17","event":"inputs_closed"'
)

OTHER = closing_body(closing_event(inputs="cd" * 32))


@pytest.fixture
def both(memory: FolderMemory) -> tuple[Witness, ShareWitness]:
    return share_witness(memory)


def own_cosignature(note: SignedNote, signer: Signer = WITNESS) -> SignedNote:
    key = signer.verifier
    return note.with_signatures(Signature(key.name, key.id, signer.cosign(note.text, time=NOW)))


# ------------------------------------------------------------------------------------- promise and share


def test_it_opens_what_it_promised_for_the_closing(both: tuple[Witness, ShareWitness]) -> None:
    witness, shares = both
    promise = shares.promise(f"{ORIGIN}\n17\n".encode())
    assert (promise.status, promise.body) == (200, f"{to_base64(SHARES.promise(origin=ORIGIN, shoe='17'))}\n")
    answer = shares.share(bytes(closing_request(witness, BODY)))
    assert answer.status == 200
    note = reread(answer.body)
    note.verified_signatures([SHARES.verifier])
    opened = read_share(note)
    assert (opened.origin, opened.shoe, opened.leaf) == (ORIGIN, "17", leaf_hash(BODY))
    assert opened.share == SHARES.share(origin=ORIGIN, shoe="17")


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"x\n", b"a\nb", b"a\nb\nc\n", b"\n17\n", b"a\n\n", b"\xff\n17\n", b"a\tb\n17\n"]
)
def test_a_promise_needs_a_log_and_a_shoe(both: tuple[Witness, ShareWitness], data: bytes) -> None:
    assert both[1].promise(data).status == 400


def test_nothing_is_promised_for_a_log_that_nobody_watches(
    both: tuple[Witness, ShareWitness], memory: FolderMemory
) -> None:
    for origin in ("example.org/other/table/1", "example.org/house", f"{ORIGIN}/2", "example.org/house/table/%31"):
        assert both[1].promise(f"{origin}\n17\n".encode()).status == 404
        assert both[1].answered(origin).status == (200 if origin == f"{ORIGIN}/2" else 404)
    assert not list(memory._folder.iterdir()), "a promise stores nothing"


def test_the_same_closing_gets_the_same_note_under_any_checkpoint(both: tuple[Witness, ShareWitness]) -> None:
    witness, shares = both
    asked = closing_request(witness, BODY)
    first = shares.share(bytes(asked))
    log = log_with(BODY, after=5)
    note = cosign(witness, log, 14, old=9)
    assert shares.share(bytes(ShareRequest(BODY, EntryProof(8, log.prove_inclusion(8), note)))) == first
    assert shares.share(bytes(asked)) == first, "an older checkpoint that it cosigned does as well"
    assert shares.answered(ORIGIN).body == f"{to_base64(leaf_hash(BODY))} 17\n"


def test_another_closing_of_the_shoe_gets_no_share_and_leaves_evidence(
    both: tuple[Witness, ShareWitness], memory: FolderMemory
) -> None:
    witness, shares = both
    first = closing_request(witness, BODY)
    shares.share(bytes(first))
    body = closing_body(closing_event(inputs="cd" * 32), seq=9)
    log = Log([*_bodies_with(BODY), body])
    note = cosign(witness, log, 10, old=9)
    second = ShareRequest(body, EntryProof(9, log.prove_inclusion(9), note))
    answer = shares.share(bytes(second))
    assert answer.status == 409
    evidence = msgspec.json.decode(answer.body, type=Evidence)
    assert evidence.kind == "two closings of one shoe"
    assert read_share_request(evidence.cosigned.encode()) == first
    assert read_share_request(evidence.shown.encode()) == second
    (stored,) = accusations(memory)
    assert msgspec.json.decode(stored.read_bytes(), type=Evidence) == evidence
    assert shares.answered(ORIGIN).body == f"{to_base64(leaf_hash(BODY))} 17\n", "the first closing stays"
    assert shares.share(bytes(first)).status == 200


def _bodies_with(body: bytes) -> list[bytes]:
    return [*bodies(8), body]


# ------------------------------------------------------------------------------------------- 1: 404, 403


def test_1_an_unknown_log_comes_before_everything(both: tuple[Witness, ShareWitness]) -> None:
    _, shares = both
    log = log_with(b"no record at all")
    for origin in ("example.org/other/table/1", f"{ORIGIN}/2"):
        note = own_cosignature(signed(log, 9, origin=origin))
        assert shares.share(bytes(ShareRequest(b"nothing", EntryProof(8, (), note)))).status == 404


def test_1_both_signatures_must_be_there_and_right(both: tuple[Witness, ShareWitness]) -> None:
    witness, shares = both
    asked = closing_request(witness, BODY)
    by_log, by_witness = asked.proof.note.signatures
    text = asked.proof.note.text
    stranger = Signer("example.org/house", KeyKind.LOG, b"S" * 32)
    other = Signer("example.org/surveillance", KeyKind.WITNESS, b"O" * 32)
    wrong = msgspec.structs.replace(by_log, data=bytes(64))
    for signatures in (
        (by_log,),
        (by_witness,),
        (wrong, by_witness),
        (by_log, msgspec.structs.replace(by_witness, data=by_witness.data[:8] + bytes(64))),
        (*signed(log_with(BODY), 9, signer=stranger).signatures, by_witness),
        (by_log, own_cosignature(SignedNote(text, ()), other).signatures[0]),
    ):
        assert shares.share(bytes(with_note(asked, SignedNote(text, signatures)))).status == 403
    assert shares.share(bytes(asked)).status == 200


def test_1_a_body_that_is_wrong_is_not_looked_at_before_the_signatures(both: tuple[Witness, ShareWitness]) -> None:
    note = signed(log_with(BODY), 9)
    assert both[1].share(bytes(ShareRequest(b"nothing", EntryProof(8, (), note)))).status == 403


# ----------------------------------------------------------------------------------------- 2: 500 and stop


@pytest.mark.parametrize("remembered", [5, 9])
def test_2_its_own_cosignature_on_what_it_does_not_remember_stops_it(
    both: tuple[Witness, ShareWitness], memory: FolderMemory, remembered: int
) -> None:
    """Above what it remembers, or another root at that size: somebody has put an older memory in place."""
    witness, shares = both
    cosign(witness, log_with(BODY), remembered)
    log = log_with(OTHER)
    note = own_cosignature(signed(log, 9))
    asked = ShareRequest(b"nothing of a record", EntryProof(3, (), note))
    with pytest.raises(WitnessStopped, match="rolled back"):
        shares.share(bytes(asked))
    with pytest.raises(UnreadableMemory, match="older than that checkpoint"), memory.locked():
        pass
    (path,) = memory._folder.glob("*.rolled-back")
    assert path.read_bytes() == bytes(note), "what it was shown is there for its operator"


@pytest.mark.parametrize("remembered", [0, 5])
def test_2_it_stops_as_well_when_a_log_shows_it_while_asking_for_a_cosignature(
    both: tuple[Witness, ShareWitness], remembered: int
) -> None:
    witness, _ = both
    log = log_with(BODY)
    if remembered:
        cosign(witness, log, remembered)
    note = own_cosignature(signed(log, 9))
    with pytest.raises(WitnessStopped):
        witness.answer(bytes(AddCheckpointRequest(remembered, log.prove_consistency(remembered, 9), note)), now=NOW)


def test_2_a_cosignature_that_is_not_its_own_stops_nobody(both: tuple[Witness, ShareWitness]) -> None:
    witness, _ = both
    log = log_with(BODY)
    other = Signer(WITNESS.verifier.name, KeyKind.WITNESS, b"O" * 32)
    forged = Signature(WITNESS.verifier.name, WITNESS.verifier.id, bytes(72))
    for note in (own_cosignature(signed(log, 9), other), signed(log, 9).with_signatures(forged)):
        assert witness.answer(bytes(AddCheckpointRequest(0, (), note)), now=NOW).status in (200, 409)


# -------------------------------------------------------------------------------------------------- 3: 422


def test_3_the_record_must_be_in_the_log(both: tuple[Witness, ShareWitness]) -> None:
    witness, shares = both
    asked = closing_request(witness, BODY)
    wrong = (
        ShareRequest(OTHER, asked.proof),
        ShareRequest(BODY, EntryProof(7, asked.proof.path, asked.proof.note)),
        ShareRequest(BODY, EntryProof(8, (*asked.proof.path, bytes(32)), asked.proof.note)),
    )
    for each in wrong:
        answer = shares.share(bytes(each))
        assert (answer.status, "holds this record" in answer.body) == (422, True)
    assert not shares.answered(ORIGIN).body


@pytest.mark.parametrize(
    ("body", "say"),
    [
        (closing_body(stream=Stream("table 2")), "does not belong to the log"),
        (closing_body(stream=Stream("pit 1")), "does not belong to the log"),
        (closing_body(closing_event(), closing_event()), "exactly one event"),
        (closing_body({"event": "order_sealed", "root": "ab" * 32}), "not inputs_closed"),
        (closing_body(closing_event(extra=1)), "not inputs_closed"),
        (closing_body(closing_event(inputs="AB" * 32)), "not inputs_closed"),
        (closing_body(closing_event(inputs="ab" * 31)), "not inputs_closed"),
        (closing_body(closing_event(origin="example.org/house/table/2")), "names another log"),
        (closing_body(closing_event(shoe="17\n18")), "names another log, or a shoe"),
        (closing_body(closing_event(shoe="")), "names another log, or a shoe"),
        (closing_body(closing_event(witnesses=[])), "does not name this witness"),
        (closing_body(closing_event(witnesses=[promised(), promised()])), "does not name this witness"),
        (closing_body(closing_event(witnesses=[promised(shoe="18")])), "does not name this witness"),
        (closing_body(closing_event(witnesses=[promised(origin="o")])), "does not name this witness"),
        (
            closing_body(
                closing_event(witnesses=[promised(shares=ShareSigner(Signer("o", KeyKind.LOG, b"o" * 32), b"k" * 32))])
            ),
            "does not name this witness",
        ),
        (BODY.replace(b'"inputs":"', b'"inputs": "'), "canonical"),
        (UNSORTED, "canonical"),
        (b'{"v":1}', ""),
        (b"nothing", ""),
        (b"[" * 20_000, ""),
    ],
)  # fmt: skip
def test_3_only_the_one_event_with_its_own_key_and_promise(
    both: tuple[Witness, ShareWitness], memory: FolderMemory, body: bytes, say: str
) -> None:
    witness, shares = both
    answer = shares.share(bytes(closing_request(witness, body)))
    assert (answer.status, say in answer.body) == (422, True), answer
    assert not list(memory._folder.glob("*.share"))


def test_3_a_closing_that_names_other_witnesses_too_is_opened(both: tuple[Witness, ShareWitness]) -> None:
    witness, shares = both
    other = {"key": "another", "promise": "00" * 32}
    body = closing_body(closing_event(witnesses=[other, promised()], cites=["ma-midi-4 §5(a)"]))
    assert shares.share(bytes(closing_request(witness, body))).status == 200


# -------------------------------------------------------------------------------------------- 4: the memory


@pytest.mark.parametrize("stop", range(8))
def test_4_a_power_cut_at_every_step_leaves_one_share_or_none(
    stop: int, memory: FolderMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    witness, shares = share_witness(memory)
    body = closing_body(closing_event(inputs="cd" * 32), seq=9)
    log = Log([*_bodies_with(BODY), body])
    note = cosign(witness, log, 10)
    first = bytes(ShareRequest(BODY, EntryProof(8, log.prove_inclusion(8), note)))
    second = bytes(ShareRequest(body, EntryProof(9, log.prove_inclusion(9), note)))
    said = None
    cut_power_after(stop, monkeypatch)
    with suppress(PowerLost):
        said = shares.share(first)
    monkeypatch.undo()
    assert (said is None) == (stop < 5), "a temporary file, its sync, its name, its folder and the folder's sync"
    _, shares = share_witness(FolderMemory(memory._folder, WITNESS.verifier))
    if said is not None:
        assert shares.share(second).status == 409, "what was said is remembered"
    again = shares.share(first)
    if again.status == 200:
        assert said in (None, again), "the same share"
        assert shares.share(second).status == 409, "and no second one"
    _, shares = share_witness(FolderMemory(memory._folder, WITNESS.verifier))
    assert shares.share(first) == again


def test_4_a_full_disk_says_nothing(both: tuple[Witness, ShareWitness], monkeypatch: pytest.MonkeyPatch) -> None:
    witness, shares = both
    asked = bytes(closing_request(witness, BODY))

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        shares.share(asked)
    monkeypatch.undo()
    assert not shares.answered(ORIGIN).body


def test_4_a_memory_that_was_changed_stops_the_witness(
    both: tuple[Witness, ShareWitness], memory: FolderMemory
) -> None:
    witness, shares = both
    asked = bytes(closing_request(witness, BODY))
    shares.share(asked)
    (path,) = memory._folder.glob("*.share")
    whole = path.read_bytes()
    share = to_base64(SHARES.share(origin=ORIGIN, shoe="17")).encode()
    for changed in (
        whole[:-9],
        b"{}",
        whole.replace(share, to_base64(bytes(32)).encode()),
        whole.replace(b'"17"', b'"18"'),
    ):
        path.write_bytes(changed)
        with pytest.raises(ValueError, match="share"):
            shares.share(asked)


def test_each_shoe_and_each_log_has_a_share_of_its_own(both: tuple[Witness, ShareWitness]) -> None:
    witness, shares = both
    body = closing_body(closing_event(shoe="18"), seq=9)
    log = Log([*_bodies_with(BODY), body])
    note = cosign(witness, log, 10)
    notes = [
        reread(shares.share(bytes(ShareRequest(each, EntryProof(at, log.prove_inclusion(at), note)))).body)
        for at, each in ((8, BODY), (9, body))
    ]
    other = "example.org/house/table/2"
    away = closing_body(closing_event(origin=other), stream=Stream("table 2"))
    notes.append(reread(shares.share(bytes(closing_request(witness, away, origin=other))).body))
    assert len({read_share(each).share for each in notes}) == 3
    assert [row.split(" ")[1] for row in shares.answered(ORIGIN).body.splitlines()] == ["17", "18"]
    _, again = share_witness(FolderMemory(both[1]._memory._folder, WITNESS.verifier))  # type: ignore[attr-defined]
    assert again.answered(ORIGIN) == shares.answered(ORIGIN), "after a start too"
    assert again.answered(other).body.count("\n") == 1


def test_the_share_key_is_another_than_the_cosigning_key(memory: FolderMemory) -> None:
    witness, _ = share_witness(memory)
    same = ShareSigner(Signer("example.org/surveillance", KeyKind.LOG, b"W" * 32), b"k" * 32)
    with pytest.raises(ValueError, match="a witness needs two"):
        ShareWitness(witness, same, memory)


# --------------------------------------------------------------------------- houses, names and successors


def test_a_house_is_watched_in_all_its_streams_each_under_one_name(memory: FolderMemory) -> None:
    witness = Witness(WITNESS, {}, memory, houses=[HOUSE.verifier])
    log = log_with(BODY)
    for origin in (ORIGIN, "example.org/house/cage", "example.org/house/table/a%2Fb"):
        cosign(witness, log, 9, origin=origin)
    for origin in (
        "example.org/house",
        f"{ORIGIN}/2",
        "example.org/house/table/%31",
        "example.org/house/Table/1",
        "example.org/house/cage/1",
    ):
        note = signed(log, 9, origin=origin)
        assert witness.answer(bytes(AddCheckpointRequest(0, (), note)), now=NOW).status == 404, origin
    stranger = Signer("example.org/house", KeyKind.LOG, b"S" * 32)
    note = signed(log, 9, origin="example.org/house/table/9", signer=stranger)
    assert witness.answer(bytes(AddCheckpointRequest(0, (), note)), now=NOW).status == 403


def test_two_names_for_one_stream_are_refused(memory: FolderMemory) -> None:
    def watch(*logs: Signer, houses: tuple[Signer, ...] = ()) -> Witness:
        named = {each.verifier.name: [each.verifier] for each in logs}
        return Witness(WITNESS, named, memory, houses=[each.verifier for each in houses])

    again = HOUSE.with_name("example.org/again")
    within = Signer("example.org/house/table", KeyKind.LOG, b"I" * 32)
    for logs, houses in (
        ((), (HOUSE, again)),
        ((again,), (HOUSE,)),
        ((HOUSE.with_name("example.org/table-1"), again), ()),
        ((HOUSE.with_name(ORIGIN), HOUSE.with_name("example.org/other/table/1")), ()),
        ((HOUSE.with_name(ORIGIN), HOUSE.with_name(f"{ORIGIN}/2")), ()),
        ((), (HOUSE, within)),
    ):
        with pytest.raises(ValueError, match="two names"):
            watch(*logs, houses=houses)
    watch(HOUSE.with_name(ORIGIN), HOUSE.with_name("example.org/house/table/2"), houses=(HOUSE,))
    watch(houses=(HOUSE, Signer("example.org/other", KeyKind.LOG, b"I" * 32)))


def test_a_successor_is_admitted_by_hand_and_takes_the_place_of_its_log(memory: FolderMemory) -> None:
    witness, shares = share_witness(memory)
    asked = closing_request(witness, BODY)
    shares.share(bytes(asked))
    second, third = f"{ORIGIN}/2", f"{ORIGIN}/3"
    log = log_with(closing_body(closing_event(origin=second)))
    note = signed(log, 9, origin=second)
    ask = bytes(AddCheckpointRequest(0, (), note))
    assert witness.answer(ask, now=NOW).status == 404
    for wrong in (
        ORIGIN,
        third,
        f"{ORIGIN}/1",
        f"{ORIGIN}/02",
        "example.org/house/table/2",
        "example.org/other/table/1/2",
    ):
        with pytest.raises(ValueError, match="successor"):
            witness.admit(wrong)
    assert witness.admit(second) == asked.proof.note, "what was last cosigned: the opening must name it"
    assert witness.answer(ask, now=NOW).status == 200
    for _ in range(2):
        old = signed(log_with(BODY), 9)
        assert witness.answer(bytes(AddCheckpointRequest(9, (), old)), now=NOW).status == 404
        assert shares.share(bytes(asked)).status == 404
        assert shares.promise(f"{ORIGIN}\n18\n".encode()).status == 404
        assert shares.answered(ORIGIN).body.endswith(" 17\n"), "what it answered stays on record"
        witness, shares = share_witness(FolderMemory(memory._folder, WITNESS.verifier))
    body = closing_body(closing_event(origin=second))
    known = memory.last_cosigned(second)
    assert known is not None
    assert shares.share(bytes(ShareRequest(body, EntryProof(8, log.prove_inclusion(8), known)))).status == 200
    with pytest.raises(ValueError, match="its successor is"):
        witness.admit(second)
    witness.admit(third)
    assert witness.answer(ask, now=NOW).status == 404


def test_a_log_by_its_own_name_has_successors_too(memory: FolderMemory) -> None:
    key = HOUSE.with_name(ORIGIN).verifier
    witness = Witness(WITNESS, {ORIGIN: [key]}, memory)
    assert witness.admit(f"{ORIGIN}/2") is None
    assert witness.keys_of(f"{ORIGIN}/2") == (HOUSE.with_name(f"{ORIGIN}/2").verifier,)
    (path,) = memory._folder.glob("*.successor")
    for changed in (b"", b"x", f"{ORIGIN}/2".encode(), b"\xff\n", b"example.org/house/table/2/2\n"):
        path.write_bytes(changed)
        with pytest.raises(UnreadableMemory):
            witness.keys_of(ORIGIN)


def test_a_checkpoint_of_the_empty_log_with_its_own_cosignature_is_nothing_new(memory: FolderMemory) -> None:
    witness, _ = share_witness(memory)
    empty = Log()
    note = own_cosignature(signed(empty, 0))
    witness.stop_if_rolled_back(note, Checkpoint(origin=ORIGIN, size=0, root=empty.root()))
