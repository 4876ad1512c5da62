"""The title of a table for people, such as "Midi Baccarat, EZ, no commission": from what its Submission elects.

File names of Submissions and hashes are for those who file rules; somebody who looks for a seat wants to know which
game it is, what it has besides the main wagers, and what a Banker win costs. The title has names for its parts, so that
a page can write it in any language.
"""

from __future__ import annotations

import msgspec

from baccarat.law.rulebook import Rulebook

TRAITS = {
    "ez": "EZ",
    "royal9": "Royal 9",
    "must_hit": "Must Hit jackpot",
    "no_commission": "no commission",
    "commission": "{rate} % commission",
    "six_half": "Banker pays half on six",
    "exempt": "none with a wager on the number of cards",
}
"""What distinguishes a table from others of the same game, in the order in which a title names it."""


class TableTitle(msgspec.Struct, frozen=True, kw_only=True):
    """The title of a table, in parts."""

    game: str
    """Which game it is: `midi_baccarat`, `punto_banco`, …"""
    edition: str
    """Which edition of the document: `fourth_edition`; empty if the document has only one."""
    traits: list[str]
    """Names in `TRAITS`."""
    rate: str = ""
    """The vigorish in per cent; empty if none is charged."""
    coin: int = 0
    """The coin, in cents, to a multiple of which the vigorish is rounded up; 0 if it is not rounded."""
    deferred: bool = False
    """Whether the vigorish is marked, and collected at the end of the shoe."""
    say: str
    """The whole title in English."""


def title_of_table(rules: Rulebook) -> TableTitle:
    """The title of a table with this rulebook."""
    game, _, edition = rules.edition.title.rpartition(" – ")[2].partition(", ")
    rate = rules.elects("vig_rate")
    coin = rules.edition.vigorish.coins.get(str(rate), 0) if rules.elects("vig_rounding") else 0
    traits = _traits(rules)
    return TableTitle(
        game=_name_of(game),
        edition=_name_of(edition),
        traits=traits,
        rate="" if rate is None else str(rate),
        coin=coin,
        deferred=rules.elects("vig_collection") == "deferred",
        say=", ".join([game, *(TRAITS[each].format(rate=rate) for each in traits)]),
    )


def _traits(rules: Rulebook) -> list[str]:
    no_commission, rate = rules.elects("no_commission"), rules.elects("vig_rate")
    has = {
        "ez": bool(rules.elects("ez")),
        "royal9": rules.elections.royal9 is not None,
        "must_hit": rules.elections.must_hit is not None,
        "no_commission": rate is None,
        "commission": rate is not None,
        "six_half": no_commission == "six_half",
        "exempt": no_commission == "total_card_exempt",
    }
    return [trait for trait in TRAITS if has[trait]]


def _name_of(words: str) -> str:
    return words.lower().replace(" ", "_")
