"""Changes that no test can notice, each with the reviewed reason; patterns over the names of changes."""

from __future__ import annotations

EXPLAINED: dict[str, str] = {
    "nj-punto-banco call[6].total_cards: total_cards False": (
        "a call that says no words, no count and no result can only be the number of cards, and is taken as that"
    ),
}
