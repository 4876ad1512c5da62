"""Refusals: one vocabulary; no sentence is kept, every one can be told, and rewording changes no bytes."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import baccarat
from baccarat.law.clause import Citation
from baccarat.play import refusal_text
from baccarat.play.refusal import RefusalCode, Refused, RefusedAct, make_refusal, sentence, spoken_params
from baccarat.play.refusal_text import SENTENCES
from baccarat.record.canonical import canonical
from baccarat.record.line import UnreadableLine
from baccarat.record.wire import read_refused, write_refused

SOURCE = Path(baccarat.__file__).parent
MAKERS = {"refuse": 2, "_refuse": 2, "make_refusal": 1, "house_refuse": 1, "Why": 0, "ShuffleFault": 0}
"""What makes a refusal, and where in its arguments the name of the sentence stands."""
OWN = {"step", "cites"}
CITES = (Citation("ma-midi-4", "7(d)"),)


def params_of(what: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(SENTENCES[what]) if name}


def calls() -> Iterator[tuple[Path, ast.FunctionDef, ast.Call]]:
    """Every call that makes a refusal, with the function in which it stands."""
    for folder in ("play", "table", "house"):
        for path in sorted((SOURCE / folder).rglob("*.py")):
            for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef):
                    for node in ast.walk(function):
                        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MAKERS:
                            yield path, function, node


def named(function: ast.FunctionDef, call: ast.Call) -> list[str]:
    """The sentences that a call may name; none where it hands on what another named."""
    assert isinstance(call.func, ast.Name)
    if len(call.args) <= MAKERS[call.func.id]:
        return []
    given = call.args[MAKERS[call.func.id]]
    if isinstance(given, ast.Name):
        assigned = [value for name, value in assignments(function) if name == given.id]
        parameters = {each.arg for each in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
        assert assigned or given.id in parameters, f"line {call.lineno}: nobody says what {given.id} is"
        return [word for value in assigned for word in words_of(value)]
    return words_of(given)


def assignments(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """What is assigned to which name."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from one_by_one(target, node.value)


def one_by_one(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names that are assigned together, each with its own values."""
    match target, value:
        case ast.Name(), _:
            yield target.id, value
        case ast.Tuple(), ast.IfExp():
            yield from one_by_one(target, value.body)
            yield from one_by_one(target, value.orelse)
        case ast.Tuple(), ast.Tuple():
            for each, its in zip(target.elts, value.elts, strict=True):
                yield from one_by_one(each, its)


def words_of(value: ast.expr) -> list[str]:
    """The names in an expression that gives a name: one, or one of several; never a sentence that is put together."""
    match value:
        case ast.Constant(value=str(word)):
            return [word]
        case ast.IfExp():
            return [*words_of(value.body), *words_of(value.orelse)]
        case ast.Attribute(attr="what" | "refusal"):
            return []
    raise AssertionError(f"line {value.lineno} builds its sentence: {ast.unparse(value)}")


@pytest.mark.parametrize("built", ['f"no {x}"', '"no " + x', '"no {}".format(x)', '("no", "so")'])
def test_a_sentence_that_is_put_together_is_found_out(built: str) -> None:
    for text in (f"def f(x):\n refuse(rules, why, {built})", f"def f(x):\n say = {built}\n refuse(rules, why, say)"):
        function = ast.parse(text).body[0]
        assert isinstance(function, ast.FunctionDef)
        call = next(node for node in ast.walk(function) if isinstance(node, ast.Call) and len(node.args) == 3)
        with pytest.raises(AssertionError, match="builds its sentence"):
            named(function, call)


@pytest.mark.slow
def test_every_refusal_of_the_round_the_table_and_the_house_names_a_sentence_and_gives_its_parameters() -> None:
    used = set[str]()
    assert {ast.unparse(call.func) for _, _, call in calls()} == set(MAKERS), "a maker of refusals has another name now"
    for path, function, call in calls():
        where = f"{path.name}:{call.lineno}"
        names = named(function, call)
        for what in names:
            assert what in SENTENCES, f"{where}: no sentence {what!r}"
            used.add(what)
            given = {keyword.arg for keyword in call.keywords if keyword.arg} - OWN
            for part in call.args[1:]:
                if isinstance(part, ast.Dict):
                    given |= {str(key.value) for key in part.keys if isinstance(key, ast.Constant)}
            if all(keyword.arg for keyword in call.keywords):
                assert given >= params_of(what), f"{where}: {what} wants {params_of(what) - given}"
                assert len(names) > 1 or given <= params_of(what), where
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py") if path.name != "refusal_text.py")
    unused = {what for what in SENTENCES if f'"{what}"' not in text}
    assert unused == set(), "a sentence of nothing"


def test_every_sentence_can_be_told_and_reads_back() -> None:
    assert len(SENTENCES) > 300
    for what, words in SENTENCES.items():
        spec = {name: kind for _, name, kind, _ in string.Formatter().parse(words) if name}
        params = {name: 12_345 if kind == "money" else "some_words" for name, kind in spec.items()}
        one = make_refusal(RefusalCode.OUT_OF_ORDER, what, CITES, **params)
        assert one.say, what
        assert "{" not in one.say, what
        assert msgspec.json.decode(msgspec.json.encode(one), type=Refused) == one
        assert read_refused(msgspec.to_builtins(write_refused(one))) == one
        if "money" in spec.values():
            assert "$123.45" in one.say, what


@pytest.mark.parametrize("code", RefusalCode)
def test_every_code_reads_back(code: RefusalCode) -> None:
    act = RefusedAct(act="place_wager", seat=3, money=7500, on="banker")
    one = Refused(code, "no_more_bets_called", CITES, {}, act)
    assert read_refused(msgspec.to_builtins(write_refused(one))) == one
    assert one.say == "place wager at seat 3, $75.00 on banker: no more bets have been called"
    assert str(one) == f"{one.say}  [ma-midi-4 §7(d)]"
    match one:
        case Refused(say=say, cites=cites):
            assert (say, cites) == (one.say, CITES)


def test_rewording_changes_no_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    one = make_refusal(RefusalCode.NOT_ENOUGH_CHIPS, "fewer_chips_than_staked", CITES, seat=3, chips=100, stake=2500)
    before, said = canonical(one), one.say
    monkeypatch.setitem(
        refusal_text.SENTENCES, "fewer_chips_than_staked", "à la place {seat} : {chips:money} < {stake:money}"
    )
    assert one.say != said
    assert canonical(one) == before
    assert b"chips, not" not in before


def test_a_line_with_another_sentence_is_told_by_its_name() -> None:
    written = msgspec.to_builtins(write_refused(make_refusal(RefusalCode.STOPPED, "hands_not_complete", CITES)))
    assert read_refused(written | {"say": "forged"}).say == "the hands are not complete"
    for wrong in ({"what": "no_such"}, {"code": "no_such"}, {"cites": ["x"]}, {"what": "seat_taken"}, {"more": 1}):
        with pytest.raises(UnreadableLine):
            read_refused(written | wrong)


def test_a_value_that_is_neither_number_nor_text_is_kept_as_written() -> None:
    assert make_refusal(RefusalCode.STOPPED, "table_stopped", CITES, stopped=None).params == {"stopped": "None"}


def test_a_sentence_writes_names_as_words_sums_as_dollars_and_a_seat_only_where_there_is_one() -> None:
    assert sentence("not_at_this_step", {"at": "offer_cut"}) == "not now: the table is at offer cut"
    limit = {"stake": 2_400, "on": "dragon_player", "min": 2_500}
    at_seat, priced = (sentence("below_posted_minimum", {**limit, "seat": seat}) for seat in (3, 0))
    assert at_seat == "$24.00 on dragon_player at seat 3 is below the posted minimum of $25.00"
    assert priced == "$24.00 on dragon_player is below the posted minimum of $25.00"


def test_a_refusal_is_told_abroad_with_what_its_sentence_says_and_nothing_else() -> None:
    found = make_refusal(
        RefusalCode.BELOW_MINIMUM, "below_posted_minimum", CITES, stake=100, on="banker", seat=3, min=2500, secret=9
    )
    assert spoken_params(found) == {"stake": 100, "on": "banker", "seat": 3, "min": 2500}
