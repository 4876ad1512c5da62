"""The auditor on people, cards before play, the curator, and vigorish on paper."""

from __future__ import annotations

import itertools
import re

import audit_seed
from audit_books import DEALER, Books, Event


class ShoeAudit(Books):
    """From the opening of the cards to the burn, and who deals them."""

    def on_sat(self, event: Event) -> None:
        """A free seat of the table."""
        self.need(1 <= event["seat"] <= self.seats, "no such seat")
        self.need(event["seat"] not in self.people, "the seat is taken")
        self.people[event["seat"]] = 0

    def on_bought_in(self, event: Event) -> None:
        """Chips for cash."""
        self.need(event["amount"] > 0, "a buy-in of nothing")
        self.people[event["seat"]] += event["amount"]
        self.issued += event["amount"]

    def on_came_on(self, event: Event) -> None:
        """One dealer more, or one in the place of another."""
        self.need(event["who"] not in self.dealers, "on the game already")
        if event["instead_of"]:
            self.dealers[self.dealers.index(event["instead_of"])] = event["who"]
        else:
            self.dealers.append(event["who"])

    def on_went_off(self, event: Event) -> None:
        """One dealer less; somebody calls the game."""
        self.dealers.remove(event["who"])
        self.need(bool(self.dealers), "nobody calls the game")

    def on_step(self, event: Event) -> None:
        """What must have happened when a step begins."""
        self.need(not self.next_events, f"{self.next_events} is still to come")
        step = event["step"]
        if step == "wager":
            self.need(self.ready(), "wagers before the shoe is ready")
            fine = not self.cover_seen or self.last_called or self.cover_now
            self.need(fine, "last hand has not been called")
            self.need(not self.must_pass, "the curator has not passed the shoe")
        if step in ("deal", "call_cards"):
            self.need(self.closed, "cards before no more bets")
        if step == "clear":
            self.need(not self.acts, f"the round is not settled: {self.acts}")

    def on_rules_adopted(self, event: Event) -> None:
        """Each shoe names its rules before its first card; the tables that are audited go on under their own."""
        self.need(event["ruleset"] == self.ruleset, "rules of another document")
        self.need(len(event["hash"]) == 64, "rules without a hash")
        self.need((not self.prepared and not self.set_id) or self.reshuffle, "the cards of the shoe have been touched")
        if event.get("submission") is None:
            return
        self.need(event["seats"] == self.seats, "another number of seats")
        self.free_hands = 0
        if event["curator_begins"]:
            self.curator = self.right = self.last_curator = self.passed_by = None
            self.offers, self.must_pass = [], False

    def on_cards_received(self, event: Event) -> None:
        """Massachusetts 3(a), 4(a), 9(d); New Jersey 3.1(a), 3.4(a)."""
        self.need(not self.set_id, "a set is at the table already")
        self.need(event["decks"] == self.options["decks"] >= 6, "another number of decks than filed")
        self.need(event["set_id"] not in ("", self.former), "the set that was just played")
        self.need(not event["preshuffled"] or bool(self.options["preshuffled"]), "pre-shuffled cards are not filed")
        held, given, cutter = self.committed, self.given, self.cutter
        self.new_shoe(set_id=event["set_id"], reshuffle=False)
        self.committed, self.given, self.cutter = (
            held,
            given,
            cutter,
        )  # an electronic shoe may commit to its order before its cards come
        self.need(not event["batch_shuffled"] or bool(self.options["batch_shuffler"]), "no batch shuffler is filed")
        self.preshuffled = event["preshuffled"] or event["batch_shuffled"]

    def on_cards_prepared(self, event: Event) -> None:
        """Massachusetts 4(b), (c); New Jersey 3.4(b), (c), 3.5(a)2."""
        order = ["inspect", "verify", "spread", "wash", "stack"]
        if self.reshuffle and self.options.get("shuffle_method") == 2:
            order = ["wash", "stack"]
        self.need(event["act"] == order[len(self.prepared)], "out of order")
        self.need(event["by"] == ("floorperson" if event["act"] == "verify" else "dealer"), "by the wrong person")
        if event["act"] == "wash" and not self.reshuffle:
            self.need(bool(self.people), "nobody had the chance to look")
        self.prepared.append(event["act"])

    def on_cards_shuffled(self, event: Event) -> None:
        """Massachusetts 5(a); New Jersey 3.5(a)1, 2."""
        if not (self.reshuffle or self.preshuffled):
            self.need(self.prepared[-1:] == ["stack"], "shuffled before the cards are stacked")
        self.need(event["by"] in self.dealers, "by somebody who is no dealer of the game")
        if event["steps"] or not (event["again"] or event["device"] or not self.law.manual):
            fresh = set() if self.set_id in self.used_sets else {"plug"}
            missing = {"plug", "riffle", "turn", "strip", "cut"} - set(event["steps"]) - fresh
            self.need(not self.law.manual or not missing, f"a shuffle by hand without {missing}")
        some = event["again"] and self.options["reshuffle_after_lace"] == "some"
        part = 0 < event["cards"] < self.cards if some else event["cards"] == 0
        self.need(part, "some cards are shuffled again, or all, as filed (reading A-93)")
        if event["again"]:
            self.need(self.laced, "shuffled again before lacing")
            self.reshuffled = True
            return
        if self.options.get("shuffle_method") == 2:
            self.need(event["by"] not in self.shuffles, "one dealer shuffled twice")
        self.shuffles.append(event["by"])

    def on_cards_laced(self, event: Event) -> None:
        """About one deck."""
        self.need(bool(self.shuffles) and event["cards"] > 0, "laced before the shuffle")
        self.laced = True

    def shuffled(self) -> bool:
        """Whether the cards may be cut."""
        if self.preshuffled:
            return True
        if self.options.get("shuffle_method") == 2:
            return len(self.shuffles) == 3
        return self.laced and (self.options.get("reshuffle_after_lace") == "none" or self.reshuffled)

    def cut_order(self) -> list[int]:
        """Massachusetts 5(c) by edition; New Jersey 3.5(c)."""
        if not self.people:
            return []
        first = max(self.people)
        if self.law.curator and self.reshuffle and self.last_curator in self.people:
            first = self.last_curator or first
        if self.options.get("last_curator_as_last_cutter") and self.last_cutter in self.people:
            first = self.last_cutter or first
        return [seat for seat in self.walk(first, clockwise=self.law.clockwise) if seat in self.people]

    def next_cutter(self) -> int | None:
        """Who is offered the cut now."""
        return next((seat for seat in self.cut_order() if seat not in self.cut_offers), None)

    def on_cut_answered(self, event: Event) -> None:
        """One after the other, until one accepts."""
        self.need(self.shuffled(), "offered before the shuffle is done")
        self.need(self.options.get("cut_mode", "offer_players") == "offer_players", "the dealer cuts here")
        self.need(self.cutter is None and event["seat"] == self.next_cutter(), f"seat {self.next_cutter()} comes next")
        self.cut_offers.append(event["seat"])
        if event["accept"]:
            self.cutter = event["seat"]
        elif self.next_cutter() is None:
            self.next_events.append({"event": "cut_fell_to_dealer"})

    def on_cut_fell_to_dealer(self, _event: Event) -> None:
        """Nobody took it."""
        self.need(self.next_cutter() is None, "somebody has not been asked")
        self.cutter = DEALER

    def on_cards_cut(self, event: Event) -> None:
        """C3: Massachusetts 5(d), New Jersey 3.5(d)."""
        self.need(self.shuffled(), "cut before the shuffle")
        if self.cutter is None:
            asked = self.options.get("cut_mode", "offer_players") == "offer_players" and self.next_cutter() is not None
            self.need(not asked, "somebody has not been offered the cut")
        self.need(event["seat"] == (self.cutter or DEALER), "cut by somebody else")
        self.need(event["seat"] in (DEALER, *self.people), "cut by somebody who has left")
        self.need(self.law.cut <= event["in_front"] <= self.cards - self.law.cut, "not deep enough")
        self.need(self.in_front is None, "cut twice")
        self.cutter, self.in_front = event["seat"], event["in_front"]

    def on_cut_given_up(self, event: Event) -> None:
        """Whoever had it leaves."""
        self.need(event["seat"] == self.cutter and self.in_front is None, "nobody has the cut")
        self.cutter = None

    def on_recut_ordered(self, event: Event) -> None:
        """C3: Massachusetts 5(f), New Jersey 3.5(f); when the inputs are closed, the next shoe is cut (A-96)."""
        if self.inputs:
            self.next_events.append({"event": "shoe_abandoned", "reason": event["reason"]})
        self.need(self.next == 0 and self.in_front is not None, "too late, or nothing is cut")
        self.need(bool(event["reason"].strip()), "without a reason")
        if self.options.get("recut_second_person"):
            self.two_persons(event)
        by = self.cutter
        if by is None or (by != DEALER and self.options["recut_by"] == "next_entitled"):
            by = self.next_cutter() or DEALER
        self.need(event["seat"] == by, f"to be recut by {by}")
        if by not in (DEALER, *self.cut_offers):
            self.cut_offers.append(by)
        self.cutter, self.in_front, self.cover, self.loaded = by, None, None, False
        self.recuts += 1

    def on_order_sealed(self, event: Event) -> None:
        """Integrity, the shuffle, 4: order 1 before anybody is offered the cut, order 2 after the last share."""
        self.need(self.committed is not None, "sealed without a commitment")
        if self.is_order_2:
            named = {each["key"] for each in (self.committed or {}).get("witnesses", [])}
            self.need(bool(self.inputs) and set(self.shares) == named and not self.root, "sealed without its shares")
        else:
            self.need(not (self.root or self.cut_offers or self.recuts or self.in_front is not None), "sealed too late")
        self.need(re.fullmatch("[0-9a-f]{64}", event["root"]) is not None, "no root")
        self.root = event["root"]

    def on_shoe_committed(self, event: Event) -> None:
        """Integrity, the shuffle, 1: first of all."""
        late = self.committed or self.root or self.cut_offers or self.recuts or self.in_front is not None
        self.need(not late and not self.finished, "committed too late")
        self.need(event["decks"] == self.options["decks"], "another number of decks")
        self.need(event["shoe"] not in self.shoe_ids, "the id of a shoe comes again")
        self.shoe_ids.add(event["shoe"])
        self.need(re.fullmatch("[0-9a-f]{64}", event["commitment"]) is not None, "no commitment")
        self.committed = event

    @property
    def is_order_2(self) -> bool:
        """Whether the shoe closes its inputs before anybody can derive its order."""
        return self.committed is not None and self.committed.get("order", 1) == 2

    def on_inputs_closed(self, event: Event) -> None:
        """Reading A-96: when the stack is cut and somebody sits; the event says again what was committed."""
        self.need(self.is_order_2 and not self.inputs, "nothing to close, or closed twice")
        self.need(self.in_front is not None and bool(self.people), "before the cut, or at an empty table")
        made = self.committed or event
        echo = (made.get("origin", ""), made["shoe"], made.get("witnesses", []))
        self.need((event["origin"], event["shoe"], event["witnesses"]) == echo, "another shoe than was committed to")
        inputs = audit_seed.inputs_2(made, list(self.given.values()), self.in_front or 0)
        self.need(event["inputs"] == inputs, "other inputs")
        self.inputs = event["inputs"]

    def on_share_given(self, event: Event) -> None:
        """Each named witness once, with the share that it promised, all for one record."""
        self.need(bool(self.inputs) and event["key"] not in self.shares, "before the closing, or twice")
        self.shares[event["key"]] = audit_seed.opened(self.committed or event, event)
        self.need(len({leaf for leaf, _ in self.shares.values()}) == 1, "for two closings")

    def on_contribution_made(self, event: Event) -> None:
        """Integrity, the shuffle, 2: after the commitment, before the order, one a seat."""
        self.need(self.committed is not None and not self.root, "not between commitment and seal")
        late = self.inputs if self.is_order_2 else self.cut_offers or self.in_front is not None
        self.need(not late, "after the inputs were closed, or the cut was offered")
        self.need(event["seat"] in self.people and event["seat"] not in self.given, "by nobody, or twice")
        self.given[event["seat"]] = event["value"]

    def on_shoe_failed(self, _event: Event) -> None:
        """Integrity, the shuffle, 6, and J7: before anybody wagers on it."""
        self.need(self.committed is not None and not self.root and not self.next, "not before the seal")
        self.need(not self.is_order_2 or bool(self.inputs), "before its order can be known")
        self.stopped = True

    def derived_order(self, event: Event) -> list[str]:
        """The seed that was committed to, when the shoe is over, and the order before the cut that follows from it."""
        self.need(self.finished or self.stopped, "revealed while cards are still hidden")
        self.need(not self.seed and self.committed is not None, "revealed twice, or without a commitment")
        self.seed, made = event["seed"], self.committed or event
        seed = bytes.fromhex(self.seed)
        if self.is_order_2:
            head = audit_seed.header_2(made)
            self.need(audit_seed.commitment_2(head, seed) == made["commitment"], "another seed than was committed to")
            if not self.root:
                return []
            shares = [self.shares[each["key"]][1] for each in made.get("witnesses", [])]
            return audit_seed.order_2(seed, made["shoe"], self.inputs, shares, made["decks"])
        head = audit_seed.header(made["table"], made["shoe"], made["rulebook"], made["decks"])
        self.need(audit_seed.commitment(head, seed) == made["commitment"], "another seed than was committed to")
        return audit_seed.order(seed, made["shoe"], head, list(self.given.values()), made["decks"])

    def on_order_disproved(self, event: Event) -> None:
        """Integrity, the shuffle, 4 and 5: another order was sealed than the seed leads to; the table stops."""
        root = audit_seed.root(bytes.fromhex(event["seed"]), self.derived_order(event), self.inputs)
        self.need((event["sealed"], event["derived"]) == (self.root, root) and root != self.root, "it is not disproved")
        self.stopped = self.disproved = True

    def on_seed_revealed(self, event: Event) -> None:
        """Integrity, the shuffle, 5: when the shoe is over; everything published follows from it."""
        cards = self.derived_order(event)
        self.need(event["sealed"] == bool(self.root), "sealed, or not")
        if self.root:
            root = audit_seed.root(bytes.fromhex(self.seed), cards, self.inputs)
            self.need(root == self.root, "another order than was sealed")
            wrong = [index for index, card in self.known.items() if cards[index] != card]
            self.need(not wrong, f"other cards were turned at {wrong}")

    def on_seed_lost(self, event: Event) -> None:
        """By two persons, when it is due."""
        self.need(self.finished or self.stopped, "lost while it is not due")
        self.need(not self.seed and self.committed is not None, "nothing to lose")
        self.two_persons(event)
        self.seed = "lost"

    def on_shoe_abandoned(self, event: Event) -> None:
        """Reading A-94: between two rounds, with nothing on the table."""
        showing = set(self.to_show) - set(self.burn)  # burned cards may be turned at the close
        laid = self.wagers or self.spoken or self.closed or any(self.hands.values()) or showing
        self.need(event["taken_away"] == self.stopped, "a shoe that stopped the table, or not")
        self.need(self.stopped or (not laid and not self.finished), "in the middle of a round")
        self.need(not self.wagers, "wagers lie on the table")
        self.need(bool(event["reason"].strip()), "without a reason")
        self.taken_away, self.finished = self.taken_away or self.stopped, True
        self.stopped = False

    def on_cover_card_placed(self, event: Event) -> None:
        """Massachusetts 5(e), 9(d), reading A-09; New Jersey 3.5(e)."""
        self.need(self.in_front is not None, "placed before the cut")
        self.need(not self.is_order_2 or bool(self.root), "placed before the order is sealed")
        self.need(self.law.cover <= event["behind"] < self.cards, "not deep enough")
        self.cover = event["behind"]

    def on_shoe_loaded(self, _event: Event) -> None:
        """Cut, covered, loaded."""
        self.need(self.in_front is not None and self.cover is not None, "loaded before the cut cards are in")
        self.loaded = True

    def on_cards_burned(self, event: Event) -> None:
        """C4: first one, then as many as it says."""
        self.need(self.loaded, "burned before the shoe is loaded")
        places = event["positions"]
        if not self.burn:
            self.need(places == [self.next], "the first card comes first")
        else:
            there = self.cards - self.next
            fine = self.burn_wanted >= 0 and len(places) <= min(self.burn_wanted, there)
            self.need(fine, f"{self.burn_wanted} cards are to be burned")
            left = 0 if len(places) == there else self.burn_wanted - len(places)
            self.need(event["left"] == left, f"{left} are left to be burned")
            shown = self.law.shown
            if shown is None:
                shown = self.options["burn_exposure"] == "face_up"
            self.need(event["shown"] == shown, "shown or hidden against the document")
            self.to_show += list(places) if shown else []
            self.burn_wanted = event["left"]
        for place in places:
            self.leave_shoe(place)
        self.burn += places

    def on_burned_card_turned(self, event: Event) -> None:
        """Ten for a ten or court card, one for an ace."""
        card, place = self.turn_up(event), event["position"]
        self.need(place in self.burn and place not in self.burn_up, "not a burned card to be turned")
        self.burn_up[place] = card
        if place == self.burn[0]:
            wanted = self.law.burns[card[0]]
            self.need(event["more"] == wanted, f"{wanted} more are to be burned")
            self.burn_wanted = wanted
        elif not self.finished:
            self.need(place in self.to_show, "to stay face down")
            self.to_show.remove(place)

    def shoe_order(self) -> list[int]:
        """New Jersey 3.6(b), 3.11(b); readings A-05, A-24."""
        walk = self.walk(self.passed_by or 1, clockwise=False)
        if self.passed_by:
            del walk[0]
        return [seat for seat in walk if seat in self.people]

    def next_curator(self) -> int | None:
        """Who is offered the shoe now."""
        return next((seat for seat in self.shoe_order() if seat not in self.offers), None)

    def on_shoe_answered(self, event: Event) -> None:
        """One after the other, counterclockwise."""
        self.need(self.law.curator and self.curator is None, "the shoe is not on offer")
        self.need(event["seat"] == self.next_curator(), f"seat {self.next_curator()} comes next")
        self.offers.append(event["seat"])
        if event["accept"]:
            self.curator = DEALER if event["dealer_deals"] else event["seat"]
            self.right = event["seat"] if event["dealer_deals"] else None
            self.offers, self.must_pass = [], False
        elif self.next_curator() is None:
            self.next_events.append({"event": "shoe_fell_to_dealer"})

    def on_shoe_fell_to_dealer(self, _event: Event) -> None:
        """New Jersey 3.6(d)2."""
        self.need(self.law.curator and self.next_curator() is None, "somebody has not been asked")
        self.curator, self.right, self.offers, self.must_pass = DEALER, None, [], False

    def on_shoe_passed(self, event: Event) -> None:
        """New Jersey 3.11(a)."""
        holder = self.right if self.curator == DEALER else self.curator
        self.need(event["seat"] == (holder or DEALER), "passed by somebody else")
        self.need(holder is not None or self.must_pass, "nobody has the shoe")
        self.curator = self.right = None
        self.passed_by = event["seat"] or None
        self.last_curator = self.passed_by or self.last_curator
        self.offers, self.must_pass = [], False
        if self.next_curator() is None:
            self.next_events.insert(0, {"event": "shoe_fell_to_dealer"})

    def on_vigorish_collected(self, event: Event) -> None:
        """What the marker says, no more and no less."""
        owed = self.markers.pop(event["seat"], 0)
        self.need(event["amount"] == owed > 0, f"{owed} is owed")
        self.people[event["seat"]] -= event["amount"]
        self.house += event["amount"]

    def on_exception_reported(self, event: Event) -> None:
        """Reading A-38: two persons, Massachusetts only."""
        self.need(not self.law.curator, "New Jersey documents it by form")
        owed = self.markers.pop(event["seat"], 0)
        self.need(event["amount"] == owed > 0, f"{owed} is owed")
        self.two_persons(event)
        self.need(self.people[event["seat"]] < owed, "there were chips to collect it from")
        self.receivables[event["patron"]] += owed

    def on_vigorish_documented(self, event: Event) -> None:
        """New Jersey 3.3(c)3, J8."""
        form = event["form"]
        self.need(self.law.curator, "no form here")
        self.use_form(form["serial"])
        self.need(len({form[who].strip().lower() for who in ("dealer", "pit_boss", "pit_clerk")}) == 3, "three sign")
        self.need(form["amount"] == self.markers.pop(event["seat"], 0) > 0, "another sum than the marker's")
        self.need(all(form[who].strip() for who in ("patron", "dealer", "pit_boss", "pit_clerk")), "a name is missing")
        signed, stated_by = form["patron_signed"], form["stated_by"].strip().lower()
        self.need(signed or bool(form["why_not_signed"].strip()), "not signed, and not said why")
        self.need(signed or stated_by in (form["dealer"].lower(), form["pit_boss"].lower()), "nobody states why")
        self.need(form["copies"] >= 2, "original and duplicate")

    def use_form(self, serial: int) -> None:
        """J8: the next number of the series, once."""
        self.need(serial == self.forms <= self.last_form, "forms are used in order")
        self.used_forms.add(serial)
        self.forms = self.next_blank(serial + 1)

    def next_blank(self, serial: int) -> int:
        """The first number from here on that is neither used nor missing."""
        return next(number for number in itertools.count(serial) if number not in self.used_forms)

    def on_form_missed(self, event: Event) -> None:
        """New Jersey 3.3(c)3ii, J8: a blank number of the series in use; two persons account for it, nobody uses it."""
        serial = event["serial"]
        self.need(self.law.curator, "no form here")
        self.two_persons(event)
        self.need(self.forms <= serial <= self.last_form and serial not in self.used_forms, "no such blank form")
        self.used_forms.add(serial)
        self.forms = self.next_blank(self.forms)

    def on_forms_received(self, event: Event) -> None:
        """New Jersey 3.3(c)3ii: a series, once the last one is used up, of numbers not used before."""
        numbers = range(event["first"], event["last"] + 1)
        self.need(self.law.curator and self.forms > self.last_form, "forms are left")
        self.need(len(numbers) > 0 and numbers[0] > 0 and not self.used_forms & set(numbers), "not a new series")
        self.forms, self.last_form = event["first"], event["last"]

    def on_form_voided(self, event: Event) -> None:
        """New Jersey 3.3(c)3vi, J8."""
        self.need(self.law.curator, "no form here")
        self.use_form(event["serial"])
        self.need(bool(event["pit_boss"].strip() and event["pit_clerk"].strip()), "not signed")
