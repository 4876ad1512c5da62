"""Behaviours bound by name in the data, each broken in one way, with the clauses that must notice."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from baccarat import money
from baccarat.law.edition import Edition, load_edition, shipped_editions
from baccarat.law.row import WagerResult
from baccarat.law.special_option import SPECIAL
from baccarat.play import admission, book, coup, holder, record, settle, shoe
from baccarat.play.hand import Side
from baccarat.play.wager import Wager, must_hit, royal9

Patch = Callable[[], None]


class Behaviour(msgspec.Struct, frozen=True):
    """One way to break one behaviour: where, how, and whose clauses must notice."""

    place: str
    what: str
    clauses: tuple[str, ...]
    patch: Patch

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


def behaviours() -> Iterator[Behaviour]:
    """Every behaviour broken in turn, once for each group of clauses that must notice by itself."""
    for place, what, patch, groups in TABLE:
        for clauses in groups:
            yield Behaviour(place, what, clauses, patch)
    for check_ in admission.CHECKS:
        yield from _removed_check(check_.__name__)
    for name in royal9.EVENTS:
        yield from _negated_event(name)


def _ids(edition: Edition, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(edition.clauses[key].id for key in keys)


def _negated_event(name: str) -> Iterator[Behaviour]:
    """A Royal 9 event turned into its opposite, for the rungs of each document that speak of it."""
    groups: dict[tuple[str, ...], None] = {}
    for edition in map(load_edition, shipped_editions()):
        for rung in edition.royal9.ladder if edition.royal9 else ():
            if name in ((rung.event,) if isinstance(rung.event, str) else rung.event.values()):
                groups[_ids(edition, rung.cite)] = None
    assert groups, f"no rung speaks of {name}"

    def patch() -> None:
        event = royal9.EVENTS[name]
        royal9.EVENTS[name] = lambda chair, player, banker: not event(chair, player, banker)

    for clauses in groups:
        yield Behaviour(f"royal9.EVENTS.{name}", "negated", clauses, patch)


CHECKS: dict[str, tuple[tuple[str, ...], ...]] = {
    "refuse_unknown_seat": (("MA:2(a).1",), ("NJ:3.6(b).1",)),
    "refuse_unknown_wager": (("MA:7(a)",), ("NJ:3.2(a)", "NJ:3.2(b).1")),
    "refuse_unoffered_wager": (("MA:7(a)(4)", "MA:7(a)(5)", "MA:7(a)(6)", "MA:7(a)(7)"), ("NJ:3.2(a)4", "NJ:3.2(a)5")),
    "refuse_second_wager": (("MA:7(a)",), ("NJ:3.2(a)", "NJ:3.2(b).1")),
    "refuse_fraction_of_cent": (("MA:7(a)",), ("NJ:3.2(a)", "NJ:3.2(b).1")),
    "refuse_other_stake": (("MA-v1-2:12(i).wager",), ("MA-v3-4:12(i).wager",)),
    "refuse_below_minimum": (("MA:7(b).1",), ("NJ:3.2(c).1",)),
    "refuse_above_maximum": (("MA:7(b).1",), ("NJ:3.2(c).1",)),
    "refuse_off_increment": (("MA:7(b).1",), ("NJ:3.2(c).1",)),
    "refuse_without_base_wager": (
        ("MA:7(a)(4)",), ("MA:7(a)(5)", "MA:7(a)(6)"), ("MA-v1-2:12(i).basis",), ("MA-v3-4:12(i).play",),
        ("NJ:3.2(b).2",),
    ),
    "refuse_opposite_wagers": (("MA:7(a)",), ("NJ:3.2(a)", "NJ:3.2(b).1")),
    "refuse_press": (("MA:8(c)(3)(i)a", "MA:8(c)(3)(i)b"),),
    "refuse_coupon": (("MA:7(b).1",), ("NJ:3.2(c).1",)),
    "refuse_verbal_wager": (("MA:7(b).2",), ("NJ:3.2(c).2",)),
    "refuse_above_aggregate": (("MA:7(b).1",), ("NJ:3.2(c).1",)),
}  # fmt: skip
"""The clauses that each check of admission answers."""


def _removed_check(name: str) -> Iterator[Behaviour]:
    def patch() -> None:
        admission.CHECKS = tuple(each for each in admission.CHECKS if each.__name__ != name)

    for clauses in CHECKS[name]:
        yield Behaviour(f"admission.{name}", "removed", clauses, patch)


def _replace(owner: Any, name: str, make: Callable[[Any], Any]) -> Patch:
    """A patch that replaces the original with `make(original)`."""
    assert hasattr(owner, name), f"{owner.__name__} has no {name} to be broken"

    def patch() -> None:
        original = getattr(owner, name)
        broken = make(original)
        setattr(owner, name, broken)
        for module in list(sys.modules.values()):  # every module that imported it by name, tests included
            for key, value in list(vars(module).items()) if hasattr(module, "__dict__") else ():
                if value is original:
                    vars(module)[key] = broken

    return patch


def _nearest_multiple(_original: Any) -> Any:
    def nearest(amount: int, percent: int, coin: int) -> int:
        return (amount * percent + 50 * coin) // (100 * coin) * coin

    return nearest


def _holder_of_other(original: Any) -> Any:
    def holding(opened: book.Book, wagers: Sequence[Wager], side: Side) -> Any:
        return original(opened, wagers, side.other)

    return holding


def _holder_of_least(original: Any) -> Any:
    def holding(opened: book.Book, wagers: Sequence[Wager], side: Side) -> Any:
        upside_down = [msgspec.structs.replace(wager, stake=10**12 - wager.stake) for wager in wagers]
        return original(opened, upside_down, side)

    return holding


def _nobody_is_somebody(original: Any) -> Any:
    def holding(opened: book.Book, wagers: Sequence[Wager], side: Side) -> Any:
        seat, why = original(opened, wagers, side)
        return (wagers[0].seat, "highest") if seat is None and wagers else (seat, why)

    return holding


def _opened_with(**changes: Callable[[Any], Any]) -> Patch:
    """A patch by which every opened book has some of its fields changed."""

    def make(original: Any) -> Any:
        def opened(rules: Any) -> Any:
            made = original(rules)
            new = {name: change(getattr(made, name)) for name, change in changes.items()}
            return msgspec.structs.replace(made, **new)

        return opened

    def patch() -> None:
        opened = make(book.open_book)
        for name, module in list(sys.modules.items()):
            if name.startswith("baccarat.") and "open_book" in vars(module):
                vars(module)["open_book"] = opened

    return patch


def _progress_with(**changes: Callable[[Any], Any]) -> Patch:
    def make(original: Any) -> Any:
        def progressive(rules: Any) -> Any:
            made = original(rules)
            if made is None:
                return None
            new = {name: change(getattr(made, name)) for name, change in changes.items()}
            return msgspec.structs.replace(made, **new)

        return progressive

    return _replace(settle, "progressive", make)


def _vigorish_on_all(original: Any) -> Any:
    def verdict(*args: Any) -> Any:
        made = original(*args)
        return msgspec.structs.replace(made, vigorish=made.odds is not None)

    return verdict


def _voided_as_lost(original: Any) -> Any:
    def void(*args: Any) -> Any:
        made = original(*args)
        lines = tuple(
            msgspec.structs.replace(line, result=WagerResult.LOSE, net=-line.wager.stake) for line in made.lines
        )
        return msgspec.structs.replace(made, lines=lines)

    return void


def _trigger(state: int) -> Callable[[Any], Any]:
    def make(original: Any) -> Any:
        def end_round(rules: Any, given: must_hit.MustHitState, participants: Any) -> Any:
            return original(rules, msgspec.structs.replace(given, trigger=state), participants)

        return end_round

    return make


def _first_lot(original: Any) -> Any:
    def end_round(rules: Any, given: must_hit.MustHitState, participants: Any) -> Any:
        lot = ((given.lot or 0) + 1) % max(1, len(participants))
        return original(rules, msgspec.structs.replace(given, lot=lot), participants)

    return end_round


def _burns_one_less(original: Any) -> Any:
    def burn(rules: Any, cards: Any) -> Any:
        made = original(rules, cards)
        return msgspec.structs.replace(made, cards=made.cards[:-1], exposed=min(made.exposed, len(made.cards) - 1))

    return burn


def _never(_original: Any) -> Any:
    return lambda *_args, **_kwargs: None


def _backwards(original: Any) -> Any:
    return lambda *args, **kwargs: original(*args, **kwargs)[::-1]


def _negated(original: Any) -> Any:
    return lambda *args: not original(*args)


def _without_special(name: str) -> Patch:
    def patch() -> None:
        SPECIAL[name] = lambda *_args: None

    return patch


ROYAL_1 = ("MA-v1-2:12(i).royal9", "MA-v1-2:12(i).exact")
ROYAL_3 = ("MA-v3-4:12(i).royal9", "MA-v3-4:12(i).two", "MA-v3-4:12(i).any")

TABLE: tuple[tuple[str, str, Patch, tuple[tuple[str, ...], ...]], ...] = (
    ("money.next_multiple", "to the nearest coin", _replace(book, "next_multiple", _nearest_multiple),
     (("MA:12(c).3",), ("NJ:3.3(c)1",))),
    ("money.percentage", "raised to the cent",
     _replace(book, "percentage", lambda _: lambda amount, percent: -(-amount * percent // 100)),
     (("MA:12(c).1",), ("NJ:3.3(c).2", "NJ:3.3(c).1"))),
    ("money.Ratio.payout", "a fraction of a cent dropped",
     _replace(money.Ratio, "payout", lambda _: lambda self, stake: stake * self.to // self.one),
     (("MA:12(b)",), ("NJ:3.3(e)1",), ("NJ:3.3(f) Four",))),
    ("money.Ratio.part", "raised to the cent",
     _replace(money.Ratio, "part", lambda _: lambda self, amount: -(-amount * self.to // self.one)),
     (("MA:8(c)(3)(i)a",),)),
    ("seating.around", "the other way round", _replace(settle, "seats_around", _backwards), (("MA:8(c)(3)",),)),
    ("seating.first_counterclockwise", "the last instead",
     _replace(holder, "first_counterclockwise",
              lambda first: lambda seats, seat_one: first(seats, seat_one={
                  "dealer_left": "dealer_right", "dealer_right": "dealer_left"}[seat_one])),
     (("MA:8(c)(6).1",), ("MA:8(c)(6).2",), ("NJ:3.7(d)5",))),
    ("holder.holder_of_hand", "hands swapped", _replace(holder, "holder_of_hand", _holder_of_other),
     (("MA:8(c)(1).2",), ("MA:8(c)(2).1",), ("NJ:3.7(d)1",), ("NJ:3.7(d)2",))),
    ("holder.holder_of_hand", "the least wager", _replace(holder, "holder_of_hand", _holder_of_least),
     (("MA:8(c)(1).2",), ("MA:8(c)(2).1",), ("NJ:3.7(d)1",), ("NJ:3.7(d)2",))),
    ("holder.holder_of_hand", "nobody wagered, somebody is handed the cards",
     _replace(holder, "holder_of_hand", _nobody_is_somebody),
     (("MA:8(d).4",), ("NJ:3.7(d).1",))),
    ("book.value", "every card a point more",
     _opened_with(value=lambda worth: {card: (points + 1) % 10 for card, points in worth.items()}),
     (("MA:6(b)(1)",), ("MA:6(b)(2)",), ("NJ:3.1(c)1",), ("NJ:3.1(c)2",))),
    ("book.other_side", "ignored", _opened_with(other_side=lambda _: False), (("NJ:3.7(d)6.1",), ("NJ:3.7(d)6.2",))),
    ("book.face_up", "the other style", _opened_with(face_up=lambda each: not each),
     (("MA:8(c).2",), ("NJ:3.7(c).2",))),
    ("book.vig_deferred", "the other collection", _opened_with(vig_deferred=lambda each: not each),
     (("MA:12(d)(1)",), ("MA:12(d)(2)", "MA:12(d)(2)(ii)"), ("NJ:3.3(c)2.1",))),
    ("book.verdict", "vigorish on every win", _replace(book, "_verdict", _vigorish_on_all),
     (("MA:12(e).1",), ("NJ:3.3(g).1",))),
    ("settle.is_exempt", "negated", _replace(settle._Round, "is_exempt", _negated), (("NJ:3.3(e)2",),)),
    ("settle.press_objection", "removed", _replace(settle._Round, "press_objection", _never), (("MA:8(c)(3)(i)a",),)),
    ("settle.void", "wagers lost", _replace(settle, "_void", _voided_as_lost), (("MA:13(e).1",), ("NJ:3.12(e)",))),
    ("hand.is_pair", "never", _replace(coup, "is_pair", lambda _: lambda *_args: False), (("MA:7(a)(7)(i)",),)),
    ("hand.is_pair", "of one suit too",
     _replace(coup, "is_pair", lambda _: lambda one, two: one.rank is two.rank and one.suit is two.suit),
     (("MA:7(a)(7)(i)",),)),
    ("record.free_hand", "wagers admitted", _replace(record, "_free_hand_objection", _never),
     (("MA-v4:7(c)", "MA-v4:1 Free Hand"),)),
    ("record.impossible", "removed", _replace(record, "_card_count_objection", _never),
     (("MA:3(a).1",), ("NJ:3.1(a).1",))),
    ("shoe.burn", "one card less", _replace(shoe, "burn", _burns_one_less),
     (("MA-v1-3:5(e)",), ("MA-v4:5(e)",), ("NJ:3.5(e).4", "NJ:3.5(e).6"))),
    ("must_hit.end_round", "never hits", _replace(settle, "end_round", _trigger(10**12)),
     (("MA-v3-4:12(j).1", "MA-v3-4:12(j).2"),)),
    ("must_hit.end_round", "always hits", _replace(settle, "end_round", _trigger(0)),
     (("MA-v3-4:12(j).1", "MA-v3-4:12(j).2"),)),
    ("must_hit.end_round", "another lot", _replace(settle, "end_round", _first_lot),
     (("MA-v3-4:12(j).1", "MA-v3-4:12(j).2"),)),
    ("royal9.is_royal", "negated", _replace(royal9, "is_royal", _negated), (ROYAL_1, ROYAL_3)),
    ("royal9.is_suited", "negated", _replace(royal9, "is_suited", _negated),
     (("MA-v1-2:12(i).pay5", "MA-v1-2:12(i).pay7"), ("MA-v3-4:12(i).pay5", "MA-v3-4:12(i).pay7"))),
    ("royal9.progressive", "the stake's return inverted", _progress_with(returns_stake=lambda each: not each),
     (("MA-v1-2:12(i).wager",), ("MA-v3-4:12(i).wager",))),
    ("royal9.progressive", "the refill inverted", _progress_with(refills=lambda each: not each),
     (("MA-v1-2:12(i).pay2",),)),
    ("check.limits", "removed", _without_special("limits"), (("MA:7(b).1",), ("NJ:3.2(c).1",))),
    ("check.dragon_odds", "removed", _without_special("dragon odds"), (("NJ:3.3(g).2",),)),
    ("check.royal9", "removed", _without_special("royal9"),
     (("MA-v1-2:12(i).unique",), ("MA-v3-4:12(i).combos",))),
    ("check.must_hit", "removed", _without_special("must_hit"), (("MA-v3-4:12(j).1", "MA-v3-4:12(j).2"),)),
)  # fmt: skip
"""Where, how it is broken, the patch, and the groups of clauses that must notice, each by itself."""
