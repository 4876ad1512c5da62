"""The independent verifier: what the program writes verifies, what is forged does not, what is broken is said."""

from __future__ import annotations

import ast
import base64
import copy
import json
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import verify_baccarat as verifier
from baccarat.audit.journal import JournalAudit
from javascript import reports_of
from paths import ROOT
from remade import (
    Json,
    bundle_of,
    canonical,
    changed,
    edited,
    first_with,
    journal_of,
    kinds_of_field,
    records_of,
    renumbered,
    sha,
    tree_path,
    tree_root,
)
from two_verifiers import both

pytestmark = pytest.mark.slow

FILE = ROOT / "verifier" / "verify_baccarat.py"
EXAMPLE = ROOT / "docs" / "examples" / "round.bundle.json"


def baccarat(*words: str) -> None:
    """Run the program, as an outsider would."""
    subprocess.run([sys.executable, "-m", "baccarat", *words], capture_output=True, check=True)


def run(*words: str) -> tuple[int, str]:
    """Run the verifier: its exit status and what it printed; it never ends in a trace."""
    done = subprocess.run([sys.executable, "-I", str(FILE), *words], capture_output=True, check=False)
    assert not done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode("utf-8")


def faulty(report: verifier.Report) -> set[str]:
    """The names of the checks that found something wrong."""
    return {check.name for check in report.checks if check.sign == "✗"}


def sign_of(report: verifier.Report, name: str) -> str:
    """What came of one check."""
    return next(check.sign for check in report.checks if check.name == name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round at a table: its journal with signed checkpoints, and bundles of all scopes."""
    made = tmp_path_factory.mktemp("verifier")
    with (made / "t.pub").open("w") as public:
        words = [sys.executable, "-m", "baccarat", "journal", "key", str(made / "t.key"), "--new", "example.org/t"]
        subprocess.run(words, stdout=public, check=True)
    journal = str(made / "round.jsonl")
    script = ["--seed", "3", "--script", ";;", "--key", str(made / "t.key")]
    baccarat("play", "ma-midi-4", *script, "--journal", journal)
    baccarat("journal", "checkpoint", journal, "--key", str(made / "t.key"))
    at = records_of((made / "round.jsonl").read_bytes())[-1]["at"]
    day = datetime.fromtimestamp(at / 1e6, UTC).strftime("%Y-%m-%d")
    scopes = {"all": [], "shoe": ["--shoe", "1"], "round": ["--round", "1"], "day": ["--day", day]}
    for name, scope in scopes.items():
        key = ["--key", str(made / "t.pub")]
        baccarat("bundle", journal, *scope, *key, "--output", str(made / f"{name}.json"))
    return made


@pytest.fixture(scope="module")
def records(folder: Path) -> list[Json]:
    """The records of that round."""
    return records_of((folder / "round.jsonl").read_bytes())


def test_the_file_imports_only_the_standard_library() -> None:
    tree = ast.parse(FILE.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    assert not names & {"socket", "urllib", "http", "ssl", "subprocess", "asyncio"}


def test_journal_bundles_and_the_published_example_verify(folder: Path) -> None:
    files = [str(folder / name) for name in ("round.jsonl", "all.json", "shoe.json", "round.json", "day.json")]
    status, shown = run(*files, str(EXAMPLE))
    assert status == 0, shown
    assert "✗" not in shown
    assert shown.count(" ✓ seeds          1 of 1") == 6
    assert " ✓ checkpoint     the root of round.jsonl.checkpoint is that of the journal" in shown
    for left_out in ("signatures", "rules", "decided again"):
        assert shown.count(f" – {left_out}") == 6


def test_json_says_the_same(folder: Path) -> None:
    file = str(folder / "round.jsonl")
    status, shown = run(file, "--json")
    answer = json.loads(shown)
    assert (status, answer["status"], answer["files"][0]["file"]) == (0, 0, file)
    answers = {check["check"]: check["answer"] for check in answer["files"][0]["checks"]}
    assert answers["chain"] == "holds"
    assert answers["decided again"] == "not checked"


@pytest.mark.slow
@pytest.mark.parametrize("submission", ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4", "nj-punto-banco"])
def test_a_whole_shoe_of_each_submission_verifies(submission: str, tmp_path: Path) -> None:
    file = tmp_path / "shoe.jsonl"
    baccarat("play", submission, "--auto", "--seed", "a whole shoe", "--journal", str(file))
    report = verifier.verify(file.read_bytes())
    assert report.status == 0, list(report.lines())
    turned = sum("proof" in record.get("command", {}) for record in records_of(file.read_bytes()))
    seeds = next(check for check in report.checks if check.name == "seeds")
    assert seeds.text == f"1 of 1: commitment, order and root; {turned} cards"
    assert turned > 300


def test_the_published_values_of_the_shuffle_come_out() -> None:
    fields = [verifier.with_length(value) for value in (b"1", b"17", b"00" * 32)]
    header = b"".join(fields) + verifier.u64(8)
    begin = time.perf_counter()
    made = verifier.derive(bytes(range(32)), header, b"17", 8, [b"seat 4"])
    assert time.perf_counter() - begin < 0.5  # some milliseconds on a machine that is not busy
    assert (made.commitment.hex()[:16], made.root.hex()[:16]) == ("a51b582ec25499f2", "40e5607d321c8440")
    assert made.cards[100] == "Kd"


# ------------------------------------------------------------------------------------ the other way round: our shoes


def own_shoe(shoe: str, seed: bytes, rulebook: str, contributions: list[str]) -> list[Json]:
    """The commands of an electronic shoe whose every hash the verifier made; one card is turned and proved."""
    names = [verifier.with_length(name.encode()) for name in ("1", shoe, rulebook)]
    header = b"".join(names) + verifier.u64(8)
    made = verifier.derive(seed, header, shoe.encode(), 8, [value.encode() for value in contributions])
    salts = [verifier.mac(seed, b"baccarat/salt" + verifier.u64(index))[:16] for index in range(416)]
    leaves = [sha(b"\0" + verifier.leaf_of(index, made.cards[index], salts[index])) for index in range(416)]
    card = made.cards[100]
    proof = {"salt": salts[100].hex(), "path": [node.hex() for node in tree_path(leaves, 100)]}
    acts = [{"do": "prepare_cards", "act": act} for act in ("inspect", "verify", "spread", "wash", "stack")]
    return [
        {"do": "commit_shoe", "table": "1", "shoe": shoe, "commitment": made.commitment.hex()},
        *({"do": "contribute", "seat": seat, "value": value} for seat, value in enumerate(contributions, start=1)),
        {"do": "receive_cards", "set_id": f"set {shoe}", "decks": 8},
        *acts,
        {"do": "shuffle_cards", "steps": ["riffle", "riffle", "turn", "riffle", "strip", "cut"]},
        {"do": "lace_cards", "cards": 52},
        {"do": "seal_order", "root": made.root.hex()},
        {"do": "answer_cut", "seat": 2, "accept": False},
        {"do": "answer_cut", "seat": 1, "accept": True},
        {"do": "cut_cards", "in_front": 100, "seat": 1},
        {"do": "place_cover_card", "behind": 14},
        {"do": "load_shoe"},
        {"do": "burn_cards"},
        {"do": "turn_card", "position": 0, "card": {"rank": card[0], "suit": card[1]}, "proof": proof},
        {"do": "burn_cards"},
        {"do": "abandon_shoe", "reason": "enough"},
    ]


@pytest.fixture(scope="module")
def own(folder: Path) -> bytes:
    """A journal of two shoes that the verifier shuffled and the program took: one revealed, one whose seed is lost."""
    rulebook = records_of((folder / "round.jsonl").read_bytes())[0]["rulebook"]
    approvals = [{"who": "boss", "role": "casino supervisor"}]
    seed = sha(b"own")
    script: list[Json] = [
        {"submission": "ma-midi-4"},
        {"do": "sit", "seat": 1, "person": "p1"},
        {"do": "sit", "seat": 2, "person": "p2"},
        *own_shoe("0", seed, rulebook, ["héllo 😀", "a" * 64]),
        {"do": "reveal_seed", "seed": seed.hex()},
        {"do": "close_shoe"},
        *own_shoe("1", sha(b"lost"), rulebook, []),
        {"do": "report_lost_seed", "reason": "gone", "approvals": approvals},
        {"do": "close_shoe"},
    ]
    (folder / "own.script").write_text("".join(json.dumps(line) + "\n" for line in script))
    baccarat("run", str(folder / "own.script"), "--journal", str(folder / "own.jsonl"))
    return (folder / "own.jsonl").read_bytes()


def test_the_program_takes_shoes_that_the_verifier_shuffled(own: bytes) -> None:
    report = verifier.verify(own)
    assert report.status == 0, list(report.lines())
    texts = {check.name: check.skipped or check.text for check in report.checks}
    assert texts["shoes"].startswith("2 electronic, 2 with a sealed order")
    assert texts["seeds missing"] == 'no seed is in this file for the shoe "1"'
    assert texts["contributions"].endswith('the shoe "1"')


def test_an_order_that_its_seed_disproves_is_found_by_verifier_and_audit(folder: Path) -> None:
    """Another root is sealed, the shoe is given up, and the committed seed is opened: the program takes the proof."""
    rulebook = records_of((folder / "round.jsonl").read_bytes())[0]["rulebook"]
    seed = sha(b"own")
    acts = own_shoe("0", seed, rulebook, ["x", "y"])
    sealed = next(at for at, act in enumerate(acts) if act["do"] == "seal_order")
    script: list[Json] = [
        {"submission": "ma-midi-4"},
        {"do": "sit", "seat": 1, "person": "p1"},
        {"do": "sit", "seat": 2, "person": "p2"},
        *acts[:sealed],
        {"do": "seal_order", "root": "0" * 64},
        {"do": "abandon_shoe", "reason": "no card proves"},
        {"do": "reveal_seed", "seed": seed.hex()},
        {"do": "abandon_shoe", "reason": "it goes to the regulator"},
        {"do": "close_shoe"},
    ]
    path = folder / "disproved.jsonl"
    (folder / "disproved.script").write_text("".join(json.dumps(line) + "\n" for line in script))
    baccarat("run", str(folder / "disproved.script"), "--journal", str(path))
    report = verifier.verify(path.read_bytes())
    assert report.status
    assert [check.name for check in report.checks if check.faults] == ["seeds"]
    assert "the sealed root of the order" in "".join(report.lines())
    audit = JournalAudit()
    audit.file(path)
    assert [finding.kind for finding in audit.report().findings] == ["order_not_the_seeds"]
    ((python, javascript),) = both([path])
    assert (python.status, python.first_line) == (javascript.status, javascript.first_line)
    assert javascript.status == 1
    says = {check["name"]: check for check in reports_of([path])[0]["checks"] if check["holds"] is False}
    assert set(says) == {"seeds"}, says


# ------------------------------------------------------------------------------------ forgeries


@pytest.mark.slow
def test_any_field_that_is_changed_alone_is_found_at_its_line(folder: Path, records: list[Json]) -> None:
    heads = [json.loads(line) for line in (folder / "round.jsonl").read_bytes().splitlines()]
    hashes = [line["hash"] for line in heads if "record" in line]
    kinds = kinds_of_field(records)
    assert len(kinds) > 60
    lines = [b'{"hash":"%s","record":%s}\n' % (h.encode(), canonical(r)) for h, r in zip(hashes, records, strict=True)]
    for kind, (index, path) in kinds.items():
        forged = b'{"hash":"%s","record":%s}\n' % (hashes[index].encode(), canonical(edited(records[index], path)))
        report = verifier.verify(b"".join([*lines[:index], forged, *lines[index + 1 :]]))
        assert report.status, kind
        shown = report.unreadable or str(next(c for c in report.checks if c.name == "chain").faults[0])
        assert shown.startswith(f"line {index + 1}"), (kind, shown)


REMADE: dict[str, tuple[str, str, str]] = {
    "table of the header": ("shoe_committed", "table", "seeds"),
    "shoe of the header": ("shoe_committed", "shoe", "shoes"),
    "rulebook of the header": ("shoe_committed", "rulebook", "seeds"),
    "decks of the header": ("shoe_committed", "decks", "seeds"),
    "commitment": ("shoe_committed", "commitment", "seeds"),
    "contribution": ("contribution_made", "value", "seeds"),
    "root": ("order_sealed", "root", "seeds"),
    "cut": ("cards_cut", "in_front", "card proofs"),
    "position of a card": ("burned_card_turned", "position", "seeds"),
    "seed": ("seed_revealed", "seed", "seeds"),
    "what became of the seed": ("shoe_closed", "seed", "shoes"),
}


@pytest.mark.parametrize("what", REMADE)
def test_a_change_of_the_shoe_is_found_though_all_hashes_are_remade(what: str, own: bytes) -> None:
    event, name, check = REMADE[what]
    forged = copy.deepcopy(records_of(own))
    index, found = first_with(forged, event)
    found[name] = changed(found[name])
    for data in (journal_of(forged), canonical(bundle_of(forged))):
        report = verifier.verify(data)
        assert report.status == 1, list(report.lines())
        assert check in faulty(report)
        assert not faulty(report) & {"chain", "tree", "entries", "form"}
    assert index


def in_turned(change: Callable[[Json], None]) -> Callable[[list[Json]], list[Json]]:
    """A forgery of the first record that turns a card with a proof."""

    def forge(records: list[Json]) -> list[Json]:
        change(next(record for record in records if record.get("command", {}).get("do") == "turn_card"))
        return records

    return forge


def other_card(record: Json) -> None:
    """Another card, in the command and the event alike."""
    for card in (record["command"]["card"], record["events"][0]["card"]):
        card["rank"] = "9" if card["rank"] != "9" else "8"


def without(event: str) -> Callable[[list[Json]], list[Json]]:
    """A forgery that leaves out the first record with this event, and numbers the rest anew."""

    def forge(records: list[Json]) -> list[Json]:
        index, _ = first_with(records, event)
        return renumbered([*records[:index], *records[index + 1 :]])

    return forge


def twice(event: str) -> Callable[[list[Json]], list[Json]]:
    """A forgery in which the first record with this event stands there twice, and all are numbered anew."""

    def forge(records: list[Json]) -> list[Json]:
        index, _ = first_with(records, event)
        return renumbered([*records[: index + 1], *copy.deepcopy(records[index:])])

    return forge


def renamed(records: list[Json], event: str, name: str, *, last: bool = False) -> list[Json]:
    """A forgery that gives the first event of a name, or the last one, another name."""
    found = [one for record in records for one in record.get("events", []) if one["event"] == event]
    found[-1 if last else 0]["event"] = name
    return records


def moved(event: str, *, after: str) -> Callable[[list[Json]], list[Json]]:
    """A forgery that puts one record after another, and numbers all anew."""

    def forge(records: list[Json]) -> list[Json]:
        index, _ = first_with(records, event)
        record = records.pop(index)
        at, _ = first_with(records, after)
        return renumbered([*records[: at + 1], record, *records[at + 1 :]])

    return forge


FORGED: dict[str, tuple[Callable[[list[Json]], list[Json]], str]] = {
    "another card": (in_turned(other_card), "card proofs"),
    "another card in the event only": (
        in_turned(lambda record: record["events"][0]["card"].update(suit=changed("x"), rank="2")),
        "shoes",
    ),
    "another salt": (in_turned(lambda record: record["command"]["proof"].update(salt="0" * 32)), "card proofs"),
    "a salt of the wrong type": (in_turned(lambda record: record["command"]["proof"].update(salt=7)), "card proofs"),
    "a path cut short": (in_turned(lambda record: record["command"]["proof"]["path"].pop()), "card proofs"),
    "a path too long": (in_turned(lambda record: record["command"]["proof"]["path"].append("0" * 64)), "card proofs"),
    "a path out of order": (in_turned(lambda record: record["command"]["proof"]["path"].reverse()), "card proofs"),
    "no proof": (in_turned(lambda record: record["command"].pop("proof")), "card proofs"),
    "another position in the command": (in_turned(lambda record: record["command"].update(position=5)), "card proofs"),
    "a position beyond the shoe": (in_turned(lambda record: record["command"].update(position=416)), "card proofs"),
    "a position of the wrong type": (in_turned(lambda record: record["command"].update(position="0")), "card proofs"),
    "no commitment": (without("shoe_committed"), "shoes"),
    "no contribution": (without("contribution_made"), "seeds"),
    "no seal": (without("order_sealed"), "shoes"),
    "no end of a shoe": (without("shoe_closed"), "shoes"),
    "the seed opened twice": (twice("seed_revealed"), "seeds"),
    "lost after it was opened": (
        lambda records: renamed(twice("seed_revealed")(records), "seed_revealed", "seed_lost", last=True), "shoes"),
    "called disproved": (lambda records: renamed(records, "seed_revealed", "order_disproved"), "seeds"),
    "no seed": (without("seed_revealed"), "shoes"),
    "sealed after the cut": (moved("order_sealed", after="cards_cut"), "shoes"),
    "contributed after the seal": (moved("contribution_made", after="order_sealed"), "shoes"),
    "contributions exchanged": (
        moved("contribution_made", after="contribution_made"),
        "seeds",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", FORGED)
def test_a_forged_shoe_is_found_though_all_hashes_are_remade(what: str, own: bytes) -> None:
    forge, check = FORGED[what]
    report = verifier.verify(journal_of(forge(records_of(own))))
    assert report.status == 1, list(report.lines())
    assert check in faulty(report), list(report.lines())
    assert not faulty(report) & {"chain", "form"}, list(report.lines())


def test_what_this_verifier_finds_in_forged_shoes_the_one_in_javascript_finds_too(own: bytes, tmp_path: Path) -> None:
    journals: dict[str, bytes] = {}
    for what, (forge, _) in FORGED.items():
        journals[what] = journal_of(forge(records_of(own)))
    for what, (event, name, _) in REMADE.items():
        forged = records_of(own)
        found = first_with(forged, event)[1]
        found[name] = changed(found[name])
        journals[what] = journal_of(forged)
    paths = [tmp_path / f"{number}.jsonl" for number in range(len(journals))]
    for path, data in zip(paths, journals.values(), strict=True):
        path.write_bytes(data)
    answers = dict(zip(journals, both(paths), strict=True))
    missed = [what for what, (python, javascript) in answers.items() if not (python.status and javascript.status)]
    assert missed == []
    apart = {what: pair for what, pair in answers.items() if pair[0].first_line != pair[1].first_line}
    assert apart == {}


def test_a_payment_changed_with_all_hashes_remade_is_said_to_be_unchecked(records: list[Json]) -> None:
    forged = copy.deepcopy(records)
    _, wager = first_with(forged, "wager_placed")
    wager["stake"] += 100
    report = verifier.verify(journal_of(forged))
    assert (report.status, sign_of(report, "decided again"), sign_of(report, "signatures")) == (0, "–", "–")


def test_a_checkpoint_in_the_journal_or_beside_it_shows_what_was_rewritten(folder: Path, records: list[Json]) -> None:
    lines = (folder / "round.jsonl").read_bytes().splitlines(keepends=True)
    at = next(index for index, line in enumerate(lines) if line.startswith(b'{"checkpoint"'))
    forged = copy.deepcopy(records)
    _, wager = first_with(forged, "wager_placed")
    wager["stake"] += 100
    remade = journal_of(forged).splitlines(keepends=True)
    report = verifier.verify(b"".join([*remade[:at], lines[at], *remade[at:]]))
    assert faulty(report) == {"checkpoints"}
    beside = {"note": (folder / "round.jsonl.checkpoint").read_bytes()}
    assert faulty(verifier.verify(b"".join(remade), beside)) == {"checkpoint"}
    assert faulty(verifier.verify(b"".join(remade[:-1]), beside)) == {"checkpoint"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["all", "shoe", "round", "day"])
def test_any_field_of_a_bundle_that_is_changed_alone_is_found(name: str, folder: Path) -> None:
    bundle = json.loads((folder / f"{name}.json").read_bytes())
    kinds = kinds_of_field([{key: value for key, value in bundle.items() if key not in {"rulebooks", "program"}}])
    kinds |= {"rulebooks": (0, ("rulebooks", 0, "hash")), "filed": (0, ("rulebooks", 0, "submission", "decks"))}
    assert len(kinds) > 60
    for kind in ("checkpoint", "keys.[]"):  # they begin with a name that only the signature binds
        kinds.pop(kind, None)
    missed = [k for k, (_, path) in kinds.items() if not verifier.verify(canonical(edited(bundle, path))).status]
    assert not missed


def of_example(change: Callable[[Json], object]) -> bytes:
    """The published example, changed."""
    bundle = json.loads(EXAMPLE.read_bytes())
    change(bundle)
    return canonical(bundle)


def swapped(values: list[object]) -> None:
    """Exchange the first two."""
    values[0], values[1] = values[1], values[0]


BUNDLES: dict[str, tuple[Callable[[Json], object], str]] = {
    "another state before: hash": (lambda b: b["before"].update(hash="0" * 64), "chain"),
    "another state before: seq": (lambda b: b["before"].update(seq=161), "chain"),
    "another state before: events": (lambda b: b["before"].update(events=220), "chain"),
    "no state before": (lambda b: b.pop("before"), "chain"),
    "a record left out": (lambda b: b["entries"].pop(7), "chain"),
    "the last record left out": (lambda b: b["entries"].pop(-2), "entries"),
    "the opening left out": (lambda b: b["entries"].pop(0), "chain"),
    "records exchanged": (lambda b: swapped(b["entries"]), "entries"),
    "a record twice": (lambda b: b["entries"].insert(3, b["entries"][3]), "entries"),
    "an index too high": (lambda b: b["entries"][-1].update(index=387), "tree"),
    "an index that is not `seq`": (lambda b: b["entries"][-1].update(index=384), "entries"),
    "a hash of the proof left out": (lambda b: b["proof"].pop(), "tree"),
    "a hash of the proof too many": (lambda b: b["proof"].append(b["proof"][0]), "tree"),
    "hashes of the proof exchanged": (lambda b: swapped(b["proof"]), "tree"),
    "the size": (lambda b: b.update(checkpoint=b["checkpoint"].replace("\n387\n", "\n400\n")), "tree"),
    "the root": (lambda b: b.update(checkpoint=b["checkpoint"].replace("\nqvPu", "\nqvPv")), "tree"),
    "the round": (lambda b: b["scope"].update(round=3), "entries"),
    "the shoe": (lambda b: b["scope"].update(shoe=1), "entries"),
    "the stream": (lambda b: b["scope"].update(stream="table 2"), "entries"),
    "another kind": (lambda b: b["scope"].update(kind="shoe"), "entries"),
    "the id of a key": (lambda b: b["keys"].__setitem__(0, b["keys"][0].replace("527232e6", "527232e7")), "keys"),
    "no such rulebook": (lambda b: b["rulebooks"][0].update(hash="0" * 64), "rulebooks"),
    "another Submission": (lambda b: b["rulebooks"][0]["submission"].update(decks=6), "rulebooks"),
    "a late record with another event": (
        lambda b: b["entries"][-1]["record"]["events"][0].update(event="step"),
        "entries",
    ),
    "a hash missing within the run": (lambda b: b["entries"][9].pop("hash"), "chain"),
}


@pytest.mark.parametrize("what", BUNDLES)
def test_a_forged_bundle_is_found(what: str) -> None:
    change, check = BUNDLES[what]
    report = verifier.verify(of_example(change))
    assert report.status == 1, list(report.lines())
    assert check in faulty(report), list(report.lines())


def test_a_bundle_without_its_late_record_says_that_no_seed_is_there(folder: Path) -> None:
    bundle = json.loads((folder / "round.json").read_bytes())
    records = [entry["record"] for entry in bundle["entries"][:-1]]
    made = bundle_of(records) | {"scope": bundle["scope"]}
    report = verifier.verify(canonical(made))
    assert (report.status, sign_of(report, "seeds"), sign_of(report, "card proofs")) == (0, "–", "✓")


def test_several_streams_in_one_file_are_chains_of_their_own(records: list[Json], own: bytes) -> None:
    mixed = [record for pair in zip(records, records_of(own), strict=False) for record in pair]
    report = verifier.verify(journal_of(mixed))
    assert report.status == 0, list(report.lines())
    assert next(check.text for check in report.checks if check.name == "shoes").startswith("3 electronic")
    exchanged = journal_of(mixed).splitlines(keepends=True)
    exchanged[4], exchanged[6] = exchanged[6], exchanged[4]
    assert faulty(verifier.verify(b"".join(exchanged))) == {"chain"}


def test_records_of_one_table_passed_off_as_those_of_another_are_found(records: list[Json]) -> None:
    report = verifier.verify(journal_of([record | {"stream": "table 2"} for record in records]))
    assert faulty(report) == {"shoes"}
    assert 'the table for which a shoe commits: expected "2", found "terminal"' in "".join(report.lines())


# ------------------------------------------------------------------------------------ what is not readable


def line_with(records: list[Json], **fields: object) -> bytes:
    """A journal whose second line has these fields."""
    return journal_of([records[0], records[1] | fields])


UNREADABLE: dict[str, tuple[Callable[[list[Json]], bytes], str]] = {
    "empty": (lambda _: b"", "empty"),
    "binary": (lambda _: bytes(range(256)), "neither a journal nor a bundle"),
    "binary in a line": (lambda _: b'{"hash":"\xff\xfe"}\n', "line 1: not UTF-8"),
    "a list": (lambda _: b"[1]", "neither"),
    "half written": (lambda r: journal_of(r)[:-1], "only half written"),
    "half a bundle": (lambda r: canonical(bundle_of(r))[:-20], "not JSON"),
    "an empty line": (lambda r: journal_of(r) + b"\n", "not JSON"),
    "a huge line": (lambda r: line_with(r, id="x" * 66_000), "line 2: 66,"),
    "a key twice": (lambda r: journal_of(r).replace(b'"seq":1,', b'"seq":1,"seq":1,'), 'twice in an object: "seq"'),
    "a float": (lambda r: line_with(r, at=1.5), "not whole: 1.5"),
    "an exponent": (lambda r: journal_of(r).replace(b'"seq":1,', b'"seq":1e0,'), "not whole: 1e0"),
    "not a number": (lambda r: line_with(r, at=float("nan")), "not whole: NaN"),
    "a large number": (lambda r: line_with(r, at=2**53), "above 2^53"),
    "a very large number": (lambda r: line_with(r).replace(b'"v":1', b'"v":1' + b"0" * 9_999), "above 2^53"),
    "deep": (lambda _: b'{"hash":' + b"[" * 60_000 + b"\n", "too deep"),
    "another version": (lambda r: line_with(r, v=2), "version `v` of the form is 2"),
    "true as a version": (lambda r: line_with(r, v=True), "version `v` of the form is true"),
    "an unknown field": (lambda r: line_with(r, extra=1), 'an unknown field: found "extra"'),
    "a missing field": (lambda r: line_with(r, rulebook=None), "line 2, rulebook: wrong form: expected 64"),
    "a key that is not ASCII": (lambda r: line_with(r, command={"é": 1}), "not ASCII"),
    "such a key in a bundle": (lambda r: canonical(bundle_of([*r[:1], r[1] | {"command": {"é": 1}}])), "not ASCII"),
    "a wrong role": (lambda r: line_with(r, role="king"), 'found "king"'),
    "control characters": (lambda r: line_with(r, who="\x1b[31m"), '"\\u001b[31m"'),
    "half a surrogate pair": (
        lambda r: canonical(bundle_of(r)).replace(b'"program":"a forger', b'"program":"x"}\n{"\\ud800'),
        "not JSON",
    ),
    "a bundle of version 2": (lambda r: canonical(bundle_of(r) | {"bundle": 2}), "version 2 of a bundle"),
    "a bundle of no version": (lambda _: b"{}", "version null of a bundle"),
    "two heads": (lambda r: canonical(bundle_of(r) | {"checkpoint": "x"}), "exactly one"),
    "no entries": (lambda r: canonical(bundle_of(r) | {"entries": []}), "at least one entry"),
    "no note": (
        lambda r: canonical({k: v for k, v in bundle_of(r).items() if k != "tree_head"} | {"checkpoint": "x"}),
        "checkpoint: wrong form",
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_not_readable_is_said_in_a_sentence(what: str, records: list[Json]) -> None:
    make, message = UNREADABLE[what]
    report = verifier.verify(make(records[:3]))
    assert (report.status, report.checks) == (2, [])
    assert message in report.unreadable


def test_half_a_surrogate_pair_in_a_record_is_not_readable(records: list[Json]) -> None:
    data = json.dumps(bundle_of(records[:3])).replace('"who": "you"', '"who": "\\ud800"').encode()
    assert b"ud800" in data
    report = verifier.verify(data)
    assert "half a surrogate pair" in report.unreadable


@pytest.mark.slow
@pytest.mark.parametrize("value", [None, True, -1, 7, "x", [], [[]], {}, {"a": 1}, "\x00"], ids=repr)
def test_wrong_types_everywhere_end_in_a_report(value: object, own: bytes) -> None:
    records = records_of(own)
    for index, path in kinds_of_field(records).values():
        forged = edited(records[index], path, lambda _: value)
        report = verifier.verify(journal_of([*records[:index], forged]))
        assert report.status in {0, 1, 2}
    bundle = json.loads(EXAMPLE.read_bytes())
    for _, path in kinds_of_field(
        [{key: bundle[key] for key in bundle if key not in {"rulebooks", "entries"}}]
    ).values():
        assert verifier.verify(canonical(edited(bundle, path, lambda _: value))).status in {0, 1, 2}


def test_lines_that_are_not_canonical_are_found(records: list[Json]) -> None:
    data = journal_of(records[:3])
    for forged in (
        data.replace(b'","record":', b'", "record":', 1),
        data.replace(b"\n", b"\r\n"),
        data.replace(b"\xc2\xa7", b"\\u00a7"),
        data.replace(b'"seq":1,', b'"seq":1 ,'),
    ):
        assert forged != data
        assert "form" in faulty(verifier.verify(forged))
    usual = journal_of([records[0], records[1] | {"device": ""}])
    assert faulty(verifier.verify(usual)) == {"form"}


def test_files_that_cannot_be_read_and_wrong_usage_are_status_two(tmp_path: Path) -> None:
    assert run(str(tmp_path / "missing"))[0] == 2
    assert run(str(tmp_path))[0] == 2
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 9)
    status, shown = run(str(tmp_path / "noise"), str(EXAMPLE))
    assert status == 2
    assert "not readable: the file is neither" in shown
    done = subprocess.run([sys.executable, str(FILE)], capture_output=True, check=False)
    assert done.returncode == 2


def test_a_wrong_file_is_status_one_and_says_where(tmp_path: Path) -> None:
    forged = of_example(lambda b: b["entries"][5].update(hash="0" * 64))
    (tmp_path / "forged.json").write_bytes(forged)
    status, shown = run(str(tmp_path / "forged.json"))
    assert status == 1
    assert "entries[5] (index 167): the hash: expected e149e056" in shown
    assert "found " + "0" * 64 in shown


def test_the_tree_fits_its_recursive_definition() -> None:
    tree = verifier.Tree()
    leaves: list[bytes] = []
    for size in range(1, 70):
        entry = b"entry %d" % size
        tree.add(entry)
        leaves.append(sha(b"\0" + entry))
        root = tree_root(leaves)
        assert tree.root(size) == root
        for index in range(size):
            path = tree_path(leaves, index)
            assert verifier.root_by_path(leaves[index], index, size, path) == root
            assert verifier.root_by_path(leaves[index], index, size, [*path, bytes(32)]) != root
    assert base64.b64encode(verifier.Tree().root(0)).decode() == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
