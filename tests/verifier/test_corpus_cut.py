"""Files of the conformance corpus that break off anywhere: a sentence and a status in all three verifiers, no trace."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance import read_corpus
from javascript import reports_of
from signed_journal import cli
from two_verifiers import python_reports

pytestmark = pytest.mark.slow

WITHIN, AT_A_LINE = {1, 2}, {1, 2, 3}
"""What is cut within a line is wrong or not readable. A journal cut at the end of a line is a shorter journal: nothing
may be wrong with what is left, but then its end is not covered."""
Cut = tuple[Path, int]


def cuts(parts: int) -> Iterator[Cut]:
    """Where each file of the corpus breaks off, at so many places of equal distance."""
    for path in sorted({case.file for case in read_corpus().cases}):
        size = path.stat().st_size
        yield from ((path, at) for at in sorted({size * part // parts for part in range(parts)}))


def expected(path: Path, data: bytes) -> set[int]:
    """The statuses that what is left of a file may have."""
    is_journal = path.suffix == ".jsonl"
    return AT_A_LINE if is_journal and (not data or data.endswith(b"\n")) else WITHIN


def wrong(folder: Path, chosen: list[Cut]) -> list[str]:
    """The cuts to which a verifier gives another status, or no sentence."""
    written = []
    for number, (path, at) in enumerate(chosen):
        data = path.read_bytes()[:at]
        if path.suffix == ".json" and not path.read_bytes()[at:].strip():
            continue  # only the line feed at the end is missing
        written.append((folder / f"{number}{path.suffix}", path, at, expected(path, data)))
        written[-1][0].write_bytes(data)
    made = [each[0] for each in written]
    found = []
    for (file, path, at, statuses), python, javascript in zip(
        written, python_reports(made), reports_of(made), strict=True
    ):
        done = cli("verify", str(file))  # which must not end in a trace
        answers = (done.exit_code, python["status"], javascript["status"])
        says = done.stdout + done.stderr, python["unreadable"] or python["checks"], javascript["message"]
        if not set(answers) <= statuses or not all(says) or "could not finish" in javascript["message"]:
            found.append(f"{path.parent.name}/{path.name} cut at {at}: {answers}")
    return found


def test_whatever_breaks_off_gets_a_sentence_and_a_status(tmp_path: Path) -> None:
    assert wrong(tmp_path, random.Random(7).sample(list(cuts(100)), 120)) == []


@pytest.mark.deep
@pytest.mark.parametrize("part", range(20))
def test_every_file_cut_at_every_hundredth_of_it(tmp_path: Path, part: int) -> None:
    assert wrong(tmp_path, list(cuts(100))[part::20]) == []
