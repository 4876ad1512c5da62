"""An electronic shoe opens its seed when it is over: it proves the order, disproves it, or is reported lost."""

from __future__ import annotations

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.table.automation import command_for
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.gate import GateFault
from baccarat.table.proof import order_from
from baccarat.table.role import Role
from baccarat.table.seating_acts import Leave
from baccarat.table.shoe_state import LOST_SEED
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState
from baccarat.table.step.abandoning import AbandonShoe, ShoeAbandoned
from baccarat.table.step.closing import CloseShoe, ShoeClosed
from baccarat.table.step.free_hand import RequestFreeHand
from baccarat.table.step.revealing import OrderDisproved, ReportLostSeed, RevealSeed, SeedLost, SeedRevealed
from baccarat.table.step.sealing import (
    CommitShoe,
    FailShoe,
    SealOrder,
)
from baccarat.table.story import tell
from electronic_table import (
    EDITIONS,
    SHORT,
    TABLE,
    OrderOneShoe,
    at_close,
    audited,
    committed,
    electronic,
    seed_of,
    step_on,
)
from table_driver import Game, new_game, seated
from triggers import FirstWager


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
    held = game.go_to_act("seal_order").state.shoe.commitment
    assert held is not None
    other = order_from(msgspec.structs.replace(held, inputs="ab" * 32), seed_of(0))
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


@pytest.mark.parametrize("step", ["receive", "shuffle", "offer_cut", "cut"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_table_goes_on_with_another_shoe_when_the_floor_has_taken_a_failed_one_away(edition: str, step: str) -> None:
    if step == "cut":  # an order 2 can fail its check only when it can be derived
        game = committed(electronic(edition))
        game.refused(FailShoe(why=GateFault.NOT_SHUFFLED), "out_of_order")
        game.go_to_act("seal_order")
    else:
        game = committed(electronic(edition, kind=OrderOneShoe)).go(step)
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
    assert (game.last(ShoeClosed).seed, game.state.shoe.former_seed) == (LOST_SEED, LOST_SEED)
    assert "its seed is lost" in tell(game.last(ShoeClosed))
    game.go("wager")
    audited(game)


class Forgetful(SealedShoe):
    """An electronic shoe that has lost its seed by the time it is asked for it."""

    def seed(self, state: TableState) -> str:
        """Nothing."""
        del state
        return ""


@pytest.mark.parametrize("edition", EDITIONS)
def test_automation_reports_a_seed_lost_that_its_source_has_not_and_goes_on(edition: str) -> None:
    game = electronic(edition)
    game.source = Forgetful(game.rules, seed_of, table=TABLE, triggers=FirstWager(game.rules))
    while game.state.shoe.number < 2:
        step_on(game)
    assert [event.seed for event in game.of(ShoeClosed)] == [LOST_SEED, LOST_SEED]
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
