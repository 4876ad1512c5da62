"""Denials: why somebody is not let in, or may not do something; a code for programs and a plain sentence for people.

A denial is a value. It never holds a password, a token or a name that somebody typed.
"""

from __future__ import annotations

from enum import Enum, unique

import msgspec

from baccarat.values import short_repr


@unique
class Denial(Enum):
    """Why it is denied: a code, and the sentence that says so."""

    WRONG_SIGN_ON = "The name or the password is wrong."
    TOO_MANY_TRIES = "There were too many tries; wait {wait} and try again."
    BUSY = "Too many people are coming in at this moment; try again in a few seconds."
    NOT_YOUR_ROLE = "You are not entered as {role} in this house."
    BAD_NAME = "This cannot be a name to sign on with: {what}."
    NAME_TAKEN = "Somebody else signs on with this name."
    BAD_PASSWORD = "This cannot be a password: {what}."  # noqa: S105
    BAD_ROLES = "These cannot be a person's roles: {what}."
    NO_SUCH_PERSON = "No such person is entered in this house."
    LAST_ADMINISTRATOR = "This is the last administrator; enter another one first."
    NO_SESSION = "Nobody is signed on here; sign on first."
    EXPIRED = "This session is over; sign on again."
    REVOKED = "This session was ended; sign on again."
    LOCKED = "This console is locked after {minutes} minutes without an act; whoever is signed on unlocks it."
    NO_TICKET = "This ticket is not valid: it was used, or its {seconds} seconds are over; ask for another one."
    NO_CODE = "This code is not valid: it was used, or its time is over; ask for another one."
    NO_DEVICE = "This device is not enrolled here, or no longer."
    WRONG_PROOF = "The device has not proved that it is the one that was enrolled; ask for a new challenge."
    BAD_KEY = "This is no public key of a device: 32 bytes of Ed25519 are expected."
    PASSWORD_NEEDED = "Give your password, too: another role takes what signing on takes."  # noqa: S105
    NOT_PRACTICE = "This house takes nobody without signing on: only practice does."
    NOT_VISITED = "Nobody visits a practice house as {role}."
    NO_SUCH_COMMAND = "There is no such command."
    WRONG_STREAM = "“{act}” is no act of “{stream}”."
    INTERNAL = "“{act}” is done by the house itself, and is not brought by a person."
    WRONG_ROLE = "“{act}” is for {allowed}, and you are signed on as {role}."
    ONLY_WATCHES = "Whoever is signed on as {role} watches, and does nothing."
    OTHER_SEAT = "You may act for the seat where you sit, and for no other."
    OTHER_PERSON = "You may sit down yourself, and not for somebody else."
    OTHER_TABLE = "This console belongs to table {table}, and acts for no other."
    HAS_A_SEAT = "You sit at seat {seat} already; leave it before you sit down at another."
    NOT_ON_THE_GAME = "Another dealer is on the game; come on the game first, beside him or in his place."
    BAD_ID = "The id of a proposal is a UUID of version 7, made by whoever proposes."
    ONE_PERSON = "“{act}” takes one person as {role}; nobody else approves it."
    TOO_LARGE = "The command has {bytes} bytes; {most} at most are kept."
    OTHER_COMMAND = "Something else was proposed under this id."
    TOO_MANY_PROPOSALS = "You have {most} open proposals; withdraw one, or wait until one is decided."
    NO_PROPOSAL = "There is no such proposal."
    COMMAND_CHANGED = "What you have seen is not what was proposed; look at it again."
    DECLINED = "The proposal was declined."
    WITHDRAWN = "The proposal was withdrawn by the person who made it."
    LAPSED = "The proposal has lapsed; it has to be made again."
    ALREADY_USED = "The proposal was approved by somebody else already."
    SAME_PERSON = "Nobody approves what is his own: this takes another person."
    MAY_NOT_APPROVE = "“{act}” is approved by {allowed}, not by {role}."
    PROPOSER_GONE = "The person who proposed this may no longer act as {role}."

    @property
    def code(self) -> str:
        """The reason, for programs."""
        return self.name.lower()


class Denied(msgspec.Struct, frozen=True):
    """Something that is denied: it changes nothing."""

    why: Denial
    params: dict[str, int | str] = {}

    @property
    def code(self) -> str:
        """The reason, for programs."""
        return self.why.code

    @property
    def say(self) -> str:
        """The reason, for people."""
        return self.why.value.format(**self.params)

    @property
    def wait(self) -> int:
        """After how many seconds it may be tried again; 0 where waiting changes nothing, or nobody can say."""
        found = self.params.get("wait_seconds", 0)
        assert isinstance(found, int), "a number of seconds"
        return found

    def __repr__(self) -> str:
        return short_repr(self, f"{self.code}: {self.say}")


def make_denial(why: Denial, /, **params: int | str) -> Denied:
    """A denial with what its sentence needs."""
    return Denied(why, params)


def too_many_tries(micro: int) -> Denied:
    """So long one has to wait, in microseconds; told in whole seconds."""
    seconds = -(-micro // 1_000_000)
    wait = f"{seconds} second{'s' * (seconds != 1)}" if seconds < 120 else f"{-(-seconds // 60)} minutes"
    return make_denial(Denial.TOO_MANY_TRIES, wait=wait, wait_seconds=seconds)
