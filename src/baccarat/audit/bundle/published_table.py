"""The electronic shoes of one table, followed through its published records: which event belongs to which shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from baccarat.audit.bundle.derivation import DerivationBudget
from baccarat.audit.bundle.published_shoe import PublishedShoe, ShoeFault
from baccarat.audit.bundle.shoe_event_form import (
    ClosingForm,
    CommitmentForm,
    ContributionForm,
    CutForm,
    GateFaultForm,
    ProvedCardForm,
    SealForm,
    SeedForm,
    ShareForm,
    ShownCardForm,
    TableKindForm,
    WitnessChangeForm,
)
from baccarat.audit.reveal_time import RevealTimes
from baccarat.law.submission import MOST_DECKS
from baccarat.law.typed_value import convert_to
from baccarat.record.entry import IN_ENTRIES
from baccarat.record.origin import is_same_log
from baccarat.record.text import visible
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.reveal_deadline import IDLE_DEADLINE, StatedDeadline, is_deadline_idle
from baccarat.table.step.sealing import ORDER_2_SINCE, names_table
from baccarat.table.table_cards import ELECTRONIC_CARDS, StatedCards
from baccarat.table.witness_keys import StatedWitnesses, are_share_keys, witnesses_text


class PublishedTable:
    """The electronic shoes of one table, followed through its records."""

    def __init__(
        self,
        table: str = "",
        origins: Sequence[str] = (),
        cards: StatedCards = UNSET,
        witnesses: StatedWitnesses = UNSET,
        reveal_within: StatedDeadline = UNSET,
        budget: DerivationBudget | None = None,
    ) -> None:
        """`table` is the name of the stream without its kind, `origins` those of the logs of its checkpoints.

        `cards` is what the table was opened as: at an electronic one no card is shown before an order is sealed.
        `witnesses` are those on record where the records begin: every commitment names them. `reveal_within` is the
        deadline for seeds. `budget` says how many cards of the file may be derived.
        """
        self.reveals = RevealTimes(reveal_within)
        self._witnesses = witnesses
        self._budget = budget or DerivationBudget(0)
        self._table, self._origins = table, origins
        self.is_electronic = cards in ELECTRONIC_CARDS
        self.shoes: list[PublishedShoe] = []
        self.has_real_cards = False
        """Whether a card was shown from a shoe whose order had not been sealed."""
        self.faults: list[ShoeFault] = []
        """Faults that belong to no shoe."""
        if is_deadline_idle(cards, reveal_within):
            self.faults.append(ShoeFault(0, IDLE_DEADLINE))
        self._now: PublishedShoe | None = None
        self._behaviour = BEHAVIOUR

    def add_record(
        self,
        seq: int,
        command: Any,
        events: list[Any],
        body: bytes = b"",
        *,
        at: int = 0,
        behaviour: int = BEHAVIOUR,
    ) -> None:
        """Add one record with its events, the bytes that are hashed and its time; a refused one shows nothing.

        `behaviour` is the version that it names.
        """
        self._behaviour = behaviour
        try:
            self._check_command_proof(seq, command, events)
            for event in events:
                self._time_reveal(event, at)
                self._event(seq, event, body=body, is_alone=len(events) == 1)
        except ValueError as error:
            self.faults.append(ShoeFault(seq, f"not an event of an electronic shoe: {visible(str(error))}"))

    def _check_command_proof(self, seq: int, command: Any, events: list[Any]) -> None:
        """Check that the proof in a command is of its card, or of the card in the first event."""
        now = self._now
        if now is None or not now.root or not isinstance(command, dict) or not events:
            return
        name = command.get("do")
        if name == "confirm_card":
            return  # it reports a card that is not the sealed one
        if command.get("proof") is None:
            if name == "turn_card":
                now.faults.append(ShoeFault(seq, "a card was turned without its proof"))
            return
        proved = convert_to(command, ProvedCardForm, "", words=IN_ENTRIES)
        position = proved.position
        if position is None:
            position = convert_to(events[0], ShownCardForm, "", words=IN_ENTRIES).position
        now.prove(seq, proved, position)

    def _commit(self, seq: int, committed: CommitmentForm) -> None:
        """A new electronic shoe: its header is in form, and its log is that of this table."""
        if not 1 <= committed.decks <= MOST_DECKS:
            raise ValueError(f"a shoe of {committed.decks} decks")
        named = tuple(each.key for each in committed.witnesses)
        before, self._now = self._now, PublishedShoe(committed, self._budget)
        self._now.former = (before or (self.shoes[-1] if self.shoes else self._now)).order
        self.shoes.append(self._now)
        if self._witnesses is not UNSET and named != self._witnesses:
            self._now.fault(seq, f"the witnesses on record are others: {visible(witnesses_text(self._witnesses))}")
        if committed.order == 1:
            if self.is_electronic and self._behaviour >= ORDER_2_SINCE:
                self._now.fault(seq, "a shoe of order 1, which the house alone could know, at an electronic table")
            return
        if not are_share_keys(named) or (named and not committed.origin):
            raise ValueError("the witnesses of the commitment are not in form")
        if committed.origin and not (
            names_table(committed.origin, self._table or committed.table)
            and all(is_same_log(committed.origin, each) for each in self._origins)
        ):
            self._now.fault(seq, f"the shoe is committed to under {visible(committed.origin)}, which is another log")

    def _follow_pit(self, event: dict[str, Any]) -> None:
        """Take over what two persons have stated in the book of the pit."""
        if event.get("event") == "witnesses_changed":
            self._witnesses = convert_to(event, WitnessChangeForm, "", words=IN_ENTRIES).witnesses
        elif event.get("event") == "kind_adopted":
            self.is_electronic = convert_to(event, TableKindForm, "", words=IN_ENTRIES).cards in ELECTRONIC_CARDS

    def _event(self, seq: int, event: Any, *, body: bytes, is_alone: bool) -> None:
        if not isinstance(event, dict):
            raise ValueError("an event is an object")
        name = event.get("event")
        if name == "shoe_committed":
            self._commit(seq, convert_to(event, CommitmentForm, "", words=IN_ENTRIES))
            return
        self._follow_pit(event)
        now = self._now
        is_card = isinstance(event.get("card"), dict) and "position" in event and name != "shoe_fouled"
        if is_card and (now is None or not now.root):
            self._show_unsealed(seq)
        if now is None:
            return
        match name:
            case "contribution_made" | "cards_cut" | "recut_ordered" | "inputs_closed" | "share_given" | "order_sealed":
                _order_event(now, seq, event, body=body if is_alone else None)
            case "shoe_failed" | "shoe_fouled":
                _report_event(now, seq, event)
            case "table_cleared":
                now.rounds += 1
            case "seed_revealed" | "order_disproved":
                now.reveal(seq, convert_to(event, SeedForm, "", words=IN_ENTRIES).seed)
            case "seed_lost":
                now.is_lost = True
            case "shoe_closed":
                now.is_over, self._now = True, None
            case _ if is_card:
                shown = convert_to(event, ShownCardForm, "", words=IN_ENTRIES)
                now.show(seq, shown.position, shown.card)

    def _time_reveal(self, event: Any, at: int) -> None:
        """What an event says of when the seed of the shoe was due, or revealed."""
        if self._now is None or not isinstance(event, dict):
            return
        shoe = self._now.held.shoe
        match event:
            case {"event": "step", "step": "close"} | {"event": "shoe_failed"}:
                self.reveals.begin(shoe, at)
            case {"event": "shoe_fouled"} if event.get("ends_with_round") is not True:
                self.reveals.begin(shoe, at)
            case {"event": "seed_overdue"}:
                self.reveals.report(shoe, at)
            case {"event": "seed_revealed" | "order_disproved"}:
                self.reveals.settle(shoe, "revealed", at)
            case {"event": "seed_lost"}:
                self.reveals.settle(shoe, "reported lost", at)

    def _show_unsealed(self, seq: int) -> None:
        """A card whose order nobody has sealed: a real one, or wrong."""
        self.has_real_cards = not self.is_electronic
        if self.is_electronic:
            self.faults.append(ShoeFault(seq, "a card was shown at an electronic table, and no order was sealed"))

    def all_faults(self) -> Iterator[ShoeFault]:
        """Everything that did not match, shoe by shoe."""
        for shoe in self.shoes:
            yield from shoe.faults
        yield from self.faults


def _order_event(now: PublishedShoe, seq: int, event: Any, *, body: bytes | None) -> None:
    """An event that the order depends on; `body` are the bytes of its record if it has this event alone."""
    match event["event"]:
        case "contribution_made":
            now.contribute(seq, convert_to(event, ContributionForm, "", words=IN_ENTRIES))
        case "cards_cut":
            now.cut(seq, convert_to(event, CutForm, "", words=IN_ENTRIES).in_front)
        case "recut_ordered" if now.held.order > 1:
            now.cut(seq, None)
        case "inputs_closed":
            now.close(seq, convert_to(event, ClosingForm, "", words=IN_ENTRIES), body=body)
        case "share_given":
            now.give(seq, convert_to(event, ShareForm, "", words=IN_ENTRIES))
        case "order_sealed":
            now.seal(seq, convert_to(event, SealForm, "", words=IN_ENTRIES).root)


def _report_event(now: PublishedShoe, seq: int, event: Any) -> None:
    """Record a reported failure of the shoe, which is decided again once its seed is open."""
    if event["event"] == "shoe_failed":
        now.failed = seq, convert_to(event, GateFaultForm, "", words=IN_ENTRIES).why
    elif now.root:
        now.fouls.append((seq, convert_to(event, ShownCardForm, "", words=IN_ENTRIES).position))
