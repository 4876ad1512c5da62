"""A witness is asked through a folder, or by the log itself."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.log import EMPTY_ROOT, Log
from baccarat.record.note import SignedNote
from baccarat.record.witness import (
    CONFLICT,
    OK,
    WRONG_PROOF,
    AddCheckpointRequest,
    Witness,
    WitnessAnswer,
    read_request,
)
from baccarat.record.witness_ask import CosignOutcome, ask_witness
from baccarat.record.witness_folder import (
    answer_to,
    ask,
    put_answer,
    remove_old_answers,
    take_back,
    unanswered_requests,
)
from witnessed import COSIGNATURES, HONEST, NOW, WITNESS, cosigned, note_of, request

pytestmark = pytest.mark.slow


# ------------------------------------------------------------------------------------ through a folder


def test_requests_and_answers_lie_in_a_folder(tmp_path: Path, witness: Witness) -> None:
    asked = read_request(request(0, 5))
    name = ask(tmp_path, asked)
    assert name == ask(tmp_path, asked), "the same request is one file"
    assert answer_to(tmp_path, name) is None
    ((found, data),) = unanswered_requests(tmp_path)
    assert isinstance(data, bytes)
    assert (found, data) == (name, bytes(asked))
    answer = witness.answer(data, now=NOW)
    put_answer(tmp_path, name, answer)
    assert answer_to(tmp_path, name) == answer
    assert not list(unanswered_requests(tmp_path))
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
    assert list(unanswered_requests(tmp_path)) == [(name, None)]
    path.write_bytes(request(0, 5))
    assert list(unanswered_requests(tmp_path)) == [(name, request(0, 5))]


def test_an_answer_that_is_a_pipe_or_a_link_is_not_waited_for_or_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(bytes(WitnessAnswer(CONFLICT, "7\n")))
    name = ask(tmp_path, read_request(request(0, 5)))
    answer = tmp_path / f"{name}.answer"
    answer.symlink_to(outside)
    with pytest.raises(OSError, match="it is a link"):
        answer_to(tmp_path, name)
    put_answer(tmp_path, name, WitnessAnswer(CONFLICT, "8\n"))
    assert outside.read_bytes() == bytes(WitnessAnswer(CONFLICT, "7\n")), "the link is replaced, not what it names"
    assert answer_to(tmp_path, name) == WitnessAnswer(CONFLICT, "8\n")
    answer.unlink()
    os.mkfifo(answer)
    with pytest.raises(OSError, match="it is not a file"):
        answer_to(tmp_path, name)
    answer.unlink()
    answer.mkdir()
    take_back(tmp_path, name)
    assert not (tmp_path / f"{name}.request").exists()


def test_the_empty_log_has_one_root(witness: Witness) -> None:
    assert read_checkpoint(note_of(0)).root == EMPTY_ROOT
    assert witness.answer(request(0, 0), now=NOW).status == OK
    assert witness.answer(request(0, 3), now=NOW).status == OK


def asked_with(
    folder: Path, answers: dict[int, WitnessAnswer], last: SignedNote | None = None, log: Log = HONEST
) -> CosignOutcome:
    """What becomes of asking for a cosignature on 9 entries, when the witness answers so by the old size."""
    note = note_of(9, log)
    for old, answer in answers.items():
        name = ask(folder, AddCheckpointRequest(old, log.prove_consistency(old, 9), note))
        put_answer(folder, name, answer)
    return ask_witness(folder, log, note, WITNESS.verifier, last)


# ------------------------------------------------------------------------------------- the log's side


def test_the_log_follows_a_conflict_to_the_size_that_the_witness_knows(tmp_path: Path) -> None:
    told = asked_with(tmp_path, {0: WitnessAnswer(CONFLICT, "3\n"), 3: WitnessAnswer(CONFLICT, "7\n")})
    assert told.state == "asked"
    asked = [read_request(data).old for _, data in unanswered_requests(tmp_path) if isinstance(data, bytes)]
    assert asked == [7]
    right = WitnessAnswer(OK, str(cosigned(note_of(9)).signatures[-1]))
    told = asked_with(tmp_path, {7: right})
    assert (told.state, told.note) == ("cosigned", cosigned(note_of(9)))
    assert not list(tmp_path.iterdir()), "all that was asked on the way is taken back"


@pytest.mark.parametrize(
    ("answers", "say"),
    [
        ({0: WitnessAnswer(CONFLICT, "9\n"), 9: WitnessAnswer(CONFLICT, "9\n")}, "the first 9 are not those it knows"),
        ({0: WitnessAnswer(CONFLICT, "0\n")}, "the first 0 are not those it knows"),
        (
            {0: WitnessAnswer(CONFLICT, "3\n"), 3: WitnessAnswer(CONFLICT, "0\n")},
            "has cosigned something else in the meantime",
        ),
        ({0: WitnessAnswer(CONFLICT, "10\n")}, "has cosigned 10 records, and this checkpoint covers only 9"),
        ({0: WitnessAnswer(CONFLICT, "what?\n")}, "refuses to cosign (409): what?"),
        ({0: WitnessAnswer(WRONG_PROOF, "no\n")}, "refuses to cosign (422): no"),
        ({0: WitnessAnswer(OK, COSIGNATURES)}, "there is no cosignature by example.org/surveillance"),
        ({0: WitnessAnswer(OK, "yes\n")}, "the answer of example.org/surveillance cannot be read"),
        ({0: WitnessAnswer(OK, str(cosigned(note_of(8)).signatures[-1]))}, "or it is wrong"),
    ],
)
def test_the_log_says_why_it_is_not_cosigned(tmp_path: Path, answers: dict[int, WitnessAnswer], say: str) -> None:
    told = asked_with(tmp_path, answers)
    assert (told.state, told.note) == ("refused", None)
    assert say in told.say
    assert not list(tmp_path.iterdir())


def test_the_log_asks_from_what_this_witness_cosigned_last(tmp_path: Path) -> None:
    asked_with(tmp_path, {}, last=cosigned(note_of(5)))
    asked_with(tmp_path, {}, last=note_of(6))
    asked_with(tmp_path, {}, last=cosigned(note_of(12)))
    asked = {read_request(data).old for _, data in unanswered_requests(tmp_path) if isinstance(data, bytes)}
    assert asked == {5, 0, 9}, "of this witness; of none; of no more than the checkpoint covers"


def test_what_is_cosigned_already_is_checked_and_not_asked_again(tmp_path: Path) -> None:
    told = asked_with(tmp_path, {}, last=cosigned(note_of(9)))
    assert (told.state, told.note) == ("cosigned", cosigned(note_of(9)))
    wrong = note_of(9).with_signatures(*cosigned(note_of(8)).signatures[-1:])
    assert asked_with(tmp_path, {}, last=wrong).state == "refused"
    assert not list(tmp_path.iterdir())
