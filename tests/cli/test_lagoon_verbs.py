"""Every verb under an edition with wagers of its own: checked, dealt, settled, priced, played, run and told."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import lagoon
from baccarat.cli import app
from baccarat.law.edition import forget
from baccarat.law.error import RulesError
from baccarat.play import record
from paths import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The two files; the edition is forgotten before any verb reads it."""
    path = tmp_path_factory.mktemp("lagoon")
    lagoon.write(path)
    forget(lagoon.NAME)
    yield path
    record.forget()


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """Every verb finds the edition by its option alone."""
    yield
    forget(lagoon.NAME)
    record.forget()


def cli(folder: Path, *words: str, text: str | None = None, status: int = 0) -> Result:
    """What a verb answers when it is told of the edition."""
    done = CliRunner().invoke(app, [*words, "--edition", str(folder / f"{lagoon.NAME}.toml")], input=text)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == status, done.output
    return done


def test_check(folder: Path) -> None:
    assert f"valid under {lagoon.NAME}" in cli(folder, "rules", "check", str(folder / "gondola.toml")).stdout
    told = cli(folder, "rules", "check", str(folder / "gondola.toml"), "--set", "lucky_six_table=wide", status=1).stdout
    assert "lucky_six_table: 'wide' is not among the choices; allowed: one of long, short [lagoon-1 §L.2]" in told


def test_show_list_and_coverage(folder: Path) -> None:
    assert "Small Tiger wins when" in cli(folder, "rules", "show", lagoon.NAME, "L.3").stdout
    assert lagoon.NAME in cli(folder, "rules", "list").stdout
    assert "L.4" in cli(folder, "rules", "coverage", lagoon.NAME).stdout


def test_deal(folder: Path) -> None:
    words = ("deal", str(folder / "gondola.toml"), *["2s", "3h", "Kd", "3d", "Tc"], "-w", "2:banker:$25", "-w",
             "2:lucky_six:$25", "-w", "1:player_pair:$30")  # fmt: skip
    said = cli(folder, *words).stdout
    assert "seat 2: $25.00 on lucky_six: win (six on two) at 12 to 1, net $300.00  lagoon-1 §L.1, §L.2" in said
    assert "seat 1: $30.00 on player_pair: lose, net -$30.00  lagoon-1 §L.4" in said
    assert json.loads(cli(folder, *words, "--json").stdout)
    whole = cli(folder, "deal", str(folder / "gondola.toml"), "--shoe", "--seed", "x", "-w", "2:player_pair:$25")
    assert "player_pair" in whole.stdout


def test_a_wager_that_the_edition_does_not_know_is_named(folder: Path) -> None:
    done = cli(folder, "deal", str(folder / "gondola.toml"), "2s", "3h", "-w", "1:big_tiger:$5", status=2)
    assert "wagers: banker, player, tie, total4" in done.stderr
    assert "small_tiger" in done.stderr


def test_settle(folder: Path) -> None:
    line = {"ruleset": lagoon.NAME, "cards": ["2S", "3H", "KD", "3D", "TC"],
            "wagers": [{"seat": 2, "type": "small_tiger", "amount": 500}]}  # fmt: skip
    told = json.loads(cli(folder, "settle", "-", text=json.dumps(line)).stdout)
    assert told["net_by_seat"] == {"2": 11_000}


def test_price(folder: Path, tmp_path: Path) -> None:
    said = cli(folder, "price", str(folder / "gondola.toml")).stdout
    assert "Lucky Six" in said
    assert "Player Pair" in said
    assert "six on three" in cli(folder, "price", str(folder / "gondola.toml"), "lucky_six", "--stake", "$25").stdout
    told = json.loads(cli(folder, "price", str(folder / "gondola.toml"), "--json").stdout)
    assert {"lucky_six", "small_tiger", "player_pair"} <= set(told["wagers"])
    assert "small_tiger" in cli(folder, "price", str(folder / "gondola.toml"), "small_tiger", "--csv").stdout
    assert "small tiger" in cli(folder, "price", str(folder / "gondola.toml"), "--removal").stdout
    sheet, page = tmp_path / "par.xlsx", tmp_path / "lab.html"
    cli(folder, "price", str(folder / "gondola.toml"), "--xlsx", str(sheet), "--html", str(page))
    assert "Lucky Six" in page.read_text(encoding="utf-8")
    assert b"Lucky Six" in zipfile.ZipFile(sheet).read("xl/workbook.xml")


def test_play(folder: Path) -> None:
    typed = "\n".join(["player_pair 25", "banker 25", "lucky_six 25", "deal", "why", "quit"]) + "\n"
    said = cli(folder, "play", str(folder / "gondola.toml"), "--seed", "x", text=typed).stdout
    assert "player_pair $25.00  banker $25.00  lucky_six $25.00" in said
    assert "Losing wagers are collected: seat 1 $50.00" in said
    assert cli(folder, "play", str(folder / "gondola.toml"), "--auto", "--seed", "x").stdout


def test_run_and_transcript(folder: Path) -> None:
    acts: list[dict[str, object]] = [
        {"do": "receive_cards", "set_id": "set 1", "decks": 8}, {"do": "prepare_cards", "act": "inspect"},
        {"do": "prepare_cards", "act": "verify", "by": "floorperson"}, {"do": "prepare_cards", "act": "spread"},
        {"do": "sit", "seat": 2, "who": "A. Patron"}, {"do": "buy_in", "seat": 2, "amount": "$1,000"},
        {"do": "prepare_cards", "act": "wash"}, {"do": "prepare_cards", "act": "stack"},
        {"do": "shuffle_cards", "device": True}, {"do": "lace_cards", "cards": 52},
        {"do": "answer_cut", "seat": 2, "accept": True},
        {"do": "cut_cards", "by": "participant", "seat": 2, "in_front": 200},
        {"do": "place_cover_card", "behind": 14}, {"do": "load_shoe"}, {"do": "burn_cards"},
        {"do": "turn_card", "position": 0, "card": "Kh"}, {"do": "burn_cards"},
        *({"do": "turn_card", "position": 1 + each, "card": "5d"} for each in range(4)),
    ]  # fmt: skip
    acts.append({"do": "answer_shoe", "seat": 2, "accept": False})
    acts.append({"do": "place_wager", "seat": 2, "on": "small_tiger", "stake": "$25"})
    script = "\n".join(map(json.dumps, [{"submission": str(folder / "gondola.toml")}, *acts]))
    done = cli(folder, "run", "-", text=script + "\n")
    assert '"on":"small_tiger"' in done.stdout
    told = cli(folder, "transcript", "-", text=done.stdout).stdout
    assert "Small Tiger" in told


def test_compare_and_diff(folder: Path) -> None:
    said = cli(folder, "compare", str(folder / "gondola.toml"), "nj-punto-banco").stdout
    assert "Lucky Six" in said
    told = cli(folder, "rules", "diff", "nj-punto-banco", lagoon.NAME).stdout
    assert "wager.lucky_six" in told


def test_new(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert "for you to fill in" in cli(folder, "rules", "new", lagoon.NAME, "--to", str(path)).stdout
    assert "valid under" in cli(folder, "rules", "check", str(path)).stdout
    assert "already exists" in cli(folder, "rules", "new", lagoon.NAME, "--to", str(path), status=2).stderr
    printed = cli(folder, "rules", "new", lagoon.NAME).stdout
    assert printed == path.read_text(encoding="utf-8").replace(str(path), "FILE"), "but for the command that checks it"
    told = json.loads(cli(folder, "rules", "new", lagoon.NAME, "--json").stdout)
    assert told["text"] == printed
    assert told["valid"] is True
    (entry,) = [each for each in told["options"] if each["key"] == "lucky_six_table"]
    assert entry["cites"] == ["lagoon-1 §L.2"]


def test_new_edition_from_one_of_ones_own(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "lagoon-2.toml"
    cli(
        folder,
        "rules",
        "new-edition",
        "lagoon-2",
        "--like",
        lagoon.NAME,
        "--title",
        "Second",
        "--to",
        str(path),
    )
    assert path.read_text(encoding="utf-8").count("[clause]") == 1
    told = json.loads(cli(folder, "rules", "new-edition", "lagoon-3", "--like", lagoon.NAME, "--json").stdout)
    assert told["clauses"] == 172
    assert 'name = "lagoon-3"' in told["text"]
    for name in ("Lagoon 3", lagoon.NAME, "nj-punto-banco"):
        with pytest.raises(RulesError, match=name):
            cli(folder, "rules", "new-edition", name, "--like", lagoon.NAME)


def test_diff_tells_how_much_before_what_and_takes_files(folder: Path) -> None:
    path = str(folder / f"{lagoon.NAME}.toml")
    said = cli(folder, "rules", "diff", "nj-punto-banco", path).stdout
    assert said.startswith(
        f"nj-punto-banco → {lagoon.NAME}\n  the law  10 changed, 10 added, 3 deleted\n  clauses  4 added,"
    )
    assert "settlement.start  nj-punto-banco §3.10(b) · lagoon-1 §3.10(b)\n  - highest\n  + lowest" in said
    told = json.loads(cli(folder, "rules", "diff", "nj-punto-banco", path, "--json").stdout)
    assert told["summary"]["clauses"] == {
        "changed": 0, "added": 4, "deleted": 0, "moved": 0, "same law in other words": 0,
    }  # fmt: skip
    assert {each["change"] for each in told["differences"]} == {"changed", "added", "deleted"}
    with pytest.raises(RulesError, match="cannot be read"):
        cli(folder, "rules", "diff", "nj-punto-banco", "nowhere.toml")
    assert "no difference" in cli(folder, "rules", "diff", path, path).stdout


def test_the_commands_on_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pasted one after the other; between the two, Lagoon is edited as the recipes tell."""
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "new-edition.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    commands = [line for block in blocks for line in block.splitlines()]
    assert len(commands) == 13
    for command in commands:
        program, *words = shlex.split(command)
        assert program == "baccarat"
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, (command, done.output, done.exception)
        forget("atlantis-1")
        forget(lagoon.NAME)
        if words[:3] == ["rules", "new-edition", lagoon.NAME]:
            Path(f"{lagoon.NAME}.toml").write_text(lagoon.edition_text(), encoding="utf-8")
