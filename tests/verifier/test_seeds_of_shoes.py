"""A seed serves one shoe: once it is revealed, everybody could derive the order of another shoe that has it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import corpus_base
from baccarat.house.stream import Stream
from baccarat.table.source import SealedShoe
from corpus_base import KEYS, PLAIN, Evening, journal, lines_of
from remade import Json, records_of
from three_verifiers import agreed
from triggers import FirstWager

pytestmark = pytest.mark.slow


def seeds_of(numbers: Sequence[int]) -> Callable[[int], bytes]:
    return lambda shoe: bytes([numbers[shoe]]) * 32


def table_of(folder: Path, name: str, numbers: Sequence[int]) -> list[Json]:
    """A table whose shoes have these seeds; the house alone could have known their orders."""
    folder.mkdir()
    evening = Evening(folder, witnesses=())
    evening.game.source = SealedShoe(
        evening.game.rules, seeds_of(numbers), table=name, triggers=FirstWager(evening.game.rules)
    )
    for number in range(len(numbers)):
        evening.begun().round().given_up()
        while evening.game.state.shoe.number == number:
            evening.game.act()
    return records_of(evening.bytes())


@pytest.mark.parametrize(("numbers", "status"), [((1, 2, 3), 0), ((1, 2, 1), 1)])
def test_no_later_shoe_of_a_table_has_the_seed_of_another(
    tmp_path: Path, numbers: tuple[int, ...], status: int
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(journal(table_of(tmp_path / "table", "1", numbers)))
    keys = [word for name in PLAIN for word in ("--key", str(KEYS[name].verifier))]
    assert agreed(path, *keys).status == status


@pytest.mark.parametrize(("seed", "status"), [(2, 3), (1, 1)])
def test_no_shoe_has_the_seed_of_one_at_another_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, status: int
) -> None:
    """The seed of the first is open while the second may still be played."""
    first = table_of(tmp_path / "one", "1", [1])
    monkeypatch.setattr(corpus_base, "STREAM", Stream("table 2"))
    second = table_of(tmp_path / "two", "2", [seed])
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(lines_of([*first, *second])))
    assert agreed(path).status == status
