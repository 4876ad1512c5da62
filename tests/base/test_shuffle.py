"""The committed shuffle: NIST's vectors, exhaustive proofs of fairness, and orders that never change."""

from __future__ import annotations

import hashlib
import hmac
import math
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice, product, repeat
from operator import add
from typing import Protocol

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from baccarat.shuffle import HmacDrbg, below, commitment, cut, fisher_yates, header_of, order
from paths import DATA

unhex = bytes.fromhex
steady = settings(derandomize=True, deadline=None, max_examples=60)

# --- the generator: NIST's vectors ------------------------------------------------------------------------


class Vector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    count: int
    entropy: str
    nonce: str
    personalization: str
    reseed_entropy: str | None
    reseed_additional: str
    additional: tuple[str, str]
    returned: str

    def __str__(self) -> str:
        return f"{self.file.split('/')[0]}-{self.count}-{self.entropy[:8]}"

    @property
    def variant(self) -> tuple[str, bool, bool]:
        return self.file, bool(self.personalization), any(self.additional)


class Vectors(msgspec.Struct, frozen=True):
    vectors: tuple[Vector, ...]


def load_vectors() -> tuple[Vector, ...]:
    raw = (DATA / "hmac_drbg_sha256.json").read_bytes()
    return msgspec.json.decode(raw, type=Vectors).vectors


VECTORS = load_vectors()


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_generator_gives_the_bits_that_nist_published(vector: Vector) -> None:
    drbg = HmacDrbg.instantiate(unhex(vector.entropy), unhex(vector.nonce), unhex(vector.personalization))
    if vector.reseed_entropy is not None:
        drbg = drbg.reseed(unhex(vector.reseed_entropy), unhex(vector.reseed_additional))
    expected = unhex(vector.returned)
    _, drbg = drbg.generate(len(expected), unhex(vector.additional[0]))
    returned, _ = drbg.generate(len(expected), unhex(vector.additional[1]))
    assert returned == expected


def test_vectors_cover_every_variant_and_no_record_twice() -> None:
    files = {"drbgvectors_no_reseed/HMAC_DRBG.rsp", "drbgvectors_pr_false/HMAC_DRBG.rsp"}
    assert {v.variant for v in VECTORS} == set(product(files, (False, True), (False, True)))
    assert all((v.reseed_entropy is not None) == ("pr_false" in v.file) for v in VECTORS)
    assert len({v.entropy for v in VECTORS}) == len(VECTORS) >= 15


# --- the generator: its limits ----------------------------------------------------------------------------


class Huge(bytes):
    """Bytes that claim to be one longer than the standard allows."""

    def __len__(self) -> int:
        return (1 << 32) + 1


def test_generator_refuses_empty_entropy() -> None:
    with pytest.raises(ValueError, match="no entropy"):
        HmacDrbg.instantiate(b"", b"nonce", b"personal")
    with pytest.raises(ValueError, match="no entropy"):
        HmacDrbg.instantiate(b"x").reseed(b"", b"additional")


def test_generator_refuses_inputs_longer_than_the_standard_allows() -> None:
    drbg = HmacDrbg.instantiate(b"x")
    for call in (
        partial(HmacDrbg.instantiate, Huge(b"x")),
        partial(HmacDrbg.instantiate, b"x", Huge()),
        partial(HmacDrbg.instantiate, b"x", b"", Huge()),
        partial(drbg.reseed, Huge(b"x")),
        partial(drbg.reseed, b"x", Huge()),
        partial(drbg.generate, 1, Huge()),
    ):
        with pytest.raises(ValueError, match="at most 4294967296"):
            call()


def test_generator_takes_an_input_of_exactly_the_greatest_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HmacDrbg, "MAX_INPUT_BYTES", 8)
    assert HmacDrbg.instantiate(b"12345678", b"12345678", b"12345678").reseed(b"12345678").generate(1, b"12345678")
    with pytest.raises(ValueError, match="entropy of 9 bytes: at most 8"):
        HmacDrbg.instantiate(b"123456789")


def test_generator_serves_requests_of_up_to_65536_bytes() -> None:
    drbg = HmacDrbg.instantiate(b"x")
    whole, _ = drbg.generate(1 << 16)
    assert len(whole) == 1 << 16
    assert drbg.generate(100)[0] == whole[:100]
    assert drbg.generate(0)[0] == b""
    for n_bytes in (-1, (1 << 16) + 1):
        with pytest.raises(ValueError, match="a request is for 0 to 65536 bytes"):
            drbg.generate(n_bytes)


def test_generator_counts_requests_and_insists_on_a_reseed_after_2_to_the_48() -> None:
    drbg = HmacDrbg.instantiate(b"x")
    assert drbg.counter == 1
    assert drbg.generate(1)[1].counter == 2
    _, spent = msgspec.structs.replace(drbg, counter=1 << 48).generate(1)
    with pytest.raises(ValueError, match="reseed first"):
        spent.generate(1)
    fresh = spent.reseed(b"y")
    assert fresh.counter == 1
    assert fresh.generate(1)


def test_generator_is_a_value_and_does_not_show_its_key() -> None:
    drbg = HmacDrbg.instantiate(b"x" * 32)
    assert drbg.generate(64) == drbg.generate(64)
    with pytest.raises(AttributeError):
        drbg.counter = 9  # type: ignore[misc]
    assert repr(drbg) == str(drbg) == "HmacDrbg(counter=1)"


# --- the sampler, proved on every word of a small width ---------------------------------------------------


class Sampler(Protocol):
    def __call__(self, bound: int, words: Iterator[int], *, width: int) -> int: ...


def objection_to_sampler(sampler: Sampler, *, width: int, bounds: Sequence[int] | None = None) -> str | None:
    """What is wrong with a sampler, found by giving it every word of `width` bits once for every bound, or for these.

    Each word is followed by zeros, which every sampler accepts: a word has been passed over exactly if a
    second one was taken.
    """
    span = 1 << width
    for bound in bounds or range(1, span + 1):
        counts: Counter[int] = Counter()
        for word in range(span):
            words = iter([word, *repeat(0, 3)])
            value = sampler(bound, words, width=width)
            if len(list(words)) == 3:
                counts[value] += 1
        if set(counts) != set(range(bound)):
            return f"bound {bound}: gives {len(counts)} different values"
        if len(set(counts.values())) != 1:
            return f"bound {bound}: some values come more often than others"
        if counts.total() != span // bound * bound:
            return f"bound {bound}: passes over more words than it must"
    return None


@pytest.mark.parametrize("width", range(9))
def test_sampler_is_fair_and_wastes_nothing_for_every_bound_and_every_word(width: int) -> None:
    assert objection_to_sampler(below, width=width) is None


def modulo_bias(bound: int, words: Iterator[int], *, width: int) -> int:
    return next(words) % bound


def multiply_and_shift(bound: int, words: Iterator[int], *, width: int) -> int:
    return next(words) * bound >> width


def one_word_too_many(bound: int, words: Iterator[int], *, width: int) -> int:
    limit = (1 << width) - (1 << width) % bound
    return next(word for word in words if word <= limit) % bound


def never_the_last(bound: int, words: Iterator[int], *, width: int) -> int:
    return below(max(bound - 1, 1), words, width=width)


def masked(bound: int, words: Iterator[int], *, width: int) -> int:
    mask = (1 << (bound - 1).bit_length()) - 1
    return next(word & mask for word in words if word & mask < bound)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (modulo_bias, "bound 3: some values come more often"),
        (multiply_and_shift, "bound 3: some values come more often"),
        (one_word_too_many, "bound 3: some values come more often"),
        (never_the_last, "bound 2: gives 1 different values"),
        (masked, "bound 3: passes over more words than it must"),
    ],
)
def test_the_proof_objects_to_samplers_that_are_wrong(bad: Sampler, says: str) -> None:
    objection = objection_to_sampler(bad, width=8)
    assert objection is not None
    assert objection.startswith(says)


BOUNDS_OF_SHOES = (416, 415, 312, 257, 52, 3)


def test_sampler_is_fair_on_every_word_of_16_bits_where_statistics_see_no_bias() -> None:
    assert objection_to_sampler(below, width=16, bounds=BOUNDS_OF_SHOES) is None
    for bound in BOUNDS_OF_SHOES:
        objection = objection_to_sampler(modulo_bias, width=16, bounds=[bound])
        assert objection == f"bound {bound}: some values come more often than others"


def test_sampler_turns_at_the_same_limit_on_32_bit_words() -> None:
    """The proof above is on small words; here the live width, at the edge of every bound in use."""
    for bound in range(1, 8 * 52 + 1):
        limit = 2**32 // bound * bound
        assert below(bound, iter([limit - 1]), width=32) == bound - 1
        assert below(bound, chain(range(limit, 2**32), [7 * bound]), width=32) == 0


def test_sampler_takes_only_the_words_it_looks_at() -> None:
    words = iter([255, 255, 4, 99])
    assert below(3, words, width=8) == 1
    assert list(words) == [99]


@pytest.mark.parametrize("bound", [-1, 0, 257])
def test_sampler_refuses_a_bound_that_its_words_cannot_serve(bound: int) -> None:
    with pytest.raises(ValueError, match="bounds from 1 to 256"):
        below(bound, iter([0]), width=8)


@pytest.mark.parametrize("word", [-1, 256])
def test_sampler_refuses_a_word_that_does_not_fit(word: int) -> None:
    with pytest.raises(ValueError, match="not a word of 8 bits"):
        below(3, iter([word]), width=8)


def test_sampler_says_when_the_words_run_out() -> None:
    with pytest.raises(ValueError, match="the words ran out"):
        below(3, iter([255, 255]), width=8)


# --- Fisher–Yates, proved on every sequence of small words ------------------------------------------------


class Shuffler(Protocol):
    def __call__(self, size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]: ...


class RanOut(Exception):  # noqa: N818 - it is no error
    """The sequence ended before the shuffle did."""


def finite(words: Sequence[int]) -> Iterator[int]:
    yield from words
    raise RanOut


def objection_to_shuffler(shuffler: Shuffler, *, size: int, width: int, length: int) -> str | None:
    """What is wrong with a shuffler, found by giving it every sequence of `length` words of `width` bits.

    A shuffle that ends after fewer words is met once for every way to go on, so it weighs what it should;
    of the sequences that suffice, each order must hold the same share.
    """
    counts: Counter[tuple[int, ...]] = Counter()
    for words in product(range(1 << width), repeat=length):
        try:
            counts[shuffler(size, finite(words), width=width)] += 1
        except RanOut:
            continue
    if any(sorted(cards) != list(range(size)) for cards in counts):
        return "some outcomes are not orders of the cards"
    if len(counts) != math.factorial(size):
        return f"only {len(counts)} of {math.factorial(size)} orders occur"
    if len(set(counts.values())) != 1:
        return "some orders come more often than others"
    return None


@pytest.mark.parametrize(
    ("size", "width", "length"),
    [
        (1, 2, 1),
        (2, 1, 3),
        (2, 8, 2),
        (3, 2, 2),
        (3, 2, 6),
        (3, 8, 2),
        (4, 2, 3),
        (4, 2, 7),
        (4, 3, 5),
        (4, 4, 3),
        (5, 3, 5),
    ],
)
def test_every_order_comes_equally_often_over_all_sequences(size: int, width: int, length: int) -> None:
    assert objection_to_shuffler(fisher_yates, size=size, width=width, length=length) is None


def draws_of(cards: Sequence[int]) -> tuple[int, ...]:
    """The numbers that must have been drawn to make an order: at each step, where the card stood that went to `i`."""
    left, found = list(range(len(cards))), []
    for i in range(len(cards) - 1, 0, -1):
        j = left.index(cards[i])
        left[i], left[j] = left[j], left[i]
        found.append(j)
    return tuple(found)


@pytest.mark.parametrize("size", range(1, 9))
def test_every_order_is_made_by_exactly_one_sequence_of_draws(size: int) -> None:
    """With the proof of the sampler this is the whole proof: even draws, and one order for each sequence of them.

    The word for a draw is its bound and the number drawn, so that a shuffle which asks for other bounds draws others.
    """
    bounds = range(size, 1, -1)
    draws = list(product(*map(range, bounds)))
    orders = [fisher_yates(size, map(add, bounds, each), width=8) for each in draws]
    assert len(set(orders)) == len(orders) == math.factorial(size)
    assert [draws_of(cards) for cards in orders] == draws


@steady
@given(st.data())
def test_the_draws_of_a_whole_shoe_can_be_read_off_its_order(data: st.DataObject) -> None:
    """So no two sequences of draws make the same order of 416 cards, and 416! sequences make all of its 416! orders."""
    seed = data.draw(st.integers(0, 2**64 - 1))
    draws = tuple(seed * (i + 3) * 0x9E3779B97F4A7C15 % 2**64 % (i + 1) for i in range(415, 0, -1))
    assert draws_of(fisher_yates(416, iter(draws), width=32)) == draws


def biased_fisher_yates(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        j = modulo_bias(i + 1, words, width=width)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def n_to_the_n(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    """The shuffle that exchanges every place with any place: n^n paths onto n! orders."""
    cards = list(range(size))
    for i in range(size):
        j = below(size, words, width=width)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def always_elsewhere(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    """Fisher–Yates off by one, which never lets a card stay: single cycles only."""
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        j = below(i, words, width=width)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def sort_by_random_keys(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    keys = list(islice(words, size))
    return tuple(sorted(range(size), key=keys.__getitem__))


def independent_draws(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    return tuple(below(size, words, width=width) for _ in range(size))


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (biased_fisher_yates, "some orders come more often than others"),
        (n_to_the_n, "some orders come more often than others"),
        (always_elsewhere, "only 6 of 24 orders occur"),
        (sort_by_random_keys, "some orders come more often than others"),
        (independent_draws, "some outcomes are not orders of the cards"),
    ],
)
def test_the_proof_objects_to_the_classic_bad_shuffles(bad: Shuffler, says: str) -> None:
    assert objection_to_shuffler(bad, size=4, width=3, length=4) == says


def test_fisher_yates_goes_from_the_back_and_exchanges_place_i_with_the_drawn_place() -> None:
    #      i = 4, j = 1: 0 4 2 3 1     i = 3, j = 3: 0 4 2 3 1     i = 2, j = 0: 2 4 0 3 1     i = 1, j = 0
    assert fisher_yates(5, iter([1, 3, 0, 0]), width=8) == (4, 2, 0, 3, 1)


def test_a_single_card_takes_no_word_and_no_card_is_refused() -> None:
    assert fisher_yates(1, iter(()), width=8) == (0,)
    for size in (0, -1):
        with pytest.raises(ValueError, match="cannot be shuffled"):
            fisher_yates(size, iter(()), width=8)


def test_more_cards_than_words_can_tell_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="bound 17"):
        fisher_yates(17, repeat(0), width=4)


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
