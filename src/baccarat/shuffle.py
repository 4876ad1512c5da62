"""The committed shuffle: from a sealed seed to the order of a shoe, which never changes.

Nothing here draws chance. The seed comes from outside; everything after it is arithmetic that anyone can
repeat with SHA-256 and a page of code. What must be repeated exactly is written in the docstrings of
`header_of`, `commitment`, `order` and `fisher_yates`: a seed's cards never change, so neither do these.

There are two ways to derive an order. Order 1 follows from the seed and what was contributed, so anyone who knows the
seed and contributes last can choose among orders. Order 2 also depends on the cut and on the shares of witnesses, which
are opened when seed, contributions and cut are on record: `header_2`, `commitment_2`, `inputs_2` and `order_2`.

Two encodings are used throughout, so that no two different inputs ever give the same bytes:

- `u64(n)`: the whole number `n` as 8 bytes, big-endian;
- `field(b)`: `u64(len(b)) ‖ b`. Text is UTF-8, as it stands, neither normalised nor trimmed.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

import msgspec

T = TypeVar("T")

SEED_BYTES = 32
WORD_BITS = 32
REQUEST_BYTES = 2048
"""How many bytes `order` requests at a time: part of the definition, since every request rekeys."""

COMMIT_TAG = b"baccarat/commit"
PICK_TAG = b"baccarat/pick"
ORDER_TAG = b"baccarat/order"
HEADER_TAG_2 = b"baccarat/header/2"
COMMIT_TAG_2 = b"baccarat/commit/2"
INPUTS_TAG_2 = b"baccarat/inputs/2"
ORDER_TAG_2 = b"baccarat/order/2"
SHARE_TAG = b"baccarat/share/1"
SHARE_SECRET_TAG = b"baccarat/share-secret/1"

HASH_BYTES = 32
SHARE_BYTES = 32
MOST_WITNESSES = 16


class HmacDrbg(msgspec.Struct, frozen=True):
    """The state of an HMAC_DRBG over SHA-256 (NIST SP 800-90A Rev. 1, 10.1.2), without prediction resistance.

    The state is a value like any other: `reseed` and `generate` return the next one. A state that has been
    used once gives the same bytes when used again, so keep only the newest.
    """

    key: bytes
    value: bytes
    counter: int

    MAX_REQUEST_BYTES = 1 << 16
    MAX_INPUT_BYTES = 1 << 32
    RESEED_INTERVAL = 1 << 48

    def __repr__(self) -> str:
        # The key determines every card of the shoe: it must not reach a log through a traceback.
        return f"HmacDrbg(counter={self.counter})"

    @classmethod
    def instantiate(cls, entropy: bytes, nonce: bytes = b"", personalization: bytes = b"") -> HmacDrbg:
        """The first state, seeded with `entropy ‖ nonce ‖ personalization`."""
        _check_entropy(entropy)
        _check_length("nonce", nonce)
        _check_length("personalization", personalization)
        key, value = _update(bytes(32), b"\x01" * 32, entropy + nonce + personalization)
        return cls(key, value, 1)

    def reseed(self, entropy: bytes, additional: bytes = b"") -> HmacDrbg:
        """The state after fresh entropy has been mixed in."""
        _check_entropy(entropy)
        _check_length("additional input", additional)
        key, value = _update(self.key, self.value, entropy + additional)
        return HmacDrbg(key, value, 1)

    def generate(self, n_bytes: int, additional: bytes = b"") -> tuple[bytes, HmacDrbg]:
        """The next `n_bytes` bytes, and the state after them."""
        if not 0 <= n_bytes <= self.MAX_REQUEST_BYTES:
            raise ValueError(f"a request is for 0 to {self.MAX_REQUEST_BYTES} bytes, not {n_bytes}")
        if self.counter > self.RESEED_INTERVAL:
            raise ValueError(f"{self.RESEED_INTERVAL} requests since the last seeding: reseed first")
        _check_length("additional input", additional)
        key, value = self.key, self.value
        if additional:
            key, value = _update(key, value, additional)
        out = bytearray()
        while len(out) < n_bytes:
            value = _mac(key, value)
            out += value
        key, value = _update(key, value, additional)
        return bytes(out[:n_bytes]), HmacDrbg(key, value, self.counter + 1)


def _mac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")


def _update(key: bytes, value: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Key and value after `data` has been mixed in; a second pass only where there is data."""
    for mark in (b"\x00", b"\x01") if data else (b"\x00",):
        key = _mac(key, value + mark + data)
        value = _mac(key, value)
    return key, value


def _check_entropy(entropy: bytes) -> None:
    if not entropy:
        raise ValueError("no entropy: a generator seeded with nothing is known to everyone")
    _check_length("entropy", entropy)


def _check_length(what: str, data: bytes) -> None:
    if len(data) > HmacDrbg.MAX_INPUT_BYTES:
        raise ValueError(f"{what} of {len(data)} bytes: at most {HmacDrbg.MAX_INPUT_BYTES}")


def uniform_below(bound: int, words: Iterator[int], *, width: int) -> int:
    """A whole number from 0 to `bound - 1`, each equally likely if each word of `width` bits is.

    Let `limit` be the largest multiple of `bound` that is at most `2**width`. Words from `limit` upwards are
    passed over; the first word under it, modulo `bound`, is the number. No word beyond that one is taken
    from `words`. `ValueError` if `bound` is not from 1 to `2**width`, if a word does not fit, or if the words
    run out.
    """
    span = 1 << width
    if not 1 <= bound <= span:
        raise ValueError(f"bound {bound}: words of {width} bits allow bounds from 1 to {span}")
    limit = span - span % bound
    for word in words:
        if not 0 <= word < span:
            raise ValueError(f"{word} is not a word of {width} bits")
        if word < limit:
            return word % bound
    raise ValueError(f"the words ran out before one under {limit} was found")


def fisher_yates(size: int, words: Iterator[int], *, width: int) -> tuple[int, ...]:
    """The order of `size` cards that `words` make, each of the `size!` orders equally likely if each word is.

    Begin with 0, 1, …, size - 1. For `i` from `size - 1` down to 1: take `j = below(i + 1, words)` and
    exchange the cards at `i` and `j` (which may be the same). Index 0 of the result is the top card. Nothing
    is drawn for `i = 0`: a single card takes no word.
    """
    if size < 1:
        raise ValueError(f"{size} cards cannot be shuffled")
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        j = uniform_below(i + 1, words, width=width)
        cards[i], cards[j] = cards[j], cards[i]
    return tuple(cards)


def order(seed: bytes, *, size: int, shoe: str, header: bytes, contributions: Sequence[bytes]) -> tuple[int, ...]:
    """The order of a shoe before the cut: index → card's number in new-deck order; index 0 is the top card.

    HMAC_DRBG over SHA-256 (NIST SP 800-90A Rev. 1) is instantiated with

    - entropy = `seed`, exactly 32 bytes;
    - nonce = `field(shoe)`;
    - personalization = `"baccarat/order" ‖ field(header) ‖ u64(number of contributions) ‖ field(each)`,
      the contributions in the order given; none is allowed.

    The generator joins the three. The joined bytes still belong to one input only: the seed and the tag have
    fixed lengths, everything else states its own.

    Bytes are then requested 2048 at a time (no additional input, no reseed, the next 2048 only when a word of
    them is needed) and read as 32-bit words, big-endian, first byte first. `fisher_yates` turns the words
    into the order. `size` itself is not keyed: the header names the decks.
    """
    blocks = order_blocks(seed, shoe=shoe, header=header, contributions=contributions)
    return fisher_yates(size, words_of(blocks), width=WORD_BITS)


def order_blocks(seed: bytes, *, shoe: str, header: bytes, contributions: Sequence[bytes]) -> Iterator[bytes]:
    """The bytes that the order of a shoe is made of, request by request, without end; see `order` for the key."""
    _check_seed(seed)
    if not shoe:
        raise ValueError("a shoe without an id")
    nonce = _field(shoe.encode())
    parts = [ORDER_TAG, _field(header), _u64(len(contributions)), *map(_field, contributions)]
    return _blocks(HmacDrbg.instantiate(seed, nonce, b"".join(parts)))


def pick(seed: bytes, bound: int, *, what: str) -> int:
    """A whole number from 0 to `bound - 1`, uniform, one for each `what` under a seed."""
    _check_seed(seed)
    return uniform_below(bound, words_of(_blocks(HmacDrbg.instantiate(seed, PICK_TAG, what.encode()))), width=WORD_BITS)


def _blocks(drbg: HmacDrbg) -> Iterator[bytes]:
    while True:
        block, drbg = drbg.generate(REQUEST_BYTES)
        yield block


def words_of(blocks: Iterator[bytes]) -> Iterator[int]:
    """The 32-bit words of blocks of bytes, big-endian, first byte first."""
    for block in blocks:
        for at in range(0, len(block), WORD_BITS // 8):
            yield int.from_bytes(block[at : at + WORD_BITS // 8], "big")


def header_of(*, table: str, shoe: str, rulebook_hash: str, decks: int) -> bytes:
    """What a commitment is about: `field(table) ‖ field(shoe) ‖ field(rulebook_hash) ‖ u64(decks)`.

    The rulebook's hash is taken as the text that the journal prints.
    """
    for what, text in (("table", table), ("shoe", shoe), ("rulebook hash", rulebook_hash)):
        if not text:
            raise ValueError(f"a header without its {what}")
    if decks < 1:
        raise ValueError(f"a shoe of {decks} decks")
    return b"".join(_field(text.encode()) for text in (table, shoe, rulebook_hash)) + _u64(decks)


def commitment(seed: bytes, header: bytes) -> bytes:
    """The published promise of a seed: `SHA-256("baccarat/commit" ‖ header ‖ seed)`, 32 bytes.

    The seed's length is fixed, so the header's end is too, whatever the header says.
    """
    _check_seed(seed)
    return _sha256(COMMIT_TAG, header, seed)


def share_from(secret: bytes, *, origin: str, shoe: str) -> bytes:
    """A witness's share in a shoe: `HMAC(secret, "baccarat/share-secret/1" ‖ field(origin) ‖ field(shoe))`."""
    return _mac(secret, SHARE_SECRET_TAG + _text(origin) + _text(shoe))


def share_promise(share: bytes, *, key: str, origin: str, shoe: str) -> bytes:
    """What a witness publishes of its share before it opens it.

    `SHA-256("baccarat/share/1" ‖ field(key) ‖ field(origin) ‖ field(shoe) ‖ share)`: the text of the witness's share
    key, the name of the table's log, the shoe's id, and 32 bytes.
    """
    _check_length_is("share", share, SHARE_BYTES)
    return _sha256(SHARE_TAG, _text(key), _text(origin), _text(shoe), share)


def header_2(
    *, origin: str, table: str, shoe: str, rulebook_hash: str, decks: int, witnesses: Sequence[tuple[str, bytes]]
) -> bytes:
    """What a commitment of order 2 is about: also the name of the log, and each witness's share key and promise.

    `field("baccarat/header/2") ‖ field(origin) ‖ field(table) ‖ field(shoe) ‖ field(rulebook) ‖ u64(decks) ‖ u64(w) ‖
    field(key) ‖ promise` for each of the `w` witnesses, sorted by the text of their keys. The origin is empty where
    nobody signs the stream; then there are no witnesses.
    """
    first = header_of(table=table, shoe=shoe, rulebook_hash=rulebook_hash, decks=decks)
    keys = [key for key, _ in witnesses]
    if len(keys) > MOST_WITNESSES or sorted(set(keys)) != keys or (keys and not origin):
        raise ValueError(f"up to {MOST_WITNESSES} witnesses of a named log, sorted by their keys, each once")
    for _, promise in witnesses:
        _check_length_is("promise", promise, HASH_BYTES)
    named = [part for key, promise in witnesses for part in (_text(key), promise)]
    return b"".join((_field(HEADER_TAG_2), _text(origin), first, _u64(len(keys)), *named))


def commitment_2(seed: bytes, header: bytes) -> bytes:
    """The published promise of a seed: `SHA-256("baccarat/commit/2" ‖ field(header) ‖ seed)`."""
    _check_seed(seed)
    return _sha256(COMMIT_TAG_2, _field(header), seed)


def inputs_2(header: bytes, commit: bytes, *, contributions: Sequence[bytes], in_front: int) -> bytes:
    """Everything that is fixed before a share is opened, as one hash.

    `SHA-256("baccarat/inputs/2" ‖ field(header) ‖ commit ‖ u64(c) ‖ field(contribution) for each of c ‖ u64(in_front))`
    """
    _check_length_is("commitment", commit, HASH_BYTES)
    given = b"".join(map(_field, contributions))
    return _sha256(INPUTS_TAG_2, _field(header), commit, _u64(len(contributions)), given, _u64(in_front))


def order_2(seed: bytes, *, size: int, shoe: str, inputs: bytes, shares: Sequence[bytes]) -> tuple[int, ...]:
    """The order before the cut, as `order`, with another personalization.

    `"baccarat/order/2" ‖ inputs ‖ u64(w) ‖` the `w` shares, 32 bytes each, in the order of the header.
    """
    _check_seed(seed)
    _check_length_is("hash of the inputs", inputs, HASH_BYTES)
    for share in shares:
        _check_length_is("share", share, SHARE_BYTES)
    parts = (ORDER_TAG_2, inputs, _u64(len(shares)), *shares)
    drbg = HmacDrbg.instantiate(seed, _text(shoe), b"".join(parts))
    return fisher_yates(size, words_of(_blocks(drbg)), width=WORD_BITS)


def cut(order: Sequence[T], depth: int) -> tuple[T, ...]:
    """The order after a cut: the front packet of `depth` cards goes behind the rest, both in unchanged order.

    How deep a cut may be is up to the edition; only a depth outside the shoe is refused here.
    """
    if not 0 <= depth <= len(order):
        raise ValueError(f"a cut {depth} deep in {len(order)} cards")
    return (*order[depth:], *order[:depth])


def _check_seed(seed: bytes) -> None:
    # The length only: a seed must never appear in a message.
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


def _check_length_is(what: str, data: bytes, length: int) -> None:
    if len(data) != length:
        raise ValueError(f"a {what} has {length} bytes, not {len(data)}")


def _sha256(*parts: bytes) -> bytes:
    import hashlib  # noqa: PLC0415  `baccarat --help` starts without it

    return hashlib.sha256(b"".join(parts)).digest()


def _text(text: str) -> bytes:
    return _field(text.encode())


def _u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def _field(data: bytes) -> bytes:
    return _u64(len(data)) + data
