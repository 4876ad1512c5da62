"""The checks of the small verifier in Python: where each stands in its source, and the verifier without it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import msgspec

from check_removal import NOTHING, USAGE, Removal, Shown, cases, shown
from conformance import FOLDER, Verdict, read_corpus
from two_verifiers import PYTHON_VERIFIER

CALLS = frozenset({"wrong", "same", "expect", "require_form", "ascii_keys", "require_part", "base32"})
"""Functions that refuse something, called as a statement."""
SENTENCES: dict[str, object] = {
    "form_fault": "", "content_fault": "", "act_fault": "", "contradiction": "", "compare_notes": ("", ""),
}  # fmt: skip
"""Functions that give a sentence about what is wrong, and what they give if nothing is."""
GAPS = frozenset({"gaps", "missing_streams", "order_gaps", "unnamed_gaps", "check_run", "unknown_editions"})
"""Functions that give sentences about what is not covered."""


class Place(msgspec.Struct, frozen=True):
    """A check in the source: the node that refuses, with its parent, its field there, and its index in that field."""

    parent: Any
    field: str
    index: int | None
    node: Any
    function: str

    def put(self, made: ast.AST) -> None:
        """Put something else in its place."""
        if self.index is None:
            setattr(self.parent, self.field, made)
        else:
            getattr(self.parent, self.field)[self.index] = made

    def without(self) -> ast.AST:
        """What stands there if nothing is refused."""
        if _is_yield(self.node):
            return _statement("yield from ()")
        if isinstance(self.node, ast.Return):
            is_all = isinstance(self.node.value, ast.IfExp | ast.Tuple) or isinstance(self.parent, ast.FunctionDef)
            return _statement(f"return {SENTENCES[self.function]!r}") if is_all else ast.Pass()
        return ast.Pass() if isinstance(self.node, ast.stmt) else ast.Constant(value=True)

    def noted(self, number: int) -> ast.AST:
        """The same check, which notes its number when it finds something."""
        if isinstance(self.node, ast.Raise):
            return ast.If(ast.Constant(value=True), [_statement(f"_note({number})"), self.node], [])
        if isinstance(self.node, ast.Return):
            return _statement(f"return _note_value({number}, {ast.unparse(self.node.value or NOTHING_SAID)})")
        if _is_yield(self.node):
            return _statement(f"yield _note_value({number}, {ast.unparse(self.node.value.value)})")
        call = self.node.value if isinstance(self.node, ast.Expr) else self.node
        is_finding = _called(call) in ("wrong", "append")
        made: Any = _statement(f"_note_call({number}, {is_finding}, lambda: {ast.unparse(call)})")
        return made if isinstance(self.node, ast.Expr) else made.value  # type: ignore[no-any-return]


NOTHING_SAID = ast.Constant(value=None)
NOTES = """
def _note(number):
    FOUND.add(number)

def _note_value(number, value):
    if any(value) if isinstance(value, tuple) else value:
        FOUND.add(number)
    return value

def _note_call(number, is_finding, call):
    try:
        answer = call()
    except BaseException:
        FOUND.add(number)
        raise
    if is_finding or answer is False:
        FOUND.add(number)
    return answer
"""


def _statement(source: str) -> ast.stmt:
    function: Any = ast.parse(f"def function():\n    {source}").body[0]
    made: ast.stmt = function.body[0]
    return made


def _is_yield(node: object) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)


def _called(node: object) -> str:
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def places(tree: ast.Module) -> Iterator[Place]:
    """Every check, but for what is said of the command line."""
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for parent in _own_nodes(function) if function.name not in USAGE else ():
            for field, value in ast.iter_fields(parent):
                for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                    if _is_check(parent, node, function.name):
                        yield Place(parent, field, index, node, function.name)


def _own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, without those of the functions within it."""
    todo: list[ast.AST] = [function]
    while todo:
        node = todo.pop(0)
        yield node
        todo += [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.FunctionDef)]


def _is_check(parent: ast.AST, node: Any, function: str) -> bool:
    if isinstance(node, ast.Return):
        value: Any = node.value
        if _called(value) == "Signers":
            return any(each.arg == "wrong" for each in value.keywords)
        return function in SENTENCES and not (isinstance(value, ast.Constant) and not value.value)
    if _is_yield(node):
        return function in GAPS
    if isinstance(node, ast.Expr) and _called(node.value) == "append":
        return ast.unparse(node.value).partition("(")[0].endswith("gaps.append")
    is_refusal = isinstance(node, ast.Expr) and _called(node.value) in CALLS
    is_compared = not isinstance(parent, ast.Expr) and _called(node) == "same"
    return is_refusal or is_compared or (isinstance(node, ast.Raise) and node.exc is not None)


def removals() -> Iterator[Removal]:
    """The checks of the verifier, each to be left out by its number: a refusal becomes nothing, a comparison holds."""
    source = PYTHON_VERIFIER.read_text(encoding="utf-8")
    lines = source.splitlines()
    for number, place in enumerate(places(ast.parse(source))):
        yield Removal(number, place.node.lineno, lines[place.node.lineno - 1].strip())


def noting_tree() -> ast.Module:
    """The verifier as it is, each of whose checks notes its number when it finds something."""
    tree = ast.parse(PYTHON_VERIFIER.read_text(encoding="utf-8"))
    for number, place in reversed(list(enumerate(places(tree)))):  # an inner one before the one around it
        place.put(ast.copy_location(place.noted(number), place.node))
    at = next(index for index, node in enumerate(tree.body) if isinstance(node, ast.ClassDef))
    tree.body[at:at] = ast.parse(NOTES).body
    return ast.fix_missing_locations(tree)


class PythonRun:
    """The corpus, verified in this process by a changed verifier."""

    def __init__(self) -> None:
        self._derived: dict[Any, Any] = {}
        corpus = read_corpus()
        self.cases = [(case, corpus.texts_of(case)) for case in cases()]
        self._tree = ast.parse(PYTHON_VERIFIER.read_text(encoding="utf-8"))
        self._places = list(places(self._tree))
        self._noted = self._as_it_is()

    def _as_it_is(self) -> list[tuple[int | str, str, set[int]]]:
        """The answer in each case with every check, and the checks that find something in it."""
        found: set[int] = set()
        module = self._module(noting_tree(), FOUND=found)
        noted = []
        for case, keys in self.cases:
            found.clear()
            noted.append((*self._answer(module, case, keys), set(found)))
        return noted

    def shown(self, removal: Removal) -> Shown:
        """What becomes of the cases in which a check finds something, without it."""
        place = self._places[removal.number]
        place.put(ast.copy_location(place.without(), place.node))
        module = self._module(ast.fix_missing_locations(self._tree))
        place.put(place.node)
        noted = zip(self.cases, self._noted, strict=True)
        concerned = [case for case, (_, _, found) in noted if removal.number in found]
        return shown(removal, [(case, *self._answer(module, case, keys)) for case, keys in concerned])

    def unchanged(self) -> Shown:
        """What becomes of all cases with every check."""
        noted = zip(self.cases, self._noted, strict=True)
        return shown(NOTHING, [(case, status, gaps) for (case, _), (status, gaps, _) in noted])

    def _answer(self, module: Any, case: Verdict, keys: Sequence[str]) -> tuple[int | str, str]:
        """The status of a case and what is not covered; the name of an exception if it ends in one."""
        try:
            return _verified(module, case, keys)
        except Exception as error:  # noqa: BLE001  whatever a broken verifier does is another answer
            return type(error).__name__, ""

    def _module(self, source: ast.Module, **names: object) -> Any:
        module: Any = ModuleType("changed_verifier")
        module.__dict__.update(names)
        sys.modules["changed_verifier"] = module  # its data classes look there
        exec(compile(source, "changed_verifier", "exec"), module.__dict__)
        derive: Any = module.derive

        def once(shoe: Any, seed: bytes) -> Any:
            key = (seed, shoe.header, shoe.id, *shoe.contributions, shoe.inputs, *shoe.shares.values(), *shoe.witnesses)
            if key not in self._derived:
                made = derive(shoe, seed)
                self._derived[key] = (made.commitment, made.cards, made.root)
            return module.DerivedShoe(*self._derived[key])

        module.derive = once
        return module


def _verified(module: Any, case: Verdict, keys: Sequence[str]) -> tuple[int, str]:
    try:
        policy = module.policy_of_arguments(() if case.policy else keys, _path(case.policy))
        memory = module.Memory.read(FOLDER / case.memory) if case.memory else module.Memory(is_stored=False)
    except (ValueError, module.UnreadableError, module.WrongError):
        return 2, ""
    held = [module.receipt_of_file(str(FOLDER / path), policy.keys) for path in case.receipts]
    proofs = [each for each in held if isinstance(each, module.Receipt)]
    reports = [module.verify_file(case.file, policy, proofs, memory)]
    reports += [each for each in held if isinstance(each, module.Report)]
    module.with_unused_keys(reports)
    status = next(status for status in (1, 2, 3) if any(each.status == status for each in reports))
    gaps = [gap for each in reports for coverage in each.coverage for gap in coverage.gaps]
    gaps += [check.skipped for each in reports for check in each.checks if check.name == "receipts"]
    return status, "\n".join(gaps)


def _path(name: str) -> str | None:
    return str(FOLDER / name) if name else None
