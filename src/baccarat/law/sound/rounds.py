"""Soundness of a round's law: definitions, tableau, values, deal, calls, terms."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from baccarat.law.error import hint
from baccarat.law.fact import BASIC, COUNTS, FACTS, Definitions
from baccarat.law.row import as_values
from baccarat.law.section import CARDS, NO_MORE_BETS
from baccarat.law.sound.elections import conditions_met, elections_phrase, possible_elections
from baccarat.law.sound.words import FACT_VALUES, HANDS, RANKS, WALKS, Faults, is_among, unknown_word
from baccarat.law.steps import CALL_CARDS

if TYPE_CHECKING:
    from baccarat.law.edition import Edition


def definition_faults(definitions: Definitions) -> Faults:
    taken = {*FACTS}
    for name in definitions.names():
        if name in taken:
            yield f"definition: the fact {name!r} already exists; choose another term"
        taken.add(name)
    for term, meaning in definitions.hand.items():
        yield from fact_faults(f"definition.{term}", meaning, {"count": COUNTS, "cards": (2, 3)})
    known = round_facts(Definitions(hand=definitions.hand, round={}))
    for term, meaning in definitions.round.items():
        yield from fact_faults(f"definition.{term}", meaning, known)
        known[term] = (False, True)


def round_facts(definitions: Definitions) -> dict[str, Collection[Any]]:
    """The facts of a round without a wager, with the values they may have."""
    terms = [*(f"{side}_{term}" for term in definitions.hand for side in HANDS), *definitions.round]
    return {name: FACT_VALUES[name] for name in BASIC} | dict.fromkeys(terms, (False, True))


def fact_faults(place: str, conditions: Mapping[str, Any], known: Mapping[str, Collection[Any]]) -> Faults:
    if not conditions:
        yield f"{place}: says nothing of any fact"
    for fact, wanted in conditions.items():
        if fact not in known:
            yield f"{place}: unknown fact {fact!r}{hint(fact, known)}"
            continue
        for value in as_values(wanted):
            if not is_among(value, known[fact]):
                yield f"{place}: {fact} is never {value!r}"


def _tableau(edition: Edition) -> Faults:
    for index, row in enumerate(edition.tableau):
        yield from unknown_word(f"tableau[{index}].hand", row.hand, HANDS, "hand")
        yield from unknown_word(f"tableau[{index}].act", row.act, ("draw", "stay"), "act")
        if isinstance(row.third, str):
            yield from unknown_word(f"tableau[{index}].third", row.third, ("none",), "third card")
        for points in (*row.holds, *(row.third if isinstance(row.third, tuple) else ())):
            if points not in COUNTS:
                yield f"tableau[{index}]: no hand and no card counts {points}"


def _values(edition: Edition) -> Faults:
    for place, rows, most in (
        ("point_count.value", edition.point_count.value, 9), ("burn.value", edition.burn.value, 51),
    ):  # fmt: skip
        seen: dict[str, int] = {}
        for index, row in enumerate(rows):
            if row.value != "face" and not 0 <= row.value <= most:
                yield f"{place}[{index}].value: {row.value} is not from 0 to {most}"
            for letter in row.ranks:
                yield from unknown_word(f"{place}[{index}].ranks", letter, RANKS, "rank")
                if letter in seen:
                    yield f"{place}[{index}]: {letter} already has a value in {place}[{seen[letter]}]"
                if row.value == "face" and not letter.isdigit():
                    yield f"{place}[{index}]: {letter} has no number on its face"
                seen[letter] = index
        missing = [letter for letter in RANKS if letter not in seen]
        if missing:
            yield f"{place}: no value for {', '.join(missing)}"


def _deal(edition: Edition) -> Faults:
    hands = edition.deal.hands
    if len(hands) != 4 or any(hands.count(hand) != 2 for hand in HANDS):
        yield f"deal.hands: four cards, two for each hand, not {', '.join(hands) or 'none'}"
    law = edition.house_money
    if law is not None and (law.start, law.direction) not in WALKS:
        yield f"house_money.direction: a walk from {law.start} does not go {law.direction}"


def call_faults(edition: Edition) -> Faults:
    known = round_facts(edition.definitions)
    names = [call.name for call in edition.calls]
    for index, call in enumerate(edition.calls):
        if names.count(call.name) > 1:
            yield f"call[{index}].name: {call.name!r} occurs twice"
        if call.if_:
            yield from fact_faults(f"call[{index}].if", call.if_, known)
        if [call.say is not None, call.count is not None, call.final, call.total_cards].count(True) != 1:
            yield f"call[{index}]: a call is one of say, count, final and total_cards"
        if call.name in (NO_MORE_BETS, CARDS) and (call.say is None or call.if_ or call.when):
            yield f"call[{index}]: {call.name} is always said, in words of its own"
    if NO_MORE_BETS not in names:
        yield f"call: none is named {NO_MORE_BETS!r}, with which the wagering ends"
    if any(row.name == CALL_CARDS for row in edition.steps) and CARDS not in names:
        yield f"call: none is named {CARDS!r}, which is said in the step {CALL_CARDS}"
    yield from _always_called(edition)


def _always_called(edition: Edition) -> Faults:
    """Both counts and the result are called in every round, whatever is elected."""
    for what, rows in (
        *((f"the {hand}'s count", [call for call in edition.calls if call.count == hand]) for hand in HANDS),
        ("the result (final = true)", [call for call in edition.calls if call.final]),
    ):
        whens = [call.when for call in rows if not call.if_]
        for elections in possible_elections(edition, whens):
            calls = [when for when in whens if conditions_met(when, elections)]
            if len(calls) != 1:
                under = elections_phrase(elections)
                yield f"call: {what} is called {len(calls)} times{under}; expected once in every round"
                break


CHECKS = (_tableau, _values, _deal)
