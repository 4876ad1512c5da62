"""`baccarat simulate`: whole shoes by the million, each wager beside its exact price."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, option, register_editions
from baccarat.cli.set_option import CHANGES, with_options


def simulate(
    submission: str = typer.Argument(
        ...,
        help="The name of a shipped Submission, or the path of a TOML file, or of a JSON file as a manifest has it.",
    ),
    shoes: str | None = option("--shoes", "N", "How many shoes, such as 1000000, 1,000,000 or 1e6."),
    seed: str | None = option("--seed", "S", "A whole number below 2^64; without one, chance chooses and it is shown."),
    first: str = option("--first", "K", "The number of the first shoe.", default="0"),
    rounds: str | None = option(
        "--rounds", "R", "Deal R rounds of every shoe, or as far as its cards go, instead of going to the cover card."
    ),
    detail: str = typer.Option(
        "totals", "--detail", help="How much is counted: totals, pairs (House Money and the like), or royal9."
    ),
    engine: str = typer.Option("auto", "--engine", help="auto, vector, plain, dask or cuda; the counts are the same."),
    workers: int | None = option(
        "--workers", "W", "Threads, or with dask workers; as many as processors unless given."
    ),
    cluster: str | None = option(
        "--cluster", "ADDRESS", "With --engine dask: the scheduler, such as tcp://10.0.0.5:8786."
    ),
    until: str | None = option("--until", "END", 'End when an edge is known so closely: "banker edge ±0.001%".'),
    stake: str | None = option("--stake", "SUM", "Settle at this stake in dollars, rounded as at the table."),
    checkpoint: Path | None = option(
        "--checkpoint", "FILE", "Keep what is done in this file; one that is there is gone on with."
    ),
    show: str | None = option("--show", "K", "Deal shoe K of the seed again instead, with every clause."),
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Simulate whole shoes and set what every wager returned beside its exact price.

    The same seed gives the same counts on any machine, with any engine and any number of workers. Ctrl-C stops: what is
    done is shown and kept in a checkpoint, from which the same command goes on. With --json an object with the counts
    alone as "tally", and beside it estimates and manifest. Status 1 if an engine cannot be had or was lost, 2 if
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
