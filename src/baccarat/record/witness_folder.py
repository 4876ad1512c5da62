"""The folders of a witness: the one through which logs ask, and its own, where it stores what it cosigned.

A request is a file `NAME.request`, its answer `NAME.answer` next to it. NAME is the hash of the request: a file that is
still being copied is not read yet, and an answer cannot be mistaken for the answer to another request. What the witness
stores must not be in that folder: a log that could change it could rewrite its history.

Anybody may have written into the folder. No link in it is followed, no read waits or is unbounded, and one unusable
file does not keep the witness from the others.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from baccarat.chain import is_hash
from baccarat.record import durable
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Verifier
from baccarat.record.misread import MISREAD, why_unread
from baccarat.record.note import SignedNote, UnreadableNote, UntrustedNote, read_note
from baccarat.record.origin import split_successor
from baccarat.record.witness import AddCheckpointRequest, Evidence, WitnessAnswer, WitnessStopped, read_answer
from baccarat.record.witness_share import OpenedShare, read_share_request

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None  # type: ignore[assignment]

MOST_BYTES = 1_010_000
"""A request is a note and at most 63 hashes; nothing longer is read."""


def request_name(request: bytes) -> str:
    """The name of a request and its answer in the folder."""
    return hashlib.sha256(request).hexdigest()


def ask(folder: Path, request: AddCheckpointRequest) -> str:
    """Put a request into the folder; returns its name there."""
    data = bytes(request)
    name = request_name(data)
    if not _is_file(folder / f"{name}.request"):
        durable.replace(folder / f"{name}.request", data)
    return name


def answer_to(folder: Path, name: str) -> WitnessAnswer | None:
    """The answer to a request, if there is one yet."""
    try:
        data = _read_file(folder / f"{name}.answer")
    except FileNotFoundError:
        return None
    return read_answer(data)


def put_answer(folder: Path, name: str, answer: WitnessAnswer) -> None:
    """Put the answer next to its request."""
    durable.replace(folder / f"{name}.answer", bytes(answer))


def take_back(folder: Path, name: str) -> None:
    """Remove a request that is done, and its answer, so that the same can be asked again."""
    for ending in ("request", "answer"):
        with suppress(PermissionError, IsADirectoryError):  # the witness may own its files
            (folder / f"{name}.{ending}").unlink(missing_ok=True)


class UnusableRequest(msgspec.Struct, frozen=True):
    """Why a request cannot be answered."""

    say: str


def unanswered_requests(folder: Path) -> Iterator[tuple[str, bytes | UnusableRequest | None]]:
    """The requests without an answer, by name; None in place of one that is still being copied."""
    for name in sorted(path.name.removesuffix(".request") for path in folder.glob("*.request")):
        if not _is_file(folder / f"{name}.answer"):
            try:
                found = _request(folder, name)
            except FileNotFoundError:  # taken back in the meantime
                continue
            yield name, found


def _request(folder: Path, name: str) -> bytes | UnusableRequest | None:
    if not is_hash(name):
        return UnusableRequest("not a request: expected the SHA-256 of the request as its name")
    try:
        data = _read_file(folder / f"{name}.request")
    except FileNotFoundError:
        raise
    except OSError as error:
        return UnusableRequest(f"cannot be read: {error.strerror}")
    if len(data) > MOST_BYTES:
        return UnusableRequest(f"longer than {MOST_BYTES:,} bytes, the most for a request")
    return data if request_name(data) == name else None


def remove_old_answers(folder: Path) -> list[tuple[str, UnusableRequest]]:
    """Remove answers whose request is gone: they have been read, and the same may be asked again.

    Returns those that cannot be removed.
    """
    left = []
    for path in sorted(folder.glob("*.answer")):
        if is_hash(path.stem) and not os.path.lexists(path.with_suffix(".request")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                left.append((path.stem, UnusableRequest(f"its old answer cannot be removed: {error.strerror}")))
    return left


def _is_file(path: Path) -> bool:
    """Whether this is a file, and not a link to one."""
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except FileNotFoundError:
        return False


def _read_file(path: Path) -> bytes:
    """The bytes of a file, as in `read_at_most`; `OSError` if it is a pipe, a link, …"""
    only = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, os.O_RDONLY | only)  # otherwise a pipe without a writer would block us
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(error.errno, "it is a link") from None
        raise
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "it is not a file")
    with os.fdopen(handle, "rb") as stream:
        return stream.read(MOST_BYTES + 1)


def read_at_most(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; of an overlong one just enough to see that it is overlong."""
    with path.open("rb") as stream:
        return stream.read(most + 1)


class UnreadableMemory(WitnessStopped):
    """What a witness stored cannot be read, so that it no longer knows what it has cosigned."""


class FolderMemory:
    """The last checkpoint of each log in a folder, each in a file named by the hash of the log's name.

    Each share that was opened has a file of its own, named by the hashes of the log's name and of the shoe.
    """

    def __init__(self, folder: Path, key: Verifier) -> None:
        self._folder, self._key = folder, key
        self._answered: dict[str, dict[str, bytes]] = {}
        self.accused: set[Path] = set()
        """The files of evidence that this object has written or counted up."""

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the folder alone: two witnesses with one memory could each cosign what the other must not."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (self._folder / "lock").open("wb") as handle:
            if fcntl is not None:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise BlockingIOError(errno.EAGAIN, "another witness is at work with this memory") from None
            for path in self._folder.glob("*.rolled-back"):
                raise UnreadableMemory(
                    f"{path}: this memory is older than that checkpoint, which the witness has cosigned; "
                    "give it a new key, a new name and a new memory"
                )
            yield

    def last_cosigned(self, origin: str) -> SignedNote | None:
        """The last checkpoint of a log that was cosigned, with the cosignature."""
        path = self._path(origin, "checkpoint")
        try:
            note = read_note(path.read_bytes())
            mine = note.verified_signatures([self._key])
            if read_checkpoint(note).origin != origin or not mine:
                raise UnreadableNote("a checkpoint of another log")
        except FileNotFoundError:
            return None
        except (UnreadableNote, UntrustedNote) as error:
            raise UnreadableMemory(f"{path}: what was cosigned last cannot be read: {error}") from None
        return note

    def keep(self, origin: str, note: SignedNote) -> None:
        """Replace the last checkpoint by this one."""
        durable.replace(self._path(origin, "checkpoint"), bytes(note))

    def accuse(self, origin: str, evidence: Evidence) -> None:
        """Store evidence against a log: the first of each kind, and how often there was more."""
        path = self._path(origin, f"{evidence.kind.replace(' ', '-')}.evidence")
        try:
            first = msgspec.json.decode(path.read_bytes(), type=Evidence)
            evidence = msgspec.structs.replace(first, times=first.times + 1)
        except FileNotFoundError:
            pass
        except MISREAD as error:
            say = why_unread(path.read_bytes(), Evidence, error)
            raise UnreadableMemory(f"{path}: the evidence against a log cannot be read: {say}") from None
        durable.replace(path, msgspec.json.format(msgspec.json.encode(evidence)) + b"\n")
        self.accused.add(path)

    def newest_name(self, origin: str) -> str:
        """The name under which a log is watched now."""
        path = self._path(origin, "successor")
        try:
            name = path.read_bytes().decode()
        except FileNotFoundError:
            return origin
        except UnicodeDecodeError:
            name = ""
        if not name.endswith("\n") or split_successor(name[:-1])[0] != origin:
            raise UnreadableMemory(f"{path}: the name of the successor of {origin} cannot be read")
        return name[:-1]

    def admit(self, origin: str, successor: str) -> None:
        """Replace the name under which a log is watched."""
        durable.replace(self._path(origin, "successor"), f"{successor}\n".encode())

    def distrust(self, origin: str, note: SignedNote) -> None:
        """Store a cosignature that this memory does not know: nothing is answered from it any more."""
        durable.replace(self._path(origin, "rolled-back"), bytes(note))

    def opened_share(self, origin: str, shoe: str) -> OpenedShare | None:
        """The share that was opened for a shoe."""
        path = self._share_path(origin, shoe)
        found = _read_opened(path)
        if found is not None and (found.origin, found.shoe) != (origin, shoe):
            raise UnreadableMemory(f"{path}: the share of another log or shoe")
        return found

    def keep_share(self, opened: OpenedShare) -> None:
        """Store an opened share."""
        durable.replace(self._share_path(opened.origin, opened.shoe), msgspec.json.encode(opened) + b"\n")
        if opened.origin in self._answered:
            self._answered[opened.origin][opened.shoe] = opened.leaf

    def answered(self, origin: str) -> dict[str, bytes]:
        """The closing of each shoe of a log; read from the folder once, because nobody else writes there."""
        if origin not in self._answered:
            paths = sorted(self._folder.glob(f"{_short_hash(origin)}.*.share"))
            found = [opened for path in paths if (opened := _read_opened(path)) is not None]
            self._answered[origin] = {opened.shoe: opened.leaf for opened in found}
        return self._answered[origin]

    @property
    def has_shares(self) -> bool:
        """Whether any share was ever opened."""
        return any(self._folder.glob("*.share"))

    def _path(self, origin: str, ending: str) -> Path:
        return self._folder / f"{_short_hash(origin)}.{ending}"

    def _share_path(self, origin: str, shoe: str) -> Path:
        return self._path(origin, f"{_short_hash(shoe)}.share")


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _read_opened(path: Path) -> OpenedShare | None:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        opened = msgspec.json.decode(data, type=OpenedShare)
        read_share_request(opened.request.encode())
    except UnreadableNote as error:
        raise UnreadableMemory(f"{path}: the request for a share cannot be read: {error}") from None
    except MISREAD as error:
        say = why_unread(data, OpenedShare, error)
        raise UnreadableMemory(f"{path}: a share that was opened cannot be read: {say}") from None
    return opened
