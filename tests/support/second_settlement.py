"""A second, slow settlement, written from the documents and readings and not from the package.

It takes a record of the exchange format, with admissible wagers and enough cards, and gives the answer that the
format asks for. Nothing here is shared with `src`: its odds, tables and orders are written down once more.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Any

Record = dict[str, Any]

VALUES = {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0, **{str(pips): pips for pips in range(2, 10)}}

DRAGON = {
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1, "natural": 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1, "natural": 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2, "natural": 1},
}

CHAIRS = {1: "SH", 2: "SD", 3: "CH", 4: "CD", 5: "HS", 6: "HC", 7: "DS", 8: "DC", 9: "DH"}

PRIZES = {
    "Other Personal King-9 vs. Identical King-9": 500_000,
    "Suited Royal 9 Tie Hand": 150_000,
    "Suited Royal 9 vs. Suited Royal 9": 150_000,
    "Royal 9 Tie Hand": 25_000,
    "Royal 9 vs. Royal 9": 25_000,
    "Any Suited Royal 9": 5_000,
    "Any Royal 9": 2_500,
}

# ------------------------------------------------------------------------------------ the third card


def count(cards: list[str]) -> int:
    """Massachusetts 6, New Jersey 3.1(b) and (c)."""
    return sum(VALUES[card[0]] for card in cards) % 10


def player_draws(player: int, banker: int) -> bool:
    """Massachusetts 10(a) and (b), New Jersey 3.9(a) and (b) as restored, on two-card counts."""
    if player >= 8 or banker >= 8:
        return False
    return player < 6


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Massachusetts 10(a) and (c), New Jersey 3.9(a) and (c) as restored; `third` is the Player's third card."""
    if player >= 8 or banker >= 8:
        return False
    if third is None:
        return banker <= 5
    if banker < 3:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 4 <= third <= 7
    if banker == 6:
        return third in (6, 7)
    return False


def hands(cards: list[str]) -> tuple[list[str], list[str]]:
    """The two hands as dealt; there are cards enough."""
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    p, b, third = count(player), count(banker), None
    rest = cards[4:]
    if player_draws(p, b):
        third = VALUES[rest[0][0]]
        player.append(rest.pop(0))
    if banker_draws(p, b, third):
        banker.append(rest.pop(0))
    return player, banker


# -------------------------------------------------------------------------------------- one settlement


class Second:
    """One record on its way to the answer."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.edition: str = record["ruleset"]
        self.massachusetts = self.edition.startswith("ma-")
        self.options = {key: value for key, value in record.get("options", {}).items() if value is not None}
        self.wagers: list[dict[str, Any]] = record["wagers"]
        self.ez = self.options.get("ez", False)
        self.player, self.banker = hands(record["cards"])
        self.p, self.b = count(self.player), count(self.banker)
        self.p_natural = len(self.player) == 2 and self.p >= 8 and len(self.banker) == 2
        self.b_natural = len(self.banker) == 2 and self.b >= 8 and len(self.player) == 2
        self.dragon7 = self.b == 7 and len(self.banker) == 3 and self.p < 7
        self.panda8 = self.p == 8 and len(self.player) == 3 and self.b < 8
        self.dealt = len(self.player) + len(self.banker)
        self.pressed: dict[tuple[int, str], int] = {}

    def answer(self) -> dict[str, Any]:
        """Everything that the exchange format tells of a round."""
        outcome = "tie" if self.p == self.b else "player" if self.p > self.b else "banker"
        early = self.house_money()
        royal = self.royal9()
        lines = [self.line(wager, royal) for wager in self.wagers]
        told: dict[str, Any] = {
            "player_hand": self.player,
            "banker_hand": self.banker,
            "player_count": self.p,
            "banker_count": self.b,
            "player_natural": self.p_natural,
            "banker_natural": self.b_natural,
            "cards_dealt": self.dealt,
            "outcome": outcome,
            "dragon7": self.dragon7,
            "panda8": self.panda8,
            "announcements": self.calls(outcome),
            "wagers": lines,
            "net_by_seat": {},
            "settlement": self.order(lines),
        }
        for seat in sorted({wager["seat"] for wager in self.wagers}):
            told["net_by_seat"][str(seat)] = sum(line["net"] for line in lines if line["seat"] == seat)
        if self.massachusetts or self.options.get("reveal", "face_down") == "face_down":
            told["handed_to"] = {"player_hand": self.turns("player"), "banker_hand": self.turns("banker")}
        if early:
            told["house_money_steps"] = early
        if royal is not None:
            told["meters_after_contributions"] = {name: floor(value) for name, value in royal["contributed"].items()}
            told["meters_after_round"] = {name: floor(value) for name, value in royal["after"].items()}
            if royal["reserve"]:
                told["reserve_micro_cents"] = royal["reserve"] * 1_000_000
        if "must_hit" in self.record:
            told["must_hit"] = end = self.must_hit(told["net_by_seat"])
            if end["hit"]:
                told["settlement"].append(["must_hit_award", end["seat"], end["award"]])
        return told

    # ----------------------------------------------------------------------------- calls, cards, orders

    def calls(self, outcome: str) -> list[dict[str, Any]]:
        """Massachusetts 8(b), 8(c)(1), (2), 11(a); New Jersey 3.7(b), 3.8(a), 3.10(a)."""
        made: list[dict[str, Any]] = [{"say": "no more bets"}]
        if not self.massachusetts:
            made.append({"say": "cards"})
        made.append({"hand": "player", "count": count(self.player[:2])})
        made.append({"hand": "banker", "count": count(self.banker[:2])})
        made.append({"final": {"player": self.p, "banker": self.b}, "winner": None if outcome == "tie" else outcome})
        if outcome == "tie":
            made.append({"say": "tie hand"})
        if self.ez and self.dragon7:
            made.append({"say": "dragon 7"})
        if self.ez and self.panda8:
            made.append({"say": "panda 8"})
        if not self.massachusetts and self.total_card_wagers():
            made.append({"total_cards": self.dealt})
        return made

    def total_card_wagers(self) -> bool:
        """Offered if filed, or if one was taken."""
        taken = any(wager["type"].startswith("total") for wager in self.wagers)
        return bool(self.options.get("total_card_wagers", taken))

    def counterclockwise(self, seats: list[int]) -> list[int]:
        """From the dealer's right hand: numbers fall if seat 1 is at the left, and rise if it is at the right."""
        usual = "dealer_left" if self.massachusetts else "dealer_right"
        falls = self.options.get("seat_one", usual) == "dealer_left"
        return sorted(seats, reverse=falls)

    def turns(self, hand: str) -> int | str:
        """Massachusetts 8(c)(1), (2), (6), 8(d); New Jersey 3.7(d)1, 2, 5, 6."""
        on_it = {wager["seat"]: wager["amount"] for wager in self.wagers if wager["type"] == hand}
        if on_it:
            return self.counterclockwise([seat for seat in on_it if on_it[seat] == max(on_it.values())])[0]
        if self.options.get("allow_other_side", False):
            other = "banker" if hand == "player" else "player"
            seats = [wager["seat"] for wager in self.wagers if wager["type"] == other]
            if seats:
                return self.counterclockwise(seats)[0]
        return "dealer"

    def order(self, lines: list[dict[str, Any]]) -> list[list[Any]]:
        """Massachusetts 11(b), New Jersey 3.10(b)1 to 4; losing seats as a set in a list."""
        losing = sorted({line["seat"] for line in lines if line["result"] == "lose" and line["type"] != "house_money"})
        made: list[list[Any]] = [["collect_losing_wagers", losing]] if losing else []
        won = [line for line in lines if line["result"] == "win" and line["type"] != "house_money"]
        seats = sorted({line["seat"] for line in won}, reverse=True)
        take = "mark_vig" if self.options.get("vig_collection", "at_payout") == "deferred" else "collect_vig"

        def vigorish(seat: int) -> list[list[Any]]:
            owed = sum(line["vigorish"] for line in won if line["seat"] == seat)
            return [[take, seat, owed]] if owed else []

        def pay(seat: int) -> list[list[Any]]:
            plain = [line["win"] for line in won if line["seat"] == seat and line["type"] != "royal9"]
            paid: list[list[Any]] = [["pay", seat, sum(plain)]] if plain else []
            royal = [line for line in won if line["seat"] == seat and line["type"] == "royal9"]
            return paid + [["royal9_award", seat, line["row"], line["win"]] for line in royal]

        procedure = 4 if self.massachusetts else self.options.get("settlement_option", 4)
        if procedure == 1:
            made += [step for seat in seats for step in pay(seat)] + [s for seat in seats for s in vigorish(seat)]
        elif procedure == 2:
            made += [step for seat in seats for step in vigorish(seat)] + [s for seat in seats for s in pay(seat)]
        elif procedure == 3:
            made += [step for seat in seats for step in pay(seat) + vigorish(seat)]
        else:
            made += [step for seat in seats for step in vigorish(seat) + pay(seat)]
        return made

    # ---------------------------------------------------------------------------------------- the wagers

    def line(self, wager: dict[str, Any], royal: dict[str, Any] | None) -> dict[str, Any]:
        """The end of one wager."""
        kind, seat, stake = wager["type"], wager["seat"], wager["amount"]
        told = {"seat": seat, "type": kind, "amount": stake, "odds": None, "win": 0, "vigorish": 0, "net": 0}
        if kind == "royal9":
            assert royal is not None
            return told | self.royal9_line(seat, royal)
        result, pays, row = self.verdict(wager)
        added = self.pressed.get((seat, kind), 0)
        whole = stake + added + (wager.get("coupon", 0) if result == "win" else 0)
        told["result"] = result
        if row is not None:
            told["row"] = row
        if added:
            told["stake_after_house_money"] = stake + added
        if wager.get("coupon"):
            told["coupon"] = "left with the wager" if result == "push" else "taken"
        if result == "win":
            assert pays is not None
            told["odds"] = f"{pays.numerator}:{pays.denominator}"
            told["win"] = ceil(pays * whole)
            told["vigorish"] = self.vigorish(wager, told["win"]) if kind == "banker" else 0
            told["net"] = told["win"] - told["vigorish"]
        if result == "lose":
            told["net"] = -whole
        return told

    def verdict(self, wager: dict[str, Any]) -> tuple[str, Fraction | None, str | None]:
        """Result, odds and row of any wager but Royal 9."""
        kind, even = wager["type"], Fraction(1)
        if kind == "player":
            return ("push", None, None) if self.p == self.b else self.decide(self.p > self.b, even)
        if kind == "banker":
            if self.p == self.b or (self.ez and self.dragon7):
                return "push", None, None
            half = self.options.get("no_commission") == "six_half" and self.b == 6
            return self.decide(self.b > self.p, Fraction(1, 2) if half else even)
        if kind == "tie":
            return self.decide(self.p == self.b, self.read_odds(self.options.get("tie_odds", 8)))
        if kind == "dragon7":
            return self.decide(self.dragon7, Fraction(40))
        if kind == "panda8":
            return self.decide(self.panda8, Fraction(25))
        if kind == "house_money":
            pairs = self.pairs()
            return self.decide(pairs > 0, Fraction(15 if pairs == 2 else 3))
        if kind in ("total4", "total5", "total6"):
            return self.decide(self.dealt == int(kind[-1]), Fraction(3, 2) if kind == "total4" else Fraction(2))
        assert kind in ("dragon_player", "dragon_banker")
        return self.dragon(kind)

    @staticmethod
    def decide(won: bool, pays: Fraction) -> tuple[str, Fraction | None, str | None]:
        """Won at these odds, or lost."""
        return ("win", pays, None) if won else ("lose", None, None)

    @staticmethod
    def read_odds(written: int | str) -> Fraction:
        """A number against one, or `17 to 2`."""
        if isinstance(written, int):
            return Fraction(written)
        to, one = written.split(" to ")
        return Fraction(int(to), int(one))

    def dragon(self, kind: str) -> tuple[str, Fraction | None, str | None]:
        """Massachusetts 7(a)(4) and 12(e), New Jersey 3.2(a)5 and 3.3(g)."""
        mine, other = (self.p, self.b) if kind == "dragon_player" else (self.b, self.p)
        natural, against = self.p_natural, self.b_natural
        if kind == "dragon_banker":
            natural, against = against, natural
        if natural and against and mine == other:
            return "push", None, "natural tie"
        if natural and against and mine < other:
            return "lose", None, "natural 8 v natural 9"
        schedule = DRAGON[self.options.get("dragon_paytable", "A")]
        better = self.options.get("dragon_odds", {})
        if natural:
            return "win", self.read_odds(better.get("natural", schedule["natural"])), "natural winner"
        lead = mine - other
        if lead < 4:
            return "lose", None, f"margin {lead}"
        return "win", self.read_odds(better.get(f"win_by_{lead}", schedule[lead])), f"win by {lead}"

    def vigorish(self, wager: dict[str, Any], won: int) -> int:
        """Massachusetts 12(c), New Jersey 3.3(c) and (e)."""
        free = self.options.get("no_commission")
        if self.ez or free == "six_half":
            return 0
        if free == "total_card_exempt":
            beside = [w for w in self.wagers if w["seat"] == wager["seat"] and w["type"].startswith("total")]
            if sum(each["amount"] for each in beside) >= wager["amount"]:
                return 0
        rate = self.options.get("vig_rate", 5)
        exact = Fraction(rate, 100) * won
        if not self.options.get("vig_rounding", True):
            return floor(exact)
        coin = 25 if rate == 5 else 20
        return coin * max(1, ceil(exact / coin))

    # --------------------------------------------------------------------------------------- House Money

    def pairs(self) -> int:
        """How many opening hands are two cards of one rank."""
        return sum(hand[0][0] == hand[1][0] for hand in (self.player, self.banker))

    def house_money(self) -> list[list[Any]]:
        """Massachusetts 8(c)(3): from the dealer's right, before third cards."""
        steps: list[list[Any]] = []
        by_seat = {wager["seat"]: wager for wager in self.wagers if wager["type"] == "house_money"}
        for seat in self.counterclockwise(list(by_seat)):
            wager = by_seat[seat]
            if self.pairs() == 0:
                steps.append(["collect", seat, wager["amount"]])
                continue
            paid = wager["amount"] * (15 if self.pairs() == 2 else 3)
            part, whole = self.options.get("house_money_portion", [1, 1])
            onto = wager.get("press")
            added = floor(Fraction(part, whole) * paid) if onto else 0
            if onto:
                self.pressed[seat, onto] = added
            steps.append(["pay", seat, paid, {"to_player": paid - added, "to_wager": added, "wager": onto}])
        return steps

    # ------------------------------------------------------------------------------------------- Royal 9

    def royal9(self) -> dict[str, Any] | None:
        """Massachusetts 12(i): contributions, each bettor's row, meters in the order of the pay table."""
        offered = self.options.get("royal9")
        if offered is None:
            return None
        early = self.edition in ("ma-midi-1", "ma-midi-2")
        if early:
            first = offered["paytable"] == 1
            names = ["major", "k9_banker", "k9_player"]
            seeds = dict(zip(names, [5_000_000 if first else 2_500_000, 35_000, 35_000], strict=True))
            rates = dict(zip(names, [900 if first else 960, 500, 500], strict=True))
        else:
            names, seeds, rates = ["star", "spade", "heart"], offered["seeds"], offered["rates_bp"]
        seats = sorted(wager["seat"] for wager in self.wagers if wager["type"] == "royal9")
        kept = Fraction(self.options.get("reserve_share_bp", 0), 10_000)
        second = Fraction(self.options.get("secondary_seed_bp", 0), 10_000)
        meters, reserve = {}, second * 500 * len(seats)
        for name in names:
            whole = 500 * Fraction(rates[name], 10_000)
            held = Fraction(floor(whole * kept * 1_000_000), 1_000_000)  # a meter counts micro-cents
            meters[name] = offered["meters"][name] + (whole - held) * len(seats)
            reserve += held * len(seats)
        rows = {seat: self.early_row(seat) if early else self.late_row(seat, offered["combos"]) for seat in seats}
        told: dict[str, Any] = {
            "contributed": dict(meters),
            "after": meters,
            "rows": rows,
            "wins": {},
            "reserve": reserve,
        }
        for row, meter, percent in self.meter_rows(early):
            winners = [seat for seat in seats if rows[seat] == row]
            if not winners:
                continue
            total = ceil(Fraction(percent, 100) * floor(meters[meter]))
            for place, seat in enumerate(winners):
                told["wins"][seat] = total // len(winners) + (1 if place < total % len(winners) else 0)
            meters[meter] -= total
            if percent == 100:
                meters[meter] += seeds[meter]
            elif self.options.get("partial_refill_to_seed", False) and meters[meter] < seeds[meter]:
                meters[meter] = Fraction(seeds[meter])
        return told

    @staticmethod
    def meter_rows(early: bool) -> list[tuple[str, str, int]]:
        """The rows that a meter pays, in the order of the pay table, with the part of it."""
        if early:
            return [
                ("Exact Match Personal Progressive", "major", 100),
                ("Any Two Personal Progressive", "major", 10),
                ("Personal K9 on Banker Hand", "k9_banker", 100),
                ("Personal K9 on Player Hand", "k9_player", 100),
            ]
        return [
            ("Personal King-9 vs. Personal King-9", "star", 100),
            ("Banker Personal King-9", "spade", 100),
            ("Player Personal King-9", "heart", 100),
        ]

    def royal9_line(self, seat: int, royal: dict[str, Any]) -> dict[str, Any]:
        """A prize, or five dollars lost; for one, unless the licensee gives the stake back."""
        row = royal["rows"][seat]
        if row == "loss":
            return {"result": "lose", "row": row, "net": -500}
        win = royal["wins"][seat] if seat in royal["wins"] else PRIZES[row]
        back = 500 if self.options.get("royal9_return_stake", False) else 0
        return {"result": "win", "row": row, "win": win, "net": win - 500 + back}

    @staticmethod
    def royal(hand: list[str]) -> str | None:
        """Court and nine of an opening hand as rank, court's suit and nine's suit; None if it is no Royal 9."""
        first, second = hand[:2]
        if first[0] == "9":
            first, second = second, first
        if second[0] != "9" or first[0] not in "JQK":
            return None
        return first[0] + first[1] + second[1]

    def common_row(self, both_suited: str, both: str) -> str:
        """The rows below the personal ones, alike in all editions."""
        shown = [hand for hand in (self.royal(self.player), self.royal(self.banker)) if hand is not None]
        suited = [hand for hand in shown if hand[1] == hand[2]]
        if len(suited) == 2:
            return both_suited
        if len(shown) == 2:
            return both
        if suited:
            return "Any Suited Royal 9"
        return "Any Royal 9" if shown else "loss"

    def early_row(self, seat: int) -> str:
        """The pay table of the first two editions, from the top; chairs 1 to 9 have three combinations each."""
        mine = [court + CHAIRS[seat] for court in "KQJ"]
        others = [court + suits for chair, suits in CHAIRS.items() if chair != seat for court in "KQJ"]
        player, banker = self.royal(self.player), self.royal(self.banker)
        if player == banker and player in mine:
            return "Exact Match Personal Progressive"
        reading = self.options.get("any_two", "own_chair")
        if (
            (reading == "own_chair" and player in mine and banker in mine)
            or (reading == "other_chair_identical" and player == banker and player in others)
            or (reading == "any_posted" and player in mine + others and banker in mine + others)
        ):
            return "Any Two Personal Progressive"
        king = "K" + CHAIRS[seat]
        if banker == king and player != king:
            return "Personal K9 on Banker Hand"
        if player == king and banker != king:
            return "Personal K9 on Player Hand"
        return self.common_row("Suited Royal 9 Tie Hand", "Royal 9 Tie Hand")

    def late_row(self, seat: int, combos: dict[str, str]) -> str:
        """The pay table of the third and fourth edition, from the top; one King-9 a seat."""
        mine = "K" + combos[str(seat)]
        others = ["K" + suits for other, suits in combos.items() if other != str(seat)]
        player, banker = self.royal(self.player), self.royal(self.banker)
        if player == mine and banker == mine:
            return "Personal King-9 vs. Personal King-9"
        if banker == mine:
            return "Banker Personal King-9"
        if player == mine:
            return "Player Personal King-9"
        if player == banker and player in others:
            return "Other Personal King-9 vs. Identical King-9"
        return self.common_row("Suited Royal 9 vs. Suited Royal 9", "Royal 9 vs. Royal 9")

    def must_hit(self, net: dict[str, int]) -> dict[str, Any]:
        """Massachusetts 12(j) and reading A-30; the winner's net grows."""
        law, state = self.options["must_hit"], self.record["must_hit"]
        seats = sorted(wager["seat"] for wager in self.wagers if wager["type"] == "royal9")
        meter = state["meter"] + law["contribution"] * len(seats)
        if not seats or meter < state["trigger"]:
            return {"hit": False, "seat": None, "award": 0, "meter_after": meter, "shows": []}
        seat = seats[state.get("lot", 0)]
        net[str(seat)] += meter
        shows = ["bet_sensor", "dealer_screen", "progressive_sign"]
        return {"hit": True, "seat": seat, "award": meter, "meter_after": law["start"], "shows": shows}


def second(record: Record) -> dict[str, Any]:
    """The answer to a record, found the second way; `id` is left out."""
    return Second(record).answer()
