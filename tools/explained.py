"""Changes that no test can notice, each with the reviewed reason; patterns over the names of changes."""

from __future__ import annotations

EXPLAINED: dict[str, str] = {}

SAME_BEHAVIOUR: dict[str, str] = {
    "table.step.wagering.as_wagered: replace(round_, kind=WAGERED, asked_by=0) if round_.kind is "
    "FREE_HAND else round_ → its if": "a simulated round takes no wager, and any other is a wagered one",
    "table.tableau.new_stays: side is BANKER_SIDE and player_drew → side is BANKER_SIDE or player_drew": (
        "a Player who draws does not stay, and one who stays has no third card"
    ),
    "table.step.burning.evolve_burned: event.positions[-1] + 1 if event.positions else shoe.next → its if": (
        "no shoe is so small that the first burned card is its last, so that a burn always draws a card"
    ),
    "table.step.turning_right.turned_under: law.player_tie_cite if side is PLAYER_SIDE "
    "else law.banker_tie_cite → its if": ("in every document both are in one paragraph, and paragraphs are cited"),
    "table.step.turning_right.next_offer: 1 → 2": (
        "a seat beyond the last is nobody's; without the first a test goes red"
    ),
    "house.link_entry._must_hit_ended: rules.edition.cite_text(*law.cite) if law is not None "
    "else _cites(rules) → its if": "a Must Hit is ended only where the document has one",
    "house.cage._count_text: short > 0 → short >= 0": "a count with nothing short is handled before",
    "table.machine.current_step: start: without its beginning": (
        "an event that returns to an earlier step says so; searching forward only skips those passed"
    ),
    "play.admission._is_plain: limit.min <= wager.stake <= limit.max → limit.min < wager.stake <= limit.max": (
        "a shortcut: what it does not accept is checked one by one, with the same answer"
    ),
    "play.admission._is_plain: limit.min <= wager.stake <= limit.max → limit.min <= wager.stake < limit.max": (
        "a shortcut: what it does not accept is checked one by one, with the same answer"
    ),
    "play.admission._is_plain: spot in seen → spot not in seen": (
        "a shortcut, then closed: what it does not accept is checked one by one, with the same answer"
    ),
    "play.answer._fields: None if coup.is_void else book.facts[coup.index] → its else": (
        "a void round has the index -1, the last finish, which is not a natural either: both hands have three cards"
    ),
    "play.book._banker_rows: [None] * NO_CARD if natural else list(COUNTS) → its else": (
        "after a natural nobody draws: the cells of third cards are never read"
    ),
    "play.road._big_road: True → False": "a spot, a result and a number of ties for each decided result",
    "record.canonical._changes: None if not changes else lambda value: _convert_fields(value, changes) → its else": (
        "if nothing is to be changed, the conversion changes nothing"
    ),
    "audit.battery.outcome.Totals.p: True → False": "there is a solution for each of the numbers",
    "play.record._card_count_objection: len(cards) <= decks → len(cards) < decks": (
        "a shortcut: what it does not accept is counted, with the same answer"
    ),
    "shuffle.HmacDrbg.instantiate: 32 → 33": "HMAC pads a shorter key with zeros: one more of them is the same key",
    "play.wager.royal9.award: True → False": "there are as many shares as winners",
}
"""Changes of code that change nothing a caller can see, by module, function and change, with the reviewed reason."""
