"""`baccarat deal`: one round from named cards, or a whole shoe from a seed, with every ruling."""

from __future__ import annotations

from pathlib import Path

import typer

from baccarat.cli.option import EDITIONS, JSON, SUBMISSION, flag, option, register_editions


def deal(
    submission: str = SUBMISSION,
    cards: list[str] = typer.Argument(None, help="The shoe, top card first, such as 2s 3h Ad Jd Tc 5s."),
    shoe: bool = flag("--shoe", "Shuffle and deal a whole shoe instead."),
    seed: str | None = typer.Option(
        None,
        help="With --shoe: 64 hexadecimal digits, or any words; by default a new one. The same words give other "
        "cards in play, where each shoe derives its own seed.",
    ),
    cut_at: int | None = typer.Option(None, "--cut", help="With --shoe: cards in front of the cut; by default half."),
    wager: list[str] = option("--wager -w", "SEAT:WAGER:SUM", "A sum in dollars, such as 3:banker:100 or 3:tie:12.50."),
    rest_of_shoe: bool = flag(
        "--rest-of-shoe", "The cards are the top of a shoe: those that the round does not use stay in it."
    ),
    edition: list[Path] = EDITIONS,
    json: bool = JSON,
) -> None:
    """Deal a round, or a whole shoe, and show the clause behind each step.

    Examples: baccarat deal ma-midi-4 2s 3h Ad Jd Tc 5s -w 3:banker:103 ·
    baccarat deal nj-punto-banco --shoe --seed "a rainy day" -w '1:player:$25'
    """
    from baccarat.cli.deal_run import deal_as_asked  # noqa: PLC0415  other verbs start without it
    from baccarat.cli.lines import rules_of  # noqa: PLC0415

    register_editions(edition)
    rules, cards, wagers = rules_of(submission), cards or [], wager or []
    deal_as_asked(rules, cards, wagers, shoe=shoe, seed=seed, cut_at=cut_at, rest_of_shoe=rest_of_shoe, json=json)
