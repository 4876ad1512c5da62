"""Speed of the table: events a second through decide and evolve, and on replay; memory over a thousand shoes.

Run: make bench, or .venv/bin/python bench/table.py [SHOES]

Nine seats wager in every round. Seconds are processor time, so that other load on a shared machine matters
less; the ratio is against reading the same log as plain JSON, in the same run. Commands are recorded
first and then run through `decide`, so that automation and reading are not counted.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from collections.abc import Callable

import msgspec

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command
from baccarat.table.machine import EVENT_DECODER, Table, begin, decide, replay
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.step.wagering import PlaceWager

SUBMISSIONS = ("ma-midi-4", "nj-punto-banco")
TIMES = 15
"""How often each thing is timed; the best counts."""


class Recorded(Table):
    """A table that remembers the commands it accepted."""

    def __init__(self, rules: Rulebook) -> None:
        super().__init__(rules)
        self.commands: list[tuple[Command, Actor]] = []

    def do(self, command: Command, actor: Actor | None = None) -> Accepted:
        """Do a command, which must be accepted."""
        actor = actor or self.usual_actor(command)
        outcome = super().do(command, actor)
        assert isinstance(outcome, Accepted), f"{command} gave {outcome}"
        self.commands.append((command, actor))
        return outcome


def stack(number: int) -> list[Card]:
    """The cards of a shoe in a random order."""
    cards = list(decks(8))
    random.Random(number).shuffle(cards)
    return cards


def company(table: Table) -> None:
    """Nine seats wager, on both hands."""
    for seat in range(1, 10):
        on = WagerKind.PLAYER if seat % 2 else WagerKind.BANKER
        table.do(PlaceWager(seat=seat, on=on, stake=2500 + 100 * seat))


def opened(rules: Rulebook) -> Recorded:
    """A table with nine people at it."""
    table = Recorded(rules)
    for seat in range(1, 10):
        table.do(Sit(seat=seat, person=f"guest {seat}"))
        table.do(BuyIn(seat=seat, amount=10**12))
    return table


def best(act: Callable[[], object]) -> float:
    """The least processor seconds of an act."""
    taken = []
    for _ in range(TIMES):
        start = time.process_time()
        act()
        taken.append(time.process_time() - start)
    return min(taken)


def decide_all(rules: Rulebook, commands: list[tuple[Command, Actor]]) -> None:
    """Every command through decide, which evolves."""
    state = begin(rules)
    for command, actor in commands:
        outcome = decide(rules, state, command, actor)
        assert isinstance(outcome, Accepted), "recorded commands are accepted"
        state = outcome.state


def measure(name: str) -> None:
    """One whole shoe of a Submission."""
    rules = rulebook(name)
    table = opened(rules)
    run_until(table, KeyedCards(stack), stop=lambda table: table.state.shoe.number == 1, wagers=company)
    lines = [msgspec.json.encode(event) for event in table.log]
    count = len(table.log)
    log = [EVENT_DECODER.decode(line) for line in lines]
    assert replay(rules, log) == table.state
    deciding = best(lambda: decide_all(rules, table.commands))
    replaying = best(lambda: replay(rules, log))
    reading = best(lambda: [msgspec.json.decode(line) for line in lines])
    print(
        f"{name:<16} {count:>7,} {count / deciding:>16,.0f} {count / replaying:>13,.0f}"
        f" {deciding / reading:>14.1f} {replaying / reading:>14.1f}"
    )


def memory(shoes: int) -> None:
    """Shoes one after another at one table whose log is handed on; each is short, three rounds and a cover card."""
    rules = rulebook("nj-punto-banco", cover_card_depth=400)
    table = opened(rules)
    source = KeyedCards(stack)
    events = 0
    for number in range(1, shoes + 1):
        run_until(table, source, stop=lambda table: table.state.shoe.number == number, wagers=company)  # noqa: B023
        events += len(table.log)
        table.log.clear()
        table.commands.clear()
        if number in (shoes // 10, shoes // 2, shoes):
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{number:>7,} shoes {events:>10,} events {peak:>8.1f} MiB at the most")


def main() -> None:
    """Speed first, then memory."""
    shoes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(
        f"{'':<16} {'events':>7} {'decide+evolve/s':>16} {'replay/s':>13} {'× JSON decide':>14} {'× JSON replay':>14}"
    )
    for name in SUBMISSIONS:
        measure(name)
    memory(shoes)


if __name__ == "__main__":
    main()
