"""Policies and memories of a reader: the program and both small verifiers answer the same, and share the same files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from baccarat.audit.bundle.form import write_bundle
from baccarat.audit.opening import UNSTATED_CARDS, UNSTATED_WITNESSES, by_claimed_version
from baccarat.record.key import KeyKind, Signer
from baccarat.table.source import SealedShoe
from bundles import LOG, ROUND_OF_2, WITNESS, bundle_of, short_shoes, signed, source_of
from corpus_base import HOUSE, SHARE, Evening, base, journal, seed_of
from corpus_base import LOG as OF_TABLE
from corpus_base import WITNESS as WATCHER
from corpus_house import house, house_journal_of
from golden_journals import SignedWitnesses
from remade import records_of
from signed_journal import signed_by
from three_verifiers import WHO, Said, agreed, all_three
from triggers import FirstWager

pytestmark = pytest.mark.slow
OTHER = Signer("example.org/other", KeyKind.WITNESS, bytes([30]) * 32)
THIRD = Signer("example.org/third", KeyKind.WITNESS, bytes([31]) * 32)
ELSEWHERE = Signer("example.net/log", KeyKind.LOG, bytes([32]) * 32)
SECOND = Signer(LOG.verifier.name, KeyKind.LOG, bytes([33]) * 32)
WITNESSES = (
    f"log {LOG.verifier}\nwitness one {WITNESS.verifier}\nwitness two {OTHER.verifier} https://example.org/\n"
    f"witness three {THIRD.verifier}\n"
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A journal that its log has signed, and one witness cosigned."""
    path, data = tmp_path / "journal.jsonl", short_shoes()
    path.write_bytes(signed_by(data, 60, len(data.splitlines())))
    return path


def under(path: Path, policy: str) -> Said:
    """What all three answer to a file under a policy."""
    given = path.parent / "ours.policy"
    given.write_text(policy)
    return agreed(path, "--policy", given)


# ------------------------------------------------------------------------------------------------------- policies


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        ("quorum one", 0),
        ("quorum two", 3),
        ("quorum none", 0),
        ("group g any one two\nquorum g  # of them", 0),
        ("group g 1 two three\nquorum g", 3),
        ("group g all one two\nquorum g", 3),
        ("group g 2 one two three\nquorum g", 3),
        ("group g any two three\ngroup h any g one\nquorum h", 0),
        ("group g any two three\ngroup h all g one\nquorum h", 3),
    ],
)
def test_a_quorum_of_witnesses_is_enough(table: Path, lines: str, status: int) -> None:
    found = under(table, WITNESSES + lines)
    many = f"{len(short_shoes().splitlines())}"
    gap = f"all {many} entries are not cosigned by the witnesses that were asked for (3)"
    assert (found.status, found.gaps) == (status, [[gap] if status else []])


def test_a_policy_may_name_logs_that_are_not_there_but_not_of_the_same_house(table: Path) -> None:
    assert under(table, f"log {LOG.verifier}\nlog {ELSEWHERE.verifier}\nquorum none").status == 0
    found = under(table, f"log {LOG.verifier}\nlog {SECOND.verifier}\nquorum none")
    assert found == (3, [[f"{SECOND.verifier.name} signed none of it"]], "")
    assert under(table, f"log {ELSEWHERE.verifier}\nquorum none").status == 3


def test_a_witness_whose_share_is_asked_for_is_named_in_every_sealed_order(tmp_path: Path) -> None:
    path = tmp_path / "order-2.jsonl"
    path.write_bytes(journal(base("order-2")))
    first, second = (share.verifier for share in SHARE)
    lines = f"log {HOUSE.verifier}\nwitness w {WATCHER.verifier}\nwitness o {OTHER.verifier}\n"
    assert under(path, f"{lines}share w {first}\nshare o {second}\nquorum w").status == 0
    unchecked = under(path, f"{lines}share w {first}\nquorum w")
    assert (unchecked.status, "1 of 2 checked" in str(unchecked.gaps)) == (3, True)
    path.write_bytes(journal(base("left-out")))
    found = under(path, f"{lines}share w {first}\nshare o {second}\nquorum w")
    unnamed = [f"{name}, whose share was asked for, is not named in the order of shoe 2" for name in "wo"]
    assert found.gaps == [[UNSTATED_WITNESSES, *unnamed]]
    path.write_bytes(journal(base("house-alone")))
    found = under(path, f"{lines}share w {first}\nquorum w")
    assert found.gaps == [["w, whose share was asked for, is not named in the order of shoe 1"]]
    path.write_bytes(journal(base("order-1")))
    found = under(path, f"{lines}share w {first}\nquorum w")
    unnamed = ["w, whose share was asked for, is not named in the order of shoe 1"]
    assert found == (3, [[UNSTATED_CARDS + by_claimed_version(2), *unnamed]], ""), "order 1 names nobody"


def test_real_cards_are_not_covered_where_a_share_in_their_order_is_asked_for(tmp_path: Path) -> None:
    """The policy said that no order is known to the house alone, and the answer was 0: "order not shown"."""
    path, bare = tmp_path / "real-cards.jsonl", tmp_path / "no-card.jsonl"
    path.write_bytes(journal(base("real-cards")))
    lines = f"log {HOUSE.verifier}\nwitness w {WATCHER.verifier}\n"
    assert under(path, f"{lines}quorum w").status == 0
    found = under(path, f"{lines}share w {SHARE[0].verifier}\nquorum w")
    assert found == (3, [["w, whose share was asked for, has no part in the order of real cards"]], "")
    bare.write_bytes(journal(base("real-cards")[:4]))
    assert under(bare, f"{lines}share w {SHARE[0].verifier}\nquorum w").status == 0, "no card was shown"


class _OwnKey(SignedWitnesses):
    """A house that names a key of its own as the one witness of its orders."""

    def __init__(self, path: Path, signer: Signer) -> None:
        super().__init__(path)
        self.signers = {str(signer.verifier): signer}
        self.keys = {str(signer.verifier): b"k" * 32}


@pytest.mark.parametrize("name", ["example.org/house", "example.org/house/table/2"])
@pytest.mark.parametrize("seed", [bytes([1]) * 32, bytes([40]) * 32], ids=["same", "other"])
def test_a_house_is_no_witness_of_its_own_orders(tmp_path: Path, name: str, seed: bytes) -> None:
    """A reader who has several keys of a house would count one of them as a witness's share key."""
    own = Signer(name, KeyKind.LOG, seed)
    evening = Evening(tmp_path, witnesses=(str(own.verifier),))
    shares = _OwnKey(evening.path, own)
    evening.game.source = SealedShoe(
        evening.game.rules, seed_of, table="1", triggers=FirstWager(evening.game.rules), shares=shares
    )
    path = tmp_path / "own.jsonl"
    path.write_bytes(journal(records_of(evening.begun().round().given_up().over())))
    say = [["order of shoe 1: 1 witness named, 1 shown, 0 of 1 checked: give the missing share keys with --key"]]
    keys = [word for key in (OF_TABLE, WATCHER, own) for word in ("--key", str(key.verifier))]
    found = agreed(path, *keys)
    assert (found.status, found.gaps) == (3, say)
    lines = f"log {OF_TABLE.verifier}\nlog {own.verifier}\nwitness w {WATCHER.verifier}\nquorum w"
    found = under(path, lines)
    assert (found.status, found.gaps[0][0]) == (3, say[0][0])


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("", "there is no quorum"),
        ("quorum nobody", "line 1: no witness and no group is called nobody"),
        (f"log {WITNESS.verifier}\nquorum none", "line 1: the key is not that of a log"),
        (f"witness none {WITNESS.verifier}\nquorum none", "line 1: the name none is taken"),
        (f"witness a {WITNESS.verifier}\ngroup g 2 a\nquorum g", "line 2: expected any, all or a number from 1 to 1"),
        (f"witness a {WITNESS.verifier}\ngroup g constructor a\nquorum g", "line 2: expected any, all or a number"),
        (f"witness a {WITNESS.verifier}\ngroup g 01 a\nquorum g", "line 2: expected any, all or a number from 1 to 1"),
        (f"witness a {WITNESS.verifier}\ngroup g 1 b\nquorum g", "line 2: a group has members that were named before"),
        (f"witness a {WITNESS.verifier}\ngroup g 1 a a\nquorum g", "line 2: a group has members"),
        (f"witness a {WITNESS.verifier}\nwitness b {WITNESS.verifier}\nquorum a", "a key is named twice"),
        (f"share a {LOG.verifier}\nquorum none", "line 1: a share key is that of a witness"),
        ("\n\nquorum none\nlog x", "line 4: quorum is the last line"),
        ("log x\nquorum none", "line 1: not a "),
        ("group g all\nquorum none", "line 1: expected log KEY"),
        ("nonsense", "line 1: expected log KEY"),
    ],
)
def test_what_is_no_policy_is_named_with_its_line(table: Path, text: str, say: str) -> None:
    policy = table.parent / "ours.policy"
    policy.write_text(text)
    for found in all_three(table, "--policy", policy):
        assert found.status == 2
        assert say in " ".join(found.wrong.split())


def test_a_policy_takes_the_place_of_keys(table: Path) -> None:
    policy = table.parent / "ours.policy"
    policy.write_text("quorum none")
    assert agreed(table, "--policy", policy, "--key", str(LOG.verifier)).status == 2


# ------------------------------------------------------------------------------------------------------- memory


class Reader:
    """Somebody who reads with all three verifiers, each of which has a memory of its own."""

    def __init__(self, folder: Path) -> None:
        self.file, self.memory = folder / "given", folder / "seen-{who}.json"

    def read(self, data: bytes, key: Signer = LOG) -> Said:
        """What all three answer; then they remember the same, byte for byte."""
        self.file.write_bytes(data)
        found = agreed(self.file, "--key", str(key.verifier), "--memory", self.memory)
        assert len(set(self.memories().values())) == 1, self.memories()
        return found

    def memories(self) -> dict[str, str]:
        """What each remembers."""
        return {who: Path(str(self.memory).replace("{who}", who)).read_text() for who in WHO}

    def sizes(self) -> dict[str, int]:
        """How many entries of each log were seen."""
        found = json.loads(self.memories()["python"])["checkpoints"]
        return {origin: int(note.split("\n")[1]) for origin, note in found.items()}


def test_a_reader_who_remembers_finds_a_second_history(tmp_path: Path) -> None:
    data, other, reader = short_shoes(), short_shoes(words="another"), Reader(tmp_path)
    count, name = len(data.splitlines()), LOG.verifier.name
    assert reader.read(signed_by(data, 100)).status == 3, "all after entry 100 is not signed"
    assert reader.sizes() == {name: 100}
    found = reader.read(signed_by(other, len(other.splitlines())))
    assert (found.status, found.wrong) == (1, f"the first 100 entries of {name} are not those that it signed before\n")
    found = reader.read(signed_by(other, 100))
    assert (found.status, "two different histories" in found.wrong) == (1, True)
    assert reader.sizes() == {name: 100}, "what is wrong is not remembered"
    assert reader.read(signed_by(data, 100, count)).status == 0
    assert reader.sizes() == {name: count}
    older = b"".join(signed_by(data, 60).splitlines(keepends=True)[:61])
    assert reader.read(older).gaps[0][-1] == f"{count} entries of {name} were seen before, and this has 60"
    assert reader.sizes() == {name: count}


def test_small_verifiers_say_in_the_same_words_what_contradicts_a_memory(tmp_path: Path) -> None:
    data, other, reader = short_shoes(), short_shoes(words="another"), Reader(tmp_path)
    reader.read(signed_by(data, 100))
    for forged, say in (
        (signed_by(other, 120), "the first 100 entries of {} are not those that it signed before"),
        (signed_by(other, 100), "{} signed another root for 100 entries before: it signed two different histories"),
    ):
        reader.file.write_bytes(forged)
        for found in all_three(reader.file, "--key", str(LOG.verifier), "--memory", reader.memory):
            assert (found.status, say.format(LOG.verifier.name) in found.wrong) == (1, True), found


def test_a_bundle_shows_its_own_root_only(tmp_path: Path) -> None:
    data, reader = short_shoes(), Reader(tmp_path)
    count = len(data.splitlines())
    bundle = write_bundle(bundle_of(data, ROUND_OF_2))
    assert reader.read(bundle).status == reader.read(bundle).status == 3
    assert reader.sizes() == {LOG.verifier.name: count}
    fresh = Reader(tmp_path / "fresh")
    fresh.file.parent.mkdir()
    fresh.read(signed_by(data, 100))
    say = f"nothing shows whether it continues the 100 entries of {LOG.verifier.name} seen before"
    assert f"{say}: verify the whole journal" in fresh.read(bundle).gaps[0]
    assert fresh.sizes() == {LOG.verifier.name: 100}


def test_only_what_a_known_key_has_signed_is_remembered(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    assert reader.read(signed_by(short_shoes(), 100), key=ELSEWHERE).status == 3
    assert reader.sizes() == {}


def test_every_stream_of_a_house_is_remembered(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    assert reader.read(house_journal_of(house()), key=HOUSE).status == 0
    assert len(reader.sizes()) == len({record["stream"] for record in house()})
    assert reader.read(house_journal_of(house()), key=HOUSE).status == 0


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "{", '{"checkpoints": {}, "more": 1}', '{"checkpoints": []}', '{"checkpoints": {"a": 1}}',
     '{"checkpoints": {"a": "a\\n1\\n"}}', '{"checkpoints": {"other": NOTE}}'],
)  # fmt: skip
def test_what_is_no_memory_is_refused_and_kept(table: Path, text: str) -> None:
    note = bytes(signed(source_of(short_shoes()))).decode()
    seen, made = table.parent / "seen.json", text.replace("NOTE", json.dumps(note))
    seen.write_text(made)
    assert agreed(table, "--key", str(LOG.verifier), "--memory", seen).status == 2
    assert seen.read_text() == made


def test_a_memory_replaces_none_of_the_files_that_are_read(table: Path) -> None:
    data = table.read_bytes()
    assert agreed(table, "--memory", table).status == 2
    assert table.read_bytes() == data
    folder = sorted(path.name for path in table.parent.iterdir())
    agreed(table, "--key", str(LOG.verifier), "--memory", table.parent / "seen.json")
    assert sorted(path.name for path in table.parent.iterdir()) == sorted([*folder, "seen.json"]), "no part is left"
