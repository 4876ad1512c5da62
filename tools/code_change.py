"""Changes of code: one operator, constant or call of a function broken at a time, made in the running process."""

from __future__ import annotations

import ast
import copy
import gc
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}


class CodeChange(msgspec.Struct, frozen=True, kw_only=True):
    """One way to break one function: which file and line, which change of that file, and what it does."""

    file: str
    function: str
    line: int
    column: int
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.module}.{self.function}:{self.line}: {self.what}"

    @property
    def module(self) -> str:
        """The module's name below the package, as `table.step.cutting`."""
        parts = Path(self.file).with_suffix("").parts[2:]
        return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def code_changes(file: Path) -> list[CodeChange]:
    """Every change of one file, in source order."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [
        CodeChange(
            file=str(file.relative_to(ROOT)),
            function=function,
            line=node.lineno,
            column=node.col_offset,
            number=number,
            what=what,
        )
        for number, (function, node, what, _) in enumerate(_sites(tree))
    ]


def files_below(module: str) -> list[Path]:
    """The source files of a module or package, such as `table` or `table.step`; all of them for an empty name."""
    path = SOURCE.joinpath("baccarat", *module.split(".")) if module else SOURCE / "baccarat"
    return [path.with_suffix(".py")] if path.with_suffix(".py").is_file() else sorted(path.rglob("*.py"))


# ----------------------------------------------------------------------------------- what can be broken

Site = tuple[str, ast.expr | ast.stmt, str, ast.AST]
"""The function, the node, what is done to it, and what replaces it."""


def _sites(tree: ast.Module) -> Iterator[Site]:
    for function, node in _inside(tree, ""):
        for what, other in _variants(node):
            yield function, node, what, other


def _inside(node: ast.AST, name: str, *, runs: bool = False) -> Iterator[tuple[str, Any]]:
    """Every expression and statement that runs in a function, with its name; no annotations, defaults, class bodies."""
    skipped = ("annotation", "returns", "decorator_list", "args") if not isinstance(node, ast.Call) else ()
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if field in skipped or not isinstance(child, ast.AST) or isinstance(child, ast.Assert):
                continue  # an assertion states what always holds: breaking it breaks nothing
            if isinstance(child, ast.ClassDef):
                yield from _inside(child, f"{name}.{child.name}" if name else child.name)
            elif isinstance(child, ast.FunctionDef):
                yield from _inside(child, f"{name}.{child.name}" if name else child.name, runs=True)
            elif isinstance(child, ast.Lambda):
                yield from _inside(child, f"{name}.<lambda>" if name else "<lambda>", runs=True)
            else:
                if runs and isinstance(child, ast.expr | ast.stmt):
                    yield name, child
                yield from _inside(child, name, runs=runs)


def _variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:  # noqa: PLR0912  one branch a kind of node
    """What else a node might say; each is a plausible slip of a programmer."""
    match node:
        case ast.Compare():
            for index, op in enumerate(node.ops):
                other = copy.copy(node)
                other.ops = [*node.ops[:index], COMPARISONS[type(op)](), *node.ops[index + 1 :]]
                yield f"{ast.unparse(node)} → {ast.unparse(other)}", other
        case ast.BoolOp():
            other_bool = copy.copy(node)
            other_bool.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
            yield f"{ast.unparse(node)} → {ast.unparse(other_bool)}", other_bool
        case ast.BinOp() if type(node.op) in OPERATORS and not _is_text(node):
            other_op = copy.copy(node)
            other_op.op = OPERATORS[type(node.op)]()
            yield f"{ast.unparse(node)} → {ast.unparse(other_op)}", other_op
        case ast.UnaryOp(op=ast.Not()):
            yield f"{ast.unparse(node)} → {ast.unparse(node.operand)}", node.operand
        case ast.UnaryOp(op=ast.USub()):
            yield f"{ast.unparse(node)} → {ast.unparse(node.operand)}", node.operand
        case ast.Constant(value=bool(value)):
            yield f"{value} → {not value}", ast.Constant(value=not value)
        case ast.Constant(value=int(value)):
            yield f"{value} → {value + 1}", ast.Constant(value=value + 1)
        case ast.IfExp():
            yield f"{ast.unparse(node)} → its if", node.body
            yield f"{ast.unparse(node)} → its else", node.orelse
        case ast.Slice(lower=lower, upper=upper):
            if lower is not None:
                yield f"{ast.unparse(node)} without its beginning", ast.Slice(lower=None, upper=upper, step=node.step)
            if upper is not None:
                yield f"{ast.unparse(node)} without its end", ast.Slice(lower=lower, upper=None, step=node.step)
        case ast.Call():
            yield from _calls(node)
        case _:
            return


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Call(func=ast.Name(id="replace"), keywords=[_, *_]):
            for index, keyword in enumerate(node.keywords):
                without = copy.copy(node)
                without.keywords = [*node.keywords[:index], *node.keywords[index + 1 :]]
                yield f"replace without {keyword.arg}", without
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in CALLS:
            if name in ("sorted", "reversed"):
                replaced: ast.expr = ast.Call(func=ast.Name(id="list", ctx=ast.Load()), args=[first], keywords=[])
            else:
                replaced = ast.Call(
                    func=ast.Name(id=CALLS[name], ctx=ast.Load()), args=node.args, keywords=node.keywords
                )
            yield f"{ast.unparse(node)} → {ast.unparse(replaced)}", replaced
        case _:
            return


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.JoinedStr) or _says(side) for side in (node.left, node.right))


def _says(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


class _Replace(ast.NodeTransformer):
    def __init__(self, node: ast.AST, other: ast.AST) -> None:
        self.node, self.other = node, other

    def visit(self, node: ast.AST) -> Any:
        """Replace the node with the other."""
        if node is self.node:
            return ast.copy_location(self.other, node)
        return self.generic_visit(node)


def changed_tree(change: CodeChange) -> ast.Module:
    """The file with the change made."""
    tree = ast.parse((ROOT / change.file).read_text(encoding="utf-8"))
    _, node, what, other = list(_sites(tree))[change.number]
    assert what == change.what, f"{change}: the file has changed since"
    broken = _Replace(node, other).visit(tree)
    assert isinstance(broken, ast.Module)
    return ast.fix_missing_locations(broken)


# ------------------------------------------------------------------------------ in the running process


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Every function of the package in this process, by its source file."""
    found: dict[str, list[FunctionType]] = {}
    gc.unfreeze()  # collecting the tests froze the objects
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(str(SOURCE)):
            found.setdefault(each.__code__.co_filename, []).append(each)
    return found


def make_code_change(change: CodeChange, functions: dict[str, list[FunctionType]]) -> None:
    """Give every function of the changed file its changed code, wherever a reference to it is held."""
    path = str(ROOT / change.file)
    new = {_key(code): code for code in _codes(compile(changed_tree(change), path, "exec", dont_inherit=True))}
    for function in functions.get(path, ()):
        function.__code__ = new.get(_key(function.__code__), function.__code__)


def _key(code: CodeType) -> tuple[str, int, tuple[str, ...]]:
    return code.co_qualname, code.co_firstlineno, code.co_freevars


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
