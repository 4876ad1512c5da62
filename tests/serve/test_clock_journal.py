"""What a clock did is on record like any other act and is decided again; what it brought too late leaves no trace."""

from __future__ import annotations

import random
import re
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from automated import Automated, everybody_wagers, some_answer
from baccarat.audit.journal import JournalAudit
from baccarat.cli import app
from baccarat.law.rulebook import rulebook
from baccarat.play.refusal import Refused
from baccarat.serve.automation.attendant import Attendant
from baccarat.serve.automation.timer import CLOCK
from baccarat.table.base import Command
from baccarat.table.seating_acts import BuyIn, Sit
from baccarat.table.source import SealedShoe
from baccarat.table.step.calling import CallNoMoreBets
from baccarat.table.step.cutting import AnswerCut, GiveUpCut
from baccarat.table.step.relinquishing import AnswerTurn, OrderRelinquish
from kept import first_fault, kept_table, lines_of

LATE: tuple[Command, ...] = (
    CallNoMoreBets(),
    OrderRelinquish(seat=2, reason="late"),
    AnswerCut(seat=1, accept=True),
    AnswerTurn(seat=1, accept=True),
    GiveUpCut(seat=2),
)
"""What a clock brings after the act was done anyway, or should never bring: nobody sits at seat 2."""


def played(path: Path, name: str, *, answers: float) -> bytes:
    """The journal of a short shoe at an automated table; the clock also brings what is refused."""
    rules, chance = rulebook(name, cover_card_depth=380), random.Random(name)
    source = SealedShoe(rules, lambda number: bytes([4, number]) * 16, table="1")
    table = kept_table(path, rules)
    house = Automated(table, Attendant(source, is_practice=True))
    for seat in (1, 3, 5):
        house.do(Sit(seat=seat, person=f"p{seat}"))
        house.do(BuyIn(seat=seat, amount=5_000_000))
    while table.state.shoe.number < 1:
        if table.state.step == "wager" and not table.state.round.wagers:
            everybody_wagers(house, chance)
        for due in table.expected:
            command = some_answer(due, chance) if chance.random() < answers else None
            if command is not None and not isinstance(house.do(command), Refused):
                break
        before, size = table.state, path.stat().st_size
        for command in LATE if table.state.step != "wager" else LATE[1:]:
            assert isinstance(table.do(command, CLOCK), Refused)
        assert table.state is before
        assert path.stat().st_size == size, "what a clock is refused is not recorded"
        if not (table.state.step == "wager" and not table.state.round.wagers):
            assert house.tick()
    table.file.close()
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("answers", [0.0, 0.4])
@pytest.mark.parametrize("name", ["ma-midi-1", "ma-midi-4", "nj-punto-banco"])
def test_the_acts_of_a_clock_are_recorded_and_decided_again(tmp_path: Path, name: str, answers: float) -> None:
    data = played(tmp_path / "journal.jsonl", name, answers=answers)
    assert first_fault(data) is None
    audit = JournalAudit()
    audit.lines(lines_of(data), file=name)
    assert audit.report().findings == ()
    records = [msgspec.json.decode(line)["record"] for line in data.splitlines()]
    clocked = [each for each in records if each.get("origin") == "clock"]
    assert {each["command"]["do"] for each in clocked} >= {"call_no_more_bets", "order_relinquish"}
    assert all(each["who"] == "clock" and "role" not in each for each in clocked)
    assert not [each for each in clocked if "refused" in each]


ACTED = re.compile(r"declines|gives up|by order|does not make it\b(?! in time)")
"""Words for what a person does."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ma-midi-4", "nj-punto-banco"])
def test_a_transcript_tells_what_the_clock_did_and_not_as_if_somebody_had_done_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / "journal.jsonl"
    data = played(path, name, answers=0.4)
    origins = [msgspec.json.decode(line)["record"].get("origin", "person") for line in data.splitlines()]
    done = CliRunner().invoke(app, ["transcript", str(path), "--json"])
    assert done.exit_code == 0, done.output
    told = msgspec.json.decode(done.stdout)
    assert [each["origin"] for each in told] == [origins[each["line"] - 1] for each in told], "as the record says"
    by_clock = [each["say"] for each in told if each["origin"] == "clock"]
    assert not [say for say in by_clock if ACTED.search(say) or "dealer calls" in say], by_clock
    assert len([say for say in by_clock if "in time" in say]) > 2
    assert [say for say in by_clock if say.lower() == "the time for wagers is over: the clock calls “no more bets”."]
    by_people = [each["say"] for each in told if each["origin"] == "person"]
    assert [say for say in by_people if ACTED.search(say)], "what people did is told as before"
    assert not [say for say in by_people if "in time" in say]
    plain = CliRunner().invoke(app, ["transcript", str(path)]).stdout
    assert all(say in plain for say in by_clock)


@pytest.mark.slow
def test_the_card_of_a_dispute_tells_what_the_clock_did_in_the_same_words(tmp_path: Path) -> None:
    journal, bundle, card = tmp_path / "journal.jsonl", tmp_path / "round.json", tmp_path / "card.html"
    played(journal, "ma-midi-4", answers=0.4)
    made = CliRunner().invoke(app, ["bundle", str(journal), "--round", "1", "--output", str(bundle)])
    assert made.exit_code == 0, made.output
    CliRunner().invoke(app, ["verify", str(bundle), "--card", str(card)])
    rows = re.findall(r"<tr>.*?</tr>", card.read_text(encoding="utf-8"), re.DOTALL)
    by_clock = [row for row in rows if ">clock<" in row]
    assert [row for row in by_clock if "in time" in row]
    assert [row for row in by_clock if "The time for wagers is over" in row]
    assert not [row for row in by_clock if ACTED.search(row)]
