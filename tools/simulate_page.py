"""The figures within docs/simulate.md, from stored results (docs/studies/rounds.json)."""

from __future__ import annotations

from baccarat import WagerKind, rulebook
from baccarat.odds import odds
from baccarat.sim.interval import half_width
from round_study import FourCards, RoundStudy
from studies import kept
from study_figures import table


def simulate_parts() -> dict[str, str]:
    """Every part of the page that is written here."""
    found: RoundStudy = kept("rounds")
    return {"scatter": _scatter(found), "four cards": _four_cards(found)}


def _scatter(found: RoundStudy) -> str:
    names = {word: odds(rulebook(found.submission))[WagerKind(word)].name for word in found.scatter}
    about = (
        f"{found.batches:,} batches of {found.shoes:,} shoes to the cover card "
        f"(`{found.submission}`, seed {found.seed}): "
        "the deviation of their means, where 1 is the error that estimates give.\n\n"
    )
    rows = [(names[word], f"{value:.3f}") for word, value in found.scatter.items()]
    return about + table(("wager", "deviation of means"), rows)


def _four_cards(found: RoundStudy) -> str:
    def row(name: str, of: FourCards) -> tuple[str, str, str, str]:
        away = (of.share - found.exact) / of.error
        share = f"{100 * of.share:.5f} % ± {100 * half_width(of.error):.5f} %"
        return name, f"{of.rounds:,}", share, f"{away:+.1f}".replace("-", "−")

    rows = [
        ("first round of a full shoe, exactly", "", f"{100 * found.exact:.5f} %", ""),
        row(f"{found.fixed_rounds} rounds of each shoe", found.fixed),
        row("to the cover card", found.to_cover),
    ]
    return table(("rounds of four cards", "rounds", "share", "standard errors away"), rows)
