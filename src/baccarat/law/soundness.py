"""Soundness: what a table must be beyond its form, so that a slip of the pen stops the loading and not the play.

Each check yields what is wrong, with the place first. They stand in an order: what an earlier one has
found sound, a later one takes for granted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from string import Formatter
from typing import TYPE_CHECKING, Any

from baccarat.cards import Rank, Suit
from baccarat.law.error import RulesError, nearest
from baccarat.law.fact import BASIC, COUNTS, OF_A_HAND, OF_THE_FIRST_FOUR, Definitions
from baccarat.law.row import Result, Rule, as_values
from baccarat.law.section import Option, Remedy, Royal9Law, Rung
from baccarat.law.submission import FIELDS, odds, read_value
from baccarat.money import Ratio

if TYPE_CHECKING:
    from baccarat.law.edition import Edition, Wager

Wrong = Iterator[str]

HANDS = ("player", "banker")
WAGER_NAMES = (
    "player", "banker", "tie", "dragon_player", "dragon_banker", "dragon7", "panda8", "house_money",
    "total4", "total5", "total6", "royal9",
)  # fmt: skip
"""The wagers that play knows how to settle."""
EVENT_NAMES = (
    "own_on_both", "two_of_own", "own_king_on_banker_only", "own_king_on_player_only", "other_on_both",
    "posted_on_both", "suited_royal_on_both", "royal_on_both", "suited_royal_on_either", "royal_on_either", "otherwise",
)  # fmt: skip
"""The events of the Royal 9 ladder that play knows how to see."""
RANKS = tuple(rank.value for rank in Rank)
COURTS = (Rank.KING.value, Rank.QUEEN.value, Rank.JACK.value)
SUITS = tuple(suit.value.upper() for suit in Suit)
WALKS = (("dealer_right", "counterclockwise"), ("dealer_left", "clockwise"))
"""From which hand of the dealer one walks in which direction."""
FACT_VALUES: dict[str, Collection[Any]] = {
    "player_count": COUNTS, "banker_count": COUNTS,
    "player_cards": (2, 3), "banker_cards": (2, 3), "cards": (4, 5, 6), "winner": (*HANDS, "tie"),
}  # fmt: skip
STATED = {
    "text": "layout_approval", "one kind": "backs", "limits": "limits", "part": "house_money_portion",
    "odds": "tie_odds", "dragon odds": "dragon_odds", "royal9": "royal9", "must_hit": "must_hit",
}  # fmt: skip
"""For each form of a statement, an option whose value has its type; every other form is a number."""
WORDS = ("text", "odds")


def check(edition: Edition) -> None:
    """Raise the first thing that is wrong with an edition."""
    wrong = next(chain.from_iterable(find(edition) for find in CHECKS), None)
    if wrong is not None:
        raise RulesError(f"{edition.name}: {wrong}")


def check_definitions(definitions: Definitions) -> None:
    """Raise the first definition that speaks of what is not known before it, or takes a name that is taken."""
    wrong = next(_definitions(definitions), None)
    if wrong is not None:
        raise RulesError(wrong)


# ------------------------------------------------------------------------------------------ small words


def _known(place: str, word: Any, words: Collection[str], what: str) -> Wrong:
    if not isinstance(word, str) or word not in words:
        yield f"{place}: {word!r} is no {what}{_hint(str(word), words)}"


def _hint(word: str, words: Collection[str]) -> str:
    near = nearest(word, words)
    return f"; did you mean {near!r}?" if near else ""


def _among(value: Any, values: Collection[Any]) -> bool:
    """Whether a value is one of the values, a truth value never being a number."""
    return any(value == each and type(value) is type(each) for each in values)


def choices(option: Option) -> Sequence[Any] | None:
    """Every value that may be elected, in order; None where there is no end of them."""
    if option.may:
        return (False, True)
    if option.shall is not None:
        return (option.shall,)
    if option.states is None and option.at_least is not None and option.at_most is not None:
        return range(option.at_least, option.at_most + 1)
    return option.elect or None


def _can_be(key: str, option: Option, value: Any) -> bool:
    """Whether a condition may ask for this value: *none* for silence, true for what is more than a word or number."""
    closed = choices(option)
    if value == "none":
        return True
    if closed is not None:
        return _among(value, closed)
    structured = option.states in STATED and option.states not in WORDS
    return value is True if structured else _reads(key, value) is None


def _reads(key: str, value: Any) -> str | None:
    try:
        read_value(key, value)
    except ValueError as error:
        return str(error)
    return None


def _cited(table: Mapping[str, Any]) -> bool:
    cite = table.get("cite")
    return isinstance(cite, list) and bool(cite) and all(isinstance(key, str) for key in cite)


@cache
def reading_names() -> frozenset[str]:
    """The numbers of all readings, from their headings alone: loading an edition stays fast."""
    text = files("baccarat.law").joinpath("readings.toml").read_text(encoding="utf-8")
    return frozenset(re.findall(r"^\[([^\[\].]+)\]$", text, re.MULTILINE))


# --------------------------------------------------------------------------------- definitions, tableau


def _definitions(definitions: Definitions) -> Wrong:
    taken = {*BASIC, *OF_A_HAND, *OF_THE_FIRST_FOUR}
    for name in definitions.names():
        if name in taken:
            yield f"definition: the fact {name!r} is there already; choose another term"
        taken.add(name)
    for term, meaning in definitions.hand.items():
        yield from _facts(f"definition.{term}", meaning, {"count": COUNTS, "cards": (2, 3)})
    known = _round_facts(Definitions(hand=definitions.hand, round={}))
    for term, meaning in definitions.round.items():
        yield from _facts(f"definition.{term}", meaning, known)
        known[term] = (False, True)


def _round_facts(definitions: Definitions) -> dict[str, Collection[Any]]:
    """The facts of a round without a wager, with the values they may have."""
    terms = [*(f"{side}_{term}" for term in definitions.hand for side in HANDS), *definitions.round]
    return {name: FACT_VALUES[name] for name in BASIC} | dict.fromkeys(terms, (False, True))


def _facts(place: str, conditions: Mapping[str, Any], known: Mapping[str, Collection[Any]]) -> Wrong:
    if not conditions:
        yield f"{place}: says nothing of any fact"
    for fact, wanted in conditions.items():
        if fact not in known:
            yield f"{place}: unknown fact {fact!r}{_hint(fact, known)}"
            continue
        for value in as_values(wanted):
            if not _among(value, known[fact]):
                yield f"{place}: {fact} is never {value!r}"


def _tableau(edition: Edition) -> Wrong:
    for index, row in enumerate(edition.tableau):
        yield from _known(f"tableau[{index}].hand", row.hand, HANDS, "hand")
        yield from _known(f"tableau[{index}].act", row.act, ("draw", "stay"), "act")
        if isinstance(row.third, str):
            yield from _known(f"tableau[{index}].third", row.third, ("none",), "third card")
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
                yield from _known(f"{place}[{index}].ranks", letter, RANKS, "rank")
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


def _calls(edition: Edition) -> Wrong:
    known = _round_facts(edition.definitions)
    for index, call in enumerate(edition.calls):
        if call.if_:
            yield from _facts(f"call[{index}].if", call.if_, known)
        if [call.say is not None, call.count is not None, call.final, call.total_cards].count(True) != 1:
            yield f"call[{index}]: a call is one of say, count, final and total_cards"


def _terms_used(edition: Edition) -> Wrong:
    """A defined term that nothing speaks of was left behind with something that is gone."""
    rules = [rule for wager in edition.wagers.values() for rule in wager.rules]
    spoken = {fact for rule in rules for fact in (*rule.facts, *_fields(rule))}
    spoken |= {fact for call in edition.calls for fact in call.if_}
    spoken |= {fact for meaning in edition.definitions.round.values() for fact in meaning}
    for term in edition.definitions.round:
        if term not in spoken:
            yield f"definition.{term}: no rule, call or other definition speaks of it"
    for term in edition.definitions.hand:
        if term != "natural" and not any(fact.endswith(f"_{term}") for fact in spoken):
            yield f"definition.{term}: no rule, call or other definition speaks of it"


# ------------------------------------------------------------------------------------------------ options


def _options(edition: Edition) -> Wrong:
    for key, option in edition.options.items():
        place = f"option.{key}"
        if key not in FIELDS:
            yield f"{place}: no Submission has such an option{_hint(key, FIELDS)}"
            continue
        if option.reading is not None:
            yield from _known(f"{place}.reading", option.reading, reading_names(), "reading")
        if option.states is not None and FIELDS[STATED.get(option.states, "decks")] != FIELDS[key]:
            yield f"{place}.states: this option is not stated as {option.states}"
        limits = [each for each in (option.at_least, option.at_most) if each is not None]
        if option.states is None and not (choices(option) or limits):
            yield f"{place}: says neither shall, may, elect, at_least, at_most nor states"
        if [option.shall is not None, option.may, bool(option.elect)].count(True) > 1:
            yield f"{place}: says more than one of shall, may and elect"
        for value in (option.shall, option.may or None, option.at_least, option.at_most, *option.elect):
            if value is not None and (say := _reads(key, value)) is not None:
                yield f"{place}: {value!r} cannot be its value: {say}"
        yield from _default(place, key, option)
    if "seats" not in edition.options:
        yield "option: no option 'seats', which says how many seats there are"


def _default(place: str, key: str, option: Option) -> Wrong:
    if option.default is None:
        return
    if (say := _reads(key, option.default)) is not None:
        yield f"{place}.default: {say}"
    elif option.elect and not _among(option.default, option.elect):
        yield f"{place}.default: {option.default!r} is not among the choices"
    elif isinstance(option.default, int) and not option.elect and option.default < (option.at_least or 0):
        yield f"{place}.default: {option.default} is below the floor"


def _conditions(edition: Edition) -> Wrong:
    """Whatever depends on an election depends on one that the edition has, and on a value that it may have."""
    for place, conditions in _conditions_of(edition):
        for key, wanted in conditions.items():
            if key not in edition.options:
                yield f"{place} speaks of {key!r}, which is no option of this edition{_hint(key, edition.options)}"
                continue
            if not as_values(wanted):
                yield f"{place}: {key} is allowed no value"
            for value in as_values(wanted):
                if not _can_be(key, edition.options[key], value):
                    yield f"{place}: {key} is never {value!r}"


def _conditions_of(edition: Edition) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for key, option in edition.options.items():
        yield f"option.{key}.applies", option.applies
        yield f"option.{key}.warn_below", {option.warn_below: "none"} if isinstance(option.warn_below, str) else {}
    for index, each in enumerate(edition.constraints):
        yield f"constraint[{index}].when", each.when
        yield f"constraint[{index}].need", each.need
        yield f"constraint[{index}]", dict.fromkeys((*each.need_any, *each.differ), "none")
    for index, call in enumerate(edition.calls):
        yield f"call[{index}].when", call.when
    for index, step in enumerate(edition.steps):
        yield f"step[{index}].when", step.when
    for wager in edition.wagers.values():
        for rule in wager.rules:
            yield rule.path, rule.when
        base = wager.law.base
        yield f"wager.{wager.name}.offered", {wager.law.offered: True} if wager.law.offered else {}
        yield f"wager.{wager.name}.base.option", {base.option: True} if base and base.option else {}
    if edition.vigorish.exempt:
        yield "vigorish.exempt.when", edition.vigorish.exempt.when
    if edition.reveal.other_side:
        yield "reveal.other_side", {edition.reveal.other_side: True}
    for word, law in (("verbal", edition.verbal), ("match_play", edition.match_play), ("free_hand", edition.free_hand)):
        yield f"{word}.offered", {law.offered: True} if law else {}


def _elected(edition: Edition, place: str, key: str, values: Collection[str], *, all_of_them: bool = True) -> Wrong:
    """An election by which something is chosen: it is there, and its choices are these, as they are written."""
    option = edition.options.get(key)
    if option is None:
        yield f"{place} speaks of {key!r}, which is no option of this edition{_hint(key, edition.options)}"
        return
    elected = {str(value) for value in choices(option) or ()}
    if not elected:
        yield f"{place}: {key} is no choice among a few"
    wrong = sorted(elected ^ set(values) if all_of_them else elected - set(values))
    if wrong:
        yield f"{place}: {key} may be {', '.join(sorted(elected))}, here is {', '.join(sorted(values)) or 'nothing'}"


def _choosers(edition: Edition) -> Wrong:
    style, exposed = edition.reveal.style, edition.burn.exposed
    faces = ("face_up", "face_down")
    if isinstance(style, Mapping):
        yield from _elected(edition, "reveal.style", style.get("option", ""), faces, all_of_them=False)
    if isinstance(exposed, Mapping):
        yield from _elected(edition, "burn.exposed", exposed.get("option", ""), faces, all_of_them=False)
    if edition.error_card is not None:
        yield from _remedy(edition, "error_card.third_seen", edition.error_card.third_seen)
        yield from _remedy(edition, "error_card.seen", edition.error_card.seen)
    if edition.face_up is not None:
        yield from _remedy(edition, "face_up", edition.face_up)


def _remedy(edition: Edition, place: str, law: Remedy) -> Wrong:
    if (law.fixed is None) == (law.option is None):
        yield f"{place}: either a fixed remedy, or the option by which one is filed"
    if law.option is not None:
        yield from _elected(edition, f"{place}.option", law.option, law.choices)
    if law.ten_option is not None:
        tens = ("0", "1", "10")
        yield from _elected(edition, f"{place}.ten_option", law.ten_option, tens, all_of_them=False)


def _record(edition: Edition) -> Wrong:
    for key, value in edition.record.options.items():
        place = f"record.options.{key}"
        yield from _known(place, key, edition.options, "option of this edition")
        if (say := _reads(key, value)) is not None:
            yield f"{place}: {say}"
        closed = choices(edition.options[key])
        if closed is not None and not _among(value, closed):
            yield f"{place}: {value!r} is not among the choices"
    needed = [edition.settlement.option, *(entry.get("option") for _, entry in _leaves(edition.pays, ""))]
    for key in filter(None, [*needed, "vig_rate" if "vig_rate" in edition.options else None]):
        if edition.options[key].unstated is None and key not in edition.record.options:
            yield f"record.options: does not say {key}, by which every round is settled"
    for seats in (edition.record.seats, edition.record.seats_with_royal9):
        if seats is not None and seats < 1:
            yield f"record.seats: {seats} is no number of seats"


def _clauses(edition: Edition) -> Wrong:
    for whom, keys in edition.pending.items():
        for key in keys:
            yield from _known(f"pending.{whom}", key, edition.clauses, "clause")
    for key in edition.physical:
        yield from _known("physical", key, edition.clauses, "clause")


# --------------------------------------------------------------------------------------- wagers and pays


def _wagers(edition: Edition) -> Wrong:
    seen: dict[str, str] = {}
    for name, entry in edition.table["wager"].items():
        place = f"wager.{name}.on" if entry.get("on") else f"wager.{name}"
        for kind, hand in (entry.get("on") or {name: entry.get("hand")}).items():
            yield from _known(place, kind, WAGER_NAMES, "wager that can be settled")
            if hand is not None:
                yield from _known(place if entry.get("on") else f"{place}.hand", hand, HANDS, "hand")
            if kind in seen:
                yield f"{place}: {kind!r} stands in {seen[kind]} already"
            seen[kind] = place
    for place, kinds in _wagers_named(edition):
        for kind in kinds:
            yield from _known(place, kind, edition.wagers, "wager of this edition")
    for wager in edition.wagers.values():
        yield from _wager(edition, wager, f"wager.{wager.name}")


def _wagers_named(edition: Edition) -> Iterator[tuple[str, Sequence[str]]]:
    for wager in edition.wagers.values():
        yield f"wager.{wager.name}.base.wagers", wager.law.base.wagers if wager.law.base else ()
    yield "house_money.press", edition.house_money.press if edition.house_money else ()
    yield "vigorish.exempt.wagers", edition.vigorish.exempt.wagers if edition.vigorish.exempt else ()
    yield "match_play.wagers", edition.match_play.wagers if edition.match_play else ()
    yield "must_hit.participants", (edition.must_hit.participants,) if edition.must_hit else ()


def _wager(edition: Edition, wager: Wager, place: str) -> Wrong:
    law = wager.law
    if not wager.rules and wager.name != "royal9":
        yield f"{place}.rules: no rule says when it wins"
    if law.base is not None and not (law.base.cite or law.base.option):
        yield f"{place}.base: needs the clause or the option that demands it"
    if law.early and edition.house_money is None:
        yield f"{place}.early: needs the section [house_money], which says how it is settled"
    known = set(OF_THE_FIRST_FOUR) if law.early else {*_round_facts(edition.definitions)}
    if wager.hand is not None and not law.early:
        known |= {*OF_A_HAND, *(f"{whose}_{term}" for term in edition.definitions.hand for whose in ("hand", "other"))}
    for rule in wager.rules:
        yield from _rule(edition, rule, known)
        if law.early and rule.result is Result.PUSH:
            yield f"{rule.path}: an early wager wins or loses"


def _rule(edition: Edition, rule: Rule, known: Collection[str]) -> Wrong:
    wins = rule.result is Result.WIN
    words: dict[str, tuple[Any, type]] = {"pays": (rule.pays, str), "row": (rule.row, str)}
    for word, (value, kind) in (words | {"vigorish": (rule.vigorish, bool)}).items():
        if value is not None and not isinstance(value, kind):
            yield f"{rule.path}.{word}: {value!r} is not what is written here"
    if wins and rule.pays is None:
        yield f"{rule.path}: a rule that wins says what it pays"
    if not wins and rule.pays is not None:
        yield f"{rule.path}: a rule that does not win has no pays"
    if rule.vigorish and not (wins and "vig_rate" in edition.options):
        yield f"{rule.path}.vigorish: only a win owes it, and only where there is an option vig_rate"
    for fact in (*rule.facts, *_fields(rule)):
        if fact not in known:
            yield f"{rule.path}: {fact!r} is no fact of this wager{_hint(fact, known)}"
    for key in rule.when:
        if key in edition.options and choices(edition.options[key]) is None:
            yield f"{rule.path}.when: {key} is no choice among a few"


def _fields(rule: Rule) -> list[str]:
    """The facts that the name of a row speaks of; the whole name where its braces do not match."""
    try:
        return [field for _, field, _, _ in Formatter().parse(rule.row or "") if field is not None]
    except ValueError:
        return [rule.row or ""]


def _pays(edition: Edition) -> Wrong:
    listed = dict(_leaves(edition.table.get("pays"), ""))
    for name, entry in listed.items():
        yield from _pay(edition, f"pays.{name}" if name else "pays", entry)
    rules = [rule for wager in edition.wagers.values() for rule in wager.rules if rule.pays is not None]
    for rule in rules:
        yield from _known(f"{rule.path}.pays", rule.pays or "", listed, "pay that is listed")
    for name in set(listed) - {rule.pays for rule in rules}:
        yield f"pays.{name}: no rule pays it"
    if "dragon_odds" in edition.options:
        for name, entry in listed.items():
            if name.startswith("dragon.") and not all(isinstance(cell, Mapping) for cell in entry.values()):
                yield f"pays.{name}: where dragon_odds may be better, each cell has its odds and cite"


def _leaves(node: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The entries of the pay tables by name; a table of tables that are no cells is a group of them."""
    tables = [value for value in node.values() if isinstance(value, Mapping)] if isinstance(node, Mapping) else []
    if tables and "cite" not in node and not any("odds" in table for table in tables):
        for key, value in node.items():
            yield from _leaves(value, f"{name}.{key}" if name else key)
    else:
        yield name, node


def _pay(edition: Edition, place: str, entry: Any) -> Wrong:
    if not isinstance(entry, Mapping):
        yield f"{place}: is not a table with odds and cite"
        return
    words = [word for word in entry if word != "cite"]
    if not words:
        yield f"{place}: says no odds"
        return
    tables = edition.options.get("dragon_paytable")
    forms = {"shall": ("shall",), "option": ("option", "at_least"), "at_least": ("option", "at_least")}
    form = next((forms[word] for word in words if word in forms), tuple(choices(tables) or ()) if tables else ())
    for word in words:
        yield from _known(place, word, form or tuple(forms), "word of a pay")
    missing = [word for word in form if word not in words and word != "at_least"]
    if missing:
        yield f"{place}: no {', '.join(missing)}"
    cells = [(f"{place}.{word}", entry[word]) for word in words if word != "option"]
    if not _cited(entry) and not all(isinstance(cell, Mapping) for _, cell in cells):
        yield f"{place}: does not cite its clause"
    for where, cell in cells:
        if isinstance(cell, Mapping) and (set(cell) != {"odds", "cite"} or not _cited(cell)):
            yield f"{where}: a cell has its odds, and cites its clause"
        yield from _written_odds(where, cell["odds"] if isinstance(cell, Mapping) else cell)
    if "option" in entry:
        yield from _floor(edition, place, entry)


def _written_odds(place: str, value: Any) -> Wrong:
    if not isinstance(value, str):
        yield f"{place}: not odds: {value!r}; expected such as '8 to 1'"
        return
    try:
        Ratio.parse(value)
    except ValueError as error:
        yield f"{place}: {error}"


def _floor(edition: Edition, place: str, entry: Mapping[str, Any]) -> Wrong:
    """Odds that are elected: the floor that the pay names is the one that the option names."""
    option = edition.options.get(str(entry["option"]))
    if option is None or option.states != "odds":
        yield f"{place}.option: {entry['option']!r} is no option of this edition that states odds"
        return
    floor = odds(option.at_least or 0)
    if "at_least" in entry and Ratio.parse(entry["at_least"]) != floor:
        yield f"{place}.at_least: {entry['at_least']}, but option.{entry['option']} has the floor {floor}"


# ----------------------------------------------------------------------------------- settlement, vigorish


def _settlement(edition: Edition) -> Wrong:
    law = edition.settlement
    if law.option is None:
        yield from _sweeps("settlement.sweeps", law.sweeps)
        if law.procedure:
            yield "settlement.procedure: no option says which one is followed"
        return
    if law.sweeps:
        yield "settlement.sweeps: an option says which procedure is followed"
    yield from _elected(edition, "settlement.option", law.option, law.procedure)
    for name, procedure in law.procedure.items():
        yield from _sweeps(f"settlement.procedure.{name}.sweeps", procedure.sweeps)
    option = edition.options[law.option]
    if option.applies or option.optional:
        yield f"settlement.option: {law.option} is not always elected"


def _sweeps(place: str, sweeps: Sequence[Sequence[str]]) -> Wrong:
    acts = sorted(chain.from_iterable(sweeps))
    if acts != ["pay", "vigorish"]:
        yield f"{place}: pay and vigorish once each, not {', '.join(acts) or 'nothing'}"


def _vigorish(edition: Edition) -> Wrong:
    option, coins = edition.options.get("vig_rate"), edition.vigorish.coins
    for rate, coin in coins.items():
        if coin < 1:
            yield f"vigorish.coins.{rate}: {coin} is no coin"
    if option is None:
        return
    rates = choices(option)
    if rates is None:
        yield "option.vig_rate: is no choice among a few, so that each has its coin"
    missing = [str(rate) for rate in rates or () if str(rate) not in coins]
    if missing:
        yield f"vigorish.coins: no coin for the rate {', '.join(missing)}"


# ------------------------------------------------------------------------------------ Royal 9, Must Hit


def _progressives(edition: Edition) -> Wrong:
    for name, law in (("royal9", edition.royal9), ("must_hit", edition.must_hit)):
        if (name in edition.options) != (law is not None):
            yield f"{name}: the option and the section go together; one of them is missing"
    wager = edition.wagers.get("royal9")
    if (wager is not None) != (edition.royal9 is not None):
        yield "royal9: the wager and the section go together; one of them is missing"
    if wager is None or edition.royal9 is None:
        return
    if wager.law.stake is None or wager.law.offered != "royal9" or wager.rules:
        yield "wager.royal9: has a fixed stake, is offered by the option royal9, and has its rules in royal9.ladder"
    yield from _chairs(edition.royal9)
    yield from _meters(edition.royal9)
    last = len(edition.royal9.ladder) - 1
    if last < 0:
        yield "royal9.ladder: has no rung"
    for index, rung in enumerate(edition.royal9.ladder):
        yield from _rung(edition, edition.royal9, rung, f"royal9.ladder[{index}]", is_last=index == last)


def _chairs(law: Royal9Law) -> Wrong:
    if not law.courts or len(set(law.courts)) < len(law.courts) or not set(law.courts) <= set(COURTS):
        yield f"royal9.courts: {law.courts!r} is not some of {' '.join(COURTS)}, each once"
    if law.chairs == "submission":
        return
    if set(law.chairs) != {str(seat) for seat in range(1, len(law.chairs) + 1)} or not law.chairs:
        yield f"royal9.chairs: numbered from 1, without a gap, not {', '.join(law.chairs) or 'none'}"
    seen: dict[str, str] = {}
    for seat, chair in law.chairs.items():
        if len(chair.suits) != 2 or not set(chair.suits) <= set(SUITS):
            yield f"royal9.chairs.{seat}.suits: {chair.suits!r} is not two of {' '.join(SUITS)}, such as SH"
        if chair.suits in seen:
            yield f"royal9.chairs.{seat}.suits: {chair.suits!r} stands at chair {seen[chair.suits]} too"
        seen[chair.suits] = seat


def _meters(law: Royal9Law) -> Wrong:
    names = [meter.name for meter in law.meter]
    tables = {*law.meter[0].seed} if law.meter else set()
    for index, meter in enumerate(law.meter):
        place = f"royal9.meter[{index}]"
        if names.count(meter.name) > 1:
            yield f"{place}.name: {meter.name!r} stands there twice"
        if law.chairs == "submission" and (meter.seed or meter.rate_bp):
            yield f"{place}: the licensee states seeds and rates with the combinations"
        if law.chairs != "submission" and not (tables and set(meter.seed) == set(meter.rate_bp) == tables):
            yield f"{place}: needs a seed and a rate for each pay table: {', '.join(sorted(tables)) or 'none'}"
        if any(value < 0 for value in (*meter.seed.values(), *meter.rate_bp.values())):
            yield f"{place}: a seed or a rate is below nothing"


def _rung(edition: Edition, law: Royal9Law, rung: Rung, place: str, *, is_last: bool) -> Wrong:
    if rung.meter is not None:
        yield from _known(f"{place}.meter", rung.meter, [meter.name for meter in law.meter], "meter")
        if not 1 <= rung.percent <= 100:
            yield f"{place}.percent: {rung.percent} percent of a meter; 1 to 100 can be won"
    if rung.prize < 0 or (rung.meter is not None and rung.prize) or (rung.meter is None and rung.percent):
        yield f"{place}: either a percentage of a meter, or a prize"
    if rung.meter is None and not rung.prize and not is_last:
        yield f"{place}: neither a meter nor a prize; only the last rung wins nothing"
    events = [rung.event] if isinstance(rung.event, str) else list(rung.event.values())
    for event in events:
        yield from _known(f"{place}.event", event, EVENT_NAMES, "event")
    if not isinstance(rung.event, str):
        yield from _elected(edition, f"{place}.event", "any_two", rung.event)
    if is_last != ("otherwise" in events) or (is_last and rung.event != "otherwise"):
        yield f"{place}.event: the last rung, and no other, is for whatever is left: 'otherwise'"


CHECKS: tuple[Callable[[Edition], Wrong], ...] = (
    _tableau, _values, _deal, _options, _conditions, _choosers, _clauses, _wagers, _calls, _pays, _terms_used,
    _settlement, _vigorish, _progressives, _record,
)  # fmt: skip
