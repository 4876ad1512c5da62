"""Rounds on record are the rounds of the stream, card by card, and of every engine, to the last count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from baccarat import WagerKind, __version__, rulebook
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.play.coup import deal_by
from baccarat.play.shoe import burn, rounds
from baccarat.sim import kernel_rounds as by_vectors
from baccarat.sim import plain, vector_machine
from baccarat.sim.plan import NoFastPath, plan_for_book
from baccarat.sim.stream import shoe, simulate_shoe
from baccarat.sim.study import round_columns
from baccarat.sim.study.book_arrays import RANKS, case_of
from baccarat.sim.study.counts import linear_count, study_counts
from baccarat.sim.study.round_columns import records, write_parquet
from packed_cards import unpack_cards

RULES = [
    rulebook("ma-midi-4"),
    rulebook("ma-midi-4-ez", decks=6),
    rulebook("nj-punto-banco", decks=7),
    rulebook("ma-midi-1", cover_card_depth=300),
    rulebook("nj-punto-banco-six-half"),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_every_card_is_that_of_the_stream_and_every_round_that_of_the_engine(rules: Rulebook) -> None:
    (block,) = records(rules, seed=11, shoes=24, first=5)
    for index, (start, end) in enumerate(pairwise(block.starts.tolist())):
        cards = shoe(rules, 11, 5 + index)
        assert RANKS[block.burned[index]] is cards[0].rank
        dealt = [each for each in rounds(rules, cards, position=len(burn(rules, cards).cards)) if not each.coup.is_void]
        assert len(dealt) == end - start
        for row, each in zip(range(start, end), dealt, strict=True):
            coup, (a, b, c, d) = each.coup, cards[each.position : each.position + 4]
            number = int(block.cards_dealt[row])
            seen = cards[each.position : each.position + coup.cards_dealt]
            assert [RANKS[rank] for rank in block.cards[:number, row]] == [card.rank for card in seen]
            assert (block.cards[number:, row] == 255).all()
            assert block.case[row] == case_of(
                coup.index, player_pair=a.rank is c.rank, banker_pair=b.rank is d.rank
            )  # fmt: skip


@pytest.mark.parametrize("rules", RULES[:3], ids=str)
@pytest.mark.parametrize("fixed", [None, 30])
@pytest.mark.slow
def test_cases_are_counted_as_the_plain_path_counts_them(rules: Rulebook, fixed: int | None) -> None:
    book = open_book(rules)
    found = np.zeros(1600, np.int64)
    for block in records(rules, seed=3, shoes=3_000, first=1, rounds=fixed):
        found += np.bincount(block.case, minlength=1600)
    assert plain.run(plain.plan(book, "pairs"), 3, 1, 3_000, fixed).cells == tuple(found.tolist())


def test_a_shoe_can_be_dealt_to_its_last_card() -> None:
    rules = rulebook("ma-midi-4")
    (block,) = records(rules, seed=2, shoes=3, rounds=200)
    for index, (start, end) in enumerate(pairwise(block.starts.tolist())):
        made = simulate_shoe(open_book(rules), 2, index).rounds
        finished = [each for each in made if not deal_by(open_book(rules), each).is_void]
        assert end - start == len(finished)


def test_a_parquet_file_holds_the_same_rounds(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    rules, path = rulebook("ma-midi-4"), tmp_path / "rounds.parquet"
    rows = write_parquet(rules, path, seed=9, shoes=40)
    (block,) = records(rules, seed=9, shoes=40)
    table = pq.read_table(path)
    assert table.num_rows == rows == block.rows
    assert (table["case"].to_numpy() == block.case).all()
    assert (unpack_cards(table["cards"].to_numpy()) == np.minimum(block.cards, 15)).all()
    shoes, numbers = table["shoe"].to_numpy(), table["round"].to_numpy()
    assert shoes[-1] == 39
    assert numbers[0] == 1
    assert numbers.max() == np.diff(block.starts).max()
    about = {name.decode(): value.decode() for name, value in table.schema.metadata.items()}
    assert (about["seed"], about["first"], about["shoes"], about["rounds"]) == ("9", "0", "40", "to the cover card")
    assert (about["program"], about["rulebook"]) == (f"baccarat {__version__}", rules.hash)
    assert rulebook(json.loads(about["submission"])).hash == rules.hash
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.slow
@pytest.mark.parametrize("rounds", [None, 20])
def test_the_vector_kernel_and_the_dealer_give_the_same_columns(rounds: int | None) -> None:
    for rules in RULES[:3]:
        book = open_book(rules)
        one = round_columns._by_dealer(book, 5, 3, 200, rounds or 0)
        other = round_columns._by_kernel(plan_for_book(book, "pairs"), 5, 3, 200, rounds or 0)
        for mine, theirs in zip(one, other, strict=True):
            assert mine.dtype == theirs.dtype
            assert (mine == theirs).all()


def test_what_cannot_be_dealt_is_refused(tmp_path: Path) -> None:
    rules = rulebook("ma-midi-4")
    for name, wrong in (("seed", -1), ("shoes", 0), ("first", -4), ("rounds", 0), ("shoes", 2**63)):
        with pytest.raises(ValueError, match=f"{name}: {wrong}; expected"):
            next(records(rules, **{"seed": 1, "shoes": 1} | {name: wrong}))
    with pytest.raises(OSError, match="gone"):
        write_parquet(rules, tmp_path / "gone" / "x.parquet", seed=1, shoes=1)


@pytest.fixture
def unknown_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As with a numba that is newer than the kernels."""
    monkeypatch.setattr(vector_machine, "NUMBA_VERSIONS", ((0, 1), (0, 2)))
    vector_machine.this_machine.cache_clear()
    yield
    monkeypatch.undo()
    vector_machine.this_machine.cache_clear()


@pytest.mark.usefixtures("unknown_numba")
def test_with_a_numba_that_is_not_known_the_dealer_writes_the_same_rounds(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    write_parquet(RULES[0], tmp_path / "rounds.parquet", seed=9, shoes=4)
    (block,) = records(RULES[0], seed=9, shoes=4)
    assert (pq.read_table(tmp_path / "rounds.parquet")["case"].to_numpy() == block.case).all()


@pytest.mark.usefixtures("unknown_numba")
def test_what_needs_suits_does_without_the_kernel() -> None:
    rules = rulebook("ma-midi-4-royal9")
    found = study_counts(rules, linear_count(rules, WagerKind.ROYAL9), seed=1, shoes=2, index=-1000.0)
    assert found.depths[0].counter.share == 1


def test_a_kernel_that_deals_other_cards_is_found_out_before_it_writes_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a numba that compiles it wrongly would: two cards of a round change places."""
    pq = pytest.importorskip("pyarrow.parquet")
    dealt = by_vectors._records

    def wrong(*asked: Any) -> by_vectors.KernelRounds:
        found = dealt(*asked)
        found.cards[0, [0, 1]] = found.cards[0, [1, 0]]
        return found

    by_vectors.prove.cache_clear()
    monkeypatch.setattr(by_vectors, "_records", wrong)
    plan = plan_for_book(open_book(RULES[0]), "pairs")
    with pytest.raises(NoFastPath, match="does not deal the cards of the definition"):
        by_vectors.prove(plan, None, vector_machine.this_machine())
    write_parquet(RULES[0], tmp_path / "rounds.parquet", seed=9, shoes=4)
    (block,) = records(RULES[0], seed=9, shoes=4)
    packed = pq.read_table(tmp_path / "rounds.parquet")["cards"].to_numpy()
    assert (unpack_cards(packed) == np.minimum(block.cards, 15)).all()


def test_files_beside_the_one_that_is_written_stay_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path, neighbour = tmp_path / "r.parquet", tmp_path / "r.parquet.part"
    neighbour.write_text("precious")
    write_parquet(RULES[0], path, seed=1, shoes=4)
    assert neighbour.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == [path, neighbour]
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_that_cannot_be_finished_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    path = tmp_path / "r.parquet"
    path.write_text("precious")

    def fails(*_: Any) -> Any:
        raise OSError("no space left")

    monkeypatch.setattr(round_columns, "_by_kernel", fails)
    with pytest.raises(OSError, match="no space left"):
        write_parquet(RULES[0], path, seed=1, shoes=4)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]
