"""House rules: what the documents leave to the house, each with a name of its own that a refusal can cite."""

from __future__ import annotations

from collections.abc import Iterable

from baccarat.law.clause import Citation

HOUSE = "house"
"""What a citation has in place of an edition: `house §two-persons`."""

HOUSE_RULES: dict[str, str] = {
    "two-persons": (
        "Chips and money that leave the cage, come back to it or are counted take two persons: one asks or counts, "
        "another approves, and nobody approves a matter of his own. Neither sits at the table whose tray, drop box "
        "or coupons it concerns, and nobody changes the options of a table at which he sits, or raises a meter for "
        "which he plays."
    ),
    "count-sheet": "Chips are moved and counted by a sheet that lists how many there are of each value.",
    "enough": "Nothing leaves the cage, a tray or the chips at large that the books do not have there.",
    "one-tray": (
        "A tray is opened once and closed by a count; only an open tray is filled, credited or counted. One that was "
        "used without being open is closed by a count too."
    ),
    "day-is-counted": (
        "A gaming day closes when no round is in play, every open tray has been counted since its last chips moved, "
        "and every drop box and every coupon that a table has taken have been counted."
    ),
    "one-day": "One gaming day follows another; a closed day takes nothing more.",
    "linked-figure": (
        "A table that shares meters measures on what the link shows, adds what its wagers add, and ends a round once."
    ),
    "next-jackpot": "The terms of a shared meter change with its next jackpot; the running one keeps its own.",
    "at-the-table": (
        "What a table does with forms, from their receipt to the drop box, enters the form book by the table's own act "
        "and not separately."
    ),
    "coupon": (
        "A coupon has a number, a value and a patron, and two persons issue it. Its patron alone presents it, and when "
        "its wager is decided it has been used. An electronic table takes no other coupon."
    ),
    "witnesses": (
        "The opening of an electronic table names its witnesses. Two persons may change them an hour after a "
        "written notice to surveillance that names the new ones, with effect from the next commitment."
    ),
    "table-kind": (
        "A table's opening records its kind: real cards, an electronic shoe, or a shoe that the program deals. The "
        "kind does not change. For a table opened before this was required, two persons record it once, between "
        "two shoes."
    ),
    "reveal-deadline": (
        "A table with an electronic shoe may state, when it opens, within how many seconds of its end the seed of a "
        "shoe is revealed. The deadline does not change. Once it has passed, the table stops until the seed is "
        "revealed or two persons report it lost, and everyone can see that."
    ),
    "goodwill": (
        "What a table gives away beyond what is owed, to a seat or to a meter, stays within its filed limit in a "
        "gaming day, however many shoes the day has. Somebody outside the pit approves a limit that is filed for a "
        "new table, or that is raised."
    ),
    "player-protection": (
        "A participant may set a limit on what he loses in a gaming day, be reminded of the time, take a time-out, or "
        "exclude himself. A lower limit holds immediately; a higher one, or none, when he confirms it a day later, or "
        "longer as the house elects. No wager is taken by which he could lose more, and who is away sits at no table. "
        "Nothing of this ends by itself, and it is held by person, at every table of the house."
    ),
    "known-table": "An act names a table, a link or a pit that the house has opened.",
    "one-effect": (
        "A command's id, which its sender gives it, takes effect at most once; sending it again returns the same "
        "answer, and the id cannot be reused."
    ),
    "filed-rules": ("A table adopts the rules that its pit filed for it last, but not while a link has its meters."),
}


def cite_house(*names: str) -> tuple[Citation, ...]:
    """The citations of house rules."""
    for name in names:
        assert name in HOUSE_RULES, f"no house rule {name!r}"
    return tuple(Citation(HOUSE, name) for name in names)


def resolve(cites: Iterable[Citation]) -> dict[str, str]:
    """The words of the house rules among citations, by name."""
    return {cite.paragraph: HOUSE_RULES[cite.paragraph] for cite in cites if cite.edition == HOUSE}
