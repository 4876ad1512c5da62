"""Every verb that writes a file beside what it reads: what it reads is never written over."""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from pathlib import Path

import pytest
from typer.testing import CliRunner

from baccarat.cli import app
from baccarat.cli.status import PARTLY
from forked import run_text
from golden_journals import names, path_of
from paths import ROOT

pytestmark = pytest.mark.slow

EXAMPLES = ROOT / "docs" / "examples"
SUBMISSION = Path(str(files("baccarat.law") / "submissions" / "ma-midi-4.toml"))
JOURNAL = path_of(names()[0])

SOURCES = {
    "journal": JOURNAL, "log": EXAMPLES / "rounds.csv", "rules": SUBMISSION, "bundle": EXAMPLES / "round.bundle.json",
    "script": EXAMPLES / "dispute.jsonl",
}  # fmt: skip

VERBS = [
    ("journal", "audit FILE --html TARGET"),
    ("log", "audit FILE --submission ma-midi-4 --html TARGET"),
    ("rules", f"audit {EXAMPLES / 'rounds.csv'} --submission FILE --html TARGET"),
    ("rules", "price FILE --html TARGET"),
    ("rules", "price FILE --xlsx TARGET"),
    ("rules", "price FILE --pdf TARGET"),
    ("journal", "resettle FILE --submission ma-midi-4 --csv TARGET"),
    ("rules", f"resettle {JOURNAL} --submission FILE --csv TARGET"),
    ("bundle", "verify FILE --card TARGET"),
    ("rules", "shuffle export FILE --orders 1 --to TARGET"),
    ("rules", "shuffle battery FILE --shoes 1 --html TARGET"),
    ("log", "shuffle battery ma-midi-4 --orders FILE --html TARGET"),
    ("journal", "bundle FILE --output TARGET"),
    ("script", "run FILE --journal TARGET"),
    ("rules", "play FILE --auto --journal TARGET"),
    ("rules", "rules new ma-midi-4 --to TARGET"),
]


def _run(words: str, file: Path, target: Path) -> tuple[int, str]:
    given = [{"FILE": str(file), "TARGET": str(target)}.get(word, word) for word in words.split()]
    done = CliRunner().invoke(app, given)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stderr


@pytest.mark.parametrize("link", ["same name", "other name", "symbolic link", "hard link"])
@pytest.mark.parametrize(("what", "words"), VERBS, ids=[words.replace(str(ROOT), "") for _, words in VERBS])
def test_a_file_that_is_read_is_not_written_over(
    what: str, words: str, link: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    file = Path(shutil.copy(SOURCES[what], tmp_path / f"evidence{SOURCES[what].suffix}"))
    if what == "script":
        file.write_text('{"submission": "ma-midi-4"}', encoding="utf-8")  # no line end: as if it were half written
    before = file.read_bytes()
    target = {"same name": file, "other name": Path(file.name)}.get(link, tmp_path / "link")
    monkeypatch.chdir(tmp_path)
    if link == "symbolic link":
        target.symlink_to(file)
    elif link == "hard link":
        os.link(file, target)
    status, says = _run(words, file, target)
    assert (status, file.read_bytes() == before, target.read_bytes() == before) == (2, True, True), says
    assert any(word in says for word in ("not overwritten", "already exists")), says


def test_a_log_from_standard_input_is_not_written_over(tmp_path: Path) -> None:
    file = Path(shutil.copy(EXAMPLES / "rounds.csv", tmp_path / "rounds.csv"))
    before = file.read_bytes()
    with file.open("rb") as given:
        words = ["audit", "-", "--submission", "ma-midi-4", "--html", str(file)]
        done = run_text(*words, text=given)
    assert (done.returncode, file.read_bytes() == before) == (2, True)
    assert "is also the input (standard input), and is not overwritten" in done.stderr


def test_a_checkpoint_is_not_written_over_the_journal_or_the_key(tmp_path: Path) -> None:
    journal, key = Path(shutil.copy(JOURNAL, tmp_path / "table.jsonl")), tmp_path / "t.key"
    assert CliRunner().invoke(app, ["journal", "key", str(key), "--new", "example.org/t"]).exit_code == 0
    for file in (journal, key):
        before = file.read_bytes()
        words = f"journal checkpoint {journal} --key {key} --checkpoint TARGET"
        status, says = _run(words, journal, file)
        assert (status, file.read_bytes() == before) == (2, True)
        assert "not overwritten" in says


@pytest.mark.parametrize("words", [words for _, words in VERBS if "--journal" not in words])
def test_a_file_that_is_somebodys_work_is_not_replaced(words: str, tmp_path: Path) -> None:
    """The one rule of all verbs that write: a file of another sort stays, and the message says so."""
    what = next(what for what, each in VERBS if each == words)
    file = Path(shutil.copy(SOURCES[what], tmp_path / f"evidence{SOURCES[what].suffix}"))
    target = tmp_path / "notes.txt"
    target.write_text("Dear diary", encoding="utf-8")
    status, says = _run(words, file, target)
    assert (status, target.read_text(encoding="utf-8")) == (2, "Dear diary"), says
    assert "already exists" in says


def test_another_file_may_be_written(tmp_path: Path) -> None:
    status, says = _run("audit FILE --html TARGET", JOURNAL, tmp_path / "report.html")
    assert (status, says) == (PARTLY, ""), "no key is given"
    assert (tmp_path / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
