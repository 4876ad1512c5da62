"""Two houses that differ in hidden cards, seeds or triggers only: everybody is sent the same bytes at the same moments.

Everything of the house runs on virtual time (`house_simulation.py`), restarts and broken lines included. What must
differ is blanked digit by digit, so that lengths count: commitments, roots, salts and proofs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from baccarat.house.stream import Stream
from baccarat.law.rulebook import Rulebook
from baccarat.record.entry import read_body
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.automation.dealer import Agenda
from baccarat.serve.route.replay import matches
from baccarat.serve.runtime.past_state import StateCache
from baccarat.serve.runtime.recovery import recover
from baccarat.serve.store.base import Reads
from baccarat.serve.watch.alert import alerts_in
from baccarat.serve.watch.expected_win import rules_filed
from baccarat.serve.watch.narration import ReplayNarrator
from baccarat.table.role import Role
from baccarat.table.view import Viewer
from campaign import times
from hidden_cards import GivenOrders, Place
from house_simulation import WALL, Mischief, Simulation, simulate
from stored_house import open_house

pytestmark = pytest.mark.slow

TOLD_HEX = re.compile(r"[0-9a-f]{32,}|[0-9a-f]{8,}(?=…)|(?<=person )[0-9a-f]{6}\b|(?<=remark )[0-9a-f]{6}\b")
"""Digits of a hash, a salt or a random id; in sentences how one begins."""
CALM = Mischief(seconds=15, kills=0.1, failed_commits=0.002, players=6, is_linked=False)
SHOWN_WITHIN = 3.0
"""So many seconds after a card is asked for, at the latest, somebody is shown a card."""
Orders = Callable[[Callable[[], float]], GivenOrders]


def sent(found: Simulation, until: float) -> list[tuple[float, int, str]]:
    """All that was sent before a moment, without the digits of hashes."""
    return [
        (at, who, TOLD_HEX.sub(lambda digits: "#" * len(digits[0]), text))
        for at, who, text in found.trace
        if at < until
    ]


def until_shown(mischief: Mischief, asked: float) -> Mischief:
    """The same mischief, which ends when the card that was asked for at a moment has been shown."""
    return msgspec.structs.replace(mischief, seconds=min(mischief.seconds, asked + SHOWN_WITHIN))


def of_orders(made: list[GivenOrders], **more: object) -> Orders:
    """Makes the orders of a run, and keeps them for the test."""

    def make(now: Callable[[], float]) -> GivenOrders:
        made.append(GivenOrders(now, **more))  # type: ignore[arg-type]
        return made[-1]

    return make


@pytest.mark.parametrize("seed", range(times(3)))
def test_d1_who_may_not_know_a_card_is_sent_the_same_bytes_whatever_it_is(seed: int, tmp_path: Path) -> None:
    made = list[GivenOrders]()
    one = simulate(seed, tmp_path / "one", CALM, orders=of_orders(made, seed=seed))
    asked = made[0].asked
    for share in (0.0, 0.4, 0.8):
        count = int(len(asked) * share)
        known: frozenset[Place] = frozenset(place for _, place in asked[:count])
        until = asked[count][0]
        orders = of_orders(made, seed=seed, known=known, other=7)
        two = simulate(seed, tmp_path / f"{share}", until_shown(CALM, until), orders=orders)
        later = until + SHOWN_WITHIN
        assert len(sent(one, until)) > 50
        assert sent(one, until) == sent(two, until)
        assert sent(one, later) != sent(two, later), "the cards were others, and at last that is seen"


@pytest.mark.parametrize("seed", range(times(2)))
def test_d1_seeds_and_triggers_show_in_commitments_only(seed: int, tmp_path: Path) -> None:
    """Other seeds of shoes and triggers: the same bytes to all until the first card is turned."""
    run = partial(simulate, seed, mischief=until_shown(CALM, 6.0))  # the first card is shown after two to four
    one, two = run(folder=tmp_path / "one"), run(folder=tmp_path / "two", seeds=1)
    until = min(first_card(one), first_card(two))
    assert len(sent(one, until)) > 50
    assert sent(one, until) == sent(two, until)
    assert [text for _, _, text in one.trace] != [text for _, _, text in two.trace]


def shown_again(folder: Path, until: float) -> list[str]:
    """All that replay, search and alerts tell of what was written before a moment, in every role, without hashes."""
    store = open_house(folder / "house.db")
    try:
        reads = store.reader()
        house = recover(reads)
        assert house is not None
        told = list[bytes]()
        for stream in sorted(stream for stream in house.heads if stream.startswith("table ")):
            last = last_before(reads, stream, until)
            told += told_of(reads, stream, last, rules_filed(house.state))
        reads.close()
    finally:
        store.close()
    return [TOLD_HEX.sub(lambda digits: "#" * len(digits[0]), text.decode()) for text in told]


def last_before(reads: Reads, stream: Stream, until: float) -> int:
    """The last record of a stream that was written before a moment."""
    rows = reads.entries(stream, after=-1, limit=100_000)
    return max(row.seq for row in rows if read_body(row.body).at < WALL + int(until * 1_000_000))


def told_of(reads: Reads, stream: Stream, last: int, rules: Mapping[str, Rulebook]) -> Iterator[bytes]:
    """A table's records, told to each role, with what each changed; what a search finds, and the alerts."""
    steps = list(StateCache().steps(reads, stream, 1, last))
    if not steps:
        return
    for role in Role:
        viewer = Viewer(role)
        film = ReplayNarrator(steps[0], viewer, rules, str)
        yield msgspec.json.encode(film.view)
        yield from (msgspec.json.encode(film.act(step)) for step in steps)
        yield from (msgspec.json.encode(found) for step in steps for found in matches(step, 0, viewer, str, [], ""))
    for step in steps:
        yield from map(msgspec.json.encode, alerts_in(step, rules[step.record.rulebook], stream, str))


def test_d1_replay_search_and_alerts_tell_no_role_a_card_that_is_not_turned(tmp_path: Path) -> None:
    """Two houses with other hidden cards: told again, all that was written until then is the same, in every role."""
    made, calm = list[GivenOrders](), msgspec.structs.replace(CALM, kills=1e-9, failed_commits=0.0)
    one = simulate(1, tmp_path / "one", calm, orders=of_orders(made, seed=1))
    asked = made[0].asked
    assert one.trace
    for share in (0.3, 0.7):
        count = int(len(asked) * share)
        known: frozenset[Place] = frozenset(place for _, place in asked[:count])
        until = asked[count][0]
        orders = of_orders(made, seed=1, known=known, other=7)
        simulate(1, tmp_path / f"{share}", until_shown(calm, until), orders=orders)
        first, second = (shown_again(tmp_path / name, until) for name in ("one", f"{share}"))
        assert len(first) > 200
        assert first == second
    later = asked[int(len(asked) * 0.3)][0] + SHOWN_WITHIN
    whole, other = (shown_again(tmp_path / name, later) for name in ("one", "0.3"))
    assert whole != other, "the cards were others, and at last that is told"


def first_card(found: Simulation) -> float:
    """When somebody is first shown a card."""
    return next(at for at, _, text in found.trace if '"burned_card_turned"' in text or '"card_turned"' in text)


def test_a_dealer_who_pauses_for_what_a_hidden_card_is_would_be_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = Attendant.update

    def pausing(self: Attendant, table: Any, now: float, **more: Any) -> None:
        after(self, table, now, **more)
        if table.state.shoe.root and self.agenda.act is not None:
            last = self.source._order(table.state).cards[-1]  # type: ignore[attr-defined]
            self.agenda = Agenda(self.agenda.act, self.agenda.at + 0.001 * sum(str(last).encode()))

    monkeypatch.setattr(Attendant, "update", pausing)
    made = list[GivenOrders]()
    short = until_shown(CALM, 4.0)  # the first card is asked for after less than that
    one = simulate(0, tmp_path / "one", short, orders=of_orders(made, seed=0))
    two = simulate(0, tmp_path / "two", short, orders=of_orders(made, seed=0, other=7))
    until = made[0].asked[0][0]
    assert sent(one, until) != sent(two, until)
