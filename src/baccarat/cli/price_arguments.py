"""The options of `baccarat price`: sums, meters, shoes and wagers; a fault exits with a message."""

from __future__ import annotations

import re

from baccarat.cli.money import sum_of
from baccarat.cli.output import fail
from baccarat.law.error import nearest
from baccarat.law.rulebook import Rulebook
from baccarat.law.wager_name import BY_NAME
from baccarat.odds import ShoeCounts, must_hit_seat
from baccarat.play.wager import WagerKind


def meters_of(given: list[str] | None) -> dict[str, int] | None:
    """The meters given with --meters, in cents."""
    if not given:
        return None
    found: dict[str, int] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            fail(f"--meters {text!r}: expected NAME=SUM, such as star=50,000")
        if name.strip() in found:
            fail(f"--meters {name.strip()}: given twice")
        found[name.strip()] = sum_of(f"--meters {name.strip()}", value.strip())
    return found


def check_must_hit(rules: Rulebook, meters: dict[str, int] | None) -> None:
    """Exit with a message if the Must Hit's meter cannot show the given sum."""
    if meters is not None and "must_hit" in meters:
        must_hit_seat(rules, meter=meters["must_hit"])


def counts_of(rules: Rulebook, *, without: str | None, left: str | None) -> ShoeCounts | None:
    """The shoe that --left and --without describe; None for a full one."""
    decks = rules.elections.decks
    assert decks is not None, "every rulebook says how many decks are played"
    if left is not None:
        words = left.replace(",", " ").split()
        if not all(re.fullmatch("-?[0-9]{1,9}", word) for word in words):
            fail(f"--left {left!r}: expected whole numbers, 52, 13 or 10 of them")
        counts = ShoeCounts.of(map(int, words), decks=decks)
    else:
        counts = ShoeCounts.full(decks)
    if without is None:
        return counts if left is not None else None
    return counts.without(without)


def kind_of(rules: Rulebook, word: str) -> WagerKind:
    """The wager that a word names; exits with a message if there is none."""
    wanted = word.lower().replace("-", "_").replace(" ", "_")
    if wanted in BY_NAME:  # of any edition: one that is not offered is refused later, with the reason
        return BY_NAME[wanted]
    words = list(rules.edition.wagers)
    hint = nearest(wanted, words)
    return fail(f"no wager {word!r}; " + (f"did you mean {hint!r}?" if hint else f"expected one of {', '.join(words)}"))
