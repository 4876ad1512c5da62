"""Recognising people by name and password; repeated tries have to wait longer and longer.

A try is counted when it begins, so that concurrent tries all count. An unknown name takes as long as a wrong password,
and gets the same answer.

Whose tries are counted depends on where they come from. Strangers who try a name share one count, and another with
everybody at their address. Where the person has been before, there is a count of its own: at an address from which the
person signed on, in a browser that holds an earlier session of the person, at a device that has proved itself, at the
console of a colleague. So strangers who try a name cannot keep its owner out of these places.
"""

from __future__ import annotations

from baccarat.serve.access.base import AccessStore, Clock, Secret
from baccarat.serve.access.denial import Denial, Denied, make_denial, too_many_tries
from baccarat.serve.access.denial_log import DenialLog
from baccarat.serve.access.link import Purpose, find_code
from baccarat.serve.access.name import sign_on_name
from baccarat.serve.access.password import PasswordCheck, Passwords
from baccarat.serve.access.person import Credentials, credentials_by_id, credentials_of
from baccarat.serve.access.session import Session, person_of_token
from baccarat.serve.access.throttle import (
    BY_ADDRESS,
    BY_CODE,
    BY_NAME,
    BY_VISIT,
    KnownPlaces,
    Throttle,
    address_key,
)


class Recognition:
    """Checks passwords, and counts the tries of each name and each address."""

    def __init__(
        self, keeping: AccessStore, *, house: bytes, clock: Clock, passwords: Passwords, denials: DenialLog
    ) -> None:
        self._keeping, self._house, self.clock, self._denials = keeping, house, clock, denials
        self.passwords = passwords
        self.names, self.addresses = Throttle(BY_NAME), Throttle(BY_ADDRESS)
        self.known = KnownPlaces()
        self._codes, self._visits = Throttle(BY_CODE), Throttle(BY_VISIT)

    async def recognise(
        self, name: str, password: Secret, address: str, *, place: str = "", earlier: str = ""
    ) -> tuple[Credentials, str] | Denied:
        """The person with this name and password, and a new hash of the password if it should be replaced.

        `place` is a device or a console that the house knows already; `earlier` is the token of an earlier session that
        the same browser holds, if it holds one.
        """
        plain = sign_on_name(name)
        plain = plain if isinstance(plain, str) else "no name"
        found, owner = await self._keeping.ask(
            lambda reads: (credentials_of(reads, self._house, name), person_of_token(reads, earlier))
        )
        is_owner = found is not None and owner == found.person.id
        place = place or self._known_place(plain, address, is_owner=is_owner)
        checked = await self._check(plain, found, password, address=address, place=place)
        if isinstance(checked, Denied):
            return checked
        assert found is not None, "nobody's password is never right"
        self.known.add(plain, address)
        return found, checked.rehashed

    def _known_place(self, name: str, address: str, *, is_owner: bool) -> str:
        """Where somebody has signed on with this name before: this address or this browser; empty if neither is.

        `is_owner` if the browser holds an earlier session of the person with this name.
        """
        if is_owner:
            return "browser"
        return f"address {address_key(address)}" if self.known.has(name, address) else ""

    async def confirm(self, held: Session, password: Secret) -> Credentials | Denied:
        """The person of a session, if the password is right."""
        found = await self._keeping.ask(lambda reads: credentials_by_id(reads, held.person))
        checked = await self._check(held.id, found, password, place="session")
        if isinstance(checked, Denied):
            return checked
        assert found is not None, "nobody's password is never right"
        return found

    async def _check(
        self, key: str, found: Credentials | None, password: Secret, *, address: str = "", place: str = ""
    ) -> PasswordCheck | Denied:
        """The right password, or why it is not even checked; `key` and `place` are whose tries are counted."""
        steady, by = self.clock.steady(), address_key(address)
        counted = [(self.names, f"{place}\n{key}")] if place else [(self.names, key), (self.addresses, by)]
        wait = max(throttle.wait(whose, steady) for throttle, whose in counted)
        if wait:
            return too_many_tries(wait)
        for throttle, whose in counted:
            throttle.count(whose, steady)
        stored = found.password if found is not None and found.person.is_active else None
        checked = await self.passwords.check(stored, password)
        if isinstance(checked, PasswordCheck) and not checked.is_right:
            if found is not None:
                self._denials.enter_failed_sign_on(found.person.id)
            return make_denial(Denial.WRONG_SIGN_ON)
        # A busy server is not the person's fault; a right password clears earlier tries of the name.
        for throttle, whose in counted:
            is_name = throttle is self.names
            throttle.forgive(whose, all_of_them=is_name and isinstance(checked, PasswordCheck))
        return checked

    async def try_code(self, typed: str, purpose: Purpose, address: str) -> Denied | None:
        """Why a one-time link or code is not accepted. One that is right is no guess: it is not counted, and waits for
        nobody else's wrong ones; it is too long to be found by guessing however often."""
        found = await self._keeping.ask(lambda reads: find_code(reads, typed, purpose, now=self.clock.wall()))
        if isinstance(found, Denied):
            return self._try(self._codes, address) or found
        return None

    def try_visit(self, address: str) -> Denied | None:
        """Count a visit without signing on; returns why it has to wait."""
        return self._try(self._visits, address)

    def _try(self, throttle: Throttle, address: str) -> Denied | None:
        steady, by = self.clock.steady(), address_key(address)
        wait = throttle.wait(by, steady)
        if wait:
            return too_many_tries(wait)
        throttle.count(by, steady)
        return None
