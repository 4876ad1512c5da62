"""Order 2: seed, contributions and cut are fixed first, then the shares of witnesses; each hash on a second path."""

from __future__ import annotations

import base64
import hashlib
import hmac
import struct

import pytest
from msgspec.structs import replace

from baccarat.cards import DECK
from baccarat.shuffle import MOST_WITNESSES, commitment_2, header_2, inputs_2, order_2, share_promise
from baccarat.table.proof import cards_from, commitment_for, header_for, inputs_for, order_from
from baccarat.table.share_note import read_share_key, read_share_note, share_text
from baccarat.table.shoe_state import Commitment, SeedContribution, WitnessPromise, WitnessShare

SEED = bytes(range(32))
ORIGIN = "example.org/house/table/7"
SHARES = (bytes([0xAA]) * 32, bytes([0xBB]) * 32)


def key_text(name: str, public: bytes, kind: int = 1) -> str:
    """A key in the C2SP note format."""
    data = bytes([kind]) + public
    key_id = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
    return f"{name}+{key_id.hex()}+{base64.b64encode(data).decode()}"


KEYS = tuple(sorted((key_text("example.net/w1", bytes([1]) * 32), key_text("example.com/w2", bytes([2]) * 32))))


def u64(number: int) -> bytes:
    return struct.pack(">Q", number)


def field(data: bytes | str) -> bytes:
    data = data.encode() if isinstance(data, str) else data
    return u64(len(data)) + data


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def held(shares: tuple[bytes, ...] = SHARES, in_front: int = 100) -> Commitment:
    """A shoe of order 2 with its inputs closed and its shares opened."""
    witnesses = tuple(
        WitnessPromise(key=key, promise=sha(b"baccarat/share/1", field(key), field(ORIGIN), field("17"), share).hex())
        for key, share in zip(KEYS, shares, strict=False)
    )
    made = Commitment(
        order=2,
        origin=ORIGIN,
        table="7",
        shoe="17",
        rulebook="ab" * 32,
        decks=8,
        hash="",
        witnesses=witnesses,
        contributions=(SeedContribution(3, "cherry"), SeedContribution(4, "龍")),
        shares=tuple(
            WitnessShare(key=key, share=share.hex(), leaf="00" * 32) for key, share in zip(KEYS, shares, strict=False)
        ),
    )
    made = replace(made, hash=commitment_for(made, SEED))
    return replace(made, inputs=inputs_for(made, in_front))


def retold_order(inputs: bytes, shares: tuple[bytes, ...], size: int) -> list[int]:
    """The order again, from the page of the definition and nothing of ours."""
    material = SEED + field("17") + b"baccarat/order/2" + inputs + u64(len(shares)) + b"".join(shares)
    key, value = bytes(32), b"\x01" * 32
    for mark in (b"\x00", b"\x01"):
        key = hmac.new(key, value + mark + material, "sha256").digest()
        value = hmac.new(key, value, "sha256").digest()
    words: list[int] = []
    cards = list(range(size))
    for i in range(size - 1, 0, -1):
        limit = 2**32 - 2**32 % (i + 1)
        while True:
            if not words:
                block = b""
                for _ in range(64):
                    value = hmac.new(key, value, "sha256").digest()
                    block += value
                key = hmac.new(key, value + b"\x00", "sha256").digest()
                value = hmac.new(key, value, "sha256").digest()
                words = list(struct.unpack(">512I", block))
            word = words.pop(0)
            if word < limit:
                break
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def test_header_commitment_and_inputs_are_those_of_the_definition() -> None:
    shoe = held()
    promises = [bytes.fromhex(each.promise) for each in shoe.witnesses]
    header = field("baccarat/header/2") + field(ORIGIN) + field("7") + field("17") + field("ab" * 32) + u64(8) + u64(2)
    header += b"".join(field(key) + promise for key, promise in zip(KEYS, promises, strict=True))
    assert header_for(shoe) == header
    commit = sha(b"baccarat/commit/2", field(header), SEED)
    assert shoe.hash == commit.hex()
    assert commitment_2(SEED, header) == commit
    given = u64(2) + field("cherry") + field("龍")
    assert shoe.inputs == sha(b"baccarat/inputs/2", field(header), commit, given, u64(100)).hex()
    assert promises[0] == share_promise(SHARES[0], key=KEYS[0], origin=ORIGIN, shoe="17")


@pytest.mark.parametrize("shares", [SHARES, SHARES[:1], ()])
def test_order_and_salts_are_those_of_the_definition(shares: tuple[bytes, ...]) -> None:
    shoe = held(shares)
    inputs = bytes.fromhex(shoe.inputs)
    retold = retold_order(inputs, shares, 416)
    assert [DECK[index % 52] for index in retold] == list(cards_from(shoe, SEED))
    sealed = order_from(shoe, SEED)
    salts = [hmac.new(SEED, b"baccarat/salt/2" + inputs + u64(i), "sha256").digest()[:16] for i in range(416)]
    assert list(sealed.salts) == salts


def test_these_vectors_never_change() -> None:
    shoe = held()
    assert shoe.hash == "2ab4e5392b4d598422a6a3819278babb57de652eea0d60133980a0989ba5c54b"
    assert shoe.inputs == "dda90728ece3f938801a8d1c6213679f63a8e44f43ab41c8978783b130e5e52b"
    assert order_from(shoe, SEED).root == "925fc3ca9c43ca47d408b30b05fa89066637796480a35d5153d1dd6f629d5422"
    assert " ".join(map(str, cards_from(shoe, SEED)[:8])) == "8s Td 4d 5h 6h 4d 2d 3c"


def test_the_order_depends_on_every_input_and_on_every_share() -> None:
    base = held()
    seen = {order_from(base, SEED).root}
    for other in (
        held(in_front=101),
        held((SHARES[0], bytes(32))),
        held((bytes(32), SHARES[1])),
        held(SHARES[:1]),
        held(()),
    ):
        seen.add(order_from(other, SEED).root)
    without = replace(base, contributions=base.contributions[:1])
    seen.add(order_from(replace(without, inputs=inputs_for(without, 100)), SEED).root)
    assert len(seen) == 7


def test_a_header_has_up_to_16_witnesses_of_a_named_log_in_the_order_of_their_keys() -> None:
    names = {"table": "7", "shoe": "17", "rulebook_hash": "ab" * 32, "decks": 8}
    pairs = [(key, bytes(32)) for key in KEYS]
    header_2(origin="", witnesses=(), **names)  # type: ignore[arg-type]  # nobody signs this stream
    for origin, witnesses in (
        (ORIGIN, pairs[::-1]),
        (ORIGIN, [pairs[0], pairs[0]]),
        ("", pairs),
        (ORIGIN, [(f"w{number:02}", bytes(32)) for number in range(MOST_WITNESSES + 1)]),
        (ORIGIN, [(KEYS[0], bytes(31))]),
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            header_2(origin=origin, witnesses=witnesses, **names)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="32 bytes"):
        order_2(SEED, size=52, shoe="17", inputs=bytes(32), shares=[b"short"])
    with pytest.raises(ValueError, match="32 bytes"):
        inputs_2(b"", b"short", contributions=[], in_front=1)
    with pytest.raises(ValueError, match="32 bytes"):
        share_promise(b"short", key=KEYS[0], origin=ORIGIN, shoe="17")


# ------------------------------------------------------------------------------------------- keys and notes


def signed(text: str, key: str = KEYS[0]) -> str:
    """A note with something where the signature belongs, its last line without an end."""
    name, key_id, _ = key.split("+", 2)
    return f"{text}\n— {name} {base64.b64encode(bytes.fromhex(key_id) + bytes(64)).decode()}"


def test_a_note_has_five_lines_an_empty_one_and_one_signature() -> None:
    text = share_text(origin=ORIGIN, shoe="17", leaf=bytes(32), share=SHARES[0])
    assert text == f"baccarat/share/v1\n{ORIGIN}\n17\n{'A' * 43}=\nqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo=\n"
    note = read_share_note(signed(text).split("\n"))
    assert note is not None
    assert note.text == text
    assert note.share == SHARES[0]
    key = read_share_key(KEYS[0])
    assert key is not None
    assert note.is_by(key)
    promise = share_promise(SHARES[0], key=KEYS[0], origin=ORIGIN, shoe="17")
    assert note.opens(promise, key=KEYS[0])
    assert not note.opens(promise, key=KEYS[1])


def test_any_other_text_is_no_note() -> None:
    text = share_text(origin=ORIGIN, shoe="17", leaf=bytes(32), share=SHARES[0])
    good = signed(text)
    for bad in (
        "",
        text,
        good[:-1],
        good + "\n",
        good + "\n" + good.rpartition("\n")[2],
        good.replace("share/v1", "share/v2"),
        good.replace("\n17\n", "\n\n"),
        good.replace("\n17\n", "\n17\nmore\n"),
        good.replace("qqo=", "qqp="),
        good.replace("— ", "- "),
        good.replace("AAA=\n", "AA\n", 1),
    ):
        assert read_share_note(bad.split("\n")) is None, bad


def test_a_share_key_has_its_own_type_and_its_own_id() -> None:
    public = bytes([1]) * 32
    assert read_share_key(key_text("example.net/w1", public)) is not None
    for bad in (
        key_text("example.net/w1", public, kind=4),
        key_text("example.net/w1", public[:31]),
        key_text("example.net/w1", public).replace("w1+", "w3+"),
        "example.net/w1",
        "+00000000+AA==",
    ):
        assert read_share_key(bad) is None, bad
