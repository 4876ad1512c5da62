"""`baccarat study`: what depends on the path through many shoes: shuffles by hand, counts, patrons, the house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from baccarat.cli.option import EDITIONS, JSON, SUBMISSION, flag, option, register_editions
from baccarat.cli.same_file import keep_sources
from baccarat.cli.set_option import CHANGES, with_options
from baccarat.cli.study_arguments import StudyArguments, read_arguments
from baccarat.cli.whole_number import whole_number_option

if TYPE_CHECKING:
    from baccarat.law.rulebook import Rulebook

app = typer.Typer(help="Studies of many shoes: what a single round cannot show.", no_args_is_help=True)

AT_LEAST_ONE = whole_number_option(1)
SEED = option(
    "--seed", "S", "The same seed gives the same study again.", default=1, parser=whole_number_option(0, 2**64 - 1)
)
SVG = option("--svg", "FILE", "Also write the study's picture to this file.")


def _study_request(
    context: typer.Context, submission: str, edition: list[Path], change: list[str], to: Path | None
) -> tuple[Rulebook, StudyArguments]:
    """The rulebook and the study that were requested; the output file must not be one of the inputs."""
    asked = read_arguments(context)
    keep_sources(to, [submission, *(edition or [])])
    register_editions(edition)
    return with_options(submission, change), asked


@app.command()
def hands(
    context: typer.Context,
    submission: str = SUBMISSION,
    shoes: int = option(
        "--shoes", "N", "How many shoes are shuffled, one after another.", default=2_000, parser=AT_LEAST_ONE
    ),
    seed: int = SEED,
    steps: str | None = typer.Option(
        None, "--steps", help="The motions, separated by commas: plug, riffle, turn, strip, lace, wash, cut, fair."
    ),
    riffles: int | None = typer.Option(None, "--riffles", min=1, max=50, help="The usual steps with N riffles."),
    grab: int = typer.Option(52, "--grab", min=1, help="Cards taken from each half to be riffled together."),
    battery: int = option(
        "--battery",
        "N",
        "Also run the battery of the production shuffle on this many of the shoes.",
        default=0,
        parser=whole_number_option(0),
    ),
    svg: Path | None = SVG,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Shuffle by hand, shoe after shoe: what order survives, and what a tracker could gain from it.

    Without --steps, the elements that the Submission's document lists, in a lawful order. The hands are models:
    riffles follow Gilbert, Shannon and Reeds. Status 2 for unknown steps.
    Examples: baccarat study hands ma-midi-4 --riffles 5 --shoes 500 ·
    baccarat study hands ma-midi-4 --steps wash,cut --shoes 200 --battery 120
    """
    from baccarat.cli import study_hands  # noqa: PLC0415

    wanted = study_hands.HandsRequest(shoes=shoes, seed=seed, steps=steps, riffles=riffles, grab=grab, battery=battery)
    study_hands.run(*_study_request(context, submission, edition, change, svg), wanted, svg=svg, json=json)


@app.command()
def counts(
    context: typer.Context,
    submission: str = SUBMISSION,
    wager: str = typer.Argument(..., help="The wager to count cards for, such as dragon7."),
    tags: str | None = typer.Option(
        None, "--tags", help="What each rank counts, such as 4=-1,5=-1,8=2; by default the best whole numbers."
    ),
    level: int = typer.Option(
        4, "--level", min=1, max=100, help="Without --tags: the largest number that a rank may count."
    ),
    index: float | None = typer.Option(
        None, "--index", help="The true count at which wagering starts; by default where the wager begins to gain."
    ),
    depths: str | None = typer.Option(None, "--depths", help="More cut-card depths to compare, such as 26,52,104."),
    last_hand: bool = typer.Option(
        True, help="Whether another hand is dealt after the one in which the cover card came out."
    ),
    shoes: int = option("--shoes", "N", "How many shoes are dealt.", default=4_000, parser=whole_number_option(2)),
    seed: int = SEED,
    svg: Path | None = SVG,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Count cards for a wager: effects of removal, a linear count, and what it gains, by cut-card depth.

    The counter is compared with perfect play, which computes the exact odds before every round: no one who sees the
    same cards can gain more. Gains are means of exact odds, which vary less than results do.
    Examples: baccarat study counts ma-midi-4-ez dragon7 --shoes 1000 · baccarat study counts ma-midi-4-ez dragon7
    --tags 4=-1,5=-1,6=-1,7=-1,8=2,9=2 --index 4 --depths 26,52 --shoes 1000
    """
    from baccarat.cli import study_counts  # noqa: PLC0415

    wanted = study_counts.CountsRequest(wager, tags, level, index, depths, last_hand, shoes, seed)
    study_counts.run(*_study_request(context, submission, edition, change, svg), wanted, svg=svg, json=json)


@app.command()
def patrons(
    context: typer.Context,
    submission: str = SUBMISSION,
    seat: list[str] = option(
        "--seat",
        "STRATEGY",
        "A patron: 'banker=$25', 'banker=$100,tie=$5', 'martingale banker $25 6', paroli, dalembert or fibonacci, "
        "'count dragon7 $25 4 4=-1,8=2' (stake, true count, tags), 'banker=$100,house_money=$10 press=best' (or never, "
        "always, ahead; with stakes on both hands also onto=banker). Once for each seat.",
        default=...,
    ),
    purse: str = typer.Option("$1,000", "--purse", help="What each patron brings."),
    goal: str | None = typer.Option(None, "--goal", help="A patron leaves with this much; by default never."),
    sessions: int = option("--sessions", "N", "How many sessions are played.", default=10_000, parser=AT_LEAST_ONE),
    shoes: int = option("--shoes", "N", "Shoes per session.", default=4, parser=whole_number_option(1, 1000)),
    compare_vigorish: bool = flag(
        "--compare-vigorish", "Play the same shoes twice: vigorish taken at the payout, and deferred."
    ),
    seed: int = SEED,
    svg: Path | None = SVG,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Let patrons play many sessions: what they win, how often they are ruined, how long they stay; a fan chart.

    Stakes are taken within the limits of the Submission and settled in whole cents, with vigorish rounded as elected. A
    patron whose purse does not cover the next stake leaves. Deferred vigorish is marked, and collected at the end of
    the shoe and on leaving, where the purse covers it. Status 2 for a strategy that no patron could play.
    Examples: baccarat study patrons ma-midi-4 --seat 'banker=$25' --seat 'martingale player $25' --sessions 1000 ·
    baccarat study patrons ma-midi-4 --seat 'paroli player $25 3' --purse '$500' --goal '$1,000' --sessions 1000
    --svg fan.svg · baccarat study patrons ma-midi-4 --seat 'banker=$100' --compare-vigorish --sessions 1000
    """
    from baccarat.cli import study_patrons  # noqa: PLC0415

    wanted = study_patrons.PatronsRequest(tuple(seat), purse, goal, sessions, shoes, seed, compare_vigorish)
    study_patrons.run(*_study_request(context, submission, edition, change, svg), wanted, svg=svg, json=json)


@app.command()
def wagers(
    context: typer.Context,
    submission: str = SUBMISSION,
    shoes: int = option("--shoes", "N", "How many shoes are dealt, twice.", default=100_000, parser=AT_LEAST_ONE),
    rounds: int | None = option(
        "--rounds",
        "R",
        "The fixed number of rounds per shoe, which every shoe must have cards for; by default 60, or fewer.",
        parser=AT_LEAST_ONE,
    ),
    effect: int = option(
        "--effect",
        "N",
        "The number of shoes in which the cut-card effect is measured by exact odds.",
        default=20_000,
        parser=whole_number_option(2),
    ),
    seed: int = SEED,
    svg: Path | None = SVG,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Every wager over many shoes, at fixed rounds per shoe and to the cover card, compared with its exact edge.

    At fixed rounds the means are those of the exact odds; to the cover card they differ slightly: the cut-card effect,
    measured separately from the exact odds before each round. Royal 9 is wagered by the lowest chair alone, its meters
    at their seeds before every round.
    Example: baccarat study wagers ma-midi-4-ez --shoes 1e5 --effect 2000
    """
    from baccarat.cli import study_wagers  # noqa: PLC0415

    wanted = study_wagers.WagersRequest(shoes, rounds, effect, seed)
    study_wagers.run(*_study_request(context, submission, edition, change, svg), wanted, svg=svg, json=json)


@app.command()
def house(
    context: typer.Context,
    submission: str = SUBMISSION,
    seat: list[str] = option(
        "--seat", "STRATEGY", "A patron at every table, as in study patrons. Once for each seat.", default=...
    ),
    tables: int = option("--tables", "N", "How many tables.", default=20, parser=AT_LEAST_ONE),
    days: int = option("--days", "N", "How many days.", default=100, parser=AT_LEAST_ONE),
    shoes: int = option("--shoes", "N", "Shoes per table and day.", default=12, parser=whole_number_option(1, 100)),
    buy_in: str = typer.Option("$1,000", "--buy-in", help="What a patron buys in for, again each time it is lost."),
    progressive: str | None = option(
        "--progressive", "CHAIRS", "Chairs that make the progressive wager in every round, such as 1,2,3."
    ),
    link: bool = flag("--link", "All tables share the meters of one link; by default each table has its own."),
    seed: int = SEED,
    svg: Path | None = SVG,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Tables over days as the house sees them: win, hold, volatility; with a progressive, its meters too.

    The drop is what patrons buy in for, so hold depends on how long they play with it; win per unit staked is near
    the edge. Meters, awards, reserve and Must Hit are per table, or per link, to the micro-cent. Tables of
    a link play in step: those that win the same meter in the same round share it; odd cents go to the lower seats.
    Example: baccarat study house ma-midi-4-royal9 --seat 'player=$100' --seat 'banker=$100' --progressive 1,2 --link
    --tables 4 --days 20
    """
    from baccarat.cli import study_house  # noqa: PLC0415

    wanted = study_house.HouseStudyRequest(tuple(seat), tables, days, shoes, buy_in, progressive, link, seed)
    study_house.run(*_study_request(context, submission, edition, change, svg), wanted, svg=svg, json=json)


@app.command()
def records(
    context: typer.Context,
    submission: str = SUBMISSION,
    to: Path = option("--to", "FILE", "The Parquet file, which must not exist yet.", default=...),
    shoes: int = option("--shoes", "N", "How many shoes are dealt.", default=10_000, parser=AT_LEAST_ONE),
    first: int = option("--first", "K", "The number of the first shoe.", default=0, parser=whole_number_option(0)),
    rounds: int | None = option(
        "--rounds",
        "R",
        "How many rounds of each shoe, or as far as its cards go, instead of up to the cover card.",
        parser=AT_LEAST_ONE,
    ),
    seed: int = SEED,
    change: list[str] = CHANGES,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Write every round of many shoes to a Parquet file: shoe, round, cards, how it ended.

    Cards are six hexadecimal digits, the first card lowest: 0 an ace, 1 a two, … c a king, f none. The case is the
    finish times four, plus two for a pair of the Player's and one for a pair of the Banker's. Needs pyarrow, from the
    extra "data".
    Example: baccarat study records ma-midi-4 --shoes 10000 --to rounds.parquet
    """
    from baccarat.cli import study_records  # noqa: PLC0415

    wanted = study_records.RecordsRequest(to, shoes, first, rounds, seed)
    study_records.run(*_study_request(context, submission, edition, change, to), wanted, json=json)
