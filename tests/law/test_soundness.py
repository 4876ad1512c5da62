"""Loading an edition finds what is wrong with it, and names the place."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest

import atlantis
from baccarat.cards import Rank
from baccarat.law import reading, soundness
from baccarat.law.edition import build, read_table, shipped_editions
from baccarat.law.error import RulesError
from baccarat.law.section import CardValue
from baccarat.law.sound import words
from baccarat.play.hand import values
from baccarat.play.wager.royal9 import EVENTS

pytestmark = pytest.mark.slow

MA1, MA4, NJ = "ma-midi-1", "ma-midi-4", "nj-punto-banco"
Change = Callable[[dict[str, Any]], object]


def at(path: str, value: Any) -> Change:
    """Write a value at a place; a number in the path is an index, `None` takes the place away."""

    def change(table: dict[str, Any]) -> None:
        *way, last = [int(word) if word.isdigit() and not path.startswith(KEYED) else word for word in path.split("/")]
        node: Any = table
        for word in way:
            node = node[word]
        if value is None:
            del node[last]
        else:
            node[last] = value

    return change


KEYED = ("settlement/procedure", "vigorish/coins", "royal9/chairs")
"""Tables whose keys are numbers, as text."""


def both(*changes: Change) -> Change:
    """Several changes, one after the other."""
    return lambda table: [change(table) for change in changes]


RULE = "wager/tie/rules/0"
LADDER = "royal9/ladder"
PROCEDURE = "settlement/procedure"


def second_step(name: str, when: dict[str, Any]) -> Change:
    """One more row for a step."""
    return lambda table: table["step"].append({"name": name, "when": when, "cite": ["3.8(b)"]})


BROKEN: list[tuple[str, Change, str]] = [
    # what play and the table rely on
    (MA4, at("error_card", None), "error_card: this section is missing"),
    (MA4, at("face_up", None), "face_up: this section is missing"),
    (MA4, at("option/cover_card_depth", None), "option: no option 'cover_card_depth', without which no table can be"),
    (MA4, at("option/limits", None), "option: no option 'limits', without which no table can be opened"),
    (NJ, at("option/decks", None), "option: no option 'decks', without which no table can be opened"),
    (MA4, at("option/seat_one", None), "option: no option 'seat_one', without which no table can be opened"),
    (MA4, at("option/seats/applies", {"ez": True}), "option.seats: seats is not always elected, but always needed"),
    (NJ, at("option/decks/optional", True), "option.decks: decks is not always elected, but always needed"),
    (MA4, at("option/decks/at_least", 0), "option.decks.at_least: 0 is too few; at least 1 is needed"),
    (NJ, at("option/seats/at_least", 0), "option.seats.at_least: 0 is too few; at least 1 is needed"),
    (MA4, at("option/cover_card_depth/states", None), "option.cover_card_depth.states: 'depth' is missing, by which"),
    (NJ, at("option/reveal/optional", True), "reveal.style: reveal is not always elected, but always needed"),
    (MA4, at("option/disclosed_third_card/applies", {"ez": True}), "error_card.third_seen.option: disclosed"),
    (MA4, at("option/burn_exposure/applies", {"ez": True}), "burn.exposed: burn_exposure is not always elected, but"),
    (NJ, at("option/notice_minutes/applies", {"vig_rate": 5}), "notice[0].minutes: notice_minutes is not always elec"),
    (MA4, at("cut/at_least", 157), "cut.at_least: 157 cards on each side of a cut; in 312 cards there are 1 to 156"),
    (MA4, at("cut/at_least", 0), "cut.at_least: 0 cards on each side of a cut"),
    (MA4, at("face_up/fixed", "discard_value"), "face_up.ten_option: missing; discard_value needs it for a card that"),
    (NJ, at("error_card/seen/ten_option", None), "error_card.seen.ten_option: missing; discard_value needs it"),
    (NJ, at("reveal/face_up_cite", None), "reveal.face_up_cite: missing; cards may be dealt face up"),
    (NJ, at("reveal/other_side_cite", None), "reveal.other_side_cite: missing; the other side may turn a hand"),
    (MA4, at("verbal/confirmed_by", ["croupier"]), "verbal.confirmed_by[0]: 'croupier' is no role that confirms"),
    (MA4, at("verbal/confirmed_by", []), "verbal.confirmed_by: is empty"),
    (MA4, at("manual_shuffle/last", "box"), "manual_shuffle.last: 'box' is none of its elements: plug, riffle, turn"),
    (NJ, at("notice/0/options", ["reveal"]), "notice[0].options: reveal is no number that could increase"),
    (NJ, at("notice/0/minutes/option", "reveal"), "notice[0].minutes: reveal is no number of minutes"),
    (MA4, at("wager/tie/base", {"wagers": ["player"], "cite": "7(a)"}), "wager.tie.main: a main wager has no base"),
    (MA4, at("wager/dragon7/base/wagers", ["panda8"]), "wager.dragon7.base.wagers[0]: panda8 itself needs another"),
    (MA4, at("house_money/press", ["house_money"]), "house_money.press[0]: house_money is settled by rules of its own"),
    (MA4, at("match_play/wagers", ["royal9"]), "match_play.wagers[0]: royal9 is settled by rules of its own"),
    (MA4, at("must_hit/participants", "tie"), "must_hit.participants: 'tie' does not feed it; only royal9 does"),
    (MA4, at("option/dragon_paytable/applies", {"ez": False}),
     "wager.dragon_bonus.rules[0]: dragon_paytable, by which it is paid, is not elected where ez is True"),
    (MA4, at("wager/dragon_bonus/offered", None), "wager.dragon_bonus.rules[0]: dragon_paytable, by which it is paid"),
    (MA4, at("option/vig_rate/applies", {"ez": True}), "wager.banker.rules[0]: vig_rate, by which it is paid, is not"),
    (MA4, at("option/vig_rounding/applies", None), "option.vig_rounding: vig_rate, which it rounds, is not elected"),
    (MA4, at("option/tie_odds/applies", {"ez": False}), "wager.tie.rules[0]: tie_odds, by which it is paid, is not"),
    (MA1, at("option/any_two/applies", {"ez": True}), "royal9.ladder[1].event: any_two is not elected where"),
    (MA4, at("point_count/value/1/value", 10), "point_count.value[1].value: 10 is not from 0 to 9"),
    (MA4, at("burn/value/1/value", 52), "burn.value[1].value: 52 is not from 0 to 51"),
    (NJ, at("curator/first_seat", 0), "curator.first_seat: 0 is not a whole number of at least 1"),
    (NJ, at("vigorish_form/copies", 0), "vigorish_form.copies: 0 is not a whole number of at least 1"),
    (MA4, at("wager/royal9/stake/shall", 0), "wager.royal9.stake.shall: 0 is not a whole number of at least 1"),
    (MA4, at("vigorish/kept_cite", None), "vigorish: 'kept_cite' is missing"),
    # steps
    (NJ, second_step("announce", {}), "a second row for announce, in force together with the first"),
    (NJ, second_step("deal", {"reveal": ["face_up"]}), "a second row for deal, in force together with the first"),
    (NJ, second_step("deal", {"shuffle_method": 1}), "a second row for deal, in force together with the first"),
    # rules and pays
    (MA4, at("pays/dragon7/shall", "0 to 1"), "pays.dragon7.shall: '0 to 1' pays nothing; expected odds above zero"),
    (MA4, at("pays/dragon7/shall", "40:1"), "pays.dragon7.shall: '40:1' is written '40 to 1' in an edition"),
    (MA4, at("pays/dragon7/shall", "80 to 2"), "pays.dragon7.shall: '80 to 2' is written '40 to 1' in an edition"),
    (MA4, at("pays/dragon7/shall", "40  to 1"), "pays.dragon7.shall: '40  to 1' is written '40 to 1' in an edition"),
    (MA4, at(f"{RULE}/pays", None), "wager.tie.rules[0]: a rule that wins says what it pays"),
    (MA4, at("wager/tie/rules/1/pays", "tie"), "wager.tie.rules[1]: a rule that does not win has no pays"),
    (MA4, at("wager/banker/rules/4/pays", "tie"), "wager.banker.rules[4]: a rule that does not win has no pays"),
    (MA4, at(f"{RULE}/pays", "tei"), "wager.tie.rules[0].pays: 'tei' is no pay that is listed; did you mean 'tie'?"),
    (MA4, at(f"{RULE}/pays", 8), "wager.tie.rules[0].pays: 8 is not"),
    (MA4, at(f"{RULE}/row", 8), "wager.tie.rules[0].row: 8 is not"),
    (MA4, at(f"{RULE}/row", "by {leed}"), "wager.tie.rules[0]: 'leed' is no fact of this wager"),
    (MA4, at(f"{RULE}/row", "by {lead"), "wager.tie.rules[0]: 'by {lead' is no fact of this wager"),
    (MA4, at(f"{RULE}/row", "by {}"), "wager.tie.rules[0]: '' is no fact of this wager"),
    (MA4, at(f"{RULE}/lead", [0]), "wager.tie.rules[0]: 'lead' is no fact of this wager"),
    (MA4, at(f"{RULE}/pairs", [0]), "wager.tie.rules[0]: 'pairs' is no fact of this wager"),
    (MA4, at("wager/house_money/rules/0/cards", [4]), "wager.house_money.rules[0]: 'cards' is no fact of this"),
    (MA4, both(at("wager/house_money/rules/2/result", "push")), "wager.house_money.rules[2]: an early wager wins or"),
    (MA4, at("wager/tie/rules/1/vigorish", True), "wager.tie.rules[1].vigorish: only a win"),
    (MA4, at(f"{RULE}/vigorish", "yes"), "wager.tie.rules[0].vigorish: 'yes' is not"),
    (MA4, at(f"{RULE}/when", {"decks": 8}), "wager.tie.rules[0].when: decks has no list of choices"),
    (MA4, at(f"{RULE}/when", {"ez": "yes"}), "wager.tie.rules[0]: ez is never 'yes'"),
    (MA4, at("pays/tie", "8 to 1"), "pays.tie: is not a table"),
    (MA4, at("pays/tie/cite", None), "pays.tie: does not cite its clause"),
    (MA4, at("pays/tie/cite", []), "pays.tie: does not cite its clause"),
    (MA4, at("pays/tie/cite", 12), "pays.tie: does not cite its clause"),
    (MA4, at("pays/tie", {}), "pays.tie: says no odds"),
    (MA4, at("pays/tie", {"cite": "12(b)"}), "pays.tie: says no odds"),
    (MA4, at("pays/player/shall", 1), "pays.player.shall: not odds: 1"),
    (MA4, at("pays/player/shall", "one to one"), "pays.player.shall: not odds: 'one to one'"),
    (MA4, at("pays/player/shall", "1 to 0"), "pays.player.shall: not odds: '1 to 0'"),
    (MA4, at("pays/player", {"shal": "1 to 1", "cite": "12(a)"}), "pays.player: 'shal' is no word of a pay"),
    (MA4, at("pays/dragon", {}), "pays.dragon: says no odds"),
    (MA4, at("pays/dragon/natural/A", 1), "pays.dragon.natural.A: not odds: 1"),
    (MA4, at("pays/dragon/natural/C", None), "pays.dragon.natural: no C"),
    (MA4, at("pays/dragon/natural/D", "1 to 1"), "pays.dragon.natural: 'D' is no word of a pay"),
    (MA4, at("pays/dragon/natural/by", "paytable"), "pays.dragon.natural.by: 'paytable' is no option of this edition"),
    (MA4, at("pays/dragon/natural/by", "decks"), "pays.dragon.natural.by: 'decks' is no option of this edition with a"),
    (NJ, at("pays/dragon/natural/A/cite", None), "pays.dragon.natural.A: a cell has its odds, and cites"),
    (NJ, at("pays/dragon/natural/A/odds", 1), "pays.dragon.natural.A: not odds: 1"),
    (NJ, at("pays/dragon/natural/A", {"cite": "3.3(g) A natural"}), "pays.dragon.natural.A: a cell has its odds"),
    (NJ, at("pays/dragon/natural", {"A": "1 to 1", "B": "1 to 1", "C": "1 to 1", "cite": "3.3(a)"}),
     "pays.dragon.natural: where dragon_odds may be better"),
    (MA4, at("pays", None), "pays: this section is missing"),
    (MA4, at("pays/quadruple", {"shall": "9 to 1", "cite": "12(b)"}), "pays.quadruple: no rule pays it"),
    (MA4, at("pays/tie/at_least", "9 to 1"), "pays.tie.at_least: 9 to 1, but option.tie_odds has the floor 8 to 1"),
    (MA4, at("option/tie_odds/at_least", 7), "pays.tie.at_least: 8 to 1, but option.tie_odds has the floor 7 to 1"),
    (MA4, at("option/tie_odds/at_least", -8), "option.tie_odds: -8 cannot be its value: not odds: -8"),
    (MA4, at("option/tie_odds/at_least", None), "pays.tie.at_least: 8 to 1, but option.tie_odds has the floor 0"),
    (MA4, at("pays/tie/option", "tie_ods"), "pays.tie.option: 'tie_ods' is no option"),
    (MA4, at("pays/tie/option", "decks"), "pays.tie.option: 'decks' is no option of this edition that states odds"),
    (MA4, at("pays/tie/option", None), "pays.tie: no option"),
    # settlement and vigorish
    (MA4, at("settlement/sweeps", None), "settlement.sweeps: pay and vigorish once each, not nothing"),
    (MA4, at("settlement/sweeps", [["pay"]]), "settlement.sweeps: pay and vigorish once each, not pay"),
    (MA4, at("settlement/sweeps", [["pay"], ["vigorish", "pay"]]), "settlement.sweeps: pay and vigorish once each"),
    (MA4, at(PROCEDURE, {"1": {"sweeps": [["pay", "vigorish"]], "cite": "11(b).1"}}), "settlement.procedure: no opt"),
    (NJ, at("settlement/option", None), "settlement.sweeps: pay and vigorish once each, not nothing"),
    (NJ, at("settlement/option", "settle_option"), "settlement.option refers to 'settle_option', which is no option"),
    (NJ, at("settlement/option", "tie_odds"), "settlement.option: tie_odds has no list of choices"),
    (NJ, at("settlement/sweeps", [["pay", "vigorish"]]), "settlement.sweeps: an option says which"),
    (NJ, at(PROCEDURE, None), "settlement.option: settlement_option may be 1, 2, 3, 4, but here are none"),
    (NJ, at(f"{PROCEDURE}/4", None), "settlement.option: settlement_option may be 1, 2, 3, 4, but here are 1, 2, 3"),
    (NJ, at("option/settlement_option/elect", [1, 2, 3]), "settlement.option: settlement_option may be 1, 2, 3, but"),
    (NJ, at(f"{PROCEDURE}/2/sweeps", [["vigorish"]]), "settlement.procedure.2.sweeps: pay and vigorish once each"),
    (NJ, at("option/settlement_option/optional", True), "settlement.option: settlement_option is not always elected"),
    (NJ, at("record/options/settlement_option", None), "record.options: does not say settlement_option"),
    (NJ, at("vigorish/coins/4", None), "vigorish.coins: no coin for the rate 4"),
    (NJ, at("vigorish/coins/4", 0), "vigorish.coins.4: 0 is no coin"),
    (MA4, at("option/vig_rate/shall", 4), "vigorish.coins: no coin for the rate 4"),
    (NJ, at("vigorish/exempt/wagers", ["total7"]), "vigorish.exempt.wagers: 'total7' is no wager of this edition"),
    (NJ, at("vigorish/exempt/when", {"no_comission": "x"}), "vigorish.exempt.when refers to 'no_comission', which"),
    (NJ, at("vigorish/exempt/when", {"no_commission": "x"}), "vigorish.exempt.when: no_commission is never 'x'"),
    # Royal 9 and Must Hit
    (MA4, at(f"{LADDER}/0/percent", 0), "royal9.ladder[0].percent: 0 percent"),
    (MA4, at(f"{LADDER}/0/percent", 101), "royal9.ladder[0].percent: 101 percent"),
    (MA4, at(f"{LADDER}/0/meter", "stat"), "royal9.ladder[0].meter: 'stat' is no meter; did you mean 'star'?"),
    (MA4, at(f"{LADDER}/0/meter", None), "royal9.ladder[0]: either a percentage of a meter, or a prize"),
    (MA4, at(f"{LADDER}/0/prize", 100), "royal9.ladder[0]: either a percentage of a meter, or a prize"),
    (MA4, at(f"{LADDER}/3/prize", None), "royal9.ladder[3]: neither a meter nor a prize"),
    (MA4, at(f"{LADDER}/3/prize", -1), "royal9.ladder[3]: either a percentage of a meter, or a prize"),
    (MA4, at(f"{LADDER}/3/event", "otherwise"), "royal9.ladder[3].event: the last rung, and only the last"),
    (MA4, at(f"{LADDER}/3/event", "other_on_bth"), "royal9.ladder[3].event: 'other_on_bth' is no event; did you"),
    (MA4, at(f"{LADDER}/8/event", "royal_on_both"), "royal9.ladder[8].event: the last rung"),
    (MA4, at(f"{LADDER}/8", None), "royal9.ladder[7].event: the last rung"),
    (MA4, at(LADDER, []), "royal9.ladder: has no rung"),
    (MA1, at(f"{LADDER}/1/event/own_chair", None), "royal9.ladder[1].event: any_two may be any_posted, other_chair_id"),
    (MA1, at(f"{LADDER}/1/event/own", "two_of_own"), "royal9.ladder[1].event: any_two may be"),
    (MA1, at(f"{LADDER}/1/event/own_chair", "two_of_mine"), "royal9.ladder[1].event: 'two_of_mine' is no event"),
    (MA1, at("option/any_two", None), "royal9.ladder[1].event refers to 'any_two', which is no option"),
    (MA1, at("royal9/chairs/3/suits", "CX"), "royal9.chairs.3.suits: 'CX' is not two of S H D C"),
    (MA1, at("royal9/chairs/3/suits", "C"), "royal9.chairs.3.suits: 'C' is not two of S H D C"),
    (MA1, at("royal9/chairs/3/suits", "SH"), "royal9.chairs.3.suits: 'SH' is also at chair 1"),
    (MA1, at("royal9/chairs/3", None), "royal9.chairs: numbered from 1, without a gap"),
    (MA1, at("royal9/courts", "KQA"), "royal9.courts: 'KQA' is not some of K Q J"),
    (MA1, at("royal9/courts", ""), "royal9.courts: '' is not some of K Q J"),
    (MA1, at("royal9/meter/1/seed", {"1": 35000}), "royal9.meter[1]: needs a seed and a rate for each pay table: 1, 2"),
    (MA4, at("royal9/meter/1/seed", {"1": 35000}), "royal9.meter[1]: the licensee states seeds and rates"),
    (MA4, at("royal9/meter/1/name", "star"), "royal9.meter[0].name: 'star' occurs twice"),
    (MA4, at("royal9", None), "royal9: the option and the section go together"),
    (MA4, at("must_hit", None), "must_hit: the option and the section go together"),
    (MA4, at("wager/royal9/stake", None), "wager.royal9: has a fixed stake"),
    (MA4, at("must_hit/participants", "royal_9"), "must_hit.participants: 'royal_9' is no wager of this edition; did"),
    # wagers
    (MA4, lambda table: table["wager"].update(Tie=table["wager"].pop("tie")), "wager.Tie: a wager cannot be called 'T"),
    (MA4, at("wager/dragon_bonus/on", {"a" * 41: "player"}), "wager.dragon_bonus.on: a wager cannot be called 'aaa"),
    (MA4, at("wager/tie/early", True), "wager.tie.early: only the wager house_money is settled before third cards"),
    (MA4, at("wager/player/main", False), "wager: the player's hand has one main wager, not none"),
    (MA4, at("wager/dragon_bonus/on/dragon_player", "dealer"), "wager.dragon_bonus.on: 'dealer' is no hand"),
    (MA4, at("wager/dragon_bonus/on/tie", "player"), "wager.dragon_bonus.on: 'tie' is already in wager.tie"),
    (MA4, at("wager/banker/hand", "bank"), "wager.banker.hand: 'bank' is no hand; did you mean 'banker'?"),
    (MA4, at("wager/tie/rules", []), "wager.tie.rules: no rule says when it wins"),
    (MA4, at("wager/dragon7/base/wagers", ["plyer"]), "wager.dragon7.base.wagers: 'plyer' is no wager of this edit"),
    (MA4, at("wager/dragon7/base/option", "needed"), "wager.dragon7.base.option refers to 'needed', which is no"),
    (MA4, at("wager/dragon7/base/option", None), "wager.dragon7.base: needs the clause or the option"),
    (MA4, at("wager/dragon7/offered", "decks"), "wager.dragon7.offered: decks is never True"),
    (MA4, at("house_money/press", ["bankr"]), "house_money.press: 'bankr' is no wager of this edition"),
    (MA4, at("house_money", None), "wager.house_money.early: needs the section [house_money]"),
    (MA4, at("match_play/wagers", ["total4"]), "match_play.wagers: 'total4' is no wager of this edition"),
    # options
    (MA4, lambda table: table["option"].update(deks=table["option"]["decks"]), "option.deks: nothing in this ed"),
    (MA4, at("option/Lucky", {"description": "d", "may": True, "cite": ["7(a)"]}), "option.Lucky: an option cannot be"),
    (MA4, at("option/lucky", {"description": "d", "states": "limits", "cite": ["7(a)"]}), "option.lucky.states: limit"),
    (MA4, at("option/ez/reading", "A-999"), "option.ez.reading: 'A-999' is no reading"),
    (MA4, at("option/decks/at_least", None), "option.decks: says neither shall, may, elect"),
    (MA4, at("option/decks/elect", ["six"]), "option.decks: 'six' cannot be its value"),
    (MA4, at("option/decks/may", True), "option.decks: True cannot be its value"),
    (MA4, at("option/ez/elect", [True]), "option.ez: says more than one of shall, may and elect"),
    (MA4, at("option/decks/states", "text"), "option.decks.states: this option is not stated as text"),
    (MA4, at("option/opposite_bets/default", "yes"), "option.opposite_bets.default: "),
    (MA4, at("option/squeeze_eligible/default", "all"), "option.squeeze_eligible.default: 'all' is not among the"),
    (MA4, at("option/cover_card_depth/default", 0), "option.cover_card_depth.default: 0 is below the floor"),
    (MA4, at("option/discard_rack_decks/warn_below", "deks"), "option.discard_rack_decks.warn_below refers to 'deks'"),
    (MA4, at("option/vig_rate/applies", {"easy": False}), "option.vig_rate.applies refers to 'easy', which is no"),
    (MA4, at("constraint/0/need", {"ez": 1}), "constraint[0].need: ez is never 1"),
    (MA4, at("verbal/offered", "verbal"), "verbal.offered refers to 'verbal', which is no option of this edition"),
    (MA4, at("match_play/offered", "match"), "match_play.offered refers to 'match', which is no option"),
    (MA4, at("free_hand/offered", "free_hnd"), "free_hand.offered refers to 'free_hnd', which is no option of this ed"),
    (MA4, at("burn/exposed", {"option": "burn_exposed"}), "burn.exposed refers to 'burn_exposed', which is no option"),
    (MA4, at("burn/exposed", {}), "burn.exposed: an empty table is not 'all' or a table"),
    (MA4, at("burn/exposed", {"option": "cut_mode"}), "burn.exposed: cut_mode may be dealer_cuts, offer_players, but"),
    (NJ, at("reveal/style", {"option": "show"}), "reveal.style refers to 'show', which is no option"),
    (NJ, at("reveal/other_side", "other"), "reveal.other_side refers to 'other', which is no option"),
    (NJ, at("face_up", {"option": "face", "choices": {}, "cite": "3.12(d)"}), "face_up.option refers to 'face', which"),
    (NJ, at("face_up", {"cite": "3.12(d)"}), "face_up: either a fixed remedy, or the option"),
    (NJ, at("face_up", {"fixed": "discard_value", "ten_option": "tens", "cite": "3.12(d)"}), "face_up.ten_option"),
    (NJ, at("face_up", {"option": "disclosed_card_procedure", "cite": "3.12(d)",
                        "choices": {"1": {"remedy": "discard_two", "cite": "3.12(c)"}}}),
     "face_up.option: disclosed_card_procedure may be 1, 2, 3, but here are 1"),
    # values, deal, calls, definitions, tableau
    (MA4, at("point_count/value/0/ranks", "2345678"), "point_count.value: no value for 9"),
    (MA4, at("point_count/value/2/ranks", "AK"), "point_count.value[2]: K already has a value in point_count.value[1]"),
    (MA4, at("point_count/value/2/ranks", "1"), "point_count.value[2].ranks: '1' is no rank"),
    (MA4, at("burn/value/1/value", "face"), "burn.value[1]: T has no number on its face"),
    (MA4, at("burn/value/1/value", -1), "burn.value[1].value: -1 is not from 0 to 51"),
    (MA4, at("burn/value", []), "burn.value: no value for A, 2"),
    (MA4, at("deal/hands", ["player", "banker", "player"]), "deal.hands: four cards, two for each hand"),
    (MA4, at("deal/hands", ["player", "banker", "player", "player"]), "deal.hands: four cards, two for each hand"),
    (MA4, at("house_money/direction", "clockwise"), "house_money.direction: a walk from dealer_right does not go"),
    (MA4, at("house_money/start", "dealer_left"), "house_money.direction: a walk from dealer_left does not go"),
    (MA4, at("call/4/if", {"winer": "tie"}), "call[4].if: unknown fact 'winer'; did you mean 'winner'?"),
    (MA4, at("call/4/if", {"winner": "tei"}), "call[4].if: winner is never 'tei'"),
    (MA4, at("call/4/if", {"lead": 0}), "call[4].if: unknown fact 'lead'"),
    (MA4, at("call/4/say", None), "call[4]: a call is one of say, count, final and total_cards"),
    (MA4, at("definition/dragon_7/bank_count", [7]), "definition.dragon_7: unknown fact 'bank_count'"),
    (MA4, at("definition/dragon_7/banker_count", [17]), "definition.dragon_7: banker_count is never 17"),
    (MA4, at("definition/natural/count", [8, 19]), "definition.natural: count is never 19"),
    (MA4, at("definition/dragon_7", "banker"), "definition.dragon_7: 'banker' is not a table"),
    (MA4, at("definition/dragon_7", {"cite": "1 Dragon 7"}), "definition.dragon_7: says nothing of any fact"),
    (MA4, at("definition/winner", {"player_count": [9], "cite": "1 Natural"}), "definition: the fact 'winner'"),
    (MA4, at("definition/low", {"player_count": [0], "cite": "1 Natural"}), "definition.low: no rule, call or other"),
    (MA4, at("definition/small", {"count": [0], "cite": "1 Natural"}), "definition.small: no rule, call or other"),
    (MA4, at("tableau/1/act", "take"), "tableau[1].act: 'take' is no act"),
    (MA4, at("tableau/1/holds", [0, 1, 2, 3, 4, 5, 12]), "tableau[1]: no hand and no card counts 12"),
    # clauses that nothing rules, records
    (MA4, at("pending", {"table": ["4(z)"]}), "pending.table: '4(z)' is no clause; did you mean '4("),
    (MA4, at("physical/4(z)", "recorded"), "physical: '4(z)' is no clause; did you mean '4("),
    (MA4, at("record", None), "record: this section is missing"),
    (MA4, at("settlement", None), "settlement: this section is missing"),
    (MA4, at("record/options/deks", 8), "record.options.deks: 'deks' is no option of this edition; did you mean"),
    (MA4, at("record/options/vig_collection", "later"), "record.options.vig_collection: 'later' is not among the ch"),
    (MA4, at("record/options/tie_odds", []), "record.options.tie_odds: "),
    (MA4, at("record/options/tie_odds", None), "record.options: does not say tie_odds"),
    (NJ, at("record/options/vig_rate", None), "record.options: does not say vig_rate"),
    (MA4, at("pending", {"table": [4]}), "pending.table[0]: 4 is not a text"),
    (MA4, at("pays/tie/option", ["tie_odds"]), "pays.tie.option: ['tie_odds'] is no option"),
    (MA4, at("option/vig_rate/applies", {"ez": []}), "option.vig_rate.applies: ez is allowed no value"),
    (MA4, at("record/seats", 0), "record.seats: 0 is not a whole number of at least 1"),
]  # fmt: skip


@pytest.mark.parametrize("name", shipped_editions())
def test_a_shipped_edition_is_sound(name: str) -> None:
    soundness.check(build(read_table(name)))


def test_a_sixth_edition_is_sound() -> None:
    soundness.check(build(atlantis.edition()))


@pytest.mark.parametrize(
    ("name", "change", "say"), BROKEN, ids=[f"{i} {say[:50]}" for i, (*_, say) in enumerate(BROKEN)]
)
def test_what_is_wrong_stops_the_loading_at_its_place(name: str, change: Change, say: str) -> None:
    table = copy.deepcopy(read_table(name))
    change(table)
    with pytest.raises(RulesError, match=re.escape(say)):
        build(table)


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        ([], "none"),
        (["player", "banker", "player"], "player, banker, player"),
        (["player", "banker", "player", "player"], "player, banker, player, player"),
    ],
)
def test_a_deal_that_does_not_give_two_cards_to_each_hand_is_refused(hands: list[str], said: str) -> None:
    table = copy.deepcopy(read_table(MA4))
    table["deal"]["hands"] = hands
    with pytest.raises(RulesError, match=f"deal.hands: four cards, two for each hand, not {said}$"):
        build(table)


def test_an_option_without_which_nobody_sits_is_missed() -> None:
    table = read_table(NJ)
    del table["option"]["seats"]
    with pytest.raises(RulesError, match="no option 'seats'"):
        build(table)


def test_a_wager_left_out_with_all_that_speaks_of_it_is_not_missed() -> None:
    table = read_table(MA4)
    for part, word in (("wager", "panda8"), ("pays", "panda8"), ("definition", "panda_8")):
        with pytest.raises(RulesError):  # until the last of them is gone, the loading finds what was forgotten
            build(_without(table, word))
        del table[part][word]
    build(_without(table, "panda_8"))


def _without(table: dict[str, Any], word: str) -> dict[str, Any]:
    """The table without the call of a Panda 8, and, but for its definition, with whatever else is still there."""
    if word != "panda_8":
        return {**table, "wager": {key: law for key, law in table["wager"].items() if key != "panda8"}}
    return {**table, "call": [call for call in table["call"] if word not in call.get("if", {})]}


# ------------------------------------------------------------- names that law knows and play gives a meaning


def test_the_events_are_those_of_play() -> None:
    assert tuple(EVENTS) == words.EVENT_NAMES


def test_the_readings_are_those_of_the_file() -> None:
    assert words.reading_names() == set(reading.readings())


# ----------------------------------------------------------------------------------------- values of cards


def _value(ranks: str, value: Any) -> CardValue:
    return CardValue(ranks=ranks, value=value, cite=("6(a)",))


@pytest.mark.parametrize(
    ("rows", "say"),
    [
        ((_value("A23456789TJQ", 1),), "no value for king"),
        ((_value("A23456789TJQK", 1), _value("K", 0)), "the king has two values"),
        ((_value("A23456789TJQKX", 1),), "'X' is no rank"),
        ((_value("A23456789TJQK", "face"),), "the ace has no number on its face"),
    ],
)
def test_every_rank_has_one_value(rows: tuple[CardValue, ...], say: str) -> None:
    with pytest.raises(RulesError, match=say):
        values(rows)


def test_values_of_a_sound_table() -> None:
    assert values((_value("23456789", "face"), _value("ATJQK", 1)))[Rank.NINE] == 9
