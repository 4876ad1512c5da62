"""Wrap prose at 120 columns, in the documentation and in comments of page scripts: `make fix` does it, a test compares.

Tables, code, headings, HTML and pages that `make docs` writes are left as they are, and so are paragraphs in which
no line is too long. Code in backticks is not broken. In a script, a long comment behind code goes above it; code itself
is laid out by a formatter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 120
PAGES = ("*.md", "docs/**/*.md", "verifier/**/*.md")
SCRIPTS = "src/baccarat/serve/page/js/**/*.js"

ITEM = re.compile(r"\s*([-*]|\d+[.)])\s+")
BOUND = re.compile(r"[-+*>|=–]|#+|\d+[.)]|>>>|<.*")
"""A word that would mean something else at the beginning of a line: it stays behind the one before it."""
NOT_PROSE = ("|", "#", "<", "[^", "```", "~~~", ">>>")
COMMENT = re.compile(r"(\s*)(//|/\*\*(?=.*\*/$)|\*(?!.*\*/)) (?!---)(.*)")
BEHIND_CODE = re.compile(r"(\s*)([^\s/].*\S) (// .*)")


def wrapped(text: str) -> str:
    """A page with its long paragraphs wrapped; a generated page as it is."""
    if text.startswith("<!-- written by"):
        return text
    return "\n".join(_lines(text.split("\n")))


def pages() -> Iterator[Path]:
    """Every page of the documentation."""
    for pattern in PAGES:
        yield from sorted(ROOT.glob(pattern))


def scripts() -> Iterator[Path]:
    """Every script of the pages that a formatter lays out."""
    yield from sorted(ROOT.glob(SCRIPTS))


def wrapped_script(text: str) -> str:
    """A script with its long comments wrapped; code is as it was."""
    found: list[str] = []
    lines = text.split("\n")
    while lines:
        count = _lines_of_comment(lines)
        taken, lines = lines[:count], lines[count:]
        found += _comment(taken) if any(len(line) > WIDTH for line in taken) else taken
    return "\n".join(found)


def _lines_of_comment(lines: list[str]) -> int:
    """How many lines the paragraph of a comment takes with which these begin; one if they begin with something else."""
    begin = COMMENT.fullmatch(lines[0])
    if begin is None or lines[0].endswith("*/"):
        return 1
    indent, sign, _ = begin.groups()
    count = 1
    while count < len(lines) and (more := COMMENT.fullmatch(lines[count])):
        is_same = more[1] == indent and more[2] == sign and not more[3].startswith("@")
        if sign == "/**" or not is_same:
            break
        count += 1
    return count


def _comment(lines: list[str]) -> Iterator[str]:
    behind = BEHIND_CODE.fullmatch(lines[0])
    if behind and len(lines) == 1 and COMMENT.fullmatch(lines[0]) is None:
        yield from _comment([behind[1] + behind[3]]) if len(behind[1] + behind[3]) > WIDTH else [behind[1] + behind[3]]
        yield behind[1] + behind[2]
        return
    begin = COMMENT.fullmatch(lines[0])
    if begin is None:
        yield from lines
        return
    indent, sign, _ = begin.groups()
    text = " ".join(line.strip().removeprefix(sign).strip() for line in lines)
    is_whole = sign == "/**"
    if is_whole:
        yield f"{indent}/**"
        text = text.removesuffix("*/").strip()
    start = f"{indent} * " if is_whole else f"{indent}{sign} "
    now = ""
    for word in _words(text):
        if now and len(start) + len(now) + 1 + len(word) > WIDTH:
            yield start + now
            now = ""
        now = f"{now} {word}".strip()
    yield start + now
    if is_whole:
        yield f"{indent} */"


def _lines(lines: list[str]) -> Iterator[str]:
    at, fence, is_written, in_list = 0, "", False, False
    while at < len(lines):
        line = lines[at]
        text = line.strip()
        is_written = (is_written or "written by `make docs`" in line) and not line.startswith("<!-- end of")
        if fence or text.startswith(("```", "~~~")):
            is_end = bool(fence) and text.startswith(fence)
            fence = "" if is_end else fence or text[:3]
        elif text and not is_written and not text.startswith(NOT_PROSE):
            is_item = ITEM.match(line)
            in_list = bool(is_item) or (in_list and line.startswith(" "))
            if in_list or not line.startswith("    "):
                end = _end_of_paragraph(lines, at)
                yield from _paragraph(lines[at:end], is_item[0] if is_item else line[: len(line) - len(line.lstrip())])
                at = end
                continue
        yield line
        at += 1


def _end_of_paragraph(lines: list[str], at: int) -> int:
    end = at + 1
    while end < len(lines) and (text := lines[end].strip()):
        if text.startswith(NOT_PROSE) or ITEM.match(lines[end]):
            break
        end += 1
    return end


def _paragraph(lines: list[str], first: str) -> Iterator[str]:
    if all(len(line) <= WIDTH for line in lines) or any(line.endswith("  ") for line in lines):
        yield from lines
        return
    now, is_empty = first, True
    for word in _words(" ".join([lines[0][len(first) :], *(line.strip() for line in lines[1:])])):
        if not is_empty and len(now) + 1 + len(word) > WIDTH:
            yield now
            now, is_empty = " " * len(first), True
        now, is_empty = f"{now}{word}" if is_empty else f"{now} {word}", False
    yield now


def _words(text: str) -> list[str]:
    """The words of a paragraph; code in backticks is one word, and so is one with those that may not begin a line."""
    found: list[str] = []
    for word in re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text).split():
        if found and BOUND.fullmatch(word):
            found[-1] += f"\0{word}"
        else:
            found.append(word)
    return [word.replace("\0", " ") for word in found]


def main() -> None:
    """Wrap every page and every script, and name those that changed."""
    for wrap, paths in ((wrapped, pages()), (wrapped_script, scripts())):
        for path in paths:
            before = path.read_text(encoding="utf-8")
            after = wrap(before)
            if after != before:
                path.write_text(after, encoding="utf-8")
                print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
