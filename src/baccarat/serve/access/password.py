"""Passwords: argon2id, a few at a time and never on the event loop's thread; an unknown name takes as long as a known
one."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import HashingError, InvalidHashError, VerificationError, VerifyMismatchError

from baccarat.serve.access.base import Secret
from baccarat.serve.access.denial import Denial, Denied, make_denial

MIN_CHARACTERS, MAX_CHARACTERS = 12, 256
AT_ONCE = 2
"""How many passwords are hashed at a time: each takes tens of milliseconds and 64 MiB."""
MOST_WAITING = 64
"""How many may wait for their turn; further ones are asked to try again."""

DUMMY_PASSWORD = "nobody's\0"  # noqa: S105  not a real password
"""A password that nobody has, because no valid password contains that character."""

R = TypeVar("R")


class PasswordCheck(msgspec.Struct, frozen=True):
    """Whether a password is right, and a new hash if the current parameters differ from those of the stored one."""

    is_right: bool
    rehashed: str = ""

    def __repr__(self) -> str:
        return f"<PasswordCheck {'right' if self.is_right else 'wrong'}>"


class Passwords:
    """Hashes passwords and checks them, in threads of its own."""

    def __init__(
        self, hasher: PasswordHasher | None = None, *, at_once: int = AT_ONCE, most_waiting: int = MOST_WAITING
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._pool = ThreadPoolExecutor(at_once, thread_name_prefix="password")
        self._most = at_once + most_waiting
        self._count = 0
        self._nobodys: str | None = None

    async def hash(self, password: Secret) -> str | Denied:
        """What is stored of a password; `password_denial` has been called before."""
        return await self._run_in_turn(lambda: self._hash(password))

    async def check(self, stored: str | None, password: Secret) -> PasswordCheck | Denied:
        """Whether a password is the stored one; if nothing is stored it is wrong, after the same work."""
        if len(password.reveal()) > MAX_CHARACTERS:
            return PasswordCheck(is_right=False)
        return await self._run_in_turn(lambda: self._check(stored, password))

    def close(self) -> None:
        """End the threads."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def _run_in_turn(self, work: Callable[[], R | Denied]) -> R | Denied:
        if self._count >= self._most:
            return make_denial(Denial.BUSY)
        self._count += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._on_work_done)  # even if nobody waits for it any more
        return await asyncio.shield(future)

    def _on_work_done(self, future: asyncio.Future[R]) -> None:
        self._count -= 1
        if not future.cancelled():
            future.exception()  # the caller has it, if there still is one

    def _hash(self, password: Secret) -> str | Denied:
        try:
            return self._hasher.hash(_normal_form(password))
        except HashingError:  # there is not enough memory for it now
            return make_denial(Denial.BUSY)

    def _check(self, stored: str | None, password: Secret) -> PasswordCheck | Denied:
        nobodys = self._dummy_hash()
        if isinstance(nobodys, Denied):
            return nobodys
        try:
            self._hasher.verify(stored or nobodys, _normal_form(password))
        except (VerifyMismatchError, InvalidHashError):
            return PasswordCheck(is_right=False)
        except VerificationError:  # there is not enough memory for it now
            return make_denial(Denial.BUSY)
        if stored is None:
            return PasswordCheck(is_right=False)
        rehashed = self._hash(password) if self._hasher.check_needs_rehash(stored) else ""
        return PasswordCheck(is_right=True, rehashed=rehashed if isinstance(rehashed, str) else "")

    def _dummy_hash(self) -> str | Denied:
        """The hash of a password that nobody has, made on first use with the current parameters."""
        if self._nobodys is None:
            made = self._hash(Secret(DUMMY_PASSWORD))
            if isinstance(made, Denied):
                return made
            self._nobodys = made
        return self._nobodys


def password_denial(password: Secret, *, name: str = "") -> Denied | None:
    """Why a password is not accepted."""
    typed = _normal_form(password) if len(password.reveal()) <= MAX_CHARACTERS else ""
    if not MIN_CHARACTERS <= len(typed) <= MAX_CHARACTERS:
        return make_denial(
            Denial.BAD_PASSWORD, what=f"it must have between {MIN_CHARACTERS} and {MAX_CHARACTERS} characters"
        )
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Cn") for sign in password.reveal()):
        return make_denial(Denial.BAD_PASSWORD, what="a character in it cannot be typed")
    if len(set(typed)) < 4:
        return make_denial(Denial.BAD_PASSWORD, what="it must have at least four different characters")
    if name and typed.casefold() == name.casefold():
        return make_denial(Denial.BAD_PASSWORD, what="it is the name")
    return None


def _normal_form(password: Secret) -> str:
    """The same text on whichever keyboard it was typed; half of a surrogate pair becomes a replacement mark."""
    return unicodedata.normalize("NFKC", password.reveal()).encode("utf-8", "replace").decode()
