"""Soundness of money: odds, settlement, vigorish, progressives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from baccarat.law.section import Royal9Law, Rung
from baccarat.law.sound.options import election_faults
from baccarat.law.sound.words import COURTS, EVENT_NAMES, SUITS, Faults, choices, is_cited, leaves, unknown_word
from baccarat.law.submission import odds
from baccarat.money import Ratio

if TYPE_CHECKING:
    from baccarat.law.edition import Edition


def _pays(edition: Edition) -> Faults:
    listed = dict(leaves(edition.table.get("pays"), ""))
    for name, entry in listed.items():
        yield from _pay(edition, f"pays.{name}" if name else "pays", entry)
    rules = [rule for wager in edition.wagers.values() for rule in wager.rules if rule.pays is not None]
    for rule in rules:
        yield from unknown_word(f"{rule.path}.pays", rule.pays or "", listed, "pay that is listed")
    for name in set(listed) - {rule.pays for rule in rules}:
        yield f"pays.{name}: no rule pays it"
    if "dragon_odds" in edition.options:
        for name, entry in listed.items():
            if name.startswith("dragon.") and not all(isinstance(cell, Mapping) for cell in entry.values()):
                yield f"pays.{name}: where dragon_odds may be better, each cell has its odds and cite"


def _pay(edition: Edition, place: str, entry: Any) -> Faults:
    if not isinstance(entry, Mapping):
        yield f"{place}: is not a table with odds and cite"
        return
    words = [word for word in entry if word not in ("cite", "by")]
    if not words:
        yield f"{place}: says no odds"
        return
    by = entry.get("by", "dragon_paytable")
    tables = edition.options.get(str(by))
    if "by" in entry and (tables is None or choices(tables) is None):
        yield f"{place}.by: {by!r} is no option of this edition with a list of choices"
    forms = {"shall": ("shall",), "option": ("option", "at_least"), "at_least": ("option", "at_least")}
    elected = tuple(map(str, choices(tables) or ())) if tables else ()
    form = next((forms[word] for word in words if word in forms and "by" not in entry), elected)
    for word in words:
        yield from unknown_word(place, word, form or tuple(forms), "word of a pay")
    missing = [word for word in form if word not in words and word != "at_least"]
    if missing:
        yield f"{place}: no {', '.join(missing)}"
    cells = [(f"{place}.{word}", entry[word]) for word in words if word != "option"]
    if not is_cited(entry) and not all(isinstance(cell, Mapping) for _, cell in cells):
        yield f"{place}: does not cite its clause"
    for where, cell in cells:
        if isinstance(cell, Mapping) and (set(cell) != {"odds", "cite"} or not is_cited(cell)):
            yield f"{where}: a cell has its odds, and cites its clause"
        yield from _written_odds(where, cell["odds"] if isinstance(cell, Mapping) else cell)
    if "option" in entry:
        yield from _floor(edition, place, entry)


def _written_odds(place: str, value: Any) -> Faults:
    if not isinstance(value, str):
        yield f"{place}: not odds: {value!r}; expected such as '8 to 1'"
        return
    try:
        odds_meant = Ratio.parse(value)
    except ValueError as error:
        yield f"{place}: {error}"
        return
    if not odds_meant.to:
        yield f"{place}: {value!r} pays nothing; expected odds above zero, such as '8 to 1'"
    if value != str(odds_meant):  # one meaning has one form, so that one law has one hash
        yield f"{place}: {value!r} is written '{odds_meant}' in an edition"


def _floor(edition: Edition, place: str, entry: Mapping[str, Any]) -> Faults:
    """Odds that are elected: the floor of the pay must equal the floor of the option."""
    option = edition.options.get(str(entry["option"]))
    if option is None or option.states != "odds":
        yield f"{place}.option: {entry['option']!r} is no option of this edition that states odds"
        return
    floor = odds(option.at_least or 0)
    if "at_least" in entry and Ratio.parse(entry["at_least"]) != floor:
        yield f"{place}.at_least: {entry['at_least']}, but option.{entry['option']} has the floor {floor}"


def _settlement(edition: Edition) -> Faults:
    law = edition.settlement
    if law.option is None:
        yield from _sweeps("settlement.sweeps", law.sweeps)
        if law.procedure:
            yield "settlement.procedure: no option says which one is followed"
        return
    if law.sweeps:
        yield "settlement.sweeps: an option says which procedure is followed"
    yield from election_faults(edition, "settlement.option", law.option, law.procedure)
    for name, procedure in law.procedure.items():
        yield from _sweeps(f"settlement.procedure.{name}.sweeps", procedure.sweeps)
    option = edition.options[law.option]
    if option.applies or option.optional:
        yield f"settlement.option: {law.option} is not always elected"


def _sweeps(place: str, sweeps: Sequence[Sequence[str]]) -> Faults:
    acts = sorted(chain.from_iterable(sweeps))
    if acts != ["pay", "vigorish"]:
        yield f"{place}: pay and vigorish once each, not {', '.join(acts) or 'nothing'}"


def _vigorish(edition: Edition) -> Faults:
    option, coins = edition.options.get("vig_rate"), edition.vigorish.coins
    for rate, coin in coins.items():
        if coin < 1:
            yield f"vigorish.coins.{rate}: {coin} is no coin"
    if option is None:
        return
    rates = choices(option)
    if rates is None:
        yield "option.vig_rate: has no list of choices, each of which has its coin"
    missing = [str(rate) for rate in rates or () if str(rate) not in coins]
    if missing:
        yield f"vigorish.coins: no coin for the rate {', '.join(missing)}"


def _progressives(edition: Edition) -> Faults:
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


def _chairs(law: Royal9Law) -> Faults:
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
            yield f"royal9.chairs.{seat}.suits: {chair.suits!r} is also at chair {seen[chair.suits]}"
        seen[chair.suits] = seat


def _meters(law: Royal9Law) -> Faults:
    names = [meter.name for meter in law.meter]
    tables = {*law.meter[0].seed} if law.meter else set()
    for index, meter in enumerate(law.meter):
        place = f"royal9.meter[{index}]"
        if names.count(meter.name) > 1:
            yield f"{place}.name: {meter.name!r} occurs twice"
        if law.chairs == "submission" and (meter.seed or meter.rate_bp):
            yield f"{place}: the licensee states seeds and rates with the combinations"
        if law.chairs != "submission" and not (tables and set(meter.seed) == set(meter.rate_bp) == tables):
            yield f"{place}: needs a seed and a rate for each pay table: {', '.join(sorted(tables)) or 'none'}"
        if any(value < 0 for value in (*meter.seed.values(), *meter.rate_bp.values())):
            yield f"{place}: a seed or a rate is negative"


def _rung(edition: Edition, law: Royal9Law, rung: Rung, place: str, *, is_last: bool) -> Faults:
    if rung.meter is not None:
        yield from unknown_word(f"{place}.meter", rung.meter, [meter.name for meter in law.meter], "meter")
        if not 1 <= rung.percent <= 100:
            yield f"{place}.percent: {rung.percent} percent of a meter; 1 to 100 can be won"
    if rung.prize < 0 or (rung.meter is not None and rung.prize) or (rung.meter is None and rung.percent):
        yield f"{place}: either a percentage of a meter, or a prize"
    if rung.meter is None and not rung.prize and not is_last:
        yield f"{place}: neither a meter nor a prize; only the last rung wins nothing"
    events = [rung.event] if isinstance(rung.event, str) else list(rung.event.values())
    for event in events:
        yield from unknown_word(f"{place}.event", event, EVENT_NAMES, "event")
    if not isinstance(rung.event, str):
        yield from election_faults(edition, f"{place}.event", "any_two", rung.event)
    if is_last != ("otherwise" in events) or (is_last and rung.event != "otherwise"):
        yield f"{place}.event: the last rung, and only the last, has the event 'otherwise'"


ODDS = (_pays,)
CHECKS = (_settlement, _vigorish, _progressives)
