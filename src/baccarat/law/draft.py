"""Drafts: a whole Submission with every option explained, and a whole edition under a new name, as text to edit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from textwrap import wrap
from typing import Any

import msgspec

from baccarat.law.check import check
from baccarat.law.edition import Edition, load_edition, loadable_editions, source_of
from baccarat.law.error import RulesError, SubmissionFault
from baccarat.law.option_value import allowed_in_words, objection
from baccarat.law.row import as_values
from baccarat.law.rulebook import read_submission, shipped_submissions
from baccarat.law.section import Option
from baccarat.law.submission import read_value
from baccarat.law.submission_check import SubmissionCheck
from baccarat.law.toml_text import toml_key, toml_value

WIDTH = 110
TABLES = ("limits", "dragon odds", "royal9", "must_hit")
"""Statements that are tables, and so come at the end of a Submission."""
LIMIT = {"min": "$25.00", "max": "$5,000.00", "increment": "$1.00"}
_NAME = re.compile("[a-z0-9][a-z0-9._-]*")


class DraftOption(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a Submission as the draft explains it."""

    key: str
    description: str
    allowed: str
    must_be_stated: bool
    default: Any
    applies: Mapping[str, Any]
    cites: tuple[str, ...]
    value: Any = None
    """What the draft states; none where it is silent."""
    example: bool = False
    """Whether the value is only an example that the licensee has to replace."""


class SubmissionDraft(msgspec.Struct, frozen=True, kw_only=True):
    """A Submission to edit: its text, its options, and what is still wrong with it."""

    edition: str
    text: str
    options: tuple[DraftOption, ...]
    faults: tuple[SubmissionFault, ...]


class EditionDraft(msgspec.Struct, frozen=True, kw_only=True):
    """An edition to edit: its text, and how many clauses it has."""

    name: str
    like: str
    clauses: int
    text: str


# ---------------------------------------------------------------------------------------- a Submission


def draft_submission(edition: Edition, *, check_with: str = "baccarat rules check FILE") -> SubmissionDraft:
    """A Submission under an edition: it states what must be stated, explains the rest, and says how it is checked."""
    source, filed = _example(edition)
    course = SubmissionCheck(edition, filed=True)
    values = {key: value for key, value in filed.items() if key in edition.options and _is_allowed(edition, key, value)}
    _complete(edition, course, values)
    made = tuple(_option(edition, course, key, option, values) for key, option in edition.options.items())
    text = "\n".join([*_head(edition, source, check_with), *_body(edition, made)]) + "\n"
    return SubmissionDraft(edition=edition.name, text=text, options=made, faults=tuple(check(edition, values).faults))


def _example(edition: Edition) -> tuple[str, dict[str, Any]]:
    """The shipped Submission that states most under an edition: its own, or the plain one of the nearest edition."""
    found = {name: read_submission(name) for name in shipped_submissions()}

    def fitting(name: str) -> tuple[bool, bool, int]:
        of = found[name].get("ruleset")
        return of == edition.name, of == name, len(set(found[name]) & set(edition.options))

    name = max(sorted(found, reverse=True), key=fitting)
    return name, {key: value for key, value in found[name].items() if key != "ruleset"}


def _is_allowed(edition: Edition, key: str, value: Any) -> bool:
    option = edition.options[key]
    with suppress(ValueError):
        return objection(option, read_value(key, value, option)) is None
    return False


def _complete(edition: Edition, course: SubmissionCheck, values: dict[str, Any]) -> None:
    """State what must be stated and what constraints ask for; leave out what does not apply."""
    for _ in range(len(edition.options)):
        before = dict(values)
        _read_all(edition, course, values)
        for key, option in edition.options.items():
            if not course.meets(option.applies):
                values.pop(key, None)
            elif option.must_be_stated and key not in values:
                values[key] = _suggestion(key, option)
            if option.states == "limits" and key in values:
                values[key] = _limits(edition, course, values[key])
        _read_all(edition, course, values)
        for constraint in edition.constraints:
            if not course.meets(constraint.when):
                continue
            for key, wanted in constraint.need.items():
                if not course.meets({key: wanted}) and not edition.options[key].optional:
                    values[key] = as_values(wanted)[0]
            if constraint.need_any and not any(course.value(key) for key in constraint.need_any):
                values[constraint.need_any[0]] = True
        if values == before:
            return


def _read_all(edition: Edition, course: SubmissionCheck, values: Mapping[str, Any]) -> None:
    course.stated = {key: read_value(key, value, edition.options[key]) for key, value in values.items()}


def _suggestion(key: str, option: Option) -> Any:
    """A value that the document allows, to be replaced by the licensee's."""
    if option.elect:
        return option.elect[0]
    if option.states in (None, "depth", "second seed", "odds"):
        return option.at_least or option.at_most or 1
    if option.states == "part":
        return [1, 1]
    words = f"{key.replace('_', ' ')}, to be stated"
    return [words] if option.states == "one kind" else {} if option.states == "limits" else words


def _limits(edition: Edition, course: SubmissionCheck, stated: Mapping[str, Any]) -> dict[str, Any]:
    """The limits of every wager that has any: those of the example, or similar ones."""
    having = [name for name, wager in edition.wagers.items() if wager.law.stake is None]
    limits = {name: stated.get(name, LIMIT) for name in having}
    return {name: limit for name, limit in limits.items() if name in stated or _is_offered(edition, course, name)}


def _is_offered(edition: Edition, course: SubmissionCheck, wager: str) -> bool:
    offered = edition.wagers[wager].law.offered
    return offered is None or course.meets({offered: True})


def _option(
    edition: Edition, course: SubmissionCheck, key: str, option: Option, values: Mapping[str, Any]
) -> DraftOption:  # fmt: skip
    return DraftOption(
        key=key, description=option.description, allowed=allowed_in_words(option), must_be_stated=option.must_be_stated,
        default=option.value_if_unstated, applies=option.applies, cites=edition.cite_text(*option.cite),
        value=values.get(key), example=key in values and option.must_be_stated and course.meets(option.applies),
    )  # fmt: skip


def _head(edition: Edition, source: str, check_with: str) -> list[str]:
    say = (
        f"A Rules Submission under {edition.name}: {edition.title}. Every option of the edition is listed with what "
        "it says, what is allowed, and the paragraph that says so. Lines that begin with # state nothing: what they "
        "say holds anyway, or does not apply given the other elections. Where an option must be stated, the "
        f"value is an example, taken from the Submission {source} where that has one: put your own in its place. Sums "
        "of money are written in dollars, in quotation marks."
    )
    return [*_comment(say), f"# Then run: {check_with}", "", f"ruleset = {toml_value(edition.name)}"]


def _body(edition: Edition, options: Iterable[DraftOption]) -> list[str]:
    lines: list[str] = []
    tables = [each for each in options if edition.options[each.key].states in TABLES]
    for each in options:
        if each not in tables:
            lines += ["", *_explanation_lines(each), _option_line(each, edition.options[each.key])]
    for each in tables:
        lines += ["", *_explanation_lines(each)]
        if isinstance(each.value, Mapping):
            lines.append(f"[{each.key}]")
            lines += [f"{toml_key(key)} = {toml_value(value)}" for key, value in each.value.items()]
            if edition.options[each.key].states == "limits":
                idle = [name for name in edition.wagers if name not in each.value]
                lines += [f"# {name} = {toml_value(LIMIT)}" for name in idle if edition.wagers[name].law.stake is None]
        else:
            lines.append(f"# [{each.key}]")
    return lines


def _explanation_lines(option: DraftOption) -> list[str]:
    """What an option says, what is allowed, when it applies, what silence means, and by which paragraph."""
    if option.must_be_stated:
        silence = "must be stated"
    else:
        silence = "left out" if option.default is None else f"unless stated: {toml_value(option.default)}"
    when = " and ".join(f"{key} is {_alternatives_text(wanted)}" for key, wanted in option.applies.items())
    parts = [f"allowed: {option.allowed}", silence, *([f"only where {when}"] if when else []), ", ".join(option.cites)]
    return [*_comment(f"{option.key}: {option.description}"), *_comment("; ".join(parts), indent="   ")]


def _alternatives_text(wanted: Any) -> str:
    return " or ".join(map(toml_value, as_values(wanted)))


def _option_line(option: DraftOption, law: Option) -> str:
    if option.value is not None:
        return f"{option.key} = {toml_value(option.value)}" + ("  # example" if option.example else "")
    could_be = _suggestion(option.key, law) if option.default is None else option.default
    return f"# {option.key} = {toml_value(could_be)}"


def _comment(text: str, *, indent: str = "") -> list[str]:
    return [f"# {indent}{line}" for line in wrap(text, WIDTH - len(indent), break_on_hyphens=False)]


# ------------------------------------------------------------------------------------------- an edition


def draft_edition(name: str, *, like: str, title: str | None = None) -> EditionDraft:
    """A whole edition under a new name that says what another says, with its clauses in our words."""
    if _NAME.fullmatch(name) is None:
        raise RulesError(f"an edition cannot be called {name!r}; expected lower-case letters, digits, dots and hyphens")
    if name in loadable_editions():
        raise RulesError(f"the name {name!r} already belongs to a known edition; choose another")
    edition = load_edition(like)
    text = source_of(like)
    body = re.sub(r"\A(?:[ \t]*#[^\n]*\n|\s*\n)*", "", text)  # what precedes the name is about the other document
    for key, value in (("name", name), ("title", title or f"{name}, like {edition.title}"), ("revision", 1)):
        body = _with_line(body, key, value)
    lines = [*_edition_head(name, like), "", body.rstrip()]
    if "clause" not in edition.table:
        lines += ["", *_comment("the clauses, each with what it demands in our own words; every `cite` names one"), ""]
        lines += ["[clause]"]
        lines += [f"{toml_value(key)} = {toml_value(clause.requirement)}" for key, clause in edition.clauses.items()]
    return EditionDraft(name=name, like=like, clauses=len(edition.clauses), text="\n".join(lines) + "\n")


def _with_line(text: str, key: str, value: Any) -> str:
    """The text with another value at the top: in the line that says it, or before the first section."""
    line = f"{key} = {toml_value(value)}"
    top, bracket, rest = text.partition("\n[")
    changed, count = re.subn(rf"(?m)^{key}[ \t]*=.*$", lambda _: line, top, count=1)
    return (changed if count else f"{line}\n{top}") + bracket + rest


def _edition_head(name: str, like: str) -> list[str]:
    say = (
        f"{name}: an edition that began as a copy of {like}. Change whatever the document says differently; the words "
        "allowed here are listed in docs/new-edition.md, and loading the file finds what does not fit. A row without "
        "`when` always holds; with it, only under these elections. Exactly one row answers a question. Every part "
        "cites its clauses, which are at the end in our own words."
    )
    return _comment(say)
