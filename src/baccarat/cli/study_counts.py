"""What `baccarat study counts` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from baccarat.cards import Rank
from baccarat.cli.output import figures, put_line, put_table
from baccarat.cli.price_arguments import kind_of
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_figures import count, margin, number, percents, ratio
from baccarat.cli.study_out import meters_note, put_study, save_picture, study_errors
from baccarat.cli.whole_number import read_list, read_whole
from baccarat.law.rulebook import Rulebook
from baccarat.play.wager import WagerKind
from baccarat.play.wager.royal9 import progressive

if TYPE_CHECKING:
    from baccarat.sim.study.counts import CountStudy


class CountsRequest(NamedTuple):
    """What was requested."""

    wager: str
    tags: str | None
    level: int
    from_count: float | None
    depths: str | None
    last_hand: bool
    shoes: int
    seed: int


def run(rules: Rulebook, asked: StudyArguments, wanted: CountsRequest, *, svg: Path | None, json: bool) -> None:
    """Study a count and show what it gains."""
    with study_errors(svg, shoes=wanted.shoes):
        from baccarat.picture.study_plot import counts_plot  # noqa: PLC0415
        from baccarat.sim.study.counts import linear_count, study_counts  # noqa: PLC0415

        tags = read_tags(wanted.tags) if wanted.tags is not None else None
        linear = linear_count(rules, kind_of(rules, wanted.wager), tags=tags, level=wanted.level)
        found = study_counts(
            rules, linear, seed=wanted.seed, shoes=wanted.shoes, index=wanted.from_count,
            depths=() if wanted.depths is None else read_depths(wanted.depths), last_hand=wanted.last_hand,
        )  # fmt: skip
        save_picture(svg, counts_plot(found), quiet=json)
    put_study(rules, asked, found, notes(rules, found), lambda: _show(found), json=json)


def notes(rules: Rulebook, found: CountStudy) -> list[str]:
    """Notes on a progressive."""
    if found.linear.on is not WagerKind.ROYAL9:
        return []
    from baccarat.odds.royal9 import meters_in_cents  # noqa: PLC0415

    progress = progressive(rules)
    assert progress is not None, "it has been studied"
    meters = {name: int(cents) for name, cents in meters_in_cents(progress, None).items()}
    return [
        meters_note(found.linear.name, meters),
        "the counter counts ranks; perfect play knows rank and suit of every card that the table was shown",
    ]


def read_tags(text: str) -> dict[Rank, int]:
    """Tags as they are written: `4=-1,8=2`."""
    found: dict[Rank, int] = {}
    for part in text.split(","):
        rank, sign, tag = (word.strip() for word in part.partition("="))
        try:
            counted, value = Rank(rank.upper().replace("10", "T")), read_whole(tag)
        except ValueError:
            raise ValueError(f"--tags {part!r}: expected a rank and a whole number, such as 8=2") from None
        if not sign:
            raise ValueError(f"--tags {part!r}: expected a rank and a whole number, such as 8=2")
        if counted in found:
            raise ValueError(f"--tags {text!r}: rank {counted.value} has two tags; expected one for each rank")
        found[counted] = value
    return found


def read_depths(text: str) -> tuple[int, ...]:
    """Depths separated by commas."""
    return read_list("--depths", text, "whole numbers separated by commas, such as 26,52")


def _foretold(found: CountStudy) -> str:
    """What the count predicts."""
    linear = found.linear
    if not any(linear.tags.values()):
        return "every rank affects this wager alike, so no count of ranks predicts it; only perfect play is studied"
    if linear.index is None:
        return f"betting correlation {linear.correlation:.4f}: with this count the wager never begins to gain"
    return (
        f"betting correlation {linear.correlation:.4f}; a unit gains {percents(linear.slope)} more for each point "
        f"of the true count, and begins to gain at {linear.index:.2f}; wagered from {found.index:g} on"
    )


def _show(found: CountStudy) -> None:
    linear = found.linear
    tags = "  ".join(f"{rank.value} {tag:+d}" for rank, tag in linear.tags.items() if tag).replace("-", "−")
    put_line((f"{linear.name}, count: ", "bold"), tags or "none")
    put_line(_foretold(found))
    table = figures(
        "cards behind", "rounds", "who", "wagers in", "gain/wager", "units/shoe", "± 95 %", "as it came", "± 95 %"
    )
    for at in found.depths:
        for who, gain in (("counter", at.counter), ("perfect", at.perfect)):
            table.add_row(
                str(at.depth), f"{at.rounds:.2f}", who, ratio(gain.share, gain.share_error, found.shoes, 2),
                ratio(gain.edge, gain.edge_error, found.shoes, 2), number(gain.per_shoe, 4, sign="+"),
                margin(gain.error, found.shoes, lambda half: number(half, 4)), number(gain.came, 3, sign="+"),
                margin(gain.came_error, found.shoes, lambda half: number(half, 3)),
            )  # fmt: skip
    put_table(table)
    put_line(f"{count(found.shoes, 'shoe')} of seed {found.seed}; ±: half of the 95 % interval")
    if any(gain.error is None for at in found.depths for gain in (at.counter, at.perfect)):
        put_line(("–: unknown, because no shoe had a wager", "dim"))
