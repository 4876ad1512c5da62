"""The rules that a bundle names: editions that it contains, and each rulebook's hash computed from what was filed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from baccarat.audit.bundle.form import Bundle, BundleRulebook
from baccarat.audit.bundle.verdict import BundleCheck, failed_check, passed_check
from baccarat.law.edition import forget, loadable_editions, register_text, shipped_editions
from baccarat.law.error import RulesError
from baccarat.law.rulebook import Rulebook, rulebook
from baccarat.record.entry import StreamOpening
from baccarat.record.journal import JournalLine
from baccarat.record.text import visible

RULES = "rules"


@contextmanager
def editions(filed: Sequence[BundleRulebook]) -> Iterator[dict[str, str]]:
    """Register the bundle's own editions while it is checked; yields what is wrong with them, by rulebook."""
    added: list[str] = []
    faults: dict[str, str] = {}
    try:
        for each in filed:
            name = each.submission.get("ruleset")
            if each.edition is None or name in shipped_editions() or name in loadable_editions():
                continue
            try:
                added.append(register_text(each.edition, source="edition").name)
            except RulesError as error:
                faults[each.hash] = str(error)
        yield faults
    finally:
        for name in added:
            forget(name)


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


def checked_rules(
    bundle: Bundle, lines: list[tuple[int, JournalLine]], faults: dict[str, str]
) -> tuple[dict[str, Rulebook], BundleCheck]:
    """The rulebooks by their hashes, each computed from what was filed and from its edition."""
    found: dict[str, Rulebook] = {}
    for each in bundle.rulebooks:
        try:
            made = rulebook(dict(each.submission))
        except RulesError as error:
            return found, failed_check(RULES, f"{each.hash[:16]}…: {visible(faults.get(each.hash, str(error)))}")
        if made.hash != each.hash:
            return found, failed_check(RULES, f"the Submission of {each.hash[:16]}… gives {made.hash} here")
        found[each.hash] = made
    named = {line.entry.rulebook for _, line in lines} | ({bundle.before.rulebook} if bundle.before else set())
    missing = sorted(named - set(found))
    if missing:
        return found, failed_check(RULES, f"the rulebook {missing[0]} is named but not in the bundle")
    for _, line in lines:
        opening = line.entry
        if isinstance(opening, StreamOpening):
            held = next(each for each in bundle.rulebooks if each.hash == opening.rulebook)
            if held.submission != opening.submission:
                return found, failed_check(RULES, f"{opening.stream} was opened under another Submission of that hash")
    editions = ", ".join(dict.fromkeys(made.edition.name for made in found.values()))
    return found, passed_check(RULES, f"{len(found)} rulebook{'s' * (len(found) > 1)} by its hash: {editions}")
