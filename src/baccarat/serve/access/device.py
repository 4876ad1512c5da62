"""Pit devices: enrolled by a one-time code, known by a key that never leaves them, bound to a table, without a role.

A device makes its own Ed25519 key. An authorized person requests a code for a table and types it at the device, which
sends its public key with it. From then on the device proves itself by signing a challenge, each time a person signs on
at it. It has no role: what is done at it is done by that person. Revoking it ends every session on it.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from baccarat.serve.access.base import ONE_SECOND, AccessChange, Secret, is_made_id, new_id
from baccarat.serve.access.denial import Denial, Denied, make_denial
from baccarat.serve.access.link import CODE_LASTS, Purpose, make_code, new_code, use_code
from baccarat.serve.access.log import AccessEvent, log_statement
from baccarat.serve.access.session import end_device_sessions
from baccarat.serve.store.base import Statement
from baccarat.serve.store.row import RowReads, as_bytes, as_int, as_text

CHALLENGE_LASTS = 30 * ONE_SECOND
MOST_CHALLENGES = 2_000
KEY_BYTES, SIGNATURE_BYTES, NONCE_BYTES = 32, 64, 32
TITLE = b"baccarat/device/1\n"
"""The beginning of what a device signs, so that its signature is valid for nothing else."""


class Device(msgspec.Struct, frozen=True, kw_only=True):
    """A device that was enrolled."""

    id: str
    key: bytes
    table: str
    made_at: int
    is_revoked: bool = False


def enrolment_code(table: str, *, by: str, now: int) -> AccessChange[Secret]:
    """The code by which the next device of a table is enrolled; an earlier one for that table is void."""
    return make_code(Purpose.DEVICE, new_code(), about=table, by=by, now=now, lasts=CODE_LASTS)


def enrol(reads: RowReads, code: str, key: bytes, *, now: int) -> AccessChange[Device] | Denied:
    """Enrol a device by its code and its public key."""
    used = use_code(reads, code, Purpose.DEVICE, now=now)
    if isinstance(used, Denied):
        return used
    if not _is_key(key):
        return make_denial(Denial.BAD_KEY)
    device = Device(id=new_id("device"), key=key, table=used.answer.about, made_at=now)
    sql = "insert into device (id, key, at_table, made_at) values (?, ?, ?, ?)"
    insert = Statement(sql, (device.id, key, device.table, now), changes=1)
    note = log_statement(
        AccessEvent.DEVICE_ENROLLED, at=now, by=used.answer.made_by, about=f"{device.id}, table {device.table}"
    )
    return AccessChange(answer=device, statements=(*used.statements, insert, note))


def find_device(reads: RowReads, id_: str) -> Device | None:
    """The device of an id, revoked or not."""
    sql = "select id, key, at_table, made_at, revoked_at from device where id = ?"
    rows = reads.read(sql, (id_,)) if is_made_id("device", id_) else []
    if not rows:
        return None
    found, key, table, made_at, revoked_at = rows[0]
    return Device(
        id=as_text(found),
        key=as_bytes(key),
        table=as_text(table),
        made_at=as_int(made_at),
        is_revoked=revoked_at is not None,
    )


def devices(reads: RowReads) -> list[Device]:
    """All devices, by table."""
    ids = [as_text(row[0]) for row in reads.read("select id from device order by at_table, made_at, id")]
    return [found for found in (find_device(reads, id_) for id_ in ids) if found is not None]


def revoke_device(reads: RowReads, id_: str, *, by: str, now: int) -> AccessChange[Device] | Denied:
    """Revoke a device, and end every session on it."""
    found = find_device(reads, id_)
    if found is None or found.is_revoked:
        return make_denial(Denial.NO_DEVICE)
    revoked = Statement("update device set revoked_at = ? where id = ? and revoked_at is null", (now, id_), changes=1)
    ended, statements = end_device_sessions(reads, id_, "device revoked", now=now)
    note = log_statement(AccessEvent.DEVICE_REVOKED, at=now, by=by, about=id_)
    answer = msgspec.structs.replace(found, is_revoked=True)
    return AccessChange(answer=answer, statements=(revoked, *statements, note), ended=ended)


def enrolment_guard(device: str) -> Statement:
    """Ensures, when a session on a device is stored, that the device was not revoked meanwhile."""
    return Statement("update device set revoked_at = null where id = ? and revoked_at is null", (device,), changes=1)


# ------------------------------------------------------------------------------------------- challenges


class DeviceSignature(msgspec.Struct, frozen=True, kw_only=True):
    """What a device answers to a challenge."""

    device: str
    challenge: bytes
    signature: bytes


class Challenges:
    """The open challenges, in the memory of one node; `now` is monotonic (`Clock.steady`)."""

    def __init__(self, house: bytes, *, most: int = MOST_CHALLENGES) -> None:
        self._house, self._most = house, most
        self._given: OrderedDict[tuple[str, bytes], int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._given)

    def issue(self, device: str, now: int) -> bytes:
        """A challenge for a device; it does not reveal whether the device is enrolled."""
        while self._given and (next(iter(self._given.values())) <= now or len(self._given) >= self._most):
            self._given.popitem(last=False)
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._given[device[:100], nonce] = now + CHALLENGE_LASTS
        return nonce

    def use_up(self, proof: DeviceSignature, now: int) -> bool:
        """Whether a proof answers a challenge that was given and has not lapsed; any answer uses it up."""
        lapses = self._given.pop((proof.device[:100], proof.challenge), 0)
        return lapses - CHALLENGE_LASTS <= now < lapses

    def check(self, device: Device | None, proof: DeviceSignature, *, is_timely: bool) -> Device | Denied:
        """The device of a proof, if it has signed its challenge; `is_timely` if that was used up in time."""
        if device is None or device.is_revoked:
            return make_denial(Denial.NO_DEVICE)
        signed = signed_text(self._house, device.id, proof.challenge)
        if not is_timely or not _verifies(device.key, proof.signature, signed):
            return make_denial(Denial.WRONG_PROOF)
        return device


def signed_text(house: bytes, device: str, challenge: bytes) -> bytes:
    """What a device signs: for this house, as this device, this challenge."""
    return TITLE + house.hex().encode() + b"\n" + device.encode() + b"\n" + challenge.hex().encode() + b"\n"


def _verifies(key: bytes, signature: bytes, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


_SMALL_ORDER = frozenset(
    bytes.fromhex(each)
    for each in (
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
)
"""Points for which anybody can make a valid signature: such keys are refused."""


def _is_key(key: bytes) -> bool:
    if len(key) != KEY_BYTES or key in _SMALL_ORDER:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key)
    except ValueError:
        return False
    return True
