"""Signed notes and keys: the examples of the specifications, another program's notes, a public log and its witness."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baccarat.record.checkpoint import (
    Checkpoint,
    open_checkpoint,
    read_checkpoint,
    sign_checkpoint,
)
from baccarat.record.encoding import from_base64, from_decimal, to_base64
from baccarat.record.key import (
    KeyKind,
    MissingCryptography,
    Signer,
    UnreadableKey,
    Verifier,
    check_name,
    cosigned_text,
    time_of,
)
from baccarat.record.log import EMPTY_ROOT
from baccarat.record.note import Signature, SignedNote, UnreadableNote, UntrustedNote, read_note, sign_note
from note_vector import LOG, SIGNERS, VECTORS, VERIFIERS

pytestmark = pytest.mark.slow


# the examples of C2SP signed-note, tlog-checkpoint, tlog-cosignature
POEM = """Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
"""  # noqa: E501


EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"


EXAMPLE_NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""


SOFA = """example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
"""  # noqa: E501


# a checkpoint of a public log of Certificate Transparency, cosigned by public witnesses; the log's key and a witness's
PUBLIC = """arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
"""  # noqa: E501


PUBLIC_LOG = Verifier.parse(
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
)


PUBLIC_WITNESS = Verifier.parse("remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2")


# ------------------------------------------------------------------------------------- others' examples


def test_the_examples_of_the_specifications_are_read_and_written_again() -> None:
    for text in (POEM, EXAMPLE_NOTE, SOFA, PUBLIC):
        assert bytes(read_note(text.encode())) == text.encode()
    poem = read_note(POEM.encode())
    assert poem.text.endswith("sole:\n\ned è subito sera.\n"), "the last blank line parts text and signatures"
    (signature,) = poem.signatures
    assert (signature.name, signature.key.hex(), len(signature.data)) == ("quasimodo.example/salvatore", "367ba04b", 64)
    sofa = read_note(SOFA.encode())
    assert read_checkpoint(sofa).size == 20852163
    assert [each.name for each in sofa.signatures] == ["example.com/behind-the-sofa", "witness.example.com/w1"]
    assert time_of(sofa.signatures[1].data) == 1679315147


def test_the_example_of_a_verifier_key_verifies_its_note_and_no_other() -> None:
    key = Verifier.parse(EXAMPLE_KEY)
    assert str(key) == EXAMPLE_KEY
    note = read_note(EXAMPLE_NOTE.encode())
    assert note.verified_signatures([key]) == {key: note.signatures[0]}
    with pytest.raises(UntrustedNote, match=r"the signature by example\.com/foo is wrong"):
        read_note(EXAMPLE_NOTE.replace("This", "That").encode()).verified_signatures([key])


def test_a_public_log_and_a_public_witness_are_believed_to_the_letter() -> None:
    found = open_checkpoint(PUBLIC.encode(), [PUBLIC_LOG], origin=PUBLIC_LOG.name)
    assert (found.size, to_base64(found.root)) == (1432088532, "U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=")
    verified = read_note(PUBLIC.encode()).verified_signatures([PUBLIC_LOG, PUBLIC_WITNESS])
    assert [key.name for key in verified] == [PUBLIC_LOG.name, PUBLIC_WITNESS.name]
    assert time_of(verified[PUBLIC_WITNESS].data) == 1779573024
    for key in (PUBLIC_LOG, PUBLIC_WITNESS):
        with pytest.raises(UntrustedNote, match="is wrong"):
            open_checkpoint(PUBLIC.replace("1432088532", "1432088533").encode(), [key])
    later = PUBLIC.replace("2net5wAAAABqEiEg", "2net5wAAAABqEiEh")
    with pytest.raises(UntrustedNote, match="remora"):
        open_checkpoint(later.encode(), [PUBLIC_WITNESS])


@pytest.mark.parametrize("case", VECTORS["signed"], ids=lambda case: repr(case["Text"]))
def test_a_program_of_others_signs_the_same_bytes(case: dict[str, str]) -> None:
    """golang.org/x/mod/sumdb/note made these."""
    made = sign_note(case["Text"], SIGNERS[0])
    for signer in SIGNERS[1:]:
        made = made.with_signatures(*sign_note(case["Text"], signer).signatures)
    assert bytes(made) == case["Note"].encode()


def test_a_program_of_others_writes_the_same_keys() -> None:
    for each, signer, verifier in zip(VECTORS["keys"], SIGNERS, VERIFIERS, strict=True):
        assert signer.verifier == verifier
        assert (signer.secret, str(verifier)) == (each["Signer"], each["Verifier"])


def test_a_program_of_others_takes_and_refuses_the_same_notes() -> None:
    """But for one: a wrong signature after a right one by the same key it does not look at, and we refuse it."""
    stricter = 0
    for case in VECTORS["opened"]:
        data = from_base64(case["Note"] or "")
        assert data is not None
        try:
            read_note(data).verified_signatures([VERIFIERS[which] for which in case["Keys"] or ()])
            answer = ""
        except UnreadableNote:
            answer = "malformed note"
        except UntrustedNote as error:
            no_key = "note has no verifiable signatures"
            answer = (
                no_key if "no known key" in str(error) else "invalid signature for key example.org/table-1+527232e6"
            )
        if answer != case["Error"]:
            assert (case["Error"], answer[:17]) == ("", "invalid signature")
            stricter += 1
    assert stricter == 1


# ------------------------------------------------------------------------------------------------- keys


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("", "expected name"),
        ("example.com/foo", "expected name"),
        (EXAMPLE_KEY.replace("530d903a", "530D903A"), "lower-case"),
        (EXAMPLE_KEY.replace("530d903a", "530d903"), "expected name"),
        (EXAMPLE_KEY.replace("530d903a", "530d903b"), "the id of the key does not belong"),
        (EXAMPLE_KEY.replace("foo", "fox"), "the id of the key does not belong"),
        (EXAMPLE_KEY.replace("kyeR", "kyeS"), "the id of the key does not belong"),
        (EXAMPLE_KEY.replace("example.com/foo", ""), "the name of a key is empty"),
        (EXAMPLE_KEY.replace("/foo", " foo"), "not contain spaces"),
        (EXAMPLE_KEY[:-1], "not base64"),
        (EXAMPLE_KEY + "\n", "not base64"),
        (EXAMPLE_KEY[:-4], "the key has 29 bytes; expected 32"),
        (EXAMPLE_KEY.replace("+Aeky", "+Aeky+"), "not base64"),
        ("rekor.sigstore.dev+12345678+AwEB", "an unknown kind of key"),
        (VECTORS["keys"][0]["Signer"], "this is a signer key, which is secret"),
    ],
)
def test_what_is_no_verifier_key(text: str, say: str) -> None:
    with pytest.raises(UnreadableKey, match=say):
        Verifier.parse(text)


def test_what_is_no_signer_key_and_no_message_repeats_a_secret() -> None:
    secret = SIGNERS[0].secret
    for text, say in (
        (str(VERIFIERS[0]), "begins with PRIVATE"),
        (secret.replace("527232e6", "527232e7"), "the id of the key does not belong"),
        (secret[:-1] + "A=", "not base64"),
        (secret[:-8], "expected 32"),
        ("PRIVATE+KEY+x", "expected PRIVATE"),
    ):
        with pytest.raises(UnreadableKey, match=say) as caught:
            Signer.parse(text)
        assert "AQEBAQEB" not in str(caught.value)
    assert "AQEBAQEB" not in repr(SIGNERS[0])


@pytest.mark.parametrize(
    "name",
    ["a b", "a\tb", "a\x00b", "a\x1fb", "a\u00a0b", "a\u2028b", *(f"a{chr(code)}b" for code in (0xD800, 0xDFFF))],
)
def test_a_name_has_no_space_and_no_control_character(name: str) -> None:
    with pytest.raises(UnreadableKey, match="not contain spaces or control characters"):
        check_name(name)
    check_name("example.org/Señor-日本-\ud7ff\ue000~\x21")
    with pytest.raises(UnreadableKey, match=r"must not contain \+"):
        check_name("a+b")


def test_a_signature_of_another_length_is_wrong() -> None:
    witness = Signer("w", KeyKind.WITNESS, bytes(range(32)))
    text = "o\n0\n"
    signed, cosigned = LOG.sign(text), witness.cosign(text, time=5)
    assert LOG.verifier.verifies(text, signed)
    assert witness.verifier.verifies(text, cosigned)
    for wrong in (b"", signed[:-1], signed + b"\0", signed + bytes(8), bytes(8) + signed):
        assert LOG.verifier.verifies(text, wrong) is False
    for wrong in (b"", cosigned[:-1], cosigned + b"\0", cosigned[8:], signed):
        assert witness.verifier.verifies(text, wrong) is False


def test_the_time_of_a_cosignature_has_63_bits() -> None:
    witness = Signer("w", KeyKind.WITNESS, bytes(range(32)))
    last = witness.cosign("o\n", time=2**63 - 1)
    assert witness.verifier.verifies("o\n", last)
    assert time_of(last) == 2**63 - 1
    later = (2**63).to_bytes(8, "big") + witness._private.sign(cosigned_text("o\n", 2**63))
    assert not witness.verifier.verifies("o\n", later)


@given(st.text(max_size=60))
def test_any_text_is_a_key_or_refused(text: str) -> None:
    for parse in (Verifier.parse, Signer.parse):
        for tried in (text, "PRIVATE+KEY+" + text, text + "+00000000+" + EXAMPLE_KEY.rpartition("+")[2]):
            with pytest.raises(UnreadableKey):
                parse(tried)


def test_without_cryptography_notes_are_read_and_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("cryptography.hazmat.primitives.asymmetric")]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    note = read_note(PUBLIC.encode())
    assert read_checkpoint(note).size == 1432088532
    assert str(Verifier.parse(EXAMPLE_KEY)) == EXAMPLE_KEY
    with pytest.raises(MissingCryptography, match=r"baccarat\[proof\]"):
        note.verified_signatures([PUBLIC_LOG])
    with pytest.raises(MissingCryptography, match=r"baccarat\[proof\]"):
        Signer.parse(VECTORS["keys"][0]["Signer"])


# ------------------------------------------------------------------------------------------------ notes


def test_a_signature_by_a_key_of_the_same_name_or_the_same_id_is_passed_over() -> None:
    """Name and id together say which key it is: the id is compared, or a stranger's signature would spoil the note."""
    note = sign_note("a line\n", LOG)
    stranger = Signer(LOG.verifier.name, KeyKind.LOG, bytes(32))
    both = note.with_signatures(*sign_note("another text\n", stranger).signatures)
    assert list(both.verified_signatures([LOG.verifier])) == [LOG.verifier]
    other_name = Signature("example.org/else", LOG.verifier.id, bytes(64))
    assert list(note.with_signatures(other_name).verified_signatures([LOG.verifier])) == [LOG.verifier]
    with pytest.raises(UntrustedNote, match="no known key has signed it"):
        SignedNote("a line\n", (other_name,)).verified_signatures([LOG.verifier])


def test_a_key_that_signs_twice_is_one_key() -> None:
    witness = Signer("w", KeyKind.WITNESS, bytes(range(32)))
    text = sign_checkpoint(Checkpoint(origin="o", size=0, root=EMPTY_ROOT), LOG).text
    twice = [Signature("w", witness.verifier.id, witness.cosign(text, time=time)) for time in (5, 6)]
    assert SignedNote(text, tuple(twice)).verified_signatures([witness.verifier]) == {witness.verifier: twice[0]}
    wrong = Signature("w", witness.verifier.id, bytes(72))
    with pytest.raises(UntrustedNote, match="is wrong"):
        SignedNote(text, (*twice, wrong)).verified_signatures([witness.verifier])
    assert SignedNote(text, (twice[0],)).with_signatures(twice[1]).signatures == (twice[1],), (
        "the new one takes the place of the old"
    )
    other = Signature("v", bytes(4), bytes(72))
    assert SignedNote(text, (twice[0], other)).with_signatures(wrong, twice[1]).signatures == (other, wrong, twice[1])


def test_two_known_keys_of_one_name_and_id_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Verifier, "id", b"same")
    with pytest.raises(ValueError, match="two known keys"):
        sign_note("a line\n", LOG).verified_signatures(
            [LOG.verifier, Verifier(LOG.verifier.name, KeyKind.LOG, bytes(32))]
        )


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.booleans())
def test_any_bytes_are_a_note_that_is_written_alike_or_refused(data: bytes, signed: bool) -> None:
    data = data + b"\n" + EXAMPLE_NOTE.encode() if signed else data
    try:
        note = read_note(data)
    except UnreadableNote:
        return
    assert bytes(note) == data
    try:
        note.verified_signatures([Verifier.parse(EXAMPLE_KEY)])
    except UntrustedNote:
        return
    raise AssertionError("a forged note is believed")


@given(st.integers(0, len(PUBLIC.encode()) - 1), st.integers(1, 255))
def test_no_changed_byte_of_a_checkpoint_is_believed(at: int, flip: int) -> None:
    """A byte of the text spoils every signature, a byte of a signature that one; nothing else can become of it."""
    data = bytearray(PUBLIC.encode())
    data[at] ^= flip
    try:
        found = open_checkpoint(bytes(data), [PUBLIC_LOG, PUBLIC_WITNESS])
    except (UnreadableNote, UntrustedNote):
        return
    assert found == read_checkpoint(read_note(PUBLIC.encode())), "a signature by another key was changed, no more"
    assert bytes(data).partition(b"\n\n")[0] == PUBLIC.encode().partition(b"\n\n")[0]


def test_a_note_that_is_too_long_or_has_too_many_signatures_is_refused() -> None:
    with pytest.raises(UnreadableNote, match="at most 1,000,000 bytes"):
        read_note(b"x" * 1_000_001)
    fill = "x" * (1_000_000 - len(EXAMPLE_NOTE.encode()) - 1)
    assert len(read_note(f"{fill}\n{EXAMPLE_NOTE}".encode()).signatures) == 1
    for data in (b"a\n\n", b"a\n", b"\n\n"):
        with pytest.raises(UnreadableNote, match="there are no signatures"):
            read_note(data)
    line = EXAMPLE_NOTE.partition("\n\n")[2]
    assert len(read_note(f"a\n\n{line * 100}".encode()).signatures) == 100
    with pytest.raises(UnreadableNote, match="at most 100 signatures"):
        read_note(f"a\n\n{line * 101}".encode())


def test_what_is_signed_is_a_text_of_lines() -> None:
    for text in ("", "no end", "a\tb\n", "a\r\n"):
        with pytest.raises(ValueError, match="the text of a note"):
            sign_note(text, LOG)


def test_base64_and_numbers_have_one_text_each() -> None:
    assert from_base64("AAAA") == bytes(3)
    assert [from_base64(text) for text in ("AAA", "AAB=", "AA==\n", " AAAA", "AA-_", "è", "A", "=")] == [None] * 8
    assert from_decimal("0", 9) == 0
    assert from_decimal("9", 9) == 9
    for text in ("10", "09", "00", "-1", "+1", "", " 1", "1\n", "٣", "²", "1e3", "9" * 5000):
        assert from_decimal(text, 9) is None
