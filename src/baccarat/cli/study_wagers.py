"""What `baccarat study wagers` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from baccarat.cli.output import figures, put_line, put_table
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_figures import count, margin, number, z_text
from baccarat.cli.study_out import meters_note, put_study, save_picture, study_errors
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.estimate import details
from baccarat.sim.stream import CARDS_A_ROUND, source_of
from baccarat.sim.void_rounds import void_note

if TYPE_CHECKING:
    from baccarat.sim.study.wagers import WagerStudy


class WagersRequest(NamedTuple):
    """What was requested."""

    shoes: int
    rounds: int | None
    effect: int
    seed: int


def run(rules: Rulebook, asked: StudyArguments, wanted: WagersRequest, *, svg: Path | None, json: bool) -> None:
    """Deal the shoes and show every wager."""
    with study_errors(svg, shoes=_shoes(rules, wanted)):
        from baccarat.picture.wagers_plot import wagers_plot  # noqa: PLC0415
        from baccarat.sim.study.wagers import study_wagers  # noqa: PLC0415

        found = study_wagers(
            rules, seed=wanted.seed, shoes=wanted.shoes, effect_shoes=wanted.effect, rounds=wanted.rounds
        )  # fmt: skip
        save_picture(svg, wagers_plot(found), quiet=json)
    put_study(rules, asked, found, notes(rules, found), lambda: _show(found), json=json)


def _shoes(rules: Rulebook, wanted: WagersRequest) -> int:
    """How many shoes are dealt: twice for each detail, and once more for the effect if suits are needed."""
    book = open_book(rules)
    by_suits = WagerKind.ROYAL9 in book.kinds and source_of(book).never_lacks_cards
    return wanted.shoes * 2 * len(details(book)) + wanted.effect * (2 if by_suits else 1)


def _show(found: WagerStudy) -> None:
    table = figures(
        "house edge, %", "exact", "fixed rounds", "z", "to the cover card", "z", "cut-card effect", "± 95 %"
    )  # fmt: skip
    for each in found.wagers:
        effect = ("–", "–")
        if each.effect is not None:
            effect = _percent(each.effect), margin(each.effect_error, found.effect_shoes, _percent)
        table.add_row(
            each.name, _percent(each.exact), _percent(each.fixed), z_text(each.fixed_z), _percent(each.to_cover),
            z_text(each.to_cover_z), *effect,
        )  # fmt: skip
    put_table(table)
    put_line(
        f"{count(found.shoes, 'shoe')} of seed {found.seed}: {found.rounds_at_fixed:,} rounds at "
        f"{found.fixed_rounds} per shoe, {found.rounds_to_cover:,} to the cover card; the effect by exact odds in "
        f"{count(found.effect_shoes, 'shoe')}; z: how many standard errors an edge lies above the exact one, both "
        "of them from the same shoes, so they are correlated"
    )


def notes(rules: Rulebook, found: WagerStudy) -> list[str]:
    """Notes on rounds that lacked cards, and on a progressive, if there are any."""
    void = void_note(rules, rounds=found.rounds_to_cover, void=found.void_to_cover, to_cover=True)
    said = [] if void is None else [f"to the cover card: {void}"]
    royal9 = next((each for each in found.wagers if each.on is WagerKind.ROYAL9), None)
    if royal9 is None:
        return said
    said.append(meters_note(royal9.name, found.meters))
    if royal9.effect is None:
        said.append(
            f"{royal9.name}: its cut-card effect is measured where the cover card lies {2 * CARDS_A_ROUND} cards deep "
            "at least, so that no last round lacks cards"
        )
    return said


def _percent(share: float) -> str:
    """In percent; the sign is in the heading, so that the table fits a terminal of eighty columns."""
    return number(100 * share, 5)
