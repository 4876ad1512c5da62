"""The long campaigns of `make deep`, each in a short run: they end green, and each of their judgements can go red."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from baccarat.record.journal import CHECKPOINT, JournalReader
from kept import lines_of, short_journal, signed_journal
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import forge_journals
from forge_journals import cut_everywhere, flip_all, forge_all, rewritten_between_checkpoints

pytestmark = pytest.mark.slow

SHORT_RUNS: dict[str, tuple[tuple[str, ...], str]] = {
    "forge_journals.py": (
        ("--records", "2", "--count", "3", "--every", "400", "--cut", "2"),
        " truncations, 3 forgeries of each kind: 0 not found at their place",
    ),
    "forge_bundles.py": (("--shoes", "4", "--forgeries", "6"), "4 shoes derived again, 6 forgeries, 0 missed"),
    "forge_files.py": (("--forgeries", "6", "--first", "40"), "6 forgeries, 0 judged wrongly"),
    "cut_files.py": (("--sample", "20", "--jobs", "1"), "20 cuts, 0 answered wrongly"),
    "simulated_odds.py": (
        ("--first-rounds", "200000", "--rounds", "1000000"),
        ": 0 out of bounds",
    ),
    "audit_logs.py": (
        ("--edition", "ma-midi-4", "--rounds", "300", "--faults", "2"),
        "ma-midi-4: 300 clean rounds, 2 planted faults of each kind: 0 failures",
    ),
}


@pytest.mark.parametrize("tool", SHORT_RUNS)
def test_a_campaign_in_short_ends_green(tool: str) -> None:
    words, last = SHORT_RUNS[tool]
    command = [sys.executable, str(ROOT / "tools" / tool), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.splitlines()[-1].endswith(last)


def a_few_lines() -> list[bytes]:
    return [line for _, line in lines_of(short_journal())][:3]


def test_a_reader_that_checks_no_hash_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(JournalReader, "line", lambda *_: None)
    monkeypatch.setattr(forge_journals, "kinds", lambda *_, **__: ["checkpoint"])
    assert len(flip_all(a_few_lines(), 1)) == 8 * len(a_few_lines()[1])
    assert len(cut_everywhere(a_few_lines())) == 1 + sum(len(line) - 1 for line in a_few_lines())


def test_an_audit_that_finds_nothing_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forge_journals, "first_line", lambda *_, **__: 0)
    monkeypatch.setattr(forge_journals, "kinds", lambda *_, **__: [])
    lines = [line for _, line in lines_of(short_journal())]
    assert len(forge_all(lines, random.Random(1))) == 7
    assert len(cut_everywhere(a_few_lines())) == 2  # after the last line nothing is cut off


def test_a_checkpoint_in_the_journal_that_nobody_looks_at_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = signed_journal().splitlines(keepends=True)
    assert sum(line.startswith(CHECKPOINT) for line in lines) == 7, "of the shoe 3, of each round 2"
    chances = [random.Random(seed) for seed in range(20)]
    assert not any(rewritten_between_checkpoints(lines, chance) for chance in chances)
    monkeypatch.setattr(forge_journals, "first_line", lambda *_: len(lines))
    assert any(rewritten_between_checkpoints(lines, chance) for chance in chances)
