"""The work of a table as a console shows it: acts with commands that are taken, sums that then move, remedies."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.actor import Actor, Approval
from baccarat.table.base import Accepted, Command
from baccarat.table.card_correction import CorrectCard
from baccarat.table.console.console_work import CommandPreview, ConsoleWork, outlook, work_of
from baccarat.table.console.prepared_acts import PreparedAct
from baccarat.table.irregularity.error_card import ReportErrorCard
from baccarat.table.machine import Table, decide
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.registry import COMMANDS
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.house_money import HouseMoneyPaid, PressHouseMoney
from baccarat.table.step.settlement import LosersCollected, Paid, VigorishTaken
from baccarat.table.step.turning import CardTurned, TurnCard
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.step_function import FILL_FIELDS
from table_driver import Game, game_at

NOT_AT_A_CONSOLE = frozenset({"seal_trigger", "end_round", "document_vigorish", "receive_forms", "report_exception"})
"""Acts of the house that a card source does, or that have a form of their own elsewhere."""
STAFF = (Role.DEALER, Role.FLOORPERSON)


def work(game: Game, role: Role = Role.DEALER, who: str = "") -> ConsoleWork:
    """The work of a table, for the dealer on the game or somebody else."""
    table = game.table
    who = who or (table.state.seats.dealers[0] if role is Role.DEALER else role.value)
    return work_of(table.rules, table.state, Actor(who=who, role=role), table.event_at, len(table.log))


def made(ready: PreparedAct, game: Game) -> Command:
    """The command of an act, with what somebody would enter."""
    entered: dict[str, Any] = {}
    for field in ready.fields:
        entered[field.name] = field.value
        if field.name == "card":
            card, _ = game.source.card(game.state, ready.position or 0)
            entered["card"] = {"rank": card.rank.value, "suit": card.suit.value}
        elif field.value is None:
            entered[field.name] = {"set_id": "blue 7", "in_front": game.source.cut(game.state)}.get(
                field.name, "dealer 9"
            )
    return msgspec.convert({**ready.command, **entered}, COMMANDS[ready.command["do"]])


def random_wagers(game: Game, chance: random.Random) -> None:
    """Wagers of some seats, on whatever is offered."""
    for seat in game.state.occupied:
        for kind in (chance.choice((WagerKind.PLAYER, WagerKind.BANKER)), *WagerKind):
            if kind in (WagerKind.PLAYER, WagerKind.BANKER) or chance.random() < 0.5:
                game.table.do(PlaceWager(seat=seat, on=kind, stake=chance.choice((2500, 10_300, 22_500))))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_submissions()))
def test_a_whole_game_is_dealt_by_pressing_what_the_console_offers(name: str) -> None:
    chance, game = random.Random(11), game_at(name, step="receive", seats=())
    for seat in (1, 3, 5):
        game.do(Sit(seat=seat, person=f"p{seat}"))
        game.do(BuyIn(seat=seat, amount=5_000_000))
    asked, pressed = -1, set[str]()
    while game.state.round.number < 6:
        if game.step == "wager" and asked != game.state.round.number and not game.state.round.closed:
            asked = game.state.round.number
            random_wagers(game, chance)
        due = game.next_act()
        role = due.by if due.by in STAFF else Role.DEALER
        shown = work(game, role)
        assert [step.name for step in shown.steps if step.state == "now"] == [game.step]
        offered = [ready for ready in shown.acts if ready.command["do"] == due.act and ready.seat == due.seat]
        if due.by not in STAFF or due.act in NOT_AT_A_CONSOLE or due.act == "shuffle_cards":
            game.act(accept=due.act == "answer_shoe")
            continue
        assert offered, f"{due.act} is offered to the {role.value}"
        ready = offered[0]
        before = game.state
        outcome = decide(game.rules, before, made(ready, game), Actor(who=before.seats.dealers[0], role=role))
        assert isinstance(outcome, Accepted), f"{ready}: {outcome}"
        game.act()
        if not ready.fields:
            after = work(game, Role.DEALER)
            says = [*(each.say for each in after.acts), *(each.say for each in after.waiting)]
            assert ready.follows in says or ready.follows.startswith(("Participants", "Somebody")), (ready, says)
        pressed.add(due.act)
    assert pressed >= {"turn_card", "announce_result", "call_no_more_bets", "clear_table"}


def test_every_act_of_the_staff_is_made_ready_or_named_as_one_that_is_not() -> None:
    assert set(FILL_FIELDS) <= set(COMMANDS)
    assert not [name for name in FILL_FIELDS if COMMANDS[name].CARD.console]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_submissions()))
def test_each_line_of_the_settlement_is_what_then_moves(name: str) -> None:
    chance, game = random.Random(5), game_at(name)
    for _ in range(25):
        random_wagers(game, chance)
        game.go("announce")
        planned = work(game).settlement
        game.act()
        moved: dict[tuple[int, str], int] = {}
        while game.step == "settle":
            lines = work(game).settlement
            assert [line.state for line in lines].count("now") == 1
            assert [msgspec.structs.replace(line, state="later", box=None) for line in lines] == [
                msgspec.structs.replace(line, state="later", box=None) for line in planned
            ]
            for event in game.act():
                match event:
                    case LosersCollected():
                        moved[0, "collect"] = sum(event.amounts.values())
                    case VigorishTaken():
                        moved[event.seat, "vigorish"] = event.amount
                        box = next(line.box for line in lines if line.seat == event.seat and line.vigorish is not None)
                        assert box == (game.state.money.markers.get(event.seat) if event.marked else None)
                    case Paid():
                        moved[event.seat, "pay"] = event.win
        shown = {
            (line.seat, part): getattr(line, part)
            for line in planned
            for part in ("collect", "vigorish", "pay")
            if getattr(line, part) is not None
        }
        assert shown == moved
        assert all(line.cites for line in planned)
        if game.state.shoe.left < 60:
            break
        game.go("wager")


def test_marked_vigorish_shows_what_the_box_then_holds() -> None:
    game = game_at("ma-midi-4", "2s 3s 4h 5h", vig_collection="deferred")
    game.wager("1 b 22500", "3 b 10300").go("announce")
    lines = {line.seat: line for line in work(game).settlement if line.seat}
    assert (lines[1].vigorish, lines[1].box, lines[1].is_marked) == (1125, 1125, True)
    assert "5 % of $225.00" in lines[1].say
    game.go("clear")
    boxes = work(game).boxes
    assert boxes is not None
    assert boxes.owed == {1: 1125, 3: 525}
    assert boxes.cites


def test_house_money_is_shown_seat_by_seat_as_it_then_moves() -> None:
    game = game_at("ma-midi-4", "6h 7s 6d 9h 8s 2c")  # the Player opens with a pair
    game.wager("1 b 2500", "1 house_money 1000", "3 p 2500", "3 house_money 2000").go("house_money")
    game.do(PressHouseMoney(seat=3, onto=WagerKind.PLAYER))
    shown = work(game).house_money
    assert [choice.seat for choice in work(game).choices] == [shown[0].seat]
    assert [(line.seat, line.stake, line.onto, line.state) for line in shown] == [
        (shown[0].seat, shown[0].stake, shown[0].onto, "now"),
        (shown[1].seat, shown[1].stake, shown[1].onto, "later"),
    ]
    assert {line.seat: line.onto for line in shown} == {1: "", 3: "Player"}
    moved = {event.seat: event.win for _ in range(2) for event in game.act() if isinstance(event, HouseMoneyPaid)}
    assert {line.seat: line.win for line in shown} == moved
    assert work(game).house_money == ()


def test_a_correction_after_the_result_leaves_what_the_cards_owe_to_be_settled() -> None:
    game = game_at("ma-midi-4", "2s 3s 4h 5h")
    game.wager("1 b 2500", "3 p 2500").go("settle")
    game.act()
    number = max(i for i, event in enumerate(game.table.log) if isinstance(event, CardTurned))
    event = game.table.log[number]
    assert isinstance(event, CardTurned)
    game.do(CorrectCard(corrects=number, reason="misread", position=event.position, card=Card.parse("Kd")), second="f")
    assert work(game).settlement == ()
    assert {act.command["do"] for act in work(game).acts} == {"settle_due"}


# ------------------------------------------------------------------------------------------ draw or stay


def test_the_tableau_is_shown_with_the_cell_that_decides() -> None:
    game = game_at("ma-midi-4", "6h 7s 7d 8h 8s")
    game.wager("1 b 2500").go("third_cards").go_to_act("turn_card")
    shown = work(game).ruled
    assert shown is not None
    assert [(hand.side.value, hand.act) for hand in shown.hands] == [("player", "draw")]
    turn = TurnCard(position=game.next_act().position or 0, card=Card.parse("8s"))
    would = outlook(game.rules, game.state, turn, Actor(who="dealer"), game.table.event_at)
    assert isinstance(would, CommandPreview)
    assert would.ruled is not None
    assert [(hand.side.value, hand.act) for hand in would.ruled.hands] == [("player", "draw"), ("banker", "stay")]
    grid = would.ruled.grid
    assert grid is not None
    assert (grid.count, grid.third) == (5, 8)
    assert grid.rows[5][8] == "stay"
    assert grid.rows[3][9] == "draw"
    assert sorted(grid.rows) == [3, 4, 5, 6]
    assert would.counts == {"player": 1, "banker": 5}
    assert "announces the result" in would.follows


def test_the_calls_are_known_before_they_are_made() -> None:
    game = game_at("ma-midi-4", "6h 7s 7d 8h 8s")
    game.wager("1 b 2500")
    assert work(game).acts[0].calls == ("no more bets",)
    game.go_to_act("announce_count")
    assert work(game).acts[0].calls == ("Player 3",)
    game.go("announce")
    assert work(game).acts[0].calls == ("Player 1, Banker 5, Banker wins",)
    assert "vigorish" in work(game).acts[0].follows


# ----------------------------------------------------------------------------------------- irregularities


def reported(game: Game, what: str) -> Any:
    """An irregularity that can be reported now."""
    found = {each.what: each for each in work(game).irregularities}
    assert what in found, sorted(found)
    return found[what]


def test_a_card_that_no_hand_may_have_is_laid_aside_and_opens_a_simulated_round() -> None:
    game = game_at("ma-midi-4", "6d Th Qs 7h 9d")
    game.wager("1 b 2500").go("announce")
    each = reported(game, "error_card")
    assert [field.name for field in each.fields] == ["to", "card"]
    assert [(one.option, one.value) for one in each.elected] == [("disclosed_third_card", "simulated_round")]
    report = msgspec.convert(
        {"do": "report_error_card", "to": "player", "card": {"rank": "9", "suit": "d"}}, ReportErrorCard
    )
    would = outlook(game.rules, game.state, report, Actor(who="dealer"), game.table.event_at)
    assert isinstance(would, CommandPreview)
    assert "simulated round" in would.ahead[-1].say
    game.do(report)
    remedy = work(game).remedy
    assert [type(event).__name__ for event in remedy.done] == ["ErrorCardDrawn", "SimulatedRoundOrdered"]
    assert remedy.ahead == would.ahead
    game.finish_round()
    remedy = work(game).remedy
    assert [type(event).__name__ for event in remedy.done] == ["ErrorCardDrawn", "SimulatedRoundOrdered"]
    assert "without wagers" in remedy.ahead[0].say
    assert remedy.ahead[0].cites
    game.finish_round()
    assert not work(game).remedy.done
    assert not work(game).remedy.ahead


def test_what_was_corrected_last_in_a_round_is_not_shown_in_the_next() -> None:
    game = game_at("ma-midi-4", "7s 9d Th Kc")
    game.wager("1 b 2500").go("clear")
    paid, place = game.table.log.index(game.last(Paid)), game.state.round.banker[0]
    turned = next(
        at for at, event in enumerate(game.table.log) if isinstance(event, CardTurned) and event.position == place
    )
    misread = CorrectCard(corrects=turned, position=place, card=Card.parse("5d"), reason="misread")
    game.do(misread, who="D. Ealer", second="F. Loor")
    game.do(CorrectPayment(corrects=paid, seat=1, amount=-2375, reason="too much"), who="D. Ealer", second="F. Loor")
    assert [type(event).__name__ for event in work(game).remedy.done] == ["CardCorrected", "PaymentCorrected"]
    game.finish_round()
    assert not work(game).remedy.done


def test_what_cannot_be_reported_now_is_not_offered() -> None:
    game = game_at("ma-midi-4", "6d Th Qs 7h 9d")
    assert {each.what for each in work(game).irregularities} == {"error_card", "face_up"}
    game.wager("1 b 2500").go_to_act("hand_cards")
    assert {each.what for each in work(game).irregularities} >= {"exposed_card", "error_card", "delay", "foul_card"}
    game.go("settle")
    assert {each.what for each in work(game).irregularities} == {"error_card"}


def test_an_empty_shoe_is_an_irregularity_with_its_clause() -> None:
    game = game_at("ma-midi-4")
    game.wager("1 b 2500").go("deal").skip(left=0)
    each = reported(game, "shoe_empty")
    assert each.command == {"do": "draw_card"}
    assert any(cite.endswith("§13(e)") for cite in each.cites), each.cites


# -------------------------------------------------------------------------------------------- corrections


def test_cards_and_payments_of_the_round_can_be_corrected_by_two() -> None:
    game = game_at("ma-midi-4", "6h 7s 7d 8h 8s")
    game.wager("1 b 2500").go("announce")
    found = [each for each in work(game).corrigible if each.command["do"] == "correct_card"]
    assert len(found) == 5 + sum(1 for _ in game.state.shoe.burned)
    for each in found:
        fields = {**each.command, "reason": "misread", "card": {"rank": "2", "suit": "c"}}
        command = msgspec.convert(fields, COMMANDS["correct_card"])
        would = outlook(game.rules, game.state, command, Actor(who="dealer"), game.table.event_at)
        assert isinstance(would, CommandPreview), would
        alone = decide(game.rules, game.state, command, Actor(who="dealer"), game.table.event_at)
        assert isinstance(alone, Refused)
        second = Approval("f", Role.FLOORPERSON, "correct_card")
        both = decide(game.rules, game.state, command, Actor(who="dealer", approvals=(second,)), game.table.event_at)
        assert isinstance(both, Accepted), both
    game.finish_round()
    payments = [each for each in work(game).corrigible if each.command["do"] == "correct_payment"]
    assert {(type(each.event).__name__, each.command["seat"]) for each in payments} == {
        ("Paid", 1),
        ("VigorishTaken", 1),
    }


@pytest.mark.slow
def test_the_work_of_a_table_is_shown_at_every_moment() -> None:
    """Whatever has happened, the console has something to show: no state of a walk with errors breaks it."""
    for seed in range(6):
        chance = random.Random(seed)
        game = game_at("nj-punto-banco" if seed % 2 else "ma-midi-4-royal9")
        table: Table = game.table
        for _ in range(250):
            if game.step == "wager" and not game.state.round.closed:
                random_wagers(game, chance)
            shown = work(game, chance.choice(STAFF))
            if chance.random() < 0.15 and shown.irregularities:
                each = chance.choice(shown.irregularities)
                values: dict[str, Any] = {"reason": "a test", "to": chance.choice(["player", "banker", None])}
                hidden = {field.name: field.value for field in each.fields}
                card, _ = game.source.card(game.state, hidden.get("position") or game.state.shoe.next)
                values["card"] = {"rank": card.rank.value, "suit": card.suit.value}
                fields = {field.name: values.get(field.name, field.value) for field in each.fields}
                command = msgspec.convert({**each.command, **fields}, COMMANDS[each.command["do"]])
                if each.what != "foul_card" and chance.random() < 0.9:
                    table.do(command, table.usual_actor(command, by=each.by[0]))
                    continue
            if table.state.stopped:
                break
            game.act()
