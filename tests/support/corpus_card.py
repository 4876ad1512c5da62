"""Forgeries of what an electronic shoe shows: cards, proofs, seeds, and who deals."""

from __future__ import annotations

from collections.abc import Callable

from corpus_base import PLAIN, act, base, event, journal, seed_again, twin, with_event
from corpus_case import Forge, Kinds, Names, of_kind, until
from corpus_shoe import ACTS, OPENED, PROOFS, SEEDS, again, other, without
from remade import Json, changed


def cards() -> Kinds:
    """Cards and their proofs."""
    make = of_kind("another-card", "house", "a card becomes another, and with it the winner", PROOFS)
    yield (
        make.kind,
        [
            make.signed("in-the-event", until("card_turned", _card_in_event)),
            make.signed("in-the-command", until("card_turned", _card_in_command)),
            make.signed("in-both", until("card_turned", _card_in_both)),
            make.signed("order-1", until("card_turned", _card_in_both), of="order-1"),
            make.signed("burned-card", until("burned_card_turned", _burned_card)),
            *(make.signed(f"card-{nth + 1}", until("card_turned", _nth_card(nth), nth)) for nth in (1, 2, 3)),
        ],
    )
    make = of_kind("card-without-a-proof", "house", "a card of the house's choice is dealt", PROOFS)
    yield (
        make.kind,
        [
            make.signed("no-proof", until("card_turned", _unproved)),
            make.signed("another-event", until("card_turned", _shown_elsewhere)),
            make.signed("an-event-more", until("card_turned", _shown_besides)),
            *(make.signed(f"card-{nth + 1}", until("card_turned", _unproved_nth(nth), nth)) for nth in (1, 2, 3)),
            make.signed("burned-card", until("burned_card_turned", _unproved_burned)),
            make.signed("order-1", until("card_turned", _unproved), of="order-1"),
            make.signed("turned-and-not-shown", until("card_turned", _turned_unseen)),
        ],
    )
    make = of_kind("another-proof", "house", "a card is proved that is not at its place", PROOFS)
    yield (
        make.kind,
        [make.signed(name, until("card_turned", _proof(forge))) for name, forge in PROOF_FORGERIES.items()]
        + [
            make.signed("in-another-command", until("count_announced", _proved_besides(changed))),
            make.signed("in-another-command-not-in-form", until("count_announced", _proved_besides(str.upper))),
        ],
    )
    make = of_kind("card-elsewhere", "dealer", "a card is taken from another place of the shoe", ACTS)
    yield (
        make.kind,
        [
            make.signed("beyond-the-end", until("card_turned", _position(416))),
            make.signed("from-below", until("card_turned", _position(-1))),
            make.signed("a-whole-shoe-further", until("card_turned", _a_shoe_further)),
            make.signed("a-text", until("card_turned", _position("3"))),
        ],
    )
    make = of_kind(
        "card-before-the-seal", "dealer", "at an electronic table cards of the dealer's choice are keyed", ACTS
    )
    yield (
        make.kind,
        [
            make.signed(
                "real-cards-called-electronic", _called("electronic"), of="real-cards", keys=("log", "witness")
            ),
            make.signed("real-cards-called-automated", _called("automated"), of="real-cards"),
            make.signed("no-seal", until("burned_card_turned", without("order_sealed"))),
            make.signed("committed-and-unstated", until("burned_card_turned", without("order_sealed")), of="unstated"),
        ],
    )
    make = of_kind("no-such-card", "dealer", "a card is shown that no deck has", ACTS)
    yield (
        make.kind,
        [
            make.signed(name, until("card_turned", _shown_as(card)), of="real-cards")
            for name, card in {
                "rank": {"rank": "1", "suit": "s"},
                "suit": {"rank": "9", "suit": "x"},
                "text": "9s",
            }.items()
        ],
    )
    make = of_kind("event-without-a-name", "house", "something happened that nobody can name", ACTS)
    yield make.kind, [make.signed("number", until("bought_in", lambda r: event(r, "bought_in").update(event=7)))]
    make = of_kind("electronic-at-real-cards", "house", "a table of real cards is dealt from a known order", ACTS)
    yield (
        make.kind,
        [
            make.signed("called-real", until("shoe_committed", _called("real"))),
            make.signed("order-1", until("shoe_committed", _called("real")), of="order-1"),
        ],
    )


def _other_rank(card: Json) -> None:
    card["rank"] = "9" if card["rank"] != "9" else "8"


def _card_in_event(records: list[Json]) -> None:
    _other_rank(event(records, "card_turned")["card"])


def _card_in_command(records: list[Json]) -> None:
    _other_rank(with_event(records, "card_turned")["command"]["card"])


def _card_in_both(records: list[Json]) -> None:
    _card_in_event(records)
    _card_in_command(records)


def _burned_card(records: list[Json]) -> None:
    _other_rank(event(records, "burned_card_turned")["card"])


def _nth_card(nth: int) -> Forge:
    return lambda records: _other_rank(event(records, "card_turned", nth)["card"])


def _unproved(records: list[Json]) -> None:
    with_event(records, "card_turned")["command"].pop("proof")


def _unproved_nth(nth: int) -> Forge:
    return lambda records: with_event(records, "card_turned", nth)["command"].pop("proof")


def _unproved_burned(records: list[Json]) -> None:
    with_event(records, "burned_card_turned")["command"].pop("proof")


def _shown_elsewhere(records: list[Json]) -> None:
    """The card is shown by a command that proves nothing."""
    record = with_event(records, "card_turned")
    record["command"] = {"do": "announce_count", "side": "player"}


def _turned_unseen(records: list[Json]) -> None:
    """A card is turned, and nobody is told which."""
    record = with_event(records, "card_turned")
    del record["command"]["proof"]
    record["events"] = [{"event": "hand_held", "cites": []}]


def _shown_besides(records: list[Json]) -> None:
    record = with_event(records, "card_turned")
    more = twin(record["events"][0])
    more["position"] += 50
    record["events"].append(more)


def _proved_besides(change: Callable[[str], str]) -> Forge:
    """A card that was shown before is proved again, otherwise, next to an announcement."""

    def forge(records: list[Json]) -> None:
        proved = with_event(records, "card_turned")
        card, proof = proved["events"][0], twin(proved["command"]["proof"])
        proof["salt"] = change(proof["salt"])
        announced = with_event(records, "count_announced")["command"]
        announced.update(card=card["card"], position=card["position"], proof=proof)

    return forge


def _proof(change: Forge) -> Forge:
    return lambda records: change(with_event(records, "card_turned")["command"]["proof"])


PROOF_FORGERIES: dict[str, Forge] = {
    "salt": lambda proof: proof.update(salt="0" * 32),
    "path": lambda proof: proof["path"].__setitem__(0, "0" * 64),
    "short-path": lambda proof: proof["path"].pop(),
    "long-path": lambda proof: proof["path"].append("0" * 64),
    "salt-in-upper-case": lambda proof: proof.update(salt=proof["salt"].upper()),
    "salt-with-a-space": lambda proof: proof.update(salt=f"{proof['salt'][:2]} {proof['salt'][2:]}"),
    "path-in-upper-case": lambda proof: proof["path"].__setitem__(0, proof["path"][0].upper()),
}


def _a_shoe_further(records: list[Json]) -> None:
    """The same card with its own proof, called one that lies a whole shoe below it."""
    record = with_event(records, "card_turned")
    record["events"][0]["position"] += 416
    record["command"]["position"] = record["events"][0]["position"]


def _position(to: object) -> Forge:
    def forge(records: list[Json]) -> None:
        record = with_event(records, "card_turned")
        record["command"]["position"] = record["events"][0]["position"] = to

    return forge


def _shown_as(card: object) -> Forge:
    return lambda records: event(records, "card_turned").update(card=card)


def _called(what: str) -> Forge:
    return lambda records: records[0].update(cards=what)


# ------------------------------------------------------------------------------------------------------- seeds


def seeds() -> Kinds:
    """What is opened at the end."""
    make = of_kind("another-seed", "house", "the order did not follow from the committed seed", SEEDS)
    yield (
        make.kind,
        [
            make.signed("another", _other_seed),
            make.signed("order-1", _other_seed, of="order-1"),
            make.signed("house-alone", _other_seed, of="house-alone"),
            make.signed("commitment-of-order-1", _other_commitment, of="order-1"),
        ],
    )
    names = Names("decided again", "seeds", "seeds")
    make = of_kind("seed-for-two-shoes", "house", "whoever saw the seed of a shoe knows the order of another", names)
    yield make.kind, [make.case("third-shoe", journal(seed_again()), keys=PLAIN)]
    make = of_kind("another-root", "house", "another order was sealed than the seed gives", SEEDS)
    yield (
        make.kind,
        [
            make.signed("no-card-shown", _other_root),
            make.signed("order-1", _other_root, of="order-1"),
            make.signed("contribution-of-order-1", other("contribution_made", "value", "another"), of="order-1"),
        ],
    )
    make = of_kind("seed-opened-twice", "house", "of two openings the better one counts", OPENED)
    yield (
        make.kind,
        [
            make.signed("the-same", again("seed_revealed")),
            make.signed("after-it-was-lost", _revealed_after_loss, of="lost-seed"),
        ],
    )
    make = of_kind("seal-denied", "house", "an order that was sealed is said not to have been", OPENED)
    yield (
        make.kind,
        [
            make.signed("order-2", until("seed_revealed", other("seed_revealed", "sealed", value=False))),
            make.signed("order-1", until("seed_revealed", other("seed_revealed", "sealed", value=False)), of="order-1"),
        ],
    )
    names = Names("decided again", "shoes", "seeds")
    make = of_kind("seed-not-in-form", "house", "a seed is opened from which nobody can derive anything", names)
    yield make.kind, [make.signed("short", until("seed_revealed", other("seed_revealed", "seed", "0" * 63)))]
    make = of_kind("foul-nowhere", "floor", "a card that is at no place of the shoe is called foul", ACTS)
    yield (
        make.kind,
        [
            make.signed(name, until("shoe_fouled", other("shoe_fouled", field, value)), of="fouled")
            for name, field, value in (("from-below", "position", -1), ("no-card", "card", {"rank": "1", "suit": "s"}))
        ],
    )
    make = of_kind("seed-lost-after-it-was-opened", "house", "an opening is taken back", ACTS)
    yield make.kind, [make.signed("lost", _lost_after_opening)]
    make = of_kind(
        "closed-without-its-seed",
        "house",
        "a shoe ends without showing its order",
        Names("decided again", "shoes", "seeds"),
    )
    yield (
        make.kind,
        [
            make.signed("order-2", without("seed_revealed")),
            make.signed("order-1", without("seed_revealed"), of="order-1"),
            make.signed("lost-without-a-report", without("seed_lost"), of="lost-seed"),
        ],
    )
    make = of_kind("other-end-of-a-seed", "house", "a lost seed is called revealed, so that nobody asks", ACTS)
    yield (
        make.kind,
        [
            make.signed("called-lost", other("shoe_closed", "seed", "lost")),
            make.signed("called-revealed", other("shoe_closed", "seed", "revealed"), of="lost-seed"),
            make.signed("called-disproved", other("shoe_closed", "seed", "disproved")),
            make.signed("says-nothing", lambda records: event(records, "shoe_closed").pop("seed")),
        ],
    )
    make = of_kind("called-disproved", "floor", "an order that was kept is called false, and rounds void", OPENED)
    yield (
        make.kind,
        [
            make.signed("order-2", _disproved),
            make.signed("order-1", _disproved, of="order-1"),
            make.signed("never-sealed", _disproved_unsealed),
        ],
    )
    make = of_kind("seed-without-a-shoe", "house", "a seed is opened that nobody committed to", ACTS)
    yield (
        make.kind,
        [
            make.signed("revealed", until("bought_in", _event_early("seed_revealed"))),
            make.signed("sealed", until("bought_in", _event_early("order_sealed"))),
            make.signed("closed", until("bought_in", _event_early("inputs_closed"))),
            make.signed("contributed", until("bought_in", _event_early("contribution_made"))),
        ],
    )


def _other_seed(records: list[Json]) -> None:
    record = with_event(records, "seed_revealed")
    record["command"]["seed"] = record["events"][0]["seed"] = changed(record["events"][0]["seed"])


def _other_commitment(records: list[Json]) -> None:
    record = with_event(records, "shoe_committed")
    made = changed(event(records, "shoe_committed")["commitment"])
    record["command"]["commitment"] = event(records, "shoe_committed")["commitment"] = made


def _other_root(records: list[Json]) -> list[Json]:
    """The shoe is given up before a card is shown; another root was sealed."""
    sealed = with_event(records, "order_sealed")
    sealed["command"]["root"] = event(records, "order_sealed")["root"] = "0" * 64
    burned = records.index(with_event(records, "burned_card_turned"))
    return [*records[:burned], *records[records.index(with_event(records, "seed_revealed")) :]]


def _revealed_after_loss(records: list[Json]) -> None:
    event(records, "shoe_closed")["seed"] = "revealed"
    record = with_event(base(), "seed_revealed")
    records.insert(records.index(with_event(records, "shoe_closed")), record)


def _lost_after_opening(records: list[Json]) -> None:
    record = with_event(base("lost-seed"), "seed_lost")
    records.insert(records.index(with_event(records, "shoe_closed")), record)


def _disproved(records: list[Json]) -> None:
    opened, root = event(records, "seed_revealed"), event(records, "order_sealed")["root"]
    opened.update(event="order_disproved", sealed=root, derived=changed(root))
    event(records, "shoe_closed")["seed"] = "disproved"


def _disproved_unsealed(records: list[Json]) -> list[Json]:
    """A shoe is given up before its order is sealed, and its order called false."""
    opened = with_event(records, "seed_revealed")
    opened["events"][0].update(event="order_disproved", sealed=None, derived="0" * 64)
    return [*records[: records.index(with_event(records, "order_sealed"))], opened]


def _event_early(name: str) -> Forge:
    def forge(records: list[Json]) -> None:
        records.append(with_event(base(), name))

    return forge


def faults() -> Kinds:
    """Faults of a shoe that it did not have: the table played them, and the seed shows them false."""
    make = of_kind("false-fault", "house", "a shoe whose order is bad for the house is given up as faulty", SEEDS)
    yield (
        make.kind,
        [
            make.signed("not-shuffled", _unchanged, of="failed"),
            *(make.signed(why.replace(" ", "-"), _failed_for(why), of="failed") for why in OTHER_FAULTS),
        ],
    )
    make = of_kind("false-foul", "floor", "a round that the house loses is voided by a card that is called foul", SEEDS)
    yield make.kind, [make.signed("the-sealed-card", _unchanged, of="fouled")]


OTHER_FAULTS = ("other cards", "not committed", "same as last")


def _unchanged(_records: list[Json]) -> None:
    """The house did all of it at the table."""


def _failed_for(why: str) -> Forge:
    def forge(records: list[Json]) -> None:
        with_event(records, "shoe_failed")["command"]["why"] = event(records, "shoe_failed")["why"] = why

    return forge


# ------------------------------------------------------------------------------------------------------- who deals


def dealers() -> Kinds:
    """Who deals at which table."""
    make = of_kind("a-person-deals", "dealer", "somebody deals by hand at an automated table", ACTS)
    yield (
        make.kind,
        [
            make.signed("draws", _by_hand("draw_card")),
            make.signed("calls", _by_hand("call_no_more_bets")),
            make.signed("pays", _by_hand("announce_result")),
        ],
    )
    make = of_kind("the-program-deals", "house", "the program deals at a table that has a dealer", ACTS)
    yield make.kind, [make.signed(name, _by_program(name)) for name in ("draw_card", "burn_cards", "clear_table")]


def _automated(records: list[Json]) -> None:
    """The same table, automated: whatever a dealer did, the program did."""
    records[0]["cards"] = "automated"
    for record in records:
        if record.get("role") in ("dealer", "floorperson") and record["command"]["do"] not in (
            "buy_in",
            "abandon_shoe",
        ):
            del record["role"]
            record["origin"], record["who"] = "program", "dealer"


def _by_hand(name: str) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        _automated(records)
        record = act(records, name)
        del record["origin"]
        record["role"], record["who"] = "dealer", "dan"
        return records[: records.index(record) + 1]

    return forge


def _by_program(name: str) -> Forge:
    def forge(records: list[Json]) -> list[Json]:
        record = act(records, name)
        del record["role"]
        record["origin"] = "program"
        return records[: records.index(record) + 1]

    return forge


def cases() -> Kinds:
    """All of them."""
    yield from cards()
    yield from seeds()
    yield from faults()
    yield from dealers()
