"""What a table was opened as binds everybody: no card but the sealed ones, and no dealer but the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.hand import Side
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval, Origin
from baccarat.table.automation import command_for, next_due, perform
from baccarat.table.base import Accepted, Command
from baccarat.table.card_correction import CorrectCard
from baccarat.table.dealers import ComeOn, GoOff
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.irregularity.exposed import ReportExposedCard
from baccarat.table.irregularity.face_up import ReportFaceUp
from baccarat.table.machine import Table, decide, expected, replay
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.proof import CardProof
from baccarat.table.role import PEOPLE, Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import CardSource, KeyedCards, SealedShoe
from baccarat.table.step.burning import BurnedCardTurned
from baccarat.table.step.cutting import AnswerCut, CutCards
from baccarat.table.step.loading import LoadShoe, PlaceCoverCard
from baccarat.table.step.sealing import CommitShoe, SealOrder
from baccarat.table.step.turning import CardTurned, TurnCard
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import ELECTRONIC_CARDS, TableCards
from electronic_table import EDITIONS, SHORT, TABLE, seed_of
from table_walk import stack
from triggers import FirstWager

NINE = Card.parse("9s")
NO_PROOF, WRONG_PROOF = None, CardProof("00" * 16, ("00" * 32,))
EVERY_CARD = (
    lambda position, proof: TurnCard(position=position, card=NINE, proof=proof),
    lambda _position, proof: ReportFaceUp(card=NINE, proof=proof),
    lambda position, proof: ReportExposedCard(position=position, card=NINE, proof=proof),
    lambda _position, proof: ReportErrorCard(card=NINE, proof=proof),
    lambda position, proof: ConfirmCard(position=position, card=NINE, proof=proof),
)
"""Every command that says which card came, with a proof or without; one that corrects a card has none."""
PAST_THE_SHUFFLE = {
    "offer_cut", "cut", "cover_card", "load", "burn", "wager", "deal", "turn_player", "turn_banker", "third_cards",
    "expose",
}  # fmt: skip
"""The steps at which cards come, or are made ready to."""


def opened(cards: Any, edition: str = "ma-midi-4", *, seats: tuple[int, ...] = (1, 3)) -> Table:
    """A table just opened, with people at it."""
    table = Table(rulebook(edition, cover_card_depth=SHORT), cards)
    for seat in seats:
        assert isinstance(table.do(Sit(seat=seat, person=f"p{seat}")), Accepted)
        assert isinstance(table.do(BuyIn(seat=seat, amount=1_000_000)), Accepted)
    return table


def shoe_of(table: Table) -> SealedShoe:
    """An electronic shoe."""
    return SealedShoe(table.rules, seed_of, table=TABLE, triggers=FirstWager(table.rules))


def keys_of(table: Table) -> KeyedCards:
    """A dealer's keys, with real cards or none."""
    return KeyedCards(lambda number: stack(number, table.rules.elections.decks or 8), triggers=FirstWager(table.rules))


def run(table: Table, source: CardSource, until: str, *, most: int = 5_000) -> Iterator[Command]:
    """Do what is due until a step, with a wager in every round; every command before it is done."""
    for _ in range(most):
        if table.state.step == until:
            return
        if table.state.step == "wager" and not table.state.round.wagers:
            table.do(PlaceWager(seat=1, on=WagerKind.TIE, stake=500))
        due = next_due(table, source)
        yield command_for(table, due, source)
        outcome = perform(table, due, source)
        assert isinstance(outcome, Accepted), (due, outcome)
    raise AssertionError(f"the table does not come to {until}")


def everybody() -> Iterator[Actor]:
    """Somebody of every role, everything that is no person, and the program."""
    for role in PEOPLE:
        for origin in Origin:
            second = Role.FLOORPERSON if role is Role.DEALER else Role.DEALER
            approved = tuple(Approval(who="second", role=second, what=what) for what in ("correct_card",))
            yield Actor(
                who="p1" if role is Role.PARTICIPANT else "somebody", role=role, origin=origin, approvals=approved
            )


def refused(table: Table, command: Command, actor: Actor) -> Refused:
    """A command that is refused, whoever gives it."""
    outcome = decide(table.rules, table.state, command, actor, table.event_at)
    assert isinstance(outcome, Refused), (command, actor)
    return outcome


# ------------------------------------------------------------------------------------------ electronic cards


@pytest.mark.parametrize("cards", ELECTRONIC_CARDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_comes_past_the_shuffle_without_a_commitment(edition: str, cards: TableCards) -> None:
    table = opened(cards, edition)
    keyed = keys_of(table)
    for _ in range(100):
        due = expected(table.rules, table.state)
        if next(each for each in due if not each.optional).act == "commit_shoe":
            break
        assert isinstance(perform(table, next(each for each in due if not each.optional), keyed), Accepted)
    assert table.state.step in SealOrder.STEPS
    for actor in everybody():
        for seat in (1, 3):
            for accept in (True, False):
                refused(table, AnswerCut(seat=seat, accept=accept), actor)
        for seat in (0, 1, 3):
            refused(table, CutCards(in_front=200, seat=seat), actor)
        refused(table, SealOrder(root="0" * 64), actor)


@pytest.mark.slow
@pytest.mark.parametrize("cards", ELECTRONIC_CARDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_card_is_taken_before_the_order_is_sealed_at_any_step_from_anybody(edition: str, cards: TableCards) -> None:
    """Even where an honest table never is: at every moment of a shoe that was keyed, as if nobody had sealed it."""
    keyed, seen = opened(UNSET, edition), set[tuple[str, str]]()
    for command in run(keyed, keys_of(keyed), "close"):
        moment = (keyed.state.step, command.name)
        if moment in seen or keyed.state.step not in PAST_THE_SHUFFLE:
            continue
        seen.add(moment)
        table = Table.from_snapshot(keyed.rules, replace(keyed.state, cards=cards), events=0, event_at=keyed.event_at)
        places = {getattr(command, "position", 0), keyed.state.shoe.next}
        for actor in everybody():
            for made in EVERY_CARD:
                for place in places:
                    refused(table, made(place, NO_PROOF), actor)
                    refused(table, made(place, WRONG_PROOF), actor)
            for number, event in enumerate(keyed.log):
                if isinstance(event, CardTurned | BurnedCardTurned):
                    position, card = event.position, NINE if event.card != NINE else Card.parse("8s")
                    refused(table, CorrectCard(corrects=number, position=position, card=card, reason="wrong"), actor)
            if isinstance(command, TurnCard | PlaceCoverCard | LoadShoe | CutCards | AnswerCut):
                refused(table, command, actor)
    assert {step for step, _ in seen} >= PAST_THE_SHUFFLE - {"expose", "third_cards"}


def test_a_shoe_that_was_abandoned_before_its_seal_is_not_called_foul() -> None:
    table = opened(TableCards.ELECTRONIC)
    shoe = replace(table.state.shoe, decks=8, finished=True, abandoned=True)
    table.state = replace(table.state, step="close", rules=table.rules.hash, shoe=shoe)
    found = refused(table, ConfirmCard(position=0, card=NINE), Actor(who="f", role=Role.FLOORPERSON))
    assert found.what == "order_not_sealed"


@pytest.mark.parametrize("cards", ELECTRONIC_CARDS)
def test_after_the_seal_only_a_proved_card_is_taken_from_whoever_brings_it(cards: TableCards) -> None:
    table = opened(cards)
    source = shoe_of(table)
    turned = 0
    for command in run(table, source, "close"):
        if not isinstance(command, TurnCard):
            continue
        turned += 1
        other = NINE if command.card != NINE else Card.parse("8s")
        for card, proof in ((command.card, None), (command.card, WRONG_PROOF), (other, None), (other, command.proof)):
            for actor in everybody() if turned < 12 else ():
                refused(table, TurnCard(position=command.position, card=card, proof=proof), actor)
    assert turned > 12
    assert replay(table.rules, table.log, cards) == table.state


def test_a_proved_card_is_not_corrected() -> None:
    table = opened(TableCards.ELECTRONIC)
    list(run(table, shoe_of(table), "announce"))
    number = next(at for at, event in enumerate(table.log) if isinstance(event, CardTurned))
    event = table.log[number]
    assert isinstance(event, CardTurned)
    other = NINE if event.card != NINE else Card.parse("8s")
    by = Actor(who="d", approvals=(Approval(who="f", role=Role.FLOORPERSON, what="correct_card"),))
    wrong = CorrectCard(corrects=number, position=event.position, card=other, reason="mis-keyed")
    assert refused(table, wrong, by).what == "sealed_card_is_proved"


def test_real_cards_commit_to_nothing_and_a_table_that_states_nothing_does_as_it_did() -> None:
    table, source = opened(TableCards.REAL), shoe_of(opened(TableCards.REAL))
    held = source.promise(table.rules, table.state)
    assert held is not None
    commit = CommitShoe(table=held.table, shoe=held.shoe, commitment=held.hash)
    by_shoe = Actor(who="shoe", origin=Origin.CARD_SOURCE)
    assert refused(table, commit, by_shoe).what == "real_cards_commit_to_nothing"
    assert not [due for due in table.expected if due.act == "commit_shoe"]
    list(run(table, keys_of(table), "announce"))
    for made in (shoe_of, keys_of):
        table = opened(UNSET)
        list(run(table, made(table), "announce"))
    assert isinstance(decide(table.rules, opened(UNSET).state, commit, by_shoe), Accepted)


# ------------------------------------------------------------------------------------------ the program deals


@pytest.mark.parametrize("edition", EDITIONS)
def test_at_an_automated_table_every_act_of_the_dealer_is_the_programs(edition: str) -> None:
    table = opened(TableCards.AUTOMATED, edition)
    source, seen = shoe_of(table), set[str]()
    for command in run(table, source, "close"):
        usual = table.usual_actor(command)
        if usual.origin is not Origin.PROGRAM or command.name in seen:
            continue
        seen.add(command.name)
        for who in ("dealer", "somebody"):
            found = refused(table, command, Actor(who=who, role=Role.DEALER))
            assert found.what == "program_is_the_dealer"
            assert found.cites
        for role in PEOPLE - {Role.DEALER, Role.PARTICIPANT}:
            outcome = decide(table.rules, table.state, command, Actor(who="x", role=role))
            assert isinstance(outcome, Refused), (command, role)
    assert {"shuffle_cards", "call_no_more_bets", "draw_card", "turn_card", "announce_result", "pay"} & seen
    assert len(seen) > 12


def test_nobody_comes_on_goes_off_or_reports_a_card_at_an_automated_table() -> None:
    table = opened(TableCards.AUTOMATED)
    commands = (
        ComeOn(person="x"), ComeOn(person="x", instead_of="dealer"), ComeOn(), GoOff(person="dealer"), GoOff(),
        ReportErrorCard(), ReportErrorCard(to=Side.BANKER), ReportFaceUp(card=NINE),
        ReportExposedCard(position=4, card=NINE), ReportErrorCard(card=NINE),
    )  # fmt: skip
    steps = set[str]()
    for _ in run(table, shoe_of(table), "close"):
        if table.state.step in steps:
            continue
        steps.add(table.state.step)
        for role in PEOPLE:
            for command in commands:
                refused(table, command, Actor(who="p1", role=role))
    assert len(steps) > 12


@pytest.mark.parametrize("cards", [UNSET, TableCards.REAL, TableCards.ELECTRONIC])
def test_the_program_is_the_dealer_of_no_other_table(cards: Any) -> None:
    table = opened(cards)
    program = Actor(who="dealer", origin=Origin.PROGRAM)
    for command in run(table, keys_of(table) if cards is not TableCards.ELECTRONIC else shoe_of(table), "announce"):
        assert refused(table, command, program).code.value == "wrong_origin"


def test_the_program_does_nothing_that_takes_two_persons_or_another_role() -> None:
    table = opened(TableCards.AUTOMATED)
    program = Actor(
        who="dealer",
        origin=Origin.PROGRAM,
        approvals=(Approval(who="f", role=Role.FLOORPERSON, what="correct_payment"),),
    )
    for command in (
        CorrectPayment(corrects=0, seat=1, amount=900_000_00, reason="generous"),
        ConfirmCard(position=0, card=NINE),
        PlaceWager(seat=1, on=WagerKind.TIE, stake=500),
    ):
        assert refused(table, command, program).code.value == "wrong_origin"
    for role in PEOPLE - {Role.DEALER}:
        refused(table, BuyIn(seat=1, amount=500), replace(program, role=role))


def test_people_still_see_to_seats_and_chips_at_an_automated_table() -> None:
    table = opened(TableCards.AUTOMATED, seats=())
    by = Actor(who="d", role=Role.DEALER)
    for command in (Sit(seat=2, person="p2"), BuyIn(seat=2, amount=10_000), Leave(seat=2)):
        assert isinstance(table.do(command, by), Accepted)
