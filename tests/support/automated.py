"""A table in a test that runs by itself: a dealer, a clock and perhaps company, in a time that is only counted."""

from __future__ import annotations

import random
from collections.abc import Callable

from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.serve.automation.attendant import Attendant
from baccarat.table.actor import Actor, Origin
from baccarat.table.automated_company import prompt_answer
from baccarat.table.base import Accepted, Command, Due
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.cutting import AnswerCut, CutCards
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.relinquishing import AnswerTurn
from baccarat.table.step.sealing import Contribute
from baccarat.table.step.wagering import PlaceWager
from table_proposer import a_stake


class Automated:
    """A table, its attendant, and the time."""

    def __init__(self, table: Table, attendant: Attendant) -> None:
        self.table, self.attendant = table, attendant
        self.now = 1_000.0
        self.away: frozenset[str] = frozenset()
        self.by_clock: list[Command] = []
        """What the clock brought and the table took."""
        self.given: list[tuple[Command, Actor]] = []
        """What happened by itself, and in whose name."""
        self.refused: list[tuple[Command, Actor, Refused]] = []
        self.attendant.update(table, self.now)

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Somebody does something now."""
        actor = actor or self.table.usual_actor(command)
        outcome = self.table.do(command, actor)
        if isinstance(outcome, Refused):
            self.refused.append((command, actor, outcome))
        elif actor.origin is Origin.CLOCK:
            self.by_clock.append(command)
        person = actor.role is Role.PARTICIPANT and actor.origin is Origin.PERSON and isinstance(outcome, Accepted)
        self.attendant.update(self.table, self.now, acted=actor.who if person else "", away=self.away)
        return outcome

    def tick(self) -> bool:
        """Let time pass until something happens by itself; False where nothing ever will."""
        at = self.attendant.next_at
        if at is None:
            return False
        self.now = max(self.now, at)
        for command, actor in self.attendant.due(self.table, self.now):
            self.given.append((command, actor))
            self.do(command, actor)
        self.attendant.update(self.table, self.now, away=self.away)
        return True

    def run(self, until: Callable[[Table], bool], *, most: int = 100_000) -> None:
        """Let time pass until the table has come so far."""
        for _ in range(most):
            if until(self.table):
                return
            assert self.tick(), f"nothing happens any more at {self.table.state}: {self.table.expected}"
        raise AssertionError(f"it goes on and on at {self.table.state}")


def everybody_wagers(house: Automated, chance: random.Random) -> None:
    """Everybody wagers, on whatever is admissible."""
    for seat in house.table.state.occupied:
        for kind in (WagerKind.PLAYER, WagerKind.BANKER, *chance.sample(tuple(WagerKind), 4)):
            if chance.random() < 0.6:
                house.do(PlaceWager(seat=seat, on=kind, stake=a_stake(house.table.rules, kind, chance)))


def some_answer(due: Due, chance: random.Random) -> Command | None:
    """What somebody who is there might do about an act that is due."""
    accept = chance.random() < 0.5
    match due.act:
        case "answer_cut":
            return AnswerCut(seat=due.seat, accept=accept)
        case "cut_cards" if due.seat and accept:
            return CutCards(seat=due.seat, in_front=150)
        case "answer_shoe":
            return AnswerShoe(seat=due.seat, accept=accept, dealer_deals=accept and chance.random() < 0.3)
        case "answer_turn":
            return AnswerTurn(seat=due.seat, accept=accept)
        case "press_house_money":
            return PressHouseMoney(seat=due.seat, onto=chance.choice((WagerKind.PLAYER, WagerKind.BANKER)))
        case "contribute" if accept:
            return Contribute(seat=due.seat, value=f"luck {due.seat}")
    return prompt_answer(due) if due.seat else None
