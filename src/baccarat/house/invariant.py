"""Invariants of a house: its books agree with its tables and its links, account by account, after every act."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from baccarat.house.form import FormBook, MissingForm, UsedForm, VoidedForm
from baccarat.house.link import LinkState
from baccarat.house.number_run import runs_within
from baccarat.house.posting import MUST_HIT, ROYAL9, seeds_of
from baccarat.house.state import HouseState
from baccarat.house.stream import link_stream
from baccarat.ledger import Account, Ledger, Place
from baccarat.money import MICRO
from baccarat.table.invariant import BrokenInvariant, layout
from baccarat.table.state import Money, TableState


def broken_invariants(state: HouseState) -> list[BrokenInvariant]:
    """The invariants that do not hold; there should be none."""
    return InvariantCheck().broken(state)


class InvariantCheck:
    """Checks a house after one act after another: after the first, only what an act has changed.

    An audit asks after every act, and a house may have any number of tables, accounts and forms.
    """

    def __init__(self) -> None:
        self._state = HouseState()
        self._books: dict[str, _Books] = {}
        self._total = 0

    def broken(self, state: HouseState) -> list[BrokenInvariant]:
        """The invariants that do not hold now, of what has changed since this was asked last."""
        before, self._state = self._state, state
        touched = set(self._post_changes(before.ledger, state.ledger))
        touched.update(table for table, each in state.tables.items() if before.tables.get(table) is not each)
        if state.cage is not before.cage:
            for now, past in ((state.cage.sent, before.cage.sent), (state.cage.drops, before.cage.drops)):
                touched.update(table for table, amount in now.items() if past.get(table) != amount)
        found = [BrokenInvariant("M1", f"the books sum to {self._total}")] if self._total else []
        for table in sorted(touched & set(state.tables)):
            each, books = state.tables[table], self._books.setdefault(table, _Books())
            then = before.tables[table].money if table in before.tables else Money()
            found += _with_place(table, _differences(state, books, table, each, then))
            found += _with_place(table, _papers(each.money, then, table, state.forms, before.forms))
        for name, linked in state.links.items():
            if linked is not before.links.get(name) or not touched.isdisjoint(linked.royal9.tables):
                found += _with_place(link_stream(name), _link(state, self._books, linked))
        return found

    def _post_changes(self, before: Ledger, after: Ledger) -> Iterator[str]:
        """Enter what has changed in the ledger, and name the tables whose accounts these are."""
        for account, balance in after.changed_since(before):
            books = self._books.setdefault(account.of, _Books())
            key = account.place, account.seat, account.name
            self._total += balance - books.held.get(key, 0)
            if balance:
                books.held[key] = balance
            else:
                del books.held[key]
            yield account.of


def _with_place(where: str, found: Iterable[BrokenInvariant]) -> Iterator[BrokenInvariant]:
    """What is wrong at a table or in a link, with its name."""
    return (BrokenInvariant(each.promise, f"{where}: {each.say}") for each in found)


class _Books:
    """The accounts of one table; those that are empty are not in it."""

    def __init__(self) -> None:
        self.held: dict[tuple[Place, int, str], int] = {}

    def __call__(self, place: Place, seat: int = 0, name: str = "") -> int:
        return self.held.get((place, seat, name), 0)

    def total(self, place: Place) -> int:
        """What lies in all accounts of a place."""
        return sum(balance for (where, _, _), balance in self.held.items() if where is place)


def _expected_balances(
    state: HouseState, table: str, each: TableState, then: Money
) -> Iterator[tuple[Place, int, str, int]]:
    """What must be in the accounts of a table: place, seat, name, micro-cents; of persons who owe it something, only
    where it was another sum `then`."""
    for seat, person in enumerate(each.seats.participants, start=1):
        marked = each.money.markers.get(seat, 0)
        yield Place.CHIPS, seat, "", (person.chips if person else 0) * MICRO
        yield Place.PAYABLE, seat, "", each.money.payable.get(seat, 0) * MICRO
        yield Place.MARKER, seat, "", marked * MICRO
        yield Place.DEBT, seat, "", -marked * MICRO
    for patron, owing in each.money.receivables.items() - then.receivables.items():
        yield Place.RECEIVABLE, 0, patron, owing * MICRO
        yield Place.DEBT, 0, patron, -owing * MICRO
    for name, shown in each.meters.amounts.items():
        yield Place.POOL, 0, name, shown
    yield Place.POOL, 0, MUST_HIT, each.meters.must_hit * MICRO
    yield Place.RESERVE, 0, "", each.meters.reserve
    yield Place.FUNDING, 0, ROYAL9, -each.meters.contributed
    yield Place.FORM, 0, "", each.money.complimentary * MICRO
    yield Place.COMPLIMENTARY, 0, "", -each.money.complimentary * MICRO
    yield Place.VOUCHER, 0, "", each.money.goodwill * MICRO
    yield Place.GOODWILL, 0, "", -each.money.goodwill * MICRO - each.meters.goodwill
    if table not in state.shares:
        opened = next(pit.tables[table][0].rules for pit in state.pits.values() if table in pit.tables)
        seeds = [leg for posting in seeds_of(opened, table=table) for leg in posting.legs]
        put_up = sum(leg.amount for leg in seeds if leg.account == Account(Place.SEEDING, table, 0, ROYAL9))
        yield Place.SEEDING, 0, ROYAL9, put_up - each.meters.seeded + each.meters.goodwill


def _differences(
    state: HouseState, books: _Books, table: str, each: TableState, then: Money
) -> Iterator[BrokenInvariant]:
    """M2: the ledger agrees with the table."""
    for place, seat, name, wanted in _expected_balances(state, table, each, then):
        held = books(place, seat, name)
        if held != wanted:
            yield BrokenInvariant("M2", f"{Account(place, table, seat, name)} is {held}, the table says {wanted}")
    on_layout = books.total(Place.LAYOUT)
    if on_layout != layout(each) * MICRO:
        yield BrokenInvariant("M2", f"the layout holds {on_layout}, the table says {layout(each) * MICRO}")
    held = books(Place.TRAY) + books(Place.DROP) + books(Place.OVER_SHORT)
    came = state.cage.sent.get(table, 0) - state.cage.drops.get(table, 0) + each.money.bank
    if held != came * MICRO:
        yield BrokenInvariant("M2", f"tray, drop box, over and short hold {held}, cage and bank say {came * MICRO}")


def _papers(money: Money, then: Money, table: str, book: FormBook, former: FormBook) -> Iterator[BrokenInvariant]:
    """J8: what the table used or voided is recorded in the form book, and the rest of its series is blank there.

    What it had used or voided `then` is not looked up again.
    """
    if book is former and (money.forms, money.void_forms, *_blank_of(money)) == (
        then.forms, then.void_forms, *_blank_of(then)
    ):  # fmt: skip
        return
    for kind, serials, known in (
        (UsedForm, money.forms, then.forms), (VoidedForm, money.void_forms, then.void_forms)
    ):  # fmt: skip
        for serial in serials[len(known) if serials[: len(known)] == known else 0 :]:
            paper = book.paper(serial)
            if not isinstance(paper, kind) or paper.table != table:
                yield BrokenInvariant(
                    "J8", f"form {serial} was used or voided there, and the form book does not say so"
                )
    missing = {serial for serial in money.missing_forms if money.next_form <= serial <= money.last_form}
    for serial in sorted(missing):
        if not isinstance(book.paper(serial), MissingForm):
            yield BrokenInvariant("J8", f"form {serial} is missing there, and the form book does not say so")
    there = runs_within(book.blank.get(table, ()), money.next_form, money.last_form)
    count = sum(min(run.last, money.last_form) - max(run.first, money.next_form) + 1 for run in there)
    if count == max(0, money.last_form - money.next_form + 1) - len(missing):
        return  # each missing one is on record as such, so it is none of these
    for serial in range(money.next_form, money.last_form + 1):
        if serial not in missing and not book.is_blank(serial, table):
            yield BrokenInvariant("J8", f"form {serial} is blank there, and the form book says otherwise")


def _blank_of(money: Money) -> tuple[int, int, tuple[int, ...]]:
    """Which numbers of its series a table has not used."""
    return money.next_form, money.last_form, money.missing_forms


def _link(state: HouseState, books_of: Mapping[str, _Books], linked: LinkState) -> Iterator[BrokenInvariant]:
    """M8: the link is conserved, and is what its tables put in and paid, in their states and in the ledger."""
    if not linked.is_conserved:
        yield BrokenInvariant("M8", "is not conserved")
    royal9, must_hit = linked.royal9, linked.must_hit
    tables = {table: state.tables[table] for table in royal9.tables}
    open_ = sum(held.total for held in linked.open.values())
    if royal9.contributed + open_ != sum(each.meters.contributed for each in tables.values()):
        yield BrokenInvariant("M8", "contributions are not those of its tables")
    books = [books_of[table] for table in tables]
    held = sum(
        sum(each(Place.POOL, name=name) for name in royal9.meters) + each(Place.RESERVE) + each(Place.LINK, name=ROYAL9)
        for each in books
    )
    says = royal9.displayed + royal9.reserve + royal9.carried + open_
    if held != says:
        yield BrokenInvariant("M8", f"the ledger's pools are {held}, the link says {says}")
    given = sum(each.meters.goodwill for each in tables.values())
    if sum(each(Place.SEEDING, name=ROYAL9) for each in books) != given - royal9.seeded:
        yield BrokenInvariant("M8", "what the house put up is not in the ledger")
    if must_hit is None:
        return
    if must_hit.contributed != sum(each.meters.must_hit_flow.contributed for each in tables.values()):
        yield BrokenInvariant("M8", "the Must Hit's contributions are not those of its tables")
    if must_hit.paid != sum(each.meters.must_hit_flow.paid for each in tables.values()):
        yield BrokenInvariant("M8", "the Must Hit has not paid what its tables paid")
    pool = sum(each(Place.POOL, name=MUST_HIT) + each(Place.LINK, name=MUST_HIT) for each in books)
    if pool != must_hit.meter * MICRO:
        yield BrokenInvariant("M8", f"the Must Hit's pool is {pool}, the link says {must_hit.meter * MICRO}")
