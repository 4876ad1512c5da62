"""The witnesses of a table: the share keys of those who have a share in the order of each of its electronic shoes.

They are on record from the first entry of the table's stream, and change only by an act of two persons, on notice
(`witness_change.py`). A table that was opened before this was recorded states none (`UNSET`, which is not written):
there each commitment names its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from baccarat.shuffle import MOST_WITNESSES
from baccarat.table.bounds import Label
from baccarat.table.share_note import read_share_key

WitnessKeys = Annotated[tuple[Label, ...], Meta(max_length=MOST_WITNESSES)]
"""Share keys as text, sorted, each another."""
StatedWitnesses = WitnessKeys | UnsetType


def are_share_keys(keys: Sequence[str]) -> bool:
    """Whether texts are share keys as a header has them: sorted, and no public key twice."""
    found = [read_share_key(key) for key in keys]
    return list(keys) == sorted(keys) and len({each.public for each in found if each is not None}) == len(keys)


def witnesses_text(keys: StatedWitnesses) -> str:
    """The witnesses of a table by their names, in words."""
    if keys is UNSET:
        return "not stated"
    return ", ".join(key.partition("+")[0] for key in keys) or "none"
