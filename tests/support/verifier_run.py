"""The independent verifier, run from outside or called."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import forked
import verify_baccarat as verifier
from paths import ROOT
from remade import (
    Json,
    canonical,
    sha,
    tree_path,
)

FILE = Path(verifier.__file__)
EXAMPLE = ROOT / "docs" / "examples" / "round.bundle.json"


def baccarat(*words: str) -> None:
    """Run the program, as an outsider would."""
    forked.run(*words).check_returncode()


def run(*words: str) -> tuple[int, str]:
    """Run the verifier: its exit status and what it printed; it never ends in a trace."""
    done = subprocess.run([sys.executable, "-I", str(FILE), *words], capture_output=True, check=False)
    assert not done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode("utf-8")


def faulty(report: verifier.Report) -> set[str]:
    """The names of the checks that found something wrong."""
    return {check.name for check in report.checks if check.sign == "✗"}


def own_shoe(shoe: str, seed: bytes, rulebook: str, contributions: list[str]) -> list[Json]:
    """The commands of an electronic shoe whose every hash the verifier made; one card is turned and proved."""
    names = [verifier.with_length(name.encode()) for name in ("1", shoe, rulebook)]
    header = b"".join(names) + verifier.u64(8)
    made = verifier.derive(verifier.Shoe(shoe, header, 8, "", contributions=contributions), seed)
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


def of_example(change: Callable[[Json], object]) -> bytes:
    """The published example, changed."""
    bundle = json.loads(EXAMPLE.read_bytes())
    change(bundle)
    return canonical(bundle)
