"""A whole shoe by automation under any rulebook: it replays, breaks no invariant, settles, and can be priced."""

from __future__ import annotations

import random
from typing import Any

from baccarat.cards import decks
from baccarat.law.rulebook import Rulebook
from baccarat.odds import odds
from baccarat.play.book import open_book
from baccarat.play.refusal import Refused
from baccarat.table.actor import Actor
from baccarat.table.automation import next_due, perform
from baccarat.table.base import Accepted, Command
from baccarat.table.invariant import broken_invariants, money_brought_in, worth
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.machine import Table, replay
from baccarat.table.round_state import RoundKind
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards, SealedTriggers
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid
from baccarat.table.step.turning import AskBankerFirst
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.story import tell

MICRO = 1_000_000
SEATED, ACTS_A_CARD = 2, 48
"""Who plays, and the most acts per card of the shoe: three times as many as usual."""
SETTLING = (Paid, LosersCollected, Awarded, HouseMoneyPaid, HouseMoneyCollected)


class Failure(Exception):  # noqa: N818
    """Something that must not happen."""


class _Shoe(Table):
    """A fuzzed table: after every act no invariant is broken, money is conserved, events have clause and sentence."""

    def __init__(self, rules: Rulebook) -> None:
        super().__init__(rules)
        self.worth = worth(self.state)

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        outcome = super().do(command, actor)
        if isinstance(outcome, Refused):
            if not outcome.cites or not outcome.say:
                raise Failure(f"{command} is refused without a clause: {outcome}")
            return outcome
        for event in outcome.events:
            self.worth += money_brought_in(event) * MICRO
            if not event.cites or not tell(event):
                raise Failure(f"an event without a clause or a sentence: {event}")
        if worth(self.state) != self.worth:
            raise Failure(f"money appears or vanishes: {outcome.events}")
        if broken_invariants(self.rules, self.state):
            raise Failure(f"{broken_invariants(self.rules, self.state)} after {command}")
        return outcome


def plays(rules: Rulebook, chance: random.Random) -> None:
    """A whole shoe by automation, with every wager that is offered, and now and then something irregular."""
    table = _Shoe(rules)
    stack, terms, seed = list(decks(rules.elections.decks or 0)), rules.elections.must_hit, chance.randbytes(31)
    chance.shuffle(stack)
    triggers = SealedTriggers(terms, lambda run: seed + bytes([run % 256]), link="link") if terms else None
    source = KeyedCards(lambda _number: stack, triggers=triggers)  # proofs of a sealed order would cost much more
    limits = rules.elections.limits or {}
    stakes = {kind: limits[kind.word].min if kind.word in limits else 0 for kind in open_book(rules).offered}
    purse = 300 * sum(stakes.values()) + 10**6
    for seat in range(1, min(SEATED, len(table.state.seats.participants)) + 1):
        _accepted(table.do(Sit(seat=seat, person=f"guest {seat}")), "sit")
        _accepted(table.do(BuyIn(seat=seat, amount=purse)), "buy in")
    asked, wagered, settled = (-1, -1), set[int](), set[int]()
    most = ACTS_A_CARD * len(stack)
    for _ in range(most):
        state = table.state
        if state.shoe.number:
            break
        moment = (state.shoe.number, state.round.number)
        if state.step == "wager" and asked != moment:
            asked = moment
            if _wagers(table, rules, stakes, chance):
                wagered.add(state.round.number)
            _irregular(table, source, chance)
            continue
        number, before = state.round.number, len(table.log)
        due = next_due(table, source)
        _accepted(perform(table, due, source), due)
        if any(isinstance(event, SETTLING) for event in table.log[before:]):
            settled.add(number)
    else:
        raise Failure(f"no shoe ends within {most} acts; the table is at {table.state.step}")
    if not wagered or len(settled) * 2 < len(wagered):
        raise Failure(f"{len(wagered)} rounds with wagers, {len(settled)} of them settled")
    if replay(rules, table.log) != table.state:
        raise Failure("the log does not lead to the state")


def _accepted(outcome: Accepted | Refused, what: object) -> None:
    if isinstance(outcome, Refused):
        raise Failure(f"an expected act is refused: {what}: {outcome}")


def _wagers(table: _Shoe, rules: Rulebook, stakes: dict[Any, int], chance: random.Random) -> bool:
    """Every wager that is offered, each seat in another order, so that one may depend on another."""
    fixed = {name: wager.law.stake.shall for name, wager in rules.edition.wagers.items() if wager.law.stake}
    main_first = sorted(stakes, key=lambda kind: (not rules.edition.wagers[kind.word].law.main, kind.word))
    for seat in table.state.occupied:
        for kind in main_first if seat != 2 else reversed(main_first):
            table.do(PlaceWager(seat=seat, on=kind, stake=stakes[kind] or fixed.get(kind.word, 500)))
    if chance.random() < 0.1:
        table.do(AskBankerFirst(seat=1))
    if table.state.round.kind is RoundKind.WAGERED and not table.state.round.wagers:
        raise Failure("nobody can wager")
    return table.state.round.kind is RoundKind.WAGERED


def _irregular(table: _Shoe, source: KeyedCards, chance: random.Random) -> None:
    """A card found face up, or drawn in error, seen or unseen."""
    state = table.state
    if chance.random() > 0.08 or not state.shoe.left:
        return
    card, proof = source.card(state, state.shoe.next)
    match chance.randrange(3):
        case 0:
            table.do(ReportFaceUp(card=card, proof=proof))
        case 1:
            table.do(ReportErrorCard(card=card, proof=proof))
        case _:
            table.do(ReportErrorCard())


def is_priced(rules: Rulebook) -> None:
    """Every wager that is offered has a price, and its probabilities sum to one."""
    prices = odds(rules)
    for price in prices:
        if sum(line.probability for line in price.lines) != 1:
            raise Failure(f"the probabilities of {price.name} do not sum to one")
    str(prices)
