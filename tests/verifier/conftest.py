"""What the program played and wrote down, for whoever verifies it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import forked
import verify_baccarat as verifier
from remade import Json, records_of, sha
from verifier_run import baccarat, own_shoe
from verify_baccarat import DerivedShoe


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A round at a table: its journal with signed checkpoints, and bundles of all scopes."""
    made = tmp_path_factory.mktemp("verifier")
    key = forked.run("journal", "key", str(made / "t.key"), "--new", "example.org/t")
    key.check_returncode()
    (made / "t.pub").write_bytes(key.stdout)
    journal = str(made / "round.jsonl")
    script = ["--seed", "3", "--script", ";;", "--key", str(made / "t.key")]
    baccarat("play", "ma-midi-4", *script, "--journal", journal)
    baccarat("journal", "checkpoint", journal, "--key", str(made / "t.key"))
    at = records_of((made / "round.jsonl").read_bytes())[-1]["at"]
    day = datetime.fromtimestamp(at / 1e6, UTC).strftime("%Y-%m-%d")
    scopes = {"all": [], "shoe": ["--shoe", "1"], "round": ["--round", "1"], "day": ["--day", day]}
    for name, scope in scopes.items():
        baccarat("bundle", journal, *scope, "--key", str(made / "t.pub"), "--output", str(made / f"{name}.json"))
    return made


@pytest.fixture
def derived_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each shoe is derived once: a test that changes every field has the verifier read the same seed many times."""
    derive, made = verifier.derive, dict[Any, DerivedShoe]()

    def find(shoe: verifier.Shoe, seed: bytes) -> DerivedShoe:
        key = (seed, shoe.header, shoe.id, shoe.decks, *shoe.contributions, shoe.inputs, *shoe.shares.values())
        if key not in made:
            made[key] = derive(shoe, seed)
        return made[key]

    monkeypatch.setattr(verifier, "derive", find)


@pytest.fixture(scope="session")
def records(folder: Path) -> list[Json]:
    """The records of that round."""
    return records_of((folder / "round.jsonl").read_bytes())


@pytest.fixture(scope="session")
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
