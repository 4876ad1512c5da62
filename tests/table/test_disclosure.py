"""Disclosure by construction: what has not been turned is nowhere, and changes nothing; a sealed card is proved."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from acting import acting
from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.table.automation import command_for, next_due, run_until
from baccarat.table.base import Accepted, Command, Event, Reason
from baccarat.table.machine import Table
from baccarat.table.proof import CardProof, SealedOrder, index_before_cut
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.shoe_state import Commitment
from baccarat.table.source import CardSource, KeyedCards
from baccarat.table.state import TableState
from baccarat.table.step.closing import CloseShoe
from baccarat.table.step.cutting import AnswerCut, CutAnswered, OrderRecut
from baccarat.table.step.revealing import RevealSeed
from baccarat.table.step.sealing import CommitShoe, OrderSealed, SealOrder
from baccarat.table.step.turning import TurnCard
from baccarat.table.step.wagering import PlaceWager
from electronic_table import OrderOneShoe
from table_proposer import a_stake
from table_walk import as_json, sealed, stack
from triggers import FirstWager, sealed_triggers

SOME = ("ma-midi-1-royal9", "ma-midi-4", "ma-midi-4-ez", "nj-punto-banco")


class SealedStack(KeyedCards):
    """A given order, sealed as an electronic shoe seals its own."""

    def __init__(self, rules: Rulebook, cards: tuple[Card, ...], salt: int = 0) -> None:
        super().__init__(lambda _number: cards, triggers=FirstWager(rules))
        self.order = SealedOrder(cards, [(salt * 1000 + index).to_bytes(16, "big") for index in range(len(cards))])
        self.hash = f"{salt:064x}"

    def promise(self, rules: Rulebook, state: TableState) -> Commitment | None:
        """A commitment that nobody will open: the order is given, and no seed leads to it."""
        return Commitment(table="T", shoe=str(state.shoe.number), rulebook=rules.hash, decks=8, hash=self.hash)

    def root(self, state: TableState) -> str:
        """The root of the order."""
        del state
        return self.order.root

    def card(self, state: TableState, position: int) -> tuple[Card, CardProof | None]:
        """The card with its proof."""
        index = index_before_cut(state.shoe, position)
        return self.order.cards[index], self.order.prove(index)


def played(rules: Rulebook, source: CardSource, seed: int) -> Iterator[tuple[Table, Command]]:
    """A table played by automation, each act about to be done; the company wagers by chance."""
    table, chance = Table(rules), random.Random(seed)
    seats = chance.sample(range(1, len(table.state.seats.participants) + 1), 3)
    for seat in seats:
        table.do(Sit(seat=seat, person=f"guest {seat}"))
        table.do(BuyIn(seat=seat, amount=10_000_000))
    while True:
        if table.state.step == "wager" and not table.state.round.wagers:
            for seat in seats:
                for kind in (WagerKind.PLAYER, WagerKind.BANKER, *chance.sample(tuple(WagerKind), 2)):
                    table.do(PlaceWager(seat=seat, on=kind, stake=a_stake(rules, kind, chance)))
        command = command_for(table, next_due(table, source), source)
        yield table, command
        assert isinstance(table.do(command), Accepted)


def until_turn(rules: Rulebook, source: CardSource, seed: int, turns: int) -> tuple[Table, list[Command]]:
    """The table before its next turn after so many, and the commands given so far."""
    given: list[Command] = []
    for table, command in played(rules, source, seed):
        if isinstance(command, TurnCard) and sum(isinstance(each, TurnCard) for each in given) == turns:
            return table, given
        given.append(command)
    raise AssertionError("a table is always played on")


def blanked(log: Sequence[Event | Command]) -> list[dict[str, Any]]:
    """A log, or its commands, without commitments and proofs."""
    told = [as_json(each) for each in log]
    for event in told:
        for field in BLANKED & set(event):
            event[field] = ""
    return told


BLANKED = {"commitment", "inputs", "root", "proof"}
"""What must differ between two orders and may tell nothing of them; proofs stand in commands only."""
ELECTRONIC = frozenset({"shoe_committed", "inputs_closed", "share_given", "order_sealed", "seed_revealed", "seed_lost"})


def without_root(state: TableState) -> TableState:
    """A state without its commitment and root."""
    held = state.shoe.commitment
    blank = held and msgspec.structs.replace(held, hash="", inputs="")
    return msgspec.structs.replace(state, shoe=msgspec.structs.replace(state.shoe, root="", commitment=blank))


def other_rest(cards: tuple[Card, ...], *, known: list[int], cut: int, seed: int) -> tuple[Card, ...]:
    """The same cards where they are known, and all others in another order."""
    fixed = {(position + cut) % len(cards) for position in known}
    rest = [card for place, card in enumerate(cards) if place not in fixed]
    random.Random(seed).shuffle(rest)
    return tuple(card if place in fixed else rest.pop() for place, card in enumerate(cards))


def differ(rules: Rulebook, seed: int, turns: int, *, electronic: bool) -> None:
    """One pair of shoes that differ only in cards not yet turned."""
    first = stack(seed, rules.elections.decks or 8)

    def source(cards: tuple[Card, ...], salt: int) -> CardSource:
        return (
            SealedStack(rules, cards, salt)
            if electronic
            else KeyedCards(lambda _number: cards, triggers=FirstWager(rules))
        )

    one, given = until_turn(rules, source(first, 1), seed, turns)
    known = [command.position for command in given if isinstance(command, TurnCard)]
    second = other_rest(first, known=known, cut=one.state.shoe.in_front or 0, seed=seed + 1)
    assert first != second
    two, also = until_turn(rules, source(second, 2), seed, turns)
    assert blanked(given) == blanked(also)
    assert without_root(one.state) == without_root(two.state)
    assert blanked(one.log) == blanked(two.log)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_shoes_that_differ_in_hidden_cards_look_the_same_keyed(name: str) -> None:
    rules = rulebook(name)
    for seed in range(50):
        differ(rules, seed, turns=seed % 25, electronic=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SOME)
def test_shoes_that_differ_in_hidden_cards_look_the_same_electronic(name: str) -> None:
    rules = rulebook(name)
    for seed in range(50):
        differ(rules, seed, turns=(seed * 3) % 25, electronic=True)


VALUE = re.compile(r'\{"rank":"(.)","suit":"(.)"\}|"([A2-9TJQK])([shdc])"')


def named(written: bytes) -> set[str]:
    """Every card that a text names, as a value or in short."""
    return {"".join(part) for part in VALUE.findall(written.decode())}


@pytest.mark.parametrize("electronic", [False, True])
@pytest.mark.parametrize("name", shipped_submissions())
@pytest.mark.slow
def test_no_card_is_named_before_it_is_turned(name: str, electronic: bool) -> None:
    rules, turned = rulebook(name), set[str]()
    cards = stack(9, rules.elections.decks or 8)
    source: CardSource = (
        SealedStack(rules, cards) if electronic else KeyedCards(lambda _number: cards, triggers=FirstWager(rules))
    )
    for table, command in played(rules, source, 9):
        assert named(msgspec.json.encode(table.state)) <= turned
        assert named(msgspec.json.encode(table.log[-12:])) <= turned
        if isinstance(command, TurnCard):
            turned.add(str(command.card))
        if table.state.round.number == 5:
            break
    assert 10 < len(turned) < 40, "the test tells something only while some cards are unknown"


@pytest.mark.parametrize("name", SOME)
def test_the_cards_of_a_round_depend_on_their_order_only(name: str) -> None:
    """C7: other people, other wagers, the same hands."""
    rules = rulebook(name)
    hands: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
    for seed in (1, 2):
        found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        for table, _ in played(rules, KeyedCards(lambda _number: stack(4, rules.elections.decks or 8)), seed):
            if table.state.step == "clear":
                found.append((table.state.round.player, table.state.round.banker))
            if table.state.round.number == 9:
                break
        hands.append(found)
    assert hands[0] == hands[1]


# ------------------------------------------------------------------------- electronic shoes and real cards


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4-royal9", "nj-punto-banco"])
def test_an_electronic_shoe_and_the_same_cards_keyed_give_the_same_events(name: str) -> None:
    rules = rulebook(name)
    electronic = sealed(rules, 77)
    logs: list[list[dict[str, Any]]] = []
    source: CardSource
    first: list[tuple[Card, ...]] = []  # the electronic order is known when its inputs are closed
    keyed = KeyedCards(lambda _number: first[0], triggers=sealed_triggers(rules, 77))
    for source in (electronic, keyed):
        for table, _ in played(rules, source, 5):
            if table.state.step == "close":
                first.append(source.stack(table.state))
                logs.append([event for event in blanked(table.log) if event["event"] not in ELECTRONIC])
                assert bool(any(event["event"] == "card_turned" for event in logs[-1]))
                break
    assert logs[0] == logs[1]


@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_an_order_1_is_sealed_once_and_before_anybody_is_offered_the_cut(name: str) -> None:
    rules = rulebook(name)
    source, table = OrderOneShoe(rules, lambda _number: bytes([3]) * 32, table="table"), Table(rules)
    for seat in (2, 4):
        table.do(Sit(seat=seat, person=f"guest {seat}"))
    run_until(table, source, stop=lambda table: table.state.step == "offer_cut", wagers=lambda _: None)
    root = source.root(table.state)
    for bad in ("", "ab", root.upper(), "x" * 64, "²" * 64):
        assert code(table.do(SealOrder(root=bad))) == "wrong_proof"
    early = [due for due in table.expected if not due.optional]
    assert [due.act for due in early] == ["seal_order"], "nobody is offered the cut of a shoe that is not sealed"
    assert code(table.do(AnswerCut(seat=4, accept=False))) == "out_of_order"
    keyed = Table(rules)
    keyed.do(Sit(seat=2, person="guest"))
    run_until(
        keyed, KeyedCards(lambda _: ()), stop=lambda table: table.state.step == "offer_cut", wagers=lambda _: None
    )
    assert code(keyed.do(SealOrder(root=root))) == "out_of_order", "nothing was committed to"
    assert isinstance(keyed.do(command_for(keyed, keyed.expected[-1], source)), Accepted)
    assert code(keyed.do(SealOrder(root=root))) == "out_of_order"
    assert code(keyed.do(CommitShoe(table="T", shoe="1", commitment=root))) == "out_of_order"
    assert {due.act for due in keyed.expected} == {"cut_cards"}
    assert isinstance(table.do(SealOrder(root=root)), Accepted)
    assert code(table.do(SealOrder(root=root))) == "out_of_order"
    run_until(table, source, stop=lambda table: table.state.step == "load", wagers=lambda _: None)
    recut = OrderRecut(reason="the cut was bent")
    assert isinstance(table.do(recut, acting(table, recut, second="D. Ealer", who="S. Upervisor")), Accepted)
    assert table.state.shoe.root == root, "a new cut does not break the seal"
    assert code(table.do(SealOrder(root=root))) == "out_of_order"
    run_until(table, source, stop=lambda table: table.state.step == "wager", wagers=lambda _: None)
    kinds = [type(event) for event in table.log]
    assert kinds.index(OrderSealed) < kinds.index(CutAnswered)


def code(outcome: Accepted | Refused) -> str:
    """Why it was refused."""
    assert isinstance(outcome, Refused), outcome
    return str(outcome.code.value)


def wrong(source: CardSource, state: TableState, command: TurnCard) -> Iterator[TurnCard]:
    """The same turn with something wrong about it."""
    assert command.proof is not None
    salt, way = command.proof.salt, command.proof.path
    other, its_proof = source.card(state, (command.position + 1) % state.shoe.cards)
    yield TurnCard(position=command.position, card=command.card)
    yield TurnCard(position=command.position, card=other, proof=its_proof)
    yield TurnCard(position=command.position, card=command.card, proof=its_proof)
    if other != command.card:
        yield TurnCard(position=command.position, card=other, proof=command.proof)
    yield TurnCard(position=command.position, card=command.card, proof=CardProof(salt, way[:-1]))
    yield TurnCard(position=command.position, card=command.card, proof=CardProof(salt, (*way, way[-1])))
    yield TurnCard(position=command.position, card=command.card, proof=CardProof("00" * 16, way))
    yield TurnCard(position=command.position, card=command.card, proof=CardProof("no number", way))
    yield TurnCard(position=command.position, card=command.card, proof=CardProof(salt, ("zz", *way[1:])))


@pytest.mark.parametrize("name", ["ma-midi-1", "nj-punto-banco"])
def test_a_card_that_is_not_proved_is_refused(name: str) -> None:
    rules = rulebook(name)
    source = SealedStack(rules, stack(6, 8))
    for table, command in played(rules, source, 3):
        if isinstance(command, TurnCard):
            for false in wrong(source, table.state, command):
                before = table.state
                outcome = table.do(false)
                assert isinstance(outcome, Refused)
                assert outcome.code is Reason.WRONG_PROOF
                assert table.state is before
        if table.state.round.number == 4:
            break


DUE_AT_CLOSE = {True: ["reveal_seed", "report_lost_seed", "turn_card"], False: ["close_shoe", "turn_card"]}


@pytest.mark.parametrize("electronic", [True, False])
def test_a_face_down_burn_may_be_turned_when_the_shoe_is_over(electronic: bool) -> None:
    """A sealed shoe proves every card that it burned; with real cards the dealer looks."""
    rules = rulebook("ma-midi-4", burn_exposure="face_down", cover_card_depth=380)
    source: CardSource = sealed(rules, 12) if electronic else KeyedCards(lambda number: stack(number + 4, 8))
    for table, _ in played(rules, source, 3):
        hidden = [place for place in table.state.shoe.burn if place not in table.state.shoe.burned]
        if table.state.step == "close":
            break
        if hidden and table.state.shoe.loaded and table.state.step == "wager":
            card, proof = source.card(table.state, hidden[0])
            assert code(table.do(TurnCard(position=hidden[0], card=card, proof=proof))) == "wrong_step"
    assert hidden, "some were burned face down"
    assert [due.act for due in table.expected] == DUE_AT_CLOSE[electronic]
    for place in hidden:
        card, proof = source.card(table.state, place)
        if electronic:
            assert code(table.do(TurnCard(position=place, card=card))) == "wrong_proof"
        assert isinstance(table.do(TurnCard(position=place, card=card, proof=proof)), Accepted)
        assert table.state.shoe.burned[place] == card
    if electronic:
        assert code(table.do(CloseShoe())) == "out_of_order", "the seed comes first"
        assert isinstance(table.do(RevealSeed(seed=source.seed(table.state))), Accepted)
    assert [due.act for due in table.expected] == ["close_shoe"]
    assert isinstance(table.do(CloseShoe()), Accepted)
