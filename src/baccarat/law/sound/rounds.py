"""Soundness of a round's law: definitions, tableau, values, deal, calls, terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from baccarat.law.fact import BASIC, COUNTS, OF_A_HAND, OF_THE_FIRST_FOUR, Definitions
from baccarat.law.row import as_values
from baccarat.law.sound.words import FACT_VALUES, HANDS, RANKS, WALKS, Wrong, among, hint, unknown_word

if TYPE_CHECKING:
    from baccarat.law.edition import Edition


def definitions_wrong(definitions: Definitions) -> Wrong:
    taken = {*BASIC, *OF_A_HAND, *OF_THE_FIRST_FOUR}
    for name in definitions.names():
        if name in taken:
            yield f"definition: the fact {name!r} is there already; choose another term"
        taken.add(name)
    for term, meaning in definitions.hand.items():
        yield from facts_wrong(f"definition.{term}", meaning, {"count": COUNTS, "cards": (2, 3)})
    known = round_facts(Definitions(hand=definitions.hand, round={}))
    for term, meaning in definitions.round.items():
        yield from facts_wrong(f"definition.{term}", meaning, known)
        known[term] = (False, True)


def round_facts(definitions: Definitions) -> dict[str, Collection[Any]]:
    """The facts of a round without a wager, with the values they may have."""
    terms = [*(f"{side}_{term}" for term in definitions.hand for side in HANDS), *definitions.round]
    return {name: FACT_VALUES[name] for name in BASIC} | dict.fromkeys(terms, (False, True))


def facts_wrong(place: str, conditions: Mapping[str, Any], known: Mapping[str, Collection[Any]]) -> Wrong:
    if not conditions:
        yield f"{place}: says nothing of any fact"
    for fact, wanted in conditions.items():
        if fact not in known:
            yield f"{place}: unknown fact {fact!r}{hint(fact, known)}"
            continue
        for value in as_values(wanted):
            if not among(value, known[fact]):
                yield f"{place}: {fact} is never {value!r}"


def _tableau(edition: Edition) -> Wrong:
    for index, row in enumerate(edition.tableau):
        yield from unknown_word(f"tableau[{index}].hand", row.hand, HANDS, "hand")
        yield from unknown_word(f"tableau[{index}].act", row.act, ("draw", "stay"), "act")
        if isinstance(row.third, str):
            yield from unknown_word(f"tableau[{index}].third", row.third, ("none",), "third card")
        for points in (*row.holds, *(row.third if isinstance(row.third, tuple) else ())):
            if points not in COUNTS:
                yield f"tableau[{index}]: no hand and no card counts {points}"


def _values(edition: Edition) -> Wrong:
    for place, rows in (("point_count.value", edition.point_count.value), ("burn.value", edition.burn.value)):
        seen: dict[str, int] = {}
        for index, row in enumerate(rows):
            if row.value != "face" and row.value < 0:
                yield f"{place}[{index}]: {row.value} is below nothing"
            for letter in row.ranks:
                yield from unknown_word(f"{place}[{index}].ranks", letter, RANKS, "rank")
                if letter in seen:
                    yield f"{place}[{index}]: {letter} has a value in {place}[{seen[letter]}] already"
                if row.value == "face" and not letter.isdigit():
                    yield f"{place}[{index}]: {letter} has no number on its face"
                seen[letter] = index
        missing = [letter for letter in RANKS if letter not in seen]
        if missing:
            yield f"{place}: no value for {', '.join(missing)}"


def _deal(edition: Edition) -> Wrong:
    hands = edition.deal.hands
    if len(hands) != 4 or any(hands.count(hand) != 2 for hand in HANDS):
        yield f"deal.hands: four cards, two for each hand, not {', '.join(hands) or 'none'}"
    law = edition.house_money
    if law is not None and (law.start, law.direction) not in WALKS:
        yield f"house_money.direction: a walk from {law.start} does not go {law.direction}"


def calls_wrong(edition: Edition) -> Wrong:
    known = round_facts(edition.definitions)
    for index, call in enumerate(edition.calls):
        if call.if_:
            yield from facts_wrong(f"call[{index}].if", call.if_, known)
        if [call.say is not None, call.count is not None, call.final, call.total_cards].count(True) != 1:
            yield f"call[{index}]: a call is one of say, count, final and total_cards"


CHECKS = (_tableau, _values, _deal)
