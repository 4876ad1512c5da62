"""The corpus, verified and audited in this process without one of the program's checks."""

from __future__ import annotations

import ast
import builtins
import importlib
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import CodeType, FunctionType

import msgspec

from check_removal import PASSES, Shown
from conformance import FOLDER, Verdict, read_corpus
from corpus_answer import CaseAnswer, audit_answer, program_answer
from paths import ROOT
from program_checks import NOTE, SOURCE, ProgramCheck, noting, without
from program_modules import MODULES

sys.path.insert(0, str(ROOT / "tools"))

from code_change import functions_by_file

BOOKS_ALONE = {"honest/house-link-main.jsonl", "honest/house-cage.jsonl"}
"""Without a table and without a house there is nothing that an audit could decide again, and it says so."""
CRASH = -1
"""In place of a status: it ended in a trace."""


class AuditedTogether(msgspec.Struct, frozen=True):
    """Files of the corpus that one audit reads together, under these keys, and its answer."""

    paths: tuple[str, ...]
    keys: tuple[str, ...]
    status: int


TOGETHER = (
    AuditedTogether(("honest/order-2.jsonl", "honest/house-alone.jsonl"), ("log", "witness"), 1),
    AuditedTogether(("honest/order-2.jsonl", "honest/signed-in-part.jsonl"), ("log",), 3),
)
"""What a single file cannot show."""


class CorpusRun(msgspec.Struct, frozen=True):
    """A run of the program on a case: `verify`, or `audit`, which can read more files with it."""

    case: Verdict
    is_audit: bool = False
    more: tuple[str, ...] = ()

    def __str__(self) -> str:
        verb = "audit" if self.is_audit else "verify"
        return " ".join((verb, self.case.path, *self.more))


class ProgramRun:
    """Every run of the program on the corpus, with which statements say something in it."""

    def __init__(self) -> None:
        for module in MODULES:  # before its functions are looked for
            importlib.import_module(".".join(("baccarat", *Path(module).with_suffix("").parts)))
        self._corpus = read_corpus()
        cases = sorted(self._corpus.cases, key=lambda case: (case.file.stat().st_size, case.path, case.keys))
        self.runs = [CorpusRun(case) for case in cases]
        self.runs += [CorpusRun(case, is_audit=True) for case in cases if _is_audited(case)]
        self.runs += [_run_of(each) for each in TOGETHER]
        self._functions = functions_by_file()
        self.answers = self._as_it_is()

    def _as_it_is(self) -> list[tuple[CaseAnswer, frozenset[tuple[str, int]]]]:
        """The answer to each run with every check, and the statements that say something in it."""
        found: set[tuple[str, int]] = set()
        setattr(builtins, NOTE, lambda file, number: found.add((file, number)))
        answers = []
        with self._changed({SOURCE / module: noting(SOURCE / module) for module in MODULES}):
            for run in self.runs:
                found.clear()
                answers.append((self.answer(run), frozenset(found)))
        delattr(builtins, NOTE)
        return answers

    def shown(self, check: ProgramCheck) -> Shown:
        """What becomes of the runs in which a check says something, without it."""
        place, otherwise = (str(check.file), check.number), ""
        with self._changed({check.file: without(check)}):
            for run, (before, said) in zip(self.runs, self.answers, strict=True):
                answer = self.answer(run) if place in said else before
                if answer.status in (0, PASSES) and before.status in (1, 2):
                    return Shown(check.removal, passes=str(run))
                if answer != before and not otherwise:
                    otherwise = f"{run} {_difference(answer, before)}"
        return Shown(check.removal, otherwise=otherwise)

    def misjudged(self) -> list[str]:
        """The runs with every check whose status is not that of the case."""
        found = zip(self.runs, self.answers, strict=True)
        return [f"{run}: {answer.status}" for run, (answer, _) in found if answer.status != run.case.status]

    def answer(self, run: CorpusRun) -> CaseAnswer:
        """The status, what found something wrong, and the gaps that are named."""
        with TemporaryDirectory() as folder:
            more = [*(str(FOLDER / path) for path in run.more), *_copied_memory(run.case, Path(folder))]
            try:
                return (audit_answer if run.is_audit else program_answer)(self._corpus, run.case, *more)
            except (AssertionError, ValueError):
                return CaseAnswer(CRASH, set(), "")

    @contextmanager
    def _changed(self, trees: Mapping[Path, ast.Module]) -> Iterator[None]:
        """Every function of these files has the code that the trees give it, wherever a reference to it is held."""
        before: list[tuple[FunctionType, CodeType]] = []
        try:
            for file, tree in trees.items():
                made = {_key(code): code for code in _codes(compile(tree, str(file), "exec", dont_inherit=True))}
                for function in self._functions.get(str(file), ()):
                    before.append((function, function.__code__))
                    function.__code__ = made.get(_key(function.__code__), function.__code__)
            yield
        finally:
            for function, code in before:
                function.__code__ = code


def _difference(answer: CaseAnswer, before: CaseAnswer) -> str:
    """How an answer differs from that of the whole program."""
    if answer.status != before.status:
        return f"answers {answer.status}" if answer.status != CRASH else "ends in a trace"
    other = sorted(before.wrong ^ answer.wrong)
    return f"finds otherwise: {', '.join(other)}" if other else "names another gap"


def _run_of(together: AuditedTogether) -> CorpusRun:
    first, *more = together.paths
    case = Verdict(path=first, keys=together.keys, status=together.status, status_without_rules=together.status)
    return CorpusRun(case, is_audit=True, more=tuple(more))


def _is_audited(case: Verdict) -> bool:
    return case.path.endswith(".jsonl") and case.path not in BOOKS_ALONE


def _copied_memory(case: Verdict, folder: Path) -> Sequence[str]:
    """A copy of what a reader remembers, which `--memory` replaces."""
    if not case.memory:
        return ()
    shutil.copyfile(FOLDER / case.memory, folder / "memory")
    return "--memory", str(folder / "memory")


def _key(code: CodeType) -> tuple[str, int, tuple[str, ...]]:
    return code.co_qualname, code.co_firstlineno, code.co_freevars


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
