"""An electronic shoe: commitment, order and tree, and the proof of a card, the old way and the new way, in turns.

Run: make bench, or .venv/bin/python bench/shoe.py [TURNS]

Seconds are processor time, and the best of the turns counts. The old way rebuilds the whole tree for every proof;
the new one caches it. Both must give the same root and the same proofs, or this stops.
"""

from __future__ import annotations

import hashlib
import hmac
import sys
import time
from collections.abc import Callable

from msgspec.structs import replace

from baccarat.cards import decks
from baccarat.chain import leaf_hash, path, root
from baccarat.law.rulebook import rulebook
from baccarat.shuffle import commitment_2, header_2, inputs_2, order_2
from baccarat.table.gate import gate_fault
from baccarat.table.machine import begin
from baccarat.table.proof import CardProof, inputs_for
from baccarat.table.shoe_state import Shoe
from baccarat.table.source import SealedShoe
from baccarat.table.state import TableState, with_shoe

RULES = rulebook("ma-midi-4")
SEED = bytes(range(32))
STATE = replace(begin(RULES), shoe=Shoe(decks=8))
HEADER = header_2(origin="", table="T1", shoe="0", rulebook_hash=RULES.hash, decks=8, witnesses=())
IN_FRONT = 208


def old_leaves() -> tuple[str, list[bytes], list[bytes]]:
    """Commitment, order, salts and tree as they were made before: root, leaves, salts."""
    inputs = inputs_2(HEADER, commitment_2(SEED, HEADER), contributions=(), in_front=IN_FRONT)
    cards = decks(8)
    stack = tuple(cards[index] for index in order_2(SEED, size=416, shoe="0", inputs=inputs, shares=()))
    salts = [
        hmac.new(SEED, b"baccarat/salt/2" + inputs + index.to_bytes(8, "big"), hashlib.sha256).digest()[:16]
        for index in range(len(stack))
    ]
    leaves = [
        leaf_hash(index.to_bytes(4, "big") + str(card).encode() + salt)
        for index, (card, salt) in enumerate(zip(stack, salts, strict=True))
    ]
    return root(leaves).hex(), leaves, salts


def old_proof(leaves: list[bytes], salts: list[bytes], index: int) -> CardProof:
    """A proof as it was made before."""
    return CardProof(salts[index].hex(), tuple(each.hex() for each in path(leaves, index)))


def new_shoe() -> SealedShoe:
    """Commitment, order, salts and tree as they are made now."""
    shoe = SealedShoe(RULES, lambda _number: SEED, table="T1")
    shoe.root(committed(shoe))
    return shoe


def committed(shoe: SealedShoe) -> TableState:
    """A table whose shoe has committed to its seed, is cut, and has closed its inputs."""
    held = shoe.promise(RULES, STATE)
    assert held is not None
    return with_shoe(STATE, commitment=replace(held, inputs=inputs_for(held, IN_FRONT)))


def seconds(act: Callable[[], object], *, times: int = 1) -> float:
    """The processor seconds of an act."""
    start = time.process_time()
    for _ in range(times):
        act()
    return (time.process_time() - start) / times


def main() -> None:
    """Both ways in turns."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    found, leaves, salts = old_leaves()
    shoe = new_shoe()
    state = committed(shoe)
    held = state.shoe.commitment
    assert held is not None
    assert found == shoe.root(state), "the same root"
    assert all(shoe.card(state, index)[1] == old_proof(leaves, salts, index) for index in range(416)), "the same proofs"
    acts: dict[str, tuple[Callable[[], object] | None, Callable[[], object], int, float]] = {
        "commitment, order and tree": (old_leaves, new_shoe, 1, 1e3),
        "a card with its proof": (lambda: old_proof(leaves, salts, 217), lambda: shoe.card(state, 217), 20, 1e6),
        "the gate before the seal": (None, lambda: gate_fault(held, SEED, shoe.stack(state)), 1, 1e3),
    }
    print(f"{'':<28} {'old way':>12} {'new way':>12} {'ratio':>8}")
    for name, (old, new, times, unit) in acts.items():
        best = [float("inf"), float("inf")]
        for _ in range(turns):
            for index, act in enumerate((old, new)):
                if act is not None:
                    best[index] = min(best[index], seconds(act, times=times))
        word = "ms" if unit == 1e3 else "µs"
        before = f"{best[0] * unit:>9.2f} {word}" if old is not None else f"{'–':>12}"
        ratio = f"{best[0] / best[1]:>8.1f}" if old is not None else ""
        print(f"{name:<28} {before} {best[1] * unit:>9.2f} {word} {ratio}")


if __name__ == "__main__":
    main()
