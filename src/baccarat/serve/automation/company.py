"""Company at practice tables: automated participants who come and go, wager at random and delay nobody.

Nothing here acts: `TableCompany.acts` lists the commands that they give now, and the task that runs the table submits
them in their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from baccarat.law.rulebook import Rulebook
from baccarat.table.actor import Actor
from baccarat.table.automated_company import CompanyChance, needs_wager, prompt_answer, top_up_commands, wagers_of
from baccarat.table.base import Command, Due
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.state import TableState
from baccarat.table.usual_actor import usual_actor

COMPANY = "company "
"""How the ids of automated participants begin. No person has such an id: a house gives people ids of its own."""

ROUNDS_BEFORE_LEAVING = 40
"""Each of them leaves once in this many rounds, on average."""
COMES_BACK = 4
"""Each who has left comes back once in this many rounds, on average, if the seat is still free."""
MOST_TRIES = 5
"""How often they consider one round: again only if no wager lies, as after one was taken back or refused."""


class TableCompany:
    """The company of one table: by seat, the id of the automated participant there."""

    def __init__(self, names: Mapping[int, str], chance: CompanyChance, *, purse: int) -> None:
        self.names = dict(names)
        self.chance = chance
        self.purse = purse
        self._thought: tuple[int, int, bool] | None = None
        """The round they last considered, and whether they have wagered in it, or skipped it."""
        self._tries = 0
        """How often they have considered wagers in that round."""

    @property
    def persons(self) -> frozenset[str]:
        """Who belongs to the company."""
        return frozenset(self.names.values())

    def seats(self, state: TableState) -> list[int]:
        """The seats where company sits now."""
        at = ((seat, state.at(seat)) for seat in self.names)
        return [seat for seat, person in at if person is not None and person.who == self.names[seat]]

    def is_due(self, state: TableState, due: Iterable[Due]) -> bool:
        """Whether they have something to do now."""
        if state.stopped:
            return False
        seats = self.seats(state)
        if any(each.act == "sit" or (each.seat in seats and _answer_due(each) is not None) for each in due):
            return True
        return state.step == "wager" and self._considers(state)

    def _considers(self, state: TableState) -> bool:
        """Whether they have not considered this round yet, or the table would stand still unless they do again."""
        if self._thought != (*_moment(state), True):
            return True
        return needs_wager(state) and self._tries < MOST_TRIES and bool(self.seats(state) or self._free_seats(state))

    def acts(self, rules: Rulebook, state: TableState, due: Iterable[Due]) -> list[tuple[Command, Actor]]:
        """What they do now, in order: they answer; in every round they come and go, and then they wager."""
        found = self._next_commands(rules, state, list(due)) if not state.stopped else []
        return [(command, usual_actor(state, command)) for command in found]

    def _next_commands(self, rules: Rulebook, state: TableState, due: list[Due]) -> list[Command]:
        seats, moment = self.seats(state), _moment(state)
        for each in due:
            answer = _answer_due(each) if each.seat in seats else None
            if answer is not None:
                return [answer]
            if each.act == "sit":
                return self._sit_down(state, self.names)
        if state.step != "wager" or not self._considers(state):
            return []
        if self._thought is None or self._thought[:2] != moment:
            self._thought, self._tries = (*moment, False), 0
            moves = self._come_and_go(rules, state, seats)
            if moves:
                return moves
        self._thought, self._tries = (*moment, True), self._tries + 1
        wagers = wagers_of(rules, state, seats, self.chance)
        if not wagers and needs_wager(state):  # those who are there cannot wager
            return self._sit_down(state, self._free_seats(state))
        return [*wagers]

    def _free_seats(self, state: TableState) -> list[int]:
        """The seats of theirs where nobody sits."""
        return [seat for seat in self.names if seat <= len(state.seats.participants) and state.at(seat) is None]

    def _come_and_go(self, rules: Rulebook, state: TableState, seats: list[int]) -> list[Command]:
        """Who buys in, who leaves, who comes back."""
        found: list[Command] = [*top_up_commands(rules, state, seats, purse=self.purse)]
        asked = {getattr(command, "seat", 0) for command in found}
        found += [
            Leave(seat=seat)
            for seat in seats
            if seat not in asked and self.chance.randrange(ROUNDS_BEFORE_LEAVING) == 0
        ]
        missing = [seat for seat in self.names if seat not in seats]
        return found + self._sit_down(state, [seat for seat in missing if self.chance.randrange(COMES_BACK) == 0])

    def _sit_down(self, state: TableState, seats: Iterable[int]) -> list[Command]:
        """They sit down at seats that are free, and buy chips."""
        found: list[Command] = []
        for seat in seats:
            if seat <= len(state.seats.participants) and state.at(seat) is None:
                found += [Sit(seat=seat, person=self.names[seat]), BuyIn(seat=seat, amount=self.purse)]
        return found


def company_id(seat: int) -> str:
    """The id of the automated participant at a seat."""
    return f"{COMPANY}{seat}"


def is_company(person: str) -> bool:
    """Whether an id is that of an automated participant, who is nobody to wait for or to keep a table going for."""
    return person.startswith(COMPANY)


def _answer_due(due: Due) -> Command | None:
    """Their answer to an act of theirs that is due."""
    return None if due.optional else prompt_answer(due)


def _moment(state: TableState) -> tuple[int, int]:
    """The round, by shoe and number."""
    return state.shoe.number, state.round.number
