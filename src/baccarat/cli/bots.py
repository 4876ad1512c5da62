"""`baccarat bots`: automated participants at a table that is served."""

from __future__ import annotations

import asyncio
import statistics
from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

from baccarat.cli.out import DONE, FAULT, JSON, REFUSED, console, errors, fail, put_json

if TYPE_CHECKING:
    from baccarat.client.bot import Tally

MOST = 500


def bots(
    address: str = typer.Argument(..., help="Where the house is, as `baccarat serve` says."),
    table: str = typer.Argument(..., help="The name of a table."),
    count: int = typer.Option(14, "--count", "-n", min=1, max=MOST, help="So many bots; those without a seat go home."),
    rounds: int | None = typer.Option(None, min=1, help="So many rounds each; without it, until Ctrl-C."),
    seed: int = typer.Option(1, help="The same seed makes the same choices."),
    json: bool = JSON,
) -> None:
    """Let bots play at a table of a practice house, over the wire like everybody else.

    They sit down at free seats, buy in with play money, wager in every round and decline whatever they are offered.
    Example: baccarat bots localhost:8414 nj-punto-banco -n 14 --rounds 2
    """
    if find_spec("websockets") is None or find_spec("httpx") is None:
        fail("bots need the extra for serving: pip install 'baccarat[serve]'", FAULT)
    from baccarat.client.bot import Tally  # noqa: PLC0415

    where = address if "://" in address else f"http://{address}"
    tally = Tally()
    try:
        asyncio.run(_play(where, table, count, rounds, seed, tally))
    except KeyboardInterrupt:
        errors.print("ended")
    except ConnectionError as error:
        fail(str(error), FAULT)
    except KeyError:
        fail(f"{where} has no table {table!r}", REFUSED)
    _tell(tally, json=json)
    raise typer.Exit(DONE)


async def _play(address: str, table: str, count: int, rounds: int | None, seed: int, tally: Tally) -> None:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    from baccarat.client.bot import Bot  # noqa: PLC0415

    playing = [
        asyncio.create_task(Bot(address, table, tally, seed=seed * MOST + number).run(rounds))
        for number in range(count)
    ]
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as progress:
        shown = progress.add_task("coming in …")
        while not all(task.done() for task in playing):
            await asyncio.wait(playing, timeout=0.5)
            words = f"{tally.rounds} rounds of a bot · {tally.done} acts done, {tally.refused} refused"
            progress.update(shown, description=words)
    for task in playing:
        task.result()


def _tell(tally: Tally, *, json: bool) -> None:
    times = sorted(tally.seconds) or [0.0]
    middle, slow = statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]
    if json:
        put_json({
            "rounds": tally.rounds, "done": tally.done, "refused": tally.refused, "refusals": tally.refusals,
            "joins": tally.joins, "seconds": {"median": round(middle, 6), "p99": round(slow, 6)},
        })  # fmt: skip
        return
    console.print(
        f"{tally.rounds} rounds of a bot, {tally.done} acts done, {tally.refused} refused, {tally.joins} joins"
    )
    console.print(
        f"an answer took {middle * 1e3:.1f} ms in the middle, {slow * 1e3:.1f} ms for the slowest in a hundred"
    )
    for code, number in sorted(tally.refusals.items()):
        console.print(f"  refused, {code}: {number}")
