"""The studies in the terminal: each verb says its figures, as text and as JSON, and refuses nonsense with status 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat.cli import app


def said(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["study", *words])
    assert done.exit_code == status, done.output
    return done.output


def told(*words: str) -> Any:
    return json.loads(said(*words, "--json"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hands", "ma-midi-4", "--shoes", "20"), "the next card is the old next card"),
        (("counts", "ma-midi-4-ez", "dragon7", "--shoes", "20"), "betting correlation 0.99"),
        (("patrons", "ma-midi-4", "--seat", "martingale banker $25", "--sessions", "5"), "martingale banker"),
        (("house", "ma-midi-4-royal9", "--seat", "banker=$100", "--days", "2", "--tables", "2", "--progressive", "1"),
         "Must Hit"),
        (("wagers", "ma-midi-4", "--shoes", "64", "--effect", "4"), "cut-card effect"),
    ],
)  # fmt: skip
def test_every_study_is_told_drawn_and_given_as_json(words: tuple[str, ...], says: str, tmp_path: Path) -> None:
    picture = tmp_path / "study.svg"
    assert says in said(*words, "--svg", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<svg ")
    found = told(*words)
    assert len(found["rulebook"]) == 64
    assert found == told(*words)


def test_hands_are_measured_and_tested_with_the_battery() -> None:
    found = told("hands", "ma-midi-4", "--shoes", "50", "--steps", "riffle,cut", "--battery", "110")
    assert 0.4 < found["next"] < 0.55
    assert "5(g)(1)" in found["against_the_document"]
    assert found["battery"]["rejected"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("hands", "ma-midi-4", "--steps", "fold"), "no step 'fold'"),
        (("hands", "ma-midi-4", "--steps", "cut", "--riffles", "3"), "one of them"),
        (("hands", "ma-midi-4", "--grab", "1000"), "grab is 1 to 416"),
        (("counts", "ma-midi-4-ez", "dragon9"), "did you mean 'dragon7'"),
        (("counts", "ma-midi-4-ez", "tie", "--tags", "Z=1"), "expected a rank and a whole number"),
        (("counts", "ma-midi-4-ez", "tie", "--depths", "deep"), "expected whole numbers"),
        (("patrons", "ma-midi-4", "--seat", "banker=$1"), "below the posted minimum"),
        (("patrons", "ma-midi-4", "--seat", "labouchere banker $25"), "expected stakes such as"),
        (("patrons", "ma-midi-4", "--seat", "martingale banker $25 many"), "no number of steps"),
        (("patrons", "ma-midi-4", "--seat", "count tie $25 high 4=1"), "no true count"),
        (("patrons", "ma-midi-4", "--seat", "banker=$25", "--purse", "much"), "not a sum of money"),
        (("house", "ma-midi-4", "--seat", "banker=$25", "--progressive", "1"), "not offered"),
        (("house", "ma-midi-4", "--seat", "banker=$25", "--progressive", "one"), "expected chairs"),
        (("records", "ma-midi-4", "--to", "nowhere/x.parquet"), "does not exist"),
        (("wagers", "ma-midi-4", "--svg", "nowhere/x.svg"), "does not exist"),
    ],
)
def test_nonsense_is_refused_in_words(words: tuple[str, ...], says: str) -> None:
    assert says in said(*words, status=2).replace("\n", " ")


SHOES = ("wagers", "ma-midi-4", "--effect", "2", "--shoes")


def test_numbers_of_a_study_are_typed_as_those_of_simulate() -> None:
    assert told(*SHOES, "1e2") == told(*SHOES, "100") == told(*SHOES, "10^2")


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("0", "0: expected 1 at least"),
        ("6.4e1", "expected a whole number"),
        ("99999999^999", "this number is too large"),
    ],
)
def test_what_is_no_number_of_shoes_is_refused_in_words(number: str, says: str) -> None:
    assert says in " ".join(said(*SHOES, number, status=2).replace("│", " ").split())


def test_no_help_of_a_study_is_taken_for_markup() -> None:
    shown = " ".join(said("records", "--help").split())
    assert "Needs pyarrow: the extra data brings it." in shown


def test_records_go_to_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "rounds.parquet"
    assert told("records", "ma-midi-4", "--shoes", "3", "--rounds", "20", "--to", str(path))["rows"] == 60
    assert "is there already" in said("records", "ma-midi-4", "--shoes", "3", "--to", str(path), status=2)
