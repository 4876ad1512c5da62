"""Files of the conformance corpus that break off somewhere, and the answers of all verifiers to what is left."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from conformance import FOLDER, read_corpus
from javascript import reports_of
from program_run import run_program
from two_verifiers import python_reports

WITHIN, AT_A_LINE = {1, 2}, {1, 2, 3}
"""What is cut within a line is wrong or not readable. A journal cut at the end of a line is a shorter journal: nothing
may be wrong with what is left, but then its end is not covered."""


class Cut(NamedTuple):
    """The first bytes of a file of the corpus, with the keys that its reader gives."""

    keys: tuple[str, ...]
    path: str
    at: int

    @property
    def data(self) -> bytes:
        """What is left of the file."""
        with (FOLDER / self.path).open("rb") as file:
            return file.read(self.at)

    @property
    def is_journal(self) -> bool:
        """Whether it is cut from a journal, not from a bundle."""
        return self.path.endswith(".jsonl")

    @property
    def expected(self) -> set[int]:
        """The statuses that it may get."""
        data = self.data
        return AT_A_LINE if self.is_journal and (not data or data.endswith(b"\n")) else WITHIN

    def __str__(self) -> str:
        """Where it is cut."""
        return f"{self.path} cut at byte {self.at:,} under {len(self.keys)} keys"


def cuts(every: int) -> Iterator[Cut]:
    """Every file of the corpus cut after each multiple of `every` bytes, under the keys of each of its cases.

    Forgeries of one honest file begin alike: the same bytes under the same keys come once.
    """
    seen: set[tuple[tuple[str, ...], bytes]] = set()
    for keys, cases in read_corpus().by_keys().items():
        for case in cases:
            data, hashed = case.file.read_bytes().rstrip(), hashlib.blake2b(digest_size=16)
            for at in range(0, len(data), every):
                hashed.update(data[max(at - every, 0) : at])
                if (keys, hashed.digest()) not in seen:
                    seen.add((keys, hashed.digest()))
                    yield Cut(keys, case.path, at)


def wrong_answers(folder: Path, chosen: Sequence[Cut]) -> Iterator[str]:
    """The cuts to which a verifier gives another status than it may, or no sentence, or a trace."""
    for keys, group in groupby(sorted(chosen), key=lambda cut: cut.keys):
        own = list(group)
        paths = [folder / f"{number}{Path(cut.path).suffix}" for number, cut in enumerate(own)]
        for path, cut in zip(paths, own, strict=True):
            path.write_bytes(cut.data)
        small = zip(python_reports(paths, keys), reports_of(paths, keys), strict=True)
        for path, cut, (python, javascript) in zip(paths, own, small, strict=True):
            for who, status, sentence in _answers(path, cut, python, javascript):
                if status not in cut.expected or not sentence or "could not finish" in sentence:
                    yield f"{cut}: {who} answers {status}: {sentence[-300:]!r}"
            path.unlink()


def _answers(
    path: Path, cut: Cut, python: dict[str, Any], javascript: dict[str, Any]
) -> Iterator[tuple[str, int | None, str]]:
    """Who answers which status with which sentence; no status for a trace."""
    given = [part for key in cut.keys for part in ("--key", key)]
    for verb in ("verify", "audit") if cut.is_journal else ("verify",):
        done = run_program(verb, str(path), *given)
        is_trace = not isinstance(done.exception, SystemExit | None)
        yield verb, None if is_trace else done.exit_code, repr(done.exception) if is_trace else done.output
    yield "the verifier in Python", python["status"], python["unreadable"] or str(python["checks"])
    yield "the verifier in JavaScript", javascript["status"], javascript["message"]
