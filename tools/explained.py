"""Changes that no test can notice, each with the reviewed reason; patterns over the names of changes."""

from __future__ import annotations

EXPLAINED: dict[str, str] = {}
