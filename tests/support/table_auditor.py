"""A second, slow auditor of a table, written from the documents and readings and not from `table/`.

It reads the event log only, as JSON objects, keeps its own plain model of people, cards and money, and says of every
event whether it was lawful and complete. Rounds are settled by `second_settlement`, which shares nothing with `src`
either; the tableau, the orders, the remedies and the accounts are written down once more in the `audit_` modules.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from audit_books import MICRO, Event
from audit_turning import TurningAudit
from second_settlement import Second, count


class Slip(Second):
    """A round as the documents settle it; the sixth document pays from the lowest seat, and vigorish after."""

    ascending = False

    def order(self, lines: list[dict[str, Any]]) -> list[list[Any]]:
        """The document's order, or the sixth's."""
        made = super().order(lines)
        if not self.ascending:
            return made
        losers = [step for step in made if step[0] == "collect_losing_wagers"]
        rest = [step for step in made if step[0] != "collect_losing_wagers"]
        return losers + sorted(rest, key=lambda step: (step[1], step[0].endswith("vig")))


def chained(digest: str, steps: int) -> str:
    """The hash so many steps further: of the words and the hash before it."""
    for _ in range(steps):
        digest = hashlib.sha256(b"baccarat/must-hit/step" + bytes.fromhex(digest)).hexdigest()
    return digest


class Auditor(TurningAudit):
    """House Money, the result, settlement, the end of a round and of a shoe."""

    def record(self, *, early: bool = False) -> dict[str, Any]:
        """The round as an exchange record, for the second settlement; with House Money only while it is settled."""
        player, banker = self.hands["player"], self.hands["banker"]
        order = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
        spare = ["2S", "2S", "2S"]
        wagers = []
        for wager in ({**self.wagers, **self.early_wagers} if early else self.wagers).values():
            pressing = wager["type"] == "house_money" and wager["seat"] in self.presses
            wagers.append(wager | {"press": self.presses[wager["seat"]]} if pressing else wager)
        options = {key: value for key, value in self.options.items() if value is not None}
        if options.get("royal9"):
            before = {n: Fraction(value - self.contributed.get(n, 0), MICRO) for n, value in self.meters.items()}
            options["royal9"] = options["royal9"] | {"meters": before}
        return {
            "ruleset": self.law.like,
            "options": options,
            "cards": [self.up.get(place, "2S") for place in order] + spare,
            "wagers": wagers,
        }

    def settle_early(self) -> list[list[Any]]:
        """What is due to House Money, from the dealer's right."""
        record = self.record(early=True)
        if any(press not in ("player", "banker") for press in self.presses.values()):
            return []
        return Slip(record).house_money()

    def on_press_chosen(self, event: Event) -> None:
        """Massachusetts 8(c)(3)(i)."""
        seat = event["seat"]
        self.need(self.opened() and (seat, "house_money") in self.wagers, "no House Money to be settled")
        self.need((seat, event["onto"]) in self.wagers and event["onto"] in ("player", "banker"), "onto no wager")
        self.presses[seat] = event["onto"]

    def on_press_undone(self, event: Event) -> None:
        """Reading A-88: chosen on a card that was wrong, and not paid yet: chosen anew, or not at all."""
        self.need(self.presses.pop(event["seat"], None) == event["onto"], "no such choice stands")
        self.need((event["seat"], "house_money") in self.wagers, "it is paid, and stands")

    def start_early(self) -> None:
        """The House Money wagers of the round, taken together."""
        if self.early is None:
            self.early_wagers = {key: wager for key, wager in self.wagers.items() if key[1] == "house_money"}
            self.early = []
        self.need(self.opened() and not self.third_drawn, "after a third card")

    def due_early(self, seat: int) -> list[Any]:
        """The next act, which must be this seat's."""
        self.start_early()
        left = [act for act in self.settle_early() if (act[1], "house_money") in self.wagers]
        self.need(bool(left) and left[0][1] == seat, f"{left[:1]} comes next")
        return left[0] if left else ["", 0, 0, {}]

    def on_house_money_collected(self, event: Event) -> None:
        """A loser is taken."""
        act = self.due_early(event["seat"])
        self.need(act[:3] == ["collect", event["seat"], event["stake"]], f"{act} is due")
        self.house += event["stake"]
        self.wagers.pop((event["seat"], "house_money"), None)
        self.early_done.append(["collect", event["seat"], event["stake"]])
        self.early_numbers[event["seat"]] = {len(self.history)}

    def on_house_money_paid(self, event: Event) -> None:
        """A winner is paid, or pressed."""
        seat = event["seat"]
        act = self.due_early(seat)
        wager = self.wagers.pop((seat, "house_money"), {"amount": 0})
        told = {"to_player": event["win"] - event["to_wager"], "to_wager": event["to_wager"], "wager": event["onto"]}
        self.need(act == ["pay", seat, event["win"], told], f"{act} is due")
        self.need(event["stake"] == wager["amount"], "another stake lay there")
        self.people[seat] += event["stake"] + event["win"] - event["to_wager"]
        self.house -= event["win"]
        if event["to_wager"]:
            self.pressed[seat, event["onto"]] = event["to_wager"]
            limit = (self.options.get("limits") or {}).get(event["onto"])
            stands = event["to_wager"] + self.wagers[seat, event["onto"]]["amount"]
            if self.options.get("press_over_max") is False and limit is not None:
                self.need(stands <= limit["max"], "pressed above the posted maximum")
        self.early_done.append(["pay", seat, event["win"], told])
        self.early_numbers[seat] = {len(self.history)}

    def on_round_voided(self, event: Event) -> None:
        """M7: Massachusetts 13(e), New Jersey 3.12(e), reading A-41."""
        if not self.stopped:
            self.need(self.next == self.cards, "there are cards left")
            self.need(self.entitled() is not None and self.result is None, "no card is wanted")
        back: Counter[int] = Counter()
        for (seat, _), wager in self.wagers.items():
            back[seat] += wager["amount"]
        taken: Counter[int] = Counter()
        for act, seat, amount, *rest in self.early_done:
            hand = next(wager["amount"] for key, wager in self.early_wagers.items() if key[0] == seat)
            if act == "collect":
                back[seat] += amount
                self.house -= amount
            else:
                back[seat] += hand
                taken[seat] += hand + amount - rest[0]["to_wager"]
                self.house += amount
        for seat, amount in self.early_fixed.items():
            taken[seat] += amount
            self.house += amount
        told = {int(seat): amount for seat, amount in event["returned"].items()}
        away = {int(seat): amount for seat, amount in event["taken_back"].items()}
        self.need(told == dict(back), f"{dict(back)} is to be returned")
        self.need(away == dict(taken), f"{dict(taken)} is to be taken back")
        self.need(event["contributions"] == self.contributed, "the meters are not as before the round")
        self.reserve -= event["reserve"]
        for seat in set(told) | set(away):
            self.people[seat] += told.get(seat, 0) - away.get(seat, 0)
        for name, amount in event["contributions"].items():
            self.meters[name] -= amount
        self.expect_coupons("coupon_returned", self.wagers)
        self.wagers, self.pressed, self.early, self.early_done, self.early_fixed = {}, {}, None, [], Counter()
        self.void = self.finished = True

    def on_result_announced(self, event: Event) -> None:
        """Massachusetts 11(a), New Jersey 3.10(a); what follows is worked out here once more."""
        self.need(self.complete() and self.result is None, "the hands are not complete")
        self.announced, self.meters_before = event, dict(self.meters)
        self.need(not any(kind == "house_money" for _, kind in self.wagers), "House Money is not settled")
        stayed = {side for side, laid in self.hands.items() if len(laid) == 2}
        self.need(stayed == self.stays, f"{stayed} stayed, and the table ruled it of {self.stays}")
        player, banker = ([self.up[place] for place in self.hands[side]] for side in ("player", "banker"))
        p, b = count(player), count(banker)
        self.result = "tie" if p == b else "player" if p > b else "banker"
        self.need(
            (event["player"], event["banker"], event["outcome"]) == (p, b, self.result), f"{p}, {b}, {self.result}"
        )
        self.judge_calls(event["calls"], player, banker)
        if self.kind != "wagered":
            self.need(not event["acts"] and not event["returned"], "settled without a wager")
            return
        slip = Slip(self.record())
        slip.ascending = self.law.ascending
        slip.pressed = dict(self.pressed)  # what lies there was paid on the cards as they were then known
        told = slip.answer()
        self.need(
            (told["player_hand"], told["banker_hand"]) == (player, banker), "the hands are not those of the tableau"
        )
        self.lines = [line for line in told["wagers"] if line["type"] != "house_money"]
        self.acts = told["settlement"]
        self.owed_acts = len(self.acts)
        losing = {act["seat"]: act["amount"] for act in event["acts"] if act["act"] == "collect_losing_wagers"}
        self.need(losing == self.lost(), f"{self.lost()} is lost")
        rest = [self.as_step(act) for act in event["acts"] if act["act"] != "collect_losing_wagers"]
        wanted = [act for act in self.acts if act[0] != "collect_losing_wagers"]
        self.need(self.free_order(rest) == self.free_order(wanted), f"{wanted} is owed, {rest} said")
        pushed = {int(seat): amount for seat, amount in event["returned"].items()}
        self.need(pushed == self.pushed(), f"{self.pushed()} goes back")
        self.move_meters(event, slip)

    def judge_calls(self, calls: list[str], player: list[str], banker: list[str]) -> None:
        """Counts, winner, tie hand, Dragon 7, Panda 8, number of cards."""
        p, b = count(player), count(banker)
        said = " ".join(calls).lower()
        self.need(f"player {p}" in said and f"banker {b}" in said, "the counts are not called")
        self.need(("tie hand" in said) == (p == b), "a tie is called, or not")
        if p != b:
            self.need(f"{self.result} wins" in said, "the winner is not called")
        dragon = len(banker) == 3 and b == 7 and p < 7
        panda = len(player) == 3 and p == 8 and b < 8
        ez = bool(self.options.get("ez"))
        self.need(("dragon 7" in said) == (ez and dragon), "Dragon 7")
        self.need(("panda 8" in said) == (ez and panda and self.law.panda8), "Panda 8")
        if self.options.get("total_card_wagers"):
            self.need(str(len(player) + len(banker)) in said, "the number of cards")

    @staticmethod
    def as_step(act: dict[str, Any]) -> list[Any]:
        """An act as records write it."""
        if act["act"] == "royal9_award":
            return [act["act"], act["seat"], act["row"], act["amount"]]
        return [act["act"], act["seat"], act["amount"]]

    @staticmethod
    def free_order(steps: list[list[Any]]) -> list[list[Any]]:
        """Award before or after the pay of one seat is free (reading A-82)."""
        steps = list(steps)
        for place in range(1, len(steps)):
            first, second = steps[place - 1], steps[place]
            if (first[0], second[0]) == ("royal9_award", "pay") and first[1] == second[1]:
                steps[place - 1], steps[place] = second, first
        return steps

    def lost(self) -> dict[int, int]:
        """Stakes lost by seat, with what was pressed."""
        return self.stakes(lambda line: line["result"] == "lose")

    def pushed(self) -> dict[int, int]:
        """Stakes that go back."""
        return self.stakes(lambda line: line["result"] == "push")

    def stakes(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[int, int]:
        """Stakes of lines by seat."""
        made: Counter[int] = Counter()
        for line in self.lines:
            if wanted(line):
                made[line["seat"]] += line["amount"] + self.pressed.get((line["seat"], line["type"]), 0)
        return dict(made)

    def take_off(self, wanted: Callable[[dict[str, Any]], bool], seat: int | None = None) -> int:
        """Chips leave the felt; how many."""
        total = 0
        for line in self.lines:
            key = (line["seat"], line["type"])
            if wanted(line) and (seat is None or line["seat"] == seat) and key in self.wagers:
                total += self.wagers.pop(key)["amount"] + self.pressed.pop(key, 0)
        return total

    def move_meters(self, event: Event, slip: Slip) -> None:
        """M8: the awards come out, the seeds go in."""
        royal = slip.royal9()
        if royal is None:
            self.need(not event["meters"], "meters where there are none")
            return
        after = {name: int(value * MICRO) for name, value in royal["after"].items()}
        self.need(event["meters"] == after, f"the meters show {after}")
        paid = sum(royal["wins"].values()) * MICRO
        put_up = sum(after.values()) + paid - sum(self.meters.values())
        kept_back = min(put_up, self.reserve)
        told = (event["from_reserve"], event["seeded"])
        self.need(told == (kept_back, put_up - kept_back), f"{put_up} is put up as seeds, {kept_back} of it kept back")
        self.reserve -= kept_back
        self.meters = dict(event["meters"])

    def next_act(self, *names: str) -> list[Any]:
        """The next act of the filed order."""
        if not self.acts:
            self.need(False, "nothing more is owed")
            return ["", 0, 0, 0]
        if len(self.acts) > 1 and self.acts[0][0] not in names and self.acts[1][0] in names:
            pair = {self.acts[0][0], self.acts[1][0]}
            if pair == {"pay", "royal9_award"} and self.acts[0][1] == self.acts[1][1]:
                self.acts[0], self.acts[1] = self.acts[1], self.acts[0]
        act = self.acts.pop(0)
        self.need(act[0] in names, f"{act} comes first")
        return act

    def on_losers_collected(self, event: Event) -> None:
        """First of all: Massachusetts 11(b), New Jersey 3.10(b)."""
        self.next_act("collect_losing_wagers")
        told = {int(seat): amount for seat, amount in event["amounts"].items()}
        self.need(told == self.lost(), f"{self.lost()} is lost")
        self.house += sum(told.values())
        self.expect_coupons("coupon_taken", self.ended("lose"), paid=False)
        self.take_off(lambda line: line["result"] == "lose")

    def ended(self, result: str, seat: int | None = None) -> list[tuple[int, str]]:
        """The wagers that ended so, in the order in which they were made."""
        lines = [line for line in self.lines if line["result"] == result and seat in (None, line["seat"])]
        return [(line["seat"], line["type"]) for line in lines]

    def winnings(self, seat: int) -> int:
        """What a seat is still to be paid in this round."""
        return sum(act[-1] for act in self.acts if act[0] in ("pay", "royal9_award") and act[1] == seat)

    def on_vigorish_taken(self, event: Event) -> None:
        """Collected or marked, as filed."""
        act = self.next_act("collect_vig", "mark_vig")
        self.need(act[1:] == [event["seat"], event["amount"]], f"{act} is due")
        short = self.people[event["seat"]] + self.winnings(event["seat"]) < event["amount"]
        self.need(event["marked"] == (act[0] == "mark_vig" or short), "marked or collected against what is filed")
        if event["marked"]:
            self.markers[event["seat"]] = self.markers.get(event["seat"], 0) + event["amount"]
        else:
            self.people[event["seat"]] -= event["amount"]
            self.house += event["amount"]

    def on_paid(self, event: Event) -> None:
        """To the cent, with the stake."""
        act = self.next_act("pay")
        self.need(act[1:] == [event["seat"], event["win"]], f"{act} is due")
        self.expect_coupons("coupon_taken", self.ended("win", event["seat"]), paid=True)
        stake = self.take_off(lambda line: line["result"] == "win" and line["type"] != "royal9", event["seat"])
        self.need(stake == event["stake"], f"{stake} lay there")
        self.people[event["seat"]] += event["win"] + stake
        self.house -= event["win"]

    def on_awarded(self, event: Event) -> None:
        """The row of the pay table, for one (readings A-14, A-18)."""
        act = self.next_act("royal9_award")
        self.need(act[1:] == [event["seat"], event["row"], event["amount"]], f"{act} is due")
        stake = self.take_off(lambda line: line["type"] == "royal9", event["seat"])
        back = bool(self.options.get("royal9_return_stake"))
        self.need(event["stake"] == stake == 500 and event["stake_back"] == back, "the stake")
        self.people[event["seat"]] += event["amount"] + (stake if back else 0)
        self.house += (0 if back else stake) - event["amount"]

    def on_trigger_sealed(self, event: Event) -> None:
        """Once for every run of the meter, before anything is added to it."""
        self.need(not self.seal and self.must_hit == self.options["must_hit"]["start"], "the meter runs")
        self.seal = event["seal"]

    def on_must_hit_ended(self, event: Event) -> None:
        """The fourth edition's 12(j), reading A-30."""
        law = self.options["must_hit"]
        seats = sorted(line["seat"] for line in self.lines if line["type"] == "royal9")
        meter = self.must_hit + law["contribution"] * len(seats)
        self.need(self.kind == "wagered" and bool(seats) and not self.acts, "not for this round")
        if event["lost"]:
            self.two_persons(event | {"reason": event["lost"]})
        if event["hit"]:
            self.need(event["seat"] in seats and event["award"] == meter, f"{meter} goes to one of {seats}")
            self.need(event["meter"] == law["start"], "the meter begins again")
            self.need(sorted(event["shows"]) == ["bet_sensor", "dealer_screen", "progressive_sign"], "shown elsewhere")
            if event["lost"]:
                self.need(meter >= law["ceiling"] and event["trigger"] is None, "paid below its ceiling, unopened")
            else:
                self.need(law["start"] <= event["trigger"] <= meter, "not reached")
                late = law["start"] < self.must_hit and event["trigger"] <= self.must_hit
                self.need(event["withheld"] == late, "reached in an earlier round, or not")
                words = f"baccarat/must-hit {event['trigger']} {event['salt']}".encode()
                steps = self.must_hit_steps(event["trigger"])
                self.need(self.seal == chained(hashlib.sha256(words).hexdigest(), steps), "another trigger was sealed")
            self.seal = ""
            self.people[event["seat"]] += event["award"]
            self.house -= event["award"]
        else:
            self.need(event["meter"] == meter < law["ceiling"], f"the meter shows {meter}, below its ceiling")
            self.need(event["trigger"] is None, "the trigger was opened without a hit")
            shown = chained(event["not_reached"] or "00", self.must_hit_steps(meter) + 1) == self.seal
            self.need(shown or bool(event["lost"]), "nobody showed that the trigger was not reached")
        self.must_hit = event["meter"]

    def must_hit_steps(self, amount: int) -> int:
        """After how many contributions the meter has come to an amount."""
        law = self.options["must_hit"]
        return int(-((law["start"] - amount) // (law["contribution"] or 1)))

    def on_wagers_returned(self, event: Event) -> None:
        """M5: what neither won nor lost goes back; or a simulated round begins (reading A-26)."""
        told = {int(seat): amount for seat, amount in event["amounts"].items()}
        if self.result is None:
            wanted: Counter[int] = Counter()
            for (seat, _), wager in self.wagers.items():
                wanted[seat] += wager["amount"]
            self.need(told == dict(wanted), f"{dict(wanted)} goes back")
            self.expect_coupons("coupon_returned", self.wagers)
            self.wagers = {}
            self.next_events.append({"event": "round_made_simulated"})
        else:
            self.need(told == self.pushed(), f"{self.pushed()} goes back")
            self.expect_coupons("coupon_returned", self.ended("push"))
            self.take_off(lambda line: line["result"] == "push")
        for seat, amount in told.items():
            self.people[seat] += amount

    def winner_by_cards(self) -> str | None:
        """Reading A-88: the result of the cards as they are now; None where they call for one that was not dealt."""
        hands, counted = self.hands, self.counted
        thirds = [*hands["player"][2:], *hands["banker"][2:]]
        self.hands, self.counted = {side: laid[:2] for side, laid in hands.items()}, ["player", "banker"]
        while thirds and (side := self.entitled()) is not None:
            self.hands[side].append(thirds.pop(0))
        p, b = (count([self.up[place] for place in self.hands[side]]) for side in ("player", "banker"))
        is_complete = self.entitled() is None
        self.hands, self.counted = hands, counted
        return None if not is_complete else "tie" if p == b else "player" if p > b else "banker"

    def on_table_cleared(self, event: Event) -> None:
        """Massachusetts 11(c): all cards away, every wager at its end."""
        self.need(self.result is not None and not self.acts, "the round is not over")
        self.need(not self.wagers and not self.pressed, f"wagers without an end: {self.wagers}")
        self.need(not self.coupons, f"coupons without an end: {self.coupons}")
        laid = [*self.hands["player"], *self.hands["banker"]]
        self.need(sorted(event["positions"]) == sorted(laid), "other cards than the round's")
        self.need(4 <= len(laid) <= 6, "four to six cards a round")
        must = self.kind != "simulated" and self.curator is not None and self.winner_by_cards() == "player"
        self.need(event["must_pass"] == must, "the curator passes when the Banker loses")
        self.must_pass = event["must_pass"]
        real = self.kind != "simulated"
        if real:
            self.free_hands = self.free_hands + 1 if self.kind == "free hand" else 0
        if self.last_hand and real:
            self.next_events.append({"event": "shoe_finished"})
        elif self.cover_seen and not self.last_called:
            self.next_events.append({"event": "last_hand_called"})
        self.carried += self.pending
        self.pending = []
        waiting, self.disclosed = self.disclosed, {}
        if waiting:
            self.simulate(waiting)
        else:
            self.new_round("wagered")

    def on_last_hand_called(self, event: Event) -> None:
        """C5: once, at the end of the round in which the cover card came out."""
        self.need(self.cover_seen and not self.last_called, "out of turn")
        self.need(event["say"].lower() == "last hand", "in other words")
        self.last_called = self.last_hand = True

    def on_shoe_finished(self, _event: Event) -> None:
        """C5: after exactly one more hand."""
        self.need(self.last_hand, "the last hand has not been dealt")
        self.finished = True

    def on_shoe_closed(self, event: Event) -> None:
        """Massachusetts 9(d), 12(d)(2)(i), 13(e); New Jersey 3.3(c)4, 3.8(e), 3.12(e)."""
        self.need(self.finished, "the shoe is not finished")
        self.given_away = 0
        self.need(not self.markers, f"vigorish is outstanding: {self.markers}")
        self.need(
            event["same_set"] == (self.law.same_set and bool(self.set_id) and not self.taken_away),
            "new decks, or the same",
        )
        opened = "disproved" if self.disproved else "revealed"
        owed = "" if self.committed is None else "lost" if self.seed == "lost" else opened if self.seed else "owed"
        self.need(event["seed"] == owed, f"the seed is {owed}")
        laid = [] if self.void else [*self.hands["player"], *self.hands["banker"]]
        left = sorted([*self.carried, *self.pending, *self.disclosed, *laid])
        self.need(event["unused"] == left, f"{left} go to the discards with the shoe")
        self.former = "" if event["same_set"] else self.set_id or self.former
        self.last_curator = self.curator or self.right or self.last_curator
        self.last_cutter = self.cutter
        self.used_sets |= {self.set_id} - {""}  # and the curator keeps the shoe (reading A-90)
        recut_by = self.cutter if self.inputs and self.in_front is None else None  # reading A-96
        self.new_shoe(set_id=self.set_id if event["same_set"] else "", reshuffle=event["same_set"])
        self.cutter = recut_by
        self.new_round("wagered")

    def on_witnesses_changed(self, event: Event) -> None:
        """By two persons; this auditor follows no witnesses."""
        self.two_persons(event | {"reason": "witnesses"})

    def on_kind_adopted(self, event: Event) -> None:
        """By two persons; this auditor asks of no table what it is."""
        self.two_persons(event | {"reason": event["cards"]})

    def on_link_joined(self, event: Event) -> None:
        """By two persons, once, and before anything has gone into the table's own meters."""
        self.two_persons(event | {"reason": event["link"]})
        fresh = {name: cents * MICRO for name, cents in self.seeds().items()} == self.meters and not self.reserve
        self.need(fresh and not self.link and not self.seal, "the table's own meters run")
        self.link = event["link"]

    def on_meters_shown(self, event: Event) -> None:
        """M8: what a link shows falls only by an award that is named, and never below what this round has put in."""
        self.need(bool(self.link), "a table in no link is shown other figures than its own")
        self.need(set(event["meters"]) == set(self.meters), "other meters")
        put_in = self.contributed if self.result is None and not self.void else {}
        for name, amount in put_in.items():
            self.need(event["meters"].get(name, 0) > amount, f"{name} holds no more than this round added")
        fallen = {name for name, value in self.meters.items() if event["meters"][name] < value}
        if event["must_hit"] < self.must_hit or self.seal not in ("", event["must_hit_seal"]):
            fallen.add("must_hit")
        self.need(fallen <= set(event["won"]), f"{fallen} fell without an award")
        self.meters, self.reserve = dict(event["meters"]), event["reserve"]
        self.must_hit, self.seal = event["must_hit"], event["must_hit_seal"]

    def on_meter_corrected(self, event: Event) -> None:
        """D3: two persons; M8: upwards; M10: what no cards of this round owe it is within what is filed for a shoe."""
        self.two_persons(event)
        if self.result is None:
            self.given_away += -(-event["amount"] // 1_000_000)
            limit = self.options.get("goodwill_limit") or 0
            self.need(event["goodwill"] and self.given_away <= limit, "above the limit")
        emptied = any(act["act"] == "royal9_award" for act in self.announced.get("acts", ()))
        self.need(event["amount"] > 0 and (self.result is None or emptied), "lowered, or in the middle of an award")
        self.meters[event["meter"]] += event["amount"]

    def on_result_withdrawn(self, event: Event) -> None:
        """Reading A-88: no chip has moved by it, and the meters are as before it."""
        self.need(self.result is not None and len(self.acts) == self.owed_acts, "chips have moved")
        if event["meters"]:
            self.need(event["meters"] == self.meters_before, "the meters were not so")
            self.meters, self.reserve = dict(event["meters"]), self.reserve + event["from_reserve"]
        self.result, self.acts, self.lines, self.announced = None, [], [], {}
        self.next_events.append({"event": "card_corrected"})

    def on_settlement_stopped(self, event: Event) -> None:
        """Reading A-88: what was not paid by the announced result is not paid by it, and vigorish out of it is back."""
        self.need(self.result is not None, "nothing is settled")
        for seat in {act[1] for act in self.acts if act[0] in ("pay", "royal9_award")}:
            taken = self.winnings(seat) - event["payable"].get(str(seat), 0)
            self.people[seat] += taken
            self.house -= taken
        self.acts, self.is_stopped = [], True

    def on_due_settled(self, event: Event) -> None:
        """What the cards owe, which `test_owed.py` computes in another way; stakes that lay there are the bank's."""
        seat = event["seat"]
        if self.result is None:
            self.early_fixed[seat] += event["amount"]
        self.people[seat] += event["amount"]
        self.house += self.stakes_lying(seat, event) - event["amount"]

    def stakes_lying(self, seat: int, event: Event) -> int:
        """The stakes of a seat leave the felt, if the settlement was stopped."""
        found = [key for key in self.wagers if key[0] == seat] if self.is_stopped else []
        lying: int = sum(self.wagers.pop(key)["amount"] + self.pressed.pop(key, 0) for key in found)
        self.coupons = {key: face for key, face in self.coupons.items() if key not in found}
        self.need(event["lying"] == lying, f"{lying} lay there")
        return lying

    def on_uncollected_reported(self, event: Event) -> None:
        """D3: two persons; the patron gives the chips that are there, and owes the rest."""
        self.two_persons(event)
        self.people[event["seat"]] -= event["collected"]
        self.house += self.stakes_lying(event["seat"], event) + event["collected"]

    def on_goodwill_paid(self, event: Event) -> None:
        """D3: two persons, within what is filed for a shoe."""
        self.two_persons(event)
        self.given_away += event["amount"]
        self.need(
            event["amount"] > 0 and self.given_away <= (self.options.get("goodwill_limit") or 0), "above the limit"
        )
        self.people[event["seat"]] += event["amount"]
        self.house -= event["amount"]

    def on_payment_corrected(self, event: Event) -> None:
        """Between the bank and a seat."""
        self.two_persons(event)
        seat = event["seat"]
        if self.result is None and any(done[1] == seat for done in self.early_done):
            named = event["corrects"] in self.early_numbers.get(seat, ())
            self.need(named, "another payment waits until this round cannot be void")
            self.early_numbers.setdefault(seat, set()).add(len(self.history))
            self.early_fixed[seat] += event["amount"]
        self.people[seat] += event["amount"]
        self.house -= event["amount"]
