"""Soundness of the steps: each is known, each that is needed is there whatever is elected, in an order that works."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from baccarat.law.error import hint
from baccarat.law.row import as_values
from baccarat.law.section import CARDS, RemedyLaw
from baccarat.law.sound.elections import conditions_met, elections_phrase, possible_elections
from baccarat.law.sound.words import Faults
from baccarat.law.steps import CALL_CARDS, EXPOSE, HOUSE_MONEY, LAST_STEP, OFFER_CUT, STEPS, WITH_OPTION, WITH_SECTION

if TYPE_CHECKING:
    from baccarat.law.edition import Edition


def _rows(edition: Edition) -> Faults:
    """Each row names a step that the table knows, as a step of its own or within another."""
    for index, row in enumerate(edition.steps):
        place = f"step[{index}]"
        kind = STEPS.get(row.name)
        if kind is None:
            yield f"{place}.name: {row.name!r} is no step of a table{hint(row.name, STEPS)}"
        elif kind.within and row.within not in kind.within:
            yield f"{place}.within: {row.name} is an act within {' or '.join(kind.within)}"
        elif not kind.within and row.within is not None:
            yield f"{place}.within: {row.name} is a step of its own, not an act within {row.within!r}"
        section = WITH_SECTION.get(row.name)
        if section is not None and getattr(edition, section) is None:
            yield f"{place}.name: {row.name} needs the section [{section}]"
        for other in edition.steps[:index]:
            if row.name == other.name and not _exclude(row.when, other.when):
                yield f"{place}: a second row for {row.name}, in force together with the first"


def _exclude(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return any(not set(as_values(one[key])) & set(as_values(other[key])) for key in one.keys() & other.keys())


def _order(edition: Edition) -> Faults:
    """No step is listed before one that it must follow, and none after the last."""
    rows = [(index, row) for index, row in enumerate(edition.steps) if row.within is None]
    for index, row in rows:
        for later, other in rows:
            if later <= index or _exclude(row.when, other.when):
                continue
            if other.name in STEPS[row.name].after:
                yield f"step[{index}]: {row.name} comes after {other.name}, which is step[{later}]"
            if row.name == LAST_STEP:
                yield f"step[{later}]: {other.name} comes after {LAST_STEP}, with which a round ends"


def _needed_step_faults(edition: Edition) -> Faults:
    """A step that is needed is in force under every election that needs it."""
    for name, why, under in _needs(edition):
        rows = [row for row in edition.steps if row.name == name]
        for elections in possible_elections(edition, [under, *(row.when for row in rows)]):
            if conditions_met(under, elections) and not any(conditions_met(row.when, elections) for row in rows):
                yield f"step: {name} is missing{elections_phrase(elections)}; {why}"
                break
    for index, row in enumerate(edition.steps):
        for needed in (*STEPS[row.name].needs, *([row.within] if row.within else [])):
            whens = [other.when for other in edition.steps if other.name == needed]
            for elections in possible_elections(edition, [row.when, *whens]):
                if conditions_met(row.when, elections) and not any(conditions_met(when, elections) for when in whens):
                    yield f"step[{index}]: {row.name} needs {needed}, which is missing{elections_phrase(elections)}"
                    break


def _needs(edition: Edition) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Every step that something makes necessary: its name, why, and under which elections."""
    for name, kind in STEPS.items():
        if kind.always:
            yield name, "no shoe can be played without it", {}
    for name, (option, under) in WITH_OPTION.items():
        if option in edition.options:
            yield name, f"option.{option} may ask for it", under
    for name, section in WITH_SECTION.items():
        if getattr(edition, section) is not None:
            yield name, f"the section [{section}] asks for it", {}
    if edition.cut.start_cite and "cut_mode" not in edition.options:
        yield OFFER_CUT, "cut.start_cite says to whom the cut is offered first", {}
    if any(call.name == CARDS for call in edition.calls):
        yield CALL_CARDS, "the call 'cards' is made in it", {}
    for wager in edition.wagers.values():
        if wager.law.early:
            under = {wager.law.offered: (True,)} if wager.law.offered else {}
            yield HOUSE_MONEY, f"wager.{wager.name} is settled in it", under
    error = edition.error_card
    for place, remedy in (
        ("error_card.third_seen", error.third_seen), ("error_card.seen", error.seen), ("face_up", edition.face_up),
    ):  # fmt: skip
        for under in _shows_discards(remedy):
            yield EXPOSE, f"the remedy discard_value in {place} shows cards in it", under


def _left_out_faults(edition: Edition) -> Faults:
    """A step that every document so far has is there, or the edition says that it is left out."""
    usual = [name for name, kind in STEPS.items() if kind.usual]
    named = {row.name: index for index, row in reversed([*enumerate(edition.steps)])}
    for index, name in enumerate(edition.steps_left_out):
        place = f"steps_left_out[{index}]"
        if name not in usual:
            yield f"{place}: {name!r} is no step that may be left out; these may: {', '.join(usual)}"
        if name in named:
            yield f"{place}: {name} is not left out; it is step[{named[name]}]"
        if name in edition.steps_left_out[:index]:
            yield f"{place}: {name!r} occurs twice"
    for name in usual:
        if name not in named and name not in edition.steps_left_out:
            so = f'say so at the top of the file: steps_left_out = ["{name}"]'
            yield f"step: {name} is missing; if the document has no such step, {so}"


def _shows_discards(remedy: RemedyLaw) -> Iterator[Mapping[str, Any]]:
    """The elections under which a remedy shows the cards that it discards."""
    if remedy.fixed == "discard_value":
        yield {}
    shown = tuple(value for value, choice in remedy.choices.items() if choice.remedy == "discard_value")
    if remedy.option is not None and shown:
        yield {remedy.option: (*shown, *(int(value) for value in shown if value.isdigit()))}


CHECKS = (_rows, _order, _needed_step_faults, _left_out_faults)
