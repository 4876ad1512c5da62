"""Order 2 on record, forged: each broken promise is found by the program and by both small verifiers."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import UNSET

import golden_journals
from baccarat.audit.bundle.form import Scope
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.published_table import PublishedTable
from baccarat.audit.bundle.shoe_checks import ORDERS
from baccarat.audit.bundle.verdict import UNCOVERED, WRONG
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.audit.journal import JournalAudit
from baccarat.house.stream import Stream
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer, Verifier
from baccarat.record.policy import policy_of_keys
from baccarat.table.step.sealing import ShoeFailed
from baccarat.table.table_cards import StatedCards, TableCards
from bundles import source_of
from forged_order import Acts, acts, closed_again, event_of, golden_order_2, with_event, written
from golden_journals import SignedWitnesses, path_of
from kept import lines_of
from remade import canonical
from two_verifiers import both

STREAM = Stream("table 1")


def faults_of(records: Acts) -> list[str]:
    """What is wrong with the shoes that these records show."""
    shoes = PublishedTable("1")
    for record in records:
        shoes.add_record(record["seq"], record.get("command"), record.get("events", []), canonical(record))
    return [each.say for each in shoes.all_faults()]


def test_an_honest_shoe_of_order_2_keeps_every_promise(tmp_path: Path) -> None:
    assert faults_of(acts()) == []
    assert written(acts()) == golden_order_2()
    path = tmp_path / "journal.jsonl"
    path.write_bytes(golden_order_2())
    assert {answer.status for answer in both([path])[0]} == {UNCOVERED}


def _other_inputs(records: Acts) -> None:
    event_of(records, "inputs_closed")["inputs"] = "0" * 64


def _other_closing_shoe(records: Acts) -> None:
    event_of(records, "inputs_closed")["shoe"] = "7"


def _witness_dropped(records: Acts) -> None:
    event_of(records, "inputs_closed")["witnesses"].pop()


def _other_log(records: Acts) -> None:
    event_of(records, "shoe_committed")["origin"] = "example.org/house/table/2"


def _witnesses_turned(records: Acts) -> None:
    event_of(records, "shoe_committed")["witnesses"].reverse()


def _witness_twice(records: Acts) -> None:
    named = event_of(records, "shoe_committed")["witnesses"]
    named[1] = dict(named[0])


def _cosigning_key(records: Acts) -> None:
    made = Verifier("example.org/commission", KeyKind.WITNESS, bytes(32))
    event_of(records, "shoe_committed")["witnesses"][0]["key"] = str(made)


def _other_share(records: Acts) -> None:
    event_of(records, "share_given")["note"][4] = base64.b64encode(bytes(32)).decode()


def _other_note_shoe(records: Acts) -> None:
    event_of(records, "share_given")["note"][2] = "7"


def _other_leaf(records: Acts) -> None:
    event_of(records, "share_given")["note"][3] = base64.b64encode(bytes(32)).decode()


def _six_lines(records: Acts) -> None:
    event_of(records, "share_given")["note"].insert(5, "more")


def _signed_by_the_other(records: Acts) -> None:
    event_of(records, "share_given")["note"][6] = event_of(records, "share_given", 1)["note"][6]


def _share_of_a_stranger(records: Acts) -> None:
    event_of(records, "share_given")["key"] = str(Signer("example.org/x", KeyKind.LOG, bytes(32)).verifier)


def _share_twice(records: Acts) -> None:
    record = with_event(records, "share_given")
    records.insert(records.index(record), json.loads(json.dumps(record)))


def _share_missing(records: Acts) -> None:
    records.remove(with_event(records, "share_given", 1))


def _closing_missing(records: Acts) -> None:
    records.remove(with_event(records, "inputs_closed"))


def _closing_twice(records: Acts) -> None:
    record = with_event(records, "inputs_closed")
    records.insert(records.index(record), json.loads(json.dumps(record)))


def _closing_with_company(records: Acts) -> None:
    with_event(records, "inputs_closed")["events"].append({"cites": [], "event": "cut_fell_to_dealer"})


def _sealed_before_the_shares(records: Acts) -> None:
    record = with_event(records, "order_sealed")
    records.remove(record)
    records.insert(records.index(with_event(records, "share_given")), record)


def _contributed_after_the_closing(records: Acts) -> None:
    record = json.loads(json.dumps(with_event(records, "contribution_made")))
    records.insert(records.index(with_event(records, "inputs_closed")) + 1, record)


def _cut_after_the_closing(records: Acts) -> None:
    record = with_event(records, "cards_cut")
    records.insert(records.index(with_event(records, "inputs_closed")) + 1, json.loads(json.dumps(record)))


def _other_cut(records: Acts) -> None:
    event_of(records, "cards_cut", -1)["in_front"] += 1


def _called_order_1(records: Acts) -> None:
    del event_of(records, "shoe_committed")["order"]


FORGERIES: list[tuple[Callable[[Acts], None], str]] = [
    (_other_inputs, "the inputs give"),
    (_other_closing_shoe, "the closing names another log, shoe or witness"),
    (_witness_dropped, "the closing names another log, shoe or witness"),
    (_other_log, "which is another log"),
    (_witnesses_turned, "not in form"),
    (_witness_twice, "not in form"),
    (_cosigning_key, "not in form"),
    (_other_share, "is not the promised one"),
    (_other_note_shoe, "is not for this log and this shoe"),
    (_other_leaf, "for another record than the closing"),
    (_six_lines, "is not for this log and this shoe"),
    (_signed_by_the_other, "is not for this log and this shoe"),
    (_share_of_a_stranger, "no named witness still owes"),
    (_share_twice, "no named witness still owes"),
    (_share_missing, "sealed without"),
    (_closing_missing, "no named witness still owes"),
    (_closing_twice, "closed once"),
    (_closing_with_company, "with this event alone"),
    (_sealed_before_the_shares, "sealed without"),
    (_contributed_after_the_closing, "a contribution after the inputs were closed"),
    (_cut_after_the_closing, "a cut after the inputs were closed"),
    (_other_cut, "the inputs give"),
    (_called_order_1, "closed once"),
]


@pytest.mark.parametrize(("forge", "say"), FORGERIES, ids=lambda each: getattr(each, "__name__", ""))
def test_each_broken_promise_of_order_2_is_named(forge: Callable[[Acts], None], say: str) -> None:
    records = acts()
    forge(records)
    found = faults_of(records)
    assert any(say in each for each in found), found


@pytest.mark.slow
def test_both_small_verifiers_find_every_one_of_them(tmp_path: Path) -> None:
    paths = []
    for forge, _ in FORGERIES:
        records = acts()
        forge(records)
        paths.append(tmp_path / f"{forge.__name__}.jsonl")
        paths[-1].write_bytes(written(records))
    for (forge, _), answers in zip(FORGERIES, both(paths), strict=True):
        assert [answer.status for answer in answers] == [WRONG, WRONG], forge.__name__


def test_an_audit_finds_a_share_that_was_opened_for_another_record() -> None:
    """A table alone does not know its records: every note names the same, but not the closing."""
    records = acts()
    with_event(records, "inputs_closed")["at"] += 1
    audit = JournalAudit()
    audit.lines(lines_of(written(records)), file="forged")
    report = audit.report()
    assert {each.kind for each in report.findings} == {"share_for_another_record"}
    assert report.checks[5].name == "shuffles"
    assert report.checks[5].failed == 2
    closed_again(records)
    audit = JournalAudit()
    audit.lines(lines_of(written(records)), file="forged")
    assert audit.report().findings == (), "the rest is for those who have the keys"


# --------------------------------------------------------------------------------------- signatures, and what is said


def journal(data: bytes) -> BundleJournal:
    """A journal, as bundles are made of it."""
    return source_of(data)


def orders(data: bytes, *keys: str) -> tuple[int, list[str]]:
    """The status of a whole journal, and what is said of its orders."""
    bundle = make_bundle(journal(data), Scope(kind="all", stream=STREAM))
    verdict = verify_bundle(bundle, policy=policy_of_keys([Verifier.parse(key) for key in keys]))
    return verdict.status, [check.say for check in verdict.checks if check.name == ORDERS]


def test_signatures_are_checked_with_the_keys_that_the_reader_has(tmp_path: Path) -> None:
    one, two = sorted(SignedWitnesses(tmp_path).signers)
    named = "order of shoe 2: 2 witnesses named, 2 shown"
    assert orders(golden_order_2())[0] == UNCOVERED
    assert orders(golden_order_2())[1][0].startswith(f"{named}, 0 of 2 checked")
    assert orders(golden_order_2(), one)[0] in (UNCOVERED, WRONG)
    assert orders(golden_order_2(), one)[1][0].startswith(f"{named}, 1 of 2 checked")
    bare = [
        f"{key.partition('+')[0]}, whose share was asked for, has no part in the order of real cards"
        for key in (one, two)
    ]
    assert orders(golden_order_2(), one, two)[1] == [named, *bare, "real cards: order not shown"], "shoe 1 has no seal"
    forged = acts()
    with_event(forged, "inputs_closed")["at"] += 1
    closed_again(forged)
    status, said = orders(written(forged), one, two)
    assert status == WRONG
    assert "the signature of example.org/" in said[0]
    assert orders(written(forged))[0] == UNCOVERED, "no key, no word about it"


def test_an_order_that_the_house_alone_could_know_is_called_that() -> None:
    said = orders(path_of("ma-midi-4").read_bytes())
    known = "order of shoe 2: the house alone could have known this order beforehand"
    assert said == (UNCOVERED, [known, "real cards: order not shown"])


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "is_wrong"), [("", True), ("/2", False), ("/3", False), ("/12", False)])
def test_shoes_of_a_log_that_a_later_log_continues_keep_its_name(
    tmp_path: Path, ending: str, is_wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Committed to under a successor: the checkpoint is of that log or of a later one, never of an earlier one."""

    class SuccessorWitnesses(SignedWitnesses):
        def __init__(self, path: Path) -> None:
            super().__init__(path)
            self.origin = "example.org/house/table/1/2"

    monkeypatch.setattr(golden_journals, "SignedWitnesses", SuccessorWitnesses)
    data, origin = golden_journals.golden("ma-midi-4-order-2"), f"example.org/house/table/1{ending}"
    path = tmp_path / "journal.jsonl"
    path.write_bytes(data)
    with JournalFile(path, sync=False) as file:
        assert list(file.open())
        note = file.sign(STREAM, Signer(origin, KeyKind.LOG, bytes(32)))
    assert [answer.status == WRONG for answer in both([path])[0]] == [is_wrong] * 2
    verdict = verify_bundle(make_bundle(journal(data), Scope(kind="all", stream=STREAM), note=note))
    assert (verdict.status == WRONG) is is_wrong
    assert is_wrong == any("another log" in check.say for check in verdict.checks)


@pytest.mark.parametrize(
    ("cards", "behaviour", "is_wrong"),
    [
        (TableCards.ELECTRONIC, 3, True),
        (TableCards.AUTOMATED, 3, True),
        (TableCards.ELECTRONIC, 2, False),
        (UNSET, 3, False),
    ],
)
def test_order_1_is_wrong_where_a_table_says_that_it_is_electronic(
    cards: StatedCards, behaviour: int, *, is_wrong: bool
) -> None:
    """Without the rules, too: then nothing is decided again."""
    made = event_of(acts(), "shoe_committed")
    committed = {name: value for name, value in made.items() if name not in ("order", "origin", "witnesses")}
    shoes = PublishedTable("1", cards=cards)
    shoes.add_record(1, None, [committed], behaviour=behaviour)
    assert [each.say for each in shoes.all_faults()] == [
        "a shoe of order 1, which the house alone could know, at an electronic table"
    ] * is_wrong


def test_a_shoe_that_is_given_up_after_its_closing_is_not_covered() -> None:
    records = acts()
    del records[records.index(with_event(records, "inputs_closed")) + 1 :]
    shoes = PublishedTable("1")
    for record in records:
        shoes.add_record(record["seq"], record.get("command"), record.get("events", []), canonical(record))
    (shoe,) = shoes.shoes
    assert shoe.is_unused
    assert shoe.order_words == "order of shoe 2: closed, not sealed yet"
    assert orders(written(records))[0] == UNCOVERED


def test_a_fault_that_the_order_did_not_have_is_found_when_the_seed_is_open() -> None:
    records = acts()
    sealed = with_event(records, "order_sealed")
    failed = {"cites": [], "event": str(ShoeFailed.__struct_config__.tag), "why": "not shuffled"}
    end = with_event(records, "seed_revealed")
    del records[records.index(sealed) : records.index(end)]
    records.insert(records.index(end), {"seq": end["seq"], "events": [failed]})
    assert any("a fault of its order that it did not have" in each for each in faults_of(records))
