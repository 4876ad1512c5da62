"""The verdict: what somebody who holds the file, the key or the house did to it is wrong, or is not covered."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from baccarat.audit.bundle.make import make_bundle
from baccarat.audit.bundle.verification import verify_bundle
from baccarat.record.key import KeyKind, Signer, UnreadableKey, Verifier
from baccarat.record.policy import UnreadablePolicy, policy_of_keys, read_policy
from bundles import LOG, STREAM, WHOLE, WITNESS, bundle_of, short_shoes, signed, source_of
from signed_journal import Record, answer, cli, records_of, rewritten, signed_by

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes([1]) * 32)
OTHER_WITNESS = Signer("example.net/regulator", KeyKind.WITNESS, bytes([4]) * 32)


# ------------------------------------------------------------------------------- records without a command


def with_event(records: list[Record], name: str) -> Record:
    """The first record that has an event of this name."""
    return next(each for each in records for event in each.get("events", ()) if event["event"] == name)


def without_command(record: Record, stream: str = "house") -> None:
    """Make an act into something that is said to follow from another stream."""
    for name in ("command", "who", "role", "origin", "device", "id", "approvals"):
        record.pop(name, None)
    record["cause"] = {"seq": 1, "stream": stream}


def another_card(record: Record) -> None:
    """A card becomes another."""
    card = next(event for event in record["events"] if "card" in event)["card"]
    card["rank"] = "4" if card["rank"] != "4" else "5"


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["house", "link main", "table 1"])
@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_house_cannot_exchange_a_card_in_a_record_without_a_command(tmp_path: Path, verb: str, stream: str) -> None:
    records = records_of(short_shoes())
    turned = with_event(records, "card_turned")
    another_card(turned)
    without_command(turned, stream)
    status, said = answer(tmp_path, signed_by(rewritten(records), len(records)), LOG.verifier, verb=verb)
    assert status == 1
    assert "without a command a table has no record but link_joined" in said


@pytest.mark.slow
def test_every_card_that_is_shown_after_a_seal_has_its_proof() -> None:
    """All six cards of a round, burned cards too: each of them made to come without its proof."""
    records = records_of(short_shoes())
    shown = [each for each in records for event in each.get("events", ()) if "card" in event and "position" in event]
    assert len(shown) > 20
    for record in shown[:8]:
        command, record["command"] = record["command"], {**record["command"], "proof": None}
        bundle = make_bundle(source_of(rewritten(records)), WHOLE)
        found = [check.say for check in verify_bundle(bundle).checks if check.name == "proofs of cards"]
        assert "without its proof" in found[0]
        record["command"] = command


def test_a_refusal_that_was_none_is_wrong(tmp_path: Path) -> None:
    """The house says that a wager was refused: at a table alone, and at one that names its house elsewhere."""
    for houses in (False, True):
        records = records_of(short_shoes())
        wager = next(each for each in records if each.get("command", {}).get("do") == "place_wager")
        index = records.index(wager)
        count = len(wager.pop("events"))
        wager["refused"] = {"cites": ["ma-midi-4 §8(a)"], "code": "wrong_step", "what": "wrong_step"}
        if houses:
            wager["joined"] = {"forms": 3}
        for each in records[index + 1 :]:
            each["event"] -= count
        status, _ = answer(tmp_path, rewritten(records))
        assert status == 1


# ------------------------------------------------------------------------------------------- how far, and by whom


def test_what_comes_after_the_last_signature_is_not_covered(tmp_path: Path) -> None:
    data = short_shoes()
    count = len(data.splitlines())
    for verb in ("verify", "audit"):
        status, said = answer(tmp_path, signed_by(data, 100), LOG.verifier, WITNESS.verifier, verb=verb)
        assert status == 3
        assert f"the last {count - 100} of {count} entries are not signed: nobody signed after entry 100" in said
        assert answer(tmp_path, signed_by(data, 100, count), LOG.verifier, verb=verb)[0] == 0


def test_an_old_cosignature_covers_only_what_it_was_given_for(tmp_path: Path) -> None:
    data = short_shoes()
    count = len(data.splitlines())
    lines = signed_by(data, 50, count, cosigned=False).splitlines(keepends=True)
    old = signed_by(data, 50).splitlines(keepends=True)[50]
    lines[50] = old
    for verb in ("verify", "audit"):
        status, said = answer(tmp_path, b"".join(lines), LOG.verifier, WITNESS.verifier, verb=verb)
        assert status == 3
        assert "cosigned to 50 by example.org/surveillance (1 of 1)" in said
        assert answer(tmp_path, b"".join(lines), LOG.verifier, verb=verb)[0] == 0


def test_every_witness_that_is_named_must_have_cosigned(tmp_path: Path) -> None:
    data = short_shoes()
    made = signed_by(data, len(data.splitlines()))
    status, said = answer(tmp_path, made, LOG.verifier, WITNESS.verifier, OTHER_WITNESS.verifier)
    assert (status, "(1 of 2)" in said) == (3, True)


@pytest.mark.slow
def test_the_name_of_a_log_must_say_its_stream(tmp_path: Path) -> None:
    data = short_shoes()
    count = len(data.splitlines())
    for origin, status in (
        ("example.org/house/table/1", 0), ("example.org/house/table/1/2", 3), ("example.org/house/table-1", 1),
        ("example.org/house", 3), ("example.org/house/table/2", 1), ("example.org/house/table/1x", 1),
        ("example.org/house/pit/A", 1),
    ):  # fmt: skip
        made = signed_by(data, count, signer=HOUSE, origin=origin)
        for verb in ("verify", "audit"):
            assert answer(tmp_path, made, HOUSE.verifier, verb=verb)[0] == status, (origin, verb)


def test_a_changed_record_under_an_honest_checkpoint_is_wrong_and_not_unreadable(tmp_path: Path) -> None:
    data = short_shoes()
    records = records_of(data)
    records[40]["at"] += 1
    honest = signed_by(data, 60).splitlines(keepends=True)
    forged = rewritten(records).splitlines(keepends=True)
    made = b"".join([*forged[:60], honest[60], *forged[60:]])
    for verb in ("verify", "audit"):
        status, said = answer(tmp_path, made, LOG.verifier, verb=verb)
        assert (status, "not those that the checkpoint covers" in said) == (1, True)


def test_one_stream_of_two_that_nobody_signed_is_named(tmp_path: Path) -> None:
    data = short_shoes()
    other = [{**each, "stream": "table 2"} for each in records_of(data)]
    both = signed_by(data, len(data.splitlines())) + rewritten(other)
    status, said = answer(tmp_path, both, LOG.verifier, verb="audit")
    assert f"table 2: {len(other)} entries" in said
    assert "signed by no key that was given" in said
    assert status == 1, "and its shoes were committed to for another table"


def test_a_seed_that_is_reported_lost_or_left_out_is_never_covered() -> None:
    source = source_of(short_shoes())
    policy = policy_of_keys((LOG.verifier, WITNESS.verifier))
    whole = bundle_of(short_shoes(), msgspec.structs.replace(WHOLE, kind="round", shoe=1, round=1))
    assert verify_bundle(whole, policy=policy).status == 0
    withheld = make_bundle(source, whole.scope, note=signed(source))
    entries = withheld.entries[:-1]
    log = source.log(STREAM)
    from baccarat.record.encoding import to_base64  # noqa: PLC0415
    from baccarat.record.subset_proof import prove_subset  # noqa: PLC0415

    proof = prove_subset(log, [each.index for each in entries], log.size)
    left_out = msgspec.structs.replace(withheld, entries=entries, proof=tuple(map(to_base64, proof)))
    verdict = verify_bundle(left_out, policy=policy)
    assert verdict.status == 3
    assert any("the seed of shoe 1 is not shown" in gap for gap in verdict.coverage.gaps)


# ------------------------------------------------------------------------------------------ policy and memory


@pytest.mark.slow
def test_a_policy_says_how_many_witnesses_are_enough(tmp_path: Path) -> None:
    data = short_shoes()
    journal, policy = tmp_path / "journal.jsonl", tmp_path / "ours.policy"
    journal.write_bytes(signed_by(data, len(data.splitlines())))
    lines = [f"log {LOG.verifier}", f"witness one {WITNESS.verifier}", f"witness two {OTHER_WITNESS.verifier}"]
    for group, status in (("any", 0), ("1", 0), ("all", 3), ("2", 3)):
        policy.write_text("\n".join([*lines, f"group both {group} one two", "quorum both  # of them"]))
        for verb in ("verify", "audit"):
            assert cli(verb, str(journal), "--policy", str(policy)).exit_code == status, (group, verb)
    policy.write_text("\n".join([*lines, "quorum none"]))
    assert cli("verify", str(journal), "--policy", str(policy)).exit_code == 0
    assert cli("verify", str(journal), "--policy", str(policy), "--key", str(LOG.verifier)).exit_code == 2


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("", "there is no quorum"),
        ("quorum nobody", "line 1: no witness and no group is called nobody"),
        (f"log {WITNESS.verifier}\nquorum none", "line 1: the key is not that of a log"),
        (f"witness none {WITNESS.verifier}\nquorum none", "line 1: the name none is taken"),
        (f"witness a {WITNESS.verifier}\ngroup g 2 a\nquorum g", "line 2: expected any, all or a number from 1 to 1"),
        (f"witness a {WITNESS.verifier}\ngroup g 1 b\nquorum g", "line 2: a group has members that were named before"),
        (f"witness a {WITNESS.verifier}\nwitness b {WITNESS.verifier}\nquorum a", "a key is named twice"),
        ("quorum none\nlog x", "line 2: quorum is the last line"),
        ("log x\nquorum none", "line 1: not a key"),
        ("nonsense", "line 1: expected log KEY"),
    ],
)
def test_what_is_no_policy_is_named_with_its_line(text: str, say: str) -> None:
    with pytest.raises(UnreadablePolicy) as raised:
        read_policy(text)
    assert say in str(raised.value)


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["verify", "audit"])
def test_a_reader_who_remembers_finds_a_second_history(tmp_path: Path, verb: str) -> None:
    data, memory = short_shoes(), tmp_path / "seen.json"
    count = len(data.splitlines())
    journal = tmp_path / "journal.jsonl"

    def verified(content: bytes) -> tuple[int, str]:
        journal.write_bytes(content)
        done = cli(verb, str(journal), "--key", str(LOG.verifier), "--memory", str(memory))
        return done.exit_code, " ".join((done.stdout + done.stderr).split())

    other = short_shoes(words="another")
    assert verified(signed_by(data, 100))[0] == 3, "all after entry 100 is not signed"
    status, said = verified(signed_by(other, len(other.splitlines())))
    assert (status, "are not those that it signed before" in said) == (1, True), said
    status, said = verified(signed_by(other, 100))
    assert (status, "two different histories" in said) == (1, True), said
    assert verified(signed_by(data, 100, count))[0] == 0
    status, said = verified(signed_by(data, 100))
    assert (status, f"{count} entries" in said) == (3, True), "an older state of the log"
    memory.write_text("{}")
    assert verified(signed_by(data, count))[0] == 2


# ------------------------------------------------------------------------------------------------ malformed


def test_a_key_of_small_order_is_no_key() -> None:
    order_8 = bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")
    weak = [bytes(32), (1).to_bytes(32, "little"), (2**255 - 20).to_bytes(32, "little"), order_8]
    weak += [(2**255 - 19).to_bytes(32, "little"), (1 | 1 << 255).to_bytes(32, "little")]
    for public in weak:
        with pytest.raises(UnreadableKey, match="small order"):
            Verifier.parse(str(Verifier("example.org/house", KeyKind.LOG, public)))


def _first_proof(bundle: Record) -> Record:
    commands = (each["record"].get("command", {}) for each in bundle["entries"])
    found: Record = next(command["proof"] for command in commands if "proof" in command)
    return found


def _upper(bundle: Record) -> None:
    proof = _first_proof(bundle)
    proof["salt"] = proof["salt"].upper()


def _spaced(bundle: Record) -> None:
    proof = _first_proof(bundle)
    proof["salt"] = f"{proof['salt'][:2]} {proof['salt'][2:]}"


def _null(bundle: Record) -> None:
    bundle["tree_head"] = None


def _loose_base64(bundle: Record) -> None:
    last = bundle["proof"][-1]
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bundle["proof"][-1] = last[:42] + letters[letters.index(last[42]) + 1] + "="


def _twice(bundle: Record) -> None:
    bundle["rulebooks"].append(bundle["rulebooks"][0])


def _surrogate(bundle: Record) -> None:
    bundle["program"] = "\ud800"


def _weak_key(bundle: Record) -> None:
    bundle["keys"] = [str(Verifier("example.org/house/table/1", KeyKind.LOG, bytes(32)))]


def _junk_edition(bundle: Record) -> None:
    bundle["rulebooks"][0]["edition"] = "junk"


MALFORMED: dict[Callable[[Record], None], int] = {
    _upper: 1, _spaced: 1, _null: 2, _loose_base64: 2, _twice: 2, _surrogate: 2, _weak_key: 2, _junk_edition: 3,
}  # fmt: skip


@pytest.mark.parametrize("spoil", MALFORMED)
def test_what_verifiers_could_read_differently_has_one_answer(tmp_path: Path, spoil: Callable[[Record], None]) -> None:
    scope = msgspec.structs.replace(WHOLE, kind="round", shoe=1, round=1)
    bundle = json.loads(msgspec.json.encode(bundle_of(short_shoes(), scope)))
    assert _status(tmp_path, bundle) == 0
    spoil(bundle)
    assert _status(tmp_path, bundle) == MALFORMED[spoil]


def _status(tmp_path: Path, bundle: Record) -> int:
    path = tmp_path / "bundle.json"
    path.write_bytes(json.dumps(bundle).encode())
    words = ("--key", str(LOG.verifier), "--key", str(WITNESS.verifier))
    return cli("verify", str(path), *words).exit_code


@pytest.mark.slow
def test_no_half_of_a_file_ends_in_a_trace(tmp_path: Path) -> None:
    data = short_shoes()
    whole = signed_by(data, len(data.splitlines()))
    journal = tmp_path / "journal.jsonl"
    for end in range(0, len(whole), len(whole) // 60):
        journal.write_bytes(whole[:end])
        for verb in ("verify", "audit"):
            assert cli(verb, str(journal), "--key", str(LOG.verifier)).exit_code in (1, 2, 3)
