"""`baccarat simulate`: whole shoes by the million, each wager compared with its exact price."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, option, register_editions
from baccarat.cli.set_option import CHANGES, with_options


def simulate(
    submission: str = typer.Argument(
        ...,
        help="The name of a shipped Submission, or the path of a TOML file, or of a JSON file as in a manifest.",
    ),
    shoes: str | None = option("--shoes", "N", "How many shoes, such as 1000000, 1,000,000 or 1e6."),
    seed: str | None = option("--seed", "S", "A whole number below 2^64; by default a random one, which is shown."),
    first: str = option("--first", "K", "The number of the first shoe.", default="0"),
    rounds: str | None = option(
        "--rounds", "R", "Deal R rounds of every shoe, or as far as its cards go, instead of up to the cover card."
    ),
    detail: str = typer.Option(
        "totals", "--detail", help="How much is counted: totals, pairs (House Money and the like), or royal9."
    ),
    engine: str = typer.Option("auto", "--engine", help="auto, vector, plain, dask or cuda; the counts are the same."),
    workers: int | None = option("--workers", "W", "Threads, or with dask workers; by default one per processor."),
    cluster: str | None = option(
        "--cluster", "ADDRESS", "With --engine dask: the scheduler, such as tcp://10.0.0.5:8786."
    ),
    until: str | None = option("--until", "END", 'End when an edge is known this closely: "banker edge ±0.001%".'),
    stake: str | None = option("--stake", "SUM", "Settle at this stake in dollars, rounded as at the table."),
    checkpoint: Path | None = option("--checkpoint", "FILE", "Save progress in this file; an existing one is resumed."),
    show: str | None = option("--show", "K", "Deal shoe K of the seed again instead, with every clause."),
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Simulate whole shoes and compare what every wager returned with its exact price.

    The same seed gives the same counts on any machine, with any engine and any number of workers. Ctrl-C stops it; the
    results so far are shown and saved in a checkpoint, from which the same command resumes. --json prints an object
    with the counts as "tally", estimates and manifest. Status 1 if an engine is unavailable or was lost, 2 if
    its library is not installed, 130 if stopped. Examples: baccarat simulate ma-midi-4 --shoes 1e6 --seed 7 ·
    baccarat simulate ma-midi-4 --seed 7 --until "banker edge ±0.01%" · baccarat simulate ma-midi-4 --seed 7 --show 12
    """
    from baccarat.cli import simulate_run  # noqa: PLC0415  other verbs start without it

    register_editions(edition)
    rules = with_options(submission, change)
    asked = simulate_run.SimulateArguments(
        submission=submission, changes=tuple(change or ()), editions=tuple(edition or ()),
        shoes=shoes, seed=seed, first=first, rounds=rounds, detail=detail, engine=engine, workers=workers,
        cluster=cluster, until=until, stake=stake, checkpoint=checkpoint, json=json,
    )  # fmt: skip
    if show is None:
        simulate_run.run(rules, asked)
    else:
        simulate_run.show_again(rules, asked, show)
