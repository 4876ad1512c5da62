"""Forgeries of fields on which nothing else depends: a verifier that does not look at them itself lets them pass."""

from __future__ import annotations

from collections.abc import Iterator

from corpus_base import PLAIN, base, checkpoint, event, journal, twin, with_event
from corpus_case import UNCOVERED, UNREADABLE, Case, Forge, Kinds, Names, of_kind, until
from corpus_reader import of_wager
from corpus_shoe import ACTS, again
from remade import Json

PROOFS = Names("decided again", "card proofs", "proofs of cards")
UNREAD = Names("unreadable", "unreadable", "unreadable")
REAL = "real-cards"
OPENING_FIELDS: dict[str, object] = {
    "shown": {"do": "show_meters", "meters": {}},
    "command": {"do": "begin_day"},
    "refused": {"code": "wrong_step"},
    "events": [{"event": "bought_in", "cites": []}],
}
"""What a record may have, and the opening of a stream may not."""
CUTS: dict[str, Forge] = {
    "missing": lambda found: found.pop("in_front"),
    "null": lambda found: found.update(in_front=None),
    "text": lambda found: found.update(in_front="10"),
    "negative": lambda found: found.update(in_front=-1),
}
FOULS: dict[str, Forge] = {
    "no-position": lambda found: found.pop("position"),
    "position-in-words": lambda found: found.update(position="7"),
    "no-card": lambda found: found.pop("card"),
    "card-of-no-deck": lambda found: found.update(card={"rank": "1", "suit": "s"}),
}


def _lost_again_at_once(records: list[Json]) -> None:
    """One record reports the loss twice."""
    events = with_event(records, "seed_lost")["events"]
    events.append(twin(events[0]))


def _lost_with_the_closing(records: list[Json]) -> None:
    """The record that closes the shoe reports its seed lost after that."""
    lost = twin(event(records, "seed_lost"))
    with_event(records, "shoe_closed")["events"].append(lost)


def _cut(change: Forge) -> Forge:
    def forge(records: list[Json]) -> None:
        change(event(records, "cards_cut"))

    return forge


def _fouled(change: Forge) -> Forge:
    """A card of a table of real cards is called foul, and the event does not say which or where."""

    def forge(records: list[Json]) -> None:
        found = twin(event(base("fouled"), "shoe_fouled"))
        change(found)
        records[-1]["events"].append(found)

    return forge


def losses() -> Kinds:
    """A seed comes to one end."""
    make = of_kind("seed-lost-twice", "house", "of two reports of a loss the better one counts", ACTS)
    yield (
        make.kind,
        [
            make.signed("in-another-record", again("seed_lost"), of="lost-seed"),
            make.signed("in-one-record", _lost_again_at_once, of="lost-seed"),
            make.signed("with-the-closing", _lost_with_the_closing, of="lost-seed"),
        ],
    )


def real_cards() -> Kinds:
    """Events of real cards, to which no commitment belongs."""
    make = of_kind("cut-not-in-form", "dealer", "nobody can tell where real cards were cut", ACTS)
    yield (
        make.kind,
        [make.signed(name, until("cards_cut", _cut(change)), of=REAL, keys=PLAIN) for name, change in CUTS.items()],
    )
    make = of_kind("foul-not-in-form", "floor", "a set of real cards is called foul, and nobody is told by which", ACTS)
    yield (
        make.kind,
        [
            make.signed(name, until("card_turned", _fouled(change)), of=REAL, keys=PLAIN)
            for name, change in FOULS.items()
        ],
    )


def _witness_unseen(records: list[Json]) -> list[Json]:
    """The witnesses of a table become one whose key has a character that nobody sees."""
    made = {"event": "witnesses_changed", "cites": [], "witnesses": ["a\u200bb"]}
    records[4]["events"].append(made)
    return records[:5]


def proofs() -> Kinds:
    """The key of a witness is visible, and a proof has the fields of a proof."""
    make = of_kind("witness-not-in-form", "house", "a witness is named whom two readers read differently", ACTS)
    yield make.kind, [make.signed("invisible", _witness_unseen)]
    make = of_kind("proof-not-in-form", "house", "a proof says more than how its card leads to the root", PROOFS)
    yield make.kind, [make.signed("another-field", until("burned_card_turned", _proof_with_more))]


def _proof_with_more(records: list[Json]) -> None:
    with_event(records, "burned_card_turned")["command"]["proof"]["more"] = ""


def openings() -> Kinds:
    """An opening has the fields of an opening."""
    make = of_kind("opening-not-in-form", "house", "the opening of a stream does what a record does", UNREAD)
    unread = {"status": UNREADABLE, "status_without_rules": UNREADABLE}
    yield (
        make.kind,
        [
            make.case(name, journal([base()[0] | {name: value}, *base()[1:5]]), keys=PLAIN, **unread)
            for name, value in OPENING_FIELDS.items()
        ],
    )


def honest() -> Iterator[Case]:
    """A receipt beside a journal whose log has another name: nobody can tell whether both are of one log."""
    records = base("order-1")
    yield Case(
        path="honest/misnamed.jsonl", data=journal(records, checkpoint(records, origin="example.org/house")),
        keys=("house", "witness"), status=UNCOVERED, status_without_rules=UNCOVERED,
        gap="does not say that it is of table 1", receipts={"wager.receipt": of_wager()},
    )  # fmt: skip


def cases() -> Kinds:
    """All of them."""
    yield from losses()
    yield from real_cards()
    yield from proofs()
    yield from openings()
