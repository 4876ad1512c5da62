"""Order 2: contributions and cut are closed on record, then witnesses open their shares, and only then it is sealed."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from baccarat.play.refusal import Refused
from baccarat.table.automation import command_for
from baccarat.table.base import Accepted
from baccarat.table.machine import decide
from baccarat.table.proof import commitment_for, inputs_for
from baccarat.table.seating_acts import Leave
from baccarat.table.shoe_state import WitnessPromise
from baccarat.table.step.abandoning import AbandonShoe, ShoeAbandoned
from baccarat.table.step.cutting import AnswerCut, CardsCut, CutCards, GiveUpCut, OrderRecut, RecutOrdered
from baccarat.table.step.revealing import SeedRevealed
from baccarat.table.step.sealing import (
    CloseInputs,
    CommitShoe,
    Contribute,
    GiveShare,
    InputsClosed,
    OrderSealed,
    SealOrder,
    ShareGiven,
    ShoeCommitted,
)
from baccarat.table.story import tell
from baccarat.table.table_cards import TableCards
from electronic_table import (
    EDITIONS,
    TABLE,
    OrderOneShoe,
    Witnesses,
    audited,
    committed,
    electronic,
    seed_of,
    share_key,
)
from table_driver import Game

TWO = Witnesses("example.net/w1", "example.com/w2")


def cut(game: Game) -> Game:
    """The same table, its stack cut and nothing closed."""
    return game.go_to_act("close_inputs")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("witnesses", [Witnesses(), Witnesses("example.net/w1"), TWO])
def test_commitment_cut_closing_shares_seal_and_cards_come_in_this_order(edition: str, witnesses: Witnesses) -> None:
    game = committed(electronic(edition, shares=witnesses))
    made = game.last(ShoeCommitted)
    assert (made.order, made.origin) == (2, f"example.org/house/table/{TABLE}")
    assert made.witnesses == witnesses.promises("0")
    game.do(Contribute(seat=1, value="before the cut"))
    game.go_to_act("cut_cards").act()
    game.do(Contribute(seat=3, value="after it"))
    assert game.step == "cut", "the table does not move on before the order is sealed"
    held, in_front = game.state.shoe.commitment, game.state.shoe.in_front
    assert held is not None
    assert in_front is not None
    (closed,) = game.do(CloseInputs())
    assert isinstance(closed, InputsClosed), "the record of the closing has this event alone"
    assert closed.inputs == inputs_for(held, in_front)
    assert (closed.origin, closed.shoe, closed.witnesses) == (made.origin, "0", made.witnesses)
    for _ in witnesses.keys:
        game.refused(SealOrder(root="0" * 64), "out_of_order")
        game.act()
    assert [event.key for event in game.of(ShareGiven)] == sorted(witnesses.keys)
    game.act()
    assert game.of(OrderSealed)
    game.go("wager").play("1 t 500")
    game.do(AbandonShoe(reason="enough"))
    game.act()
    assert game.last(SeedRevealed).sealed
    audited(game)


def test_the_order_depends_on_every_share() -> None:
    """House and all witnesses but one may agree on whatever they like: the share of the last one decides."""
    roots = []
    for last in range(3):
        witnesses = Witnesses("example.net/w1", "example.com/w2")
        witnesses.keys[share_key("example.com/w2")] = bytes([last]) * 32
        game = electronic("ma-midi-4", shares=witnesses).go_to_act("seal_order")
        game.act()
        roots.append(game.state.shoe.root)
    assert len(set(roots)) == 3


def test_after_the_closing_nobody_chooses_anything() -> None:
    game = cut(committed(electronic("ma-midi-4", shares=TWO)))
    game.act()
    said = game.refused(Contribute(seat=1, value="late"), "out_of_order")
    assert said.what == "inputs_closed_already"
    cutter = game.state.shoe.cutter or 0
    assert game.refused(CutCards(in_front=50, seat=cutter), "out_of_order").what == "stack_cut_already"
    assert game.refused(CloseInputs(), "out_of_order").what == "inputs_closed_already"
    assert not [due for due in game.table.expected if due.act == "contribute"]


def test_a_stack_is_cut_once_and_the_cut_is_not_given_up_afterwards() -> None:
    game = committed(electronic("ma-midi-4")).go("offer_cut")
    seat = game.next_act().seat
    game.do(AnswerCut(seat=seat, accept=True))
    game.do(CutCards(in_front=77, seat=seat))
    game.refused(CutCards(in_front=78, seat=seat), "out_of_order")
    game.refused(GiveUpCut(seat=seat), "out_of_order")
    assert game.last(CardsCut).in_front == 77
    game.do(Leave(seat=seat))
    assert game.state.shoe.in_front == 77


def test_a_closing_comes_after_the_cut_and_never_at_an_empty_table() -> None:
    game = committed(electronic("ma-midi-4", seats=(1,)))
    game.refused(CloseInputs(), "wrong_step")
    game.go("cut")
    assert game.refused(CloseInputs(), "out_of_order").what == "stack_not_cut_yet"
    cut(game).do(Leave(seat=1))
    assert game.refused(CloseInputs(), "out_of_order").what == "nothing_closes_at_an_empty_table"
    assert not game.table.expected
    older = electronic("ma-midi-4", kind=OrderOneShoe).go_to_act("seal_order")
    older.act()
    assert older.go("cut").refused(CloseInputs(), "out_of_order").what == "order_1_closes_nothing"


def test_a_share_is_taken_once_from_a_named_witness_for_this_shoe_and_this_closing() -> None:
    game = cut(committed(electronic("ma-midi-4", shares=TWO)))
    one, two = sorted(TWO.keys)
    right = GiveShare(key=one, note=TWO.note(one, "0"))
    assert game.refused(right, "out_of_order").what == "inputs_not_closed_yet"
    assert game.refused(SealOrder(root="0" * 64), "out_of_order").what == "inputs_not_closed_yet"
    game.act()
    other = share_key("example.org/stranger")
    assert game.refused(GiveShare(key=other, note=right.note), "not_entitled").what == "witness_not_named"
    for note in (
        (),
        right.note[:-1],
        (*right.note, right.note[-1]),
        TWO.note(one, "1"),
        TWO.note(two, "0"),
        Witnesses(*(key.split("+")[0] for key in TWO.keys), table="T8").note(one, "0"),
        (right.note[0].replace("v1", "v2"), *right.note[1:]),
    ):
        assert game.refused(GiveShare(key=one, note=note), "wrong_proof").what == "note_is_not_for_this_shoe"
    false = TWO.note(one, "0", share=bytes(32))
    assert game.refused(GiveShare(key=one, note=false), "wrong_proof").what == "share_is_not_the_promised_one"
    game.do(right)
    assert "example.com/w2 opens its share" in tell(game.last(ShareGiven))
    assert game.refused(right, "twice").what == "share_given_already"
    elsewhere = TWO.note(two, "0", leaf=bytes([1]) * 32)
    assert game.refused(GiveShare(key=two, note=elsewhere), "wrong_proof").what == "share_for_another_closing"
    assert game.refused(SealOrder(root="0" * 64), "out_of_order").what == "every_share_comes_first"
    game.do(GiveShare(key=two, note=TWO.note(two, "0")))
    game.act()
    audited(game)


def commit(**changes: object) -> CommitShoe:
    """A commitment of order 2 with two witnesses, and something else."""
    fields = {
        "table": TABLE,
        "shoe": "0",
        "commitment": "0" * 64,
        "order": 2,
        "log": TWO.origin,
        "promises": TWO.promises("0"),
    }
    return CommitShoe(**(fields | changes))  # type: ignore[arg-type]


def test_the_witnesses_of_a_commitment_are_in_the_form_of_its_header() -> None:
    game = electronic("ma-midi-4")
    named = TWO.promises("0")
    same_key = share_key("example.com/w2").rpartition("+")[2]
    again = WitnessPromise(key="not a key", promise="0" * 64)
    assert same_key
    for command, what in (
        (commit(order=3), "order_1_or_2"),
        (commit(order=1), "order_1_has_no_witnesses"),
        (commit(log="example.org/house/table/9"), "log_of_another_table"),
        (commit(log=f"example.org/house/table/{TABLE}/1"), "log_of_another_table"),
        (commit(log=f"/table/{TABLE}"), "log_of_another_table"),
        (commit(log=""), "witnesses_watch_a_signed_log"),
        (commit(promises=named[::-1]), "witnesses_not_in_form"),
        (commit(promises=(named[0], named[0])), "witnesses_not_in_form"),
        (commit(promises=(named[0], again)), "witnesses_not_in_form"),
        (commit(promises=(WitnessPromise(key=named[0].key, promise="F" * 64),)), "witnesses_not_in_form"),
    ):
        assert game.refused(command, "wrong_proof").what == what
    for origin in (f"{TWO.origin}/2", f"{TWO.origin}/17"):  # a log that continues a lost one
        outcome = decide(game.rules, game.state, commit(log=origin), game.table.usual_actor(commit()))
        assert isinstance(outcome, Accepted)
    game.do(commit())


@pytest.mark.parametrize("cards", [TableCards.ELECTRONIC, TableCards.AUTOMATED])
def test_a_table_on_record_takes_no_shoe_of_order_1(cards: TableCards) -> None:
    """Whoever knows the seed of such a shoe may still contribute last, or cut: no witness would stand in the way."""
    game = electronic("ma-midi-4")
    on_record = replace(game.state, cards=cards)
    command, source = commit(order=1, log="", promises=()), game.table.usual_actor(commit())
    found = decide(game.rules, on_record, command, source)
    assert isinstance(found, Refused)
    assert (found.code.value, found.what) == ("not_offered", "order_1_of_older_journals_alone")
    assert isinstance(decide(game.rules, on_record, command, source, behaviour=2), Accepted), "as version 2 did"
    assert isinstance(decide(game.rules, game.state, command, source), Accepted), "nothing is on record there"
    assert isinstance(decide(game.rules, on_record, commit(), source), Accepted)


def test_more_witnesses_than_a_header_holds_are_not_even_read() -> None:
    many = [msgspec.to_builtins(each) for each in TWO.promises("0")] * 9
    data = msgspec.to_builtins(commit()) | {"promises": many}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(data, CommitShoe)


def test_the_seed_of_the_last_shoe_is_not_taken_under_another_header() -> None:
    game = electronic("ma-midi-4", seeds=lambda _number: seed_of(0), shares=TWO).go_to_act("seal_order")
    game.do(AbandonShoe(reason="the next one"))
    game.go_to_act("close_shoe").act()
    game.go_to_act("commit_shoe")
    said = game.refused(command_for(game.table, game.next_act(), game.source), "wrong_proof")
    assert said.what == "seed_of_the_last_shoe"


@pytest.mark.clause("MA:5(f).2")
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_recut_is_free_until_the_closing_and_later_the_next_shoe_is_cut(edition: str) -> None:
    """Reading A-96: a cut after the closing would be chosen by somebody who may know the order."""
    game = cut(committed(electronic(edition, shares=TWO)))
    order = OrderRecut(reason="the cut card was seen to bend")
    game.do(order, who="S. Upervisor", second="F. Loor")
    assert game.state.shoe.in_front is None
    assert not game.of(ShoeAbandoned)
    game.go("cover_card")
    cutter = game.state.shoe.cutter
    game.do(order, who="S. Upervisor", second="F. Loor")
    recut, given_up = game.table.log[-3:-1]
    assert isinstance(recut, RecutOrdered)
    assert isinstance(given_up, ShoeAbandoned)
    assert game.step == "close"
    game.go_to_act("close_shoe").act()
    assert game.state.shoe.cutter == recut.seat
    game.go_to_act("cut_cards")
    assert game.next_act().seat == recut.seat
    assert cutter is not None
    game.go("wager").play("1 t 500")
    audited(game)


def test_a_shoe_is_given_up_while_a_witness_is_silent_and_owes_its_seed() -> None:
    game = cut(committed(electronic("ma-midi-4", shares=TWO)))
    game.act()
    game.do(AbandonShoe(reason="a witness does not answer"))
    game.act()
    assert not game.last(SeedRevealed).sealed
    game.go("wager")
    audited(game)


def test_a_commitment_of_order_1_is_written_as_it_always_was() -> None:
    game = committed(electronic("ma-midi-4", kind=OrderOneShoe))
    event = msgspec.to_builtins(game.last(ShoeCommitted))
    assert set(event) == {"event", "cites", "table", "shoe", "rulebook", "decks", "commitment"}
    held = game.state.shoe.commitment
    assert held is not None
    assert commitment_for(held, seed_of(0)) == event["commitment"]
    assert not isinstance(game.table.do(Contribute(seat=1, value="x")), Refused)
