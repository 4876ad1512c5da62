"""Names at the terminal: a journal without them, a transcript with them, and what is erased stays away."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.record.journal_file import JournalFile

pytestmark = pytest.mark.slow

SCRIPT = """{"submission": "ma-midi-4"}
{"do": "sit", "seat": 3, "who": "Ann Quintrell"}
{"do": "sit", "seat": 4, "person": "José Núñez", "by": "dealer"}
{"do": "abandon_shoe", "reason": "Ann  QUINTRELL has a fever"}
{"do": "leave", "seat": 3, "who": "ann quintrell"}
"""


def cli(*words: str, text: str | None = None) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(words), input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal of a few acts, with its directory beside it."""
    path = tmp_path / "table.jsonl"
    assert cli("run", "-", "--journal", str(path), text=SCRIPT).exit_code == 1, "one act is refused"
    return path


def test_a_journal_and_its_answers_hold_ids_and_its_transcript_names(journal: Path, tmp_path: Path) -> None:
    data = journal.read_text().lower()
    assert not any(word in data for word in ("quintrell", "núñez", "fever"))
    told = cli("transcript", str(journal)).output
    assert "Ann Quintrell sits down at seat 3." in told
    assert "José Núñez sits down at seat 4." in told
    names = tmp_path / "elsewhere"
    Path(f"{journal}.names").rename(names)
    assert "Quintrell" not in cli("transcript", str(journal)).output
    assert "person-" in cli("transcript", str(journal)).output
    assert cli("transcript", str(journal), "--names", str(names)).output == told


def test_answers_with_a_journal_hold_ids_and_without_one_names(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    kept = cli("run", "-", "--journal", str(path), text=SCRIPT).stdout
    assert "Quintrell" not in kept
    told = cli("transcript", "-", "--names", f"{path}.names", text=kept)
    assert "Ann Quintrell sits down" in told.output
    assert "Quintrell" in cli("run", "-", text=SCRIPT).stdout


def test_a_table_that_goes_on_knows_people_by_the_same_ids(journal: Path) -> None:
    more = '{"submission": "ma-midi-4"}\n{"do": "leave", "seat": 4, "who": "JOSÉ NÚÑEZ"}\n'
    assert cli("run", "-", "--journal", str(journal), text=more).exit_code == 0


def test_names_are_listed_and_erased(journal: Path) -> None:
    listed = json.loads(cli("journal", "names", str(journal), "--json").stdout)
    assert {each["text"]: each["of"] for each in listed} == {
        "Ann Quintrell": "person",
        "José Núñez": "person",
        "Ann  QUINTRELL has a fever": "remark",
    }
    before = journal.read_bytes()
    done = cli("journal", "names", str(journal), "--erase", "ANN quintrell")
    assert done.exit_code == 0
    assert "still mentions Ann Quintrell" in " ".join(done.output.split())
    assert journal.read_bytes() == before
    assert "Ann Quintrell" not in Path(f"{journal}.names").read_text()
    told = cli("transcript", str(journal)).output
    assert "Ann Quintrell" not in told
    assert "José Núñez sits down" in told


def test_a_name_that_is_not_there_erases_nothing(journal: Path) -> None:
    names = Path(f"{journal}.names")
    before = names.read_bytes()
    done = cli("journal", "names", str(journal), "--erase", "José Núñez", "--erase", "Nobody")
    assert (done.exit_code, names.read_bytes()) == (1, before)
    assert "nothing is erased" in " ".join(done.output.split())


def test_nothing_is_erased_while_the_journal_is_written(journal: Path) -> None:
    with JournalFile(journal) as file:
        list(file.open())
        done = cli("journal", "names", str(journal), "--erase", "José Núñez")
    assert done.exit_code == 2
    assert "is being written" in " ".join(done.output.split())
    assert "José Núñez" in cli("journal", "names", str(journal)).output


def test_a_directory_that_is_none_is_told_and_left_as_it_is(journal: Path, tmp_path: Path) -> None:
    names = Path(f"{journal}.names")
    names.write_bytes(b"\x00\xff\n")
    for words in (
        ("journal", "names", str(journal)),
        ("transcript", str(journal)),
        ("run", "-", "--journal", str(journal)),
    ):
        done = cli(*words, text=SCRIPT)
        assert done.exit_code == 2, words
        assert "expected the first line of a directory" in " ".join(done.output.split())
    assert names.read_bytes() == b"\x00\xff\n"
    assert cli("journal", "names", str(tmp_path / "nothing")).exit_code == 2
    assert cli("transcript", str(journal), "--names", str(tmp_path / "no")).exit_code == 2


def test_playing_at_the_terminal_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    done = cli("play", "ma-midi-4", "--journal", str(path), "--script", "banker 100;deal;quit", "--seed", "1")
    assert done.exit_code == 0
    data = path.read_text()
    assert "the sitting ends" not in data
    assert '"who":"you"' in data
    assert "the sitting ends" in cli("transcript", str(path)).output
