"""Values as pictures: in a notebook, in a file, and from the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from baccarat import Cents, deal, parse_cards, roads, rulebook
from baccarat.cli import app
from baccarat.odds import odds
from baccarat.picture import load_ipython_extension, show, unload_ipython_extension
from baccarat.picture.display import MAKERS
from baccarat.play.wager import BANKER
from picture_tree import check_picture

RULES = rulebook("ma-midi-4")


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (parse_cards("8s")[0], "8 of spades"),
        (parse_cards("8s Td"), "8 of spades, 10 of diamonds"),
        (deal(RULES, "2s 3h Ad Jd Tc 5s"), "Player 3: 2 of spades, ace of diamonds, 10 of clubs; "
         "Banker 8: 3 of hearts, jack of diamonds, 5 of spades; Banker wins"),
        (roads("BBPTP"), "Roads of 5 rounds: BBPTP"),
        (RULES, f"Layout of {RULES.edition.title}, 9 seats"),
        (Cents(22_500), "$225.00"),
        (odds(RULES), "House edge of a unit staked"),
        (odds(RULES)[BANKER], "Banker: what a unit gains in a round, and how often"),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_a_value_is_shown_in_a_notebook_and_saved(value: object, label: str, tmp_path: Path) -> None:
    picture = show(value)
    assert check_picture(picture._repr_svg_()).get("aria-label") == label
    path = picture.save(tmp_path / "picture.svg")
    assert path.read_text(encoding="utf-8") == str(picture)
    assert len(repr(picture)) < 60


@pytest.mark.parametrize(
    ("cards", "words"), [("9s 3h Kd Jd", "Player wins"), ("6s 4h Kd 2d", "Tie"), ("2s 3h Ad Jd Tc 5s", "Banker wins")]
)
def test_a_round_says_who_has_won(cards: str, words: str) -> None:
    assert check_picture(str(show(deal(RULES, cards)))).get("aria-label", "").endswith(words)


@pytest.mark.parametrize(
    "value", ["8s", 8, None, [1, 2], object()], ids=["text", "number", "nothing", "list", "object"]
)
def test_what_has_no_picture_is_refused_in_words(value: object) -> None:
    with pytest.raises(TypeError, match="no picture of"):
        show(value)


class Formatter(dict[type, Any]):
    """As IPython keeps them: how values of a type are drawn."""

    def for_type(self, kind: type, make: Any) -> None:
        self[kind] = make


class Shell:
    """As much of a notebook's shell as an extension is given."""

    def __init__(self) -> None:
        self.formatter = Formatter()
        self.display_formatter = self
        self.formatters = {"image/svg+xml": self.formatter}


def test_a_notebook_that_loads_the_extension_draws_values_by_itself() -> None:
    shell = Shell()
    load_ipython_extension(shell)
    assert set(shell.formatter) == set(MAKERS)
    card = parse_cards("8s")[0]
    assert shell.formatter[type(card)](card) == str(show(card))
    unload_ipython_extension(shell)
    assert not shell.formatter


# ------------------------------------------------------------------------------------------------ the verb


def test_the_verb_writes_a_picture_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "roads.svg"
    found = CliRunner().invoke(app, ["roads", "BBPTP", "--svg", str(path)])
    assert found.exit_code == 0
    assert found.stdout.replace("\n", "") == f"written: {path}"
    assert check_picture(path.read_text(encoding="utf-8")).get("aria-label") == "Roads of 5 rounds: BBPTP"
    again = CliRunner().invoke(app, ["roads", "BBP", "--svg", str(path), "--json"])
    assert again.exit_code == 0
    assert again.stdout.startswith("{")
    assert "written" in again.stderr


def test_the_verb_writes_over_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("two years of work", encoding="utf-8")
    found = CliRunner().invoke(app, ["roads", "BBPTP", "--svg", str(path)])
    assert found.exit_code == 2
    assert "is not overwritten" in " ".join(found.stderr.split())
    assert path.read_text(encoding="utf-8") == "two years of work"
