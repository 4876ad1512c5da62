"""Lagoon: an edition made as docs/new-edition.md tells it, by editing what `rules new-edition` writes.

Nothing of the package is used here but that text: each change takes a passage of it and puts another in its place.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from baccarat.law.draft import draft_edition, draft_submission
from baccarat.law.edition import Edition, register

NAME = "lagoon-1"
LIKE = "nj-punto-banco"
TITLE = "Lagoon, rules of the painted boats, first edition"

LUCKY_SIX = """
[definition.six]
banker_count = [6]
winner = "banker"
cite = "L.1"

[option.lucky_six]
description = "Lucky Six is offered"
may = true
cite = "L.1"

[option.lucky_six_table]
description = "pay table of Lucky Six"
elect = ["long", "short"]
applies = { lucky_six = true }
cite = "L.2"

[wager.lucky_six]
title = "Lucky Six"
offered = "lucky_six"
base = { wagers = ["player", "banker", "tie"], cite = "L.1" }
cite = "L.1"
rules = [
  { six = true, banker_cards = [2], result = "win", row = "six on two", pays = "lucky_six.two", cite = "L.1" },
  { six = true, banker_cards = [3], result = "win", row = "six on three", pays = "lucky_six.three", cite = "L.1" },
  { six = false, result = "lose", cite = "L.1" },
]

[pays.lucky_six]
two = { by = "lucky_six_table", long = "12 to 1", short = "10 to 1", cite = "L.2" }
three = { by = "lucky_six_table", long = "20 to 1", short = "25 to 1", cite = "L.2" }
"""
SMALL_TIGER = """
[wager.small_tiger]
title = "Small Tiger"
cite = "L.3"
rules = [
  { winner = "banker", banker_count = [6], banker_cards = [2], result = "win", pays = "small_tiger", cite = "L.3" },
  { winner = "banker", banker_count = [6], banker_cards = [3], result = "push", cite = "L.3" },
  { winner = "banker", banker_count = [1, 2, 3, 4, 5, 7, 8, 9], result = "lose", cite = "L.3" },
  { winner = ["player", "tie"], result = "lose", cite = "L.3" },
]
"""
PLAYER_PAIR = """
[wager.player_pair]
title = "Player Pair"
opening = true
cite = "L.4"
rules = [
  { player_pair = true, result = "win", pays = "player_pair", cite = "L.4" },
  { player_pair = false, result = "lose", cite = "L.4" },
]
"""
CLAUSES = """
"L.1" = "Lucky Six, where it is offered, wins when the Banker wins with six; it lies beside another wager."
"L.2" = "Lucky Six is paid by the table that the house has filed."
"L.3" = "Small Tiger wins when the Banker wins with six on two cards, and goes back when it is on three."
"L.4" = "Player Pair wins when the Player's first two cards are of one rank."
"""

CHANGES: tuple[tuple[str, str], ...] = (
    # three side wagers at other prices
    ('four = { shall = "3 to 2"', 'four = { shall = "8 to 5"'),
    ('five = { shall = "2 to 1"', 'five = { shall = "9 to 5"'),
    ('six = { shall = "2 to 1"', 'six = { shall = "11 to 5"'),
    # three new ones: what each pays stands with the other pays
    ('banker_six = {', 'small_tiger = { shall = "22 to 1", cite = "L.3" }\n'
                       'player_pair = { shall = "11 to 1", cite = "L.4" }\nbanker_six = {'),
    ("[no_more_bets]", LUCKY_SIX + SMALL_TIGER + PLAYER_PAIR + "\n[no_more_bets]"),
    ("[clause]", "[clause]" + CLAUSES.rstrip()),
    ('dragon_paytable = "A"\n', 'dragon_paytable = "A"\nlucky_six_table = "long"\n'),
    # another row of the tableau: a Banker of five stays against a four
    ("third = [4, 5, 6, 7]\nholds = [5]", "third = [5, 6, 7]\nholds = [5]"),
    ("third = [0, 1, 2, 3, 8, 9]\nholds = [5]", "third = [0, 1, 2, 3, 4, 8, 9]\nholds = [5]"),
    # vigorish of three per cent, in coins of fifteen cents
    ("elect = [4, 5]\n", "shall = 3\n"),
    ("coins = { 5 = 25, 4 = 20 }", "coins = { 3 = 15 }"),
    ("vig_rate = 5\n", "vig_rate = 3\n"),
    # another order of settlement: winners from the lowest seat up, and losing wagers taken last
    ('losers_first = true\nstart = "highest"\ndirection = "descending"',
     'losers_first = false\nstart = "lowest"\ndirection = "ascending"'),
    # always four more cards are burned, whatever the first one is
    ("""value = [
  { ranks = "23456789", value = "face", cite = "3.5(e).4" },
  { ranks = "TJQK", value = 10, cite = "3.5(e).6" },
  { ranks = "A", value = 1, cite = "3.5(e).6" },
]
cite = ["3.5(e).4", "3.5(e).5"]""",
     'value = [{ ranks = "A23456789TJQK", value = 4, cite = ["3.5(e).4", "3.5(e).6"] }]\n'
     'cite = ["3.5(e).4", "3.5(e).5"]'),
    # other remedies: a card found face up opens a simulated round
    ('[face_up]\nfixed = "discard_value"\nten_option = "face_up_ten_extra"', '[face_up]\nfixed = "simulated_round"'),
)  # fmt: skip


@cache
def edition_text() -> str:
    """The file of the edition."""
    text = draft_edition(NAME, like=LIKE, title=TITLE).text
    for before, after in CHANGES:
        assert text.count(before) == 1, f"stands there {text.count(before)} times: {before}"
        text = text.replace(before, after)
    return text


OFFERED = (
    ("# total_card_wagers = false", "total_card_wagers = true"),
    ("# lucky_six = false", "lucky_six = true"),
    ("# lucky_six_table = ", "lucky_six_table = "),
    ("# lucky_six = { min", "lucky_six = { min"),
)
"""What the house takes up in the Submission that `rules new` writes: the marks of the comments go."""


def submission_text(edition: Edition) -> str:
    """The file of the Submission."""
    text = draft_submission(edition).text
    for before, after in OFFERED:
        assert text.count(f"\n{before}") <= 1, before
        text = text.replace(f"\n{before}", f"\n{after}")
    return text


def write(folder: Path) -> tuple[Path, Path]:
    """The two files, the edition registered: what it says, and what one house elects under it."""
    edition, submission = folder / f"{NAME}.toml", folder / "gondola.toml"
    edition.write_text(edition_text(), encoding="utf-8")
    submission.write_text(submission_text(register(edition)), encoding="utf-8")
    return edition, submission
