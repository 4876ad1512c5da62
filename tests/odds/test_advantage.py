"""A house edge below zero is remarked upon wherever rules are checked and wagers are priced; it is not refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.odds import ShoeCounts, odds, remarks
from baccarat.play.wager import WagerKind
from edited_edition import own, rules_under

TYPO = ("--set", "tie_odds=10")
"""One digit more than the document's floor of 8, and the Tie pays more than it takes."""
REMARK = "Tie: the house edge is −4.67156 %, below zero: the participant has the advantage"


def said(*words: str) -> Result:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done


def told(*words: str) -> Any:
    return json.loads(said(*words, "--json").stdout)


@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.slow
def test_no_shipped_submission_gives_an_advantage_away(name: str) -> None:
    assert remarks(odds(rulebook(name))) == ()


def test_the_check_of_a_submission_remarks_and_does_not_refuse() -> None:
    done = said("rules", "check", "ma-midi-4", *TYPO)
    assert f"! {REMARK}" in done.stdout
    assert "✓ valid" in done.stdout
    answer = told("rules", "check", "ma-midi-4", *TYPO)
    assert (answer["valid"], answer["remarks"]) == (True, [REMARK])
    assert told("rules", "check", "ma-midi-4", "--set", "tie_odds=9")["remarks"] == []


@pytest.mark.slow
def test_prices_remark_in_every_form() -> None:
    assert f"! {REMARK}" in said("price", "ma-midi-4", *TYPO).stdout
    assert f"! {REMARK}" in said("price", "ma-midi-4", "tie", *TYPO).stdout
    assert REMARK not in said("price", "ma-midi-4", "banker", *TYPO).stdout
    assert f"! b: {REMARK}" in said("compare", "ma-midi-4", *TYPO).stdout
    csv = said("price", "ma-midi-4", "--csv", *TYPO)
    assert REMARK in csv.stderr
    assert REMARK not in csv.stdout
    assert told("price", "ma-midi-4", *TYPO)["remarks"] == [REMARK]
    assert told("price", "ma-midi-4", "tie", *TYPO)["remarks"] == [REMARK]
    assert told("price", "ma-midi-4", "player", *TYPO)["remarks"] == []
    assert told("compare", "ma-midi-4", *TYPO)["remarks"] == {"a": [], "b": [REMARK]}
    prices = odds(rulebook("ma-midi-4", tie_odds="10 to 1"))
    assert str(prices).splitlines()[-1] == REMARK
    assert REMARK in prices._repr_html_()


def test_a_remark_at_a_stake_names_it() -> None:
    assert REMARK.replace("Tie", "Tie at $5.00") in said("price", "ma-midi-4", "tie", "--stake", "5", *TYPO).stdout


def test_a_press_that_beats_the_house_is_remarked_though_the_wager_alone_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = own("ma-midi-4")
    table["pays"]["house_money"]["one"]["shall"] = "5 to 1"
    prices = odds(rules_under(table, "ma-midi-4", monkeypatch))
    assert prices[WagerKind.HOUSE_MONEY].edge > 0
    onto = [each.split(":")[0] for each in remarks(prices)]
    assert onto == [f"House Money pressed onto {hand} at best" for hand in ("Player", "Banker")]
    assert remarks(prices, [WagerKind.TIE]) == ()


def test_wagers_that_free_one_another_of_vigorish_are_looked_at_together(monkeypatch: pytest.MonkeyPatch) -> None:
    table = own("nj-punto-banco")
    table["pays"]["total"]["four"]["shall"] = "13 to 8"
    prices = odds(rules_under(table, "nj-punto-banco-exempt", monkeypatch))
    assert prices[WagerKind.TOTAL4].edge > 0
    assert [each.split(":")[0] for each in remarks(prices)] == ["1 on Banker and 1 on Four cards, free of vigorish"]


def test_a_shoe_in_which_a_wager_is_good_is_remarked_too() -> None:
    eights = ShoeCounts.of([0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4], decks=8)
    assert remarks(odds(rulebook("ma-midi-4"), eights, stake=None))
