"""A sixth edition is data only: it loads, deals, settles, refuses and is compared, and no Python changes."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

import atlantis
import lagoon
from baccarat import InvalidSubmission, RulesError, deal, differences, load_edition, rulebook
from baccarat.law.coverage import ClauseStatus, accounts
from baccarat.law.edition import Edition, forget, loadable_editions, register, shipped_editions
from baccarat.play import record
from paths import ROOT

PAGE = ROOT / "docs" / "new-edition.md"
SOURCE = ROOT / "src" / "baccarat"


class Written(msgspec.Struct, frozen=True, eq=False):
    """Atlantis on disk, and as it was loaded from there."""

    edition: Edition
    path: Path
    submission: Path


@pytest.fixture
def sixth(tmp_path: Path) -> Iterator[Written]:
    """Atlantis registered, and unknown again afterwards."""
    path, submission = atlantis.write(tmp_path)
    yield Written(register(path), path, submission)
    forget(atlantis.NAME)
    record.forget()


def _settled(wagers: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    cards = ["2S", "3H", "AD", "JD", "TC", "5S"]  # the Player has three, the Banker eight
    line = msgspec.json.encode({"ruleset": atlantis.NAME, "cards": cards, "wagers": wagers, **more})
    return record.settle_record(record.read(line))


def test_what_is_written_as_toml_reads_back() -> None:
    for table in (atlantis.edition(), atlantis.submission()):
        assert tomllib.loads(atlantis.toml(table)) == table


def test_it_is_known_beside_the_shipped_ones_until_it_is_forgotten(sixth: Written) -> None:
    assert loadable_editions() == (*shipped_editions(), atlantis.NAME)
    assert load_edition(atlantis.NAME) is sixth.edition
    forget(atlantis.NAME)
    assert loadable_editions() == shipped_editions()
    with pytest.raises(RulesError, match="unknown edition 'atlantis-1'"):
        load_edition(atlantis.NAME)


def test_it_may_not_take_the_name_of_a_shipped_one(tmp_path: Path) -> None:
    path = tmp_path / "false.toml"
    path.write_text(atlantis.toml(load_edition("ma-midi-4").table), encoding="utf-8")
    with pytest.raises(RulesError, match="belongs to a shipped edition"):
        register(path)


def test_its_own_clauses_are_all_accounted_for(sixth: Written) -> None:
    assert set(sixth.edition.clauses) == set(atlantis.ARTICLES)
    assert {account.state for account in accounts(sixth.edition).values()} == {ClauseStatus.RULED}


def test_it_deals_and_cites_its_own_clauses(sixth: Written) -> None:
    coup = deal(rulebook(sixth.submission), "2s 3h Ad Jd Tc 5s")
    assert str(coup) == "P 2s Ad Tc = 3   B 3h Jd 5s = 8   banker"
    cited = {str(cite) for ruling in coup.why for cite in ruling.cites}
    assert cited
    assert all(cite.startswith("atlantis-1 §") for cite in cited)


def test_9_2_it_settles_upwards_and_pays_before_it_takes_vigorish(sixth: Written) -> None:
    wagers = [{"seat": seat, "type": "banker", "amount": 10_000} for seat in (5, 2, 8)]
    lost = {"seat": 1, "type": "player", "amount": 2_500}
    assert _settled([lost, *wagers])["settlement"] == [
        ["collect_losing_wagers", [1]],
        ["pay", 2, 10_000],
        ["collect_vig", 2, 500],
        ["pay", 5, 10_000],
        ["collect_vig", 5, 500],
        ["pay", 8, 10_000],
        ["collect_vig", 8, 500],
    ]


def test_its_records_name_no_round_for_which_it_has_no_name(sixth: Written) -> None:
    assert list(sixth.edition.definitions.round) == ["dragon_7"]
    told = _settled([{"seat": 1, "type": "player", "amount": 2_500}])
    assert {"player_natural", "cards_dealt", "outcome", "dragon7"} <= told.keys()
    assert "panda8" not in told


def test_10_2_it_refuses_a_tie_below_nine_to_one(sixth: Written) -> None:
    with pytest.raises(InvalidSubmission) as refused:
        rulebook(sixth.submission, tie_odds=8)
    assert refused.value.cites == ("atlantis-1 §10.2",)
    answered = _settled([], options={"tie_odds": 8})
    assert answered["refused"]["code"] == "invalid_submission"
    assert answered["refused"]["cites"] == ["atlantis-1 §10.2"]
    assert rulebook(sixth.submission, tie_odds=12).elections.tie_odds == 12


def test_10_2_a_record_that_is_silent_pays_nine_to_one(sixth: Written) -> None:
    cards = ["9S", "9H", "TD", "TC"]
    told = _settled([{"seat": 1, "type": "tie", "amount": 1_000}], cards=cards)
    assert told["wagers"][0]["odds"] == "9:1"
    assert told["net_by_seat"] == {"1": 9_000}


def test_a_wager_that_it_does_not_have_is_refused(sixth: Written) -> None:
    told = _settled([{"seat": 1, "type": "panda8", "amount": 1_000}], options={"ez": True})
    assert told["refused"]["code"] == "no_such_wager"
    assert told["refused"]["cites"] == ["atlantis-1 §6.1", "atlantis-1 §6.2", "atlantis-1 §6.3"]
    kept = _settled([{"seat": 1, "type": "dragon7", "amount": 1_000}], options={"ez": True})
    assert kept["wagers"][0]["result"] == "lose"


def test_an_option_that_it_does_not_have_is_refused(sixth: Written) -> None:
    with pytest.raises(InvalidSubmission, match="atlantis-1 does not know this option"):
        rulebook(sixth.submission, layout_panda8_areas=True)


@pytest.mark.parametrize("name", shipped_editions())
def test_it_is_compared_with_the_others(name: str, sixth: Written) -> None:
    found = {difference.place: difference for difference in differences(load_edition(name), sixth.edition)}
    assert found["pays.tie.at_least"].left == "8 to 1"
    assert found["pays.tie.at_least"].right == "9 to 1"
    assert found["pays.tie.at_least"].cites[-1] == "atlantis-1 §10.2"
    assert found["cut.at_least"].right == "26"
    assert found["settlement.direction"].right == "ascending"
    (tie,) = [each for place, each in found.items() if place.startswith("clause ") and place.endswith(" → 10.2")]
    assert tie.right == "A winning Tie is paid nine to one, or better."


def test_a_misspelt_clause_stops_the_loading(sixth: Written) -> None:
    broken = sixth.path.with_name("broken.toml")
    broken.write_text(sixth.path.read_text(encoding="utf-8").replace('["13.2"]', '["13.3"]'), encoding="utf-8")
    with pytest.raises(RulesError, match=r"void cites '13\.3', which is not a clause; did you mean '1"):
        register(broken)


# ------------------------------------------------------------------------------- the page about it


def _blocks() -> list[tuple[str, str]]:
    return re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_run(sixth: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(sixth.path.parent)
    space: dict[str, Any] = {}
    printed = ""
    for kind, text in _blocks():
        if kind == "python":
            assert printed == "", "what an example prints stands below it"
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(text, str(PAGE), "exec"), space)
            printed = out.getvalue()
        elif kind == "text":
            assert printed == text
            printed = ""
    assert printed == ""


def test_the_tables_on_the_page_are_those_of_the_files(sixth: Written) -> None:
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in (sixth.path, sixth.submission)]
    files.append(tomllib.loads(lagoon.edition_text()))
    pieces = [tomllib.loads(text) for kind, text in _blocks() if kind == "toml"]
    assert len(pieces) == 14
    assert [piece for piece in pieces if not any(_is_part(piece, file) for file in files)] == []


def _is_part(piece: Any, whole: Any) -> bool:
    if isinstance(piece, Mapping):
        return isinstance(whole, Mapping) and all(key in whole and _is_part(piece[key], whole[key]) for key in piece)
    if isinstance(piece, list) and all(isinstance(each, Mapping) for each in piece):
        return isinstance(whole, list) and all(any(_is_part(each, row) for row in whole) for each in piece)
    return bool(piece == whole)


# --------------------------------------------------------------------------- no name in the Python


def _strings_and_names(path: Path) -> tuple[list[str], set[str]]:
    """The string constants of a module that are no docstrings, and the names of its variables."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    constants = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in prose]
    return (
        [node.value for node in constants if isinstance(node.value, str)],
        {node.id for node in nodes if isinstance(node, ast.Name)},
    )


@pytest.mark.slow
def test_no_edition_is_named_in_code() -> None:
    """Examples in docstrings and an example of a citation may name one; nothing that decides may."""
    editions = shipped_editions()
    sample = re.compile(rf"such as ({'|'.join(editions)}) §\S+")
    named: list[tuple[str, str]] = []
    for path in sorted(SOURCE.rglob("*.py")):
        strings, names = _strings_and_names(path)
        found = [text for text in strings if any(name in sample.sub("", text) for name in editions)]
        found += [name for name in names if name.lower().startswith(("ma_midi", "nj_punto"))]
        named += [(str(path.relative_to(SOURCE)), each) for each in found]
    assert named == []


@pytest.mark.parametrize("path", sorted((SOURCE / "play").rglob("*.py")), ids=lambda path: path.name)
def test_play_does_not_even_speak_of_an_edition(path: Path) -> None:
    assert not any(name in path.read_text(encoding="utf-8") for name in shipped_editions())
