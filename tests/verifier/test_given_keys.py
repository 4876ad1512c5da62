"""Keys given one by one and houses that open late: the program and both small verifiers answer the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.audit.opening import UNSTATED_WITNESSES
from baccarat.record.key import KeyKind, Signer
from bundles import short_shoes
from corpus_base import HOUSE, LOG, SHARE, WITNESS, base, journal
from corpus_house import house, house_journal_of
from signed_journal import signed_by
from three_verifiers import agreed, all_three

pytestmark = pytest.mark.slow
ELSEWHERE = Signer("example.net/other", KeyKind.LOG, bytes([8]) * 32)
NEVER = "example.net/other signed none of it"
LATE = "a house's journal must begin with the opening of its own stream; earlier entries belong to no house"


def with_keys(*signers: Signer) -> list[str]:
    """The words that give these keys."""
    return [word for signer in signers for word in ("--key", str(signer.verifier))]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A journal that its house has signed to the end."""
    path = tmp_path / "table.jsonl"
    path.write_bytes(journal(base("house-alone")))
    return path


def test_a_key_that_signed_nothing_in_any_file_is_a_gap(table: Path, tmp_path: Path) -> None:
    assert agreed(table, *with_keys(HOUSE, WITNESS)) == (0, [[]], "")
    assert agreed(table, *with_keys(HOUSE, WITNESS, ELSEWHERE)) == (3, [[NEVER]], "")
    second, data = tmp_path / "second.jsonl", short_shoes()
    second.write_bytes(signed_by(data, len(data.splitlines()), signer=ELSEWHERE, origin="example.net/other/table/1"))
    assert agreed(table, second, *with_keys(HOUSE, ELSEWHERE)) == (0, [[], []], "")
    assert agreed(second, *with_keys(HOUSE, ELSEWHERE)) == (3, [["example.org/house signed none of it"]], "")


def test_a_key_of_another_stream_of_the_same_file_is_used(tmp_path: Path) -> None:
    path = tmp_path / "house.jsonl"
    path.write_bytes(house_journal_of(house()))
    found = agreed(path, *with_keys(HOUSE))
    assert (found.status, any(found.gaps)) == (0, False)
    gaps = agreed(path, *with_keys(HOUSE, ELSEWHERE)).gaps
    assert gaps == [[NEVER]] * len(gaps)
    # The key of one table's log has signed that table: it is used, and no other stream lacks it.
    assert agreed(path, *with_keys(HOUSE, LOG)).status == 3


def test_a_witness_given_by_its_share_key_has_a_part_in_every_sealed_order(tmp_path: Path) -> None:
    path = tmp_path / "left-out.jsonl"
    path.write_bytes(journal(base("left-out")))
    found = agreed(path, *with_keys(HOUSE, WITNESS, *SHARE))
    names = [share.verifier.name for share in SHARE]
    unnamed = [f"{name}, whose share was asked for, is not named in the order of shoe 2" for name in names]
    assert found.gaps == [[UNSTATED_WITNESSES, *unnamed]]
    path.write_bytes(journal(base("order-2")))
    assert agreed(path, *with_keys(HOUSE, WITNESS, *SHARE)) == (0, [[]], "")


@pytest.mark.parametrize("at", [1, 40, -1])
def test_a_house_that_opens_after_a_table_is_wrong(tmp_path: Path, at: int) -> None:
    records = base("real-cards")
    opening = {**records[0], "stream": "house"}
    del opening["cards"]
    records.insert(at if at > 0 else len(records), opening)
    path = tmp_path / "late.jsonl"
    path.write_bytes(house_journal_of(records))
    for found in all_three(path, *with_keys(HOUSE)):
        assert (found.status, LATE in found.wrong) == (1, True), found


@pytest.mark.parametrize("option", ["--key", "--policy"])
def test_a_long_file_of_keys_is_read_to_its_end_or_not_at_all(option: str, table: Path, tmp_path: Path) -> None:
    """A key after so much else is asked for, too: the program left it out without a word, and all was covered."""
    path = tmp_path / "keys"
    first, last = str(HOUSE.verifier), str(ELSEWHERE.verifier)
    if option == "--policy":
        first, last = f"log {first}\nwitness w {WITNESS.verifier}", f"log {last}\nquorum w"
    for comment, status in ((99_990, 3), (1_000_000, 2)):
        path.write_text(f"{first}\n# {'x' * comment}\n{last}\n")
        assert agreed(table, option, path).status == (status if option == "--key" or status == 2 else 0)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_every_end_of_a_line_separates_keys(end: str, table: Path, tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_bytes(end.join(str(signer.verifier) for signer in (HOUSE, ELSEWHERE)).encode())
    assert agreed(table, "--key", path) == (3, [[NEVER]], "")
