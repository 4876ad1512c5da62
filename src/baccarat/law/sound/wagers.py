"""Soundness of wagers: what they are, what each of their rules says."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from string import Formatter
from typing import TYPE_CHECKING, Any

from baccarat.law.error import hint
from baccarat.law.fact import OF_A_HAND, OF_THE_FIRST_FOUR
from baccarat.law.row import PayRule, WagerResult
from baccarat.law.sound.rounds import round_facts
from baccarat.law.sound.words import HANDS, Faults, choices, unknown_word
from baccarat.law.wager_name import NAME_FORM, is_name

if TYPE_CHECKING:
    from baccarat.law.edition import Edition, WagerRules

EARLY_WAGER = "house_money"
"""The wager that is settled before third cards; the acts of its step bear the same name."""


def _wagers(edition: Edition) -> Faults:
    seen: dict[str, str] = {}
    for name, entry in edition.table["wager"].items():
        place = f"wager.{name}.on" if entry.get("on") else f"wager.{name}"
        for kind, hand in (entry.get("on") or {name: entry.get("hand")}).items():
            if not is_name(kind):
                yield f"{place}: a wager cannot be called {kind!r}; expected {NAME_FORM}"
            if hand is not None:
                yield from unknown_word(place if entry.get("on") else f"{place}.hand", hand, HANDS, "hand")
            if kind in seen:
                yield f"{place}: {kind!r} is already in {seen[kind]}"
            seen[kind] = place
    for place, kinds in _wagers_named(edition):
        for kind in kinds:
            yield from unknown_word(place, kind, edition.wagers, "wager of this edition")
    for wager in edition.wagers.values():
        yield from _wager(edition, wager, f"wager.{wager.name}")
    for hand in HANDS:
        main = [wager.name for wager in edition.wagers.values() if wager.law.main and wager.hand == hand]
        if len(main) != 1:
            yield f"wager: the {hand}'s hand has one main wager, not {', '.join(main) or 'none'}"


def _wagers_named(edition: Edition) -> Iterator[tuple[str, Sequence[str]]]:
    for wager in edition.wagers.values():
        yield f"wager.{wager.name}.base.wagers", wager.law.base.wagers if wager.law.base else ()
    yield "house_money.press", edition.house_money.press if edition.house_money else ()
    yield "vigorish.exempt.wagers", edition.vigorish.exempt.wagers if edition.vigorish.exempt else ()
    yield "match_play.wagers", edition.match_play.wagers if edition.match_play else ()
    yield "must_hit.participants", (edition.must_hit.participants,) if edition.must_hit else ()


def _wager(edition: Edition, wager: WagerRules, place: str) -> Faults:
    law = wager.law
    if not wager.rules and wager.name != "royal9":
        yield f"{place}.rules: no rule says when it wins"
    if law.base is not None and not (law.base.cite or law.base.option):
        yield f"{place}.base: needs the clause or the option that demands it"
    if law.early and wager.name != EARLY_WAGER:
        yield f"{place}.early: only the wager {EARLY_WAGER} is settled before third cards; its title is free"
    if law.early and edition.house_money is None:
        yield f"{place}.early: needs the section [house_money], which says how it is settled"
    if law.early and law.opening:
        yield f"{place}.opening: an early wager is decided by the opening anyway"
    by_opening = law.early or law.opening
    known = set(OF_THE_FIRST_FOUR) if by_opening else {*round_facts(edition.definitions)}
    if wager.hand is not None and not by_opening:
        known |= {*OF_A_HAND, *(f"{whose}_{term}" for term in edition.definitions.hand for whose in ("hand", "other"))}
    for rule in wager.rules:
        yield from _rule(edition, rule, known)
        if law.early and rule.result is WagerResult.PUSH:
            yield f"{rule.path}: an early wager wins or loses"
        if law.early and {*rule.facts} - {"pairs"}:
            yield f"{rule.path}: an early wager is decided by the fact pairs alone"
        if law.early and rule.vigorish:
            yield f"{rule.path}.vigorish: an early wager owes none"


def _rule(edition: Edition, rule: PayRule, known: Collection[str]) -> Faults:
    wins = rule.result is WagerResult.WIN
    words: dict[str, tuple[Any, type]] = {"pays": (rule.pays, str), "row": (rule.row, str)}
    for word, (value, kind) in (words | {"vigorish": (rule.vigorish, bool)}).items():
        if value is not None and not isinstance(value, kind):
            yield f"{rule.path}.{word}: {value!r} is not allowed here"
    if wins and rule.pays is None:
        yield f"{rule.path}: a rule that wins says what it pays"
    if not wins and rule.pays is not None:
        yield f"{rule.path}: a rule that does not win has no pays"
    if rule.vigorish and not (wins and "vig_rate" in edition.options):
        yield f"{rule.path}.vigorish: only a win owes it, and only where there is an option vig_rate"
    for fact in (*rule.facts, *_fields(rule)):
        if fact not in known:
            yield f"{rule.path}: {fact!r} is no fact of this wager{hint(fact, known)}"
    for key in rule.when:
        if key in edition.options and choices(edition.options[key]) is None:
            yield f"{rule.path}.when: {key} has no list of choices"


def _fields(rule: PayRule) -> list[str]:
    """The facts that the name of a row refers to; the whole name where its braces do not match."""
    try:
        return [field for _, field, _, _ in Formatter().parse(rule.row or "") if field is not None]
    except ValueError:
        return [rule.row or ""]


def term_faults(edition: Edition) -> Faults:
    """A defined term to which nothing refers was left behind when something else was removed."""
    rules = [rule for wager in edition.wagers.values() for rule in wager.rules]
    spoken = {fact for rule in rules for fact in (*rule.facts, *_fields(rule))}
    spoken |= {fact for call in edition.calls for fact in call.if_}
    spoken |= {fact for meaning in edition.definitions.round.values() for fact in meaning}
    for term in edition.definitions.round:
        if term not in spoken:
            yield f"definition.{term}: no rule, call or other definition refers to it"
    for term in edition.definitions.hand:
        if term != "natural" and not any(fact.endswith(f"_{term}") for fact in spoken):
            yield f"definition.{term}: no rule, call or other definition refers to it"


CHECKS = (_wagers,)
