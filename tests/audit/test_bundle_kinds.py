"""Bundles of other tables: an edition of one's own, rules adopted between shoes, real cards, linked tables."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

import lagoon
from baccarat.audit.bundle.dispute import dispute_page
from baccarat.audit.bundle.form import Bundle, Scope, read_bundle, write_bundle
from baccarat.audit.bundle.make import BundleJournal, make_bundle
from baccarat.audit.bundle.verdict import UNCOVERED, WRONG, BundleCheck
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.edition import forget, loadable_editions, register_text
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.play.wager import WagerKind
from baccarat.record.journal import JournalReader
from baccarat.record.journal_file import JournalFile, read_journal
from baccarat.table.automation import run_until
from baccarat.table.machine import Table
from baccarat.table.rules_adoption import AdoptRules
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import KeyedCards, SealedShoe
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from bundles import SHORT, STREAM, short_shoes, source_of
from journaled_house import JournaledHouse
from kept import kept_table, lines_of
from linked_floor import NAMES, RANGE, Floor, royal_nines

pytestmark = pytest.mark.slow

WHOLE = Scope(kind="all", stream=STREAM)


def read_again(bundle: Bundle) -> Bundle:
    """A bundle as its file says it."""
    return read_bundle(write_bundle(bundle))


def check(bundle: Bundle, name: str) -> BundleCheck:
    """One check of a bundle in which nothing is wrong."""
    verdict = verify_bundle(bundle)
    assert verdict.status == UNCOVERED, verdict  # no key is given
    return next(each for each in verdict.checks if each.name == name)


@pytest.mark.slow
@pytest.mark.parametrize("submission", shipped_submissions())
def test_a_round_of_every_shipped_submission_is_bundled_verified_and_printed(submission: str) -> None:
    source = source_of(short_shoes(submission))
    rounds = source.history(STREAM).rounds()
    for shoe in (1, 2):
        scope = Scope(kind="round", stream=STREAM, shoe=shoe, round=rounds[shoe])
        bundle = read_again(make_bundle(source, scope))
        verdict = verify_bundle(bundle)
        assert verdict.status == UNCOVERED, verdict
        page = dispute_page(bundle, verdict)
        assert f"Round {rounds[shoe]} of shoe {shoe}" in page
        assert "The clauses that decided" in page


def sit(table: Table) -> None:
    """One person with chips."""
    table.do(Sit(seat=1, person="p1"))
    table.do(BuyIn(seat=1, amount=5_000_000))


def wager(table: Table) -> None:
    """The least wager on the Player."""
    limits = table.rules.elections.limits or {}
    table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=limits["player"].min))


def played(table: Table, shoes: int) -> None:
    """Play until so many shoes are over, electronically."""
    source = SealedShoe(table.rules, lambda number: bytes([number + 1]) * 32, table="1")
    run_until(table, source, stop=lambda table: table.state.shoe.number == shoes, wagers=wager)


@pytest.mark.slow
def test_an_edition_of_ones_own_comes_along_and_is_forgotten_again(tmp_path: Path) -> None:
    _, submission = lagoon.write(tmp_path)
    try:
        table = kept_table(tmp_path / "journal.jsonl", rulebook(submission, cover_card_depth=SHORT))
        sit(table)
        played(table, 1)
        table.file.close()
        bundle = read_again(make_bundle(BundleJournal(read_journal(table.file.path)), WHOLE))
    finally:
        forget(lagoon.NAME)
    assert bundle.rulebooks[0].edition == lagoon.edition_text()
    assert lagoon.NAME in check(bundle, "rules").say
    assert lagoon.NAME not in loadable_editions(), "nothing stays of what a bundle brought"
    gaps = verify_bundle(bundle).coverage.gaps
    assert any(f"contains the edition {lagoon.NAME}, which differs from the shipped " in gap for gap in gaps)
    try:
        register_text(lagoon.edition_text(), source="the reader's own")
        assert not any("edition" in gap for gap in verify_bundle(bundle).coverage.gaps), "the reader has the same text"
        other = lagoon.edition_text() + "\n# another text\n"
        filed = msgspec.structs.replace(bundle.rulebooks[0], edition=other)
        gaps = verify_bundle(msgspec.structs.replace(bundle, rulebooks=(filed,))).coverage.gaps
        assert any("contains another text of edition" in gap for gap in gaps)
    finally:
        forget(lagoon.NAME)
    unlike = (("[option.lucky_six]", "[option.lucky_sax]", UNCOVERED), ("value = 4", "value = 5", WRONG))
    for old, new, status in unlike:
        filed = msgspec.structs.replace(bundle.rulebooks[0], edition=lagoon.edition_text().replace(old, new))
        verdict = verify_bundle(msgspec.structs.replace(bundle, rulebooks=(filed,)))
        assert verdict.status == status, verdict.coverage
    assert lagoon.NAME not in loadable_editions()
    none = msgspec.structs.replace(bundle.rulebooks[0], edition=None)
    assert verify_bundle(msgspec.structs.replace(bundle, rulebooks=(none,))).status == UNCOVERED


def test_a_shoe_after_other_rules_were_adopted_brings_both_rulebooks(tmp_path: Path) -> None:
    table = kept_table(tmp_path / "journal.jsonl", rulebook("ma-midi-4", cover_card_depth=SHORT))
    sit(table)
    played(table, 1)
    other = rulebook("ma-midi-4", cover_card_depth=SHORT, tie_odds=9)
    adopted = table.do(AdoptRules(submission=msgspec.to_builtins({"ruleset": other.edition.name, **other.stated})))
    assert getattr(adopted, "events", ()), adopted
    played(table, 2)
    table.file.close()
    source = BundleJournal(read_journal(table.file.path))
    second = read_again(make_bundle(source, Scope(kind="shoe", stream=STREAM, shoe=2)))
    assert {each.hash for each in second.rulebooks} == {table.rules.hash, source.streams[STREAM][0].entry.rulebook}
    assert check(second, "decided again").state == "holds"
    assert check(read_again(make_bundle(source, WHOLE)), "rules").say.startswith("2 rulebooks")
    one = msgspec.structs.replace(second, rulebooks=second.rulebooks[:1])
    verdict = verify_bundle(one)
    assert verdict.status == WRONG
    assert "not in the bundle" in next(each.say for each in verdict.checks if each.name == "rules")


def test_real_cards_are_shown_on_the_dealers_word_and_it_is_said(tmp_path: Path) -> None:
    file = JournalFile(tmp_path / "journal.jsonl", sync=False)
    list(file.open())
    rules = rulebook("ma-midi-4", cover_card_depth=SHORT)
    table = JournaledTable.begin(rules, file, STREAM, cards=TableCards.REAL)
    sit(table)
    cards = KeyedCards(lambda shoe: royal_nines("real", shoe))
    run_until(table, cards, stop=lambda table: table.state.round.number > 2, wagers=wager)
    file.close()
    bundle = make_bundle(BundleJournal(read_journal(file.path)), Scope(kind="round", stream=STREAM, shoe=1, round=2))
    shown = check(read_again(bundle), "proofs of cards")
    assert shown.state == "unchecked"
    assert "dealer's word" in shown.say


@pytest.mark.slow
def test_a_table_of_a_linked_house_has_its_own_bundle(tmp_path: Path) -> None:
    rules = rulebook("ma-midi-4-royal9", must_hit=RANGE)
    path = tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        list(file.open())
        floor = Floor.opened(rules, 3, JournaledHouse(rules, file))
        for act in range(240):
            floor.act(NAMES[act * 7 % 5 % 3], check=False)
    source = BundleJournal(JournalReader().read(lines_of(path.read_bytes())))
    assert source.tables == ("table T1", "table T2", "table T3")
    bundle = read_again(make_bundle(source, Scope(kind="all", stream=Stream("table T1"))))
    verdict = verify_bundle(bundle)
    assert verdict.status == UNCOVERED, verdict
    assert any("the act of the house that it follows is not in the file" in gap for gap in verdict.coverage.gaps)
    assert any("the stream of the link, whose meters it shows" in gap for gap in verdict.coverage.gaps)
    assert verdict.coverage.decided < verdict.coverage.entries
    assert all(json.loads(bytes(entry.record))["stream"] == "table T1" for entry in bundle.entries)
    rounds = source.history(Stream("table T1")).rounds()
    one = make_bundle(source, Scope(kind="round", stream=Stream("table T1"), shoe=1, round=rounds[1]))
    assert verify_bundle(read_again(one)).status == UNCOVERED
