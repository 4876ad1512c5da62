"""How far a study is: when it has ended, as many shoes have been dealt as were to be dealt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from typer.testing import CliRunner

from baccarat.cli import app, study_progress

HOUSE = ("house", "ma-midi-4-royal9", "--seat", "banker=$100", "--tables", "2", "--days", "2", "--shoes", "2")


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("hands", "ma-midi-4", "--shoes", "6"),
        ("counts", "ma-midi-4-ez", "dragon7", "--shoes", "6"),
        ("counts", "ma-midi-4", "house_money", "--shoes", "6"),
        ("counts", "ma-midi-1-royal9", "royal9", "--shoes", "6"),
        ("counts", "ma-midi-4-royal9", "royal9", "--shoes", "6"),
        ("patrons", "ma-midi-4", "--seat", "banker=$25", "--sessions", "6"),
        HOUSE,
        (*HOUSE, "--progressive", "1"),
        ("wagers", "ma-midi-4-ez", "--shoes", "64", "--effect", "4"),
        ("wagers", "ma-midi-4-royal9", "--shoes", "64", "--effect", "4"),
        ("wagers", "ma-midi-4-royal9", "--shoes", "64", "--effect", "4", "--set", "cover_card_depth=5"),
    ],
    ids=" ".join,
)
def test_a_study_ends_when_all_shoes_are_dealt(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int | None]] = []

    @contextmanager
    def watched(dealt: Callable[[], int], total: int | None) -> Iterator[None]:
        yield
        seen.append((dealt(), total))

    monkeypatch.setattr(study_progress, "progress_of", watched)
    ended = CliRunner().invoke(app, ["study", *words])
    assert ended.exit_code == 0, ended.output
    ((shoes, total),) = seen
    assert shoes == total
