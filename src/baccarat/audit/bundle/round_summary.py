"""One round of a bundle, as recorded: its cards, its wagers, every act with its clauses, without names."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from baccarat.audit.bundle.form import ROUND, Bundle, canonical_bytes
from baccarat.cards import Card
from baccarat.engine.redecide import RecordDifference, command_of, read_events
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side, values
from baccarat.record.canonical import read_canonical
from baccarat.record.entry import NO_BYTES, ActRecord, StreamOpening, folded_text, read_body, read_refusal
from baccarat.table.actor import Origin
from baccarat.table.base import Event, StepBegan
from baccarat.table.due_settlement import DueSettled
from baccarat.table.machine import begin, evolve_all, with_act
from baccarat.table.rules_adoption import rules_after
from baccarat.table.state import TableState
from baccarat.table.step.announcing import ResultAnnounced, ResultWithdrawn
from baccarat.table.step.burning import BURN
from baccarat.table.step.dealing import CardDrawn, RoundVoided
from baccarat.table.step.house_money import HouseMoneyPaid
from baccarat.table.step.settlement import Awarded, LosersCollected, Paid, VigorishTaken
from baccarat.table.story import tell
from baccarat.table.story_words import ROLE_NAMES
from baccarat.table.tableau import HandStays

DECIDING_EVENTS = (
    HandStays, ResultAnnounced, RoundVoided, LosersCollected, VigorishTaken, Paid, Awarded,
    HouseMoneyPaid, DueSettled,
)  # fmt: skip
"""Events in which the rules decide about cards or a wager."""
PERSON_FIELDS = ("who", "by", "requester", "approver", "dealer", "patron")
"""Fields of events that name a person."""
ANONYMOUS = "somebody"
NOT_OVER, RETURNED = "The round was not over.", " returned"


class NotARound(ValueError):  # noqa: N818
    """A bundle that shows no round."""


class HandSummary(msgspec.Struct, frozen=True):
    """A hand: its cards, the numbers of the cards in the shoe, and its count."""

    side: Side
    cards: tuple[tuple[int, Card], ...]
    count: int | None


class ActSummary(msgspec.Struct, frozen=True):
    """One thing that happened: the record, who acted in what capacity, the sentence, the clauses."""

    seq: int
    role: str
    say: str
    cites: tuple[str, ...]
    decides: bool
    """Whether the rules decided about the cards or a wager."""


class SeatSummary(msgspec.Struct, frozen=True):
    """The wagers of a seat when the result was called, and their outcome."""

    seat: int
    wagers: tuple[str, ...]
    came: tuple[str, ...]


class RoundSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a page shows of a round."""

    rules: Rulebook
    hands: tuple[HandSummary, ...]
    outcome: str
    seats: tuple[SeatSummary, ...]
    acts: tuple[ActSummary, ...]
    began: int
    ended: int

    def clauses(self) -> list[tuple[str, str]]:
        """The clauses that decided, each once, in our words."""
        cited = dict.fromkeys(cite for act in self.acts if act.decides for cite in act.cites)
        found = [(cite, clause_words(self.rules.edition, cite)) for cite in cited]
        return [(cite.partition(" ")[2], words) for cite, words in found if words]


def clause_words(edition: Edition, cite: str) -> str:
    """What a cited paragraph requires, in our words; empty if a forger cites something that is not a paragraph."""
    try:
        paragraph = Citation.parse(cite).paragraph
    except ValueError:
        return ""
    found = [clause.requirement for key, clause in edition.clauses.items() if key.rpartition(".")[0] == paragraph] or [
        clause.requirement for key, clause in edition.clauses.items() if key == paragraph
    ]
    return " ".join(found)


def bundled_round(bundle: Bundle, rules: dict[str, Rulebook]) -> RoundSummary:
    """The round that a bundle is about, as recorded; `NotARound` if it is about something else."""
    scope = bundle.scope
    if scope.kind != ROUND:
        raise NotARound(f"the bundle is about {scope}; expected one of a round")
    opening, *records = [read_body(canonical_bytes(bytes(entry.record))) for entry in bundle.entries]
    held = rules.get(opening.rulebook if bundle.before is None else bundle.before.rulebook)
    if not isinstance(opening, StreamOpening) or held is None:
        raise NotARound("the rules of the round are not known")
    state = (
        begin(held, opening.cards, opening.witnesses, opening.reveal_within)
        if bundle.before is None
        else read_canonical(bytes(bundle.before.state), TableState)
    )
    found = _RoundCollector(state)
    for record in records:
        assert isinstance(record, ActRecord), "only a stream's first entry opens it"
        events = read_events(record)
        if events is None:
            raise NotARound(f"record {record.seq} has an event that cannot be read")
        after = evolve_all(state, events)
        if (state.shoe.number + 1, state.round.number) == (scope.shoe, scope.round):
            found.add_record(record, events, state, after)
        held, state = rules_after(held, events), after
    if not found.times:
        raise NotARound(f"there is no record of {scope}")
    return RoundSummary(
        rules=held,
        hands=tuple(_hand(held, found.at_end, side) for side in (PLAYER_SIDE, BANKER_SIDE)),
        outcome=found.outcome,
        seats=tuple(found.seats()),
        acts=tuple(found.acts),
        began=min(found.times),
        ended=max(found.times),
    )


class _RoundCollector:
    """What has been seen of a round: its acts, and the table when the result was called and when it ended."""

    def __init__(self, state: TableState) -> None:
        self.at_result = self.at_end = state
        self.outcome = NOT_OVER
        self.acts: list[ActSummary] = []
        self.times: list[int] = []
        self._outcomes: dict[int, list[str]] = {}

    def add_record(self, record: ActRecord, events: list[Event], before: TableState, after: TableState) -> None:
        """Add one record of the round; before the first one the cards are prepared, which is not part of it."""
        if not self.times and not (before.shoe.loaded and before.step != BURN):
            return
        self.times.append(record.at)
        self.acts += _acts(record, events, before)
        self._money(events)
        is_over = (after.shoe.number, after.round.number) != (before.shoe.number, before.round.number)
        self.at_end = before if is_over else after
        if self.outcome == NOT_OVER:
            self.at_result = before
        for event in events:
            if isinstance(event, ResultAnnounced):
                self.outcome = "; ".join(event.calls)
            elif isinstance(event, RoundVoided):
                self.outcome = "The round is void."
            elif isinstance(event, ResultWithdrawn):
                self.outcome = NOT_OVER  # and what it returned is decided again; what House Money moved stays
                kept = {
                    seat: [say for say in said if not say.endswith(RETURNED)] for seat, said in self._outcomes.items()
                }
                self._outcomes = {seat: said for seat, said in kept.items() if said}

    def _money(self, events: list[Event]) -> None:
        """The outcome of wagers, seat by seat; other movements of money are only listed among the acts."""
        for event in events:
            match event:
                case LosersCollected():
                    for seat, amount in event.amounts.items():
                        self._add_outcome(seat, f"{Cents(amount)} lost")
                case Paid():
                    self._add_outcome(event.seat, f"{Cents(event.win)} paid, {Cents(event.stake)} back")
                case VigorishTaken():
                    self._add_outcome(
                        event.seat, f"{Cents(event.amount)} vigorish {'marked' if event.marked else 'taken'}"
                    )
                case HouseMoneyPaid():
                    self._add_outcome(event.seat, f"{Cents(event.win)} House Money paid")
                case Awarded():
                    self._add_outcome(event.seat, f"{Cents(event.amount)} awarded")
                case DueSettled():
                    done = "paid" if event.amount >= 0 else "taken back"
                    self._add_outcome(event.seat, f"{Cents(abs(event.amount))} {done} after a correction")
                case ResultAnnounced() | RoundVoided():
                    for seat, amount in event.returned.items():
                        self._add_outcome(seat, f"{Cents(amount)}{RETURNED}")

    def _add_outcome(self, seat: int, say: str) -> None:
        self._outcomes.setdefault(seat, []).append(say)

    def seats(self) -> Iterator[SeatSummary]:
        """Each seat that had a wager, or received something."""
        wagers: dict[int, list[str]] = {}
        for wager in self.at_result.round.wagers:
            coupon = f" and a coupon of {Cents(wager.coupon)}" if wager.coupon else ""
            wagers.setdefault(wager.seat, []).append(f"{wager.on.title} {Cents(wager.stake)}{coupon}")
        for seat in sorted({*wagers, *self._outcomes}):
            yield SeatSummary(seat, tuple(wagers.get(seat, ())), tuple(self._outcomes.get(seat, ())))


def _hand(rules: Rulebook, state: TableState, side: Side) -> HandSummary:
    round_ = state.round
    cards = tuple(
        (position + 1, round_.turned[position]) for position in round_.hand(side) if position in round_.turned
    )
    value = values(rules.edition.point_count.value)
    count = sum(value[card.rank] for _, card in cards) % 10 if cards else None
    return HandSummary(side, cards, count)


def _acts(record: ActRecord, events: list[Event], before: TableState) -> Iterator[ActSummary]:
    """The sentences of a record; the actor is named by role."""
    role = record.role.value if record.role is not None else _source(record)
    if record.refused is not NO_BYTES:
        refused = read_refusal(bytes(record.refused))
        command = command_of(bytes(record.command))
        if not isinstance(command, RecordDifference):
            refused = with_act(refused, command)
        yield ActSummary(record.seq, role, f"Refused: {refused.say}.", tuple(map(str, refused.cites)), decides=False)
    if record.folded is not None:
        say = folded_text(msgspec.structs.replace(record.folded, who=ANONYMOUS))
        yield ActSummary(record.seq, "house", say, (), decides=False)
    for event in events:
        if isinstance(event, StepBegan):
            continue
        is_third = isinstance(event, CardDrawn) and len(before.round.hand(event.to)) > 1
        decides = is_third or isinstance(event, DECIDING_EVENTS)
        say = tell(anonymous_event(event), record.origin)
        yield ActSummary(record.seq, role, say[:1].upper() + say[1:], event.cites, decides)


def _source(record: ActRecord) -> str:
    return {Origin.CARD_SOURCE: "shoe", Origin.LINK: "link", Origin.CLOCK: "clock"}.get(record.origin, "dealer")


def anonymous_event(event: Event) -> Event:
    """The event without ids of persons, which a published page does not need."""
    found = {name: getattr(event, name, None) for name in PERSON_FIELDS}
    named_ = {name: ANONYMOUS for name, said in found.items() if type(said) is str and said and said not in ROLE_NAMES}
    return msgspec.structs.replace(event, **named_) if named_ else event
