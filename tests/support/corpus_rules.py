"""Forgeries that only those find who know the rules: payments, draws, results, wagers, refusals, persons."""

from __future__ import annotations

from corpus_base import act, event, twin
from corpus_case import UNCOVERED, Case, Forge, Kind, KindMaker, Kinds, Names, forged, of_kind, until
from remade import Json

DECIDED = Names("decided again", "", "")


def _all(make: KindMaker, forgeries: dict[str, Forge], of: str = "real-cards") -> tuple[Kind, list[Case]]:
    """Every forgery of a kind, in a journal that ends where it is found."""
    return make.kind, [
        make.signed(name, forge, of=of, status_without_rules=UNCOVERED) for name, forge in forgeries.items()
    ]


def changed_event(name: str, nth: int = 0, **fields: object) -> Forge:
    """Fields of an event say something else."""
    return until(name, lambda records: event(records, name, nth).update(fields), nth)


def changed_act(name: str, nth: int = 0, **fields: object) -> Forge:
    """Fields of a record say something else; the journal ends there."""

    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name, nth)
        record.update(fields)
        return records[: records.index(record) + 1]

    return forge


def money() -> Kinds:
    """What was paid and taken."""
    yield _all(of_kind("payment-otherwise", "dealer", "a friend is paid more, or somebody less", DECIDED), {
        "more": changed_event("paid", win=3000),
        "less": changed_event("paid", win=2400),
        "stake": changed_event("paid", stake=5000),
        "to-another-seat": changed_event("paid", seat=3),
        "not-at-all": _without("pay", "clear_table"),
        "twice": _twice("pay"),
    })  # fmt: skip
    yield _all(of_kind("collected-otherwise", "dealer", "a losing wager stays on the layout", DECIDED), {
        "less": changed_event("losers_collected", amounts={"3": 2400}),
        "nothing": changed_event("losers_collected", amounts={}),
        "from-the-winner": changed_event("losers_collected", amounts={"1": 2500, "3": 2500}),
        "not-at-all": _without("collect_losers", "pay"),
    })  # fmt: skip
    yield _all(of_kind("chips-otherwise", "dealer", "chips come out of nowhere", DECIDED), {
        "bought-more": _bought(amount=9_000_000_00),
        "bought-twice-the-event": _bought_twice,
        "in-another-seat": _bought(seat=3),
    })  # fmt: skip


def _without(name: str, last: str) -> Forge:
    """An act is left out, and the next comes all the same."""

    def forge(records: list[Json]) -> list[Json]:
        records.remove(act(records, name))
        return records[: records.index(act(records, last)) + 1]

    return forge


def _twice(name: str) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name)
        at = records.index(record) + 1
        return [*records[:at], twin(record)]

    return forge


def _bought(**fields: object) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, "buy_in")
        record["events"][0].update(fields)
        return records[: records.index(record) + 1]

    return forge


def _bought_twice(records: list[Json]) -> list[Json]:
    record = act(records, "buy_in")
    record["events"].append(twin(record["events"][0]))
    return records[: records.index(record) + 1]


# ------------------------------------------------------------------------------------------------------- the round


def rounds() -> Kinds:
    """Cards, counts, draws and results."""
    yield _all(of_kind("count-otherwise", "dealer", "a hand counts what it does not", DECIDED), {
        "player": changed_event("count_announced", count=8),
        "banker": changed_event("count_announced", 1, count=9),
        "side": changed_event("count_announced", side="banker"),
    })  # fmt: skip
    yield _all(of_kind("draw-otherwise", "dealer", "a hand draws that stays, or stays that draws", DECIDED), {
        "to-the-player": _drawn_to("player"),
        "not-drawn": _not_drawn,
        "fifth-card-first": changed_event("card_drawn", 2, to="banker"),
        "another-position": changed_event("card_drawn", 1, position=9),
        "skipped-a-card": changed_event("card_drawn", 1, position=4),
    })  # fmt: skip
    yield _all(of_kind("result-otherwise", "house", "another hand wins", DECIDED), {
        "banker-wins": changed_event("result_announced", outcome="banker"),
        "tie": changed_event("result_announced", outcome="tie"),
        "count": changed_event("result_announced", banker=8),
        "acts": changed_event("result_announced", acts=[]),
    })  # fmt: skip
    yield _all(of_kind("step-otherwise", "dealer", "a step that protects the players is passed over", DECIDED), {
        "no-wash": _not_prepared("wash"),
        "no-verification": _not_prepared("verify"),
        "no-shuffle": _without("shuffle_cards", "lace_cards"),
        "no-cut": _without("cut_cards", "place_cover_card"),
        "no-burn": _without("burn_cards", "turn_card"),
        "betting-not-closed": _without("call_no_more_bets", "draw_card"),
        "another-next-step": changed_event("step", step="wager"),
    })  # fmt: skip


def _drawn_to(side: str) -> Forge:
    return changed_event("card_drawn", 4, to=side)


def _not_drawn(records: list[Json]) -> list[Json]:
    """The banker's third card is not drawn: the result follows at once."""
    drawn = records.index(act(records, "draw_card", 4))
    result = records.index(act(records, "announce_result"))
    return [*records[:drawn], records[result]]


def _not_prepared(name: str) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = next(r for r in records if r.get("command", {}).get("act") == name)
        at = records.index(record)
        return [*records[:at], records[at + 1]]

    return forge


# ------------------------------------------------------------------------------------------------------- wagers


def wagers() -> Kinds:
    """Wagers, refusals and persons."""
    yield _all(of_kind("wager-otherwise", "patron", "a wager is higher, later or elsewhere than it was", DECIDED), {
        "after-the-call": _late_wager,
        "more-than-he-has": _wagered(stake=10**12),
        "event-otherwise": changed_event("wager_placed", stake=9_000_000),
        "on-another": changed_event("wager_placed", on="tie"),
        "of-another-seat": changed_event("wager_placed", seat=3),
        "below-the-minimum": _wagered(stake=1),
    })  # fmt: skip
    yield _all(of_kind("coupon-out-of-thin-air", "patron", "a coupon is stated that nobody issued", DECIDED), {
        "in-the-event": changed_event("wager_placed", coupon=2500),
        "number": _couponed,
    })  # fmt: skip
    yield _all(of_kind("refusal-that-was-none", "house", "a winning wager is said to have been refused", DECIDED), {
        "wrong-step": _refused("wrong_step"),
        "nobody-there": _refused("nobody_there"),
        "unknown-code": _refused("because"),
    })  # fmt: skip
    yield _all(of_kind("one-person-for-two", "floor", "what takes two persons is done by one", DECIDED), {
        "no-second": _abandoned(None),
        "the-same": _abandoned([{"who": "fay", "role": "casino supervisor", "what": "abandon_shoe"}]),
        "another-act": _abandoned([{"who": "sue", "role": "casino supervisor", "what": "pay"}]),
        "another-role": _abandoned([{"who": "sue", "role": "participant", "what": "abandon_shoe"}]),
    })  # fmt: skip
    yield _all(of_kind("in-another-capacity", "patron", "somebody does what is not his to do", DECIDED), {
        "a-patron-pays": changed_act("pay", role="participant", who="participant 1"),
        "a-patron-calls": changed_act("call_no_more_bets", role="participant", who="participant 1"),
        "a-patron-of-another-seat": changed_act("place_wager", who="participant 3"),
        "the-public-draws": changed_act("draw_card", role="public", who="anybody"),
    })  # fmt: skip
    yield _all(of_kind("clause-otherwise", "house", "an act is founded on a clause that does not say it", DECIDED), {
        "another": changed_event("paid", cites=["ma-midi-4 §1(a)"]),
        "none": changed_event("card_drawn", cites=[]),
    })  # fmt: skip


def _late_wager(records: list[Json]) -> list[Json]:
    wager, at = twin(act(records, "place_wager")), records.index(act(records, "call_no_more_bets")) + 1
    return [*records[:at], wager]


def _wagered(**fields: object) -> Forge:
    """A wager is taken as it was asked for, though the rules refuse it."""

    def forge(records: list[Json]) -> list[Json]:
        record = act(records, "place_wager")
        record["command"].update(fields)
        record["events"][0].update(fields)
        return records[: records.index(record) + 1]

    return forge


def _couponed(records: list[Json]) -> list[Json]:
    """A coupon is taken for more than its face; its number is in the command alone."""
    made = forged(records, _wagered(coupon=2500))
    wager = act(made, "place_wager")
    wager["command"]["coupon_number"] = 7
    wager["events"][0]["coupon"] = 5000
    return made


def _refused(code: str) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, "place_wager")
        del record["events"]
        record["refused"] = {"cites": ["ma-midi-4 §8(a)"], "code": code, "what": code}
        return records[: records.index(record) + 1]

    return forge


def _abandoned(approvals: list[Json] | None) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, "abandon_shoe")
        record.pop("approvals", None)
        record.update({"approvals": approvals} if approvals else {})
        return records[: records.index(record) + 1]

    return forge


# ------------------------------------------------------------------------------------------------------- rules


def rulebooks() -> Kinds:
    """Under which rules a table is played."""
    yield _all(of_kind("record-of-another-version", "house", "one act is decided by other functions", DECIDED), {
        "version-unknown": changed_act("pay", behaviour=99),
    })  # fmt: skip
    rules = Names("rules", "", "")
    yield _all(of_kind("record-under-other-rules", "house", "one act is decided by other rules", rules), {
        "payment": changed_act("pay", rulebook="0" * 64),
        "draw": changed_act("draw_card", rulebook="1" * 64),
    })  # fmt: skip


def cases() -> Kinds:
    """All of them."""
    yield from money()
    yield from rounds()
    yield from wagers()
    yield from rulebooks()
