"""The shoe gate: other cards, another seed's order, an unshuffled one and the last one are stopped; no other is."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from baccarat.cards import Card, Rank, Suit, decks
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.play.wager import WagerKind
from baccarat.shuffle import commitment
from baccarat.table.gate import GateFault, gate_fault
from baccarat.table.proof import SealedOrder, cards_from, header_for, salt_of
from baccarat.table.seating_acts import Leave
from baccarat.table.shoe_state import Commitment, SeedContribution
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState
from baccarat.table.step.revealing import SeedRevealed
from baccarat.table.step.sealing import CommitShoe, FailShoe, OrderSealed, ShoeFailed
from baccarat.table.step.wagering import PlaceWager
from strategies import NEW_JERSEY
from table_driver import Game, new_game, seated
from table_walk import as_json, auditor_of

SEED = bytes(range(32))


def promised(seed: bytes = SEED, count: int = 8, *values: str) -> Commitment:
    """A commitment to a seed, with contributions."""
    held = Commitment(table="T", shoe="4", rulebook="ab" * 32, decks=count, hash="")
    contributions = tuple(SeedContribution(seat, value) for seat, value in enumerate(values, start=1))
    return replace(held, hash=commitment(seed, header_for(held)).hex(), contributions=contributions)


@pytest.mark.parametrize("count", [6, 8])
def test_an_order_that_follows_from_its_commitment_passes(count: int) -> None:
    held = promised(SEED, count, "one", "two")
    assert gate_fault(held, SEED, cards_from(held, SEED)) is None
    other = promised(bytes(32), count)
    assert gate_fault(held, SEED, cards_from(held, SEED), former=cards_from(other, bytes(32))) is None


def test_a_shoe_with_one_card_exchanged_or_missing_does_not_pass() -> None:
    held = promised()
    cards = cards_from(held, SEED)
    exchanged = (Card.parse("9s") if cards[0] != Card.parse("9s") else Card.parse("8s"), *cards[1:])
    for wrong in (exchanged, cards[1:], (*cards, cards[0]), decks(7), ()):
        assert gate_fault(held, SEED, wrong) is GateFault.OTHER_CARDS


def test_an_order_of_another_seed_or_other_contributions_does_not_pass() -> None:
    held, chance = promised(SEED, 8, "one"), random.Random(1)
    cards = cards_from(held, SEED)
    assert gate_fault(held, bytes(32), cards_from(held, bytes(32))) is GateFault.NOT_COMMITTED
    assert gate_fault(held, b"short", cards) is GateFault.NOT_COMMITTED
    assert gate_fault(promised(SEED, 8, "two"), SEED, cards) is GateFault.NOT_COMMITTED
    swapped = list(cards)
    one, two = next((a, b) for a in range(416) for b in range(a) if cards[a] != cards[b])
    swapped[one], swapped[two] = swapped[two], swapped[one]
    assert gate_fault(held, SEED, swapped) is GateFault.NOT_COMMITTED
    again = list(cards)
    chance.shuffle(again)
    assert gate_fault(held, SEED, again) is GateFault.NOT_COMMITTED


def unshuffled(count: int) -> Iterator[tuple[Card, ...]]:
    """Cards as they come from their boxes, or sorted by hand."""
    cards, suits, ranks = decks(count), list(Suit), list(Rank)
    yield cards
    yield cards[::-1]
    yield tuple(sorted(cards, key=lambda card: (suits.index(card.suit), ranks.index(card.rank))))
    yield tuple(sorted(cards, key=lambda card: (ranks.index(card.rank), suits.index(card.suit))))[::-1]


@pytest.mark.parametrize("count", [6, 8])
def test_an_unshuffled_shoe_does_not_pass(count: int) -> None:
    held = promised(SEED, count)
    for cards in unshuffled(count):
        assert gate_fault(held, SEED, cards) is GateFault.NOT_SHUFFLED


def test_the_order_of_the_last_shoe_does_not_pass() -> None:
    held = promised()
    cards = cards_from(held, SEED)
    assert gate_fault(held, SEED, cards, former=cards) is GateFault.SAME_AS_LAST


@pytest.mark.slow
def test_no_order_is_refused_for_what_it_looks_like() -> None:
    """Never a statistic: five hundred orders of five hundred seeds pass, whatever they are."""
    for number in range(500):
        seed = number.to_bytes(32, "big")
        held = promised(seed)
        assert gate_fault(held, seed, cards_from(held, seed)) is None


# ------------------------------------------------------------------------------------------ at the table


class Broken(SealedShoe):
    """An electronic shoe that forgets to shuffle."""

    def sealed_order(self, state: TableState) -> SealedOrder:
        """New decks, sealed as if they were shuffled."""
        cards = decks(state.shoe.commitment.decks if state.shoe.commitment else 8)
        return SealedOrder(cards, [salt_of(SEED, index) for index in range(len(cards))])


def broken(edition: str) -> Game:
    """A table with such a shoe."""
    game = new_game(edition)
    game.source = Broken(game.rules, lambda _number: SEED, table="T1")
    return seated(game, [1, 3])


@pytest.mark.parametrize("edition", ["ma-midi-4", NEW_JERSEY])
def test_j7_a_shoe_that_fails_its_check_stops_the_table_before_anybody_wagers(edition: str) -> None:
    game = broken(edition)
    game.go_to_act("seal_order").act()
    assert game.last(ShoeFailed).why is GateFault.NOT_SHUFFLED
    assert "as they come from their boxes" in game.state.stopped
    assert not game.of(OrderSealed)
    game.refused(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=10_000), "stopped")
    assert [due.act for due in game.table.expected] == ["reveal_seed", "report_lost_seed", "abandon_shoe"]
    game.act()
    assert not game.last(SeedRevealed).sealed
    for seat in (1, 3):
        game.do(Leave(seat=seat))
    assert auditor_of(game.rules).audit([as_json(event) for event in game.table.log]) == []
    game.check_replay()


def test_a_check_fails_between_the_commitment_and_the_seal_only() -> None:
    game = new_game("ma-midi-4")
    game.source = SealedShoe(game.rules, lambda _number: SEED, table="T1")
    seated(game, [1])
    game.refused(FailShoe(why=GateFault.OTHER_CARDS), "out_of_order")
    game.go_to_act("seal_order").act()
    game.refused(FailShoe(why=GateFault.OTHER_CARDS), "out_of_order")
    game.go("wager").refused(FailShoe(why=GateFault.OTHER_CARDS), "out_of_order")


def test_a_source_that_opens_another_seed_than_it_committed_to_is_stopped() -> None:
    """Such as one that was given the seed of another shoe after a restart."""
    game = new_game("ma-midi-4")
    game.source = SealedShoe(game.rules, lambda _number: SEED, table="T1")
    seated(game, [1])
    game.do(CommitShoe(table="T1", shoe="0", commitment="0" * 64))
    game.go_to_act("seal_order").act()
    assert game.last(ShoeFailed).why is GateFault.NOT_COMMITTED


def test_a_source_remembers_the_order_of_the_shoe_before() -> None:
    rules: Rulebook = rulebook("ma-midi-4", cover_card_depth=400)
    game = new_game("ma-midi-4", cover_card_depth=400)
    first = SealedShoe(rules, lambda _number: SEED, table="T1")
    game.source = first
    seated(game, [1]).go_to_act("seal_order")
    order = first.stack(game.state)
    again = SealedShoe(rules, lambda _number: SEED, table="T1", former=order)
    assert again.gate(game.state) is GateFault.SAME_AS_LAST, "told after a restart"
    assert first.gate(game.state) is None
    game.act()
    later = replace(game.state, shoe=replace(game.state.shoe, number=1))  # the same header again, by mistake
    assert first.gate(later) is GateFault.SAME_AS_LAST, "remembered"
