"""A table in a test: its cards are chosen, every command is accepted or refused as the test says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from acting import acting
from baccarat.cards import Card, decks
from baccarat.law.edition import load_edition
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.automation import actor_for, command_for, next_due
from baccarat.table.base import Accepted, Command, Due, Event
from baccarat.table.invariant import broken_invariants, money_brought_in, worth
from baccarat.table.machine import Table, replay
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards
from baccarat.table.state import DEALER, TableState
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.story import tell
from triggers import FirstWager

MICRO = 1_000_000
BURN = "As 9c"
"""An ace, which calls for one more card."""
SHORT = {"p": WagerKind.PLAYER, "b": WagerKind.BANKER, "t": WagerKind.TIE}

E = TypeVar("E", bound=Event)


def parse(text: str) -> list[Card]:
    """The cards that `text` names, in order."""
    return [Card.parse(word) for word in text.split()]


def in_order(count: int, first: Iterable[Card], last: Iterable[Card] = ()) -> tuple[Card, ...]:
    """The cards of so many decks with these first and those last, the others between in the order of new decks."""
    front, back = list(first), list(last)
    left = Counter(decks(count))
    left.subtract([*front, *back])
    assert min(left.values()) >= 0, "the decks hold these cards"
    return (*front, *left.elements(), *back)


class Game:
    """A table at work, with its cards, and money checked after every command."""

    def __init__(self, rules: Rulebook, cards: Callable[[int], tuple[Card, ...]]) -> None:
        self.rules = rules
        self.table = Table(rules)
        size = 52 * (rules.elections.decks or 0)
        front = size // 2
        self.source = KeyedCards(
            lambda number: _before_the_cut(cards(number), front), in_front=front, triggers=FirstWager(rules)
        )
        self.worth = worth(self.table.state)
        self.skipped = False
        self.opened = 0

    @property
    def state(self) -> TableState:
        """The table as it stands."""
        return self.table.state

    @property
    def step(self) -> str:
        """The step at which the table is."""
        return self.table.state.step

    def do(
        self,
        command: Command,
        *,
        by: Role | None = None,
        who: str = "",
        second: str | None = None,
        second_role: Role | None = None,
    ) -> tuple[Event, ...]:
        """Do a command that must be accepted; no money appears or vanishes, no invariant breaks."""
        actor = acting(self.table, command, by=by, who=who, second=second, second_role=second_role)
        outcome = self.table.do(command, actor)
        assert isinstance(outcome, Accepted), f"{command}: {outcome}"
        for event in outcome.events:
            self.worth += money_brought_in(event) * MICRO
            assert tell(event), "every event has its sentence"
            assert event.cites, f"every event cites: {event}"
            assert len(set(event.cites)) == len(event.cites), f"each paragraph once: {event}"
        assert worth(self.state) == self.worth, f"money is conserved: {outcome.events}"
        assert broken_invariants(self.rules, self.state) == []
        return outcome.events

    def refused(
        self,
        command: Command,
        why: str = "",
        *,
        cites: str = "",
        by: Role | None = None,
        who: str = "",
        second: str | None = None,
        second_role: Role | None = None,
    ) -> Refused:
        """A command that must be refused, for this reason and under this paragraph, and changes nothing."""
        before = self.state
        actor = acting(self.table, command, by=by, who=who, second=second, second_role=second_role)
        outcome = self.table.do(command, actor)
        assert isinstance(outcome, Refused), f"accepted: {command}"
        assert self.state is before
        assert outcome.cites, "every refusal cites"
        assert len(set(outcome.cites)) == len(outcome.cites), f"each paragraph once: {outcome}"
        assert outcome.say.startswith(f"{command}: "), "every refusal names the act, and says why"
        number, position = outcome.params.get("position"), getattr(command, "position", None)
        assert number is None or position is None or number == position + 1, "people count cards from one"
        if why:
            assert outcome.code.value == why, outcome
        if cites:
            assert any(str(each).endswith(f"§{cites}") for each in outcome.cites), (cites, outcome.cites)
        return outcome

    def next_act(self) -> Due:
        """The act that is due."""
        return next_due(self.table, self.source)

    def act(self, *, accept: bool = False) -> tuple[Event, ...]:
        """Do the act that is due; offers are taken or declined."""
        command = command_for(self.table, self.next_act(), self.source)
        if isinstance(command, AnswerShoe) and not accept:
            command = replace(command, accept=False)
        actor = actor_for(self.table, command)
        second = actor.approvals[0].who if actor.approvals else ""
        return self.do(command, who=actor.who, second=second)

    def go(self, until: str) -> Game:
        """Do what is due until the table comes to a step."""
        while self.step != until:
            self.act()
        return self

    def go_to_act(self, name: str) -> Game:
        """Do what is due until an act of this name is due."""
        while self.next_act().act != name:
            self.act()
        return self

    def wager(self, *texts: str) -> Game:
        """Wagers in words: seat, what on, cents."""
        for text in texts:
            seat, on, stake = text.split()
            self.do(PlaceWager(seat=int(seat), on=SHORT.get(on) or WagerKind(on), stake=int(stake)))
        return self

    def finish_round(self) -> tuple[Event, ...]:
        """Do what is due until the table is cleared; the events of all that."""
        begun, log = self.state.round.number, len(self.table.log)
        while self.state.round.number == begun and not self.state.round.void:
            self.act()
        return tuple(self.table.log[log:])

    def play(self, *wagers: str) -> tuple[Event, ...]:
        """A whole round with these wagers."""
        return self.wager(*wagers).finish_round()

    def skip(self, *, left: int, cover_out: bool = False) -> Game:
        """Let so many cards be left in the shoe, as if the others had been dealt; the log cannot be replayed then."""
        shoe = self.state.shoe
        seen: dict[str, int] = {}
        shoe = replace(
            shoe, next=shoe.cards - left, cover_out=cover_out, last_called=cover_out, is_last=cover_out, seen=seen
        )
        self.table.state = replace(self.state, shoe=shoe)
        self.skipped = True
        return self

    def of(self, kind: type[E]) -> list[E]:
        """The events of one kind, in order."""
        return [event for event in self.table.log if isinstance(event, kind)]

    def last(self, kind: type[E]) -> E:
        """The last event of one kind."""
        return self.of(kind)[-1]

    def chips(self, seat: int) -> int:
        """The chips before a participant."""
        person = self.state.at(seat)
        assert person is not None
        return person.chips

    def hand(self, side: Side) -> str:
        """The turned cards of a hand, in words."""
        return " ".join(map(str, self.state.round.cards(side)))

    def check_replay(self) -> None:
        """The log leads to the state."""
        assert self.skipped or replay(self.rules, self.table.log) == self.state


def _before_the_cut(cards: tuple[Card, ...], front: int) -> tuple[Card, ...]:
    """The stack that, cut with so many in front, gives the cards in this order."""
    return (*cards[len(cards) - front :], *cards[: len(cards) - front])


_FILED: dict[tuple[str, bytes], Rulebook] = {}


def filed(submission: str, elections: dict[str, Any]) -> Rulebook:
    """The rulebook of a Submission with these elections, built once: hundreds of tests play under each."""
    key = (submission, msgspec.json.encode(elections, order="sorted"))
    known = _FILED.get(key)
    if known is None or known.edition is not load_edition(known.edition.name):  # a test may put another in its place
        known = _FILED[key] = rulebook(submission, **elections)
    return known


def new_game(
    edition: str, cards: str = "", *, end: str = "", burn: str = BURN, then: str = "", **elections: Any
) -> Game:
    """A table just opened: these cards come after the burn, those at the end; `then` in every shoe after the first."""
    rules = filed(edition, elections)
    count = rules.elections.decks or 0

    def order(number: int) -> tuple[Card, ...]:
        return in_order(count, [*parse(burn), *parse(then if number else cards)], parse(end))

    return Game(rules, order)


def seated(game: Game, seats: Iterable[int], *, chips: int = 10_000_000) -> Game:
    """Participants with chips at these seats."""
    for seat in seats:
        game.do(Sit(seat=seat, person=f"participant {seat}"))
        game.do(BuyIn(seat=seat, amount=chips))
    return game


def game_at(
    edition: str,
    cards: str = "",
    *,
    step: str = "wager",
    seats: Iterable[int] = (1, 3, 5),
    chips: int = 10_000_000,
    curator: int = DEALER,
    **more: Any,
) -> Game:
    """A table that has come to a step, wagering unless told; the dealer deals, or a participant as curator."""
    game = seated(new_game(edition, cards, **more), seats, chips=chips)
    while game.step != step:
        due = game.next_act()
        game.act(accept=due.act == "answer_shoe" and due.seat == curator)
    return game
