"""The order of a shoe from a seed, its header and commitment, and the cut."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.shuffle import commitment, cut, header_of, order
from shuffle_order import steady

# --- the order of a shoe ----------------------------------------------------------------------------------

SEED = bytes(range(32))


HEADER = header_of(table="7", shoe="17", rulebook_hash="ab" * 32, decks=8)


CONTRIBUTIONS = (b"seat 3: cherry", b"")


GOLDEN_HEADER = "000000000000000137000000000000000231370000000000000040" + "6162" * 32 + "0000000000000008"


GOLDEN_COMMITMENT = "84f7fa3f87fe88477a92ab488599995ace85184cc97f2c3fdf3e63692111e5f8"


# fmt: off
GOLDEN_52 = (
    37, 51, 0, 18, 4, 17, 9, 11, 30, 34, 3, 6, 33, 48, 10, 50, 8, 15, 1, 25, 28, 24, 40, 45, 13, 12,
    22, 21, 36, 38, 2, 49, 47, 29, 43, 46, 26, 7, 39, 5, 32, 41, 44, 20, 14, 23, 16, 42, 31, 35, 27, 19,
)


# fmt: on
GOLDEN_416 = "4cbc2b45d2b6c0e9ef84d386d6df0cc9b4b88826bf1df413bbcb87c736430e30"
"""SHA-256 of the eight-deck order, written in decimal with commas between."""


def retold(seed: bytes, *, size: int, shoe: str, header: bytes, contributions: Sequence[bytes]) -> tuple[int, ...]:
    """The order again, on a second path: written from the docstrings alone, on other parts of the library."""

    def mac(message: bytes) -> bytes:
        return hmac.new(key, message, hashlib.sha256).digest()

    material = seed + struct.pack(">Q", len(shoe.encode())) + shoe.encode() + b"baccarat/order"
    material += struct.pack(">Q", len(header)) + header + struct.pack(">Q", len(contributions))
    for contribution in contributions:
        material += struct.pack(">Q", len(contribution)) + contribution
    key, value = b"\x00" * 32, b"\x01" * 32
    key = mac(value + b"\x00" + material)
    value = mac(value)
    key = mac(value + b"\x01" + material)
    value = mac(value)
    pending: list[int] = []
    cards = list(range(size))
    for left in range(size, 1, -1):
        while True:
            if not pending:
                for _ in range(64):
                    value = mac(value)
                    pending.extend(struct.unpack(">8I", value))
                key = mac(value + b"\x00")
                value = mac(value)
            word = pending.pop(0)
            if word < 2**32 - 2**32 % left:
                break
        place = word % left
        cards[left - 1], cards[place] = cards[place], cards[left - 1]
    return tuple(cards)


def test_a_seed_s_cards_never_change() -> None:
    """If this fails, published commitments no longer open: mend the code, never the numbers."""
    assert HEADER.hex() == GOLDEN_HEADER
    assert commitment(SEED, HEADER).hex() == GOLDEN_COMMITMENT
    deal = partial(order, SEED, shoe="17", header=HEADER, contributions=CONTRIBUTIONS)
    assert deal(size=52) == GOLDEN_52
    assert hashlib.sha256(",".join(map(str, deal(size=416))).encode()).hexdigest() == GOLDEN_416


@pytest.mark.parametrize("size", [1, 2, 52, 312, 416, 513, 514, 1500])
def test_order_agrees_with_its_docstring_told_again(size: int) -> None:
    """513 cards use up the first request's 512 words, 514 need a second, 1500 a third."""
    for contributions in ((), (b"",), CONTRIBUTIONS):
        told = retold(SEED, size=size, shoe="schuh-№1", header=HEADER, contributions=contributions)
        assert order(SEED, size=size, shoe="schuh-№1", header=HEADER, contributions=contributions) == told


@steady
@given(
    st.binary(min_size=32, max_size=32),
    st.integers(1, 600),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    st.binary(),
    st.lists(st.binary(), max_size=4),
)
def test_order_is_a_permutation_and_repeatable(
    seed: bytes, size: int, shoe: str, header: bytes, contributions: list[bytes]
) -> None:
    once = order(seed, size=size, shoe=shoe, header=header, contributions=contributions)
    assert sorted(once) == list(range(size))
    assert once == order(seed, size=size, shoe=shoe, header=header, contributions=tuple(contributions))
    assert once == retold(seed, size=size, shoe=shoe, header=header, contributions=contributions)


def shoe_of(
    seed: bytes = SEED,
    shoe: str = "17",
    header: bytes = HEADER,
    contributions: Sequence[bytes] = CONTRIBUTIONS,
) -> tuple[int, ...]:
    return order(seed, size=416, shoe=shoe, header=header, contributions=contributions)


def test_every_bit_of_the_seed_counts() -> None:
    flipped = [(int.from_bytes(SEED) ^ 1 << bit).to_bytes(32) for bit in range(256)]
    orders = {order(seed, size=52, shoe="17", header=b"", contributions=()) for seed in (SEED, *flipped)}
    assert len(orders) == 257


def test_every_input_counts_and_nothing_slides_from_one_field_into_the_next() -> None:
    orders = [
        shoe_of(),
        shoe_of(shoe="18"),
        shoe_of(shoe="1", header=b"7" + HEADER),
        shoe_of(header=HEADER + b"\x00"),
        shoe_of(header=b""),
        shoe_of(contributions=()),
        shoe_of(contributions=(b"",)),
        shoe_of(contributions=(b"", b"")),
        shoe_of(contributions=(b"ab", b"c")),
        shoe_of(contributions=(b"a", b"bc")),
        shoe_of(contributions=(b"abc",)),
        shoe_of(contributions=(b"c", b"ab")),
        shoe_of(header=b"ab", contributions=(b"c",)),
        shoe_of(header=b"a", contributions=(b"bc",)),
        shoe_of(header=b"", contributions=((0).to_bytes(8),)),
        shoe_of(header=(0).to_bytes(8), contributions=(b"",)),
        shoe_of(shoe="é"),
        shoe_of(shoe="e\N{COMBINING ACUTE ACCENT}"),
    ]
    assert len(set(orders)) == len(orders)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_seed_of_another_length_is_refused_without_being_shown(length: int) -> None:
    seed = b"s" * length
    for call in (partial(shoe_of, seed), partial(commitment, seed, HEADER)):
        with pytest.raises(ValueError, match="a seed has 32 bytes") as caught:
            call()
        assert "sss" not in str(caught.value)


def test_a_shoe_without_cards_or_id_is_refused() -> None:
    for size in (0, -1):
        with pytest.raises(ValueError, match="cannot be shuffled"):
            order(SEED, size=size, shoe="17", header=HEADER, contributions=())
    with pytest.raises(ValueError, match="a shoe without an id"):
        shoe_of(shoe="")
    with pytest.raises(ValueError, match="surrogates not allowed"):
        shoe_of(shoe="\ud800")


# --- header and commitment --------------------------------------------------------------------------------


def test_header_states_each_part_with_its_length() -> None:
    expected = "0000000000000002" + "5437" + "0000000000000001" + "61" + "0000000000000002" + "6264"
    assert header_of(table="T7", shoe="a", rulebook_hash="bd", decks=8).hex() == expected + "0000000000000008"


names = st.text("ab\0é", min_size=1, max_size=4)


headers = st.tuples(names, names, names, st.integers(1, 300))


@steady
@given(headers, headers)
def test_header_tells_any_two_shoes_apart(one: tuple[str, str, str, int], other: tuple[str, str, str, int]) -> None:
    first, second = (header_of(table=t, shoe=s, rulebook_hash=r, decks=d) for t, s, r, d in (one, other))
    assert (first == second) == (one == other)


def test_header_parts_do_not_slide() -> None:
    make = partial(header_of, rulebook_hash="h", decks=8)
    assert make(table="ab", shoe="c") != make(table="a", shoe="bc")


def test_header_refuses_what_is_missing() -> None:
    for table, shoe, rulebook_hash, decks in (("", "s", "h", 8), ("t", "", "h", 8), ("t", "s", "", 8)):
        with pytest.raises(ValueError, match="a header without its"):
            header_of(table=table, shoe=shoe, rulebook_hash=rulebook_hash, decks=decks)
    for decks in (0, -8):
        with pytest.raises(ValueError, match="decks"):
            header_of(table="t", shoe="s", rulebook_hash="h", decks=decks)


def test_commitment_is_the_published_formula_and_binds_header_and_seed() -> None:
    assert commitment(SEED, HEADER) == hashlib.sha256(b"baccarat/commit" + HEADER + SEED).digest()
    assert commitment(SEED, HEADER + b"\x00") != commitment(SEED, HEADER)
    assert commitment(bytes(32), HEADER) != commitment(SEED, HEADER)
    # A byte cannot move from the seed into the header: the seed keeps its length.
    assert commitment(SEED[1:] + b"\x00", HEADER + SEED[:1]) != commitment(SEED, HEADER)


# --- the cut ----------------------------------------------------------------------------------------------


def test_cut_puts_the_front_packet_behind_the_rest() -> None:
    assert cut((10, 11, 12, 13, 14), 2) == (12, 13, 14, 10, 11)
    assert cut("abc", 1) == ("b", "c", "a")


def test_cut_is_a_rotation_at_every_depth() -> None:
    cards = shoe_of()
    for depth in range(len(cards) + 1):
        after = cut(cards, depth)
        assert after == tuple(cards[(place + depth) % len(cards)] for place in range(len(cards)))
        assert cut(after, len(cards) - depth) == cards


@pytest.mark.parametrize("depth", [-1, 6])
def test_cut_deeper_than_the_cards_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="in 5 cards"):
        cut(range(5), depth)
