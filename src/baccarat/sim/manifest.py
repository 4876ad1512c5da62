"""Manifests: what a simulation was run on and with, beside what it found, so that anybody can run it again."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from baccarat import __version__
from baccarat.sim.engine import Engine
from baccarat.sim.job import Job, sent
from baccarat.sim.tally import Tally
from baccarat.sim.until import Until

PACKAGES = ("numpy", "numba", "llvmlite", "distributed", "cupy-cuda12x", "cupy-cuda13x")


class Request(NamedTuple):
    """What a person asked for, as far as the job does not say it."""

    submission: str
    """The name of the Submission, or the path of its file."""
    changes: tuple[str, ...]
    """What was elected otherwise, `OPTION=VALUE`."""
    stake: int | None
    until: Until | None


def manifest(
    job: Job, engine: Engine, tally: Tally, request: Request, *, command: tuple[str, ...] | None, seconds: float,
    resumed: Tally,
) -> dict[str, Any]:  # fmt: skip
    """What was asked, who dealt, on which machine, how long, and the hash of what was found; what was `resumed` from.

    `command` are the words that ask for the same counts and estimates again, whoever deals; None where none do.
    The Submission is there whole, and so is the text of an edition that does not come with the program.
    """
    stake, until = request.stake, request.until
    return {
        "program": f"baccarat {__version__}",
        "command": None if command is None else list(command),
        "edition": job.rules.edition.name,
        "edition_text": sent(job.rules).edition,
        "rulebook": job.rules.hash,
        "submission_name": request.submission,
        "changes": list(request.changes),
        "submission": job.rules.submission,
        "seed": job.seed,
        "first": job.shoes.first,
        "shoes": job.shoes.shoes,
        "rounds_per_shoe": job.rounds,
        "detail": job.detail,
        "stake": None if stake is None else int(stake),
        "until": None if until is None else str(until),
        "ranges": [[each.first, each.shoes] for each in tally.ranges],
        "engine": engine.name,
        "engine_about": engine.about,
        "workers": engine.workers,
        "notes": list(engine.notes),
        "resumed_after_shoes": resumed.shoes,
        "resumed_after_rounds": resumed.rounds,
        "prepared_seconds": round(engine.prepared, 6),
        "seconds": round(seconds, 6),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        "packages": {name: found for name in PACKAGES if (found := _version(name)) is not None},
        "tally_sha256": tally.hash,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
