"""The simulation agrees with the exact odds; `make deep` asks the same of a billion rounds."""

from __future__ import annotations

import sys
from math import inf

import msgspec
import pytest

from baccarat import rulebook
from baccarat.audit.battery.tail import chi_square as tail
from baccarat.play.book import open_book
from baccarat.sim.agreement import chi_square, finish_chances
from baccarat.sim.engine import simulate
from baccarat.sim.plan import Detail
from baccarat.sim.tally import RangeCounts, Tally
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))

from simulated_odds import first_round_faults, to_look_at, wager_faults

RULES = rulebook("ma-midi-4-ez")


def tally(rounds: int, shoes: int, detail: Detail = "totals") -> Tally:
    return simulate(RULES, seed=99, shoes=shoes, rounds=rounds, detail=detail)


def moved(made: Tally, part: float) -> Tally:
    """The same tally with a part of its commonest finish counted as another."""
    cells = list(made.counts.cells)
    most, other = cells.index(max(cells)), next(i for i, n in enumerate(cells) if n)
    cells[other] += round(cells[most] * part)
    cells[most] -= round(cells[most] * part)
    return msgspec.structs.replace(made, counts=RangeCounts(cells=tuple(cells)))


@pytest.mark.slow
def test_first_rounds_are_as_the_odds_say(capsys: pytest.CaptureFixture[str]) -> None:
    made = tally(1, 300_000)
    value, freedom = chi_square(made)
    assert freedom > 150
    assert tail(value, freedom) > 1e-4
    assert not first_round_faults(made)
    assert "p " in capsys.readouterr().out


def test_a_few_rounds_at_the_wrong_finish_are_found() -> None:
    assert first_round_faults(moved(tally(1, 300_000), 0.3))
    impossible = list(tally(1, 3000).counts.cells)
    impossible[0] += 1  # nought to nought with two cards each
    assert not finish_chances(RULES)[0]
    assert chi_square(msgspec.structs.replace(tally(1, 3000), counts=RangeCounts(cells=tuple(impossible)))).value == inf


@pytest.mark.parametrize("detail", ["totals", "pairs"])
def test_every_wager_is_within_four_errors_of_its_price(detail: Detail) -> None:
    made = tally(60, 40_000, detail)
    kinds = [on for on in open_book(RULES).kinds if detail == "pairs" or on in open_book(RULES).verdicts]
    assert not wager_faults(made, kinds)
    if detail == "totals":
        assert wager_faults(moved(made, 0.2), kinds)


def test_every_sort_of_wager_is_looked_at() -> None:
    seen = {on.word for kinds in to_look_at().values() for on in kinds}
    assert seen == {
        "player", "banker", "tie", "dragon_player", "dragon_banker", "dragon7", "panda8", "house_money", "total4",
        "total5", "total6", "royal9",
    }  # fmt: skip


def test_too_few_rounds_are_not_compared() -> None:
    with pytest.raises(ValueError, match="too few"):
        chi_square(tally(1, 1))
