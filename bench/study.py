"""Speed of the studies: rounds on record, nine patrons at a table, counts with exact odds, hands, tables side by side.

Run: make bench, or python bench/study.py. Processor time of one thread, warm; compiling is shown separately.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from baccarat import BANKER, PLAYER, TIE, WagerKind, rulebook
from baccarat.law.rulebook import Rulebook
from baccarat.sim.gym import ShoeVectorEnv
from baccarat.sim.study import strategy as play
from baccarat.sim.study.counts import linear_count, study_counts
from baccarat.sim.study.hands import study_hands
from baccarat.sim.study.patrons import study_patrons
from baccarat.sim.study.round_columns import records, write_parquet

RULES, EZ = rulebook("ma-midi-4"), rulebook("ma-midi-4-ez")
DEFERRED = rulebook("ma-midi-4", vig_collection="deferred")
COMPANY = [
    play.flat(BANKER, 2_500), play.flat(PLAYER, 2_500), play.flat(TIE, 2_500), play.martingale(BANKER, 2_500),
    play.paroli(PLAYER, 2_500), play.dalembert(BANKER, 2_500), play.fibonacci(BANKER, 2_500),
    play.mix({BANKER: 2_500, TIE: 500}), play.flat(BANKER, 10_000),
]  # fmt: skip


def dealt(shoes: int) -> int:
    """Rounds dealt on record."""
    return sum(block.rows for block in records(RULES, seed=1, shoes=shoes))


def written(shoes: int) -> int:
    """Rows written as Parquet."""
    with TemporaryDirectory() as folder:
        return write_parquet(RULES, Path(folder) / "rounds.parquet", seed=1, shoes=shoes)


def patrons(shoes: int, rules: Rulebook = RULES, company: Sequence[play.Strategy] = COMPANY) -> int:
    """Rounds of nine patrons."""
    return study_patrons(rules, company, purse=10**7, seed=1, sessions=max(1, shoes // 4), shoes=4, threads=1).rounds


def owing(shoes: int) -> int:
    """Rounds of nine patrons whose vigorish is deferred."""
    return patrons(shoes, DEFERRED)


def pressing(shoes: int) -> int:
    """Rounds of nine patrons who press House Money."""
    return patrons(shoes, company=[play.mix({BANKER: 2_500, WagerKind.HOUSE_MONEY: 500}, press="best")] * 9)


def counted(shoes: int) -> int:
    """Rounds before which a count and the exact odds were known."""
    linear = linear_count(EZ, WagerKind.DRAGON7, level=2)
    return round(shoes * study_counts(EZ, linear, seed=1, shoes=max(2, shoes)).depths[0].rounds)


def shuffled(shoes: int) -> int:
    """Shoes shuffled by hand, with a tracker."""
    study_hands(RULES, seed=1, shoes=shoes)
    return shoes


def stepped(shoes: int) -> int:
    """Steps of tables side by side."""
    env, steps = ShoeVectorEnv(1024, purse=10**8), max(1, shoes // 8)
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    for _ in range(steps):
        env.step(chance.integers(len(env.games[0].stakes), size=1024))
    return 1024 * steps


def main() -> None:
    """Measure each, first cold and then warm."""
    works: list[tuple[str, str, Callable[[int], int], int]] = [
        ("rounds on record", "rounds", dealt, 40_000),
        ("rounds to Parquet", "rows", written, 40_000),
        ("nine patrons", "rounds", patrons, 200_000),
        ("nine who owe vigorish", "rounds", owing, 100_000),
        ("nine who press", "rounds", pressing, 100_000),
        ("count and exact odds", "rounds", counted, 2_000),
        ("hands with a tracker", "shoes", shuffled, 2_000),
        ("1,024 environments", "steps", stepped, 2_000),
    ]
    for name, unit, work, shoes in works:
        start = process_time()
        work(4)
        cold = process_time() - start
        start = process_time()
        done = work(shoes)
        rate = done / (process_time() - start)
        print(f"{name:22s} {rate / 1e6:8.3f} million {unit} a second of a core    first answer after {cold:5.2f} s")


if __name__ == "__main__":
    main()
