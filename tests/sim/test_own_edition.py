"""An edition of one's own is simulated like a shipped one, also on machines that have never heard of it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import lagoon
from baccarat.law.edition import forget, loadable_editions
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.odds import odds
from baccarat.play.book import open_book
from baccarat.play.settle import settle
from baccarat.play.wager import PLAYER, Wager
from baccarat.sim import simulate
from baccarat.sim.dask_engine import WorkerOrder, deal_range
from baccarat.sim.job import decode_rulebook, encode_rulebook
from dealt_again import coups


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[Rulebook]:
    _, submission = lagoon.write(tmp_path)
    yield rulebook(submission)
    forget(lagoon.NAME)


def test_every_wager_is_settled_from_counts_as_round_by_round(rules: Rulebook) -> None:
    """Among them one on the opening pairs of one hand."""
    book = open_book(rules)
    assert book.openings
    tally = simulate(rules, seed=4, shoes=8, detail="pairs", engine="plain")
    dealt = [coup for number in range(8) for coup in coups(rules, 4, number)]
    for on in (*book.openings, *(on for on in book.kinds if on in book.verdicts)):
        stake, net = book.limits[on].min, 0
        beside = [] if on in book.plain else [Wager(seat=1, on=PLAYER, stake=book.limits[PLAYER].min)]
        for coup in dealt:
            settled = settle(rules, coup, [Wager(seat=1, on=on, stake=stake), *beside])
            net += settled.lines[0].net  # type: ignore[union-attr]
        found = tally.estimate(on, stake)
        assert found.mean == Fraction(net, stake * len(dealt))
        assert found.exact == odds(rules)[on].at(stake).expected


def test_its_text_travels_with_the_rules(rules: Rulebook) -> None:
    wanted = simulate(rules, seed=4, shoes=8, engine="plain")
    order = WorkerOrder(rules=encode_rulebook(rules), seed=4, rounds=None, detail="totals", version="0.1.0")
    forget(lagoon.NAME)
    assert lagoon.NAME not in loadable_editions()
    assert decode_rulebook(order.rules).hash == rules.hash
    assert lagoon.NAME in loadable_editions()
    cells, void = deal_range(order, 0, 8)
    assert (cells, void) == (wanted.counts.cells, 0)
