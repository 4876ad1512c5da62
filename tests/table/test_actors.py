"""Who acts: a person for his own seat, in his own capacity; second persons; where a command may come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from acting import acting
from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval, Origin
from baccarat.table.base import Accepted, Command
from baccarat.table.card_correction import CorrectCard
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.goodwill import PayGoodwill
from baccarat.table.machine import Table, decide
from baccarat.table.meters import JoinLink, ShowMeters
from baccarat.table.missing_form import MissForm
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.registry import HANDLERS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Leave, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.curating import AnswerShoe
from baccarat.table.step.cutting import AnswerCut, CutCards, OrderRecut
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.house_money import PressHouseMoney
from baccarat.table.step.must_hit import EndRound, SealTrigger, seal_of
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.sealing import SealOrder
from baccarat.table.step.settlement import Paid
from baccarat.table.step.spoken_wager import SpeakWager
from baccarat.table.step.turning import CardTurned, ReturnCards
from baccarat.table.step.wagering import ChangeWager, PlaceWager, WithdrawWager
from baccarat.table.table_cards import TableCards
from baccarat.table.table_kind import AdoptKind
from baccarat.table.vigorish_form import ReceiveForms
from baccarat.table.witness_change import AdoptWitnesses
from correction_scenes import set_right
from table_driver import Game, game_at, new_game, seated

STRANGER = Actor(who="participant 3", role=Role.PARTICIPANT)


def test_no_command_says_who_gives_it() -> None:
    kinds = HANDLERS.keys() - {AdoptWitnesses}  # its witnesses are share keys, not persons
    fields = {field for kind in kinds for field in kind.__struct_fields__}
    assert not fields & {"by", "name", "who", "approver", "approved_by", "requester", "witnesses"}


@pytest.mark.parametrize(
    "command",
    [
        PlaceWager(seat=5, on=WagerKind.PLAYER, stake=2500),
        ChangeWager(seat=5, on=WagerKind.TIE, stake=1000),
        WithdrawWager(seat=5, on=WagerKind.TIE),
        SpeakWager(seat=5, on=WagerKind.BANKER, stake=2500, cash=True),
        RequestFreeHand(seat=5),
        Leave(seat=5),
    ],
    ids=lambda command: command.name,
)
def test_a_participant_acts_for_his_own_seat_only(command: Command) -> None:
    game = game_at("ma-midi-4", seats=[3, 5]).wager("5 t 500")
    refused = decide(game.rules, game.state, command, STRANGER)
    assert isinstance(refused, Refused)
    assert refused.code.value == "not_entitled"
    assert "seat 5" in refused.say
    owner = replace(STRANGER, who="participant 5")
    own = decide(game.rules, game.state, command, owner)
    assert isinstance(own, Accepted) or own.code is not refused.code or "participant" not in own.say


def test_what_is_offered_to_a_seat_is_answered_by_whoever_sits_there() -> None:
    game = game_at("nj-punto-banco", seats=[3, 5], step="offer_cut")
    due = game.next_act().seat
    other = Actor(who=f"participant {8 - due}", role=Role.PARTICIPANT)
    for command in (AnswerCut(seat=due, accept=True), AnswerCut(seat=due, accept=False)):
        assert isinstance(decide(game.rules, game.state, command, other), Refused)
    game.do(AnswerCut(seat=due, accept=True))
    assert isinstance(decide(game.rules, game.state, CutCards(seat=due, in_front=100), other), Refused)
    game.do(CutCards(seat=due, in_front=100))
    game.go("offer_shoe")
    asked = game.next_act().seat
    absent = AnswerShoe(seat=asked, accept=False)
    assert isinstance(decide(game.rules, game.state, absent, Actor(who="dealer")), Accepted), "for somebody who is away"


def test_nobody_sits_down_as_somebody_else() -> None:
    table = Table(rulebook("ma-midi-4"))
    sit = Sit(seat=1, person="p2")
    assert isinstance(table.do(sit, Actor(who="p1", role=Role.PARTICIPANT)), Refused)
    assert isinstance(table.do(sit, Actor(who="f", role=Role.FLOORPERSON)), Accepted), "the floor may seat people"
    table.do(Sit(seat=2), Actor(who="p1", role=Role.PARTICIPANT))
    people = [person.who for person in table.state.seats.participants if person is not None]
    assert people == ["p2", "p1"]


# ------------------------------------------------------------------------------------------- origins


@pytest.mark.parametrize(
    ("command", "origins"),
    [
        (ShowMeters(meters={}), {Origin.LINK}),
        (SealTrigger(seal="0" * 64), {Origin.LINK, Origin.CARD_SOURCE}),
        (SealOrder(root="0" * 64), {Origin.CARD_SOURCE}),
        (BuyIn(seat=1, amount=100), {Origin.PERSON}),
    ],
    ids=lambda each: each.name if isinstance(each, Command) else "",
)
def test_a_command_comes_from_where_it_belongs(command: Command, origins: set[Origin]) -> None:
    game = game_at("ma-midi-4-royal9", step="offer_cut")
    for role in Role:
        for origin in Origin:
            outcome = decide(game.rules, game.state, command, Actor(who="x", role=role, origin=origin))
            wrong = isinstance(outcome, Refused) and outcome.code.value == "wrong_origin"
            assert wrong is (origin not in origins), outcome


def test_a_dealer_cannot_bring_meters() -> None:
    """A meter a thousand times higher, brought by the dealer alone, is not shown."""
    game = game_at("ma-midi-4-royal9")
    amounts = {name: value * 1000 for name, value in game.state.meters.amounts.items()}
    command = ShowMeters(meters=amounts, must_hit=game.state.meters.must_hit)
    game.refused(command, "wrong_origin", by=Role.DEALER)


# ---------------------------------------------------------------------------------------- two persons


def paid_game() -> tuple[Game, CorrectPayment]:
    game = game_at("ma-midi-4", "7S 9D TH KC", seats=[1, 3])
    game.wager("3 b 2500").go("clear")
    number = max(number for number, event in enumerate(game.table.log) if isinstance(event, Paid))
    set_right(game, game.state.round.banker[0], "7D", "a seven: the hands were equal")
    return game, CorrectPayment(corrects=number, seat=3, amount=-100, reason="miscounted")


def test_a_second_person_approves_this_act_and_no_other() -> None:
    game, command = paid_game()
    right = acting(game.table, command, who="p9", second="p8")
    floor = Role.FLOORPERSON
    for approvals, code in (
        ((), "no_reason"),
        ((Approval("p8", floor, "correct_card"),), "wrong_role"),
        ((Approval("p8", Role.DEALER, command.name),), "wrong_role"),
        ((Approval("p9", floor, command.name),), "same_person"),
    ):
        refused = decide(game.rules, game.state, command, replace(right, approvals=approvals), game.table.event_at)
        assert isinstance(refused, Refused)
        assert refused.code.value == code
    outcome = game.table.do(command, right)
    assert isinstance(outcome, Accepted)
    told: dict[str, Any] = msgspec.to_builtins(outcome.events[0])
    assert (told["requester"], told["approver"]) == ("p9", "p8")


# ---------------------------------------------------------------- corrections, after a restore as well


def restored(game: Game) -> Table:
    """The same table, from a snapshot of its state and the records behind it."""
    state = msgspec.json.decode(msgspec.json.encode(game.state), type=TableState)
    records = list(game.table.log)
    return Table.from_snapshot(
        game.rules, state, events=len(records), event_at=lambda n: records[n] if 0 <= n < len(records) else None
    )


def test_a_table_restored_from_a_snapshot_decides_corrections_alike() -> None:
    game, command = paid_game()
    table = restored(game)
    for number in range(-1, len(game.table.log) + 2):
        tried = replace(command, corrects=number)
        actor = acting(table, tried, who="p9", second="p8")
        one = decide(game.rules, game.state, tried, actor, game.table.event_at)
        other = decide(game.rules, table.state, tried, actor, table.event_at)
        assert one == other
    assert isinstance(table.do(command, acting(table, command, who="p9", second="p8")), Accepted)
    twice = replace(command, corrects=len(game.table.log))
    assert isinstance(table.do(twice, acting(table, twice, who="p9", second="p8")), Accepted), "of its own log"


def test_decide_itself_refuses_a_correction_of_nothing() -> None:
    """Not only the table that keeps the log: whoever decides without the records refuses it."""
    game = game_at("ma-midi-4", "7S 9D TH KC", seats=[1, 3]).wager("3 b 2500").go("turn_player")
    game.go_to_act("announce_count")
    number = max(number for number, event in enumerate(game.table.log) if isinstance(event, CardTurned))
    turned = game.table.log[number]
    assert isinstance(turned, CardTurned)
    right = CorrectCard(corrects=number, position=turned.position, card=Card.parse("2c"), reason="misread")
    actor = acting(game.table, right, who="p9", second="p8")
    assert isinstance(decide(game.rules, game.state, right, actor), Refused)
    assert isinstance(decide(game.rules, game.state, right, actor, game.table.event_at), Accepted)


def test_whoever_holds_cards_returns_them() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC", seats=[1, 3]).wager("1 p 2500", "3 b 2500").go_to_act("return_cards")
    seat = game.next_act().seat
    other = Actor(who=f"participant {4 - seat}", role=Role.PARTICIPANT)
    assert isinstance(decide(game.rules, game.state, ReturnCards(seat=seat), other), Refused)
    assert isinstance(decide(game.rules, game.state, PressHouseMoney(seat=seat, onto=WagerKind.PLAYER), other), Refused)


# ------------------------------------------------------------------------------------- who is the second person

F, S, B = Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS


def sealed_and_abandoned() -> Game:
    """A table whose electronic shoe owes its seed."""
    game = new_game("ma-midi-4")
    game.source = SealedShoe(game.rules, lambda _number: bytes(32), table="T1")
    seated(game, [1]).go("offer_cut")
    game.do(AbandonShoe(reason="the source is silent"))
    return game


def with_forms() -> Game:
    """A table with blank forms."""
    game = game_at("nj-punto-banco", seats=[3])
    game.do(ReceiveForms(first=1, last=2))
    return game


def must_hit_reached() -> Game:
    """A table that ends a round for the Must Hit."""
    terms = {"start": 100_000, "ceiling": 200_000, "contribution": 25}
    game = game_at("ma-midi-4-royal9", seats=[1], must_hit=terms)
    elected = game.rules.elections.must_hit
    assert elected is not None
    game.do(SealTrigger(seal=seal_of(elected, 150_000, "salt")))
    return game.wager("1 t 500", "1 royal9 500").go("must_hit")


def shoe_with_wagers() -> Game:
    """A table on record, between two rounds."""
    game = game_at("ma-midi-4", "7S 7D TH KC", seats=[1])
    game.table.state = replace(game.state, cards=TableCards.REAL)
    game.play("1 t 500")
    return game.go("wager")


def foul_card() -> Game:
    """A round on record with wagers, in which all nines of spades were seen."""
    game = game_at("ma-midi-4", "7S 7D TH KC", seats=[1])
    game.table.state = replace(game.state, cards=TableCards.REAL)
    game.wager("1 t 500").go_to_act("turn_card")
    shoe = game.state.shoe
    game.table.state = replace(game.state, shoe=replace(shoe, seen={**shoe.seen, str(Card.parse("9S")): shoe.decks}))
    return game


BY_TWO: dict[str, tuple[Callable[[], Game], Command, set[Role]]] = {
    "a lost seed": (sealed_and_abandoned, ReportLostSeed(reason="gone"), {F, S, B}),
    "a shoe given up": (shoe_with_wagers, AbandonShoe(reason="the table closes"), {F, S, B}),
    "a foul card": (foul_card, ConfirmCard(position=2, card=Card.parse("9S")), {F, S, B}),
    "other witnesses": (
        lambda: new_game("ma-midi-4"),
        AdoptWitnesses(witnesses=()),
        {B, S, Role.ADMINISTRATOR},
    ),
    "what a table is": (
        lambda: new_game("ma-midi-4"),
        AdoptKind(cards=TableCards.REAL),
        {B, S, Role.ADMINISTRATOR},
    ),
    "a missing form": (with_forms, MissForm(serial=2, reason="burnt"), {B, S}),
    "a link": (lambda: new_game("ma-midi-4-royal9"), JoinLink(link="L"), {F, S, B, Role.ADMINISTRATOR}),
    "a lost trigger": (must_hit_reached, EndRound(lost="gone"), {F, S, B}),
    "goodwill": (
        lambda: game_at("ma-midi-4", seats=[1], goodwill_limit="$10.00"),
        PayGoodwill(seat=1, amount=1000, reason="an apology"),
        {Role.CAGE_CASHIER, Role.ADMINISTRATOR},
    ),
    "a recut": (
        lambda: game_at("ma-midi-4", step="cover_card", recut_second_person=True),
        OrderRecut(reason="too shallow"),
        {F, S, B, Role.DEALER},
    ),
}


@pytest.mark.parametrize("case", BY_TWO)
def test_d3_only_who_may_approve_an_act_of_two_is_its_second_person(case: str) -> None:
    """Never a participant, nor whoever only watches; the refusal names those who may."""
    begin, command, may = BY_TWO[case]
    game = begin()
    for role in Role:
        actor = acting(game.table, command, who="Ann", second="Bea", second_role=role)
        outcome = decide(game.rules, game.state, command, actor)
        if role in may:
            assert isinstance(outcome, Accepted), (role, outcome)
            continue
        assert isinstance(outcome, Refused), role
        assert (outcome.code.value, outcome.what) == ("wrong_role", "role_may_not_approve")
        assert all(each.value in outcome.say for each in (role, *may))


def test_no_act_at_the_table_is_approved_by_somebody_who_plays_or_only_watches() -> None:
    never = {Role.PARTICIPANT, Role.SURVEILLANCE, Role.REGULATOR, Role.PUBLIC}
    assert {command.name for _, command, _ in BY_TWO.values()} == {
        kind.__struct_config__.tag for kind in HANDLERS if kind.SECOND
    }
    assert not [kind for kind in HANDLERS if kind.SECOND & never]
