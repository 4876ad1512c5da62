"""The conformance corpus in `verifier/corpus`: how its script makes it, and how it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import corpus_bundle
import corpus_card
import corpus_chain
import corpus_flood
import corpus_honest
import corpus_house
import corpus_rules
import corpus_shoe
import corpus_signature
from baccarat.record.log import Log
from baccarat.record.receipt import Receipt
from baccarat.record.tlog_proof import EntryProof
from corpus_base import KEYS, STREAM, act, base, checkpoint
from corpus_case import Case, Kind
from paths import ROOT
from remade import canonical

FOLDER = ROOT / "verifier" / "corpus"
WRITTEN_BY_HAND = {"README.md"}


def kinds() -> Iterator[tuple[Kind, list[Case]]]:
    """Every kind of forgery with its files."""
    for module in (
        corpus_chain,
        corpus_signature,
        corpus_shoe,
        corpus_card,
        corpus_rules,
        corpus_flood,
        corpus_house,
        corpus_bundle,
    ):
        yield from module.cases()


def made() -> dict[str, bytes]:
    """Every file of the corpus by its path there, as the script makes it now."""
    found, honest = list(kinds()), [*corpus_honest.cases(), *corpus_house.honest(), *corpus_flood.honest()]
    cases = [*honest, *(case for _, forged in found for case in forged)]
    files: dict[str, bytes] = {
        f"keys/{_file_name(name)}": f"{signer.verifier}\n".encode() for name, signer in KEYS.items()
    }
    for case in cases:
        assert files.setdefault(case.path, case.data) == case.data, case.path
        folder = case.path.rpartition("/")[0]
        files |= {f"{folder}/{name}": data for name, data in case.beside.items()}
    table = {
        "corpus": 1,
        "keys": {name: f"keys/{_file_name(name)}" for name in KEYS},
        "kinds": [msgspec.to_builtins(kind) for kind, _ in found],
        "cases": [_row(case) for case in cases],
    }
    files["wager.receipt"] = bytes(receipt())
    files["corpus.json"] = json.dumps(table, indent=1, ensure_ascii=False).encode() + b"\n"
    return files


def receipt() -> Receipt:
    """What somebody keeps of the first wager of the table whose order has two witnesses."""
    records = base()
    index, bodies = records.index(act(records, "place_wager")), [canonical(record) for record in records]
    path = Log(bodies).prove_inclusion(index, len(bodies))
    return Receipt(body=bodies[index], proof=EntryProof(index, path, checkpoint(records)), stream=STREAM)


def _file_name(key: str) -> str:
    return f"{key.replace(' ', '-')}.pub"


def _row(case: Case) -> dict[str, Any]:
    row: dict[str, Any] = {"path": case.path}
    row |= {"kind": case.kind} if case.kind else {}
    row |= {"beside": sorted(case.beside)} if case.beside else {}
    row |= {"keys": list(case.keys), "status": case.status, "status_without_rules": case.status_without_rules}
    return row | ({"gap": case.gap} if case.gap else {})


def on_disk() -> dict[str, bytes]:
    """Every file of the corpus as it stands, but for those that were written by hand."""
    paths = [path for path in sorted(FOLDER.rglob("*")) if path.is_file()]
    names = {path.relative_to(FOLDER).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if name not in WRITTEN_BY_HAND}


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `corpus.json`."""

    path: str
    keys: tuple[str, ...]
    status: int
    status_without_rules: int
    kind: str = ""
    gap: str = ""
    beside: tuple[str, ...] = ()

    @property
    def file(self) -> Path:
        """The file itself."""
        return FOLDER / self.path


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """`corpus.json`, as anybody reads it."""

    corpus: int
    keys: dict[str, str]
    kinds: tuple[Kind, ...]
    cases: tuple[Verdict, ...]

    def by_keys(self) -> dict[tuple[str, ...], list[Verdict]]:
        """The cases by the keys that their reader has; the keys as texts."""
        texts = {name: (FOLDER / path).read_text(encoding="utf-8").strip() for name, path in self.keys.items()}
        found: dict[tuple[str, ...], list[Verdict]] = {}
        for case in self.cases:
            found.setdefault(tuple(texts[key] for key in case.keys), []).append(case)
        return found


def read_corpus() -> Corpus:
    """The corpus as it stands."""
    return msgspec.json.decode((FOLDER / "corpus.json").read_bytes(), type=Corpus)
