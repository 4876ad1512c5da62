"""No secret, password or name is in any log, repr, error or table where it does not belong."""

from __future__ import annotations

import asyncio
import logging
import traceback
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from access_house import ADDRESS, CHEAP, PASSWORD, AccessHouse, MemoryStore, allowed
from baccarat.serve.access.base import Secret
from baccarat.serve.access.device import enrolment_code
from baccarat.serve.access.link import administrator_link, password_link
from baccarat.serve.access.password import Passwords
from baccarat.serve.access.person import credentials_of
from baccarat.serve.store.base import Batch, StoreUnavailable
from baccarat.table.role import Role

NAME = "Zebedee Quux"


def test_after_everything_that_can_be_done_no_secret_stands_anywhere(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    house, seen = AccessHouse(is_practice=True), list[Any]()
    desk, run, done = house.desk, house.run, house.done

    async def debug() -> None:
        asyncio.get_running_loop().set_debug(True)

    run(debug())
    link = done(lambda _r, now: administrator_link(now=now))
    boss = allowed(run(desk.make_administrator(link.reveal(), NAME, Secret(PASSWORD), address=ADDRESS)))
    first = allowed(house.try_sign_on(NAME, Role.ADMINISTRATOR))
    ana = house.add("ana", Role.DEALER, password=None)
    set_link = done(lambda reads, now: password_link(reads, ana.id, by=boss.id, now=now))
    other = "another good password"
    seen.append(run(desk.set_password(set_link.reveal(), Secret(other), address=ADDRESS)))
    code = done(lambda _r, now: enrolment_code("T1", by=boss.id, now=now))
    key = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    seen.append(run(desk.enrol(code.reveal(), key, address=ADDRESS)))
    ticket = allowed(desk.give_ticket(first.session, table="T1", address="here"))
    visitor = allowed(run(desk.visit(address=ADDRESS)))
    wrong = "quite a wrong password"
    seen += [house.try_sign_on(NAME, password=wrong), run(desk.session(first.token.reveal()[:-1]))]
    seen += [boss, first, ana, ticket, visitor, link, code, desk, desk.tickets, desk.challenges, vars(desk.tickets)]
    seen += [credentials_of(house.store, house.key, NAME), vars(desk.recognition.names), vars(desk)]
    run(desk.sign_off(first.session))

    secrets = [PASSWORD, other, wrong, *(each.reveal() for each in (
        link, set_link, code, first.token, ticket.token, visitor.token
    ))]  # fmt: skip
    hashes = [str(row[0]) for row in house.store.read("select password from person where password is not null")]
    out = capfd.readouterr()
    printed = repr(seen) + caplog.text + out.out + out.err + " ".join(map(str, seen))
    stored = house.store.everything()
    house.close()
    assert len(hashes) == 2
    for secret in secrets:
        assert secret not in printed
        assert secret not in stored
    for kept in (*hashes, NAME):
        assert kept not in printed
    assert "zebedee" not in stored.lower(), "names stand in the directory alone"


class Failing(MemoryStore):
    """A store whose disk fails when it is asked to."""

    fails = False

    async def commit(self, batch: Batch) -> None:
        """Fail, or store it."""
        if self.fails:
            raise StoreUnavailable("the disk is gone")
        await super().commit(batch)


def test_no_error_holds_a_secret() -> None:
    store = Failing()
    house = AccessHouse(store)
    house.add("ana", Role.DEALER)
    store.fails = True
    with pytest.raises(StoreUnavailable) as failed:
        house.try_sign_on("ana")
    assert PASSWORD not in "".join(traceback.format_exception(failed.value))
    house.close()


def test_an_error_within_hashing_does_not_show_what_is_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    passwords = Passwords(CHEAP)

    def broken(*_args: object) -> str:
        raise RuntimeError("broken library")

    monkeypatch.setattr(type(CHEAP), "hash", broken)
    with pytest.raises(RuntimeError) as failed:
        asyncio.run(passwords.hash(Secret(PASSWORD)))
    ours = traceback.TracebackException.from_exception(failed.value, capture_locals=True)
    frames = [frame for frame in ours.stack if "/serve/access/password" in frame.filename]
    assert frames
    assert PASSWORD not in "".join(str(frame.locals) for frame in frames)
    passwords.close()
