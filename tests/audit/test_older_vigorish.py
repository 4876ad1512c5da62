"""Payments corrected by version 2, which left the vigorish earned: their journals are followed to the end."""

from __future__ import annotations

from pathlib import Path

from baccarat.audit.journal import JournalAudit
from baccarat.record.journal_file import JournalFile
from baccarat.table.base import table_rules
from baccarat.table.machine import BEHAVIOUR
from baccarat.table.owed import dues
from baccarat.table.payment_correction import CorrectPayment
from baccarat.table.step.settlement import Paid
from correction_scenes import set_right
from house_books import TABLE, open_table, opened_house
from journaled_house import JournaledHouse
from kept import lines_of, rehashed
from table_driver import new_game, seated

TABLE_STREAM = f"table {TABLE}"
BANKER_WINS, NEXT = "7S 9D TH KC", "2C 3C 4C 5C 6C 7C 8C 9C"


def corrected(path: Path) -> list[bytes]:
    """The lines of a house in which a payment is corrected, the round is finished and another is played."""
    game = new_game("ma-midi-4", f"{BANKER_WINS} {NEXT}")
    with JournalFile(path, sync=False) as file:
        assert not list(file.open())
        house = opened_house(game.rules, house=JournaledHouse(game.rules, file))
        game.table = table = open_table(house, game.rules)
        seated(game, (1, 3, 5))
        game.go("wager").wager("1 b 10000").go("settle")
        while game.step == "settle":
            game.act()
        set_right(game, game.state.round.banker[0], "7D", "a seven: the hands were equal")
        number = max(at for at, event in enumerate(table.log) if isinstance(event, Paid))
        due = dues(table_rules(game.rules), game.state)[1]
        fixed = CorrectPayment(corrects=number, seat=1, amount=due, reason="by the cards")
        game.do(fixed, who="dealer", second="F. Loor")
        game.finish_round()
        game.go("wager").play("1 b 10000")
    return path.read_bytes().splitlines(keepends=True)


def kinds(lines: list[bytes]) -> list[tuple[str, str]]:
    """What an audit of a house finds, and in which stream."""
    audit = JournalAudit()
    audit.lines(lines_of(b"".join(rehashed(lines))), file="x")
    return [(each.kind, each.stream) for each in audit.report().findings]


def test_a_payment_that_version_2_corrected_is_no_forgery_and_what_follows_is_decided(tmp_path: Path) -> None:
    honest = corrected(tmp_path / "journal.jsonl")
    assert kinds(honest) == []
    earned = [line.replace(b',"vigorish":-500', b"") for line in honest]
    assert sum(one != other for one, other in zip(honest, earned, strict=True)) == 1
    assert kinds(earned)[0] == ("other_events", TABLE_STREAM), "this version corrects the vigorish too"
    old = [line.replace(f'"behaviour":{BEHAVIOUR}'.encode(), b'"behaviour":2') for line in earned]
    assert kinds(old) == [("ruled_otherwise_since", TABLE_STREAM)]
    other = [line.replace(b'"vigorish":-500', b'"vigorish":-400') for line in honest]
    other = [line.replace(f'"behaviour":{BEHAVIOUR}'.encode(), b'"behaviour":2') for line in other]
    assert ("other_events", TABLE_STREAM) in kinds(other), "no version decided this"
    last = max(at for at, line in enumerate(old) if b'"event":"paid"' in line)
    forged = [line.replace(b'"win":', b'"win":1') if at == last else line for at, line in enumerate(old)]
    assert ("other_events", TABLE_STREAM) in kinds(forged), "a forgery after it is still found"
