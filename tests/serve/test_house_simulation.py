"""A whole house on virtual time, disturbed by chance: nothing is shown or answered that is not on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from baccarat.record.sealed_seed import ShoeName
from baccarat.serve.job import table_loop
from baccarat.serve.runtime import seed_vault as vault
from baccarat.serve.runtime.group_commit import GroupCommitter
from baccarat.serve.setting import is_for_training
from campaign import times
from declared_tasks import DEALER, declared_short_tasks, declared_tasks, kind_of
from house_oracle import Broken
from house_simulation import Mischief, simulate
from simulated_person import LINKED
from virtual_loop import EverybodyWaits, VirtualLoop, run_virtually

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(times(4)))
def test_a_house_that_dies_and_is_disturbed_keeps_its_promises(seed: int, tmp_path: Path) -> None:
    simulate(seed, tmp_path)


@pytest.mark.parametrize("seed", range(times(2)))
def test_a_house_that_dies_every_second_keeps_its_promises(seed: int, tmp_path: Path) -> None:
    simulate(seed, tmp_path, Mischief(seconds=10, kills=1.5, failed_commits=0.02, cuts=0.3, stalls=0.2))


@pytest.mark.parametrize("seed", range(times(1)))
def test_a_house_that_nobody_disturbs_keeps_its_promises_and_plays_on(seed: int, tmp_path: Path) -> None:
    found = simulate(seed, tmp_path, Mischief(seconds=60, kills=0.001, failed_commits=0, cuts=0, stalls=0))
    dealt = {name: state for name, state in found.oracle.state.tables.items() if not is_for_training(name)}
    assert all(state.round.number > 2 for name, state in dealt.items() if name not in LINKED)
    assert all(dealt[name].shoe.number > 0 for name in LINKED), "shoes are closed, and others follow"
    shared = found.oracle.state.links["main"].must_hit
    assert shared.jackpot > 1, "the Must Hit is won, and begins anew"
    assert sum(answer.is_done for person in found.people for _, _, answer in person.answers.values()) > 40


NOT_SIMULATED = {
    "server": "the program that serves, which ends with it",
    "waiting to be asked to end": "the same",
    "waiting for the database": "a node that is cut off",
    "is the database back": "the same",
    "decide again": "a node that was second",
    "price": "whoever asks for odds",
    "reports of the verification": "reads from another process, which the simulation does not start",
}
"""Short tasks that a simulated house has not, and whose they are."""


def test_a_house_whose_tasks_fail_keeps_its_promises(tmp_path: Path) -> None:
    """Each supervised task fails, is started again, and fails wherever it stands then; short tasks fail, and whoever
    waits for one is told. The process dies meanwhile, and its store fails.

    A new task of the house is among those that the source declares: the simulation must give it something to do.
    """
    declared, restarted, tables, short = declared_tasks(), set[str](), set[str](), set[str]()
    for seed in range(max(3, times(1))):
        faults = simulate(seed, tmp_path / str(seed), Mischief(seconds=15, task_faults=0.1, kills=0.1)).task_faults
        assert set(map(kind_of, faults.started)) == declared, f"seed {seed}"
        assert set(map(kind_of, faults.failed)) == declared, f"seed {seed}"
        restarted |= faults.restarted.keys()
        tables |= {name for name in faults.failed if kind_of(name) == DEALER}
        short |= faults.failed_short.keys()
    assert restarted == declared
    assert len(tables) > 1
    assert short == declared_short_tasks() - NOT_SIMULATED.keys()


def test_the_same_seed_is_the_same_run(tmp_path: Path) -> None:
    def sent(seed: int, name: str) -> list[tuple[float, int, int]]:
        """When what was sent to whom; ids of remarks are drawn by the system."""
        return [(at, who, len(text)) for at, who, text in simulate(seed, tmp_path / name, mischief).trace]

    mischief = Mischief(seconds=8, kills=0.3)

    first = sent(3, "one")
    assert first == sent(3, "two")
    assert first != sent(4, "three")


def test_what_breaks_is_told_with_the_seed_that_replays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GroupCommitter, "on_durable", lambda _self, then: then())  # nobody waits for the disk any more
    with pytest.raises(Broken, match=r"^seed 0, after .* J1: "):
        simulate(0, tmp_path)


def test_a_fault_at_the_meters_that_tables_share_is_found_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = vault.trigger_name

    def unsealable(*given: Any) -> ShoeName:
        return replace(made(*given), decks=0)

    for module in (vault, table_loop):
        monkeypatch.setattr(module, "trigger_name", unsealable)
    found = list[str]()
    for name in ("one", "two"):
        with pytest.raises(Broken, match=r"^seed 4, after .* dealer of linked \d failed .*: ValueError") as seen:
            simulate(4, tmp_path / name, Mischief(seconds=14, kills=0.001, failed_commits=0))
        found.append(str(seen.value))
    assert found[0] == found[1]


def test_who_waits_for_ever_is_found_at_once() -> None:
    async def wait() -> None:
        await loop.create_future()

    loop = VirtualLoop(lambda: (0.0, 0.0))
    with pytest.raises(EverybodyWaits):
        run_virtually(loop, wait())
