"""The picture of each study."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.picture.study import bar_plot
from baccarat.picture.svg import Markup
from baccarat.sim.study.hands import Hands


def hands_plot(found: Sequence[Hands]) -> Markup:
    """How often the next card is the old next card, for one or more procedures."""
    bars = []
    for each in found:
        riffles = each.steps.count("riffle")
        named = [step for step in dict.fromkeys(each.steps) if step not in ("riffle", "turn", "cut", "plug")]
        parts = [*([f"{riffles} riffle{'s'[: riffles != 1]}"] if riffles else []), *named] or ["cut only"]
        bars.append((", ".join(parts), each.next, f"{100 * each.next:.2f} %"))
    said = "; ".join(f"{name}: {figure}" for name, _, figure in bars)
    fair = found[0].fair_next
    title = f"How often the next card is the old next card (fair, dashed: {100 * fair:.2f} %)"
    return bar_plot(title, bars, said=f"{said}.", fair=fair)
