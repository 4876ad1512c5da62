"""`baccarat simulate`: whole shoes by the million, each wager beside its exact price."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.out import EDITIONS, JSON, know
from baccarat.cli.set_option import CHANGES, changed


def simulate(
    submission: str = typer.Argument(..., help="The name of a shipped Submission, or the path of a TOML file."),
    shoes: str | None = typer.Option(
        None, "--shoes", metavar="N", help="How many shoes, such as 1000000, 1,000,000 or 1e6."
    ),
    seed: str | None = typer.Option(
        None, "--seed", metavar="S", help="A whole number below 2^64; without one, chance chooses and it is shown."
    ),
    first: str = typer.Option("0", "--first", metavar="K", help="The number of the first shoe."),
    rounds: str | None = typer.Option(
        None,
        "--rounds",
        metavar="R",
        help="Deal R rounds of every shoe, or as far as its cards go, instead of going to the cover card.",
    ),
    detail: str = typer.Option(
        "totals", "--detail", help="How much is counted: totals, pairs (House Money and the like), or royal9."
    ),
    engine: str = typer.Option("auto", "--engine", help="auto, vector, plain, dask or cuda; the counts are the same."),
    workers: int | None = typer.Option(
        None, "--workers", metavar="W", help="Threads, or with dask workers; as many as processors unless given."
    ),
    cluster: str | None = typer.Option(
        None, "--cluster", metavar="ADDRESS", help="With --engine dask: the scheduler, such as tcp://10.0.0.5:8786."
    ),
    until: str | None = typer.Option(
        None, "--until", metavar="END", help='End when an edge is known so closely: "banker edge ±0.001%".'
    ),
    stake: str | None = typer.Option(
        None, "--stake", metavar="SUM", help="Settle at this stake in dollars, rounded as at the table."
    ),
    checkpoint: Path | None = typer.Option(
        None, "--checkpoint", metavar="FILE", help="Keep what is done in this file; one that is there is gone on with."
    ),
    show: str | None = typer.Option(
        None, "--show", metavar="K", help="Deal shoe K of the seed again instead, with every clause."
    ),
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Simulate whole shoes and set what every wager returned beside its exact price.

    The same seed gives the same counts on any machine, with any engine and any number of workers. Ctrl-C stops: what is
    done is shown and kept in a checkpoint, from which the same command goes on. With --json an object with the counts
    alone as "tally", and beside it estimates and manifest. Status 1 if an engine cannot be had or was lost, 130 if
    stopped. Examples: baccarat simulate ma-midi-4 --shoes 1e6 --seed 7 ·
    baccarat simulate ma-midi-4 --seed 7 --until "banker edge ±0.01%" · baccarat simulate ma-midi-4 --seed 7 --show 12
    """
    from baccarat.cli import simulating  # noqa: PLC0415  other verbs start without it

    know(edition)
    rules = changed(submission, change)
    if show is not None:
        simulating.show_again(rules, seed=seed, number=show, json=json)
        return
    asked = simulating.Asked(
        shoes=shoes, seed=seed, first=first, rounds=rounds, detail=detail, engine=engine, workers=workers,
        cluster=cluster, until=until, stake=stake, checkpoint=checkpoint, json=json,
    )  # fmt: skip
    simulating.run(rules, asked, [submission, *(edition or [])])
