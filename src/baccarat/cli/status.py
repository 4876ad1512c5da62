"""Exit statuses of the program: the source for the last line of every help and for docs/verbs.md."""

from __future__ import annotations

from collections.abc import Iterable

DONE, REFUSED, FAULT, PARTLY, STOPPED = 0, 1, 2, 3, 130

STATUSES = {
    DONE: "done",
    REFUSED: "something refused, wrong or not valid",
    FAULT: "unreadable input, wrong usage, or something required is missing",
    STOPPED: "stopped by Ctrl-C",
}
"""What each status means, for every verb that does not say otherwise below."""

COVERED = {
    DONE: "nothing is wrong, and everything is covered by the keys that were given",
    REFUSED: "something is wrong",
    PARTLY: "nothing is wrong in what was checked, but not all of it is covered",
}
OF_VERB = {
    "audit": COVERED,
    "verify": COVERED,
    "journal check": {PARTLY: "it shows what it should, but a signature was not checked"},
    "serve": {
        DONE: "closed on request, including Ctrl-C",
        FAULT: "could not start",
        PARTLY: "the store failed while the house was open",
    },
    "doctor": {
        DONE: "all is well, as far as it was checked",
        REFUSED: "something is wrong",
        FAULT: "there is no house to look at, or wrong usage",
        PARTLY: "something needs attention",
    },
    "play": {DONE: "done, or ended by Ctrl-C"},
    "bots": {DONE: "done, or ended by Ctrl-C"},
    "witness": {DONE: "done, or with --listen ended by Ctrl-C"},
    "drill": {DONE: "every answer was right, up to Ctrl-C if that ended it", REFUSED: "some answers were wrong"},
}
"""Statuses specific to a verb, or with a more specific meaning."""

NOT_OF_VERB = {"serve": (REFUSED, STOPPED), "play": (STOPPED,), "bots": (STOPPED,), "drill": (STOPPED,)}
"""Statuses that these verbs do not end with once started: Ctrl-C is the usual way to end them."""


def worst(statuses: Iterable[int]) -> int:
    """The status of several files together: something wrong counts most, then unreadable, then not covered."""
    return max(statuses, key=(DONE, PARTLY, FAULT, REFUSED).index, default=DONE)


def statuses(verb: str = "") -> dict[int, str]:
    """The statuses with which a verb can end, in order, with their meanings; without a verb, those of most verbs."""
    found = STATUSES | OF_VERB.get(verb, {})
    return {status: found[status] for status in sorted(found) if status not in NOT_OF_VERB.get(verb, ())}


def help_footer(verb: str = "") -> str:
    """The last line of a verb's help."""
    return "Exit status: " + " · ".join(f"{status} {meaning}" for status, meaning in statuses(verb).items()) + "."
