"""What needs no rules is decided alike by the program and by both small verifiers: one forgery, one answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import pytest
from typer.testing import CliRunner

from baccarat.audit.bundle.form import write_bundle
from baccarat.audit.journal import JournalAudit
from baccarat.cards import Card
from baccarat.cli import app
from baccarat.engine.journaled_table import JournaledTable
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.play.wager import WagerKind
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer
from baccarat.record.origin import origin_of
from baccarat.table.actor import Actor, Approval
from baccarat.table.automation import run_until
from baccarat.table.foul_card import ConfirmCard
from baccarat.table.machine import Table
from baccarat.table.meters import JoinLink
from baccarat.table.role import Role
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.abandoning import AbandonShoe
from baccarat.table.step.revealing import ReportLostSeed
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.table_cards import TableCards
from baccarat.table.witness_change import AdoptWitnesses
from bundles import LOG, NOON, SECOND_SHOE, STREAM, seed_of, short_shoes, signed, source_of
from bundles import bundle_of as part_of
from corpus_base import LOG as LOG_OF_TABLE
from corpus_base import act, base, journal
from forged_order import Acts, acts, closed_again, event_of, with_event, written
from golden_journals import path_of
from house_journal import house_bytes
from javascript import reports_of
from kept import lines_of
from remade import bundle_of, canonical, journal_of, records_of
from three_verifiers import agreed, differing, three_gaps, three_statuses, written_in
from two_verifiers import python_reports

pytestmark = pytest.mark.slow


def up_to(records: Acts, name: str) -> None:
    """Nothing after the record with this event."""
    del records[records.index(with_event(records, name)) + 1 :]


def witness_dropped(records: Acts) -> None:
    """The closing leaves the second witness out, and every note names the closing as it is now."""
    event_of(records, "inputs_closed")["witnesses"].pop()
    closed_again(records)


def other_promise(records: Acts) -> None:
    """Only the last digit of the last promise differs: far behind what a message shows."""
    last = event_of(records, "inputs_closed")["witnesses"][-1]
    last["promise"] = last["promise"][:-1] + ("0" if last["promise"][-1] != "0" else "1")
    closed_again(records)


def contribution(value: str) -> Callable[[Acts], None]:
    """Somebody contributes this; the shoe has not closed its inputs yet."""

    def forge(records: Acts) -> None:
        up_to(records, "contribution_made")
        event_of(records, "contribution_made")["value"] = value
        with_event(records, "contribution_made")["command"]["value"] = value

    return forge


def failed(why: str, *, after: str = "share_given") -> Callable[[Acts], None]:
    """The shoe reports that its order failed the gate, is given up, and opens its seed."""

    def forge(records: Acts) -> None:
        sealed, end = with_event(records, "order_sealed"), with_event(records, "seed_revealed")
        made = {name: sealed[name] for name in ("v", "stream", "rulebook", "behaviour", "at", "who", "origin")}
        made |= {"command": {"do": "fail_shoe", "why": why}}
        made |= {"events": [{"cites": ["ma-midi-4 §3(a)"], "event": "shoe_failed", "why": why}]}
        begin = records.index(with_event(records, after, -1)) + 1
        del records[begin : records.index(end)]
        records.insert(begin, made)

    return forge


def older(records: Acts) -> None:
    """A record says that it was decided by an earlier version than the one before it."""
    for record in records:
        record["behaviour"] = 2
    records[-1]["behaviour"] = 1


FORGERIES: dict[str, Callable[[Acts], None]] = {
    "a witness left out of the closing": witness_dropped,
    "another promise in the closing": other_promise,
    "a contribution of nothing": contribution(""),
    "a contribution of 65 characters": contribution("a" * 65),
    "a contribution with a line end": contribution("a\n"),
    "a fault that the order did not have": failed("not shuffled"),
    "an order called that of the last shoe": failed("same as last"),
    "cards called those of other decks": failed("other cards"),
    "a fault before the shares": failed("not shuffled", after="inputs_closed"),
    "a fault of no kind": failed("nothing"),
    "a version that goes back": older,
}


def test_whatever_needs_no_rules_is_wrong_to_all_three(tmp_path: Path) -> None:
    def forged(forge: Callable[[Acts], None]) -> Callable[[], bytes]:
        def make() -> bytes:
            records = acts()
            forge(records)
            return written(records)

        return make

    paths = written_in(tmp_path, {name: forged(forge) for name, forge in FORGERIES.items()})
    assert differing(three_statuses(paths), dict.fromkeys(FORGERIES, 1)) == {}


def test_a_long_name_of_a_table_is_compared_in_full(tmp_path: Path) -> None:
    """Two tables whose names differ only behind what a message shows."""
    name = "x" * 150
    records = records_of(short_shoes(shoes=1))
    up_to(records, "shoe_committed")  # later nothing fits the commitment
    for record in records:
        record["stream"] = f"table {name}a"
        for event in record.get("events", []):
            if event["event"] == "shoe_committed":
                event["table"] = f"{name}b"
    path = tmp_path / "journal.jsonl"
    path.write_bytes(journal_of(records))
    assert three_statuses([path]) == {"journal": (1, 1, 1)}


NAMES = {
    "example.org/house/table/1": 3,
    "example.org/house/table/1/2": 3,
    "example.org/house/table/%31": 1,
    "example.org/house/table/%31/2": 1,
    "example.org/house/table/": 1,
    "example.org/house/table/01": 1,
    "example.org/house/link/1": 1,
    "example.org/house/TABLE/1": 3,
    "example.org/house/t%61ble/1": 3,
    "example.org/house/coupons": 3,
    "example.org/t": 3,
}


def test_a_log_is_called_by_the_one_spelling_of_its_stream(tmp_path: Path) -> None:
    """The same checkpoint under other names, each time with a right signature."""
    source, found = source_of(short_shoes(shoes=1)), {}
    for number, name in enumerate(NAMES):
        signer = LOG.with_name(name)
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(short_shoes(shoes=1))
        (tmp_path / f"{path.name}.checkpoint").write_bytes(bytes(signed(source, cosigned=False, signer=signer)))
        (found[name],) = three_statuses([path], [str(signer.verifier)]).values()
    expected = {name: (0 if name.endswith("/table/1") else status, status, status)
                for name, status in NAMES.items()}  # fmt: skip
    assert found == expected


def test_every_stream_of_a_house_has_a_name_that_all_three_know(tmp_path: Path) -> None:
    """Forms, cage, coupons, players, day, house, tables and links: nothing is said about the names of their logs."""
    signer = Signer("example.org/house", KeyKind.LOG, bytes(31) + b"\7")
    streams = sorted({record["stream"] for record in records_of(house_bytes())} | {"coupons", "players"})
    for stream in streams:
        records = [r for r in records_of(house_bytes()) if r["stream"] == stream] or [
            {**records_of(house_bytes())[0], "stream": stream}
        ]
        path = tmp_path / f"{stream}.jsonl"
        path.write_bytes(journal_of(records))
        own = signer.with_name(origin_of("example.org/house", Stream(stream)))
        source = source_of(path.read_bytes())
        bodies = [line.body for line in source.streams[Stream(stream)]]
        note = sign_checkpoint(checkpoint_of(own.verifier.name, bodies), own)
        (tmp_path / f"{path.name}.checkpoint").write_bytes(bytes(note))
        for gaps in three_gaps(path, [str(signer.verifier)]):
            assert not [gap for found in gaps for gap in found if "called" in gap], stream


def test_a_version_that_goes_back_in_a_bundle_is_wrong_too(tmp_path: Path) -> None:
    records = records_of(short_shoes(shoes=1))
    records[-1]["behaviour"] = 1
    path = tmp_path / "bundle.json"
    path.write_bytes(canonical(bundle_of(records)))
    assert three_statuses([path]) == {"bundle": (1, 1, 1)}


# ------------------------------------------------------------------------------------------- shoes that came to nothing


def unused(*, until: str, given_up: bool) -> bytes:
    """A shoe of order 2 without witnesses that gets as far as this event, and then waits or is given up."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            rules = rulebook("ma-midi-4")
            table = JournaledTable.begin(rules, file, STREAM, clock=lambda: NOON)
            table.do(Sit(seat=1, person="p1"))
            shoe = SealedShoe(rules, lambda number: seed_of("unused", number), table="1")

            def is_there(table: Table) -> bool:
                names = [type(event).__struct_config__.tag for event in table.log]
                return until in names

            run_until(table, shoe, stop=is_there, wagers=one_wager)
            if given_up:
                table.do(AbandonShoe(reason="nobody wanted it"))
                run_until(table, shoe, stop=lambda table: table.state.shoe.number == 1, wagers=one_wager)
        return path.read_bytes()


@pytest.mark.parametrize(
    ("until", "given_up", "say"),
    [
        ("inputs_closed", False, "closed, not sealed yet"),
        ("inputs_closed", True, "given up after closing"),
        ("order_sealed", True, "the house alone could have known this order beforehand, no round of it completed"),
    ],
)
def test_a_shoe_that_was_closed_and_not_played_is_not_covered(
    tmp_path: Path, until: str, given_up: bool, say: str
) -> None:
    """Nobody but the house could know its order: given up, it is a choice among orders."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(unused(until=until, given_up=given_up))
    for gaps in three_gaps(path):
        assert f"order of shoe 1: {say}" in gaps[0]
    audit = JournalAudit()
    audit.lines(lines_of(path.read_bytes()), file="journal")
    assert any(f"order of shoe 1: {say}" in remark for remark in audit.report().remarks)


def fouled(*, is_lost: bool = False) -> bytes:
    """The floor calls a card foul that an electronic shoe could prove; then the seed is opened, or reported lost."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            rules = rulebook("ma-midi-4")
            table = JournaledTable.begin(rules, file, STREAM, clock=lambda: NOON)
            table.do(Sit(seat=1, person="p1"))
            table.do(BuyIn(seat=1, amount=5_000_000))
            shoe = SealedShoe(rules, lambda number: seed_of("foul", number), table="1")
            run_until(table, shoe, stop=is_turning, wagers=one_wager)
            place = table.state.round.player[0]
            card, _ = shoe.card(table.state, place)
            other = Card.parse("6S" if str(card) != "6s" else "7S")
            boss = Approval(who="boss", role=Role.CASINO_SUPERVISOR)
            floor = Actor(who="f", role=Role.FLOORPERSON, approvals=(boss,))
            assert not isinstance(table.do(ConfirmCard(position=place, card=other), floor), Refused)
            table.do(AbandonShoe(reason="foul"), Actor(who="f", role=Role.FLOORPERSON))
            if is_lost:
                table.do(ReportLostSeed(reason="gone"), floor)
            else:
                run_until(table, shoe, stop=lambda table: table.state.shoe.number == 1, wagers=one_wager)
        return path.read_bytes()


def is_turning(table: Table) -> bool:
    """Whether the first card of a hand is to be turned."""
    return bool(table.state.round.banker) and any(due.act == "turn_card" for due in table.expected)


def one_wager(table: Table) -> None:
    """Somebody wagers."""
    table.do(PlaceWager(seat=1, on=WagerKind.PLAYER, stake=10_000))


def test_a_foul_that_the_opened_seed_disproves_is_wrong_to_all_three(tmp_path: Path) -> None:
    """It voided a round with a wager in it; without the seed nobody can tell."""
    paths = written_in(tmp_path, {"opened": fouled, "lost": lambda: fouled(is_lost=True)})
    assert three_statuses(paths) == {"opened": (1, 1, 1), "lost": (3, 3, 3)}
    audit = JournalAudit()
    audit.lines(lines_of(paths[0].read_bytes()), file="journal")
    assert {found.kind for found in audit.report().findings} == {"false_foul"}


def test_a_table_of_real_cards_is_told_so_by_all_three(tmp_path: Path) -> None:
    path, said = path_of("ma-midi-4"), "real cards: order not shown"
    done = CliRunner().invoke(app, ["verify", str(path)])
    assert said in done.stdout
    (python,), (javascript,) = python_reports([path]), reports_of([path])
    assert any(said in check["text"] for check in python["checks"])
    assert any(said in check["say"] for check in javascript["checks"])
    audit = JournalAudit()
    audit.lines(lines_of(path.read_bytes()), file="journal")
    assert any(said in remark for remark in audit.report().remarks)


def test_the_number_of_a_shoe_follows_from_the_state_before_a_part(tmp_path: Path) -> None:
    made = msgspec.json.decode(write_bundle(part_of(short_shoes(), SECOND_SHOE)))
    honest, forged = tmp_path / "honest.json", tmp_path / "forged.json"
    honest.write_bytes(canonical(made))
    made["before"]["state"]["shoe"]["number"] += 1
    made["scope"]["shoe"] += 1
    forged.write_bytes(canonical(made))
    assert three_statuses([honest, forged]) == {"honest": (3, 3, 3), "forged": (1, 1, 1)}


def test_a_table_on_record_does_not_do_what_only_follows(tmp_path: Path) -> None:
    with JournalFile(tmp_path / "journal.jsonl", sync=False) as file:
        assert not list(file.open())
        table = JournaledTable.begin(rulebook("ma-midi-4"), file, Stream("table 1"), cards=TableCards.ELECTRONIC)
        said = {}
        for command in (AdoptWitnesses(witnesses=()), JoinLink(link="main")):
            second = Approval("b", Role.PIT_BOSS, command.name)
            refused = table.do(command, Actor(who="s", role=Role.CASINO_SUPERVISOR, approvals=(second,)))
            assert isinstance(refused, Refused)
            said[command.name] = refused.what
    assert said == {"adopt_witnesses": "pit_changes_witnesses", "join_link": "house_links_its_tables"}


@pytest.mark.parametrize("name", [[], {}, [1], {"a": 1}, 7, None], ids=str)
def test_a_command_without_a_name_ends_no_verifier(tmp_path: Path, name: object) -> None:
    """Of an automated table, where each looks up who does what."""
    records = base()
    records[0]["cards"] = "automated"
    act(records, "sit")["command"]["do"] = name
    path = tmp_path / "journal.jsonl"
    path.write_bytes(journal(records))
    assert agreed(path, "--key", str(LOG_OF_TABLE.verifier)).status == 1
