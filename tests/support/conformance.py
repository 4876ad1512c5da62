"""The conformance corpus in `verifier/corpus`: how its script makes it, and how it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

import corpus_book
import corpus_bundle
import corpus_card
import corpus_chain
import corpus_deadline
import corpus_field
import corpus_flood
import corpus_honest
import corpus_house
import corpus_key
import corpus_owed
import corpus_person
import corpus_pit
import corpus_reader
import corpus_refusal
import corpus_rules
import corpus_run
import corpus_shoe
import corpus_signature
import corpus_version
from corpus_base import KEYS
from corpus_case import Case, Kind
from paths import ROOT

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
        corpus_deadline,
        corpus_flood,
        corpus_house,
        corpus_bundle,
        corpus_reader,
        corpus_person,
        corpus_run,
        corpus_key,
        corpus_refusal,
        corpus_pit,
        corpus_book,
        corpus_owed,
        corpus_version,
        corpus_field,
    ):
        yield from module.cases()


def made() -> dict[str, bytes]:
    """Every file of the corpus by its path there, as the script makes it now."""
    found, honest = (
        list(kinds()),
        [
            *corpus_honest.cases(),
            *corpus_house.honest(),
            *corpus_flood.honest(),
            *corpus_reader.honest(),
            *corpus_key.honest(),
            *corpus_refusal.honest(),
            *corpus_person.honest(),
            *corpus_field.honest(),
        ],
    )
    cases = [*honest, *(case for _, forged in found for case in forged)]
    files: dict[str, bytes] = {
        f"keys/{_file_name(name)}": f"{signer.verifier}\n".encode() for name, signer in KEYS.items()
    }
    for case in cases:
        assert files.setdefault(case.path, case.data) == case.data, case.path
        folder = case.path.rpartition("/")[0]
        files |= {f"{folder}/{name}": data for name, data in case.beside.items()}
        files |= case.receipts | case.policy | case.memory
    table = {
        "corpus": 1,
        "keys": {name: f"keys/{_file_name(name)}" for name in KEYS},
        "kinds": [msgspec.to_builtins(kind) for kind, _ in found],
        "cases": [_row(case) for case in cases],
    }
    files["corpus.json"] = json.dumps(table, indent=1, ensure_ascii=False).encode() + b"\n"
    return files


def _file_name(key: str) -> str:
    return f"{key.replace(' ', '-')}.pub"


def _row(case: Case) -> dict[str, Any]:
    row: dict[str, Any] = {"path": case.path}
    row |= {"kind": case.kind} if case.kind else {}
    row |= {"beside": sorted(case.beside)} if case.beside else {}
    row |= {"receipts": sorted(case.receipts)} if case.receipts else {}
    row |= {name: path for name in ("policy", "memory") for path in getattr(case, name)}
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
    receipts: tuple[str, ...] = ()
    policy: str = ""
    memory: str = ""

    @property
    def file(self) -> Path:
        """The file itself."""
        return FOLDER / self.path

    @property
    def gap_without_rules(self) -> str:
        """What a verifier that does not know the rules says is not covered: nothing but that, if there is no gap."""
        return self.gap or ("nothing was decided again" if self.status == 0 else "")

    @property
    def has_keys_alone(self) -> bool:
        """Whether its reader gives nothing but keys."""
        return not (self.receipts or self.policy or self.memory)


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """`corpus.json`, as anybody reads it."""

    corpus: int
    keys: dict[str, str]
    kinds: tuple[Kind, ...]
    cases: tuple[Verdict, ...]

    def texts_of(self, case: Verdict) -> tuple[str, ...]:
        """The keys that a case's reader has, as texts."""
        return tuple((FOLDER / self.keys[key]).read_text(encoding="utf-8").strip() for key in case.keys)

    def by_keys(self) -> dict[tuple[str, ...], list[Verdict]]:
        """The cases by the keys that their reader has, where he gives nothing else; the keys as texts."""
        found: dict[tuple[str, ...], list[Verdict]] = {}
        for case in self.cases:
            if case.has_keys_alone:
                found.setdefault(self.texts_of(case), []).append(case)
        return found


def read_corpus() -> Corpus:
    """The corpus as it stands."""
    return msgspec.json.decode((FOLDER / "corpus.json").read_bytes(), type=Corpus)
