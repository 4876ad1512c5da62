"""A stream has one name, one past and no missing neighbour: the program, the audit and both small verifiers agree."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from typer.testing import CliRunner

from baccarat.cli import app
from baccarat.record.journal import write_note
from baccarat.record.key import KeyKind, Signer
from baccarat.record.note import sign_note
from baccarat.record.origin import origin_of
from baccarat.table.source import SealedShoe
from corpus_base import HOUSE, LOG, SHARE, WITNESS, Evening, base, checkpoint, cosigned, journal, lines_of, seed_of
from corpus_house import house
from golden_journals import SignedWitnesses
from remade import Json, records_of
from three_verifiers import agreed, all_three
from triggers import FirstWager

pytestmark = pytest.mark.slow


def with_keys(*signers: Signer) -> list[str]:
    """The words that give these keys."""
    return [word for signer in signers for word in ("--key", str(signer.verifier))]


GIVEN = with_keys(HOUSE, WITNESS)


def audited(path: Path, *words: str) -> int:
    """The status of the audit."""
    done = CliRunner().invoke(app, ["audit", str(path), *words])
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done.exit_code


def statuses(path: Path, *words: str) -> tuple[int, int, int, int]:
    """The statuses of the audit, of `verify` and of the verifiers in Python and in JavaScript."""
    first, second, third = (said.status for said in all_three(path, *words))
    return audited(path, *words), first, second, third


def house_signed(records: list[Json], **names: str) -> bytes:
    """The journal of a house, which signs each stream under its own name or the one given."""
    streams = dict.fromkeys(record["stream"] for record in records)
    parts = lines_of(records)
    for stream in streams:
        own = [record for record in records if record["stream"] == stream]
        origin = names.get(stream) or origin_of(HOUSE.verifier.name, stream)
        parts.append(write_note(checkpoint(own, signer=HOUSE, origin=origin), stream))
    return b"".join(parts)


@pytest.mark.parametrize("name", ["annex/table/1", "/table/1", "table/1/table/1", "table/1/2/table/1"])
def test_a_house_key_signs_a_table_under_one_name(tmp_path: Path, name: str) -> None:
    records, path = base("real-cards"), tmp_path / "table.jsonl"
    path.write_bytes(journal(records, checkpoint(records, signer=HOUSE, origin="example.org/house/table/1")))
    assert agreed(path, *GIVEN).status == audited(path, *GIVEN) == 0
    path.write_bytes(journal(records, checkpoint(records, signer=HOUSE, origin=f"example.org/house/{name}")))
    assert statuses(path, *GIVEN) == (1, 1, 1, 1)
    assert all("signs table 1 as example.org/house/table/1" in said.wrong for said in all_three(path, *GIVEN))


def test_a_house_key_signs_its_cage_under_no_table_name(tmp_path: Path) -> None:
    path = tmp_path / "house.jsonl"
    path.write_bytes(house_signed(house()))
    assert agreed(path, *GIVEN).status == 0
    path.write_bytes(house_signed(house(), cage="example.org/house/table/cage"))
    assert statuses(path, *GIVEN) == (1, 1, 1, 1)


def test_a_shoe_belongs_to_the_log_that_a_given_key_has_signed(tmp_path: Path) -> None:
    evening, path = Evening(tmp_path), tmp_path / "table.jsonl"
    shares, rules = SignedWitnesses(evening.path), evening.game.rules
    shares.origin = "example.net/lab/table/1"
    evening.game.source = SealedShoe(rules, seed_of, table="1", triggers=FirstWager(rules), shares=shares)
    records = records_of(evening.begun().round().given_up().over())
    stranger = checkpoint(records, signer=Signer(shares.origin, KeyKind.LOG, b"q" * 32), witnessed=False)
    for notes in ((), (checkpoint(records), stranger), (stranger, checkpoint(records))):
        path.write_bytes(journal(records, *notes))
        assert statuses(path, *with_keys(LOG, WITNESS, *SHARE)) == (1, 1, 1, 1)
    assert statuses(path) == (1, 1, 1, 1)
    # The checkpoint of a stranger beside an honest one does no harm.
    records = base("order-2")
    path.write_bytes(journal(records, checkpoint(records), checkpoint(records, signer=stranger_to(records))))
    assert 1 not in statuses(path, *with_keys(LOG, WITNESS, *SHARE))


def stranger_to(records: list[Json]) -> Signer:
    """A key that nobody knows, of another log of this table."""
    return Signer(f"example.net/lab/{records[0]['stream'].replace(' ', '/')}", KeyKind.LOG, b"q" * 32)


def test_a_successor_leaves_a_gap_since_signed_entries_were_lost(tmp_path: Path) -> None:
    records, path = base("real-cards"), tmp_path / "table.jsonl"
    stated, first = checkpoint(records).text.split("\n"), "example.org/house/table/1"
    line = f"baccarat/successor-of/v1 {first} 48 {base64.b64encode(bytes(32)).decode()}"
    text = "\n".join([f"{first}/2", *stated[1:3], line, ""])
    path.write_bytes(journal(records, cosigned(sign_note(text, HOUSE.with_name(f"{first}/2")))))
    say = f"{first}/2 continues {first}, of which 48 entries were signed: some entries were lost and may have been"
    found = agreed(path, *GIVEN)
    assert (found.status, audited(path, *GIVEN)) == (3, 3)
    assert found.gaps == [[f"{say} replaced"]]
