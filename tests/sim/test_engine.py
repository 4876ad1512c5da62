"""Whoever deals, and however the work is divided, the tally is the same; whatever cannot be is refused."""

from __future__ import annotations

import importlib.util
import pickle
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import nan
from time import process_time
from typing import Any, NoReturn

import msgspec
import numpy as np
import pytest

from baccarat import BANKER, WagerKind, rulebook
from baccarat.sim import cuda, vector_run
from baccarat.sim import engine as engines
from baccarat.sim.engine import NoEngine, NotInstalled, grow_tally, make_engine, piece, simulate, split_ranges
from baccarat.sim.job import decode_rulebook, encode_rulebook, make_job
from baccarat.sim.plan import DETAILS, Detail
from baccarat.sim.stopping_rule import parse_until
from baccarat.sim.tally import BadTally, Range
from baccarat.sim.threads import ITEMS_AHEAD, in_order

RULES = rulebook("ma-midi-4-royal9")


@pytest.mark.parametrize("detail", DETAILS)
@pytest.mark.slow
def test_any_engine_with_any_number_of_workers_gives_the_same_tally(detail: Detail) -> None:
    shoes: dict[str, Any] = {"seed": 7, "first": 3, "shoes": 2500, "rounds": 30, "detail": detail}
    wanted = simulate(RULES, engine="plain", workers=1, **shoes)
    assert wanted.rounds == 75_000
    for engine, workers in (("vector", 1), ("vector", 2), ("vector", 8), ("plain", 8), ("auto", None)):
        assert simulate(RULES, engine=engine, workers=workers, **shoes).hash == wanted.hash, (engine, workers)


@pytest.mark.slow
def test_kernel_and_plain_path_agree_to_the_cover_card() -> None:
    for name, decks in (("ma-midi-4", 8), ("nj-punto-banco", 6)):
        rules = rulebook(name, decks=decks)
        one, other = (simulate(rules, seed=2**63 + 5, shoes=8192, engine=which) for which in ("vector", "plain"))
        assert one == other
        assert one.shoes == 8192


def test_parts_add_up_to_the_whole() -> None:
    whole = simulate(RULES, seed=1, shoes=1000, rounds=5)
    parts = [
        simulate(RULES, seed=1, first=first, shoes=shoes, rounds=5) for first, shoes in ((0, 7), (7, 990), (997, 3))
    ]
    assert parts[2] + parts[0] + parts[1] == whole


def test_a_quadrillion_shoes_begin_at_once_and_go_on_from_where_they_stopped() -> None:
    job = make_job(RULES, seed=5, shoes=10**15, rounds=1)
    start = process_time()
    engine = make_engine(job, "plain", workers=2)
    growing = grow_tally(job, engine)
    first = next(growing)
    growing.close()
    assert process_time() - start < 5
    second = next(grow_tally(job, engine, start=first))
    assert second.ranges == (Range(0, first.shoes + engine.shoes),)
    assert second == simulate(RULES, seed=5, shoes=second.shoes, rounds=1)


def test_a_job_goes_on_from_any_part_of_it() -> None:
    part = simulate(RULES, seed=5, first=300, shoes=100, rounds=2)
    assert simulate(RULES, seed=5, shoes=1000, rounds=2, start=part) == simulate(RULES, seed=5, shoes=1000, rounds=2)
    with pytest.raises(BadTally, match="300–399 have been dealt already, and 0–349 are asked for"):
        simulate(RULES, seed=5, shoes=350, rounds=2, start=part)
    with pytest.raises(BadTally, match="seed"):
        simulate(RULES, seed=6, shoes=1000, rounds=2, start=part)


def test_ranges_are_cut_where_the_same_numbers_divide_them() -> None:
    assert list(split_ranges([Range(3, 10), Range(20, 1)], 4)) == [
        Range(3, 1),
        Range(4, 4),
        Range(8, 4),
        Range(12, 1),
        Range(20, 1),
    ]
    assert next(split_ranges([Range(0, 2**61)], 1 << 18)) == Range(0, 1 << 18)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"shoes": 0}, "shoes: 0; expected 1 at least"),
        ({"shoes": -5}, "shoes: -5; expected 1 at least"),
        ({"shoes": nan}, "shoes: expected a whole number, not nan"),
        ({"shoes": 1.5}, "shoes: expected a whole number, not 1.5"),
        ({"shoes": True}, "shoes: expected a whole number, not True"),
        ({"shoes": 2**63}, "shoes: .*at most"),
        ({"first": -1}, "first: -1; expected 0 at least"),
        ({"seed": -1}, "seed: -1; expected 0 at least"),
        ({"seed": 2**64}, "seed: .*at most"),
        ({"rounds": 0}, "rounds: 0; expected 1 at least"),
        ({"detail": "suits"}, "detail: 'suits'; expected one of totals, pairs, royal9"),
        ({"engine": "abacus"}, "engine: 'abacus'; expected one of auto, vector, plain, dask, cuda"),
        ({"workers": 0}, "workers: 0; expected 1 at least"),
        ({"workers": nan}, "workers: expected a whole number, not nan"),
        ({"cluster": "tcp://127.0.0.1:1"}, "a cluster goes with the engine dask"),
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        simulate(RULES, **({"seed": 1, "shoes": 10} | change))


def test_a_rulebook_outside_the_fast_path_takes_the_plain_one_and_says_so() -> None:
    rules = rulebook("ma-midi-4", cover_card_depth=5)
    engine = make_engine(make_job(rules, seed=1, shoes=10))
    assert engine.name == "plain"
    assert "a cover card depth of 5 in 8 decks" in engine.notes[0]
    with pytest.raises(NoEngine, match=r"a cover card depth of 5 in 8 decks.*--engine plain takes it"):
        simulate(rules, seed=1, shoes=10, engine="vector")


@pytest.mark.parametrize(
    ("engine", "without", "why"),
    [
        ("cuda", "cupy", r"pip install 'baccarat\[gpu\]'"),
        ("dask", "distributed", r"pip install 'baccarat\[dask\]'"),
        ("vector", "numba", r"pip install 'baccarat\[sim\]'"),
        ("plain", "numpy", r"pip install 'baccarat\[odds\]'"),
    ],
)
def test_an_engine_that_is_not_installed_says_what_is_missing(
    engine: str, without: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _hide(monkeypatch, without)
    with pytest.raises(NotInstalled, match=why):
        simulate(RULES, seed=1, shoes=10, engine=engine)


def test_a_gpu_is_given_ranges_like_any_other_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is none here: the kernel stands in for it."""
    _show(monkeypatch, "cupy")
    monkeypatch.setattr(cuda, "run", vector_run.run)
    found = simulate(RULES, seed=7, first=3, shoes=3000, engine="cuda")
    assert found == simulate(RULES, seed=7, first=3, shoes=3000)


def test_a_gpu_that_does_not_work_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    _show(monkeypatch, "cupy")

    def no_driver(*_: object) -> NoReturn:
        raise RuntimeError("cudaErrorInsufficientDriver: CUDA driver version is insufficient")

    monkeypatch.setattr(cuda, "run", no_driver)
    with pytest.raises(NoEngine, match="no GPU that works: cudaErrorInsufficientDriver"):
        simulate(RULES, seed=7, shoes=10, engine="cuda")
    with pytest.raises(NoEngine, match="a cover card depth of 5"):
        simulate(rulebook("ma-midi-4", cover_card_depth=5), seed=7, shoes=10, engine="cuda")


def _show(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Make a package one that is installed."""
    real = importlib.util.find_spec
    monkeypatch.setattr(engines, "find_spec", lambda name: name == package or real(name))


def test_without_numba_the_plain_path_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    _hide(monkeypatch, "numba")
    engine = make_engine(make_job(RULES, seed=1, shoes=10))
    assert (engine.name, "numba is not installed" in engine.notes[0]) == ("plain", True)


def test_with_a_numba_that_cannot_be_imported_the_plain_path_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("baccarat.sim.vector_run", raising=False)
    monkeypatch.setitem(sys.modules, "baccarat.sim.vector_run", None)  # importing it fails, as numba's own check would
    engine = make_engine(make_job(RULES, seed=1, shoes=10))
    assert (engine.name, "numba cannot be used here" in engine.notes[0]) == ("plain", True)


def _hide(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Make a package one that is not installed."""
    real = importlib.util.find_spec

    def find(name: str, *more: Any) -> Any:
        return None if name.partition(".")[0] == package else real(name, *more)

    monkeypatch.setattr(engines, "find_spec", find)
    monkeypatch.setattr("baccarat.sim.dask_engine.find_spec", find)


# ------------------------------------------------------------------------------------------------- threads


@pytest.mark.parametrize("threads", [1, 3])
def test_answers_come_in_order_and_items_are_taken_as_they_are_needed(threads: int) -> None:
    taken = []

    def items() -> Iterator[int]:
        for item in range(10**9):
            taken.append(item)
            yield item

    found = list(islice(in_order(lambda item: item * item, items(), threads=threads), 20))
    assert found == [(item, item * item) for item in range(20)]
    assert len(taken) <= 20 + ITEMS_AHEAD * threads


def test_what_goes_wrong_in_a_thread_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda item: 1 // item, iter([1, 0, 1]), threads=2))


# --------------------------------------------------------------------------------------------------- until


def test_a_run_ends_with_the_same_shoe_whoever_deals() -> None:
    until = parse_until("banker edge ±0.3%", RULES, detail="totals")
    found = [
        simulate(RULES, seed=3, shoes=6000, first=100, engine=engine, workers=workers, until=until)
        for engine, workers in (("plain", 1), ("vector", 8))  # which are given pieces of different sizes
    ]
    assert found[0] == found[1]
    assert found[0].shoes < 6000
    assert found[0].ranges[-1].end % until.grain == 0
    assert found[0].estimate(BANKER).half_width <= 0.003
    shorter = simulate(RULES, seed=3, first=100, shoes=found[0].shoes - until.grain)
    assert shorter.estimate(BANKER).half_width > 0.003


def test_a_run_to_an_end_goes_on_to_the_same_end() -> None:
    until = parse_until("tie edge +-1%", RULES, detail="totals")
    whole = simulate(RULES, seed=3, shoes=10**6, until=until)
    part = simulate(RULES, seed=3, shoes=700)
    assert part.shoes < whole.shoes
    assert simulate(RULES, seed=3, shoes=10**6, until=until, start=part) == whole
    assert simulate(RULES, seed=3, shoes=10**6, until=until, start=whole) == whole


def test_shoes_end_a_run_that_has_not_reached_its_end() -> None:
    until = parse_until("banker edge ±0.001%", RULES, detail="totals")
    assert simulate(RULES, seed=3, shoes=500, until=until).shoes == 500
    assert until.half_width == Fraction(1, 100_000)
    job = make_job(RULES, seed=3, shoes=10**15)
    engine = make_engine(job, "plain", workers=1)
    assert piece(job, engine, until) <= until.grain


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("banker", "expected a wager, the word edge, and a width"),
        ("banker edge 0.1", "expected a wager"),
        ("banker edge ±nan%", "expected a wager"),
        ("banker edge ±0%", "a width of zero"),
        ("banker edge ±1.2.3%", "not a number"),
        ("bonker edge ±1%", "did you mean 'banker'"),
        ("royal9 edge ±1%", "needs detail 'royal9', and 'totals' is asked for"),
        ("panda8 edge ±1%", "not offered"),
    ],
)
def test_an_end_that_nobody_understands_is_refused(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_until(text, RULES, detail="totals")


def test_an_end_is_asked_of_wagers_on_more_than_totals_with_their_detail() -> None:
    assert parse_until("Royal9 edge +/-1%", RULES, detail="royal9").on is WagerKind.ROYAL9


# ------------------------------------------------------------------------------------- rules that travel


def test_rules_are_the_same_where_they_arrive() -> None:
    for rules in (RULES, rulebook("nj-punto-banco", decks=6)):
        assert decode_rulebook(encode_rulebook(rules)).hash == rules.hash


def test_rules_that_became_others_on_the_way_are_refused() -> None:
    other = msgspec.structs.replace(encode_rulebook(RULES), hash="0" * 64)
    with pytest.raises(ValueError, match="another version"):
        decode_rulebook(other)


def test_tallies_add_up_with_sum_and_travel_between_processes() -> None:
    parts = [simulate(RULES, seed=7, first=first, shoes=5, engine="plain") for first in (0, 5)]
    assert sum(parts) == simulate(RULES, seed=7, shoes=10, engine="plain")
    again = pickle.loads(pickle.dumps(parts[0]))
    assert (again, again.hash) == (parts[0], parts[0].hash)
    assert again + parts[1] == sum(parts)
    with pytest.raises(TypeError):
        sum(parts, start=1)


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    found = simulate(RULES, seed=np.uint64(7), first=np.int16(2), shoes=np.int64(3), rounds=np.int8(4), engine="plain")
    assert found == simulate(RULES, seed=7, first=2, shoes=3, rounds=4, engine="plain")
    assert found.hash == simulate(RULES, seed=7, first=2, shoes=3, rounds=4, engine="plain").hash
    with pytest.raises(ValueError, match="shoes: expected a whole number"):
        simulate(RULES, seed=7, shoes=np.array([1, 2]))
