"""The rules that a bundle names: editions that it contains, and each rulebook's hash computed from what was filed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from baccarat.audit.bundle.form import Bundle, BundleRulebook
from baccarat.audit.bundle.verdict import BundleCheck, failed_check, gap_check, passed_check
from baccarat.law.difference import differences
from baccarat.law.edition import (
    Edition,
    build,
    forget,
    load_edition,
    loadable_editions,
    register_text,
    shipped_editions,
    source_of,
)
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.law.toml_file import parse_toml
from baccarat.record.entry import StreamOpening
from baccarat.record.journal import JournalLine
from baccarat.record.text import visible
from baccarat.values import count_text

RULES = "rules"
MOST_POINTS = 3
"""How many differences from a shipped edition are named."""


@contextmanager
def editions(filed: Sequence[BundleRulebook]) -> Iterator[list[str]]:
    """Register the bundle's own editions while it is checked; yields a sentence about each of them."""
    added: list[str] = []
    remarks: list[str] = []
    try:
        for each in filed:
            name = each.submission.get("ruleset")
            if each.edition is None or name in added:
                continue
            if name in shipped_editions() or name in loadable_editions():
                if each.edition != source_of(name):  # the reader may have the same text from elsewhere
                    say = f"the bundle contains another text of edition {name}"
                    remarks.append(f"{say}; this program's own copy was used instead")
                continue
            try:
                made = build(parse_toml(each.edition, name="edition"))
                if made.name != name:
                    raise RulesError(f"edition: name: is {made.name!r}, but the Submission is under {name!r}")
                register_text(each.edition, source="edition")
            except (RulesError, ValueError) as error:
                remarks.append(f"the edition that the bundle contains cannot be read: {visible(str(error))}")
                continue
            added.append(made.name)
            remarks.append(_difference_text(made))
        yield remarks
    finally:
        for name in added:
            forget(name)


def _difference_text(contained: Edition) -> str:
    """How an edition that a bundle contains differs from the shipped one that is closest to it."""
    shipped = [load_edition(name) for name in shipped_editions()]
    family = [each for each in shipped if each.jurisdiction == contained.jurisdiction] or shipped
    closest, changes = min(((each, differences(each, contained)) for each in family), key=lambda pair: len(pair[1]))
    points = [f"{point.place}: {point.right}, shipped {point.left}" for point in changes[:MOST_POINTS]]
    told = f": {'; '.join(points)}" + (" …" if len(changes) > MOST_POINTS else "") if points else ""
    say = f"the bundle contains the edition {contained.name}, which differs from the shipped {closest.name}"
    return visible(f"{say} in {count_text(len(changes), 'point')}{told}; give your own with --edition")


@contextmanager
def known_rules(bundle: Bundle) -> Iterator[dict[str, Rulebook]]:
    """The rulebooks of a bundle that can be built, by their hashes, while its editions are registered."""
    with editions(bundle.rulebooks):
        found: dict[str, Rulebook] = {}
        for each in bundle.rulebooks:
            with suppress(RulesError):
                made = rulebook(dict(each.submission))
                found[made.hash] = made
        yield found


def checked_rules(bundle: Bundle, lines: list[tuple[int, JournalLine]]) -> tuple[dict[str, Rulebook], BundleCheck]:
    """The rulebooks by their hashes, each computed from what was filed and from its edition."""
    found: dict[str, Rulebook] = {}
    filed = {each.hash: each.submission for each in bundle.rulebooks}
    for _, line in lines:
        opening = line.entry
        if isinstance(opening, StreamOpening) and filed.get(opening.rulebook, opening.submission) != opening.submission:
            return found, failed_check(RULES, f"{opening.stream} was opened under another Submission of that hash")
    for each in bundle.rulebooks:
        try:
            made = rulebook(dict(each.submission))
        except InvalidSubmission as error:
            return found, failed_check(RULES, f"{each.hash[:16]}…: {visible(str(error))}")
        except RulesError as error:
            return found, gap_check(RULES, f"{each.hash[:16]}…: {visible(str(error))}")
        if made.hash != each.hash:
            return found, failed_check(RULES, f"the Submission of {each.hash[:16]}… gives {made.hash} here")
        found[each.hash] = made
    named = {line.entry.rulebook for _, line in lines} | ({bundle.before.rulebook} if bundle.before else set())
    missing = sorted(named - set(found))
    if missing:
        return found, failed_check(RULES, f"the rulebook {missing[0]} is named but not in the bundle")
    names = ", ".join(dict.fromkeys(made.edition.name for made in found.values()))
    return found, passed_check(RULES, f"{count_text(len(found), 'rulebook')}, checked by hash: {names}")
