"""The loop of a table: automated acts, each at its time, while somebody watches or a round has begun.

The attendant decides what happens and when (`attendant.py`); here are the clock and the loop.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time

from baccarat.house.pit import opening_time
from baccarat.house.stream import Stream, link_stream, table_stream
from baccarat.serve.access.base import ONE_SECOND
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.automation.company import TableCompany, company_id
from baccarat.serve.automation.dealer import Pace
from baccarat.serve.automation.timer import WaitTimes
from baccarat.serve.job.share_exchange import TableShares
from baccarat.serve.live import HouseServer
from baccarat.serve.runtime.seed_vault import SeedVault, shoe_name, trigger_name
from baccarat.serve.runtime.table_jobs import awaits_kind
from baccarat.serve.setting import Mode, Setting
from baccarat.table.machine import Table
from baccarat.table.round_state import WAGERED
from baccarat.table.source import KeyedCards, NoShares, OpenedTrigger, SealedShoe, SealedTriggers
from baccarat.table.state import TableState
from baccarat.table.step.revealing import owes_seed
from baccarat.table.table_cards import TableCards

PURSE = 100_000
"""The buy-in of each automated participant, in cents."""
CHUNK = 64
"""How many acts may follow each other without a pause before other tasks get their turn."""
LONGEST_WAIT = 60.0
"""After how many seconds the clock is read again while a table is not open yet, because clocks are set."""


class TableTriggers:
    """The triggers of the meter that a table feeds: those of its link once it has one, otherwise its own."""

    def __init__(self, vault: SeedVault, name: str, table: Table) -> None:
        self._vault, self._name, self._table = vault, name, table

    def meter(self, state: TableState) -> tuple[Stream, str]:
        """The stream that the meter belongs to, and the name of the link, or of the table alone."""
        link = state.meters.link
        return (link_stream(link), link) if link else (table_stream(self._name), self._name)

    def open_trigger(self, state: TableState) -> OpenedTrigger:
        """The trigger of the run that the meter is in, and the lot of this round."""
        rules, (stream, link) = self._table.rules, self.meter(state)
        terms = rules.elections.must_hit
        assert terms is not None, "only needed if the licensee offers it"
        return SealedTriggers(terms, self._vault.triggers_of(stream, link, rules), link=link).open_trigger(state)


def attendant_of(live: HouseServer, name: str, table: Table, *, is_plain: bool = False) -> Attendant:
    """The attendant of a table: its shoe has seeds of the vault, unless a person deals real cards there; in practice
    there is company. A plain one has no company and does everything quickly."""
    setting = live.setting
    pace = Pace.uniform(setting.pace)
    is_practice, cards = setting.mode is Mode.PRACTICE, live.cards_at(name)
    return Attendant(
        KeyedCards(lambda _number: ()) if cards is TableCards.REAL else _electronic_shoe(live, name, table),
        is_practice=is_practice,
        deals=cards is TableCards.AUTOMATED,
        times=wait_times(setting),
        pace=pace.hurried if is_plain else pace,
        guests=_company(setting, table) if is_practice and setting.company and not is_plain else None,
    )


def _electronic_shoe(live: HouseServer, name: str, table: Table) -> SealedShoe:
    signer = live.house.signers(table_stream(name)) if live.house.signers is not None else None
    origin = signer.verifier.name if signer is not None else ""
    return SealedShoe(
        table.rules,
        live.vault.seeds_of(table_stream(name), name, lambda: table.rules),
        table=name,
        triggers=TableTriggers(live.vault, name, table) if table.rules.elections.must_hit else None,
        shares=TableShares(live, name, origin=origin) if origin else NoShares(),
    )


def wait_times(setting: Setting) -> WaitTimes:
    """How long a table waits, by the settings."""
    return WaitTimes.posted(
        betting=setting.betting_seconds, squeeze=setting.squeeze_seconds, answer=setting.answer_seconds
    )


def _company(setting: Setting, table: Table) -> TableCompany:
    """Company at the last seats, so that the first are free; it has a random generator of its own."""
    seats = len(table.state.seats.participants)
    names = {seat: company_id(seat) for seat in range(max(2, seats - setting.company + 1), seats + 1)}
    return TableCompany(names, random.Random(secrets.randbits(64)), purse=PURSE)  # noqa: S311  company, not cards


async def run_table(live: HouseServer, name: str) -> None:
    """Run the automated acts of one table while somebody watches; a round that has begun is finished all the same."""
    table = live.house.table(name)
    attendant = attendant_of(live, name, table)
    live.table_jobs.cards[name] = attendant.source
    await _wait_until_open(live, name)
    try:
        await _attend(live, name, table, attendant)
    finally:
        _stop_waiting(attendant)


async def _attend(live: HouseServer, name: str, table: Table, attendant: Attendant) -> None:
    """Have the attendant act, until cancelled."""
    changes = live.rooms.table_changed(name)

    def goes_on() -> bool:
        return _has_audience(live, name, attendant) or has_begun(table.state)

    while True:
        _stop_waiting(attendant)  # without an audience no witness is asked
        while not goes_on():
            changes.clear()
            await changes.wait()  # set by an act, and by everybody who comes
        await _update_attendant(live, name, table, attendant)
        while goes_on():
            await wait_for_change(attendant, table, changes)
            if not goes_on():
                break  # nobody looks on any more
            for _ in range(CHUNK):
                if changes.is_set() or attendant.source.awaits(table.state):
                    await _update_attendant(live, name, table, attendant)
                if awaits_kind(live.setting, table.state):
                    return  # the last shoe of a table that has never said what it is is over
                await fetch_seeds(live, name, table, attendant.source)
                due = attendant.due(table, time.monotonic())
                for command, actor in due:
                    table.do(command, actor)
                await _update_attendant(live, name, table, attendant)
                if not due:
                    break
                live.keep_snapshot()
            await live.house.writer.wait_until_flushed()
            live.rooms[name].show_waits(attendant.timers.running)


def has_begun(state: TableState) -> bool:
    """Whether something is to be finished though nobody watches: a wager lies there, a Free Hand was requested, or the
    seed of a shoe that is over is due.

    Wagers come by request as well, without a socket, and from people who have lost theirs.
    """
    round_ = state.round
    return round_.closed or bool(round_.wagers) or round_.kind is not WAGERED or owes_seed(state)


def _has_audience(live: HouseServer, name: str, attendant: Attendant) -> bool:
    """Whether somebody is at the table, or in the lobby, where tables are seen that a program plays alone."""
    plays_alone = attendant.deals and attendant.guests is not None
    return bool(live.rooms[name].guests) or (plays_alone and live.rooms.lobby.is_visited)


async def _wait_until_open(live: HouseServer, name: str) -> None:
    """Wait for the time at which a table opens: like a person, the program does nothing there before."""
    while (wait := opening_time(live.house.state.pits, name) - live.desk.now / ONE_SECOND) > 0:
        await asyncio.sleep(min(wait, LONGEST_WAIT))


async def fetch_seeds(live: HouseServer, name: str, table: Table, source: object) -> None:
    """Fetch the seeds that the shoe of a table needs now; no wait if they are in memory.

    A lost key opens nothing: the caller that needs the seed handles that.
    """
    vault, stream = live.vault, table_stream(name)
    while isinstance(source, SealedShoe):
        state, rules = table.state, table.rules
        wanted = [(stream, shoe_name(name, state.shoe.number, rules))]
        if rules.elections.must_hit is not None:
            meter, link = TableTriggers(vault, name, table).meter(state)
            wanted.append((meter, trigger_name(link, state.meters.must_hit_run, rules)))
        missing = [each for each in wanted if not vault.is_at_hand(*each)]
        if not missing:
            return
        for each in missing:
            await vault.fetch(*each)


async def _update_attendant(live: HouseServer, name: str, table: Table, attendant: Attendant) -> None:
    """Give the attendant the current table, who has acted, and who is away; first what the shoe waits for."""
    await fetch_seeds(live, name, table, attendant.source)
    shares = shares_of(attendant)
    if shares is not None:
        await shares.fetch(table.state)
    live.rooms.table_changed(name).clear()
    acted, away = live.rooms.take_last_actor(name), live.rooms.absent_persons(name, live.house.state.tables[name])
    is_alone = not live.rooms[name].guests
    attendant.update(table, time.monotonic(), acted=acted, away=away, is_alone=is_alone)


def _stop_waiting(attendant: Attendant) -> None:
    """Show no more that the shoe waits for a witness."""
    shares = shares_of(attendant)
    if shares is not None:
        shares.stop_waiting()


def shares_of(attendant: Attendant) -> TableShares | None:
    """The shares of witnesses in the shoes of a table; None if nobody has any."""
    shares = getattr(attendant.source, "shares", None)
    return shares if isinstance(shares, TableShares) else None


async def wait_for_change(attendant: Attendant, table: Table, changes: asyncio.Event) -> None:
    """Wait until an automated act is due, or a person has acted."""
    shares = shares_of(attendant)
    retry_at = shares.retry_at if shares is not None and shares.awaits(table.state) else None
    times = [each for each in (attendant.next_at, retry_at) if each is not None]
    seconds = max(0.0, min(times) - time.monotonic()) if times else None
    try:
        await asyncio.wait_for(changes.wait(), seconds)
    except TimeoutError:
        return
