"""Ledger: double entry in micro-cents; every movement is one posting whose legs sum to zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

import msgspec

from baccarat.money import MICRO, Cents


class Place(Enum):
    """Where value lies, or to whom it is owed."""

    ISSUE = "issue"
    """The outside world: what was brought into the books, as a negative balance; only issue and redemption move it."""
    CAGE = "cage"
    TRAY = "tray"
    DROP = "drop box"
    FORM = "forms in the drop box"
    MARKER = "marker"
    RECEIVABLE = "receivable"
    OVER_SHORT = "over and short"
    COMPLIMENTARY = "complimentary expense"
    VOUCHER = "goodwill vouchers"
    """What a table has given away beyond what any cards owed; it counts as win, since the cards lost none of it."""
    GOODWILL = "goodwill expense"
    FUNDING = "progressive contributions"
    SEEDING = "progressive seeds"
    POOL = "progressive pool"
    RESERVE = "progressive reserve"
    LINK = "progressive link"
    """What the other tables of a link have put into the pools shown here (a negative balance) or taken out."""
    CHIPS = "chips"
    LAYOUT = "layout"
    PAYABLE = "payable"
    DEBT = "debt"
    """What a participant owes, as a negative balance, against a marker or a receivable of the house."""
    AT_LARGE = "chips at large"
    """Chips that left with their owners, until the cage redeems them."""

    __hash__ = object.__hash__  # members are singletons, and Enum's own hash is slow


OF_A_PARTICIPANT = frozenset({Place.CHIPS, Place.LAYOUT, Place.PAYABLE, Place.DEBT})
NEVER_BELOW_ZERO = frozenset({
    Place.CAGE, Place.DROP, Place.FORM, Place.VOUCHER, Place.MARKER, Place.RECEIVABLE, Place.POOL, Place.RESERVE,
    Place.CHIPS, Place.LAYOUT, Place.PAYABLE, Place.AT_LARGE,
})  # fmt: skip
"""A tray is not among them: a fill may bring chips that nobody records."""
NEVER_ABOVE_ZERO = frozenset({Place.ISSUE, Place.DEBT, Place.COMPLIMENTARY, Place.GOODWILL})


class Account(msgspec.Struct, frozen=True, order=False, gc=False):
    """A place, and whose: the table or link it belongs to, the seat, the meter's name."""

    place: Place
    of: str = ""
    seat: int = 0
    name: str = ""

    def __str__(self) -> str:
        seat = f"seat {self.seat}" if self.seat else ""
        return " ".join(word for word in (self.place.value, self.of, seat, self.name) if word)

    @property
    def participant(self) -> tuple[str, int] | None:
        """The participant whose account it is, by table and seat; None for the house's own."""
        return (self.of, self.seat) if self.place in OF_A_PARTICIPANT else None


WIDTH = 32
"""How many branches the tree of balances has, and how many leaves each branch has: about a thousand in all."""
Branch = tuple[dict[Account, int] | None, ...]
EMPTY: Branch = (None,) * WIDTH

ISSUE = Account(Place.ISSUE)
CAGE = Account(Place.CAGE)
AT_LARGE = Account(Place.AT_LARGE)


class Leg(msgspec.Struct, frozen=True, gc=False):
    """What one account receives, or gives if below zero, in micro-cents."""

    account: Account
    amount: int


class Posting(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One atomic movement: its legs sum to zero, and never join two participants alone (M1, M9)."""

    what: str
    legs: tuple[Leg, ...]
    cites: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        legs, accounts, owners, total = self.legs, set[Account](), set[tuple[str, int] | None](), 0
        assert len(legs) >= 2, f"{self.what}: a posting has two legs or more"
        for leg in legs:
            account, amount = leg.account, leg.amount
            assert amount, f"{self.what}: a leg moves something"
            total += amount
            accounts.add(account)
            owners.add(account.participant)
        assert len(accounts) == len(legs), f"{self.what}: an account occurs once in a posting"
        assert total == 0, f"{self.what}: debits and credits differ"
        assert None in owners or len(owners) == 1, f"{self.what}: from participant to participant"

    def amount(self, account: Account) -> int:
        """What an account receives."""
        return sum(leg.amount for leg in self.legs if leg.account == account)


def post_cents(what: str, legs: Iterable[tuple[Account, int]], cites: Iterable[str] = ()) -> tuple[Posting, ...]:
    """The posting of sums in cents, without the accounts that receive nothing; none if nothing moves."""
    return post_micro(what, [(account, amount * MICRO) for account, amount in legs], cites)


def post_micro(what: str, legs: Iterable[tuple[Account, int]], cites: Iterable[str] = ()) -> tuple[Posting, ...]:
    """The posting of sums in micro-cents, without the accounts that receive nothing; none if nothing moves."""
    sums: dict[Account, int] = {}
    for account, amount in legs:
        sums[account] = sums.get(account, 0) + amount
    kept = tuple(Leg(account, amount) for account, amount in sums.items() if amount)
    return (Posting(what=what, legs=kept, cites=tuple(cites)),) if kept else ()


class BalanceLine(msgspec.Struct, frozen=True):
    """One line of a trial balance, in micro-cents."""

    account: Account
    balance: int

    def __str__(self) -> str:
        cents, micro = divmod(self.balance, MICRO)
        return f"{self.account}: {Cents(cents)}" + (f" and {micro} micro-cents" if micro else "")


class Ledger(msgspec.Struct, frozen=True, gc=False):
    """All balances after a number of postings; a posting makes a new ledger, which shares unchanged parts with the old.

    The balances are in a tree of fixed depth: `WIDTH` branches of `WIDTH` leaves, found by the account's hash. A
    posting copies one branch and one leaf for each of its legs, however many accounts the books have.
    """

    branches: tuple[Branch | None, ...] = (None,) * WIDTH
    posted: int = 0

    @staticmethod
    def from_balances(lines: Iterable[BalanceLine], posted: int = 0) -> Ledger:
        """The ledger with these balances, as `trial_balance` lists them: how a snapshot is read."""
        branches: list[Branch | None] = [None] * WIDTH
        for line in lines:
            assert line.balance, f"{line.account}: an empty account is not listed"
            _add(branches, line.account, line.balance)
        made = Ledger(tuple(branches), posted)
        assert sum(made.balances.values()) == 0, "the balances do not sum to zero"
        return made

    @property
    def balances(self) -> dict[Account, int]:
        """Every account with something in it, in no order."""
        return dict(self._items())

    def _items(self) -> Iterator[tuple[Account, int]]:
        for branch in self.branches:
            for leaf in branch or ():
                if leaf is not None:
                    yield from leaf.items()

    def changed_since(self, before: Ledger) -> Iterator[tuple[Account, int]]:
        """Every account whose balance differs from that of an earlier ledger, with its balance now.

        What both share is not looked at.
        """
        for now, then in zip(self.branches, before.branches, strict=True):
            if now is then:
                continue
            for leaf, old in zip(now or EMPTY, then or EMPTY, strict=True):
                if leaf is old:
                    continue
                new_balances, old_balances = leaf or {}, old or {}
                for account in new_balances.keys() | old_balances.keys():
                    balance = new_balances.get(account, 0)
                    if balance != old_balances.get(account, 0):
                        yield account, balance

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ledger):
            return NotImplemented
        return self.posted == other.posted and self.balances == other.balances

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Ledger({len(self.balances)} accounts after {self.posted} postings)"

    def balance(self, account: Account) -> int:
        """The balance of an account, in micro-cents."""
        return _get(self.branches, account)

    def cents(self, account: Account) -> int:
        """The balance of an account in whole cents, rounded down."""
        return self.balance(account) // MICRO

    def post(self, *postings: Posting) -> Ledger:
        """The ledger after postings; no account falls below, or rises above, what it can be (M3)."""
        branches = list(self.branches)
        for posting in postings:
            for leg in posting.legs:
                account = leg.account
                after = _add(branches, account, leg.amount)
                assert after >= 0 or account.place not in NEVER_BELOW_ZERO, f"{posting.what}: {account} below zero"
                assert after <= 0 or account.place not in NEVER_ABOVE_ZERO, f"{posting.what}: {account} above zero"
        return Ledger(tuple(branches), self.posted + len(postings))

    def trial_balance(self) -> tuple[BalanceLine, ...]:
        """Every account with something in it, in a fixed order; their sum is zero."""
        balances = self.balances
        lines = tuple(BalanceLine(each, balances[each]) for each in sorted(balances, key=_order))
        assert sum(line.balance for line in lines) == 0, "the balances do not sum to zero"
        return lines

    def total(self, place: Place, of: str = "") -> int:
        """The sum of all accounts of a place, of one table or link, in micro-cents."""
        return sum(left for each, left in self._items() if each.place is place and each.of == of)


def _get(branches: Sequence[Branch | None], account: Account) -> int:
    number = hash(account)
    branch = branches[number % WIDTH]
    leaf = branch[number // WIDTH % WIDTH] if branch is not None else None
    return 0 if leaf is None else leaf.get(account, 0)


def _add(branches: list[Branch | None], account: Account, amount: int) -> int:
    """Add to a balance, on copies of the branch and the leaf, which other ledgers may share; return the new balance."""
    rest, first = divmod(hash(account), WIDTH)
    second = rest % WIDTH
    branch = list(branches[first] or EMPTY)
    leaf = dict(branch[second] or {})
    balance = leaf.get(account, 0) + amount
    if balance:
        leaf[account] = balance
    else:
        leaf.pop(account, None)  # an empty account is not listed
    branch[second] = leaf
    branches[first] = tuple(branch)
    return balance


_PLACES = {place: number for number, place in enumerate(Place)}


def _order(account: Account) -> tuple[int, str, int, str]:
    return _PLACES[account.place], account.of, account.seat, account.name
