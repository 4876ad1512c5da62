"""Recognising people by name and password; repeated tries have to wait longer and longer.

A try is counted when it begins, so that concurrent tries all count. An unknown name takes as long as a wrong password,
and gets the same answer.
"""

from __future__ import annotations

from baccarat.serve.access.base import AccessStore, Clock, Secret
from baccarat.serve.access.denial import Denial, Denied, make_denial, too_many_tries
from baccarat.serve.access.log import AccessEvent, log_statement
from baccarat.serve.access.name import sign_on_name
from baccarat.serve.access.password import PasswordCheck, Passwords
from baccarat.serve.access.person import Credentials, credentials_by_id, credentials_of
from baccarat.serve.access.session import Session
from baccarat.serve.access.throttle import BY_ADDRESS, BY_CODE, BY_NAME, BY_VISIT, Throttle, address_key
from baccarat.serve.store.base import Batch


class Recognition:
    """Checks passwords, and counts the tries of each name and each address."""

    def __init__(self, keeping: AccessStore, *, house: bytes, clock: Clock, passwords: Passwords) -> None:
        self._keeping, self._house, self.clock = keeping, house, clock
        self.passwords = passwords
        self.names, self.addresses = Throttle(BY_NAME), Throttle(BY_ADDRESS)
        self._codes, self._visits = Throttle(BY_CODE), Throttle(BY_VISIT)

    async def recognise(self, name: str, password: Secret, address: str) -> tuple[Credentials, str] | Denied:
        """The person with this name and password, and a new hash of the password if it should be replaced."""
        plain = sign_on_name(name)
        found = credentials_of(self._keeping.reads, self._house, name)
        checked = await self._check(plain if isinstance(plain, str) else "no name", found, password, address)
        if isinstance(checked, Denied):
            return checked
        assert found is not None, "nobody's password is never right"
        return found, checked.rehashed

    async def confirm(self, held: Session, password: Secret, address: str) -> Credentials | Denied:
        """The person of a session, if the password is right."""
        found = credentials_by_id(self._keeping.reads, held.person)
        checked = await self._check(held.id, found, password, address)
        if isinstance(checked, Denied):
            return checked
        assert found is not None, "nobody's password is never right"
        return found

    async def _check(
        self, key: str, found: Credentials | None, password: Secret, address: str
    ) -> PasswordCheck | Denied:
        """The right password, or why it is not even checked; `key` is whose tries are counted."""
        steady, by = self.clock.steady(), address_key(address)
        wait = max(self.names.wait(key, steady), self.addresses.wait(by, steady))
        if wait:
            return too_many_tries(wait)
        self.names.count(key, steady)
        self.addresses.count(by, steady)
        stored = found.password if found is not None and found.person.is_active else None
        checked = await self.passwords.check(stored, password)
        if isinstance(checked, PasswordCheck) and not checked.is_right:
            if found is not None:
                failed = log_statement(AccessEvent.SIGN_ON_FAILED, at=self.clock.wall(), person=found.person.id)
                self._keeping.add(Batch(statements=(failed,)))
            return make_denial(Denial.WRONG_SIGN_ON)
        # A busy server is not the person's fault; a right password clears earlier tries.
        self.names.forgive(key, all_of_them=isinstance(checked, PasswordCheck))
        self.addresses.forgive(by, all_of_them=False)
        return checked

    def try_code(self, address: str) -> Denied | None:
        """Count a try of a one-time code; returns why it has to wait."""
        return self._try(self._codes, address)

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
