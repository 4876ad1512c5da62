"""The sixth document: imaginary rules of Atlantis, made of a shipped table and written as TOML text."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from baccarat.law.edition import load_edition
from baccarat.law.rulebook import read_submission

NAME = "atlantis-1"
NEAREST = "ma-midi-4"
"""The shipped edition whose table Atlantis started from."""

ARTICLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "1.1": ("Eight or nine on two cards is a natural.", ("definition.natural",)),
    "1.2": ("A Dragon 7 is a Banker of seven on three cards that beats the Player.", ("definition.dragon_7",)),
    "1.3": ("The house may hold a table free of vigorish.", ("option.ez",)),
    "2.1": ("Seats are numbered, and the house says at which hand of the dealer they begin.", ("option.seat",)),
    "2.2": ("The felt has an area for each wager offered, and is approved.", ("option.layout", "option.dragon7_sign")),
    "2.3": ("The rack holds what lies in the shoe.", ("option.discard_rack_decks",)),
    "3.1": ("Six decks or more are played.", ("option.decks",)),
    "3.2": ("Backs are of one kind, and two opaque cut cards of another colour.",
            ("option.backs", "option.cut_card", "option.card_edges")),
    "4.4": ("Dealer and floorperson look the cards over; the first guests see them; they are washed and stacked.",
            ("step.receive", "step.inspect", "step.verify", "step.spread", "step.wash", "step.stack")),
    "4.1": ("Cards may come shuffled, by hand or by machine, as filed.",
            ("option.preshuffled", "option.batch", "option.reshuffle", "option.manual", "manual_shuffle",
             "step.shuffle", "step.lace", "step.reshuffle")),
    "4.2": ("No cut is less than twenty-six cards deep; the house says who cuts, and who cuts again.",
            ("cut", "option.cut_mode", "option.last_curator", "option.recut_by",
             "option.recut_second_person", "option.electronic_cut", "step.offer_cut", "step.cut",
             "step.recut")),
    "4.3": ("A cover card ends the shoe; the first card says how many are burned.",
            ("burn", "option.cover_card", "option.burn", "step.cover_card", "step.load", "step.burn", "step.last_hand",
             "step.close")),
    "5.1": ("Faces count, tens and pictures nothing, aces one; of a sum the units remain.", ("point_count",)),
    "6.1": ("Banker wins if it is higher, and goes back on a tie.", ("wager.banker",)),
    "6.2": ("Player wins if it is higher, and goes back on a tie.", ("wager.player",)),
    "6.3": ("Tie wins if the hands are equal.", ("wager.tie",)),
    "6.4": ("The house may offer a bonus on a natural or a wide margin.",
            ("wager.dragon_bonus", "option.dragon_bonus", "option.bonus_base")),
    "6.5": ("Free of vigorish, a Dragon 7 can be insured against.", ("wager.dragon7", "option.insurance_base")),
    "6.6": ("The house may pay pairs early, and let the payout ride.",
            ("wager.house_money", "option.house_money", "option.press_over_max", "house_money", "step.house_money")),
    "6.7": ("Limits are posted; coupons lie with an equal wager on a hand.",
            ("option.limits", "option.match_play", "match_play", "option.opposite_bets", "step.wager")),
    "6.8": ("A wager may be spoken, with cash, if the dealer confirms it.", ("option.verbal", "verbal")),
    "6.9": ("A hand may be dealt while nobody wagers.", ("option.free_hand", "option.max_consecutive", "free_hand")),
    "6.10": ("After the call nothing is wagered or withdrawn.", ("no_more_bets", "step.no_more_bets")),
    "7.1": ("Player and Banker are dealt two cards in turn.", ("deal", "step.deal")),
    "7.2": ("Whoever wagered most on a hand turns it.", ("reveal", "option.squeeze", "step.turn", "step.relinquish")),
    "7.3": ("A hand draws one card at the most.",
            ("third_card", "step.third_cards", "step.player_third", "step.banker_third")),
    "8.1": ("Hands draw by the table that hangs in every hall.", ("tableau",)),
    "9.1": ("The dealer calls the end of wagers, the counts, the winner and a Dragon 7.", ("call", "step.announce")),
    "9.2": ("Losers are taken; then each winner, from the lowest seat up, is paid, and owes vigorish after.",
            ("settlement", "option.goodwill_limit", "option.shoe_given_up", "step.settle", "step.clear")),
    "10.1": ("Player, Banker and Dragon 7 are paid as listed.", ("pays",)),
    "10.2": ("A winning Tie is paid nine to one, or better.", ("pays.tie", "option.tie_odds")),
    "10.3": ("The bonus is paid by one of three tables.", ("pays.dragon.", "option.dragon_paytable")),
    "10.4": ("Pairs are paid as listed.", ("pays.house_money",)),
    "11.1": ("Banker wins owe five per cent, rounded and taken as filed.",
             ("vigorish", "option.vig", "option.exception_reports")),
    "12.1": ("A progressive pays a nine with a king, by seat.",
             ("royal9", "wager.royal9", "option.royal9", "option.secondary_seed", "option.reserve_share")),
    "12.2": ("A meter may be won by lot before it reaches its ceiling.",
             ("must_hit", "option.must_hit", "step.must_hit")),
    "13.1": ("A card seen out of turn goes where the house has filed.",
             ("option.disclosed", "error_card", "face_up")),
    "13.2": ("A round that the shoe cannot finish is void, and every wager returned.", ("void",)),
    "14.1": ("All tables of a hall shuffle alike; half an hour before that changes it is written to the harbour.",
             ("uniform", "notice")),
}  # fmt: skip
"""The document's own clauses, in its own numbering, with the places of the table that they rule."""

CONSTRAINTS = {"layout": "2.2", "differ": "3.2", "royal9": "12.1", "must_hit": "12.2"}


def edition() -> dict[str, Any]:
    """Atlantis as a table: the nearest shipped one, with what is different there."""
    table = copy.deepcopy(load_edition(NEAREST).table)
    table |= {"name": NAME, "title": "Atlantis, rules of the floating halls, first edition"}
    table |= {"jurisdiction": "Atlantis", "revision": 1}
    table["option"]["tie_odds"]["at_least"] = 9
    table["pays"]["tie"]["at_least"] = "9 to 1"
    table["record"]["options"]["tie_odds"] = 9
    table["cut"]["at_least"] = 26
    table["settlement"] |= {"start": "lowest", "direction": "ascending", "sweeps": [["pay", "vigorish"]]}
    _drop_panda8(table)
    del table["physical"]
    numbered: dict[str, Any] = _renumbered(table, "")
    return numbered | {"clause": {key: words for key, (words, _) in ARTICLES.items()}}


def _drop_panda8(table: dict[str, Any]) -> None:
    del table["wager"]["panda8"], table["pays"]["panda8"], table["definition"]["panda_8"]
    del table["option"]["layout_panda8_areas"]
    table["constraint"] = [each for each in table["constraint"] if "layout_panda8_areas" not in each.get("need", {})]
    table["call"] = [each for each in table["call"] if each.get("say") != "Panda 8"]


def _renumbered(node: Any, place: str) -> Any:
    """The same with every citation in the document's own numbers."""
    if isinstance(node, Mapping):
        return {
            key: [_article(place, node)] if key == "cite" or key.endswith("_cite") else _renumbered(value, inner)
            for key, value in node.items()
            for inner in [f"{place}.{key}".removeprefix(".")]
        }
    if isinstance(node, list):
        return [_renumbered(each, place) for each in node]
    return node


def _article(place: str, node: Mapping[str, Any]) -> str:
    if place == "constraint":
        words = json.dumps({key: node[key] for key in node if key != "cite"})
        return next(article for word, article in reversed(CONSTRAINTS.items()) if word in words)
    if place == "step":
        place = f"step.{node['name']}"
    fitting = [(len(each), key) for key, (_, places) in ARTICLES.items() for each in places if place.startswith(each)]
    return max(fitting)[1]


def submission() -> dict[str, Any]:
    """What one house in Atlantis elects."""
    table = read_submission(NEAREST)
    del table["layout_panda8_areas"], table["limits"]["panda8"]
    return table | {"ruleset": NAME, "tie_odds": 9}


def write(folder: Path) -> tuple[Path, Path]:
    """The two files: the document, and one house's Submission."""
    paths = folder / f"{NAME}.toml", folder / "poseidon.toml"
    for path, table in zip(paths, (edition(), submission()), strict=True):
        path.write_text(toml(table), encoding="utf-8")
    return paths


# --------------------------------------------------------------------------------------- TOML, as text


def toml(table: Mapping[str, Any]) -> str:
    """A table as TOML: plain values first, then a section a table, two levels deep."""
    lines = [f"{_key(key)} = {_value(value)}" for key, value in table.items() if not _is_section(value)]
    for key, value in table.items():
        if isinstance(value, Mapping):
            inner = {name: each for name, each in value.items() if isinstance(each, Mapping)}
            lines += ["", f"[{_key(key)}]"]
            lines += [f"{_key(name)} = {_value(each)}" for name, each in value.items() if name not in inner]
            for name, each in inner.items():
                lines += ["", f"[{_key(key)}.{_key(name)}]", *(f"{_key(k)} = {_value(v)}" for k, v in each.items())]
        elif _is_section(value):
            for row in value:
                lines += ["", f"[[{_key(key)}]]", *(f"{_key(k)} = {_value(v)}" for k, v in row.items())]
    return "\n".join(lines) + "\n"


def _is_section(value: Any) -> bool:
    rows = isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)
    return rows or isinstance(value, Mapping)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
