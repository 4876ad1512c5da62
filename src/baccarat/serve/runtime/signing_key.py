"""The keys of a served house: its own, which signs each stream as a log of its own, and those of its witnesses."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from urllib.parse import quote

from baccarat.engine.entries import SignerOfStream
from baccarat.house.stream import Stream, kind_and_name
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier
from baccarat.serve.store.base import StoreError

SAFE = "-._~"
LONGEST_KEY = 10_000


def origin_of(house: str, stream: Stream) -> str:
    """The name of a stream's log: the name of the house's key, and the stream, such as `example.org/house/table/1`."""
    kind, name = kind_and_name(stream)
    return f"{house}/{quote(kind, safe=SAFE)}" + (f"/{quote(name, safe=SAFE)}" if name else "")


def house_signers(path: str, *, house: str = "") -> SignerOfStream | None:
    """The signers of a house's streams, from the file of its key; None if it has none. Or `StoreError`."""
    if not path:
        return None
    key = read_signer(Path(path), house=house)
    made: dict[str, Signer] = {}

    def signer_of(stream: Stream) -> Signer:
        if stream not in made:
            made[stream] = key.with_name(origin_of(key.verifier.name, stream))
        return made[stream]

    return signer_of


def read_signer(path: Path, *, house: str = "") -> Signer:
    """The house's secret key, in a file that nobody else may read; `StoreError` says what is wrong with it."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LONGEST_KEY:
            raise StoreError(f"{path}: is not a file with a key")
        if os.name != "nt" and found.st_mode & 0o077:
            raise StoreError(f"{path}: others may read this secret key: chmod 600 {path}")
        signer = Signer.parse(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise StoreError(f"{path}: the key cannot be read: {error.strerror}") from None
    except (UnreadableKey, UnicodeDecodeError) as error:
        why = error if isinstance(error, UnreadableKey) else "not a signer key; expected plain text"
        raise StoreError(f"{path}: {why}") from None
    if signer.verifier.kind is not KeyKind.LOG:
        raise StoreError(f"{path}: is the key of a witness; a house signs with the key of a log")
    if house and signer.verifier.name != house:
        raise StoreError(f"{path}: is the key of {signer.verifier.name}, but this house is {house}")
    return signer


def known_witnesses(path: str) -> dict[Verifier, str]:
    """The public keys of the witnesses that a house knows, one per line, each with its address if it has one.

    `StoreError` says what is wrong with the file.
    """
    if not path:
        return {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: the keys of witnesses cannot be read: {_error_reason(error)}") from None
    found = dict[Verifier, str]()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text, _, address = line.strip().partition(" ")
            key = Verifier.parse(text)
        except UnreadableKey as error:
            raise StoreError(f"{path}: line {number}: {error}") from None
        if key.kind is not KeyKind.WITNESS:
            raise StoreError(f"{path}: line {number}: is the key of a log; a witness has a key of its own kind")
        if address and not address.strip().startswith(("https://", "http://")):
            raise StoreError(f"{path}: line {number}: the address of a witness begins with https:// or http://")
        found[key] = address.strip()
    return found


def _error_reason(error: OSError | UnicodeDecodeError) -> str:
    return "it is not text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
