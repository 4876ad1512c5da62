"""Pit devices: enrolled by a code, known by a key, bound to a table, without a role; they lock, and can be revoked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from access_house import ADDRESS, PASSWORD, AccessHouse, MemoryStore, allowed, code_of, count
from baccarat.serve.access.base import MINUTE, ONE_SECOND, Secret
from baccarat.serve.access.denial import Denied
from baccarat.serve.access.device import (
    CHALLENGE_LASTS,
    TITLE,
    Challenges,
    Device,
    DeviceSignature,
    devices,
    enrolment_code,
    find_device,
    revoke_device,
    signed_text,
)
from baccarat.serve.access.session import LOCKS_AFTER, IssuedSession, Session
from baccarat.serve.access.throttle import BY_ADDRESS
from baccarat.serve.store.base import Batch, Statement
from baccarat.table.role import Role

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"o" * 32)


def public(key: Ed25519PrivateKey) -> bytes:
    """The public half."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


@pytest.fixture
def house() -> Iterator[AccessHouse]:
    made = AccessHouse()
    made.add("ana", Role.DEALER, Role.FLOORPERSON)
    made.add("bob", Role.FLOORPERSON)
    yield made
    made.close()


def enrolled(house: AccessHouse, table: str = "T1", key: Ed25519PrivateKey = KEY) -> Device:
    """A device of a table."""
    code = house.done(lambda _reads, now: enrolment_code(table, by="boss", now=now))
    return allowed(house.run(house.desk.enrol(code.reveal(), public(key), address=ADDRESS)))


def proof(house: AccessHouse, device: Device, key: Ed25519PrivateKey = KEY) -> DeviceSignature:
    """What a device answers to a new challenge."""
    challenge = house.desk.challenges.issue(device.id, house.clock.steady())
    return DeviceSignature(
        device=device.id, challenge=challenge, signature=key.sign(signed_text(house.key, device.id, challenge))
    )


def sign_on_at(house: AccessHouse, made: DeviceSignature, name: str = "ana") -> IssuedSession | Denied:
    """Sign on at a device."""
    return house.run(house.desk.sign_on(name, Secret(PASSWORD), Role.DEALER, address=ADDRESS, proof=made))


def console(house: AccessHouse, device: Device) -> Session:
    """A session at a device."""
    return allowed(sign_on_at(house, proof(house, device))).session


def test_a_session_at_a_device_is_bound_to_it_and_its_table(house: AccessHouse) -> None:
    device = enrolled(house, "T7")
    held = console(house, device)
    assert (held.device, held.table, held.role) == (device.id, "T7", Role.DEALER)
    assert house.run(house.desk.current_session(held)) == held


def test_a_device_alone_is_nobody(house: AccessHouse) -> None:
    device = enrolled(house)
    assert not hasattr(device, "role")
    assert count(house.store, "session") == 0


def test_an_enrolment_code_works_once_for_one_table(house: AccessHouse) -> None:
    code = house.done(lambda _reads, now: enrolment_code("T1", by="boss", now=now)).reveal()
    assert code not in house.store.everything()
    first = allowed(house.run(house.desk.enrol(code.lower(), public(KEY), address=ADDRESS)))
    assert first.table == "T1"
    assert code_of(house.run(house.desk.enrol(code, public(OTHER), address=ADDRESS))) == "no_code"
    assert devices(house.store) == [first]


def test_an_enrolment_code_lapses_and_guesses_are_slowed_down(house: AccessHouse) -> None:
    code = house.done(lambda _reads, now: enrolment_code("T1", by="boss", now=now)).reveal()
    house.clock.go(10 * MINUTE)
    assert code_of(house.run(house.desk.enrol(code, public(KEY), address=ADDRESS))) == "no_code"
    found = [
        code_of(house.run(house.desk.enrol(f"{number:016}", public(KEY), address=ADDRESS))) for number in range(20)
    ]
    assert found[-1] == "too_many_tries"
    assert found.count("no_code") == 9


@pytest.mark.parametrize(
    "key",
    [b"", b"\0" * 32, b"\1" + b"\0" * 31, b"k" * 31, b"k" * 33, b"x" * 10**6, bytes.fromhex("ec" + "ff" * 30 + "7f")],
)
def test_what_is_no_key_is_not_enrolled_and_does_not_use_the_code_up(house: AccessHouse, key: bytes) -> None:
    code = house.done(lambda _reads, now: enrolment_code("T1", by="boss", now=now)).reveal()
    assert code_of(house.run(house.desk.enrol(code, key, address=ADDRESS))) == "bad_key"
    assert isinstance(house.run(house.desk.enrol(code, public(KEY), address=ADDRESS)), Device)


# ------------------------------------------------------------------------------------------- challenges


def test_an_answer_counts_once(house: AccessHouse) -> None:
    made = proof(house, enrolled(house))
    assert isinstance(house.run(house.desk.prove(made)), Device)
    assert code_of(house.run(house.desk.prove(made))) == "wrong_proof"


def test_an_answer_counts_for_thirty_seconds(house: AccessHouse) -> None:
    device = enrolled(house)
    made = proof(house, device)
    house.clock.go(CHALLENGE_LASTS - 1)
    assert isinstance(house.run(house.desk.prove(made)), Device)
    made = proof(house, device)
    house.clock.go(CHALLENGE_LASTS)
    assert code_of(house.run(house.desk.prove(made))) == "wrong_proof"


def test_forged_answers(house: AccessHouse) -> None:
    device, other = enrolled(house), enrolled(house, "T2", OTHER)
    right = proof(house, device)
    nonce = right.challenge
    signed = {
        "another's key": OTHER.sign(signed_text(house.key, device.id, nonce)),
        "another device": KEY.sign(signed_text(house.key, other.id, nonce)),
        "another house": KEY.sign(signed_text(b"x" * 16, device.id, nonce)),
        "another challenge": KEY.sign(signed_text(house.key, device.id, b"0" * 32)),
        "without title": KEY.sign(signed_text(house.key, device.id, nonce)[len(TITLE) :]),
        "nothing": b"",
        "zeros": b"\0" * 64,
        "half": right.signature[:32],
        "too long": right.signature + b"\0",
    }
    for what, signature in signed.items():
        again = house.desk.challenges.issue(device.id, house.clock.steady())
        del again
        house.desk.challenges._given[device.id, nonce] = house.clock.steady() + ONE_SECOND
        found = house.run(house.desk.prove(DeviceSignature(device=device.id, challenge=nonce, signature=signature)))
        assert code_of(found) == "wrong_proof", what
    never_given = DeviceSignature(
        device=device.id, challenge=b"n" * 32, signature=KEY.sign(signed_text(house.key, device.id, b"n" * 32))
    )
    assert code_of(house.run(house.desk.prove(never_given))) == "wrong_proof", "a challenge that nobody gave"
    made = proof(house, other, OTHER)
    moved = DeviceSignature(device=device.id, challenge=made.challenge, signature=KEY.sign(
        signed_text(house.key, device.id, made.challenge)
    ))  # fmt: skip
    assert code_of(house.run(house.desk.prove(moved))) == "wrong_proof", "a challenge for another device"


@pytest.mark.parametrize("id_", ["", "device-" + "0" * 32, "x" * 10**6, "\0", "\ud800"])
def test_a_device_that_is_not_there_gets_a_challenge_and_nothing_by_it(house: AccessHouse, id_: str) -> None:
    challenge = house.desk.challenges.issue(id_, house.clock.steady())
    assert len(challenge) == 32
    made = DeviceSignature(device=id_, challenge=challenge, signature=b"s" * 64)
    assert code_of(house.run(house.desk.prove(made))) == "no_device"


def test_the_number_of_challenges_is_bounded() -> None:
    challenges = Challenges(b"h" * 16, most=100)
    for number in range(10_000):
        challenges.issue(f"device {number}", number)
    assert len(challenges) == 100
    last = challenges.issue("device", 10_000)
    assert ("device", last) in challenges._given
    challenges.issue("device", 10_000 + CHALLENGE_LASTS)
    assert len(challenges) == 1, "what has lapsed is forgotten"
    challenges.issue("x" * 10**6, 10_000)
    assert max(len(device) for device, _ in challenges._given) == 100, "nothing huge is kept"


def test_whoever_signs_on_needs_the_password_and_the_device_its_key(house: AccessHouse) -> None:
    device = enrolled(house)
    wrong = house.run(
        house.desk.sign_on("ana", Secret("wrong wrong wrong"), Role.DEALER, address=ADDRESS, proof=proof(house, device))
    )
    assert code_of(wrong) == "wrong_sign_on"
    assert code_of(sign_on_at(house, proof(house, device, OTHER))) == "wrong_proof"


# ----------------------------------------------------------------------------------- revoking, locking


def test_revoking_a_device_ends_what_is_signed_on_at_it_and_it_proves_nothing_any_more(house: AccessHouse) -> None:
    device, other = enrolled(house), enrolled(house, "T2", OTHER)
    held, elsewhere = console(house, device), allowed(sign_on_at(house, proof(house, other, OTHER))).session
    made = proof(house, device)
    assert house.done(lambda reads, now: revoke_device(reads, device.id, by="boss", now=now)).is_revoked
    assert house.ended == [held.id]
    assert code_of(house.run(house.desk.current_session(held))) == "revoked"
    assert house.run(house.desk.current_session(elsewhere)) == elsewhere
    assert code_of(sign_on_at(house, made)) == "no_device"
    assert code_of(house.change(lambda reads, now: revoke_device(reads, device.id, by="", now=now))) == "no_device"
    found = find_device(house.store, device.id)
    assert found is not None
    assert found.is_revoked


def test_a_device_that_is_revoked_while_somebody_signs_on_at_it_lets_nobody_in(house: AccessHouse) -> None:
    device = enrolled(house)
    made = proof(house, device)
    at_work = house.desk.sign_on("ana", Secret(PASSWORD), Role.DEALER, address=ADDRESS, proof=made)
    other = AccessHouse(house.store, clock=house.clock)
    real = house.desk.recognition.passwords.check

    async def meanwhile(stored: str | None, password: Secret) -> object:
        with other.store.connection:
            other.store.connection.execute("update device set revoked_at = 1 where id = ?", (device.id,))
        return await real(stored, password)

    house.desk.recognition.passwords.check = meanwhile  # type: ignore[method-assign,assignment]
    assert code_of(house.run(at_work)) == "no_device"
    other.close()
    assert count(house.store, "session") == 0


class RevokingStore(MemoryStore):
    """Another node revokes every device just before a batch of this one is stored."""

    revokes = False

    async def commit(self, batch: Batch) -> None:
        """Be overtaken, or not."""
        if self.revokes:
            self.append(Batch(statements=(Statement("update device set revoked_at = 1"),)))
        await super().commit(batch)


def test_a_device_that_is_revoked_while_the_session_is_stored_lets_nobody_in() -> None:
    store = RevokingStore()
    house = AccessHouse(store)
    house.add("ana", Role.DEALER)
    made = proof(house, enrolled(house))
    store.revokes = True
    assert code_of(sign_on_at(house, made)) == "no_device"
    assert count(store, "session") == 0
    house.close()


def test_a_console_of_one_table_gets_a_ticket_to_that_table_alone(house: AccessHouse) -> None:
    held = console(house, enrolled(house, "T1"))
    assert code_of(house.desk.give_ticket(held, table="T2", address="here")) == "other_table"
    assert not isinstance(house.desk.give_ticket(held, table="T1", address="here"), Denied)
    assert code_of(house.run(house.desk.give_stored_ticket(held, table="T2", address="here"))) == "other_table"


def test_a_console_locks_after_five_minutes_without_an_act_and_its_own_person_unlocks_it(house: AccessHouse) -> None:
    held = console(house, enrolled(house))
    for _ in range(4):
        house.clock.go(MINUTE)
        held = allowed(house.desk.use(held, acted=False))
    held = allowed(house.desk.use(held, acted=True))
    for _ in range(4):
        house.clock.go(MINUTE)
        held = allowed(house.desk.use(held, acted=False))
    house.clock.go(MINUTE)
    assert code_of(house.desk.use(held, acted=True)) == "locked", "looking on is no act"
    assert LOCKS_AFTER == 5 * MINUTE
    wrong = house.run(house.desk.unlock(held, Secret("wrong wrong wrong")))
    assert code_of(wrong) == "wrong_sign_on"
    assert code_of(house.desk.use(held, acted=True)) == "locked"
    after = allowed(house.run(house.desk.unlock(held, Secret(PASSWORD))))
    assert after.id == held.id
    assert isinstance(house.desk.use(after, acted=True), Session)


def test_another_role_at_a_console_takes_the_device_s_proof_and_stays_at_its_table(house: AccessHouse) -> None:
    device, elsewhere = enrolled(house, "T7"), enrolled(house, "T8", OTHER)
    held = console(house, device)

    def take(made: DeviceSignature | None, role: Role = Role.FLOORPERSON) -> IssuedSession | Session | Denied:
        return house.run(house.desk.take_role(held, role, password=Secret(PASSWORD), address=ADDRESS, proof=made))

    assert code_of(take(None)) == "wrong_proof"
    assert code_of(take(proof(house, elsewhere, OTHER))) == "wrong_proof", "the proof of another device"
    assert code_of(take(proof(house, device, OTHER))) == "wrong_proof"
    assert code_of(take(proof(house, device), Role.PIT_BOSS)) == "not_your_role"
    house.clock.go(LOCKS_AFTER)
    assert code_of(take(proof(house, device))) == "locked"
    allowed(house.run(house.desk.unlock(held, Secret(PASSWORD))))
    assert house.ended == []
    found = take(proof(house, device))
    assert isinstance(found, IssuedSession)
    assert (found.session.device, found.session.table, found.session.role) == (device.id, "T7", Role.FLOORPERSON)
    assert house.ended == [held.id]


def test_what_is_no_console_does_not_lock(house: AccessHouse) -> None:
    held = house.sign_on("ana")
    house.clock.go(20 * MINUTE)
    assert isinstance(house.desk.use(held, acted=True), Session)


def test_a_locked_console_that_was_ended_is_not_unlocked(house: AccessHouse) -> None:
    held = console(house, enrolled(house))
    house.clock.go(6 * MINUTE)
    house.run(house.desk.sign_off(held))
    assert code_of(house.run(house.desk.unlock(held, Secret(PASSWORD)))) == "revoked"


def test_unlocking_is_not_tried_without_end(house: AccessHouse) -> None:
    held = console(house, enrolled(house))
    found = [code_of(house.run(house.desk.unlock(held, Secret(f"wrong wrong {number}")))) for number in range(7)]
    assert found == ["wrong_sign_on"] * 5 + ["too_many_tries"] * 2


def test_strangers_who_try_a_name_hold_nobody_back_at_a_device_or_a_console(house: AccessHouse) -> None:
    device = enrolled(house)
    held = console(house, device)
    for number in range(BY_ADDRESS.free + 1):
        house.try_sign_on("ana", password="wrong wrong wrong", address=f"198.51.100.{number}")
        house.try_sign_on(f"name {number}", password="wrong wrong wrong")
    assert code_of(house.try_sign_on("ana", address="203.0.113.1")) == "too_many_tries"
    for session in (held, console(house, device)):
        assert isinstance(house.run(house.desk.unlock(session, Secret(PASSWORD))), Session)
    assert isinstance(sign_on_at(house, proof(house, device)), IssuedSession)
