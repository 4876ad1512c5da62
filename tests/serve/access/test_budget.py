"""Budgets: one for each person over all lines, one for all at an address who have not signed on; refusals cost most."""

from __future__ import annotations

import random
from typing import Any

import pytest

from baccarat.serve.access import budget
from baccarat.serve.access.base import MINUTE, ONE_SECOND
from baccarat.serve.access.budget import ACTING, LOADING, NEW_FOR, READING, REFUSED, Budgets
from baccarat.serve.access.session import Session, SessionKind
from baccarat.serve.setting import Setting
from baccarat.table.role import Role

NOON = 1_794_800_000 * ONE_SECOND
OFFICE, ELSEWHERE = "192.0.2.7", "198.51.100.66"
USUAL = Setting()


class Time:
    """A clock that a test sets, in seconds."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def budgets(
    clock: Time, per_second: float = USUAL.requests_a_second, at_once: float = USUAL.requests_at_once
) -> Budgets:
    """Budgets as the house has them by default."""
    return Budgets(per_second, at_once, clock=clock)


def session(who: str, kind: SessionKind = SessionKind.PERSON, *, made_at: int = NOON) -> Session:
    """Somebody's session."""
    times: dict[str, Any] = dict.fromkeys(("made_at", "seen_at", "acted_at", "ends_at"), made_at)
    return Session(id=f"session of {who}", person=who, role=Role.PARTICIPANT, kind=kind, **times)


@pytest.mark.slow
def test_a_budget_is_spent_and_fills_again_up_to_its_bound() -> None:
    clock = Time()
    held = budgets(clock, 2.0, 3)
    assert [held.wait("ana") for _ in range(5)] == [0, 0, 0, 0.5, 0.5], "what waits is not paid"
    assert held.wait("bob") == 0
    clock.now = 0.75
    assert [held.wait("ana") for _ in range(2)] == [0, 0.25]
    clock.now = 1000.0
    assert [held.wait("ana") for _ in range(4)] == [0, 0, 0, 0.5]


def test_reading_costs_least_and_a_refusal_most() -> None:
    assert LOADING < READING < ACTING < REFUSED
    clock = Time()
    held = budgets(clock, 1.0, 40)
    assert sum(held.wait("reader", READING) == 0 for _ in range(500)) == pytest.approx(40 / READING, abs=1)
    refused = 0
    while held.wait("flood") == 0:
        held.charge("flood")
        refused += 1
    assert refused == 2


def test_a_debt_is_bounded() -> None:
    clock = Time()
    held = budgets(clock, 1.0, 10)
    for _ in range(100):
        held.charge("ana")
    assert held.wait("ana") == 2 * REFUSED + ACTING


def test_whoever_signed_on_pays_for_all_lines_and_new_visitors_share_their_address() -> None:
    ana, again = session("ana"), session("ana", made_at=NOON - MINUTE)
    visitor, other = session("v1", SessionKind.VISITOR), session("v2", SessionKind.VISITOR)
    paying = [Budgets.payer(each, OFFICE, now=NOON) for each in (ana, again, visitor, other, None)]
    assert paying == ["ana", "ana", *["address 192.0.2.7"] * 3]
    assert Budgets.payer(ana, ELSEWHERE, now=NOON) == "ana"
    assert Budgets.payer(visitor, OFFICE, now=NOON + NEW_FOR - 1) == "address 192.0.2.7"
    assert Budgets.payer(visitor, OFFICE, now=NOON + NEW_FOR) == "v1", "no longer new"
    assert Budgets.payer(None, "2001:db8::1", now=NOON) == Budgets.payer(None, "2001:db8::2", now=NOON)


def test_a_request_is_paid_by_the_person_once_the_session_was_looked_up() -> None:
    held = budgets(Time())
    for headers in ({b"authorization": b"Bearer x"}, {b"cookie": b"baccarat=x"}):
        assert held.payer_of_request(headers, OFFICE, now=NOON) == "address 192.0.2.7"
        held.recognise(headers, session("ana"))
        assert held.payer_of_request(headers, OFFICE, now=NOON) == "ana"
    assert held.payer_of_request({b"cookie": b"baccarat=y"}, OFFICE, now=NOON) == "address 192.0.2.7"
    held.recognise({}, session("bob"))
    assert held.payer_of_request({}, OFFICE, now=NOON) == "address 192.0.2.7", "nothing names a session there"


def test_memory_is_bounded_and_holds_no_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "MOST_PAYERS", 100)
    monkeypatch.setattr(budget, "MOST_TOKENS", 100)
    held = budgets(Time(), 0.001, 1)
    for number in range(1000):
        held.wait("ana")
        held.wait(f"payer {number}")
        held.recognise({b"authorization": b"Bearer %d" % number}, session(f"p{number}"))
    assert len(held) == 100
    assert held.wait("ana") > 0, "who comes all the time is remembered"
    assert len(held._sessions) == 100
    assert b"Bearer" not in repr(list(held._sessions)).encode()


# -------------------------------------------------------------------------------------------- an office


@pytest.mark.slow
def test_sixty_screens_and_twelve_new_people_behind_one_address_meet_no_limit_in_an_hour() -> None:
    """All of them visitors, so that at first all share one budget: each acts, reads, and is refused now and then."""
    clock, chance = Time(), random.Random(5)
    held = budgets(clock)
    screens = [session(f"v{number}", SessionKind.VISITOR) for number in range(60)]
    events = list[tuple[float, Session | None, float]]()
    for number, screen in enumerate(screens):
        events += [(number / 2, screen, LOADING)] * 100 + [(number / 2, screen, READING)] * 20
        for start in range(60 + number % 7 * 6, 3600, 45):  # rounds of 45 seconds at seven tables
            times = sorted(start + chance.random() * 20 for _ in range(4))
            events += [(at, screen, ACTING) for at in times]
            events += [(at, screen, READING) for at in times for _ in range(14)]  # as many as once were asked for
            if chance.random() < 0.2:
                events.append((times[-1], screen, REFUSED))
    for number in range(12):
        at = 600.0 + number * 5
        events += [(at, None, LOADING)] * 100 + [(at, None, READING)] * 20 + [(at, None, ACTING)] * 3
    for at, who, cost in sorted(events, key=lambda each: each[0]):
        clock.now = at
        payer = held.payer(who, OFFICE, now=NOON + int(at * ONE_SECOND))
        if cost == REFUSED:
            held.charge(payer)
        else:
            assert held.wait(payer, cost) == 0, (at, cost)


@pytest.mark.parametrize(
    ("attackers", "kind"),
    [(1, SessionKind.PERSON), (1, SessionKind.VISITOR), (20, SessionKind.VISITOR)],
    ids=["twenty sockets of one person", "twenty sockets of one visitor", "twenty fresh visitors"],
)
def test_twenty_lines_of_one_attacker_meet_a_limit_and_nobody_else_does(attackers: int, kind: SessionKind) -> None:
    clock = Time()
    held = budgets(clock)
    lines = [session(f"a{number % attackers}", kind) for number in range(20)]
    refused = 0
    for _ in range(200):  # twenty seconds, and each line tries ten times a second
        clock.now += 0.1
        now = NOON + int(clock.now * ONE_SECOND)
        for line in lines:
            payer = held.payer(line, ELSEWHERE, now=now)
            if held.wait(payer) == 0:
                held.charge(payer)
                refused += 1
        assert held.wait(held.payer(session("ana"), ELSEWHERE, now=now)) == 0, "signed on, behind the same address"
        assert held.wait(held.payer(None, OFFICE, now=now)) == 0, "somewhere else"
    assert refused <= (USUAL.requests_at_once + 21 * USUAL.requests_a_second) / REFUSED
