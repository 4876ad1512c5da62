"""Every key that was given must have signed; how long entries were open to rewriting, in numbers worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.audit.coverage import CoverageCollector, UncosignedStretch
from baccarat.audit.signature import Signers
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.key import KeyKind, Signer, Verifier
from baccarat.record.log import Log
from baccarat.record.policy import Policy, UnreadablePolicy, policy_of_keys, read_policy
from baccarat.record.tlog_proof import EntryProof
from bundles import STREAM, WITNESS, short_shoes, source_of
from golden_journals import path_of
from signed_journal import answer, cli, signed_by, with_cosignature

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes([1]) * 32)
SECOND = Signer("example.org/house", KeyKind.LOG, bytes([7]) * 32)
ELSEWHERE = Signer("example.net/other", KeyKind.LOG, bytes([8]) * 32)
TABLE = "example.org/house/table/1"
ONE, TWO, THREE = (
    Signer(f"example.org/w{number}", KeyKind.WITNESS, bytes([20 + number]) * 32).verifier for number in (1, 2, 3)
)


# -------------------------------------------------------------------------------------------- every key


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_second_key_of_the_same_house_must_have_signed_too(tmp_path: Path, verb: str) -> None:
    data = short_shoes()
    count = len(data.splitlines())
    made = signed_by(data, count, signer=HOUSE, origin=TABLE)
    assert answer(tmp_path, made, HOUSE.verifier, verb=verb)[0] == 0
    status, said = answer(tmp_path, made, HOUSE.verifier, SECOND.verifier, verb=verb)
    assert (status, said.count("example.org/house signed none of it")) == (3, 1), said
    lines = made.splitlines(keepends=True)
    early = signed_by(data, 50, signer=SECOND, origin=TABLE).splitlines(keepends=True)[50]
    both = b"".join([*lines[:50], early, *lines[50:]])
    assert answer(tmp_path, both, HOUSE.verifier, verb=verb)[0] == 1, "signed by a key of the house that is not known"
    status, said = answer(tmp_path, both, HOUSE.verifier, SECOND.verifier, verb=verb)
    assert (status, "example.org/house has signed it to entry 50 only" in said) == (3, True), said


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_key_that_signed_nothing_in_any_file_is_a_gap(tmp_path: Path, verb: str) -> None:
    data, other = short_shoes(), short_shoes(words="another")
    made = signed_by(data, len(data.splitlines()), signer=HOUSE, origin=TABLE)
    status, said = answer(tmp_path, made, HOUSE.verifier, ELSEWHERE.verifier, verb=verb)
    assert (status, "example.net/other signed none of it" in said) == (3, True), said
    second = tmp_path / "second.jsonl"
    second.write_bytes(signed_by(other, len(other.splitlines()), signer=ELSEWHERE, origin="example.net/other/table/1"))
    keys = ("--key", str(HOUSE.verifier), "--key", str(ELSEWHERE.verifier))
    assert cli(verb, str(tmp_path / "journal.jsonl"), str(second), *keys).exit_code == 0
    assert cli(verb, str(second), *keys).exit_code == 3


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_policy_may_name_logs_that_are_not_there(tmp_path: Path, verb: str) -> None:
    data, policy = short_shoes(), tmp_path / "ours.policy"
    journal = tmp_path / "journal.jsonl"
    journal.write_bytes(signed_by(data, len(data.splitlines()), signer=HOUSE, origin=TABLE))
    policy.write_text(f"log {HOUSE.verifier}\nlog {ELSEWHERE.verifier}\nquorum none\n")
    assert cli(verb, str(journal), "--policy", str(policy)).exit_code == 0
    policy.write_text(f"log {HOUSE.verifier}\nlog {SECOND.verifier}\nquorum none\n")
    assert cli(verb, str(journal), "--policy", str(policy)).exit_code == 3


# -------------------------------------------------------------------------------------------- open to rewriting


def reached(policy: Policy, *cosigned: tuple[int, int, Verifier]) -> UncosignedStretch | None:
    """The longest stretch of 100 entries, made between 1,000 and 5,000 s; each cosignature has time, size, witness."""
    reach = CoverageCollector(policy)
    for time, size, key in cosigned:
        reach.add(size, Signers(witnesses=((key, time),)))
    return reach.coverage("table 1", entries=100, decided=100, size=100, times=(1_000, 5_000)).longest_open


def test_the_first_stretch_begins_with_the_opening() -> None:
    policy = policy_of_keys([ONE])
    assert reached(policy, (1_600, 70, ONE), (1_700, 100, ONE)) == UncosignedStretch(entries=70, seconds=600)


def test_the_last_stretch_ends_with_the_last_entry() -> None:
    policy = policy_of_keys([ONE])
    assert reached(policy, (1_600, 30, ONE)) == UncosignedStretch(entries=70, seconds=3_400)


def test_one_cosignature_closes_nothing_where_two_are_needed() -> None:
    both = policy_of_keys([ONE, TWO])
    assert reached(both, (1_100, 60, ONE), (2_000, 60, TWO), (2_100, 100, ONE), (2_200, 100, TWO)) == UncosignedStretch(
        entries=60, seconds=1_000
    )
    assert reached(both, (1_100, 100, ONE)) == UncosignedStretch(entries=100, seconds=4_000)
    text = f"witness a {ONE}\nwitness b {TWO}\nwitness c {THREE}\ngroup two 2 a b c\nquorum two\n"
    two_of_three = read_policy(text)
    assert reached(two_of_three, (1_100, 80, ONE), (1_300, 40, THREE), (1_500, 90, TWO)) == UncosignedStretch(
        entries=40, seconds=300
    )


def test_without_any_cosignature_everything_was_open() -> None:
    assert reached(policy_of_keys([ONE])) == UncosignedStretch(entries=100, seconds=4_000)
    assert reached(Policy()) is None, "nobody asked for a witness"


def test_an_audit_prints_the_longest_stretch(tmp_path: Path) -> None:
    data = short_shoes()
    count = len(data.splitlines())
    made = signed_by(data, 100, count, signer=HOUSE, origin=TABLE)
    for verb in ("verify", "audit"):
        _, said = answer(tmp_path, made, HOUSE.verifier, WITNESS.verifier, verb=verb)
        assert f"longest stretch open to rewriting: {count - 100:,} entries" in said


# -------------------------------------------------------------------------------------------- share keys


def test_a_policy_names_the_share_keys_of_its_witnesses() -> None:
    share = Signer("example.org/w1-share", KeyKind.LOG, bytes([30]) * 32).verifier
    policy = read_policy(f"witness a {ONE}\nshare a {share}\nquorum a\n")
    assert policy.asked_shares([]) == {str(share): "a"}
    assert share not in policy.keys, "it signs no checkpoint"
    for text, say in (
        (f"share a {share}\nquorum none", "line 1: a share key is that of a witness"),
        (f"witness a {ONE}\nshare a {share}\nshare a {share}\nquorum a", "line 3: a share key is that of a witness"),
        (f"witness a {ONE}\nshare a {ONE}\nquorum a", "line 2: the key is not that of a log"),
        (f"log {share}\nwitness a {ONE}\nshare a {share}\nquorum a", "a key is named twice"),
    ):
        with pytest.raises(UnreadablePolicy) as raised:
            read_policy(text)
        assert say in str(raised.value)


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_witness_that_is_asked_for_must_be_named_by_every_sealed_shoe(tmp_path: Path, verb: str) -> None:
    share = Signer("example.org/w1-share", KeyKind.LOG, bytes([30]) * 32).verifier
    policy = tmp_path / "ours.policy"
    policy.write_text(f"witness a {ONE}\nshare a {share}\nquorum none\n")
    words = (verb, str(path_of("ma-midi-4-order-2")), "--policy", str(policy))
    said = " ".join(cli(*words).stdout.split())
    assert "a, whose share was asked for, is not named in the order of" in said
    policy.write_text(f"witness a {ONE}\nquorum none\n")
    assert "whose share was asked for" not in cli(*words).stdout


# -------------------------------------------------------------------------------------------- proofs of records


def proof_of(tmp_path: Path, origin: str) -> tuple[str, ...]:
    """What checks the proof of a record of table 1, in a log of this name."""
    bodies = [line.body for line in source_of(short_shoes()).streams[STREAM]]
    note = sign_checkpoint(checkpoint_of(origin, bodies), HOUSE.with_name(origin))
    log = Log(bodies)
    proof, record = tmp_path / "record.tlog-proof", tmp_path / "record"
    proof.write_bytes(bytes(EntryProof(17, log.prove_inclusion(17), with_cosignature(note))))
    record.write_bytes(bodies[17])
    return "journal", "check", str(proof), "--record", str(record)


@pytest.mark.parametrize(
    ("origin", "status"),
    [("example.org/house/table/1", 0), ("example.org/house/table/2", 1), ("example.org/house/pit/A", 1),
     ("example.org/house", 3)],
)  # fmt: skip
def test_a_proof_of_a_record_is_by_the_log_of_its_stream(tmp_path: Path, origin: str, status: int) -> None:
    assert cli(*proof_of(tmp_path, origin), "--key", str(HOUSE.verifier)).exit_code == status


def test_a_proof_is_checked_under_a_policy(tmp_path: Path) -> None:
    policy = tmp_path / "ours.policy"
    words = (*proof_of(tmp_path, TABLE), "--policy", str(policy))
    lines = f"log {HOUSE.verifier}\nwitness a {WITNESS.verifier}\nwitness b {ONE}\n"
    for last, status in (("quorum a", 0), ("group one any a b\nquorum one", 0), ("quorum b", 3), ("quorum none", 0)):
        policy.write_text(lines + last)
        assert cli(*words).exit_code == status, last
    assert cli(*words, "--key", str(HOUSE.verifier)).exit_code == 2


# -------------------------------------------------------------------------------------------- a memory over files


@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_two_files_of_one_call_are_held_against_one_another(tmp_path: Path, verb: str) -> None:
    """The second file is compared with what the first has shown, at a size that nobody signed in the second."""
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    data, memory = short_shoes(), tmp_path / "seen.json"
    begun = signed_by(data, 90, signer=HOUSE, origin=TABLE).splitlines(keepends=True)[:91]
    one.write_bytes(b"".join(begun))  # a seed that is revealed in both would be wrong by itself
    words = (verb, str(one), str(other), "--key", str(HOUSE.verifier), "--memory", str(memory))
    other.write_bytes(signed_by(data, len(data.splitlines()), signer=HOUSE, origin=TABLE))
    assert cli(*words).exit_code == 3, "the seed of the first is not shown"
    memory.unlink()
    twin = short_shoes(words="another")
    other.write_bytes(signed_by(twin, len(twin.splitlines()), signer=HOUSE, origin=TABLE))
    done = cli(*words)
    assert (done.exit_code, "the first 90 entries of" in done.stdout) == (1, True), done.stdout


def test_an_audit_remembers_what_verify_does_and_nothing_that_is_wrong(tmp_path: Path) -> None:
    data, journal = short_shoes(), tmp_path / "journal.jsonl"
    journal.write_bytes(signed_by(data, 60, len(data.splitlines()), signer=HOUSE, origin=TABLE))
    seen = {verb: tmp_path / f"{verb}.json" for verb in ("verify", "audit")}
    for verb, memory in seen.items():
        assert cli(verb, str(journal), "--key", str(HOUSE.verifier), "--memory", str(memory)).exit_code == 0
    assert seen["verify"].read_bytes() == seen["audit"].read_bytes()
    seen["audit"].unlink()
    stranger = Signer(TABLE, KeyKind.LOG, bytes([9]) * 32)
    journal.write_bytes(signed_by(data, 60, signer=stranger, origin=TABLE))
    words = ("--key", str(HOUSE.verifier), "--memory", str(seen["audit"]))
    assert cli("audit", str(journal), *words).exit_code == 1
    assert seen["audit"].read_text() == '{\n  "checkpoints": {}\n}\n'
    assert cli("audit", str(journal), "--memory", str(journal)).exit_code == 2
