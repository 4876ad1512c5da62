"""The share of a witness, to the byte, and the names of logs."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from baccarat.house.stream import Stream
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier
from baccarat.record.note import UnreadableNote, UntrustedNote, read_note, sign_note
from baccarat.record.origin import fits_stream, house_of, origin_of, split_successor, stream_in
from baccarat.record.share import ShareSigner, is_line, read_share
from baccarat.shuffle import share_promise
from shared_shoe import HOUSE, ORIGIN, SHARES

LEAF = bytes(range(32))


def field(text: str) -> bytes:
    return len(text.encode()).to_bytes(8, "big") + text.encode()


def test_share_promise_and_note_are_these_bytes() -> None:
    share = hmac.new(b"k" * 32, b"baccarat/share-secret/1" + field(ORIGIN) + field("17"), hashlib.sha256).digest()
    assert SHARES.share(origin=ORIGIN, shoe="17") == share
    key = str(SHARES.verifier)
    assert key.startswith("example.org/surveillance+")
    promise = hashlib.sha256(b"baccarat/share/1" + field(key) + field(ORIGIN) + field("17") + share).digest()
    assert SHARES.promise(origin=ORIGIN, shoe="17") == promise
    assert share_promise(share, key=key, origin=ORIGIN, shoe="17") == promise
    assert promise.hex() == "c253b78f95d78109cad5d016899b6c9cf6917c09d0ee2c54f66a2e664448db65"
    note = SHARES.open(origin=ORIGIN, shoe="17", leaf=LEAF)
    assert (
        bytes(note).decode()
        == """baccarat/share/v1
example.org/house/table/1
17
AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
ckeQSYg0/I8SHockU1kfJE5nskc3KgkoZ5gUAJBpQ4w=

— example.org/surveillance w6jUdUVMkVC4RDNgRaGlJMvLzGLeY/dfsge0OWnjlwRA79B+acnr7b0OPkUA5WATP2B2J868NvGuADwNEyPaTJLcJg8=
"""
    )
    assert note == SHARES.open(origin=ORIGIN, shoe="17", leaf=LEAF), "asked again, it is the same note"
    assert list(note.verified_signatures([SHARES.verifier])) == [SHARES.verifier]
    opened = read_share(note)
    assert (opened.origin, opened.shoe, opened.leaf, opened.share) == (ORIGIN, "17", LEAF, share)


def test_every_part_changes_share_and_promise() -> None:
    found = {SHARES.share(origin=origin, shoe=shoe) for origin in ("a", "ab", "b") for shoe in ("bc", "c", "")}
    assert len(found) == 9
    promises = {
        share_promise(share, key=key, origin=origin, shoe=shoe)
        for share in (b"1" * 32, b"2" * 32)
        for key in ("k", "ka")
        for origin in ("a", "")
        for shoe in ("b", "ab")
    }
    assert len(promises) == 16


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_a_note_that_is_not_exactly_a_share_is_not_read(cut: int) -> None:
    whole = bytes(SHARES.open(origin=ORIGIN, shoe="17", leaf=LEAF))
    with pytest.raises(UnreadableNote):
        read_share(read_note(whole[: min(cut, len(whole) - 1)]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("baccarat/share/v1", "baccarat/share/v2"),
        ("\n17\n", "\n\n"),
        ("\n17\n", "\n17\n18\n"),
        (ORIGIN, ""),
        ("AAECAwQF", "AAECAwQ"),
        ("Hh8=", "Hh9="),
    ],
)
def test_a_changed_line_is_not_read(old: str, new: str) -> None:
    text = SHARES.open(origin=ORIGIN, shoe="17", leaf=LEAF).text
    assert old in text
    with pytest.raises(UnreadableNote):
        read_share(sign_note(text.replace(old, new, 1), HOUSE))


def test_a_share_note_is_signed_by_the_share_key_and_no_other() -> None:
    note = SHARES.open(origin=ORIGIN, shoe="17", leaf=LEAF)
    with pytest.raises(UntrustedNote):
        note.verified_signatures([HOUSE.verifier])
    cosigning = Verifier(SHARES.verifier.name, KeyKind.WITNESS, SHARES.verifier.public)
    with pytest.raises(UntrustedNote):
        note.verified_signatures([cosigning])


def test_a_share_key_is_two_lines_and_made_from_chance() -> None:
    made, other = ShareSigner.create("example.org/w"), ShareSigner.create("example.org/w")
    again = ShareSigner.parse(made.text)
    assert again.verifier == made.verifier != other.verifier
    assert again.share(origin="o", shoe="s") == made.share(origin="o", shoe="s") != other.share(origin="o", shoe="s")
    assert made.verifier.kind is KeyKind.LOG
    witness = Signer("example.org/w", KeyKind.WITNESS, b"w" * 32)
    for wrong in (
        witness.secret,
        made.text.splitlines()[0],
        made.text.replace("SHARE+SECRET+", ""),
        made.text[:-6],
        f"{witness.secret}\n{made.text.splitlines()[1]}",
    ):
        with pytest.raises(UnreadableKey):
            ShareSigner.parse(wrong.strip())


def test_what_can_be_one_line() -> None:
    assert [is_line(text) for text in ("17", "a b", "é", "", "a\nb", "\x00", "a\x1f", "\ud800")] == [True] * 3 + [
        False
    ] * 5


# -------------------------------------------------------------------------------------- names of logs


def test_a_stream_of_a_house_has_one_name() -> None:
    for stream, name in (
        ("table 1", "table/1"),
        ("table a/b c", "table/a%2Fb%20c"),
        ("cage", "cage"),
        ("pit A", "pit/A"),
    ):
        origin = origin_of("example.org/house", Stream(stream))
        assert origin == f"example.org/house/{name}"
        assert stream_in(origin, house="example.org/house") == stream
        assert house_of(origin) == "example.org/house"
        assert fits_stream(origin, Stream(stream))
        assert fits_stream(f"{origin}/2", Stream(stream))
        assert split_successor(f"{origin}/2") == (origin, 2)


@pytest.mark.parametrize(
    "name",
    [
        "table/%31",
        "table/a%2fb",
        "Table/1",
        "table",
        "table/1/2",
        "table/1/",
        "cage/2",
        "cage/",
        "shoe/1",
        "",
        "table/",
        "/table/1",
    ],
)
def test_any_other_name_is_none(name: str) -> None:
    assert stream_in(f"example.org/house/{name}", house="example.org/house") is None
    assert stream_in(f"example.org/other/{name}", house="example.org/house") is None


def test_a_name_fits_its_own_stream_only() -> None:
    for origin in (ORIGIN, f"{ORIGIN}/2", f"{ORIGIN}/17"):
        assert fits_stream(origin, Stream("table 1"))
        assert not fits_stream(origin, Stream("table 11"))
    assert not fits_stream("example.org/table-1", Stream("table 1"))
    assert not fits_stream("/table/1", Stream("table 1")), "a house has a name"
    assert not fits_stream(f"{ORIGIN}/1", Stream("table 1"))
    assert not fits_stream(f"{ORIGIN}/02", Stream("table 1"))
    assert fits_stream("example.org/house/table/2", Stream("table 2"))
    assert not fits_stream("example.org/house/table/2", Stream("table")), "the number belongs to the table"
