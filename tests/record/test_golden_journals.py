"""Golden journals: one for each shipped Submission, kept in the repository, decided again to the last byte."""

from __future__ import annotations

import msgspec
import pytest

from baccarat.audit.journal import JournalAudit
from baccarat.audit.opening import UNSTATED_CARDS, by_claimed_version
from baccarat.law.rulebook import shipped_submissions
from baccarat.record.entry import StreamOpening
from baccarat.record.journal import JournalLine, JournalReader
from golden_journals import FOLDER, golden, names, path_of
from kept import first_fault, lines_of, rehashed
from paths import DATA

MOST_BYTES = 150_000


def events_of(data: bytes) -> set[str]:
    """The names of all events of a journal."""
    found: set[str] = set()
    for line in JournalReader().read(lines_of(data)):
        if isinstance(line, JournalLine) and not isinstance(line.entry, StreamOpening):
            found |= {msgspec.json.decode(bytes(event))["event"] for event in line.entry.events}
    return found


def test_there_is_one_for_every_shipped_submission_and_no_other() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == names()
    assert set(names()) > set(shipped_submissions())


@pytest.mark.parametrize("name", names())
def test_each_is_decided_again_byte_for_byte(name: str) -> None:
    data = path_of(name).read_bytes()
    assert first_fault(data) is None, "tools/journals.py writes them anew, where a change was meant"
    assert len(data) < MOST_BYTES
    audit = JournalAudit()
    audit.lines(lines_of(data), file=name)
    assert audit.report().findings == ()


@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco", "ma-midi-4-order-2"])
def test_played_anew_it_is_the_same_file(name: str) -> None:
    assert golden(name) == path_of(name).read_bytes(), "tools/journals.py writes them anew, where a change was meant"


def test_a_payment_changed_with_every_hash_made_anew_is_found() -> None:
    lines = path_of("ma-midi-4").read_bytes().splitlines(keepends=True)
    index = next(at for at, line in enumerate(lines) if b'"event":"paid"' in line)
    changed = lines[index].replace(b'"win":', b'"win":1')
    assert changed != lines[index]
    fault = first_fault(b"".join(rehashed([*lines[:index], changed, *lines[index + 1 :]])))
    assert fault is not None
    assert fault[0] == index + 1


def test_what_happens_at_a_table_happens_in_them() -> None:
    everything = set.union(*(events_of(path_of(name).read_bytes()) for name in names()))
    assert everything >= {
        "awarded", "card_corrected", "coupon_taken", "error_card_drawn", "free_hand_requested",
        "house_money_paid", "inputs_closed", "share_given", "losers_collected",
        "must_hit_ended", "payment_corrected", "press_chosen", "seed_revealed",
        "shoe_abandoned", "simulated_round_ordered", "vigorish_taken",
    }  # fmt: skip
    refused = sum(b'"refused":' in path_of(name).read_bytes() for name in names())
    assert refused == len(names())


@pytest.mark.parametrize("name", names())
def test_journals_of_version_2_are_decided_again_as_they_were(name: str) -> None:
    data = (DATA / "journals-2" / f"{name}.jsonl").read_bytes()
    assert b'"behaviour":2' in data
    assert first_fault(data) is None
    audit = JournalAudit()
    audit.lines(lines_of(data), file=name)
    report = audit.report()
    assert report.findings == ()
    assert UNSTATED_CARDS + by_claimed_version(2) in report.coverage[0].gaps, "a house may claim version 2"


def test_what_is_owed_is_a_finding_until_it_is_settled() -> None:
    """The journal ends after a card was corrected, and again one act before the last payment."""
    lines = path_of("ma-midi-4").read_bytes().splitlines(keepends=True)
    end = next(at for at, line in enumerate(lines) if b'"event":"card_corrected"' in line)
    found = []
    for more in (0, 1, 2):
        audit = JournalAudit()
        audit.lines(lines_of(b"".join(lines[: end + 1 + more])), file="x")
        found.append([(each.kind, each.promise) for each in audit.report().findings])
    assert found == [[("owed", "M10")] * 2, [("owed", "M10")], []]
