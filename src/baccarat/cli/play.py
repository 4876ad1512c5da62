"""`baccarat play`: a whole shoe in the terminal for one person among automated company."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, SIGNING_KEY, SUBMISSION, flag, register_editions


def play(
    submission: str = SUBMISSION,
    seat: int = typer.Option(1, help="Your seat."),
    company: int = typer.Option(3, min=0, max=13, help="Automated participants in addition to you."),
    purse: str | None = typer.Option(None, metavar="SUM", help="What each buys in for, in dollars; by default 1,000."),
    seed: str | None = typer.Option(
        None,
        help="64 hexadecimal digits, or any words; by default a new one. Each shoe derives its own seed from it, "
        "so that the same words give other cards in deal --shoe.",
    ),
    script: str | None = typer.Option(None, help="Play these lines instead of asking, separated by ';'."),
    auto: bool = flag("--auto", "Ask nothing: the company wagers, automation deals the whole shoe."),
    clauses: bool = flag("--clauses", "Show the clause behind each act as it happens."),
    journal: Path | None = typer.Option(None, metavar="FILE", help="Write a journal of every act to this new file."),
    key: Path | None = SIGNING_KEY,
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Play a whole shoe in the terminal, among automated company, with the clause behind each act.

    At the end it prints what you won or lost, and the seed that gives the same cards again.
    Examples: baccarat play nj-punto-banco --seat 3 · baccarat play ma-midi-4 --journal sitting.jsonl
    """
    from baccarat.cli.lines import rules_of  # noqa: PLC0415
    from baccarat.cli.play_run import play_shoe  # noqa: PLC0415

    register_editions(edition)
    play_shoe(
        rules_of(submission),
        seat=seat,
        company=company,
        purse=purse,
        seed=seed,
        script=script,
        auto=auto,
        clauses=clauses,
        journal=journal,
        key=key,
        json=json,
    )
