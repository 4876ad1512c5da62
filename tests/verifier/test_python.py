"""The independent verifier: what the program writes verifies, and the program takes what the verifier made."""

from __future__ import annotations

import ast
import json
import sys
import time
from pathlib import Path

import pytest

import verify_baccarat as verifier
from baccarat.audit.journal import JournalAudit
from javascript import reports_of
from remade import (
    Json,
    records_of,
    sha,
)
from two_verifiers import both
from verifier_run import EXAMPLE, FILE, baccarat, own_shoe, run

pytestmark = pytest.mark.slow


def test_the_file_imports_only_the_standard_library() -> None:
    tree = ast.parse(FILE.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    assert not names & {"socket", "urllib", "http", "ssl", "subprocess", "asyncio"}


def test_no_sentence_names_a_function_of_the_program() -> None:
    """A renaming once went through the texts, too: "10 signed checkpoints compare_notes with those seen before"."""
    tree = ast.parse(FILE.read_text())
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and "_" in node.name}
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    sentences = {text for text in texts if " " in text.strip()}
    assert not {text for text in sentences for word in text.split() if word.strip(".,:;") in names}


def test_journal_bundles_and_the_published_example_verify(folder: Path) -> None:
    files = [str(folder / name) for name in ("round.jsonl", "all.json", "shoe.json", "round.json", "day.json")]
    status, shown = run(*files, str(EXAMPLE))
    assert status == 3, shown
    assert shown.endswith("Nothing is wrong in what was checked; not all of it is covered.\n")
    assert "✗" not in shown
    assert shown.count(" ✓ seeds          1 of 1") == 6
    assert " ✓ checkpoint     the root of round.jsonl.checkpoint is that of the journal" in shown
    for left_out in ("rules", "decided again"):
        assert shown.count(f" – {left_out}") == 6


def test_a_cosignature_is_dated_in_words_wherever_a_calendar_has_the_time() -> None:
    assert verifier.utc(1_763_164_800) == "2025-11-15 00:00:00 UTC"
    assert verifier.utc(2**63 - 1) == str(2**63 - 1)


def test_json_says_the_same(folder: Path) -> None:
    file = str(folder / "round.jsonl")
    status, shown = run(file, "--json")
    answer = json.loads(shown)
    assert (status, answer["status"], answer["files"][0]["file"]) == (3, 3, file)
    answers = {check["check"]: check["answer"] for check in answer["files"][0]["checks"]}
    assert answers["chain"] == "holds"
    assert answers["decided again"] == "not checked"


@pytest.mark.slow
@pytest.mark.parametrize("submission", ["ma-midi-1", "ma-midi-2", "ma-midi-3", "ma-midi-4", "nj-punto-banco"])
def test_a_whole_shoe_of_each_submission_verifies(submission: str, tmp_path: Path) -> None:
    file = tmp_path / "shoe.jsonl"
    baccarat("play", submission, "--auto", "--seed", "a whole shoe", "--journal", str(file))
    report = verifier.verify(file.read_bytes())
    assert report.status == 3, list(report.lines())
    turned = sum("proof" in record.get("command", {}) for record in records_of(file.read_bytes()))
    seeds = next(check for check in report.checks if check.name == "seeds")
    assert seeds.text == f"1 of 1: commitment, order and root; {turned} cards"
    assert turned > 300


def test_the_published_values_of_the_shuffle_come_out() -> None:
    fields = [verifier.with_length(value) for value in (b"1", b"17", b"00" * 32)]
    header = b"".join(fields) + verifier.u64(8)
    begin = time.process_time()
    made = verifier.derive(verifier.Shoe("17", header, 8, "", contributions=["seat 4"]), bytes(range(32)))
    assert time.process_time() - begin < 0.5  # some milliseconds
    assert (made.commitment.hex()[:16], made.root.hex()[:16]) == ("a51b582ec25499f2", "40e5607d321c8440")
    assert made.cards[100] == "Kd"


# ------------------------------------------------------------------------------------ the other way round: our shoes


def test_the_program_takes_shoes_that_the_verifier_shuffled(own: bytes) -> None:
    report = verifier.verify(own)
    assert report.status == 3, list(report.lines())
    texts = {check.name: check.skipped or check.text for check in report.checks}
    assert texts["shoes"].startswith("2 electronic, 2 with a sealed order")
    assert texts["seeds missing"] == "no seed is in this file for shoe 2"
    assert texts["orders"].count("the house alone could have known this order beforehand") == 2


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
    assert report.status == 1
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
