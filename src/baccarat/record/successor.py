"""What a log says of the one that it continues, compared with what that one has signed itself.

A log that lost cosigned entries continues under the name of a successor, each checkpoint of which names the last one
of the log before it (`origin.py`). Anyone who has that checkpoint, or a later one, can tell whether it is true.
"""

from __future__ import annotations

from baccarat.record.checkpoint import Checkpoint
from baccarat.record.origin import Predecessor, earlier_logs, predecessor
from baccarat.record.text import visible


def continued_log(checkpoint: Checkpoint) -> Predecessor | None:
    """The log that a checkpoint says it continues."""
    return predecessor(checkpoint.origin, checkpoint.extensions) if checkpoint.extensions else None


def contradiction(successor: Checkpoint, earlier: Checkpoint) -> str:
    """How the checkpoint of an earlier log contradicts what its successor says; empty if it does not."""
    stated, names = continued_log(successor), list(earlier_logs(successor.origin))
    if stated is None or earlier.origin not in names:
        return ""
    name, before = visible(successor.origin), visible(stated.origin)
    if names.index(earlier.origin) > names.index(stated.origin):
        return f"{name} claims to continue {before}, but {visible(earlier.origin)} was signed later"
    if earlier.origin != stated.origin:
        return ""
    if earlier.size > stated.size:
        return f"{name} says that {stated.size:,} entries of {before} were signed, but {earlier.size:,} were"
    if earlier.size == stated.size and earlier.root != stated.root:
        return f"{name} states another root for {stated.size:,} entries of {before} than was signed"
    return ""
