"""The verifiers list the roles by themselves: a role that they do not know makes a bundle unreadable to them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from baccarat.serve.route.page import PAGES
from baccarat.table.role import Role
from paths import ROOT

VERIFIERS = (ROOT / "verifier" / "verify_baccarat.py", PAGES / "js" / "verify_baccarat.mjs")


@pytest.mark.parametrize("path", VERIFIERS, ids=lambda path: path.name)
def test_a_verifier_knows_every_role_and_no_other(path: Path) -> None:
    found = re.search(r"ROLES? = \w+\(([^)]*)\)", path.read_text("utf-8"))
    assert found is not None
    assert re.findall(r"""["']([^"']+)["']""", found[1]) == sorted(role.value for role in Role)
