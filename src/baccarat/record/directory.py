"""The directory: the names and free texts behind the ids of a journal, in a file of its own that can be erased.

No person's name and no free text is in a record. Before a command is decided, every name in it becomes an id and every
remark the name of a remark, so that command, actor and events agree, and all of it can be decided again without the
directory. The types say which fields those are (`Person`, `Remark` in `table/bounds.py`).

An id is `person-` and 32 hexadecimal digits: the first half of HMAC-SHA256 over the name, with a random key of its own
(the *salt*), which is only in the directory. So the record binds the directory: another name does not match the id.
And once an entry is erased, its salt is gone, and nobody can find the name by trying names. (One salt for all names
would have to stay for the others, and anyone who has it could try.) Insignificant differences in spelling are removed
first (`plain_name`), so that one person has one id however the name is written.

Some words name nobody and stay as they are: a role, a seat, and the like, alone or with a number (`dealer`, `seat 3`,
`p3`); what is already an id, of this form or a UUID; and blanks, which the table refuses where a name is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import Meta, UnsetType
from msgspec.structs import replace

from baccarat.record import durable
from baccarat.record.journal_file import JournalStopped
from baccarat.record.misread import MISREAD, why_unread
from baccarat.table.actor import Actor, Envelope, Origin
from baccarat.table.bounds import Words
from baccarat.table.role import Role
from baccarat.table.two_persons import plain_name

NAMES_SUFFIX = "names"
"""The file name of a directory is that of its journal with this suffix."""
FORM = 1
HIDDEN_WORDS = (Words.PERSON, Words.REMARK)
_ID = r"(?:person|remark)-[0-9a-f]{32}"
_is_id = re.compile(rf"{_ID}\Z").match
_ids = re.compile(rf"\b{_ID}\b")
_is_uuid = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\Z").match
_NAMELESS = (*(role.value for role in Role), *(origin.value for origin in Origin), "seat", "patron", "company", "p")
_is_nameless = re.compile(rf"(?:you|(?:{'|'.join(_NAMELESS)})(?: ?[0-9]{{1,6}})?)\Z").match

S = TypeVar("S", bound=msgspec.Struct)


class UnreadableDirectory(ValueError):  # noqa: N818
    """A directory that is not what it should be: what is wrong, and where."""


class DirectoryEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One name, or one remark: the id that stands for it, the salt of the id, and the text itself."""

    id: Annotated[str, Meta(pattern=rf"^{_ID}\Z")]
    salt: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    text: str

    @property
    def words(self) -> Words:
        """Whether it is a person's name or a remark."""
        return Words(self.id.partition("-")[0])

    @property
    def matches_id(self) -> bool:
        """Whether the id belongs to this text."""
        return hmac.compare_digest(self.id, _id_of(self.words, self.text, bytes.fromhex(self.salt)))


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    names: int


_HEADER = msgspec.json.encode(_Header(FORM)) + b"\n"


def _hashed_text(words: Words, text: str) -> str:
    """The part of a text that its id depends on."""
    return plain_name(text) if words is Words.PERSON else text


def _id_of(words: Words, text: str, salt: bytes) -> str:
    code = hmac.new(salt, f"{words.value}\n{_hashed_text(words, text)}".encode(), hashlib.sha256)
    return f"{words.value}-{code.hexdigest()[:32]}"


def new_entry(words: Words, text: str) -> DirectoryEntry:
    """An entry for a name or a remark, with a salt and so an id of its own."""
    salt = secrets.token_bytes(32)
    return DirectoryEntry(id=_id_of(words, text, salt), salt=salt.hex(), text=text)


def is_id(text: str) -> bool:
    """Whether a text is an id that stands for a name or a remark, or a UUID, which stands for itself."""
    return bool(_is_id(text) or _is_uuid(text))


def directory_path(journal: Path) -> Path:
    """The path of a journal's directory."""
    return journal.with_name(f"{journal.name}.{NAMES_SUFFIX}")


class Directory:
    """Names and remarks by their ids: in memory alone, or in a file that is synced before an id is used."""

    def __init__(self, path: Path | None = None, entries: Iterable[DirectoryEntry] = ()) -> None:
        self.path = path
        self._entries: dict[str, DirectoryEntry] = {}
        self._ids: dict[tuple[Words, str], str] = {}
        self._replace_entries(entries)

    def _replace_entries(self, entries: Iterable[DirectoryEntry]) -> None:
        self._entries = {entry.id: entry for entry in entries}
        self._ids = {_key(entry): entry.id for entry in self._entries.values()}

    @classmethod
    def load(cls, path: Path, *, to_write: bool = False) -> Directory:
        """The directory in a file, empty if there is none; `UnreadableDirectory` says what is wrong with it.

        A last line that a power cut left half-written is not used in the journal; it is cut off before writing.
        """
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls(path)
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and _HEADER.startswith(data):
            whole = _HEADER  # the power failed while the first line was written
        entries = _read(whole)
        if to_write and whole != data:
            durable.replace(path, whole, mode=0o600)
        return cls(path, entries)

    @property
    def entries(self) -> tuple[DirectoryEntry, ...]:
        """All that is known, in the order in which it came."""
        return tuple(self._entries.values())

    # ------------------------------------------------------------------------------- before a decision

    def hide(self, value: S) -> S:
        """The same command, with an id for every name in it and for every remark."""
        change = _change(type(value))
        return value if change is None else change(self, value)

    def hide_actor(self, actor: Actor) -> Actor:
        """The same actor by id; an actor that is not a person, such as a link, keeps its name."""
        if actor.origin is Origin.PERSON:
            return self.hide(actor)
        return replace(actor, approvals=tuple(map(self.hide, actor.approvals)))

    def hide_envelope(self, envelope: Envelope) -> Envelope:
        """The same envelope, with persons by their ids."""
        return replace(envelope, actor=self.hide_actor(envelope.actor))

    def hide_known(self, value: S) -> S | None:
        """The same command with ids; none if a name or a remark in it has no id yet, and none is made."""
        try:
            return _KnownNames(self).hide(value)
        except _UnknownWords:
            return None

    def id_of(self, words: Words, text: str) -> str:
        """The id of a name or a remark, made if there is none; `JournalStopped` if it cannot be stored."""
        if not text.strip() or _is_id(text):
            return text
        if words is Words.PERSON:
            if _is_nameless(plain_name(text)):
                return plain_name(text)
            if _is_uuid(text):
                return text.lower()
        key = words, _hashed_text(words, text)
        found = self._ids.get(key)
        if found is None:
            entry = new_entry(words, text)
            self._add(entry)
            found = entry.id
        return found

    def __contains__(self, id_: str) -> bool:
        return id_ in self._entries

    def add_known(self, entry: DirectoryEntry) -> None:
        """Add an entry that another process has already stored."""
        self._entries[entry.id] = entry
        self._ids[_key(entry)] = entry.id

    def _add(self, entry: DirectoryEntry) -> None:
        assert entry.id not in self._entries, "two texts have the same id, which does not happen by chance"
        if self.path is not None:
            try:
                if not self.path.exists():
                    durable.create(self.path, _HEADER, mode=0o600)
                _append(self.path, _line(entry))
            except OSError as error:
                raise JournalStopped(f"{self.path}: cannot be written: {error.strerror or error}") from error
        self.add_known(entry)

    # ------------------------------------------------------------------------------------- afterwards

    def fill_names(self, text: str) -> str:
        """A sentence with names and remarks in place of the ids that are known."""
        return _ids.sub(lambda found: self._text(found.group()), text)

    def _text(self, id_: str) -> str:
        return self._entries[id_].text if id_ in self._entries else id_

    def find(self, said: str) -> tuple[DirectoryEntry, ...]:
        """The entries of an id, of a name however it is written, or of a remark."""
        keys = {(words, _hashed_text(words, said)) for words in HIDDEN_WORDS}
        return tuple(entry for entry in self.entries if entry.id == said or _key(entry) in keys)

    def mentions(self, name: str) -> tuple[DirectoryEntry, ...]:
        """The remarks in which a name occurs."""
        plain = plain_name(name)
        return tuple(
            entry for entry in self.entries if entry.words is Words.REMARK and plain in plain_name(entry.text)
        )  # fmt: skip

    def erase(self, gone: Iterable[DirectoryEntry]) -> None:
        """Erase entries with their salts: the ids stay in the journal, and nobody can tell whose they are."""
        ids = {entry.id for entry in gone}
        left = [entry for entry in self.entries if entry.id not in ids]
        if self.path is not None:
            durable.replace(self.path, _HEADER + b"".join(map(_line, left)), mode=0o600)
        self._replace_entries(left)


class _Seeker(Directory):
    """A directory that knows nobody, and notices that somebody is to be entered."""

    has_met = False

    def _add(self, entry: DirectoryEntry) -> None:
        del entry
        self.has_met = True


class _UnknownWords(Exception):  # noqa: N818
    """A name or a remark that has no id."""


class _KnownNames(Directory):
    """A directory as it is, to which nobody is added."""

    def __init__(self, names: Directory) -> None:
        self.path, self._entries, self._ids = None, names._entries, names._ids

    def _add(self, entry: DirectoryEntry) -> None:
        del entry
        raise _UnknownWords


def holds_words(value: msgspec.Struct) -> bool:
    """Whether a command has a name or a remark, for which its record would have an id."""
    seeker = _Seeker()
    seeker.hide(value)
    return seeker.has_met


def _key(entry: DirectoryEntry) -> tuple[Words, str]:
    return entry.words, _hashed_text(entry.words, entry.text)


def _line(entry: DirectoryEntry) -> bytes:
    return msgspec.json.encode(entry) + b"\n"


def _append(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_APPEND)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(handle)


def _read(data: bytes) -> list[DirectoryEntry]:
    header, *rows = data.splitlines() or [b""]
    found: dict[str, DirectoryEntry] = {}
    try:
        form = msgspec.json.decode(header, type=_Header).names
    except MISREAD:
        raise UnreadableDirectory('line 1: expected the first line of a directory, {"names":1}') from None
    if form != FORM:
        raise UnreadableDirectory(f"line 1: version {form} of the directory's form is not known; expected {FORM}")
    for number, row in enumerate(rows, start=2):
        try:
            entry = msgspec.json.decode(row, type=DirectoryEntry)
        except MISREAD as error:
            raise UnreadableDirectory(
                f"line {number}: not an entry of a directory: {why_unread(row, DirectoryEntry, error)}"
            ) from None
        if not entry.matches_id:
            raise UnreadableDirectory(f"line {number}: {entry.id} is not the id of this text with this salt")
        found[entry.id] = entry
    return list(found.values())


# ---------------------------------------------------------------------------- which fields are hidden

Hide = Callable[[Directory, Any], Any]
ABSENT = (type(None), UnsetType)
"""The types of what stands for no value."""


@cache
def _change(kind: Any) -> Hide | None:
    """How a value of a type is hidden; None if nothing in it is a name or a remark."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        words = next((each for each in inner[1:] if each in HIDDEN_WORDS), None)
        return _change(inner[0]) if words is None else lambda directory, text: directory.id_of(words, text)
    if origin in (UnionType, Union):
        return _change_of_union([part for part in inner if part not in ABSENT])
    if origin is tuple:
        item = _change(inner[0])
        return None if item is None else lambda directory, value: tuple(item(directory, part) for part in value)
    if origin is dict:
        assert all(_change(part) is None for part in inner), "no dictionary of a command has names or remarks"
        return None
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        found = {field.name: _change(field.type) for field in msgspec.structs.fields(kind)}
        changes = {name: change for name, change in found.items() if change is not None}
        return (lambda directory, value: _hide_fields(directory, value, changes)) if changes else None
    return None


def _change_of_union(parts: list[Any]) -> Hide | None:
    """How a value that may be missing, and otherwise has one type, is hidden."""
    if all(_change(part) is None for part in parts):
        return None
    assert len(parts) == 1, "a field with names or remarks has one type, or is missing"
    change = _change(parts[0])
    assert change is not None, "checked just before"
    return lambda directory, value: value if type(value) in ABSENT else change(directory, value)


def _hide_fields(directory: Directory, value: Any, changes: dict[str, Hide]) -> Any:
    made = {name: change(directory, getattr(value, name)) for name, change in changes.items()}
    return replace(value, **made)
