"""Admission: whether the wagers of a round may stand, or the first reason why not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from baccarat.law.submission import Limit
from baccarat.money import Cents
from baccarat.play.book import Book
from baccarat.play.hand import Side
from baccarat.play.refusal import Code, Refused
from baccarat.play.wager import Kind, Wager

Check = Callable[[Book, Sequence[Wager]], Refused | None]


def admit(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """The first refusal in the documented order of precedence, or None if all wagers stand."""
    if _is_plain(book, wagers):
        return None
    for check in CHECKS:
        refused = check(book, wagers)
        if refused is not None:
            return refused
    return None


def _is_plain(book: Book, wagers: Sequence[Wager]) -> bool:
    """Whether there is nothing to ask: offered wagers at their seats, once each, and no special terms."""
    seats, limits = book.rules.elections.seats, book.limits
    if seats is None or book.has_terms:
        return False
    seen = set()
    for wager in wagers:
        spot = (wager.seat, wager.on)
        limit = limits.get(wager.on)
        if limit is not None and not (
            limit.min <= wager.stake <= limit.max and wager.stake % limit.increment == 0 and not limit.aggregate_payout
        ):
            return False
        if (
            type(wager.stake) is not int
            or wager.stake <= 0
            or not 1 <= wager.seat <= seats
            or wager.on not in book.plain
            or spot in seen
            or wager.press is not None
            or wager.coupon
            or wager.verbal is not None
        ):
            return False
        seen.add(spot)
    return True


def _refuse(book: Book, code: Code, say: str, *keys: str) -> Refused:
    return Refused(code, say, book.rules.cite(*keys))


def _option_keys(book: Book, option: str) -> tuple[str, ...]:
    return book.rules.edition.options[option].cite


def listed_keys(book: Book) -> tuple[str, ...]:
    """The clauses that list the wagers of the game."""
    main = [wager.law for wager in book.rules.edition.wagers.values() if wager.law.main]
    return tuple(dict.fromkeys(key for law in main for key in (*law.cite, *law.only_cite)))


def seat_exists(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Seats are numbered from one to the table's number of seats."""
    seats = book.rules.elections.seats or 0
    for wager in wagers:
        if not 1 <= wager.seat <= seats:
            say = f"there is no seat {wager.seat}: this table has seats 1 to {seats}"
            return _refuse(book, Code.NO_SUCH_SEAT, say, *_option_keys(book, "seats"))
    return None


def wager_exists(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Only the wagers that the document lists exist."""
    listed = book.rules.edition.wagers
    for wager in wagers:
        if wager.on.value not in listed:
            say = f"{book.rules.edition.name} knows no wager {wager.on.value}, which seat {wager.seat} makes; it lists "
            say += ", ".join(listed)
            return _refuse(book, Code.NO_SUCH_WAGER, say, *listed_keys(book))
    return None


def wager_is_offered(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A wager that the licensee may offer is taken only where it is offered."""
    for wager in wagers:
        if wager.on not in book.offered:
            law = book.rules.edition.wagers[wager.on.value].law
            say = f"{law.title}, which seat {wager.seat} wagers on, is not offered here: {law.offered} is not elected"
            return _refuse(book, Code.NOT_OFFERED, say, *law.cite)
    return None


def once_each(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A seat has one area for each wager."""
    seen: set[tuple[int, Kind]] = set()
    for wager in wagers:
        if (wager.seat, wager.on) in seen:
            law = book.rules.edition.wagers[wager.on.value].law
            say = f"seat {wager.seat} wagers twice on {law.title}; one area holds one wager, so give their sum"
            return _refuse(book, Code.TWICE, say, *law.cite)
        seen.add((wager.seat, wager.on))
    return None


def _is_whole(stake: object) -> bool:
    """Whether a stake is a whole number; a truth value is none."""
    return isinstance(stake, int) and not isinstance(stake, bool)


def whole_cents(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A stake is a whole number of cents, more than nothing."""
    for wager in wagers:
        if not _is_whole(wager.stake) or wager.stake <= 0:
            law = book.rules.edition.wagers[wager.on.value].law
            say = f"a stake is whole cents and more than nothing, not {wager.stake!r} on {law.title}{_seat(wager)}"
            return _refuse(book, Code.WHOLE_CENTS, say, *law.cite)
    return None


def fixed_stake(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A wager whose stake the document fixes has that stake."""
    for wager in wagers:
        law = book.rules.edition.wagers[wager.on.value].law
        if law.stake is not None and wager.stake != law.stake.shall:
            say = f"{law.title}{_seat(wager)} is {Cents(law.stake.shall)} exactly, not {Cents(wager.stake)}"
            return _refuse(book, Code.FIXED_STAKE, say, *law.stake.cite)
    return None


def _limits(book: Book) -> dict[str, Limit]:
    return book.rules.elections.limits or {}


def _stake(wager: Wager) -> str:
    """A stake in words: how much, on what, at which seat."""
    return f"{Cents(wager.stake)} on {wager.on.value}{_seat(wager)}"


def _seat(wager: Wager) -> str:
    """Where a wager lies; nothing is said of one that is only priced, which lies at no seat."""
    return f" at seat {wager.seat}" if wager.seat else ""


def minimum(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """No wager is below its posted minimum."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake < limit.min:
            say = f"{_stake(wager)} is below the posted minimum of {Cents(limit.min)}"
            return _refuse(book, Code.BELOW_MINIMUM, say, *_option_keys(book, "limits"))
    return None


def maximum(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """No wager is above its posted maximum."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake > limit.max:
            say = f"{_stake(wager)} is above the posted maximum of {Cents(limit.max)}"
            return _refuse(book, Code.ABOVE_MAXIMUM, say, *_option_keys(book, "limits"))
    return None


def increment(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Every wager is a multiple of its posted increment."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake % limit.increment:
            say = f"{_stake(wager)} is no multiple of {Cents(limit.increment)}"
            return _refuse(book, Code.OFF_INCREMENT, say, *_option_keys(book, "limits"))
    return None


def base_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A side wager that needs another beside it has one at its seat."""
    placed = {(wager.seat, wager.on.value) for wager in wagers}
    for wager in wagers:
        law = book.rules.edition.wagers[wager.on.value].law
        base = law.base
        if base is None or (base.option is not None and not book.rules.elects(base.option)):
            continue
        if not any((wager.seat, other) in placed for other in base.wagers):
            say = f"{law.title} at seat {wager.seat} needs a wager on {' or '.join(base.wagers)} beside it"
            keys = base.cite or _option_keys(book, base.option or "")
            return _refuse(book, Code.NO_BASE_WAGER, say, *keys)
    return None


def opposite(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Player and Banker together only where the licensee takes both."""
    if book.rules.elections.opposite_bets is not False:
        return None
    placed = {(wager.seat, wager.on) for wager in wagers}
    player, banker = (book.main[side] for side in (Side.PLAYER, Side.BANKER))
    for wager in wagers:
        if wager.on is player and (wager.seat, banker) in placed:
            say = f"seat {wager.seat} wagers on both hands, which this table does not take"
            return _refuse(book, Code.OPPOSITE_BETS, say, *_option_keys(book, "opposite_bets"))
    return None


def press(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Only a House Money payout is pressed, and only onto a hand that the seat has wagered on."""
    law = book.rules.edition.house_money
    placed = {(wager.seat, wager.on) for wager in wagers}
    for wager in wagers:
        if wager.press is None:
            continue
        keys = law.press_cite if law else book.rules.edition.wagers[wager.on.value].law.cite
        if law is None or wager.on not in book.early:
            return _refuse(
                book, Code.PRESS, f"a payout of {wager.on.value} at seat {wager.seat} cannot be pressed", *keys
            )
        if wager.press.value not in law.press:
            say = f"seat {wager.seat} presses a payout onto {' or '.join(law.press)}, not onto {wager.press.value}"
            return _refuse(book, Code.PRESS, say, *keys)
        if (wager.seat, wager.press) not in placed:
            say = f"seat {wager.seat} has no wager on {wager.press.value} to press"
            return _refuse(book, Code.PRESS, say, *keys)
    return None


def coupon(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A match play coupon lies with an equal wager on Player or Banker, where coupons are taken."""
    law = book.rules.edition.match_play
    for wager in wagers:
        if not wager.coupon:
            continue
        if law is None or not book.rules.elects(law.offered):
            keys = law.cite if law else book.rules.edition.wagers[wager.on.value].law.cite
            say = f"match play coupons, such as seat {wager.seat}'s, are not taken at this table"
            return _refuse(book, Code.COUPON, say, *keys)
        if wager.on.value not in law.wagers:
            say = f"seat {wager.seat}'s coupon lies with a wager on {' or '.join(law.wagers)}, not on {wager.on.value}"
            return _refuse(book, Code.COUPON, say, *law.cite)
        if wager.coupon != wager.stake:
            say = f"a coupon of {Cents(wager.coupon)} needs chips of the same amount, not {_stake(wager)}"
            return _refuse(book, Code.COUPON, say, *law.cite)
    return None


def verbal(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A spoken wager comes with cash and is confirmed by everyone the document names."""
    law = book.rules.edition.verbal
    for wager in wagers:
        if wager.verbal is None:
            continue
        if law is None or not book.rules.elects(law.offered):
            keys = law.cite if law else book.rules.edition.wagers[wager.on.value].law.cite
            say = f"spoken wagers, such as seat {wager.seat}'s, are not taken at this table"
            return _refuse(book, Code.VERBAL, say, *keys)
        if not wager.verbal.cash:
            return _refuse(book, Code.VERBAL, f"a spoken wager of {_stake(wager)} comes with cash", *law.cite)
        missing = [who for who in law.confirmed_by if who not in wager.verbal.confirmed_by]
        if missing:
            by = " and the ".join(law.confirmed_by)
            say = f"a spoken wager of {_stake(wager)} is confirmed by the {by}; missing: {missing[0]}"
            return _refuse(book, Code.VERBAL, say, *law.cite)
    return None


def aggregate(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """What one kind of wager could cost in one round stays within its posted aggregate payout."""
    most: defaultdict[Kind, int] = defaultdict(int)
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is None or limit.aggregate_payout is None:
            continue
        most[wager.on] += book.highest_payout(wager.on, wager.stake + wager.coupon)
        if most[wager.on] > limit.aggregate_payout:
            say = (
                f"{wager.on.value} could cost {Cents(most[wager.on])} in this round, above the posted aggregate "
                f"payout of {Cents(limit.aggregate_payout)}"
            )
            return _refuse(book, Code.AGGREGATE_PAYOUT, say, *_option_keys(book, "limits"))
    return None


CHECKS: tuple[Check, ...] = (
    seat_exists, wager_exists, wager_is_offered, once_each, whole_cents, fixed_stake, minimum, maximum, increment,
    base_wager, opposite, press, coupon, verbal, aggregate,
)  # fmt: skip
"""In order of precedence: the first that objects gives the refusal."""
