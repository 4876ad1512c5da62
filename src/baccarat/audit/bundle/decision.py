"""Deciding a bundle again: every act of its run, by the rules that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
from msgspec import UNSET

from baccarat.audit.bundle.form import ALL, DAY, ROUND, SHOE, Bundle, day_of
from baccarat.audit.bundle.verdict import BundleCheck, failed_check, gap_check, passed_check
from baccarat.audit.finding import JournalFinding
from baccarat.audit.house_stream import HouseStreams
from baccarat.audit.impossible import IMPOSSIBLE_STATE_ERRORS
from baccarat.audit.shuffle import RevealedShoe
from baccarat.audit.table_stream import TableStream
from baccarat.engine.redecide import RULED_OTHERWISE, other_version
from baccarat.engine.refusal_index import RefusalIndex
from baccarat.law.rulebook import Rulebook
from baccarat.record.canonical import is_written, read_canonical
from baccarat.record.entry import NO_BYTES, ActRecord
from baccarat.record.journal import JournalLine
from baccarat.record.misread import MISREAD, why_unread
from baccarat.table.correctable_event import no_event
from baccarat.table.invariant import worth
from baccarat.table.machine import Table
from baccarat.table.state import TableState
from baccarat.table.step.revealing import OrderDisproved, ReportLostSeed, RevealSeed, SeedLost, SeedRevealed

DECIDED_AGAIN, STATE_BEFORE, SCOPE = "decided again", "state before", "scope"
Watch = Callable[[Table], None]
"""Sees the table before each record, and after the last."""


def redecision_checks(
    bundle: Bundle,
    lines: list[tuple[int, JournalLine]],
    rules: dict[str, Rulebook],
    house: HouseStreams | None = None,
    seeds: dict[str, RevealedShoe] | None = None,
) -> tuple[list[BundleCheck], int]:
    """The checks that every act is decided again and that the bundle covers its scope; and how many were decided."""
    seen: list[tuple[int, int]] = []
    opening = lines[0][1]
    name = opening.entry.rulebook if bundle.before is None else bundle.before.rulebook
    if name not in rules:
        return [gap_check(DECIDED_AGAIN, "nothing was decided again: its rules are not known")], 0
    unknown = other_version(opening.entry)
    if unknown is not None:
        return [failed_check(DECIDED_AGAIN, unknown.say)], 0
    stream = TableStream(
        rules[name], opening, file="", seeds=seeds, refusals=RefusalIndex(whole=bundle.before is None), house=house
    )

    def watch(table: Table) -> None:
        seen.append((table.state.shoe.number + 1, table.state.round.number))

    try:
        checks = list(_run(bundle, stream, run_of(lines), watch))
    except IMPOSSIBLE_STATE_ERRORS as error:
        rests = "" if bundle.before is None else " from the state that the bundle states"
        say = f"record {_last_seq(seen, lines)} cannot be decided{rests}: {type(error).__name__}"
        return [failed_check(DECIDED_AGAIN, say)], 0
    if bundle.scope.kind != ALL and seen and checks[0].state != "wrong":
        checks += _scope_checks(bundle, lines, seen)
    return checks, stream.decided


def _last_seq(seen: list[tuple[int, int]], lines: list[tuple[int, JournalLine]]) -> int:
    return lines[min(len(seen), len(lines) - 1)][1].entry.seq


def _run(bundle: Bundle, stream: TableStream, run: list[JournalLine], watch: Watch) -> Iterator[BundleCheck]:
    # A run that begins later than the table needs the state before it, which the bundle states without proof.
    if bundle.before is not None:
        try:
            state = read_canonical(bytes(bundle.before.state), TableState)
        except MISREAD as error:
            say = why_unread(bytes(bundle.before.state), TableState, error)
            yield failed_check(DECIDED_AGAIN, f"the state before is not the state of a table: {say}")
            return
        if not is_written(bytes(bundle.before.state), state):
            yield failed_check(DECIDED_AGAIN, "the state before is not encoded as a table's state is")
            return
        if "number" not in msgspec.json.decode(bytes(bundle.before.state)).get("shoe", {}):
            yield failed_check(DECIDED_AGAIN, "the state before does not say how many shoes were closed")
            return
        if stream.table.state.cards not in (UNSET, state.cards):  # an old table may have said it later
            yield failed_check(DECIDED_AGAIN, "the state before the run is of a different kind of table")
            return
        if state.witnesses is UNSET and stream.table.state.witnesses is not UNSET:
            yield failed_check(DECIDED_AGAIN, "the state before the run does not state the witnesses of the table")
            return
        if state.reveal_within != stream.table.state.reveal_within:
            yield failed_check(DECIDED_AGAIN, "the state before the run has another deadline for seeds")
            return
        if state.shoe.commitment is not None or state.shoe.next or state.round.number != 1:
            yield failed_check(DECIDED_AGAIN, "the run does not begin where a shoe begins")
            return
        stream.table = Table.from_snapshot(stream.table.rules, state, events=bundle.before.events, event_at=no_event)
        stream.worth = worth(state)
    # Decide every record again; `watch` sees the table before each of them.
    found: list[JournalFinding] = []
    for line in run:
        watch(stream.table)
        found += stream.check_record(line)
    watch(stream.table)
    yield _decision_check(found, len(run))
    for say in stream.gaps():
        yield gap_check(DECIDED_AGAIN, say)
    if bundle.before is None:
        yield passed_check(STATE_BEFORE, "the run begins with the table itself: nothing before it has to be trusted")
    else:
        first = bundle.before.seq + 1
        yield gap_check(
            STATE_BEFORE, f"the state of the table before record {first:,} is stated by the bundle, not proved"
        )


def run_of(lines: list[tuple[int, JournalLine]]) -> list[JournalLine]:
    """The records numbered without a gap; a late one, which opens the seed, has no hash."""
    return [line for _, line in lines[1:] if line.hash]


def opens_seed(record: ActRecord) -> bool:
    """Whether a record only opens a seed or reports it lost, by an authorized person, and has exactly that event.

    Nobody knows the state before a late record, so that it cannot be decided again: its form decides.
    """
    if record.shown is not NO_BYTES or record.joined or len(record.events) != 1 or record.who is None:
        return False
    raw = bytes(record.events[0])
    try:
        command = msgspec.json.decode(bytes(record.command), type=RevealSeed | ReportLostSeed)
        event = msgspec.json.decode(raw, type=SeedRevealed | OrderDisproved | SeedLost)
    except MISREAD:
        return False
    if isinstance(command, RevealSeed):
        is_its_own = not isinstance(event, SeedLost) and event.seed == command.seed
        return is_its_own and record.origin in command.ORIGINS and not record.approvals
    approver = record.actor.approved_by(command.name, *command.SECOND)
    made = SeedLost(reason=command.reason, requester=record.who, approver=approver, cites=event.cites)
    return event == made and record.role in command.ROLES and approver not in {"", record.who}


def _decision_check(found: list[JournalFinding], count: int) -> BundleCheck:
    faults = [each for each in found if each.kind != RULED_OTHERWISE]
    if faults:
        told = [_fault(each) for each in faults]
        return failed_check(DECIDED_AGAIN, told[0], more=told[1:])
    if found:
        say = f"record {found[0].record}: {found[0].say}; that is not a forgery"
        return gap_check(DECIDED_AGAIN, f"{len(found)} of {count:,} acts would be ruled differently now: {say}")
    return passed_check(
        DECIDED_AGAIN, f"{count:,} acts, each with its outcome: cards, counts, results, payments to the cent"
    )


def _fault(found: JournalFinding) -> str:
    clauses = f" ({', '.join(found.clauses)})" if found.clauses else ""
    return f"{found.stream} record {found.record}: {found.say}{clauses}"


def _scope_checks(
    bundle: Bundle, lines: list[tuple[int, JournalLine]], seen: list[tuple[int, int]]
) -> Iterator[BundleCheck]:
    """Whether the run ends where the scope says; the last item of `seen` is the table after it."""
    scope, (shoe, round_), after = bundle.scope, seen[-2], seen[-1]
    if scope.kind == ROUND and (shoe, round_) != (scope.shoe, scope.round):
        yield failed_check(SCOPE, f"it ends in round {round_} of shoe {shoe}, not in {scope}")
    elif scope.kind == DAY:
        yield from _day_scope_checks(bundle, lines)
    elif scope.kind == SHOE and {number for number, _ in seen[:-1]} != {scope.shoe}:
        yield failed_check(SCOPE, f"it has records of shoe {shoe}, but its scope is {scope}")
    else:
        yield passed_check(SCOPE, str(scope))
        if (scope.kind == ROUND and after == (shoe, round_)) or (scope.kind == SHOE and after[0] == shoe):
            yield gap_check(SCOPE, f"the {scope.kind} was not over at its last record")


def _day_scope_checks(bundle: Bundle, lines: list[tuple[int, JournalLine]]) -> Iterator[BundleCheck]:
    """Check that the last record is of the day; what came before the first shoe or after the last record is unknown."""
    last = run_of(lines)[-1].entry
    if day_of(last.at) != bundle.scope.day:
        yield failed_check(
            SCOPE, f"its last record is of {day_of(last.at) or 'no day'}, but its scope is {bundle.scope}"
        )
        return
    yield passed_check(SCOPE, str(bundle.scope))
    yield gap_check(
        SCOPE, "it is not known whether more was done on that day, before the first record or after the last"
    )
