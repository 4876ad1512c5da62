"""What a reader gives besides a file, cut off: receipts, policies, memories, key files, stored checkpoints."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from conformance import FOLDER, Corpus, Verdict, read_corpus
from corpus_answer import CaseAnswer, audit_answer, javascript_answers, program_answer, python_answers
from javascript import VERIFIER, run_node
from program_run import run_program
from two_verifiers import PYTHON_VERIFIER

RECEIPT, POLICY, MEMORY, KEY, CHECKPOINT = "receipt", "policy", "memory", "key file", "checkpoint"
REFUSED, ANY = {1, 2}, {0, 1, 2, 3}
TIMES_AS_MANY = 10
"""A key file is a hundred bytes long, and is cut that many times as often."""


class ReaderCut(NamedTuple):
    """The first bytes of something that the reader of a case gives, by its path in the corpus."""

    case: Verdict
    part: str
    path: str
    at: int

    @property
    def data(self) -> bytes:
        """What is left of it."""
        return (FOLDER / self.path).read_bytes()[: self.at]

    @property
    def expected(self) -> set[int]:
        """The statuses that it may get: a note that is cut at the end of a line may have lost a signature only."""
        is_note = self.part in (RECEIPT, CHECKPOINT)
        return ANY if is_note and self.data.endswith(b"\n") else REFUSED

    def __str__(self) -> str:
        """Where it is cut."""
        return f"the {self.part} {self.path} cut at byte {self.at:,} with {self.case.path}"


def reader_cuts(every: int) -> Iterator[ReaderCut]:
    """Everything that readers of the corpus give, cut after each multiple of `every` bytes; the same bytes once."""
    seen: set[tuple[str, str, bytes]] = set()
    for case, part, path in _given(read_corpus()):
        data = (FOLDER / path).read_bytes().rstrip()
        for at in range(0, len(data), max(1, every // TIMES_AS_MANY) if part == KEY else every):
            key = (part, "" if part == KEY else case.path, hashlib.blake2b(data[:at], digest_size=16).digest())
            if key not in seen:
                seen.add(key)
                yield ReaderCut(case, part, path, at)


def _given(corpus: Corpus) -> Iterator[tuple[Verdict, str, str]]:
    """Each case with a file that its reader gives, and what that is."""
    for case in corpus.cases:
        yield from ((case, RECEIPT, path) for path in case.receipts)
        yield from ((case, part, path) for part, path in ((POLICY, case.policy), (MEMORY, case.memory)) if path)
        folder = case.path.rpartition("/")[0]
        yield from ((case, CHECKPOINT, f"{folder}/{name}") for name in case.beside)
    honest = next(case for case in corpus.cases if case.path == "honest/order-2.jsonl" and case.has_keys_alone)
    yield from ((honest, KEY, path) for path in corpus.keys.values())


def wrong_answers_to_readers(folder: Path, chosen: Sequence[ReaderCut]) -> Iterator[str]:
    """The cuts to which a verifier gives another status than it may, or which the two small ones answer differently."""
    corpus = read_corpus()
    for cut in chosen:
        if cut.part == KEY:
            yield from _wrong_key(folder, cut)
    own = [cut for cut in chosen if cut.part != KEY]
    cases = [_prepared(folder / str(number), cut) for number, cut in enumerate(own)]
    small = zip(python_answers(corpus, cases), javascript_answers(corpus, cases), strict=True)
    for number, (cut, case, (python, javascript)) in enumerate(zip(own, cases, small, strict=True)):
        answers = {"Python": python, "JavaScript": javascript, "verify": program_answer(corpus, case, *_memory(case))}
        if case.path.endswith(".jsonl"):
            case = _prepared(folder / str(number), cut)  # noqa: PLW2901  verify has written the memory
            answers["audit"] = audit_answer(corpus, case, *_memory(case))
        yield from _wrong(cut, answers)
        shutil.rmtree(folder / str(number))


def _wrong(cut: ReaderCut, answers: dict[str, CaseAnswer]) -> Iterator[str]:
    for who, answer in answers.items():
        if answer.status not in cut.expected or (answer.status in REFUSED and not (answer.wrong or answer.gaps)):
            yield f"{cut}: {who} answers {answer.status}: {answer.gaps[-300:]!r}"
    if answers["Python"].status != answers["JavaScript"].status:
        yield f"{cut}: Python answers {answers['Python'].status} and JavaScript {answers['JavaScript'].status}"


def _prepared(folder: Path, cut: ReaderCut) -> Verdict:
    """The case with what its reader gives cut off, in files of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / cut.path.rpartition("/")[2]
    path.write_bytes(cut.data)
    match cut.part:
        case "receipt":
            return replace(cut.case, receipts=(str(path),))
        case "policy":
            return replace(cut.case, policy=str(path))
        case "memory":
            return replace(cut.case, memory=str(path))
    copied = folder / cut.case.file.name
    shutil.copyfile(cut.case.file, copied)
    return replace(cut.case, path=str(copied))


def _memory(case: Verdict) -> Sequence[str]:
    return ("--memory", str(FOLDER / case.memory)) if case.memory else ()


def _wrong_key(folder: Path, cut: ReaderCut) -> Iterator[str]:
    """A key file is read by the command line alone: nothing is verified under what is left of one."""
    path = folder / "cut.pub"
    path.write_bytes(cut.data)
    given = [str(cut.case.file), "--key", str(path)]
    done = run_program("verify", *given)
    python = subprocess.run([sys.executable, "-I", str(PYTHON_VERIFIER), *given], capture_output=True, check=False)
    node = run_node(str(VERIFIER), *given)
    statuses = {"verify": done.exit_code, "Python": python.returncode, "JavaScript": node.returncode}
    for who, status in statuses.items():
        if status not in ({2, 3} if not cut.data else {2}):
            yield f"{cut}: {who} answers {status}"
    for who, said in (("Python", python.stderr), ("JavaScript", node.stderr)):
        if b"Traceback" in said or b"    at " in said:
            yield f"{cut}: {who} ends in a trace: {said.decode()[-300:]}"
