"""At the keyboard: what is typed or pasted means what it says, and the program says what it understood."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

import atlantis
import forked
import golden_stores
import lagoon
from baccarat.cli import app
from baccarat.cli.help_text import examples
from baccarat.law.error import InvalidSubmission, RulesError
from baccarat.law.rulebook import read_submission, rulebook, shipped_submissions
from baccarat.money import Cents, dollars, written_cents
from baccarat.record.line import UnreadableLine
from baccarat.record.wire import KINDS, normalized_fields
from bundles import lay_out_bundle
from house_program import HouseProgram, house_program
from kept import short_journal
from log_floor import lay_out_log
from paths import ROOT
from served_program import QUICK

pytestmark = pytest.mark.slow

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def _commands() -> dict[str, Any]:
    """Every verb of the program by its words."""
    found: dict[str, Any] = {}

    def walk(command: Any, words: tuple[str, ...]) -> None:
        if hasattr(command, "commands"):
            for name, child in command.commands.items():
                walk(child, (*words, name))
        else:
            found[" ".join(words)] = command

    walk(typer.main.get_command(app), ())
    return found


COMMANDS = _commands()


def _examples() -> list[str]:
    """Every command line of README, of docs/ and at the end of the helps, unless something is to be filled in."""
    found: dict[str, None] = {}
    for page in PAGES:
        text = re.sub(r"^#.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
        for block in re.findall(r"^```sh\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE):
            found.update(dict.fromkeys(re.sub(r" +# .*$", "", line) for line in block.splitlines()))
        found.update(dict.fromkeys(re.findall(r"`(baccarat [^`]+)`", text)))
    for command in COMMANDS.values():
        found.update(dict.fromkeys(examples(command.callback.__doc__)))
    to_be_filled_in = re.compile(r"…|\b(?![BPT]+\b)[A-Z]{2,}\b|\[|compare A|diff A B")
    named = re.compile(rf"baccarat ({'|'.join(sorted(COMMANDS, key=len, reverse=True))})( |$)")
    bare = {f"baccarat {words}" for words, command in COMMANDS.items() if any(each.required for each in command.params)}
    return [
        line
        for line in found
        if named.match(line)
        and not to_be_filled_in.search(line)
        and line not in {*bare, "baccarat run", "baccarat verify"}
    ]


EXAMPLES = _examples()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that examples name, and the program as `baccarat`."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "baccarat"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(forked.command())} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    shutil.copy(ROOT / "docs" / "examples" / "dispute.jsonl", tmp_path / "dispute.jsonl")
    record = {"ruleset": "ma-midi-4", "cards": ["7S", "9D", "TH", "KC"], "wagers": []}
    (tmp_path / "rounds.jsonl").write_text(json.dumps(record) + "\n", encoding="utf-8")
    shipped = ROOT / "src" / "baccarat" / "law" / "submissions" / "ma-midi-4.toml"
    shutil.copy(shipped, tmp_path / "my.toml")
    return tmp_path


def paste(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of a line."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", line],
        cwd=folder, env={**os.environ, "PATH": path, "COLUMNS": "80"}, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=False, timeout=300,
    )  # fmt: skip


EDITED: dict[str, Callable[[], str]] = {
    "atlantis-1.toml": lambda: atlantis.toml(atlantis.edition()),
    "lagoon-1.toml": lagoon.edition_text,
}
"""The files that a page has its reader write with an example and then edit, as they are after that."""


def lay_out(folder: Path, line: str) -> None:
    """The files that an example names, written as a reader has them who pasted the examples before it."""
    if line.startswith(("baccarat journal ", "baccarat witness ")):
        lay_out_log(folder, line)
    if line.startswith(("baccarat audit ", "baccarat resettle ", "baccarat transcript ")):
        for name in ("sitting.jsonl", "table.jsonl"):
            (folder / name).write_bytes(short_journal())
    if line.startswith("baccarat journal names "):
        sits = '{"do": "sit", "seat": 3, "who": "A. Patron"}'
        (folder / "sits.jsonl").write_text(f'{{"submission": "ma-midi-4"}}\n{sits}\n', encoding="utf-8")
        assert paste(folder, "baccarat run sits.jsonl --journal table.jsonl").returncode == 0
    if line.startswith(("baccarat bundle ", "baccarat verify ")):
        lay_out_bundle(folder, line)
    for earlier in EXAMPLES[: EXAMPLES.index(line)]:
        _, _, name = earlier.partition(" --to ")
        if name and name in line.split() and not (folder / name).exists():
            lay_out(folder, earlier)
            assert paste(folder, earlier).returncode == 0
            if name in EDITED:
                (folder / name).write_text(EDITED[name](), encoding="utf-8")


def test_the_examples_are_found() -> None:
    found = [part.split()[1:] for line in EXAMPLES for part in line.split(" | ")]
    groups = {words.split()[0] for words in COMMANDS if " " in words}
    verbs = {" ".join(words[:2]) if words[0] in groups else words[0] for words in found}
    assert verbs == set(COMMANDS), "every verb has an example that can be pasted"
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_pasted_into_a_shell_reaches_the_program_as_it_is_written(line: str, folder: Path) -> None:
    seen = folder / "seen"
    (folder / "bin" / "baccarat").write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >>{shlex.quote(str(seen))}\n')
    assert paste(folder, line.split(" | ", maxsplit=1)[0].split(" > ", maxsplit=1)[0]).returncode == 0
    assert ["baccarat", *seen.read_text(encoding="utf-8").splitlines()] == shlex.split(
        line.split(" | ", maxsplit=1)[0].split(" > ", maxsplit=1)[0]
    )


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_pasted_into_a_shell_does_what_it_says(line: str, folder: Path) -> None:
    if line.startswith("baccarat serve"):
        opens_a_house(line, folder)
        return
    if line.startswith("baccarat witness --listen "):
        listens(line, folder)
        return
    if line.startswith(("baccarat bots ", "baccarat backup ", "baccarat restore ")):
        does_with_a_house(line, folder)
        return
    is_doctor = line.startswith("baccarat doctor ")
    if line.startswith("baccarat archive ") or is_doctor:  # a house in which something has happened
        (folder / "club").mkdir()
        golden_stores.copied(golden_stores.versions()[-1], folder / "club")
    if is_doctor:
        (folder / "copies").mkdir()  # and no copy is in it, which needs attention
    lay_out(folder, line)
    done = paste(folder, line)
    has_faults = "dispute.jsonl" in line or "faulty.csv" in line
    is_checked = line.startswith(("baccarat audit ", "baccarat verify ")) and " -s " not in line and "--sub" not in line
    has_no_key = is_checked and not any(word in line for word in ("--key", "--policy", "--program"))
    status = 1 if has_faults else 3 if has_no_key or is_doctor else 0
    assert done.returncode == status, f"faults are status 1, what no key covers is 3: {done.stderr}"
    assert "Traceback" not in done.stderr


def on_a_free_port(line: str) -> str:
    """An example that listens, where nobody else does: the port that it names may be taken."""
    return re.sub(r"(--port |--listen [0-9.]+:)[0-9]+", r"\g<1>0", line)


def opens_a_house(line: str, folder: Path) -> None:
    """It says where it is open, and closes when it is told to."""
    environment = {**os.environ, "BACCARAT_PORT": "0", "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    program = HouseProgram(["bash", "-c", f"exec {on_a_free_port(line)}"], folder, environment)
    program.wait_until_open()
    assert program.stop() == 0, program.said
    assert "is open: " in program.said[0]


def listens(line: str, folder: Path) -> None:
    """A witness says where it answers, and ends when it is told to."""
    lay_out(folder, line)
    environment = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    program = HouseProgram(["bash", "-c", f"exec {on_a_free_port(line)} >&2"], folder, environment, says="answers at")
    program.wait_until_open()
    assert program.stop() == 0, program.said
    assert "answers at" in program.said[0]


def does_with_a_house(line: str, folder: Path) -> None:
    """What is done to a house that is there, while it is served; a copy is brought back where it is gone."""
    (folder / "copies").mkdir()
    is_brought_back = line.startswith("baccarat restore ")
    first = next(each for each in EXAMPLES if each.startswith("baccarat backup ")) if is_brought_back else line
    with house_program(folder, "--port", "0", "--db", "club/house.db", environment=QUICK) as house:
        port = house.said[0].split("is open: ")[1].split()[0].rpartition(":")[2]
        done = paste(folder, first.replace("localhost:8414", f"localhost:{port}"))  # that port may be taken
    if is_brought_back:
        for kept in (folder / "club").iterdir():
            kept.unlink()
        done = paste(folder, line)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


# --------------------------------------------------------------------------------- no bare dollar anywhere


def _is_quoted(text: str, position: int) -> bool:
    before = text[:position]
    return before.count("'") % 2 == 1 or before.count('"') % 2 == 1


@pytest.mark.parametrize("verb", COMMANDS)
def test_no_help_shows_an_unquoted_dollar(verb: str) -> None:
    texts = [COMMANDS[verb].help, *(getattr(param, "help", None) or "" for param in COMMANDS[verb].params)]
    for text in texts:
        found = re.finditer(r"\$[0-9]", text)
        assert all(_is_quoted(text, match.start()) for match in found), text


@pytest.mark.parametrize("path", sorted((ROOT / "src" / "baccarat" / "cli").glob("*.py")), ids=lambda path: path.name)
def test_no_message_of_the_program_shows_an_argument_with_an_unquoted_dollar(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found = re.finditer(r"[=:]\$[0-9]|--[a-z-]+ \$[0-9]", node.value)
            assert all(_is_quoted(node.value, match.start()) for match in found), node.value


# ---------------------------------------------------------------------------------- sums without the sign


@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("525", 52_500), ("525.00", 52_500), ("$525", 52_500), ("50,000", 5_000_000), ("$50,000.25", 5_000_025),
        ("0.25", 25), ("0", 0), ("-$5", -500),
    ],
)  # fmt: skip
def test_a_sum_is_dollars_with_or_without_its_sign(typed: str, cents: int) -> None:
    assert dollars(typed) == cents
    assert dollars(str(Cents(cents))) == cents


@pytest.mark.parametrize(
    "typed", ["03", "0,000", "00", ",000", "025", "5,00", "1.5", "1.234", "five", "", "$", "1 000"]
)
def test_what_is_no_sum_is_refused_and_what_a_shell_leaves_of_an_unquoted_one_often_is_none(typed: str) -> None:
    with pytest.raises(ValueError, match="not a sum of money"):
        dollars(typed)


@pytest.mark.parametrize(
    ("line", "understood"),
    [
        ("baccarat deal ma-midi-4 2s 3h Ad Jd Tc 5s -w 3:banker:$525", "understood as $25.00"),
        ("baccarat deal ma-midi-4 2s 3h Ad Jd Tc 5s -w 3:banker:525", "understood as $525.00"),
        ("baccarat deal ma-midi-4 2s 3h Ad Jd Tc 5s -w '3:banker:$525'", "understood as $525.00"),
        ("baccarat price ma-midi-4 banker --stake 525.00", "--stake: understood as $525.00"),
        ("baccarat price ma-midi-4-royal9 royal9 --meters star=50,000", "--meters star: understood as $50,000.00"),
        ("baccarat play ma-midi-4 --purse 1,500 --script quit", "--purse: understood as $1,500.00"),
        ("baccarat compare ma-midi-4 --set ez=true --stake 25", "--stake: understood as $25.00"),
    ],
)
def test_the_program_says_how_it_understood_a_sum(line: str, understood: str, folder: Path) -> None:
    done = paste(folder, line)
    assert done.returncode == 0, done.stderr
    assert understood in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "baccarat price ma-midi-4-royal9 royal9 --meters star=$50,000",
        "baccarat deal ma-midi-4 2s 3h Ad Jd Tc 5s -w 3:banker:$103",
        "baccarat play ma-midi-4 --purse $1,000",
    ],
)
def test_what_a_shell_made_of_an_unquoted_sum_is_not_believed(line: str, folder: Path) -> None:
    done = paste(folder, line)
    assert done.returncode == 2
    assert "a shell removes an unquoted $" in done.stderr


def test_at_the_prompt_a_sum_is_dollars(folder: Path) -> None:
    done = paste(folder, "baccarat play ma-midi-4 --company 0 --script 'banker 25;tie $30;player 0,000;quit'")
    assert "banker $25.00" in done.stdout
    assert "tie $30.00" in done.stdout
    assert "not a sum of money" in done.stderr


# ------------------------------------------------------------------------------------------- Submissions


def _toml(folder: Path, old: str, new: str, name: str = "ma-midi-4-royal9") -> Path:
    text = (ROOT / "src" / "baccarat" / "law" / "submissions" / f"{name}.toml").read_text(encoding="utf-8")
    assert old in text
    path = folder / "house.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "where", "readings"),
    [
        ('tie = { min = "$5.00"', "tie = { min = 5", "limits.tie.min", '"$5.00" for 5 dollars, "$0.05" for 5 cents'),
        ('increment = "$1.00" }\nbanker', "increment = 1 }\nbanker", "limits.player.increment", '"$0.01" for 1 cents'),
        ('aggregate_payout = "$50,000.00" }\nhouse', "aggregate_payout = 50000 }\nhouse",
         "limits.dragon_banker.aggregate_payout", '"$50,000.00" for 50000 dollars'),
        ('start = "$1,000.00"', "start = 1000", "must_hit.start", '"$10.00" for 1000 cents'),
        ('ceiling = "$2,000.00"', "ceiling = 200000", "must_hit.ceiling", '"$2,000.00" for 200000 cents'),
        ('contribution = "$0.25"', "contribution = 25", "must_hit.contribution", '"$0.25" for 25 cents'),
        ('star = "$50,000.00"', "star = 5000000", "royal9.seeds.star", '"$50,000.00" for 5000000 cents'),
    ],
)  # fmt: skip
def test_a_bare_number_for_a_sum_in_a_file_is_refused_with_both_ways_to_write_it(
    old: str, new: str, where: str, readings: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSubmission) as raised:
        rulebook(_toml(tmp_path, old, new))
    found = [fault for fault in raised.value.faults if fault.where == where]
    assert "may be dollars or cents" in found[0].say
    assert readings in found[0].allowed
    assert found[0].cites


def test_a_fraction_for_a_sum_in_a_file_is_refused_where_it_stands(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=r"must_hit\.contribution: 0\.25"):
        rulebook(_toml(tmp_path, 'contribution = "$0.25"', "contribution = 0.25"))


def test_a_change_on_the_command_line_is_typed_too(folder: Path) -> None:
    limits = '{player={min=25,max="$50.00",increment="$1.00"}}'
    done = paste(folder, f"baccarat rules check ma-midi-4 --set {shlex.quote('limits=' + limits)}")
    assert done.returncode == 1
    assert "limits.player.min: 25 may be dollars or cents" in done.stdout


def test_in_python_and_json_a_number_is_cents() -> None:
    table = read_submission("ma-midi-4")
    limits = {**table["limits"], "tie": {"min": 500, "max": 50_000, "increment": 100}}
    assert rulebook({**table, "limits": limits}).hash == rulebook("ma-midi-4").hash
    assert rulebook("ma-midi-4", limits=limits).hash == rulebook("ma-midi-4").hash


@pytest.mark.parametrize("name", shipped_submissions())
def test_dollars_in_a_file_and_cents_in_json_are_the_same_rulebook(name: str) -> None:
    def in_cents(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: in_cents(entry) for key, entry in value.items()}
        found = re.fullmatch(r"\$([0-9,]+)\.([0-9]{2})", value) if isinstance(value, str) else None
        return value if found is None else int(found[1].replace(",", "") + found[2])

    table = read_submission(name)
    assert in_cents(table) != table
    assert rulebook(in_cents(table)).hash == rulebook(name).hash


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('tie = { min = "$5.00"', 'tie = { min = "$600.00"', "limits.tie: max $500.00 is below min $600.00"),
        ('tie = { min = "$5.00"', 'tie = { min = "$5.50"', "limits.tie: min $5.50 and max $500.00"),
        ('tie = { min = "$5.00"', 'tie = { min = "$0.00"', "limits.tie.min: $0.00 is not above zero"),
        ('tie = { min = "$5.00"', 'tie = { min = "$5,0"', "limits.tie.min: not a sum of money: '$5,0'"),
        ('tie = { min = "$5.00"', 'tie = { min = "5"', "limits.tie.min: '5' is not a sum"),
        ('tie = { min = "$5.00"', 'tie = { mim = "$5.00"', "limits.tie.mim: no such entry"),
        ('ceiling = "$2,000.00"', 'ceiling = "$900.00"', "must_hit.ceiling: $900.00 is not above start $1,000.00"),
        ('contribution = "$0.25"', 'contribution = "$5.25"', "must_hit.contribution: $5.25 and the $0.95"),
    ],
)  # fmt: skip
def test_a_fault_names_the_wager_and_speaks_in_dollars(old: str, new: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidSubmission) as raised:
        rulebook(_toml(tmp_path, old, new))
    assert any(str(fault).startswith(said) for fault in raised.value.faults), str(raised.value)


# -------------------------------------------------------------------------------------------------- JSON


def test_a_text_in_json_needs_its_sign() -> None:
    assert written_cents("$25.00") == 2_500
    assert written_cents("-$0.25") == -25
    for text in ("25", "25.00", "", "25$", "x"):
        with pytest.raises(ValueError, match="is not a sum"):
            written_cents(text)


@pytest.mark.parametrize(
    ("command", "path", "value"),
    [
        ({"do": "buy_in", "seat": 1, "amount": "$1,000.00"}, "amount", 100_000),
        ({"do": "place_wager", "seat": 1, "on": "banker", "stake": "$25", "coupon": "$5.00"}, "coupon", 500),
        ({"do": "correct_meter", "meter": "star", "amount": "$1.25", "corrects": 1}, "amount", 125_000_000),
    ],
    ids=lambda value: value["do"] if isinstance(value, dict) else None,
)
def test_a_command_takes_dollars_as_text(command: dict[str, Any], path: str, value: int) -> None:
    fields = normalized_fields(command, KINDS[command["do"]])
    assert fields[path] == value


def test_a_sum_within_a_field_of_a_command_is_read_too() -> None:
    form = {"do": "document_vigorish", "seat": 3, "form": {"serial": 7, "amount": "$5.25", "patron": "$5.25"}}
    assert normalized_fields(form, KINDS["document_vigorish"])["form"] == {
        "serial": 7,
        "amount": 525,
        "patron": "$5.25",
    }
    meters: dict[str, Any] = {
        "do": "show_meters",
        "meters": {"star": "$50,000.00", "spade": 7},
        "reserve": "$0.01",
        "must_hit": "$9.00",
    }
    meters = normalized_fields(meters, KINDS["show_meters"])
    assert meters["meters"] == {"star": 5_000_000_000_000, "spade": 7}
    assert (meters["reserve"], meters["must_hit"]) == (1_000_000, 900)
    with pytest.raises(UnreadableLine, match=r"form\.amount: '5\.25' is not a sum"):
        normalized_fields({"form": {"amount": "5.25"}}, KINDS["document_vigorish"])
