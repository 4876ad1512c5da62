"""Bounds: how large a number, how long a text and how many items a command may hold, checked when it is read."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Meta
from msgspec.structs import FieldInfo

from baccarat.law.submission import MOST_DECKS, MOST_SEATS

MOST_CENTS = 10**15
MOST_MICRO = 10**18
MOST_WHOLE = 2**53 - 1
"""The largest number that every reader of JSON reads alike."""
MOST_CHIPS = 10**13
"""The most cents that a seat may have if it is to buy or wager more: what one round wins at odds of up to 800 to 1 then
stays below the largest number that every reader of JSON reads alike."""
MOST_ELECTED = 16_384
"""The most bytes of a Submission as JSON, ten times as many as one that states every option has: a record holds it
twice, in the command and in the event, and has at most 65,535."""
MOST_CARDS = MOST_DECKS * 52
"""Whatever a Submission may elect can be played: the largest shoe that is valid has a position for every card."""

VISIBLE = (
    r"^(?:[ -~]*\Z|"
    r"[^\x00-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u2028-\u202e"
    r"\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]*\Z)"
)
"""No control character, nothing invisible and nothing that reverses a line; joiners within words are allowed.

Most text is ASCII, which is tried first: that takes a fifth of the time, and a proof of a card has ten such texts.
"""

ASCII = r"^[ -~]*\Z"


class Words(Enum):
    """What a text is about: it decides whether the text itself may be in a record (`record/directory.py`)."""

    LABEL = "label"
    """The name of a thing, a code or a number: it is recorded as it is."""
    PERSON = "person"
    """Who somebody is: a record has an id in its place."""
    REMARK = "remark"
    """What somebody says in words of their own: a record has a reference in its place."""


class Means(msgspec.Struct, frozen=True):
    """What a field of a command means, for lists of commands and forms; it bounds nothing and is not recorded."""

    say: str
    within: tuple[tuple[str, str], ...] = ()
    """Fields within this one that mean something else here than elsewhere."""
    is_optional: bool = False
    """Whether a field that is not written where it is absent may be absent still, and not only in old records."""
    choices: tuple[str, ...] = ()
    """The texts that it may be, where nothing else would be accepted; those of an enumeration need not be listed."""
    listed: str = ""
    """The kind of list that the house has of such names (`table`), where the name of a new one makes no sense."""


def meaning_of(annotation: Any) -> Means:
    """What a field of this type means: according to the field itself, otherwise to its type."""
    found = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((each for each in reversed(found) if isinstance(each, Means)), UNKNOWN)


UNKNOWN = Means("")


def is_left_out_in_old_records(field: FieldInfo) -> bool:
    """Whether a field of a command is required now and absent from records that were written before it was."""
    return field.default is msgspec.UNSET and not meaning_of(field.type).is_optional


def without_meaning(annotation: Any) -> Any:
    """The same type without what it means; bounds and kinds of text stay."""
    if get_origin(annotation) is not Annotated:
        return annotation
    inner, *marks = get_args(annotation)
    kept = [mark for mark in marks if not isinstance(mark, Means)]
    annotated: Any = Annotated
    return annotated[(inner, *kept)] if kept else inner


Sum = Annotated[int, Meta(gt=-MOST_CENTS, lt=MOST_CENTS)]
"""Money in whole cents."""
Micro = Annotated[int, Meta(gt=-MOST_MICRO, lt=MOST_MICRO)]
"""Money in millionths of a cent."""
Seat = Annotated[int, Meta(ge=0, le=MOST_SEATS), Means("the number of a seat")]
"""The number of a seat; 0 is the dealer where the dealer may act."""
Count = Annotated[int, Meta(ge=-(2**31), lt=2**31)]
"""A count or an ordinal: cards, decks, serial numbers, the number of an event."""
Position = Annotated[
    int,
    Meta(ge=0, lt=MOST_CARDS),
    Means("the place of the card in the cut shoe, counted from 0; a story counts from 1"),
]
"""The place of a card in the cut shoe, counted from 0."""
ShortText = Annotated[str, Meta(max_length=200, pattern=VISIBLE)]
"""Visible text. A field of a command says more: it is a `Label`, a `PersonText` or a `Remark`."""
Label = Annotated[ShortText, Words.LABEL]
"""The name of a thing, such as a table, a meter or a set of cards; never a person's name or a sentence."""
PersonText = Annotated[ShortText, Words.PERSON]
"""Who a person is, where nobody may be named: an opaque id in a record. Names are in a separate directory."""
Remark = Annotated[ShortText, Words.REMARK]
"""Free text, such as a reason: it is in the directory too, and can be erased there."""
Hash = Annotated[str, Meta(max_length=64, pattern=VISIBLE)]
"""64 hexadecimal digits; the table checks that they are."""
Contributed = Annotated[str, Meta(min_length=1, max_length=64, pattern=VISIBLE)]
"""What a participant puts into the order of an electronic shoe: hexadecimal digits or any visible text. Its bytes go
into the order, and the participant looks for them there, so a record has them as they are."""
PersonId = Annotated[str, Meta(min_length=1, max_length=200, pattern=VISIBLE), Words.PERSON]
"""Who a person is, where somebody must be named."""
Labels = Annotated[tuple[Label, ...], Meta(max_length=MOST_SEATS)]
Hashes = Annotated[tuple[Hash, ...], Meta(max_length=16)]
"""The sibling hashes on the way from a card to the root: nine for eight decks, sixteen for the largest shoe."""
NoteLines = Annotated[tuple[Label, ...], Meta(max_length=8)]
"""A signed note, line by line: no text of a record has a line end."""
Key = Annotated[str, Meta(max_length=200, pattern=ASCII), Words.LABEL]
"""The name of a thing where it is a key: canonical JSON has ASCII keys only."""
NO_BLANK_FIRST = r"^([!-~][ -~]*)?\Z"
StreamLabel = Annotated[str, Meta(max_length=190, pattern=NO_BLANK_FIRST), Words.LABEL]
"""The name of a table, a pit or a link, which names its stream in a journal: ASCII, and no leading space."""
MeterFigures = Annotated[dict[Key, Micro], Meta(max_length=MOST_SEATS)]
"""What each meter shows."""
Instant = Annotated[int, Meta(gt=-(2**53), lt=2**53)]
"""A time of the house's clock, in seconds."""
Elections = Annotated[dict[Key, Any], Meta(max_length=500)]
"""Options of a Submission with what is elected; the check against the edition decides what each may be."""
ChipCounts = Annotated[
    dict[Annotated[int, Meta(ge=-(10**8), le=10**8)], Annotated[int, Meta(ge=-(10**6), le=10**6)]], Meta(max_length=50)
]
"""By the value of a chip in cents, how many; in sum never more than every reader of JSON can hold."""
Serials = Annotated[tuple[Count, ...], Meta(max_length=100_000)]
"""The numbers of forms."""


def check_elected(name: str, value: object) -> None:
    """Refuse what a record cannot hold, in a field of arbitrary JSON: `ValueError` says what, and what is allowed."""
    size = len(msgspec.json.encode(value))
    if size > MOST_ELECTED:
        raise ValueError(f"{name}: has {size:,} bytes; expected {MOST_ELECTED:,} at most")
    _check_json(name, value)


def _check_json(name: str, value: object) -> None:
    match value:
        case float():
            raise ValueError(f"{name}: {value} is no whole number; expected whole numbers, or odds such as '17 to 2'")
        case int() if abs(value) > MOST_WHOLE:
            raise ValueError(f"{name}: the number is too large; expected {MOST_WHOLE} at most")
        case dict():
            for key, part in value.items():
                if not key.isascii():
                    raise ValueError(f"{name}: {key!r} is not the name of an option; expected ASCII")
                _check_json(f"{name}.{key}", part)
        case list() | tuple():
            for part in value:
                _check_json(name, part)
        case _:
            return
