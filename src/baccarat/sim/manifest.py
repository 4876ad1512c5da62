"""Manifests: what a simulation or a study was run on and with, next to its results: anybody can run it again."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from baccarat import __version__
from baccarat.law.rulebook import Rulebook
from baccarat.sim.engine import Engine
from baccarat.sim.job import Job, encode_rulebook
from baccarat.sim.stopping_rule import Until
from baccarat.sim.tally import Tally

PROGRAM = f"baccarat {__version__}"
PACKAGES = ("numpy", "numba", "llvmlite", "distributed", "cupy-cuda12x", "cupy-cuda13x", "pyarrow")


class ManifestRequest(NamedTuple):
    """What a person asked for, as far as the job does not contain it."""

    submission: str
    """The name of the Submission, or the path of its file."""
    changes: tuple[str, ...]
    """What was elected differently, `OPTION=VALUE`."""
    stake: int | None
    until: Until | None


def manifest(
    job: Job, engine: Engine, tally: Tally, request: ManifestRequest, *, command: tuple[str, ...] | None,
    seconds: float, resumed: Tally,
) -> dict[str, Any]:  # fmt: skip
    """What was requested, which engine dealt, on which machine, how long, the result's hash, and what it `resumed`.

    `command` are the words that give the same counts and estimates again on any engine; None if none do. The
    Submission is included whole, and so is the text of an edition that does not come with the program.
    """
    stake, until = request.stake, request.until
    return {
        "program": PROGRAM,
        "command": None if command is None else list(command),
        **rules_data(job.rules),
        "submission_name": request.submission,
        "changes": list(request.changes),
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
        **_run_data(seconds),
        "tally_sha256": tally.hash,
    }


def study_manifest(
    rules: Rulebook, *, command: Sequence[str], submission: str, changes: Sequence[str], options: Mapping[str, Any],
    strategies: Sequence[Mapping[str, Any]], seconds: float,
) -> dict[str, Any]:  # fmt: skip
    """The same for a study: the words that run it again, its options by name, and what each seat plays."""
    return {
        "program": PROGRAM,
        "command": list(command),
        **rules_data(rules),
        "submission_name": submission,
        "changes": list(changes),
        "options": dict(options),
        "strategies": list(strategies),
        **_run_data(seconds),
    }


def rules_data(rules: Rulebook) -> dict[str, Any]:
    """The rules, whole: what was filed, and the text of an edition that does not come with the program."""
    return {
        "edition": rules.edition.name,
        "edition_text": encode_rulebook(rules).edition,
        "rulebook": rules.hash,
        "submission": rules.submission,
    }


def _run_data(seconds: float) -> dict[str, Any]:
    """How long it took, when it ended, and on what it ran."""
    return {
        "seconds": round(seconds, 6),
        "ended": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        "packages": {name: found for name in PACKAGES if (found := _version(name)) is not None},
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
