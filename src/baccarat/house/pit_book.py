"""The book of a pit: notices that are given, and all that happens to its tables."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET

from baccarat.house.book import Aggregate, BookOutcome, Context, HouseEvent, house_cite
from baccarat.house.notice import Notice
from baccarat.house.option_change import ChangeOptions, OptionsChanged, change_options, changes_text, evolve_changed
from baccarat.house.pit import Pit, PitCommand, pit_clauses, refuse_option
from baccarat.house.reason import HouseReason, refuse
from baccarat.house.table_opening import OpenTable, TableOpened, evolve_opened, open_table
from baccarat.house.table_statement import (
    WITNESSES,
    ChangeWitnesses,
    StateTableKind,
    TableKindStated,
    WitnessesNamed,
    change_witnesses,
    evolve_kind,
    evolve_named,
    state_table_kind,
)
from baccarat.law.edition import Edition, load_edition, loadable_editions
from baccarat.law.rulebook import Rulebook
from baccarat.table.bounds import Means
from baccarat.table.reveal_deadline import deadline_text
from baccarat.table.table_cards import cards_text
from baccarat.table.witness_keys import witnesses_text


class GiveNotice(PitCommand, frozen=True, kw_only=True, tag="give_notice"):
    """Somebody who must be notified of a change is notified."""

    notice: Annotated[Notice, Means("the notice")]


class NoticeGiven(HouseEvent, frozen=True, kw_only=True, tag="notice_given"):
    """A notice is recorded."""

    notice: Notice


def give_notice(context: Context, state: Pit, command: GiveNotice) -> BookOutcome:
    """To this pit, and once."""
    rules, notice = context.rules, command.notice
    if notice.pit != state.name:
        return refuse(rules, HouseReason.NO_SUCH_TABLE, "notice_to_another_pit", *pit_clauses(rules), pit=notice.pit)
    edition = _edition_with(notice.option, rules)
    if edition is None and notice.option != WITNESSES:
        return refuse_option(rules, notice.option)
    if state.number_of(notice) is not None:
        return refuse(rules, HouseReason.TWICE, "notice_on_record", *pit_clauses(rules))
    if edition is None:
        return [NoticeGiven(notice=notice, cites=house_cite(WITNESSES))]
    asked = [key for law in edition.notices if notice.option in law.options for key in law.cite]
    keys = asked or edition.options[notice.option].cite
    return [NoticeGiven(notice=notice, cites=edition.cite_text(*keys))]


def _edition_with(option: str, rules: Rulebook) -> Edition | None:
    """The edition under which a notice of an option is given: the house's own, or another that has such an option.

    A house may have tables of several editions, and a notice comes before its table.
    """
    if option in rules.edition.options:
        return rules.edition
    return next((edition for edition in map(load_edition, loadable_editions()) if option in edition.options), None)


def evolve_notice(state: Pit, event: NoticeGiven) -> Pit:
    """The notice may be relied on."""
    return state.with_notice(event.notice)


PIT = Aggregate(
    "pit",
    Pit,
    handlers={
        GiveNotice: give_notice,
        OpenTable: open_table,
        ChangeOptions: change_options,
        ChangeWitnesses: change_witnesses,
        StateTableKind: state_table_kind,
    },
    evolvers={
        NoticeGiven: evolve_notice,
        TableOpened: evolve_opened,
        OptionsChanged: evolve_changed,
        WitnessesNamed: evolve_named,
        TableKindStated: evolve_kind,
    },
    tellers={
        NoticeGiven: lambda x: (
            f"The {x.notice.to} is notified{'' if x.notice.written else ', not in writing,'} of "
            f"{x.notice.option.replace('_', ' ')} {x.notice.value} in pit {x.notice.pit}, at {x.notice.sent} seconds."
        ),
        TableOpened: lambda x: (
            f"{x.table} opens under {x.filed.ruleset} {x.filed.hash[:12]}, from {x.since} seconds"
            f"{'' if x.cards is UNSET else f': {cards_text(x.cards)}'}"
            f"{'' if x.witnesses is UNSET else f', witnesses: {witnesses_text(x.witnesses)}'}"
            f"{'' if x.reveal_within is UNSET else f', seeds revealed within {deadline_text(x.reveal_within)}'}."
        ),
        WitnessesNamed: lambda x: (
            f"{x.table} has other witnesses from its next shoe on: {witnesses_text(x.witnesses)}; {x.persons_text}."
        ),
        TableKindStated: lambda x: f"{x.table} is stated to be {cards_text(x.cards)}; {x.persons_text}.",
        OptionsChanged: lambda x: (
            f"From {x.since} seconds {changes_text(x.changes.items())} at {', '.join(sorted(x.tables))}."
        ),
    },
)
