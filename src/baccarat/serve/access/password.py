"""Passwords: argon2id, a few at a time and never on the event loop's thread; whoever is not known takes as long."""

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
"""So many passwords are hashed at a time: each takes tens of milliseconds and 64 MiB."""
MOST_WAITING = 64
"""So many may wait for their turn; whoever comes then is asked to come again."""

DUMMY_PASSWORD = "nobody's\0"  # noqa: S105  nobody has it
"""A password that nobody has, for no password that is set has that character."""

R = TypeVar("R")


class PasswordCheck(msgspec.Struct, frozen=True):
    """Whether a password is right, and its hash anew where today's parameters are others than those of the old one."""

    is_right: bool
    anew: str = ""

    def __repr__(self) -> str:
        return f"<Checked {'right' if self.is_right else 'wrong'}>"


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
        """What is stored of a password; `password_denial` has been asked before."""
        return await self._run_in_turn(lambda: self._hash(password))

    async def check(self, stored: str | None, password: Secret) -> PasswordCheck | Denied:
        """Whether a password is the stored one; where nothing is stored it is wrong, after the same work."""
        if len(password.reveal()) > MAX_CHARACTERS:
            return PasswordCheck(is_right=False)
        return await self._run_in_turn(lambda: self._check(stored, password))

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    async def _run_in_turn(self, work: Callable[[], R | Denied]) -> R | Denied:
        if self._count >= self._most:
            return make_denial(Denial.BUSY)
        self._count += 1
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        future.add_done_callback(self._on_work_done)  # also where nobody waits for it any more
        return await asyncio.shield(future)

    def _on_work_done(self, future: asyncio.Future[R]) -> None:
        self._count -= 1
        if not future.cancelled():
            future.exception()  # whoever waited has it; where nobody did, nobody has to hear of it

    def _hash(self, password: Secret) -> str | Denied:
        try:
            return self._hasher.hash(_normal_form(password))
        except HashingError:  # there is not enough memory for it at this moment
            return make_denial(Denial.BUSY)

    def _check(self, stored: str | None, password: Secret) -> PasswordCheck | Denied:
        nobodys = self._dummy_hash()
        if isinstance(nobodys, Denied):
            return nobodys
        try:
            self._hasher.verify(stored or nobodys, _normal_form(password))
        except (VerifyMismatchError, InvalidHashError):
            return PasswordCheck(is_right=False)
        except VerificationError:  # there is not enough memory for it at this moment
            return make_denial(Denial.BUSY)
        if stored is None:
            return PasswordCheck(is_right=False)
        anew = self._hash(password) if self._hasher.check_needs_rehash(stored) else ""
        return PasswordCheck(is_right=True, anew=anew if isinstance(anew, str) else "")

    def _dummy_hash(self) -> str | Denied:
        """The hash of a password that nobody has, made once with today's parameters, whoever comes first."""
        if self._nobodys is None:
            made = self._hash(Secret(DUMMY_PASSWORD))
            if isinstance(made, Denied):
                return made
            self._nobodys = made
        return self._nobodys


def password_denial(password: Secret, *, name: str = "") -> Denied | None:
    """Why a password is not taken."""
    typed = _normal_form(password) if len(password.reveal()) <= MAX_CHARACTERS else ""
    if not MIN_CHARACTERS <= len(typed) <= MAX_CHARACTERS:
        return make_denial(
            Denial.BAD_PASSWORD, what=f"it has to have between {MIN_CHARACTERS} and {MAX_CHARACTERS} characters"
        )
    if any(unicodedata.category(sign) in ("Cc", "Cs", "Cn") for sign in password.reveal()):
        return make_denial(Denial.BAD_PASSWORD, what="a character in it cannot be typed")
    if len(set(typed)) < 4:
        return make_denial(Denial.BAD_PASSWORD, what="it has to have four different characters")
    if name and typed.casefold() == name.casefold():
        return make_denial(Denial.BAD_PASSWORD, what="it is the name")
    return None


def _normal_form(password: Secret) -> str:
    """The same text whichever keyboard it was typed on; half of a surrogate pair is no text and becomes a mark."""
    return unicodedata.normalize("NFKC", password.reveal()).encode("utf-8", "replace").decode()
