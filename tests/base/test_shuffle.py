"""The committed shuffle: NIST's vectors, exhaustive proofs of fairness, and orders that never change."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice, product, repeat
from operator import add
from typing import Protocol

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.shuffle import HmacDrbg, fisher_yates, uniform_below
from paths import DATA
from shuffle_order import steady

unhex = bytes.fromhex


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
    assert objection_to_sampler(uniform_below, width=width) is None


def modulo_bias(bound: int, words: Iterator[int], *, width: int) -> int:
    return next(words) % bound


def multiply_and_shift(bound: int, words: Iterator[int], *, width: int) -> int:
    return next(words) * bound >> width


def one_word_too_many(bound: int, words: Iterator[int], *, width: int) -> int:
    limit = (1 << width) - (1 << width) % bound
    return next(word for word in words if word <= limit) % bound


def never_the_last(bound: int, words: Iterator[int], *, width: int) -> int:
    return uniform_below(max(bound - 1, 1), words, width=width)


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


@pytest.mark.slow
def test_sampler_is_fair_on_every_word_of_16_bits_where_statistics_see_no_bias() -> None:
    assert objection_to_sampler(uniform_below, width=16, bounds=BOUNDS_OF_SHOES) is None
    for bound in BOUNDS_OF_SHOES:
        objection = objection_to_sampler(modulo_bias, width=16, bounds=[bound])
        assert objection == f"bound {bound}: some values come more often than others"


def test_sampler_turns_at_the_same_limit_on_32_bit_words() -> None:
    """The proof above is on small words; here the live width, at the edge of every bound in use."""
    for bound in range(1, 8 * 52 + 1):
        limit = 2**32 // bound * bound
        assert uniform_below(bound, iter([limit - 1]), width=32) == bound - 1
        assert uniform_below(bound, chain(range(limit, 2**32), [7 * bound]), width=32) == 0


def test_sampler_takes_only_the_words_it_looks_at() -> None:
    words = iter([255, 255, 4, 99])
    assert uniform_below(3, words, width=8) == 1
    assert list(words) == [99]


@pytest.mark.parametrize("bound", [-1, 0, 257])
def test_sampler_refuses_a_bound_that_its_words_cannot_serve(bound: int) -> None:
    with pytest.raises(ValueError, match="bounds from 1 to 256"):
        uniform_below(bound, iter([0]), width=8)


@pytest.mark.parametrize("word", [-1, 256])
def test_sampler_refuses_a_word_that_does_not_fit(word: int) -> None:
    with pytest.raises(ValueError, match="not a word of 8 bits"):
        uniform_below(3, iter([word]), width=8)


def test_sampler_says_when_the_words_run_out() -> None:
    with pytest.raises(ValueError, match="the words ran out"):
        uniform_below(3, iter([255, 255]), width=8)


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
@pytest.mark.slow
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
        j = uniform_below(size, words, width=width)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def always_elsewhere(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    """Fisher–Yates off by one, which never lets a card stay: single cycles only."""
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        j = uniform_below(i, words, width=width)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def sort_by_random_keys(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    keys = list(islice(words, size))
    return tuple(sorted(range(size), key=keys.__getitem__))


def independent_draws(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    return tuple(uniform_below(size, words, width=width) for _ in range(size))


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
