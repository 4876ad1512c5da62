"""Changes of code: one operator, constant, call or statement of a function broken at a time, in the running process."""

from __future__ import annotations

import ast
import copy
import gc
from collections.abc import Iterator
from itertools import pairwise
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
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""Comparisons whose sides can be mixed up."""
ONE_WAY = (ast.Sub, ast.FloorDiv, ast.Div, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.BitOr)
"""Operators whose sides are not alike; `|` joins tables, of which the second wins."""
CURSORS = frozenset({"after", "cursor", "limit", "next_seq", "offset", "seq", "since", "until"})
"""Names of a place in a list, which is easily missed by one."""
FORGOTTEN = frozenset({"absolute", "casefold", "copy", "lower", "lstrip", "resolve", "rstrip", "strip", "upper"})
"""Methods without arguments that give back something of the same kind, and are easily left out."""
OPTIONAL = {"sorted": ("key", "reverse"), "min": ("key",), "max": ("key",), "sort": ("key", "reverse")}
"""Arguments without which a call still runs."""
NOT_SWAPPED = frozenset({"cast", "delattr", "getattr", "hasattr", "isinstance", "issubclass", "max", "min", "setattr"})
"""Functions whose arguments nobody mixes up, or whose order says nothing."""


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
    return changes_of_text(file.read_text(encoding="utf-8"), str(file.relative_to(ROOT)))


def changes_of_text(text: str, name: str) -> list[CodeChange]:
    """Every change of a file of this name that holds this text."""
    tree = ast.parse(text)
    return [
        CodeChange(
            file=name,
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
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _inside(child, f"{name}.{child.name}" if name else child.name, runs=True)
            elif isinstance(child, ast.Lambda):
                yield from _inside(child, f"{name}.<lambda>" if name else "<lambda>", runs=True)
            else:
                is_called = field == "func" and not isinstance(child, ast.Call)
                if runs and isinstance(child, ast.expr | ast.stmt) and not is_called:
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
            yield from _swapped_sides(node)
        case ast.BoolOp():
            other_bool = copy.copy(node)
            other_bool.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
            yield f"{ast.unparse(node)} → {ast.unparse(other_bool)}", other_bool
        case ast.BinOp() if not _is_text(node):
            if type(node.op) in OPERATORS:
                other_op = copy.copy(node)
                other_op.op = OPERATORS[type(node.op)]()
                yield f"{ast.unparse(node)} → {ast.unparse(other_op)}", other_op
            yield from _swapped_sides(node)
        case ast.AugAssign() if type(node.op) in OPERATORS:
            other_assign = copy.copy(node)
            other_assign.op = OPERATORS[type(node.op)]()
            yield f"{ast.unparse(node)} → {ast.unparse(other_assign)}", other_assign
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
                open_below = ast.Slice(lower=_but(ast.Constant(value=None), lower), upper=upper, step=node.step)
                yield f"{ast.unparse(node)} without its beginning", open_below
            if upper is not None:
                open_above = ast.Slice(lower=lower, upper=_but(ast.Constant(value=None), upper), step=node.step)
                yield f"{ast.unparse(node)} without its end", open_above
        case ast.Call():
            yield from _calls(node)
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()) if name in CURSORS:
            for step in (ast.Add(), ast.Sub()):
                shifted = ast.BinOp(left=node, op=step, right=ast.Constant(value=1))
                yield f"{ast.unparse(node)} → {ast.unparse(shifted)}", shifted
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield f"{ast.unparse(node)} left out", ast.If(test=ast.Constant(value=False), body=[node], orelse=[])
        case ast.Break() | ast.Continue():
            yield f"{ast.unparse(node)} left out", ast.Pass()
        case _:
            return


def _swapped_sides(node: ast.Compare | ast.BinOp) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, ORDERED):
            other: ast.AST = ast.Compare(left=right, ops=[op], comparators=[left])
        case ast.BinOp(left=left, op=operator, right=right) if isinstance(operator, ONE_WAY):
            other = ast.BinOp(left=right, op=operator, right=left)
        case _:
            return
    if ast.unparse(left) != ast.unparse(right):
        yield f"{ast.unparse(node)} → {ast.unparse(other)}", other


def _but(other: ast.expr, node: ast.expr) -> ast.expr:
    """Another expression in place of one whose names stay: a closure keeps its variables, or code would not fit it."""
    return ast.IfExp(test=ast.Constant(value=True), body=other, orelse=node)


def _calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    yield from _named_calls(node)
    yield from _method_calls(node)
    yield from _arguments(node)


def _method_calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    """A method left out, or something looked at where it should have been taken away."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=[], keywords=[]) if name in FORGOTTEN:
            yield f"{ast.unparse(node)} without {name}", value
        case ast.Call(func=ast.Attribute(value=value, attr="pop" | "popleft" as name), args=args, keywords=[]):
            if len(args) == 2:
                look: ast.expr = ast.Call(
                    func=ast.Attribute(value=value, attr="get", ctx=ast.Load()), args=args, keywords=[]
                )
            else:
                place = args[0] if args else ast.Constant(value=-1 if name == "pop" else 0)
                look = ast.Subscript(value=value, slice=place, ctx=ast.Load())
            yield f"{ast.unparse(node)} → {ast.unparse(look)}", look
        case _:
            return


def _arguments(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    """Two neighbours mixed up, or one left out that the call can do without."""
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None and keyword.arg in OPTIONAL.get(name, ()):
            without = copy.copy(node)
            without.keywords = [*node.keywords[:index], *node.keywords[index + 1 :]]
            yield f"{ast.unparse(node)} without {keyword.arg}", without
    if name in NOT_SWAPPED:
        return
    for index, (one, two) in enumerate(pairwise(node.args)):
        if type(one) is type(two) and not isinstance(one, ast.Starred) and ast.unparse(one) != ast.unparse(two):
            swapped = copy.copy(node)
            swapped.args = [*node.args[:index], two, one, *node.args[index + 2 :]]
            yield f"{ast.unparse(node)} → {ast.unparse(swapped)}", swapped
    for index, (first, second) in enumerate(pairwise(node.keywords)):
        if first.arg and second.arg and _is_name(first.value) and _is_name(second.value):
            swapped = copy.copy(node)
            mixed = [ast.keyword(arg=first.arg, value=second.value), ast.keyword(arg=second.arg, value=first.value)]
            swapped.keywords = [*node.keywords[:index], *mixed, *node.keywords[index + 2 :]]
            yield f"{ast.unparse(node)} with {first.arg} and {second.arg} swapped", swapped


def _is_name(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute)


def _named_calls(node: ast.Call) -> Iterator[tuple[str, ast.AST]]:
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
        if node is not self.node:
            return self.generic_visit(node)
        if isinstance(node, ast.expr) and isinstance(self.other, ast.expr):
            return ast.copy_location(_but(self.other, node), node)
        return ast.copy_location(self.other, node)


def changed_tree(change: CodeChange) -> ast.Module:
    """The file with the change made."""
    return broken_text((ROOT / change.file).read_text(encoding="utf-8"), change)


def broken_text(text: str, change: CodeChange) -> ast.Module:
    """This text of the file with the change made."""
    tree = ast.parse(text)
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
