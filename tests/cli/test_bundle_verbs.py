"""`baccarat bundle` and `baccarat verify`: what they write and say, their statuses, and all that can go wrong."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from typer.testing import CliRunner, Result

from baccarat.audit.bundle.form import MOST_BYTES, read_bundle
from baccarat.cli import app
from baccarat.house.stream import Stream
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.key import KeyKind, MissingCryptography, Signer
from baccarat.record.note import SignedNote
from bundles import LOG, WITNESS, long_shoe, short_shoes, signed, source_of

pytestmark = pytest.mark.slow


def cli(*words: str | Path) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(map(str, words)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of two shoes with its cosigned checkpoint."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(short_shoes())
    path.with_name("journal.jsonl.cosigned").write_bytes(bytes(signed(source_of(short_shoes()))))
    return path


def bundled(journal: Path, *words: str | Path, name: str = "bundle.json") -> Path:
    """The file that the verb writes."""
    path = journal.with_name(name)
    done = cli("bundle", journal, "--output", path, "--key", LOG.verifier.__str__(), *words)
    assert done.exit_code == 0, done.output
    return path


def refused(*words: str | Path, status: int, say: str) -> None:
    """A message on standard error, and this status."""
    done = cli(*words)
    assert done.exit_code == status, done.output
    assert re.search(say, " ".join(done.stderr.split())), done.stderr


def verified(*words: str | Path, status: int = 0) -> list[dict[str, Any]]:
    """The answer of `verify` as JSON."""
    done = cli("verify", *words, "--json")
    assert done.exit_code == status, done.output
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


# -------------------------------------------------------------------------------------------------- bundle


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        (("--shoe", "2", "--round", "2"), {"kind": "round", "stream": "table 1", "shoe": 2, "round": 2}),
        (("--shoe", "1"), {"kind": "shoe", "stream": "table 1", "shoe": 1}),
        (("--day", "2026-11-15"), {"kind": "day", "stream": "table 1", "day": "2026-11-15"}),
        (("--table", "1"), {"kind": "all", "stream": "table 1"}),
        ((), {"kind": "all", "stream": "table 1"}),
    ],
)
def test_what_was_asked_for_is_written_and_verified(
    journal: Path, words: tuple[str, ...], scope: dict[str, Any]
) -> None:
    path = bundled(journal, *words)
    status = 0 if scope["kind"] == "all" or scope == {"kind": "shoe", "stream": "table 1", "shoe": 1} else 3
    (found,) = verified(path, "--key", str(LOG.verifier), "--key", str(WITNESS.verifier), status=status)
    assert (found["status"], found["scope"]) == (status, scope)
    assert bool(found["coverage"]["gaps"]) is (status == 3)
    holds = {check["name"]: check["holds"] for check in found["checks"]}
    assert holds["signature"] is holds["cosignatures"] is holds["tree"] is holds["decided again"] is True


def test_a_round_without_its_shoe_is_of_the_only_shoe(journal: Path, tmp_path: Path) -> None:
    refused("bundle", journal, "--round", "1", "-o", tmp_path / "x", status=2, say="choose one with --shoe: 1 to 2")
    only = tmp_path / "only.jsonl"
    only.write_bytes(long_shoe())
    path = bundled(only, "--round", "17", name="17.json")
    assert read_bundle(path.read_bytes()).scope.shoe == 1


def test_no_file_is_overwritten_and_nothing_is_written_where_something_is_wrong(journal: Path, tmp_path: Path) -> None:
    path = bundled(journal)
    before = path.read_bytes()
    refused("bundle", journal, "-o", path, status=2, say="not overwritten")
    assert path.read_bytes() == before
    new = tmp_path / "new.json"
    for words, status, say in (
        (("--shoe", "1", "--round", "99"), 1, "no table 1, shoe 1, round 99; it has shoe 1: [0-9] rounds"),
        (("--shoe", "9"), 1, "no table 1, shoe 9"),
        (("--day", "2020-01-01"), 1, "no table 1, 2020-01-01"),
        (("--day", "yesterday"), 2, "expected a day"),
        (("--day", "2026-11-15", "--shoe", "1"), 2, "--day cannot be combined with --shoe or --round"),
        (("--table", "7"), 1, "no table '7'; it has 1"),
        (("--key", "nothing"), 2, "neither a file nor a public key"),
        (("--checkpoint", str(tmp_path / "none")), 2, "cannot be read"),
    ):
        refused("bundle", journal, "-o", new, *words, status=status, say=say)
        assert not new.exists()


def test_a_journal_that_does_not_fit_its_checkpoint_makes_no_bundle(journal: Path, tmp_path: Path) -> None:
    journal.write_bytes(short_shoes(words="rewritten"))
    refused("bundle", journal, "-o", tmp_path / "x", status=1, say="checkpoint covers")
    done = cli("verify", journal)
    assert (done.exit_code, "does not fit the journal" in joined(done)) == (1, True), done.output


def test_a_damaged_journal_makes_no_bundle(journal: Path, tmp_path: Path) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:30]) + lines[30][:50])
    refused("bundle", journal, "-o", tmp_path / "x", status=2, say="line 31")
    refused("verify", journal, status=2, say="line 31")
    journal.write_bytes(b"".join([*lines[:30], *lines[31:]]))
    refused("verify", journal, status=1, say="line 31.*missing")


# -------------------------------------------------------------------------------------------------- verify


def test_a_person_reads_a_line_for_each_check(journal: Path) -> None:
    done = cli("verify", bundled(journal, "--shoe", "2", "--round", "2"))
    assert done.exit_code == 3
    assert " ✓ tree " in done.stdout
    assert re.search("not covered: the state of the table before record [0-9]+ is stated by the bundle", joined(done))
    assert "not covered: no key was given" in joined(done)
    assert "Nothing is wrong in what was checked; not all of it is covered." in joined(done)
    done = cli("verify", bundled(journal, name="whole.json"), "--key", str(LOG.verifier))
    count = len(short_shoes().splitlines())
    said = f"table 1: {count} entries · decided again {count} · signed to {count} by example.org/house/table/1"
    assert said in joined(done)
    assert done.stdout.rstrip().endswith("Nothing is wrong, and everything is covered.")


def test_a_forged_payment_is_named_with_its_record_and_clause(journal: Path) -> None:
    path = bundled(journal, "--shoe", "1")
    data = path.read_bytes()
    assert b'"event":"paid","seat":3,"stake":2500,"win":2500' in data
    path.write_bytes(
        data.replace(
            b'"event":"paid","seat":3,"stake":2500,"win":2500', b'"event":"paid","seat":3,"stake":2500,"win":2600', 1
        )
    )
    done = cli("verify", path)
    assert done.exit_code == 1
    again = next(line for line in done.stdout.splitlines() if "decided again" in line)
    assert "win is 2600 and should be 2500" in again
    assert "ma-midi-4 §12(c)" in again
    assert " ✗ tree " in done.stdout
    assert done.stdout.rstrip().endswith("Something is wrong.")


def test_a_journal_is_verified_as_it_is(journal: Path) -> None:
    (found,) = verified(journal, "--key", str(LOG.verifier))
    assert (found["status"], found["scope"]["kind"]) == (0, "all")


def test_entries_after_the_checkpoint_are_checked_and_said_to_be_unsigned(journal: Path) -> None:
    beside = journal.with_name("journal.jsonl.cosigned")
    beside.write_bytes(bytes(signed(source_of(short_shoes()), size=100)))
    (found,) = verified(journal, "--key", str(LOG.verifier), status=3)
    assert found["coverage"]["signed"][0]["to"] == 100
    count = len(short_shoes().splitlines())
    say = f"the last {count - 100} of {count} entries are not signed: nobody signed after entry 100"
    assert found["coverage"]["gaps"] == [say]
    again = next(check["say"] for check in found["checks"] if check["name"] == "decided again")
    assert again.startswith(f"{count - 1} acts")


def test_several_files_have_the_worst_status(journal: Path, tmp_path: Path) -> None:
    good, bad = bundled(journal), tmp_path / "bad.json"
    bad.write_bytes(b"\0\1\2")
    key = ("--key", str(LOG.verifier))
    found = verified(good, bad, *key, status=2)
    assert [each["status"] for each in found] == [0, 2]
    assert "not JSON" in found[1]["unreadable"]
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(good.read_bytes().replace(b'"win":2500', b'"win":2600', 1))
    found = verified(bad, wrong, good, tmp_path / "none.json", *key, status=1)
    assert [each["status"] for each in found] == [2, 1, 0, 2], "what is wrong with one file hides no other"


def test_status_3_where_signatures_could_not_be_checked(journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_args: object) -> bool:
        raise MissingCryptography

    path = bundled(journal)
    monkeypatch.setattr("baccarat.record.key._verifies", missing)
    done = cli("verify", path, "--key", str(LOG.verifier))
    assert done.exit_code == 3
    assert 'pip install "baccarat[proof]"' in joined(done)
    assert done.stdout.rstrip().endswith("Nothing is wrong in what was checked; not all of it is covered.")


def forged_signature(path: Path) -> None:
    """One character of the log's signature is another; nothing else is changed."""
    data = path.read_bytes()
    index = data.index("— example.org/house/table/1 ".encode()) + 60
    path.write_bytes(data[:index] + (b"A" if data[index : index + 1] != b"A" else b"B") + data[index + 1 :])


def test_where_no_key_checks_a_forged_signature_that_is_said(journal: Path) -> None:
    path = journal.with_name("round.json")
    assert cli("bundle", journal, "--shoe", "1", "--round", "1", "-o", path).exit_code == 0
    forged_signature(path)
    done = cli("verify", path)
    assert (done.exit_code, " – signature " in done.stdout) == (3, True), done.output
    assert done.stdout.rstrip().endswith("Nothing is wrong in what was checked; not all of it is covered.")
    (found,) = verified(path, "--key", str(LOG.verifier), status=1)
    assert [check["name"] for check in found["checks"] if check["holds"] is False] == ["signature"]


@pytest.mark.parametrize("is_bundle", [True, False])
def test_a_witness_alone_leaves_the_signature_of_the_log_unchecked(journal: Path, is_bundle: bool) -> None:
    path = bundled(journal) if is_bundle else journal
    (found,) = verified(path, "--key", str(WITNESS.verifier), status=3)
    holds = {check["name"]: check["holds"] for check in found["checks"]}
    assert (holds["signature"], holds["cosignatures"]) == (None, None), "it may be of another log with the same root"
    signed, cosigned = found["coverage"]["gaps"]
    assert signed == "no key that was given has signed it: the key of the log example.org/house/table/1 was not given"
    assert cosigned.endswith("entries are not cosigned by the witnesses that were asked for (1)")


def test_what_nobody_has_signed_is_not_covered_with_or_without_a_key(journal: Path) -> None:
    journal.with_name("journal.jsonl.cosigned").unlink()
    for path in (journal, bundled(journal)):
        (found,) = verified(path, "--key", str(LOG.verifier), status=3)
        assert found["coverage"]["gaps"] == ["no key that was given has signed it: there is no checkpoint"]
        (found,) = verified(path, status=3)
        assert [check["holds"] for check in found["checks"] if check["name"] == "signature"] == [None]


def test_a_witness_that_is_named_and_has_not_cosigned_is_status_3(journal: Path) -> None:
    note = signed(source_of(short_shoes()))
    alone = SignedNote(note.text, tuple(each for each in note.signatures if each.is_by(LOG.verifier)))
    journal.with_name("journal.jsonl.cosigned").unlink()
    journal.with_name("journal.jsonl.checkpoint").write_bytes(bytes(alone))
    (found,) = verified(journal, "--key", str(LOG.verifier), "--key", str(WITNESS.verifier), status=3)
    holds = {check["name"]: check["holds"] for check in found["checks"]}
    assert (holds["signature"], holds["cosignatures"]) == (True, None)


def test_every_checkpoint_beside_a_journal_is_verified(journal: Path) -> None:
    path = journal.with_name("journal.jsonl.checkpoint")
    path.write_bytes(bytes(signed(source_of(short_shoes()), size=100)))
    verified(journal, "--key", str(LOG.verifier))
    forged_signature(path)
    (found,) = verified(journal, "--key", str(LOG.verifier), status=1)
    (say,) = [check["say"] for check in found["checks"] if check["holds"] is False]
    assert "the signature by example.org/house/table/1 is wrong" in say


def test_the_key_of_a_house_is_that_of_its_streams(journal: Path) -> None:
    house = Signer("example.org/house", KeyKind.LOG, bytes([5]) * 32)
    bodies = [line.body for line in source_of(short_shoes()).streams[Stream("table 1")]]
    note = sign_checkpoint(
        checkpoint_of("example.org/house/table/1", bodies), house.with_name("example.org/house/table/1")
    )
    journal.with_name("journal.jsonl.cosigned").write_bytes(bytes(note))
    verified(journal, "--key", str(house.verifier))
    assert cli("audit", journal, "--key", str(house.verifier)).exit_code == 0
    other = Signer("example.org/house", KeyKind.LOG, bytes([6]) * 32)
    verified(journal, "--key", str(other.verifier), status=1)


# ------------------------------------------------------------------------- audit by the same rule as verify


@pytest.mark.parametrize("ending", ["checkpoint", "cosigned", "table%201.checkpoint", "table%201.cosigned"])
def test_an_audit_reads_the_checkpoints_beside_a_journal_under_the_keys_of_logs_and_witnesses(
    journal: Path, ending: str
) -> None:
    cosigned, beside = journal.with_name("journal.jsonl.cosigned"), journal.with_name(f"journal.jsonl.{ending}")
    cosigned.rename(beside)
    log, witness = ("--key", str(LOG.verifier)), ("--key", str(WITNESS.verifier))
    for keys, status, left in (
        ((), 3, ["signatures"]),
        (log, 0, []),
        (witness, 3, ["signatures"]),
        (log + witness, 0, []),
    ):
        done = cli("audit", journal, *keys, "--json")
        assert (done.exit_code, verified(journal, *keys, status=status)[0]["status"]) == (status, status), done.output
        report = json.loads(done.stdout)
        unchecked = [each["name"] for each in report["checks"] if each["left_out"] and each["name"] != "ids"]
        assert (report["findings"], unchecked) == ([], left)
    assert "not all of it is covered" in cli("audit", journal).stdout
    forged_signature(beside)
    done = cli("audit", journal, *log)
    assert (done.exit_code, f"{beside}: the checkpoint is not signed as it should be" in joined(done)) == (1, True)
    verified(journal, *log, status=1)


def joined(done: Result) -> str:
    """What was printed, without the ends of lines."""
    return " ".join(done.stdout.split())


def test_an_audit_names_the_stream_that_nobody_has_signed(journal: Path) -> None:
    journal.with_name("journal.jsonl.cosigned").unlink()
    done = cli("audit", journal, "--key", str(LOG.verifier))
    assert done.exit_code == 3
    assert re.search("table 1: ([0-9]+) entries · decided again \\1 · signed by no key that was given", joined(done))
    assert cli("audit", journal).exit_code == 3


def test_an_audit_without_cryptography_leaves_signatures_unchecked_as_verify_does(
    journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_args: object) -> bool:
        raise MissingCryptography

    monkeypatch.setattr("baccarat.record.key._verifies", missing)
    for verb in ("audit", "verify"):
        done = cli(verb, journal, "--key", str(LOG.verifier))
        assert (done.exit_code, 'pip install "baccarat[proof]"' in joined(done)) == (3, True), done.output


def test_people_read_shoes_counted_from_1(journal: Path) -> None:
    journal.write_bytes(short_shoes(closed=False, contribute=False))
    journal.with_name("journal.jsonl.cosigned").unlink()
    said = cli("verify", journal).stdout
    assert "the seed of shoe 2 is not shown" in said
    assert "orders of shoes 1, 2: the house alone could have known them beforehand" in said


def test_another_houses_key_is_refused(journal: Path) -> None:
    other = Signer("example.org/house/table/1", KeyKind.LOG, bytes([7]) * 32).verifier
    (found,) = verified(bundled(journal), "--key", str(other), status=1)
    wrong = next(check for check in found["checks"] if check["holds"] is False)
    assert wrong["name"] == "signature"
    assert wrong["say"] == "no known key of the log example.org/house/table/1 has signed it"


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b'{"bundle":1,')
        os.truncate(path, MOST_BYTES + 2)
    refused("verify", path, status=2, say="longer than")


def test_wrong_usage_is_status_2(journal: Path, tmp_path: Path) -> None:
    path = bundled(journal)
    refused("verify", status=2, say="expected a bundle, a journal or --program")
    refused("verify", tmp_path / "none", status=2, say="cannot be read")
    refused("verify", path, path, "--card", tmp_path / "c.html", status=2, say="one bundle of a round")
    refused("verify", journal, "--card", tmp_path / "c.html", status=2, say="one bundle of a round")
    refused("verify", path, "--program", status=2, say="combined only with --manifest")
    refused("verify", path, "--manifest", path, status=2, say="requires --program")
    refused("verify", path, "--card", tmp_path / "c.html", status=1, say="expected one of a round")


# ------------------------------------------------------------------------------------------------ the card


def test_the_card_shows_the_round_with_its_clauses_and_nobody_by_name(journal: Path, tmp_path: Path) -> None:
    card = tmp_path / "card.html"
    done = cli("verify", bundled(journal, "--shoe", "2", "--round", "6"), "--card", card)
    assert done.exit_code == 3, "no key is given"
    page = card.read_text(encoding="utf-8")
    for words in (
        "Round 6 of shoe 2, table 1", "9♥", "Q♣", "9♠", "“Player 8, Banker 9, Banker wins”", "$1.25 vigorish taken",
        "$25.00 paid, $25.00 back", "$5.00 lost", "If the Player drew, Banker on zero to two always draws.",
        "Nothing is wrong with this record", "§10(c)(2)(i)", "prefers-color-scheme: dark", "@media print",
    ):  # fmt: skip
        assert words in page, words
    assert not re.search(r"\bp[135]\b", page), "no person's id"
    assert "http" not in page, "nothing is loaded from outside"


def test_the_card_of_a_forged_round_says_so_first(journal: Path, tmp_path: Path) -> None:
    path, card = bundled(journal, "--shoe", "2", "--round", "2"), tmp_path / "card.html"
    path.write_bytes(path.read_bytes().replace(b'"win":2500', b'"win":2600'))
    assert cli("verify", path, "--card", card).exit_code == 1
    assert "This record is wrong: " in card.read_text(encoding="utf-8")


def test_the_card_as_a_pdf_is_one_tagged_sheet_with_the_same_words(journal: Path, tmp_path: Path) -> None:
    path, card, again = bundled(journal, "--shoe", "2", "--round", "6"), tmp_path / "card.pdf", tmp_path / "again.PDF"
    for target in (card, again):
        assert cli("verify", path, "--card", target).exit_code == 3
    assert card.read_bytes() == again.read_bytes()
    read = PdfReader(card)
    (sheet,) = read.pages
    words = " ".join(sheet.extract_text().split())
    for said in (
        "Round 6 of shoe 2, table 1", "10♦ no. 28", "“Player 8, Banker 9, Banker wins”", "$1.25 vigorish taken",
        "If the Player drew, Banker on zero to two always draws.", "Nothing is wrong with this record",
        "368 dealer Seat 3 is paid $25.00.", "✓ chain 175 entries by their hashes", "shown by their capacity",
    ):  # fmt: skip
        assert said in words, said
    assert not re.search(r"\bp[135]\b", words), "no person's id"
    root: Any = read.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    path.write_bytes(path.read_bytes().replace(b'"win":2500', b'"win":2600'))
    assert cli("verify", path, "--card", card).exit_code == 1
    assert "✗ This record is wrong: " in PdfReader(card).pages[0].extract_text()


def test_a_pdf_without_its_library_says_what_to_install(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, card = bundled(journal, "--shoe", "2", "--round", "2"), tmp_path / "card.pdf"
    monkeypatch.setitem(sys.modules, "typst", None)
    refused("verify", path, "--card", card, status=2, say=r'needs typst, .* pip install "baccarat\[report\]"')
    assert not card.exists()
    whole = bundled(journal, name="whole.json")
    refused("verify", whole, "--card", card, status=1, say="expected one of a round")


# ---------------------------------------------------------------------------------------------- the program


def test_the_program_is_compared_with_a_manifest(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    done = cli("verify", "--program", "--json")
    manifest.write_text(done.stdout)
    assert cli("verify", "--program", "--manifest", manifest).exit_code == 0
    changed = json.loads(done.stdout)
    changed["files"]["cards.py"] = "0" * 64
    manifest.write_text(json.dumps(changed))
    refused("verify", "--program", "--manifest", manifest, status=2, say="does not match the list")
    from baccarat.audit.program import combined_hash  # noqa: PLC0415

    changed["hash"] = combined_hash(changed["files"])
    manifest.write_text(json.dumps(changed))
    done = cli("verify", "--program", "--manifest", manifest)
    assert done.exit_code == 1
    assert "cards.py has the hash" in done.stdout
