"""A house says itself which version it ran: an older one excuses nothing, and every verifier says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from baccarat.audit.opening import UNSTATED_CARDS, UNSTATED_WITNESSES, by_claimed_version
from baccarat.cli import app
from corpus_base import ALL, KEYS, PLAIN, SHARE, base, journal, older
from corpus_case import remade_records
from corpus_version import downgraded
from javascript import VERIFIER, run_node
from paths import DATA
from remade import Json, records_of
from three_verifiers import agreed, all_three
from two_verifiers import PYTHON_VERIFIER

pytestmark = pytest.mark.slow
BY_VERSION_2 = by_claimed_version(2)


def with_keys(names: tuple[str, ...]) -> list[str]:
    return [word for name in names for word in ("--key", str(KEYS[name].verifier))]


def written(folder: Path, records: list[Json]) -> Path:
    path = folder / "journal.jsonl"
    path.write_bytes(journal(records))
    return path


@pytest.mark.parametrize("name", ["ma-midi-4", "ma-midi-4-order-2", "nj-punto-banco"])
def test_an_honest_old_journal_is_decided_and_not_covered(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, records_of((DATA / "journals-2" / f"{name}.jsonl").read_bytes()))
    has_witnesses = "order-2" in name
    found = agreed(path, *with_keys(ALL if has_witnesses else PLAIN))
    of_real = [
        f"{share.verifier.name}, whose share was asked for, has no part in the order of real cards"
        for share in SHARE
        if has_witnesses  # of its second shoe; the first had real cards
    ]
    assert found == (3, [[UNSTATED_CARDS + BY_VERSION_2, *of_real]], "")


def test_the_sentence_stands_in_what_people_read(tmp_path: Path) -> None:
    path = written(tmp_path, base("order-1"))
    wide = {"COLUMNS": "400"}
    python = subprocess.run([sys.executable, "-I", str(PYTHON_VERIFIER), str(path)], capture_output=True, check=False)
    said = [CliRunner().invoke(app, [verb, str(path)], env=wide).stdout for verb in ("verify", "audit")]
    said += [python.stdout.decode(), run_node(str(VERIFIER), str(path)).stdout.decode()]
    assert [UNSTATED_CARDS + BY_VERSION_2 in each for each in said] == [True] * 4


def test_what_an_older_version_could_state_and_did_is_covered(tmp_path: Path) -> None:
    """The version alone is no gap: every act was decided as this version decides it."""
    records = remade_records([record | {"behaviour": 2} for record in base("order-2")])
    assert agreed(written(tmp_path, records), *with_keys(ALL)) == (0, [[]], "")


@pytest.mark.parametrize("version", [2, 3])
def test_a_witness_that_is_asked_for_is_missed_in_a_shoe_of_order_1(tmp_path: Path, version: int) -> None:
    """The first shoe names both witnesses; `verify` and `audit` say that the second names neither."""
    path = written(tmp_path, remade_records(records_of(older(downgraded(), version))))
    names = [share.verifier.name for share in SHARE]
    missed = [f"{name}, whose share was asked for, is not named in the order of shoe 2" for name in names]
    assert agreed(path, *with_keys(ALL)) == (3, [[UNSTATED_CARDS + by_claimed_version(version), *missed]], "")
    done = CliRunner().invoke(app, ["audit", "--json", str(path), *with_keys(ALL)])
    assert [gap for gap in json.loads(done.stdout)["coverage"][0]["gaps"] if "asked for" in gap] == missed


@pytest.mark.parametrize("version", [2, 3])
def test_an_electronic_table_says_whose_shares_its_orders_need(tmp_path: Path, version: int) -> None:
    records = [record | {"behaviour": version} for record in base("house-alone")]
    del records[0]["witnesses"]
    gap = UNSTATED_WITNESSES + by_claimed_version(version)
    assert agreed(written(tmp_path, records), *with_keys(PLAIN)) == (3, [[gap]], "")


@pytest.mark.parametrize("at", [1, 20, -1])
def test_a_stream_that_was_on_a_later_version_does_not_go_back(tmp_path: Path, at: int) -> None:
    records = base("unstated")
    for record in records[at:]:
        record["behaviour"] = 2
    path = written(tmp_path, records)
    assert [found.status for found in all_three(path, *with_keys(ALL))] == [1] * 3
    assert CliRunner().invoke(app, ["audit", str(path), *with_keys(ALL)]).exit_code in (1, 2), "it does not read on"


def test_what_an_older_version_ruled_differently_is_a_gap_of_an_audit(tmp_path: Path) -> None:
    """The same status as `verify` gives: it is no forgery, and nothing shows that the house ran that version."""
    records = [record | {"behaviour": 2} for record in base("order-1")]
    records[0] |= {"cards": "electronic", "witnesses": []}
    records = records[: 1 + next(i for i, r in enumerate(records) if "shoe_committed" in str(r.get("events")))]
    path = written(tmp_path, records)
    for verb in ("verify", "audit"):
        done = CliRunner().invoke(app, [verb, str(path), *with_keys(PLAIN)], env={"COLUMNS": "400"})
        say = f"1 record would be ruled differently by this version{BY_VERSION_2}"
        assert (done.exit_code, say in done.stdout) == (3, True)
