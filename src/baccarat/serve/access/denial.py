"""Denials: why somebody may not sign on, or may not do something; a code for programs and a sentence for people.

A denial is a value. It never holds a password, a token or a name that somebody typed.
"""

from __future__ import annotations

from enum import Enum, unique

import msgspec

from baccarat.values import short_repr


@unique
class Denial(Enum):
    """Why it is denied: a code and a sentence."""

    WRONG_SIGN_ON = "The name or the password is wrong."
    TOO_MANY_TRIES = "There were too many tries; wait {wait} and try again."
    BUSY = "Too many people are signing on at the moment; try again in a few seconds."
    BEHIND = "The house is overloaded at the moment; try again in a few seconds."
    NOT_YOUR_ROLE = "You do not have the role {role} in this house."
    BAD_NAME = "This cannot be a name to sign on with: {what}."
    NAME_TAKEN = "Somebody else signs on with this name."
    BAD_PASSWORD = "This cannot be a password: {what}."  # noqa: S105
    BAD_ROLES = "These cannot be a person's roles: {what}."
    NO_SUCH_PERSON = "There is no such person in this house."
    LAST_ADMINISTRATOR = "This is the last administrator; enter another one first."
    NO_SESSION = "Nobody is signed on here; sign on first."
    EXPIRED = "This session is over; sign on again."
    REVOKED = "This session was ended; sign on again."
    LOCKED = "This console is locked after {minutes} minutes without an act; unlock it with your password."
    NO_TICKET = "This ticket is not valid: it was used, or its {seconds} seconds are over; ask for another one."
    NO_CODE = "This code is not valid: it was used, or its time is over; ask for another one."
    NO_DEVICE = "This device is not enrolled here, or no longer."
    WRONG_PROOF = "The device has not proved that it is the one that was enrolled; ask for a new challenge."
    BAD_KEY = "This is not a public key of a device: expected 32 bytes of Ed25519."
    PASSWORD_NEEDED = "Give your password too: taking another role needs the same as signing on."  # noqa: S105
    NOT_PRACTICE = "Sign on first: only a practice house admits visitors."
    NOT_VISITED = "Visitors of a practice house cannot be {role}."
    NO_SUCH_COMMAND = "There is no such command."
    WRONG_STREAM = "“{act}” is not an act of “{stream}”."
    INTERNAL = "“{act}” is done by the house itself, not by a person."
    WRONG_ROLE = "“{act}” is for {allowed}; you are signed on as {role}."
    ONLY_WATCHES = "You are signed on as {role}, who only watches."
    ONLY_VISITS = "“{act}” is not open to visitors; sign on to use it."
    OTHER_SEAT = "You may act only for the seat where you sit."
    OTHER_PERSON = "You may sit down only yourself, not for somebody else."
    OTHER_TABLE = "This console belongs to table {table}, and cannot act for another."
    FOR_THOSE_WHO_PLAY = (
        "Visitors do the work of the house at the tables whose names begin with training; {place} is for those who "
        "play."
    )
    TRAINING_IS_FULL = "There are {most} training tables already, which is the most; file a change for one of them."
    HAS_A_SEAT = "You already sit at seat {seat}; leave it before you sit down at another."
    NOT_ON_THE_GAME = "Another dealer is on the game; come on the game first, in addition or as a relief."
    BAD_ID = "The id of a proposal must be a UUID of version 7, made by the proposer."
    ONE_PERSON = "“{act}” needs only one person, as {role}; it is not approved by another."
    TOO_LARGE = "The command has {bytes} bytes; the most is {most}."
    OTHER_COMMAND = "Another act was proposed under this id."
    TOO_MANY_PROPOSALS = "You have {most} open proposals; withdraw one, or wait until one is decided."
    NO_PROPOSAL = "There is no such proposal."
    COMMAND_CHANGED = "The proposal has changed since you saw it; look again."
    DECLINED = "The proposal was declined."
    WITHDRAWN = "The proposal was withdrawn by the person who made it."
    LAPSED = "The proposal has lapsed; it has to be made again."
    ALREADY_USED = "Somebody else has already approved the proposal."
    SAME_PERSON = "You cannot approve your own proposal: this needs another person."
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
        """After how many seconds it may be tried again; 0 if waiting changes nothing, or nobody can say."""
        found = self.params.get("wait_seconds", 0)
        assert isinstance(found, int), "a number of seconds"
        return found

    def __repr__(self) -> str:
        return short_repr(self, f"{self.code}: {self.say}")


def make_denial(why: Denial, /, **params: int | str) -> Denied:
    """A denial with the parameters of its sentence."""
    return Denied(why, params)


def too_many_tries(micro: int) -> Denied:
    """The denial of a try that has to wait, for some microseconds; shown in whole seconds."""
    seconds = -(-micro // 1_000_000)
    wait = f"{seconds} second{'s' * (seconds != 1)}" if seconds < 120 else f"{-(-seconds // 60)} minutes"
    return make_denial(Denial.TOO_MANY_TRIES, wait=wait, wait_seconds=seconds)
