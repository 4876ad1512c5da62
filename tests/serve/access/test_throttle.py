"""Throttles: longer and longer, for whoever tries again and again; bounded; nobody waits longer than is due."""

from __future__ import annotations

import sys

import pytest

from baccarat.serve.access.base import HOUR, MINUTE, ONE_SECOND
from baccarat.serve.access.throttle import BY_ADDRESS, BY_NAME, Delays, Throttle, address_key

NOW = 10**12
SHORT = Delays(free=2, first=ONE_SECOND, longest=10 * ONE_SECOND, forget=HOUR)


def test_after_the_free_tries_each_wait_is_twice_the_one_before_up_to_the_longest() -> None:
    throttle, now, waits = Throttle(SHORT), NOW, []
    for _ in range(8):
        wait = throttle.wait("ana", now)
        waits.append(wait // ONE_SECOND)
        now += wait
        throttle.count("ana", now)
    assert waits == [0, 0, 1, 2, 4, 8, 10, 10]


def test_nobody_else_waits() -> None:
    throttle = Throttle(SHORT)
    for _ in range(9):
        throttle.count("ana", 0)
    assert throttle.wait("bob", 0) == 0


def test_a_hundred_tries_at_one_moment_are_a_hundred() -> None:
    throttle = Throttle(BY_NAME)
    let_in = 0
    for _ in range(100):
        if throttle.wait("ana", 0) == 0:
            throttle.count("ana", 0)
            let_in += 1
    assert let_in == BY_NAME.free


def test_whoever_succeeds_is_forgiven() -> None:
    throttle = Throttle(SHORT)
    for _ in range(3):
        throttle.count("ana", 0)
    throttle.forgive("ana", all_of_them=False)
    throttle.forgive("ana", all_of_them=False)
    assert throttle.wait("ana", 0) == 0
    throttle.count("ana", 0)
    assert throttle.wait("ana", 0) == ONE_SECOND
    throttle.forgive("ana", all_of_them=True)
    assert throttle.wait("ana", 0) == 0
    assert len(throttle) == 0
    throttle.forgive("nobody", all_of_them=False)


def test_tries_are_forgotten_after_a_while() -> None:
    throttle = Throttle(SHORT)
    for _ in range(9):
        throttle.count("ana", NOW)
    assert throttle.wait("ana", NOW) == 10 * ONE_SECOND
    assert throttle.wait("ana", NOW + ONE_SECOND) == 9 * ONE_SECOND
    assert throttle.wait("ana", NOW + HOUR) == 0
    throttle.count("ana", NOW + HOUR)
    assert throttle.wait("ana", NOW + HOUR) == 0, "the count begins anew"
    for _ in range(3):
        throttle.count("ana", NOW + HOUR)
    assert throttle.wait("ana", NOW + HOUR) == 4 * ONE_SECOND, "and goes on from there"


def test_a_wait_that_is_longer_than_what_is_remembered_ends_with_it() -> None:
    throttle = Throttle(Delays(free=0, first=HOUR, longest=HOUR, forget=MINUTE))
    throttle.count("ana", NOW)
    assert throttle.wait("ana", NOW + MINUTE - 1) == HOUR - MINUTE + 1
    assert throttle.wait("ana", NOW + MINUTE) == 0


def test_whoever_is_not_known_is_not_forgiven_into_debt() -> None:
    throttle = Throttle(SHORT)
    throttle.forgive("ana", all_of_them=False)
    assert len(throttle) == 0
    throttle.count("ana", NOW)
    throttle.forgive("ana", all_of_them=False)
    assert len(throttle) == 0


@pytest.mark.parametrize("step", [-(10**15), -HOUR, -1])
def test_a_clock_that_is_set_back_makes_nobody_wait_longer_than_is_due(step: int) -> None:
    throttle = Throttle(SHORT)
    for _ in range(5):
        throttle.count("ana", 10**12)
    assert throttle.wait("ana", 10**12 + step) <= 8 * ONE_SECOND


def test_a_flood_of_names_takes_no_more_memory_than_the_bound_and_the_one_that_is_tried_stays() -> None:
    throttle = Throttle(SHORT, most_kept=1_000)
    for number in range(100_000):
        if number % 500 == 0:
            throttle.count("ana", number)
        throttle.count(f"name {number}", number)
    assert len(throttle) == 1_000
    assert throttle.wait("ana", 100_000) > 0
    for _ in range(SHORT.free):
        throttle.count("name 99999", 100_000)
    assert throttle.wait("name 99999", 100_000) == 2 * ONE_SECOND, "the last one is remembered, too"
    throttle.count("name 5", 100_000)
    assert throttle.wait("name 5", 100_000) == 0, "and the first is not"
    assert sys.getsizeof(throttle._tried) < 200_000


def test_names_stand_nowhere_in_a_throttle() -> None:
    throttle = Throttle(SHORT)
    throttle.count("Ana Maria", 0)
    assert b"Ana" not in repr(throttle._tried).encode()


def test_nobody_is_shut_out_for_long_by_others_who_type_his_name() -> None:
    assert BY_NAME.delay_after(10**9) == MINUTE
    assert BY_ADDRESS.delay_after(10**9) == 15 * MINUTE


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("'; drop", "unknown"),
        ("1" * 10**6, "unknown"),
    ],
)
def test_whom_an_address_stands_for(address: str, key: str) -> None:
    assert address_key(address) == key
