"""A checkpoint next to a journal of several streams, whose file does not say of which one it is: nobody reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus_base import HOUSE, WITNESS, base, checkpoint
from corpus_house import house, house_journal_of
from three_verifiers import all_three

pytestmark = pytest.mark.slow

KEYS = [word for signer in (HOUSE, WITNESS) for word in ("--key", str(signer.verifier))]
BESIDE = {"of another table": bytes(checkpoint(base("real-cards"))), "junk": b"junk"}


@pytest.mark.parametrize("name", BESIDE)
def test_a_checkpoint_that_says_no_stream_is_not_read_next_to_several(tmp_path: Path, name: str) -> None:
    path = tmp_path / "house.jsonl"
    path.write_bytes(house_journal_of(house()))
    (tmp_path / "house.jsonl.checkpoint").write_bytes(BESIDE[name])
    assert [said.status for said in all_three(path, *KEYS)] == [0, 3, 3]
