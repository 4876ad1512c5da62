"""One field of a journal forged: any, as it stands, or one that seals the shoe, with every hash made anew."""

from __future__ import annotations

import json
import random
from typing import Any

import msgspec

from baccarat.record.journal import BODY_START
from kept import rehashed
from remade import Json, canonical, changed, edited, leaves_of

Path = tuple[str | int, ...]

# What commitment, seal, proofs and seed bind, by the command that brings it: no forger can change one of these alone,
# though he holds every copy of the journal and makes all hashes anew.
SEALED: dict[str, tuple[str, ...]] = {
    "commit_shoe": (
        "events.[].table",
        "events.[].shoe",
        "events.[].rulebook",
        "events.[].decks",
        "events.[].commitment",
    ),
    "contribute": ("events.[].value",),
    "seal_order": ("events.[].root",),
    "cut_cards": ("events.[].in_front",),
    "turn_card": (
        "command.position",
        "command.card.rank",
        "command.card.suit",
        "command.proof.salt",
        "command.proof.path.[]",
        "events.[].card.rank",
        "events.[].card.suit",
        "events.[].position",
    ),
    "reveal_seed": ("events.[].seed",),
}
NEXT_RANK, NEXT_SUIT = "A23456789TJQKA", "shdcs"


class Forged(msgspec.Struct, frozen=True):
    """A journal with one field forged: the line that has it, the kind of field, and whether hashes were made anew."""

    data: bytes
    line: int
    kind: str
    rehashed: bool


def kind_of(path: Path) -> str:
    """The kind of a field: its path, in which every position of a list is the same."""
    return ".".join("[]" if isinstance(step, int) else step for step in path)


def forged_anywhere(journal: bytes, chance: random.Random) -> Forged:
    """Any field of any line changed, its recorded hash among them, and nothing else."""
    lines = journal.splitlines(keepends=True)
    index = chance.randrange(len(lines))
    line = json.loads(lines[index])
    path = _any_of_a_kind(line, chance)
    lines[index] = canonical(edited(line, path)) + b"\n"
    return Forged(b"".join(lines), index + 1, kind_of(path), rehashed=False)


def forged_seal(journal: bytes, chance: random.Random) -> Forged:
    """One field of the shoe's commitment, contributions, seal, cut, cards or seed changed, and every hash made anew."""
    lines = journal.splitlines(keepends=True)
    bodies = [line[BODY_START:-2] for line in lines]
    present = [act for act in SEALED if any(_does(body, act) for body in bodies)]
    act = chance.choice(present)
    kind = chance.choice(SEALED[act])
    index = chance.choice([index for index, body in enumerate(bodies) if _does(body, act)])
    record = json.loads(bodies[index])
    path = chance.choice([path for path in leaves_of(record) if kind_of(path) == kind])
    lines[index] = lines[index][:BODY_START] + canonical(edited(record, path, _change_of(path))) + b"}\n"
    return Forged(b"".join(rehashed(lines)), index + 1, f"{kind} of {act}", rehashed=True)


def _does(body: bytes, act: str) -> bool:
    return b'"do":"%s"' % act.encode() in body


def _any_of_a_kind(line: Json, chance: random.Random) -> Path:
    """A kind of field at random, and one field of it: a proof's many hashes do not hide the rest."""
    paths = list(leaves_of(line))
    kind = chance.choice(sorted({kind_of(path) for path in paths}))
    return chance.choice([path for path in paths if kind_of(path) == kind])


def _change_of(path: Path) -> Any:
    """Another value that can be read as well: the next rank or suit of a card, otherwise whatever is near."""
    if path[-1] in ("rank", "suit"):
        following = NEXT_RANK if path[-1] == "rank" else NEXT_SUIT
        return lambda value: following[following.index(value) + 1]
    return changed
