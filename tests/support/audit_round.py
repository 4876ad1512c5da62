"""The auditor on a round until its cards are turned: wagers, cards in their order, and what goes wrong with them."""

from __future__ import annotations

from collections.abc import Iterable

from audit_books import MICRO, Event, code
from audit_shoe import ShoeAudit
from second_settlement import VALUES, banker_draws, count, player_draws


class RoundAudit(ShoeAudit):
    """Wagers, cards, irregularities."""

    def offered_kinds(self) -> set[str]:
        """The wagers that the document lists and the licensee offers."""
        options, kinds = self.options, {"player", "banker", "tie"}
        if options.get("dragon_bonus"):
            kinds |= {"dragon_player", "dragon_banker"}
        if options.get("ez"):
            kinds |= {"dragon7", "panda8"} if self.law.panda8 else {"dragon7"}
        if options.get("house_money"):
            kinds.add("house_money")
        if options.get("total_card_wagers"):
            kinds |= {"total4", "total5", "total6"}
        if options.get("royal9"):
            kinds.add("royal9")
        return kinds

    def judge_wager(self, seat: int, on: str, stake: int) -> None:
        """Massachusetts 7, New Jersey 3.2: open, offered, within the limits, on an area of one's own."""
        self.need(not self.closed, "after no more bets")
        self.need(self.kind != "simulated", f"in a {self.kind}")
        self.need(self.ready() and not self.finished, "before the shoe is ready")
        self.need(seat in self.people, "by nobody")
        self.need(on in self.offered_kinds(), f"{on} is not offered")
        self.need(stake > 0, "of nothing")
        if on == "royal9":
            self.need(stake == 500, "Royal 9 is five dollars")
        limit = (self.options.get("limits") or {}).get(on)
        if limit:
            fits = limit["min"] <= stake <= limit["max"] and stake % limit["increment"] == 0
            self.need(fits, f"{stake} on {on} is outside the limits")

    def judge_seat(self, seat: int) -> None:
        """What a seat's wagers need beside them."""
        mine = {kind for place, kind in self.wagers if place == seat}
        main = mine & {"player", "banker", "tie"}
        if "royal9" in mine:
            self.need(bool(main), "Royal 9 without a wager beside it")
        if self.options.get("bonus_base_required") and mine & {"dragon_player", "dragon_banker"}:
            self.need(bool(mine & {"player", "banker"}), "a bonus without its wager")
        if self.options.get("insurance_base_required") and mine & {"dragon7", "panda8"}:
            self.need(bool(main), "an insurance without its wager")
        if self.options.get("opposite_bets") is False:
            self.need(not {"player", "banker"} <= mine, "on both hands")

    def on_wager_placed(self, event: Event) -> None:
        """Chips, coupon, or the cash of a spoken wager."""
        seat, on, stake = event["seat"], event["on"], event["stake"]
        self.judge_wager(seat, on, stake)
        self.need((seat, on) not in self.wagers, "a second wager on one area")
        wager = {"seat": seat, "type": on, "amount": stake}
        if event["coupon"]:
            self.need(bool(self.options.get("match_play")), "coupons are not taken")
            self.need(on in ("player", "banker") and event["coupon"] == stake, "a coupon lies with an equal wager")
            wager["coupon"] = self.coupons[seat, on] = event["coupon"]
        self.wagers[seat, on] = wager
        self.kind = "wagered"
        if event["cash"]:
            spoken = self.spoken.pop((seat, on), None)
            fine = spoken is not None and set(spoken["by"]) >= set(self.law.confirm) and spoken["stake"] == stake
            self.need(fine, "a spoken wager not confirmed by everyone")
            self.issued += stake
        else:
            self.people[seat] -= stake
        self.judge_seat(seat)

    def on_wager_changed(self, event: Event) -> None:
        """Another stake, before the call."""
        seat, on = event["seat"], event["on"]
        self.judge_wager(seat, on, event["stake"])
        before = self.wagers[seat, on]
        self.need(before["amount"] == event["before"], "another stake lay there")
        self.need(not before.get("coupon") or before["coupon"] == event["stake"], "a coupon needs an equal wager")
        self.people[seat] += before["amount"] - event["stake"]
        self.wagers[seat, on] = before | {"amount": event["stake"]}

    def on_wager_withdrawn(self, event: Event) -> None:
        """Back before the call."""
        self.need(not self.closed, "after no more bets")
        wager = self.wagers.pop((event["seat"], event["on"]))
        self.need(wager["amount"] == event["stake"], "another stake lay there")
        self.people[event["seat"]] += wager["amount"]
        self.expect_coupons("coupon_returned", [(event["seat"], event["on"])])

    def expect_coupons(self, kind: str, keys: Iterable[tuple[int, str]], **more: bool) -> None:
        """Reading A-23: what becomes of the coupons that lie with these wagers."""
        for seat, on in keys:
            if (seat, on) in self.coupons:
                face = self.coupons[seat, on]
                self.next_events.append({"event": kind, "seat": seat, "on": on, "face": face, **more})

    def on_coupon_taken(self, event: Event) -> None:
        """With a wager that was decided."""
        results = {(line["seat"], line["type"]): line["result"] for line in self.lines}
        won = results.get((event["seat"], event["on"])) == "win"
        self.need(event["paid"] == won, "paid or lost against its wager")
        self.need(self.coupons.pop((event["seat"], event["on"]), None) == event["face"], "no such coupon")

    def on_coupon_returned(self, event: Event) -> None:
        """With a wager that nothing decided."""
        self.need(self.coupons.pop((event["seat"], event["on"]), None) == event["face"], "no such coupon")

    def on_hand_stays(self, event: Event) -> None:
        """Massachusetts 10, New Jersey 3.9: a hand that the tableau gives no card."""
        side = event["side"]
        self.need(self.opened() and self.result is None and not self.void, "ruled out of turn")
        self.need(side not in self.stays and len(self.hands[side]) == 2, "ruled twice, or a hand of three cards")
        self.need(event["count"] == count(self.opening(side)), "on another count")
        drew = self.player_draws()
        third = self.hands["player"][2:] if side == "banker" and drew else []
        self.need(not (side == "banker" and drew and not third), "before the Player's third card is up")
        draws = self.player_draws() if side == "player" else self.banker_draws()
        self.need(not draws, "the tableau gives it a card")
        against = None if event["against"] is None else code(event["against"])
        self.need(against == (self.up[third[0]] if third else None), "against another card")
        self.stays.add(side)

    def on_wager_spoken(self, event: Event) -> None:
        """Massachusetts 7(b), New Jersey 3.2(c)."""
        key = (event["seat"], event["on"])
        self.judge_wager(*key, event["stake"])
        self.need(bool(self.options.get("verbal_wagers")), "spoken wagers are not taken")
        self.need(key not in self.wagers and key not in self.spoken, "a second wager on one area")
        self.spoken[key] = {"stake": event["stake"], "by": []}
        self.kind = "wagered"

    def on_wager_confirmed(self, event: Event) -> None:
        """By those whom the document names."""
        self.need(not self.closed, "after no more bets")
        spoken = self.spoken[event["seat"], event["on"]]
        self.need(event["who"] in self.law.confirm and event["who"] not in spoken["by"], "by the wrong person")
        spoken["by"].append(event["who"])
        if set(spoken["by"]) >= set(self.law.confirm):
            self.next_events.append({"event": "wager_placed", "seat": event["seat"], "on": event["on"], "cash": True})

    def on_spoken_wager_off(self, event: Event) -> None:
        """Not converted in time (reading A-61)."""
        self.need((event["seat"], event["on"]) in self.spoken, "never spoken")
        self.spoken.pop((event["seat"], event["on"]), None)

    def on_free_hand_requested(self, event: Event) -> None:
        """The fourth edition's 7(c), reading A-42."""
        self.need(self.law.free_hand and bool(self.options.get("free_hand")), "no Free Hand here")
        self.need(event["seat"] in self.people, "asked for by nobody")
        self.need(not self.wagers and not self.spoken and not self.closed, "with wagers on the table")
        most = self.options.get("max_consecutive_free_hands")
        self.need(most is None or self.free_hands < most, "too many in a row")
        self.kind, self.asked_by = "free hand", event["seat"]

    def on_no_more_bets_called(self, event: Event) -> None:
        """Wagers stand; the meters take their share, to the micro-cent (reading A-15)."""
        self.need(not self.closed, "called twice")
        self.need(not self.spoken, "a spoken wager still waits")
        self.need(bool(self.wagers) or self.kind != "wagered", "without a wager")
        for seat in {seat for seat, _ in self.wagers}:
            self.judge_seat(seat)
        self.need(event["say"].lower() == "no more bets", "in other words")
        wanted, reserve = self.contributions()
        self.need(event["contributions"] == wanted, f"the meters take {wanted}")
        self.need(event["reserve"] == reserve, f"the reserve takes {reserve}")
        for name, amount in event["contributions"].items():
            self.meters[name] += amount
        self.contributed, self.reserved = dict(event["contributions"]), event["reserve"]
        self.reserve += self.reserved
        self.closed = True

    def contributions(self) -> tuple[dict[str, int], int]:
        """Nine per cent, or what is filed, of each five dollars."""
        royal = self.options.get("royal9")
        seats = sum(kind == "royal9" for _, kind in self.wagers)
        if not royal or not seats:
            return {}, 0
        if royal.get("paytable"):
            rates = {"major": 900 if royal["paytable"] == 1 else 960, "k9_banker": 500, "k9_player": 500}
        else:
            rates = royal["rates_bp"]
        kept, made = self.options.get("reserve_share_bp") or 0, {}
        reserve = 500 * (self.options.get("secondary_seed_bp") or 0) * MICRO // 10_000 * seats
        for name, rate in rates.items():
            whole = 500 * rate * MICRO // 10_000
            held = whole * kept // 10_000
            made[name] = (whole - held) * seats
            reserve += held * seats
        return made, reserve

    def on_cards_called(self, event: Event) -> None:
        """New Jersey 3.7(b)."""
        self.need(self.law.curator and self.closed and not self.called, "called out of turn")
        self.need(event["say"].lower() == "cards", "in other words")
        self.called = True

    def opening(self, hand: str) -> list[str]:
        """The first two cards of a hand, turned."""
        return [self.up[place] for place in self.hands[hand][:2]]

    def opened(self) -> bool:
        """Whether both opening hands are up and called."""
        return len(self.counted) >= 2

    def player_draws(self) -> bool:
        """By the tableau, on both opening hands."""
        return player_draws(count(self.opening("player")), count(self.opening("banker")))

    def banker_draws(self) -> bool:
        """By the tableau; the value of the Player's third card, not the count."""
        third = None
        if self.player_draws():
            third = VALUES[self.up[self.hands["player"][2]][0]]
        return banker_draws(count(self.opening("player")), count(self.opening("banker")), third)

    def entitled(self) -> str | None:
        """C2: P B P B, then the Player's third, then the Banker's."""
        for turn in range(4):
            side = "banker" if turn % 2 else "player"
            if len(self.hands[side]) <= turn // 2:
                return side
        if not self.opened():
            return None
        if len(self.hands["player"]) == 2 and self.player_draws():
            return "player"
        if any(place not in self.up for place in self.hands["player"]):
            return None
        return "banker" if len(self.hands["banker"]) == 2 and self.banker_draws() else None

    def complete(self) -> bool:
        """Whether both hands have what they are entitled to, face up."""
        laid = [*self.hands["player"], *self.hands["banker"]]
        return self.opened() and all(place in self.up for place in laid) and self.entitled() is None

    def on_card_drawn(self, event: Event) -> None:
        """From what was carried first, then from the shoe."""
        self.need(self.closed and not self.void and self.result is None, "out of turn")
        self.need(self.called or not self.law.curator, "before the call of Cards")
        self.need(event["to"] == self.entitled(), f"{self.entitled()} is entitled to the card")
        if self.opened() and self.early is None:
            self.need(not any(kind == "house_money" for _, kind in self.wagers), "before House Money is settled")
        place = event["position"]
        if event["carried"]:
            self.need(self.carried[:1] == [place] and self.kind != "simulated", "not the carried card that is next")
            self.carried.remove(place)
        else:
            self.need(not self.carried or self.kind == "simulated", "a carried card comes first")
            self.leave_shoe(place)
        self.hands[event["to"]].append(place)
        self.third_drawn = len(self.hands[event["to"]]) == 3

    def on_cover_card_out(self, _event: Event) -> None:
        """C5: when it is the next to come."""
        self.need(not self.cover_seen and self.cover is not None, "there is one cover card")
        self.cover_seen = self.cover_comes = True
        self.cover_now = self.ready()

    def face_down(self, side: str) -> list[int]:
        """The places of a hand not turned yet."""
        return [place for place in self.hands[side] if place not in self.up]

    def on_error_card_drawn(self, event: Event) -> None:
        """Massachusetts 13(a)–(d), New Jersey 3.12(a)–(c); what follows is said by the clause."""
        place, to = event["position"], event["to"]
        entitled = self.entitled() if self.hands["player"] or self.hands["banker"] else None
        self.need(not self.void, "after the round is void")
        self.need(to is None or self.opened(), "before both counts are called")
        self.need(entitled is None or to not in (None, entitled), "that hand is entitled to the card")
        self.leave_shoe(place)
        if event["card"] is not None:
            self.turn_up(event)
        self.expect_remedy(event, to, entitled)

    def expect_remedy(self, event: Event, to: str | None, entitled: str | None) -> None:
        """Where a card goes that came out for a hand which was not entitled to it."""
        place, seen = event["position"], event["card"]
        third = to == "player" and len(self.hands["player"]) == 2 and not self.player_draws()
        taken = {"event": "card_reassigned", "position": place, "card": event["card"]}
        filed = self.options.get("nj_disclosed_banker_third") == "filed_procedure"
        if third and len(self.hands["banker"]) == 2 and self.banker_draws() and not (seen and filed):
            self.next_events.append(taken | {"to": "banker"})
        elif entitled is not None and not third:  # in its turn, on the wrong hand (reading A-46)
            self.next_events.append(taken | {"to": entitled})
        elif seen is None:
            self.next_events.append({"event": "card_carried", "position": place})
        elif self.law.curator:
            self.expect_filed(event, self.options["disclosed_card_procedure"])
        else:
            first = third and self.options["disclosed_third_card"] != "simulated_round"
            self.expect_filed(event, 2 if first else 3)

    def expect_simulated(self, place: int) -> None:
        """Reading A-26: at once if the card is the first of a round that is not simulated, otherwise afterwards."""
        laid = [*self.hands["player"], *self.hands["banker"]]
        if laid or self.carried or self.kind == "simulated":
            self.next_events.append({"event": "simulated_round_ordered", "position": place})
            return
        for seat, on in self.spoken:
            self.next_events.append({"event": "spoken_wager_off", "seat": seat, "on": on})
        after = {"event": "wagers_returned"} if self.wagers else {"event": "round_made_simulated", "position": place}
        self.next_events.append(after)

    def expect_filed(self, event: Event, procedure: int) -> None:
        """New Jersey's three procedures; Massachusetts has the last two of them."""
        place, card = event["position"], code(event["card"])
        if procedure == 3:
            self.expect_simulated(place)
            return
        more = 1
        if procedure == 1:
            more = VALUES[card[0]] or int(self.options["ten_value_extra"])
        self.expect_discards(place, more, shown=procedure == 1)

    def expect_discards(self, place: int, more: int, *, shown: bool) -> None:
        """The seen card and others leave the game."""
        others = list(range(self.next, min(self.next + more, self.cards)))
        wanted = {"event": "cards_discarded", "positions": [place, *others], "to_show": others if shown else []}
        self.next_events.append(wanted)

    def on_face_up_found(self, event: Event) -> None:
        """Massachusetts 13(d), reading A-26; New Jersey 3.12(d), reading A-29."""
        self.need(self.loaded and not self.void and self.result is None, "out of turn")
        self.leave_shoe(event["position"])
        card = self.turn_up(event)
        if self.law.curator:
            more = VALUES[card[0]] or int(self.options.get("face_up_ten_extra") or 0)
            self.expect_discards(event["position"], more, shown=True)
        else:
            self.expect_simulated(event["position"])

    def on_card_carried(self, event: Event) -> None:
        """The first card of the next hand, which may be the one about to begin."""
        begun = self.hands["player"] or self.hands["banker"]
        (self.pending if begun else self.carried).append(event["position"])

    def on_card_reassigned(self, event: Event) -> None:
        """The third card of the Banker's hand."""
        self.hands[event["to"]].append(event["position"])
        if event["card"] is not None:
            self.up[event["position"]] = code(event["card"])

    def on_cards_discarded(self, event: Event) -> None:
        """Out of the game; some are shown."""
        for place in event["positions"][1:]:
            self.leave_shoe(place)
        self.to_show += event["to_show"]

    def on_discard_shown(self, event: Event) -> None:
        """One of those."""
        self.need(event["position"] in self.to_show, "not to be shown")
        self.turn_up(event)
        self.to_show.remove(event["position"])

    def on_simulated_round_ordered(self, event: Event) -> None:
        """After this round."""
        self.disclosed[event["position"]] = code(event["card"])

    def on_round_made_simulated(self, event: Event) -> None:
        """C6: the round that was about to begin."""
        self.need(not self.wagers, "a simulated round holds no wager")
        self.need(event["contributions"] == self.contributed, "the meters are not as before")
        self.reserve -= event["reserve"]
        for name, amount in event["contributions"].items():
            self.meters[name] -= amount
        self.simulate({event["position"]: code(event["card"])})

    def simulate(self, waiting: dict[int, str]) -> None:
        """Seen cards open a round without wagers, in the order in which they came."""
        first, rest = dict(list(waiting.items())[:4]), dict(list(waiting.items())[4:])
        self.new_round("simulated")
        for turn, (place, card) in enumerate(first.items()):
            self.hands["banker" if turn % 2 else "player"].append(place)
            self.up[place] = card
        self.disclosed = rest

    def on_card_corrected(self, event: Event) -> None:
        """Reading A-88: real cards, of this round or of the burn."""
        place, was, card = event["position"], code(event["was"]), code(event["card"])
        self.two_persons(event)
        self.need(not self.root, "a sealed card is proved")
        self.cards_seen[was] -= 1
        self.cards_seen[card] += 1
        self.need(self.cards_seen[card] <= self.options["decks"], f"{card} once too often")
        if place not in self.up:
            self.need(self.burn_up.get(place) == was, "not a card to be corrected")
            self.burn_up[place] = card
            if event["burn_left"] is not None:
                wanted = self.law.burns[card[0]]
                left = max(0, wanted - (len(self.burn) - 1))
                self.need(place == self.burn[0] and event["burn_left"] == left, f"{left} are still to be burned")
                self.burn_wanted = left
            return
        self.need(self.up[place] == was, "it was another card")
        pairs = self.pairs()
        self.up[place] = card
        if self.result is not None or self.void:
            return
        self.stays = set()
        if self.pairs() != pairs:
            chosen = [seat for seat in self.presses if (seat, "house_money") in self.wagers]
            self.next_events += [{"event": "press_undone", "seat": seat} for seat in chosen]
        for side in ("player", "banker"):
            if place in self.hands[side][:2] and side in self.counted:
                self.counted.remove(side)
        self.limbo = self.misdealt()
        if self.limbo:
            self.next_events.append({"event": "third_card_taken_back", "position": self.limbo[0][0]})

    def pairs(self) -> int:
        """How many opening hands are known to be two cards of one rank."""
        opening = [[self.up.get(place, "")[:1] for place in laid[:2]] for laid in self.hands.values()]
        return sum(len(hand) == 2 and hand[0] == hand[1] != "" for hand in opening)

    def misdealt(self) -> list[tuple[int, str]]:
        """Third cards, in the order in which they came, from the first that its hand was not entitled to."""
        hands, counted = self.hands, self.counted
        if any(place not in self.up for side in hands for place in hands[side][:2]):
            return []
        thirds = sorted((laid[2], side) for side, laid in hands.items() if len(laid) > 2)
        self.hands, self.counted = {side: laid[:2] for side, laid in hands.items()}, ["player", "banker"]
        out: list[tuple[int, str]] = []
        for place, side in thirds:
            if not out and self.entitled() == side:
                self.hands[side].append(place)
            else:
                out.append((place, side))
        self.counted = counted
        return out

    def on_third_card_taken_back(self, event: Event) -> None:
        """A card dealt on a wrong count goes where a card drawn in error goes."""
        place, side = event["position"], event["side"]
        self.need(self.limbo[:1] == [(place, side)], "nothing is wrong with that card")
        self.limbo = self.limbo[1:]
        up, self.stays = self.up.pop(place, None), set()
        self.need((None if event["card"] is None else code(event["card"])) == up, "another card")
        self.handed.pop(side, None)
        self.back.discard(side)
        self.homeless.append(event)
        if self.limbo:
            self.next_events.append({"event": "third_card_taken_back", "position": self.limbo[0][0]})

    def expect_more(self) -> None:
        """When every third card is back that was dealt wrongly, they go their ways one after the other."""
        if self.homeless and not self.limbo:
            event = self.homeless.pop(0)
            counted, self.counted = self.counted, ["player", "banker"]
            self.expect_remedy(event, event["side"], self.entitled())
            self.counted = counted

    def on_shoe_fouled(self, event: Event) -> None:
        """A card that the shoe cannot hold."""
        full = self.cards_seen[code(event["card"])] >= self.options["decks"]
        self.need(full or bool(self.root), "that card can be in the shoe")
        self.stopped = True
        if self.closed or self.wagers:
            self.next_events.append({"event": "round_voided"})
