"""Bad records: whatever is wrong with one is told in the right form, and by the first reason in order."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baccarat.money import Cents
from baccarat.play import admission
from baccarat.play.coup import deal
from baccarat.play.record import UnreadableRecord, id_of, read, settle_record
from baccarat.play.refusal import RefusalCode, Refused
from baccarat.play.settle import settle
from baccarat.play.wager import Wager, WagerKind
from strategies import EDITIONS, answer, played, record, records, refusal_of, refused, royal9, rules_of, wager

Made = dict[str, Any]
BANKER_WINS = "7S 9D TH KC"
GOOD = record("ma-midi-4", BANKER_WINS, "1 banker 500")


def unreadable(line: bytes | str | Mapping[str, Any]) -> str:
    """Why a line cannot be read."""
    text = msgspec.json.encode(line) if isinstance(line, Mapping) else line
    with pytest.raises(UnreadableRecord) as raised:
        settle_record(read(text))
    return str(raised.value)


def with_wager(**changes: Any) -> Made:
    """The good record with its one wager changed; a value of `...` leaves the key out."""
    changed = {**GOOD["wagers"][0], **changes}
    return {**GOOD, "wagers": [{key: value for key, value in changed.items() if value is not ...}]}


# ------------------------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "not JSON"),
        ("   ", "not JSON"),
        ("\n", "not JSON"),
        ("{", "not JSON"),
        ("settle this", "not JSON"),
        ('{"id": NaN}', "not JSON"),
        (msgspec.json.encode(GOOD) * 2, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b'{"id": "\xff"}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "list is not an object with ruleset, cards, wagers"),
        ('["ma-midi-4"]', "list is not an object with ruleset, cards, wagers"),
        ("7", "7 is not an object with ruleset, cards, wagers"),
        ("null", "null is not an object with ruleset, cards, wagers"),
        ("{}", "'ruleset' is missing: a text"),
        ('{"ruleset": "ma-midi-4", "wagers": []}', "'cards' is missing: a list"),
    ],
)
def test_a_line_that_is_no_record_is_unreadable(line: bytes | str, why: str) -> None:
    if line == "[" * 100_000:
        line = '{"ruleset": "ma-midi-4", "cards": [], "wagers": [], "options": ' + line
    assert why in unreadable(line)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"amount": -1}, "wagers[0].amount"),
        ({"amount": 0}, "wagers[0].amount"),
        ({"amount": 12.5}, "wagers[0].amount"),
        ({"amount": 100.0}, "wagers[0].amount"),
        ({"amount": 10**15 + 1}, "wagers[0].amount"),
        ({"amount": 10**30}, "wagers[0].amount"),
        ({"amount": True}, "wagers[0].amount"),
        ({"amount": "500"}, "wagers[0].amount: '500' is not a sum"),
        ({"amount": None}, "wagers[0].amount"),
        ({"amount": ...}, "amount"),
        ({"seat": 1.0}, "wagers[0].seat"),
        ({"seat": "1"}, "wagers[0].seat"),
        ({"seat": False}, "wagers[0].seat"),
        ({"seat": ...}, "seat"),
        ({"type": 7}, "wagers[0].type"),
        ({"type": ...}, "type"),
        ({"coupon": -500}, "wagers[0].coupon"),
        ({"coupon": 1.5}, "wagers[0].coupon"),
        ({"coupon": 10**16}, "wagers[0].coupon"),
        ({"press": True}, "wagers[0].press"),
        ({"verbal": True}, "wagers[0].verbal"),
        ({"verbal": {}}, "wagers[0].verbal"),
        ({"verbal": {"cash": 1}}, "wagers[0].verbal.cash"),
        ({"verbal": {"cash": True, "confirmed_by": "dealer"}}, "wagers[0].verbal.confirmed_by"),
        ({"verbal": {"cash": True, "confirmed": []}}, "did you mean 'confirmed_by'?"),
        ({"amuont": 500}, "did you mean 'amount'?"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wager_that_cannot_be_read_names_its_field(changes: Made, field: str) -> None:
    assert field in unreadable(with_wager(**changes))


def test_sums_in_a_record_may_be_written_in_dollars_wherever_they_stand() -> None:
    made = full_table()

    def in_dollars(table: Made, *keys: str) -> Made:
        return {key: str(Cents(value)) if key in keys else value for key, value in table.items()}

    progressive = made["options"]["royal9"]
    sums = {key: in_dollars(progressive[key], "star", "spade", "heart") for key in ("meters", "seeds")}
    written = {
        **made,
        "wagers": [in_dollars(wager, "amount") for wager in made["wagers"]],
        "must_hit": in_dollars(made["must_hit"], "meter", "trigger"),
        "options": {**made["options"], "royal9": {**progressive, **sums}},
    }
    assert json.dumps(written).count("$") == 4 + 2 + 6
    assert answer(written) == answer(made)
    assert "wagers[0].amount: '5.00' is not a sum" in unreadable(with_wager(amount="5.00"))


def test_fractions_of_a_cent_are_told_what_money_is() -> None:
    money = 'a sum of money, at least one cent: whole cents, such as 2500, or a text, "$25.00"'
    assert unreadable(with_wager(amount=12.5)) == f"wagers[0].amount: 12.5 is not {money}"
    assert unreadable(with_wager(amount=0)) == f"wagers[0].amount: 0 is not {money}"
    for number in (float("nan"), float("inf"), -float("inf")):
        assert "not JSON" in unreadable(json.dumps(with_wager(amount=number)))
    huge = json.dumps(GOOD).replace("500", "9" * 5000)
    assert "wagers[0].amount" in unreadable(huge)
    assert "wagers[0].amount" in unreadable(json.dumps(GOOD).replace("500", "1e400"))
    assert "wagers[0].amount" in unreadable(json.dumps(GOOD).replace("500", "1e3"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ruleset": "ma-midi4"}, "ruleset: unknown edition 'ma-midi4'; did you mean 'ma-midi-4'?"),
        ({"ruleset": "MA-MIDI-4"}, "ruleset: unknown edition"),
        ({"ruleset": ""}, "ruleset: unknown edition"),
        ({"ruleset": 4}, "ruleset"),
        ({"wagers": {"1": "banker"}}, "wagers"),
        ({"wagers": None}, "wagers"),
        ({"cards": BANKER_WINS}, "cards"),
        ({"cards": ["7S", 9, "TH", "KC"]}, "cards[1]"),
        ({"cards": ["7S", "9D", "TH", "1C"]}, "cards[3]: no such card: '1C'"),
        ({"cards": ["7S", "9D", "TH", ""]}, "cards[3]: no such card: ''"),
        ({"cards": ["7S", "9D", "TH", "KX"]}, "cards[3]: no such card: 'KX'"),
        ({"cards": ["7S", "9D", "TH", "11C"]}, "cards[3]: no such card: '11C'"),
        ({"cards": []}, "cards: 0 do not finish the round"),
        ({"cards": ["7S", "9D", "TH"]}, "cards: 3 do not finish the round"),
        ({"cards": ["2S", "2D", "3H", "3C", "4S"]}, "cards: 5 do not finish the round"),
        ({"cards": ["7S", "9D", "TH"], "cards_left_in_shoe": 2}, "cards: 3 do not finish the round"),
        ({"cards_left_in_shoe": -1}, "cards_left_in_shoe"),
        ({"cards_left_in_shoe": 1.5}, "cards_left_in_shoe"),
        ({"card": ["7S"]}, "did you mean 'cards'?"),
        ({"options": None}, "options: expected an object"),
        ({"options": []}, "options: expected an object"),
        ({"options": "ez"}, "options: expected an object"),
        ({"options": {"tieodds": 8}}, "options.tieodds: no such option; did you mean 'tie_odds'?"),
        ({"options": {"colour": "red"}}, "options.colour: no such option"),
        ({"options": {"meters": {}}}, "options.meters: no such option"),
        ({"options": {"tieodds": 8, "decks": 5}}, "options.tieodds"),
        ({"options": {"royal9": {"paytable": 1, "meters": 7}}}, "options.royal9.meters: expected whole cents by meter"),
        ({"options": {"royal9": {"meters": {"star": 1.5}}}}, "options.royal9.meters.star: 1.5 is not a sum"),
        ({"options": {"royal9": {"meters": {"star": True}}}}, "options.royal9.meters.star: True is not a sum"),
        ({"kind": "simulated"}, "kind"),
        ({"must_hit": 7}, "must_hit"),
        ({"must_hit": {"meter": 1}}, "trigger"),
        ({"must_hit": {"meter": 1, "trigger": 1.5}}, "must_hit.trigger"),
        ({"must_hit": {"meter": 1, "trigger": 1, "lott": 0}}, "did you mean 'lot'?"),
        ({"id": True}, "id"),
        ({"id": [1]}, "id"),
        ({"wagger": []}, "did you mean 'wagers'?"),
    ],
)
def test_a_record_that_cannot_be_read_names_its_field(changes: Made, why: str) -> None:
    assert why in unreadable({**GOOD, **changes})


@pytest.mark.parametrize("place", ["type", "press"])
@pytest.mark.parametrize(
    ("written", "meant"), [("bankr", "banker"), ("Player", "player"), ("housemoney", "house_money"), ("xyzzy", None)]
)
def test_an_unknown_wager_is_offered_the_nearest_spelling(place: str, written: str, meant: str | None) -> None:
    why = unreadable(with_wager(**{place: written}))
    assert why.startswith(f"wagers[0].{place}: unknown wager {written!r}")
    assert (f"did you mean {meant!r}?" in why) is (meant is not None)


def test_options_in_another_tongue_are_unreadable_too() -> None:
    line = json.dumps(GOOD).encode().replace(b'"options": {}', b'"options": {"\xff": 1}')
    assert unreadable(line).startswith("options: not JSON")


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('{"id": "R1", "cards": 7}', "R1"), ('{"id": 12}', 12), ('{"id": true}', None), ('{"id": null}', None),
        ('{"id": [1]}', None), ("[]", None), ("{", None), (b"\xff", None), ("[" * 100_000, None), ("7", None),
    ],
    ids=str,
)  # fmt: skip
def test_the_id_of_an_unreadable_record_is_kept_where_it_has_one(line: bytes | str, name: str | int | None) -> None:
    assert id_of(line) == name


def test_null_and_silence_are_one() -> None:
    for edition in EDITIONS:
        made = record(edition, BANKER_WINS, "1 banker 1200", "2 banker 1200", "1 tie 100")
        plain = answer(made)
        for key in ("vig_rate", "vig_rounding", "vig_collection", "tie_odds", "seats", "seat_one", "dragon_paytable"):
            assert answer({**made, "options": {key: None}}) == plain
    nj = record("nj-punto-banco", BANKER_WINS, "1 banker 1200")
    for key in ("settlement_option", "reveal", "no_commission", "total_card_wagers"):
        assert answer({**nj, "options": {key: None}}) == answer(nj)


# -------------------------------------------------------------------------------- what breaks a rule


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_seat_that_is_not_there_is_refused(edition: str) -> None:
    most = 14 if edition == "nj-punto-banco" else 9
    for seat in (0, -1, most + 1, 10**20):
        found = refused(edition, BANKER_WINS, "1 player 100", f"{seat} banker 100")
        paragraph = "3.6(b)" if edition == "nj-punto-banco" else "2(a)"
        assert (found["code"], found["cites"]) == ("no_such_seat", [f"{edition} §{paragraph}"])
        assert f"seats 1 to {most}" in found["say"]
    assert played(edition, BANKER_WINS, f"{most} banker 100")
    assert refused(edition, BANKER_WINS, "4 banker 100", seats=3)["code"] == "no_such_seat"


@pytest.mark.clause("MA:2(a).1", "NJ:3.6(b).1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_2_a_seats_are_numbered_up_to_the_number_that_the_table_has(edition: str) -> None:
    most = 30 if edition == "nj-punto-banco" else 9  # New Jersey names no number
    assert played(edition, BANKER_WINS, f"{most} banker 100", seats=most)
    assert refused(edition, BANKER_WINS, f"{most} banker 100", seats=most - 1)["code"] == "no_such_seat"
    wrong: list[Any] = [0, -1, 7.0, "7", True] + ([] if edition == "nj-punto-banco" else [10])
    for seats in wrong:
        assert refused(edition, BANKER_WINS, "1 banker 100", seats=seats)["code"] == "invalid_submission"


@pytest.mark.clause("MA:3(a).1", "NJ:3.1(a).1")
@pytest.mark.parametrize("edition", EDITIONS)
def test_3_a_six_decks_or_more_and_no_card_more_often_than_there_are_decks(edition: str) -> None:
    paragraph = "3.1(a)" if edition == "nj-punto-banco" else "3(a)"
    for decks in (5, 0, -6, 6.0, "6", True):
        found = refused(edition, BANKER_WINS, "1 banker 100", decks=decks)
        assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §{paragraph}"])
    sevens = " ".join(["7S"] * 7)
    for enough in (7, 8, None):
        assert played(edition, sevens, decks=enough)["outcome"] == "tie"
    found = refused(edition, sevens, decks=6)
    assert (found["code"], found["cites"]) == ("impossible_cards", [f"{edition} §{paragraph}"])


@pytest.mark.parametrize(
    ("edition", "options", "paragraphs"),
    [
        ("ma-midi-4", {"ez": True, "vig_rate": 5}, ["12(c)"]),
        ("ma-midi-4", {"ez": True, "vig_collection": "deferred"}, ["12(d)", "12(d)(1)", "12(d)(2)"]),
        ("nj-punto-banco", {"no_commission": ["six_half", "total_card_exempt"]}, ["3.3(e)"]),
        ("nj-punto-banco", {"no_commission": "both"}, ["3.3(e)"]),
        ("ma-midi-1", {"tie_odds": 7}, ["12(b)"]),
        ("nj-punto-banco", {"tie_odds": 7}, ["3.3(b)"]),
        ("ma-midi-2", {"vig_rate": 4}, ["12(c)"]),
        ("nj-punto-banco", {"vig_rate": 3}, ["3.3(c)", "3.3(d)"]),
        ("ma-midi-3", {"decks": 5}, ["3(a)"]),
        ("ma-midi-4", {"ez": "yes"}, ["1 EZ Baccarat"]),
        ("ma-midi-4", {"ez": 1}, ["1 EZ Baccarat"]),
        ("ma-midi-4", {"seats": "nine"}, ["2(a)"]),
        ("ma-midi-4", {"seat_one": "left"}, ["2(a)"]),
        ("ma-midi-4", {"limits": 7}, ["7(b)"]),
        ("ma-midi-4", {"limits": {"player": {"mim": 1}}}, ["7(b)"]),
        ("ma-midi-4", {"royal9": True}, ["12(i)"]),
        ("ma-midi-4", {"royal9": {"combo": {}}}, ["12(i)"]),
        ("ma-midi-1", {"royal9": {"paytable": "1"}}, ["12(i)"]),
        ("ma-midi-4", {"decks": 5, "tie_odds": 7, "seats": 10}, ["3(a)", "12(b)", "2(a)"]),
    ],
)
def test_elections_that_the_document_does_not_admit_are_refused_with_their_clauses(
    edition: str, options: Made, paragraphs: list[str]
) -> None:
    found = refused(edition, BANKER_WINS, "1 banker 500", **options)
    assert found["code"] == "invalid_submission"
    assert set(found["cites"]) == {f"{edition} §{paragraph}" for paragraph in paragraphs}
    assert all(key in found["say"] for key in options), "every fault at once, each with its key"


def test_an_option_of_another_document_is_refused_with_the_clause_it_belongs_to() -> None:
    found = refused("ma-midi-4", BANKER_WINS, "1 banker 500", no_commission="six_half")
    assert (found["code"], found["cites"]) == ("invalid_submission", ["nj-punto-banco §3.3(e)"])
    found = refused("nj-punto-banco", BANKER_WINS, "1 banker 500", any_two="own_chair")
    assert found["cites"] == ["ma-midi-1 §12(i)", "ma-midi-2 §12(i)"]
    assert played("nj-punto-banco", BANKER_WINS, "1 banker 500", ez=False), "not doing what is unknown is no fault"


@pytest.mark.parametrize("combos", [{"4": "CC"}, {"4": "SH"}])
@pytest.mark.parametrize("edition", ["ma-midi-3", "ma-midi-4"])
def test_a_king_9_combination_suited_or_twice_is_refused(edition: str, combos: Made) -> None:
    option = royal9(edition, seats=6)
    found = refused(edition, BANKER_WINS, "1 banker 500", royal9={**option, "combos": {**option["combos"], **combos}})
    assert (found["code"], found["cites"]) == ("invalid_submission", [f"{edition} §12(i)"])
    assert "royal9.combos.4" in found["say"]


# ---------------------------------------------------------------------------------------- precedence

ORDER = [
    "invalid_submission", "impossible_cards", "free_hand_not_offered", "free_hand_with_wagers", "surplus_cards",
    "no_such_seat", "no_such_wager", "not_offered", "twice", "fixed_stake", "below_minimum", "above_maximum",
    "off_increment", "no_base_wager", "opposite_bets", "press", "coupon", "verbal", "aggregate_payout",
    "press_above_maximum", "no_meters", "must_hit",
]  # fmt: skip
LIMIT = {"min": 1_000, "max": 100_000, "increment": 100}


def full_table() -> Made:
    """A round of the fourth edition with everything on offer, and nothing wrong; the Player has a pair."""
    made = record(
        "ma-midi-4", "QS 7D QH KC 8S", "1 player 1000", "1 house_money 1000 press=player", "1 tie 1000", "1 royal9 500",
        decks=8, house_money=True, free_hand=True, opposite_bets=False, press_over_max=False,
        limits=dict.fromkeys(("player", "banker", "tie", "house_money"), LIMIT), royal9=royal9("ma-midi-4"),
        must_hit={"start": 1_000, "ceiling": 2_000, "contribution": 25},
    )  # fmt: skip
    return {**made, "must_hit": {"meter": 1_200, "trigger": 2_000}}


def adds(*texts: str, **options: Any) -> Callable[[Made], None]:
    """A fault made by wagers beside those that are there, under these elections."""

    def break_it(made: Made) -> None:
        made["wagers"] += [wager(text) for text in texts]
        made["options"] |= options

    return break_it


def adds_cards(*cards: str, **fields: Any) -> Callable[[Made], None]:
    """A fault made by cards behind those of the round."""
    return lambda made: made.update(cards=[*made["cards"], *cards], **fields)


def sets(**fields: Any) -> Callable[[Made], None]:
    """A fault made by other fields of the record."""
    return lambda made: made.update(fields)


def _free_hand_unoffered(made: Made) -> None:
    made["kind"] = "free_hand"
    made["options"]["free_hand"] = False


def _spoken(made: Made) -> None:
    made["wagers"].append({**wager("6 tie 1000"), "verbal": {"cash": False, "confirmed_by": ["dealer"]}})


def _aggregate(made: Made) -> None:
    made["options"]["limits"] = {**made["options"]["limits"], "tie": {**LIMIT, "aggregate_payout": 1}}


def _without_meters(made: Made) -> None:
    made["options"]["royal9"] = {key: value for key, value in made["options"]["royal9"].items() if key != "meters"}


FAULTS: dict[str, Callable[[Made], None]] = {
    "invalid_submission": adds(tie_odds=7),
    "impossible_cards": adds_cards(*["AS"] * 9),
    "free_hand_not_offered": _free_hand_unoffered,
    "free_hand_with_wagers": sets(kind="free_hand"),
    "surplus_cards": adds_cards("2C", rest_of_shoe=False),
    "no_such_seat": adds("99 tie 1000"),
    "no_such_wager": adds("2 total4 1000"),
    "not_offered": adds("2 panda8 1000"),
    "twice": adds("1 tie 1000"),
    "fixed_stake": adds("2 tie 1000", "2 royal9 600"),
    "below_minimum": adds("3 tie 900"),
    "above_maximum": adds("4 tie 100100"),
    "off_increment": adds("5 tie 1050"),
    "no_base_wager": adds("3 royal9 500"),
    "opposite_bets": adds("1 banker 1000"),
    "press": adds("4 house_money 1000 press=banker"),
    "coupon": adds("5 banker 1000 coupon=900"),
    "verbal": _spoken,
    "aggregate_payout": _aggregate,
    "press_above_maximum": adds("7 player 99000", "7 house_money 1000 press=player"),
    "no_meters": _without_meters,
    "must_hit": sets(must_hit={"meter": 1_200, "trigger": 2_001}),
}


def broken(*codes: str) -> Made:
    """The full table with these faults."""
    made = full_table()
    for code in codes:
        FAULTS[code](made)
    return made


def test_the_reasons_of_refusal_stand_in_their_order_of_precedence() -> None:
    of_a_round = [code.value for code in RefusalCode if code.value in FAULTS]
    assert of_a_round == ORDER == list(FAULTS)
    assert [check.__name__ for check in admission.CHECKS] == [
        "refuse_unknown_seat", "refuse_unknown_wager", "refuse_unoffered_wager", "refuse_second_wager",
        "refuse_fraction_of_cent", "refuse_other_stake", "refuse_below_minimum", "refuse_above_maximum",
        "refuse_off_increment", "refuse_without_base_wager", "refuse_opposite_wagers", "refuse_press",
        "refuse_coupon", "refuse_verbal_wager", "refuse_above_aggregate",
    ]  # fmt: skip


@pytest.mark.parametrize("stake", [0, -1, -500, True, 1.5, "500"])
@pytest.mark.parametrize("edition", EDITIONS)
def test_a_stake_that_no_record_could_hold_is_refused_by_the_api_too(edition: str, stake: Any) -> None:
    rules = rules_of(record(edition, BANKER_WINS))
    coup = deal(rules, "7s 9d Th Kc")
    found = settle(rules, coup, [Wager(seat=1, on=WagerKind.BANKER, stake=stake)])
    assert isinstance(found, Refused)
    assert found.code is RefusalCode.WHOLE_CENTS
    assert found.cites


def test_the_full_table_has_nothing_wrong() -> None:
    assert answer(full_table())["net_by_seat"]


@pytest.mark.parametrize("first", ORDER[:-1])
def test_what_the_must_hit_meter_shows_is_asked_for_last(first: str) -> None:
    made = broken(first)
    del made["must_hit"]
    assert refusal_of(made)["code"] == first


@pytest.mark.parametrize("code", ORDER)
def test_each_fault_alone_is_the_reason(code: str) -> None:
    assert refusal_of(broken(code))["code"] == code


@pytest.mark.parametrize("first", ORDER[:-1])
def test_of_two_faults_the_first_in_order_is_the_reason(first: str) -> None:
    for second in ORDER[ORDER.index(first) + 1 :]:
        assert refusal_of(broken(first, second))["code"] == first, (first, second)
        assert refusal_of(broken(second, first))["code"] == first, (second, first)


# ------------------------------------------------------------------------------------------- fuzzing

numbers = st.integers(-(10**17), 10**17) | st.floats(allow_nan=False, allow_infinity=False)
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=4,
)
"""Any value that JSON can write."""


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a record, from the outside in."""
    if path:
        yield path
    if isinstance(node, dict):
        for key, value in node.items():
            yield from places(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from places(value, (*path, index))


@pytest.mark.slow
@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(made=records(), data=st.data())
def test_whatever_stands_at_any_place_of_a_record_it_is_answered(made: Made, data: st.DataObject) -> None:
    """Settled, refused with a clause, or unreadable; never anything else."""
    made = copy.deepcopy(made)
    *way, last = data.draw(st.sampled_from(sorted(places(made), key=str)))
    node: Any = made
    for step in way:
        node = node[step]
    node[last] = data.draw(anything)
    try:
        told = settle_record(read(msgspec.json.encode(made)))
    except UnreadableRecord:
        return
    if "refused" in told:
        assert told["refused"]["cites"]
        assert told["refused"]["code"] in ORDER
    else:
        assert told["outcome"] in ("player", "banker", "tie")


@given(st.binary(max_size=40) | st.text(max_size=40))
def test_no_line_of_bytes_is_a_crash(line: bytes | str) -> None:
    assert unreadable(line)
