"""Admission: whether the wagers of a round may stand, or the first reason why not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

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


def _refuse(book: Book, code: RefusalCode, what: str, /, *keys: str, **params: object) -> Refused:
    return make_refusal(code, what, book.rules.cite(*keys), **params)


def _option_keys(book: Book, option: str) -> tuple[str, ...]:
    return book.rules.edition.options[option].cite


def listed_keys(book: Book) -> tuple[str, ...]:
    """The clauses that list the wagers of the game."""
    main = [wager.law for wager in book.rules.edition.wagers.values() if wager.law.main]
    return tuple(dict.fromkeys(key for law in main for key in (*law.cite, *law.only_cite)))


def refuse_unknown_seat(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Seats are numbered from one to the table's number of seats."""
    seats = book.rules.elections.seats or 0
    for wager in wagers:
        if not 1 <= wager.seat <= seats:
            return _refuse(
                book,
                RefusalCode.NO_SUCH_SEAT,
                "no_such_seat_at_this_table",
                *_option_keys(book, "seats"),
                seat=wager.seat,
                seats=seats,
            )
    return None


def refuse_unknown_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Only the wagers that the document lists exist."""
    listed = book.rules.edition.wagers
    for wager in wagers:
        if wager.on.value not in listed:
            return _refuse(
                book,
                RefusalCode.NO_SUCH_WAGER,
                "edition_knows_no_such_wager",
                *listed_keys(book),
                listed=", ".join(listed),
                name=book.rules.edition.name,
                on=wager.on.value,
                seat=wager.seat,
            )
    return None


def refuse_unoffered_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A wager that the licensee may offer is taken only where it is offered."""
    for wager in wagers:
        if wager.on not in book.offered:
            law = book.rules.edition.wagers[wager.on.value].law
            return _refuse(
                book,
                RefusalCode.NOT_OFFERED,
                "wager_not_offered",
                *law.cite,
                title=law.title,
                seat=wager.seat,
                offered=law.offered,
            )
    return None


def refuse_second_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A seat has one area for each wager."""
    seen: set[tuple[int, WagerKind]] = set()
    for wager in wagers:
        if (wager.seat, wager.on) in seen:
            law = book.rules.edition.wagers[wager.on.value].law
            return _refuse(
                book, RefusalCode.TWICE, "wagers_twice_on_one_area", *law.cite, seat=wager.seat, title=law.title
            )
        seen.add((wager.seat, wager.on))
    return None


def _is_whole(stake: object) -> bool:
    """Whether a stake is a whole number; a truth value is none."""
    return isinstance(stake, int) and not isinstance(stake, bool)


def refuse_fraction_of_cent(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A stake is a whole number of cents, more than nothing."""
    for wager in wagers:
        if not _is_whole(wager.stake) or wager.stake <= 0:
            law = book.rules.edition.wagers[wager.on.value].law
            return _refuse(
                book,
                RefusalCode.WHOLE_CENTS,
                "stake_is_not_whole_cents",
                *law.cite,
                stake=wager.stake,
                title=law.title,
                seat=wager.seat,
            )
    return None


def refuse_other_stake(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A wager whose stake the document fixes has that stake."""
    for wager in wagers:
        law = book.rules.edition.wagers[wager.on.value].law
        if law.stake is not None and wager.stake != law.stake.shall:
            return _refuse(
                book,
                RefusalCode.FIXED_STAKE,
                "stake_is_fixed",
                *law.stake.cite,
                title=law.title,
                seat=wager.seat,
                shall=law.stake.shall,
                stake=wager.stake,
            )
    return None


def _limits(book: Book) -> dict[str, Limit]:
    return book.rules.elections.limits or {}


def _stake(wager: Wager) -> dict[str, object]:
    """A stake: how much, on what, at which seat."""
    return {"stake": wager.stake, "on": wager.on.value, "seat": wager.seat}


def refuse_below_minimum(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """No wager is below its posted minimum."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake < limit.min:
            return _refuse(
                book,
                RefusalCode.BELOW_MINIMUM,
                "below_posted_minimum",
                *_option_keys(book, "limits"),
                **_stake(wager),
                min=limit.min,
            )
    return None


def refuse_above_maximum(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """No wager is above its posted maximum."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake > limit.max:
            return _refuse(
                book,
                RefusalCode.ABOVE_MAXIMUM,
                "above_posted_maximum",
                *_option_keys(book, "limits"),
                **_stake(wager),
                max=limit.max,
            )
    return None


def refuse_off_increment(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Every wager is a multiple of its posted increment."""
    for wager in wagers:
        limit = _limits(book).get(wager.on.value)
        if limit is not None and wager.stake % limit.increment:
            return _refuse(
                book,
                RefusalCode.OFF_INCREMENT,
                "no_multiple_of_the_increment",
                *_option_keys(book, "limits"),
                **_stake(wager),
                increment=limit.increment,
            )
    return None


def refuse_without_base_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A side wager that needs another beside it has one at its seat."""
    placed = {(wager.seat, wager.on.value) for wager in wagers}
    for wager in wagers:
        law = book.rules.edition.wagers[wager.on.value].law
        base = law.base
        if base is None or (base.option is not None and not book.rules.elects(base.option)):
            continue
        if not any((wager.seat, other) in placed for other in base.wagers):
            keys = base.cite or _option_keys(book, base.option or "")
            return _refuse(
                book,
                RefusalCode.NO_BASE_WAGER,
                "needs_a_wager_beside_it",
                *keys,
                title=law.title,
                seat=wager.seat,
                wagers=", ".join(base.wagers),
            )
    return None


def refuse_opposite_wagers(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Player and Banker together only where the licensee takes both."""
    if book.rules.elections.opposite_bets is not False:
        return None
    placed = {(wager.seat, wager.on) for wager in wagers}
    player, banker = (book.main[side] for side in (Side.PLAYER, Side.BANKER))
    for wager in wagers:
        if wager.on is player and (wager.seat, banker) in placed:
            return _refuse(
                book,
                RefusalCode.OPPOSITE_BETS,
                "wagers_on_both_hands",
                *_option_keys(book, "opposite_bets"),
                seat=wager.seat,
            )
    return None


def refuse_press(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """Only a House Money payout is pressed, and only onto a hand that the seat has wagered on."""
    law = book.rules.edition.house_money
    placed = {(wager.seat, wager.on) for wager in wagers}
    for wager in wagers:
        if wager.press is None:
            continue
        keys = law.press_cite if law else book.rules.edition.wagers[wager.on.value].law.cite
        if law is None or wager.on not in book.early:
            return _refuse(
                book, RefusalCode.PRESS, "payout_cannot_be_pressed", *keys, on=wager.on.value, seat=wager.seat
            )
        if wager.press.value not in law.press:
            return _refuse(
                book,
                RefusalCode.PRESS,
                "pressed_onto_another_wager",
                *keys,
                seat=wager.seat,
                press=", ".join(law.press),
                press_2=wager.press.value,
            )
        if (wager.seat, wager.press) not in placed:
            return _refuse(
                book, RefusalCode.PRESS, "no_wager_to_press", *keys, seat=wager.seat, press=wager.press.value
            )
    return None


def refuse_coupon(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A match play coupon lies with an equal wager on Player or Banker, where coupons are taken."""
    law = book.rules.edition.match_play
    for wager in wagers:
        if not wager.coupon:
            continue
        if law is None or not book.rules.elects(law.offered):
            keys = law.cite if law else book.rules.edition.wagers[wager.on.value].law.cite
            return _refuse(book, RefusalCode.COUPON, "coupons_not_taken", *keys, seat=wager.seat)
        if wager.on.value not in law.wagers:
            return _refuse(
                book,
                RefusalCode.COUPON,
                "coupon_on_another_wager",
                *law.cite,
                seat=wager.seat,
                wagers=", ".join(law.wagers),
                on=wager.on.value,
            )
        if wager.coupon != wager.stake:
            return _refuse(
                book, RefusalCode.COUPON, "coupon_needs_equal_chips", *law.cite, coupon=wager.coupon, **_stake(wager)
            )
    return None


def refuse_verbal_wager(book: Book, wagers: Sequence[Wager]) -> Refused | None:
    """A spoken wager comes with cash and is confirmed by everyone the document names."""
    law = book.rules.edition.verbal
    for wager in wagers:
        if wager.verbal is None:
            continue
        if law is None or not book.rules.elects(law.offered):
            keys = law.cite if law else book.rules.edition.wagers[wager.on.value].law.cite
            return _refuse(book, RefusalCode.VERBAL, "spoken_wagers_not_taken", *keys, seat=wager.seat)
        if not wager.verbal.cash:
            return _refuse(book, RefusalCode.VERBAL, "spoken_wager_without_cash", *law.cite, **_stake(wager))
        missing = [who for who in law.confirmed_by if who not in wager.verbal.confirmed_by]
        if missing:
            by = ", ".join(law.confirmed_by)
            return _refuse(
                book,
                RefusalCode.VERBAL,
                "spoken_wager_not_confirmed",
                *law.cite,
                **_stake(wager),
                by=by,
                missing=missing[0],
            )
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
            return _refuse(
                book,
                RefusalCode.AGGREGATE_PAYOUT,
                "above_the_aggregate_payout",
                *_option_keys(book, "limits"),
                on=wager.on.value,
                most=most[wager.on],
                aggregate_payout=limit.aggregate_payout,
            )
    return None


CHECKS: tuple[Check, ...] = (
    refuse_unknown_seat, refuse_unknown_wager, refuse_unoffered_wager, refuse_second_wager, refuse_fraction_of_cent,
    refuse_other_stake, refuse_below_minimum, refuse_above_maximum, refuse_off_increment, refuse_without_base_wager,
    refuse_opposite_wagers, refuse_press, refuse_coupon, refuse_verbal_wager, refuse_above_aggregate,
)  # fmt: skip
"""In order of precedence: the first that objects gives the refusal."""
