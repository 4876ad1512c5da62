"""Refusals that a flooded house counted instead of recording each: checked alike by the program and both verifiers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from baccarat.audit.bundle.form import Scope, write_bundle
from baccarat.audit.bundle.make import make_bundle
from baccarat.audit.resettle.journal_rounds import read_tables
from baccarat.engine.journaled_table import JournaledTable
from baccarat.record.journal import JournalLine
from baccarat.record.journal_file import JournalFile
from bundles import LOG, STREAM, WHOLE, short_shoes, signed, source_of
from javascript import reports_of
from signed_journal import Record, cli, records_of, rewritten, signed_by
from two_verifiers import both, python_reports

GAP = "5 refusals of 1 person were counted and not decided again"


def with_folded(change: Callable[[Record], None] = lambda _folded: None) -> list[Record]:
    """A table's journal with a record of folded refusals after a first one that is whole; `change` alters it."""
    records = records_of(short_shoes())
    index = max(at for at, each in enumerate(records) if "refused" in each)
    whole = records[index]
    at, first = whole["at"] + 9_000, whole["at"] + 1_000
    folded: Record = {"who": whole["who"], "code": whole["refused"]["code"], "count": 5, "first": first, "last": at}
    same = {name: whole[name] for name in ("v", "stream", "rulebook", "behaviour", "event")}
    record: Record = {**same, "seq": whole["seq"] + 1, "at": at, "folded": folded}
    change(record)
    for each in records[index + 1 :]:
        each["seq"] += 1
    return [*records[: index + 1], record, *records[index + 1 :]]


def statuses(path: Path) -> tuple[int, ...]:
    """The status of the program's two verbs and of both verifiers."""
    key = ("--key", str(LOG.verifier))
    one, other = both([path])[0]
    assert one.checks == other.checks
    return cli("verify", str(path), *key).exit_code, cli("audit", str(path), *key).exit_code, one.status, other.status


def journal(tmp_path: Path, records: list[Record]) -> Path:
    """A journal of these entries, all of them signed."""
    path = tmp_path / "journal.jsonl"
    path.write_bytes(signed_by(rewritten(records), len(records)))
    return path


@pytest.mark.slow
def test_folded_refusals_are_not_wrong_and_never_covered(tmp_path: Path) -> None:
    path = journal(tmp_path, with_folded())
    assert statuses(path) == (3, 3, 3, 3)
    key = ("--key", str(LOG.verifier))
    (found,) = json.loads(cli("verify", str(path), *key, "--json").stdout)
    assert found["coverage"]["gaps"] == [GAP]
    assert found["coverage"]["decided"] == found["coverage"]["entries"] - 1
    (coverage,) = json.loads(cli("audit", str(path), *key, "--json").stdout)["coverage"]
    assert coverage["gaps"] == [GAP]
    for report in (*python_reports([path]), *reports_of([path])):
        assert GAP in report["coverage"][0]["gaps"]


def test_folded_refusals_change_nothing_at_the_table(tmp_path: Path) -> None:
    path = journal(tmp_path, with_folded())
    told = cli("transcript", str(path))
    assert told.exit_code == 0
    assert "Refused 5 times more, counted and not recorded one by one" in " ".join(told.stdout.split())
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(short_shoes())
    assert len(read_tables(path)[STREAM].rounds) == len(read_tables(plain)[STREAM].rounds)
    tables = []
    for each in (path, plain):
        with JournalFile(each, sync=False) as file:
            lines = [line for line in file.open() if isinstance(line, JournalLine)]
            tables.append(JournaledTable.resume(file, lines))
    assert tables[0].state == tables[1].state


def _set(**fields: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["folded"] |= fields

    return change


def _beside(**fields: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record |= fields

    return change


def _early(record: Record) -> None:
    record["folded"]["first"] = 1


def _backwards(record: Record) -> None:
    record["folded"]["first"] = record["folded"]["last"] + 1


def _late(record: Record) -> None:
    record["at"] -= 1


WRONG: dict[str, Callable[[Record], None]] = {
    "nobody was refused whole": _set(who="somebody else"),
    "with another code": _set(code="no_such_code"),
    "none counted": _set(count=0),
    "before the whole one": _early,
    "the last before the first": _backwards,
    "after its own record": _late,
    "with a person": _beside(who="p1", role="participant"),
    "with an id": _beside(id="x"),
    "with a cause": _beside(cause={"seq": 1, "stream": "house"}),
    "with events": _beside(events=[{"cites": [], "event": "no_more_bets"}]),
    "with a refusal": _beside(refused={"code": "wrong_step", "what": "wrong_step"}),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", WRONG)
def test_folded_refusals_that_follow_no_whole_one_are_wrong(tmp_path: Path, what: str) -> None:
    assert statuses(journal(tmp_path, with_folded(WRONG[what]))) == (1, 1, 1, 1)


@pytest.mark.slow
def test_the_whole_refusal_must_be_of_the_same_stream(tmp_path: Path) -> None:
    records = with_folded()
    index = next(at for at, each in enumerate(records) if "folded" in each)
    other = [{**each, "stream": "table 2"} for each in [records[0], {**records[index], "seq": 1, "event": 0}]]
    path = tmp_path / "journal.jsonl"
    path.write_bytes(signed_by(rewritten(records), len(records)) + rewritten(other))
    assert statuses(path) == (1, 1, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize(("fields", "status"), [({"count": -1}, 2), ({"first": "1"}, 2), ({"more": 1}, 2)])
def test_what_is_no_count_of_refusals_is_unreadable(tmp_path: Path, fields: Record, status: int) -> None:
    assert statuses(journal(tmp_path, with_folded(_set(**fields)))) == (status,) * 4


@pytest.mark.slow
@pytest.mark.parametrize("shoe", [1, 2])
def test_a_bundle_may_begin_after_the_whole_refusal(tmp_path: Path, shoe: int) -> None:
    """In the second shoe the state before is stated: the whole refusal may be in what is left out."""
    source = source_of(rewritten(with_folded()))
    path = tmp_path / "bundle.json"
    for scope in (WHOLE, Scope(kind="shoe", stream=STREAM, shoe=shoe)):
        path.write_bytes(write_bundle(make_bundle(source, scope, note=signed(source), keys=(LOG.verifier,))))
        one, other = both([path])[0]
        done = cli("verify", str(path), "--key", str(LOG.verifier))
        assert (done.exit_code in (0, 3), one.status, other.status) == (True, 3, 3), done.stdout
        is_held = scope.kind == "all" or shoe == 2
        assert (GAP in " ".join(done.stdout.split())) is is_held
