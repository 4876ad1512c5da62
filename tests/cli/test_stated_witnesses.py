"""A script opens an electronic table with those who have a share in its orders: they stand in its opening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from electronic_table import Witnesses

pytestmark = pytest.mark.slow
TWO = Witnesses("example.net/w1", "example.com/w2", table="1")
KEYS = sorted(TWO.keys)


def run(*words: str, header: dict[str, Any], commands: list[dict[str, Any]]) -> Result:
    """What a script answers."""
    first = {"submission": "ma-midi-4", **header}
    text = "".join(f"{json.dumps(line)}\n" for line in (first, *commands))
    done = CliRunner().invoke(app, ["run", "-", *words], input=text)
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done


def opening(journal: Path) -> dict[str, Any]:
    """The first entry of a journal."""
    record: dict[str, Any] = json.loads(journal.read_text().splitlines()[0])["record"]
    return record


SIT = {"do": "sit", "seat": 1, "who": "A. Patron"}


@pytest.mark.parametrize(
    ("header", "stated"),
    [
        ({}, None),
        ({"cards": "real"}, None),
        ({"cards": "electronic"}, []),
        ({"cards": "automated"}, []),
        ({"cards": "electronic", "witnesses": KEYS}, KEYS),
    ],
)
def test_the_opening_of_an_electronic_table_states_its_witnesses(
    tmp_path: Path, header: dict[str, Any], stated: list[str] | None
) -> None:
    path = tmp_path / "journal.jsonl"
    done = run("--journal", str(path), header=header, commands=[SIT])
    assert done.exit_code == 0
    assert opening(path).get("witnesses") == stated
    answers = done.stdout
    assert json.loads(answers.splitlines()[0]).get("witnesses") == stated
    assert CliRunner().invoke(app, ["transcript", "-"], input=answers).exit_code == 0
    assert run("--journal", str(path), header=header, commands=[SIT | {"do": "leave"}]).exit_code == 0, "resumed"


@pytest.mark.parametrize(("named", "status"), [(KEYS, 0), (KEYS[:1], 1), ([], 1)])
def test_every_commitment_names_them(tmp_path: Path, named: list[str], status: int) -> None:
    promises = [{"key": each.key, "promise": each.promise} for each in TWO.promises("0") if each.key in named]
    commit = {
        "do": "commit_shoe", "table": "1", "shoe": "0", "commitment": "0" * 64, "order": 2, "log": TWO.origin,
        "promises": promises, "origin": "card source", "who": "shoe",
    }  # fmt: skip
    path = tmp_path / "journal.jsonl"
    header = {"cards": "electronic", "witnesses": KEYS}
    done = run("--journal", str(path), header=header, commands=[SIT, commit])
    assert done.exit_code == status, done.stdout
    assert ("other_witnesses_on_record" in done.stdout) == bool(status)


@pytest.mark.parametrize(
    "header",
    [
        {"witnesses": []},
        {"cards": "real", "witnesses": []},
        {"cards": "electronic", "witnesses": KEYS[::-1]},
        {"cards": "electronic", "witnesses": "none"},
        {"cards": "electronic", "witnesses": [7]},
    ],
)
def test_witnesses_in_another_form_are_refused_before_anything_is_written(
    tmp_path: Path, header: dict[str, Any]
) -> None:
    path = tmp_path / "journal.jsonl"
    done = run("--journal", str(path), header=header, commands=[SIT])
    assert (done.exit_code, path.exists()) == (2, False)
    assert "the first line: witnesses: expected the share keys" in " ".join(done.stderr.split())


def test_a_journal_is_not_resumed_with_other_witnesses(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    assert run("--journal", str(path), header={"cards": "electronic"}, commands=[SIT]).exit_code == 0
    before = path.read_bytes()
    done = run("--journal", str(path), header={"cards": "electronic", "witnesses": KEYS}, commands=[SIT])
    assert (done.exit_code, path.read_bytes()) == (2, before)
    assert "was opened with none, not with example." in " ".join(done.stderr.split())
