"""Soundness of what is elected: options, conditions on them, choices among procedures, records, clauses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from baccarat.law.error import hint
from baccarat.law.row import as_values
from baccarat.law.section import Option, RemedyLaw
from baccarat.law.sound.words import Faults, choices, is_among, leaves, reading_names, unknown_word
from baccarat.law.submission import FIELDS, OWN_STATEMENTS, odds, read_value
from baccarat.law.typed_value import Misfit
from baccarat.law.wager_name import NAME_FORM, is_name

if TYPE_CHECKING:
    from baccarat.law.edition import Edition

STATEMENT_EXAMPLES = {
    "text": "layout_approval", "one kind": "backs", "limits": "limits", "part": "house_money_portion",
    "odds": "tie_odds", "dragon odds": "dragon_odds", "royal9": "royal9", "must_hit": "must_hit",
    "sum": "goodwill_limit",
}  # fmt: skip
"""For each form of a statement, an option whose value has its type; every other form is a number."""
WORDS = ("text", "odds")


def _options(edition: Edition) -> Faults:
    for key, option in edition.options.items():
        place = f"option.{key}"
        if key not in FIELDS:
            yield from _own_option_faults(edition, place, key, option)
        if option.reading is not None:
            yield from unknown_word(f"{place}.reading", option.reading, reading_names(), "reading")
        known, like = FIELDS.get(key), STATEMENT_EXAMPLES.get(option.states or "", "cover_card_depth")
        if known is not None and option.states is not None and FIELDS[like] != known:
            yield f"{place}.states: this option is not stated as {option.states}"
        limits = [each for each in (option.at_least, option.at_most) if each is not None]
        if option.states is None and not (choices(option) or limits):
            yield f"{place}: says neither shall, may, elect, at_least, at_most nor states"
        if [option.shall is not None, option.may, bool(option.elect)].count(True) > 1:
            yield f"{place}: says more than one of shall, may and elect"
        for value in (option.shall, option.may or None, option.at_least, option.at_most, *option.elect):
            if value is not None and (say := _value_fault(key, value, option)) is not None:
                yield f"{place}: {value!r} cannot be its value: {say}"
        yield from _default(place, key, option)
    if "seats" not in edition.options:
        yield "option: no option 'seats', which says how many seats there are"


def _own_option_faults(edition: Edition, place: str, key: str, option: Option) -> Faults:
    """An option that the program does not know: well named, of a known form, and not a misspelling."""
    if not is_name(key) or key in ("ruleset", "own"):
        yield f"{place}: an option cannot be called {key!r}; expected {NAME_FORM}"
    if option.states is not None and option.states not in OWN_STATEMENTS:
        yield f"{place}.states: {option.states} belongs to an option that the program knows{hint(key, FIELDS)}"
    others = {word: entry for word, entry in edition.table["option"].items() if word != key}
    speaking = {**edition.table, "option": others, "clause": {}, "record": {}, "physical": {}, "pending": {}}
    if option.states != "text" and key not in _words(speaking):
        yield f"{place}: nothing in this edition refers to it, and the program does not know it{hint(key, FIELDS)}"


def _words(node: Any) -> Iterator[str]:
    """Every key and every text inside a table."""
    if isinstance(node, Mapping):
        yield from node
        for value in node.values():
            yield from _words(value)
    elif isinstance(node, list):
        for value in node:
            yield from _words(value)
    elif isinstance(node, str):
        yield node


def _default(place: str, key: str, option: Option) -> Faults:
    if option.default is None:
        return
    if (say := _value_fault(key, option.default, option)) is not None:
        yield f"{place}.default: {say}"
    elif option.elect and not is_among(option.default, option.elect):
        yield f"{place}.default: {option.default!r} is not among the choices"
    elif isinstance(option.default, int) and not option.elect and option.default < (option.at_least or 0):
        yield f"{place}.default: {option.default} is below the floor"


def _conditions(edition: Edition) -> Faults:
    """Whatever depends on an election depends on an option of the edition, and on a value that it may have."""
    for place, conditions in _conditions_of(edition):
        for key, wanted in conditions.items():
            if key not in edition.options:
                yield f"{place} refers to {key!r}, which is no option of this edition{hint(key, edition.options)}"
                continue
            if not as_values(wanted):
                yield f"{place}: {key} is allowed no value"
            for value in as_values(wanted):
                if not _can_be(key, edition.options[key], value):
                    yield f"{place}: {key} is never {value!r}"


def _can_be(key: str, option: Option, value: Any) -> bool:
    """Whether a condition may ask for this value: *none* for silence, true for anything but a word or a number."""
    closed = choices(option)
    if value == "none":
        return True
    if closed is not None:
        return is_among(value, closed)
    structured = option.states in STATEMENT_EXAMPLES and option.states not in WORDS
    return value is True if structured else _value_fault(key, value, option) is None


def _value_fault(key: str, value: Any, option: Option) -> str | None:
    """Why an option cannot have this value; None if it can."""
    try:
        read_value(key, value, option)
        if option.states == "odds":  # by its type a number or a text, not all of which are odds
            odds(value)
    except Misfit as misfit:
        return misfit.say
    except ValueError as error:
        return str(error)
    return None


def _conditions_of(edition: Edition) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, option in edition.options.items():
        yield f"option.{key}.applies", option.applies
        yield f"option.{key}.warn_below", {option.warn_below: "none"} if isinstance(option.warn_below, str) else {}
    for index, each in enumerate(edition.constraints):
        yield f"constraint[{index}].when", each.when
        yield f"constraint[{index}].need", each.need
        yield f"constraint[{index}]", dict.fromkeys((*each.need_any, *each.differ), "none")
    for index, call in enumerate(edition.calls):
        yield f"call[{index}].when", call.when
    for index, step in enumerate(edition.steps):
        yield f"step[{index}].when", step.when
    for wager in edition.wagers.values():
        for rule in wager.rules:
            yield rule.path, rule.when
        base = wager.law.base
        yield f"wager.{wager.name}.offered", {wager.law.offered: True} if wager.law.offered else {}
        yield f"wager.{wager.name}.base.option", {base.option: True} if base and base.option else {}
    if edition.vigorish.exempt:
        yield "vigorish.exempt.when", edition.vigorish.exempt.when
    if edition.reveal.other_side:
        yield "reveal.other_side", {edition.reveal.other_side: True}
    for index, uniform in enumerate(edition.uniform):
        yield f"uniform[{index}]", {uniform.option: "none"}
    for index, notice in enumerate(edition.notices):
        minutes = () if isinstance(notice.minutes, int) else notice.minutes.values()
        yield f"notice[{index}]", dict.fromkeys((*notice.options, *minutes), "none")
    for word, law in (("verbal", edition.verbal), ("match_play", edition.match_play), ("free_hand", edition.free_hand)):
        yield f"{word}.offered", {law.offered: True} if law else {}


def election_faults(
    edition: Edition, place: str, key: str, values: Collection[str], *, all_of_them: bool = True
) -> Faults:
    """An election by which something is chosen: it exists, and its choices are exactly these."""
    option = edition.options.get(key)
    if option is None:
        yield f"{place} refers to {key!r}, which is no option of this edition{hint(key, edition.options)}"
        return
    elected = {str(value) for value in choices(option) or ()}
    if not elected:
        yield f"{place}: {key} has no list of choices"
    wrong = sorted(elected ^ set(values) if all_of_them else elected - set(values))
    if wrong:
        yield f"{place}: {key} may be {', '.join(sorted(elected))}, but here are {', '.join(sorted(values)) or 'none'}"


def _choosers(edition: Edition) -> Faults:
    style, exposed = edition.reveal.style, edition.burn.exposed
    faces = ("face_up", "face_down")
    if isinstance(style, Mapping):
        yield from election_faults(edition, "reveal.style", style.get("option", ""), faces, all_of_them=False)
    if isinstance(exposed, Mapping):
        yield from election_faults(edition, "burn.exposed", exposed.get("option", ""), faces, all_of_them=False)
    yield from _remedy(edition, "error_card.third_seen", edition.error_card.third_seen)
    yield from _remedy(edition, "error_card.seen", edition.error_card.seen)
    yield from _remedy(edition, "face_up", edition.face_up)


def _remedy(edition: Edition, place: str, law: RemedyLaw) -> Faults:
    if (law.fixed is None) == (law.option is None):
        yield f"{place}: either a fixed remedy, or the option by which one is filed"
    if law.option is not None:
        yield from election_faults(edition, f"{place}.option", law.option, law.choices)
    if law.ten_option is not None:
        tens = ("0", "1", "10")
        yield from election_faults(edition, f"{place}.ten_option", law.ten_option, tens, all_of_them=False)


def _record(edition: Edition) -> Faults:
    for key, value in edition.record.options.items():
        place = f"record.options.{key}"
        yield from unknown_word(place, key, edition.options, "option of this edition")
        if (say := _value_fault(key, value, edition.options[key])) is not None:
            yield f"{place}: {say}"
        closed = choices(edition.options[key])
        if closed is not None and not is_among(value, closed):
            yield f"{place}: {value!r} is not among the choices"
    paid_by = [entry.get("option", entry.get("by")) for _, entry in leaves(edition.pays, "")]
    rate = "vig_rate" if "vig_rate" in edition.options else None
    for key in filter(None, [edition.settlement.option, *paid_by, rate]):
        if edition.options[key].value_if_unstated is None and key not in edition.record.options:
            yield f"record.options: does not say {key}, by which every round is settled"


def _clauses(edition: Edition) -> Faults:
    for whom, keys in edition.pending.items():
        for key in keys:
            yield from unknown_word(f"pending.{whom}", key, edition.clauses, "clause")
    for key in edition.physical:
        yield from unknown_word("physical", key, edition.clauses, "clause")


CHECKS = (_options, _conditions, _choosers, _clauses)
LAST_CHECKS = (_record,)
