"""Types of fields that several commands share, each with what it means where it is asked for.

A field of one command alone says what it means in its own annotation: `Annotated[Count, Means("how many cards")]`.
"""

from __future__ import annotations

from typing import Annotated

from baccarat.cards import Card
from baccarat.play.wager import WagerKind
from baccarat.table.bounds import Count, Hash, Label, Means, PersonText, Remark, Sum
from baccarat.table.proof import CardProof

TableName = Annotated[Label, Means("the table")]
PersonActing = Annotated[PersonText, Means("the person's id; by default the person who acts")]
KeptReason = Annotated[Remark, Means("why; it is recorded")]
Amount = Annotated[Sum, Means("how much")]
Stake = Annotated[Sum, Means("the chips of the wager")]
WagerArea = Annotated[WagerKind, Means("the area of the layout")]
IsAccepted = Annotated[bool, Means("whether the offer is taken")]
SeenCard = Annotated[Card, Means("the card that was seen")]
SealProof = Annotated[CardProof | None, Means("that the card stood there when the order was sealed")]
HexHash = Annotated[Hash, Means("64 lower-case hexadecimal digits")]
FormNumber = Annotated[Count, Means("the form's printed number")]
FormCopies = Annotated[Count, Means("how many parts the form has")]
