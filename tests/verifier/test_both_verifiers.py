"""Two verifiers that share no code: the same shoes, the same reports, and whatever is forged is found by both."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from baccarat.cli import app
from baccarat.law.rulebook import shipped_submissions
from baccarat.shuffle import commitment, header_of
from bundles import short_shoes, signed, source_of
from javascript import VERIFIER, run_node
from paths import ROOT
from remade import journal_of, records_of, sha
from shoe_forgery import SEALED, Forged, forged_anywhere, forged_seal
from two_verifiers import PYTHON_VERIFIER, QUESTIONS, Answer, both, differences

sys.path.insert(0, str(ROOT / "tools"))

from verify_shoes import forgery_faults, shoe_faults

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def journal() -> bytes:
    return short_shoes(shoes=1)


@pytest.fixture(scope="module")
def answers(journal: bytes, tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, Answer]:
    """What both say to an honest shoe."""
    path = tmp_path_factory.mktemp("both") / "journal.jsonl"
    path.write_bytes(journal)
    (pair,) = both([path])
    return pair


def test_a_shoe_of_every_submission_is_verified_and_its_forgery_refused_by_both() -> None:
    count = len(shipped_submissions())
    words = [sys.executable, str(ROOT / "tools" / "verify_shoes.py"), "--count", str(count), "--whole-every", "7"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    shoes, forgeries = done.stdout.splitlines()
    assert shoes == f"{count} of {count} shoes verify in Python and in JavaScript, and the reports agree"
    assert forgeries.startswith(f"{count} of {count} forgeries are refused at the same line; ")


def test_both_say_the_same_to_an_honest_shoe_check_by_check(journal: bytes, answers: tuple[Answer, Answer]) -> None:
    python, javascript = answers
    assert shoe_faults(journal, python, javascript) == []
    assert python == javascript
    assert python.logs[0][:2] == ("table 1", journal.count(b"\n"))
    assert python.proved > 25
    assert set(python.checks) == set(QUESTIONS)


def test_any_difference_between_the_reports_is_a_fault(journal: bytes, answers: tuple[Answer, Answer]) -> None:
    python, javascript = answers
    others = [
        replace(javascript, status=1),
        replace(javascript, logs=(("table 1", 1, "another root"),)),
        replace(javascript, proved=javascript.proved - 1),
        replace(javascript, derived=javascript.derived - 1),
        replace(javascript, first_line=3),
        *(replace(javascript, checks=javascript.checks | {name: "wrong"}) for name in javascript.checks),
    ]
    for other in others:
        assert len(differences(python, other)) == 1
        assert shoe_faults(journal, python, other)
    assert shoe_faults(journal, replace(python, proved=1), replace(javascript, proved=1))  # they agree, and are wrong


def test_a_forgery_that_one_passes_or_finds_elsewhere_is_a_fault(answers: tuple[Answer, Answer]) -> None:
    forged = forged_anywhere(short_shoes(shoes=1), random.Random(1))
    good = answers[0]
    found = replace(good, status=1, first_line=forged.line)
    assert forgery_faults(forged, found, found) == []
    elsewhere = replace(found, first_line=forged.line + 1)
    for one, other in ((found, good), (good, found), (good, good), (found, elsewhere), (elsewhere, elsewhere)):
        assert forgery_faults(forged, one, other)


def test_every_field_that_seals_a_shoe_is_bound_though_all_hashes_are_made_anew(journal: bytes, tmp_path: Path) -> None:
    chance, by_kind = random.Random(2), dict[str, Forged]()
    wanted = {f"{kind} of {act}" for act, kinds in SEALED.items() for kind in kinds}
    for _ in range(2_000):
        forged = forged_seal(journal, chance)
        by_kind.setdefault(forged.kind, forged)
        if set(by_kind) == wanted:
            break
    assert set(by_kind) == wanted
    paths = [tmp_path / f"{number}.jsonl" for number in range(len(by_kind))]
    for path, forged in zip(paths, by_kind.values(), strict=True):
        path.write_bytes(forged.data)
    faults = {
        kind: faults
        for (kind, forged), pair in zip(by_kind.items(), both(paths), strict=True)
        if (faults := forgery_faults(forged, *pair))
    }
    assert faults == {}


def test_a_shoe_whose_id_comes_again_is_found_by_both(tmp_path: Path) -> None:
    """The id is part of what an order hangs on: with a number that comes again, an old order could come again too."""
    seed, records = sha(b"again"), records_of(short_shoes(shoes=2))
    commits = [
        (index, event)
        for index, record in enumerate(records)
        for event in record.get("events", [])
        if event["event"] == "shoe_committed"
    ]
    assert [event["shoe"] for _, event in commits] == ["0", "1"]
    second, committed = commits[1]
    committed["shoe"] = "0"
    header = header_of(table="1", shoe="0", rulebook_hash=committed["rulebook"], decks=committed["decks"])
    committed["commitment"] = commitment(seed, header).hex()
    path = tmp_path / "again.jsonl"
    path.write_bytes(journal_of(records[: second + 1]))
    ((python, javascript),) = both([path])
    assert differences(python, javascript) == []
    assert (python.status, python.checks["shoes"], python.first_line) == (1, "wrong", second + 1)


@pytest.mark.parametrize("name", ["journal.jsonl.cosigned", "journal.jsonl.table%201.checkpoint"])
def test_both_say_of_signatures_what_verify_says(name: str, journal: bytes, tmp_path: Path) -> None:
    path, beside = tmp_path / "journal.jsonl", tmp_path / name
    path.write_bytes(journal)
    (tmp_path / "journal.jsonl.old.checkpoint").write_bytes(b"of another journal")
    said = "Nothing is wrong in what was checked; not all of it is covered."
    for _ in range(2):
        ((python, javascript),) = both([path])
        assert differences(python, javascript) == []
        verified = CliRunner().invoke(app, ["verify", str(path)])
        assert (python.status, verified.exit_code) == (3, 3)
        shown = (verify_python(path), run_node(str(VERIFIER), str(path)).stdout.decode(), verified.stdout)
        assert [text.rstrip().rpartition("\n")[2] for text in shown] == [said] * 3
        beside.write_bytes(bytes(signed(source_of(journal))))
    beside.write_bytes(bytes(signed(source_of(journal))).replace(b"\n%d\n" % journal.count(b"\n"), b"\n17\n", 1))
    ((python, javascript),) = both([path])
    assert (python.status, javascript.status, CliRunner().invoke(app, ["verify", str(path)]).exit_code) == (1, 1, 1)


def verify_python(path: Path) -> str:
    """What the verifier in Python prints."""
    return subprocess.run(
        [sys.executable, "-I", str(PYTHON_VERIFIER), str(path)], capture_output=True, check=False
    ).stdout.decode()
