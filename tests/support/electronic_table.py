"""Tables with an electronic shoe."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any

from baccarat.shuffle import share_promise
from baccarat.table.share_note import share_text
from baccarat.table.shoe_state import WitnessPromise
from baccarat.table.source import SealedShoe, Shares
from baccarat.table.state import TableState
from strategies import NEW_JERSEY
from table_driver import Game, new_game, seated
from table_walk import as_json, auditor_of
from triggers import FirstWager

EDITIONS = ["ma-midi-4", NEW_JERSEY]
TABLE = "T7"
SHORT = 380
"""A cover card so deep that a shoe has a few rounds only."""


def seed_of(number: int) -> bytes:
    """The seed of a shoe."""
    return bytes([number + 11]) * 32


class OrderOneShoe(SealedShoe):
    """An electronic shoe as older journals have it: sealed before the cut, known to the house beforehand."""

    ORDER = 1


class Witnesses:
    """Witnesses of a table's log that promise and open shares; their signatures are not checked by a table."""

    def __init__(self, *names: str, table: str = TABLE) -> None:
        self.origin = f"example.org/house/table/{table}"
        self.leaf: Callable[[], bytes] = lambda: bytes(32)
        """The hash of the record that closed the inputs, which a table alone does not know."""
        self.keys = {share_key(name): hashlib.sha256(name.encode()).digest() for name in names}

    def share_of(self, key: str, shoe: str) -> bytes:
        """The share of a witness in a shoe."""
        return hashlib.sha256(self.keys[key] + shoe.encode()).digest()

    def promises(self, shoe: str) -> tuple[WitnessPromise, ...]:
        """What each has promised."""
        return tuple(
            WitnessPromise(
                key=key,
                promise=share_promise(self.share_of(key, shoe), key=key, origin=self.origin, shoe=shoe).hex(),
            )
            for key in sorted(self.keys)
        )

    def awaits(self, state: TableState) -> bool:
        """They answer immediately."""
        del state
        return False

    def open_share(self, state: TableState) -> tuple[str, tuple[str, ...]] | None:
        """The next share that is missing."""
        held = state.shoe.commitment
        assert held is not None
        return next(((key, self.note(key, held.shoe, leaf=self.leaf())) for key in held.missing_shares), None)

    def note(self, key: str, shoe: str, *, leaf: bytes = bytes(32), share: bytes | None = None) -> tuple[str, ...]:
        """The note of a witness, line by line, with zeros where its signature belongs."""
        share = self.share_of(key, shoe) if share is None else share
        name, key_id, _ = key.split("+", 2)
        signed = base64.b64encode(bytes.fromhex(key_id) + bytes(64)).decode()
        text = share_text(origin=self.origin, shoe=shoe, leaf=leaf, share=share)
        return (*text.removesuffix("\n").split("\n"), "", f"— {name} {signed}")


def share_key(name: str) -> str:
    """A share key that belongs to nobody."""
    data = b"\x01" + hashlib.sha256(name.encode()).digest()
    key_id = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4]
    return f"{name}+{key_id.hex()}+{base64.b64encode(data).decode()}"


def electronic(edition: str, *, seats: tuple[int, ...] = (1, 3, 5), seeds: Callable[[int], bytes] = seed_of,
               kind: type[SealedShoe] = SealedShoe, shares: Shares | None = None,
               **elections: Any) -> Game:  # fmt: skip
    """A table just opened with an electronic shoe, and people at it."""
    game = new_game(edition, cover_card_depth=SHORT, **elections)
    game.source = kind(game.rules, seeds, table=TABLE, triggers=FirstWager(game.rules), shares=shares)
    return seated(game, seats)


def step_on(game: Game) -> None:
    """The next act that is due, or a wager where only that can come."""
    if game.step == "wager" and not game.state.round.wagers:
        game.wager("1 t 500")
    else:
        game.act()


def at_close(edition: str, **elections: Any) -> Game:
    """An electronic shoe played to its end."""
    game = electronic(edition, **elections).go("wager")
    while game.step != "close":
        step_on(game)
    return game.go_to_act("reveal_seed")


def committed(game: Game) -> Game:
    """The same table, its shoe committed to."""
    game.go_to_act("commit_shoe").act()
    return game


def audited(game: Game) -> None:
    """The log alone, read by somebody who shares no code with the table, and replayed."""
    assert auditor_of(game.rules).audit([as_json(event) for event in game.table.log]) == []
    game.check_replay()
