"""What `baccarat study hands` does."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from baccarat.cli.output import fail, figures, put_json, put_line, put_table
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_figures import count, margin, number, percents, ratio
from baccarat.cli.study_out import save_picture, study_errors
from baccarat.law.rulebook import Rulebook


class HandsRequest(NamedTuple):
    """What was requested."""

    shoes: int
    seed: int
    steps: str | None
    riffles: int | None
    grab: int
    battery: int


def run(rules: Rulebook, asked: StudyArguments, wanted: HandsRequest, *, svg: Path | None, json: bool) -> None:
    """Study the shuffle and show what order it leaves."""
    if wanted.steps is not None and wanted.riffles is not None:
        fail("--steps or --riffles: one of them")
    if wanted.battery > wanted.shoes:
        fail(f"--battery {wanted.battery}: there are only {count(wanted.shoes, 'shoe')} to test")
    with study_errors(svg, shoes=2 * wanted.shoes):
        from baccarat.picture.study_plot import hands_plot  # noqa: PLC0415
        from baccarat.sim.study.hands import HandsStudy, Model, procedure_fault, study_hands, usual_procedure  # noqa: PLC0415

        named = tuple(step.strip() for step in wanted.steps.split(",")) if wanted.steps is not None else None
        steps = named or usual_procedure(rules, riffles=wanted.riffles)
        model = Model(grab=wanted.grab)
        found: HandsStudy = study_hands(rules, seed=wanted.seed, shoes=wanted.shoes, steps=steps, model=model)
        tested = _battery(rules, wanted, steps, model) if wanted.battery else None
        against = procedure_fault(rules, steps)
        save_picture(svg, hands_plot([found]), quiet=json)
    if json:
        about = {"rulebook": rules.hash, "manifest": asked.manifest(rules), "against_the_document": against}
        put_json(about | {"battery": tested} | msgspec.to_builtins(found))
        return
    _show(found, against, tested)


def _battery(rules: Rulebook, wanted: HandsRequest, steps: tuple[str, ...], model: Any) -> dict[str, Any]:
    """The production shuffle's battery on the shoes of these hands."""
    from baccarat.audit.battery import battery  # noqa: PLC0415
    from baccarat.audit.battery.shoe import ShoeOrder, order_from_numbers  # noqa: PLC0415
    from baccarat.sim.study.hands import hand_orders  # noqa: PLC0415

    def shoes() -> Any:
        last: ShoeOrder | None = None
        for order in hand_orders(rules, seed=wanted.seed, shoes=wanted.battery, steps=steps, model=model):
            last = order_from_numbers(order, last=last)
            yield last

    report = battery(rules, shoes())
    rejected = [result.name for result in report.results if result.rejected]
    return {"shoes": wanted.battery, "rejected": report.rejected, "rejected_by": rejected}


def _show(found: Any, against: str | None, tested: dict[str, Any] | None) -> None:
    put_line(("steps: ", "bold"), ", ".join(found.steps))
    if against is not None:
        put_line(("not as the document requires: ", "bold red"), against)
    table = figures(count(found.shoes, "shoe"), "found, ± 95 %", "fair")
    for name, share, error, fair in (
        ("the next card is the old next card", found.next, found.next_error, found.fair_next),
        ("the next card lay within four behind", found.near, found.near_error, found.fair_near),
    ):
        table.add_row(name, ratio(share, error, found.groups, 3), percents(fair))
    for name, value, error in (
        ("bits that the old order reveals about a card", found.bits, found.bits_error),
        ("unevenness of where a region goes", found.region, found.region_error),
    ):
        table.add_row(name, f"{value:.4f} ± {margin(error, found.groups, lambda half: number(half, 4))}", "0.0000")
    put_table(table)
    tracker = found.tracker
    error = f" ± {margin(tracker.error, tracker.sets, lambda half: number(half, 3))} (95 %)"
    put_line(
        f"a tracker who knows every card wagers in {percents(tracker.wagers / max(1, tracker.rounds), 1)} "
        f"of rounds and gains {number(tracker.gain, 3, sign='+')}{error} units per shoe"
    )
    if tested is not None:
        verdict = f"rejected by {', '.join(tested['rejected_by'])}" if tested["rejected"] else "not rejected"
        put_line(f"the battery on {count(tested['shoes'], 'shoe')}: ", (verdict, "bold"))
