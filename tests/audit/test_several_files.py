"""Several files at once: one that is missing, empty or junk hides nothing that is wrong with the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bundles import LOG, short_shoes
from corpus_base import ALL, KEYS, PLAIN, base, journal
from remade import renumbered
from signed_journal import answer, cli, records_of, rewritten, signed_by
from three_verifiers import agreed


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A journal in which a record was decided differently."""
    records = records_of(short_shoes())
    act = next(each for each in records if each.get("command", {}).get("do") == "buy_in")
    act["events"][0]["amount"] += 1
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(signed_by(rewritten(records), len(records)))
    return path


def spoiled(tmp_path: Path, how: str) -> Path:
    """A file that cannot be read, or whose checkpoint cannot."""
    path = tmp_path / f"{how}.jsonl"
    match how:
        case "junk":
            path.write_bytes(b"\x00junk\n")
        case "empty":
            path.touch()
        case "folder":
            path.mkdir()
        case "checkpoint" | "cosigned":
            path.write_bytes(short_shoes())
            path.with_name(f"{path.name}.{how}").write_text("junk")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["verify", "audit"])
@pytest.mark.parametrize("how", ["missing", "junk", "empty", "folder", "checkpoint", "cosigned"])
def test_a_file_that_cannot_be_read_hides_no_other(tmp_path: Path, wrong: Path, verb: str, how: str) -> None:
    bad = spoiled(tmp_path, how)
    key = ("--key", str(LOG.verifier))
    for files in ((bad, wrong), (wrong, bad)):
        done = cli(verb, *map(str, files), *key)
        said = done.stdout + done.stderr
        assert done.exit_code == 1, said
        assert bad.name in said.replace("\n", ""), "and which file cannot be read is said"
    good, other = tmp_path / "good.jsonl", short_shoes(words="another")
    good.write_bytes(signed_by(other, len(other.splitlines())))
    assert cli(verb, str(good), *key).exit_code == 0
    assert cli(verb, str(bad), str(good), *key).exit_code == 2
    assert cli(verb, str(bad), *key).exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["verify", "audit"])
@pytest.mark.parametrize("ending", ["checkpoint", "cosigned"])
def test_a_checkpoint_that_cannot_be_read_hides_nothing_of_its_own_journal(
    tmp_path: Path, wrong: Path, verb: str, ending: str
) -> None:
    wrong.with_name(f"{wrong.name}.{ending}").write_text("junk")
    assert cli(verb, str(wrong), "--key", str(LOG.verifier)).exit_code == 1
    data = signed_by(short_shoes(), len(short_shoes().splitlines()))
    (tmp_path / f"journal.jsonl.{ending}").write_text("junk")
    status, said = answer(tmp_path, data, LOG.verifier, verb=verb)
    assert (status, f"journal.jsonl.{ending}" in said) == (2, True), said


def test_a_named_checkpoint_that_cannot_be_read_hides_no_finding(tmp_path: Path, wrong: Path) -> None:
    junk = tmp_path / "held.checkpoint"
    junk.write_text("junk")
    done = cli("audit", str(wrong), "--checkpoint", str(junk), "--json")
    found = json.loads(done.stdout)
    assert done.exit_code == 1
    assert {each["file"] for each in found["findings"]} >= {str(junk), str(wrong)}
    assert found["kinds"]["unreadable"] == 1


def given(*names: str) -> list[str]:
    return [word for name in names for word in ("--key", str(KEYS[name].verifier))]


def history(tmp_path: Path, name: str, *, entries: int | None = None, later: int = 0, of: str = "real-cards") -> Path:
    """A table, signed and cosigned, up to an entry; in another history its fourth record was made later."""
    records = base(of)[:entries]
    records[3]["at"] += later
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(journal(renumbered(records)))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize("entries", [None, 12])
def test_two_histories_of_one_log_are_found_without_a_memory(
    tmp_path: Path, entries: int | None, is_swapped: bool
) -> None:
    """A house shows one history to each reader; whoever has both files finds it, in whichever order they stand."""
    files = [history(tmp_path, "one", entries=entries), history(tmp_path, "other", later=1)]
    names = [str(path) for path in (reversed(files) if is_swapped else files)]
    assert agreed(*names, *given(*PLAIN)).status == 1
    done = cli("audit", *names, *given(*PLAIN))
    assert (done.exit_code, "signed two different histories: entry 3 of table 1" in done.stdout) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize("is_swapped", [False, True])
@pytest.mark.parametrize(("of", "keys"), [("real-cards", PLAIN), ("order-2", ALL)])
def test_copies_of_a_journal_accuse_nobody(tmp_path: Path, of: str, keys: tuple[str, ...], is_swapped: bool) -> None:
    """A backup next to the journal itself: its shoes reveal their seeds once more, and an older one is shorter."""
    files = [history(tmp_path, "backup", of=of), history(tmp_path, "journal", of=of)]
    if of == "real-cards":
        files.append(history(tmp_path, "older", entries=12))
    names = [str(path) for path in (reversed(files) if is_swapped else files)]
    assert agreed(*names, *given(*keys)).status == 0
    assert cli("audit", *names, *given(*keys)).exit_code == 0


def test_a_file_that_is_named_twice_is_audited_once(tmp_path: Path) -> None:
    path = str(history(tmp_path, "journal"))
    done = cli("audit", path, path, *given(*PLAIN))
    assert (done.exit_code, done.stdout.count("table 1: 48 entries")) == (0, 1)
