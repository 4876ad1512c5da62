"""Irregularities: something goes wrong at a table, and the table itself says what the remedy is."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from baccarat.cards import Card, decks
from baccarat.drill.base import (
    AskedQuestion,
    Drill,
    DrillKind,
    Scene,
    SolvedQuestion,
    drill_wagers,
    reason,
    shuffled_choice_question,
)
from baccarat.drill.chance import SeededPicks
from baccarat.drill.rounds import find_round, random_cards, stakes
from baccarat.law.cached_value import cached_on_value
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.coup import Coup
from baccarat.play.hand import BANKER_SIDE, PLAYER_SIDE, Side
from baccarat.table.automation import actor_for, command_for, next_due, run_until
from baccarat.table.base import Accepted, Command, Event, StepBegan
from baccarat.table.correctable_event import no_event
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import CardSetAside, ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.irregularity.remedy import (
    CardCarried,
    CardReassigned,
    CardsDiscarded,
    RoundMadeSimulated,
    SimulatedRoundOrdered,
)
from baccarat.table.machine import Table
from baccarat.table.proof import CardProof
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards, SealedTriggers
from baccarat.table.state import TableState
from baccarat.table.step.dealing import DrawCard, RoundVoided
from baccarat.table.step.turning import CardTurned
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.story import tell
from baccarat.table.story_words import card_name
from baccarat.table.tableau import both_counted

PURSE = 100_000_000
"""What each participant of an exercise has, in cents: enough that nothing fails for lack of chips."""
MOST_SEATS = 2
"""How many participants sit at the table of an exercise, one for each hand; fewer if it has fewer seats."""
ASK = AskedQuestion("What is the remedy?", "drill_remedy")


class DrillIrregularity(msgspec.Struct, frozen=True, kw_only=True):
    """Something that goes wrong: in which rounds, at which moment, how it is described, and how it is reported."""

    name: str
    fits: Callable[[Coup], bool]
    moment: Callable[[Table], bool]
    told: str
    report: Callable[[Table, Card], Command]
    seen: bool = False
    is_empty: bool = False
    """Whether no card is left in the shoe."""
    face_down: bool = False
    """Whether this can happen only if cards are dealt face down."""


# ------------------------------------------------------------------------------------- what may go wrong


def _stays(coup: Coup, side: Side) -> bool:
    return len(coup.hand(side)) == 2


def _is_counted(table: Table) -> bool:
    return both_counted(table.state.round) and table.state.step in ("third_cards", "announce")


def _is_complete(table: Table) -> bool:
    return table.state.step == "announce"


def _before_cards(table: Table) -> bool:
    return table.state.step in ("deal", "call_cards")


def _is_dealt(table: Table) -> bool:
    round_ = table.state.round
    return len(round_.player) + len(round_.banker) == 4 and not round_.turned


def _error_card_report(to: Side | None, *, seen: bool) -> Callable[[Table, Card], Command]:
    return lambda _table, card: ReportErrorCard(to=to, card=card if seen else None)


def _exposed_card_report(table: Table, card: Card) -> Command:
    return ReportExposedCard(position=table.state.round.player[0], card=card)


SEEN_PHRASES = {False: "nobody has seen it", True: "everybody has seen it"}
ON_PLAYER = "A card comes out of the shoe and is laid on the Player's Hand"
ON_BANKER = "A card comes out of the shoe and is laid on the Banker's Hand"
EXTRA_CARD_TEXT = "Both hands are complete, and one more card comes out of the shoe"
ERROR_CARDS = (
    ("third card of a Player who stays while the Banker draws", (True, False), _is_counted, ON_PLAYER, PLAYER_SIDE),
    ("third card of a Player who stays while the Banker stays", (True, True), _is_counted, ON_PLAYER, PLAYER_SIDE),
    ("third card of a Banker who stays", (False, True), _is_complete, ON_BANKER, BANKER_SIDE),
    ("a card too many", None, _is_complete, EXTRA_CARD_TEXT, None),
)
"""Cards that no hand was entitled to: whether Player and Banker stay, the moment, the description, on which hand."""


def _rounds_where(stay: tuple[bool, bool] | None) -> Callable[[Coup], bool]:
    """The rounds in which Player and Banker stay or draw as given; all finished ones, if that makes no difference."""
    return lambda coup: not coup.is_void if stay is None else tuple(_stays(coup, side) for side in Side) == stay


def _cards_drawn_in_error() -> Iterable[DrillIrregularity]:
    """Cards that no hand was entitled to, seen and unseen; and one that lies on the wrong hand."""
    for seen in (False, True):
        for what, stay, moment, told, to in ERROR_CARDS:
            name, report = f"{what}, {SEEN_PHRASES[seen]}", _error_card_report(to, seen=seen)
            fits = _rounds_where(stay)
            yield DrillIrregularity(name=name, fits=fits, moment=moment, told=told, report=report, seen=seen)
    yield DrillIrregularity(
        name="the Player's third card laid on the Banker's Hand",
        fits=lambda coup: not _stays(coup, PLAYER_SIDE),
        moment=_is_counted,
        told=ON_BANKER,
        report=_error_card_report(BANKER_SIDE, seen=False),
    )


def _other_irregularities() -> Iterable[DrillIrregularity]:
    """Cards found face up or seen too early, and a shoe that is empty."""
    yield DrillIrregularity(
        name="a card face up in the shoe, before the first card of a round",
        fits=lambda coup: not coup.is_void,
        moment=_before_cards,
        told="The wagers are closed. The next card lies face up in the shoe",
        report=lambda _table, card: ReportFaceUp(card=card),
        seen=True,
    )
    yield DrillIrregularity(
        name="a card face up in the shoe, when a third card is due",
        fits=lambda coup: not _stays(coup, PLAYER_SIDE),
        moment=_is_counted,
        told="The next card lies face up in the shoe",
        report=lambda _table, card: ReportFaceUp(card=card),
        seen=True,
    )
    yield DrillIrregularity(
        name="a card of the Player's Hand seen before its turn",
        fits=lambda coup: not coup.is_void,
        moment=_is_dealt,
        told="The first card of the Player's Hand is flipped over before its turn",
        report=_exposed_card_report,
        seen=True,
        face_down=True,
    )
    yield DrillIrregularity(
        name="no card left for a hand that draws",
        fits=lambda coup: not _stays(coup, PLAYER_SIDE),
        moment=_is_counted,
        told="The Player draws, and no card is left in the shoe",
        report=lambda table, _card: DrawCard(seat=table.state.seats.curator or 0),
        is_empty=True,
    )


BY_NAME = {each.name: each for each in (*_cards_drawn_in_error(), *_other_irregularities())}


def _cases(rules: Rulebook) -> tuple[str, ...]:
    face_up = open_book(rules).face_up
    return tuple(name for name, each in BY_NAME.items() if not (face_up and each.face_down))


# --------------------------------------------------------------------------------------- a table to try it


class ChosenCards(KeyedCards):
    """Real cards, of which those of the round's hands have been chosen."""

    def __init__(self, rules: Rulebook, coup: Coup | None = None) -> None:
        terms = rules.elections.must_hit
        triggers = SealedTriggers(terms, lambda _run: bytes(32), link="drill") if terms is not None else None
        super().__init__(lambda _number: decks(rules.elections.decks or 0), triggers=triggers)
        self._coup = coup

    def card(self, state: TableState, position: int) -> tuple[Card, CardProof | None]:
        """The chosen card of a hand; before the round, whatever lies in the stack."""
        for side in Side:
            hand = state.round.hand(side)
            if self._coup is not None and position in hand:
                return self._coup.hand(side)[hand.index(position)], None
        return super().card(state, position)


def _seats(rules: Rulebook) -> range:
    return range(1, min(MOST_SEATS, rules.elections.seats or 0) + 1)


@cached_on_value
def _open_table(rules: Rulebook) -> TableState:
    """A table of these rules with a loaded shoe and some people, just before its first wager."""
    table = Table(rules)
    for seat in _seats(rules):
        table.do(Sit(seat=seat, person=f"participant {seat}"))
        table.do(BuyIn(seat=seat, amount=PURSE))
    run_until(table, ChosenCards(rules), stop=lambda table: table.state.step == "wager", wagers=lambda _table: None)
    return table.state


def _table_at(rules: Rulebook, coup: Coup, moment: Callable[[Table], bool], chance: SeededPicks) -> Table:
    """A table at a moment of a round that is dealt these cards."""
    table = Table.from_snapshot(rules, _open_table(rules), events=0, event_at=no_event)
    book, source = open_book(rules), ChosenCards(rules, coup)
    for seat, side in zip(_seats(rules), Side, strict=False):
        kind = book.main[side]
        outcome = table.do(PlaceWager(seat=seat, on=kind, stake=chance.choice(stakes(book, kind))))
        assert isinstance(outcome, Accepted), f"a wager within the limits stands: {outcome}"
    while not moment(table):
        command = command_for(table, next_due(table, source), source)
        outcome = table.do(command, actor_for(table, command))
        assert isinstance(outcome, Accepted), f"an expected act is accepted: {outcome}"
    return table


def _make(rules: Rulebook, case: str, chance: SeededPicks) -> SolvedQuestion:
    wrong = BY_NAME[case]
    coup = find_round(open_book(rules), chance, wrong.fits)
    table = _table_at(rules, coup, wrong.moment, chance)
    if wrong.is_empty:
        shoe = table.state.shoe
        table.state = replace(table.state, shoe=replace(shoe, next=shoe.cards, cover_out=True))
    card = coup.player[0] if wrong.face_down else random_cards(chance, 1)[0]
    before, wagers = table.state, table.state.round.wagers
    outcome = table.do(wrong.report(table, card))
    assert isinstance(outcome, Accepted), f"what goes wrong is reported: {outcome}"
    events = [event for event in outcome.events if not isinstance(event, StepBegan)]
    note = f"{wrong.told}; it is {card_name(card)}." if wrong.seen else f"{wrong.told}{_unseen_note(wrong)}."
    hands = {side: before.round.hand(side) for side in Side}
    seen = {**before.round.turned, **({hands[PLAYER_SIDE][0]: card} if wrong.face_down else {})}
    shown = {side: tuple(str(seen[at]) if at in seen else None for at in hand) for side, hand in hands.items()}
    scene = Scene(
        player=shown[PLAYER_SIDE], banker=shown[BANKER_SIDE], wagers=drill_wagers(rules, wagers), notes=(note,)
    )
    why = [reason(tell(event), *event.cites) for event in events]
    others = NO_REMEDIES if wrong.is_empty else (*REMEDIES, *_other_numbers(events))
    return shuffled_choice_question(ASK, scene, remedy_in_words(events), others, why, chance, most=5)


def _unseen_note(wrong: DrillIrregularity) -> str:
    return "" if wrong.is_empty else "; nobody has seen it"


# ------------------------------------------------------------------------------------ remedies in words

CARRIED_OVER = "It stays face down and is the first card of the next hand."
AT_ONCE = "Every wager goes back, and the card opens a simulated round immediately."
SIMULATED_LATER = "The round is finished; then the card opens a simulated round without wagers."
STAYS_FACE_UP = "It belongs where it lies: it stays there, face up."
SET_ASIDE = "It is set aside for a simulated round, and the next card of the shoe takes its place."
VOID = "The round is void, and every wager goes back."
BECOMES_THIRD_CARD = "It becomes the {side}'s third card."
DISCARDED_ALONE = "It goes to the discards, alone."
WITH_ONE_UNSEEN = "It goes to the discards, and with it one more card, face down and not shown."
WITH_ONE_SHOWN = "It goes to the discards, and with it one more card, which is shown."
WITH_MORE_SHOWN = "It goes to the discards, and with it {count} more cards, each of which is shown."

REMEDIES = (
    CARRIED_OVER, AT_ONCE, SIMULATED_LATER, STAYS_FACE_UP, SET_ASIDE, VOID, WITH_ONE_UNSEEN, DISCARDED_ALONE,
    *(BECOMES_THIRD_CARD.format(side=side) for side in Side),
    WITH_ONE_SHOWN, WITH_MORE_SHOWN.format(count=3),
)  # fmt: skip
"""What a remedy may be; those that are not the right one are offered as wrong choices."""
NO_REMEDIES = (
    "The hand stays with two cards, and the round is settled.",
    "A new set of cards is loaded, and the round goes on.",
    "The last card burned becomes the third card.",
    "The Player's wagers go back, and the others are settled.",
)
"""What no document orders if the shoe is empty, as wrong choices."""


def remedy_in_words(events: Iterable[Event]) -> str:
    """The remedy that the events of a report amount to."""
    found = {type(event): event for event in events}
    if CardSetAside in found:
        return SET_ASIDE
    if RoundMadeSimulated in found:
        return AT_ONCE
    if SimulatedRoundOrdered in found:
        return SIMULATED_LATER
    for event in found.values():
        match event:
            case CardCarried():
                return CARRIED_OVER
            case CardReassigned(to=side):
                return BECOMES_THIRD_CARD.format(side=side)
            case CardTurned():
                return STAYS_FACE_UP
            case RoundVoided():
                return VOID
            case CardsDiscarded(positions=positions, to_show=to_show):
                return _discard_text(len(positions) - 1, shown=bool(to_show))
    raise AssertionError(f"a report has a remedy: {list(found)}")


def _discard_text(more: int, *, shown: bool) -> str:
    if not more:
        return DISCARDED_ALONE
    if not shown:
        return WITH_ONE_UNSEEN
    return WITH_ONE_SHOWN if more == 1 else WITH_MORE_SHOWN.format(count=more)


def _other_numbers(events: Iterable[Event]) -> list[str]:
    """The same remedy with a card more and a card less, if cards are counted off: as wrong choices."""
    found = [len(event.to_show) for event in events if isinstance(event, CardsDiscarded) and event.to_show]
    return [_discard_text(number, shown=True) for count in found for number in (count - 1, count + 1)]


REMEDY_DRILL = Drill(kind=DrillKind.REMEDY, cases=_cases, make=_make)
