"""The fields of an electronic shoe's events, as far as they are derived again; any others are ignored here."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from baccarat.cards import Card
from baccarat.record.entry import HexHash
from baccarat.shuffle import MOST_WITNESSES
from baccarat.table.bounds import Contributed, Count, NoteLines, Position, ShortText
from baccarat.table.gate import GateFault
from baccarat.table.proof import CardProof
from baccarat.table.table_cards import TableCards
from baccarat.table.witness_keys import WitnessKeys


class NamedWitnessForm(msgspec.Struct, frozen=True, kw_only=True):
    """A witness that a commitment or a closing names, with its promise."""

    key: ShortText
    promise: HexHash


NamedWitnesses = Annotated[tuple[NamedWitnessForm, ...], Meta(max_length=MOST_WITNESSES)]


class CommitmentForm(msgspec.Struct, frozen=True, kw_only=True):
    """`shoe_committed`: the commitment to a seed, and the header that it is about."""

    table: ShortText
    shoe: ShortText
    rulebook: HexHash
    decks: Count
    commitment: HexHash
    order: Annotated[int, Meta(ge=1, le=2)] = 1
    origin: ShortText = ""
    witnesses: NamedWitnesses = ()


class WitnessChangeForm(msgspec.Struct, frozen=True, kw_only=True):
    """`witnesses_changed`: the share keys that every later commitment names."""

    witnesses: WitnessKeys


class TableKindForm(msgspec.Struct, frozen=True, kw_only=True):
    """`kind_adopted`: what an old table is."""

    cards: TableCards


class ClosingForm(msgspec.Struct, frozen=True, kw_only=True):
    """`inputs_closed`: what the witnesses open their shares for."""

    origin: ShortText
    shoe: ShortText
    witnesses: NamedWitnesses
    inputs: HexHash


class ShareForm(msgspec.Struct, frozen=True, kw_only=True):
    """`share_given`: the note with which a witness opens its share."""

    key: ShortText
    note: NoteLines


class ContributionForm(msgspec.Struct, frozen=True, kw_only=True):
    """`contribution_made`: the text of a seat."""

    value: Contributed
    seat: int = 0


class SealForm(msgspec.Struct, frozen=True):
    """`order_sealed`: the root of the card tree."""

    root: HexHash


class GateFaultForm(msgspec.Struct, frozen=True):
    """`shoe_failed`: what the shoe found in its order."""

    why: GateFault


class CutForm(msgspec.Struct, frozen=True):
    """`cards_cut`: how many cards lay in front of the cut."""

    in_front: Count


class ShownCardForm(msgspec.Struct, frozen=True):
    """Any event that shows a card."""

    position: Position
    card: Card


class SeedForm(msgspec.Struct, frozen=True):
    """`seed_revealed` or `order_disproved`: the opened seed."""

    seed: HexHash


class ProvedCardForm(msgspec.Struct, frozen=True, kw_only=True):
    """A command with a card and its proof."""

    card: Card
    proof: CardProof
    position: Position | None = None
