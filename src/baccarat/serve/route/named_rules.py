"""The rules that an address names: by the hash of a Submission that is filed here, or by the name of a shipped one."""

from __future__ import annotations

from functools import cache

from baccarat.law.rulebook import Rulebook, rulebook, shipped_submissions
from baccarat.serve.http.problem import not_found, quoted_name
from baccarat.serve.live import HouseServer
from baccarat.serve.watch.expected_win import rules_filed


@cache
def _shipped_rulebooks() -> dict[str, Rulebook]:
    """The shipped Submissions, by name and by hash."""
    found = {name: rulebook(name) for name in shipped_submissions()}
    return {**found, **{rules.hash: rules for rules in found.values()}}


def rules_of(live: HouseServer, name: str) -> Rulebook:
    """The rules of this hash that a table plays by, has played by or will play by; or shipped ones, also by name."""
    found = _shipped_rulebooks().get(name) or rules_filed(live.house.state).get(name)
    if found is None:
        raise not_found(
            f"Submission {quoted_name(name)} filed here, or among those that are shipped", code="no_such_submission"
        )
    return found
