"""Speed of views: the patches of thirteen audiences for one command, compared with thirteen whole views.

Run: make bench, or .venv/bin/python bench/views.py

A whole shoe with nine seats, watched by the public, nine participants, the dealer, the floorperson and surveillance.
Microseconds are processor time, for one command and all audiences together; this includes the acts that are due, which
are computed once, and the events. The ratio is against whole views, timed in turns in the same run.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from statistics import median

import msgspec

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted, Command, Event
from baccarat.table.machine import Table
from baccarat.table.patch import patches
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.state import TableState
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.view import TableMoment, Viewer, moment, view_moment

SUBMISSIONS = ("ma-midi-4", "nj-punto-banco")
BUDGET = 40.0
"""Microseconds for the patches of all audiences of one command."""
TURNS = 7
PUBLIC, DEALER, FLOOR = Viewer(Role.PUBLIC), Viewer(Role.DEALER), Viewer(Role.FLOORPERSON)
AUDIENCES = (
    PUBLIC, *(Viewer(Role.PARTICIPANT, seat) for seat in range(1, 10)), DEALER, FLOOR, Viewer(Role.SURVEILLANCE),
)  # fmt: skip
Act = tuple[tuple[Event, ...], TableState]


class Noted(Table):
    """A table that notes what each command led to."""

    def __init__(self, rules: Rulebook) -> None:
        super().__init__(rules)
        self.acts: list[Act] = []

    def do(self, command: Command, actor: Actor | None = None) -> Accepted:
        """Do a command, which must be accepted."""
        outcome = super().do(command, actor)
        assert isinstance(outcome, Accepted), f"{command} gave {outcome}"
        self.acts.append((outcome.events, outcome.state))
        return outcome


def stack(number: int) -> list[Card]:
    """The cards of a shoe in a random order."""
    return random.Random(number).sample(decks(8), 416)


def company(table: Table) -> None:
    """Nine seats wager, on both hands."""
    for seat in range(1, 10):
        table.do(PlaceWager(seat=seat, on=WagerKind.PLAYER if seat % 2 else WagerKind.BANKER, stake=2500 + 100 * seat))


def a_shoe(rules: Rulebook) -> list[Act]:
    """What each command of one shoe led to, once nine people have sat down."""
    table = Noted(rules)
    for seat in range(1, 10):
        table.do(Sit(seat=seat, person=f"guest {seat}"))
        table.do(BuyIn(seat=seat, amount=10**9))
    table.acts = table.acts[-1:]
    run_until(table, KeyedCards(stack), stop=lambda table: table.state.shoe.number == 1, wagers=company)
    return table.acts


def timed(act: Callable[[], object]) -> float:
    """The processor seconds of an act."""
    start = time.process_time()
    act()
    return time.process_time() - start


def by_patches(rules: Rulebook, acts: Sequence[Act]) -> list[dict[Viewer, bytes]]:
    """Every command: what is due now, and the patches."""
    before, sent = moment(rules, acts[0][1]), []
    for events, state in acts[1:]:
        after = moment(rules, state)
        sent.append(patches(before, after, events, AUDIENCES))
        before = after
    return sent


def by_views(rules: Rulebook, acts: Sequence[Act]) -> None:
    """Every command: what is due now, and thirteen whole views."""
    for _, state in acts:
        now: TableMoment = moment(rules, state)
        for viewer in AUDIENCES:
            msgspec.json.encode(view_moment(now, viewer))


def bytes_of(sent: Sequence[dict[Viewer, bytes]], viewer: Viewer) -> tuple[float, float]:
    """The average size of a viewer's patches, and of their part about the state alone."""
    mine = [each[viewer] for each in sent if viewer in each]
    state = 0
    for each in mine:
        patch = msgspec.json.decode(each)
        state += len(msgspec.json.encode({key: patch[key] for key in ("splice", "set", "drop") if key in patch}))
    return sum(map(len, mine)) / len(mine), state / len(mine)


def measure(name: str) -> None:
    """One line of the table."""
    rules = rulebook(name)
    acts = a_shoe(rules)
    sent, some = by_patches(rules, acts), acts[::20]
    pairs = [
        (timed(lambda: by_patches(rules, acts)) / (len(acts) - 1), timed(lambda: by_views(rules, some)) / len(some))
        for _ in range(TURNS)
    ]
    best = min(new for new, _ in pairs) * 1e6
    ratio = median(old / new for new, old in pairs)
    sizes = "".join(f"{f'{whole:.0f} ({state:.0f})':>14}" for whole, state in (bytes_of(sent, each) for each in SHOWN))
    kept = "kept" if best <= BUDGET else "broken"
    print(f"{name:<16} {len(acts):>8,} {best:>10.1f} {kept:>8} {ratio:>14.1f} {sizes}")


SHOWN = (PUBLIC, Viewer(Role.PARTICIPANT, 1), FLOOR)


def main() -> None:
    """Print the table."""
    print(f"all audiences of a command, budget {BUDGET:.0f} µs; bytes of a patch, in brackets those of the state alone")
    heads = "".join(f"{head:>14}" for head in ("public", "participant", "staff"))
    print(f"{'':<16} {'commands':>8} {'µs':>10} {'budget':>8} {'× whole views':>14} {heads}")
    for name in SUBMISSIONS:
        measure(name)


if __name__ == "__main__":
    main()
