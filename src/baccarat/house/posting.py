"""Postings of a table: every event that moves money as double entry, so that the books agree with the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from baccarat.law.rulebook import Rulebook
from baccarat.ledger import AT_LARGE, ISSUE, Account, Ledger, Place, Posting, post_cents, post_micro
from baccarat.money import MICRO
from baccarat.play.wager.royal9 import progressive
from baccarat.table.base import Event
from baccarat.table.due_settlement import DueSettled, SettlementStopped, UncollectedReported
from baccarat.table.exception_report import ExceptionReported
from baccarat.table.goodwill import GoodwillPaid
from baccarat.table.irregularity.remedy import RoundMadeSimulated
from baccarat.table.meters import MeterCorrected, MetersShown
from baccarat.table.payment_correction import PaymentCorrected
from baccarat.table.rules_adoption import RulesAdopted
from baccarat.table.seating_acts import BoughtIn, Left, VigorishCollected
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.calling import NoMoreBetsCalled
from baccarat.table.step.clearing import WagersReturned
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.settlement import AWARD, PAY, Awarded, LosersCollected, Paid, VigorishTaken
from baccarat.table.step.wagering import WagerChanged, WagerPlaced, WagerWithdrawn
from baccarat.table.vigorish_debt import VigorishDocumented

ROYAL9, MUST_HIT = "royal9", "must hit"
Legs = Iterable[tuple[Account, int]]


class Books(NamedTuple):
    """The ledger before an event, and the table at which it happened."""

    ledger: Ledger
    table: str

    def account(self, place: Place, seat: int = 0, name: str = "") -> Account:
        """An account of this table."""
        return Account(place, self.table, seat, name)

    def balance(self, place: Place, seat: int = 0, name: str = "") -> int:
        """Its balance, in micro-cents."""
        return self.ledger.balance(self.account(place, seat, name))

    @property
    def tray(self) -> Account:
        """The table's tray."""
        return self.account(Place.TRAY)


def postings_of(ledger: Ledger, event: Event, *, table: str) -> tuple[Posting, ...]:
    """The postings of an event at a table, given the books before it; none if no money moves."""
    made = POSTINGS_BY_EVENT.get(type(event))
    return () if made is None else made(Books(ledger, table), event)


def enter(ledger: Ledger, event: Event, *, table: str) -> Ledger:
    """The ledger after an event at a table."""
    made = POSTINGS_BY_EVENT.get(type(event))
    return ledger if made is None else ledger.post(*made(Books(ledger, table), event))


def seeds_of(rules: Rulebook, *, table: str) -> tuple[Posting, ...]:
    """The seeds that the house puts into the pools of a table that opens, in micro-cents."""
    books, progress, must_hit = Books(Ledger(), table), progressive(rules), rules.elections.must_hit
    legs: list[tuple[Account, int]] = []
    for meter in progress.meters if progress else ():
        legs += [
            (books.account(Place.POOL, name=meter.name), meter.seed),
            (_seeding_account(books, ROYAL9), -meter.seed),
        ]
    if must_hit is not None:
        start = must_hit.start * MICRO
        legs += [(books.account(Place.POOL, name=MUST_HIT), start), (_seeding_account(books, MUST_HIT), -start)]
    return post_micro("seeds", legs)


def _seeding_account(books: Books, name: str) -> Account:
    return books.account(Place.SEEDING, name=name)


def _funding_account(books: Books, name: str) -> Account:
    return books.account(Place.FUNDING, name=name)


def _cents(what: str, event: Event, legs: Legs) -> tuple[Posting, ...]:
    return post_cents(what, legs, event.cites)


# ------------------------------------------------------------------------------- people and their wagers


def _post_bought_in(books: Books, event: BoughtIn) -> tuple[Posting, ...]:
    """Cash goes into the drop box, chips come out of the tray."""
    return _cents("buy-in", event, _cash_legs(books, books.account(Place.CHIPS, event.seat), event.amount))


def _cash_legs(books: Books, to: Account, amount: int) -> Legs:
    return ((ISSUE, -amount), (books.account(Place.DROP), amount), (books.tray, -amount), (to, amount))


def _post_left(books: Books, event: Left) -> tuple[Posting, ...]:
    """Chips, coloured up, go with their owner."""
    return _cents("colour-up", event, ((books.account(Place.CHIPS, event.seat), -event.chips), (AT_LARGE, event.chips)))


def _post_wager_placed(books: Books, event: WagerPlaced) -> tuple[Posting, ...]:
    """Chips go onto the layout; the cash of a spoken wager is exchanged for chips that lie there."""
    layout = books.account(Place.LAYOUT, event.seat)
    if event.cash:
        return _cents("spoken wager", event, _cash_legs(books, layout, event.stake))
    return _cents("wager", event, ((books.account(Place.CHIPS, event.seat), -event.stake), (layout, event.stake)))


def _post_wager_changed(books: Books, event: WagerChanged) -> tuple[Posting, ...]:
    return _post_to_layout(books, event, event.seat, event.stake - event.before)


def _post_wager_withdrawn(books: Books, event: WagerWithdrawn) -> tuple[Posting, ...]:
    return _post_to_layout(books, event, event.seat, -event.stake)


def _post_to_layout(books: Books, event: Event, seat: int, amount: int) -> tuple[Posting, ...]:
    return _cents(
        "wager", event, ((books.account(Place.CHIPS, seat), -amount), (books.account(Place.LAYOUT, seat), amount))
    )


def _post_returned(books: Books, event: WagersReturned) -> tuple[Posting, ...]:
    """Each seat's wagers go back in a posting of their own."""
    return tuple(
        posting for seat, amount in event.amounts.items() for posting in _post_to_layout(books, event, seat, -amount)
    )


# ---------------------------------------------------------------------------------------- progressives


def _post_contributions(
    books: Books, event: Event, contributions: Mapping[str, int], reserve: int, *, sign: int = 1
) -> tuple[Posting, ...]:
    legs = [(books.account(Place.POOL, name=name), sign * amount) for name, amount in contributions.items()]
    legs.append((books.account(Place.RESERVE), sign * reserve))
    total = sum(amount for _, amount in legs)
    return post_micro("contributions", [*legs, (_funding_account(books, ROYAL9), -total)], event.cites)


def _post_no_more_bets(books: Books, event: NoMoreBetsCalled) -> tuple[Posting, ...]:
    return _post_contributions(books, event, event.contributions, event.reserve)


def _post_made_simulated(books: Books, event: RoundMadeSimulated) -> tuple[Posting, ...]:
    return _post_contributions(books, event, event.contributions, event.reserve, sign=-1)


def _must_hit(books: Books, event: MustHitEnded) -> tuple[Posting, ...]:
    """Contributions feed the pool; a hit is paid out of the tray, which the pool releases, and is seeded again."""
    pool, before = books.account(Place.POOL, name=MUST_HIT), books.balance(Place.POOL, name=MUST_HIT)
    funding, after = _funding_account(books, MUST_HIT), event.meter * MICRO
    if not event.hit:
        return post_micro("must hit", ((pool, after - before), (funding, before - after)), event.cites)
    award = event.award * MICRO
    legs = (
        (pool, after - before),
        (funding, before),  # the last contributions, less the award that they and those before them pay
        (_seeding_account(books, MUST_HIT), -after),
        (books.tray, -award),
        (books.account(Place.CHIPS, event.seat), award),
    )
    return post_micro("must hit", legs, event.cites)


def _post_meters_shown(books: Books, event: MetersShown) -> tuple[Posting, ...]:
    """The pools as the link shows them: what other tables added or won is booked against the link."""
    legs = [
        (books.account(Place.POOL, name=name), value - books.balance(Place.POOL, name=name))
        for name, value in event.meters.items()
    ]
    legs.append((books.account(Place.RESERVE), event.reserve - books.balance(Place.RESERVE)))
    royal9 = sum(amount for _, amount in legs)
    must_hit = event.must_hit * MICRO - books.balance(Place.POOL, name=MUST_HIT)
    legs += [
        (books.account(Place.LINK, name=ROYAL9), -royal9),
        (books.account(Place.POOL, name=MUST_HIT), must_hit),
        (books.account(Place.LINK, name=MUST_HIT), -must_hit),
    ]
    return post_micro("link", legs, event.cites)


def _post_meter_corrected(books: Books, event: MeterCorrected) -> tuple[Posting, ...]:
    """A meter that an award emptied by mistake is seeded again; anything else was given away."""
    from_ = books.account(Place.GOODWILL) if event.is_goodwill else _seeding_account(books, ROYAL9)
    legs = ((books.account(Place.POOL, name=event.meter), event.amount), (from_, -event.amount))
    return post_micro("correction", legs, event.cites)


# ------------------------------------------------------------------------------------------ settlement


def _post_house_money_collected(books: Books, event: HouseMoneyCollected) -> tuple[Posting, ...]:
    return _cents(
        "house money", event, ((books.account(Place.LAYOUT, event.seat), -event.stake), (books.tray, event.stake))
    )  # fmt: skip


def _post_house_money_paid(books: Books, event: HouseMoneyPaid) -> tuple[Posting, ...]:
    """The tray pays; stake and payout go to the participant, or part of the payout onto a wager."""
    legs = (
        (books.tray, -event.win),
        (books.account(Place.LAYOUT, event.seat), event.to_wager - event.stake),
        (books.account(Place.CHIPS, event.seat), event.stake + event.win - event.to_wager),
    )
    return _cents("house money", event, legs)


def _post_result(books: Books, event: ResultAnnounced) -> tuple[Posting, ...]:
    """What the winners will be paid is set aside: awards out of their pools, the rest out of the tray."""
    legs = [
        (books.account(Place.PAYABLE, act.seat), act.amount * MICRO) for act in event.acts if act.act in (PAY, AWARD)
    ]  # fmt: skip
    for name, after in event.meters.items():
        legs.append((books.account(Place.POOL, name=name), after - books.balance(Place.POOL, name=name)))
    legs += [(_seeding_account(books, ROYAL9), -event.seeded), (books.account(Place.RESERVE), -event.from_reserve)]
    rest = sum(amount for _, amount in legs)
    assert rest % MICRO == 0, "chips are whole cents"
    return post_micro("winnings", [*legs, (books.tray, -rest)], event.cites)


def _post_losers(books: Books, event: LosersCollected) -> tuple[Posting, ...]:
    legs = [(books.account(Place.LAYOUT, seat), -amount) for seat, amount in event.amounts.items()]
    return _cents("losing wagers", event, [*legs, (books.tray, sum(event.amounts.values()))])


def _post_vigorish(books: Books, event: VigorishTaken) -> tuple[Posting, ...]:
    """Marked: a claim of the house and a debt. Collected: out of what will be paid, or out of the chips."""
    if event.marked:
        return _cents("vigorish marked", event, _debt_legs(books, event.seat, event.amount))
    kept = min(event.amount, books.balance(Place.PAYABLE, event.seat) // MICRO)
    legs = (
        (books.account(Place.PAYABLE, event.seat), -kept),
        (books.account(Place.CHIPS, event.seat), kept - event.amount),
        (books.tray, event.amount),
    )
    return _cents("vigorish", event, legs)


def _debt_legs(books: Books, seat: int, amount: int) -> Legs:
    return ((books.account(Place.MARKER, seat), amount), (books.account(Place.DEBT, seat), -amount))


def _post_collected(books: Books, event: VigorishCollected) -> tuple[Posting, ...]:
    """The chips go to the tray, and marker and debt are gone."""
    paid = ((books.account(Place.CHIPS, event.seat), -event.amount), (books.tray, event.amount))
    return _cents("vigorish collected", event, (*paid, *_debt_legs(books, event.seat, -event.amount)))


def _post_paid(books: Books, event: Paid) -> tuple[Posting, ...]:
    return _post_payout(books, event, event.seat, win=event.win, stake=event.stake, back=event.stake)


def _post_awarded(books: Books, event: Awarded) -> tuple[Posting, ...]:
    back = event.stake if event.stake_back else 0
    return _post_payout(books, event, event.seat, win=event.amount, stake=event.stake, back=back)


def _post_payout(books: Books, event: Event, seat: int, *, win: int, stake: int, back: int) -> tuple[Posting, ...]:
    """What was set aside, less vigorish taken out of it, and the stake, to the participant or to the tray."""
    given = min(win, books.balance(Place.PAYABLE, seat) // MICRO)
    legs = (
        (books.account(Place.PAYABLE, seat), -given),
        (books.account(Place.LAYOUT, seat), -stake),
        (books.account(Place.CHIPS, seat), given + back),
        (books.tray, stake - back),
    )
    return _cents("payment", event, legs)


def _post_voided(books: Books, event: RoundVoided) -> tuple[Posting, ...]:
    """Every seat as it was before it wagered; what House Money moved is moved back; the meters as before."""
    made: list[Posting] = []
    for seat, stakes in event.returned.items():
        lies, back = books.balance(Place.LAYOUT, seat) // MICRO, stakes - event.taken_back.get(seat, 0)
        legs = (
            (books.account(Place.LAYOUT, seat), -lies),
            (books.account(Place.CHIPS, seat), back),
            (books.tray, lies - back),
        )
        made += _cents("void round", event, legs)
    return (*made, *_post_contributions(books, event, event.contributions, event.reserve, sign=-1))


def _post_corrected(books: Books, event: PaymentCorrected) -> tuple[Posting, ...]:
    return _cents(
        "correction", event, ((books.account(Place.CHIPS, event.seat), event.amount), (books.tray, -event.amount))
    )  # fmt: skip


def _post_withdrawn(books: Books, event: ResultWithdrawn) -> tuple[Posting, ...]:
    """The winnings that were set aside go back where they came from: into their pools, and into the tray."""
    legs = [(books.account(Place.PAYABLE, seat), -amount * MICRO) for seat, amount in event.payable.items()]
    for name, before in event.meters.items():
        legs.append((books.account(Place.POOL, name=name), before - books.balance(Place.POOL, name=name)))
    if event.meters:
        legs += [(_seeding_account(books, ROYAL9), event.seeded), (books.account(Place.RESERVE), event.from_reserve)]
    return post_micro("result withdrawn", [*legs, (books.tray, -sum(amount for _, amount in legs))], event.cites)


def _post_stopped(books: Books, event: SettlementStopped) -> tuple[Posting, ...]:
    legs = [(books.account(Place.PAYABLE, seat), -amount) for seat, amount in event.payable.items()]
    return _cents("settlement stopped", event, [*legs, (books.tray, sum(event.payable.values()))])


def _post_due(books: Books, event: DueSettled) -> tuple[Posting, ...]:
    """The stakes that lay there go to the tray, which pays what is owed or takes it back."""
    legs = (
        (books.account(Place.LAYOUT, event.seat), -event.lying),
        (books.account(Place.CHIPS, event.seat), event.amount),
        (books.tray, event.lying - event.amount),
    )
    return _cents("owed by the cards", event, legs)


def _post_uncollected(books: Books, event: UncollectedReported) -> tuple[Posting, ...]:
    """The chips that were there, and a claim of the house against the patron."""
    legs = (
        (books.account(Place.LAYOUT, event.seat), -event.lying),
        (books.account(Place.CHIPS, event.seat), -event.collected),
        (books.tray, event.lying + event.collected),
        (books.account(Place.RECEIVABLE, name=event.patron), event.amount),
        (books.account(Place.DEBT, name=event.patron), -event.amount),
    )
    return _cents("not collected", event, legs)


def _post_goodwill(books: Books, event: GoodwillPaid) -> tuple[Posting, ...]:
    """The tray pays, and a voucher lies there in place of the chips: the cost has an account of its own."""
    legs = (
        (books.account(Place.CHIPS, event.seat), event.amount),
        (books.tray, -event.amount),
        (books.account(Place.VOUCHER), event.amount),
        (books.account(Place.GOODWILL), -event.amount),
    )
    return _cents("goodwill", event, legs)


# --------------------------------------------------------------------------------------- vigorish owed


def _post_exception(books: Books, event: ExceptionReported) -> tuple[Posting, ...]:
    """The marker's claim stays with the house, and the debt with the patron, wherever that person sits."""
    legs = (
        *_debt_legs(books, event.seat, -event.amount),
        (books.account(Place.RECEIVABLE, name=event.patron), event.amount),
        (books.account(Place.DEBT, name=event.patron), -event.amount),
    )
    return _cents("exception report", event, legs)


def _post_documented(books: Books, event: VigorishDocumented) -> tuple[Posting, ...]:
    """The form in the drop box counts as win; the same sum is a complimentary, which pays the debt (A-39)."""
    amount = event.form.amount
    legs = (
        (books.account(Place.MARKER, event.seat), -amount),
        (books.account(Place.FORM), amount),
        (books.account(Place.DEBT, event.seat), amount),
        (books.account(Place.COMPLIMENTARY), -amount),
    )
    return _cents("complimentary vigorish", event, legs)


def _post_rules_adopted(books: Books, event: RulesAdopted) -> tuple[Posting, ...]:
    """What the house puts into the pools of a table that adopts other rules, and takes back from old ones."""
    legs: list[tuple[Account, int]] = []
    for name, more in event.seeded.items():
        legs += [(books.account(Place.POOL, name=name), more), (_seeding_account(books, ROYAL9), -more)]
    if event.must_hit_seeded:
        more = event.must_hit_seeded * MICRO
        legs += [(books.account(Place.POOL, name=MUST_HIT), more), (_seeding_account(books, MUST_HIT), -more)]
    return post_micro("seeds", legs, event.cites) if legs else ()


POSTINGS_BY_EVENT: dict[type[Event], Callable[[Books, Any], tuple[Posting, ...]]] = {
    RulesAdopted: _post_rules_adopted,
    BoughtIn: _post_bought_in,
    Left: _post_left,
    VigorishCollected: _post_collected,
    WagerPlaced: _post_wager_placed,
    WagerChanged: _post_wager_changed,
    WagerWithdrawn: _post_wager_withdrawn,
    WagersReturned: _post_returned,
    NoMoreBetsCalled: _post_no_more_bets,
    RoundMadeSimulated: _post_made_simulated,
    MustHitEnded: _must_hit,
    HouseMoneyCollected: _post_house_money_collected,
    HouseMoneyPaid: _post_house_money_paid,
    ResultAnnounced: _post_result,
    LosersCollected: _post_losers,
    VigorishTaken: _post_vigorish,
    Paid: _post_paid,
    Awarded: _post_awarded,
    RoundVoided: _post_voided,
    PaymentCorrected: _post_corrected,
    ResultWithdrawn: _post_withdrawn,
    SettlementStopped: _post_stopped,
    DueSettled: _post_due,
    UncollectedReported: _post_uncollected,
    GoodwillPaid: _post_goodwill,
    MetersShown: _post_meters_shown,
    MeterCorrected: _post_meter_corrected,
    ExceptionReported: _post_exception,
    VigorishDocumented: _post_documented,
}
"""The events that move money; all others move none."""
