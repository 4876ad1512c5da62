"""The check of a Submission against its edition: every fault at once, each with its clause."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from typing import Any

from baccarat.cards import Suit
from baccarat.law.edition import Edition, load_edition, pay_entry, shipped
from baccarat.law.error import Fault, nearest
from baccarat.law.row import as_values
from baccarat.law.section import Constraint, Option
from baccarat.law.submission import FIELDS, Limit, MustHit, Royal9Elections, bare_sums, both_readings, odds, read_value
from baccarat.law.typed import Misfit
from baccarat.money import Cents, Ratio
from baccarat.values import brief


class Checked:
    """The course of one check: what was stated, what holds, what is wrong."""

    def __init__(self, edition: Edition, *, filed: bool) -> None:
        self.edition = edition
        self.filed = filed
        self.stated: dict[str, Any] = {}
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []

    def fault(self, where: str, say: str, allowed: str, cite: tuple[str, ...] = ()) -> None:
        """Note a fault."""
        self.faults.append(Fault(where=where, say=say, allowed=allowed, cites=self.edition.cite_text(*cite)))

    def value(self, key: str) -> Any:
        """The value that holds for an option: stated, or what silence means."""
        if key in self.stated:
            return self.stated[key]
        option = self.edition.options.get(key)
        return None if option is None else option.unstated

    def meets(self, conditions: Mapping[str, Any]) -> bool:
        """Whether the elections meet the conditions; a structured option counts as true when it is there."""
        return all(plain(self.value(key)) in as_values(wanted) for key, wanted in conditions.items())


def plain(value: Any) -> Any:
    """An election as conditions see it: *none* for silence, true for whatever is more than a word or number."""
    if value is None:
        return "none"
    return value if isinstance(value, bool | int | str) else True


def check(
    edition: Edition, stated: Mapping[str, Any], *, filed: bool = True, typed: Container[str] = frozenset()
) -> Checked:
    """Check the elections; a filed Submission must also state what the document leaves to the licensee.

    `typed` are options that a person wrote, who writes dollars: a bare number among their sums is a fault.
    """
    course = Checked(edition, filed=filed)
    for key, value in stated.items():
        if value is not None:
            if key in typed and key in edition.options:
                _check_bare_sums(course, key, value)
            _read(course, key, value)
    for key, option in edition.options.items():
        _check_option(course, key, option)
    _check_seats(course)
    for constraint in edition.constraints:
        _check_constraint(course, constraint)
    return course


def _check_bare_sums(course: Checked, key: str, value: Any) -> None:
    for path, number in bare_sums(key, value):
        course.fault(path, f"{number} may be dollars or cents", both_readings(number), course.edition.options[key].cite)


def _check_seats(course: Checked) -> None:
    """There is a seat for the first curator, and a combination for every seat that may play a progressive."""
    seats, law = course.stated.get("seats"), course.edition
    at_fault = any(fault.where == "seats" for fault in course.faults)
    if not isinstance(seats, int) or not course.filed or at_fault:
        return
    if law.curator is not None and seats < law.curator.first_seat:
        say = f"{seats} seats, but the shoe is offered first to seat {law.curator.first_seat}"
        course.fault("seats", say, f"at least {law.curator.first_seat}", law.curator.cite)
    chairs = law.royal9.chairs if law.royal9 is not None and course.value("royal9") is not None else "submission"
    if chairs != "submission" and seats > len(chairs):
        say = f"{seats} seats, but the document prints combinations for {len(chairs)}"
        assert law.royal9 is not None, "it has been asked for its chairs"
        course.fault("seats", say, f"at most {len(chairs)}", law.royal9.cite)


def _read(course: Checked, key: Any, value: Any) -> None:
    edition = course.edition
    if not isinstance(key, str):
        course.fault(brief(key), "no name of an option", _options(edition))
        return
    if key not in FIELDS and key not in edition.options:
        hint = nearest(key, edition.options)
        if hint:
            course.fault(key, f"no such option; did you mean {hint!r}?", "")
        else:
            course.fault(key, "no such option", _options(edition))
        return
    if key not in edition.options:
        if value is False:
            return  # to say that one does not do what the document does not know is no fault
        homes = [other for other in map(load_edition, shipped()) if key in other.options and other is not edition]
        cites = tuple(cite for other in homes for cite in other.cite_text(*other.options[key].cite))
        hint = nearest(key, edition.options)
        say = f"{edition.name} does not know this option" + (f"; it belongs to {' '.join(cites)}" if cites else "")
        instead = f"leave it out, or did you mean {hint!r}?" if hint else "leave it out"
        course.faults.append(Fault(where=key, say=say, allowed=instead, cites=cites))
        return
    try:
        course.stated[key] = read_value(key, value, edition.options[key])
    except Misfit as misfit:
        course.fault(misfit.path, misfit.say, allowed(edition.options[key]), edition.options[key].cite)


def _options(edition: Edition) -> str:
    return "an option of this edition: " + ", ".join(edition.options)


def allowed(option: Option) -> str:
    """What an option may be, in words."""
    if option.shall is not None:
        return f"shall be {_word(option.shall)}"
    if option.may:
        return "true or false"
    if option.elect:
        return "one of " + ", ".join(map(_word, option.elect))
    if option.states == "odds":
        return f"at least {odds(option.at_least or 0)}"
    floor = [f"at least {option.at_least}"] if option.at_least is not None else []
    ceiling = [f"at most {option.at_most}"] if option.at_most is not None else []
    return " and ".join(floor + ceiling) or FORMS[option.states or "text"]


FORMS = {
    "text": "a text that is not empty",
    "one kind": "a list with one kind",
    "limits": 'min, max and increment for each wager offered, such as "$25.00"',
    "part": "a fraction such as [1, 2], above nothing and at most all",
    "odds": "odds such as 8 or '17 to 2'",
    "depth": "a number of cards",
    "second seed": "basis points of the wager",
    "dragon odds": "odds by row, each no less than the pay table's",
    "royal9": "a table with what the clause leaves to the licensee",
    "must_hit": 'a table with start, ceiling and contribution, such as "$0.25"',
}


def _word(value: Any) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _quoted(value: Any) -> str:
    return repr(value) if isinstance(value, str) else _word(value)


def _check_option(course: Checked, key: str, option: Option) -> None:
    stated = key in course.stated
    at_fault = {fault.where.partition(".")[0] for fault in course.faults}
    if at_fault & set(option.applies):
        return  # whether it applies cannot be known
    if not course.meets(option.applies):
        if stated and course.stated[key] is not False:
            because = " and ".join(f"{k} is {_word(plain(course.value(k)))}" for k in option.applies)
            course.fault(key, f"has no place here: {because}", "leave it out", option.cite)
        return
    if not stated:
        if course.filed and option.must_be_stated and key not in at_fault:
            course.fault(key, "not stated; the document leaves it to the licensee", allowed(option), option.cite)
        return
    value = course.stated[key]
    say = objection(option, value)
    if say:
        course.fault(key, say, allowed(option), option.cite)
    elif option.states in SPECIAL:
        SPECIAL[option.states](course, key, option, value)
    floor = course.value(option.warn_below) if isinstance(option.warn_below, str) else option.warn_below
    if isinstance(floor, int) and isinstance(value, int) and not say and value < floor:
        names = f"{option.warn_below} ({floor})" if isinstance(option.warn_below, str) else str(floor)
        course.warnings.append(
            Fault(where=key, say=f"{value} is below {names}", allowed="a warning, not a fault",
                  cites=course.edition.cite_text(*option.cite))
        )  # fmt: skip


def objection(option: Option, value: Any) -> str | None:
    """Why an option cannot have this value, looked at alone; None if it can."""
    if option.shall is not None:
        return None if value == option.shall and type(value) is type(option.shall) else f"{_word(value)} is not allowed"
    if option.elect:
        fits = any(value == each and type(value) is type(each) for each in option.elect)
        return None if fits else f"{_quoted(value)} is not among the choices"
    if option.states == "text":
        return None if value.strip() else "is empty"
    if option.states == "one kind":
        if any(not each.strip() for each in value):
            return "names a kind by nothing"
        return None if len(set(value)) == 1 else f"{len(set(value))} kinds: {', '.join(value) or 'none'}"
    if option.states == "part":
        part, whole = value
        return None if 0 < part <= whole else f"{part} of {whole} is no part"
    if option.states == "odds":
        return _odds_objection(option, value)
    if option.states in (None, "depth", "second seed") and not option.may:
        if option.at_least is not None and value < option.at_least:
            return f"{value} is below the floor"
        if option.at_most is not None and value > option.at_most:
            return f"{value} is above the ceiling"
    return None


def _odds_objection(option: Option, value: int | str) -> str | None:
    try:
        pays = odds(value)
    except ValueError as error:
        return str(error)
    if not pays.to:
        return f"{pays} pays nothing"
    return None if pays.at_least(odds(option.at_least or 0)) else f"{pays} is below the floor"


def _check_limits(course: Checked, key: str, option: Option, value: dict[str, Limit]) -> None:
    offered = {
        name for name, wager in course.edition.wagers.items()
        if wager.law.offered is None or course.meets({wager.law.offered: True})
    }  # fmt: skip
    fixed = {name for name, wager in course.edition.wagers.items() if wager.law.stake is not None}
    for name in sorted(offered - fixed - set(value)):
        course.fault(f"{key}.{name}", "limits not stated for a wager that is offered", allowed(option), option.cite)
    for name, limit in value.items():
        place = f"{key}.{name}"
        if name not in course.edition.wagers:
            hint = nearest(name, course.edition.wagers)
            course.fault(place, "no such wager in this edition", f"did you mean {hint!r}?" if hint else "leave it out",
                         option.cite)  # fmt: skip
        elif name in fixed:
            course.fault(place, "the document fixes this wager's stake", "leave it out", option.cite)
        elif limit.max < limit.min:
            course.fault(
                place, f"max {Cents(limit.max)} is below min {Cents(limit.min)}", "max at least min", option.cite
            )
        elif limit.min % limit.increment or limit.max % limit.increment:
            say = f"min {Cents(limit.min)} and max {Cents(limit.max)} are not both multiples of the increment"
            course.fault(place, say, f"multiples of {Cents(limit.increment)}", option.cite)


def _check_dragon_odds(course: Checked, key: str, option: Option, value: dict[str, int | str]) -> None:
    rows = course.edition.pays["dragon"]
    table = course.value("dragon_paytable")
    for row, written in value.items():
        if row not in rows:
            hint = nearest(row, rows)
            course.fault(
                f"{key}.{row}", "no such row", f"did you mean {hint!r}?" if hint else ", ".join(rows), option.cite
            )
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


def _check_royal9(course: Checked, key: str, _option: Option, value: Royal9Elections) -> None:
    law = course.edition.royal9
    assert law is not None, "an edition with the option royal9 has its section"
    meters = {meter.name: meter for meter in law.meter}
    if law.chairs != "submission":
        tables = sorted({table for meter in law.meter for table in meter.seed})
        if value.combos is not None or value.rates_bp is not None:
            course.fault(key, "the document itself prints the combinations and rates", "paytable only", law.cite)
        if str(value.paytable) not in tables:
            course.fault(
                f"{key}.paytable", f"{value.paytable} is no pay table", "one of " + ", ".join(tables), law.cite
            )
            return
        for name, seed in (value.seeds or {}).items():
            if name not in meters:
                course.fault(f"{key}.seeds.{name}", "no such meter", "one of " + ", ".join(meters), law.cite)
                continue
            printed = meters[name].seed[str(value.paytable)]
            if seed != printed:
                course.fault(
                    f"{key}.seeds.{name}",
                    f"{Cents(seed)} is not the printed seed",
                    f"{Cents(printed)}",
                    meters[name].seed_cite,
                )
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


def _check_second_seed(course: Checked, key: str, option: Option, value: int) -> None:
    """The rates and the second rate together take no more than the wager."""
    if _taken_bp(course) > 10_000:
        course.fault(key, f"{value} beside the meters' rates is more than the wager", "10000 in all", option.cite)


def _taken_bp(course: Checked) -> int:
    """What the meters and the second seed take of a Royal 9 wager, in basis points."""
    royal9, law = course.stated.get("royal9"), course.edition.royal9
    if royal9 is None or law is None:
        return 0
    printed = [meter.rate_bp.get(str(royal9.paytable), 0) for meter in law.meter]
    rates = list((royal9.rates_bp or {}).values()) or printed
    return sum(rates) + int(course.value("secondary_seed_bp") or 0)


def _check_depth(course: Checked, key: str, option: Option, value: int) -> None:
    """Fewer cards behind the cover card than there are in the shoe."""
    cards = (course.value("decks") or 0) * 52
    if cards and value >= cards:
        course.fault(key, f"{value} cards behind in a shoe of {cards}", f"fewer than {cards}", option.cite)


def _check_combos(course: Checked, key: str, combos: Mapping[str, str]) -> None:
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
            course.fault(
                place, f"{combo!r} stands at seat {seen[combo]} too", "one that no other seat has", law.chairs_cite
            )
        seen.setdefault(combo, seat)
    seats = course.value("seats") if course.filed or "seats" in course.stated else len(combos)
    if isinstance(seats, int) and set(combos) != {str(seat) for seat in range(1, seats + 1)}:
        course.fault(
            key, f"seats {', '.join(combos) or 'none'}", f"one combination for each seat 1 to {seats}", law.chairs_cite
        )


def _check_must_hit(course: Checked, key: str, option: Option, value: MustHit) -> None:
    if value.ceiling <= value.start:
        say = f"{Cents(value.ceiling)} is not above start {Cents(value.start)}"
        course.fault(f"{key}.ceiling", say, "above start", option.cite)
    law = course.edition.wagers[course.edition.must_hit.participants].law if course.edition.must_hit else None
    stake = law.stake.shall if law and law.stake else 0
    taken = _taken_bp(course) * stake // 10_000
    if value.contribution + taken > stake:
        contribution, others = Cents(value.contribution), Cents(taken)
        say = f"{contribution} beside the {others} that the other meters take is more than the wager of {Cents(stake)}"
        course.fault(f"{key}.contribution", say, f"at most {Cents(stake - taken)}", option.cite)


SPECIAL: dict[str | None, Callable[[Checked, str, Option, Any], None]] = {
    "limits": _check_limits,
    "dragon odds": _check_dragon_odds,
    "royal9": _check_royal9,
    "must_hit": _check_must_hit,
    "depth": _check_depth,
    "second seed": _check_second_seed,
}


def _check_constraint(course: Checked, constraint: Constraint) -> None:
    if not course.meets(constraint.when):
        return
    because = " and ".join(f"{key} is {_word(value)}" for key, value in constraint.when.items())
    at_fault = {fault.where.partition(".")[0] for fault in course.faults}
    for key, wanted in constraint.need.items():
        if key in at_fault:
            continue  # what it is cannot be known
        play = course.edition.options[key].part == "play" and wanted is True
        if not course.filed and key not in course.stated and not play:
            continue  # a round record speaks of the round, not of the felt
        if not course.meets({key: wanted}):
            found = plain(course.value(key))
            allowed_ = "offered, with its table" if course.edition.options[key].optional else _either(wanted)
            course.fault(key, f"{_word(found)} does not do: {because}", allowed_, constraint.cite)
    if constraint.need_any and course.filed and not any(course.value(key) for key in constraint.need_any):
        course.fault(" or ".join(constraint.need_any), f"neither is there: {because}", "one of them", constraint.cite)
    if constraint.differ:
        first, *others = constraint.differ
        for other in others:
            colours = [str(value).strip().casefold() for value in as_values(course.stated.get(other))]
            if first in course.stated and str(course.stated[first]).strip().casefold() in colours:
                course.fault(
                    first, f"{course.stated[first]!r} is the colour of {other} too", f"unlike {other}", constraint.cite
                )


def _either(wanted: Any) -> str:
    return " or ".join(_word(value) for value in as_values(wanted))


def inapplicable(edition: Edition, stated: Mapping[str, Any]) -> list[str]:
    """The stated options that have no place beside the others, as far as these can be read."""
    course, without = _without_place(edition, stated)
    return [key for key in course.stated if key in without]


def without_place(edition: Edition, stated: Mapping[str, Any]) -> list[str]:
    """Every option, stated or not, that has no place beside what is stated, as far as that can be read."""
    return _without_place(edition, stated)[1]


def _without_place(edition: Edition, stated: Mapping[str, Any]) -> tuple[Checked, list[str]]:
    course = Checked(edition, filed=True)
    for key, value in stated.items():
        if value is not None and key in edition.options:
            with suppress(ValueError):
                course.stated[key] = read_value(key, value, edition.options[key])
    unread = {key for key, value in stated.items() if value is not None and key not in course.stated}
    return course, [
        key
        for key, option in edition.options.items()
        if not (unread & set(option.applies)) and not course.meets(option.applies)
    ]
