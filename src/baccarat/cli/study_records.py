"""What `baccarat study records` does."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from baccarat.cli.output import put_json, put_line
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_out import study_errors
from baccarat.law.rulebook import Rulebook
from baccarat.report.save import check_path


class RecordsRequest(NamedTuple):
    """What was requested."""

    to: Path
    shoes: int
    first: int
    rounds: int | None
    seed: int


def run(rules: Rulebook, asked: StudyArguments, wanted: RecordsRequest, *, json: bool) -> None:
    """Write the rounds to the file."""
    to, shoes, first, rounds, seed = wanted
    with study_errors(None, shoes=shoes):
        from baccarat.sim.study.round_columns import write_parquet  # noqa: PLC0415

        check_path(to)
        rows = write_parquet(rules, to, seed=seed, shoes=shoes, first=first, rounds=rounds)
    if json:
        put_json({
            "file": str(to), "rows": rows, "rulebook": rules.hash, "seed": seed, "first": first, "shoes": shoes,
            "rounds": rounds, "manifest": asked.manifest(rules),
        })  # fmt: skip
    else:
        put_line(f"written: {to}, {rows:,} rounds of {shoes:,} shoes")
