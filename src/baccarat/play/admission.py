"""Admission: whether the wagers of a round may stand, or the first reason why not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from baccarat.law.section import WagerLaw
from baccarat.law.submission import Limit
from baccarat.play.book import Book
from baccarat.play.hand import Side
from baccarat.play.refusal import RefusalCode, Refused, make_refusal
from baccarat.play.wager import Wager, WagerKind

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


def _refuse(book: Book, code: RefusalCode, what: str, keys: Iterable[str], /, **params: object) -> Refused:
    return make_refusal(code, what, book.rules.cite(*keys), **params)


def _option_keys(book: Book, option: str) -> tuple[str, ...]:
    return book.rules.edition.options[option].cite


def _law(book: Book, wager: Wager) -> WagerLaw:
    return book.rules.edition.wagers[wager.on.value].law


def listed_keys(book: Book) -> tuple[str, ...]:
    """The clauses that list the wagers of the game."""
    main = [wager.law for wager in book.rules.edition.wagers.values() if wager.law.main]
    return tuple(dict.fromkeys(key for law in main for key in (*law.cite, *law.only_cite)))


def refuse_unknown_seat(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Seats are numbered from one to the table's number of seats."""
    seats = book.rules.elections.seats or 0
    for wager in wagers:
        if not 1 <= wager.seat <= seats:
            what, keys = "no_such_seat_at_this_table", _option_keys(book, "seats")
            return _refuse(book, RefusalCode.NO_SUCH_SEAT, what, keys, seat=wager.seat, seats=seats)
    return None


def refuse_unknown_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Only the wagers that the document lists exist."""
    edition = book.rules.edition
    for wager in wagers:
        if wager.on.value not in edition.wagers:
            named = {"listed": ", ".join(edition.wagers), "name": edition.name, "on": wager.on.value}
            what, keys = "edition_knows_no_such_wager", listed_keys(book)
            return _refuse(book, RefusalCode.NO_SUCH_WAGER, what, keys, **named, seat=wager.seat)
    return None


def refuse_unoffered_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A wager that the licensee may offer is taken only where it is offered."""
    for wager in wagers:
        if wager.on not in book.offered:
            law = _law(book, wager)
            terms = {"title": law.title, "seat": wager.seat, "offered": law.offered}
            return _refuse(book, RefusalCode.NOT_OFFERED, "wager_not_offered", law.cite, **terms)
    return None


def refuse_second_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A seat has one area for each wager."""
    seen: set[tuple[int, WagerKind]] = set()
    for wager in wagers:
        if (wager.seat, wager.on) in seen:
            law, what = _law(book, wager), "wagers_twice_on_one_area"
            return _refuse(book, RefusalCode.TWICE, what, law.cite, seat=wager.seat, title=law.title)
        seen.add((wager.seat, wager.on))
    return None


def _is_whole(stake: object) -> bool:
    """Whether a stake is a whole number; a boolean is not."""
    return isinstance(stake, int) and not isinstance(stake, bool)


def refuse_fraction_of_cent(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A stake is a whole number of cents, more than zero."""
    for wager in wagers:
        if not _is_whole(wager.stake) or wager.stake <= 0:
            law = _law(book, wager)
            terms = {"stake": wager.stake, "title": law.title, "seat": wager.seat}
            return _refuse(book, RefusalCode.WHOLE_CENTS, "stake_is_not_whole_cents", law.cite, **terms)
    return None


def refuse_other_stake(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A wager whose stake the document fixes has that stake."""
    for wager in wagers:
        law = _law(book, wager)
        if law.stake is not None and wager.stake != law.stake.shall:
            terms = {"title": law.title, "seat": wager.seat, "shall": law.stake.shall, "stake": wager.stake}
            return _refuse(book, RefusalCode.FIXED_STAKE, "stake_is_fixed", law.stake.cite, **terms)
    return None


def _limits(book: Book) -> dict[str, Limit]:
    return book.rules.elections.limits or {}


def _stake(wager: Wager) -> dict[str, object]:
    """A stake: how much, on what, at which seat."""
    return {"stake": wager.stake, "on": wager.on.value, "seat": wager.seat}


def _off_limits(book: Book, wager: Wager, code: RefusalCode, what: str, **limit: int) -> Refused:
    return _refuse(book, code, what, _option_keys(book, "limits"), **_stake(wager), **limit)


def refuse_below_minimum(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """No wager is below its posted minimum."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake < limit.min:
            return _off_limits(book, wager, RefusalCode.BELOW_MINIMUM, "below_posted_minimum", min=limit.min)
    return None


def refuse_above_maximum(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """No wager is above its posted maximum."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake > limit.max:
            return _off_limits(book, wager, RefusalCode.ABOVE_MAXIMUM, "above_posted_maximum", max=limit.max)
    return None


def refuse_off_increment(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Every wager is a multiple of its posted increment."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake % limit.increment:
            what, step = "no_multiple_of_the_increment", limit.increment
            return _off_limits(book, wager, RefusalCode.OFF_INCREMENT, what, increment=step)
    return None


def refuse_without_base_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A side wager that needs another wager has one at its seat."""
    placed = {(wager.seat, wager.on.value) for wager in wagers}
    for wager in wagers:
        law = _law(book, wager)
        base = law.base
        if base is None or (base.option is not None and not book.rules.elects(base.option)):
            continue
        if not any((wager.seat, other) in placed for other in base.wagers):
            keys = base.cite or _option_keys(book, base.option or "")
            terms = {"title": law.title, "seat": wager.seat, "wagers": ", ".join(base.wagers)}
            return _refuse(book, RefusalCode.NO_BASE_WAGER, "needs_a_wager_beside_it", keys, **terms)
    return None


def refuse_opposite_wagers(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Player and Banker together only where the licensee takes both."""
    if book.rules.elections.opposite_bets is not False:
        return None
    placed = {(wager.seat, wager.on) for wager in wagers}
    player, banker = (book.main[side] for side in (Side.PLAYER, Side.BANKER))
    for wager in wagers:
        if wager.on is player and (wager.seat, banker) in placed:
            keys = _option_keys(book, "opposite_bets")
            return _refuse(book, RefusalCode.OPPOSITE_BETS, "wagers_on_both_hands", keys, seat=wager.seat)
    return None


def refuse_press(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Only a House Money payout is pressed, and only onto a hand that the seat has wagered on."""
    law, code = book.rules.edition.house_money, RefusalCode.PRESS
    placed = {(wager.seat, wager.on) for wager in wagers}
    for wager in wagers:
        if wager.press is None:
            continue
        seat, keys = wager.seat, law.press_cite if law else _law(book, wager).cite
        if law is None or wager.on not in book.early:
            return _refuse(book, code, "payout_cannot_be_pressed", keys, on=wager.on.value, seat=seat)
        if wager.press.value not in law.press:
            terms = {"seat": seat, "press": ", ".join(law.press), "press_2": wager.press.value}
            return _refuse(book, code, "pressed_onto_another_wager", keys, **terms)
        if (seat, wager.press) not in placed:
            return _refuse(book, code, "no_wager_to_press", keys, seat=seat, press=wager.press.value)
    return None


def refuse_coupon(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A match play coupon lies with an equal wager on Player or Banker, where coupons are taken."""
    law, code = book.rules.edition.match_play, RefusalCode.COUPON
    for wager in wagers:
        if not wager.coupon:
            continue
        if law is None or not book.rules.elects(law.offered):
            return _refuse(book, code, "coupons_not_taken", (law or _law(book, wager)).cite, seat=wager.seat)
        if wager.on.value not in law.wagers:
            terms = {"seat": wager.seat, "wagers": ", ".join(law.wagers), "on": wager.on.value}
            return _refuse(book, code, "coupon_on_another_wager", law.cite, **terms)
        if wager.coupon != wager.stake:
            return _refuse(book, code, "coupon_needs_equal_chips", law.cite, coupon=wager.coupon, **_stake(wager))
    return None


def refuse_verbal_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A spoken wager comes with cash and is confirmed by everyone the document names."""
    law, code = book.rules.edition.verbal, RefusalCode.VERBAL
    for wager in wagers:
        if wager.verbal is None:
            continue
        if law is None or not book.rules.elects(law.offered):
            return _refuse(book, code, "spoken_wagers_not_taken", (law or _law(book, wager)).cite, seat=wager.seat)
        if not wager.verbal.cash:
            return _refuse(book, code, "spoken_wager_without_cash", law.cite, **_stake(wager))
        missing = [who for who in law.confirmed_by if who not in wager.verbal.confirmed_by]
        if missing:
            terms = {**_stake(wager), "by": ", ".join(law.confirmed_by), "missing": missing[0]}
            return _refuse(book, code, "spoken_wager_not_confirmed", law.cite, **terms)
    return None


def refuse_above_aggregate(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """What one kind of wager could cost in one round stays within its posted aggregate payout."""
    most: defaultdict[WagerKind, int] = defaultdict(int)
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is None or limit.aggregate_payout is None:
            continue
        most[wager.on] += book.highest_payout(wager.on, wager.stake + wager.coupon)
        if most[wager.on] > limit.aggregate_payout:
            sums = {"on": wager.on.value, "most": most[wager.on], "aggregate_payout": limit.aggregate_payout}
            what, keys = "above_the_aggregate_payout", _option_keys(book, "limits")
            return _refuse(book, RefusalCode.AGGREGATE_PAYOUT, what, keys, **sums)
    return None


CHECKS: tuple[Check, ...] = (
    refuse_unknown_seat, refuse_unknown_wager, refuse_unoffered_wager, refuse_second_wager,
    refuse_fraction_of_cent, refuse_other_stake, refuse_below_minimum, refuse_above_maximum,
    refuse_off_increment, refuse_without_base_wager, refuse_opposite_wagers, refuse_press,
    refuse_coupon, refuse_verbal_wager, refuse_above_aggregate,
)  # fmt: skip
"""In order of precedence: the first that objects gives the refusal."""
