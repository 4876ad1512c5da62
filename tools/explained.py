"""Changes that no test can notice, each with the reviewed reason; patterns over the names of changes."""

from __future__ import annotations

EXPLAINED: dict[str, str] = {}

SAME_BEHAVIOUR: dict[str, str] = {
    "chain.root_from: True → False": "both have been found to be of one length just before",
}
"""Changes of code that change nothing a caller can see, by module, function and change, with the reviewed reason."""
