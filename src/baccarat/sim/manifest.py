"""Manifests: what a simulation was run on and with, beside what it found, so that anybody can run it again."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from baccarat import __version__
from baccarat.sim.engine import Engine
from baccarat.sim.job import Job
from baccarat.sim.tally import Tally
from baccarat.sim.until import Until

PACKAGES = ("numpy", "numba", "llvmlite", "distributed", "cupy-cuda12x", "cupy-cuda13x")


def manifest(
    job: Job, engine: Engine, tally: Tally, *, seconds: float, until: Until | None = None, resumed: int = 0
) -> dict[str, Any]:
    """What was asked, who dealt, on which machine, how long, and the hash of what was found; `resumed` shoes before."""
    return {
        "program": f"baccarat {__version__}",
        "edition": job.rules.edition.name,
        "rulebook": job.rules.hash,
        "submission": job.rules.submission,
        "seed": job.seed,
        "first": job.shoes.first,
        "shoes": job.shoes.shoes,
        "rounds_per_shoe": job.rounds,
        "detail": job.detail,
        "until": None if until is None else str(until),
        "ranges": [[each.first, each.shoes] for each in tally.ranges],
        "engine": engine.name,
        "engine_about": engine.about,
        "workers": engine.workers,
        "notes": list(engine.notes),
        "resumed_after_shoes": resumed,
        "prepared_seconds": round(engine.prepared, 3),
        "seconds": round(seconds, 3),
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
