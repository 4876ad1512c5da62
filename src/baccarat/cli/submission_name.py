"""What rules are called in results: by their Submission, since two Submissions under one edition price differently."""

from __future__ import annotations

from collections.abc import Sequence

from baccarat.law.rulebook import Rulebook, from_table, read_submission, shipped_submissions


def typed_name(submission: str, changes: Sequence[str] | None) -> str:
    """A Submission as it was named, with what `--set` changed."""
    return f"{submission} with {', '.join(changes)}" if changes else submission


def shipped_name(edition: str, rulebook: str) -> str | None:
    """The shipped Submission under an edition whose rulebook has this hash."""
    for name in shipped_submissions():
        table = read_submission(name)
        if table["ruleset"] == edition and from_table(table, typed=set(table)).hash == rulebook:
            return name
    return None


def name_of(rules: Rulebook) -> str:
    """What a rulebook is called if no name was typed."""
    return shipped_name(rules.edition.name, rules.hash) or f"a Submission under {rules.edition.name}"
