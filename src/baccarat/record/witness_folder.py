"""What a witness needs of a disk: the folder through which logs ask, and its own, where it keeps what it cosigned.

A request is a file `NAME.request`, its answer `NAME.answer` beside it. NAME is the hash of the request: a file that is
still being copied is not read yet, and an answer cannot be taken for that to another request. What the witness keeps
must not lie in that folder: a log that could change it could go back.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from baccarat.record import durable
from baccarat.record.checkpoint import read_checkpoint
from baccarat.record.key import Verifier
from baccarat.record.note import Note, UnreadableNote, UntrustedNote, read_note
from baccarat.record.witness import Answer, Evidence, Request, read_answer

try:
    import fcntl
except ImportError:  # not a Unix
    fcntl = None  # type: ignore[assignment]

MOST_BYTES = 1_010_000
"""A request is a note and at most 63 hashes; nothing longer is read."""


def request_name(request: bytes) -> str:
    """The name under which a request and its answer lie in the folder."""
    return hashlib.sha256(request).hexdigest()


def ask(folder: Path, request: Request) -> str:
    """Put a request into the folder; the name under which it lies there."""
    data = bytes(request)
    name = request_name(data)
    if not (folder / f"{name}.request").exists():
        durable.replace(folder / f"{name}.request", data)
    return name


def answer_to(folder: Path, name: str) -> Answer | None:
    """The answer to a request, if there is one yet."""
    try:
        data = read_at_most(folder / f"{name}.answer")
    except FileNotFoundError:
        return None
    return read_answer(data)


def put_answer(folder: Path, name: str, answer: Answer) -> None:
    """Put the answer beside its request."""
    durable.replace(folder / f"{name}.answer", bytes(answer))


def take_back(folder: Path, name: str) -> None:
    """Remove a request that has been dealt with, and its answer, so that it can be asked anew."""
    for ending in ("request", "answer"):
        with suppress(PermissionError):  # the witness's files may be its own
            (folder / f"{name}.{ending}").unlink(missing_ok=True)


def unanswered(folder: Path) -> Iterator[tuple[str, bytes | None]]:
    """The requests without an answer, by name; None in the place of one that is not whole or may not be read."""
    for path in sorted(folder.glob("*.request")):
        if path.is_file() and not path.with_suffix(".answer").exists():
            try:
                data = read_at_most(path)
            except OSError:  # one log must not keep the witness from the others
                data = b""
            yield path.stem, data if request_name(data) == path.stem else None


def remove_old_answers(folder: Path) -> None:
    """Remove answers whose request is gone: they have been read, and the same may be asked again."""
    for path in folder.glob("*.answer"):
        if not path.with_suffix(".request").exists():
            path.unlink(missing_ok=True)


def read_at_most(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, of an overlong one only so many that it is seen to be overlong."""
    with path.open("rb") as stream:
        return stream.read(most + 1)


class UnreadableMemory(ValueError):  # noqa: N818
    """What a witness kept cannot be read, so that it does not know any more what it has cosigned."""


class FolderMemory:
    """The last checkpoint of each log in a folder, each in a file named by the hash of the log's name."""

    def __init__(self, folder: Path, key: Verifier) -> None:
        self._folder, self._key = folder, key

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
            yield

    def last(self, origin: str) -> Note | None:
        """The last checkpoint of a log that was cosigned, with the cosignature."""
        path = self._path(origin, "checkpoint")
        try:
            note = read_note(path.read_bytes())
            mine = note.verified([self._key])
            if read_checkpoint(note).origin != origin or not mine:
                raise UnreadableNote("a checkpoint of another log")
        except FileNotFoundError:
            return None
        except (UnreadableNote, UntrustedNote) as error:
            raise UnreadableMemory(f"{path}: what was cosigned last cannot be read: {error}") from None
        return note

    def keep(self, origin: str, note: Note) -> None:
        """Put a checkpoint in the place of the last one."""
        durable.replace(self._path(origin, "checkpoint"), bytes(note))

    def accuse(self, origin: str, evidence: Evidence) -> None:
        """Keep evidence against a log, each pair once."""
        data = msgspec.json.format(msgspec.json.encode(evidence)) + b"\n"
        path = self._path(origin, f"{hashlib.sha256(data).hexdigest()[:16]}.evidence")
        if not path.exists():
            durable.replace(path, data)

    def accusations(self) -> list[Path]:
        """The files of evidence."""
        return sorted(self._folder.glob("*.evidence"))

    def _path(self, origin: str, ending: str) -> Path:
        return self._folder / f"{hashlib.sha256(origin.encode()).hexdigest()[:32]}.{ending}"
