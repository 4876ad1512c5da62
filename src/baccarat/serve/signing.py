"""The keys of a served house: its own, which signs each stream as a log of its own, and those of its witnesses."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from baccarat.record.keeping import Signers
from baccarat.record.key import Kind, Signer, UnreadableKey, Verifier
from baccarat.serve.store.base import StoreFault

SAFE = "-._~"


def origin_of(house: str, stream: str) -> str:
    """The name of a stream's log: the name of the house's key, and the stream, such as `example.org/house/table/1`."""
    kind, _, name = stream.partition(" ")
    return f"{house}/{quote(kind, safe=SAFE)}" + (f"/{quote(name, safe=SAFE)}" if name else "")


def house_signers(path: str) -> Signers | None:
    """Who signs the streams of a house, from the file of its key; None where it has none. `StoreFault`."""
    if not path:
        return None
    try:
        key = Signer.parse(Path(path).read_text(encoding="utf-8").strip())
    except (OSError, UnicodeDecodeError) as error:
        raise StoreFault(f"{path}: the key that signs checkpoints cannot be read: {_why(error)}") from None
    except UnreadableKey as error:
        raise StoreFault(f"{path}: {error}") from None
    if key.verifier.kind is not Kind.LOG:
        raise StoreFault(f"{path}: is the key of a witness; a house signs with the key of a log")
    made: dict[str, Signer] = {}

    def signer_of(stream: str) -> Signer:
        if stream not in made:
            made[stream] = key.named(origin_of(key.verifier.name, stream))
        return made[stream]

    return signer_of


def witness_keys(path: str) -> tuple[Verifier, ...]:
    """The public keys of the witnesses that a house knows, one a line. `StoreFault`."""
    if not path:
        return ()
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreFault(f"{path}: the keys of witnesses cannot be read: {_why(error)}") from None
    found = list[Verifier]()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            key = Verifier.parse(line.strip())
        except UnreadableKey as error:
            raise StoreFault(f"{path}: line {number}: {error}") from None
        if key.kind is not Kind.WITNESS:
            raise StoreFault(f"{path}: line {number}: is the key of a log; a witness has a key of its own kind")
        found.append(key)
    return tuple(found)


def _why(error: OSError | UnicodeDecodeError) -> str:
    return "it is no text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
