"""The auditor's books: what each document asks, who sits where, which cards are out, where the money is."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

Event = dict[str, Any]

MICRO = 1_000_000
DEALER = 0
OTHER = {"player": "banker", "banker": "player"}

AFTER_THE_STOP = (
    "round_voided", "step", "left", "vigorish_collected", "exception_reported", "vigorish_documented", "forms_received",
    "form_voided", "form_missed", "payment_corrected", "shoe_passed", "shoe_fell_to_dealer", "turn_fell_to_dealer",
    "wager_withdrawn", "spoken_wager_off", "cut_given_up", "seed_revealed", "seed_lost",
    "order_disproved", "shoe_abandoned",
)  # fmt: skip
"""What may still happen at a table that has stopped: people take what is theirs, the shoe is taken away."""
LEAVING = ("cards_burned", "card_drawn", "error_card_drawn", "face_up_found", "cards_discarded")
"""Events by which cards leave the shoe."""

BURNS = {**{rank: int(rank) for rank in "23456789"}, **dict.fromkeys("TJQK", 10), "A": 1}
"""How many more cards are burned after a first card of each rank."""


class Law:
    """What the auditor knows of one document, in words of its own."""

    def __init__(
        self, *, cut: int, clockwise: bool, cover: int, same_set: bool = False, curator: bool = False,
        shown: bool | None = True, confirm: tuple[str, ...] = ("dealer",), free_hand: bool = False,
        like: str = "", ascending: bool = False, panda8: bool = True, burns: dict[str, int] | None = None,
    ) -> None:  # fmt: skip
        self.cut, self.clockwise, self.cover, self.same_set, self.curator = cut, clockwise, cover, same_set, curator
        self.shown, self.confirm, self.free_hand = shown, confirm, free_hand
        self.like, self.ascending, self.panda8 = like, ascending, panda8
        self.burns = BURNS | (burns or {})
        self.manual = like in ("ma-midi-2", "ma-midi-3", "ma-midi-4")  # 5(g)


LAWS: dict[str, Law] = {
    "ma-midi-1": Law(cut=52, clockwise=False, cover=14, like="ma-midi-1"),
    "ma-midi-2": Law(cut=52, clockwise=False, cover=14, like="ma-midi-2"),
    "ma-midi-3": Law(cut=52, clockwise=False, cover=14, like="ma-midi-3"),
    "ma-midi-4": Law(cut=52, clockwise=True, cover=1, shown=None, free_hand=True, like="ma-midi-4"),
    "nj-punto-banco": Law(
        cut=10, clockwise=True, cover=14, same_set=True, curator=True, confirm=("dealer", "casino supervisor"),
        like="nj-punto-banco",
    ),
    "atlantis-1": Law(
        cut=26, clockwise=True, cover=1, shown=None, free_hand=True, like="ma-midi-4", ascending=True, panda8=False,
    ),
}  # fmt: skip
"""Massachusetts 5(c)–(e), 7(b), 7(c), 13(e); New Jersey 3.5(c)–(e), 3.2(c), 3.6, 3.12(e); the made-up sixth."""


def code(card: dict[str, str]) -> str:
    """A card of the log as records write it."""
    return card["rank"] + card["suit"].upper()


def proved(root: str, *, size: int, index: int, card: dict[str, str], proof: dict[str, Any]) -> bool:
    """RFC 6962, section 2.1.1: whether the way from a leaf beside these hashes leads to the root."""
    text = (card["rank"] + card["suit"]).encode()
    leaf = index.to_bytes(4, "big") + text + bytes.fromhex(proof["salt"])
    digest, node, last = hashlib.sha256(b"\0" + leaf).digest(), index, size - 1
    for word in proof["path"]:
        beside = bytes.fromhex(word)
        if node % 2 or node == last:
            digest = hashlib.sha256(b"\1" + beside + digest).digest()
            while node % 2 == 0 and node:
                node, last = node // 2, last // 2
        else:
            digest = hashlib.sha256(b"\1" + digest + beside).digest()
        node, last = node // 2, last // 2
    return last == 0 and digest.hex() == root


class Books:
    """One table, seen through its log."""

    def __init__(self, ruleset: str, options: dict[str, Any]) -> None:
        self.ruleset, self.options, self.law = ruleset, options, LAWS[ruleset]
        self.faults: list[str] = []
        self.cover_comes = False
        self.seen = 0
        self.proof: dict[str, Any] | None = None
        self.history: list[Event] = []
        self.seats: int = options["seats"]
        self.people: dict[int, int] = {}
        self.issued = self.house = 0
        self.markers: dict[int, int] = {}
        self.receivables: Counter[str] = Counter()
        self.forms, self.last_form, self.used_forms = 1, 0, set[int]()
        self.asked_by = 0
        self.limbo: list[tuple[int, str]] = []
        self.homeless: list[Event] = []
        self.meters: dict[str, int] = {name: cents * MICRO for name, cents in self.seeds().items()}
        self.must_hit: int = (options.get("must_hit") or {}).get("start", 0)
        self.curator: int | None = None
        self.right: int | None = None
        self.last_curator: int | None = None
        self.offers: list[int] = []
        self.must_pass = False
        self.free_hands = self.given_away = 0
        self.dealers = ["dealer"]
        self.last_cutter: int | None = None
        self.seal = self.link = ""
        self.reserve = 0
        self.former = ""
        self.used_sets: set[str] = set()
        self.passed_by: int | None = None
        self.next_events: list[Event] = []
        self.stopped = False
        self.shoe_ids: set[str] = set()
        self.new_shoe(set_id="", reshuffle=False)
        self.new_round("wagered")

    def see(self, event: Event) -> None:
        """Judge one event, then remember it."""
        self.seen += 1
        tag = event["event"]
        self.need(bool(event["cites"]), "cites nothing")
        self.need(not self.stopped or tag in AFTER_THE_STOP, "after the table stopped")
        if self.cover_comes and tag not in LEAVING:
            self.need(self.next > self.cards - (self.cover or 0), "the cover card came out before its place")
            self.cover_comes = False
        if not self.next_events:
            self.expect_more()
        if self.next_events and tag not in ("step", "cover_card_out"):
            wanted = self.next_events.pop(0)
            told = {key: event.get(key) for key in wanted}
            self.need(told == wanted, f"{wanted} should come, not {told}")
        act: Callable[[Event], None] | None = getattr(self, f"on_{tag}", None)
        if act is None:
            self.need(False, f"an unknown event {tag}")
            return
        before = len(self.faults)
        act(event)
        for place in range(before, len(self.faults)):
            self.faults[place] = f"event {self.seen} {tag}: {self.faults[place]}"
        self.history.append(event)
        self.books(tag)

    def expect_more(self) -> None:
        """What must follow now that nothing else must."""

    def audit(self, log: Iterable[Event]) -> list[str]:
        """The faults of a whole log."""
        for event in log:
            self.see(event)
        return self.faults

    def need(self, held: bool, say: str) -> None:
        """Note what does not hold."""
        if not held:
            self.faults.append(say)

    def books(self, tag: str) -> None:
        """All money is somewhere; nobody owes the table chips that are not there."""
        waiting = {act[1] for act in self.acts if act[0] != "collect_losing_wagers"}
        for seat, chips in self.people.items():
            self.need(chips >= 0 or seat in waiting, f"{tag}: seat {seat} stands at {chips}")
        total = sum(self.people.values()) + self.on_layout() + self.house
        self.need(total == self.issued, f"{tag}: {total} is at the table, {self.issued} came to it")
        self.need(all(value >= 0 for value in self.meters.values()), f"{tag}: a meter below zero")

    def on_layout(self) -> int:
        """The chips on the felt."""
        return sum(int(wager["amount"]) for wager in self.wagers.values()) + sum(self.pressed.values())

    def seeds(self) -> dict[str, int]:
        """What the meters begin with, in cents."""
        royal = self.options.get("royal9")
        if not royal:
            return {}
        if royal.get("paytable"):
            return {
                "major": 5_000_000 if royal["paytable"] == 1 else 2_500_000,
                "k9_banker": 35_000,
                "k9_player": 35_000,
            }
        return dict(royal["seeds"])

    def new_shoe(self, *, set_id: str, reshuffle: bool) -> None:
        """Nothing is known of the next cards."""
        self.set_id, self.reshuffle, self.preshuffled = set_id, reshuffle, False
        self.prepared: list[str] = []
        self.shuffles: list[str] = []
        self.laced = self.reshuffled = self.loaded = False
        self.cut_offers: list[int] = []
        self.recuts = 0
        self.cutter: int | None = None
        self.in_front: int | None = None
        self.cover: int | None = None
        self.root = self.seed = ""
        self.disproved = self.taken_away = False
        self.committed: Event | None = None
        self.given: dict[int, str] = {}
        self.inputs = ""
        self.shares: dict[str, tuple[str, bytes]] = {}
        self.known: dict[int, str] = {}
        self.next = 0
        self.burn: list[int] = []
        self.burn_up: dict[int, str] = {}
        self.burn_wanted = -1
        self.cards_seen: Counter[str] = Counter()
        self.cover_seen = self.cover_comes = self.last_called = self.last_hand = self.finished = False
        self.carried: list[int] = []
        self.pending: list[int] = []
        self.disclosed: dict[int, str] = {}
        self.to_show: list[int] = []

    def new_round(self, kind: str) -> None:
        """An empty felt."""
        self.kind = kind
        self.wagers: dict[tuple[int, str], dict[str, Any]] = {}
        self.spoken: dict[tuple[int, str], dict[str, Any]] = {}
        self.closed = kind == "simulated"
        self.called = self.closed and not self.law.curator
        self.hands: dict[str, list[int]] = {"player": [], "banker": []}
        self.up: dict[int, str] = {}
        self.holders: dict[str, int] = {}
        self.handed: dict[str, list[int]] = {}
        self.back: set[str] = set()
        self.offering: str | None = None
        self.offered: list[int] = []
        self.counted: list[str] = []
        self.stays: set[str] = set()
        self.coupons: dict[tuple[int, str], int] = {}
        self.presses: dict[int, str] = {}
        self.pressed: dict[tuple[int, str], int] = {}
        self.early: list[list[Any]] | None = None
        self.early_done: list[list[Any]] = []
        self.early_wagers: dict[tuple[int, str], dict[str, Any]] = {}
        self.early_fixed: Counter[int] = Counter()
        self.early_numbers: dict[int, set[int]] = {}
        self.contributed: dict[str, int] = {}
        self.acts: list[list[Any]] = []
        self.lines: list[dict[str, Any]] = []
        self.result: str | None = None
        self.announced: Event = {}
        self.meters_before: dict[str, int] = {}
        self.owed_acts = 0
        self.is_stopped = False
        self.void = False
        self.banker_first = self.cover_now = self.third_drawn = False

    @property
    def cards(self) -> int:
        """The size of the shoe."""
        return int(self.options["decks"]) * 52

    def ready(self) -> bool:
        """Whether play may begin or go on."""
        return self.loaded and bool(self.burn) and self.burn_wanted == 0 and not self.to_show

    def counterclockwise(self, seats: Iterable[int]) -> list[int]:
        """From the dealer's right hand (reading A-05)."""
        return sorted(seats, reverse=self.options["seat_one"] == "dealer_left")

    def walk(self, first: int, *, clockwise: bool) -> list[int]:
        """Every seat once around the table from one of them."""
        ring = self.counterclockwise(range(1, self.seats + 1))
        if clockwise:
            ring.reverse()
        turn = ring.index(first)
        return ring[turn:] + ring[:turn]

    def leave_shoe(self, position: int) -> None:
        """C2: in order; the cover card comes out before the card behind it does."""
        self.need(position == self.next, f"position {position} leaves the shoe, {self.next} is next")
        self.need(position < self.cards, "more cards than the decks hold")
        if self.cover is not None and position >= self.cards - self.cover:
            self.need(self.cover_seen, "a card from behind the cover card, which nobody has seen")
        self.next = position + 1

    def turn_up(self, event: Event) -> str:
        """C1 and the seal: a card becomes known."""
        card = code(event["card"])
        self.cards_seen[card] += 1
        self.need(self.cards_seen[card] <= self.options["decks"], f"{card} once too often")
        if self.root:
            index = (event["position"] + (self.in_front or 0)) % self.cards
            self.known[index] = event["card"]["rank"] + event["card"]["suit"]
            if self.proof is not None:
                fine = proved(self.root, size=self.cards, index=index, card=event["card"], proof=self.proof)
                self.need(fine, f"{card} is not proved")
        return card

    def two_persons(self, event: Event) -> None:
        """D3: whoever asks does not approve."""
        names = event["requester"].strip().lower(), event["approver"].strip().lower()
        self.need(all(names) and names[0] != names[1], "approved by the person who asked")
        self.need(bool(event["reason"].strip()), "without a reason")
