"""A seed that is reported lost, by two persons of the house: never covered, in the program and in both verifiers."""

from __future__ import annotations

from pathlib import Path

import pytest

from javascript import reports_of
from signed_journal import cli
from two_verifiers import python_reports

LOST = "reported lost"


@pytest.mark.slow
def test_a_seed_that_two_persons_report_lost_is_a_gap_for_every_verifier(own: bytes, tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    path.write_bytes(own)
    for verb in ("verify", "audit"):
        done = cli(verb, str(path))
        said = [line for line in done.stdout.splitlines() if LOST in line]
        assert (done.exit_code, len(said)) == (3, 1), done.stdout
        assert "not covered" in said[0], "it is no remark"
    for report in (*python_reports([path]), *reports_of([path])):
        gaps = report["coverage"][0]["gaps"]
        assert (report["status"], sum(LOST in gap for gap in gaps)) == (3, 1), gaps
