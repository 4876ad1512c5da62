"""Exit statuses of the program: one table, from which come the foot of every help and the page of the verbs."""

from __future__ import annotations

DONE, REFUSED, FAULT, PARTLY, STOPPED = 0, 1, 2, 3, 130

STATUSES = {
    DONE: "done",
    REFUSED: "something refused, wrong or not valid",
    FAULT: "unreadable input, wrong usage, or something that is needed is missing",
    STOPPED: "stopped by Ctrl-C",
}
"""What each status means, for every verb that does not say otherwise below."""

UNSIGNED = {PARTLY: "nothing is wrong in what was checked, but signatures were not, although there is a key"}
OF_VERB = {
    "audit": UNSIGNED,
    "verify": UNSIGNED,
    "serve": {
        DONE: "closed when asked to, by Ctrl-C too",
        FAULT: "could not start",
        PARTLY: "the store failed while the house was open",
    },
    "play": {DONE: "done, or ended by Ctrl-C"},
    "bots": {DONE: "done, or ended by Ctrl-C"},
    "witness": {DONE: "done, or with --listen ended by Ctrl-C"},
    "drill": {DONE: "every answer was right, until Ctrl-C if that ended it", REFUSED: "some answers were wrong"},
}
"""Where a verb has a status of its own, or says more plainly what one means."""

NOT_OF_VERB = {"serve": (REFUSED, STOPPED), "play": (STOPPED,), "bots": (STOPPED,), "drill": (STOPPED,)}
"""What a verb does not end with once it has begun: Ctrl-C is the usual way to end these."""


def statuses(verb: str = "") -> dict[int, str]:
    """The statuses with which a verb can end, in order, with their meanings; without a verb, those of most verbs."""
    found = STATUSES | OF_VERB.get(verb, {})
    return {status: found[status] for status in sorted(found) if status not in NOT_OF_VERB.get(verb, ())}


def help_footer(verb: str = "") -> str:
    """The last line of a verb's help."""
    return "Exit status: " + " · ".join(f"{status} {meaning}" for status, meaning in statuses(verb).items()) + "."
