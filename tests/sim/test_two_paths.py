"""The kernel and the plain path share no line of dealing, and count the same 8,192 shoes alike, cell by cell."""

from __future__ import annotations

from itertools import product
from random import Random

import msgspec
import pytest

from baccarat.law.edition import shipped_editions
from baccarat.law.rulebook import rulebook
from baccarat.play.book import open_book
from baccarat.sim import plain
from baccarat.sim.plan import DETAILS, Detail, KernelPlan, make_plan, plan_for_book
from baccarat.sim.vector_run import run
from kernel_rounds import with_tableau

pytestmark = pytest.mark.slow

SHOES = 8192
RULES = rulebook("ma-midi-4")


def rounds_alike(plan: KernelPlan, seed: int, first: int) -> int:
    """Compare the two paths; how many rounds there were."""
    one = run(plan, seed, first, SHOES, None).tolist()
    other = plain.run(plain.plan(plan.book, plan.detail, source=plan.source), seed, first, SHOES, None)
    assert one == list(other.cells)
    assert not other.void
    return sum(one[: 400 if plan.detail != "pairs" else None])


@pytest.mark.parametrize("decks", [6, 7, 8])
@pytest.mark.parametrize("edition", shipped_editions())
def test_every_edition(edition: str, decks: int) -> None:
    assert rounds_alike(make_plan(rulebook(edition, decks=decks), "pairs"), 21, 7) > SHOES * 50


@pytest.mark.parametrize("detail", DETAILS)
def test_every_detail_far_out(detail: Detail) -> None:
    """Shoes of high numbers and the highest seed."""
    assert rounds_alike(make_plan(RULES, detail), 2**64 - 1, 2**61 + 3) > SHOES * 75


@pytest.mark.parametrize("chance", range(6))
def test_tableaux_by_chance(chance: int) -> None:
    random = Random(f"two paths {chance}")
    table = {key: random.random() < 0.5 for key in product(("player", "banker"), range(10), range(10), range(11))}
    plan = plan_for_book(with_tableau(open_book(RULES), lambda *key: table[key]), "pairs")
    assert rounds_alike(plan, 22, 0) > SHOES * 60


@pytest.mark.parametrize(("least", "most"), [(206, 210), (167, 200), (220, 255)])
def test_coins_thrown_again(least: int, most: int) -> None:
    """Bounds that most first piles do not keep."""
    plan = make_plan(RULES, "pairs")
    source = msgspec.structs.replace(plan.source, least=least, most=most)
    assert rounds_alike(msgspec.structs.replace(plan, source=source), 23, 0) > SHOES * 75
