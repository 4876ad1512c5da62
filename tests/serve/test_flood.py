"""A flood of refusals: the first are recorded whole, the others counted, and every reader of the journal knows it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from baccarat.audit.journal import audit_journals
from baccarat.client import Client, command_id
from baccarat.engine.entries import EnteredAct, Submitted
from baccarat.house.house_book import AddPit
from baccarat.house.stream import HOUSE_STREAM, Stream, table_stream
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.record.entry import NO_BYTES, ActRecord, FoldedRefusals, read_body
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.ops.flood import FIRST_PAUSE, LONGEST_PAUSE, MOST_FLOODS
from baccarat.serve.runtime.refusal_folds import MOST_IDS, PACE, RefusalFolds, write_folds
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import all_entries
from baccarat.serve.store.journal_export import signed_journal
from baccarat.table.actor import Actor, Envelope
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from baccarat.table.step.calling import CallNoMoreBets
from house_of_roles import sign_everybody_on
from postgres_server import PostgresServer
from served import QUICK, audited, fails, run_for, served
from stored_history import verified
from two_nodes import HERE, slow_disk, two_nodes
from two_verifiers import both

TABLE = "ma-midi-4"
AT_ONCE = PACE.at_once
STREAM = table_stream(TABLE)
WHO = "person-" + "0" * 31 + "1"
QUIET: dict[str, Any] = {"betting_seconds": 3600.0, "pace": 60.0}
"""Nothing happens at the tables by itself."""


async def flood(
    live: HouseServer, count: int, *, who: str = WHO, stream: Stream = STREAM, at_once: int = 20
) -> list[tuple[str, EnteredAct]]:
    """Refusals of one person, so many at a time: each with its id, as it was answered."""
    answers = list[tuple[str, EnteredAct]]()
    actor = Actor(who=who, role=Role.PARTICIPANT)
    for number in range(count):
        id_ = command_id()
        live.enter(stream, Leave(seat=9), Envelope(actor=actor, id=id_), partial(note, answers, id_))
        if number % at_once == at_once - 1:
            await live.house.writer.wait_until_flushed()
    await live.house.writer.wait_until_flushed()
    assert len(answers) == count
    assert all(found.refused is not None for _, found in answers)
    return answers


def note(answers: list[tuple[str, EnteredAct]], id_: str, found: EnteredAct) -> None:
    """An answer has come."""
    answers.append((id_, found))


async def again(live: HouseServer, id_: str, seat: int = 9, *, who: str = WHO) -> EnteredAct:
    """The same command, or another, under an id."""
    command, envelope = Leave(seat=seat), Envelope(actor=Actor(who=who, role=Role.PARTICIPANT), id=id_)
    await live.house.load_for(STREAM, command, envelope)
    return live.enter(STREAM, command, envelope)


def records(live: HouseServer, stream: Stream = STREAM) -> list[ActRecord]:
    """The records of a stream, as they are stored."""
    found = (read_body(each.body) for each in all_entries(live.store, stream))
    return [each for each in found if isinstance(each, ActRecord)]


def whole(found: list[ActRecord], who: str = WHO) -> list[ActRecord]:
    return [each for each in found if each.refused is not NO_BYTES and each.who == who]


def folded(found: list[ActRecord]) -> list[FoldedRefusals]:
    return [each.folded for each in found if each.folded is not None]


async def opened(folder: Path) -> HouseServer:
    """A house that nobody serves, which can be closed as a kill would close it."""
    return await open_server(Setting(db=str(folder / "house.db"), **QUICK | QUIET), stopped=fails)


async def killed(live: HouseServer) -> None:
    """End a house without writing anything more."""
    await live.jobs.stop_all()
    await live.close()


def bytes_in(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.iterdir() if each.name.startswith("house.db"))


# ---------------------------------------------------------------------------------------- what is written


@pytest.mark.slow
def test_a_flood_of_ten_thousand_refusals_writes_less_than_100_kb(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **QUIET) as (live, _):
            before = bytes_in(tmp_path)
            answers = await flood(live, 10_000)
            write_folds(live.house, all_in=lambda _stream: True)
            await live.house.writer.wait_until_flushed()
            assert bytes_in(tmp_path) - before < 100_000
            found = records(live)
            assert len(whole(found)) == AT_ONCE
            (fold,) = folded(found)
            assert (fold.who, fold.code, fold.count) == (WHO, "seat_empty", 10_000 - AT_ONCE)
            assert found[-1].folded == fold
            assert whole(found)[-1].at <= fold.first <= fold.last <= found[-1].at
            assert all(found.refused == answers[0][1].refused for _, found in answers), "all of them are told the same"
            assert [each.record is not None for _, each in answers] == [True] * AT_ONCE + [False] * (10_000 - AT_ONCE)

    run_for(work())


def test_no_refusal_of_another_person_code_or_stream_is_folded(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **QUIET) as (live, _):
            await flood(live, 50)
            other, there = WHO[:-1] + "2", table_stream("ma-midi-3")
            await flood(live, AT_ONCE, who=other)
            await flood(live, AT_ONCE, stream=there)
            actor = Actor(who=WHO, role=Role.PARTICIPANT)
            live.enter(STREAM, CallNoMoreBets(), Envelope(actor=actor))
            await live.house.writer.wait_until_flushed()
            found = records(live)
            assert len(whole(found, other)) == len(whole(records(live, there))) == AT_ONCE
            assert len(whole(found)) == AT_ONCE + 1
            audited(live, tmp_path)

    run_for(work())


def test_the_journal_of_a_flooded_house_is_honest_for_all_verifiers_and_says_what_is_not_covered(
    tmp_path: Path,
) -> None:
    async def work() -> None:
        live = await opened(tmp_path)
        await flood(live, 50)
        await live.drain()
        (tmp_path / "house.jsonl").write_bytes(b"".join(signed_journal(live.store)))
        await live.close()

    run_for(work())
    path = tmp_path / "house.jsonl"
    check = verified(tmp_path / "house.db")
    assert not check.findings
    assert check.verified == path.read_bytes().count(b'"record":{')
    gap = f"{50 - AT_ONCE} refusals of 1 person were counted and not decided again"
    report = audit_journals([path])
    assert not report.findings
    assert [gap] == [each for part in report.coverage for each in part.gaps if "counted" in each]
    one, other = both([path])[0]
    assert one.status == other.status == 3
    assert one.checks["refusals"] == other.checks["refusals"] == "holds"


def test_surveillance_reads_the_count_in_the_replay_and_finds_it(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **QUIET) as (live, address):
            house = await sign_everybody_on(live, address)
            await flood(live, 50)
            write_folds(live.house, all_in=lambda _stream: True)
            await live.house.writer.wait_until_flushed()
            path = f"/api/tables/{TABLE}/shoes/1"
            acts = (await house.get(f"{path}/replay?round=1", role=Role.SURVEILLANCE)).json["acts"]
            (told,) = [each for each in acts if not each["act"] and each.get("refused")]
            assert told["refused"]["say"] == "refused 45 times more, counted and not recorded one by one"
            assert told["refused"]["code"] == "seat_empty"
            found = (await house.get(f"{path}/search?words=counted", role=Role.SURVEILLANCE)).json["found"]
            assert [each["seq"] for each in found] == [told["seq"]]

    run_for(work())


# --------------------------------------------------------------------------------------------------- ids


def test_the_id_of_a_counted_refusal_gets_its_first_answer_and_no_other_command(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **QUIET) as (live, _):
            answers = await flood(live, 50)
            for id_, first in (answers[0], answers[AT_ONCE], answers[-1]):
                repeat = await again(live, id_)
                assert repeat.is_repeat
                assert repeat.refused == first.refused
                assert repeat.record == first.record
                other = await again(live, id_, seat=8)
                assert other.refused is not None
                assert other.refused.code is RefusalCode.REPEATED_ID
                assert not other.is_repeat
            mine = await again(live, answers[-1][0], who=WHO[:-1] + "2")
            assert not mine.is_repeat, "an id belongs to a person"
            await live.house.writer.wait_until_flushed()
            audited(live, tmp_path)

    run_for(work())


def test_a_visitor_over_a_socket_is_answered_alike_whether_or_not_the_refusal_is_counted(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **QUIET) as (live, address), Client(address) as client:
            await client.visit()
            async with client.table(TABLE) as table:
                ids = [command_id() for _ in range(3 * AT_ONCE)]
                said = [await table.do("leave", seat=9, id=id_) for id_ in ids]
                assert [each.seq > 0 for each in said] == [True] * AT_ONCE + [False] * 2 * AT_ONCE
                assert {(each.code, each.say, each.cites, each.is_repeat) for each in said} == {
                    (said[0].code, said[0].say, said[0].cites, False)
                }
                assert (await table.do("leave", seat=9, id=ids[-1])).is_repeat
            await live.house.writer.wait_until_flushed()

    run_for(work())


# ------------------------------------------------------------------------------------- ends and restarts


def test_what_was_counted_is_written_when_the_house_closes_and_the_house_opens_again(tmp_path: Path) -> None:
    async def work() -> None:
        live = await opened(tmp_path)
        await flood(live, 50)
        await live.drain()
        await live.close()
        live = await opened(tmp_path)
        (fold,) = folded(records(live))
        assert fold.count == 50 - AT_ONCE
        await flood(live, 50)
        await live.drain()
        assert [each.count for each in folded(records(live))] == [50 - AT_ONCE] * 2
        audited(live, tmp_path)
        await live.close()

    run_for(work())


def test_a_kill_loses_counts_that_were_not_written_and_nothing_else(tmp_path: Path) -> None:
    async def work() -> None:
        live = await opened(tmp_path)
        answers = await flood(live, 50)
        await killed(live)
        live = await opened(tmp_path)
        found = records(live)
        assert len(whole(found)) == AT_ONCE
        assert not folded(found)
        assert (await again(live, answers[0][0])).is_repeat, "whole ones are answered as before, for ever"
        assert not (await again(live, answers[-1][0])).is_repeat, "the docs say so: it is decided again"
        await live.drain()
        audited(live, tmp_path)
        await live.close()

    run_for(work())


@pytest.mark.parametrize("is_killed", [True, False])
def test_a_clock_that_was_set_back_between_two_runs_puts_no_count_before_its_whole_refusal(
    tmp_path: Path, is_killed: bool
) -> None:
    async def work() -> None:
        live = await opened(tmp_path)
        await flood(live, AT_ONCE)
        if not is_killed:
            live.keep_snapshot(after=0)
            await live.drain()
        await killed(live)
        live = await opened(tmp_path)
        clock = live.house.clock
        live.house.clock = lambda: clock() - 3_600_000_000
        await flood(live, 50)
        await live.drain()
        audited(live, tmp_path)
        ((fold,), first) = folded(records(live)), whole(records(live))[0].at
        assert fold.first >= first
        await live.close()

    run_for(work())


def test_a_practice_table_may_drop_the_whole_refusals_and_keep_the_count(tmp_path: Path) -> None:
    async def work() -> None:
        live = await opened(tmp_path)
        await flood(live, 50)
        (last,) = [each.seq for each in records(live)][-1:]
        live.keep_snapshot(after=1)
        write_folds(live.house, all_in=lambda _stream: True)
        await live.house.writer.wait_until_flushed()
        live.keep_snapshot(after=1)
        await live.house.writer.wait_until_flushed()
        await live.house.writer.run_exclusive(lambda: live.store.drop_before(STREAM, last + 1))
        await live.drain()
        await live.close()
        live = await opened(tmp_path)
        left = records(live)
        assert not whole(left)
        assert len(folded(left)) == 1
        await live.drain()
        await live.close()

    run_for(work())


# --------------------------------------------------------------------------------------------- several nodes


@pytest.mark.slow
def test_a_table_that_moves_to_another_node_takes_its_counts_along(postgres: PostgresServer, tmp_path: Path) -> None:
    async def work() -> None:
        async with two_nodes(postgres, tmp_path, **QUIET) as ((one, _), (two, _)):
            stream = table_stream(HERE)
            await flood(one, 50, stream=stream)
            assert two.node is not None
            async with two.node.hold_streams([stream]) as is_here:
                assert is_here
                (fold,) = folded(records(two, stream))
                assert fold.count == 50 - AT_ONCE

    run_for(work())


@pytest.mark.slow
def test_refusals_that_are_decided_again_are_counted_once(postgres: PostgresServer, tmp_path: Path) -> None:
    """While a batch of one node waits for its disk, the other changes what it was decided on."""

    async def work() -> None:
        async with two_nodes(postgres, tmp_path, **QUIET) as ((one, _), (two, _)):
            stream, answered = table_stream(HERE), list[EnteredAct]()
            actor = Actor(who=WHO, role=Role.PARTICIPANT)
            before = one.node.redecided  # type: ignore[union-attr]
            with slow_disk(one) as goes_on:
                for _ in range(50):
                    one.enter(stream, Leave(seat=9), Envelope(actor=actor, id=command_id()), answered.append)
                await asyncio.sleep(0.05)
                assert not answered, "they rest on what is not stored yet"
                add_pit(two)
                await two.house.writer.wait_until_flushed()
                goes_on.set()
                await one.house.writer.wait_until_flushed()
            assert one.node.redecided > before  # type: ignore[union-attr]
            assert len(answered) == 50
            write_folds(one.house, all_in=lambda _stream: True)
            await one.house.writer.wait_until_flushed()
            found = records(one, stream)
            assert len(whole(found)) + sum(each.count for each in folded(found)) == 50

    run_for(work())


def add_pit(live: HouseServer) -> None:
    """Something in the stream that every act at a table reads."""
    live.enter(HOUSE_STREAM, AddPit(name="late"), Envelope(actor=Actor(who="a", role=Role.ADMINISTRATOR)))


# --------------------------------------------------------------------------------------------- by the clock


class Clock:
    """The time of day in microseconds, which leaps, and steady seconds; a test sets both."""

    def __init__(self) -> None:
        self.seconds, self.leap = 1_000.0, 0.0

    def __call__(self) -> int:
        return int((10**6 + self.seconds + self.leap) * 1e6)

    def steady(self) -> float:
        return self.seconds


def refused_at(folds: RefusalFolds, clock: Clock, *, seat: int = 9, who: str = WHO) -> bool:
    """One more refusal; whether it is only counted. It is answered immediately."""
    asked = Submitted(STREAM, Leave(seat=seat), Envelope(actor=Actor(who=who, role=Role.PARTICIPANT), id=command_id()))
    counted = folds.take(asked, Refused(RefusalCode.SEAT_EMPTY, "nobody_sits_there", ()))
    if counted is not None:
        folds.count(counted)
    return counted is not None


def due(folds: RefusalFolds) -> Iterator[int]:
    return (each.count for _, each in folds.due(all_in=lambda _stream: False))


def test_a_person_who_errs_now_and_then_is_never_folded_even_if_the_clock_is_set_back() -> None:
    clock = Clock()
    folds = RefusalFolds(clock, clock.steady)
    for number in range(1_000):
        assert not refused_at(folds, clock)
        clock.seconds += 1.0
        clock.leap = -3_600.0 if number > 500 else 0.0


def test_a_flood_is_written_when_it_is_over_and_until_then_after_pauses_that_grow() -> None:
    clock = Clock()
    folds = RefusalFolds(clock, clock.steady)
    begun, written = clock.seconds, list[float]()
    while clock.seconds < begun + 3 * 3600:
        refused_at(folds, clock)
        clock.seconds += 0.5
        if any(due(folds)):
            written.append(clock.seconds)
    pauses = [after - before for before, after in pairwise([begun, *written])]
    assert pauses[0] == pytest.approx(FIRST_PAUSE, abs=5)
    assert all(after >= 1.8 * before for before, after in pairwise(pauses[1:5]))
    assert max(pauses) == pytest.approx(LONGEST_PAUSE, abs=2)
    clock.seconds += 25
    assert not list(due(folds)), "it may go on"
    clock.seconds += 10
    assert sum(due(folds)) > 0
    assert not list(due(folds)), "what is written is counted no more"
    assert not refused_at(folds, clock), "the next flood begins with whole refusals"


@pytest.mark.parametrize("leap", [-3_600.0, 3_600.0])
def test_a_clock_that_leaps_puts_no_count_before_its_whole_refusal(leap: float) -> None:
    clock = Clock()
    folds = RefusalFolds(clock, clock.steady)
    for _ in range(AT_ONCE):
        refused_at(folds, clock)
    whole_at = clock()
    clock.leap = leap
    for _ in range(3 * AT_ONCE):
        refused_at(folds, clock)
    ((_, fold),) = folds.due(all_in=lambda _stream: True)
    assert whole_at <= fold.first <= fold.last <= folds.now()


def test_more_floods_and_ids_than_are_remembered_lose_no_count() -> None:
    clock = Clock()
    folds = RefusalFolds(clock, clock.steady)
    people = [f"person {number}" for number in range(MOST_FLOODS + 10)]
    counted = sum(refused_at(folds, clock, who=who) for who in people for _ in range(2 * AT_ONCE))
    assert counted == AT_ONCE * len(people)
    assert sum(each.count for _, each in folds.due(all_in=lambda _stream: True)) == counted
    for _ in range(MOST_IDS + 100):
        refused_at(folds, clock)
    assert len(folds._answers) == MOST_IDS
