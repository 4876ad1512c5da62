"""Owed by the cards, enumerated: corrections at every act of a round, with every wager, under every edition (A-88).

What every seat ends with is compared with an independent settlement (`support/plain_settlement.py`). One case is a
round, the act before which something is corrected, and what. `make test` takes a few at each act of each round,
`BACCARAT_CAMPAIGN` more of them. Which cells were reached is asserted, so that nothing is left out unnoticed.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.money import MICRO
from baccarat.play.hand import Side
from baccarat.play.wager import WagerKind
from baccarat.table.base import table_rules
from baccarat.table.card_correction import CorrectCard
from baccarat.table.due_settlement import DueSettled, SettlementStopped, UncollectedReported
from baccarat.table.exception_report import ExceptionReported, ReportException
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.goodwill import GoodwillPaid, PayGoodwill
from baccarat.table.invariant import worth
from baccarat.table.machine import replay
from baccarat.table.meters import MeterCorrected
from baccarat.table.owed import dues
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.role import Role
from baccarat.table.seating_acts import with_chips
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.turning import CardTurned
from baccarat.table.table_cards import TableCards
from campaign import CAMPAIGN
from correction_scenes import PERSONS
from plain_settlement import EARLY, EXEMPT, EZ, FIVE_PERCENT, HALF_ON_SIX, LATE, SEEDS, hands, net_of, royal9_of
from table_driver import Game, game_at

REST = "2C 3C 4C 5C 6C 7C 8C 9C"
OPENINGS = (
    "7S 9D TH KC", "2S 3D AH KC", "4S 4D 4H KC", "9S 9D TH KC", "6S 5D KH AC", "2S 2D KH KC", "3S 2D KH 4C 5H 3D",
    "3S KD 3H KC",
)  # fmt: skip
RIGHT = ("AD", "2D", "3D", "4H", "5D", "6D", "7D", "8D", "9D", "TD", "KD")
MIDI = (
    "1 p 2500",
    "1 dragon_player 500",
    "1 house_money 500",
    "3 b 10300",
    "3 dragon_banker 500",
    "3 t 500",
    "5 t 500",
)
NEW_JERSEY = ("1 p 2500", "1 total4 500", "1 total5 500", "3 b 2500", "3 total6 2500", "3 dragon_banker 500",
              "5 b 10300", "5 dragon_player 500", "5 t 500")  # fmt: skip
INSURED = ("1 p 2500", "1 panda8 500", "1 house_money 500", "3 b 10300", "3 dragon7 500", "5 t 500")
TABLES: dict[str, tuple[str, dict[str, Any], tuple[str, ...], str]] = {
    "ma-midi-1": ("ma-midi-1", {}, MIDI, FIVE_PERCENT),
    "ma-midi-2": ("ma-midi-2", {"vig_collection": "deferred"}, MIDI, FIVE_PERCENT),
    "ma-midi-3": ("ma-midi-3", {}, MIDI, FIVE_PERCENT),
    "ma-midi-4": ("ma-midi-4", {}, MIDI, FIVE_PERCENT),
    "pressed": ("ma-midi-4", {}, MIDI, FIVE_PERCENT),
    "ez": ("ma-midi-4-ez", {}, INSURED, EZ),
    "new jersey": ("nj-punto-banco", {"vig_collection": "deferred"}, NEW_JERSEY, FIVE_PERCENT),
    "exempt": ("nj-punto-banco-exempt", {}, NEW_JERSEY, EXEMPT),
    "half on six": ("nj-punto-banco-six-half", {}, NEW_JERSEY, HALF_ON_SIX),
}
ROYAL_9 = (*MIDI, "1 royal9 500", "3 royal9 500", "5 royal9 500")
TABLES |= {
    "royal 9": ("ma-midi-1-royal9", {}, ROYAL_9, FIVE_PERCENT),
    "king-9": ("ma-midi-4-royal9", {}, ROYAL_9, FIVE_PERCENT),
}
METERS = {"royal 9": EARLY, "king-9": LATE}
"""The meters of the tables with a progressive."""
MUST_HIT = {"king-9": (100_000, 100_075)}
"""The tables with a Must Hit: where its meter starts, and what three wagers of 25 cents make of it, which hits."""
ROYAL_OPENINGS = (
    "KS 2D 9H 3S", "KS KS 9H 9H", "KS QS 9H 9H", "2S KC 3D 9H", "QS 9D 4S 5D", "KH KD 9S 9S", "4S KH 4D 9S",
    "KC KC 9H 9D",
)  # fmt: skip
"""The Player has the first card and the third; the chairs 1, 3 and 5 have spades, clubs and hearts with 9H, 9H, 9S."""
ROYAL_RIGHT = ("KS", "9H", "KC", "QS", "9S", "KH", "4H", "5D", "9D", "JS", "KD")
SEATS = (1, 3, 5)
BEFORE, SETTLING, SETTLED = "before the result", "while it is settled", "after it is settled"
PER_ACT = 3 * CAMPAIGN
"""How many cases are tried before each act of a round."""


class Case(msgspec.Struct, frozen=True):
    """A round, before which of its acts a card is corrected, and which one becomes what."""

    table: str
    cards: str
    acts: int
    choice: int
    """Which turned card is corrected, and into which, by the rest of a division."""
    again: int | None
    """After how many more acts another card is corrected; None if none is."""
    by_hand: bool
    """Whether dealer and floorperson correct the payments; otherwise the dealer settles what is due."""
    beside: str = ""
    """What happens besides: `goodwill` is given, a seat is `poor`, its marker is an `exception`, the shoe is `foul`."""


def begun(case: Case) -> Game:
    """The round with its wagers."""
    name, elections, wagers, _ = TABLES[case.table]
    filed = {**elections, "goodwill_limit": "$100.00"} if case.beside == "goodwill" else elections
    game = game_at(name, f"{case.cards} {REST} {REST}", seats=SEATS, **filed)
    if case.table in MUST_HIT:  # the opening says what the table is; the others are as older versions opened them
        game.table.state = replace(game.state, cards=TableCards.REAL)
    return game.wager(*wagers)


def act(game: Game, case: Case) -> None:
    """What is due is done; at a table that presses, the payout of House Money is added to the wager."""
    is_open = case.table == "pressed" and game.step == "house_money" and not game.state.round.presses
    if is_open and net_of(*_hands(game), "house_money", 500) > 0:
        game.do(PressHouseMoney(seat=1, onto=WagerKind.PLAYER))
    game.act()


def correct(game: Game, choice: int, right: tuple[str, ...] = RIGHT) -> None:
    """A turned card of the hands is corrected into another one."""
    turned, log = game.state.round.turned, game.table.log
    position = sorted(turned)[choice % len(turned)]
    card = next(
        card
        for card in map(Card.parse, (right * 2)[choice % len(right) :])
        if card != turned[position] and game.state.shoe.seen.get(str(card), 0) < game.state.shoe.decks
    )
    number = max(at for at, each in enumerate(log) if isinstance(each, CardTurned) and each.position == position)
    game.do(CorrectCard(corrects=number, position=position, card=card, reason="mis-keyed"), **PERSONS)


def settle_by_hand(game: Game) -> bool:
    """What is owed is paid or taken back by dealer and floorperson, in two parts; whether anything was."""
    log, found = game.table.log, False
    for seat, due in dues(table_rules(game.rules), game.state).items():
        if not game.state.round.announced or game.state.round.acts or abs(due) < 2:
            continue
        number = max(at for at, each in enumerate(log) if isinstance(each, ResultAnnounced))
        for part in (due // 2, due - due // 2):
            game.do(CorrectPayment(corrects=number, seat=seat, amount=part, reason="by the cards"), **PERSONS)
            found = True
    return found


def nets(case: Case, player: list[str], banker: list[str], *, pressed: bool) -> dict[tuple[int, str], int]:
    """What each wager wins or loses by the cards; a pressed payout of House Money rides on the Player."""
    _, _, texts, filed = TABLES[case.table]
    wagers = {(int(seat), on): int(stake) for seat, on, stake in map(str.split, texts)}
    found: dict[tuple[int, str], int] = {}
    if case.table in METERS:
        prizes = royal9_of(player, banker, SEATS, METERS[case.table])[0]
        found |= {(seat, "royal9"): prizes[seat] if hands(player, banker) else 0 for seat in SEATS}
        wagers = {(seat, on): stake for (seat, on), stake in wagers.items() if on != "royal9"}
    for (seat, on), stake in wagers.items():
        totals = sum(each for (other, kind), each in wagers.items() if other == seat and kind.startswith("total"))
        terms = FIVE_PERCENT if filed == EXEMPT and totals < stake else filed
        more = max(0, net_of(player, banker, "house_money", 500)) if pressed and (seat, on) == (1, "p") else 0
        found[seat, on] = net_of(player, banker, on, stake + more, terms=terms)
    return found


def run(case: Case) -> set[tuple[str, str]]:
    """Play the case and compare; the cells that it reached: how far the round was, with the kind and each wager."""
    game = begun(case)
    start = {seat: game.chips(seat) for seat in SEATS}
    for text in TABLES[case.table][2]:
        start[int(text.split()[0])] += int(text.split()[2])
    number = game.state.round.number
    for _ in range(case.acts):
        act(game, case)
    round_ = game.state.round
    when = BEFORE if not round_.announced else SETTLING if round_.acts else SETTLED
    begun_at, again, by_hand = len(game.table.log), case.again, False
    first = _hands(game)
    right = ROYAL_RIGHT if case.table in METERS else RIGHT
    if case.beside == "exception":
        except_markers(game, start)
    correct(game, case.choice, right)
    if befall(game, case, start):
        check_returned(game, case, start)
        return {(when, "ShoeFouled")}
    last, results, called = first, len(game.of(ResultAnnounced)), first
    ended_by = first if game.of(MustHitEnded) else None
    while game.state.round.number == number:
        if again == 0:
            correct(game, case.choice // 3 + 1, right)
        again = again - 1 if again is not None else None
        by_hand = (case.by_hand and settle_by_hand(game)) or by_hand
        last = _hands(game)
        act(game, case)
        if results != len(game.of(ResultAnnounced)):
            results, called = len(game.of(ResultAnnounced)), last
        ended_by = last if ended_by is None and game.of(MustHitEnded) else ended_by
    pressed = any(event.to_wager for event in game.of(HouseMoneyPaid))
    wanted = nets(case, *last, pressed=pressed)
    for seat in SEATS:
        held = game.chips(seat) - owing(game, seat) - start[seat]
        mine = sum(net for (at, _), net in wanted.items() if at == seat) + must_hit_won(
            game, case, seat, ended_by, last
        )
        assert held == mine, (case, when, seat, last)
    if case.table in METERS:
        check_meters(game, case, last, called)
    if case.beside not in ("poor", "exception"):  # chips were taken away there that no event has
        assert replay(game.rules, game.table.log) == replace(game.state, cards=UNSET), "the log leads to the state"
    kinds = {type(event) for event in game.table.log[begun_at:]}
    found = {(when, kind.__name__) for kind in kinds & LISTED}
    found |= {(when, "marker excepted")} if game.of(ExceptionReported) else set()
    found |= {(when, "two corrections")} if case.again is not None and again is not None and again < 0 else set()
    found |= {(when, "by hand")} if by_hand else set()
    found |= {(when, "pressed")} if pressed else set()
    found |= {(when, "must hit" if game.of(MustHitEnded) else "no must hit")}
    if when != BEFORE:  # the cards were complete, so that it is known which wagers the correction changes
        was = nets(case, *first, pressed=pressed)
        return found | {(when, on) for (seat, on), net in wanted.items() if was[seat, on] != net}
    return found | {(when, "card")}


LISTED = {SettlementStopped, ResultWithdrawn, DueSettled, GoodwillPaid, UncollectedReported, MeterCorrected}
GIFT = 700
OUTSIDE: dict[str, Any] = {"who": "F. Loor", "second": "A. Dmin", "second_role": Role.ADMINISTRATOR}


def owing(game: Game, seat: int) -> int:
    """What the person at a seat owes: by a marker, and what two persons have reported as a receivable."""
    person, money = game.state.at(seat), game.state.money
    assert person is not None
    return money.markers.get(seat, 0) + money.receivables.get(person.who, 0)


def must_hit_won(
    game: Game, case: Case, seat: int, ended_by: tuple[list[str], list[str]] | None, last: tuple[list[str], list[str]]
) -> int:
    """What the Must Hit gives a seat: all of it to one in the side wager, unless the wagers go back."""
    if case.table not in MUST_HIT:
        return 0
    start, full = MUST_HIT[case.table]
    won = game.of(MustHitEnded)
    assert game.state.meters.must_hit == start
    assert len(won) == (ended_by is not None), case
    assert all((each.hit, each.award, each.meter, each.seat in SEATS) == (True, full, start, True) for each in won)
    assert ended_by is None or hands(*ended_by) is not None, (case, ended_by)
    assert ended_by is not None or hands(*last) is None, (case, last)
    return full if won and won[0].seat == seat else 0


def befall(game: Game, case: Case, start: dict[int, int]) -> bool:
    """What happens besides the correction; whether the round is void by it."""
    match case.beside:
        case "goodwill":
            game.do(PayGoodwill(seat=3, amount=GIFT, reason="an apology"), **OUTSIDE)
            start[3] += GIFT
        case "poor":
            impoverish(game, start)
        case "foul":
            return find_foul(game)
    return False


def with_chips_left(game: Game, start: dict[int, int], seat: int, chips: int) -> None:
    """The participant has only so many chips: as if the others had never been bought."""
    start[seat] += chips - game.chips(seat)
    game.table.state = replace(game.state, seats=with_chips(game.state, seat, chips - game.chips(seat)))
    game.worth = worth(game.state)


def impoverish(game: Game, start: dict[int, int]) -> None:
    """Everybody who owes something after the correction has half of it at most."""
    for seat, due in dues(table_rules(game.rules), game.state).items():
        if due < 0:
            with_chips_left(game, start, seat, min(game.chips(seat), -due // 2))


def except_markers(game: Game, start: dict[int, int]) -> None:
    """Whoever has a marker has no chips, and two persons have reported it as an exception."""
    for seat in list(game.state.money.markers):
        with_chips_left(game, start, seat, 0)
        game.do(ReportException(seat=seat, reason="he has gone"), who="F. Loor", second="S. Uper")


def find_foul(game: Game) -> bool:
    """A card is turned that lies in the shoe more often than it can; whether one was still to be turned."""
    due = next((each for each in game.table.expected if each.act == "turn_card" and not each.optional), None)
    if due is None or due.position is None or game.state.round.announced:
        return False
    card = Card.parse("6S")
    shoe = replace(game.state.shoe, seen={**game.state.shoe.seen, str(card): game.state.shoe.decks})
    game.table.state = replace(game.state, shoe=shoe)
    game.do(ConfirmCard(position=due.position, card=card), who="F. Loor", second="S. Uper")
    return True


def check_returned(game: Game, case: Case, start: dict[int, int]) -> None:
    """Every wager of a void round has gone back, and what House Money gave has come back; no meter has moved."""
    for seat in SEATS:
        assert game.chips(seat) - owing(game, seat) == start[seat], (case, seat)
    assert dues(table_rules(game.rules), game.state) == {}
    if case.table in METERS:
        shown = {name: Fraction(micro, MICRO) for name, micro in game.state.meters.amounts.items()}
        assert shown == dict(zip(METERS[case.table], SEEDS, strict=True)), case
    if case.table in MUST_HIT:
        assert game.state.meters.must_hit == MUST_HIT[case.table][0], case


def check_meters(
    game: Game, case: Case, last: tuple[list[str], list[str]], called: tuple[list[str], list[str]]
) -> None:
    """A meter shows what the last cards leave in it, or more: an award that comes late is paid by the house."""
    by_cards, by_call = (royal9_of(*cards, SEATS, METERS[case.table])[1] for cards in (last, called))
    if hands(*last) is None or hands(*called) is None:
        return  # such a round goes back, contributions too
    shown = {name: Fraction(micro, MICRO) for name, micro in game.state.meters.amounts.items()}
    assert shown == {name: max(each, by_call[name]) for name, each in by_cards.items()}, (case, last, called)


def _hands(game: Game) -> tuple[list[str], list[str]]:
    player, banker = ([str(card) for card in game.state.round.cards(side)] for side in Side)
    return player, banker


def length_of(case: Case) -> tuple[int, int]:
    """Before which act of the round the first card lies open, and how many acts it has."""
    game, acts, first = begun(case), 0, 0
    number = game.state.round.number
    while game.state.round.number == number:
        acts += 1
        first = first if game.state.round.turned else acts
        act(game, case)
    return first, acts


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_each_correction_at_each_act_with_each_wager_leaves_what_an_independent_settlement_says(table: str) -> None:
    reached, tried = set[tuple[str, str]](), 0
    for cards in ROYAL_OPENINGS if table in METERS else OPENINGS:
        first, acts = length_of(Case(table, cards, 0, 0, None, by_hand=False))
        for at, _ in product(range(first, acts), range(PER_ACT)):
            tried += 1
            again = (None, None, 0, tried % 5)[tried % 4]
            reached |= run(Case(table, cards, at, tried * 7, again, by_hand=tried % 3 == 0))
    wagers = {text.split()[1] for text in TABLES[table][2]}
    wanted = {*product((SETTLING, SETTLED), wagers), *product((BEFORE, SETTLING, SETTLED), ("two corrections",))}
    wanted |= {(BEFORE, "card"), (SETTLING, "SettlementStopped"), (SETTLING, "ResultWithdrawn")}
    wanted |= {(SETTLED, "DueSettled"), (SETTLED, "by hand")}
    wanted |= set(product((BEFORE, SETTLING, SETTLED), ("pressed",))) if table == "pressed" else set()
    wanted |= {(SETTLED, "MeterCorrected")} if table in METERS else set()
    wanted |= {*product((BEFORE, SETTLING, SETTLED), ("must hit",))} if table in MUST_HIT else set()
    wanted |= {*product((SETTLING, SETTLED), ("no must hit",))} if table in MUST_HIT else set()
    assert wanted <= reached, wanted - reached


BESIDE: dict[tuple[str, str], set[tuple[str, str]]] = {
    **{(table, "goodwill"): set(product((BEFORE, SETTLING, SETTLED), ("GoodwillPaid",)))
       for table in ("ma-midi-4", "royal 9", "new jersey")},
    **{(table, "poor"): set(product((SETTLING, SETTLED), ("UncollectedReported",)))
       for table in ("ma-midi-4", "king-9", "new jersey")},
    **{(table, "exception"): {(SETTLED, "marker excepted")} for table in ("ma-midi-2",)},
    **{(table, "foul"): {(BEFORE, "ShoeFouled")} for table in ("ma-midi-4", "pressed", "king-9", "royal 9", "ez")},
}  # fmt: skip
"""By table and by what happens besides the correction: what must have been reached."""


@pytest.mark.slow
@pytest.mark.parametrize(("table", "beside"), BESIDE)
def test_what_else_happens_in_a_corrected_round_leaves_what_the_cards_owe(table: str, beside: str) -> None:
    reached, tried = set[tuple[str, str]](), 0
    for cards in ROYAL_OPENINGS if table in METERS else OPENINGS:
        first, acts = length_of(Case(table, cards, 0, 0, None, by_hand=False))
        for at, _ in product(range(first, acts), range(CAMPAIGN)):
            tried += 1
            reached |= run(Case(table, cards, at, tried * 7, (None, 1)[tried % 2], by_hand=False, beside=beside))
    assert BESIDE[table, beside] <= reached, BESIDE[table, beside] - reached
