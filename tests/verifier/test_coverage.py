"""Coverage is the verdict: the program and both small verifiers say the same of every file, whatever keys are given."""

from __future__ import annotations

import base64
import copy
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from baccarat.audit.bundle.form import Scope, write_bundle
from baccarat.audit.bundle.make import make_bundle
from baccarat.cli import app
from baccarat.record.checkpoint import checkpoint_of, sign_checkpoint
from baccarat.record.encoding import to_base64
from baccarat.record.key import KeyKind, Signer
from bundles import DAY, LOG, ROUND_OF_2, SECOND_SHOE, STREAM, WHOLE, WITNESS, bundle_of, short_shoes, signed, source_of
from house_journal import house_bytes
from javascript import reports_of
from paths import ROOT
from remade import Json, canonical, first_with, journal_of, kinds_of_field, records_of, renumbered
from three_verifiers import NOT_DECIDED, program
from two_verifiers import python_reports

pytestmark = pytest.mark.slow

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes(31) + b"\7").verifier
"""A key that has signed nothing here."""


def plain(coverage: Json) -> Json:
    """A coverage without what only a verifier that knows the rules can say."""
    return coverage | {"decided": 0, "gaps": [gap for gap in coverage["gaps"] if gap != NOT_DECIDED]}


def apart(paths: Sequence[Path], keys: Sequence[str] = ()) -> dict[str, Any]:
    """The files of which the three do not say the same: the program's 0 is 3 for those that do not know the rules."""
    found: dict[str, Any] = {}
    for path, python, javascript in zip(paths, python_reports(paths, keys), reports_of(paths, keys), strict=True):
        status, coverage = program(path, keys)
        expected = 3 if status == 0 else status
        if {python["status"], javascript["status"]} != {expected}:
            found[path.name] = (status, python["status"], javascript["status"])
        elif expected == 3 and not (
            [*map(plain, coverage)] == [*map(plain, python["coverage"])] == [*map(plain, javascript["coverage"])]
        ):
            found[path.name] = coverage, python["coverage"], javascript["coverage"]
    return found


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Journals and bundles as the program writes them: unsigned, signed, cosigned in part, of one stream or many."""
    folder = tmp_path_factory.mktemp("honest")
    journal = short_shoes(shoes=2)
    source = source_of(journal)
    files = {
        "unsigned.jsonl": journal,
        "signed.jsonl": journal,
        "part.jsonl": journal,
        "open.jsonl": short_shoes(shoes=2, closed=False),
        "house.jsonl": house_bytes(),
    }
    notes = {
        "signed.jsonl.checkpoint": signed(source, cosigned=False),
        "signed.jsonl.table%201.cosigned": signed(source),
        "part.jsonl.cosigned": signed(source, size=50),
    }
    records = records_of(house_bytes())
    for stream in ("table T1", "link main", "cage"):
        files[f"{stream}.jsonl"] = journal_of([record for record in records if record["stream"] == stream])
    for name, scope in {"round": ROUND_OF_2, "shoe": SECOND_SHOE, "day": DAY, "all": WHOLE}.items():
        files[f"{name}.json"] = write_bundle(bundle_of(journal, scope))
        files[f"{name} unsigned.json"] = write_bundle(bundle_of(journal, scope, note=False))
    unended = source_of(files["open.jsonl"])
    scope = Scope(kind="shoe", stream=STREAM, shoe=2)
    files["shoe in play.json"] = write_bundle(make_bundle(unended, scope, note=signed(unended)))
    for name, data in {**files, **{name: bytes(note) for name, note in notes.items()}}.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


@pytest.mark.parametrize(
    "keys",
    [(), (LOG.verifier,), (WITNESS.verifier,), (LOG.verifier, WITNESS.verifier), (HOUSE,)],
    ids=["no key", "the log's", "the witness's", "both", "of a house that signed nothing"],
)
def test_all_three_say_the_same_of_honest_files(honest: list[Path], keys: tuple[object, ...]) -> None:
    golden = sorted((ROOT / "tests" / "data" / "journals").glob("*.jsonl"))
    example = ROOT / "docs" / "examples" / "round.bundle.json"
    assert apart([*honest, example, *(golden if len(keys) == 2 else golden[::4])], [*map(str, keys)]) == {}


# ----------------------------------------------------------------------------------------------------------- forgeries


def other_cause(records: list[Json]) -> None:
    """A card is changed by a record without a command, which claims to follow the house."""
    index, event = first_with(records, "card_turned")
    for name in ("command", "who", "role", "origin", "shown", "id"):
        records[index].pop(name, None)
    event["card"]["suit"] = "s" if event["card"]["suit"] != "s" else "h"
    records[index]["cause"] = {"stream": "house", "seq": 1}


def link_joined(records: list[Json], *, stream: str = "house", more: int = 0) -> None:
    """The table joins a link, by a record of the house, or of another stream; or with something else."""
    event = {"event": "link_joined", "link": "main", "requester": "a", "approver": "b", "cites": []}
    opening = records[0]
    made = {name: opening[name] for name in ("v", "stream", "rulebook", "behaviour")}
    made |= {"cause": {"stream": stream, "seq": 2}, "events": [event] * (1 + more)}
    records[:] = renumbered([opening, made, *records[1:]])


def card_without_proof(records: list[Json]) -> None:
    """A card that is shown by another event than the one whose command proves it, as another card."""
    index, event = first_with(records, "card_turned")
    later = next(record for record in records[index + 1 :] if record.get("events"))
    later["events"].append(copy.deepcopy(event) | {"event": "card_shown", "position": event["position"] + 200})
    records[:] = renumbered(records)


def upper_case_salt(records: list[Json]) -> None:
    proof = next(r["command"] for r in records if r.get("command", {}).get("do") == "turn_card")["proof"]
    proof["salt"] = proof["salt"].upper()


def upper_case_path(records: list[Json]) -> None:
    proof = next(r["command"] for r in records if r.get("command", {}).get("do") == "turn_card")["proof"]
    proof["path"][0] = proof["path"][0].upper()


def spaced_salt(records: list[Json]) -> None:
    proof = next(r["command"] for r in records if r.get("command", {}).get("do") == "turn_card")["proof"]
    proof["salt"] = proof["salt"][:2] + " " + proof["salt"][2:]


FORGERIES: dict[str, Callable[[list[Json]], None]] = {
    "a card changed by a cause": other_cause,
    "a link joined by another stream": lambda records: link_joined(records, stream="link main"),
    "a link joined, and something else": lambda records: link_joined(records, more=1),
    "a card without a proof": card_without_proof,
    "a salt in upper case": upper_case_salt,
    "a salt with a space": spaced_salt,
    "a path in upper case": upper_case_path,
    "no command": lambda records: records[3].pop("command"),
    "nobody": lambda records: records[3].pop("who"),
    "a command that is no object": lambda records: records[3].update(command=7),
    "an event that is no object": lambda records: records[3].update(events=["step"]),
}


def test_what_is_wrong_without_knowing_the_rules_is_wrong_to_all_three(tmp_path: Path) -> None:
    paths = []
    for name, forge in FORGERIES.items():
        records = records_of(short_shoes(shoes=1))
        forge(records)
        paths.append(tmp_path / f"{name}.jsonl")
        paths[-1].write_bytes(journal_of(records))
    statuses = {
        path.stem: (program(path, ())[0], python["status"], javascript["status"])
        for path, python, javascript in zip(paths, python_reports(paths), reports_of(paths), strict=True)
    }
    assert statuses == dict.fromkeys(FORGERIES, (1, 1, 1))


def test_records_that_follow_other_streams_are_bound_to_them_where_they_are_given(tmp_path: Path) -> None:
    """The link record of another table, another number: the house's own stream is in the file and says otherwise."""
    paths = []
    for number, change in enumerate(({"seq": 1}, {"stream": "house", "seq": 0}, {"stream": "cage"})):
        records = records_of(house_bytes())
        record = next(r for r in records if r["stream"] == "table T2" and "cause" in r)
        record["cause"] |= change
        paths.append(tmp_path / f"{number}.jsonl")
        paths[-1].write_bytes(journal_of(records))
    assert [report["status"] for report in (*python_reports(paths), *reports_of(paths))] == [1] * 6


LONE = b"\\ud800"


def bundle() -> Json:
    made: Json = json.loads(write_bundle(bundle_of(short_shoes(shoes=2), ROUND_OF_2)))
    return made


def changed(change: Callable[[Json], object]) -> bytes:
    made = bundle()
    change(made)
    return canonical(made)


def loose_bits(text: str) -> str:
    """Base64 of 32 bytes with an unused bit that is not zero."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return text[:-2] + digits[digits.index(text[-2]) + 1] + text[-1]


SMALL_ORDER = "a+cae63997+AQEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
MALFORMED: dict[str, tuple[Callable[[], bytes], int]] = {
    "tree_head null": (lambda: changed(lambda b: b.update(tree_head=None)), 2),
    "proof null": (lambda: changed(lambda b: b.update(proof=None)), 2),
    "a hash null": (lambda: changed(lambda b: b["entries"][-1].update(hash=None)), 2),
    "the day null": (lambda: changed(lambda b: b["scope"].update(day=None)), 2),
    "loose base64": (lambda: changed(lambda b: b["proof"].__setitem__(0, loose_bits(b["proof"][0]))), 2),
    "base64 without padding": (lambda: changed(lambda b: b["proof"].__setitem__(0, b["proof"][0].rstrip("="))), 2),
    "a rulebook twice": (lambda: changed(lambda b: b["rulebooks"].append(b["rulebooks"][0])), 2),
    "a lone surrogate": (lambda: canonical(bundle()).replace(b'"program":"', b'"program":"' + LONE, 1), 2),
    "a lone surrogate in a record": (lambda: canonical(bundle()).replace(b'"who":"', b'"who":"' + LONE, 1), 2),
    "no UTF-8": (lambda: canonical(bundle()).replace(b'"program":"', b'"program":"\xff', 1), 2),
    "a key of small order": (lambda: changed(lambda b: b["keys"].append(SMALL_ORDER)), 2),
    "a junk edition": (lambda: changed(lambda b: b["rulebooks"][0].update(edition="junk")), 3),
    "a scope with too much": (lambda: changed(lambda b: b["scope"].update(day="2026-11-15")), 2),
    "a record of version 2": (lambda: changed(lambda b: b["entries"][5]["record"].update(v=2)), 2),
    "a record that is none": (lambda: changed(lambda b: b["entries"][5].update(record={"v": 1})), 1),
    "a record that is a number": (lambda: changed(lambda b: b["entries"][5].update(record=7)), 1),
    "an honest one": (lambda: changed(lambda b: b), 3),
}


def test_malformed_files_get_one_answer(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.json" for name in MALFORMED]
    for path, (make, _) in zip(paths, MALFORMED.values(), strict=True):
        path.write_bytes(make())
    found = {
        path.stem: (program(path, ())[0], python["status"], javascript["status"])
        for path, python, javascript in zip(paths, python_reports(paths), reports_of(paths), strict=True)
    }
    assert found == {name: (status,) * 3 for name, (_, status) in MALFORMED.items()}


def test_names_of_logs_that_say_another_stream_or_none(tmp_path: Path) -> None:
    """The same checkpoint under other names: each time the signature is right."""
    source, statuses = source_of(short_shoes(shoes=1)), dict[str, int]()
    for name in (
        "example.org/house/table/2",
        "example.org/house/pit/1",
        "example.org/t",
        "example.org/house/table/1/2",
    ):
        signer = LOG.with_name(name)
        note = signed(source, cosigned=False, signer=signer)
        path = tmp_path / f"{len(statuses)}.jsonl"
        path.write_bytes(short_shoes(shoes=1))
        (tmp_path / f"{path.name}.checkpoint").write_bytes(bytes(note))
        assert apart([path], [str(signer.verifier)]) == {}
        statuses[name] = python_reports([path], [str(signer.verifier)])[0]["status"]
    assert list(statuses.values()) == [1, 1, 3, 3]


def test_a_wrong_file_or_an_unreadable_one_hides_no_other(honest: list[Path], tmp_path: Path) -> None:
    wrong, junk = tmp_path / "wrong.json", tmp_path / "junk"
    wrong.write_bytes(changed(lambda b: b["entries"][3].update(hash="0" * 64)))
    junk.write_bytes(b"junk")
    paths = [junk, honest[0], wrong, tmp_path / "missing", honest[1]]
    for reports in (python_reports(paths), reports_of(paths)):  # these check the exit status of all of them, too
        assert [report["status"] for report in reports] == [2, 3, 1, 2, 3]
    for reports in (python_reports(paths[:2]), reports_of(paths[:2])):
        assert [report["status"] for report in reports] == [2, 3]


VALUES: tuple[Any, ...] = (None, True, -1, 7, "x", "", [], {}, {"a": 1}, [[]], "\x00", 2**53 - 1)


ONLY_BY_RULES = ("before.state.",)
"""Where only the rules show a fault of a bundle: a state that no acts lead to, or that refuses one of the run."""


def test_whatever_is_changed_or_cut_off_ends_in_a_report_and_in_the_same_status(tmp_path: Path) -> None:
    """One field of a signed bundle changed, under an honest checkpoint; and files that break off anywhere."""
    chance, made = random.Random(3), bundle()
    paths = []
    by_rules: set[Path] = set()
    for number, (kind, (_, path)) in enumerate(kinds_of_field([made]).items()):
        forged = copy.deepcopy(made)
        inner: Any = forged
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = chance.choice(VALUES)
        paths.append(tmp_path / f"field {number}.json")
        paths[-1].write_bytes(canonical(forged))
        by_rules |= {paths[-1]} if kind.startswith(ONLY_BY_RULES) else set()
    for name, data in (("bundle.json", canonical(made)), ("journal.jsonl", short_shoes(shoes=1))):
        for at in range(0, len(data), max(100, len(data) // 100)):
            paths.append(tmp_path / f"{at} {name}")
            paths[-1].write_bytes(data[:at])
    found = list(zip(python_reports(paths), reports_of(paths), strict=True))
    assert not [two for _, two in found if "could not finish" in two["message"]]
    differing = {path.name: (one["status"], two["status"]) for path, (one, two) in zip(paths, found, strict=True)
                 if one["status"] != two["status"]}  # fmt: skip
    assert differing == {}
    chosen = chance.sample(range(len(paths)), 60)
    wrong = {}
    for index in chosen:
        status = program(paths[index], ())[0]
        small = found[index][0]["status"]
        if status != small and not (paths[index] in by_rules and (status, small) == (1, 3)):
            wrong[paths[index].name] = status, small
    assert wrong == {}


def test_a_root_in_base64_of_another_length_is_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "short.json"
    path.write_bytes(changed(lambda b: b["proof"].append(base64.b64encode(bytes(31)).decode())))
    assert apart([path]) == {}


SUCCESSOR_LINES = {
    "names it": "baccarat/successor-of/v1 {base} 40 {root}",
    "names none": "",
    "names another log": "baccarat/successor-of/v1 example.org/other/table/1 40 {root}",
    "names itself": "baccarat/successor-of/v1 {base}/2 40 {root}",
    "no root": "baccarat/successor-of/v1 {base} 40 AAAA",
}


@pytest.mark.parametrize("name", SUCCESSOR_LINES)
def test_a_log_that_continues_another_says_which_one_and_all_three_report_it(tmp_path: Path, name: str) -> None:
    journal = short_shoes(shoes=1)
    bodies = [line.body for line in source_of(journal).streams[STREAM]]
    base = f"example.org/house/{STREAM.replace(' ', '/')}"
    signer = Signer(f"{base}/2", KeyKind.LOG, b"L" * 32)
    line = SUCCESSOR_LINES[name].format(base=base, root=to_base64(bytes(32)))
    checkpoint = msgspec.structs.replace(checkpoint_of(f"{base}/2", bodies), extensions=(line,) if line else ())
    path = tmp_path / "journal.jsonl"
    path.write_bytes(journal)
    (tmp_path / "journal.jsonl.checkpoint").write_bytes(bytes(sign_checkpoint(checkpoint, signer)))
    key = str(signer.verifier)
    program = CliRunner().invoke(app, ["audit", str(path), "--key", key]).output
    (python,), (script,) = python_reports([path], [key]), reports_of([path], [key])
    for said in (program, json.dumps(python), json.dumps(script)):
        assert ("does not name its predecessor" in said) is (name != "names it"), said
        assert (f"{base}/2 continues {base}, of which 40 entries were signed" in said) is (name == "names it"), said
