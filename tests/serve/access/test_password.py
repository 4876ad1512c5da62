"""Passwords: argon2id, a few at a time, off the event loop; whoever is not known takes as long."""

from __future__ import annotations

import asyncio
import copy
import pickle
import threading
from collections.abc import Iterator
from typing import Literal

import msgspec
import pytest
from argon2 import PasswordHasher
from argon2.exceptions import HashingError, VerificationError, VerifyMismatchError

from access_house import CHEAP, PASSWORD, code_of
from baccarat.serve.access.base import Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.password import DUMMY_PASSWORD, PasswordCheck, Passwords, password_denial


class Counting(PasswordHasher):
    """Counts what is verified, at once and in which threads; waits where a test says so."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.verified, self.at_once, self.most_at_once = 0, 0, 0
        self.threads: set[str] = set()
        self.go = threading.Event()
        self.go.set()
        self._lock = threading.Lock()

    def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002  the library's name
        """Count it, and do it."""
        with self._lock:
            self.verified += 1
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
            self.threads.add(threading.current_thread().name)
        try:
            assert self.go.wait(60)
            return super().verify(hash, password)
        finally:
            with self._lock:
                self.at_once -= 1


@pytest.fixture
def hasher() -> Counting:
    return Counting()


@pytest.fixture
def passwords(hasher: Counting) -> Iterator[Passwords]:
    made = Passwords(hasher, at_once=2, most_waiting=3)
    yield made
    made.close()


def test_the_right_password_and_no_other(passwords: Passwords) -> None:
    async def tried() -> list[bool]:
        stored = await passwords.hash(Secret(PASSWORD))
        assert isinstance(stored, str)
        assert stored.startswith("$argon2id$")
        found = []
        for typed in (PASSWORD, PASSWORD.upper(), PASSWORD + " ", PASSWORD[:-1], "", "\0", "x" * 10**6, "\ud800"):
            checked = await passwords.check(stored, Secret(typed))
            assert isinstance(checked, PasswordCheck)
            found.append(checked.is_right)
        return found

    assert asyncio.run(tried()) == [True, *[False] * 7]


def test_the_same_password_from_another_keyboard(passwords: Passwords) -> None:
    async def tried() -> object:
        stored = await passwords.hash(Secret("\u00e9t\u00e9 \u00e0 la mer \ufb01n"))
        assert isinstance(stored, str)
        return await passwords.check(stored, Secret("e\u0301te\u0301 a\u0300 la mer fin"))

    assert asyncio.run(tried()) == PasswordCheck(is_right=True)


@pytest.mark.parametrize("stored", [None, "", "rubbish"])
def test_what_is_not_stored_rightly_is_wrong_after_the_same_work(
    passwords: Passwords, hasher: Counting, stored: str | None
) -> None:
    assert asyncio.run(passwords.check(stored, Secret(PASSWORD))) == PasswordCheck(is_right=False)
    assert hasher.verified == 1


def test_a_hash_that_was_damaged_lets_nobody_in(passwords: Passwords) -> None:
    stored = CHEAP.hash(PASSWORD)
    for damaged in (
        stored[:-1],
        stored[:-8],
        stored.replace("argon2id", "argon2i"),
        "$argon2id$v=19$m=8,t=1,p=1$AA$AA",
    ):
        found = asyncio.run(passwords.check(damaged, Secret(PASSWORD)))
        assert isinstance(found, Denied) or not found.is_right


def test_not_even_the_password_of_nobody_lets_anybody_in(passwords: Passwords) -> None:
    assert asyncio.run(passwords.check(None, Secret(DUMMY_PASSWORD))) == PasswordCheck(is_right=False)


def test_a_few_at_a_time_never_on_the_loop_and_the_rest_is_asked_to_come_again(
    passwords: Passwords, hasher: Counting
) -> None:
    stored = CHEAP.hash(PASSWORD)

    async def crowd() -> list[PasswordCheck | Denied]:
        hasher.go.clear()
        tries = [asyncio.ensure_future(passwords.check(stored, Secret(PASSWORD))) for _ in range(50)]
        await asyncio.sleep(0.05)
        hasher.go.set()
        return await asyncio.gather(*tries)

    found = asyncio.run(crowd())
    assert hasher.most_at_once == 2
    assert all(name.startswith("password") for name in hasher.threads)
    let_in = [each for each in found if isinstance(each, PasswordCheck)]
    assert len(let_in) == 5, "two at work and three that wait"
    assert {code_of(each) for each in found if isinstance(each, Denied)} == {"busy"}


def test_whoever_goes_away_while_waiting_leaves_his_turn_to_others(passwords: Passwords, hasher: Counting) -> None:
    stored = CHEAP.hash(PASSWORD)

    async def crowd() -> PasswordCheck | Denied:
        hasher.go.clear()
        tries = [asyncio.ensure_future(passwords.check(stored, Secret(PASSWORD))) for _ in range(5)]
        await asyncio.sleep(0.02)
        for each in tries:
            each.cancel()
        await asyncio.gather(*tries, return_exceptions=True)
        hasher.go.set()
        for _ in range(200):
            found = await passwords.check(stored, Secret(PASSWORD))
            if isinstance(found, PasswordCheck):
                return found
            await asyncio.sleep(0.01)
        return found

    assert asyncio.run(crowd()) == PasswordCheck(is_right=True)


def test_a_password_is_hashed_anew_when_the_parameters_have_changed(passwords: Passwords) -> None:
    stored = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1).hash(PASSWORD)
    found = asyncio.run(passwords.check(stored, Secret(PASSWORD)))
    assert isinstance(found, PasswordCheck)
    assert found.is_right
    assert CHEAP.verify(found.rehashed, PASSWORD)
    with pytest.raises(VerifyMismatchError):
        CHEAP.verify(found.rehashed, "another")
    assert found.rehashed not in repr(found)


@pytest.mark.parametrize(
    "typed", ["", "short", "x" * 11, "aaaaaaaaaaaaaaaa", "x" * 257, "x" * 10**6, "correct horse\0", "correct\x1bhorse",
              "correct horse \ud800"],
)  # fmt: skip
def test_no_password(typed: str) -> None:
    assert code_of(password_denial(Secret(typed))) == "bad_password"


def test_a_password_has_at_least_four_different_characters() -> None:
    assert code_of(password_denial(Secret("abc" * 5))) == "bad_password"
    assert password_denial(Secret("abcd" * 4)) is None


def test_a_password_is_not_the_name() -> None:
    assert code_of(password_denial(Secret("Ana Maria Lopez"), name="ana maria lopez")) == "bad_password"
    assert password_denial(Secret("Ana Maria Lopez"), name="ana") is None
    assert password_denial(Secret(PASSWORD)) is None


def test_too_little_memory_is_no_wrong_password(passwords: Passwords, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = CHEAP.hash(PASSWORD)

    def fails(*_args: object) -> bool:
        raise VerificationError("Memory allocation error")

    assert asyncio.run(passwords.check(stored, Secret(PASSWORD))) == PasswordCheck(is_right=True)
    monkeypatch.setattr(Counting, "verify", fails)
    assert code_of(asyncio.run(passwords.check(stored, Secret(PASSWORD)))) == "busy"

    def fails_to_hash(*_args: object) -> str:
        raise HashingError("Memory allocation error")

    monkeypatch.setattr(PasswordHasher, "hash", fails_to_hash)
    assert code_of(asyncio.run(passwords.hash(Secret(PASSWORD)))) == "busy"


def test_the_products_own_parameters_are_not_the_cheap_ones() -> None:
    passwords = Passwords()
    stored = asyncio.run(passwords.hash(Secret(PASSWORD)))
    passwords.close()
    assert isinstance(stored, str)
    fields = stored.split("$")
    assert fields[1] == "argon2id"
    cost = dict(each.split("=") for each in fields[3].split(","))
    assert int(cost["m"]) >= 65_536
    assert int(cost["t"]) >= 3


def test_a_secret_is_not_printed_compared_or_stored_by_accident() -> None:
    secret = Secret("hunter2")
    for shown in (repr(secret), str(secret), f"{secret}", repr([secret]), f"{secret!r:>20}"):
        assert "hunter2" not in shown
    assert secret != Secret("hunter2")
    assert not hasattr(secret, "__dict__")
    for store in (pickle.dumps, msgspec.json.encode, copy.copy):
        with pytest.raises(TypeError):
            store(secret)
