"""Power cuts: nothing that was answered is lost; where the store waits less for the disk, the same cuts find losses."""

from __future__ import annotations

from pathlib import Path

import pytest

from cutting_power import cut_power, prepare

CUTS = 40


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """An empty store to start from."""
    folder = tmp_path / "empty"
    folder.mkdir()
    prepare(folder)
    return folder


@pytest.mark.slow
def test_nothing_that_was_answered_is_lost_in_a_power_cut(empty: Path, tmp_path: Path) -> None:
    cuts = [cut_power(seed, empty, tmp_path) for seed in range(CUTS)]
    assert [cut for cut in cuts if cut.lost] == []
    assert {cut.act for cut in cuts} >= {"write", "sync"}, "cuts fall on both"
    assert {cut.step for cut in cuts} >= {"a batch", "rest"}, "cuts fall on commits and on writing back"


@pytest.mark.slow
@pytest.mark.parametrize("synchronous", ["NORMAL", "OFF"])
def test_the_same_cuts_find_a_store_that_does_not_wait_for_the_disk(
    synchronous: str, empty: Path, tmp_path: Path
) -> None:
    lost = [seed for seed in range(CUTS) if cut_power(seed, empty, tmp_path, synchronous=synchronous).lost]
    assert len(lost) >= CUTS // 5
