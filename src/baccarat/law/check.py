"""The check of a Submission against its edition: all faults together, each with its clause."""

from __future__ import annotations

from collections.abc import Container, Mapping
from contextlib import suppress
from typing import Any

from baccarat.law.edition import Edition, load_edition, shipped_editions
from baccarat.law.error import SubmissionFault, hint, nearest
from baccarat.law.option_value import allowed_in_words, election_text, objection
from baccarat.law.reading import readings
from baccarat.law.row import as_values
from baccarat.law.section import Constraint, Option
from baccarat.law.special_option import SPECIAL
from baccarat.law.submission import FIELDS, bare_sums, dollars_or_cents, read_value
from baccarat.law.submission_check import SubmissionCheck, condition_value
from baccarat.law.typed_value import Misfit
from baccarat.values import brief_repr

MOST_HINTS = 50
"""After this many faults, unknown options are no longer compared with all known ones."""


def check(
    edition: Edition, stated: Mapping[str, Any], *, filed: bool = True, typed: Container[str] = frozenset()
) -> SubmissionCheck:
    """Check the elections; a filed Submission must also state what the document leaves to the licensee.

    `typed` names options that a person wrote, in dollars: a bare number among their sums is a fault.
    """
    course = SubmissionCheck(edition, filed=filed)
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


def _check_bare_sums(course: SubmissionCheck, key: str, value: Any) -> None:
    for path, number in bare_sums(key, value):
        cite = course.edition.options[key].cite
        course.fault(path, f"{number} may be dollars or cents", dollars_or_cents(number), cite)


def _check_seats(course: SubmissionCheck) -> None:
    """Check that the first curator has a seat, and every seat that may play a progressive a combination."""
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


def _read(course: SubmissionCheck, key: Any, value: Any) -> None:
    edition = course.edition
    if not isinstance(key, str):
        course.fault(brief_repr(key), "not the name of an option", _options(edition))
        return
    if key not in FIELDS and key not in edition.options:
        # Finding what was probably meant takes long, and a list this long does not consist of misspellings.
        near = hint(key, edition.options) if len(course.faults) < MOST_HINTS else ""
        course.fault(key, f"no such option{near}", "" if near or course.has_listed_options else _options(edition))
        course.has_listed_options |= not near
        return
    if key not in edition.options:
        if value is False:
            return  # false for an option that the document does not have is no fault
        homes = [law for law in map(load_edition, shipped_editions()) if key in law.options and law is not edition]
        cites = tuple(cite for law in homes for cite in law.cite_text(*law.options[key].cite))
        meant = nearest(key, edition.options)
        say = f"{edition.name} does not know this option" + (f"; it belongs to {' '.join(cites)}" if cites else "")
        instead = f"leave it out, or did you mean {meant!r}?" if meant else "leave it out"
        course.faults.append(SubmissionFault(where=key, say=say, allowed=instead, cites=cites))
        return
    try:
        course.stated[key] = read_value(key, value, edition.options[key])
    except Misfit as misfit:
        course.fault(misfit.path, misfit.say, allowed_in_words(edition.options[key]), edition.options[key].cite)


def _options(edition: Edition) -> str:
    return "an option of this edition: " + ", ".join(edition.options)


def _check_option(course: SubmissionCheck, key: str, option: Option) -> None:
    stated = key in course.stated
    at_fault = {fault.where.partition(".")[0] for fault in course.faults}
    if at_fault & set(option.applies):
        return  # whether it applies cannot be known
    if not course.meets(option.applies):
        if stated and course.stated[key] is not False:
            because = " and ".join(f"{k} is {election_text(condition_value(course.value(k)))}" for k in option.applies)
            course.fault(key, f"does not apply: {because}", "leave it out", option.cite)
        return
    if not stated:
        if course.filed and option.must_be_stated and key not in at_fault:
            say = "not stated; the document leaves it to the licensee"
            course.fault(key, say, allowed_in_words(option), option.cite)
        elif course.filed and option.reading and readings()[option.reading].ask:
            say = f"not stated; reading {option.reading} is ours and not the document's"
            allowed, cites = allowed_in_words(option), course.edition.cite_text(*option.cite)
            course.warnings.append(SubmissionFault(where=key, say=say, allowed=allowed, cites=cites))
        return
    value = course.stated[key]
    wrong = objection(option, value)
    if wrong:
        course.fault(key, wrong, allowed_in_words(option), option.cite)
    elif option.states in SPECIAL:
        SPECIAL[option.states](course, key, option, value)
    floor = course.value(option.warn_below) if isinstance(option.warn_below, str) else option.warn_below
    if isinstance(floor, int) and isinstance(value, int) and not wrong and value < floor:
        names = f"{option.warn_below} ({floor})" if isinstance(option.warn_below, str) else str(floor)
        course.warnings.append(
            SubmissionFault(where=key, say=f"{value} is below {names}", allowed="a warning, not a fault",
                  cites=course.edition.cite_text(*option.cite))
        )  # fmt: skip


def _check_constraint(course: SubmissionCheck, constraint: Constraint) -> None:
    if not course.meets(constraint.when):
        return
    because = " and ".join(f"{key} is {election_text(value)}" for key, value in constraint.when.items())
    at_fault = {fault.where.partition(".")[0] for fault in course.faults}
    for key, wanted in constraint.need.items():
        if key in at_fault:
            continue  # what it is cannot be known
        play = course.edition.options[key].part == "play" and wanted is True
        if not course.filed and key not in course.stated and not play:
            continue  # a round record speaks of the round, not of the felt
        if not course.meets({key: wanted}):
            found = condition_value(course.value(key))
            allowed_ = "offered, with its table" if course.edition.options[key].optional else _alternatives_text(wanted)
            course.fault(key, f"cannot be {election_text(found)}: {because}", allowed_, constraint.cite)
    if constraint.need_any and course.filed and not any(course.value(key) for key in constraint.need_any):
        course.fault(" or ".join(constraint.need_any), f"none is stated: {because}", "one of them", constraint.cite)
    if constraint.differ:
        first, *others = constraint.differ
        for other in others:
            colours = [str(value).strip().casefold() for value in as_values(course.stated.get(other))]
            if first in course.stated and str(course.stated[first]).strip().casefold() in colours:
                say = f"{course.stated[first]!r} is also the colour of {other}"
                course.fault(first, say, f"unlike {other}", constraint.cite)


def _alternatives_text(wanted: Any) -> str:
    return " or ".join(election_text(value) for value in as_values(wanted))


def inapplicable_options(edition: Edition, stated: Mapping[str, Any]) -> list[str]:
    """The stated options that do not apply given the others, as far as these can be read."""
    course, without = _find_inapplicable(edition, stated)
    return [key for key in course.stated if key in without]


def all_inapplicable_options(edition: Edition, stated: Mapping[str, Any]) -> list[str]:
    """Every option, stated or not, that does not apply given what is stated, as far as that can be read."""
    return _find_inapplicable(edition, stated)[1]


def _find_inapplicable(edition: Edition, stated: Mapping[str, Any]) -> tuple[SubmissionCheck, list[str]]:
    course = SubmissionCheck(edition, filed=True)
    for key, value in stated.items():
        if value is not None and key in edition.options:
            with suppress(ValueError):
                course.stated[key] = read_value(key, value, edition.options[key])
    unread = {key for key, value in stated.items() if value is not None and key not in course.stated}
    terms = ((key, option.applies) for key, option in edition.options.items())
    return course, [key for key, applies in terms if not unread & set(applies) and not course.meets(applies)]
