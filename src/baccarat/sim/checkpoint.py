"""Checkpoints: a tally in a file, from which its simulation resumes.

A checkpoint is written to a temporary file, synced to disk, and renamed into place: whatever happens meanwhile, the
last complete one stays. A file that is incomplete, or is something else, is refused and left as it is.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from baccarat.law.rulebook import Rulebook
from baccarat.record.durable import written_whole
from baccarat.sim.tally import BadTally, Tally, read_tally

FORMAT = 1
MOST_BYTES = 1 << 24
"""No checkpoint is longer."""


class BadCheckpoint(ValueError):  # noqa: N818  shown to the user
    """A file that is not a checkpoint of this simulation; it has been left as it is."""


class CheckpointNotSaved(OSError):  # noqa: N818  shown to the user
    """A checkpoint that could not be written; the previous one is still there."""


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A checkpoint as it is on disk."""

    baccarat_simulation: int
    sha256: str
    submission: dict[str, Any]
    tally: dict[str, Any]


def _digest(submission: object, tally: object) -> str:
    canon = msgspec.json.encode({"submission": submission, "tally": tally}, order="sorted")
    return hashlib.sha256(canon).hexdigest()


def write_checkpoint(path: Path, tally: Tally) -> None:
    """Write a tally to a file, whole or not at all."""
    submission, data = tally.rules.submission, tally.as_data()
    made = {"baccarat_simulation": FORMAT, "sha256": _digest(submission, data), "submission": submission, "tally": data}
    try:
        if path.exists() and not path.is_file():
            raise CheckpointNotSaved(f"{path}: is not a regular file")
        with written_whole(path.resolve()) as part:
            part.write_bytes(msgspec.json.encode(made) + b"\n")
    except CheckpointNotSaved:
        raise
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        raise CheckpointNotSaved(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def read_checkpoint(path: Path, rules: Rulebook) -> Tally:
    """The tally that a checkpoint holds; `BadCheckpoint` says what is wrong with it."""
    try:
        if path.exists() and not path.is_file():  # opening a pipe would block forever
            raise BadCheckpoint(f"{path}: is not a regular file")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except BadCheckpoint:
        raise
    except (OSError, ValueError) as error:
        raise BadCheckpoint(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    kept = "; it is left as it is: name another file, or move it away"
    try:
        if len(content) > MOST_BYTES:
            raise BadTally("longer than any checkpoint")
        found = msgspec.json.decode(content, type=_File)
        if found.baccarat_simulation != FORMAT:
            raise BadTally(f"written in format {found.baccarat_simulation}; this program knows {FORMAT}")
        if _digest(found.submission, found.tally) != found.sha256:
            raise BadTally("its checksum does not match: it has been changed or damaged")
        return read_tally(found.tally, rules)
    except msgspec.MsgspecError as error:
        raise BadCheckpoint(f"{path}: is not a complete checkpoint of a simulation ({error}){kept}") from None
    except BadTally as error:
        raise BadCheckpoint(f"{path}: {error}{kept}") from None
