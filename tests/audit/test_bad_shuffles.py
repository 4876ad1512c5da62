"""Every bad shuffle that real software had: rejected by the battery or by a proof, or stopped by the gate."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

import pytest
from msgspec.structs import replace

from baccarat.audit.battery import BatteryReport, battery
from baccarat.audit.battery.shoe import ShoeOrder, order_from_kinds, order_from_numbers
from baccarat.cards import Card, decks
from baccarat.law.rulebook import rulebook
from baccarat.shuffle import commitment, header_of, order
from baccarat.table.gate import GateFault, gate_fault
from baccarat.table.proof import cards_from, header_for
from baccarat.table.shoe_state import Commitment
from bad_shuffles import (
    always_elsewhere,
    fair,
    in_turn,
    modulo,
    n_to_the_n,
    riffle,
    riffled,
    sort_by_a_coin,
    sort_by_keys,
)

pytestmark = pytest.mark.slow

RULES = rulebook("ma-midi-4")
SEED = bytes(range(32))


def judged(orders: Iterator[list[int]], shoes: int) -> BatteryReport:
    return battery(RULES, in_turn(islice(orders, shoes)))


def again(shuffle: Callable[[random.Random], list[int]], seed: str) -> Iterator[list[int]]:
    rng = random.Random(seed)
    while True:
        yield shuffle(rng)


def rejecting(report: BatteryReport) -> set[str]:
    return {result.name for result in report.results if result.rejected}


# --- what the battery sees --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shuffle", "shoes", "by"),
    [
        (lambda rng: n_to_the_n(rng, 416), 100, {"region × origin", "inversions"}),
        (lambda rng: always_elsewhere(rng, 416), 100, {"fixed points", "cycles", "even or odd"}),
        (lambda rng: sort_by_keys(rng, 416, bits=8), 100, {"neighbours"}),
        (lambda rng: sort_by_a_coin(rng, 416), 100, {"position × card", "rising sequences", "adjacency"}),
        (lambda rng: riffled(rng, 416, times=7), 100, {"rising sequences", "neighbours", "next in the deck"}),
        (lambda rng: modulo(rng, 416, bits=10), 100, {"region × origin", "inversions"}),
        (lambda rng: modulo(rng, 52, bits=8), 1500, {"region × origin", "inversions"}),
        (lambda _: list(range(416)), 100, {"repeated orders", "position × card", "rising sequences"}),
        (lambda rng: fair(random.Random(rng.randrange(1000)), 416), 150, {"repeated orders", "repeated runs"}),
    ],
    ids=["n^n", "off by one", "sort by 8-bit keys", "sort by coins", "7 riffles", "10 bits modulo",
         "8 bits modulo, one deck", "unshuffled", "a thousand seeds"],
)  # fmt: skip
def test_a_bad_shuffle_is_rejected(shuffle: Callable[[random.Random], list[int]], shoes: int, by: set[str]) -> None:
    found = rejecting(judged(again(shuffle, "bad"), shoes))
    assert by <= found


@pytest.mark.slow
def test_a_fair_shuffle_in_the_same_frame_is_not_rejected() -> None:
    assert not judged(again(lambda rng: fair(rng, 416), "bad"), 400).rejected


@pytest.mark.slow
def test_a_clock_in_seconds_as_the_seed_is_found_by_orders_that_come_again() -> None:
    """A day has 86,400 seconds: of 1,500 shoes about a dozen share one with another."""
    rng = random.Random("clock")
    report = judged(again(lambda _: fair(random.Random(rng.randrange(86_400)), 416), "unused"), 1500)
    assert rejecting(report) == {"repeated orders", "repeated runs"}
    repeats = next(result for result in report.results if result.name == "repeated orders")
    assert 3 <= (repeats.found or 0) <= 30


@pytest.mark.slow
def test_a_generator_that_runs_in_a_cycle_of_10466_states_is_found_when_it_comes_round() -> None:
    """The states are gone through in turn, never seeded again, so orders come again only after a whole turn."""
    rng = random.Random("cycle")
    states = [rng.random() for _ in range(10_466)]

    def orders() -> Iterator[list[int]]:
        at = 0
        while True:
            cards = list(range(52))
            for i in range(51, 0, -1):
                j = int(states[at % len(states)] * (i + 1))
                cards[i], cards[j] = cards[j], cards[i]
                at += 1
            yield cards

    found = rejecting(judged(orders(), 10_500))
    assert {"repeated orders", "repeated runs"} <= found


@pytest.mark.parametrize("times", [7, 9])
def test_riffling_the_last_shoe_is_seen_against_the_last_shoe_only(times: int) -> None:
    """Where each shuffle goes on from the last order, the new deck is soon forgotten and the last shoe is not."""

    def orders() -> Iterator[list[int]]:
        rng = random.Random("riffles on")
        cards = fair(rng, 416)
        while True:
            yield cards
            for _ in range(times):
                cards = riffle(rng, cards)

    found = rejecting(judged(orders(), 110))
    assert "rising since last" in found
    assert "rising sequences" not in found


def test_a_machine_that_only_cuts_the_last_shoe_is_found_by_its_runs() -> None:
    def orders() -> Iterator[list[int]]:
        rng = random.Random("cuts")
        cards = fair(rng, 416)
        while True:
            yield cards
            depth = rng.randrange(60, 356)
            cards = cards[depth:] + cards[:depth]

    assert {"repeated runs", "neighbours since last"} <= rejecting(judged(orders(), 5))


def test_a_packet_left_together_is_found_where_only_cards_are_known() -> None:
    """A machine that leaves thirty cards of the last shoe together, once in a hundred shoes."""
    rng = random.Random("packet")
    made: list[ShoeOrder] = []
    last: list[int] = []
    for number in range(120):
        cards = fair(rng, 416)
        if number == 100:
            packet = [each % 52 for each in last[200:230]]
            rest = [each % 52 for each in cards]
            for kind in packet:
                rest.remove(kind)
            kinds = bytes(rest[:50] + packet + rest[50:])
        else:
            kinds = bytes([each % 52 for each in cards])
        last = cards
        made.append(order_from_kinds(kinds))
    assert rejecting(battery(RULES, made)) == {"repeated runs"}


def test_seven_riffles_of_cards_known_by_rank_and_suit_only_are_rejected() -> None:
    rng = random.Random("riffle")
    shoes = [order_from_kinds(order_from_numbers(riffled(rng, 416, times=7)).kinds) for _ in range(150)]
    assert {"next in the deck"} <= rejecting(battery(RULES, shoes))


def test_a_shoe_without_its_nines_dealt_out_in_front_is_seen_in_the_outcomes() -> None:
    """A stacked shoe: the naturals' cards lie in the last third, where few rounds reach them."""
    rng = random.Random("stacked")
    made: list[ShoeOrder] = []
    for _ in range(150):
        cards = fair(rng, 416)
        high = [each for each in cards if each % 13 in (7, 8)]
        rest = [each for each in cards if each % 13 not in (7, 8)]
        made.append(order_from_numbers(rest[:250] + fair_of(rng, rest[250:] + high)))
    assert {"outcomes", "position × card"} <= rejecting(battery(RULES, made))


def fair_of(rng: random.Random, cards: list[int]) -> list[int]:
    mixed = list(cards)
    rng.shuffle(mixed)
    return mixed


# --- what the battery cannot see, and the proof does ------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("shuffle", [modulo, sort_by_keys])
def test_sixteen_bits_hide_from_a_thousand_shoes(shuffle: Callable[..., list[int]]) -> None:
    """Which is why the proofs of tests/base/test_shuffle.py go through every word, and object to both."""
    assert not judged(again(lambda rng: shuffle(rng, 416, bits=16), "bad"), 1000).rejected


# --- seeds, commitments and the gate ----------------------------------------------------------------------


def header(table: str, shoe: str = "1") -> bytes:
    return header_of(table=table, shoe=shoe, rulebook_hash=RULES.hash, decks=8)


def test_a_seed_used_at_two_tables_or_twice_at_one_gives_other_commitments_and_other_orders() -> None:
    places = [("1", "1"), ("2", "1"), ("1", "2"), ("11", "1"), ("1", "11")]
    promises = {commitment(SEED, header(table, shoe)) for table, shoe in places}
    orders = [order(SEED, size=416, shoe=shoe, header=header(table, shoe), contributions=()) for table, shoe in places]
    assert len(promises) == len(set(orders)) == len(places)
    assert not rejecting(battery(RULES, in_turn(map(list, orders)))), "nothing of one shoe is seen in another"


def test_a_seed_used_at_two_tables_without_its_header_is_found() -> None:
    same = [list(order(SEED, size=416, shoe="1", header=b"", contributions=())) for _table in range(2)]
    assert {"repeated orders"} <= rejecting(battery(RULES, in_turn(iter(same))))


def promised(seed: bytes = SEED) -> Commitment:
    held = Commitment(table="T", shoe="4", rulebook=RULES.hash, decks=8, hash="")
    return replace(held, hash=commitment(seed, header_for(held)).hex())


@pytest.mark.parametrize(
    ("cards", "fault"),
    [
        (decks(8), GateFault.NOT_SHUFFLED),
        (decks(8)[::-1], GateFault.NOT_SHUFFLED),
        (cards_from(promised(), SEED), GateFault.SAME_AS_LAST),
        (tuple(decks(8)[number] for number in riffled(random.Random(1), 416, times=7)), GateFault.NOT_COMMITTED),
        (tuple(decks(8)[number] for number in n_to_the_n(random.Random(1), 416)), GateFault.NOT_COMMITTED),
    ],
    ids=["unshuffled", "unshuffled, from the bottom", "the last order again", "7 riffles", "n^n"],
)
def test_the_gate_stops_the_first_such_shoe_without_any_statistics(cards: tuple[Card, ...], fault: GateFault) -> None:
    assert gate_fault(promised(), SEED, cards, former=cards_from(promised(), SEED)) is fault
