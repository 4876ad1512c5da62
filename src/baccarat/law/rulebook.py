"""Rulebooks: an edition and a Submission together; all that play, prices and audits read."""

from __future__ import annotations

from collections.abc import Container, Mapping
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any
from weakref import WeakValueDictionary

import msgspec

from baccarat.law.check import check, inapplicable_options
from baccarat.law.clause import Citation
from baccarat.law.edition import Edition, load_edition
from baccarat.law.error import InvalidSubmission, RulesError, SubmissionFault, hint
from baccarat.law.row import as_values
from baccarat.law.shipped_file import shipped_names, shipped_table
from baccarat.law.submission import FIELDS, Submission, submission
from baccarat.law.submission_check import SubmissionCheck, condition_value
from baccarat.law.toml_file import read_json, read_toml
from baccarat.values import brief_repr, short_repr

CANON = 2
"""The version of the canonical form that the hash is taken over."""


class Rulebook(msgspec.Struct, frozen=True, kw_only=True, eq=False, dict=True, weakref=True):
    """Edition and Submission: the rules that one table plays by; equal rules are one object."""

    edition: Edition
    elections: Submission
    stated: Mapping[str, Any]
    warnings: tuple[SubmissionFault, ...] = ()
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.edition.name} {self.hash[:12]}"

    @property
    def submission(self) -> dict[str, Any]:
        """What was filed, as plain data, with its edition under `ruleset`; the same rulebook can be made from it."""
        return {"ruleset": self.edition.name, **msgspec.json.decode(msgspec.json.encode(dict(self.stated)))}

    def __repr__(self) -> str:
        return short_repr(self, f"{self}, {len(self.stated)} options elected")

    @cached_property
    def hash(self) -> str:
        """SHA-256 over the canonical form: what the edition says and what was elected, with the defaults left out."""
        import hashlib  # noqa: PLC0415  only needed here

        options = self.edition.options
        stated = {key: value for key, value in self.stated.items() if value is not None}
        elected = {
            key: value for key, value in stated.items() if not _is_default(value, options[key].value_if_unstated)
        }
        canon = {
            "canon": CANON, "edition": self.edition.name, "revision": self.edition.revision,
            "content": self.edition.content, "elections": elected,
        }  # fmt: skip
        return hashlib.sha256(msgspec.json.encode(canon, order="sorted")).hexdigest()

    def elects(self, key: str) -> Any:
        """The value that holds for an option; `None` where this edition does not know it."""
        return getattr(self.elections, key) if key in FIELDS else self.elections.own.get(key)

    def meets(self, conditions: Mapping[str, Any]) -> bool:
        """Whether the elections meet the conditions of a row."""
        return all(condition_value(self.elects(key)) in as_values(wanted) for key, wanted in conditions.items())

    def cite(self, *keys: str) -> tuple[Citation, ...]:
        """The citations of these clauses."""
        return self.edition.cite(*keys)


def _is_default(stated: Any, unstated: Any) -> bool:
    """Whether an election says what silence means; lists and tuples are equal."""
    return msgspec.json.encode(stated) == msgspec.json.encode(unstated)


def _rulebook(course: SubmissionCheck, notes: tuple[str, ...] = ()) -> Rulebook:
    if course.faults:
        raise InvalidSubmission(course.faults)
    held = {key: course.value(key) for key, option in course.edition.options.items() if course.meets(option.applies)}
    stated, warnings = MappingProxyType(dict(course.stated)), tuple(course.warnings)
    elections = submission(held)
    made = Rulebook(edition=course.edition, elections=elections, stated=stated, warnings=warnings, notes=notes)
    return _intern_rulebook(made)


_known: WeakValueDictionary[tuple[object, ...], Rulebook] = WeakValueDictionary()
"""Every rulebook in use, by what it is and how it came about."""


def _intern_rulebook(made: Rulebook) -> Rulebook:
    """The rulebook itself, or an equal one already in use, so that its tables are opened only once.

    Two that play alike but were stated or derived differently stay separate: reports show the difference.
    """
    stated = msgspec.json.encode(dict(made.stated), order="sorted")
    key = (made.hash, id(made.edition), stated, tuple(map(str, made.warnings)), made.notes)
    return _known.setdefault(key, made)


def from_table(table: Mapping[str, Any], *, typed: Container[str] = frozenset()) -> Rulebook:
    """The rulebook of a Submission; its key `ruleset` names the edition, `typed` the options that a person wrote."""
    elections = dict(table)
    name = elections.pop("ruleset", None)
    if not isinstance(name, str):
        raise InvalidSubmission([SubmissionFault(where="ruleset", say="not stated", allowed="the name of an edition")])
    return _rulebook(check(_edition_named(name), elections, typed=typed))


def _edition_named(name: str) -> Edition:
    """The edition that a Submission names."""
    try:
        return load_edition(name)
    except RulesError as error:
        raise RulesError(f"ruleset: {error.say}", cites=error.cites) from None


def from_record(edition: Edition, options: Mapping[str, Any]) -> Rulebook:
    """The rulebook that a round record implies: its options, and the format's own defaults for null and silence."""
    stated = {key: value for key, value in options.items() if value is not None}
    merged = {**edition.record.options, "seats": _seats(edition, stated), **stated}
    for key in inapplicable_options(edition, merged):
        if key not in stated:
            del merged[key]
    return _rulebook(check(edition, merged, filed=False))


def _seats(edition: Edition, options: Mapping[str, Any]) -> int:
    royal9 = options.get("royal9")
    combos = royal9.get("combos") if isinstance(royal9, Mapping) else None
    if isinstance(combos, Mapping) and combos:
        return len(combos)
    with_royal9 = edition.record.seats_with_royal9
    return with_royal9 if royal9 is not None and with_royal9 is not None else edition.record.seats


def usual_submission(purpose: str = "rules") -> str:
    """The shipped Submission to use where none is named, or for another purpose in `usual.toml`."""
    return str(shipped_table("usual.toml")[purpose])


@cache
def shipped_submissions() -> tuple[str, ...]:
    """The names of the example Submissions that come with the package."""
    return shipped_names("submissions")


class ShippedSubmission:
    """A Submission that comes with the package: its table, and its rulebook under the edition that is loaded now."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._rules: Rulebook | None = None

    @cached_property
    def _json(self) -> bytes:
        """The table, read once; as bytes, so that every caller gets a table of its own."""
        return msgspec.json.encode(shipped_table("submissions", f"{self._name}.toml"))

    @property
    def table(self) -> dict[str, Any]:
        """What the file says; the caller may change it."""
        table: dict[str, Any] = msgspec.json.decode(self._json)
        return table

    @property
    def rules(self) -> Rulebook:
        """The rulebook, which is made again only if another edition is registered under the same name."""
        made = self._rules
        if made is None or load_edition(made.edition.name) is not made.edition:
            table = self.table
            made = self._rules = from_table(table, typed=table)
        return made


@cache
def _shipped() -> dict[str, ShippedSubmission]:
    """The shipped Submissions, by name, each read when it is first used; a house asks for each of them many times."""
    return {name: ShippedSubmission(name) for name in shipped_submissions()}


def read_submission(source: str | Path) -> dict[str, Any]:
    """The table of a shipped Submission, by name, or of a file, by path: TOML as people write it, or JSON.

    In JSON it is what `Rulebook.submission` gives, with sums in whole cents.
    """
    name = str(source)
    if name in _shipped():
        return _shipped()[name].table
    path = Path(source)
    if not path.suffix and not path.exists():
        shipped = shipped_submissions()
        say = f"no Submission {name!r}{hint(name, shipped)}; shipped: {', '.join(shipped)}; or give the path of a file"
        raise RulesError(say)
    return read_json(path) if is_json(path) else read_toml(path)


def is_json(source: str | Path | Mapping[str, Any]) -> bool:
    """Whether a source is a file that a program wrote, in JSON."""
    return not isinstance(source, Mapping) and Path(source).suffix == ".json"


def rulebook(source: str | Path | Mapping[str, Any], **changes: Any) -> Rulebook:
    """The rulebook of a Submission, shipped, in a file or as a table, with `changes` made to it.

    A change to `None` leaves the option out. What the Submission elected and the changes make
    inapplicable is dropped, and the rulebook's notes say so; what the changes state never is.
    In a table, in JSON and in changes a number is whole cents; in TOML sums are written in dollars, such as "$25.00".
    """
    shipped = _shipped().get(source) if isinstance(source, str) and not changes else None
    return shipped.rules if shipped is not None else changed_rulebook(source, changes)


def changed_rulebook(
    source: str | Path | Mapping[str, Any], changes: Mapping[str, Any], *, typed: bool = False
) -> Rulebook:
    """The rulebook of a Submission with changes made to it; `typed` says that a person wrote them, in dollars."""
    if not isinstance(source, str | Path | Mapping):
        raise TypeError(f"expected the name of a Submission, the path of a file, or a table, not {brief_repr(source)}")
    base = dict(source) if isinstance(source, Mapping) else read_submission(source)
    is_data = isinstance(source, Mapping) or is_json(source)
    in_dollars = {key for key in base if not is_data and key not in changes}
    if typed:
        in_dollars |= set(changes)
    if not changes:
        return from_table(base, typed=in_dollars)
    notes = [f"starts from the Submission {source}"] if not isinstance(source, Mapping) else []
    table = {**base, **changes}
    if isinstance(table.get("ruleset"), str):
        edition = _edition_named(table["ruleset"])
        elections = {key: value for key, value in table.items() if key != "ruleset"}
        for key in inapplicable_options(edition, elections):
            if key not in changes:
                notes.append(f"{key} dropped: it does not apply with the changes")
                del table[key]
    made = from_table(table, typed=in_dollars)
    return _intern_rulebook(msgspec.structs.replace(made, notes=tuple(notes)))
