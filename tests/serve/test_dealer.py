"""The automated dealer: what comes next and when, whom it never plays, and that nobody puts it off."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from baccarat.cards import Card
from baccarat.play.refusal import Refused
from baccarat.serve.automation.attendant import AFTER_REFUSAL, Attendant
from baccarat.serve.automation.dealer import Agenda, Pace, PlannedAct, Wait, act_command, next_act
from baccarat.serve.automation.timer import Timers
from baccarat.table.actor import Actor, Origin
from baccarat.table.base import Accepted, Command, Reason, refuse, table_rules
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.machine import Table
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState, with_money, with_seats
from baccarat.table.step.sealing import Contribute, SealOrder
from electronic_table import OrderOneShoe, Witnesses
from table_driver import Game, game_at, new_game, seated
from table_walk import keyed, sealed


def following(game: Game, *waiting: str, practice: bool = True) -> PlannedAct | Wait:
    """What the dealer does next."""
    return next_act(game.table, game.source, waiting, is_practice=practice)


def deal(game: Game, *, practice: bool = True) -> Role:
    """The dealer's next act, done; in what capacity."""
    act = following(game, practice=practice)
    assert isinstance(act, PlannedAct), act
    command, actor = act_command(game.table, game.source, act, is_practice=practice)
    outcome = game.table.do(command, actor)
    assert isinstance(outcome, Accepted), outcome
    assert actor.role is not Role.PARTICIPANT or actor.origin is not Origin.PERSON
    return actor.role


def test_wagers_and_the_end_of_wagering_are_left_to_people_and_to_the_clock() -> None:
    game = game_at("ma-midi-4")
    assert following(game) == Wait()
    game.wager("1 p 2500")
    assert following(game) == Wait(by=Role.DEALER, act="call_no_more_bets")


def test_an_act_of_a_participant_is_waited_for_and_never_done_for_him() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC", step="offer_cut")
    assert following(game) == Wait(by=Role.PARTICIPANT, act="answer_cut", seat=5)
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go_to_act("return_cards")
    assert following(game) == Wait(by=Role.PARTICIPANT, act="return_cards", seat=1)
    game = game_at("nj-punto-banco", "7S 9D TH KC", curator=3).wager("1 p 2500").go("deal")
    assert following(game) == Wait(by=Role.PARTICIPANT, act="draw_card", seat=3)
    assert following(new_game("ma-midi-4").go("wash")) == Wait(by=Role.PARTICIPANT, act="sit")


def test_a_shoe_that_must_be_passed_is_passed_by_the_dealer_himself() -> None:
    game = game_at("nj-punto-banco", "9S 2D TH KC", curator=3)
    game.play("1 p 2500")
    act = following(game)
    assert isinstance(act, PlannedAct)
    command, actor = act_command(game.table, game.source, act, is_practice=True)
    assert (command.name, actor.role, actor.origin) == ("pass_shoe", Role.DEALER, Origin.PERSON)
    assert deal(game) is Role.DEALER


def test_acts_have_the_pause_of_their_kind() -> None:
    pace = Pace(prepare=1, card=2, call=3, pay=4, clear=5)
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go("deal")
    found = next_act(game.table, game.source, is_practice=True, pace=pace)
    assert isinstance(found, PlannedAct)
    assert (found.due.act, found.pause) == ("draw_card", 2)
    pauses = {}
    for act in ("announce_count", "collect_losers", "clear_table", "turn_card"):
        game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go_to_act(act)
        found = next_act(game.table, game.source, is_practice=True, pace=pace)
        assert isinstance(found, PlannedAct)
        pauses[act] = found.pause
    assert pauses == {"announce_count": 3, "collect_losers": 4, "clear_table": 5, "turn_card": 2}
    assert pace.hurried == Pace(prepare=0.1, card=0.1, call=0.1, pay=0.05, clear=0.1)
    swift = Pace(prepare=0, card=0.05, call=0, pay=0, clear=0)
    assert swift.hurried == swift
    assert pace.limited_to(0) == pace.hurried
    assert pace.limited_to(1.5) == Pace(prepare=1, card=2, call=3, pay=4, clear=1.5)
    assert pace.limited_to(9) == pace
    assert Pace.uniform(0.6) == Pace(prepare=0.05, card=0.6, call=0.6, pay=0.6 / 2, clear=4 * 0.6)
    assert Pace.uniform(0.1).prepare == 0.1 / 4


# ------------------------------------------------------------------------------------- whom it never plays


@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4", "nj-punto-banco"])
def test_at_a_live_table_it_is_the_dealer_and_nobody_else(name: str) -> None:
    """All acts of preparation: a floorperson verifies the cards, and the program waits for one."""
    game = seated(new_game(name), [1, 3])
    met = set()
    for _ in range(60):
        found = following(game, practice=False)
        if isinstance(found, Wait):
            met.add(found.by)
            assert found.by is not Role.DEALER or found.act == "call_no_more_bets"
            if found.act == "":
                break
            game.act()
        else:
            assert deal(game, practice=False) is Role.DEALER
    assert Role.FLOORPERSON in met, "who verifies the inspection"
    assert game.step == "wager"


@pytest.mark.parametrize("is_practice", [False, True])
def test_a_program_never_plays_whoever_watches_over_a_game_though_it_is_told_to(is_practice: bool) -> None:
    game = new_game("ma-midi-4")
    allowed = {Role.DEALER}
    if is_practice:
        allowed |= {Role.FLOORPERSON, Role.CASINO_SUPERVISOR, Role.PIT_BOSS, Role.PIT_CLERK}
    for role in Role:
        due = replace(game.table.expected[0], by=role, optional=False)
        everybody = frozenset(Role)
        found = next_act(game.table, game.source, is_practice=is_practice, plays=everybody, expected=[due])
        assert isinstance(found, PlannedAct) is (role in allowed), role
        if role not in allowed:
            assert found == Wait(by=role, act=due.act, seat=due.seat)
            with pytest.raises(AssertionError, match="a program does not play"):
                act_command(game.table, game.source, PlannedAct(due, 0.0), is_practice=is_practice)


def owing(name: str) -> Game:
    """A table at the end of its shoe, where seat 1 has a marker and no chips to pay it."""
    game = game_at(name, "2S 7D TH KC 2H", vig_collection="deferred").wager("1 b 10000")
    game.finish_round()
    while not game.state.shoe.finished:
        game.skip(left=20, cover_out=True)
        game.wager("3 t 500" if name.startswith("ma") else "3 p 2500").finish_round()
    state = game.state
    assert state.money.markers
    poor = tuple(person and type(person)(person.who, 0) for person in state.seats.participants)
    game.table.state = with_money(with_seats(state, participants=poor), last_form=9, next_form=1)
    return game


@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_a_debt_that_takes_two_persons_is_put_on_paper_by_a_program_at_practice_tables_only(name: str) -> None:
    game = owing(name)
    found = following(game, practice=False)
    assert isinstance(found, Wait)
    assert found.by in (Role.FLOORPERSON, Role.PIT_CLERK)
    act = following(game)
    assert isinstance(act, PlannedAct)
    with pytest.raises(AssertionError, match="a program does not play"):
        act_command(game.table, game.source, act, is_practice=False)
    assert act_command(game.table, game.source, act, is_practice=True)[1].approvals
    deal(game)
    assert not game.state.money.markers


def test_a_table_that_has_stopped_gets_another_shoe_at_practice_and_waits_for_the_floor_otherwise() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go_to_act("turn_card")
    seen = {**game.state.shoe.seen, "Ac": 8}
    game.table.state = type(game.state)(
        **{field: getattr(game.state, field) for field in game.state.__struct_fields__ if field != "shoe"},
        shoe=type(game.state.shoe)(
            **{f: getattr(game.state.shoe, f) for f in game.state.shoe.__struct_fields__ if f != "seen"}, seen=seen
        ),
    )
    position = next(due.position for due in game.table.expected if due.act == "turn_card")
    assert position is not None
    game.do(ConfirmCard(position=position, card=Card.parse("Ac")))
    assert game.state.stopped
    assert following(game, practice=False) == Wait()
    for _ in range(30):
        if game.state.shoe.number == 1 and not game.state.stopped:
            break
        deal(game)
    assert game.state.shoe.number == 1


# -------------------------------------------------------------------------------------------- its agenda


def test_nothing_that_others_do_puts_the_next_act_off() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go("deal")
    agenda = Agenda().with_next(following(game), 10)
    assert agenda.next_at == 10 + Pace().card
    for tick in range(40):
        game.do(Sit(seat=7, person="restless"))
        agenda = agenda.with_next(following(game), 10 + tick / 100)
        game.do(Leave(seat=7))
        agenda = agenda.with_next(following(game), 10 + tick / 100)
    assert agenda.next_at == 10 + Pace().card
    game.act()
    assert agenda.with_next(following(game), 11).next_at == 11 + Pace().card, "another card has a pause of its own"
    assert agenda.with_next(Wait(), 11).next_at is None


def test_inputs_are_closed_when_the_time_for_contributions_is_over_and_then_nobody_waits() -> None:
    game = new_game("ma-midi-4")
    game.source = sealed(game.rules, 5)
    seated(game, [1, 3]).go_to_act("close_inputs")
    assert following(game, "close_inputs") == Wait(by=Role.DEALER, act="close_inputs")
    for act in ("close_inputs", "seal_order"):
        found = following(game)
        assert isinstance(found, PlannedAct)
        assert (found.due.act, found.pause) == (act, 0.0)
        command, actor = act_command(game.table, game.source, found, is_practice=False)
        assert actor.origin is Origin.CARD_SOURCE
        game.do(command)
    assert game.step == "cover_card"


def test_a_shoe_whose_witness_is_silent_waits() -> None:
    class Silent(Witnesses):
        """Witnesses that do not answer."""

        def awaits(self, state: TableState) -> bool:
            """Always."""
            del state
            return True

    game = new_game("ma-midi-4")
    game.source = SealedShoe(
        game.rules, lambda number: bytes([5, number]) * 16, table="T7", shares=Silent("example.net/w1")
    )
    assert following(seated(game, [1, 3])) == Wait()


def test_an_order_1_is_sealed_with_what_was_contributed_last() -> None:
    """The command is made when its time has come: a contribution changes the order up to that moment."""
    game = new_game("ma-midi-4")
    game.source = OrderOneShoe(game.rules, lambda number: bytes([5, number]) * 16, table="table")
    seated(game, [1, 3]).go("offer_cut")
    early = following(game, "seal_order")
    assert early == Wait(by=Role.DEALER, act="seal_order")
    act = following(game)
    assert isinstance(act, PlannedAct)
    before, _ = act_command(game.table, game.source, act, is_practice=True)
    game.do(Contribute(seat=3, value="my luck"))
    after, actor = act_command(game.table, game.source, act, is_practice=True)
    assert isinstance(before, SealOrder)
    assert isinstance(after, SealOrder)
    assert before.root != after.root
    assert actor.origin is Origin.CARD_SOURCE
    assert isinstance(game.table.do(after, actor), Accepted)


class Closed(Table):
    """A table of a house whose gaming day is closed: it refuses whatever is brought."""

    tries = 0

    def do(self, command: Command, actor: Actor | None = None) -> Accepted | Refused:
        """Refuse."""
        del actor
        self.tries += 1
        return refuse(table_rules(self.rules), Reason.STOPPED, "stopped", step="deal", command=command.name)


def test_an_act_that_the_house_refuses_is_not_tried_again_at_once() -> None:
    game = game_at("ma-midi-4", "7S 9D TH KC").wager("1 p 2500").go("deal")
    table = Closed(game.rules)
    table.state = game.state
    attendant = Attendant(keyed(game.rules, 1), is_practice=False)
    attendant.timers = Timers()
    now = 0.0
    attendant.update(table, now)
    while now < 5 * AFTER_REFUSAL:
        assert attendant.next_at is not None
        now = max(now, attendant.next_at)
        for command, actor in attendant.due(table, now):
            table.do(command, actor)
        attendant.update(table, now)
    assert table.tries <= 6


def test_house_money_waits_for_a_choice() -> None:
    game = game_at("ma-midi-4", "8S 9D 8H KC").wager("1 p 2500", "1 house_money 1000").go("house_money")
    assert following(game, "settle_house_money") == Wait(by=Role.DEALER, act="settle_house_money", seat=1)
    assert isinstance(following(game), PlannedAct)
