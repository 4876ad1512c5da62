"""Class names: each names one class in the source, so that a name in a message, a trace or a search means one thing.

A `NewType` counts as a class, and no type alias or other name for a class has the name of one either. Part of `make
check`. A name on the list of exceptions may occur more than once, for the reason given there.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "src" / "baccarat"
EXCEPTIONS: dict[str, str] = {}
"""Names of several classes, each with the reason."""


def homes(source: Path = SOURCE) -> dict[str, list[str]]:
    """Where each class name is defined, as a class or as a type alias: file and line."""
    found: dict[str, list[str]] = defaultdict(list)
    aliases: dict[str, list[str]] = defaultdict(list)
    for path in sorted(source.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(f"{path.relative_to(source)}:{node.lineno}")
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if is_new_type(value):
                        found[name].append(f"{path.relative_to(source)}:{node.lineno}")
                    elif is_alias(name, value):
                        aliases[name].append(f"{path.relative_to(source)}:{node.lineno}")
    return {name: [*places, *aliases[name]] for name, places in found.items()}


def is_new_type(value: ast.expr) -> bool:
    """Whether a value is a new type, `NewType(...)`, which counts as a class."""
    match value:
        case ast.Call(func=ast.Name(id="NewType") | ast.Attribute(attr="NewType")):
            return True
    return False


def is_alias(name: str, value: ast.expr) -> bool:
    """Whether an assignment names a type, such as `A | B` or `Annotated[...]`, or gives a class another name."""
    match value:
        case ast.Subscript() | ast.BinOp():
            return True
        case ast.Name(id=other) | ast.Attribute(attr=other):
            return is_camel_case(name) and is_camel_case(other)
    return False


def is_camel_case(name: str) -> bool:
    """Whether a name is written like that of a class."""
    return name[:1].isupper() and not name.isupper()


def faults(found: dict[str, list[str]]) -> list[str]:
    """One sentence for each name that means several classes, and for each exception that is no longer needed."""
    repeated = {name: places for name, places in found.items() if len(places) > 1}
    return [
        *(f"{name} names {len(places)} classes or types: {', '.join(places)}" for name, places in repeated.items()
          if name not in EXCEPTIONS),
        *(f"{name} is listed as an exception, but names at most one class" for name in EXCEPTIONS
          if name not in repeated),
    ]  # fmt: skip


def main() -> int:
    """Print every fault; status 1 if there is one."""
    found = faults(homes())
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
