"""An electronic shoe as its published events show it: each promise that is broken is named, whoever signed it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.published_table import PublishedTable
from baccarat.audit.bundle.round_summary import anonymous_event
from baccarat.audit.bundle.verdict import WRONG
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.record.entry import read_body
from baccarat.record.journal import JournalLine
from baccarat.record.policy import policy_of_keys
from baccarat.table.seating_acts import Sat
from baccarat.table.story import tell
from bundles import LOG, STREAM, seed_of, short_shoes, signed, source_of

pytestmark = pytest.mark.slow

Acts = list[dict[str, Any]]


@cache
def _written() -> bytes:
    lines = source_of(short_shoes(shoes=1)).streams[STREAM][1:]
    return b"[" + b",".join(line.body for line in lines) + b"]"


def acts() -> Acts:
    """The records of one electronic shoe, to be forged."""
    found: Acts = json.loads(_written())
    return found


def shown(records: Acts) -> PublishedTable:
    """What they show."""
    made = PublishedTable()
    for record in records:
        if record.get("events"):
            made.add_record(record["seq"], record.get("command"), record["events"])
    return made


def with_event(records: Acts, name: str) -> dict[str, Any]:
    """The first record that has an event of this name."""
    return next(each for each in records if any(event["event"] == name for event in each.get("events", [])))


def event_of(records: Acts, name: str) -> dict[str, Any]:
    """The first event of this name."""
    found: dict[str, Any] = next(event for event in with_event(records, name)["events"] if event["event"] == name)
    return found


def test_an_honest_shoe_keeps_every_promise() -> None:
    made = shown(acts())
    (shoe,) = made.shoes
    assert not list(made.all_faults())
    assert shoe.proved == shoe.derived == len(shoe.cards) > 20
    assert shoe.contributions == 1


def _other_seed(records: Acts) -> None:
    event_of(records, "seed_revealed")["seed"] = seed_of("another", 0).hex()


def _other_commitment(records: Acts) -> None:
    event_of(records, "shoe_committed")["commitment"] = "0" * 64


def _other_header(records: Acts) -> None:
    event_of(records, "shoe_committed")["shoe"] = "7"


def _other_root(records: Acts) -> None:
    event_of(records, "order_sealed")["root"] = "0" * 64


def _other_contribution(records: Acts) -> None:
    event_of(records, "contribution_made")["value"] = "another"


def _other_cut(records: Acts) -> None:
    event_of(records, "cards_cut")["in_front"] += 1


def _other_card(records: Acts) -> None:
    event = event_of(records, "card_turned")
    event["card"] = {"rank": "2" if event["card"]["rank"] != "2" else "3", "suit": event["card"]["suit"]}


def _no_proof(records: Acts) -> None:
    with_event(records, "card_turned")["command"]["proof"] = None


def _other_salt(records: Acts) -> None:
    with_event(records, "card_turned")["command"]["proof"]["salt"] = "0" * 32


def _beyond(records: Acts) -> None:
    event_of(records, "card_turned")["position"] = 416


def _no_decks(records: Acts) -> None:
    event_of(records, "shoe_committed")["decks"] = 0


def _no_seed(records: Acts) -> None:
    event_of(records, "seed_revealed")["seed"] = "nothing"


@pytest.mark.parametrize(
    ("forge", "say"),
    [
        (_other_seed, "the seed gives the commitment"),
        (_other_commitment, "the seed gives the commitment"),
        (_other_header, "the seed gives the commitment"),
        (_other_root, "the seed gives the root"),
        (_other_contribution, "the inputs give"),
        (_other_cut, "the inputs give"),
        (_other_card, "was shown without its proof"),
        (_no_proof, "turned without its proof"),
        (_other_salt, "does not lead to the sealed root"),
        (_beyond, "position 416 of a shoe of 416 cards"),
        (_no_decks, "a shoe of 0 decks"),
        (_no_seed, "not an event of an electronic shoe"),
    ],
)
def test_each_broken_promise_is_named(forge: Callable[[Acts], None], say: str) -> None:
    records = acts()
    forge(records)
    assert any(say in fault.say for fault in shown(records).all_faults())


def test_a_confirmed_foul_card_needs_no_proof_until_the_seed_shows_the_sealed_one() -> None:
    records = acts()
    record = with_event(records, "card_turned")
    record["command"]["do"], record["command"]["proof"] = "confirm_card", None
    record["events"] = [{**record["events"][0], "event": "shoe_fouled"}]
    until = records.index(with_event(records, "seed_revealed"))
    assert not list(shown(records[:until]).all_faults())
    (fault,) = shown(records).all_faults()
    assert "called foul at position" in fault.say
    assert "where it has the sealed card" in fault.say


def test_a_house_that_signs_a_false_seed_after_the_round_is_found() -> None:
    """The record that opens the seed comes after the run: it is not decided again, only derived."""
    lines = []
    for line in source_of(short_shoes(shoes=1)).streams[STREAM]:
        forged = line.body.replace(seed_of("bundle", 0).hex().encode(), seed_of("false", 0).hex().encode())
        lines.append(JournalLine(line.number, read_body(forged), forged, line.hash))
    source = BundleJournal(lines)
    bundle = make_bundle(source, Scope(kind="round", stream=STREAM, shoe=1, round=1), note=signed(source))
    verdict = verify_bundle(bundle, policy=policy_of_keys((LOG.verifier,)))
    assert verdict.status == WRONG
    (wrong,) = (check for check in verdict.checks if check.state == "wrong")
    assert (wrong.name, "the seed gives the commitment" in wrong.say) == ("proofs of cards", True)


def test_nobody_is_named_on_a_page() -> None:
    assert tell(anonymous_event(Sat(seat=3, who="Ann Example", cites=()))) == "somebody sits down at seat 3."
