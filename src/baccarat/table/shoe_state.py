"""The shoe on a table: what has come from it, and what an electronic one has committed to."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from baccarat.cards import Card
from baccarat.table.bounds import Hash, Label, Means
from baccarat.values import short_repr


class SeedContribution(msgspec.Struct, frozen=True, gc=False):
    """What a seat has put into the order of an electronic shoe: a text, whose UTF-8 bytes are used."""

    seat: int
    value: str


class WitnessPromise(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A witness that has a share in the order of a shoe: its share key, and the promise of the share."""

    key: Annotated[Label, Means("the witness's share key, as text")]
    promise: Annotated[Hash, Means("the promise of its share, 64 lower-case hexadecimal digits")]


class WitnessShare(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A share that a witness has opened: its key, the share, and the hash of the record that it was opened for."""

    key: str
    share: str
    leaf: str


class Commitment(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What an electronic shoe has published of its order, and at its end the seed that explains all of it."""

    order: int = 1
    """How the order is derived: 1, or 2, which also depends on the cut and on the shares of witnesses."""
    origin: str = ""
    """The name of the table's log; empty where nobody signs it, and for order 1."""
    witnesses: tuple[WitnessPromise, ...] = ()
    """The witnesses that have a share in order 2, sorted by their keys."""
    inputs: str = ""
    """The hash of everything that order 2 depends on but the shares, once the inputs are closed."""
    shares: tuple[WitnessShare, ...] = ()
    """The shares that have been opened, in the order in which they came."""
    seated: tuple[int, ...] = ()
    """The seats that were taken when the inputs were closed, and that nobody has left since."""

    table: str
    shoe: str
    """The shoe's id, which the header and the order depend on."""
    rulebook: str
    decks: int
    hash: str
    """The commitment itself, 64 hexadecimal digits."""
    contributions: tuple[SeedContribution, ...] = ()
    """In the order in which they came."""
    seed: str = ""
    """The seed, once it is revealed."""
    lost: bool = False
    """Whether two persons have reported that nobody has the seed any more."""
    disproved: bool = False
    """Whether the seed is known, and the order that was sealed does not follow from it."""
    overdue: bool | UnsetType = UNSET
    """Whether the deadline of the reveal passed before the seed was revealed; not written where it did not."""

    @property
    def is_overdue(self) -> bool:
        """Whether the deadline has passed, and the seed is neither revealed nor reported lost."""
        return self.overdue is True and not self.is_settled

    @property
    def is_derivable(self) -> bool:
        """Whether the order follows from the seed and what is on record."""
        return self.order == 1 or (bool(self.inputs) and not self.missing_shares)

    @property
    def missing_shares(self) -> tuple[str, ...]:
        """The keys of the witnesses whose shares are not opened yet."""
        given = {each.key for each in self.shares}
        return tuple(each.key for each in self.witnesses if each.key not in given)

    @property
    def is_settled(self) -> bool:
        """Whether the seed has been revealed, or reported lost."""
        return self.lost or bool(self.seed)


LONGEST_NUMBER = 15
"""The most digits of a shoe's id that is taken for a number; in a forged record it may be of any length."""


def shoe_in_words(id_: str) -> str:
    """A shoe as people count them, from 1: its id is how many came before it. Any other id is shown as it is."""
    return str(int(id_) + 1) if id_.isascii() and id_.isdigit() and len(id_) <= LONGEST_NUMBER else id_


LOST_SEED = "lost"
"""What the next shoe remembers in place of a seed that two persons have reported lost."""


class Shoe(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The shoe as a table has it (a part of `TableState`): the cards in play, from their arrival to the close."""

    number: int = 0
    set_id: str = ""
    former_set: str = ""
    used_sets: tuple[str, ...] = ()
    """The sets that have been dealt from at this table; a manual shuffle plugs one that comes back."""
    after_void: bool = False
    """Whether these cards replace a shoe that could not finish its round."""
    decks: int = 0
    preshuffled: bool = False
    reshuffle: bool = False
    done: tuple[str, ...] = ()
    inspector: str | UnsetType = UNSET
    """Who inspected the cards, at a table that is on record: somebody else verifies them."""
    shuffled_by: tuple[str, ...] = ()
    cut_offers: tuple[int, ...] = ()
    cutter: int | None = None
    in_front: int | None = None
    recuts: int = 0
    cover: int | None = None
    loaded: bool = False
    commitment: Commitment | None = None
    """What an electronic shoe has committed to; none for real cards."""
    root: str = ""
    former_seed: str = ""
    """The seed of the shoe before, which was electronic; `lost` where two persons reported that it is."""
    next: int = 0
    burn: tuple[int, ...] = ()
    burn_left: int = -1
    burned: dict[int, Card] = {}
    burn_shown: bool = True
    burn_corrected: bool = False
    cover_out: bool = False
    last_called: bool = False
    is_last: bool = False
    finished: bool = False
    abandoned: bool = False
    """Whether the shoe was abandoned before its end."""
    taken_away: bool = False
    """Whether it was abandoned because it had stopped the table: its cards do not come back."""
    pending: tuple[int, ...] = ()
    carried: tuple[int, ...] = ()
    carried_cites: dict[int, tuple[str, ...]] = {}
    """The clauses under which each card that is or will be carried waits."""
    disclosed: dict[int, Card] = {}
    disclosed_cites: tuple[str, ...] = ()
    exposing: tuple[int, ...] = ()
    exposing_cites: tuple[str, ...] = ()
    seen: dict[str, int] = {}
    goodwill: int = 0
    """What was given away in this shoe, which the filed limit bounds."""
    given_before: int = 0
    """What was given away in it before its cards came, which counts towards the limit too."""

    def __repr__(self) -> str:
        return short_repr(self, f"number {self.number + 1}, {self.left} cards left")

    @property
    def is_fresh(self) -> bool:
        """Whether this set has not been dealt from at this table before."""
        return self.set_id not in self.used_sets

    @property
    def cards(self) -> int:
        """The number of cards in the shoe when it was loaded."""
        return self.decks * 52

    @property
    def left(self) -> int:
        """The number of cards still in the shoe."""
        return self.cards - self.next

    def seen_with(self, card: Card) -> dict[str, int]:
        """How often each card has been seen, this one once more."""
        name = str(card)
        return {**self.seen, name: self.seen.get(name, 0) + 1}
