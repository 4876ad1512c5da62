"""Denials: why somebody is not let in, or may not do something; a code for programs and a plain sentence for people.

A denial is a value. It never holds a password, a token or a name that somebody typed.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from baccarat.values import short_repr


class Denial(Enum):
    """Why it is denied."""

    WRONG_SIGN_ON = "wrong_sign_on"
    TOO_MANY_TRIES = "too_many_tries"
    BUSY = "busy"
    NOT_YOUR_ROLE = "not_your_role"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    BAD_PASSWORD = "bad_password"  # noqa: S105  the name of a reason
    BAD_ROLES = "bad_roles"
    NO_SUCH_PERSON = "no_such_person"
    LAST_ADMINISTRATOR = "last_administrator"
    NO_SESSION = "no_session"
    EXPIRED = "expired"
    REVOKED = "revoked"
    LOCKED = "locked"
    NO_TICKET = "no_ticket"
    NO_CODE = "no_code"
    NO_DEVICE = "no_device"
    WRONG_PROOF = "wrong_proof"
    BAD_KEY = "bad_key"
    PASSWORD_NEEDED = "password_needed"  # noqa: S105  the name of a reason
    NOT_PRACTICE = "not_practice"
    NOT_VISITED = "not_visited"
    NO_SUCH_COMMAND = "no_such_command"
    WRONG_STREAM = "wrong_stream"
    INTERNAL = "internal"
    WRONG_ROLE = "wrong_role"
    ONLY_WATCHES = "only_watches"
    OTHER_SEAT = "other_seat"
    OTHER_PERSON = "other_person"
    OTHER_TABLE = "other_table"
    HAS_A_SEAT = "has_a_seat"
    NOT_ON_THE_GAME = "not_on_the_game"
    BAD_ID = "bad_id"
    ONE_PERSON = "one_person"
    TOO_LARGE = "too_large"
    OTHER_COMMAND = "other_command"
    TOO_MANY_PROPOSALS = "too_many_proposals"
    NO_PROPOSAL = "no_proposal"
    COMMAND_CHANGED = "command_changed"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"
    ALREADY_USED = "already_used"
    SAME_PERSON = "same_person"
    MAY_NOT_APPROVE = "may_not_approve"
    PROPOSER_GONE = "proposer_gone"


SENTENCES = {
    Denial.WRONG_SIGN_ON: "The name or the password is wrong.",
    Denial.TOO_MANY_TRIES: "There were too many tries; wait {wait} and try again.",
    Denial.BUSY: "Too many people are coming in at this moment; try again in a few seconds.",
    Denial.NOT_YOUR_ROLE: "You are not entered as {role} in this house.",
    Denial.BAD_NAME: "This cannot be a name to sign on with: {what}.",
    Denial.NAME_TAKEN: "Somebody else signs on with this name.",
    Denial.BAD_PASSWORD: "This cannot be a password: {what}.",
    Denial.BAD_ROLES: "These cannot be a person's roles: {what}.",
    Denial.NO_SUCH_PERSON: "No such person is entered in this house.",
    Denial.LAST_ADMINISTRATOR: "This is the last administrator; enter another one first.",
    Denial.NO_SESSION: "Nobody is signed on here; sign on first.",
    Denial.EXPIRED: "This session is over; sign on again.",
    Denial.REVOKED: "This session was ended; sign on again.",
    Denial.LOCKED: "This console is locked after {minutes} minutes without an act; whoever is signed on unlocks it.",
    Denial.NO_TICKET: "This ticket is not valid: it was used, or its {seconds} seconds are over; ask for another one.",
    Denial.NO_CODE: "This code is not valid: it was used, or its time is over; ask for another one.",
    Denial.NO_DEVICE: "This device is not enrolled here, or no longer.",
    Denial.WRONG_PROOF: "The device has not proved that it is the one that was enrolled; ask for a new challenge.",
    Denial.BAD_KEY: "This is no public key of a device: 32 bytes of Ed25519 are expected.",
    Denial.PASSWORD_NEEDED: "Give your password, too: another role takes what signing on takes.",
    Denial.NOT_PRACTICE: "This house takes nobody without signing on: only practice does.",
    Denial.NOT_VISITED: "Nobody visits a practice house as {role}.",
    Denial.NO_SUCH_COMMAND: "There is no such command.",
    Denial.WRONG_STREAM: "“{act}” is no act of “{stream}”.",
    Denial.INTERNAL: "“{act}” is done by the house itself, and is not brought by a person.",
    Denial.WRONG_ROLE: "“{act}” is for {allowed}, and you are signed on as {role}.",
    Denial.ONLY_WATCHES: "Whoever is signed on as {role} watches, and does nothing.",
    Denial.OTHER_SEAT: "You may act for the seat where you sit, and for no other.",
    Denial.OTHER_PERSON: "You may sit down yourself, and not for somebody else.",
    Denial.HAS_A_SEAT: "You sit at seat {seat} already; leave it before you sit down at another.",
    Denial.NOT_ON_THE_GAME: "Another dealer is on the game; come on the game first, beside him or in his place.",
    Denial.OTHER_TABLE: "This console belongs to table {table}, and acts for no other.",
    Denial.BAD_ID: "The id of a proposal is a UUID of version 7, made by whoever proposes.",
    Denial.ONE_PERSON: "“{act}” takes one person as {role}; nobody else approves it.",
    Denial.TOO_LARGE: "The command has {bytes} bytes; {most} at most are kept.",
    Denial.OTHER_COMMAND: "Something else was proposed under this id.",
    Denial.TOO_MANY_PROPOSALS: "You have {most} open proposals; withdraw one, or wait until one is decided.",
    Denial.NO_PROPOSAL: "There is no such proposal.",
    Denial.COMMAND_CHANGED: "What you have seen is not what was proposed; look at it again.",
    Denial.DECLINED: "The proposal was declined.",
    Denial.WITHDRAWN: "The proposal was withdrawn by the person who made it.",
    Denial.LAPSED: "The proposal has lapsed; it has to be made again.",
    Denial.ALREADY_USED: "The proposal was approved by somebody else already.",
    Denial.SAME_PERSON: "Nobody approves what is his own: this takes another person.",
    Denial.MAY_NOT_APPROVE: "“{act}” is approved by {allowed}, not by {role}.",
    Denial.PROPOSER_GONE: "The person who proposed this may no longer act as {role}.",
}


class Denied(msgspec.Struct, frozen=True):
    """Something that is denied: it changes nothing."""

    why: Denial
    params: dict[str, int | str] = {}

    @property
    def code(self) -> str:
        """The reason, for programs."""
        return self.why.value

    @property
    def say(self) -> str:
        """The reason, for people."""
        return SENTENCES[self.why].format(**self.params)

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
