"""Checks removed from the small verifiers one at a time: a file of the corpus must then get another verdict.

Every place where a verifier says that something is wrong or not readable is one check. What is in `SECOND_NETS` cannot
be shown by a file: another check finds the same, and the reason is given.
"""

from __future__ import annotations

import ast
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "verifier")]

from conformance import FOLDER, read_corpus  # noqa: E402
from javascript import VERIFIER, run_node  # noqa: E402
from two_verifiers import PYTHON_VERIFIER  # noqa: E402

CALLS = frozenset({"wrong", "same", "expect", "require_form", "ascii_keys", "require_part", "base32"})
"""Functions of the verifier in Python that refuse something, called as a statement."""
PASSES = 3


class Removal(msgspec.Struct, frozen=True):
    """A check that is left out: its line, and the whole source without it."""

    line: int
    text: str
    source: str


class Shown(msgspec.Struct, frozen=True):
    """What a removal does: the first forgery that then passes, or else a file with another status."""

    removal: Removal
    passes: str = ""
    otherwise: str = ""

    def __str__(self) -> str:
        said = self.passes or (f"another status: {self.otherwise}" if self.otherwise else "NOT SHOWN")
        return f"line {self.removal.line}: {self.removal.text}: {said}"


# ------------------------------------------------------------------------------------------------------- Python


def python_removals() -> Iterator[Removal]:
    """The verifier in Python without each of its checks: a refusal becomes nothing, a comparison holds."""
    source = PYTHON_VERIFIER.read_text(encoding="utf-8")
    lines = source.splitlines()
    for number in range(sum(1 for _ in _places(ast.parse(source)))):
        tree = ast.parse(source)
        parent, field, index, node = list(_places(tree))[number]
        is_statement = isinstance(node, ast.stmt)
        made = ast.copy_location(ast.Pass() if is_statement else ast.Constant(value=True), node)
        if index is None:
            setattr(parent, field, made)
        else:
            getattr(parent, field)[index] = made
        ast.fix_missing_locations(tree)
        yield Removal(node.lineno, lines[node.lineno - 1].strip(), ast.unparse(tree))


def _places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, Any]]:
    """Where something is refused: the parent, its field, the index in it, and the node."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                is_statement = isinstance(node, ast.Expr) and _called(node.value) in CALLS
                is_compared = not isinstance(parent, ast.Expr) and _called(node) == "same"
                if is_statement or is_compared or (isinstance(node, ast.Raise) and node.exc is not None):
                    yield parent, field, index, node


def _called(node: object) -> str:
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


class PythonRun:
    """The corpus, verified in this process by a changed verifier."""

    def __init__(self) -> None:
        self.derived: dict[Any, Any] = {}
        self.cases = [
            (case, case.file.read_bytes(), {name: (case.file.parent / name).read_bytes() for name in case.beside}, keys)
            for keys, cases in read_corpus().by_keys().items()
            for case in cases
        ]
        self.cases.sort(key=lambda each: len(each[1]))

    def shown(self, removal: Removal) -> Shown:
        """What becomes of the corpus without a check."""
        module, otherwise = self._module(removal.source), ""
        for case, data, beside, keys in self.cases:
            try:
                policy = module.policy_of_keys([module.read_key(key) for key in keys])
                status = module.verify(data, beside, policy).status
            except Exception as error:  # noqa: BLE001  whatever a broken verifier does is another answer
                status = type(error).__name__
            if status == PASSES and case.status_without_rules != PASSES:
                return Shown(removal, passes=case.path)
            if status != case.status_without_rules:
                otherwise = otherwise or f"{case.path} {status}"
        return Shown(removal, otherwise=otherwise)

    def _module(self, source: str) -> Any:
        module: Any = ModuleType("changed_verifier")
        sys.modules["changed_verifier"] = module  # its data classes look there
        exec(compile(source, "changed_verifier", "exec"), module.__dict__)
        derive: Any = module.derive

        def once(shoe: Any, seed: bytes) -> Any:
            key = (seed, shoe.header, shoe.id, *shoe.contributions, shoe.inputs, *shoe.shares.values(), *shoe.witnesses)
            if key not in self.derived:
                made = derive(shoe, seed)
                self.derived[key] = (made.commitment, made.cards, made.root)
            return module.DerivedShoe(*self.derived[key])

        module.derive = once
        return module


# ------------------------------------------------------------------------------------------------------- JavaScript

PLACES = {
    r"\.push\((?=\s*fault\()": ".concat(",  # which changes no list
    r"\bthrow new (?=Unreadable\(|Unchained\(|Loose\()": "void new ",
    r"(?<!function )\bexpect\(": "(() => {})(",
}
DRIVER = """
import fs from 'node:fs';
const { cases, modules } = JSON.parse(fs.readFileSync(0, 'utf8'));
const read = (name) => fs.readFileSync(name);
for (const one of cases) one.stored = one.beside.map((name) => ({ name, text: read(name).toString() }));
const answers = [];
for (const path of modules) {
  const { verify, readKey } = await import(path);
  const answer = { passes: '', otherwise: '' };
  for (const { file, stored, keys, status } of cases) {
    let found;
    try {
      const { status: given, message } = verify(read(file), { stored, keys: keys.map((key) => readKey(key)) });
      found = /could not finish/.test(message) ? message : given;
    } catch (error) { found = String(error); }
    if (found === 3 && status !== 3) { answer.passes = file; break; }
    if (found !== status) answer.otherwise ||= `${file} ${found}`;
  }
  answers.push(answer);
}
process.stdout.write(JSON.stringify(answers));
"""


def javascript_removals() -> Iterator[Removal]:
    """The verifier in JavaScript without each of its checks."""
    source = VERIFIER.read_text(encoding="utf-8")
    lines = source.splitlines()
    found = [(match, made) for place, made in PLACES.items() for match in re.finditer(place, source)]
    for start, end, made in sorted((match.start(), match.end(), made) for match, made in found):
        line = source.count("\n", 0, start) + 1
        yield Removal(line, lines[line - 1].strip(), source[:start] + made + source[end:])


def javascript_shown(removals: list[Removal]) -> list[Shown]:
    """What becomes of the corpus without each of these checks, all in one process."""
    cases: list[dict[str, Any]] = [
        {"file": str(case.file), "beside": [str(case.file.parent / name) for name in case.beside], "keys": keys,
         "status": case.status_without_rules, "size": case.file.stat().st_size}
        for keys, found in read_corpus().by_keys().items()
        for case in found
    ]  # fmt: skip
    cases.sort(key=lambda each: each["size"])
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{number}.mjs" for number in range(len(removals))]
        for path, removal in zip(paths, removals, strict=True):
            path.write_text(removal.source, encoding="utf-8")
        given = json.dumps({"cases": cases, "modules": [path.as_uri() for path in paths]})
        process = run_node("--input-type=module", "--eval", DRIVER, text=given)
    assert process.returncode == 0, process.stderr.decode()
    answers: list[dict[str, str]] = json.loads(process.stdout)
    return [
        Shown(removal, **{name: said.removeprefix(f"{FOLDER}/") for name, said in answer.items()})
        for removal, answer in zip(removals, answers, strict=True)
    ]


# ------------------------------------------------------------------------------------------------------- second nets

SECOND_NETS: dict[str, str] = {
    "NOTE_BYTES": "a checkpoint of more than a million bytes would be most of the corpus",
    "MOST_NOTE": "the same",
    "BODY_BYTES": "a line that is too long has a body that is too long: each of the two checks finds both",
    "MOST_BODY": "the same",
    "BUNDLE_BYTES": "a bundle of more than 256 MiB",
    "MOST_BUNDLE": "the same",
    "FILE_BYTES": "a file of more than 1 GiB",
    "MOST_JOURNAL": "the same",
    "a secret key": "it is no public key either; the message alone differs",
}
"""Checks that no file can show, by a part of their text: why."""


def not_shown(found: list[Shown]) -> list[Shown]:
    """The removals that no file shows, though one could."""
    return [
        each
        for each in found
        if not each.passes and not each.otherwise and not any(part in each.removal.text for part in SECOND_NETS)
    ]


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(*, every: Annotated[int, typer.Option(help="only every so many checks")] = 1) -> None:
    """Remove every check of both small verifiers in turn; ends with status 1 if no file of the corpus shows one."""
    run = PythonRun()
    python = [run.shown(each) for each in track(list(python_removals())[::every], "Python", transient=True)]
    javascript: list[Shown] = []
    removals = list(javascript_removals())[::every]
    for start in track(range(0, len(removals), 8), "JavaScript", transient=True):
        javascript += javascript_shown(removals[start : start + 8])
    missed = 0
    for name, found in (("Python", python), ("JavaScript", javascript)):
        left = not_shown(found)
        missed += len(left)
        for each in found:
            if not each.passes:
                print(f"{name}, {each}")
        passing = sum(bool(each.passes) for each in found)
        otherwise = sum(bool(each.otherwise) and not each.passes for each in found)
        print(f"{name}: {len(found)} checks; without {passing} a forgery passes, without {otherwise} a status changes")
        print(f"{name}: {len(left)} that no file shows")
    raise typer.Exit(bool(missed))


if __name__ == "__main__":
    app()
