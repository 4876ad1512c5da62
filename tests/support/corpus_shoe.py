"""Forgeries of the electronic shoe: its commitment, closing, shares, seal, cut, cards and seed."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from baccarat.record.key import KeyKind, Verifier
from baccarat.shuffle import MOST_WITNESSES
from baccarat.table.proof import inputs_for
from baccarat.table.shoe_state import Commitment, SeedContribution, WitnessPromise
from corpus_base import OUTSIDER, SHARE, act, base, event, signed_share, twin, with_event
from corpus_case import Forge, Kinds, Names, of_kind, until
from remade import Json, canonical, changed

ACTS = Names("decided again", "shoes", "shoes")
SHOES = Names("proofs of cards", "shoes", "shoes")
PROOFS = Names("proofs of cards", "card proofs", "proofs of cards")
OPENED = Names("decided again", "seeds", "seeds")
SEEDS = Names("proofs of cards", "seeds", "seeds")


def other(event_name: str, field: str, value: object = None, nth: int = 0) -> Forge:
    """One field of an event says something else."""

    def forge(records: list[Json]) -> None:
        found = event(records, event_name, nth)
        found[field] = changed(found[field]) if value is None else value

    return forge


def again(event_name: str, *, before: str = "", after: str = "", of_last: bool = False) -> Forge:
    """The record with an event comes a second time, before or after the first with another event."""

    def forge(records: list[Json]) -> None:
        copied = twin(with_event(records, event_name, -1 if of_last else 0))
        at = records.index(with_event(records, before or after or event_name))
        records.insert(at + (not before), copied)

    return forge


def moved(event_name: str, *, before: str = "", after: str = "") -> Forge:
    """The record with an event comes earlier or later than it did."""

    def forge(records: list[Json]) -> None:
        record = with_event(records, event_name)
        records.remove(record)
        records.insert(records.index(with_event(records, before or after)) + (not before), record)

    return forge


def without(event_name: str, nth: int = 0) -> Forge:
    """The record with an event is left out."""
    return lambda records: records.remove(with_event(records, event_name, nth))


# ---------------------------------------------------------------------------------------------------- commitment


def commitments() -> Kinds:
    """What a shoe commits to."""
    make = of_kind("shoe-of-another-table", "house", "a shoe of another table, whose order is known, is dealt", ACTS)
    yield (
        make.kind,
        [
            make.signed("table-2", until("shoe_committed", other("shoe_committed", "table", "2"))),
            make.signed("no-name", until("shoe_committed", other("shoe_committed", "table", ""))),
            make.signed("table-01", until("shoe_committed", other("shoe_committed", "table", "01")), of="order-1"),
        ],
    )
    make = of_kind("shoe-number-again", "house", "an order that was dealt before comes again under its number", ACTS)
    yield (
        make.kind,
        [
            make.signed("number-7", until("shoe_committed", other("shoe_committed", "shoe", "7"))),
            make.signed("number-00", until("shoe_committed", other("shoe_committed", "shoe", "00"))),
            make.signed("a-word", until("shoe_committed", other("shoe_committed", "shoe", "x"))),
        ],
    )
    make = of_kind("committed-twice", "house", "of two commitments the better one is dealt", ACTS)
    yield (
        make.kind,
        [
            make.signed("at-once", until("shoe_committed", again("shoe_committed"))),
            make.signed(
                "after-the-contribution", until("contribution_made", again("shoe_committed", after="contribution_made"))
            ),
            make.signed("order-1", until("shoe_committed", again("shoe_committed")), of="order-1"),
        ],
    )
    make = of_kind(
        "witnesses-not-in-form",
        "house",
        "a witness is named twice, or one that cannot be told from another, so that one share counts for two",
        SHOES,
    )
    forges = {name: until("shoe_committed", _opened_so(forge)) for name, forge in WITNESSES_NOT_IN_FORM.items()}
    yield make.kind, [make.signed(name, forge) for name, forge in forges.items()]
    make = of_kind("log-of-another-table", "house", "shares of the log of one table are used at another", SHOES)
    origin = "example.org/house/table/1"
    yield (
        make.kind,
        [
            make.signed(
                "table-2", until("shoe_committed", other("shoe_committed", "origin", "example.org/house/table/2"))
            ),
            make.signed("pit", until("shoe_committed", other("shoe_committed", "origin", "example.org/house/pit/1"))),
            make.signed("house", until("shoe_committed", other("shoe_committed", "origin", "example.org/house"))),
            make.signed("prefix", until("shoe_committed", other("shoe_committed", "origin", f"{origin}1"))),
            make.signed("successor-1", until("shoe_committed", other("shoe_committed", "origin", f"{origin}/1"))),
        ],
    )
    make = of_kind(
        "log-of-another-house", "house", "shares that were opened for another house's table of the same name", SHOES
    )
    yield (
        make.kind,
        [
            make.signed(
                "other-house", until("shoe_committed", other("shoe_committed", "origin", "example.net/table/1"))
            ),
            make.signed("later-successor", until("shoe_committed", other("shoe_committed", "origin", f"{origin}/2"))),
        ],
    )


def stated_witnesses(*names: int) -> Forge:
    """The opening of the table states these witnesses."""

    def forge(records: list[Json]) -> list[Json]:
        records[0]["witnesses"] = [str(SHARE[number].verifier) for number in names]
        return records

    return forge


def _opened_so(forge: Forge) -> Forge:
    """The opening states the witnesses that the forged commitment names, if it can."""

    def both(records: list[Json]) -> None:
        forge(records)
        named = [each["key"] for each in event(records, "shoe_committed")["witnesses"]]
        records[0].pop("witnesses")
        if len(named) <= MOST_WITNESSES and all(isinstance(key, str) for key in named):
            records[0]["witnesses"] = named

    return both


def _turned(records: list[Json]) -> None:
    event(records, "shoe_committed")["witnesses"].reverse()


def _same_witness(records: list[Json]) -> None:
    named = event(records, "shoe_committed")["witnesses"]
    named[1] = dict(named[0])


def _same_key(records: list[Json]) -> None:
    named = event(records, "shoe_committed")["witnesses"]
    named[1]["key"] = str(Verifier("example.org/zoe", KeyKind.LOG, SHARE[0].verifier.public))


def _cosigning_key(records: list[Json]) -> None:
    made = Verifier("example.org/commission", KeyKind.WITNESS, SHARE[0].verifier.public)
    event(records, "shoe_committed")["witnesses"][0]["key"] = str(made)


def _other_id(records: list[Json]) -> None:
    named = event(records, "shoe_committed")["witnesses"][0]
    name, id_, rest = named["key"].split("+", 2)
    named["key"] = f"{name}+{changed(id_)}+{rest}"


def _no_log(records: list[Json]) -> None:
    event(records, "shoe_committed")["origin"] = ""


def _too_many(records: list[Json]) -> None:
    keys = [str(Verifier("example.org/w", KeyKind.LOG, hashlib.sha256(bytes([n])).digest())) for n in range(17)]
    event(records, "shoe_committed")["witnesses"] = [{"key": key, "promise": "0" * 64} for key in sorted(keys)]


def _order(number: object) -> Forge:
    return lambda records: event(records, "shoe_committed").update(order=number)


WITNESSES_NOT_IN_FORM: dict[str, Forge] = {
    "order-3": _order(3),
    "order-true": _order(True),
    "log-a-number": lambda records: event(records, "shoe_committed").update(origin=7),
    "turned": _turned,
    "one-twice": _same_witness,
    "one-key-under-two-names": _same_key,
    "a-cosigning-key": _cosigning_key,
    "another-id": _other_id,
    "no-log": _no_log,
    "key-a-number": lambda records: event(records, "shoe_committed")["witnesses"][0].update(key=7),
    "seventeen": _too_many,
}


# ---------------------------------------------------------------------------------------------------- inputs


def witnesses() -> Kinds:
    """Witnesses that a table has stated in its opening."""
    make = of_kind("order-1-with-witnesses", "house", "an order that the house knew is called one of witnesses", ACTS)
    yield make.kind, [make.signed("order-1", until("shoe_committed", _order(1)), of="unstated")]
    make = of_kind("witness-dropped", "house", "a witness of the table is left out from some shoe on", SHOES)
    yield (
        make.kind,
        [
            make.signed("another", until("shoe_committed", stated_witnesses(1))),
            make.signed("one-of-two", until("shoe_committed", _named_alone)),
            make.signed(
                "all", until("shoe_committed", stated_witnesses(0, 1)), of="house-alone", keys=("log", "witness")
            ),
        ],
    )


def following(name: str, before: str = "", **fields: object) -> Forge:
    """The table takes over what two persons have stated in the book of a pit, before the record with an event."""

    def forge(records: list[Json]) -> list[Json]:
        at = records.index(with_event(records, before)) if before else len(records)
        made = {field: records[at - 1][field] for field in ("v", "stream", "rulebook", "behaviour", "at")}
        said = {"event": name, "cites": ["ma-midi-4 §3(a)"], "requester": "sue", "approver": "bob", **fields}
        followed = made | {"seq": 0, "event": 0, "cause": {"stream": "pit A", "seq": 5}, "events": [said]}
        return [*records[:at], followed, *records[at : at + 1]]

    return forge


def pits() -> Kinds:
    """What a table takes over from the book of its pit, otherwise than it may."""
    make = of_kind("pit-not-followed", "house", "a table is not what its pit has made of it", SHOES)
    keys = [str(signer.verifier) for signer in SHARE]
    yield (
        make.kind,
        [
            make.signed("one-of-two-witnesses", following("witnesses_changed", "shoe_committed", witnesses=keys[:1])),
            make.signed("witnesses-a-text", following("witnesses_changed", "shoe_committed", witnesses="none")),
            make.signed(
                "witnesses-a-text-at-the-end", until("bought_in", following("witnesses_changed", witnesses="x"))
            ),
        ],
    )
    make = of_kind("kind-stated-again", "house", "a table is called another one when its cards are known", ACTS)
    yield (
        make.kind,
        [
            make.signed("twice", following("kind_adopted", "shoe_committed", cards="electronic")),
            make.signed("in-play", following("kind_adopted", "inputs_closed", cards="electronic"), of="unstated"),
            make.signed("real-cards", following("kind_adopted", "shoe_committed", cards="real"), of="unstated"),
            make.signed("unknown", following("kind_adopted", cards="paper"), of="unstated"),
        ],
    )


def _named_alone(records: list[Json]) -> None:
    stated_witnesses(0, 1)(records)
    event(records, "shoe_committed")["witnesses"].pop()


def inputs() -> Kinds:
    """Contributions, cut and closing."""
    make = of_kind(
        "input-after-the-closing", "house", "whoever knows the seed still chooses a contribution or the cut", ACTS
    )
    yield (
        make.kind,
        [
            make.signed("contribution", until("inputs_closed", again("contribution_made", after="inputs_closed"))),
            make.signed(
                "contribution-after-the-seal", until("order_sealed", again("contribution_made", after="order_sealed"))
            ),
            make.signed("cut", until("inputs_closed", again("cards_cut", after="inputs_closed"))),
            make.signed(
                "order-1-contribution",
                until("order_sealed", again("contribution_made", after="order_sealed")),
                of="order-1",
            ),
        ],
    )
    make = of_kind("cut-outside", "dealer", "more cards are cut off than there are", SHOES)
    yield (
        make.kind,
        [
            make.signed("order-2", until("cards_cut", other("cards_cut", "in_front", 417))),
            make.signed("order-1", until("cards_cut", other("cards_cut", "in_front", 417)), of="order-1"),
        ],
    )
    make = of_kind("cut-before-the-seal", "house", "the order is chosen after the cut", ACTS)
    yield make.kind, [make.signed("order-1", _cut_first, of="order-1")]
    make = of_kind(
        "closed-otherwise", "house", "the inputs are closed twice, before the cut, or hidden among other events", SHOES
    )
    yield (
        make.kind,
        [
            make.signed("twice", until("inputs_closed", again("inputs_closed"))),
            make.signed("before-the-cut", until("inputs_closed", without("cards_cut"))),
            make.signed("cut-before-the-commitment", until("inputs_closed", _cut_before_the_commitment)),
            make.signed("with-company", until("inputs_closed", _company)),
            make.signed("order-1", until("inputs_closed", _called_order_1)),
        ],
    )
    make = of_kind("closing-names-others", "house", "a witness that was named is left out at the closing", SHOES)
    yield (
        make.kind,
        [
            make.signed("witness-dropped", until("inputs_closed", _dropped)),
            make.signed("shoe", until("inputs_closed", other("inputs_closed", "shoe", "7"))),
            make.signed("log", until("inputs_closed", other("inputs_closed", "origin", "example.org/house/table/2"))),
            make.signed("promise", until("inputs_closed", _other_promise)),
        ],
    )
    make = of_kind("other-inputs", "house", "the order follows from other inputs than those on record", SHOES)
    yield (
        make.kind,
        [
            make.signed("hash", other("inputs_closed", "inputs", "0" * 64)),
            make.signed("contribution", until("inputs_closed", other("contribution_made", "value", "another"))),
            make.signed("cut", until("inputs_closed", _other_cut)),
            make.signed("commitment", until("inputs_closed", other("shoe_committed", "commitment", "0" * 64))),
            make.signed("decks", until("inputs_closed", other("shoe_committed", "decks", 7))),
            make.signed("rulebook", until("inputs_closed", other("shoe_committed", "rulebook", "0" * 64))),
        ],
    )


def late_choices() -> Kinds:
    """What is chosen or reported when it is too late."""
    aim = "whoever knows the seed still chooses, seals or reports something"
    make = of_kind("chosen-after-the-seed", "house", aim, ACTS)
    yield (
        make.kind,
        [
            make.signed("contribution", _after_the_seed("contribution_made")),
            make.signed("cut", _after_the_seed("cards_cut")),
            make.signed("closing", _after_the_seed("inputs_closed")),
            make.signed("share", _after_the_seed("share_given")),
            make.signed("seal", _after_the_seed("order_sealed")),
            make.signed("failure", _after_the_seed("shoe_failed"), of="failed"),
            make.signed("order-1-contribution", _after_the_seed("contribution_made"), of="order-1"),
            make.signed("order-1-seal", _after_the_seed("order_sealed"), of="order-1"),
            make.signed("foul", until("seed_revealed", _foul_after)),
            make.signed("foul-after-a-loss", _foul_after_a_loss, of="lost-seed"),
        ],
    )
    make = of_kind("cut-late", "dealer", "a cut is chosen by somebody who has seen cards, or the order", ACTS)
    yield (
        make.kind,
        [
            make.signed("after-a-card", until("burned_card_turned", _cut_again), of="order-1"),
            make.signed("before-the-new-cut", until("burned_card_turned", _recut_after("cards_cut")), of="order-1"),
            make.signed("not-given-up", until("order_sealed", _recut_after("inputs_closed"))),
        ],
    )
    make = of_kind("failed-otherwise", "house", "an order is dropped, or dealt, as the house likes", ACTS)
    yield (
        make.kind,
        [
            make.signed("sealed-all-the-same", until("order_sealed", _failed_first)),
            make.signed("order-1", until("order_sealed", _failed_first), of="order-1"),
            make.signed(
                "no-fault-of-the-gate", until("shoe_failed", other("shoe_failed", "why", "bored")), of="failed"
            ),
            make.signed(
                "before-a-share", until("shoe_failed", moved("shoe_failed", before="share_given")), of="failed"
            ),
            make.signed("after-the-seal", until("order_sealed", _failed_last)),
        ],
    )
    make = of_kind("header-not-in-form", "house", "a shoe commits to what nobody can derive", SHOES)
    yield (
        make.kind,
        [
            make.signed(name, until("shoe_committed", other("shoe_committed", field, value)))
            for name, (field, value) in HEADERS.items()
        ]
        + [make.signed("root", until("order_sealed", other("order_sealed", "root", "0" * 63)))],
    )
    make = of_kind("contribution-not-in-form", "patron", "a contribution that two readers could read differently", ACTS)
    yield (
        make.kind,
        [
            make.signed(name, until("contribution_made", _contributed(value)))
            for name, value in {"empty": "", "too-long": "x" * 65, "invisible": "a\u200bb"}.items()
        ],
    )


HEADERS: dict[str, tuple[str, object]] = {
    "no-deck": ("decks", 0),
    "1001-decks": ("decks", 1001),
    "commitment": ("commitment", "0" * 63),
    "rulebook": ("rulebook", "0" * 63),
    "shoe-a-number": ("shoe", 7),
}


def _after_the_seed(name: str) -> Forge:
    """The shoe is given up before an act, which is done all the same when its seed is known."""

    def forge(records: list[Json]) -> list[Json]:
        late = with_event(records, name)
        at = records.index(late)
        revealed = with_event(records, "seed_revealed")
        is_sealed = any(e["event"] == "order_sealed" for record in records[:at] for e in record.get("events", []))
        revealed["events"][0]["sealed"] = is_sealed
        return [*records[:at], revealed, late]

    return forge


def _foul_after(records: list[Json]) -> list[Json]:
    event(records, "order_sealed")["root"] = "0" * 64  # so that the seed itself does not show the foul false
    records = records[: records.index(with_event(records, "shoe_loaded"))]
    return [*records, with_event(base(), "seed_revealed"), with_event(base("fouled"), "shoe_fouled")]


def _foul_after_a_loss(records: list[Json]) -> list[Json]:
    """No seed shows the foul false; two people have reported it lost."""
    lost = records.index(with_event(records, "seed_lost"))
    return [*records[: lost + 1], with_event(base("fouled"), "shoe_fouled")]


def _cut_again(records: list[Json]) -> None:
    records.append(twin(with_event(records, "cards_cut")))


def _recut_after(name: str) -> Forge:
    def forge(records: list[Json]) -> None:
        made = twin(with_event(records, "cards_cut"))
        made |= {"command": {"do": "order_recut"}, "events": [{"event": "recut_ordered", "cites": []}]}
        records.insert(records.index(with_event(records, name)) + 1, made)

    return forge


def _failure(records: list[Json]) -> Json:
    made = twin(with_event(records, "order_sealed"))
    failed = {"event": "shoe_failed", "cites": [], "why": "not shuffled"}
    return made | {"command": {"do": "fail_shoe", "why": "not shuffled"}, "events": [failed]}


def _failed_first(records: list[Json]) -> None:
    records.insert(-1, _failure(records))


def _failed_last(records: list[Json]) -> None:
    records.append(_failure(records))


def _contributed(value: str) -> Forge:
    def forge(records: list[Json]) -> None:
        record = with_event(records, "contribution_made")
        record["command"]["value"] = record["events"][0]["value"] = value

    return forge


def _cut_before_the_commitment(records: list[Json]) -> None:
    cut = with_event(records, "cards_cut")
    records.remove(cut)
    records.insert(records.index(with_event(records, "shoe_committed")), cut)


def _cut_first(records: list[Json]) -> list[Json]:
    sealed, cut = with_event(records, "order_sealed"), with_event(records, "cards_cut")
    records.remove(sealed)
    records.insert(records.index(cut) + 1, sealed)
    return records[: records.index(sealed) + 1]


def _company(records: list[Json]) -> None:
    with_event(records, "inputs_closed")["events"].append({"cites": [], "event": "cut_fell_to_dealer"})


def _called_order_1(records: list[Json]) -> None:
    committed = event(records, "shoe_committed")
    for name in ("order", "origin", "witnesses"):
        del committed[name]


def _dropped(records: list[Json]) -> None:
    event(records, "inputs_closed")["witnesses"].pop()


def _other_promise(records: list[Json]) -> None:
    event(records, "inputs_closed")["witnesses"][0]["promise"] = "0" * 64


def _other_cut(records: list[Json]) -> None:
    found = event(records, "cards_cut", -1)
    found["in_front"] += 1


# ---------------------------------------------------------------------------------------------------- shares


def shares() -> Kinds:
    """What the witnesses open."""
    make = of_kind("share-nobody-owes", "house", "a share of the house's own stands in for that of a witness", SHOES)
    yield (
        make.kind,
        [
            make.signed("twice", until("share_given", again("share_given"))),
            make.signed("stranger", until("share_given", _stranger), remade=False),
            make.signed("before-the-closing", _early_share, remade=False),
            make.signed("after-the-seal", until("order_sealed", again("share_given", after="order_sealed"))),
        ],
    )
    make = of_kind(
        "note-of-another-closing",
        "house",
        "a share that was opened for one closing is used for another, whose inputs the house chose afterwards",
        SHOES,
    )
    yield (
        make.kind,
        [make.signed(name, until("share_given", _note(change)), remade=False) for name, change in NOTES.items()],
    )
    make = of_kind("note-signed-otherwise", "house", "a note is signed as no witness signs", SHOES)
    yield (
        make.kind,
        [
            make.signed(name, until("share_given", _signature_line(change)), remade=False)
            for name, change in SIGNATURE_LINES.items()
        ],
    )
    make = of_kind("other-share", "house", "a witness opens a share that it chose late", SHOES)
    yield (
        make.kind,
        [
            make.signed(
                "zeros",
                until("share_given", _note(lambda n: n.__setitem__(4, base64.b64encode(bytes(32)).decode()))),
                remade=False,
            ),
            make.signed("promise", until("share_given", _promised_otherwise)),
            make.signed("of-the-other", until("share_given", _share_of_the_other, 1), remade=False),
            make.signed("of-31-bytes", until("share_given", _short_share), remade=False),
        ],
    )
    make = of_kind(
        "share-not-signed",
        "house",
        "the house makes up the note of a witness that had no part",
        Names("orders", "shoes", "shoes"),
    )
    yield (
        make.kind,
        [
            make.signed("zeros", _forged_signature(bytes(64)), remade=False),
            make.signed("by-another-key", _signed_by_outsider, remade=False),
            make.signed("of-another-text", _closed_a_second_later, remade=False),
            make.signed("second-witness", _forged_signature(bytes(64), 1), remade=False),
        ],
    )
    make = of_kind("sealed-too-early", "house", "the house seals an order that no witness had a part in", SHOES)
    yield (
        make.kind,
        [
            make.signed("share-missing", until("order_sealed", without("share_given", 1))),
            make.signed("before-a-share", until("order_sealed", moved("order_sealed", before="share_given"))),
            make.signed("without-a-closing", until("order_sealed", _never_closed), of="house-alone"),
        ],
    )
    make = of_kind("sealed-twice", "house", "of two sealed orders the better one is dealt", ACTS)
    yield (
        make.kind,
        [
            make.signed("the-same", until("order_sealed", again("order_sealed"))),
            make.signed("another", until("order_sealed", _sealed_otherwise)),
            make.signed("order-1", until("order_sealed", _sealed_otherwise), of="order-1"),
            make.signed("after-the-seed", again("order_sealed", after="seed_revealed")),
        ],
    )


def _stranger(records: list[Json]) -> None:
    stranger = Verifier("example.org/x", KeyKind.LOG, OUTSIDER.verifier.public)
    event(records, "share_given")["key"] = act(records, "give_share")["command"]["key"] = str(stranger)


def _early_share(records: list[Json]) -> list[Json]:
    share, closing = with_event(records, "share_given"), with_event(records, "inputs_closed")
    at = records.index(closing)
    return _numbered([*records[:at], share])


def _numbered(records: list[Json]) -> list[Json]:
    events = 0
    for seq, record in enumerate(records):
        record["seq"] = seq
        if seq:
            record["event"] = events
            events += len(record.get("events", []))
    return records


def _note(change: Forge) -> Forge:
    """The note of the first share says something else, and its witness signs that."""

    def forge(records: list[Json]) -> None:
        for part in (act(records, "give_share")["command"], event(records, "share_given")):
            lines = list(part["note"][:5])
            change(lines)
            part["note"] = signed_share(lines, part["key"])

    return forge


NOTES: dict[str, Forge] = {
    "shoe": lambda lines: lines.__setitem__(2, "7"),
    "log": lambda lines: lines.__setitem__(1, "example.org/house/table/2"),
    "leaf": lambda lines: lines.__setitem__(3, base64.b64encode(bytes(32)).decode()),
    "form": lambda lines: lines.__setitem__(0, "baccarat/share/v2"),
    "share-of-31-bytes": lambda lines: lines.__setitem__(4, base64.b64encode(bytes(31)).decode()),
    "six-lines": lambda lines: lines.append("more"),
}


def _signature_line(change: Callable[[str], str]) -> Forge:
    """The signature under a note is written otherwise."""

    def forge(records: list[Json]) -> None:
        for part in (act(records, "give_share")["command"], event(records, "share_given")):
            part["note"] = [*part["note"][:6], change(part["note"][6])]

    return forge


def _other_key_id(line: str) -> str:
    dash, name, encoded = line.split(" ")
    return f"{dash} {name} {base64.b64encode(bytes(4) + base64.b64decode(encoded)[4:]).decode()}"


SIGNATURE_LINES: dict[str, Callable[[str], str]] = {
    "another-name": lambda line: line.replace("commission", "surveillance"),
    "a-hyphen": lambda line: line.replace("—", "-"),
    "another-key-id": _other_key_id,
    "too-short": lambda line: line[:-8],
    "two-of-them": lambda line: f"{line} {line}",
}


def _promised_otherwise(records: list[Json]) -> None:
    for name in ("shoe_committed", "inputs_closed"):
        event(records, name)["witnesses"][0]["promise"] = "0" * 64


def _short_share(records: list[Json]) -> None:
    """A witness has promised a share of 31 bytes, and opens it; house and witness are at one."""
    committed, closed = event(records, "shoe_committed"), event(records, "inputs_closed")
    key, share = committed["witnesses"][0]["key"], bytes(31)
    parts = [part.encode() for part in (key, committed["origin"], committed["shoe"])]
    fields = b"".join(len(part).to_bytes(8, "big") + part for part in parts)
    promise = hashlib.sha256(b"baccarat/share/1" + fields + share).hexdigest()
    for found in (committed, closed):
        found["witnesses"][0]["promise"] = promise
    closed["inputs"] = _inputs_again(records)
    leaf = base64.b64encode(hashlib.sha256(b"\0" + canonical(with_event(records, "inputs_closed"))).digest()).decode()
    for part in (act(records, "give_share")["command"], event(records, "share_given")):
        note = part["note"]
        part["note"] = signed_share([*note[:3], leaf, base64.b64encode(share).decode()], key)


def _inputs_again(records: list[Json]) -> str:
    """The hash of the inputs as they stand now."""
    committed = event(records, "shoe_committed")
    given = [each for record in records for each in record.get("events", []) if each["event"] == "contribution_made"]
    held = Commitment(
        order=2, origin=committed["origin"], table=committed["table"], shoe=committed["shoe"],
        rulebook=committed["rulebook"], decks=committed["decks"], hash=committed["commitment"],
        witnesses=tuple(WitnessPromise(key=each["key"], promise=each["promise"]) for each in committed["witnesses"]),
        contributions=tuple(SeedContribution(each["seat"], each["value"]) for each in given),
    )  # fmt: skip
    return inputs_for(held, event(records, "cards_cut")["in_front"])


def _share_of_the_other(records: list[Json]) -> None:
    one, two = event(records, "share_given"), event(records, "share_given", 1)
    for part in (act(records, "give_share")["command"], one):
        part["note"] = signed_share([*part["note"][:4], two["note"][4]], part["key"])


def _forged_signature(data: bytes, nth: int = 0) -> Forge:
    def forge(records: list[Json]) -> None:
        for part in (act(records, "give_share", nth)["command"], event(records, "share_given", nth)):
            name, key_id, _ = part["key"].split("+", 2)
            made = base64.b64encode(bytes.fromhex(key_id) + data).decode()
            part["note"] = [*part["note"][:6], f"— {name} {made}"]

    return forge


def _signed_by_outsider(records: list[Json]) -> None:
    text = "".join(f"{line}\n" for line in event(records, "share_given")["note"][:5])
    _forged_signature(OUTSIDER.sign(text))(records)


def _closed_a_second_later(records: list[Json]) -> None:
    """The closing is changed after the shares were opened; their notes name it as it is now."""
    closing = with_event(records, "inputs_closed")
    closing["at"] += 1
    for part in [r["command"] for r in records if r.get("command", {}).get("do") == "give_share"] + [
        e for r in records for e in r.get("events", []) if e["event"] == "share_given"
    ]:
        leaf = hashlib.sha256(b"\0" + canonical(closing)).digest()
        part["note"] = [*part["note"][:3], base64.b64encode(leaf).decode(), *part["note"][4:]]


def _never_closed(records: list[Json]) -> None:
    without("inputs_closed")(records)


def _sealed_otherwise(records: list[Json]) -> None:
    record = twin(with_event(records, "order_sealed"))
    record["events"][0]["root"] = record["command"]["root"] = "0" * 64
    records.append(record)


def cases() -> Kinds:
    """All of them."""
    yield from commitments()
    yield from witnesses()
    yield from inputs()
    yield from late_choices()
    yield from pits()
    yield from shares()
