"""The catalogue of drills: which there are under a rulebook, and their cases."""

from __future__ import annotations

import msgspec

from baccarat.drill.base import Drill, DrillKind, SolvedQuestion
from baccarat.drill.calling import CALL_DRILL
from baccarat.drill.chance import SeededPicks
from baccarat.drill.counting import COUNT_DRILL, DRAW_DRILL, WINNER_DRILL
from baccarat.drill.paying import PAYOUT_DRILL, VIGORISH_DRILL
from baccarat.drill.remedy import REMEDY_DRILL
from baccarat.drill.settling import ORDER_DRILL
from baccarat.law.cached_value import cached_on_value
from baccarat.law.rulebook import Rulebook

DRILLS: dict[DrillKind, Drill] = {
    drill.kind: drill
    for drill in (
        CALL_DRILL, COUNT_DRILL, DRAW_DRILL, WINNER_DRILL, PAYOUT_DRILL, VIGORISH_DRILL, ORDER_DRILL, REMEDY_DRILL,
    )
}  # fmt: skip
assert list(DRILLS) == list(DrillKind), "every kind of drill is there, in order"


class DrillCase(msgspec.Struct, frozen=True):
    """What is learned: a kind of drill, and the situation in it. Its name often gives away the answer."""

    kind: DrillKind
    name: str

    @property
    def key(self) -> str:
        """The case as it is stored."""
        return f"{self.kind.value}: {self.name}"


@cached_on_value
def cases_of(rules: Rulebook) -> dict[DrillKind, tuple[DrillCase, ...]]:
    """The cases of each drill under a rulebook; a drill without any is left out."""
    found = {kind: tuple(DrillCase(kind, name) for name in drill.cases(rules)) for kind, drill in DRILLS.items()}
    return {kind: cases for kind, cases in found.items() if cases}


def make(rules: Rulebook, case: DrillCase, *, seed: str, number: int) -> SolvedQuestion:
    """The question of a case with this number under a seed, and its solution; always the same."""
    assert case in cases_of(rules)[case.kind], f"no case of these rules: {case.key}"
    return DRILLS[case.kind].make(rules, case.name, SeededPicks(seed, number, case.key))
