"""Options that hold more than a word or a number, or depend on others: each with its own check."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baccarat.cards import Suit
from baccarat.law.edition import pay_entry
from baccarat.law.error import nearest
from baccarat.law.option_value import allowed_in_words
from baccarat.law.section import Option
from baccarat.law.submission import MOST_CONTRIBUTIONS, Limit, MustHit, Royal9Elections, odds
from baccarat.law.submission_check import SubmissionCheck
from baccarat.money import Cents, Ratio


def _check_limits(course: SubmissionCheck, key: str, option: Option, value: dict[str, Limit]) -> None:
    offered = {
        name for name, wager in course.edition.wagers.items()
        if wager.law.offered is None or course.meets({wager.law.offered: True})
    }  # fmt: skip
    fixed = {name for name, wager in course.edition.wagers.items() if wager.law.stake is not None}
    for name in sorted(offered - fixed - set(value)):
        say = "limits not stated for a wager that is offered"
        course.fault(f"{key}.{name}", say, allowed_in_words(option), option.cite)
    for name, limit in value.items():
        place = f"{key}.{name}"
        if name not in course.edition.wagers:
            hint = nearest(name, course.edition.wagers)
            course.fault(place, "no such wager in this edition", f"did you mean {hint!r}?" if hint else "leave it out",
                         option.cite)  # fmt: skip
        elif name in fixed:
            course.fault(place, "the document fixes this wager's stake", "leave it out", option.cite)
        elif limit.max < limit.min:
            say = f"max {Cents(limit.max)} is below min {Cents(limit.min)}"
            course.fault(place, say, "max at least min", option.cite)
        elif limit.min % limit.increment or limit.max % limit.increment:
            say = f"min {Cents(limit.min)} and max {Cents(limit.max)} are not both multiples of the increment"
            course.fault(place, say, f"multiples of {Cents(limit.increment)}", option.cite)


def _check_dragon_odds(course: SubmissionCheck, key: str, option: Option, value: dict[str, int | str]) -> None:
    rows = course.edition.pays["dragon"]
    table = course.value("dragon_paytable")
    for row, written in value.items():
        if row not in rows:
            near = nearest(row, rows)
            known = f"did you mean {near!r}?" if near else ", ".join(rows)
            course.fault(f"{key}.{row}", "no such row", known, option.cite)
            continue
        entry = pay_entry(course.edition, f"dragon.{row}")
        if table not in entry:
            continue  # the pay table itself is at fault
        floor = Ratio.parse(entry[table]["odds"])
        try:
            pays = odds(written)
        except ValueError as error:
            course.fault(f"{key}.{row}", str(error), f"at least {floor}", option.cite)
            continue
        if not pays.at_least(floor):
            course.fault(f"{key}.{row}", f"{pays} is below schedule {table}", f"at least {floor}", option.cite)


def _check_royal9(course: SubmissionCheck, key: str, _option: Option, value: Royal9Elections) -> None:
    law = course.edition.royal9
    assert law is not None, "an edition with the option royal9 has its section"
    meters = {meter.name: meter for meter in law.meter}
    if law.chairs != "submission":
        tables = sorted({table for meter in law.meter for table in meter.seed})
        if value.combos is not None or value.rates_bp is not None:
            course.fault(key, "the document itself prints the combinations and rates", "paytable only", law.cite)
        if str(value.paytable) not in tables:
            known = "one of " + ", ".join(tables)
            course.fault(f"{key}.paytable", f"{value.paytable} is no pay table", known, law.cite)
            return
        for name, seed in (value.seeds or {}).items():
            if name not in meters:
                course.fault(f"{key}.seeds.{name}", "no such meter", "one of " + ", ".join(meters), law.cite)
                continue
            printed = meters[name].seed[str(value.paytable)]
            if seed != printed:
                say = f"{Cents(seed)} is not the printed seed"
                course.fault(f"{key}.seeds.{name}", say, f"{Cents(printed)}", meters[name].seed_cite)
        return
    if value.paytable is not None:
        course.fault(f"{key}.paytable", "this edition has one pay table", "leave it out", law.cite)
    for word, entries in (("seeds", value.seeds), ("rates_bp", value.rates_bp)):
        wrong = sorted(set(entries or {}) ^ set(meters))
        if wrong:
            course.fault(f"{key}.{word}", f"missing or unknown: {', '.join(wrong)}", "one each of " + ", ".join(meters),
                         law.chairs_cite)  # fmt: skip
    if sum((value.rates_bp or {}).values()) > 10_000:
        course.fault(f"{key}.rates_bp", "more than the whole wager", "10000 basis points in all", law.chairs_cite)
    _check_combos(course, f"{key}.combos", value.combos or {})


def _check_second_seed(course: SubmissionCheck, key: str, option: Option, value: int) -> None:
    """The rates and the second rate together take no more than the wager."""
    if _taken_bp(course) > 10_000:
        course.fault(key, f"{value} and the meters' rates are more than the wager", "10000 in all", option.cite)


def _taken_bp(course: SubmissionCheck) -> int:
    """What the meters and the second seed take of a Royal 9 wager, in basis points."""
    royal9, law = course.stated.get("royal9"), course.edition.royal9
    if royal9 is None or law is None:
        return 0
    printed = [meter.rate_bp.get(str(royal9.paytable), 0) for meter in law.meter]
    rates = list((royal9.rates_bp or {}).values()) or printed
    return sum(rates) + int(course.value("secondary_seed_bp") or 0)


def _check_depth(course: SubmissionCheck, key: str, option: Option, value: int) -> None:
    """Fewer cards behind the cover card than there are in the shoe."""
    cards = (course.value("decks") or 0) * 52
    if cards and value >= cards:
        course.fault(key, f"{value} cards behind in a shoe of {cards}", f"fewer than {cards}", option.cite)


def _check_combos(course: SubmissionCheck, key: str, combos: Mapping[str, str]) -> None:
    law = course.edition.royal9
    assert law is not None, "only called with a section royal9"
    suits = {suit.value.upper() for suit in Suit}
    seen: dict[str, str] = {}
    for seat, combo in combos.items():
        place, form = f"{key}.{seat}", "king suit and nine suit, two different ones of S H D C, such as SH"
        if not (len(combo) == 2 and set(combo) <= suits):
            course.fault(place, f"{combo!r} is no combination", form, law.chairs_cite)
        elif combo[0] == combo[1]:
            course.fault(place, f"K and 9 of one suit: {combo!r} is suited", form, law.chairs_cite)
        elif combo in seen:
            say = f"{combo!r} is also at seat {seen[combo]}"
            course.fault(place, say, "one that no other seat has", law.chairs_cite)
        seen.setdefault(combo, seat)
    seats = course.value("seats") if course.filed or "seats" in course.stated else len(combos)
    if isinstance(seats, int) and set(combos) != {str(seat) for seat in range(1, seats + 1)}:
        say = f"seats {', '.join(combos) or 'none'}"
        course.fault(key, say, f"one combination for each seat 1 to {seats}", law.chairs_cite)


def _check_must_hit(course: SubmissionCheck, key: str, option: Option, value: MustHit) -> None:
    if value.ceiling <= value.start:
        say = f"{Cents(value.ceiling)} is not above start {Cents(value.start)}"
        course.fault(f"{key}.ceiling", say, "above start", option.cite)
    if value.contributions > MOST_CONTRIBUTIONS:
        say = f"{value.contributions:,} contributions lead from start to ceiling"
        course.fault(f"{key}.ceiling", say, f"at most {MOST_CONTRIBUTIONS:,}", option.cite)
    law = course.edition.wagers[course.edition.must_hit.participants].law if course.edition.must_hit else None
    stake = law.stake.shall if law and law.stake else 0
    taken = _taken_bp(course) * stake // 10_000
    if value.contribution + taken > stake:
        contribution, others = Cents(value.contribution), Cents(taken)
        say = f"{contribution} and the {others} that the other meters take are more than the wager of {Cents(stake)}"
        course.fault(f"{key}.contribution", say, f"at most {Cents(stake - taken)}", option.cite)


SPECIAL: dict[str | None, Callable[[SubmissionCheck, str, Option, Any], None]] = {
    "limits": _check_limits,
    "dragon odds": _check_dragon_odds,
    "royal9": _check_royal9,
    "must_hit": _check_must_hit,
    "depth": _check_depth,
    "second seed": _check_second_seed,
}
"""The check of each, by what the option states."""
