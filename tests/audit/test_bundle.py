"""Bundles: what they hold, that they are verified, and that no forger gets one past the verifier."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import msgspec
import pytest
from pypdf import PdfReader

from baccarat.audit.bundle.dispute import NotARound, dispute_page, dispute_sheet
from baccarat.audit.bundle.form import Bundle, Scope, UnreadableBundle, read_bundle, write_bundle
from baccarat.audit.bundle.make import NoBundle, make_bundle
from baccarat.audit.bundle.schema import schema
from baccarat.audit.bundle.verdict import GOOD, UNCOVERED, WRONG, BundleVerdict
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.record import key
from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind, MissingCryptography, Signer
from baccarat.record.policy import policy_of_keys
from baccarat.record.subset_proof import prove_subset
from bundle_forgery import JUNK, at, checked, forged_at, is_refused, parts, remade, sampled, signable, ways
from bundles import (
    DAY,
    LOG,
    ROUND_OF_2,
    SEATS,
    SECOND_SHOE,
    STREAM,
    WHOLE,
    WITNESS,
    bundle_of,
    short_shoes,
    signed,
    source_of,
)
from paths import ROOT
from remade import bundle_of as remade_bundle
from remade import records_of

pytestmark = pytest.mark.slow

FIRST_ROUND = Scope(kind="round", stream=STREAM, shoe=1, round=1)
LAST_ROUND = Scope(kind="round", stream=STREAM, shoe=1, round=5)
SCOPES = (FIRST_ROUND, LAST_ROUND, ROUND_OF_2, SECOND_SHOE, DAY, WHOLE)
EXAMPLE = ROOT / "docs" / "examples" / "round.bundle.json"


def read_again(bundle: Bundle) -> Bundle:
    """A bundle as its file says it."""
    return read_bundle(write_bundle(bundle))


def states(verdict: BundleVerdict) -> dict[str, str]:
    """How each check came out, by its name; the worst where there are several."""
    rank = ("holds", "unchecked", "wrong")
    found: dict[str, str] = {}
    for check in verdict.checks:
        found[check.name] = max(found.get(check.name, "holds"), check.state, key=rank.index)
    return found


def plain(bundle: Bundle) -> dict[str, Any]:
    """A bundle as JSON, to be forged."""
    made: dict[str, Any] = json.loads(write_bundle(bundle))
    return made


# --------------------------------------------------------------------------------------------- honest ones


@pytest.mark.parametrize("scope", SCOPES, ids=str)
def test_an_honest_bundle_is_verified_and_fits_the_published_schema(scope: Scope) -> None:
    bundle = read_again(bundle_of(short_shoes(), scope))
    verdict = verify_bundle(bundle, policy=policy_of_keys((LOG.verifier, WITNESS.verifier)))
    is_whole = scope.kind == "all" or (scope.kind == "round" and scope.shoe == 1)
    assert verdict.status == (GOOD if is_whole else UNCOVERED), verdict.coverage
    found = states(verdict)
    for name in ("entries", "chain", "tree", "signature", "cosignatures", "rules", "decided again", "proofs of cards"):
        assert found[name] == "holds", (name, verdict)
    assert found["seeds"] == "holds"
    assert str(verdict.coverage).startswith(f"table 1: {len(bundle.entries)} entries · decided again ")
    size = len(short_shoes().splitlines())
    assert str(verdict.coverage).endswith(
        f"signed to {size} by example.org/house/table/1 · cosigned to {size} by example.org/surveillance (1 of 1)"
    )
    jsonschema.Draft202012Validator(schema()).validate(plain(bundle))


def test_the_state_before_a_later_shoe_is_called_stated_and_not_proved() -> None:
    journal = short_shoes()
    assert states(verify_bundle(bundle_of(journal, FIRST_ROUND)))["state before"] == "holds"
    later = bundle_of(journal, ROUND_OF_2)
    assert later.before is not None
    verdict = verify_bundle(later, policy=policy_of_keys((LOG.verifier, WITNESS.verifier)))
    assert (states(verdict)["state before"], verdict.status) == ("unchecked", UNCOVERED)
    assert any("is stated by the bundle, not proved" in gap for gap in verdict.coverage.gaps)


def test_a_round_ends_with_its_last_record_and_brings_the_seed_of_its_shoe() -> None:
    journal = short_shoes()
    first, last = bundle_of(journal, FIRST_ROUND), bundle_of(journal, LAST_ROUND)
    for bundle in (first, last):
        names = [event["event"] for entry in plain(bundle)["entries"][-1:] for event in entry["record"]["events"]]
        assert "seed_revealed" in names
        assert "table_cleared" in [event["event"] for event in plain(bundle)["entries"][-2]["record"]["events"]]
        assert "hash" not in plain(bundle)["entries"][-1], "nothing in the bundle leads to it"
        assert all("hash" in entry for entry in plain(bundle)["entries"][:-1])


def test_a_shoe_that_is_not_over_has_no_seed_and_its_cards_are_shown_by_their_proofs() -> None:
    journal = short_shoes(closed=False)
    verdict = verify_bundle(bundle_of(journal, Scope(kind="round", stream=STREAM, shoe=2, round=1)))
    found = states(verdict)
    assert (found["seeds"], found["proofs of cards"], verdict.status) == ("unchecked", "holds", UNCOVERED)
    assert "not over" in next(check.say for check in verdict.checks if check.name == "seeds")


def test_a_contribution_is_counted_and_never_taken_for_an_outsiders() -> None:
    said = ("1 seat contributed to the orders of 1 shoe; anybody may sit there", "no seat contributed to 1 shoe")
    for contribute, given in zip((True, False), said, strict=True):
        verdict = verify_bundle(bundle_of(short_shoes(shoes=1, contribute=contribute), WHOLE))
        say = next(check.say for check in verdict.checks if check.name == "contributions")
        assert say == given


def test_without_a_checkpoint_it_is_said_that_nobody_has_signed() -> None:
    bundle = bundle_of(short_shoes(), ROUND_OF_2, note=False)
    assert (bundle.checkpoint, bundle.tree_head is not None) == (None, True)
    verdict = verify_bundle(read_again(bundle))
    assert (states(verdict)["signature"], verdict.status) == ("unchecked", UNCOVERED)
    assert "is not signed" in next(check.say for check in verdict.checks if check.name == "signature")


def test_the_keys_that_a_bundle_brings_are_not_taken_for_the_houses() -> None:
    bundle = bundle_of(short_shoes(), ROUND_OF_2)
    own = next(check.say for check in verify_bundle(bundle).checks if check.name == "signature")
    trusted = next(
        check.say
        for check in verify_bundle(bundle, policy=policy_of_keys((LOG.verifier,))).checks
        if check.name == "signature"
    )
    assert "keys that the bundle itself contains" in own
    assert verify_bundle(bundle).status == UNCOVERED
    assert "itself contains" not in trusted
    no_key = msgspec.structs.replace(bundle, keys=())
    assert states(verify_bundle(no_key))["signature"] == "unchecked"


@pytest.mark.parametrize("note", [True, False])
def test_a_key_that_is_none_is_named_whether_or_not_anybody_signed(note: bool) -> None:
    bundle = bundle_of(short_shoes(), ROUND_OF_2, note=note)
    changed = str(LOG.verifier).replace("table/1", "table/2")
    with pytest.raises(UnreadableBundle, match="keys: the id of the key does not belong to its name"):
        verify_bundle(msgspec.structs.replace(bundle, keys=(changed,)))


def test_without_cryptography_everything_else_is_checked_and_the_status_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(*_args: object) -> bool:
        raise MissingCryptography

    monkeypatch.setattr(key, "_verifies", missing)
    verdict = verify_bundle(bundle_of(short_shoes(), ROUND_OF_2))
    assert verdict.status == UNCOVERED == 3
    found = states(verdict)
    assert found["signature"] == "unchecked"
    assert (found["tree"], found["decided again"], found["seeds"]) == ("holds", "holds", "holds")
    forged = plain(bundle_of(short_shoes(), ROUND_OF_2))
    forged["entries"][5]["record"]["at"] += 1
    assert checked(forged).status == WRONG


def test_a_checkpoint_that_covers_too_little_or_another_journal_makes_no_bundle() -> None:
    source = source_of(short_shoes())
    with pytest.raises(NoBundle, match="covers 100 entries"):
        make_bundle(source, ROUND_OF_2, note=signed(source, size=100))
    other = source_of(short_shoes(words="another"))
    with pytest.raises(NoBundle, match="not those that the checkpoint covers"):
        make_bundle(source, ROUND_OF_2, note=signed(other, size=300))
    with pytest.raises(NoBundle, match=r"shoe 1: [0-9] rounds, shoe 2: [0-9] rounds"):
        make_bundle(source, Scope(kind="round", stream=STREAM, shoe=1, round=9))
    seedless = make_bundle(source, FIRST_ROUND, note=signed(source, size=100))
    verdict = verify_bundle(seedless, policy=policy_of_keys((LOG.verifier,)))
    assert (states(verdict)["seeds"], verdict.status) == ("unchecked", UNCOVERED)


def test_the_example_in_the_documentation_is_what_is_made_now() -> None:
    made = write_bundle(bundle_of(short_shoes(), ROUND_OF_2))
    assert EXAMPLE.read_bytes() == made, "write docs/examples/round.bundle.json anew: it is bundle_of(…, ROUND_OF_2)"


# ------------------------------------------------------------------------------------------------ forgeries


@pytest.mark.slow
def test_every_forged_field_of_a_signed_bundle_is_refused() -> None:
    bundle = plain(bundle_of(short_shoes(), FIRST_ROUND))
    found = ways(bundle)
    assert len(found) > 1_000
    for way in sampled(found, 120):
        forged = forged_at(bundle, way)
        assert is_refused(forged), way
        if way[-1] != "hash":
            assert is_refused(remade(forged, tree=False)), ("with the hashes remade", way)


@pytest.mark.slow
def test_who_signs_a_forged_journal_anew_is_found_by_deciding_again() -> None:
    bundle = plain(bundle_of(short_shoes(shoes=1), WHOLE))
    for way in sampled(signable(bundle), 60):
        forged = remade(forged_at(bundle, way), tree=True)
        assert is_refused(forged), way


def _swap(bundle: dict[str, Any]) -> None:
    first, second = bundle["entries"][20], bundle["entries"][21]
    first["record"], second["record"] = second["record"], first["record"]


def _drop(bundle: dict[str, Any]) -> None:
    del bundle["entries"][20]


def _drop_last_of_run(bundle: dict[str, Any]) -> None:
    del bundle["entries"][-2]


def _twice(bundle: dict[str, Any]) -> None:
    bundle["entries"].insert(20, bundle["entries"][20])


def _other_hash_of_the_proof(bundle: dict[str, Any]) -> None:
    bundle["proof"].append(bundle["proof"][-1])


def _fewer_hashes(bundle: dict[str, Any]) -> None:
    bundle["proof"].pop()


def _no_opening(bundle: dict[str, Any]) -> None:
    del bundle["entries"][0]


def _late_hash(bundle: dict[str, Any]) -> None:
    bundle["entries"][-1]["hash"] = "0" * 64


def _other_round(bundle: dict[str, Any]) -> None:
    bundle["scope"]["round"] = 2


def _unsigned(bundle: dict[str, Any]) -> None:
    bundle["checkpoint"] = bundle["checkpoint"].rpartition("\n— ")[0] + "\n"
    bundle["checkpoint"] = bundle["checkpoint"].replace("table/1", "table/2", 1)


FORGERIES: dict[Callable[[dict[str, Any]], None], str] = {
    _swap: "entries", _drop: "entries", _drop_last_of_run: "scope", _twice: "entries",
    _other_hash_of_the_proof: "tree", _fewer_hashes: "tree", _no_opening: "entries", _late_hash: "entries",
    _other_round: "scope", _unsigned: "signature",
}  # fmt: skip
"""What a forger does with whole entries, and the check that finds it, whatever others find as well."""


@pytest.mark.parametrize("forge", FORGERIES)
def test_entries_left_out_exchanged_or_added_are_found(forge: Callable[[dict[str, Any]], None]) -> None:
    bundle = plain(bundle_of(short_shoes(), FIRST_ROUND))
    assert not is_refused(bundle)
    forge(bundle)
    assert is_refused(bundle)
    expected = "unchecked" if forge is _drop_last_of_run else "wrong"
    assert states(checked(bundle)).get(FORGERIES[forge]) == expected


def test_only_the_opened_seed_may_come_after_the_run() -> None:
    """A house that leaves out what it does not like to show may not hide that behind a record without a hash."""
    source = source_of(short_shoes())
    honest = bundle_of(short_shoes(), FIRST_ROUND)
    index = len(honest.entries) + 3
    other_record = {"index": index, "record": json.loads(source.streams[STREAM][index].body)}
    kept = [entry.index for entry in honest.entries[:-1]]
    forged = plain(honest)
    forged["entries"][-1] = other_record
    forged["proof"] = list(map(to_base64, prove_subset(source.log(STREAM), [*kept, index])))
    verdict = checked(forged)
    (wrong,) = (check for check in verdict.checks if check.state == "wrong")
    assert (wrong.name, "does not open the seed" in wrong.say) == ("entries", True)


def test_a_time_that_was_changed_with_the_whole_chain_is_found_by_the_tree_alone() -> None:
    bundle = plain(bundle_of(short_shoes(), FIRST_ROUND))
    bundle["entries"][5]["record"]["at"] += 1
    wrong = [check.name for check in checked(remade(bundle, tree=False)).checks if check.state == "wrong"]
    assert wrong == ["tree"]


def test_a_run_that_begins_in_the_middle_of_a_shoe_is_refused() -> None:
    """A maker who leaves out the seal of an order, and states the state after it, hides that cards were sealed."""
    source = source_of(short_shoes())
    history = source.history(STREAM)
    whole = bundle_of(short_shoes(), SECOND_SHOE)
    assert whole.before is not None
    start = next(record for record in history.records if record.shoe == 2 and record.round == 2)
    state, events, hash_ = _state_before(source, start.seq)
    before = msgspec.structs.replace(
        whole.before, seq=start.seq - 1, events=events, hash=hash_, state=msgspec.Raw(state)
    )
    kept = [entry for entry in whole.entries if entry.index == 0 or entry.index >= start.seq]
    note = signed(source)
    proof = tuple(map(to_base64, prove_subset(source.log(STREAM), [entry.index for entry in kept])))
    forged = msgspec.structs.replace(
        whole, entries=tuple(kept), before=before, proof=proof, checkpoint=bytes(note).decode()
    )
    verdict = verify_bundle(read_again(forged), policy=policy_of_keys((LOG.verifier,)))
    assert verdict.status == WRONG
    assert "where a shoe begins" in next(check.say for check in verdict.checks if check.state == "wrong")


def _state_before(source: Any, seq: int) -> tuple[bytes, int, str]:
    from baccarat.engine.redecide import read_events  # noqa: PLC0415
    from baccarat.record.canonical import canonical  # noqa: PLC0415
    from baccarat.record.journal import rules_at  # noqa: PLC0415
    from baccarat.table.machine import begin, evolve_all  # noqa: PLC0415

    opening = source.streams[STREAM][0].entry
    state, count = begin(rules_at(1, opening), opening.cards, opening.witnesses), 0
    for line in source.streams[STREAM][1:seq]:
        events = read_events(line.entry) or []
        state, count = evolve_all(state, events), count + len(events)
    return canonical(state), count, source.streams[STREAM][seq - 1].hash.hex()


def test_a_key_of_the_forgers_own_is_refused_where_the_reader_has_the_houses() -> None:
    thief = Signer(LOG.verifier.name, KeyKind.LOG, bytes([9]) * 32)
    source = source_of(short_shoes(words="forged"))
    from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint  # noqa: PLC0415

    note = sign_checkpoint(checkpoint_of(LOG.verifier.name, [line.body for line in source.streams[STREAM]]), thief)
    forged = make_bundle(source, ROUND_OF_2, note=note, keys=(thief.verifier,))
    assert verify_bundle(forged).status == UNCOVERED
    verdict = verify_bundle(forged, policy=policy_of_keys((LOG.verifier,)))
    assert (states(verdict)["signature"], verdict.status) == ("wrong", WRONG)


def test_a_state_before_that_never_was_is_found_where_something_hangs_on_it() -> None:
    bundle = plain(bundle_of(short_shoes(), ROUND_OF_2))
    people = [each for each in bundle["before"]["state"]["seats"]["participants"] if each]
    people[0]["chips"] = 0
    assert is_refused(bundle)
    broken = plain(bundle_of(short_shoes(), ROUND_OF_2))
    broken["before"]["state"]["step"] = "nowhere"
    assert is_refused(broken)
    broken["before"]["state"] = {"step": 3}
    assert is_refused(broken)
    # in these no act can be decided at all: that is said of the bundle, and is no fault of the program
    undecidable = plain(bundle_of(short_shoes(), ROUND_OF_2))
    undecidable["before"]["state"]["shoe"]["former_seed"] = "x"
    assert is_refused(undecidable)
    undecidable = plain(bundle_of(short_shoes(), ROUND_OF_2))
    undecidable["before"]["state"]["round"]["pressed"] = {"1": 5}
    assert is_refused(undecidable)


def test_a_forged_number_of_decks_takes_neither_memory_nor_time() -> None:
    bundle = plain(bundle_of(short_shoes(shoes=1), WHOLE))
    for entry in bundle["entries"]:
        for event in entry["record"].get("events", []):
            if event["event"] == "shoe_committed":
                event["decks"] = 2**40
    verdict = checked(remade(bundle, tree=True))
    assert verdict.status == WRONG


# ------------------------------------------------------------------------------------------------ bad input

BAD: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "half-written": (lambda data: data[: len(data) // 2], "half"),
    "empty": (lambda _data: b"", "half"),
    "binary": (lambda _data: bytes(range(256)) * 10, "not JSON"),
    "newer": (lambda data: data.replace(b'{"bundle":1', b'{"bundle":2'), "newer"),
    "newer entries": (lambda data: data.replace(b',"v":1', b',"v":2'), "newer"),
    "unknown field": (lambda data: data.replace(b'"program":', b'"programme":"x","program":'), "programme"),
    "twice": (lambda data: data.replace(b'"program":', b'"program":"x","program":'), "twice"),
    "float": (lambda data: data.replace(b'"index":0', b'"index":0.0'), "whole number|int"),
    "large": (lambda data: data.replace(b'"at":', b'"at":9007199254740993,"x":', 1), "large"),
    "deep": (lambda _data: b'{"bundle":1,"scope":' + b"[" * 100_000, "nested|half|no bundle"),
    "no checkpoint": (lambda data: data.replace(b'"checkpoint":', b'"keys":[],"x":', 1), "x|checkpoint"),
    "not a note": (lambda data: data.replace("— ".encode(), b"- "), "checkpoint"),
    "a list": (lambda _data: b"[]", "no bundle"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_bundle_is_refused_with_a_clear_message(name: str) -> None:
    spoil, say = BAD[name]
    data = spoil(write_bundle(bundle_of(short_shoes(), FIRST_ROUND)))
    with pytest.raises(UnreadableBundle, match=say):
        verify_bundle(read_bundle(data))


def test_an_unknown_rulebook_is_named() -> None:
    bundle = plain(bundle_of(short_shoes(), FIRST_ROUND))
    bundle["rulebooks"][0]["hash"] = "0" * 64
    verdict = checked(bundle)
    assert states(verdict)["rules"] == "wrong"
    bundle = plain(bundle_of(short_shoes(), FIRST_ROUND))
    bundle["rulebooks"][0]["submission"]["tie_odds"] = 9
    (rules,) = (check for check in checked(bundle).checks if check.name == "rules")
    assert (rules.state, "another Submission" in rules.say) == ("wrong", True)
    records = records_of(short_shoes())
    records[0]["submission"]["tie_odds"] = 9
    (rules,) = (check for check in checked(remade_bundle(records)).checks if check.name == "rules")
    assert (rules.state, " gives " in rules.say) == ("wrong", True)
    records[0]["submission"]["ruleset"] = "no-such-edition"
    unknown = checked(remade_bundle(records))
    assert (states(unknown)["rules"], unknown.status) == ("unchecked", UNCOVERED)
    assert unknown.coverage.decided == 0


def test_a_bundle_may_be_written_with_spaces_and_in_another_order() -> None:
    bundle = plain(bundle_of(short_shoes(), FIRST_ROUND))
    turned = json.dumps(dict(reversed(bundle.items())), indent=1).encode()
    assert verify_bundle(read_bundle(turned), policy=policy_of_keys((LOG.verifier,))).status == GOOD


@pytest.mark.slow
def test_whatever_stands_where_in_a_bundle_there_is_an_answer_and_never_a_trace() -> None:
    bundle = plain(bundle_of(short_shoes(), ROUND_OF_2))
    found, chance, answers = list(parts(bundle)), random.Random(7), set[str]()
    outside = [way for way in found if way[0] != "entries"]
    for number in range(200):
        spoilt = json.loads(json.dumps(bundle))
        way = chance.choice(outside if number % 3 == 0 else found)
        at(spoilt, way[:-1])[way[-1]] = chance.choice(JUNK)
        if way[0] == "entries" and way[2:3] == ("record",) and len(way) > 3:
            with suppress(TypeError, KeyError, AttributeError):
                spoilt = remade(spoilt, tree=number % 2 == 0)
        try:
            read = read_bundle(json.dumps(spoilt, ensure_ascii=False).encode())
            verdict = verify_bundle(read, policy=policy_of_keys((LOG.verifier,)))
            answers.add(str(verdict.status))
            assert dispute_page(read, verdict).startswith("<!DOCTYPE html>")
        except (UnreadableBundle, NotARound) as error:
            answers.add(type(error).__name__)
    assert {"1", "3", "UnreadableBundle", "NotARound"} <= answers


def test_a_citation_that_is_none_does_not_keep_the_card_from_being_printed() -> None:
    bundle = plain(bundle_of(short_shoes(), ROUND_OF_2))
    for entry in bundle["entries"]:
        for event in entry["record"].get("events", []):
            if event["event"] == "paid":
                event["cites"] = ["—"]
    read = read_bundle(json.dumps(bundle).encode())
    assert "This record is wrong" in dispute_page(read, verify_bundle(read))


def test_page_and_sheet_say_what_came_of_each_wager_or_that_nothing_was_taken_or_paid() -> None:
    journal = short_shoes()
    lines = journal.splitlines(keepends=True)
    result = next(index for index, line in enumerate(lines) if b'"event":"result_announced"' in line)
    for part, is_over in ((journal, True), (b"".join(lines[:result]), False)):
        bundle = bundle_of(part, FIRST_ROUND)
        verdict = verify_bundle(bundle)
        sheet = "".join(page.extract_text() for page in PdfReader(BytesIO(dispute_sheet(bundle, verdict))).pages)
        for text in (dispute_page(bundle, verdict), sheet):
            assert ("The round was not over." not in text) is is_over
            assert text.count("nothing taken or paid") == (0 if is_over else len(SEATS))
            assert (" lost" in text) is is_over


def test_a_state_before_with_something_more_in_it_is_refused() -> None:
    bundle = plain(bundle_of(short_shoes(), ROUND_OF_2))
    bundle["before"]["state"]["shoe"]["secret"] = 1
    verdict = checked(bundle)
    assert "not encoded as a table's state is" in next(check.say for check in verdict.checks if check.state == "wrong")


def test_a_state_before_that_an_earlier_version_wrote_lacks_later_fields() -> None:
    """A state gains fields with defaults: an honest bundle that was made before must not become a forgery."""
    bundle = plain(bundle_of(short_shoes(), ROUND_OF_2))
    state = bundle["before"]["state"]
    del state["seats"]["relieved"], state["shoe"]["given_before"], state["meters"]
    assert checked(bundle).status == UNCOVERED
    del state["shoe"]["number"]
    assert "how many shoes were closed" in next(each.say for each in checked(bundle).checks if each.state == "wrong")
