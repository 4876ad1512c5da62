"""Forgeries at random, put to the program and to both small verifiers; the whole campaign is `tools/forge_files.py`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import forked
from forged_by_house import BUNDLES_BY_HOUSE, BY_HOUSE, JOURNALS_BY_HOUSE, TOLD
from forgery_parts import Chance
from forgery_verdict import NOT_DECIDED, LongestAnswers, judge, untrue
from golden_journals import ORDER_2, path_of
from honest_files import COSIGNED, UNSIGNED, HonestFile, cosigned_at, files, keys_of
from house_journal import form_journal
from javascript import reports_of
from kept import rehashed
from random_forgery import BUNDLE_KINDS, FIELDS, JOURNAL_KINDS, MIXED, ORDER, RandomForgery, forge
from remade import journal_of, renumbered
from two_verifiers import javascript_answer, python_answer, python_reports

pytestmark = pytest.mark.slow
FORGERIES = 48


def test_forgeries_are_refused_or_everything_that_is_told_of_them_is_true(tmp_path: Path) -> None:
    pairs = files()
    made = [forge(number, pairs, seed=7) for number in range(FORGERIES)]
    assert {each.kind for each in made} == {*JOURNAL_KINDS, *BUNDLE_KINDS}
    longest = LongestAnswers()
    assert [f"{forgery}: {say}" for forgery, say in judge(made, tmp_path, longest)] == []
    assert set(longest.seconds) == {"verify", "audit", "Python", "JavaScript"}


def test_a_campaign_sees_an_answer_that_is_wrong(tmp_path: Path) -> None:
    """A house whose key signs another history: whoever took its entries for the honest ones would be told of it."""
    one, twin = files()[0]
    forged = forge(0, [(one, twin)], seed=1)
    replaced = type(forged)(number=1, honest=one, twin=one, kind="a field", what="all of it", data=twin.data)
    found = [say for _, say in judge([replaced], tmp_path, LongestAnswers())]
    assert any("is not what the honest log holds" in say for say in found)


OPEN = "no key was given: whose signatures it bears was not checked"


def of_table(keys: str, *, is_journal: bool = True) -> HonestFile:
    """An honest file of a table, with these signatures."""
    return next(one for one, _ in files() if one.keys == keys and one.is_journal is is_journal)


def told(data: bytes, kind: str, coverage: dict[str, Any], *, of: HonestFile, decided: bool = True) -> list[str]:
    """What is untrue of a coverage that a verifier could claim of a forged table."""
    made = RandomForgery(number=0, honest=of, twin=of, kind=kind, what="", data=data)
    entries = len(of.history.bodies()["table 1"])
    usual = {"stream": "table 1", "entries": entries, "decided": entries, "signed": [], "cosigned": [], "gaps": [OPEN]}
    return list(untrue(made, [{**usual, **coverage}], decided=decided))


def retold(honest: HonestFile, change: Callable[[dict[str, Any]], object], act: str) -> bytes:
    """The first act of a kind told otherwise, rehashed."""
    lines = honest.data.splitlines(keepends=True)
    index = next(index for index, line in enumerate(lines) if b'"do":"%s"' % act.encode() in line)
    lines[index] = changed_record(lines[index], change)
    return b"".join(rehashed(lines))


@pytest.mark.parametrize("field", ["who", "at", "role"])
@pytest.mark.parametrize("kind", [FIELDS, ORDER])
def test_a_campaign_compares_persons_and_times_of_what_nobody_signed(kind: str, field: str) -> None:
    """They may be others in an unsigned file, but then a reader must be told that nobody vouches for them."""
    one = of_table(UNSIGNED)
    data = retold(one, lambda record: record.update({field: 7 if field == "at" else "pit boss"}), "sit")
    assert any("persons, times or acts" in say for say in told(data, kind, {"gaps": ["something else"]}, of=one))
    assert not any("persons, times or acts" in say for say in told(data, kind, {}, of=one))
    assert told(one.data, kind, {"gaps": ["something else"]}, of=one) == []
    assert any("no honest history has this act" in say for say in told(data, kind, {}, of=one)) is (kind == ORDER)


@pytest.mark.parametrize("kind", [FIELDS, ORDER, MIXED])
def test_a_campaign_compares_cards_and_money_however_a_file_was_forged(kind: str) -> None:
    one = of_table(UNSIGNED)
    data = retold(one, lambda record: record["events"][0].update(amount=1), "buy_in")
    assert len(told(data, kind, {}, of=one)) == 1
    assert told(data, kind, {"gaps": [NOT_DECIDED, OPEN]}, of=one, decided=False) == []
    assert len(told(data, kind, {}, of=one, decided=False)) == 1


@pytest.mark.parametrize("kind", sorted(BY_HOUSE))
def test_a_campaign_compares_what_came_of_acts_that_a_house_has_signed_otherwise(kind: str) -> None:
    """The house may state other persons and times; what came of an act is decided."""
    one = of_table(UNSIGNED)
    signed = {"signed": [{"to": 7}], "gaps": []}
    data = retold(one, lambda record: record["events"][0].update(amount=1), "buy_in")
    assert len(told(data, kind, signed, of=one)) == (kind != TOLD)
    assert told(retold(one, lambda record: record.update(at=7), "buy_in"), kind, signed, of=one) == []
    assert len(told(one.data, kind, {**signed, "entries": 1}, of=one)) == 1
    assert len(told(one.data, kind, signed, of=one, decided=False)) == 1


@pytest.mark.parametrize("pair", [0, 2, 4, 6, 7, 32], ids=str)
def test_a_house_signs_its_forgeries_itself(pair: int, tmp_path: Path) -> None:
    """So that what refuses them is no signature: nobody is told that one is wrong."""
    one, twin = files()[pair]
    kinds = JOURNALS_BY_HOUSE if one.is_journal else BUNDLES_BY_HOUSE
    path = tmp_path / "forged"
    for name, make in kinds.items():
        what, data = make(one, twin, Chance(7))
        path.write_bytes(data)
        (report,) = python_reports([path], keys_of(one.keys))
        wrong = {each["check"] for each in report["checks"] if each["answer"] == "wrong"}
        assert data != one.data, name
        assert not wrong & {"signatures", "checkpoint", "checkpoints", "tree", "chain"}, (what, wrong)
        assert all(each["signed"] for each in report["coverage"])


def test_a_campaign_compares_coverage() -> None:
    one = of_table(COSIGNED)
    size = len(one.history.bodies()["table 1"])
    signed = {"signed": [{"to": size}], "gaps": []}
    assert told(one.data, FIELDS, {**signed, "cosigned": [{"to": size, "at": cosigned_at(size)}]}, of=one) == []
    for claimed in (
        {"signed": [{"to": size - 1}]},
        {"cosigned": [{"to": size, "at": cosigned_at(size) + 1}]},
        {"cosigned": [{"to": size - 1, "at": cosigned_at(size - 1)}]},
        {"entries": size - 1},
        {"decided": size + 1},
    ):
        assert told(one.data, FIELDS, {**signed, **claimed}, of=one) != []


@pytest.mark.parametrize("field", ["scope", "before", "rulebooks"])
def test_a_campaign_compares_what_a_bundle_says_around_its_entries(field: str) -> None:
    one = next(one for one, _ in files() if not one.is_journal and b'"before"' in one.data)
    made = json.loads(one.data)
    size = made["entries"][-1]["index"] + 1
    usual = {"entries": len(made["entries"]), "decided": 0, "gaps": [OPEN]}
    assert told(one.data, FIELDS, usual, of=one) == []
    if field == "scope":
        made["scope"]["round"] = size
    elif field == "before":
        made["before"]["state"]["seats"] = {}
    else:
        made["rulebooks"][0]["submission"] = {}
    assert len(told(json.dumps(made).encode(), FIELDS, usual, of=one)) == 1


def lines_of(name: str) -> list[bytes]:
    return path_of(name).read_bytes().splitlines(keepends=True)


def in_command(line: bytes, sign: bytes, text: bytes) -> bytes:
    """The line with other bytes in its command, which a journal stores as they were written."""
    start = line.index(b'"command":')
    return line[:start] + line[start:].replace(sign, text, 1)


def statuses(lines: list[bytes], folder: Path) -> list[int]:
    """What `verify`, `audit` and the verifiers in Python and JavaScript answer; none ends in a trace."""
    path = folder / "forged.jsonl"
    path.write_bytes(b"".join(lines))
    runs = [forked.run(verb, str(path)) for verb in ("verify", "audit")]
    assert all(b"Traceback" not in run.stderr for run in runs)
    small = [reports([path])[0]["status"] for reports in (python_reports, reports_of)]
    return [*(run.returncode for run in runs), *small]


@pytest.mark.parametrize("text", [b"\xff\xfe", b"\xc0\xaf"])
def test_a_command_that_is_not_utf_8_is_unreadable(text: bytes, tmp_path: Path) -> None:
    lines = lines_of("ma-midi-4")
    index = next(index for index, line in enumerate(lines) if b'"do":"sit"' in line)
    lines[index] = in_command(lines[index], b'"person":"', b'"person":"' + text)
    assert statuses(rehashed_as_bytes(lines), tmp_path) == [2, 2, 2, 2]


def rehashed_as_bytes(lines: list[bytes]) -> list[bytes]:
    """The lines of one stream with their hashes recomputed, whatever bytes they hold."""
    from baccarat.record.entry import NO_HASH, hash_after  # noqa: PLC0415
    from baccarat.record.journal import BODY_START, write_line  # noqa: PLC0415

    made, head = [], NO_HASH
    for line in lines:
        body = line[BODY_START:-2]
        head = hash_after(head, body)
        made.append(write_line(body, head))
    return made


def changed_record(line: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """A line whose record is changed; its hash is recomputed later."""
    written = json.loads(line)
    change(written["record"])
    body = json.dumps(written["record"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return b'{"hash":"%s","record":%s}\n' % (written["hash"].encode(), body.encode())


def test_a_card_that_is_none_is_wrong_before_any_electronic_shoe(tmp_path: Path) -> None:
    lines = lines_of(f"ma-midi-4{ORDER_2}")
    index = next(index for index, line in enumerate(lines) if b'"event":"card_turned"' in line)
    lines[index] = changed_record(lines[index], lambda record: record["events"][0].update(card=0))
    assert statuses(rehashed(lines), tmp_path) == [1, 1, 1, 1]


def test_an_order_is_not_sealed_after_a_card_of_the_shoe_was_shown(tmp_path: Path) -> None:
    lines = lines_of(f"ma-midi-4{ORDER_2}")
    turned = json.loads(next(line for line in lines if b'"event":"card_turned"' in line))["record"]
    cut = max(index for index, line in enumerate(lines) if b'"do":"cut_cards"' in line)
    shown = next(event for event in turned["events"] if event["event"] == "card_turned")

    def show(record: dict[str, Any]) -> None:
        record["events"].append(shown)

    def count_on(record: dict[str, Any]) -> None:
        record["event"] += 1

    later = [changed_record(line, count_on) for line in lines[cut + 1 :]]
    changed = [*lines[:cut], changed_record(lines[cut], show), *later]
    assert statuses(rehashed(changed), tmp_path) == [1, 1, 1, 1]


def test_a_card_that_is_shown_twice_is_one_card_that_follows_from_the_seed(tmp_path: Path) -> None:
    """The rules alone show that it is not dealt twice; the verifier in JavaScript counted it twice."""
    lines = lines_of("ma-midi-4")
    dealt = next(index for index, line in enumerate(lines) if b'"path":' in line)
    path = tmp_path / "forged.jsonl"
    records = [json.loads(line)["record"] for line in [*lines[: dealt + 1], *lines[dealt:]]]
    path.write_bytes(journal_of(renumbered(records)))
    python, javascript = python_answer(python_reports([path])[0]), javascript_answer(reports_of([path])[0])
    assert python.status == javascript.status == 3
    assert python.derived == javascript.derived == python.proved - 1


def test_the_submission_of_a_book_gives_the_rulebook_that_it_names(tmp_path: Path) -> None:
    """`verify` looked at the rules of tables alone, `audit` at those of every stream."""
    lines = list(form_journal())
    opening = next(
        index for index, line in enumerate(lines)
        if b'"submission"' in line and b'"stream":"table' not in line and b'"stream":"house"' not in line
    )  # fmt: skip
    lines[opening] = changed_record(lines[opening], lambda record: record["submission"].update(who=1))
    path = tmp_path / "forged.jsonl"
    path.write_bytes(b"".join(rehashed(lines)))
    assert [forked.run(verb, str(path)).returncode for verb in ("verify", "audit")] == [2, 2]


@pytest.mark.parametrize("junk", [None, True, 0, "x", [], {}])
def test_what_stands_after_the_last_event_and_is_none_is_wrong(junk: object, tmp_path: Path) -> None:
    """A `null` there looked like the end of the events: `verify` and `audit` ended in a trace."""
    lines = lines_of("ma-midi-4")
    index = next(index for index, line in enumerate(lines) if b'"do":"sit"' in line)

    def count_on(record: dict[str, Any]) -> None:
        record["event"] += 1

    lines[index] = changed_record(lines[index], lambda record: record["events"].append(junk))
    lines[index + 1 :] = [changed_record(line, count_on) for line in lines[index + 1 :]]
    assert statuses(rehashed(lines), tmp_path) == [1, 1, 1, 1]
