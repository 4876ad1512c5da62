"""The simulation against the exact odds: first rounds over all finishes, and every wager at fixed rounds per shoe.

First rounds of full shoes are independent, so their finishes are judged by chi-square. Then a fixed number of rounds
of every shoe, for each detail that a wager needs: the mean of each wager must lie within four standard errors of its
price. Each kind of wager is tested under the first shipped Submission that offers it.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Annotated

import typer

from baccarat.audit.battery.tail import chi_square as tail
from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.agreement import chi_square
from baccarat.sim.engine import simulate
from baccarat.sim.estimate import detail_needed
from baccarat.sim.plan import DETAILS, Detail
from baccarat.sim.tally import Tally

MOST_Z = 4.0
LEAST_P = 1e-4
ROUNDS_A_SHOE = 60

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def first_round_faults(tally: Tally) -> list[str]:
    """What is wrong with first rounds: a p-value, on either side, that comes once in ten thousand runs."""
    value, freedom = chi_square(tally)
    p = tail(value, freedom)
    print(f"{tally.rules}: {tally.rounds:,} first rounds, chi-square {value:.1f} on {freedom}, p {p:.4f}")
    return [] if p >= LEAST_P else [f"{tally.rules}: first rounds: p {p:.2g}"]


def wager_faults(tally: Tally, kinds: list[WagerKind]) -> list[str]:
    """What is wrong with the means of wagers."""
    faults = []
    for on in kinds:
        found = tally.estimate(on)
        assert found.z is not None, "every wager varies"
        print(f"  {found}")
        if abs(found.z) >= MOST_Z:
            faults.append(f"{tally.rules}: {found}")
    return faults


def to_look_at() -> dict[Rulebook, list[WagerKind]]:
    """All wagers of every Submission that offers one that none before it did."""
    found: dict[Rulebook, list[WagerKind]] = {}
    seen: set[WagerKind] = set()
    for name in shipped_submissions():
        rules = rulebook(name)
        kinds = open_book(rules).kinds
        if not seen.issuperset(kinds):
            found[rules] = list(kinds)
        seen.update(kinds)
    return found


@app.command()
def main(
    first_rounds: Annotated[int, typer.Option(help="First rounds, each of a shoe of its own.")] = 10**8,
    rounds: Annotated[int, typer.Option(help="Rounds at fixed rounds per shoe, for each detail.")] = 10**9,
    seed: Annotated[int, typer.Option(help="The first of the seeds.")] = 2026,
) -> None:
    """Compare, and end with status 1 if anything lies out of bounds."""
    start, faults = perf_counter(), []
    for number, (rules, kinds) in enumerate(to_look_at().items()):
        key = seed + 2 * number  # rules that deal alike get other shoes
        faults += first_round_faults(simulate(rules, seed=key, shoes=first_rounds, rounds=1))
        by_detail: dict[Detail, list[WagerKind]] = {detail: [] for detail in DETAILS}
        for on in kinds:
            by_detail[detail_needed(open_book(rules), on)].append(on)
        for detail, of_detail in by_detail.items():
            if of_detail:
                shoes = -(-rounds // ROUNDS_A_SHOE)
                tally = simulate(rules, seed=key + 1, shoes=shoes, rounds=ROUNDS_A_SHOE, detail=detail)
                print(f"{rules}: {tally.rounds:,} rounds, {ROUNDS_A_SHOE} a shoe, detail {detail}")
                faults += wager_faults(tally, of_detail)
    for fault in faults:
        print(f"OUT OF BOUNDS: {fault}")
    print(f"the simulation against the exact odds, {perf_counter() - start:.0f} s: {len(faults)} out of bounds")
    sys.exit(bool(faults))


if __name__ == "__main__":
    app()
