"""Scripts and journals: typed at a keyboard, read with care, and derived anew before they are told."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from baccarat.cli import app
from baccarat.cli.command_list import descriptions
from baccarat.cli.output import console, line
from baccarat.law.rulebook import rulebook
from baccarat.record.field import WORDS, fields_of
from baccarat.record.wire import KINDS, LineEnvelope, SecondPerson
from baccarat.table.automated_company import lowest_wagers
from baccarat.table.vigorish_form import ComplimentaryForm
from forked import run_text
from paths import ROOT

pytestmark = pytest.mark.slow

DISPUTE = ROOT / "docs" / "examples" / "dispute.jsonl"
HEADER = '{"submission": "ma-midi-4"}'
DEEP = b"[" * 200_000


def cli(*words: str, text: str | bytes | None = None) -> Result:
    """What a verb answers; a trace is a failure."""
    done = CliRunner().invoke(app, list(words), input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def script(*lines: str | bytes | dict[str, Any]) -> bytes:
    """A script of these lines after its header."""
    texts = (json.dumps(each) if isinstance(each, dict) else each for each in lines)
    made = [HEADER.encode(), *(each if isinstance(each, bytes) else each.encode() for each in texts)]
    return b"\n".join(made) + b"\n"


@pytest.fixture(scope="module")
def journal() -> list[str]:
    """The journal of the dispute, line by line."""
    done = cli("run", str(DISPUTE))
    assert done.exit_code == 1, "some of its commands are refused"
    return done.stdout.splitlines()


def told(lines: list[str]) -> Result:
    """What a transcript says to a journal."""
    return cli("transcript", "-", text="\n".join(lines) + "\n")


# ------------------------------------------------------------------------------------------ the example


def test_the_dispute_of_the_docs_runs_and_is_told(journal: list[str]) -> None:
    refused = [json.loads(line)["refused"]["cites"] for line in journal if '"refused"' in line]
    assert refused == [["ma-midi-4 §7(d)"], ["ma-midi-4 §7(d)"], ["ma-midi-4 §11(a)"], ["ma-midi-4 §11(b)"]]
    assert not any("unreadable" in line for line in journal)
    done = cli("transcript", "-", "--numbers", text="\n".join(journal))
    assert done.exit_code == 0, done.output
    assert "  43  " in done.stdout
    assert "Event 44 is corrected" in done.stdout
    assert "Seat 3 leaves with $1,097.75." in done.stdout
    page = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    assert "$1,097.75" in page
    assert "event 44" in page


def test_what_is_printed_can_be_typed(journal: list[str]) -> None:
    in_objects = DISPUTE.read_text(encoding="utf-8")
    for text, card in (
        ("9s", "9s"),
        ("KD", "Kd"),
        ("6s", "6s"),
        ("Ah", "Ah"),
        ("2h", "2h"),
        ("3c", "3c"),
        ("4d", "4d"),
    ):
        in_objects = in_objects.replace(f'"{text}"', json.dumps({"rank": card[0], "suit": card[1]}))
    for text, cents in (("$1,000", 100000), ("$500", 50000), ("$103", 10300), ("$100", 10000), ("$25", 2500)):
        in_objects = in_objects.replace(f'"{text}"', str(cents))
    assert '"$' not in in_objects
    assert cli("run", "-", text=in_objects).stdout.splitlines() == journal


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"do": "turn_card", "position": 0, "card": "1s"}, "turn_card: card: no such card"),
        ({"do": "buy_in", "seat": 1, "amount": "much"}, "buy_in: amount: 'much' is not a sum"),
        ({"do": "correct_meter", "amount": "$1"}, "correct_meter: "),
        ({"do": "sitt"}, "did you mean 'sit'"),
        ({"do": 5}, "no command 5"),
        ({"seat": 5}, "expected a command"),
        (
            {"do": "sit", "seet": 4},
            "no field 'seet'; did you mean 'seat'? It takes seat, person, by, who, origin, approvals, id, at; see "
            "baccarat run --commands sit",
        ),
        ({"do": "sit", "seat": 10**30, "who": "x"}, "too large"),
    ],
    ids=str,
)
def test_a_command_that_cannot_be_meant_says_what_is_expected(command: dict[str, Any], said: str) -> None:
    done = cli("run", "-", text=script(command))
    assert done.exit_code == 2
    assert said in json.loads(done.stdout.splitlines()[1])["unreadable"]
    assert "standard input: line 2: " in done.stderr


# ------------------------------------------------------------------------------------- nothing is a trace

BAD: list[bytes] = [
    DEEP, b'{"do": ' + DEEP, b'{"do":"sit","seat":1,"who":"\xff"}', b"5", b"null", b'"refused"', b"[]", b"{", b"words",
    b'{"do":"sit","seat":1,"who":"A", "do', b'{"refused":5}', b'{"refused":{}}', b'{"refused":null}', b"\x00",
    b'{"refused":{"say":"x","cites":[1]}}', b'{"unreadable":5}', b'{"event":"sat"}', b'{"event":5}', b'{"event":"sa',
    b'{"line":1,"refused":{"code":"x","say":"x","cites":["ma-midi-4 \xc2\xa799"]}}', b'{"event":"flown"}',
    b'{"event":"sat","seat":"1","who":"A"}', b'{"event":"bought_in","seat":1e400,"amount":5}',
]  # fmt: skip


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: repr(bad[:40]))
def test_an_unreadable_line_is_named_and_what_stands_before_it_is_kept(bad: bytes) -> None:
    ran = cli("run", "-", text=script({"do": "sit", "seat": 1, "who": "A"}, bad, {"do": "leave", "seat": 1}))
    assert ran.exit_code == 2
    assert "line 3: " in ran.stderr
    answered = [tuple(json.loads(each))[:2] for each in ran.stdout.splitlines()]
    commands = ("line", "do"), ("event", "cites")
    assert answered == [("answers", "rulebook"), *commands, ("line", "unreadable"), *commands]
    sat = ran.stdout.splitlines()[1:3]
    done = cli("transcript", "-", text=script(*sat, bad))
    assert done.exit_code == 2, done.output
    assert "A sits down at seat 1." in done.stdout
    assert "line 4: " in done.stderr
    assert cli("transcript", "-", "--json", text=script(*sat, bad)).exit_code == 2


@pytest.mark.parametrize("bad", [*BAD, b'{"submission": 5}', b'{"submission": {"ruleset": 5}}', b'{"submission": "'
                                 + b"x" * 5000 + b'"}', b'{"submission": "\\u0000"}', b'{"submission": "a\\u001b[2J"}'],
                         ids=lambda bad: repr(bad[:40]))  # fmt: skip
@pytest.mark.parametrize("verb", ["run", "transcript"])
def test_a_first_line_that_names_no_rules_is_answered(verb: str, bad: bytes) -> None:
    done = cli(verb, "-", text=bad + b"\n")
    assert done.exit_code == (1 if b'{"ruleset"' in bad else 2)
    assert "standard input: line 1: " in done.stderr


def test_a_half_written_last_line_is_named_and_the_rest_is_told(journal: list[str]) -> None:
    done = cli("transcript", "-", text="\n".join([*journal[:-1], journal[-1][:30]]))
    assert done.exit_code == 2
    assert f"standard input: line {len(journal)}: not JSON: " in done.stderr
    assert "only half of the line has been written" in done.stderr
    assert "Seat 3 is paid $103.00." in done.stdout


def test_a_journal_that_ends_within_an_act_breaks_off(journal: list[str]) -> None:
    cleared = next(at for at, text in enumerate(journal) if '"table_cleared"' in text)
    done = told(journal[: cleared + 1])
    assert done.exit_code == 2
    assert f"line {cleared + 2} is missing: " in done.stderr
    assert "go to the discards" in done.stdout


@pytest.mark.parametrize(
    "words", [("run", "-"), ("transcript", "-"), ("settle", "-"), ("roads", "-"), ("play", "ma-midi-4", "--seed", "x")]
)
def test_a_closed_standard_input_is_no_trace(words: tuple[str, ...]) -> None:
    command = [sys.executable, "-W", "error", "-m", "baccarat", *words]
    done = subprocess.run(["bash", "-c", '"$@" <&-', "bash", *command], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == (0 if words[0] == "play" else 2)


@pytest.mark.parametrize(
    "words", [("run", "{}"), ("transcript", "{}"), ("play", "{}"), ("deal", "{}", "2s"), ("rules", "check", "{}")]
)
def test_a_name_that_no_file_can_have_is_not_blamed_on_writing(words: tuple[str, ...]) -> None:
    for name in ("x" * 5000, "no/such/file"):
        done = run_text(*(word.format(name) for word in words))
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert "cannot write" not in done.stderr


# ------------------------------------------------------------------------------ nothing is markup, no forgery


@pytest.mark.parametrize(
    "text", ["[red]x", "\\[red]x", "\\\\[/foo]", "x\\", "x\\\\\\", "[9]", "[/]", ":smile:", "a]b["]
)
def test_no_text_is_markup(text: str) -> None:
    with console.capture() as got:
        console.print(line("<", (text, "bold"), ">", (text, "dim")))
    assert got.get() == f"<{text}>{text}\n"
    done = cli("run", "-", text=script({"do": "sit", "seat": 1, "who": text}))
    story = cli("transcript", "-", text=done.stdout)
    assert f"{text} sits down at seat 1." in story.stdout
    assert text in cli("rules", "show", "ma-midi-4", text).stderr


UNSEEN = [
    "\n",
    "\r",
    "\x1b[2J",
    "\x07",
    "\x7f",
    "\x9b",
    "\u202e",
    "\u2066",
    "\u200f",
    "\u2028",
    "\u2029",
    "\ufeff",
    "\u200b",
]


@pytest.mark.parametrize("sign", UNSEEN, ids=ascii)
def test_unseen_characters_are_refused_at_the_door_and_shown_in_a_story(sign: str) -> None:
    name = f"A{sign}Seat 1 is paid $1,000.00."
    done = cli("run", "-", text=script({"do": "sit", "seat": 1, "who": name}, {"do": "sit", f"a{sign}": 1}))
    assert done.exit_code == 2
    answers = [json.loads(each) for each in done.stdout.splitlines()[1:]]
    assert ["who: the character" in each["unreadable"] for each in answers] == [True, False]
    assert sign[0] not in done.stdout.replace("\n", "") + done.stderr.replace("\n", "")
    sat = {"event": "sat", "cites": ["ma-midi-4 §2(a)"], "seat": 1, "who": name}
    story = cli("transcript", "-", text=script({"do": "sit", "seat": 1, "who": "A"}, sat))
    assert story.exit_code == 1, "a command cannot hold it, so no event can"
    assert sign[0] not in (story.stdout + story.stderr).replace("\n", "")


def test_visible_text_in_any_script_is_taken() -> None:
    for name in ("Žofie Ångström", "می\u200cخواهم", "李 小龍", "O'Brien-[x]"):
        done = cli("run", "-", text=script({"do": "sit", "seat": 1, "who": name}))
        assert done.exit_code == 0
        assert name in cli("transcript", "-", text=done.stdout).stdout


def _set(tag: str, **changes: Any) -> Callable[[list[str]], list[str]]:
    """Change the first event of a kind."""

    def edit(lines: list[str]) -> list[str]:
        place = next(at for at, text in enumerate(lines) if json.loads(text).get("event") == tag)
        return [*lines[:place], json.dumps({**json.loads(lines[place]), **changes}), *lines[place + 1 :]]

    return edit


def _without(tag: str) -> Callable[[list[str]], list[str]]:
    """Leave the first event of a kind out."""

    def edit(lines: list[str]) -> list[str]:
        place = next(at for at, text in enumerate(lines) if json.loads(text).get("event") == tag)
        return [*lines[:place], *lines[place + 1 :]]

    return edit


def _after(tag: str, event: dict[str, Any]) -> Callable[[list[str]], list[str]]:
    """Put an event in after the first of a kind."""

    def edit(lines: list[str]) -> list[str]:
        place = next(at for at, text in enumerate(lines) if json.loads(text).get("event") == tag)
        return [*lines[: place + 1], json.dumps(event), *lines[place + 1 :]]

    return edit


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (_set("paid", win=99999999), "win is 99999999 and should be 10300"),
        (_set("paid", stake=1), "stake is 1 and should be 10300"),
        (_set("vigorish_taken", amount=0), "amount is 0 and should be 525"),
        (_set("losers_collected", amounts={"5": 1}), 'amounts.5 is 1 and should be 2500'),
        (_set("card_turned", card={"rank": "2", "suit": "s"}), 'card.rank is "2" and should be "9"'),
        (_set("card_corrected", card={"rank": "2", "suit": "s"}), 'card.rank is "2" and should be "6"'),
        (_set("card_corrected", corrects=3), "corrects is 3 and should be 44"),
        (_set("count_announced", count=9), "count is 9 and should be 6"),
        (_set("result_announced", outcome="player"), 'outcome is "player" and should be "banker"'),
        (_set("result_announced", calls=["Player wins"]), "calls is "),
        (_set("sat", cites=["ma-midi-4 §99(z)"]), "cites is "),
        (_set("sat", seat=99), "seat is 99 and should be 3"),
        (_set("sat", seat=-3), "seat is -3 and should be 3"),
        (_set("left", seat=7), "seat is 7 and should be 3"),
        (_set("left", chips=1), "chips is 1 and should be 109775"),
        (_set("bought_in", seat=99), "seat is 99 and should be 3"),
        (_set("bought_in", amount=-5), "amount is -5 and should be 100000"),
        (_set("wager_placed", seat=1), "seat is 1 and should be 3"),
        (_set("wager_placed", stake=1), ""),
        (_set("cards_handed", positions=[]), "positions is [] and should be [2,4]"),
        (_set("cards_prepared", act="fly"), 'act is "fly" and should be "inspect"'),
        (_set("card_drawn", position=40), "position is 40 and should be 2"),
        (_set("step", step="wager"), "step is "),
        (_without("losers_collected"), "losers_collected should come next"),
        (_without("no_more_bets_called"), "step"),
        (_without("step"), "step should come next"),
        (_without("bought_in"), ""),
        (_without("card_drawn"), ""),
        (_after("paid", {"event": "paid", "cites": [], "seat": 3, "win": 5, "stake": 5}), ""),
        (_after("sat", {"event": "left", "cites": [], "seat": 1, "chips": 0}), "left does not result from the command"),
        (_after("sat", {"event": "cards_discarded", "cites": [], "positions": []}), "cards_discarded does not result"),
        (_after("sat", {"event": "round_voided", "cites": [], "returned": {"77": 5}}), "round_voided does not result"),
        (_after("sat", {"event": "must_hit_ended", "cites": [], "hit": True, "seat": 3, "award": 5, "meter": 5}), ""),
    ],
)  # fmt: skip
def test_an_edited_journal_is_told_up_to_what_cannot_have_happened(
    journal: list[str], edit: Callable[[list[str]], list[str]], said: str
) -> None:
    lines = edit(journal)
    done = told(lines)
    assert done.exit_code == 1, done.output
    assert "cannot have happened: " in done.stderr
    assert said in done.stderr
    number = int(done.stderr.split("line ")[1].split()[0])
    assert any(one != other for one, other in zip(lines[:number], journal, strict=False)), "not before the edit"
    told_lines = [line for line in lines[1 : number - 1] if '"do"' not in line]
    assert len(done.stdout.splitlines()) <= 1 + len(told_lines), "nothing of what cannot have happened is told"
    assert len(done.stdout.splitlines()) > len(told_lines) - 12, "what stands before the act is told"


def test_a_journal_kept_under_other_rules_is_refused(journal: list[str]) -> None:
    other = journal[0].replace('"tie_odds":8', '"tie_odds":9')
    assert other != journal[0]
    assert "written under rulebook" in told([other, *journal[1:]]).stderr


# -------------------------------------------------------------------------------------------- commands


def test_every_field_of_every_command_has_a_type_and_a_meaning() -> None:
    found = descriptions()
    assert [each.name for each in found] == list(KINDS)
    for command in found:
        assert command.summary, command.name
        assert command.by, command.name
        for field in command.fields:
            assert field.meaning, f"{command.name}.{field.name} has no meaning in cli/command_list.py"
            assert field.type != "object", f"{command.name}.{field.name} has no type in cli/command_list.py"
    others = [field for kind in (ComplimentaryForm, LineEnvelope, SecondPerson) for field in fields_of(kind)]
    assert all(field.meaning and field.type != "object" for field in others)
    assert len(set(WORDS.values())) == len(WORDS)


def test_help_page_and_terminal_tell_the_same_commands() -> None:
    page = (ROOT / "docs" / "table.md").read_text(encoding="utf-8")
    text, shown = cli("run", "--commands").stdout, cli("run", "--help").stdout
    for command in json.loads(cli("run", "--commands", "--json").stdout):
        own = cli("run", "--commands", command["name"]).stdout if command["name"].startswith("s") else text
        for told_ in (text, own, page):
            assert command["summary"] in told_
            assert command["name"] in told_
        assert command["name"] in shown, "the help names all of them, and --commands tells more"
        for field in command["fields"]:
            assert f"| `{field['name']}` | {field['type']} |" in page
            assert field["meaning"] in page
            assert f"    {field['name']:<14} {field['type']}" in text
    assert cli("run", "--commands", "sitt").exit_code == 2
    assert "did you mean 'sit'" in cli("run", "--commands", "sitt").stderr
    assert json.loads(cli("run", "--commands", "sit", "--json").stdout)["fields"][0]["name"] == "seat"
    assert cli("run").exit_code == 2


def test_each_command_is_answered_before_the_next_is_typed() -> None:
    command = [sys.executable, "-m", "baccarat", "run", "-"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for typed, key in ((HEADER, "answers"), ('{"do": "sit", "seat": 1, "who": "A"}', "line")):
            process.stdin.write(typed + "\n")
            process.stdin.flush()
            assert select.select([process.stdout], [], [], 60)[0], "no answer"
            assert next(iter(json.loads(process.stdout.readline()))) == key
        process.stdin.close()
        assert process.wait(60) == 0


# ------------------------------------------------------------------------------------------------ play


@pytest.mark.parametrize("purse", ["-$5", "$0", "$4.99", "much"])
def test_a_purse_for_which_no_wager_can_be_made_is_refused(purse: str) -> None:
    done = cli("play", "ma-midi-4", "--auto", "--purse", purse, "--seed", "x")
    assert done.exit_code == 2
    assert not done.stdout
    assert ("the lowest wager at this table is $5.00, on tie" if purse != "much" else "not a sum") in done.stderr
    assert min(lowest_wagers(rulebook("ma-midi-4")).values()) == 500


@pytest.mark.parametrize(
    ("submission", "purse"), [("ma-midi-4", "$10"), ("ma-midi-4", "$30"), ("nj-punto-banco", "$30")]
)
def test_a_shoe_ends_however_little_the_company_has(submission: str, purse: str) -> None:
    done = cli("play", submission, "--auto", "--purse", purse, "--seed", "rain", "--company", "2", "--json")
    assert done.exit_code == 0
    told_ = json.loads(done.stdout)
    assert told_["rounds"] > 40, "the show goes on: who has no chips buys in again"
    assert sum(event["event"] == "bought_in" for event in told_["events"]) > 3


def test_when_nobody_can_or_does_wager_the_shoe_ends_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    from baccarat.cli import play_run as play  # noqa: PLC0415

    broke = cli("play", "ma-midi-4", "--company", "0", "--purse", "$25", "--seed", "rain",
                "--script", ";".join(["player 25;"] * 200))  # fmt: skip
    assert broke.exit_code == 0
    assert "nobody can make the lowest wager of $5.00: the shoe ends here" in broke.stderr
    monkeypatch.setattr(play.Company, "wager", lambda *_: None)
    idle = cli("play", "ma-midi-4", "--auto", "--seed", "rain")
    assert idle.exit_code == 0
    assert "nobody wagers: the shoe ends here" in idle.stderr


def test_company_whom_another_purse_would_not_help_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    from baccarat.cli import play_run as play  # noqa: PLC0415

    monkeypatch.setattr(play, "_purse", lambda *_: 100)
    done = cli("play", "nj-punto-banco", "--auto", "--seed", "rain", "--json")
    assert done.exit_code == 0
    assert sum(event["event"] == "left" for event in json.loads(done.stdout)["events"]) == 3
    assert "the shoe ends here" in done.stderr


# --------------------------------------------------------------------------------------------- journals

SITS = '{"do": "sit", "seat": 1, "who": "A"}'


@pytest.mark.parametrize("name", ["Tisch \u00fc", "", " x", "x" * 300, 5])
def test_a_table_whose_name_no_journal_can_hold_is_refused_before_anything_is_written(
    name: object, tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    header = json.dumps({"submission": "ma-midi-4", "table": name})
    done = cli("run", "-", "--journal", str(path), text=f"{header}\n{SITS}\n")
    assert done.exit_code == 2
    assert "the name of a table" in done.stderr
    assert not path.exists()


def test_a_journal_goes_on_only_with_its_own_table_and_rules(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = '{"submission": "ma-midi-4", "table": "7"}'
    assert cli("run", "-", "--journal", str(path), text=f"{first}\n{SITS}\n").exit_code == 0
    before = path.read_bytes()
    for header, said in ((HEADER, "the journal of table 7"), (first.replace("-4", "-3"), "opened under rulebook")):
        done = cli("run", "-", "--journal", str(path), text=f"{header}\n{SITS}\n")
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())
        assert path.read_bytes() == before
    leaves = '{"do": "leave", "seat": 1}'
    assert cli("run", "-", "--journal", str(path), text=f"{first}\n{leaves}\n").exit_code == 0
    assert cli("audit", str(path)).exit_code == 3


def test_a_journal_of_a_full_disk_is_a_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = cli("run", "-", "--journal", str(tmp_path / "journal.jsonl"), text=f"{HEADER}\n{SITS}\n")
    assert done.exit_code == 2
    assert "No space left on device" in " ".join(done.stderr.split())
