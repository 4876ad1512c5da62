"""The independent verifier says in a sentence what it cannot read."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import verify_baccarat as verifier
from remade import (
    Json,
    bundle_of,
    canonical,
    edited,
    journal_of,
    kinds_of_field,
    records_of,
    sha,
    tree_path,
    tree_root,
)
from verifier_run import EXAMPLE, FILE, faulty, of_example, run

pytestmark = pytest.mark.slow


def line_with(records: list[Json], **fields: object) -> bytes:
    """A journal whose second line has these fields."""
    return journal_of([records[0], records[1] | fields])


UNREADABLE: dict[str, tuple[Callable[[list[Json]], bytes], str]] = {
    "empty": (lambda _: b"", "empty"),
    "binary": (lambda _: bytes(range(256)), "neither a journal nor a bundle"),
    "binary in a line": (lambda r: journal_of(r).replace(b'"seq":1,', b'"seq":1,"\xff'), "line 2: not UTF-8"),
    "a list": (lambda _: b"[1]", "neither"),
    "half written": (lambda r: journal_of(r)[:-1], "half-written"),
    "half a bundle": (lambda r: canonical(bundle_of(r))[:-20], "not JSON"),
    "an empty line": (lambda r: journal_of(r) + b"\n", "without spaces, found"),
    "a huge line": (lambda r: line_with(r, id="x" * 66_000), "line 2: 66,"),
    "a key twice": (
        lambda r: canonical(bundle_of(r)).replace(b'"seq":1,', b'"seq":1,"seq":1,'),
        'twice in an object: "seq"',
    ),
    "a float": (lambda r: line_with(r, at=1.5), "not whole: 1.5"),
    "an exponent": (lambda r: journal_of(r).replace(b'"seq":1,', b'"seq":1e0,'), "not whole: 1e0"),
    "not a number": (lambda r: line_with(r, at=float("nan")), "not whole: NaN"),
    "a large number": (lambda r: line_with(r, at=2**53), "above 2^53"),
    "a very large number": (lambda r: line_with(r).replace(b'"v":1', b'"v":1' + b"0" * 9_999), "above 2^53"),
    "deep": (lambda _: b'{"hash":"%s","record":%s}\n' % (b"0" * 64, b"[" * 60_000), "too deep"),
    "another version": (lambda r: line_with(r, v=2), "version `v` of the form is 2"),
    "true as a version": (lambda r: line_with(r, v=True), "version `v` of the form is true"),
    "an unknown field": (lambda r: line_with(r, extra=1), 'an unknown field: found "extra"'),
    "a missing field": (lambda r: line_with(r, rulebook=None), "line 2: rulebook: wrong form: expected 64"),
    "a key that is not ASCII": (lambda r: journal_of([r[0] | {"submission": {"é": 1}}]), "not ASCII"),
    "a wrong role": (lambda r: line_with(r, role="king"), 'found "king"'),
    "control characters": (lambda r: line_with(r, who="\x1b[31m"), '"\\u001b[31m"'),
    "half a surrogate pair": (
        lambda r: canonical(bundle_of(r)).replace(b'"program":"a forger', b'"program":"x"}\n{"\\ud800'),
        "not JSON",
    ),
    "a bundle of version 2": (lambda r: canonical(bundle_of(r) | {"bundle": 2}), "version 2 of a bundle"),
    "a bundle of no version": (lambda _: b"{}", "version null of a bundle"),
    "two heads": (lambda r: canonical(bundle_of(r) | {"checkpoint": "x"}), "exactly one"),
    "no entries": (lambda r: canonical(bundle_of(r) | {"entries": []}), "at least one entry"),
    "no note": (
        lambda r: canonical({k: v for k, v in bundle_of(r).items() if k != "tree_head"} | {"checkpoint": "x"}),
        "checkpoint: wrong form",
    ),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_is_not_readable_is_said_in_a_sentence(what: str, records: list[Json]) -> None:
    make, message = UNREADABLE[what]
    report = verifier.verify(make(records[:3]))
    assert (report.status, report.checks) == (2, [])
    assert message in report.unreadable


def test_half_a_surrogate_pair_in_a_record_is_not_readable(records: list[Json]) -> None:
    data = json.dumps(bundle_of(records[:3])).replace('"who": "you"', '"who": "\\ud800"').encode()
    assert b"ud800" in data
    report = verifier.verify(data)
    assert "half a surrogate pair" in report.unreadable


@pytest.mark.slow
@pytest.mark.usefixtures("derived_once")
@pytest.mark.parametrize("value", [None, True, -1, 7, "x", [], [[]], {}, {"a": 1}, "\x00"], ids=repr)
def test_wrong_types_everywhere_end_in_a_report(value: object, own: bytes) -> None:
    records = records_of(own)
    for index, path in kinds_of_field(records).values():
        forged = edited(records[index], path, lambda _: value)
        report = verifier.verify(journal_of([*records[:index], forged]))
        assert report.status in {1, 2, 3}
    bundle = json.loads(EXAMPLE.read_bytes())
    for _, path in kinds_of_field(
        [{key: bundle[key] for key in bundle if key not in {"rulebooks", "entries"}}]
    ).values():
        assert verifier.verify(canonical(edited(bundle, path, lambda _: value))).status in {1, 2, 3}


def test_lines_that_are_not_canonical_are_found(records: list[Json]) -> None:
    data = journal_of(records[:3])
    for forged, status in (
        (data.replace(b'","record":', b'", "record":', 1), 2),
        (data.replace(b"\n", b"\r\n"), 2),
        (data.replace(b"\xc2\xa7", b"\\u00a7"), 1),
        (data.replace(b'"seq":1,', b'"seq":1 ,'), 1),
    ):
        assert forged != data
        report = verifier.verify(forged)
        assert (report.status, faulty(report)) == (status, {"chain"} if status == 1 else set())
    usual = journal_of([records[0], records[1] | {"device": ""}])
    assert "`device` has its default value" in verifier.verify(usual).unreadable


def test_keys_that_are_not_ascii_in_a_command_are_wrong(records: list[Json]) -> None:
    forged = [records[0], records[1] | {"command": {"é": 1}}]
    assert [verifier.verify(data).status for data in (journal_of(forged), canonical(bundle_of(forged)))] == [1, 1]


def test_files_that_cannot_be_read_and_wrong_usage_are_status_two(tmp_path: Path) -> None:
    assert run(str(tmp_path / "missing"))[0] == 2
    assert run(str(tmp_path))[0] == 2
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 9)
    status, shown = run(str(tmp_path / "noise"), str(EXAMPLE))
    assert status == 2
    assert "not readable: the file is neither" in shown
    done = subprocess.run([sys.executable, str(FILE)], capture_output=True, check=False)
    assert done.returncode == 2


def test_a_wrong_file_is_status_one_and_says_where(tmp_path: Path) -> None:
    forged = of_example(lambda b: b["entries"][5].update(hash="0" * 64))
    (tmp_path / "forged.json").write_bytes(forged)
    status, shown = run(str(tmp_path / "forged.json"))
    assert status == 1
    honest = json.loads(EXAMPLE.read_bytes())["entries"][5]
    assert f"entries[5] (index {honest['index']}): the hash: expected {honest['hash'][:8]}" in shown
    assert "found " + "0" * 64 in shown


def test_the_tree_fits_its_recursive_definition() -> None:
    tree = verifier.Tree()
    leaves: list[bytes] = []
    for size in range(1, 70):
        entry = b"entry %d" % size
        tree.add(entry)
        leaves.append(sha(b"\0" + entry))
        root = tree_root(leaves)
        assert tree.root(size) == root
        for index in range(size):
            path = tree_path(leaves, index)
            assert verifier.root_by_path(leaves[index], index, size, path) == root
            assert verifier.root_by_path(leaves[index], index, size, [*path, bytes(32)]) != root
    assert base64.b64encode(verifier.Tree().root(0)).decode() == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
