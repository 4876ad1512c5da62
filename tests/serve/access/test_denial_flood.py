"""A flood of denials, and of wrong passwords: the first are lines of the access log, the others are counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from access_house import NOON, AccessHouse
from baccarat.serve.access.base import HOUR, MINUTE, ONE_SECOND, Secret, SystemClock
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.denial_log import DENIALS, FAILED_SIGN_ONS, MOST_ACTS
from baccarat.serve.access.log import AccessEvent, AccessLogEntry, read_log
from baccarat.serve.access.session import Session
from baccarat.serve.act.intake import CommandNotSubmitted, WhyNotSubmitted, submit
from baccarat.serve.job.upkeep import run_upkeep
from baccarat.serve.live import HouseServer
from baccarat.serve.opening import open_server
from baccarat.serve.setting import Setting
from baccarat.table.role import Role
from house_of_roles import Asked, sign_everybody_on
from postgres_server import PostgresServer
from served import QUICK, fails, run_for, served, soon
from two_nodes import owned_by

TABLE = "ma-midi-4"
SIT = b'{"do":"sit","seat":3,"person":"person-00000000000000000000000000000001"}'
"""Nobody sits somebody else down: it is denied before the table decides anything."""
QUIET: dict[str, Any] = {"betting_seconds": 3600.0, "pace": 60.0}


async def session_of(live: HouseServer, house: Asked, role: Role) -> Session:
    found = await live.desk.session(house.tokens[role])
    assert isinstance(found, Session)
    return found


async def flood(live: HouseServer, held: Session, count: int, command: bytes = SIT, *, at_once: int = 20) -> None:
    """Denied acts of one person, so many at a time."""
    for number in range(count):
        with pytest.raises(CommandNotSubmitted) as seen:
            submit(live, held, TABLE, command, id_="", on_durable=lambda _entered: None)
        assert seen.value.why is WhyNotSubmitted.DENIED
        if number % at_once == at_once - 1:
            await live.house.writer.wait_until_flushed()
    await live.house.writer.wait_until_flushed()


def bytes_in(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.glob("house.db*"))


def lines(live: HouseServer) -> list[AccessLogEntry]:
    return [each for each in read_log(live.store, limit=100_000) if each.what is AccessEvent.DENIED]


# ------------------------------------------------------------------------------------------- what is written


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """By how many microseconds the house's steady clock, which stands, has been put forward.

    By the machine's own clock a flood would be over, or pause, as often as the machine is busy with something else.
    """
    begun, forward = SystemClock().steady(), [0]
    monkeypatch.setattr(SystemClock, "steady", lambda _clock: begun + forward[0])
    return forward


@pytest.mark.slow
@pytest.mark.usefixtures("ahead")
def test_a_flood_of_ten_thousand_denials_writes_less_than_100_kb(tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, **QUIET) as (live, address):
            house = await sign_everybody_on(live, address)
            held = await session_of(live, house, Role.PARTICIPANT)
            before, begun = bytes_in(tmp_path), live.desk.now
            await flood(live, held, 10_000)
            live.desk.denials.write_counts(is_closing=True)
            await live.house.writer.wait_until_flushed()
            assert bytes_in(tmp_path) - before < 100_000
            found = lines(live)
            assert [each.times for each in found] == [1] * DENIALS.at_once + [10_000 - DENIALS.at_once]
            assert {(each.person, each.by) for each in found} == {(held.person, held.person)}
            assert {each.about for each in found} == {f"other_person sit table {TABLE}"}
            assert all(each.first_at == each.last_at == each.at for each in found[:-1])
            assert begun <= found[0].at <= found[-1].first_at <= found[-1].last_at <= found[-1].at
            shown = (await house.get("/api/access-log?newest=true&limit=1", role=Role.REGULATOR)).json["lines"]
            assert [(each["times"], each["first_at"], each["last_at"]) for each in shown] == [
                (10_000 - DENIALS.at_once, found[-1].first_at, found[-1].last_at)
            ]

    run_for(work())


@pytest.mark.slow
@pytest.mark.usefixtures("ahead")
def test_on_postgresql_denials_are_counted_too(postgres: PostgresServer, tmp_path: Path) -> None:
    async def work() -> None:
        async with served(tmp_path, db=postgres.new(), seal_key=str(tmp_path / "seal.key"), **QUIET) as (live, address):
            house = await sign_everybody_on(live, address)
            await owned_by(live, TABLE)
            await flood(live, await session_of(live, house, Role.PARTICIPANT), 500)
            live.desk.denials.write_counts(is_closing=True)
            await live.house.writer.wait_until_flushed()
            assert [each.times for each in lines(live)] == [1] * DENIALS.at_once + [500 - DENIALS.at_once]

    run_for(work())


@pytest.mark.slow
@pytest.mark.usefixtures("ahead")
def test_what_was_counted_is_written_when_the_house_closes_and_its_content_sums_hold(tmp_path: Path) -> None:
    async def work() -> None:
        setting = Setting(db=str(tmp_path / "house.db"), **QUICK | QUIET)
        async with served(tmp_path, **QUIET) as (live, address):
            house = await sign_everybody_on(live, address)
            await flood(live, await session_of(live, house, Role.PARTICIPANT), 50)
        live = await open_server(setting, stopped=fails)  # checks the sum of each table
        assert [each.times for each in lines(live)] == [1] * DENIALS.at_once + [50 - DENIALS.at_once]
        await live.drain()
        await live.close()

    run_for(work())


@pytest.mark.slow
@pytest.mark.usefixtures("ahead")
def test_a_kill_loses_what_was_counted_and_no_line(tmp_path: Path) -> None:
    async def work() -> None:
        setting = Setting(db=str(tmp_path / "house.db"), **QUICK | QUIET)
        live = await open_server(setting, stopped=fails)
        house = await sign_everybody_on(live, "")
        await flood(live, await session_of(live, house, Role.PARTICIPANT), 50)
        await live.jobs.stop_all()
        await live.close()
        live = await open_server(setting, stopped=fails)
        assert [each.times for each in lines(live)] == [1] * DENIALS.at_once
        await live.drain()
        await live.close()

    run_for(work())


@pytest.mark.slow
def test_upkeep_writes_the_counts_of_a_flood_that_is_over(
    tmp_path: Path, ahead: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        monkeypatch.setattr(run_upkeep, "__kwdefaults__", {"every": 0.01})
        async with served(tmp_path, **QUIET) as (live, address):
            house = await sign_everybody_on(live, address)
            await flood(live, await session_of(live, house, Role.PARTICIPANT), 50)
            assert len(lines(live)) == DENIALS.at_once
            ahead[0] = int(DENIALS.over_after * ONE_SECOND)
            await soon(lambda: len(lines(live)) > DENIALS.at_once)
            assert lines(live)[-1].times == 50 - DENIALS.at_once

    run_for(work())


# ------------------------------------------------------------------------------------------------ by the clock


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    made.add("ana", Role.DEALER)
    yield made
    made.close()


def denied(house: AccessHouse, held: Session, why: Denial = Denial.ONLY_VISITS, about: str = "sit table T1") -> None:
    house.desk.deny(held, make_denial(why, act="sit"), about=about)


def logged(house: AccessHouse, what: AccessEvent = AccessEvent.DENIED) -> list[AccessLogEntry]:
    return [each for each in read_log(house.store, limit=100_000) if each.what is what]


def write(house: AccessHouse, *, is_closing: bool = False) -> None:
    house.desk.denials.write_counts(is_closing=is_closing)


def test_another_person_reason_or_act_is_counted_apart(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    house.add("bob", Role.DEALER)
    other = house.sign_on("bob")
    for _ in range(3 * DENIALS.at_once):
        denied(house, held)
    denied(house, other)
    denied(house, held, Denial.OTHER_SEAT)
    denied(house, held, about="sit table T2")
    assert len(logged(house)) == DENIALS.at_once + 3
    write(house, is_closing=True)
    (line,) = [each for each in logged(house) if each.times > 1]
    assert (line.person, line.about, line.times) == (held.person, "only_visits sit table T1", 2 * DENIALS.at_once)


def test_a_person_who_is_denied_now_and_then_has_a_line_each_time(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    for _ in range(500):
        denied(house, held)
        house.clock.go(ONE_SECOND)
        write(house)
    assert [each.times for each in logged(house)] == [1] * 500


def test_a_flood_of_hours_is_few_lines_whose_times_add_up(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    for _ in range(3 * 3600 * 2):
        denied(house, held)
        house.clock.go(ONE_SECOND // 2)
        write(house)
    write(house, is_closing=True)
    found = logged(house)
    assert len(found) < 25
    assert sum(each.times for each in found) == 3 * 3600 * 2
    assert all(each.first_at <= each.last_at <= each.at for each in found)
    assert [each.at for each in found] == sorted(each.at for each in found)


def test_ever_new_acts_of_one_person_do_not_fill_the_log(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    for number in range(10_000):
        denied(house, held, about=f"sit table T{number % 1_000}")
    assert len(logged(house)) < MOST_ACTS * DENIALS.at_once + 2 * DENIALS.at_once
    write(house, is_closing=True)
    counted = [each for each in logged(house) if each.times > 1]
    assert len(counted) <= MOST_ACTS + 1
    assert counted[-1].about == "only_visits", "of the others only the reason is known"
    assert sum(each.times for each in logged(house)) == 10_000


@pytest.mark.slow
def test_wrong_passwords_at_the_pace_that_the_house_allows_are_counted_for_days(house: AccessHouse) -> None:
    tries = 0
    until = NOON + 48 * HOUR
    while house.clock.wall() < until:
        address = f"192.0.2.{tries // 20}"  # each address waits longer than the name
        found = house.run(house.desk.recognition.recognise("ana", Secret("wrong wrong wrong"), address))
        assert isinstance(found, Denied)
        tries += found.why is Denial.WRONG_SIGN_ON
        house.clock.go(MINUTE + ONE_SECOND)
        write(house)
    write(house, is_closing=True)
    failed = logged(house, AccessEvent.SIGN_ON_FAILED)
    assert tries > 2_000, "one a minute"
    assert sum(each.times for each in failed) == tries
    assert len(failed) < FAILED_SIGN_ONS.at_once + 120


def test_after_a_flood_the_first_is_a_line_again(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    for _ in range(3 * DENIALS.at_once):
        denied(house, held)
    house.clock.go(int(DENIALS.over_after * ONE_SECOND) + ONE_SECOND)
    write(house)
    denied(house, held)
    assert [each.times for each in logged(house)] == [1] * DENIALS.at_once + [2 * DENIALS.at_once, 1]
