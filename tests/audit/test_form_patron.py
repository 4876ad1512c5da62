"""Forms of version 2, which could name any patron: their journals are followed to the end, in every stream."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from acting import acting
from baccarat.audit.journal import JournalAudit
from baccarat.law.rulebook import rulebook
from baccarat.play.wager import WagerKind
from baccarat.record.journal_file import JournalFile
from baccarat.table.automation import run_until
from baccarat.table.base import Accepted
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.step.wagering import PlaceWager
from baccarat.table.vigorish_debt import DocumentVigorish
from baccarat.table.vigorish_form import ComplimentaryForm, ReceiveForms
from house_books import open_table, opened_house, stacks
from journaled_house import JournaledHouse
from kept import lines_of, rehashed

NEW_JERSEY = rulebook("nj-punto-banco", vig_collection="deferred")


def documented(path: Path) -> list[bytes]:
    """The lines of a house in which vigorish was waived on a form, and forms were received after that."""
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = open_table(opened_house(NEW_JERSEY, house=JournaledHouse(NEW_JERSEY, file)), NEW_JERSEY)
        assert isinstance(table.do(Sit(seat=1, person="p1")), Accepted)
        assert isinstance(table.do(BuyIn(seat=1, amount=1_000_000)), Accepted)

        def wager(_table: Any) -> None:
            assert isinstance(table.do(PlaceWager(seat=1, on=WagerKind.BANKER, stake=10_000)), Accepted)

        owes = lambda t: bool(t.state.money.markers) and t.state.step == "wager"  # noqa: E731
        run_until(table, stacks(table.rules, table.name), stop=owes, wagers=wager)
        form = ComplimentaryForm(
            serial=1, amount=table.state.money.markers[1], patron="p1", dealer="D", pit_boss="boss", pit_clerk="clerk",
            patron_signed=True,
        )  # fmt: skip
        for command in (
            ReceiveForms(first=1, last=1),
            DocumentVigorish(seat=1, form=form),
            ReceiveForms(first=2, last=5),
        ):
            assert isinstance(table.do(command, acting(table, command, who="clerk", second="boss")), Accepted)
    return path.read_bytes().splitlines(keepends=True)


def kinds(lines: list[bytes]) -> list[tuple[str, str]]:
    audit = JournalAudit()
    audit.lines(lines_of(b"".join(lines)), file="x")
    return [(each.kind, each.stream) for each in audit.report().findings]


def test_a_form_of_version_2_for_another_patron_is_no_forgery_and_what_follows_is_decided(tmp_path: Path) -> None:
    honest = documented(tmp_path / "journal.jsonl")
    assert kinds(honest) == []
    named = [line.replace(b'"patron":"p1"', b'"patron":"p2"') for line in honest]
    assert sum(one != other for one, other in zip(honest, named, strict=True)) == 2, "the act, and the form book"
    old = [line.replace(f'"behaviour":{BEHAVIOUR}'.encode(), b'"behaviour":2') for line in named]
    assert kinds(rehashed(old)) == [("ruled_otherwise_since", "table T1")]
    assert ("other_events", "table T1") in kinds(rehashed(named)) or ("other_refusal", "table T1") in kinds(
        rehashed(named)
    )
    twice = [line.replace(b'"first":2', b'"first":3') if b'"series_received"' in line else line for line in old]
    assert twice != old
    assert len(kinds(rehashed(twice))) > 1, "a forgery after it is still found"
