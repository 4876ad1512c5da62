"""A log that continues another: what it says of that one is what that one signed, if a reader has seen it."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.record.note import SignedNote
from corpus_base import HOUSE, LOG, WITNESS, base, checkpoint, journal, successor
from corpus_signature import root_at
from remade import Json
from signed_journal import cli
from three_verifiers import WHO, all_three

pytestmark = pytest.mark.slow

FIRST = LOG.verifier.name
KEYS = [word for signer in (HOUSE, WITNESS) for word in ("--key", str(signer.verifier))]


def table() -> list[Json]:
    """The records of the table as its first log had them."""
    return base("real-cards")


def restored() -> list[Json]:
    """What was restored from an older copy: the last records are lost."""
    return table()[:40]


def next_log(size: int, root: bytes, number: int = 2, of: str = "") -> SignedNote:
    """The checkpoint of the log that continues it, and says where it was signed last."""
    return successor(restored(), size, root, number=number, of=of)


STATED = {
    "as it was": (next_log(48, root_at(48)), 3, ""),
    "more than was seen": (next_log(60, bytes(32)), 3, ""),
    "fewer": (next_log(44, root_at(44)), 1, f"{FIRST}/2 says that 44 entries of {FIRST} were signed, but 48 were"),
    "another root": (next_log(48, bytes(32)), 1, f"{FIRST}/2 states another root for 48 entries of {FIRST} than"),
    "of the second": (next_log(9, bytes(32), 3, f"{FIRST}/2"), 3, ""),
}


def audited(*words: str | Path) -> int:
    """The status of the audit."""
    return cli("audit", *map(str, words)).exit_code


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """The journal of the first log, and that of the one that continues it."""
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_bytes(journal(table(), checkpoint(table())))
    return old, new


@pytest.mark.parametrize("name", STATED)
def test_a_reader_who_has_seen_the_old_log_is_not_deceived(files: tuple[Path, Path], name: str) -> None:
    (old, new), (note, status, say) = files, STATED[name]
    new.write_bytes(journal(restored(), note))
    memory = old.parent / "seen-{who}.json"
    all_three(old, *KEYS, "--memory", memory)
    for said in all_three(new, *KEYS, "--memory", memory):
        assert (said.status, say in said.wrong) == (status, True), said
    seen = Path(str(memory).replace("{who}", WHO[0]))
    assert (note.text.splitlines()[0] in seen.read_text()) is (status == 3), "what is wrong is not remembered"
    audited(old, *KEYS, "--memory", old.parent / "audit.json")
    assert audited(new, *KEYS, "--memory", old.parent / "audit.json") == status


@pytest.mark.parametrize("name", STATED)
@pytest.mark.parametrize("is_old_first", [True, False])
def test_both_journals_are_compared_in_any_order(files: tuple[Path, Path], name: str, is_old_first: bool) -> None:
    (old, new), (note, status, say) = files, STATED[name]
    new.write_bytes(journal(restored(), note))
    both = (old, new) if is_old_first else (new, old)
    for said in all_three(*both, *KEYS, "--memory", old.parent / "seen-{who}.json"):
        assert (said.status, say in said.wrong) == (status, True), said
    assert all_three(*both, *KEYS)[0].status == status, "the program compares all that it is given"
    assert audited(*both, *KEYS) == status


def test_the_log_before_the_last_is_not_passed_over(files: tuple[Path, Path]) -> None:
    second, third = files
    second.write_bytes(journal(restored(), next_log(48, root_at(48))))
    third.write_bytes(journal(restored()[:30], successor(restored()[:30], 48, root_at(48), number=3)))
    for said in all_three(second, third, *KEYS, "--memory", second.parent / "seen-{who}.json"):
        say = f"{FIRST}/3 claims to continue {FIRST}, but {FIRST}/2 was signed later"
        assert (said.status, say in said.wrong) == (1, True), said
    assert audited(second, third, *KEYS) == 1


def test_what_no_known_key_has_signed_contradicts_nothing(files: tuple[Path, Path]) -> None:
    old, new = files
    new.write_bytes(journal(restored(), STATED["fewer"][0]))
    for said in all_three(old, new, "--memory", old.parent / "seen-{who}.json"):
        assert said.status == 3, said
    assert audited(old, new) == 3
