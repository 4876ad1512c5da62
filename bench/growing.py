"""Journals of houses whose books grow: the time that an audit takes for each record must not.

Run: .venv/bin/python bench/growing.py [SIZE …]

Seconds are processor time. Each journal repeats one act as often as the sizes say: coupons issued by the thousand,
coupons cancelled one by one, and notices given. They are forged from the record of one such act, as anybody could.
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from baccarat.audit.journal import JournalAudit
from baccarat.house.coupon_book import CancelCoupons, IssueCoupons
from baccarat.house.house import House
from baccarat.house.notice import Notice
from baccarat.house.pit_book import GiveNotice
from baccarat.house.stream import COUPON_STREAM
from baccarat.law.rulebook import rulebook
from baccarat.record.journal_file import JournalFile
from book_acts import in_pit
from house_books import ADMIN_AND_CASHIER, BOSS, PIT_NAME, opened_house
from journaled_house import JournaledHouse

Json = dict[str, Any]
RULES = rulebook("ma-midi-4", match_play=True)
SIZES = (100, 300, 1_200, 4_800)


def records_of(act: Callable[[House], object]) -> list[Json]:
    """The records of a house that does one act; those of the act are last."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with JournalFile(path, sync=False) as file:
            assert not list(file.open())
            act(opened_house(RULES, house=JournaledHouse(RULES, file)))
        return [json.loads(line)["record"] for line in path.read_bytes().splitlines()]


def repeated(record: Json, count: int, change: Callable[[Json, int], None]) -> Iterator[Json]:
    """A record so many times, changed each time in its command and its event."""
    for number in range(count):
        made = json.loads(json.dumps(record))
        change(made["command"], number)
        change(made["events"][0], number)
        yield made


def lines_of(records: list[Json]) -> list[bytes]:
    """The records as the lines of a journal, numbered and chained again."""
    heads: dict[str, tuple[str, int, int]] = {}
    lines = []
    for record in records:
        before, seq, events = heads.get(record["stream"], ("0" * 64, 0, 0))
        record.update({"seq": seq, "event": events} if seq else {"seq": seq})
        body = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        after = hashlib.sha256(bytes.fromhex(before) + body).hexdigest()
        heads[record["stream"]] = after, seq + 1, events + len(record.get("events", []))
        lines.append(b'{"hash":"' + after.encode() + b'","record":' + body + b"}\n")
    return lines


def issue(house: House) -> None:
    """Issue a thousand coupons."""
    command = IssueCoupons(first=1, last=1_000, value=2_500, patron="p1")
    house.do(command, ADMIN_AND_CASHIER, stream=COUPON_STREAM)


def cancel(house: House) -> None:
    """Cancel one of them."""
    issue(house)
    house.do(CancelCoupons(first=1, last=1, reason="x"), ADMIN_AND_CASHIER, stream=COUPON_STREAM)


def notify(house: House) -> None:
    """Give a notice."""
    notice = Notice(to="division", pit=PIT_NAME, option="goodwill_limit", value=0, sent=-1)
    in_pit(house, PIT_NAME, GiveNotice(notice=notice), BOSS)


def set_thousand(fields: Json, number: int) -> None:
    """The next thousand numbers."""
    fields |= {"first": 1_000 * number + 1, "last": 1_000 * number + 1_000}


def set_single(fields: Json, number: int) -> None:
    """Every second number, so that no two form a run."""
    fields |= {"first": 2 * number + 1, "last": 2 * number + 1}


def set_value(fields: Json, number: int) -> None:
    """A notice of another value."""
    fields["notice"]["value"] = number


def coupons_issued(count: int) -> list[Json]:
    """Coupons issued by the thousand."""
    *head, last = records_of(issue)
    return [*head, *repeated(last, count, set_thousand)]


def coupons_cancelled(count: int) -> list[Json]:
    """Coupons cancelled one by one."""
    *head, issued, last = records_of(cancel)
    return [*head, *repeated(issued, 2 * count // 1_000 + 1, set_thousand), *repeated(last, count, set_single)]


def notices_given(count: int) -> list[Json]:
    """Notices of one option."""
    *head, last = records_of(notify)
    return [*head, *repeated(last, count, set_value)]


def main(sizes: list[int]) -> None:
    """Print the time for each size, and for each record."""
    for make in (coupons_issued, coupons_cancelled, notices_given):
        for size in sizes or SIZES:
            lines, audit = lines_of(make(size)), JournalAudit()
            begun = time.process_time()
            audit.lines(enumerate(lines, start=1), file="journal")
            report = audit.report()
            took = time.process_time() - begun
            assert report.findings == (), report.findings[:1]
            print(f"{make.__name__:<18} {size:>6,} records {took:>8.3f} s {took / size * 1e6:>8.0f} µs a record")


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]])
