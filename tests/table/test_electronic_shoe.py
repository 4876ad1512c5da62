"""An electronic shoe's flow, in order 2 and in order 1; who speaks for it, and what nobody is told."""

from __future__ import annotations

import msgspec
import pytest

from baccarat.cards import Card
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.shuffle import commitment, header_of
from baccarat.table.actor import Actor, Origin
from baccarat.table.automation import command_for
from baccarat.table.base import Command, Event
from baccarat.table.gate import GateFault
from baccarat.table.proof import CardProof
from baccarat.table.registry import EVOLVERS, HANDLERS
from baccarat.table.role import Role
from baccarat.table.rules_adoption import AdoptRules, RulesAdopted
from baccarat.table.shoe_state import SeedContribution
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.cutting import AnswerCut, CardsCut, CutAnswered, CutCards
from baccarat.table.step.opening import CardsReceived
from baccarat.table.step.revealing import RevealSeed, SeedRevealed
from baccarat.table.step.sealing import (
    CloseInputs,
    CommitShoe,
    Contribute,
    ContributionMade,
    FailShoe,
    GiveShare,
    InputsClosed,
    OrderSealed,
    SealOrder,
    ShoeCommitted,
)
from baccarat.table.step.turning import CardTurned, TurnCard
from baccarat.table.story import tell
from baccarat.table.view import Viewer, view
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
from strategies import NEW_JERSEY
from table_driver import Game, new_game, seated

BEFORE_THE_CUT = ("receive", "inspect", "verify", "spread", "wash", "stack", "shuffle", "lace", "offer_cut")


# ----------------------------------------------------------------------------------------- the whole way


KINDS = [SealedShoe, OrderOneShoe]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_shoe_is_committed_to_contributed_to_sealed_cut_dealt_and_revealed(
    edition: str, kind: type[SealedShoe]
) -> None:
    game = committed(electronic(edition, kind=kind))
    game.do(Contribute(seat=3, value="three"))
    game.do(Contribute(seat=1, value="00ff"))
    game.go("wager")
    while game.step != "close":
        step_on(game)
    game.go("receive" if edition != NEW_JERSEY else "shuffle")
    kinds = [type(event) for event in game.table.log]
    seal: list[type[Event]] = [CutAnswered, CardsCut, InputsClosed, OrderSealed]
    flow: list[type[Event]] = [
        ShoeCommitted,
        ContributionMade,
        *(seal if kind is SealedShoe else [OrderSealed, CutAnswered]),
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
    made = committed(electronic(edition, kind=OrderOneShoe)).last(ShoeCommitted)
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
    game.refused(command_for(game.table, game.next_act(), game.source), "wrong_proof")


def test_a_contribution_comes_between_commitment_and_seal_once_a_seat_from_whoever_sits_there() -> None:
    game = electronic("ma-midi-4", kind=OrderOneShoe)
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
    assert held.contributions == (SeedContribution(1, "x"), SeedContribution(5, "z"))
    assert all(due.act != "contribute" for due in game.table.expected)


def test_every_contribution_and_their_order_change_the_cards() -> None:
    orders = []
    for values in ((), ((1, "a"),), ((1, "b"),), ((1, "a"), (3, "b")), ((3, "b"), (1, "a")), ((1, "a"), (3, "B"))):
        game = committed(electronic("ma-midi-4"))
        for seat, value in values:
            game.do(Contribute(seat=seat, value=value))
        game.go_to_act("seal_order")
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
    game = electronic(edition, kind=OrderOneShoe).go("offer_cut")
    game.refused(AnswerCut(seat=game.state.occupied[0], accept=True), "out_of_order")
    assert [due.act for due in game.table.expected if not due.optional] == ["seal_order"]


def everything(game: Game) -> str:
    """All that a table says to anybody: its log, its state in every role, what is due, its representations."""
    viewers = [Viewer(role, seat=1 if role is Role.PARTICIPANT else 0) for role in Role]
    seen = [view(game.table.rules, game.state, viewer) for viewer in viewers]
    parts = [msgspec.json.encode(part).decode() for part in (game.table.log, game.state, seen, game.table.expected)]
    return " ".join((*parts, repr(game.table), repr(game.source), repr(game.state), *map(tell, game.table.log)))


# --------------------------------------------------------------------------------------------- disclosure


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
def test_no_seed_and_no_salt_of_a_hidden_card_is_said_before_the_reveal(edition: str) -> None:
    game = committed(electronic(edition)).go_to_act("seal_order")
    sealed = game.source.sealed_order(game.state)  # type: ignore[attr-defined]
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
        CloseInputs(),
        GiveShare(key="", note=()),
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
    assert isinstance(proof, CardProof)
    for wrong in (None, CardProof(proof.salt, proof.path[:-1]), game.source.card(game.state, position + 1)[1]):
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
