"""The values of one option, taken alone: what it may be, in words, and why it cannot be something else."""

from __future__ import annotations

from typing import Any

from baccarat.law.section import Option
from baccarat.law.submission import odds

FORMS = {
    "text": "a text that is not empty",
    "one kind": "a list with one kind",
    "limits": 'min, max and increment for each wager offered, such as "$25.00"',
    "part": "a fraction such as [1, 2], above zero and at most one",
    "odds": "odds such as 8 or '17 to 2'",
    "depth": "a number of cards",
    "second seed": "basis points of the wager",
    "dragon odds": "odds by row, each no less than the pay table's",
    "royal9": "a table with what the clause leaves to the licensee",
    "sum": 'a sum such as "$100.00"',
    "must_hit": 'a table with start, ceiling and contribution, such as "$0.25"',
}
"""What an option that is neither fixed nor chosen from a list may be, by what it states."""


def allowed_in_words(option: Option) -> str:
    """What an option may be, in words."""
    if option.shall is not None:
        return f"shall be {election_text(option.shall)}"
    if option.may:
        return "true or false"
    if option.elect:
        return "one of " + ", ".join(map(election_text, option.elect))
    if option.states == "odds":
        return f"at least {odds(option.at_least or 0)}"
    floor = [f"at least {option.at_least}"] if option.at_least is not None else []
    ceiling = [f"at most {option.at_most}"] if option.at_most is not None else []
    return " and ".join(floor + ceiling) or FORMS[option.states or "text"]


def election_text(value: Any) -> str:
    """An election as a Submission writes it."""
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def objection(option: Option, value: Any) -> str | None:
    """Why an option cannot have this value, taken alone; None if it can."""
    if option.shall is not None:
        fits = value == option.shall and type(value) is type(option.shall)
        return None if fits else f"{election_text(value)} is not allowed"
    if option.elect:
        fits = any(value == each and type(value) is type(each) for each in option.elect)
        written = repr(value) if isinstance(value, str) else election_text(value)
        return None if fits else f"{written} is not among the choices"
    if option.states == "text":
        return None if value.strip() else "is empty"
    if option.states == "one kind":
        if any(not each.strip() for each in value):
            return "has a kind without a name"
        return None if len(set(value)) == 1 else f"{len(set(value))} kinds: {', '.join(value) or 'none'}"
    if option.states == "part":
        part, whole = value
        return None if 0 < part <= whole else f"{part} of {whole} is not a fraction above zero and at most one"
    if option.states == "odds":
        return _odds_objection(option, value)
    if option.states in (None, "depth", "second seed") and not option.may:
        if option.at_least is not None and value < option.at_least:
            return f"{value} is below the floor"
        if option.at_most is not None and value > option.at_most:
            return f"{value} is above the ceiling"
    return None


def _odds_objection(option: Option, value: int | str) -> str | None:
    try:
        pays = odds(value)
    except ValueError as error:
        return str(error)
    if not pays.to:
        return f"{pays} pays nothing"
    return None if pays.at_least(odds(option.at_least or 0)) else f"{pays} is below the floor"
