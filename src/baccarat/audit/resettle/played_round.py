"""Rounds as recorded in a journal: cards in dealing order, wagers at the last call, and what each person was paid.

Events have been decided again already, so nothing here judges them. A round is complete when its cards have
been cleared; a later correction counts for the round whose payment it corrects.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import WagerKind
from baccarat.money import Cents
from baccarat.play.hand import PLAYER_SIDE, Side
from baccarat.play.wager import Verbal, Wager
from baccarat.play.wager.must_hit import MustHitState
from baccarat.table.base import Event, table_rules
from baccarat.table.card_correction import CardCorrected
from baccarat.table.due_settlement import DueSettled, UncollectedReported
from baccarat.table.machine import begin, evolve
from baccarat.table.payment_correction import PaymentCorrected
from baccarat.table.proof import cards_from, index_before_cut
from baccarat.table.round_state import SIMULATED, RoundKind
from baccarat.table.rules_adoption import rules_after
from baccarat.table.seating_acts import BoughtIn
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.calling import contributions_of
from baccarat.table.step.clearing import TableCleared
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.dealing import RoundVoided
from baccarat.table.step.house_money import HouseMoneyCollected, HouseMoneyPaid
from baccarat.table.step.must_hit import MustHitEnded
from baccarat.table.step.revealing import SeedRevealed
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid, VigorishTaken
from baccarat.table.step.wagering import WagerPlaced

MOST_CARDS = 6
"""No round takes more: three for each hand."""


class RoundCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """A correction by two persons that touched a round: of a payment, or of a card after the result."""

    what: str
    reason: str
    requester: str
    approver: str
    who: str = ""
    """Whose payment it was; empty for a card."""


class PlayedRound(msgspec.Struct, kw_only=True):
    """A round that was played, with all that is needed to settle it again."""

    shoe: int
    """Counted from 1, as the round is."""
    number: int
    line: int
    """The line of the journal with the result, or with the decision that the round is void."""
    kind: RoundKind
    rules: Rulebook
    outcome: str
    is_foul: bool = False
    """Whether the round was void because of a card that cannot have been in the shoe."""
    wagers: tuple[Wager, ...] = ()
    people: dict[int, str] = {}
    """Who sat at each seat with a wager."""
    positions: tuple[int, ...] = ()
    """The positions of the round's cards in the shoe, in dealing order: the first four, then third cards."""
    next_positions: tuple[int, ...] = ()
    """The positions of the cards next in the shoe, as many as a round could still take; none at the shoe's end."""
    cards: dict[int, Card] = {}
    """The cards of the round by their positions, as corrected."""
    meters: dict[str, int] | None = None
    """What the Royal 9 meters showed before the wagers of this round fed them, in micro-cents."""
    must_hit: MustHitState | None = None
    """The Must Hit as it was won; None if it was not, since its trigger then stays sealed."""
    must_hit_seat: int = 0
    net: Counter[str]
    """What each person won or lost by the journal, corrections included."""
    vigorish: Counter[str]
    corrections: list[RoundCorrection]

    @property
    def is_void(self) -> bool:
        """Whether the journal has the round as void."""
        return self.outcome == "void"


class KnownShoe(msgspec.Struct, kw_only=True):
    """What is known of the order of one shoe: cards that were seen, or all of them once its seed was revealed."""

    number: int
    rules: Rulebook
    cards: dict[int, Card] = {}
    first_burned: Card | None = None


class JournalRounds:
    """Collects the rounds of a table from its events, act by act."""

    def __init__(self, rules: Rulebook) -> None:
        self.rules, self.state = rules, begin(rules)
        self.rounds: list[PlayedRound] = []
        """Every round whose result is known, or that was void."""
        self.shoes: dict[int, KnownShoe] = {}
        self.bought: Counter[str] = Counter()
        """What each person has bought in for, spoken cash included."""
        self.count = 0
        self._begun: list[tuple[int, PlayedRound | None]] = [(0, None)]
        """The number of the first event of each round, with the round once its result is known."""
        self._spoken: dict[tuple[int, WagerKind], Verbal] = {}
        self._early_net: Counter[str] = Counter()
        """What House Money has moved in a round whose result is not yet known."""
        self._early_corrections: list[RoundCorrection] = []
        self._correcting: dict[int, int] = {}
        """For a correction of a payment, the event that was originally corrected."""

    @property
    def finished_rounds(self) -> list[PlayedRound]:
        """The rounds that are over: void, or settled to the end and cleared away."""
        current = self._current()
        return self.rounds if current is None or current.is_void else self.rounds[:-1]

    @property
    def is_round_open(self) -> bool:
        """Whether wagers on the table are undecided, or not fully settled."""
        return bool(self.state.round.wagers) or len(self.finished_rounds) < len(self.rounds)

    def add_events(self, line: int, events: Iterable[Event]) -> None:
        """Add the events of one act."""
        for event in events:
            before = self.state
            self.rules = rules_after(self.rules, (event,))
            self.state = evolve(before, event)
            self._follow_event(line, event, before)
            self.count += 1

    def _follow_event(self, line: int, event: Event, before: TableState) -> None:
        match event:
            case BoughtIn():
                self.bought[self._person_at(event.seat)] += event.amount
            case WagerPlaced(cash=True):
                self.bought[self._person_at(event.seat)] += event.stake
                spoken = next(s for s in before.round.spoken if (s.seat, s.on) == (event.seat, event.on))
                self._spoken[event.seat, event.on] = spoken.verbal
            case WagerPlaced():
                self._spoken.pop((event.seat, event.on), None)  # spoken first, withdrawn, and then made with chips
            case ResultAnnounced():
                self._begin_round(line, before, event.outcome)
            case ResultWithdrawn():
                self._withdraw_round()
            case RoundVoided():
                self._begin_round(line, before, "void")
            case MustHitEnded() if event.hit:
                self._must_hit(before, event)
            case SeedRevealed(sealed=True):
                self._reveal(event)
            case CardCorrected() if event.position in before.round.turned:
                self._correct_card(event)
            case PaymentCorrected():
                self._correct_payment(event)
            case TableCleared() | ShoeClosed():
                self._end_round(before)
            case _:
                pass
        self._money(event)

    def _person_at(self, seat: int) -> str:
        person = self.state.at(seat)
        assert person is not None, "money moves only at occupied seats"
        return person.who

    # ------------------------------------------------------------------------------------------- rounds

    def _begin_round(self, line: int, before: TableState, outcome: str) -> None:
        """Record the round as it lies on the table, once its result is known or it is void."""
        round_, shoe, rules = before.round, before.shoe, table_rules(self.rules)
        wagers = tuple(
            replace(
                wager,
                press=round_.presses.get(wager.seat) if wager.on in rules.book.early else None,
                verbal=self._spoken.get((wager.seat, wager.on)),
            )
            for wager in round_.wagers
        )
        carried = shoe.carried if round_.kind is not SIMULATED else ()
        positions = _dealing_order(rules.book.hands, round_.player, round_.banker)
        waiting = (*carried, *range(shoe.next, shoe.cards))
        contributions, _ = contributions_of(rules, before) if round_.closed else ({}, 0)
        meters = {name: value - contributions.get(name, 0) for name, value in before.meters.amounts.items()}
        is_void = outcome == "void"  # then everything moved so far is returned
        played = PlayedRound(
            shoe=shoe.number + 1,
            number=round_.number,
            line=line,
            kind=round_.kind,
            rules=self.rules,
            outcome=outcome,
            is_foul=bool(before.stopped),
            wagers=wagers,
            people={wager.seat: self._person_at(wager.seat) for wager in wagers},
            positions=positions,
            next_positions=waiting[: MOST_CARDS - len(positions)],
            cards=dict(round_.turned),
            meters=meters or None,
            net=Counter() if is_void else self._early_net,
            vigorish=Counter(),
            corrections=[] if is_void else self._early_corrections,
        )
        self.rounds.append(played)
        start, _ = self._begun[-1]
        self._begun[-1] = start, played
        self._early_net, self._early_corrections = Counter(), []

    def _withdraw_round(self) -> None:
        """The result is withdrawn, before any chip has moved by it: the round is open again."""
        played = self.rounds.pop()
        start, _ = self._begun[-1]
        self._begun[-1] = start, None
        self._early_net, self._early_corrections = played.net, played.corrections

    def _current(self) -> PlayedRound | None:
        """The round whose result is known and whose cards still lie on the table."""
        return self._begun[-1][1]

    def _must_hit(self, before: TableState, event: MustHitEnded) -> None:
        played, terms = self._current(), self.rules.elections.must_hit
        assert played is not None, "the Must Hit is ended after the result"
        assert terms is not None, "only won where the licensee has it"
        trigger = terms.ceiling if event.trigger is None else event.trigger
        lot = sorted(before.round.royal9_seats).index(event.seat)
        played.must_hit = MustHitState(meter=before.meters.must_hit, trigger=trigger, lot=lot)
        played.must_hit_seat = event.seat

    def _correct_card(self, event: CardCorrected) -> None:
        correction = _correction(event, f"card {event.position + 1} was corrected from {event.was} to {event.card}")
        played = self._current()
        if played is None:
            self._early_corrections.append(correction)
            return
        played.cards[event.position] = event.card
        played.corrections.append(correction)

    def _end_round(self, before: TableState) -> None:
        """The cards are cleared: remember what was seen of the shoe."""
        shoe = self.shoes.setdefault(before.shoe.number + 1, _known_shoe(before, self.rules))
        shoe.cards |= before.shoe.burned | before.shoe.disclosed | before.round.turned
        if shoe.first_burned is None and before.shoe.burn:
            shoe.first_burned = before.shoe.burned.get(before.shoe.burn[0])
        self._begun.append((self.count + 1, None))
        self._spoken, self._early_net, self._early_corrections = {}, Counter(), []

    def _reveal(self, event: SeedRevealed) -> None:
        """The whole order of the shoe, as it was cut."""
        shoe = self.state.shoe
        assert shoe.commitment is not None, "only an electronic shoe has a seed"
        order = cards_from(replace(shoe.commitment, seed="", lost=False), bytes.fromhex(event.seed))
        known = self.shoes.setdefault(shoe.number + 1, _known_shoe(self.state, self.rules))
        known.cards |= {position: order[index_before_cut(shoe, position)] for position in range(shoe.cards)}

    # -------------------------------------------------------------------------------------------- money

    def _money(self, event: Event) -> None:
        """Record what an event of settlement gives to a person, or takes."""
        for seat, change, vigorish in _seat_changes(event):
            played, who = self._current(), self._person_at(seat)
            (self._early_net if played is None else played.net)[who] += change
            if played is not None:
                played.vigorish[who] += vigorish

    def _correct_payment(self, event: PaymentCorrected) -> None:
        first = self._correcting.get(event.corrects, event.corrects)
        self._correcting[self.count] = first
        played = next((found for start, found in reversed(self._begun) if start <= first), None)
        who = self._person_at(event.seat)
        net = self._early_net if played is None else played.net  # None: House Money of a round without a result yet
        net[who] += event.amount
        if played is not None:
            played.vigorish[who] += event.vigorish or 0
        correction = _correction(event, f"a payment was corrected by {Cents(event.amount)}", who)
        (self._early_corrections if played is None else played.corrections).append(correction)


def _correction(event: CardCorrected | PaymentCorrected, what: str, who: str = "") -> RoundCorrection:
    return RoundCorrection(what=what, who=who, reason=event.reason, requester=event.requester, approver=event.approver)


def _seat_changes(event: Event) -> Iterator[tuple[int, int, int]]:
    """The seats whose money an event of settlement changes: seat, change, vigorish."""
    match event:
        case HouseMoneyCollected():
            yield event.seat, -event.stake, 0
        case HouseMoneyPaid() | Paid():
            yield event.seat, event.win, 0
        case LosersCollected():
            for seat, amount in event.amounts.items():
                yield seat, -amount, 0
        case VigorishTaken():
            yield event.seat, -event.amount, event.amount
        case Awarded():
            yield event.seat, event.amount - (0 if event.stake_back else event.stake), 0
        case MustHitEnded() if event.hit:
            yield event.seat, event.award, 0
        case DueSettled():
            yield event.seat, event.amount - event.lying, event.vigorish
        case UncollectedReported():
            yield event.seat, -event.amount - event.lying, event.vigorish
        case _:
            return


def _known_shoe(state: TableState, rules: Rulebook) -> KnownShoe:
    return KnownShoe(number=state.shoe.number + 1, rules=rules)


def _dealing_order(hands: tuple[Side, ...], player: tuple[int, ...], banker: tuple[int, ...]) -> tuple[int, ...]:
    """Positions in the order in which they are dealt: the first four in turn, then third cards; some may be missing."""
    found = []
    for index, side in enumerate(hands):
        hand = player if side is PLAYER_SIDE else banker
        seen = hands[:index].count(side)
        if seen < len(hand):
            found.append(hand[seen])
    return (*found, *player[2:], *banker[2:])
