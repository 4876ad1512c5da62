"""Honest rounds in every notation under every election of payment: nothing is found, and a cent too much is."""

from __future__ import annotations

import io
import itertools
import random
from typing import Any

import msgspec
import pytest

from baccarat.audit.rounds import Findings, LogAudit, LogOptions, audit_log, text_line
from baccarat.law.rulebook import Rulebook, rulebook
from log_notation import Notation, log_of, notations, settled_rounds

ROUNDS = 4
ELECTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("ma-midi-1", {"vig_collection": "deferred"}),
    ("ma-midi-2", {}),
    ("ma-midi-3", {"tie_odds": 9}),
    ("ma-midi-4", {}),
    ("ma-midi-4", {"vig_collection": "deferred"}),
    ("ma-midi-4-ez", {}),
    ("nj-punto-banco", {"vig_collection": "deferred", "dragon_paytable": "B"}),
    ("nj-punto-banco", {"vig_rate": 4}),
    ("nj-punto-banco-exempt", {}),
    ("nj-punto-banco-exempt", {"vig_collection": "deferred"}),
    ("nj-punto-banco-six-half", {}),
)


def audited(rules: Rulebook, log: bytes, how: Notation) -> LogAudit:
    """The audit of a log, told what it says of its own sums."""
    stream = io.BufferedReader(io.BytesIO(log))
    return audit_log(rules, stream, Findings(keep=1000), options=LogOptions(in_cents=how.sums == "cents"))


@pytest.mark.slow
@pytest.mark.parametrize(("submission", "elected"), ELECTIONS)
def test_honest_rounds_are_right_in_every_notation_and_a_cent_is_noticed(
    submission: str, elected: dict[str, Any]
) -> None:
    rules, chance = rulebook(submission, **elected), random.Random(2)
    ways = list(notations())
    rounds = settled_rounds(rules, ROUNDS * len(ways), seed=3)
    for index, how in enumerate(ways):
        taken = rounds[index * ROUNDS : (index + 1) * ROUNDS]
        audit = audited(rules, log_of(taken, how), how)
        assert audit.findings.kept == [], f"{how}: {audit.findings.kept[0]}"
        assert audit.rounds == ROUNDS, f"{how}: as many rounds as were written"
        assert not any("tableau" in each or "wager" in each for each in audit.unchecked), f"{how}: {audit.unchecked}"

        row, wagers = taken[chance.randrange(ROUNDS)]
        at, claim = chance.randrange(len(wagers)), chance.choice(how.claims)
        if how.layout == "a column each":
            at = 0
        wager = wagers[at]
        wrong = msgspec.structs.replace(wager, sums={**wager.sums, claim: wager.sums[claim] + chance.choice((1, -1))})
        forged = [
            (row, [*wagers[:at], wrong, *wagers[at + 1 :]]) if each is row else (each, paid) for each, paid in taken
        ]
        found = audited(rules, log_of(forged, how), how).findings.kept
        named = [(fault.shoe, fault.round, fault.kind.value) for fault in found]
        kind = "wrong_vigorish" if claim == "vigorish" else "wrong_payment"
        assert named == [(str(row.shoe), str(row.round), kind)], f"{how}: {wrong} was {wager}"


def test_every_value_of_a_notation_meets_every_other() -> None:
    ways = list(notations())
    assert 28 <= len(ways) <= 60, len(ways)
    assert {(each.hands, each.layout) for each in ways} >= {("names", "a list"), ("values", "a column each")}


BAD_LINES = {
    "an overlong line": b"1,2," + b"x" * 70_000,
    "an open quotation": b'1,2,"6c 3h,Ac 7h,9,8,player',
    "a short row": b"1,2,6c 3h",
    "a long row": b"1,2,6c 3h,Ac 7h,9,8,player,more,more",
    "bytes of no text": b"1,2,\xff\xfe\xfd,Ac 7h,9,8,player",
    "a card that is none": b"1,2,Joker 3h,Ac 7h,9,8,player",
    "a winner that is none": b"1,2,6c 3h,Ac 7h,9,8,house",
}
"""Each is one row that cannot be read, whatever stands before or after it."""
HEAD = b"shoe,round,player,banker,player_total,banker_total,winner"
HONEST = b"%d,%d,6c 3h,Ac 7h,9,8,player"
WRONG = b"%d,%d,6c 3h,Ac 7h,9,8,banker"


@pytest.mark.parametrize("block", [1 << 18, 50, 7])
def test_two_unreadable_rows_hide_neither_each_other_nor_what_is_wrong_around_them(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of them, next to each other or with a row between them, however the file is cut into blocks."""
    monkeypatch.setattr(text_line, "BLOCK", block)
    rules = rulebook("ma-midi-4")
    for (one, first), (other, second) in itertools.product(BAD_LINES.items(), repeat=2):
        if one == other == "an open quotation":
            continue  # the second closes the first
        for between in (0, 1):
            if block < 50 and "overlong" in one + other:
                continue  # ten thousand blocks of a line that is skipped
            rows = [
                WRONG % (1, 1),
                first,
                *[WRONG % (1, 3)] * between,
                second.replace(b"1,2,", b"1,4,"),
                HONEST % (1, 5),
                WRONG % (1, 6),
            ]
            log = b"\n".join([HEAD, *rows, b""])
            found = audited(rules, log, Notation()).findings.kept
            expected = [(1, "wrong_winner"), (2, "unreadable")]
            expected += [(3, "wrong_winner")] * between
            expected += [(3 + between, "unreadable"), (5 + between, "wrong_winner")]
            kept = [(each.row, each.kind.value) for each in found if not each.kind.value.startswith("round_")]
            assert kept == expected, f"{one}, {between} row(s), {other}"
