"""Golden journals of version 1, before the machine knew what corrected cards owe: the verdict on each, and why."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from baccarat.audit.journal import JournalAudit
from baccarat.audit.opening import UNSTATED_CARDS, by_claimed_version
from baccarat.cli import app
from baccarat.law.rulebook import shipped_submissions
from kept import lines_of
from paths import DATA

VERSION_1 = {
    "ma-midi-1": 3, "ma-midi-1-royal9": 1, "ma-midi-2": 3, "ma-midi-3": 3, "ma-midi-4": 3, "ma-midi-4-ez": 1,
    "ma-midi-4-royal9": 1, "nj-punto-banco": 1, "nj-punto-banco-exempt": 1, "nj-punto-banco-six-half": 1,
}  # fmt: skip
"""The journals of version 1, all of order 1, and the seat to which two persons paid $5.00 that no cards owed.

Version 1 let two persons correct a payment by any sum. What it let pass is decided by its own rules, and not covered;
but that the house gave away what nobody was owed is wrong by the rules of every version, and a house that claims an
old one gains nothing by it. So each of them is wrong (1), for that one act alone, and the report of discretion has it.
"""


def audit_of(lines: list[bytes], name: str) -> JournalAudit:
    """An audit of these lines."""
    audit = JournalAudit()
    audit.lines(lines_of(b"".join(lines)), file=name)
    return audit


def test_every_journal_of_version_1_is_kept() -> None:
    assert sorted(path.stem for path in (DATA / "journals-1").iterdir()) == sorted(VERSION_1)
    assert set(VERSION_1) == set(shipped_submissions()), "there was one for each Submission"


@pytest.mark.parametrize("name", VERSION_1)
def test_of_version_1_only_what_it_gave_away_is_wrong_and_ruled_differently(name: str) -> None:
    """Besides the $5.00 it kept a coupon whose wager was a tie by the corrected cards, and went on."""
    seat, lines = VERSION_1[name], (DATA / "journals-1" / f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    assert all(b'"behaviour":1' in line for line in lines)
    audit = audit_of(lines, name)
    report = audit.report()
    assert [(finding.kind, finding.promise) for finding in report.findings] == [
        ("ruled_otherwise_since", "J4"), ("owed", "M10"), ("ruled_otherwise_since", "J4")
    ]  # fmt: skip
    refused, given, kept = report.findings
    assert given.say == f"seat {seat} is corrected by $5.00, and the cards owe it $0.00"
    assert (refused.line, refused.stream) == (given.line, given.stream)
    assert kept.say.startswith("coupon_returned should come next, not table_cleared (decided by version 1")
    say = "2 records would be ruled differently by this version"
    assert f"table 1: {say}" in report.remarks
    assert {say + by_claimed_version(1), UNSTATED_CARDS + by_claimed_version(1)} <= set(report.coverage[0].gaps)
    before = audit_of(lines[: refused.line - 1], name).report()
    assert before.findings == (), "until then it is decided as it was"
    assert UNSTATED_CARDS + by_claimed_version(1) in before.coverage[0].gaps, "and is not covered"


@pytest.mark.parametrize("name", VERSION_1)
def test_what_version_1_gave_away_makes_a_journal_wrong_and_is_in_the_report_of_discretion(
    name: str, tmp_path: Path
) -> None:
    path = str(DATA / "journals-1" / f"{name}.jsonl")
    lines = Path(path).read_bytes().splitlines(keepends=True)
    given = next(at for at, line in enumerate(lines) if b'"correct_payment"' in line and b'"events"' in line)
    until = tmp_path / "until.jsonl"
    until.write_bytes(b"".join(lines[:given]))
    assert CliRunner().invoke(app, ["verify", str(until)]).exit_code == 3, "until then nothing is wrong"
    verified = CliRunner().invoke(app, ["verify", path], env={"COLUMNS": "300"})
    assert verified.exit_code == 1
    assert [line.split()[1] for line in verified.stdout.splitlines() if "✗" in line] == ["decided"]
    done = CliRunner().invoke(app, ["audit", "--discretion", path], env={"COLUMNS": "300"})
    assert done.exit_code == 1
    assert f"correct payment at seat {VERSION_1[name]}, $5.00 (five dollars were missing)" in done.stdout
