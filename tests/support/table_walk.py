"""A walk: a table whose every act is checked, and the cards for it."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import msgspec

from baccarat.cards import Card, decks
from baccarat.law.rulebook import Rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.base import Accepted, Command, Due, Event
from baccarat.table.invariant import broken_invariants, layout, worth
from baccarat.table.machine import EVENT_DECODER, Table, begin, decide, evolve, union_of
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import CardSource, KeyedCards, SealedShoe
from baccarat.table.state import TableState
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.loading import PlaceCoverCard
from baccarat.table.step.must_hit import EndRound
from baccarat.table.step.revealing import ReportLostSeed, RevealSeed
from baccarat.table.step.sealing import CommitShoe, SealOrder
from baccarat.table.step.wagering import PlaceWager
from table_auditor import Auditor
from table_proposer import Proposer, a_stake
from triggers import FirstWager, sealed_triggers

MICRO = 1_000_000
COMMANDS: tuple[type[Command], ...] = tuple(HANDLERS)
ENCODER = msgspec.json.Encoder()
COMMAND_DECODER = msgspec.json.Decoder(union_of(HANDLERS))
"""Reads every command of a table."""


def auditor_of(rules: Rulebook) -> Auditor:
    """An auditor of a rulebook's table, which is told the elections and nothing else."""
    return Auditor(rules.edition.name, msgspec.to_builtins(rules.elections))


def as_json(event: Event | Command) -> dict[str, Any]:
    """An event or a command as a reader has it."""
    told: dict[str, Any] = msgspec.json.decode(ENCODER.encode(event))
    return told


def from_outside(event: dict[str, Any]) -> int:
    """How much an event brings to the table, in cents."""
    tag = event["event"]
    if tag == "bought_in":
        return int(event["amount"])
    if tag == "wager_placed" and event["cash"]:
        return int(event["stake"])
    return -int(event["chips"]) if tag == "left" else 0


class Walk(Table):
    """A table that stops the test as soon as anything is wrong."""

    def __init__(self, rules: Rulebook, source: CardSource) -> None:
        super().__init__(rules)
        self.source = source
        self.auditor = auditor_of(rules)
        self.states: list[tuple[int, TableState]] = []
        self.refusals: list[Refused] = []

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Do a command, and look at everything it did or did not do."""
        written = ENCODER.encode(command)
        assert COMMAND_DECODER.decode(written) == command
        before, length = self.state, len(self.log)
        self.auditor.proof = msgspec.json.decode(written).get("proof")
        outcome = super().do(command, actor)
        if isinstance(outcome, Refused):
            assert self.state is before, "a refusal changes nothing"
            assert len(self.log) == length, "a refusal leaves no event"
            assert outcome.say
            assert outcome.cites, f"{command} gave {outcome}"
            self.refusals.append(outcome)
            return outcome
        assert outcome.events, "an act leaves a record"
        state = before
        for event in outcome.events:
            state = self._checked(state, event)
        assert state == outcome.state, "decide and evolve agree"
        self.states.append((len(self.log), state))
        return outcome

    def _checked(self, state: TableState, event: Event) -> TableState:
        written = ENCODER.encode(event)
        assert EVENT_DECODER.decode(written) == event
        told = msgspec.json.decode(written)
        after = evolve(state, event)
        assert broken_invariants(self.rules, after) == [], f"{told} broke {broken_invariants(self.rules, after)}"
        moved = worth(after) - worth(state)
        assert moved == from_outside(told) * MICRO, f"{told} moved {moved / MICRO} cents"
        self.auditor.see(told)
        assert self.auditor.faults == [], f"the auditor objects: {self.auditor.faults}"
        self._compare(after, told)
        return after

    def _compare(self, state: TableState, told: dict[str, Any]) -> None:
        """After every event, chips, layout, pressed stakes and meters are what the auditor's own books say."""
        books = self.auditor
        for seat in state.occupied:
            person = state.at(seat)
            assert person is not None
            had, wanted = person.chips + state.money.payable.get(seat, 0), books.people[seat] + books.winnings(seat)
            assert had == wanted, f"seat {seat} has {had}, by the books {wanted}, after {told}"
        assert layout(state) == books.on_layout(), f"{layout(state)} on the layout, by the books {books.on_layout()}"
        if not state.round.announced:
            pressed = {seat: amount for (seat, _), amount in books.pressed.items()}
            assert state.round.pressed == pressed, f"pressed {state.round.pressed}, by the books {pressed}"
        meters = state.meters
        assert (meters.amounts, meters.reserve) == (books.meters, books.reserve), f"other meters after {told}"
        assert (meters.must_hit, meters.must_hit_seal) == (books.must_hit, books.seal), f"another Must Hit after {told}"

    def agrees_with_its_books(self) -> None:
        """The auditor's own books are the state's."""
        books, state = self.auditor, self.state
        assert books.markers == state.money.markers
        assert set(books.people) == set(state.occupied)
        assert books.next == state.shoe.next
        assert sum(books.receivables.values()) == sum(state.money.receivables.values())

    def replays(self) -> None:
        """J4: the log as written leads to every state on the way; a snapshot is the state."""
        state, place = begin(self.rules), 0
        log = [EVENT_DECODER.decode(ENCODER.encode(event)) for event in self.log]
        for length, live in self.states:
            for event in log[place:length]:
                state = evolve(state, event)
            place = length
            assert state == live, f"replay of {length} events"
        assert msgspec.json.decode(ENCODER.encode(self.state), type=TableState) == self.state

    def seat(self, *seats: int, chips: int = 10_000_000) -> None:
        """People sit down with chips."""
        for seat in seats:
            self.do(Sit(seat=seat, person=f"guest {seat}"))
            self.do(BuyIn(seat=seat, amount=chips))

    def try_a(self, kind: type[Command], chance: random.Random) -> Accepted | Refused:
        """Try a command of a kind, sensible or not, by somebody who may or may not."""
        proposer = Proposer(self, chance)
        command = proposer.a_command(kind)
        return self.do(command, proposer.an_actor(command))

    def due(self) -> Due:
        """The act that is due, none of the optional ones."""
        return next_due(self, self.source)

    def go_on(self, *, short: int = 0) -> Accepted | Refused:
        """Do what is due; `short` puts the cover card that far from the front."""
        due = self.due()
        command = command_for(self, due, self.source)
        if short and isinstance(command, PlaceCoverCard):
            command = PlaceCoverCard(behind=self.state.shoe.cards - short)
        outcome = self.do(command, actor_for(self, command))
        if isinstance(command, EndRound) and isinstance(outcome, Refused):  # a trigger was sealed by chance
            lost = EndRound(lot=command.lot, lost="nobody knows it")
            second = Approval(who="Sue", role=Role.CASINO_SUPERVISOR, what=lost.name)
            outcome = self.do(lost, self.usual_actor(lost, who="Ann", approvals=(second,)))
        if isinstance(command, RevealSeed) and isinstance(outcome, Refused):  # a shoe was committed to by chance
            gone = ReportLostSeed(reason="nobody knows it")
            second = Approval(who="Sue", role=Role.CASINO_SUPERVISOR, what=gone.name)
            outcome = self.do(gone, self.usual_actor(gone, who="Ann", approvals=(second,)))
        assert isinstance(outcome, Accepted), f"an expected act is accepted: {due} gave {outcome}"
        return outcome

    def go_to(self, step: str, *, short: int = 0, most: int = 500) -> None:
        """Do what is due until a step begins."""
        for _ in range(most):
            if self.state.step == step:
                return
            self.go_on(short=short)
        raise AssertionError(f"{step} was not reached from {self.state.step}")

    def wager(self, chance: random.Random, *, seats: Iterable[int] | None = None) -> None:
        """Some of the company wager; what is not admissible is refused."""
        for seat in seats if seats is not None else self.state.occupied:
            kinds = [WagerKind.PLAYER, WagerKind.BANKER, *chance.sample(tuple(WagerKind), 3)]
            for kind in kinds[chance.randrange(2) :]:
                self.do(PlaceWager(seat=seat, on=kind, stake=a_stake(self.rules, kind, chance)))

    def play_round(self, chance: random.Random, *, short: int = 0) -> None:
        """One whole round, from wherever the table stands."""
        self.go_to("wager", short=short)
        number = (self.state.shoe.number, self.state.round.number)
        self.wager(chance)
        if not self.state.round.wagers:
            self.do(PlaceWager(seat=self.state.occupied[0], on=WagerKind.PLAYER, stake=2500))
        while (self.state.shoe.number, self.state.round.number) == number and not self.state.shoe.finished:
            if self.state.step == "house_money" and chance.random() < 0.5:
                press(self, chance)
            self.go_on(short=short)


def press(walk: Walk, chance: random.Random) -> None:
    """A House Money winner presses, perhaps."""
    seat = walk.due().seat
    walk.do(PressHouseMoney(seat=seat, onto=chance.choice((WagerKind.PLAYER, WagerKind.BANKER))))


# ------------------------------------------------------------------------------- expected and decide agree


def sensible(walk: Walk, due: Due) -> list[Command]:
    """The commands by which an act that is due can be done; at least one of the optional ones is accepted."""
    if due.act == "place_wager":
        chance = random.Random(0)
        return [
            PlaceWager(seat=seat, on=kind, stake=a_stake(walk.rules, kind, chance))
            for seat in walk.state.occupied
            for kind in (WagerKind.PLAYER, WagerKind.BANKER, WagerKind.TIE)
        ]
    if due.act == "press_house_money":
        return [PressHouseMoney(seat=due.seat, onto=kind) for kind in (WagerKind.PLAYER, WagerKind.BANKER)]
    if due.act == "commit_shoe":
        return [CommitShoe(table="T", shoe=str(walk.state.shoe.number), commitment="0" * 64)]
    if due.act == "seal_order":
        return [SealOrder(root="0" * 64)]
    return [command_for(walk, due, walk.source)]


def pressable(state: TableState, seat: int) -> bool:
    """Whether a seat has a main wager that a payout could be pressed onto."""
    return any(wager.seat == seat and wager.on in (WagerKind.PLAYER, WagerKind.BANKER) for wager in state.round.wagers)


def agree(walk: Walk) -> None:
    """Every act that is expected now is accepted now."""
    for due in walk.expected:
        assert due.cites, f"{due} cites nothing"
        outcomes = [
            decide(walk.rules, walk.state, command, actor_for(walk, command)) for command in sensible(walk, due)
        ]
        taken = any(isinstance(outcome, Accepted) for outcome in outcomes)
        if due.act == "press_house_money" and not pressable(walk.state, due.seat):
            continue
        if due.act == "place_wager" and (walk.state.round.wagers or not walk.state.occupied):
            continue
        assert taken, f"{due} is expected at {walk.state.step}, but {outcomes}"


# --------------------------------------------------------------------------------------------- cards


def stack(seed: int, count: int, *, rich: bool = False) -> tuple[Card, ...]:
    """An order of cards; a rich one has its kings and nines, courts and pairs in front of any middle cut."""
    chance = random.Random(seed)
    cards = list(decks(count))
    chance.shuffle(cards)
    if rich:
        cards.sort(key=lambda card: (card.rank.value not in "K9QJ") + chance.random() * 1.3)
        half = len(cards) // 2
        cards = cards[half:] + cards[:half]
    return tuple(cards)


def keyed(rules: Rulebook, seed: int, *, rich: bool = False) -> KeyedCards:
    """Real cards in a random order for every shoe; the Must Hit falls as soon as it may, or by chance."""
    triggers = sealed_triggers(rules, seed) if seed % 2 else FirstWager(rules)
    return KeyedCards(lambda number: stack(seed + number, rules.elections.decks or 8, rich=rich), triggers=triggers)


def sealed(rules: Rulebook, seed: int) -> SealedShoe:
    """An electronic shoe for every seed."""
    triggers = sealed_triggers(rules, seed)
    return SealedShoe(rules, lambda number: (seed + number).to_bytes(32, "big"), table="table", triggers=triggers)
