"""Notices: who must be notified of a change of an option, in writing, and how long before it takes effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

from baccarat.house.reason import HouseReason, refuse
from baccarat.law.rulebook import Rulebook
from baccarat.law.section import NoticeLaw
from baccarat.play.refusal import Refused
from baccarat.table.bounds import Instant, Label, Means, check_elected

MINUTE = 60
NOTICE_RECIPIENTS: tuple[str, ...] = get_args(get_args(get_type_hints(NoticeLaw)["to"])[0])
"""Whom a document may require to be notified of a change."""


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """One notice that was given: to whom, of which election in which pit, when, in seconds of the house's clock."""

    to: Annotated[Label, Means("who is notified", choices=NOTICE_RECIPIENTS)]
    pit: Annotated[Label, Means("the pit")]
    option: Annotated[Label, Means("the option that changes")]
    value: Annotated[Any, Means("its new value")]
    sent: Annotated[Instant, Means("when it is sent")]
    written: Annotated[bool, Means("whether it is in writing")] = True

    def __post_init__(self) -> None:
        check_elected("value", self.value)


UnusedNotices = Callable[[str], Sequence[Notice]]
"""Gives the notices of an option on which no act has relied yet."""


class OptionChange(msgspec.Struct, frozen=True, kw_only=True):
    """One option that is to change at a table: from what, to what; an opening table had nothing before."""

    option: str
    before: Any
    after: Any
    opening: bool = False


def is_on(value: Any) -> bool:
    """Whether an election turns something on: it is not silence, false or *none*."""
    return value not in (None, False, "none")


def is_needed(law: NoticeLaw, change: OptionChange) -> bool:
    """Whether the law requires a notice of a change."""
    match law.when:
        case "any change":
            return bool(change.before != change.after)
        case "start or stop":
            return is_on(change.before) is not is_on(change.after)
        case "increase":
            return not change.opening and (change.after or 0) > (change.before or 0)


def minutes_of(law: NoticeLaw, rules: Rulebook) -> int:
    """How many minutes must pass between the notice and the change: the document's, or the filed number."""
    if isinstance(law.minutes, int):
        return law.minutes
    filed = rules.elects(law.minutes["option"])
    assert isinstance(filed, int), "an option that holds minutes has a default"
    return filed


def changes(
    before: Rulebook | None, after: Rulebook, *, opening: bool = False
) -> Iterator[tuple[NoticeLaw, OptionChange]]:  # fmt: skip
    """The changes between two rulebooks of a table of which the law requires a notice."""
    for law in after.edition.notices:
        for option in law.options:
            held = None if before is None else before.elects(option)
            change = OptionChange(option=option, before=held, after=after.elects(option), opening=opening)
            if is_needed(law, change):
                yield law, change


def notices_relied_on(
    before: Rulebook | None,
    after: Rulebook,
    unused_of: UnusedNotices,
    *,
    pit: str,
    effective: int,
    opening: bool = False,
) -> tuple[Notice, ...] | Refused:
    """The notices by which a table may adopt other rules at a time, or why it may not; `unused_of`
    gives those of an option that may serve."""
    used: list[Notice] = []
    for law, change in changes(before, after, opening=opening):
        minutes = max(minutes_of(law, rules) for rules in (before, after) if rules is not None)
        given = [notice for notice in unused_of(change.option) if notice.pit == pit]
        if isinstance(found := _find_notices(law, change, after, given, latest=effective - minutes * MINUTE), Refused):
            return found
        used += found
    return tuple(dict.fromkeys(used))


class NeededNotice(msgspec.Struct, frozen=True, kw_only=True):
    """A notice without which a table may not adopt other rules, and the one that was given, if any."""

    to: str
    option: str
    value: Any
    minutes: int
    cites: tuple[str, ...]
    given: Notice | None = None

    @property
    def ripe_at(self) -> int | None:
        """From when a change may rely on it, in seconds; None while it has not been given."""
        return None if self.given is None else self.given.sent + self.minutes * MINUTE


def needed_notices(
    before: Rulebook | None, after: Rulebook, unused_of: UnusedNotices, *, pit: str
) -> tuple[NeededNotice, ...]:
    """Every notice that a change of a table's rules needs, with those that have been given in writing."""
    found: list[NeededNotice] = []
    for law, change in changes(before, after):
        minutes = max(minutes_of(law, rules) for rules in (before, after) if rules is not None)
        written = [each for each in unused_of(change.option) if each.pit == pit and each.written]
        for whom in law.to:
            given = [notice for notice in written if notice.to == whom and _is_of(notice, change)]
            found.append(
                NeededNotice(
                    to=whom,
                    option=change.option,
                    value=change.after,
                    minutes=minutes,
                    cites=after.edition.cite_text(*law.cite),
                    given=min(given, key=lambda notice: notice.sent, default=None),
                )
            )
    return tuple(found)


def required_notice(notice: Notice, rulebooks: Iterable[Rulebook]) -> tuple[int, tuple[str, ...]] | None:
    """How long before, in minutes, a notice is due under the rules of some table, and by which clauses; None if no
    clause asks for it."""
    for rules in rulebooks:
        for law in rules.edition.notices:
            if notice.option in law.options and notice.to in law.to:
                return minutes_of(law, rules), rules.edition.cite_text(*law.cite)
    return None


def _find_notices(
    law: NoticeLaw, change: OptionChange, rules: Rulebook, given: list[Notice], *, latest: int
) -> list[Notice] | Refused:
    """One written notice to everyone whom the law names, the latest of them early enough (reading A-71)."""
    used: list[Notice] = []
    option = change.option
    for whom in law.to:
        found = [notice for notice in given if notice.to == whom and _is_of(notice, change)]
        if not found:
            why, after = HouseReason.NO_NOTICE, change.after
            return refuse(rules, why, "no_notice_given", *law.cite, option=option, after=after, whom=whom)
        written = [notice for notice in found if notice.written]
        if not written:
            return refuse(rules, HouseReason.NOT_WRITTEN, "notice_not_in_writing", *law.cite, option=option, whom=whom)
        first = min(written, key=lambda notice: notice.sent)
        if first.sent > latest:
            why, late = HouseReason.TOO_LATE, first.sent - latest
            return refuse(rules, why, "notice_too_late", *law.cite, option=option, whom=whom, seconds=late)
        used.append(first)
    return used


def _is_of(notice: Notice, change: OptionChange) -> bool:
    """Whether a notice is about this election; that something ends may be written as any kind of "off"."""
    alike = notice.value == change.after or not (is_on(notice.value) or is_on(change.after))
    return notice.option == change.option and alike
