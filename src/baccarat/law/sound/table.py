"""Soundness of what play and the table rely on: options that are always elected, clauses, sizes, roles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from baccarat.law.row import PayRule
from baccarat.law.section import Option, RemedyLaw
from baccarat.law.sound.elections import conditions_met, elections_phrase, possible_elections
from baccarat.law.sound.words import Faults, choices, unknown_word
from baccarat.law.submission import FIELDS, type_of

if TYPE_CHECKING:
    from baccarat.law.edition import Edition, WagerRules

ALWAYS_ELECTED = ("seats", "seat_one", "decks", "limits", "cover_card_depth")
"""Options without which no table can be opened."""
COUNTED_OPTIONS = ("seats", "decks", "cover_card_depth")
"""Options that are a count of at least one."""
CONFIRMING_ROLES = ("dealer", "casino supervisor")
"""Roles that can confirm a spoken wager at the table."""
DECK = 52
A_ROUND = 6
"""The most cards that one round takes."""


def _always(edition: Edition) -> Faults:
    """What every table needs is an option, and has a value whatever else is elected."""
    for key in ALWAYS_ELECTED:
        if key not in edition.options:
            yield f"option: no option {key!r}, without which no table can be opened"
            continue
        yield from _election_faults(edition, f"option.{key}", key)
    for key in COUNTED_OPTIONS:
        lowest = _lowest(edition.options[key])
        if lowest is None or lowest < 1:
            yield f"option.{key}.at_least: {lowest or 0} is too few; at least 1 is needed"
    depth = edition.options["cover_card_depth"]
    if depth.states != "depth" and not depth.elect and depth.shall is None:
        yield "option.cover_card_depth.states: 'depth' is missing, by which it is compared with the number of cards"
    for place, key in _choosing_options(edition):
        yield from _election_faults(edition, place, key)


def _choosing_options(edition: Edition) -> Iterator[tuple[str, str]]:
    """Options by which one of several procedures is chosen, with the places that do so."""
    for place, chooser in (("reveal.style", edition.reveal.style), ("burn.exposed", edition.burn.exposed)):
        if isinstance(chooser, Mapping):
            yield place, chooser["option"]
    for place, remedy in _remedies(edition):
        if remedy.option is not None:
            yield f"{place}.option", remedy.option
    for index, notice in enumerate(edition.notices):
        if isinstance(notice.minutes, Mapping):
            yield f"notice[{index}].minutes", notice.minutes["option"]


def _election_faults(edition: Edition, place: str, key: str) -> Faults:
    option = edition.options[key]
    if option.applies or (option.optional and option.default is None):
        yield f"{place}: {key} is not always elected, but always needed"


def _lowest(option: Option) -> int | None:
    closed = choices(option)
    if closed is not None:
        return min((value for value in closed if isinstance(value, int)), default=None)
    return option.at_least


def _sizes(edition: Edition) -> Faults:
    """The smallest shoe can be cut, burned and dealt from."""
    cards = (_lowest(edition.options["decks"]) or 0) * DECK
    cut = edition.cut.at_least
    if not 1 <= cut <= cards // 2:
        yield f"cut.at_least: {cut} cards on each side of a cut; in {cards} cards there are 1 to {cards // 2}"
    depth = edition.options["cover_card_depth"]
    deepest = max((value for value in choices(depth) or () if isinstance(value, int)), default=depth.at_least or 0)
    if deepest >= cards - DECK // 2:
        yield f"option.cover_card_depth: {deepest} cards behind the cover card in a shoe of {cards}"
    for index, row in enumerate(edition.burn.value):
        if row.value != "face" and row.value + 1 + A_ROUND > cards:
            yield f"burn.value[{index}].value: {row.value} more cards are burned from a shoe of {cards}"


def _remedies(edition: Edition) -> Iterator[tuple[str, RemedyLaw]]:
    yield "error_card.third_seen", edition.error_card.third_seen
    yield "error_card.seen", edition.error_card.seen
    yield "face_up", edition.face_up


def _tens(edition: Edition) -> Faults:
    """Where as many cards are discarded as a seen card is worth, an option says what a card worth nothing counts."""
    for place, remedy in _remedies(edition):
        used = {remedy.fixed, *(choice.remedy for choice in remedy.choices.values())}
        if "discard_value" in used and remedy.ten_option is None:
            yield f"{place}.ten_option: missing; discard_value needs it for a card that is worth nothing"


def _reveal(edition: Edition) -> Faults:
    reveal = edition.reveal
    style = reveal.style
    styles = [style] if isinstance(style, str) else choices(edition.options[style["option"]]) or ()
    if "face_up" in styles and not reveal.face_up_cite:
        yield "reveal.face_up_cite: missing; cards may be dealt face up"
    if reveal.other_side is not None and not reveal.other_side_cite:
        yield "reveal.other_side_cite: missing; the other side may turn a hand"


def _people(edition: Edition) -> Faults:
    if edition.verbal is not None:
        for index, role in enumerate(edition.verbal.confirmed_by):
            place = f"verbal.confirmed_by[{index}]"
            yield from unknown_word(place, role, CONFIRMING_ROLES, "role that confirms a wager")
    law = edition.manual_shuffle
    if law is not None and law.last not in law.elements:
        yield f"manual_shuffle.last: {law.last!r} is none of its elements: {', '.join(law.elements)}"
    for index, notice in enumerate(edition.notices):
        for key in notice.options if notice.when == "increase" else ():
            if not _is_number(edition, key):
                yield f"notice[{index}].options: {key} is no number that could increase"
        if isinstance(notice.minutes, Mapping) and not _is_number(edition, notice.minutes["option"]):
            yield f"notice[{index}].minutes: {notice.minutes['option']} is no number of minutes"


def _is_number(edition: Edition, key: str) -> bool:
    return type_of(key, edition.options[key]) in (int, FIELDS["decks"], FIELDS["notice_minutes"])


def _wagers(edition: Edition) -> Faults:
    """Main wagers, and the wagers that depend on them."""
    for wager in edition.wagers.values():
        law, place = wager.law, f"wager.{wager.name}"
        if law.main and (law.base or law.stake or law.early or law.offered):
            yield f"{place}.main: a main wager has no base, stake, early or offered of its own"
        for index, name in enumerate(law.base.wagers if law.base else ()):
            if edition.wagers[name].law.base is not None:
                yield f"{place}.base.wagers[{index}]: {name} itself needs another wager"
    leaning = {
        "house_money.press": edition.house_money.press if edition.house_money else (),
        "match_play.wagers": edition.match_play.wagers if edition.match_play else (),
        "vigorish.exempt.wagers": edition.vigorish.exempt.wagers if edition.vigorish.exempt else (),
    }
    for place, names in leaning.items():
        for index, name in enumerate(names):
            law = edition.wagers[name].law
            if law.early or law.stake is not None:
                yield f"{place}[{index}]: {name} is settled by rules of its own"
    if edition.must_hit is not None and edition.must_hit.participants != "royal9":
        yield f"must_hit.participants: {edition.must_hit.participants!r} does not feed it; only royal9 does"


def _payment_faults(edition: Edition) -> Faults:
    """If an election says what a rule pays or owes, it is made wherever the rule is in force."""
    for wager in edition.wagers.values():
        for rule in wager.rules:
            for key in _paying_options(edition, rule):
                yield from _has_value(edition, key, _in_force(wager, rule), f"{rule.path}: {key}, by which it is paid,")
    if "vig_rounding" in edition.options and "vig_rate" in edition.options:
        under = {"vig_rounding": True}
        yield from _has_value(edition, "vig_rate", under, "option.vig_rounding: vig_rate, which it rounds,")
    if edition.royal9 is not None:
        for index, rung in enumerate(edition.royal9.ladder):
            if isinstance(rung.event, Mapping):
                place = f"royal9.ladder[{index}].event: any_two"
                yield from _has_value(edition, "any_two", {"royal9": True}, place)


def _paying_options(edition: Edition, rule: PayRule) -> Iterator[str]:
    """The options that say how much a rule pays."""
    if rule.vigorish:
        yield "vig_rate"
    if rule.pays is not None:
        entry: Any = edition.pays
        for word in rule.pays.split("."):
            entry = entry[word]
        if "option" in entry:
            yield entry["option"]
        elif "shall" not in entry:
            yield entry.get("by", "dragon_paytable")


def _in_force(wager: WagerRules, rule: PayRule) -> dict[str, Any]:
    offered = {wager.law.offered: True} if wager.law.offered else {}
    return {**offered, **{key: list(wanted) for key, wanted in rule.when.items()}}


def _has_value(edition: Edition, key: str, under: Mapping[str, Any], place: str) -> Faults:
    option = edition.options[key]
    if not option.applies and not option.optional:
        return
    for elections in possible_elections(edition, [under, {key: "none"}]):
        silent = elections[key] == "none" and "none" not in (choices(option) or ())
        no_default = option.default is None or not conditions_met(option.applies, elections)
        if conditions_met(under, elections) and silent and no_default:
            others = {name: value for name, value in elections.items() if name != key}
            yield f"{place} is not elected{elections_phrase(others)}"
            return


CHECKS = (_always, _sizes, _tens, _reveal, _people, _wagers)
LAST_CHECKS = (_payment_faults,)
