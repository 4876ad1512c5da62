"""Postings: a ledger kept from a table's events agrees with the table after every one of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acting import acting
from baccarat.cards import Card
from baccarat.house.posting import POSTINGS_BY_EVENT, enter
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.ledger import AT_LARGE, Account, Ledger, Place, post_cents
from baccarat.money import MICRO
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.automation import next_due, perform, run_until
from baccarat.table.base import Accepted
from baccarat.table.card_correction import CorrectCard
from baccarat.table.due_settlement import DueSettled, SettlementStopped
from baccarat.table.exception_report import ExceptionReported, ReportException
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.registry import EVOLVERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from baccarat.table.step.announcing import ResultWithdrawn
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.must_hit import MustHitEnded, SealTrigger
from baccarat.table.step.settlement import Awarded
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager, WagerPlaced
from baccarat.table.vigorish_debt import DocumentVigorish, VigorishDocumented
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from house_books import TABLE, Books, play_shoe, seated, stacks
from ledger_views import overdrawn_trays

clause = pytest.mark.clause
CHIPS = Account(Place.CHIPS, TABLE, 1)


def variants() -> list[tuple[str, dict[str, Any]]]:
    """Every shipped Submission as it is, and with what moves money otherwise."""
    found: list[tuple[str, dict[str, Any]]] = [(name, {}) for name in shipped_submissions()]
    for name in shipped_submissions():
        rules = rulebook(name)
        if rules.elects("vig_collection") is not None:
            found.append((name, {"vig_collection": "deferred"}))
        if rules.elects("royal9") is not None:
            found.append((name, {"royal9_return_stake": True, "reserve_share_bp": 1000, "secondary_seed_bp": 100}))
    return [*found, ("ma-midi-4", {"cover_card_depth": 1}), ("ma-midi-4-royal9", {"cover_card_depth": 1})]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "changes"), variants(), ids=str)
def test_m2_the_books_agree_with_the_table_over_whole_shoes(name: str, changes: dict[str, Any]) -> None:
    books = Books(rulebook(name, **changes))
    seated(books, (1, 2, 5))
    play_shoe(books, f"{name} {changes}")
    assert books.tally.all_shoes.rounds > 20
    assert overdrawn_trays(books.ledger) == ()


@pytest.mark.slow
@settings(max_examples=6)
@given(st.sampled_from(variants()), st.integers(0, 10**6))
def test_m2_the_books_agree_with_the_table_in_random_shoes(picked: tuple[str, dict[str, Any]], seed: int) -> None:
    name, changes = picked
    books = Books(rulebook(name, **changes))
    seated(books, (1, 3, 6), amount=10**6)
    play_shoe(books, str(seed))


def test_every_event_that_moves_money_is_posted() -> None:
    assert set(POSTINGS_BY_EVENT) <= set(EVOLVERS)
    sums = {"amount", "amounts", "stake", "chips", "award", "win", "contributions", "returned", "taken_back", "form"}
    speaking = {kind for kind in EVOLVERS if sums & {field.name for field in msgspec.structs.fields(kind)}}
    assert {kind.__name__ for kind in speaking - set(POSTINGS_BY_EVENT)} == {"WagerSpoken"}, "which does not stand yet"


# --------------------------------------------------------------------------------- what shoes seldom show


def to_wagers(name: str, *, chips: int = 10**7, **changes: Any) -> tuple[Books, Any]:
    """A table that waits for wagers, and its cards."""
    books = Books(rulebook(name, **changes))
    source = stacks(books.rules, name)
    seated(books, (1, 2), chips)
    run_until(books, source, stop=lambda table: table.state.step == "wager", wagers=lambda _: None)
    return books, source


def done(books: Books, command: Any, *, by: Role | None = None, who: str = "", second: str | None = None) -> None:
    outcome = books.do(command, acting(books, command, by=by, who=who, second=second))
    assert isinstance(outcome, Accepted), outcome


def settle_round(books: Books, source: Any) -> None:
    number = books.state.round.number
    run_until(books, source, stop=lambda table: table.state.round.number != number, wagers=lambda _: None)


@clause("MA:13(d)")
def test_m7_a_round_made_simulated_gives_wagers_and_contributions_back() -> None:
    books, source = to_wagers("ma-midi-4-royal9")
    before = books.ledger.balances
    done(books, PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500))
    done(books, PlaceWager(seat=1, on=WagerKind.ROYAL9, stake=500))
    done(books, SealTrigger(seal="0" * 64))
    done(books, CallNoMoreBets())
    assert books.ledger.balance(Account(Place.POOL, TABLE, name="star")) == (5_000_000 + 45) * MICRO
    card, _ = source.card(books.state, books.state.shoe.next)
    done(books, ReportFaceUp(card=card))
    assert any(isinstance(event, RoundMadeSimulated) for event in books.log)
    assert books.ledger.balances == before


@clause("MA:13(e).1")
@pytest.mark.slow
def test_m7_a_void_round_leaves_the_books_as_they_were() -> None:
    for number in range(40):
        books = Books(rulebook("ma-midi-4-royal9", cover_card_depth=1))
        seated(books, (1, 2, 4))
        play_shoe(books, f"void {number}")
        places = [place for place, event in enumerate(books.log) if isinstance(event, RoundVoided)]
        if places:
            assert books.ledger.total(Place.LAYOUT, TABLE) == 0
            return
    pytest.fail("no shoe ended in the middle of a round")


@pytest.mark.parametrize("pressed", [0, 2500, 7500])
def test_m7_a_void_round_takes_back_what_house_money_gave(pressed: int) -> None:
    """$25 on Player and $25 of House Money, which is paid $75 before the shoe runs out."""
    ledger = Ledger().post(*post_cents("start", ((Account(Place.TRAY, TABLE), -10_000), (CHIPS, 10_000))))
    for kind in (WagerKind.PLAYER, WagerKind.HOUSE_MONEY):
        ledger = enter(ledger, WagerPlaced(seat=1, on=kind, stake=2500), table=TABLE)
    paid = HouseMoneyPaid(seat=1, stake=2500, win=7500, to_wager=pressed, onto=WagerKind.PLAYER if pressed else None)
    ledger = enter(ledger, paid, table=TABLE)
    assert ledger.cents(CHIPS) == 5_000 + 2_500 + 7_500 - pressed
    void = RoundVoided(returned={1: 5000}, taken_back={1: 2500 + 7500 - pressed})
    ledger = enter(ledger, void, table=TABLE)
    assert (ledger.cents(CHIPS), ledger.cents(Account(Place.LAYOUT, TABLE, 1))) == (10_000, 0)
    assert ledger.cents(Account(Place.TRAY, TABLE)) == -10_000


@pytest.mark.parametrize("stake_back", [False, True])
def test_the_stake_of_a_progressive_prize_goes_to_the_tray_or_comes_back_as_filed(stake_back: bool) -> None:
    """$5 on Royal 9 and a prize of $25, which the result has put aside."""
    tray, layout, payable = (
        Account(Place.TRAY, TABLE),
        Account(Place.LAYOUT, TABLE, 1),
        Account(Place.PAYABLE, TABLE, 1),
    )
    ledger = Ledger().post(*post_cents("start", ((tray, -10_000), (CHIPS, 10_000))))
    ledger = enter(ledger, WagerPlaced(seat=1, on=WagerKind.ROYAL9, stake=500), table=TABLE)
    ledger = ledger.post(*post_cents("result", ((tray, -2_500), (payable, 2_500))))
    awarded = Awarded(seat=1, row="small", amount=2_500, stake=500, stake_back=stake_back)
    ledger = enter(ledger, awarded, table=TABLE)
    assert (ledger.cents(layout), ledger.cents(payable)) == (0, 0)
    assert ledger.cents(CHIPS) == 10_000 - 500 + 2_500 + (500 if stake_back else 0)
    assert ledger.cents(tray) == -ledger.cents(CHIPS)


@clause("MA-v3-4:12(j).1")
def test_12_j_a_must_hit_is_paid_and_its_pool_seeded_anew() -> None:
    books, source = to_wagers("ma-midi-4-royal9")
    chips = books.at(Place.CHIPS, 1)
    while not any(isinstance(event, MustHitEnded) and event.hit for event in books.log):
        done(books, PlaceWager(seat=1, on=WagerKind.PLAYER, stake=2500))
        done(books, PlaceWager(seat=1, on=WagerKind.ROYAL9, stake=500))
        settle_round(books, source)
    won = next(event for event in books.log if isinstance(event, MustHitEnded) and event.hit)
    assert won.award >= 100_025
    assert books.at(Place.CHIPS, 1) > chips
    assert books.ledger.balance(Account(Place.POOL, TABLE, name="must hit")) == 100_000 * MICRO


def test_house_money_pressed_lies_on_the_layout() -> None:
    for seed in range(60):
        books, _ = to_wagers("ma-midi-4")
        source = stacks(books.rules, f"press {seed}")
        for kind in (WagerKind.BANKER, WagerKind.HOUSE_MONEY):
            done(books, PlaceWager(seat=1, on=kind, stake=2500))
        run_until(books, source, stop=lambda t: t.state.step == "house_money", wagers=lambda _: None)
        if isinstance(books.do(PressHouseMoney(seat=1, onto=WagerKind.BANKER)), Accepted):
            lies = books.at(Place.LAYOUT, 1)
            run_until(books, source, stop=lambda t: t.state.step != "house_money", wagers=lambda _: None)
            assert books.at(Place.LAYOUT, 1) == lies + 2 * 2500 * MICRO, "three to one, less the stake that came back"
            settle_round(books, source)
            return
    pytest.fail("no pair in sixty shoes")


def marked(name: str, *, chips: int = 10**7) -> tuple[Books, Any]:
    """A table at which seat 1 owes vigorish, by a marker."""
    books, source = to_wagers(name, chips=chips, vig_collection="deferred")
    while 1 not in books.state.money.markers:
        done(books, PlaceWager(seat=1, on=WagerKind.BANKER, stake=10_300))
        settle_round(books, source)
        run_until(books, source, stop=lambda table: table.state.step == "wager", wagers=lambda _: None)
    return books, source


@clause("MA:12(d)(2)(i)")
def test_12_d_2_i_vigorish_is_collected_when_the_participant_leaves() -> None:
    books, _ = marked("ma-midi-4")
    owed, chips, tray = books.state.money.markers[1], books.at(Place.CHIPS, 1), books.at(Place.TRAY)
    assert owed == 525, "five per cent of $103, raised to the quarter"
    done(books, Leave(seat=1), by=Role.DEALER)
    assert books.at(Place.TRAY) == tray + owed * MICRO
    assert books.ledger.balance(AT_LARGE) == chips - owed * MICRO
    assert books.at(Place.DEBT, 1) == books.at(Place.MARKER, 1) == 0


@clause("MA:12(d)(2)(iii)")
def test_12_d_2_iii_an_exception_report_leaves_a_receivable() -> None:
    books, source = marked("ma-midi-4", chips=60_000)
    owed = books.state.money.markers[1]
    walked_away = ReportException(seat=1, reason="walked away")
    with_chips = books.do(walked_away, acting(books, walked_away, who="A", second="B"))
    assert isinstance(with_chips, Refused), "whoever has the chips pays"
    while books.at(Place.CHIPS, 1) >= owed * MICRO:  # all of it is lost on ties
        chips = books.at(Place.CHIPS, 1) // MICRO
        done(books, PlaceWager(seat=1, on=WagerKind.TIE, stake=min(chips, 50_000)))
        settle_round(books, source)
        run_until(books, source, stop=lambda table: table.state.step == "wager", wagers=lambda _: None)
    won = books.tally.all_shoes.win
    done(books, ReportException(seat=1, reason="walked away"), who="A", second="B")
    assert any(isinstance(event, ExceptionReported) for event in books.log)
    assert sum(books.at(Place.RECEIVABLE, name=patron) for patron in books.state.money.receivables) == owed * MICRO
    assert books.tally.all_shoes.win == won, "a claim stays a claim"


def form(amount: int, serial: int = 1) -> ComplimentaryForm:
    return ComplimentaryForm(
        serial=serial, amount=amount, patron="p1", dealer="D", pit_boss="B", pit_clerk="C", patron_signed=True
    )  # fmt: skip


@clause("NJ:3.3(c)3")
def test_3_3_c_3_waived_vigorish_is_in_the_win_and_a_complimentary_of_the_same_sum() -> None:
    books, _ = marked("nj-punto-banco")
    owed, before = books.state.money.markers[1], books.tally.all_shoes
    done(books, ReceiveForms(first=1, last=5))
    done(books, DocumentVigorish(seat=1, form=form(owed)))
    assert any(isinstance(event, VigorishDocumented) for event in books.log)
    after = books.tally.all_shoes
    assert (after.win, after.waived) == (before.win, owed), "the marker was in the win, and the form is"
    assert books.at(Place.COMPLIMENTARY) == -owed * MICRO
    assert books.at(Place.FORM) == owed * MICRO
    assert books.at(Place.DEBT, 1) == books.at(Place.MARKER, 1) == 0


@pytest.mark.parametrize("moved", [0, 1, 9])
def test_a_88_what_the_corrected_cards_owe_moves_between_tray_and_seat(moved: int) -> None:
    """Before any chip has moved, in the middle of the settlement, and after it: the books agree after every act."""
    books, source = to_wagers("ma-midi-4")
    done(books, PlaceWager(seat=1, on=WagerKind.BANKER, stake=10_300))
    done(books, PlaceWager(seat=2, on=WagerKind.PLAYER, stake=10_300))
    run_until(books, source, stop=lambda table: table.state.step == "settle", wagers=lambda _: None)
    for _ in range(moved):
        if books.state.step == "settle":
            perform(books, next_due(books, source), source)
    place = books.state.round.player[0]
    number = max(at for at, event in enumerate(books.log) if isinstance(event, CardTurned) and event.position == place)
    right = Card.parse("8c")  # with an ace a natural nine: the Player has won
    done(books, CorrectCard(corrects=number, position=place, card=right, reason="misread"), who="A", second="B")
    run_until(books, source, stop=lambda table: table.state.step == "wager", wagers=lambda _: None)
    kinds = {type(event) for event in books.log}
    assert kinds & ({ResultWithdrawn} if not moved else {SettlementStopped, DueSettled})
    assert [books.at(Place.CHIPS, seat) // MICRO - 10**7 for seat in (1, 2)] == [-10_300, 10_300]
