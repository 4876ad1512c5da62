"""Words: what a page shows of a table in addition to the view, sent to everyone who asked for it on joining.

They are the moment of the table in words, or the work of the table for those who deal or oversee it; REST answers with
the same. On joining, a client is sent all of it, and after that what has changed, in the frame of the commit that
changed it. Changes are numbered for each audience, so that a client notices one that it has missed; one that comes back
is sent all words again.

They are found once for all who are shown the same, and compared once with what these were sent before. What is
remembered as sent is what somebody has now: an audience that no one who is still shown the table belongs to is
forgotten with the next change, and one that somebody joins after that begins with the words of that moment.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import msgspec

from baccarat.serve.fanout.message import Bye, WordsKind
from baccarat.table.json_difference import Json, difference
from baccarat.table.view import Viewer

if TYPE_CHECKING:
    from baccarat.serve.fanout.table_room import Subscriber, TableRoom

_encode = msgspec.json.Encoder().encode


class WordsAudience(msgspec.Struct, frozen=True, cache_hash=True):
    """All who are shown the same words: the moment as this viewer sees it, or the work of one person."""

    kind: WordsKind
    viewer: Viewer
    who: str = ""
    """The person, if these are the words of the work."""


class TableWords(Protocol):
    """Finds words."""

    def find(self, room: TableRoom, audience: WordsAudience, /) -> Json:
        """The words of a table as it is on disk; the same object for those who are shown the same."""

    def check(self, guest: Subscriber, /) -> Bye | None:
        """Why somebody may not be shown the work any more; None if it may be shown."""

    def report(self, error: Exception, /) -> None:
        """Report that words could not be found because of a bug."""


def audience_of(guest: Subscriber) -> WordsAudience | None:
    """Whose words somebody is sent; None for a client that did not ask for any."""
    if guest.words is WordsKind.NONE:
        return None
    return WordsAudience(guest.words, guest.viewer, guest.who if guest.words is WordsKind.WORK else "")


class SentWords:
    """The words of one table, as they were last sent to those who are here."""

    def __init__(self, finder: TableWords | None = None) -> None:
        self._finder = finder
        self._sent: dict[WordsAudience, tuple[int, Json]] = {}
        """The number of the last change that each audience was sent, and the words after it."""
        self._failed: set[WordsAudience | None] = set()
        """Whose words could not be found the last time."""

    def set_finder(self, finder: TableWords) -> None:
        """Say who finds the words: too late for the constructor, because the finder reads the whole house."""
        self._finder = finder

    def keep_only(self, guests: Iterable[Subscriber]) -> None:
        """Forget what was sent to audiences of whom nobody is here any more."""
        here = set(map(audience_of, guests))
        self._sent = {audience: sent for audience, sent in self._sent.items() if audience in here}

    def whole(self, room: TableRoom, audience: WordsAudience) -> bytes:
        """All words of an audience, for somebody who joins, as JSON."""
        number, words = self._last(room, audience)
        return b'{"seq":%d,"set":%b}' % (number, _encode(words))

    def changes(self, room: TableRoom, audiences: Iterable[WordsAudience]) -> dict[WordsAudience, bytes]:
        """What has changed for each audience since it was last sent words, as JSON; nothing if nothing has changed.

        `audiences` are those of everybody who stays in one and is still shown the table. All others are forgotten:
        their words would be out of date for the next who joins them, such as a person who takes a seat that another
        leaves in the same commit. An audience without any words is that of a line that has ended.
        """
        before = {audience: self._sent[audience] for audience in audiences if audience in self._sent}
        self._sent = {}
        after = {audience: words for audience in before if (words := self._find_or_report(room, audience)) is not None}
        compared: dict[tuple[int, int], bytes] = {}
        found: dict[WordsAudience, bytes] = {}
        for audience, words in after.items():
            number, sent = before[audience]
            pair = id(sent), id(words)  # many audiences share both objects
            if pair not in compared:
                changed = difference(sent, words) if sent is not words else {}
                compared[pair] = _encode(changed)[1:] if changed else b""
            is_changed = compared[pair] != b""
            self._sent[audience] = number + is_changed, words
            if is_changed:
                found[audience] = b'{"from":%d,"seq":%d,%b' % (number, number + 1, compared[pair])
        return found

    def ensure_found(self, room: TableRoom, guest: Subscriber) -> bool:
        """Find the words of somebody who belongs to another audience now; false if there is a bug."""
        audience = audience_of(guest)
        if audience is None or audience in self._sent:
            return True
        words = self._find_or_report(room, audience)
        if words is not None:
            self._sent[audience] = 0, words
        return words is not None

    def end_failed(self, guests: Iterable[Subscriber]) -> None:
        """End the connections of those whose words could not be found: they would take old words for new ones."""
        failed, self._failed = self._failed, set()
        for guest in guests if failed else ():
            if audience_of(guest) in failed:
                guest.line.end(Bye(why="fault", say="The text for this table could not be produced; reconnect."))

    def _find_or_report(self, room: TableRoom, audience: WordsAudience) -> Json | None:
        """The words of an audience; None if there is a bug, which must not keep others from what they are sent."""
        try:
            return self._find(room, audience)
        except Exception as error:  # noqa: BLE001  views are sent whatever it is
            assert self._finder is not None, "nothing else can fail"
            self._finder.report(error)
            self._failed.add(audience)
            return None

    def may_be_shown(self, guest: Subscriber) -> bool:
        """Whether somebody may still be shown the work; if not, the connection ends."""
        denied = self._finder.check(guest) if guest.words is WordsKind.WORK and self._finder is not None else None
        if denied is not None:
            guest.line.end(denied)
        return denied is None

    def _last(self, room: TableRoom, audience: WordsAudience) -> tuple[int, Json]:
        if audience not in self._sent:
            self._sent[audience] = 0, self._find(room, audience)
        return self._sent[audience]

    def _find(self, room: TableRoom, audience: WordsAudience) -> Json:
        return self._finder.find(room, audience) if self._finder is not None else {}
