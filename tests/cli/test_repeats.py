"""Commands that are sent twice, and runs that go on from a journal: answered once, and told by a transcript."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from paths import ROOT

DISPUTE = (ROOT / "docs" / "examples" / "dispute.jsonl").read_text(encoding="utf-8").splitlines()
HEADER = '{"submission": "ma-midi-4"}'
CORRECTION = next(index for index, line in enumerate(DISPUTE) if '"correct_' in line)
SIT: dict[str, Any] = {"do": "sit", "seat": 1, "who": "Ann Quintrell", "id": "1"}
BUY: dict[str, Any] = {"do": "buy_in", "seat": 1, "amount": "$100", "id": "2"}
LEAVE: dict[str, Any] = {"do": "leave", "seat": 1, "id": "3"}


def cli(*words: str, text: str = "", status: int | None = 0) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(words), input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert status in (None, done.exit_code), done.output
    return done


def run(*commands: dict[str, Any] | str, journal: Path | None = None, status: int | None = 0) -> list[str]:
    """The answers to a script, line by line."""
    text = "\n".join([HEADER, *(each if isinstance(each, str) else json.dumps(each) for each in commands)])
    words = () if journal is None else ("--journal", str(journal))
    return cli("run", "-", *words, text=text, status=status).stdout.splitlines()


def told(answers: list[str], *words: str, status: int = 0) -> list[str]:
    """What a transcript says to answers, without its title."""
    return cli("transcript", "-", *words, text="\n".join(answers) + "\n", status=status).stdout.splitlines()[1:]


@pytest.fixture(params=["without", "with"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    """Where a run keeps its journal, if it keeps one."""
    return tmp_path / "journal.jsonl" if request.param == "with" else None


def test_a_command_that_is_sent_twice_takes_effect_once_and_is_answered_alike(journal: Path | None) -> None:
    _, *answers = map(json.loads, run(SIT, BUY, BUY, LEAVE, journal=journal))
    bought, again = answers[3], answers[5]
    assert bought == again
    assert answers[4].pop("repeat") is True
    assert {**answers[4], "line": 3} == answers[2]
    assert answers[-1]["chips"] == 10_000


def test_a_refused_command_that_is_sent_twice_is_refused_alike(journal: Path | None) -> None:
    _, _, first, _, again = map(json.loads, run(BUY, BUY, journal=journal, status=1))
    assert {**again, "line": 2} == first


def test_another_command_under_an_id_is_a_refusal_with_a_code(journal: Path | None) -> None:
    other = {**BUY, "amount": "$200"}
    refused = json.loads(run(SIT, BUY, other, journal=journal, status=1)[-1])["refused"]
    assert (refused["code"], refused["cites"]) == ("repeated_id", ["house §one-effect"])
    assert "the id 2 was given to another command before: table 1, record 2" in refused["say"]


def test_a_line_that_names_nobody_is_by_whoever_gave_it_before(journal: Path | None) -> None:
    """Somebody who has left no longer sits there, and the next at that seat must not leave by the same line."""
    other = {"do": "sit", "seat": 1, "who": "Bea Quintrell", "id": "1"}
    answers = run(SIT, BUY, LEAVE, other, LEAVE, journal=journal)
    assert answers[-1] == answers[6]
    assert json.loads(answers[-2])["repeat"] is True


def test_repeats_and_refused_ids_are_told(journal: Path | None) -> None:
    answers = run(SIT, BUY, BUY, {**BUY, "seat": 2}, LEAVE, LEAVE, journal=journal, status=1)
    names = () if journal is None else ("--names", f"{journal}.names")
    story = told(answers, "--numbers", *names)
    assert [line.split("  ma-midi")[0].split("  house")[0].strip() for line in story] == [
        "0  Ann Quintrell sits down at seat 1.",
        "1  Seat 1 buys chips for $100.00.",
        "Repeated: the id 2 was given before; it is answered as it was, and nothing more is done.",
        "Refused: buy in at seat 2, $100.00: the id 2 was given to another command before: table 1, record 2.",
        "2  Seat 1 leaves with $100.00.",
        "Repeated: the id 3 was given before; it is answered as it was, and nothing more is done.",
    ]


@pytest.mark.parametrize(
    ("index", "change", "say"),
    [
        (6, '"repeat":true', "line 6 cannot have happened: the id 2 of dealer is already used in record 2"),
        (
            7,
            '"amount":10000',
            "line 7 cannot have happened: the command with the id 2 had another answer before",
        ),
        (2, '"who"', "line 2 cannot have happened: Ann Quintrell has not used the id 1 for this command before"),
    ],
)
def test_a_forged_repeat_cannot_have_happened(index: int, change: str, say: str) -> None:
    answers = run(SIT, BUY, BUY)
    forged = {'"repeat":true': '"at":1', '"amount":10000': '"amount":99', '"who"': '"repeat":true,"who"'}[change]
    assert change in answers[index - 1]
    answers[index - 1] = answers[index - 1].replace(change, forged)
    done = cli("transcript", "-", text="\n".join(answers) + "\n", status=1)
    assert say in " ".join(done.stderr.split())


# ---------------------------------------------------------------------------------- going on from a journal


def test_a_run_that_goes_on_is_told_from_where_the_journal_stood(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    run(SIT, journal=journal)
    answers = run(BUY, SIT, LEAVE, journal=journal)
    assert [line.split("  ma-midi")[0] for line in told(answers, "--numbers")] == [
        "   1  Seat 1 buys chips for $100.00.",
        "      Repeated: the id 1 was given before; it is answered as it was, and nothing more is done.",
        "   2  Seat 1 leaves with $100.00.",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("split", [*range(6, len(DISPUTE), 6), CORRECTION])
def test_the_dispute_in_two_runs_is_told_as_in_one(tmp_path: Path, split: int) -> None:
    assert DISPUTE[0].strip() == HEADER
    whole = told(cli("run", "-", text="\n".join(DISPUTE), status=None).stdout.splitlines(), "--numbers")
    journal, story = tmp_path / "journal.jsonl", list[str]()
    for part in (DISPUTE[1:split], DISPUTE[split:]):
        story += told(run(*part, journal=journal, status=None), "--numbers", "--names", f"{journal}.names")
    trusted = [line for line in story if "Taken as it stands" in line]
    assert [line for line in story if line not in trusted] == whole
    assert len(trusted) == (split == CORRECTION), "a correction of what the first run did is not decided again"


def test_a_table_that_the_first_line_makes_up_is_no_trace_back(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    run(SIT, journal=journal)
    answers = run(BUY, LEAVE, journal=journal)
    header = json.loads(answers[0])
    for forged, status in (
        ({**header["resumed"], "behaviour": 99}, 2),
        ({**header["resumed"], "state": {}}, 2),
        ({**header["resumed"], "state": 7}, 2),
        ({**header["resumed"], "submission": {"ruleset": "nowhere"}}, 2),
        ([], 2),
        ({**header["resumed"], "events": 0}, 0),
        ({**header["resumed"], "state": {**header["resumed"]["state"], "step": "nowhere"}}, 1),
    ):
        text = "\n".join([json.dumps({**header, "resumed": forged}), *answers[1:]]) + "\n"
        cli("transcript", "-", text=text, status=status)


@pytest.mark.parametrize(
    "words", [("resettle", "{}", "--submission", "ma-midi-4"), ("price", "ma-midi-4", "--journal", "{}")]
)
def test_whoever_needs_all_rounds_asks_for_the_journal(tmp_path: Path, words: tuple[str, ...]) -> None:
    journal, answers = tmp_path / "journal.jsonl", tmp_path / "answers.jsonl"
    run(SIT, journal=journal)
    answers.write_text("\n".join(run(BUY, journal=journal)) + "\n")
    done = cli(*(str(answers) if word == "{}" else word for word in words), status=2)
    assert "name that journal instead" in " ".join(done.stderr.split())
