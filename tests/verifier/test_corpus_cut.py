"""Files of the conformance corpus that break off: a sentence and a status in all three verifiers and `audit`, no trace.

A sample; `tools/cut_files.py` cuts every file at every hundredth byte.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from conformance import FOLDER, read_corpus
from corpus_cut import AT_A_LINE, WITHIN, Cut, cuts, wrong_answers
from reader_cut import (
    ANY,
    CHECKPOINT,
    KEY,
    MEMORY,
    POLICY,
    RECEIPT,
    reader_cuts,
    wrong_answers_to_readers,
)

pytestmark = pytest.mark.slow
HONEST = {POLICY: "honest/cosigned-by-two.jsonl", MEMORY: "honest/order-2.jsonl", KEY: "honest/order-2.jsonl"}
"""The file of an honest case that is given such a thing, by its path."""


def test_whatever_breaks_off_gets_a_sentence_and_a_status(tmp_path: Path) -> None:
    assert list(wrong_answers(tmp_path, random.Random(7).sample(list(cuts(100)), 100))) == []


def test_whatever_a_reader_gives_that_breaks_off_gets_a_sentence_and_a_status(tmp_path: Path) -> None:
    found = list(reader_cuts(100))
    parts = {part: [cut for cut in found if cut.part == part] for part in (RECEIPT, POLICY, MEMORY, KEY, CHECKPOINT)}
    assert all(parts.values())
    chosen = [cut for cuts in parts.values() for cut in random.Random(7).sample(cuts, 8)]
    assert list(wrong_answers_to_readers(tmp_path, chosen)) == []


@pytest.mark.parametrize("part", [RECEIPT, POLICY, MEMORY, KEY, CHECKPOINT])
def test_what_is_not_cut_at_all_is_not_taken_for_what_is(part: str, tmp_path: Path) -> None:
    """Of honest files, so that all is read: the comparison can fail."""
    cut = next(cut for cut in reader_cuts(100) if cut.part == part and cut.case.path == HONEST.get(part, cut.case.path))
    whole = cut._replace(at=(FOLDER / cut.path).stat().st_size)
    found = list(wrong_answers_to_readers(tmp_path, [whole]))
    assert [each for each in found if ": verify answers" in each] or whole.expected == ANY


def test_every_file_is_cut_at_every_hundredth_byte_or_begins_like_one_that_is() -> None:
    found = list(cuts(100))
    assert len({(cut.keys, cut.data) for cut in found}) == len(found)
    by_keys = read_corpus().by_keys()
    keys, case = next((keys, case) for keys, cases in by_keys.items() for case in cases if keys)
    shown = {cut.data for cut in found if cut.keys == keys}
    data = (FOLDER / case.path).read_bytes()
    assert {data[:at] for at in range(0, len(data) - 1, 100)} <= shown


def test_a_whole_journal_is_not_taken_for_one_that_breaks_off(tmp_path: Path) -> None:
    """The status of a file that is not cut at all is none of those of a cut one: the comparison can fail."""
    whole = (FOLDER / "honest/order-2.jsonl").stat().st_size
    keys = next(keys for keys, cases in read_corpus().by_keys().items() if len(keys) == 4)
    cut = Cut(keys, "honest/order-2.jsonl", whole)
    assert next(each.partition(": ")[2] for each in wrong_answers(tmp_path, [cut])).startswith("verify answers 0")
    assert cut.expected == AT_A_LINE
    assert Cut(keys, cut.path, whole - 1).expected == WITHIN
