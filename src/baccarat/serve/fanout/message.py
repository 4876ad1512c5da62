"""The socket's messages: what a client and a table send to each other, each one JSON text.

A client joins with a ticket, sends commands under ids that it made itself, and says which record it has seen. The table
sends a whole view first, or a patch from the frame that the client has; then a patch for every commit that changes
what this client may see; and an answer for every command, after the record it depends on is on disk.
"""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

from baccarat.house.stream import Stream
from baccarat.play.refusal import Param
from baccarat.serve.command_id import UUID7
from baccarat.table.role import TABLE_STAFF, Role

MOST_MESSAGE = 16_384
"""The most bytes of a client's message; the largest command, a whole Submission, uses the REST interface."""

CommandId = Annotated[str, Meta(pattern=rf"^{UUID7}\Z", title="a UUID, version 7")]
"""Made by the client before it sends: a command takes effect at most once under it, however often it is sent."""
Seq = Annotated[int, Meta(ge=0, lt=2**53)]


# ---------------------------------------------------------------------------------------------- from a client


class FromClient(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """A message of a client."""


class WordsKind(Enum):
    """Which words a client asks for: none, the moment of the table, or the work of the table."""

    NONE = ""
    MOMENT = "moment"
    WORK = "work"

    def may_be_sent_to(self, role: Role) -> bool:
        """Whether somebody in this role may be shown these words."""
        return self is not WordsKind.WORK or role in TABLE_STAFF


class Join(FromClient, frozen=True, kw_only=True, tag="join"):
    """The first message: the ticket, and where to resume if the client was here before."""

    ticket: Annotated[str, Meta(min_length=1, max_length=200)]
    run: Annotated[str, Meta(max_length=64)] = ""
    after: Seq | None = None
    """The last frame that the client has, of this run of the table's room."""
    words: WordsKind = WordsKind.NONE
    """What the client is sent besides the view."""


class Do(FromClient, frozen=True, kw_only=True, tag="do"):
    """A command."""

    id: CommandId
    command: Raw


class SeenMessage(FromClient, frozen=True, kw_only=True, tag="seen"):
    """The last frame that the client has; it also shows that the client is alive."""

    seq: Seq


class Ping(FromClient, frozen=True, kw_only=True, tag="ping"):
    """Is anybody there?"""


class Follow(FromClient, frozen=True, kw_only=True, tag="follow"):
    """Show what may be done in this stream too, to somebody who follows the whole house; none if it is empty."""

    stream: Annotated[Stream, Meta(max_length=100)]


Said = Join | Do | SeenMessage | Ping | Follow
read_said: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)


# ---------------------------------------------------------------------------------------------- to a client


class ToClient(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """A message to a client."""


class View(ToClient, frozen=True, kw_only=True, tag="view"):
    """The whole table as this client may see it, after frame `seq` of this run."""

    seq: int
    run: str
    table: str
    view: Any
    words: Raw | None = None
    """The words that the client asked for, all of them."""


class WordsChanged(ToClient, frozen=True, kw_only=True, tag="words"):
    """What has changed in the words alone, after frame `seq`; all of them for a client that resumes."""

    seq: int
    words: Raw


class RunningTimer(msgspec.Struct, frozen=True, kw_only=True):
    """A running timer: what the table waits for, at which seat, and how many seconds are left of how many."""

    what: str
    seat: int
    """0 if it is for everybody."""
    left: float
    of: float


class Waits(ToClient, frozen=True, kw_only=True, tag="waits"):
    """What the table waits for now; sent whenever that changes, and on joining."""

    waits: tuple[RunningTimer, ...] = ()


class Done(ToClient, frozen=True, kw_only=True, tag="done"):
    """The command was done, and its record."""

    id: str
    seq: int
    repeat: bool = False
    """Whether it had been done before, under the same id."""


class RefusedAnswer(ToClient, frozen=True, kw_only=True, tag="refused"):
    """The command was refused, and nothing has changed."""

    id: str
    code: str
    say: str
    what: str = ""
    """The name of the sentence, which stays the same when it is reworded."""
    params: dict[str, Param] = {}
    """The parameters of the sentence, so that it can be shown in another language."""
    cites: tuple[str, ...] = ()
    seq: int = 0
    repeat: bool = False


class ProblemMessage(ToClient, frozen=True, kw_only=True, tag="problem"):
    """A message that was not understood; nothing has changed and nothing of it is stored."""

    say: str
    what: str = ""
    """The name of the sentence, if it has one."""
    params: dict[str, int | str] = {}
    id: str = ""
    again: bool = False
    """It was not decided: send it again under the same id over the next connection; this one ends."""


class Noted(ToClient, frozen=True, kw_only=True, tag="noted"):
    """The table's journal has grown up to this record, refusals included; sent to those who oversee the house."""

    seq: int


class HouseShown(ToClient, frozen=True, kw_only=True, tag="house"):
    """What has changed in the house since frame `after` of this run, each topic whole; without it, everything."""

    run: str
    seq: int
    after: int | None = None
    now: int
    """The house's clock, in microseconds UTC."""
    set: dict[str, Raw]


class Pong(ToClient, frozen=True, kw_only=True, tag="pong"):
    """The answer to a ping."""


class Bye(ToClient, frozen=True, kw_only=True, tag="bye"):
    """The connection ends, and why; `address` is where the client should connect instead."""

    why: str
    say: str
    address: str = ""


_encode = msgspec.json.Encoder().encode


def message(said: ToClient) -> str:
    """A message as text; one text is shared by all sockets that it goes to."""
    return _encode(said).decode()
