"""Ed25519, keys and notes in both small verifiers: RFC 8032's own vectors, and what a lax verifier would accept."""

from __future__ import annotations

import base64
import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

import verify_baccarat as verifier
from baccarat.record.key import KeyKind, Signer
from javascript import VERIFIER, call_verifier, run_node
from verifier_run import EXAMPLE, FILE, run

pytestmark = pytest.mark.slow

RFC_8032 = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
    (
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        hashlib.sha512(b"abc").hexdigest(),
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704",
    ),
)
"""Public key, message and signature of RFC 8032, 7.1: TEST 1, 2, 3 and SHA(abc)."""
FIELD, GROUP = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
Case = tuple[bytes, bytes, bytes]


def both_say(cases: Sequence[Case]) -> list[bool]:
    """Whether each is a signature; both verifiers say the same."""
    python = [verifier.is_signature(*case) for case in cases]
    assert call_verifier([["isSignature", *({"hex": part.hex()} for part in case)] for case in cases]) == python
    return python


def as_bytes(number: int) -> bytes:
    return number.to_bytes(32, "little")


def test_the_vectors_of_the_standard_hold_and_nothing_near_them() -> None:
    cases = [(bytes.fromhex(key), bytes.fromhex(text), bytes.fromhex(sign)) for key, text, sign in RFC_8032]
    assert both_say(cases) == [True] * 4
    near = [
        case
        for key, text, sign in cases
        for case in (
            (key, text + b"x", sign),
            (key, text, bytes([sign[0] ^ 1]) + sign[1:]),
            (key, text, sign[:40] + bytes([sign[40] ^ 1]) + sign[41:]),
            (bytes([key[0] ^ 1]) + key[1:], text, sign),
            (key, text, sign[:-1]),
            (key, text, sign + b"\0"),
        )
    ]
    assert not any(both_say(near))


def test_sha512_agrees_with_the_library_around_its_blocks() -> None:
    data = [bytes(range(256))[:length] * times for length in (0, 1, 111, 112, 127, 128, 239, 240) for times in (1, 3)]
    answers = call_verifier([["sha512", {"hex": one.hex()}] for one in data])
    assert [one["hex"] for one in answers] == [hashlib.sha512(one).hexdigest() for one in data]


def test_only_one_spelling_of_a_signature_and_of_a_key_is_accepted() -> None:
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    key, text = secret.public_key().public_bytes_raw(), b"a text"
    sign = secret.sign(text)
    scalar = int.from_bytes(sign[32:], "little")
    assert both_say([(key, text, sign)]) == [True]
    # S + L is the same scalar in another spelling; y + p the same coordinate; 2 is no coordinate of a point.
    lax = [(key, text, sign[:32] + as_bytes(scalar + GROUP)), (as_bytes(2), text, sign), (bytes(32), text, bytes(64))]
    # The neutral point in two spellings that are not the only one, as R: the check would hold with S = 0 and A neutral.
    lax += [(as_bytes(1 + FIELD), text, as_bytes(1) + bytes(32)), (as_bytes(1), text, as_bytes(1 + FIELD) + bytes(32))]
    lax += [(as_bytes(1), text, as_bytes(1 | 1 << 255) + bytes(32)), (as_bytes(1 | 1 << 255), text, sign)]
    assert not any(both_say(lax))


def test_both_agree_with_the_library_over_many_keys_and_changes() -> None:
    cases: list[Case] = []
    for number in range(40):
        secret = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"%d" % number).digest())
        text = b"text %d" % number * number
        made = bytearray(secret.sign(text))
        if number % 2:
            made[number] ^= 1 << number % 8
        cases.append((secret.public_key().public_bytes_raw(), text, bytes(made)))
    expected = []
    for key, text, sign in cases:
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(sign, text)
            expected.append(True)
        except InvalidSignature:
            expected.append(False)
    assert both_say(cases) == expected
    assert sum(expected) == 20


def key_text(name: str, data: bytes) -> str:
    """A key with the id that belongs to it."""
    key_id = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4].hex()
    return f"{name}+{key_id}+{base64.b64encode(data).decode()}"


GOOD_KEY = Signer("example.org/house", KeyKind.LOG, bytes(32)).verifier
ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
NO_KEYS = {
    "nothing": "",
    "two parts": "example.org/house+00000000",
    "a secret key": Signer("example.org/house", KeyKind.LOG, bytes(32)).secret,
    "another id": str(GOOD_KEY).replace(GOOD_KEY.id.hex(), "00000000"),
    "another name": str(GOOD_KEY).replace("house", "hause"),
    "a space in the name": key_text("a b", b"\1" + GOOD_KEY.public),
    "another type": key_text("a", b"\2" + GOOD_KEY.public),
    "too short": key_text("a", b"\1" + GOOD_KEY.public[:-1]),
    "base64 in another spelling": str(GOOD_KEY)[:-1] + "=\n",
    **{
        f"small order {number}": key_text("a", b"\1" + as_bytes(y))
        for number, y in enumerate((0, 1, FIELD - 1, ORDER_8, FIELD - ORDER_8, 1 << 255, FIELD, FIELD + 1, 2**255 - 1))
    },
}


def test_a_text_that_is_no_key_is_wrong_usage_and_is_not_repeated() -> None:
    for name, text in NO_KEYS.items():
        with pytest.raises(verifier.WrongError) as error:
            verifier.read_key(text)
        assert not text or text not in str(error.value), name
    words = [NO_KEYS["a secret key"], NO_KEYS["small order 1"], "/no/such/file"]
    for text in words:
        done = run_node(str(VERIFIER), str(EXAMPLE), "--key", text)
        assert (done.returncode, done.stdout) == (2, b"")
        assert text.encode() not in done.stderr.replace(b"no/such", b"")
        assert b"    at " not in done.stderr
        assert python_usage(text) == 2
    bundle = json.loads(EXAMPLE.read_bytes())
    texts = [json.dumps(bundle | {"keys": [text]}) for text in NO_KEYS.values()]
    assert {report["status"] for report in call_verifier([["verify", text] for text in texts])} == {2}
    assert {verifier.verify(text.encode()).status for text in texts} == {2}


def python_usage(key: str) -> int:
    done = subprocess.run([sys.executable, str(FILE), str(EXAMPLE), "--key", key], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""
    return done.returncode


def test_keys_come_as_text_or_in_files_with_comments(tmp_path: Path) -> None:
    keys = json.loads(EXAMPLE.read_bytes())["keys"]
    (tmp_path / "keys").write_text(f"# ours\n{keys[0]}\n\n{keys[1]}\n")
    size = int(json.loads(EXAMPLE.read_bytes())["checkpoint"].split("\n")[1])
    line = f"signed to {size} by example.org/house/table/1 · cosigned to {size} by example.org/surveillance (1 of 1)"
    for words in ((str(tmp_path / "keys"),), (keys[0], keys[1])):
        given = [part for word in words for part in ("--key", word)]
        status, shown = run(str(EXAMPLE), *given)
        assert (status, line in shown) == (3, True)
        done = run_node(str(VERIFIER), str(EXAMPLE), *given)
        assert (done.returncode, line in done.stdout.decode()) == (3, True)
