"""The help of a verb, made of its docstring: paragraphs that fit any terminal, each example on its line."""

from __future__ import annotations

import re
from inspect import cleandoc

_WIDTH = 70
"""How wide a line of an example may be, so that it, its indent and a backslash fit 80 columns."""
_WORDS = re.compile(r"""(?:[^\s'"]|'[^']*'|"[^"]*")+""")
"""The words of a command line; what is quoted is one word."""
_EXAMPLES = re.compile(r"\s*\bExamples?:\s(.*)$", re.DOTALL)


def paragraphs(docstring: str) -> list[str]:
    """The paragraphs of a docstring without its examples, each on one line, which the terminal wraps."""
    prose = _EXAMPLES.sub("", cleandoc(docstring))
    return [" ".join(part.split()) for part in prose.split("\n\n") if part.strip()]


def examples(docstring: str) -> list[str]:
    """The command lines at the end of a docstring, separated by a middle dot."""
    found = _EXAMPLES.search(cleandoc(docstring))
    return [" ".join(part.split()) for part in re.split(r"\s·\s", found[1])] if found else []


def _shell_lines(example: str) -> str:
    """An example as it can be copied from a narrow terminal: broken between words, with a backslash at each break."""
    lines = [""]
    for word in _WORDS.findall(example):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return " \\\n      ".join(lines)


def help_text(docstring: str) -> str:
    """What `--help` shows of a docstring."""
    lines = examples(docstring)
    heading = ["Example:" if len(lines) == 1 else "Examples:"] if lines else []
    return "\n\n".join(
        [*paragraphs(docstring), "\n".join([*heading, *(f"  {_shell_lines(each)}" for each in lines)])]
    ).rstrip()
