"""The keys of a served house: its own, which signs each stream as a log of its own, and those of its witnesses."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

import msgspec

from baccarat.house.stream import Stream
from baccarat.record.checkpoint import Checkpoint, read_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier
from baccarat.record.note import UnreadableNote, UntrustedNote, read_note
from baccarat.record.origin import SUCCESSOR_LINE, origin_of, split_successor, stream_in
from baccarat.record.witness_http import PATH
from baccarat.serve.store.base import Reads, StoreError
from baccarat.shuffle import MOST_WITNESSES

LONGEST_KEY = 10_000
LONGEST_NOTE = 100_000


class HouseSigners:
    """The signers of a house's streams, each under the name of its log.

    The log of a stream that lost cosigned entries has a successor's name (`lost` has the last cosigned checkpoint under
    the name before), and each of its checkpoints names the log that it continues, in a line of its own.
    """

    def __init__(self, key: Signer, lost: Mapping[Stream, Checkpoint]) -> None:
        self._key, self._lost = key, lost
        self._made: dict[Stream, Signer] = {}

    def __call__(self, stream: Stream) -> Signer:
        if stream not in self._made:
            self._made[stream] = self._key.with_name(self._name(stream))
        return self._made[stream]

    def _name(self, stream: Stream) -> str:
        first, lost = origin_of(self._key.verifier.name, stream), self._lost.get(stream)
        return first if lost is None else f"{first}/{successor_number(lost.origin, first) + 1}"

    def extensions(self, stream: Stream) -> tuple[str, ...]:
        """The lines that every checkpoint of a stream has below its root."""
        lost = self._lost.get(stream)
        return () if lost is None else (f"{SUCCESSOR_LINE} {lost.origin} {lost.size} {to_base64(lost.root)}",)

    def signed_sizes(self, reads: Reads) -> dict[Stream, int]:
        """How many entries of each stream are signed under its name now.

        `StoreError` if one is signed under the name of a later successor: its old name must not be used again.
        """
        found = dict[Stream, int]()
        for stream in reads.heads():
            row = reads.latest_checkpoint(stream)
            if row is None:
                continue
            signed, first = read_checkpoint(read_note(row.note)).origin, origin_of(self._key.verifier.name, stream)
            name = self._name(stream)
            if signed == name:
                found[stream] = row.size
            elif successor_number(signed, first) > successor_number(name, first):
                raise StoreError(f"{stream} is signed as {signed}: name the checkpoint of the log before in lost_logs")
        return found


def successor_number(origin: str, first: str) -> int:
    """Which successor of a log a name is: 1 for the log itself, 0 for another log."""
    base, number = (origin, 1) if origin == first else split_successor(origin)
    return number if base == first else 0


def house_signers(path: str, *, house: str = "", lost_logs: str = "") -> HouseSigners | None:
    """The signers of a house's streams, from the file of its key; None if it has none. Or `StoreError`."""
    if not path:
        return None
    key = read_signer(Path(path), house=house)
    lost = dict[Stream, Checkpoint]()
    for each in filter(None, map(str.strip, lost_logs.split(","))):
        stream, checkpoint = _lost_log(Path(each), key.verifier)
        first, known = origin_of(key.verifier.name, stream), lost.get(stream)
        if known is None or successor_number(checkpoint.origin, first) > successor_number(known.origin, first):
            lost[stream] = checkpoint
    return HouseSigners(key, lost)


def _lost_log(path: Path, house: Verifier) -> tuple[Stream, Checkpoint]:
    """The last checkpoint of a log that lost entries, signed by the house, and the stream of that log."""
    try:
        with path.open("rb") as file:
            note = read_note(file.read(LONGEST_NOTE))
        found = read_checkpoint(note)
        note.verified_signatures([Verifier(found.origin, KeyKind.LOG, house.public)])
    except OSError as error:
        raise StoreError(f"{path}: the checkpoint cannot be read: {error.strerror}") from None
    except (UnreadableNote, UntrustedNote) as error:
        raise StoreError(f"{path}: is not a checkpoint that this house has signed: {error}") from None
    names = (found.origin, split_successor(found.origin)[0])
    stream = next((each for name in names if (each := stream_in(name, house=house.name)) is not None), None)
    if stream is None:
        raise StoreError(f"{path}: {found.origin} is not the log of a stream of {house.name}")
    return stream, found


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


class KnownWitness(msgspec.Struct, frozen=True):
    """A witness as the file of witnesses names it: its address, and the key of its shares in orders, if it has one."""

    address: str = ""
    share_key: Verifier | None = None


def known_witnesses(path: str) -> dict[Verifier, KnownWitness]:
    """The witnesses that a house knows by their public keys, one per line: the key, its address, and its share key.

    Those with a share key have a share in the order of every electronic shoe of every table. `StoreError` says what is
    wrong with the file.
    """
    if not path:
        return {}
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: the keys of witnesses cannot be read: {_error_reason(error)}") from None
    found = dict[Verifier, KnownWitness]()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text, address, share, *more = [*line.split(), "", ""][: max(3, len(line.split()))]
            key, share_key = Verifier.parse(text), Verifier.parse(share) if share else None
        except UnreadableKey as error:
            raise StoreError(f"{path}: line {number}: {error}") from None
        if key.kind is not KeyKind.WITNESS:
            raise StoreError(f"{path}: line {number}: is the key of a log; a witness has a key of its own kind")
        if more or (address and not address.startswith(("https://", "http://"))):
            raise StoreError(f"{path}: line {number}: the address of a witness begins with https:// or http://")
        if address.endswith(PATH):
            raise StoreError(
                f"{path}: line {number}: the address of a witness ends before {PATH}, which is added to it"
            )
        if share_key is not None and share_key.kind is not KeyKind.LOG:
            raise StoreError(f"{path}: line {number}: is not the share key of a witness, but a key by which it cosigns")
        found[key] = KnownWitness(address, share_key)
    shares = [each.share_key.public for each in found.values() if each.share_key is not None]
    if len(shares) > MOST_WITNESSES or len(set(shares)) < len(shares):
        raise StoreError(f"{path}: at most {MOST_WITNESSES} share keys, all different")
    return found


def _error_reason(error: OSError | UnicodeDecodeError) -> str:
    return "it is not text" if isinstance(error, UnicodeDecodeError) else str(error.strerror)
