"""The auditor on who is handed the cards, who turns them, and what is called."""

from __future__ import annotations

from audit_books import DEALER, OTHER, Event
from audit_round import RoundAudit
from second_settlement import count


class TurningAudit(RoundAudit):
    """Hands on their way to their holders and back."""

    def side_due(self) -> str | None:
        """The hand whose cards are turned now."""
        order = ("banker", "player") if self.banker_first else ("player", "banker")
        for side in order:
            if side not in self.counted:
                return side
        return next((side for side in ("player", "banker") if self.face_down(side)), None)

    def holder(self, side: str) -> int:
        """Massachusetts 8(c)(1), (2), (6); New Jersey 3.7(d)1–6; reading A-07."""
        if side in self.holders:
            return self.holders[side]
        if self.kind != "wagered" or self.options.get("reveal") == "face_up":
            return DEALER
        on_it = {seat: wager["amount"] for (seat, kind), wager in self.wagers.items() if kind == side}
        if not on_it and self.options.get("allow_other_side"):
            on_it = {seat: 1 for (seat, kind) in self.wagers if kind == OTHER[side]}
        if not on_it:
            return DEALER
        return self.counterclockwise(seat for seat in on_it if on_it[seat] == max(on_it.values()))[0]

    def on_banker_first_granted(self, _event: Event) -> None:
        """New Jersey 3.8(a): only where filed, and only while the dealer is curator."""
        self.need(bool(self.options.get("banker_first_on_request")), "not filed")
        self.need(self.curator == DEALER, "a participant has the shoe")
        self.need(not any(place in self.up for place in self.hands["player"]), "a card of the Player is up")
        self.need("player" not in self.handed, "the Player's cards are being turned")
        self.banker_first = True

    def on_cards_handed(self, event: Event) -> None:
        """Face down, all of the hand that is not up, to whoever is entitled."""
        side = event["side"]
        self.need(len(self.hands["player"]) + len(self.hands["banker"]) >= 4, "before four cards are dealt")
        self.need(side == self.side_due(), f"{self.side_due()} is turned now")
        self.need(event["seat"] == self.holder(side) != DEALER, f"seat {self.holder(side)} is entitled")
        self.need(event["positions"] == self.face_down(side), "other cards than the hand's")
        self.need(self.offering is None and side not in self.handed, "handed out of turn")
        self.handed[side], self.holders[side] = event["positions"], event["seat"]

    def on_cards_returned(self, event: Event) -> None:
        """By the one who had them."""
        side = event["side"]
        self.need(side in self.handed and self.holders.get(side) == event["seat"], "by somebody else")
        self.back.add(side)

    def next_turner(self) -> int | None:
        """Massachusetts 8(d): to the right of the one before, then counterclockwise."""
        previous, *asked = self.offered
        ring = self.walk(previous, clockwise=False)[1:]
        if self.law.curator:
            side = self.offering or "player"
            mine = any(kind == side for _, kind in self.wagers)
            may = self.options.get("allow_other_side") and not mine
            ring = [seat for seat in ring if may and (seat, OTHER[side]) in self.wagers]
        elif self.options.get("squeeze_eligible") == "bettors":
            ring = [seat for seat in ring if any(key[0] == seat for key in self.wagers)]
        return next((seat for seat in ring if seat in self.people and seat not in asked), None)

    def on_turn_relinquished(self, event: Event) -> None:
        """By choice, or by order with a reason."""
        side = event["side"]
        self.need(side == self.side_due() and event["seat"] == self.holder(side) != DEALER, "no right to give up")
        self.need(side not in self.back and self.offering is None, "too late")
        self.need(bool(self.face_down(side)), "no card is to be turned")
        self.handed.pop(side, None)
        self.offering, self.offered = side, [event["seat"]]
        if self.next_turner() is None:
            self.next_events.append({"event": "turn_fell_to_dealer", "side": side})

    def on_turn_answered(self, event: Event) -> None:
        """One after the other."""
        self.need(event["side"] == self.offering, "nothing is on offer")
        self.need(event["seat"] == self.next_turner(), f"seat {self.next_turner()} comes next")
        self.offered.append(event["seat"])
        if event["accept"]:
            self.holders[event["side"]], self.offering = event["seat"], None
        elif self.next_turner() is None:
            self.next_events.append({"event": "turn_fell_to_dealer", "side": event["side"]})

    def on_turn_fell_to_dealer(self, event: Event) -> None:
        """For the rest of the round."""
        gone = self.holders.get(event["side"], DEALER) not in (DEALER, *self.people)
        self.need(event["side"] == self.offering or gone, "nothing is on offer, and nobody has left")
        if event["side"] == self.offering:
            self.offering = None
        self.holders[event["side"]] = DEALER

    def on_left(self, event: Event) -> None:
        """With all chips, no wager and no debt: Massachusetts 12(d)(2)(i), New Jersey 3.3(c)4."""
        seat = event["seat"]
        self.need(event["chips"] == self.people.get(seat), "leaves with other chips than the seat has")
        self.need(not any(key[0] == seat for key in (*self.wagers, *self.spoken)), "leaves with a wager down")
        self.need(seat not in self.markers, "leaves owing vigorish")
        holding = any(self.holders[side] == seat and side not in self.back for side in self.handed)
        self.need(self.void or not holding, "with cards")
        self.need(self.cutter != seat or self.in_front is not None, "leaves with the cut")
        self.issued -= self.people.pop(seat, 0)
        if seat in (self.curator, self.right):
            self.next_events.append({"event": "shoe_passed", "seat": seat})
        if self.offering is not None and self.next_turner() is None:
            self.next_events.append({"event": "turn_fell_to_dealer", "side": self.offering})
        for side, holder in self.holders.items():
            if holder == seat and side != self.offering:
                self.next_events.append({"event": "turn_fell_to_dealer", "side": side})
        self.last_curator = None if self.last_curator == seat else self.last_curator
        self.last_cutter = None if self.last_cutter == seat else self.last_cutter
        self.cutter = None if self.cutter == seat else self.cutter
        if self.kind == "free hand" and self.asked_by == seat and not self.closed:
            self.kind = "wagered"

    def on_card_turned(self, event: Event) -> None:
        """A card of the hand that is due, once it is back."""
        side, place = self.side_due(), event["position"]
        if any("13(d)" in cite or "3.12" in cite for cite in event["cites"]):  # seen early, and belongs there
            laid = [*self.face_down("player"), *self.face_down("banker")]
            self.need(self.options.get("disclosed_correct_card") != "set_aside" and place in laid, "not seen early")
            self.up[place] = self.turn_up(event)
            self.all_turned("player" if place in self.hands["player"] else "banker")
            return
        self.need(side is not None and place in self.face_down(side), "not the card to be turned")
        if side is None:
            return
        if self.holder(side) != DEALER:
            self.need(side in self.back, "the cards are not back")
        self.need(self.offering is None, "the right to turn them is on offer")
        self.up[place] = self.turn_up(event)
        self.all_turned(side)

    def all_turned(self, side: str) -> None:
        """A hand that is all up is nobody's any more."""
        if not self.face_down(side):
            self.back.discard(side)
            self.handed.pop(side, None)

    def on_card_set_aside(self, event: Event) -> None:
        """Reading A-27, where the licensee filed it: the next card takes the place of the one that was seen."""
        place = event["position"]
        self.need(self.options.get("disclosed_correct_card") == "set_aside", "not filed")
        side = "player" if place in self.hands["player"] else "banker"
        self.need(place in self.face_down(side), "not a card that lies face down")
        self.turn_up(event)
        self.hands[side].remove(place)
        self.handed.pop(side, None)
        self.back.discard(side)
        self.expect_simulated(place)

    def on_count_announced(self, event: Event) -> None:
        """Two cards up, counted, called once."""
        side = event["side"]
        self.need(side == self.side_due() and not self.face_down(side), "called out of turn")
        self.need(event["count"] == count(self.opening(side)), f"the count is {count(self.opening(side))}")
        self.counted.append(side)
