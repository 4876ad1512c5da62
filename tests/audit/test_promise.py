"""Promises: every short name that an audit may print is explained, in the program and on the page about audits."""

from __future__ import annotations

import re

from baccarat.audit.promise import CHECK_SUBJECTS, PROMISES
from paths import ROOT


def named(text: str) -> set[str]:
    """The promises that a sentence names in brackets; C1–C3 are three."""
    found: set[str] = set()
    for first, last in re.findall(r"([A-Z][0-9]+)(?:–([A-Z][0-9]+))?", text[text.rindex("(") :]):
        found |= {f"{first[0]}{number}" for number in range(int(first[1:]), int((last or first)[1:]) + 1)}
    return found


def test_every_promise_that_a_check_or_a_finding_names_is_explained_and_no_other() -> None:
    checked = set().union(*map(named, CHECK_SUBJECTS.values()))
    assert checked == set(PROMISES)
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src" / "baccarat").rglob("*.py"))
    found = set(re.findall(r'(?:promise=|BrokenInvariant\()"([A-Z][0-9]+)"', source))
    assert len(found) > 10
    assert found <= set(PROMISES)


def test_the_page_about_audits_explains_them_and_names_the_same_for_each_check() -> None:
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    for name, say in PROMISES.items():
        assert f"| {name} | {say} |" in page
    for check in ("chain", "decided again", "money", "promises", "ids", "shuffles", "checkpoints", "house"):
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {check} |")]
        assert row.split("|")[3].strip() == CHECK_SUBJECTS[check][CHECK_SUBJECTS[check].rindex("(") + 1 : -1]
