"""Sitting at a table in the terminal: one person, automated company, a whole shoe."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

from baccarat.cli.deal_run import seed_of
from baccarat.cli.journal_table import open_journaled_table
from baccarat.cli.money import sum_of
from baccarat.cli.output import console, errors, fail, line, put_json, put_line
from baccarat.cli.roads import show_all_roads, show_road
from baccarat.cli.submission_name import name_of
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents, dollars
from baccarat.play.book import open_book
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.road import Bead, Outcome, Road, roads
from baccarat.play.wager import WagerKind
from baccarat.table.automated_company import lowest_wagers, main_wagers, top_up_commands, wagers_of
from baccarat.table.automation import actor_for, run_until
from baccarat.table.base import Accepted, Event
from baccarat.table.machine import Table
from baccarat.table.rules_adoption import is_between_shoes
from baccarat.table.seating_acts import BoughtIn, BuyIn, Leave, Sit
from baccarat.table.source import SealedShoe, SealedTriggers
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.announcing import ResultAnnounced
from baccarat.table.step.wagering import PlaceWager, WithdrawWager
from baccarat.table.story import tell
from baccarat.table.table_cards import TableCards
from baccarat.values import count_text

HELP = """  SPOT SUM   wager, in dollars, such as: banker 100
             spots: {spots}
  clear      take your wagers back
  deal       no more bets, and see the round (an empty line does the same)
  why        the clauses of the last round
  roads, felt, help, quit"""


MOST_IDLE_ROUNDS = 50
"""How often in a row the company may make no wager, by chance, before the shoe is abandoned."""


def _help(rules: Rulebook) -> str:
    """What can be typed, with the wagers that are offered."""
    return HELP.format(spots=", ".join(kind.word for kind in open_book(rules).kinds))


class Company:
    """The others at the table: they sit, buy in and wager by their own seed."""

    def __init__(self, seats: list[int], seed: bytes, *, purse: int) -> None:
        self.seats = seats
        self.purse = purse
        self.chance = random.Random(seed)  # noqa: S311  company, not cards

    def stay_or_go(self, table: Table) -> None:
        """Those with too few chips for any wager buy in again, or leave if that would not help."""
        for command in top_up_commands(table.rules, table.state, self.seats, purse=self.purse):
            if not isinstance(table.do(command), Refused) and isinstance(command, Leave):
                self.seats.remove(command.seat)

    def wager(self, table: Table) -> None:
        """Each of them may put something on a hand, or on another main wager with what is left."""
        for command in wagers_of(table.rules, table.state, self.seats, self.chance):
            table.do(command)


TABLE = "terminal"
"""The table's name in its journal and in the header of every shoe, and the name of its link of one table."""


class ShoeSession:
    """One person's shoe: the table, its sealed source, the company, and what has been seen."""

    def __init__(self, table: Table, seed: bytes, *, seat: int, company: int, purse: int) -> None:
        self.table = table
        self.seat, self.seed = seat, seed
        rules = table.rules
        terms = rules.elections.must_hit
        triggers = None
        if terms is not None:
            triggers = SealedTriggers(terms, lambda run: seed_of(f"{seed.hex()} must hit {run}"), link=TABLE)
        self.source = SealedShoe(
            rules, lambda number: seed_of(f"{seed.hex()} {number}"), table=TABLE, triggers=triggers
        )
        others = [each for each in range(1, len(self.table.state.seats.participants) + 1) if each != seat][:company]
        self.company = Company(others, seed, purse=purse)
        self.lowest = min(lowest_wagers(rules).values(), default=0)
        self.beads: list[Bead] = []
        self.last: list[Event] = []
        self.clauses = False
        for each in (seat, *others):
            self.table.do(Sit(seat=each, person="you" if each == seat else f"company {each}"))
            self.table.do(BuyIn(seat=each, amount=purse))

    @property
    def net(self) -> int:
        """What the person has won or lost so far, in cents; an open wager still counts as theirs."""
        state, person = self.table.state, self.table.state.at(self.seat)
        brought = sum(
            event.amount for event in self.table.log if isinstance(event, BoughtIn) and event.seat == self.seat
        )
        lying = sum(wager.stake for wager in state.round.wagers if wager.seat == self.seat)
        return (person.chips if person else 0) + lying - state.money.markers.get(self.seat, 0) - brought

    @property
    def anybody_can_wager(self) -> bool:
        """Whether a wager lies on the table, or anyone has the chips for the lowest."""
        state = self.table.state
        people = [person for person in state.seats.participants if person is not None]
        return bool(state.round.wagers) or any(person.chips >= self.lowest for person in people)

    def run(self, stop: Callable[[Table], bool]) -> None:
        """Let automation do what is expected, until `stop` returns true."""
        run_until(self.table, self.source, stop=stop, wagers=lambda _table: None)

    def to_wagering(self) -> bool:
        """Advance to the next time wagers may be made; False when the shoe has ended."""
        first = self.table.state.shoe.number
        self.run(lambda table: table.state.step == "wager" or table.state.shoe.number > first)
        return self.table.state.shoe.number == first and not self.table.state.stopped

    def play_round(self) -> None:
        """Deal the round and settle it."""
        mark, number = len(self.table.log), self.table.state.round.number
        table = self.table
        self.run(lambda t: t.state.round.closed)
        self.run(lambda t: t.state.round.number != number or bool(t.state.shoe.finished))
        self.last = table.log[mark:]
        for event in self.last:
            if isinstance(event, ResultAnnounced):
                self.beads.append(Bead(Outcome(event.outcome)))

    def give_up(self) -> None:
        """End a shoe that is not over, as when a table closes: wagers returned, debts paid, the seed revealed."""
        table, number = self.table, self.table.state.shoe.number
        if is_between_shoes(table.state):
            return
        for wager in reversed(table.state.round.wagers):
            table.do(WithdrawWager(seat=wager.seat, on=wager.on))
        ends = AbandonShoe(reason="the sitting ends")
        if isinstance(table.do(ends, actor_for(table, ends)), Accepted):
            self.run(lambda table: table.state.shoe.number > number)


def play_shoe(
    rules: Rulebook,
    *,
    seat: int,
    company: int,
    purse: str | None,
    seed: str | None,
    script: str | None,
    auto: bool,
    clauses: bool,
    journal: Path | None,
    key: Path | None,
    json: bool,
) -> None:
    """A whole shoe, asked for line by line, from a script, or by automation alone."""
    cents = _purse(rules, purse)
    if auto and not company:
        fail("--auto needs company that wagers, such as --company 3")
    if not 1 <= seat <= (rules.elections.seats or 0):
        fail(f"--seat {seat}: this table has seats 1 to {rules.elections.seats}")
    if journal is not None and journal.exists():
        fail(f"--journal {journal}: the file already exists; play starts a new journal")
    lines: Iterator[str] | None = None
    if auto or script is not None:
        lines = repeat("") if script is None else iter([line.strip() for line in script.split(";")])
    with open_journaled_table(journal, rules, table=TABLE, key=key, cards=TableCards.AUTOMATED) as table:
        sitting = ShoeSession(table, seed_of(seed), seat=seat, company=company, purse=cents)
        sitting.clauses = clauses
        try:
            _talk(sitting, lines, quiet=json)
        except KeyboardInterrupt:  # someone who stops in the middle still sees the result and the seed
            console.print()
        sitting.give_up()
    if json:
        put_json(_summary(sitting, journal))
    else:
        _goodbye(sitting, journal)


def _summary(sitting: ShoeSession, journal: Path | None) -> dict[str, Any]:
    person = sitting.table.state.at(sitting.seat)
    return {
        "rounds": len(sitting.beads),
        "results": "".join(bead.outcome.letter for bead in sitting.beads),
        "chips": person.chips if person else 0,
        "net": sitting.net,
        "seed": sitting.seed.hex(),
        "journal": None if journal is None else str(journal),
        "events": sitting.table.log,
    }


def _goodbye(sitting: ShoeSession, journal: Path | None) -> None:
    """Print the result, and how to see the same cards, or every act, again."""
    net, rounds = sitting.net, len(sitting.beads)
    result = f"{Cents(net)} won" if net > 0 else f"{Cents(-net)} lost" if net else "neither won nor lost"
    put_line((f"{count_text(rounds, 'round')}, {result}.", "bold"))
    put_line("The same cards again, with:")
    put_line(f"--seed {sitting.seed.hex()}")  # on a line of its own: it can be copied whole
    if journal is not None:
        put_line(f"Every act with its clause: baccarat transcript {journal}")


USUAL_PURSE = 100_000
"""What each buys in for by default, in cents."""


def _purse(rules: Rulebook, text: str | None) -> int:
    """What each buys in for, in cents: enough for the lowest wager at least."""
    cents = USUAL_PURSE if text is None else sum_of("--purse", text)
    least = lowest_wagers(rules)
    if not least:
        fail("no wager of this table has posted limits: the company does not know what to wager")
    kind = min(least, key=lambda each: least[each])
    if cents < least[kind]:
        lowest = f"the lowest wager at this table is {Cents(least[kind])}, on {kind.value.replace('_', ' ')}"
        fail(f"--purse {Cents(cents)}: {lowest}; the purse must cover it")
    return cents


def _talk(sitting: ShoeSession, lines: Iterator[str] | None, *, quiet: bool) -> None:
    rules = sitting.table.rules
    if not quiet:
        rulebook = (f"rulebook {rules.hash[:16]}…", "dim")
        put_line((rules.edition.title, "bold"), f"  {name_of(rules)}  ", rulebook)
        if lines is None:  # otherwise a script is read
            put_line(_help(rules))
    idle = 0
    while sitting.to_wagering():
        sitting.company.stay_or_go(sitting.table)
        if sitting.table.state.step != "wager":
            continue  # a curator has left: the shoe is offered first
        sitting.company.wager(sitting.table)
        if not sitting.anybody_can_wager or idle >= MOST_IDLE_ROUNDS:
            lowest = f"nobody can make the lowest wager of {Cents(sitting.lowest)}"
            why = lowest if idle < MOST_IDLE_ROUNDS else "nobody wagers"
            errors.print(line((f"{why}: the shoe ends here", "yellow")))
            return
        if not quiet:
            _felt(sitting)
        if not _ask(sitting, lines, quiet=quiet):
            return
        idle = 0 if sitting.table.state.round.wagers else idle + 1
        if sitting.table.state.round.wagers:
            sitting.play_round()
            if not quiet:
                _round(sitting)
        elif not sitting.company.seats:
            errors.print(line(("nobody wagers: nothing is dealt", "yellow")))
    if not quiet:
        put_line(("The shoe is over.", "bold"))


def _ask(sitting: ShoeSession, lines: Iterator[str] | None, *, quiet: bool) -> bool:
    """Take lines until the person wants to deal or to stop."""
    while True:
        try:
            typed = next(lines) if lines is not None else console.input("[bold]> [/]")
        except (StopIteration, EOFError, RuntimeError, UnicodeDecodeError):  # a closed input is a RuntimeError
            return False
        words = typed.lower().split()
        if not words or words[0] in ("deal", "d"):
            return True
        if words[0] in ("quit", "q"):
            return False
        _obey(sitting, words, quiet=quiet)


def _obey(sitting: ShoeSession, words: list[str], *, quiet: bool) -> None:
    rules = sitting.table.rules
    kinds = {kind.word[0]: kind for kind in main_wagers(rules)} | {
        word: WagerKind(word) for word in rules.edition.wagers
    }
    if words[0] in kinds and len(words) == 2:
        try:
            stake = int(dollars(words[1]))
        except ValueError as error:
            errors.print(line((str(error), "red")))
            return
        outcome = sitting.table.do(PlaceWager(seat=sitting.seat, on=kinds[words[0]], stake=stake))
        if isinstance(outcome, Refused):
            errors.print(line((str(outcome), "red")))
            return
    elif words[0] == "clear":
        for wager in list(sitting.table.state.round.wagers):
            if wager.seat == sitting.seat:
                sitting.table.do(WithdrawWager(seat=sitting.seat, on=wager.on))
    elif quiet:
        return  # a program reads the output: it wants the game, not the view
    elif words[0] == "why":
        for event in sitting.last:
            put_line(f"  {tell(event)}  ", (", ".join(event.cites), "dim"))
        return
    elif words[0] == "roads":
        show_all_roads(roads(sitting.beads))
        return
    elif words[0] != "felt":
        _tell_help(rules, words)
        return
    if not quiet:
        _felt(sitting)


def _tell_help(rules: Rulebook, words: list[str]) -> None:
    """Print what can be typed, preceded by a message if it was not asked for."""
    if words != ["help"]:
        errors.print(line((f"{' '.join(words)!r} is not understood; you can type", "red")))
    put_line(_help(rules))


def _felt(sitting: ShoeSession) -> None:
    state = sitting.table.state
    title = line((f"round {state.round.number}", "bold"), f"  {state.shoe.left} cards in the shoe")
    console.rule(title, style="green")
    for number in state.occupied:
        person = state.at(number)
        assert person is not None, "an occupied seat has a participant"
        wagers = "  ".join(f"{w.on.value} {Cents(w.stake)}" for w in state.round.wagers if w.seat == number)
        owes = f"  owes {Cents(state.money.markers[number])}" if number in state.money.markers else ""
        style = "bold" if number == sitting.seat else "dim"
        seat = f"seat {number:>2}  {Cents(person.chips):>12}  {person.who:<12}"
        put_line("  ", (seat, style), f" {wagers}{owes}")


def _round(sitting: ShoeSession) -> None:
    counts = 0
    for event in sitting.last:
        name = type(event).__name__
        counts += name == "CountAnnounced"
        third = name == "CardDrawn" and counts == len(Side)  # the tableau gives it, by the row that it cites
        if not third and name in ("StepBegan", "WagerPlaced", "CardDrawn", "CardsReturned", "TableCleared"):
            continue
        cites = f"  {', '.join(event.cites)}" if sitting.clauses else ""
        put_line(f"  {tell(event)}", (cites, "dim"))
    show_road(roads(sitting.beads), Road.BIG_ROAD, is_short=True)
