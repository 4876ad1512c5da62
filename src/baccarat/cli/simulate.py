"""`baccarat simulate`: whole shoes by the million, each wager beside its exact price."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.output import EDITIONS, JSON, register_editions
from baccarat.cli.set_option import CHANGES, with_options

SUBMISSION = typer.Argument(
    ..., help="The name of a shipped Submission, or the path of a TOML file, or of a JSON file as a manifest has it."
)
SHOES = typer.Option(None, "--shoes", metavar="N", help="How many shoes, such as 1000000, 1,000,000 or 1e6.")
SEED = typer.Option(
    None, "--seed", metavar="S", help="A whole number below 2^64; without one, chance chooses and it is shown."
)
FIRST = typer.Option("0", "--first", metavar="K", help="The number of the first shoe.")
ROUNDS = typer.Option(
    None,
    "--rounds",
    metavar="R",
    help="Deal R rounds of every shoe, or as far as its cards go, instead of going to the cover card.",
)
DETAIL = typer.Option(
    "totals", "--detail", help="How much is counted: totals, pairs (House Money and the like), or royal9."
)
ENGINE = typer.Option("auto", "--engine", help="auto, vector, plain, dask or cuda; the counts are the same.")
WORKERS = typer.Option(
    None, "--workers", metavar="W", help="Threads, or with dask workers; as many as processors unless given."
)
CLUSTER = typer.Option(
    None, "--cluster", metavar="ADDRESS", help="With --engine dask: the scheduler, such as tcp://10.0.0.5:8786."
)
UNTIL = typer.Option(
    None, "--until", metavar="END", help='End when an edge is known so closely: "banker edge ±0.001%".'
)
STAKE = typer.Option(
    None, "--stake", metavar="SUM", help="Settle at this stake in dollars, rounded as at the table."
)  # fmt: skip
CHECKPOINT = typer.Option(
    None, "--checkpoint", metavar="FILE", help="Keep what is done in this file; one that is there is gone on with."
)
SHOW = typer.Option(None, "--show", metavar="K", help="Deal shoe K of the seed again instead, with every clause.")


def simulate(
    submission: str = SUBMISSION,
    shoes: str | None = SHOES,
    seed: str | None = SEED,
    first: str = FIRST,
    rounds: str | None = ROUNDS,
    detail: str = DETAIL,
    engine: str = ENGINE,
    workers: int | None = WORKERS,
    cluster: str | None = CLUSTER,
    until: str | None = UNTIL,
    stake: str | None = STAKE,
    checkpoint: Path | None = CHECKPOINT,
    show: str | None = SHOW,
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
