"""`baccarat drill`: exercises for a dealer in the terminal, graded immediately, with the clause."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, register_editions


def drill(
    submission: str | None = typer.Argument(
        None, help="The name of a shipped Submission, or the path of a TOML file; by default the usual one."
    ),
    kind: list[str] = typer.Option(
        [], "--kind", "-k", help="Only this drill: call, count, draw, winner, payout, vigorish, order or remedy."
    ),
    count: int = typer.Option(20, "--count", "-n", min=1, max=1000, help="How many exercises."),
    seed: str | None = typer.Option(None, help="Any words; the same words give the same exercises. By default random."),
    sheet: Path | None = typer.Option(
        None, metavar="FILE", help="Write the score sheet to this file: .csv, .json, or .html to print."
    ),
    keep: Path | None = typer.Option(
        None, metavar="FILE", help="Store your progress in this file, and continue from it next time."
    ),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Train a dealer: calls, counts, draw or stay, payouts, vigorish, the order of settlement, irregularities.

    Every answer is graded immediately, with the clause that decides, and timed; mistakes come back soon. Without a
    terminal, answers come from standard input, one per line. An empty line passes: the answer is shown and counts as
    wrong; quit ends the drill. With --json every exercise and every grade is a line of JSON. Status 0 if every
    answer was right, 1 if some were wrong, 2 if an answer from a file cannot be read or an option is wrong.
    Examples: baccarat drill · baccarat drill nj-punto-banco --kind vigorish --kind order --count 10 --sheet sheet.html
    """
    from baccarat.cli.drill_run import run_drill  # noqa: PLC0415
    from baccarat.cli.lines import rules_of  # noqa: PLC0415
    from baccarat.law.rulebook import usual_submission  # noqa: PLC0415

    register_editions(edition)
    rules = rules_of(usual_submission() if submission is None else submission)
    run_drill(rules, kinds=kind, count=count, seed=seed, sheet=sheet, keep=keep, json=json)
