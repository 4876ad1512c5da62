"""Receipts: what somebody keeps of an entry proves a log wrong that lacks it, to the program and to both verifiers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import forked
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.journal import write_note
from baccarat.record.key import KeyKind, Signer
from baccarat.record.log import Log
from baccarat.record.receipt import Receipt, read_receipt
from baccarat.record.tlog_proof import EntryProof
from forgery_parts import rehashed_lines as rehashed
from honest_files import (
    COSIGNED,
    HOUSE,
    SIGNED,
    STRANGER,
    WITNESS,
    History,
    bundle,
    checkpoint_note,
    histories,
    journal,
)
from javascript import VERIFIER, run_node
from paths import ROOT
from verifier_run import run as run_python

pytestmark = pytest.mark.slow
STREAM = Stream("table 1")
KEYS = ("--key", str(HOUSE.verifier))


def receipt_of(history: History, index: int, size: int = 0, *, cosigned: bool = False, signer: object = HOUSE) -> bytes:
    """The receipt of an entry, under a checkpoint of so many entries or of all."""
    bodies = history.bodies()[STREAM]
    size = size or len(bodies)
    note = checkpoint_note(history, STREAM, size, cosigned=cosigned, signer=signer)  # type: ignore[arg-type]
    path = Log(bodies[:size]).prove_inclusion(index, size)
    return bytes(Receipt(body=bodies[index], proof=EntryProof(index, path, note), stream=STREAM))


def statuses(data: bytes, receipts: Sequence[bytes], folder: Path, keys: Sequence[str] = KEYS) -> list[int]:
    """What `verify`, `audit` and the verifiers in Python and JavaScript answer."""
    file = folder / "given"
    file.write_bytes(data)
    words = list(keys)
    for number, each in enumerate(receipts):
        (folder / f"{number}.receipt").write_bytes(each)
        words += ["--receipt", str(folder / f"{number}.receipt")]
    verbs = ("verify", "audit") if data.startswith(b'{"hash"') else ("verify",)
    runs = [forked.run(verb, str(file), *words) for verb in verbs]
    assert all(b"Traceback" not in each.stderr for each in runs)
    python = run_python(str(file), *words)[0]
    javascript = run_node(str(VERIFIER), str(file), *words).returncode
    return [*(each.returncode for each in runs), python, javascript]


@pytest.fixture
def two() -> tuple[History, History]:
    """Two evenings of one table."""
    return histories()[0]


def test_a_receipt_holds_against_the_log_that_gave_it(two: tuple[History, History], tmp_path: Path) -> None:
    one, _ = two
    assert statuses(journal(one, SIGNED), [receipt_of(one, 200), receipt_of(one, 100, 190)], tmp_path) == [0, 0, 3, 3]


def test_another_entry_at_that_number_is_wrong(two: tuple[History, History], tmp_path: Path) -> None:
    """The house rewrites a wager after it gave a receipt, and signs its log again."""
    one, twin = two
    assert statuses(journal(twin, SIGNED), [receipt_of(one, 200)], tmp_path) == [1, 1, 1, 1]


def test_another_history_behind_the_same_entry_is_wrong(two: tuple[History, History], tmp_path: Path) -> None:
    """The entry itself stands, but another that the receipt's checkpoint covers was rewritten."""
    one, _ = two
    lines = list(one.lines)
    lines[3] = lines[3].replace(b'"at":1', b'"at":2', 1)
    forged = History(name="rewritten", lines=tuple(rehashed(lines)))
    assert statuses(journal(forged, SIGNED), [receipt_of(one, 200)], tmp_path) == [1, 1, 1, 1]
    assert statuses(journal(forged, SIGNED), [receipt_of(one, 1, 2)], tmp_path) == [0, 0, 3, 3]


def test_a_journal_that_ends_before_the_entry_is_not_covered(two: tuple[History, History], tmp_path: Path) -> None:
    one, _ = two
    short = History(name="short", lines=one.lines[:100])
    assert statuses(journal(short, SIGNED), [receipt_of(one, 150)], tmp_path) == [3, 3, 3, 3]
    said = forked.run(
        "verify", str(tmp_path / "given"), *KEYS, "--receipt", str(tmp_path / "0.receipt")
    ).stdout.decode()
    assert "entry 150 of example.org/house/table/1, which the receipt shows, is in no file" in " ".join(said.split())


def test_a_receipt_that_no_known_key_has_signed_proves_nothing(two: tuple[History, History], tmp_path: Path) -> None:
    one, twin = two
    key = ("--key", str(WITNESS.verifier))
    assert statuses(journal(twin, SIGNED), [receipt_of(one, 200)], tmp_path, key) == [3, 3, 3, 3]


@pytest.mark.parametrize("change", ["signature", "body", "index", "cut", "words"])
def test_a_receipt_that_is_none_is_unreadable(change: str, two: tuple[History, History], tmp_path: Path) -> None:
    one, _ = two
    made = receipt_of(one, 200)
    forged = {
        "signature": receipt_of(one, 200, signer=STRANGER),
        "body": receipt_of(one, 201).partition(b"\n")[0] + b"\n" + made.partition(b"\n")[2],
        "index": made.replace(b"index 200", b"index 201"),
        "cut": made[:-10],
        "words": b"a receipt\n",
    }[change]
    assert statuses(journal(one, SIGNED), [forged], tmp_path) == [2, 2, 2, 2]


def test_a_bundle_is_held_against_receipts_too(two: tuple[History, History], tmp_path: Path) -> None:
    from baccarat.audit.bundle.form import Scope  # noqa: PLC0415

    one, twin = two
    whole = Scope(kind="all", stream=STREAM)
    assert statuses(bundle(one, whole, SIGNED), [receipt_of(one, 200)], tmp_path) == [0, 3, 3]
    assert statuses(bundle(twin, whole, SIGNED), [receipt_of(one, 200)], tmp_path) == [1, 1, 1]


def test_a_fork_is_shown_by_a_receipt_with_a_cosignature(two: tuple[History, History], tmp_path: Path) -> None:
    """Both histories are signed by the house; the witness cosigned one: whoever was shown the other can prove it."""
    one, twin = two
    kept = receipt_of(one, 200, cosigned=True)
    keys = (*KEYS, "--key", str(WITNESS.verifier))
    assert statuses(journal(twin, SIGNED), [kept], tmp_path, keys) == [1, 1, 1, 1]
    assert statuses(journal(one, COSIGNED), [kept], tmp_path, keys) == [0, 0, 3, 3]
    checked = forked.run("journal", "check", str(tmp_path / "0.receipt"), "--json", *keys)
    found = json.loads(checked.stdout)
    assert checked.returncode == 0
    assert [*found["checkpoints"][0]["cosigned_by"]] == [WITNESS.verifier.name]


def test_a_checkpoint_of_another_name_does_not_keep_a_receipt_from_being_compared(
    two: tuple[History, History], tmp_path: Path
) -> None:
    """Anybody can append one. A verifier went by the last checkpoint alone, and passed the receipt over."""
    one, twin = two
    stranger = Signer("example.net/elsewhere/table/1", KeyKind.LOG, bytes(32))
    note = sign_checkpoint(checkpoint_of(stranger.verifier.name, twin.bodies()[STREAM]), stranger)
    data = journal(twin, SIGNED, part=0.9) + write_note(note, STREAM)
    assert statuses(data, [receipt_of(one, 200)], tmp_path) == [1, 1, 1, 1]
    assert statuses(data, [receipt_of(twin, 200)], tmp_path) == [3, 3, 3, 3]


def test_two_receipts_of_two_histories_are_wrong_whatever_is_in_the_files(
    two: tuple[History, History], tmp_path: Path
) -> None:
    """Two guests compare what the house has signed for them: the file that it shows them ends before either."""
    one, twin = two
    short = journal(History(name="short", lines=one.lines[:100]), SIGNED)
    assert statuses(short, [receipt_of(one, 150, 190), receipt_of(one, 160, 195)], tmp_path) == [3, 3, 3, 3]
    assert statuses(short, [receipt_of(one, 200), receipt_of(twin, 200)], tmp_path) == [1, 1, 1, 1]
    bodies = [[*history.bodies()[STREAM]] for history in two]
    alike = next(at for at in range(1, 100) if bodies[0][at] == bodies[1][at] and bodies[0][:at] == bodies[1][:at])
    size = next(at for at in range(len(bodies[0])) if bodies[0][at] != bodies[1][at]) + 100
    assert statuses(short, [receipt_of(one, alike, size), receipt_of(twin, alike, size)], tmp_path) == [1, 1, 1, 1]


def test_one_bad_receipt_hides_no_other(two: tuple[History, History], tmp_path: Path) -> None:
    one, twin = two
    assert statuses(journal(twin, SIGNED), [b"none", receipt_of(one, 200)], tmp_path) == [1, 1, 1, 1]


def test_a_receipt_is_read_back_as_it_was_written(two: tuple[History, History]) -> None:
    data = receipt_of(two[0], 5)
    assert bytes(read_receipt(data)) == data


def test_the_receipt_of_the_corpus_shows_an_entry_there_and_another_history(tmp_path: Path) -> None:
    corpus = ROOT / "verifier" / "corpus"
    example, keys = (corpus / "wager.receipt").read_bytes(), ("--key", str(corpus / "keys" / "house.pub"))
    honest, other = ((corpus / "honest" / name).read_bytes() for name in ("order-2.jsonl", "house-alone.jsonl"))
    assert statuses(honest, [example], tmp_path, keys) == [3, 3, 3, 3]  # nobody names the share keys
    assert statuses(other, [], tmp_path, keys) == [0, 0, 3, 3]
    assert statuses(other, [example], tmp_path, keys) == [1, 1, 1, 1]
