"""Public objects: few names, a form that fits two lines, and plain words for a value of the wrong kind."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

import baccarat
from baccarat import (
    BANKER,
    PLAYER,
    BuyIn,
    CallNoMoreBets,
    Card,
    Citation,
    InvalidSubmission,
    PlaceWager,
    Refused,
    SealedShoe,
    Sit,
    Table,
    Wager,
    deal,
    differences,
    dollars,
    load_edition,
    parse_cards,
    replay,
    roads,
    rulebook,
    settle,
)  # fmt: skip
from baccarat.odds import odds
from baccarat.play.book import open_book
from baccarat.play.explain import explain
from baccarat.table.automation import run_until
from strategies import EDITIONS

TWO_LINES = 160
RULES = rulebook("ma-midi-4")
COUP = deal(RULES, "2s 3h Ad Jd Tc 5s")


def _played() -> Table:
    """A table after a whole round with nine at it."""
    table = Table(RULES)
    for seat in range(1, 10):
        table.do(Sit(seat=seat, person=f"participant {seat}"))
        table.do(BuyIn(seat=seat, amount=dollars("$1,000")))

    def wager(table: Table) -> None:
        for seat in range(1, 10):
            table.do(PlaceWager(seat=seat, on=BANKER, stake=dollars("$100")))

    shoe = SealedShoe(RULES, lambda number: bytes([number]) * 32, table="T1")
    run_until(table, shoe, stop=lambda table: table.state.round.number == 2, wagers=wager)
    return table


def _faults() -> InvalidSubmission:
    with pytest.raises(InvalidSubmission) as raised:
        rulebook({"ruleset": "ma-midi-4", "tie_odds": 7, "colour": "red"})
    return raised.value


def _objects() -> dict[str, Any]:
    wagers = [Wager(seat=seat, on=BANKER, stake=2_500) for seat in range(1, 10)]
    settled = settle(RULES, COUP, wagers)
    table = _played()
    accepted = Table(RULES).do(Sit(seat=3, person="A. Patron"))
    changes = differences(load_edition("ma-midi-4"), load_edition("nj-punto-banco"))
    return {
        **{f"rulebook {name}": rulebook(name) for name in EDITIONS},
        **{f"edition {name}": load_edition(name) for name in EDITIONS},
        "coup": COUP, "void": deal(RULES, "2s 3h"), "settled": settled, "book": open_book(RULES),
        "slip": COUP.settle(BANKER, dollars("$103")), "roads": roads("BPT" * 40), "prices": odds(RULES),
        "price": odds(RULES)[BANKER], "table": table, "state": table.state, "shoe": table.state.shoe,
        "round": table.state.round, "accepted": accepted, "faults": _faults(), "citation": COUP.why[0].cites[0],
        "refused": table.do(CallNoMoreBets()), "seats": table.state.seats,
        "refused wager": settle(RULES, COUP, [Wager(seat=99, on=BANKER, stake=1)]), "cents": dollars("5"),
        "source": SealedShoe(RULES, lambda number: bytes([number]) * 32, table="T1"), "card": Card.parse("9s"),
        **{f"ruling {index}": ruling for index, ruling in enumerate((*COUP.why, *explain(settled)))},  # type: ignore[arg-type]
        **{f"call {index}": call for index, call in enumerate(COUP.calls)},
        **{f"difference {index}": each for index, each in enumerate(changes)},
        **{f"line {index}": line for index, line in enumerate(settled.lines[:1])},  # type: ignore[union-attr]
        **{f"name {name}": getattr(baccarat, name) for name in baccarat.__all__},
    }  # fmt: skip


OBJECTS = _objects()


def test_every_public_object_fits_two_lines() -> None:
    long = {name: len(repr(each)) for name, each in OBJECTS.items() if len(repr(each)) > TWO_LINES}
    assert not long
    assert not [name for name, each in OBJECTS.items() if "\n" in repr(each)]


def test_what_a_short_form_says_tells_objects_apart() -> None:
    assert repr(COUP) == f"<Coup P 2s Ad Tc = 3   B 3h Jd 5s = 8   banker under {RULES}>"
    assert repr(RULES).startswith(f"<Rulebook ma-midi-4 {RULES.hash[:12]}")
    assert repr(load_edition("ma-midi-4")).startswith("<Edition ma-midi-4, revision ")
    assert "9 seated" in repr(OBJECTS["state"])
    assert "seat 3 $23.75" in repr(OBJECTS["settled"])
    assert repr(OBJECTS["faults"]).startswith("<InvalidSubmission ")
    assert pickle.loads(pickle.dumps(OBJECTS["faults"])).faults == OBJECTS["faults"].faults


def test_public_names_are_few_and_each_is_there() -> None:
    assert len(baccarat.__all__) <= 30
    assert {"Table", "Shoe", "replay", "PlaceWager", "CallNoMoreBets", "Refused"} <= set(baccarat.__all__)
    assert set(baccarat.__all__) <= set(dir(baccarat))
    with pytest.raises(AttributeError, match="no attribute 'Tabel'"):
        _ = baccarat.Tabel


def test_a_log_replayed_is_the_table() -> None:
    table = _played()
    assert replay(RULES, table.log) == table.state
    assert replay(RULES, iter(table.log)) == table.state


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: rulebook(5), "the name of a Submission, the path of a file, or a table, not 5"),  # type: ignore[arg-type]
        (lambda: rulebook(None), "the name of a Submission"),  # type: ignore[arg-type]
        (lambda: load_edition(4), "the name of an edition as text, not 4"),  # type: ignore[arg-type]
        (lambda: differences("a", "b"), "an Edition, as load_edition() gives it, not 'a'"),  # type: ignore[arg-type]
        (lambda: deal(RULES, 7), "cards, such as '2s 3h Ad Jd Tc 5s' or a list of them, not 7"),  # type: ignore[arg-type]
        (lambda: deal(RULES, [7]), "a Card, or a text such as '9s', not 7"),  # type: ignore[list-item]
        (lambda: deal("ma-midi-4", "2s"), "a Rulebook, as rulebook() makes one, not 'ma-midi-4'"),  # type: ignore[arg-type]
        (lambda: COUP.settle("banker", 2_500), "a wager, such as BANKER, not 'banker'"),  # type: ignore[arg-type]
        (lambda: COUP.settle(BANKER, 5.0), "a stake in whole cents, such as dollars('$25.00'), not 5.0"),  # type: ignore[arg-type]
        (lambda: COUP.settle(BANKER, True), "a stake in whole cents"),
        (lambda: settle(RULES, COUP, ["banker"]), "wagers, such as [Wager("),  # type: ignore[list-item]
        (lambda: settle(RULES, "2s", []), "a Coup, as deal() makes one, not '2s'"),  # type: ignore[arg-type]
        (lambda: settle(5, COUP, []), "a Rulebook, as rulebook() makes one, not 5"),  # type: ignore[arg-type]
        (lambda: dollars(None), "a sum of money as text, such as '$25.00', not None"),  # type: ignore[arg-type]
        (lambda: dollars(25), "a sum of money as text"),  # type: ignore[arg-type]
        (lambda: roads(3), "results as text, such as 'BBPTP', or a series of Beads, not 3"),  # type: ignore[arg-type]
        (lambda: roads(["B"]), "a Bead, or all results as one text, such as 'BBPTP', not 'B'"),  # type: ignore[list-item]
        (lambda: parse_cards(None), "cards as text, such as '2s 3h Ad', not None"),  # type: ignore[arg-type]
        (lambda: Card.parse(9), "a card as text, such as '9s', not 9"),  # type: ignore[arg-type]
        (lambda: Citation.parse(9), "a citation as text"),  # type: ignore[arg-type]
        (lambda: Table("ma-midi-4"), "a Rulebook, as rulebook() makes one, not 'ma-midi-4'"),  # type: ignore[arg-type]
        (lambda: Table(RULES).do("sit"), "a command, such as PlaceWager(seat=3, on=BANKER, stake=2500), not 'sit'"),  # type: ignore[arg-type]
        (lambda: replay(RULES, ["sat"]), "events, as Table.log holds them, not 'sat'"),  # type: ignore[list-item]
        (lambda: replay(5, []), "a Rulebook, as rulebook() makes one, not 5"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_a_value_of_the_wrong_kind_is_told_what_was_expected(ask: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError) as raised:
        ask()
    assert str(raised.value).startswith("expected ")
    assert said in str(raised.value)
    assert len(str(raised.value)) < TWO_LINES


def test_a_long_value_of_the_wrong_kind_is_cut_off_where_it_is_shown() -> None:
    with pytest.raises(TypeError) as raised:
        rulebook(["ma-midi-4"] * 1_000)  # type: ignore[arg-type]
    assert len(str(raised.value)) < TWO_LINES
    with pytest.raises(ValueError, match="not a sum of money") as wrong:
        dollars("9" * 1_000 + "x")
    assert len(str(wrong.value)) < TWO_LINES + len("; expected dollars, such as 25, 1,234.50 or '$25.00'")


def test_a_refusal_says_what_it_is() -> None:
    table = _played()
    outcome = table.do(PlaceWager(seat=5, on=PLAYER, stake=dollars("$25")))
    refused = outcome if isinstance(outcome, Refused) else table.do(PlaceWager(seat=5, on=PLAYER, stake=0))
    assert isinstance(refused, Refused)
    assert repr(refused).startswith(f"<Refused {refused.code.value}: ")
