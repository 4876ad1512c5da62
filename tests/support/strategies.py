"""What the tests of play are made of: rounds written in one line, and Hypothesis strategies for whole records."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import product
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from baccarat.cards import Card
from baccarat.law.rulebook import Rulebook
from baccarat.play.coup import Coup, deal
from baccarat.play.record import read, rulebook_of, settle_record
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from second_settlement import banker_draws, player_draws

MASSACHUSETTS = ("ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4")
EARLY, LATE = MASSACHUSETTS[:2], MASSACHUSETTS[2:]
NEW_JERSEY = "nj-punto-banco"
EDITIONS = (*MASSACHUSETTS, NEW_JERSEY)

KING_9 = {"1": "SH", "2": "SD", "3": "CH", "4": "CD", "5": "HS", "6": "HC", "7": "DS"}
"""King's suit and nine's suit by seat: the template of reading A-19, and chairs 1 to 7 of the early editions."""
CHAIRS = {**KING_9, "8": "DC", "9": "DH"}
"""The suits printed at the nine chairs of the early editions."""

RANKS, SUITS = "A23456789TJQK", "SHDC"
CODES = [rank + suit for suit in SUITS for rank in RANKS]

# ------------------------------------------------------------------------------- a round in one line


def wager(text: str) -> dict[str, Any]:
    """The wager that `text` writes: seat, type, cents, then what else, e.g. `2 house_money 1000 press=banker`."""
    seat, kind, amount, *more = text.split()
    made: dict[str, Any] = {"seat": int(seat), "type": kind, "amount": int(amount)}
    for word in more:
        key, _, value = word.partition("=")
        made[key] = int(value) if value.isdigit() else value
    return made


def record(ruleset: str, cards: str, *wagers: str, **options: Any) -> dict[str, Any]:
    """A round record: the top of a shoe in dealing order, wagers as `wager` reads them, elections by name."""
    return {
        "id": "round",
        "ruleset": ruleset,
        "cards": cards.upper().split(),
        "rest_of_shoe": True,
        "wagers": [wager(text) for text in wagers],
        "options": options,
    }


def answer(made: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a record, through JSON as it would come by the door."""
    return settle_record(read(msgspec.json.encode(made)))


def played(ruleset: str, cards: str, *wagers: str, **options: Any) -> dict[str, Any]:
    """The answer to the record that these words write; it must not be a refusal."""
    told = answer(record(ruleset, cards, *wagers, **options))
    assert "refused" not in told, told
    return told


def rules_of(made: Mapping[str, Any]) -> Rulebook:
    """The rulebook that a record implies."""
    rules = rulebook_of(read(msgspec.json.encode(made)))
    assert not isinstance(rules, Refused), rules
    return rules


def coup_of(ruleset: str, cards: str, **options: Any) -> Coup:
    """A round dealt under these elections."""
    made = record(ruleset, cards, **options)
    return deal(rules_of(made), map(Card.parse, made["cards"]), rest_of_shoe=True)


def cited(ruleset: str, cards: str, kind: str, stake: int = 1000, **options: Any) -> list[str]:
    """The paragraphs that the end of one wager cites."""
    coup = coup_of(ruleset, cards, **options)
    return [cite.paragraph for cite in coup.settle(WagerKind(kind), stake).cites]


def line(told: Mapping[str, Any], kind: str, seat: int = 1) -> dict[str, Any]:
    """The one line of an answer for a seat's wager."""
    (found,) = [each for each in told["wagers"] if each["type"] == kind and each["seat"] == seat]
    assert isinstance(found, dict)
    return found


def refused(ruleset: str, cards: str, *wagers: str, **options: Any) -> dict[str, Any]:
    """The refusal of the record that these words write; it says why, and cites at least one clause."""
    return refusal_of(record(ruleset, cards, *wagers, **options))


def refusal_of(made: Mapping[str, Any]) -> dict[str, Any]:
    """The refusal of a record."""
    told = answer(made)
    assert set(told) == {"id", "refused"}, told
    assert told["id"] == made.get("id")
    found = told["refused"]
    assert isinstance(found, dict)
    assert set(found) == {"code", "say", "cites"}
    assert found["say"]
    assert found["cites"], "no refusal without a clause"
    return found


@cache
def endings() -> dict[tuple[int, int, int, int, int], str]:
    """Cards for every way in which a round can end: final counts, numbers of cards, opening pairs."""
    code = {0: "K", 1: "A", **{pips: str(pips) for pips in range(2, 10)}}
    found: dict[tuple[int, int, int, int, int], str] = {}
    unlike = [(1, 9), *((0, count) for count in range(1, 10))]
    opening = [*unlike, *((value, value) for value in range(5))]
    for one, two in product(opening, repeat=2):
        player, banker = sum(one) % 10, sum(two) % 10
        pairs = (one[0] == one[1]) + (two[0] == two[1])
        drew = player_draws(player, banker)
        for fifth, sixth in product(range(10), repeat=2):
            draws = banker_draws(player, banker, fifth if drew else None)
            p, b = player + fifth * drew, banker + (sixth if drew else fifth) * draws
            values = (one[0], two[0], one[1], two[1], fifth, sixth)
            cards = " ".join(code[value] + "SHDCSH"[place] for place, value in enumerate(values))
            found.setdefault((p % 10, b % 10, 2 + drew, 2 + draws, pairs), cards)
    return found


def ending(player: int, banker: int, player_cards: int = 0, banker_cards: int = 0, *, pairs: int = 0) -> str:
    """Cards for a round that ends with these counts; nought leaves the number of cards open."""
    for (p, b, of_p, of_b, found), cards in endings().items():
        wanted = (player, banker, player_cards or of_p, banker_cards or of_b, pairs)
        if wanted == (p, b, of_p, of_b, found):
            return cards
    raise AssertionError(f"no round ends so: {player}, {banker}, {player_cards}, {banker_cards}, {pairs}")


def alike(told: dict[str, Any]) -> dict[str, Any]:
    """An answer without its clauses, what is free in one form: order of losers, case of calls, award and pay."""
    steps = [[step[0], sorted(step[1])] if step[0] == "collect_losing_wagers" else step for step in told["settlement"]]
    for place in range(1, len(steps)):
        first, second = steps[place - 1], steps[place]
        if (first[0], second[0]) == ("royal9_award", "pay") and first[1] == second[1]:
            steps[place - 1], steps[place] = second, first
    calls = [
        {key: said.lower() if key == "say" else said for key, said in call.items()} for call in told["announcements"]
    ]
    plain = {key: value for key, value in told.items() if key != "cites"}
    return {**plain, "settlement": steps, "announcements": calls}


def royal9(ruleset: str, *, paytable: int = 1, seats: int = 7, **meters: int) -> dict[str, Any]:
    """The option `royal9` of a record, its meters at their seeds unless said otherwise."""
    if ruleset in EARLY:
        shown = {"major": 5_000_000 if paytable == 1 else 2_500_000, "k9_banker": 35_000, "k9_player": 35_000}
        return {"paytable": paytable, "meters": {**shown, **meters}}
    seeds = {"star": 5_000_000, "spade": 35_000, "heart": 35_000}
    return {
        "combos": {seat: suits for seat, suits in KING_9.items() if int(seat) <= seats},
        "seeds": seeds,
        "rates_bp": {"star": 900, "spade": 500, "heart": 500},
        "meters": {**seeds, **meters},
    }


# ----------------------------------------------------------------------------------------- strategies

cents = st.one_of(st.integers(1, 2_000), st.integers(1, 100_000), st.sampled_from([100, 500, 2_500, 10_000]))
"""Stakes, odd cents included."""


def odds(floor: int) -> SearchStrategy[int | str]:
    """Odds of `floor` to one or better, as a number or in words."""
    words = st.integers(floor * 2, floor * 2 + 9).map(lambda to: f"{to} to 2")
    return st.one_of(st.integers(floor, floor + 4), words)


def some(of: Mapping[str, SearchStrategy[Any]]) -> SearchStrategy[dict[str, Any]]:
    """Any part of these options, the rest left to what silence means."""
    return st.fixed_dictionaries({}, optional=dict(of))


MAIN: dict[str, SearchStrategy[Any]] = {
    "decks": st.sampled_from([6, 8]),
    "seat_one": st.sampled_from(["dealer_left", "dealer_right"]),
    "tie_odds": odds(8),
    "opposite_bets": st.booleans(),
    "match_play": st.booleans(),
    "verbal_wagers": st.booleans(),
}
VIGORISH: dict[str, SearchStrategy[Any]] = {
    "vig_rounding": st.booleans(),
    "vig_collection": st.sampled_from(["at_payout", "deferred"]),
}
FLOORS = {
    "A": {"win_by_9": 30, "win_by_8": 10, "win_by_7": 6, "win_by_6": 4, "win_by_5": 2, "win_by_4": 1, "natural": 1},
    "B": {"win_by_9": 20, "win_by_8": 8, "win_by_7": 7, "win_by_6": 4, "win_by_5": 3, "win_by_4": 1, "natural": 1},
    "C": {"win_by_9": 30, "win_by_8": 10, "win_by_7": 4, "win_by_6": 4, "win_by_5": 2, "win_by_4": 2, "natural": 1},
}
"""The pay tables of the Dragon Bonus, the same in every edition, all odds to one."""


@st.composite
def dragon_bonus(draw: DrawFn, ruleset: str) -> dict[str, Any]:
    """The Dragon Bonus offered, on its terms."""
    table = draw(st.sampled_from("ABC"))
    made = {"dragon_bonus": True, "dragon_paytable": table, "bonus_base_required": draw(st.booleans())}
    if ruleset == NEW_JERSEY and draw(st.booleans()):
        made["dragon_odds"] = draw(some({row: odds(floor) for row, floor in FLOORS[table].items()}))
    return made


@st.composite
def progressive(draw: DrawFn, ruleset: str) -> dict[str, Any]:
    """Royal 9 offered, on any terms that the edition and its readings leave open, within the five dollars."""
    share = st.integers(0, 10_000)
    made: dict[str, Any] = draw(some({"royal9_return_stake": st.booleans(), "reserve_share_bp": share}))
    if ruleset in EARLY:
        readings = {
            "any_two": st.sampled_from(["own_chair", "other_chair_identical", "any_posted"]),
            "partial_refill_to_seed": st.booleans(),
        }
        names, taken = ("major", "k9_banker", "k9_player"), 1_960
        made |= draw(some(readings)) | {"decks": 8, "royal9": {"paytable": draw(st.sampled_from([1, 2]))}}
    else:
        names = ("star", "spade", "heart")
        seats = draw(st.sampled_from([6, 7]))
        pairs = [first + second for first in SUITS for second in SUITS if first != second]
        combos = draw(st.one_of(st.just(list(KING_9.values())), st.permutations(pairs)))[:seats]
        rates = {name: draw(st.sampled_from([0, 1, 500, 900, 3_333])) for name in names}
        taken = sum(rates.values())
        made["seats"] = seats
        made["royal9"] = {
            "combos": {str(seat): suits for seat, suits in enumerate(combos, start=1)},
            "seeds": {name: draw(st.integers(1, 6_000_000)) for name in names},
            "rates_bp": rates,
        }
    if draw(st.booleans()):
        made["secondary_seed_bp"] = draw(st.integers(0, 10_000 - taken))
        taken += made["secondary_seed_bp"]
    if ruleset in LATE and draw(st.booleans()):
        start, left = draw(st.integers(1, 100_000)), 500 * (10_000 - taken) // 10_000
        ceiling = start + draw(st.integers(1, 50_000))
        made["must_hit"] = {"start": start, "ceiling": ceiling, "contribution": draw(st.integers(0, left))}
    made["royal9"]["meters"] = {name: draw(st.integers(0, 9_000_000)) for name in names}
    return made


@st.composite
def elections(draw: DrawFn, ruleset: str) -> dict[str, Any]:
    """Any elections of a round record that the edition admits: every option that a round decides."""
    made: dict[str, Any] = draw(some(MAIN))
    seats = draw(st.integers(1, 14 if ruleset == NEW_JERSEY else 9))
    if draw(st.booleans()):
        made |= draw(dragon_bonus(ruleset))
    if ruleset == NEW_JERSEY:
        made |= draw(_new_jersey())
    else:
        made |= draw(_massachusetts(ruleset))
    if draw(st.booleans()):
        made.setdefault("seats", seats)
    if draw(st.integers(0, 3)) == 0:
        made["limits"] = draw(posted_limits(ruleset, made))
    return made


@st.composite
def _massachusetts(draw: DrawFn, ruleset: str) -> dict[str, Any]:
    made: dict[str, Any] = {"ez": draw(st.booleans())}
    if not made["ez"]:
        made |= draw(some({**VIGORISH, "vig_rate": st.just(5)}))
    elif draw(st.booleans()):
        made["insurance_base_required"] = draw(st.booleans())
    if draw(st.booleans()):
        part = st.sampled_from([[1, 1], [1, 2], [2, 3], [3, 7], [2, 4]])
        made |= {"house_money": True} | draw(some({"house_money_portion": part, "press_over_max": st.booleans()}))
    if draw(st.booleans()):
        made |= draw(progressive(ruleset))
    return made


@st.composite
def _new_jersey(draw: DrawFn) -> dict[str, Any]:
    free = draw(st.sampled_from([None, "six_half", "total_card_exempt"]))
    made: dict[str, Any] = draw(some({"settlement_option": st.integers(1, 4)}))
    made["no_commission"] = free
    if free != "six_half":
        made |= draw(some({**VIGORISH, "vig_rate": st.sampled_from([4, 5])}))
    if free == "total_card_exempt" or draw(st.booleans()):
        made["total_card_wagers"] = True
    made["reveal"] = draw(st.sampled_from(["face_up", "face_down"]))
    if made["reveal"] == "face_down":
        made |= draw(some({"allow_other_side": st.booleans()}))
    return made


def offered(ruleset: str, made: Mapping[str, Any]) -> list[str]:
    """The wagers that these elections offer."""
    kinds = ["player", "banker", "tie"]
    if made.get("dragon_bonus"):
        kinds += ["dragon_player", "dragon_banker"]
    if made.get("ez"):
        kinds += ["dragon7", "panda8"]
    if made.get("house_money"):
        kinds.append("house_money")
    if made.get("total_card_wagers"):
        kinds += ["total4", "total5", "total6"]
    if made.get("royal9"):
        kinds.append("royal9")
    return kinds


@st.composite
def posted_limits(draw: DrawFn, ruleset: str, made: Mapping[str, Any]) -> dict[str, Any]:
    """Posted limits of every wager offered, with wide maxima."""
    posted = {}
    for kind in offered(ruleset, made):
        if kind != "royal9":
            increment = draw(st.sampled_from([1, 5, 100]))
            least = increment * draw(st.integers(1, 5))
            posted[kind] = {"min": least, "max": increment * 10**9, "increment": increment}
            if draw(st.booleans()):
                posted[kind]["aggregate_payout"] = 10**12
    return posted


@st.composite
def cards(draw: DrawFn, combos: Mapping[str, str] | None = None) -> list[str]:
    """Six cards in dealing order; where Royal 9 is played, often courts with nines, posted combinations above all."""
    made = draw(st.lists(st.sampled_from(CODES), min_size=6, max_size=6))
    manner = draw(st.sampled_from(["any", "pairs", "royal", "posted"]))
    if manner == "pairs":
        made[2] = made[0][0] + draw(st.sampled_from(SUITS))
        made[3] = draw(st.sampled_from([made[1][0], made[3][0]])) + draw(st.sampled_from(SUITS))
    elif combos is not None and manner in ("royal", "posted"):
        for first, second in ((0, 2), (1, 3)):
            suited = st.sampled_from(SUITS).map(lambda suit: suit * 2)
            suits = draw(suited if manner == "royal" else st.sampled_from(list(combos.values())))
            hand = [draw(st.sampled_from("KKQJ")) + suits[0], "9" + suits[1]]
            made[first], made[second] = draw(st.permutations(hand))
        if draw(st.booleans()):
            made[1], made[3] = made[0], made[2]
    return made


@st.composite
def wagers(draw: DrawFn, ruleset: str, made: Mapping[str, Any], seats: int) -> list[dict[str, Any]]:
    """Wagers that these elections admit, in any order."""
    kinds = [kind for kind in offered(ruleset, made) if kind != "royal9"]
    limits = made.get("limits", {})
    placed: list[dict[str, Any]] = []
    for seat in draw(st.lists(st.integers(1, seats), max_size=4, unique=True)):
        chosen = draw(st.lists(st.sampled_from(kinds), max_size=4, unique=True))
        if made.get("opposite_bets") is False and "player" in chosen and "banker" in chosen:
            chosen.remove(draw(st.sampled_from(["player", "banker"])))
        sides = {"dragon_player", "dragon_banker"} & set(chosen)
        if made.get("bonus_base_required") and sides and not {"player", "banker"} & set(chosen):
            chosen.append(draw(st.sampled_from(["player", "banker"])))
        main = {"player", "banker", "tie"} & set(chosen)
        if made.get("insurance_base_required") and {"dragon7", "panda8"} & set(chosen) and not main:
            chosen.append("tie")
        placed += [draw(_wager(made, seat, kind, chosen, limits.get(kind))) for kind in chosen]
        if "royal9" in made and {"player", "banker", "tie"} & set(chosen) and draw(st.booleans()):
            placed.append({"seat": seat, "type": "royal9", "amount": 500})
    return draw(st.permutations(placed))


@st.composite
def _wager(
    draw: DrawFn, made: Mapping[str, Any], seat: int, kind: str, beside: list[str], limit: Mapping[str, int] | None
) -> dict[str, Any]:
    amount = draw(cents)
    if limit is not None:
        amount = max(limit["min"], amount - amount % limit["increment"])
    placed: dict[str, Any] = {"seat": seat, "type": kind, "amount": amount}
    hands = [hand for hand in ("player", "banker") if hand in beside]
    if kind == "house_money" and hands and draw(st.booleans()):
        placed["press"] = draw(st.sampled_from(hands))
    if kind in ("player", "banker") and made.get("match_play", True) and draw(st.integers(0, 4)) == 0:
        placed["coupon"] = amount
    if made.get("verbal_wagers", True) and draw(st.integers(0, 4)) == 0:
        placed["verbal"] = {"cash": True, "confirmed_by": ["dealer", "casino supervisor"]}
    return placed


@st.composite
def records(draw: DrawFn, editions: tuple[str, ...] = EDITIONS) -> dict[str, Any]:
    """Whole records of every edition and any elections, whose wagers are admissible."""
    ruleset = draw(st.sampled_from(editions))
    made = draw(elections(ruleset))
    seats = made.get("seats", 14 if ruleset == NEW_JERSEY else 9)
    combos = None
    if "royal9" in made:
        combos = made["royal9"].get("combos", CHAIRS)
    told: dict[str, Any] = {
        "id": "random",
        "ruleset": ruleset,
        "options": made,
        "cards": draw(cards(combos)),
        "rest_of_shoe": True,
    }
    told["wagers"] = draw(wagers(ruleset, made, seats))
    if "must_hit" in made:
        told["must_hit"] = draw(must_hit_state(made["must_hit"], told["wagers"]))
    return told


@st.composite
def must_hit_state(draw: DrawFn, law: Mapping[str, int], placed: list[dict[str, Any]]) -> dict[str, int]:
    """The Must Hit meter before the round, near its trigger as often as not, and the lot."""
    trigger = draw(st.integers(law["start"], law["ceiling"]))
    meter = draw(st.one_of(st.integers(law["start"], trigger), st.just(trigger)))
    taking_part = sum(each["type"] == "royal9" for each in placed)
    return {"meter": meter, "trigger": trigger, "lot": draw(st.integers(0, max(0, taking_part - 1)))}
