"""`baccarat bots`: automated participants at a table that is served."""

from __future__ import annotations

import asyncio
import statistics
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec
import typer

from baccarat.cli.option import JSON
from baccarat.cli.output import DONE, REFUSED, console, errors, fail, put_json

if TYPE_CHECKING:
    from baccarat.client.bot import BotTally

MOST_BOTS = 500


def bots(
    address: str = typer.Argument(..., help="The address of the house, as `baccarat serve` prints it."),
    table: str = typer.Argument(..., help="The name of a table."),
    count: int = typer.Option(
        14, "--count", "-n", min=1, max=MOST_BOTS, help="How many bots; those that find no seat leave."
    ),
    rounds: int | None = typer.Option(None, min=1, help="How many rounds each plays; by default until Ctrl-C."),
    seed: int = typer.Option(1, help="The same seed makes the same choices."),
    json: bool = JSON,
) -> None:
    """Let bots play at a table of a practice house, over the network like everyone else.

    They sit down at free seats, buy in with play money, wager in every round and decline every offer.
    Example: baccarat bots localhost:8414 nj-punto-banco -n 14 --rounds 2
    """
    if find_spec("websockets") is None or find_spec("httpx") is None:
        fail("bots need the extra for serving: pip install 'baccarat[serve]'")
    import httpx  # noqa: PLC0415

    from baccarat.client.bot import BotTally, NoSuchTable  # noqa: PLC0415

    where = address if "://" in address else f"http://{address}"
    tally = BotTally()
    try:
        asyncio.run(_play(where, table, count, rounds, seed, tally))
    except KeyboardInterrupt:
        errors.print("ended")
    except NoSuchTable as error:
        fail(f"{where}: {error}", REFUSED)
    except httpx.HTTPStatusError as error:
        fail(f"{where} does not admit bots: {_problem_text(error.response.text)}", REFUSED)
    except (OSError, httpx.HTTPError, httpx.InvalidURL) as error:
        say = str(error) or type(error).__name__
        fail(say if say.startswith(where) else f"{where}: {say}")
    _print_tally(tally, json=json)
    raise typer.Exit(DONE)


def _problem_text(text: str) -> str:
    """The sentence of a problem document, if the answer is one."""
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.MsgspecError:
        return "no baccarat house answers there"
    return str(found.get("detail") or found.get("title") or "no reason given")


async def _play(address: str, table: str, count: int, rounds: int | None, seed: int, tally: BotTally) -> None:
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    from baccarat.client.bot import Bot  # noqa: PLC0415

    playing = [
        asyncio.create_task(Bot(address, table, tally, seed=seed * MOST_BOTS + number).run(rounds))
        for number in range(count)
    ]
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    try:
        with Progress(*columns, console=errors, transient=True) as progress:
            shown, left = progress.add_task("joining …"), set(playing)
            while left:
                done, left = await asyncio.wait(left, timeout=0.5, return_when=asyncio.FIRST_EXCEPTION)
                for task in done:
                    task.result()  # what stops one bot stops all of them
                words = f"{tally.rounds} rounds of a bot · {tally.done} acts done, {tally.refused} refused"
                progress.update(shown, description=words)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def _print_tally(tally: BotTally, *, json: bool) -> None:
    times = sorted(tally.seconds) or [0.0]
    middle, slow = statistics.median(times), times[min(len(times) - 1, int(len(times) * 0.99))]
    if json:
        put_json({
            "rounds": tally.rounds, "done": tally.done, "refused": tally.refused, "refusals": tally.refusals,
            "joins": tally.joins, "without_seat": tally.without_seat,
            "seconds": {"median": round(middle, 6), "p99": round(slow, 6)},
        })  # fmt: skip
        return
    console.print(
        f"{tally.rounds} rounds of a bot, {tally.done} acts done, {tally.refused} refused, {tally.joins} joins"
    )
    console.print(f"answer time: median {middle * 1e3:.1f} ms, 99th percentile {slow * 1e3:.1f} ms")
    for code, number in sorted(tally.refusals.items()):
        console.print(f"  refused, {code}: {number}")
