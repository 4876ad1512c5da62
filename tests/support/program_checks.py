"""The checks of the program: where `verify` and `audit` refuse something, and both without one of these refusals.

A check is a statement that says what is wrong, not readable or not covered; it is left out, or one limb of the
condition on which it is made ("this or that"). The code of the running process is replaced by code without it, so that
a removal takes only as long as the cases in which the statement is reached.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from check_removal import Removal
from paths import ROOT
from program_modules import MODULES, NO_CHECKS

SOURCE = ROOT / "src" / "baccarat"
FINDINGS = frozenset(
    {"failed_check", "gap_check", "finding_at", "difference_at", "JournalFinding", "RecordDifference", "_lost_finding"}
    | {"owed_finding", "ShoeFault", "MemoryAnswer", "OtherHistory", "BrokenInvariant", "signed_nothing", "_wrong"}
    | {"fault", "ReceiptVerdict"}
)
"""Functions and classes that make what is said to be wrong or not covered."""
SENTENCES = frozenset({"act_fault", "contradiction", "_not_its_name", "gap", "refused_for_id"})
"""Functions that give a sentence about what is wrong, and nothing if it is right."""
PREDICATES = frozenset({"_fits", "opens_seed", "verifies", "_verifies", "has_decided", "_is_of_log", "_is_of"})
"""Functions that say whether something is right."""
LISTS = frozenset({"Iterator[str]", "Iterator[tuple[str, str]]", "Iterator[tuple[int, str]]"})
"""What functions give that yield sentences."""
NOTE = "_note_program_check"
"""The built-in function that notes which check says something, while it is looked for."""


class ProgramCheck(msgspec.Struct, frozen=True):
    """A statement that refuses something, and the limb of its condition that is left out, if not all of it."""

    file: Path
    function: str
    number: int
    """Which of the statements of the file it is; all limbs of its condition have the same."""
    line: int
    text: str
    limb: str = ""

    @property
    def removal(self) -> Removal:
        """The same as a removal of `check_removal.py`."""
        module = ".".join(self.file.relative_to(SOURCE).with_suffix("").parts)
        limb = f" without {self.limb}" if self.limb else ""
        return Removal(self.number, self.line, f"{module}.{self.function}{limb}: {self.text}")


class Statement(msgspec.Struct, frozen=True):
    """A refusing statement in its tree: its parent, its field there, its index, and the expression that refuses."""

    parent: Any
    field: str
    index: int
    node: Any
    says: Any
    function: str

    def limbs(self) -> list[tuple[Any, str, int, bool]]:
        """The limbs of the condition on which it stands: where each is, and what it is if it finds nothing."""
        if (
            isinstance(self.node, ast.Return)
            and self.function.rpartition(".")[2] in PREDICATES
            and isinstance(self.says, ast.BoolOp)
        ):
            return list(_limbs(self.node, "value", 0, is_positive=False))
        if not isinstance(self.parent, ast.If) or self.field != "body":
            return []
        return list(_limbs(self.parent, "test", 0, is_positive=True))


# ------------------------------------------------------------------------------------------------ in the source


def checks() -> list[ProgramCheck]:
    """Every check of the modules that verify."""
    return [each for module in MODULES for each in checks_of(SOURCE / module)]


def checks_of(file: Path) -> Iterator[ProgramCheck]:
    """The checks of one file, in source order."""
    for number, found in enumerate(statements(ast.parse(file.read_text(encoding="utf-8")))):
        text = " ".join(ast.unparse(found.node).split())
        for parent, field, index, _ in found.limbs() or [(None, "", 0, False)]:
            limb = "" if parent is None else ast.unparse(_get(parent, field, index))
            yield ProgramCheck(file, found.function, number, found.node.lineno, text, limb)


def statements(tree: ast.Module) -> list[Statement]:
    """Every statement that refuses something."""
    return list(_within(tree, "", ""))


def _within(node: ast.AST, function: str, gives: str) -> Iterator[Statement]:
    """The statements below a node; a method has the name of its class before its own."""
    for field, value in ast.iter_fields(node):
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.FunctionDef):
                name = f"{node.name}.{child.name}" if isinstance(node, ast.ClassDef) else child.name
                yield from _within(child, name, "" if child.returns is None else ast.unparse(child.returns))
            elif isinstance(child, ast.ClassDef | ast.ExceptHandler | ast.match_case):
                yield from _within(child, function, gives)
            elif isinstance(child, ast.stmt) and not {function, function.rpartition(".")[2]} & NO_CHECKS:
                says = _what_it_says(child, function, gives) if isinstance(value, list) else None
                if says is not None:
                    yield Statement(node, field, index, child, says, function)
                yield from _within(child, function, gives)


def _what_it_says(node: ast.stmt, function: str, gives: str) -> Any:
    """The expression by which a statement says what is wrong, if it does."""
    match node:
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
            return None
        case ast.Raise(exc=said):
            return said
        case ast.Return(value=value) if (
            function.rpartition(".")[2] in SENTENCES and gives == "str" and not _is_empty(value)
        ):
            return value
        case ast.Return(value=value) if function.rpartition(".")[2] in PREDICATES and not _is_constant(
            value, held=True
        ):
            return value
        case ast.Return(value=ast.Call(func=ast.Name(id="Signers"), keywords=keywords) as value):
            return value if {each.arg for each in keywords} & {"wrong", "unchecked"} else None
        case ast.Expr(value=ast.Yield(value=value)) if gives in LISTS and value is not None:
            return value
        case ast.Return() | ast.Expr() | ast.Assign() | ast.AugAssign():
            return next((each for each in ast.walk(node) if _is_finding(each)), None)
        case _:
            return None


def _is_finding(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name == "_set":  # a verdict on a receipt
        return not any(isinstance(each, ast.Name) and each.id == "GOOD" for each in node.args)
    return name in FINDINGS and bool(node.args or node.keywords)


def _is_empty(node: ast.expr | None) -> bool:
    return node is None or _is_constant(node, held="")


def _is_constant(node: object, *, held: object) -> bool:
    return isinstance(node, ast.Constant) and node.value == held and type(node.value) is type(held)


def _limbs(parent: Any, field: str, index: int, *, is_positive: bool) -> Iterator[tuple[Any, str, int, bool]]:
    """Parts of a condition each of which alone makes it hold, if it is `is_positive`, or fail."""
    node = _get(parent, field, index)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _limbs(node, "operand", 0, is_positive=not is_positive)
    elif isinstance(node, ast.BoolOp):
        is_each = isinstance(node.op, ast.Or) is is_positive
        for at in range(len(node.values)):
            inner = list(_limbs(node, "values", at, is_positive=is_positive))
            yield from inner or ([(node, "values", at, not is_positive)] if is_each else [])


def _get(parent: Any, field: str, index: int) -> Any:
    value = getattr(parent, field)
    return value[index] if isinstance(value, list) else value


def _put(parent: Any, field: str, index: int, made: ast.AST) -> None:
    if isinstance(getattr(parent, field), list):
        getattr(parent, field)[index] = made
    else:
        setattr(parent, field, made)


# ------------------------------------------------------------------------------------------------ left out


def without(check: ProgramCheck) -> ast.Module:
    """The file without a check; names stay as they are, so that the code fits the functions that hold it."""
    tree = ast.parse(check.file.read_text(encoding="utf-8"))
    found = statements(tree)[check.number]
    if check.limb:
        parent, field, index, nothing = next(
            each for each in found.limbs() if ast.unparse(_get(*each[:3])) == check.limb
        )
        node = _get(parent, field, index)
        chosen: ast.AST = ast.IfExp(ast.Constant(value=True), ast.Constant(value=nothing), node)
        _put(parent, field, index, ast.copy_location(chosen, node))
    else:
        left: Any = ast.If(ast.Constant(value=True), [_instead(found)], [found.node])
        _put(found.parent, found.field, found.index, ast.copy_location(left, found.node))
    return ast.fix_missing_locations(tree)


def _instead(found: Statement) -> ast.stmt:
    """What a statement is if nothing is wrong."""
    node = found.node
    if isinstance(node, ast.Raise | ast.Expr):
        return ast.Pass()
    if found.function.rpartition(".")[2] in PREDICATES:
        return ast.Pass() if _is_constant(node.value, held=False) else ast.Return(ast.Constant(value=True))
    made = _Unsaid(found.says).visit(copy.deepcopy(node))
    if ast.dump(made) != ast.dump(node):
        return made  # type: ignore[no-any-return]
    if (
        isinstance(node, ast.Return)
        and isinstance(found.parent, ast.FunctionDef)
        and found.function.rpartition(".")[2] in SENTENCES
    ):
        return ast.Return(ast.Constant(value=""))
    return ast.Pass() if not isinstance(node, ast.Assign) else ast.Assign(node.targets, ast.Constant(value=None))


class _Unsaid(ast.NodeTransformer):
    """Replaces what says something by the other branch of its condition, or by an empty list of it."""

    def __init__(self, says: ast.AST) -> None:
        self.says = ast.dump(says)

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        """One branch says something, the other does not."""
        self.generic_visit(node)
        has_body, has_other = self._has(node.body), self._has(node.orelse)
        return (node.orelse if has_body else node.body) if has_body is not has_other else node

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        """A list of sentences is empty."""
        return ast.List(elts=[], ctx=ast.Load()) if self._has(node) else node

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        """The same by stream."""
        return ast.Dict(keys=[], values=[]) if self._has(node) else node

    def _has(self, node: ast.AST) -> bool:
        return any(ast.dump(each) == self.says for each in ast.walk(node))


def noting(file: Path) -> ast.Module:
    """The file as it is, each of whose checks notes its number when it says something."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    said = {id(found.says): number for number, found in enumerate(statements(tree))}
    noted = _Noting(str(file), said).visit(tree)
    assert isinstance(noted, ast.Module)
    return ast.fix_missing_locations(noted)


class _Noting(ast.NodeTransformer):
    """Notes the number of what is said, where it is said."""

    def __init__(self, file: str, said: dict[int, int]) -> None:
        self.file, self.said = file, said

    def visit(self, node: ast.AST) -> Any:
        """The value itself, after its number."""
        number = self.said.get(id(node))
        self.generic_visit(node)
        if number is None:
            return node
        call: Any = ast.parse(f"{NOTE}({self.file!r}, {number})", mode="eval").body
        noted: Any = node
        chosen = ast.BoolOp(ast.Or(), [call, noted])
        return ast.copy_location(chosen, node)
