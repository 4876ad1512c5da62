"""The audit of a journal: nothing in a clean one, everything in a changed one, each at its place."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

import baccarat.audit.stream_reading
import baccarat.audit.table_stream
from baccarat.audit.finding import AuditReport
from baccarat.audit.journal import JournalAudit, StoredCheckpoint
from baccarat.audit.journal_page import journal_report
from baccarat.audit.shuffle import RevealedShoe, Shuffles
from baccarat.cli import app
from baccarat.engine.journaled_table import JournaledTable
from baccarat.engine.redecide import RecordDifference, redecide
from baccarat.house.stream import Stream
from baccarat.law.rulebook import rulebook, shipped_submissions
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.entry import FORM, NO_HASH, ActRecord, StreamOpening, body_of
from baccarat.record.journal import BODY_START, JournalLine, JournalReader, write_line
from baccarat.record.journal_file import JournalFile
from baccarat.record.key import KeyKind, Signer
from baccarat.record.policy import policy_of_keys
from baccarat.report.model import Text
from baccarat.table.machine import Table
from baccarat.table.step.closing import ShoeClosed
from baccarat.table.step.revealing import OrderDisproved, SeedLost, SeedRevealed
from baccarat.table.step.sealing import OrderSealed, ShoeCommitted
from journal_forgery import forgeries, rewritten
from kept import lines_of, play_rounds, rehashed, short_journal

pytestmark = pytest.mark.slow

SIGNER = Signer("example.org/t1", KeyKind.LOG, bytes(32))


def audited(lines: list[bytes], **options: object) -> AuditReport:
    """What an audit says to lines."""
    audit = JournalAudit(**options)  # type: ignore[arg-type]
    audit.lines(enumerate(lines, start=1), file="journal")
    return audit.report()


def lines(submission: str = "ma-midi-4") -> list[bytes]:
    """The lines of a short journal."""
    return [line for _, line in lines_of(short_journal(submission))]


def cli(*words: str | Path) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(map(str, words)))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.mark.parametrize("submission", shipped_submissions())
def test_nothing_is_found_in_a_clean_journal(submission: str) -> None:
    report = audited(lines(submission))
    assert report.is_clean
    assert not any(check.failed for check in report.checks)
    (stream,) = report.streams
    assert (stream.rounds, len(stream.moments)) == (2, 2)
    assert "the house alone could have known the order of 1 shoe beforehand" in report.remarks[0]


def test_whatever_is_taken_out_put_in_or_exchanged_is_found_at_its_line() -> None:
    for what, changed, line in forgeries(lines(), random.Random(5), 20):
        found = audited(changed).findings
        assert found, what
        assert found[0].line == line, what


def test_one_wrong_payment_does_not_hide_the_next() -> None:
    made = lines()
    paid = [index for index, line in enumerate(made) if b'"event":"paid"' in line]
    for index in paid[:2]:
        made[index] = made[index].replace(b'"win":', b'"win":1', 1)
    found = audited(rehashed(made)).findings
    assert {finding.line for finding in found if finding.kind == "other_events"} >= {index + 1 for index in paid[:2]}
    assert all(
        finding.clauses and finding.expected and finding.found for finding in found if finding.kind == "other_events"
    )


@pytest.mark.parametrize("ahead", [1, 7, 1_000])
def test_what_stands_before_a_broken_line_is_decided_before_that_is_told(
    ahead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(baccarat.audit.stream_reading, "LINES_READ_AHEAD", ahead)
    made = lines()
    paid = next(index for index, line in enumerate(made) if b'"event":"paid"' in line)
    made = rehashed([*made[:paid], made[paid].replace(b'"win":', b'"win":1'), *made[paid + 1 :]])
    made[paid + 3] = made[paid + 3].replace(b'"seq":', b'"seq":1')
    report = audited(made)
    found = [(finding.kind, finding.line) for finding in report.findings if finding.kind in ("other_events", "chain")]
    assert found == [("other_events", paid + 1), ("chain", paid + 4)]
    (stream,) = report.streams
    assert stream.records == paid + 2, "all records before the broken line, and none after it"


def test_an_id_that_stands_twice_is_found() -> None:
    made = lines()
    found = [line.entry for line in JournalReader().read(enumerate(made, start=1)) if isinstance(line, JournalLine)]
    dealers = [at for at, entry in enumerate(found) if isinstance(entry, ActRecord) and entry.who == "dealer"][:2]
    for at in dealers:
        made[at] = write_line(body_of(replace(found[at], id="7")), NO_HASH)
    (finding,) = audited(rehashed(made)).findings
    assert (finding.kind, finding.promise, finding.line) == ("repeated_id", "J3", dealers[1] + 1)


def test_a_history_that_is_told_otherwise_is_found_by_what_was_signed_elsewhere() -> None:
    made = lines()
    bodies = [line[BODY_START:-2] for line in made]
    signed = StoredCheckpoint("kept", sign_checkpoint(checkpoint_of("example.org/t1", bodies), SIGNER))
    assert audited(made, checkpoints=[signed]).is_clean
    chance = random.Random(3)
    for _ in range(20):
        changed, _line = rewritten(made, chance)
        kinds = [finding.kind for finding in audited(changed, checkpoints=[signed]).findings]
        assert kinds[-1] == "checkpoint"
    assert [finding.kind for finding in audited(made[:-1], checkpoints=[signed]).findings] == ["checkpoint"]


@pytest.fixture(scope="module")
def signed_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a checkpoint at every round's end."""
    path = tmp_path_factory.mktemp("signed") / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        table = JournaledTable.begin(rulebook("ma-midi-4"), file, Stream("table 1"), signer=SIGNER)
        play_rounds(table, 2)
    return path


def test_a_change_before_a_checkpoint_is_found_there_though_every_hash_was_made_anew(signed_journal: Path) -> None:
    made = signed_journal.read_bytes().splitlines(keepends=True)
    notes = [index for index, line in enumerate(made) if line.startswith(b'{"checkpoint"')]
    assert len(notes) == 7, "commitment, closing, seal, and of each round its result and its end"
    assert audited(made, policy=policy_of_keys([SIGNER.verifier])).is_clean
    index = next(at for at, line in enumerate(made) if b'"who":"p1"' in line)
    forged = [line.replace(b'"who":"p1"', b'"who":"p9"') if at == index else line for at, line in enumerate(made)]
    entries = rehashed([line for line in forged if not line.startswith(b'{"checkpoint"')])
    kept = iter(entries)
    forged = [line if line.startswith(b'{"checkpoint"') else next(kept) for line in forged]
    found = audited(forged).findings
    assert [finding.line for finding in found][-1] == notes[0] + 1
    assert "not those that the checkpoint covers" in found[-1].say


def test_a_checkpoint_by_an_unknown_key_is_a_finding(signed_journal: Path) -> None:
    made = signed_journal.read_bytes().splitlines(keepends=True)
    other = Signer("example.org/t1", KeyKind.LOG, bytes([1]) * 32)
    assert {finding.kind for finding in audited(made, policy=policy_of_keys([other.verifier])).findings} == {
        "signature"
    }
    left_out = {check.name for check in audited(made).checks if check.left_out}
    assert left_out == {"signatures", "shuffles", "ids"}, "no seed has been revealed, no record has an id"
    unsigned = audited(lines(), policy=policy_of_keys([other.verifier]))
    assert (unsigned.is_clean, unsigned.is_covered) == (True, False)
    assert unsigned.coverage[0].gaps == (
        "the opening does not say what cards the table has: only what its shoes show was checked",
        "the seed of the last shoe is not revealed yet",
        "no key that was given has signed it: there is no checkpoint",
    )


def test_a_commitment_for_another_table_is_found(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        play_rounds(JournaledTable.begin(rulebook("ma-midi-4"), file, Stream("table 2")), 1)
    (finding,) = audited(path.read_bytes().splitlines(keepends=True)).findings
    assert (finding.kind, finding.say) == ("other_table", "the commitment is for table 1, not for 2")


def test_a_seed_used_twice_and_one_never_revealed_are_found() -> None:
    seeds: dict[str, RevealedShoe] = {}
    for wanted in ([], ["seed_reused"], ["seed_reused"]):  # at the same table under the same number too
        shuffles = Shuffles("1", seeds)
        committed = ShoeCommitted(table="1", shoe="0", rulebook="", decks=8, commitment="")
        happened = [committed, OrderSealed(root=""), SeedRevealed(seed="ab" * 32, sealed=True)]
        assert [kind for event in happened for kind, _ in shuffles.check_event(event)] == wanted
        happened = [committed, ShoeClosed(same_set=False)]
        assert [kind for event in happened for kind, _ in shuffles.check_event(event)] == ["seed_not_revealed"]
        assert (shuffles.known_to_house, shuffles.revealed, shuffles.is_open) == (1, 1, False)


def _forged(index: int, change: Callable[[dict[str, Any]], None]) -> list[bytes]:
    """The journal with one record changed, and all hashes made anew."""
    made = lines()
    body = json.loads(made[index][BODY_START:-2])
    change(body)
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    made[index] = write_line(text.encode(), NO_HASH)
    return rehashed(made)


def _spoilt(body: dict[str, Any], chance: random.Random) -> None:
    """Some value somewhere in a record is another."""
    found: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            found.append((value, key))
            if isinstance(part, dict | list):
                walk(part)

    walk(body)
    holder, key = chance.choice(found)
    old = holder[key]
    holder[key] = chance.choice([7, -1, "x", None, [], {}, [1], True, old + 1 if type(old) is int else f"{old}x"])


def test_no_forged_record_brings_the_audit_down() -> None:
    """After a finding the table goes on as the journal has it, which may be as no table can be."""
    chance = random.Random(11)
    for _ in range(150):
        index = chance.randrange(1, len(lines()))
        report = audited(_forged(index, lambda body: _spoilt(body, chance)))
        assert report.is_clean or report.findings[0].line >= index + 1
    for change in (
        lambda body: body["events"][0].update(position=99),
        lambda body: body["events"].append(1),
        lambda body: body["events"][0].update(event="flown"),
    ):
        drawn = next(at for at, line in enumerate(lines()) if b'"event":"card_drawn"' in line)
        assert audited(_forged(drawn, change)).findings[0].line == drawn + 1


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (KeyError(3), "no table can be in such a state"),
        (AttributeError("'NoneType' object has no attribute 'rank'"), "no table can be in such a state"),
        (ValueError("list.remove(x): x not in list"), "no table can be in such a state"),
        (AssertionError(), "no table can be in such a state"),
        (AssertionError("a hand has at most three cards"), "a hand has at most three cards"),
    ],
)
def test_where_a_table_cannot_be_followed_it_is_told_in_our_words(
    error: Exception, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def redecide_up_to_12(table: Table, record: ActRecord) -> RecordDifference | None:
        if record.seq > 12:
            raise error
        return redecide(table, record)

    monkeypatch.setattr(baccarat.audit.table_stream, "redecide", redecide_up_to_12)
    forged = _forged(12, lambda body: body["events"][0].update(cites=["forged"]))
    found = audited(forged).findings
    assert [finding.kind for finding in found] == ["other_events", "not_followed"]
    assert found[1].say.endswith(f"after what was found before: {why}")


@pytest.mark.parametrize("version", [4, 99])
def test_a_version_that_never_was_excuses_nothing(version: int) -> None:
    paid = next(at for at, line in enumerate(lines()) if b'"event":"paid"' in line)

    def change(body: dict[str, Any]) -> None:
        body["behaviour"] = version
        body["events"][0]["win"] += 100

    report = audited(_forged(paid, change))
    assert report.findings[0].kind == "other_version"
    assert next(check for check in report.checks if check.name == "decided again").failed


def test_no_stream_goes_back_to_version_0() -> None:
    paid = next(at for at, line in enumerate(lines()) if b'"event":"paid"' in line)
    assert audited(_forged(paid, lambda body: body.update(behaviour=0))).findings[0].kind == "chain"


def test_an_older_version_excuses_only_what_it_would_have_decided() -> None:
    paid = next(at for at, line in enumerate(lines()) if b'"event":"paid"' in line)

    def change(body: dict[str, Any]) -> None:
        body["events"][0]["win"] += 100

    older = [line.replace(b'"behaviour":3', b'"behaviour":1') for line in _forged(paid, change)]
    assert audited(rehashed(older)).findings[0].kind == "other_events"
    newer = [
        line.replace(b'"behaviour":3', b'"behaviour":1') if at == paid else line for at, line in enumerate(lines())
    ]
    assert "does not go back to a version" in audited(rehashed(newer)).findings[0].say


def test_a_dealer_without_a_role_is_found() -> None:
    index = next(at for at, line in enumerate(lines()) if b'"role":"dealer"' in line)
    report = audited(_forged(index, lambda body: body.pop("role")))
    assert "in what role" in report.findings[0].say


def test_where_nothing_is_decided_nothing_is_called_good() -> None:
    cage = rehashed([line.replace(b'"stream":"table 1"', b'"stream":"cage"') for line in lines()])
    report = audited(cage)
    assert (report.findings, [each.decided for each in report.coverage]) == ((), [0])
    assert any("none of it was decided again" in gap for gap in report.coverage[0].gaps)
    assert [finding.kind for finding in audited([]).findings] == ["nothing_decided"]


def test_an_order_that_its_seed_disproves_is_a_finding_and_a_lost_seed_is_none() -> None:
    shuffles = Shuffles("1", {})
    committed = ShoeCommitted(table="1", shoe="0", rulebook="", decks=8, commitment="")
    disproved = OrderDisproved(seed="ab" * 32, sealed="1" * 64, derived="2" * 64)
    happened = [committed, OrderSealed(root="1" * 64), disproved, ShoeClosed(same_set=False)]
    (found,) = [each for event in happened for each in shuffles.check_event(event)]
    assert found[0] == "order_not_the_seeds"
    assert f"root {'1' * 64}, not {'2' * 64}" in found[1]
    lost = SeedLost(reason="gone", requester="a", approver="b")
    assert not [each for event in (committed, lost, ShoeClosed(same_set=False)) for each in shuffles.check_event(event)]


# -------------------------------------------------------------------------------------------- the verb


def test_the_verb_tells_checks_and_findings(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(short_journal())
    done = cli("audit", path)
    assert done.exit_code == 3, done.output
    assert "2 rounds: nothing found; not all of it is covered in journal.jsonl" in done.stdout
    assert "✓ decided again" in done.stdout
    report = json.loads(cli("audit", path, "--json").stdout)
    assert (report["findings"], report["streams"][0]["rounds"]) == ([], 2)
    made = lines()
    index = next(at for at, line in enumerate(made) if b'"event":"paid"' in line)
    made[index] = made[index].replace(b'"win":', b'"win":1', 1)
    path.write_bytes(b"".join(rehashed(made)))
    done = cli("audit", path, "--html", tmp_path / "report.html")
    assert done.exit_code == 1
    assert f"line {index + 1}, entry {index} of table 1: win is " in done.stdout
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Timeline of table 1" in page
    assert page.count("<svg") == 1


@pytest.mark.parametrize(("left_out", "said"), [(0, None), (1, "1 more was counted"), (2, "2 more were counted")])
def test_the_page_says_how_many_findings_it_does_not_list(left_out: int, said: str | None) -> None:
    made = lines()
    made[3] = made[3].replace(b'"seq":', b'"seq":1')
    report = replace(audited(made), left_out=left_out)
    section = next(each for each in journal_report(report, names="journal").sections if each.title == "What was found")
    texts = [block.text for block in section.blocks if isinstance(block, Text)]
    assert texts == ([f"The first 1 finding: {said}, and not listed."] if said else [])


@pytest.mark.parametrize(
    ("data", "status", "said"),
    [
        (b"", 2, "not a journal"),
        (short_journal()[:-9], 2, "only half of the line"),
        (short_journal().replace(b"\n", b"\n\n", 1), 2, "expected"),
        (short_journal()[:5000] + b"\x00\xff" * 50, 2, ""),
        (short_journal() + b'{"hash":"' + b"0" * 70_000 + b"\n", 2, "longer than"),
    ],
    ids=["empty", "half-written", "blank line", "binary", "too long"],
)
def test_what_cannot_be_read_is_named_and_nothing_is_changed(
    tmp_path: Path, data: bytes, status: int, said: str
) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(data)
    done = cli("audit", path)
    assert done.exit_code == status, done.output
    assert said in done.output
    assert path.read_bytes() == data


def test_wrong_ways_to_ask_are_answered(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(short_journal())
    for words, said in (
        ((path, "--submission", "ma-midi-4"), "names its own rules"),
        ((tmp_path / "none",), "cannot be read"),
        ((path, "--key", "nonsense"), "neither a file nor a public key"),
        ((path, "--checkpoint", tmp_path / "none"), "cannot be read"),
    ):
        done = cli("audit", *words)
        assert done.exit_code == 2, done.output
        assert said in " ".join(done.output.split())


def test_a_journal_under_unknown_rules_is_named() -> None:
    made = lines()
    first = next(line for line in JournalReader().read(enumerate(made[:1], start=1)))
    assert isinstance(first, JournalLine)
    assert isinstance(first.entry, StreamOpening)
    assert first.entry.v == FORM
    unknown = made[0].replace(b'"ruleset":"ma-midi-4"', b'"ruleset":"ma-midi-9"')
    report = audited(rehashed([unknown, *made[1:]]))
    assert report.findings == (), "nobody can say whether anything is wrong: it is not covered, as `verify` says"
    assert [each.decided for each in report.coverage] == [0]
    assert any("ma-midi-9" in gap for gap in report.coverage[0].gaps)
    other = made[0].replace(b'"tie_odds":8', b'"tie_odds":9')
    (found,) = audited(rehashed([other, *made[1:]])).findings
    assert found.line == 1
    assert "its Submission gives" in found.say
