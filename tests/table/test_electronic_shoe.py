"""An electronic shoe's whole flow: commit, contribute, seal, cut, play, reveal; given up, stopped, lost on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.shuffle import commitment, header_of
from baccarat.table.actor import Actor, Origin
from baccarat.table.adopting import AdoptRules, RulesAdopted
from baccarat.table.automation import command_for
from baccarat.table.base import Command, Event
from baccarat.table.correction import ConfirmCard
from baccarat.table.gate import GateFault
from baccarat.table.people import Leave
from baccarat.table.proof import Proof, order_from
from baccarat.table.registry import EVOLVERS, HANDLERS
from baccarat.table.role import Role
from baccarat.table.source import SealedShoe
from baccarat.table.state import LOST, Contribution, State
from baccarat.table.step.abandoning import AbandonShoe, ShoeAbandoned
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.cutting import AnswerCut, CutAnswered, CutCards
from baccarat.table.step.opening import CardsReceived, ReceiveCards
from baccarat.table.step.revealing import OrderDisproved, ReportLostSeed, RevealSeed, SeedLost, SeedRevealed
from baccarat.table.step.sealing import (
    CommitShoe,
    Contribute,
    ContributionMade,
    FailShoe,
    OrderSealed,
    SealOrder,
    ShoeCommitted,
)
from baccarat.table.step.turning import CardTurned, TurnCard
from baccarat.table.step.wagering import RequestFreeHand
from baccarat.table.story import tell
from baccarat.table.view import Viewer, view
from strategies import NEW_JERSEY
from table_driver import Game, new_game, seated
from table_walk import as_json, auditor_of
from triggers import FirstWager

EDITIONS = ["ma-midi-4", NEW_JERSEY]
TABLE = "T7"
SHORT = 380
"""A cover card so deep that a shoe has a few rounds only."""
BEFORE_THE_CUT = ("receive", "inspect", "verify", "spread", "wash", "stack", "shuffle", "lace", "offer_cut")


def seed_of(number: int) -> bytes:
    """The seed of a shoe."""
    return bytes([number + 11]) * 32


def electronic(edition: str, *, seats: tuple[int, ...] = (1, 3, 5), seeds: Callable[[int], bytes] = seed_of,
               **elections: Any) -> Game:  # fmt: skip
    """A table just opened with an electronic shoe, and people at it."""
    game = new_game(edition, cover_card_depth=SHORT, **elections)
    game.source = SealedShoe(game.rules, seeds, table=TABLE, triggers=FirstWager(game.rules))
    return seated(game, seats)


def step_on(game: Game) -> None:
    """The next act that is due, or a wager where only that can come."""
    if game.step == "wager" and not game.state.round.wagers:
        game.wager("1 t 500")
    else:
        game.act()


def at_close(edition: str, **elections: Any) -> Game:
    """An electronic shoe played to its end."""
    game = electronic(edition, **elections).go("wager")
    while game.step != "close":
        step_on(game)
    return game.go_to_act("reveal_seed")


def committed(game: Game) -> Game:
    """The same table, its shoe committed to."""
    game.go_to_act("commit_shoe").act()
    return game


def audited(game: Game) -> None:
    """The log alone, read by somebody who shares no code with the table, and replayed."""
    assert auditor_of(game.rules).audit([as_json(event) for event in game.table.log]) == []
    game.check_replay()


# ----------------------------------------------------------------------------------------- the whole way


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shoe_is_committed_to_contributed_to_sealed_cut_dealt_and_revealed(edition: str) -> None:
    game = committed(electronic(edition))
    game.do(Contribute(seat=3, value="three"))
    game.do(Contribute(seat=1, value="00ff"))
    game.go("wager")
    while game.step != "close":
        step_on(game)
    game.go("receive" if edition != NEW_JERSEY else "shuffle")
    kinds = [type(event) for event in game.table.log]
    flow: list[type[Event]] = [
        ShoeCommitted,
        ContributionMade,
        OrderSealed,
        CutAnswered,
        CardTurned,
        SeedRevealed,
        ShoeClosed,
    ]
    assert sorted(map(kinds.index, flow)) == [kinds.index(kind) for kind in flow]
    assert kinds.index(RulesAdopted) < kinds.index(ShoeCommitted) < kinds.index(CardsReceived)
    assert [event.value for event in game.of(ContributionMade)] == ["three", "00ff"]
    assert game.last(ShoeClosed).seed == "revealed"
    assert game.state.shoe.former_seed == seed_of(0).hex(), "the next shoe shows it"
    assert game.state.shoe.commitment is None
    assert "its seed has been revealed" in tell(game.last(ShoeClosed))
    audited(game)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_event_of_a_commitment_holds_its_whole_header(edition: str) -> None:
    made = committed(electronic(edition)).last(ShoeCommitted)
    header = header_of(table=made.table, shoe=made.shoe, rulebook_hash=made.rulebook, decks=made.decks)
    assert commitment(seed_of(0), header).hex() == made.commitment
    assert (made.table, made.decks, made.rulebook) == (TABLE, 8, rulebook(edition, cover_card_depth=SHORT).hash)


def test_several_shoes_are_revealed_each_with_its_own_seed() -> None:
    game = electronic("ma-midi-4")
    while game.state.shoe.number < 3:
        step_on(game)
    assert [event.seed for event in game.of(SeedRevealed)] == [seed_of(number).hex() for number in range(3)]
    assert len({event.root for event in game.of(OrderSealed)}) == 3
    audited(game)


def test_nobody_has_to_contribute_and_nobody_waits() -> None:
    game = committed(electronic("ma-midi-4"))
    asked = [due for due in game.table.expected if due.act == "contribute"]
    assert [(due.seat, due.by, due.optional) for due in asked] == [(s, Role.PARTICIPANT, True) for s in (1, 3, 5)]
    game.go("wager")
    assert not game.of(ContributionMade)


# ------------------------------------------------------------------------------------ commit, contribute


def test_a_commitment_comes_once_complete_and_before_the_cut() -> None:
    game = electronic("ma-midi-4")
    right = CommitShoe(table=TABLE, shoe="0", commitment="0" * 64)
    for table, shoe in (("", "0"), (TABLE, ""), (" ", "0")):
        game.refused(CommitShoe(table=table, shoe=shoe, commitment="0" * 64), "incomplete")
    for bad in ("", "ab", "F" * 64, "g" * 64):
        game.refused(CommitShoe(table=TABLE, shoe="0", commitment=bad), "wrong_proof")
    committed(game).refused(right, "out_of_order")
    real = seated(new_game("ma-midi-4"), [1])
    real.go("cut").do(CutCards(in_front=200))
    real.refused(right, "out_of_order")
    assert all(due.act != "commit_shoe" for due in real.table.expected)


def test_a_shoe_may_be_committed_to_at_every_step_before_the_cut() -> None:
    game = seated(new_game("ma-midi-4"), [1, 3])
    for step in BEFORE_THE_CUT:
        game.go(step)
        assert game.table.expected[0].act == "commit_shoe"
        held = Game(game.rules, lambda _number: ())
        held.table.state = game.state
        held.worth = game.worth
        held.do(CommitShoe(table=TABLE, shoe="0", commitment="0" * 64))
        assert held.state.shoe.commitment is not None
        assert held.step == step


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_seed_of_the_last_shoe_is_not_used_again(edition: str) -> None:
    game = at_close(edition, seeds=lambda _number: seed_of(0))
    game.go_to_act("commit_shoe")
    held = game.source.promise(game.rules, game.state)
    assert held is not None
    game.refused(CommitShoe(table=held.table, shoe=held.shoe, commitment=held.hash), "wrong_proof")


def test_a_contribution_comes_between_commitment_and_seal_once_a_seat_from_whoever_sits_there() -> None:
    game = electronic("ma-midi-4")
    game.refused(Contribute(seat=1, value="x"), "out_of_order")
    committed(game)
    game.refused(Contribute(seat=2, value="x"), "seat_empty")
    game.refused(Contribute(seat=1, value="x"), "not_entitled", who="participant 3", by=Role.PARTICIPANT)
    game.refused(Contribute(seat=1, value="x"), "wrong_role", by=Role.DEALER)
    game.refused(Contribute(seat=1, value=" "), "incomplete")
    game.do(Contribute(seat=1, value="x"))
    game.refused(Contribute(seat=1, value="y"), "twice")
    assert {due.seat for due in game.table.expected if due.act == "contribute"} == {3, 5}
    game.go("offer_cut").do(Contribute(seat=5, value="z"))
    root = game.source.root(game.state)
    game.act()
    game.refused(Contribute(seat=3, value="late"), "out_of_order")
    assert game.state.shoe.root == root
    held = game.state.shoe.commitment
    assert held is not None
    assert held.contributions == (Contribution(1, "x"), Contribution(5, "z"))
    assert all(due.act != "contribute" for due in game.table.expected)


def test_every_contribution_and_their_order_change_the_cards() -> None:
    orders = []
    for values in ((), ((1, "a"),), ((1, "b"),), ((1, "a"), (3, "b")), ((3, "b"), (1, "a")), ((1, "a"), (3, "B"))):
        game = committed(electronic("ma-midi-4"))
        for seat, value in values:
            game.do(Contribute(seat=seat, value=value))
        orders.append(game.source.stack(game.state))
    assert len(set(orders)) == len(orders)


def test_what_a_participant_contributes_is_bounded_and_visible() -> None:
    decode = msgspec.json.Decoder(Contribute).decode
    decode(b'{"do":"contribute","seat":1,"value":"' + b"f" * 64 + b'"}')
    for bad in (b"", b"f" * 65, b"\\u0007", b"\\u202e"):
        with pytest.raises(msgspec.ValidationError):
            decode(b'{"do":"contribute","seat":1,"value":"' + bad + b'"}')


def test_rules_are_not_changed_once_a_shoe_has_been_committed_to() -> None:
    game = electronic("ma-midi-4")
    other = {"ruleset": "ma-midi-4", **rulebook("ma-midi-4", seats=7).stated}
    game.do(AdoptRules(submission=msgspec.json.decode(msgspec.json.encode(other))))
    new = game.table.rules
    committed(game)
    assert game.last(ShoeCommitted).rulebook == new.hash != game.rules.hash, "a shoe commits under the rules that hold"
    game.refused(AdoptRules(submission=other), "out_of_order")
    game.rules = new
    game.go("wager")


@pytest.mark.parametrize("edition", EDITIONS)
def test_an_order_is_not_sealed_without_a_commitment_and_not_cut_before_it_is_sealed(edition: str) -> None:
    real = seated(new_game(edition), [1, 3]).go("offer_cut")
    real.refused(SealOrder(root="0" * 64), "out_of_order")
    game = electronic(edition).go("offer_cut")
    game.refused(AnswerCut(seat=game.state.occupied[0], accept=True), "out_of_order")
    assert [due.act for due in game.table.expected if not due.optional] == ["seal_order"]


# ---------------------------------------------------------------------------------------------- reveal


@pytest.mark.parametrize("edition", EDITIONS)
def test_only_the_seed_that_was_committed_to_closes_a_shoe(edition: str) -> None:
    game = at_close(edition)
    game.refused(CloseShoe(), "out_of_order")
    for bad in ("", "ab", seed_of(0).hex().upper(), "00" * 32, seed_of(1).hex()):
        game.refused(RevealSeed(seed=bad), "wrong_proof")
    game.refused(RevealSeed(seed=seed_of(0).hex()), "wrong_origin", by=Role.DEALER)
    game.do(RevealSeed(seed=seed_of(0).hex()))
    game.refused(RevealSeed(seed=seed_of(0).hex()), "out_of_order")
    game.refused(ReportLostSeed(reason="gone"), "out_of_order", who="Flo", second="Sue")
    game.do(CloseShoe())


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shoe_that_was_never_sealed_owes_the_seed_that_it_committed_to(edition: str) -> None:
    """Otherwise an operator who dislikes an order could drop it before it is sealed, and nobody would know."""
    game = committed(electronic(edition))
    game.do(AbandonShoe(reason="the order is not wanted"))
    game.refused(CloseShoe(), "out_of_order")
    said = game.refused(RevealSeed(seed=seed_of(1).hex()), "wrong_proof")
    assert said.what == "seed_not_the_committed_one"
    game.do(RevealSeed(seed=seed_of(0).hex()))
    assert not game.last(SeedRevealed).sealed
    assert "the commitment follows from it" in tell(game.last(SeedRevealed))


def sealed_otherwise(game: Game) -> Game:
    """The same table, at which another order than that of the committed seed has been sealed."""
    held = committed(game).state.shoe.commitment
    assert held is not None
    game.go_to_act("seal_order")
    other = order_from(msgspec.structs.replace(held, contributions=(Contribution(1, "x"),)), seed_of(0))
    game.do(SealOrder(root=other.root))
    return game


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_seed_that_disproves_the_sealed_order_is_taken_and_stops_the_table(edition: str) -> None:
    """The commitment is right, and another order was sealed: the right seed proves it, and nobody can refuse it."""
    game = sealed_otherwise(electronic(edition))
    sealed = game.state.shoe.root
    game.do(AbandonShoe(reason="the cards do not prove"))
    game.do(RevealSeed(seed=seed_of(0).hex()))
    found, held = game.last(OrderDisproved), game.state.shoe.commitment
    assert held is not None
    assert (found.seed, found.sealed, found.derived) == (seed_of(0).hex(), sealed, order_from(held, seed_of(0)).root)
    assert "the sealed order does not" in tell(found)
    assert "does not follow from its seed" in game.state.stopped
    assert not game.of(SeedRevealed)
    game.refused(ReportLostSeed(reason="nobody has it"), "out_of_order", who="Flo", second="Sue")
    game.refused(CloseShoe(), "stopped")
    game.do(AbandonShoe(reason="the shoe goes to the regulator"))
    game.do(CloseShoe())
    assert game.last(ShoeClosed).seed == "disproved"
    assert "was not its seed's" in tell(game.last(ShoeClosed))
    game.go("wager")
    audited(game)


@pytest.mark.parametrize("stop", ["burn", "turn_player"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_where_no_card_of_a_wrong_root_proves_what_is_expected_still_leads_on(edition: str, stop: str) -> None:
    """Every card is refused; the floorperson confirms it, the shoe is foul and taken away, and another is played."""
    game = electronic(edition)
    if stop == "burn":
        sealed_otherwise(game)
    else:
        game.go("wager").wager("1 t 500").go_to_act("turn_card")
        game.table.state = msgspec.structs.replace(
            game.state, shoe=msgspec.structs.replace(game.state.shoe, root="0" * 64)
        )
    game.go_to_act("turn_card")
    turn = command_for(game.table, game.next_act(), game.source)
    game.refused(turn, "wrong_proof")
    (confirm,) = [due for due in game.table.expected if due.act == "confirm_card"]
    assert (confirm.by, confirm.optional) == (Role.FLOORPERSON, True)
    game.do(command_for(game.table, confirm, game.source))
    assert not game.state.round.wagers
    game.do(RevealSeed(seed=seed_of(0).hex()))
    assert game.of(OrderDisproved)
    (due,) = game.table.expected
    game.do(command_for(game.table, due, game.source))
    assert "foul" not in game.state.stopped
    game.go("wager").play("1 t 500")


@pytest.mark.parametrize("step", ["receive", "shuffle", "offer_cut"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_table_goes_on_with_another_shoe_when_the_floor_has_taken_a_failed_one_away(edition: str, step: str) -> None:
    game = committed(electronic(edition)).go(step)
    came = game.state.shoe.set_id
    game.do(FailShoe(why=GateFault.NOT_SHUFFLED))
    away = AbandonShoe(reason="the machine is replaced")
    game.refused(away, "wrong_role", by=Role.DEALER)
    game.refused(AbandonShoe(reason=" "), "no_reason")
    game.do(away)
    assert not game.state.stopped
    assert "The shoe that stopped the table is taken away" in tell(game.last(ShoeAbandoned))
    game.refused(CloseShoe(), "out_of_order")
    game.go_to_act("close_shoe").act()
    assert not game.last(ShoeClosed).same_set, "its cards do not come back"
    assert game.state.shoe.former_set == came
    game.go("wager").play("1 t 500")
    audited(game)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_foul_shoe_of_real_cards_is_taken_away_and_the_table_goes_on(edition: str) -> None:
    game = seated(new_game(edition), [1, 3]).go("wager").wager("1 t 500").go_to_act("turn_card")
    position, card = game.state.round.player[0], Card.parse("9s")
    seen = {**game.state.shoe.seen, str(card): game.state.shoe.decks}
    game.table.state = msgspec.structs.replace(game.state, shoe=msgspec.structs.replace(game.state.shoe, seen=seen))
    game.do(ConfirmCard(position=position, card=card))
    (due,) = game.table.expected
    assert (due.act, due.by) == ("abandon_shoe", Role.FLOORPERSON)
    game.do(AbandonShoe(reason="a ninth nine of spades"))
    game.do(CloseShoe())
    assert not game.last(ShoeClosed).same_set
    game.go("wager").play("1 t 500")


def test_the_id_of_a_shoe_is_its_number_so_that_no_order_comes_twice() -> None:
    """Otherwise the seeds A, B, A, B under the ids 0, 1, 0, 1 would give the orders of the first two shoes again."""
    game = electronic("ma-midi-4", seeds=lambda number: seed_of(number % 2))
    roots = []
    for number in range(4):
        game.go_to_act("commit_shoe")
        for other in (str(number + 1), str(number - 1), f"0{number}", f"{number} "):
            said = game.refused(CommitShoe(table=TABLE, shoe=other, commitment="0" * 64), "out_of_order")
            assert said.what == "shoe_id_is_its_number"
        game.go_to_act("seal_order").act()
        roots.append(game.state.shoe.root)
        game.do(AbandonShoe(reason="the next one"))
        game.go_to_act("close_shoe").act()
    assert len(set(roots)) == 4
    audited(game)


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_seed_is_opened_while_a_card_of_its_shoe_can_still_come(edition: str) -> None:
    game = committed(electronic(edition))
    reveal, lost = RevealSeed(seed=seed_of(0).hex()), ReportLostSeed(reason="gone")
    steps = set()
    while game.step != "close":
        steps.add(game.step)
        game.refused(reveal, "out_of_order")
        game.refused(lost, "out_of_order", who="Flo", second="Sue")
        step_on(game)
    assert len(steps) > 12
    game.do(reveal)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_seed_that_nobody_has_is_reported_lost_by_two_persons(edition: str) -> None:
    game = at_close(edition)
    game.refused(ReportLostSeed(reason="gone"), "no_reason", who="Flo")
    game.refused(ReportLostSeed(reason=" "), "no_reason", who="Flo", second="Sue")
    game.refused(ReportLostSeed(reason="gone"), "same_person", who="Flo", second="FLO")
    game.refused(ReportLostSeed(reason="gone"), "wrong_role", who="Dan", by=Role.DEALER, second="Sue")
    game.do(ReportLostSeed(reason="the key is gone"), who="Flo", second="Sue")
    game.refused(RevealSeed(seed=seed_of(0).hex()), "out_of_order")
    game.do(CloseShoe())
    assert (game.last(SeedLost).requester, game.last(SeedLost).approver) == ("Flo", "Sue")
    assert (game.last(ShoeClosed).seed, game.state.shoe.former_seed) == (LOST, LOST)
    assert "its seed is lost" in tell(game.last(ShoeClosed))
    game.go("wager")
    audited(game)


class Forgetful(SealedShoe):
    """An electronic shoe that has lost its seed by the time it is asked for it."""

    def seed(self, state: State) -> str:
        """Nothing."""
        del state
        return ""


@pytest.mark.parametrize("edition", EDITIONS)
def test_automation_reports_a_seed_lost_that_its_source_has_not_and_goes_on(edition: str) -> None:
    game = electronic(edition)
    game.source = Forgetful(game.rules, seed_of, table=TABLE, triggers=FirstWager(game.rules))
    while game.state.shoe.number < 2:
        step_on(game)
    assert [event.seed for event in game.of(ShoeClosed)] == [LOST, LOST]
    assert len(game.of(SeedLost)) == 2
    audited(game)


def test_a_shoe_is_given_up_though_a_free_hand_was_asked_for() -> None:
    game = electronic("ma-midi-4").go("wager")
    game.do(RequestFreeHand(seat=1))
    game.do(AbandonShoe(reason="the table closes"))
    while game.state.shoe.number == 0:
        game.act()
    assert game.go("wager").state.round.asked_by == 0
    audited(game)


def test_a_table_with_real_cards_has_nothing_to_reveal() -> None:
    game = seated(new_game("ma-midi-4", cover_card_depth=SHORT), [1]).go("wager")
    game.do(AbandonShoe(reason="the table closes"))
    game.refused(RevealSeed(seed="0" * 64), "out_of_order")
    game.refused(ReportLostSeed(reason="gone"), "out_of_order", who="Flo", second="Sue")
    game.do(CloseShoe())
    assert (game.last(ShoeClosed).seed, game.state.shoe.former_seed) == ("", "")


@pytest.mark.parametrize("lost", [False, True])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_table_that_stopped_at_a_foul_shoe_still_owes_its_seed(edition: str, lost: bool) -> None:
    game = electronic(edition).go("wager").wager("1 t 500").go_to_act("turn_card")
    position = game.state.round.player[0]
    game.do(ConfirmCard(position=position, card=game.source.card(game.state, position + 1)[0]))
    assert game.state.stopped
    assert [due.act for due in game.table.expected] == ["reveal_seed", "report_lost_seed", "abandon_shoe"]
    if lost:
        game.do(ReportLostSeed(reason="gone"), who="Flo", second="Sue")
    else:
        game.refused(RevealSeed(seed=seed_of(1).hex()), "wrong_proof")
        game.act()
        assert game.last(SeedRevealed).sealed
    assert [(due.act, due.optional) for due in game.table.expected] == [("abandon_shoe", True)]
    for seat in game.state.occupied:
        game.do(Leave(seat=seat))


# --------------------------------------------------------------------------------------------- given up


def owing(edition: str) -> Game:
    """A table between rounds at which vigorish is marked."""
    game = electronic(edition, vig_collection="deferred").go("wager")
    for _ in range(9):
        game.play("1 b 10000")
        if game.state.money.markers and game.step == "wager":
            return game
        game.go("wager")
    raise AssertionError("the Banker wins now and then")


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shoe_is_given_up_between_rounds_and_goes_the_way_of_every_shoe(edition: str) -> None:
    game = owing(edition)
    give_up = AbandonShoe(reason="the table closes")
    game.refused(AbandonShoe(reason=" "), "no_reason")
    game.refused(give_up, "wrong_role", by=Role.DEALER)
    game.wager("3 p 10000")
    game.refused(give_up, "wagers_on_table")
    game.go_to_act("call_no_more_bets").act()
    while game.step not in ("wager", "close"):
        code = game.refused(give_up).code.value
        assert code in ("wagers_on_table", "out_of_order"), code
        game.act()
    game.do(give_up)
    assert game.step == "close"
    assert game.table.expected[0].act == "collect_vigorish"
    game.refused(CloseShoe(), "vigorish_owed")
    game.go_to_act("reveal_seed").go_to_act("close_shoe")
    game.refused(give_up, "out_of_order")
    game.act()
    assert not game.state.money.markers
    assert game.of(ShoeAbandoned)
    assert game.last(ShoeClosed).seed == "revealed"
    assert game.last(ShoeClosed).same_set is (edition == NEW_JERSEY)
    game.refused(give_up, "out_of_order")
    game.go("wager")
    audited(game)


GIVEN_UP_AT = {
    "ma-midi-4": ("receive", "inspect", "spread", "shuffle", "lace", "offer_cut", "cut", "cover_card", "load", "burn",
                  "wager"),
    NEW_JERSEY: ("receive", "verify", "wash", "shuffle", "offer_cut", "cover_card", "burn", "offer_shoe", "wager"),
}  # fmt: skip


@pytest.mark.parametrize(("edition", "step"), [(name, step) for name, steps in GIVEN_UP_AT.items() for step in steps])
def test_a_shoe_may_be_given_up_at_every_step_before_its_first_round_and_the_table_goes_on(
    edition: str, step: str
) -> None:
    game = committed(electronic(edition)).go(step)
    if step == "burn":
        game.act()
    game.do(AbandonShoe(reason="the source is silent"))
    assert game.step == "close"
    assert game.table.expected[0].act == "reveal_seed"
    while game.state.shoe.number == 0:
        for due in game.table.expected:
            if due.act == "turn_card":
                position = next(each for each in game.state.shoe.burn if each not in game.state.shoe.burned)
                card, proof = game.source.card(game.state, position)
                game.do(TurnCard(position=position, card=card, proof=proof))
        game.act()
    assert game.last(SeedRevealed).sealed is (step not in BEFORE_THE_CUT)
    assert game.state.shoe.former_seed == seed_of(0).hex()
    game.go("wager").play("1 t 500")
    audited(game)


def test_nothing_is_given_up_where_no_shoe_has_begun() -> None:
    game = electronic("ma-midi-4")
    game.refused(AbandonShoe(reason="too early"), "out_of_order")
    game.act()
    game.do(AbandonShoe(reason="the seed was lost at once"))
    game.do(ReportLostSeed(reason="a restart"), who="Flo", second="Sue")
    game.do(CloseShoe())
    assert game.state.shoe.used_sets == ()
    game.do(ReceiveCards(set_id="set 1", decks=8), by=Role.DEALER)


# --------------------------------------------------------------------------------------------- disclosure


def everything(game: Game) -> str:
    """All that a table says to anybody: its log, its state in every role, what is due, its representations."""
    viewers = [Viewer(role, seat=1 if role is Role.PARTICIPANT else 0) for role in Role]
    seen = [view(game.table.rules, game.state, viewer) for viewer in viewers]
    parts = [msgspec.json.encode(part).decode() for part in (game.table.log, game.state, seen, game.table.expected)]
    return " ".join((*parts, repr(game.table), repr(game.source), repr(game.state), *map(tell, game.table.log)))


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_seed_and_no_salt_of_a_hidden_card_is_said_before_the_reveal(edition: str) -> None:
    game = committed(electronic(edition))
    sealed = game.source.sealed(game.state)  # type: ignore[attr-defined]
    assert seed_of(0).hex() not in repr(sealed)
    assert str(sealed.cards[0]) not in repr(sealed)
    while game.step != "close":
        assert seed_of(0).hex() not in everything(game)
        step_on(game)
        if game.state.round.number == 2 and game.step == "wager":
            game.do(AbandonShoe(reason="enough seen"))
    hidden = [salt.hex() for salt in sealed.salts[game.state.shoe.next :]]
    assert not [salt for salt in hidden if salt in everything(game)]
    game.act()
    assert seed_of(0).hex() in everything(game)


def test_opening_a_seed_foretells_nothing_of_another_shoe() -> None:
    """Whatever the seed of the first shoe is, the second is the same; and another second seed changes all of it."""
    second = []
    for one, two in ((1, 2), (9, 2), (1, 3)):
        game = electronic("ma-midi-4", seeds=[bytes([one]) * 32, bytes([two]) * 32].__getitem__)
        game.go_to_act("seal_order").act()
        game.do(AbandonShoe(reason="the next one"))
        while not (game.state.shoe.number == 1 and game.state.shoe.root):
            game.act()
        second.append((game.state.shoe.root, game.source.stack(game.state)))
    assert second[0] == second[1]
    assert second[0][0] != second[2][0]
    agree = sum(a == b for a, b in zip(second[0][1], second[2][1], strict=True))
    assert agree < 40, "two orders agree in about one card of 52"


def test_a_proof_stands_in_the_command_and_never_in_an_event() -> None:
    def holds(kind: type[msgspec.Struct]) -> bool:
        return any("Proof" in str(field.type) for field in msgspec.structs.fields(kind))

    assert not [kind.__name__ for kind in EVOLVERS if holds(kind)]
    assert {kind.__name__ for kind in HANDLERS if holds(kind)} == {
        "TurnCard", "ReportErrorCard", "ReportExposedCard", "ReportFaceUp", "ConfirmCard",
    }  # fmt: skip


# ------------------------------------------------------------------------------------ origins and totality


@pytest.mark.parametrize("origin", [origin for origin in Origin if origin is not Origin.CARD_SOURCE])
@pytest.mark.parametrize(
    "command",
    [
        CommitShoe(table=TABLE, shoe="0", commitment="0" * 64),
        SealOrder(root="0" * 64),
        RevealSeed(seed="0" * 64),
        FailShoe(why=GateFault.NOT_SHUFFLED),
    ],
    ids=lambda command: command.name,
)
def test_only_a_card_source_speaks_for_an_electronic_shoe(command: Command, origin: Origin) -> None:
    game = electronic("ma-midi-4").go("offer_cut")
    outcome = game.table.do(command, Actor(who="x", role=Role.DEALER, origin=origin))
    assert isinstance(outcome, Refused)
    assert outcome.code.value == "wrong_origin"


def test_a_card_is_turned_only_with_the_proof_of_its_own_place() -> None:
    game = electronic("ma-midi-4").go("wager").wager("1 t 500").go_to_act("turn_card")
    position = game.state.round.player[0]
    card, proof = game.source.card(game.state, position)
    assert isinstance(proof, Proof)
    for wrong in (None, Proof(proof.salt, proof.path[:-1]), game.source.card(game.state, position + 1)[1]):
        game.refused(TurnCard(position=position, card=card, proof=wrong), "wrong_proof")
    outcome = game.do(TurnCard(position=position, card=card, proof=proof))
    assert isinstance(outcome[0], CardTurned)
    assert isinstance(outcome[0].card, Card)


def test_the_view_of_everybody_shows_commitment_contributions_and_root() -> None:
    game = committed(electronic("ma-midi-4"))
    game.do(Contribute(seat=3, value="three"))
    game.go("wager")
    for role in Role:
        seen = msgspec.to_builtins(
            view(game.rules, game.state, Viewer(role, seat=1 if role is Role.PARTICIPANT else 0))
        )
        held = seen["state"]["shoe"]["commitment"]
        assert (held["hash"], held["contributions"][0]["value"]) == (game.last(ShoeCommitted).commitment, "three")
