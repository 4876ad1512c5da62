"""Changes of scripts: one token, operand, argument or statement of a page's script broken at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ROOT / "src" / "baccarat" / "serve" / "page" / "js"

SWAPPED = {
    "===": "!==", "!==": "===", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "&&": "||", "||": "&&", "+=": "-=",
    "-=": "+=", "??=": "=", "||=": "=", "?.": ".", "-": "+", "*": "/", "/": "*", "%": "*", "true": "false",
    "false": "true", "some": "every", "every": "some", "max": "min", "min": "max", "push": "unshift",
}  # fmt: skip
"""Signs, words and methods, each with what is easily written in its place."""
CALLED_ONLY = frozenset({"some", "every", "max", "min", "push"})
"""Those of them that mean this only as the name of a called method."""
ONE_WAY = frozenset({"-", "/", "%", "<", "<=", ">", ">="})
"""Signs whose sides are not alike."""
FORGOTTEN = frozenset({"reverse", "toReversed", "sort", "toSorted", "trim", "filter", "slice", "catch", "toLowerCase"})
"""Methods that give back something of the same kind, and are easily left out."""
TAKEN = {"pop": "at(-1)", "shift": "at(0)"}
"""Methods that take something away, and how it would only be looked at."""
CURSORS = frozenset({"after", "from", "last", "limit", "offset", "seq", "stop"})
"""Names of a place in a list, which is easily missed by one."""
NO_CALL = frozenset(
    {
        "async", "break", "case", "class", "const", "continue", "default", "delete", "do", "else", "export", "for",
        "function", "get", "if", "import", "let", "new", "return", "static", "super", "switch", "throw", "try", "while",
    }
)  # fmt: skip
"""Words with which a statement begins that is no mere call."""
HEADS = frozenset({"if", "for", "while"})
EXITS = frozenset({"return", "continue", "break"})
OPENING, CLOSING = "([{", ")]}"

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<number>0[xob][\da-f_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?n?)|(?P<word>[\w$\#\u0080-\uffff]+)"""
    r"""|(?P<sign>\?\?=|\|\|=|&&=|===|!==|\*\*=?|<<=?|>>>?=?|\.\.\.|=>|\?\.(?!\d)|\?\?|&&|\|\||[<>!=]=|\+\+|--|[-+*/%]=|.)""",
    re.DOTALL,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_PIECE = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)


class Token(NamedTuple):
    """A piece of a script: what kind it is, its text, and where it begins."""

    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.at + len(self.text)


class ScriptChange(msgspec.Struct, frozen=True, kw_only=True):
    """One way to break a script: the file below the folder of the scripts, the line, the text there, and another."""

    file: str
    line: int
    at: int
    now: str
    faulty: str

    def __str__(self) -> str:
        now, faulty = (" ".join(text.split()) for text in (self.now, self.faulty))
        what = f"{now} → {faulty}" if faulty.strip("; ") else f"{now} left out"
        return f"{self.file}:{self.line}.{self.at}: {what}"


def tokens(script: str) -> list[Token]:
    """All tokens of a script, spaces and comments included: their texts together are the script."""
    found: list[Token] = []
    at, templates, before = 0, list[int](), Token("sign", ";", 0)
    while at < len(script):
        char = script[at]
        if char == "`" or (char == "}" and templates and templates[-1] == 0):  # a template, or the next piece of one
            piece = _PIECE.match(script, at + 1)
            assert piece is not None, f"a template without an end: {script[at : at + 40]!r}"
            if char == "}":
                templates.pop()
            if piece[0].endswith("${"):
                templates.append(0)
            made = Token("text", char + piece[0], at)
        else:
            regex = _REGEX.match(script, at) if char == "/" and not _is_value(before) else None
            match = _TOKEN.match(script, at)
            assert match is not None, "anything is a sign"
            is_comment = match.lastgroup == "space"
            made = (
                Token("text", regex[0], at) if regex and not is_comment else Token(str(match.lastgroup), match[0], at)
            )
            if templates and made.text in ("{", "}"):
                templates[-1] += 1 if made.text == "{" else -1
        found.append(made)
        at = made.end
        if made.kind != "space":
            before = made
    return found


def _is_value(token: Token) -> bool:
    """Whether a value ends with this token, so that a slash after it divides."""
    if token.kind == "word":
        return token.text not in NO_CALL | {"typeof", "await", "of", "in"}
    return token.text in (")", "]", "}") if token.kind == "sign" else not token.text.endswith("${")


def scripts_below(within: str) -> list[Path]:
    """The scripts of a folder or of one name, such as `floor` or `table/fold`; all of them for an empty name."""
    path = SCRIPTS / within
    return [path.with_suffix(".js")] if path.with_suffix(".js").is_file() else sorted(path.rglob("*.js"))


def script_changes(path: Path) -> list[ScriptChange]:
    """Every change of one script, in source order."""
    return changes_of_script(path.read_text(encoding="utf-8"), path.relative_to(SCRIPTS).as_posix())


def changes_of_script(script: str, name: str = "") -> list[ScriptChange]:
    """Every change of a script, in source order; no two have the same outcome."""
    found = {
        (at, now, faulty): ScriptChange(file=name, line=script.count("\n", 0, at) + 1, at=at, now=now, faulty=faulty)
        for at, now, faulty in _Slips(script).all()
        if now != faulty
    }
    return [found[key] for key in sorted(found)]


def broken_script(script: str, change: ScriptChange) -> str:
    """A script with the change made."""
    assert script.startswith(change.now, change.at), f"{change}: the file has changed since"
    return script[: change.at] + change.faulty + script[change.at + len(change.now) :]


# ----------------------------------------------------------------------------------- what can be broken

Slip = tuple[int, str, str]
"""Where it is, the text there, and what is written instead."""


class _Slips:
    """The slips of one script; places are those of tokens that are neither space nor comment."""

    def __init__(self, script: str) -> None:
        self.script = script
        self.found = [each for each in tokens(script) if each.kind != "space"]
        self.partner: dict[int, int] = {}
        """By the place of a bracket, that of its partner; pieces of templates open and close too."""
        opened: list[int] = []
        for place, token in enumerate(self.found):
            if self._closes(token):
                self.partner[place] = opened.pop()
                self.partner[self.partner[place]] = place
            if self._opens(token):
                opened.append(place)

    def _opens(self, token: Token) -> bool:
        is_template = token.kind == "text" and token.text[0] in "`}" and token.text.endswith("${")
        return is_template or (token.kind == "sign" and token.text in OPENING)

    def _closes(self, token: Token) -> bool:
        is_template = token.kind == "text" and token.text[0] == "}"
        return is_template or (token.kind == "sign" and token.text in CLOSING)

    def _closed(self, place: int) -> int:
        """Where a bracket is closed; each piece of a template but its last opens again."""
        while self._opens(self.found[place]):
            place = self.partner[place]
        return place

    def all(self) -> Iterator[Slip]:
        """Every slip."""
        for place, token in enumerate(self.found):
            yield from self._single(place, token)
            if token.kind == "sign" and token.text in ONE_WAY and self._is_binary(place):
                yield from self._swapped(place - 1, place + 1)
            if token.text == "," and token.kind == "sign" and self._separates_arguments(place):
                yield from self._swapped(place - 1, place + 1)
            if token.kind == "sign" and token.text == "?":
                yield from self._choice(place)
            if token.kind == "word" and self.text(place - 1) in (".", "?."):
                yield from self._method(place, token)
            if self._begins_statement(place):
                yield from self._statement(place)

    def text(self, place: int) -> str:
        """The text of a token; empty outside the script, and for texts, which are no signs."""
        token = self.found[place] if 0 <= place < len(self.found) else None
        return "" if token is None or token.kind == "text" else token.text

    def part(self, first: int, last: int) -> str:
        """The script from one token to another."""
        return self.script[self.found[first].at : self.found[last].end]

    def _single(self, place: int, token: Token) -> Iterator[Slip]:
        """One token in place of another."""
        before, after = self.text(place - 1), self.text(place + 1)
        if token.kind == "number" and token.text.isdigit() and not (len(token.text) > 1 and token.text[0] == "0"):
            yield token.at, token.text, str(int(token.text) + 1)
        elif token.kind == "word" and token.text == "await" and before != "for":
            yield token.at, self.script[token.at : self.found[place + 1].at], ""
        elif token.kind == "word" and token.text in SWAPPED:
            is_method = before in (".", "?.") and after == "("
            if is_method is (token.text in CALLED_ONLY) and (is_method or (before not in (".", "?.") and after != ":")):
                yield token.at, token.text, SWAPPED[token.text]
        elif token.kind == "sign" and token.text == "!":
            yield token.at, token.text, ""
        elif token.kind == "sign" and token.text == "+" and self._is_binary(place):
            beside = (self.found[place - 1], self.found[place + 1])
            if not any(each.kind == "text" for each in beside):
                yield token.at, token.text, "-"
        elif token.kind == "sign" and token.text in SWAPPED and self._has_two_sides(place, token):
            yield token.at, token.text, SWAPPED[token.text]

    def _has_two_sides(self, place: int, token: Token) -> bool:
        """Whether a sign is between two values, as its replacement must be."""
        if token.text == "?.":
            return self.text(place + 1) not in ("(", "[")
        return token.text not in ("-", "*", "/", "%") or self._is_binary(place)

    def _is_binary(self, place: int) -> bool:
        return place > 0 and _is_value(self.found[place - 1]) and place + 1 < len(self.found)

    def _method(self, place: int, token: Token) -> Iterator[Slip]:
        """A method left out, or something looked at where it is taken away; a place missed by one."""
        is_called = self.text(place + 1) == "("
        if is_called and token.text in FORGOTTEN:
            last = self.partner[place + 1]
            yield self.found[place - 1].at, self.part(place - 1, last), ""
        elif is_called and token.text in TAKEN and self.partner[place + 1] == place + 2:
            yield token.at, self.part(place, place + 2), TAKEN[token.text]
        elif token.text in CURSORS and not is_called:
            first, after = self._operand_before(place), self.text(place + 1)
            is_read = after in ("", ")", "]", "}", ";", ",", "<", ">", "===", "!==", "<=", ">=")
            if first is not None and is_read and not self._is_assigned(place):
                held = self.part(first, place)
                for sign in ("+", "-"):
                    yield self.found[first].at, held, f"({held} {sign} 1)"

    def _is_assigned(self, place: int) -> bool:
        """Whether a token is in brackets that are assigned to, at any depth."""
        return any(
            first < place < last and self.text(last + 1) == "="
            for first, last in self.partner.items()
            if first < last and self.text(first) in ("[", "{")
        )

    def _operand_before(self, last: int) -> int | None:
        """Where the operand begins that ends with a token: a number, or a name with what is called and taken of it."""
        place = last
        while True:
            if self.text(place) in (")", "]"):
                opened = self.partner[place]
                if not (opened and _is_value(self.found[opened - 1])) or self.text(opened - 1) in HEADS:
                    return None
                place = opened - 1
            elif self.found[place].kind == "word" and _is_value(self.found[place]):
                if self.text(place - 1) not in (".", "?."):
                    return place if self.text(place - 1) not in ("new", "await", "...", "!", "typeof", "-") else None
                place -= 2
            else:
                return place if self.found[place].kind == "number" and place == last else None

    def _operand_after(self, first: int) -> int | None:
        """Where the operand ends that begins with a token."""
        if first >= len(self.found):
            return None
        place, kind = first, self.found[first].kind
        if kind == "number":
            return place
        if kind != "word" or not _is_value(self.found[first]):
            return None
        while True:
            if self.text(place + 1) in (".", "?.") and self.found[place + 2].kind == "word":
                place += 2
            elif self.text(place + 1) in ("(", "["):
                place = self.partner[place + 1]
            else:
                return place

    def _swapped(self, before: int, after: int) -> Iterator[Slip]:
        """The two sides of a sign in each other's place."""
        first, last = self._operand_before(before), self._operand_after(after)
        if first is not None and last is not None:
            yield self._turned((first, before), (after, last))

    def _turned(self, one: tuple[int, int], two: tuple[int, int]) -> Slip:
        """Two stretches of tokens in each other's place, with what is between them."""
        between = self.script[self.found[one[1]].end : self.found[two[0]].at]
        return self.found[one[0]].at, self.part(one[0], two[1]), self.part(*two) + between + self.part(*one)

    def _separates_arguments(self, place: int) -> bool:
        """Whether a comma is the only one in the brackets of a call, between two names."""
        first, last = self._operand_before(place - 1), self._operand_after(place + 1)
        if first is None or last is None or self.text(first - 1) != "(" or self.text(last + 1) != ")":
            return False
        is_definition = self.text(last + 2) in ("{", "=>")
        return not is_definition and self.found[first - 2].kind == "word" and self.text(first - 2) not in NO_CALL

    def _choice(self, place: int) -> Iterator[Slip]:
        """`a ? b : c` with the answers in each other's place."""
        colon = self._end_of_answer(place + 1, ":")
        if colon is None:
            return
        end = self._end_of_answer(colon + 1, "")
        if end is not None:
            yield self._turned((place + 1, colon - 1), (colon + 1, end - 1))

    def _end_of_answer(self, place: int, sign: str) -> int | None:
        """The place of the sign that ends an answer of a choice: its colon, or what ends the whole choice."""
        inner = 0
        while place < len(self.found):
            token = self.found[place]
            if self._closes(token) or (token.kind == "sign" and token.text in (",", ";")):
                return place if not sign else None
            if self._opens(token):
                place = self._closed(place)
            elif self.text(place) == "?":
                inner += 1
            elif self.text(place) == ":":
                if not inner:
                    return place
                inner -= 1
            place += 1
        return None

    def _begins_statement(self, place: int) -> bool:
        if not place or self.found[place].kind != "word" or self.text(place) in NO_CALL - EXITS - {"if"}:
            return False
        before = self.text(place - 1)
        if before == ")":
            return self.text(self.partner[place - 1] - 1) in HEADS
        return before in (";", "{", "}", "else")

    def _statement(self, place: int) -> Iterator[Slip]:
        """A call that is left out, or a condition under which nothing more is done."""
        first = place
        if self.text(place) == "if" and self.text(place + 1) == "(":
            place = self.partner[place + 1] + 1
            if self.text(place) not in EXITS:
                return
        elif self.text(place) in EXITS:
            return
        end, has_call = place, False
        while end < len(self.found) and self.text(end) != ";":
            token = self.found[end]
            if self._closes(token) or (token.kind == "sign" and token.text in ("=", ":", "=>", "?")):
                return
            if self._opens(token):
                has_call = has_call or token.text == "("
                end = self._closed(end)
            end += 1
        if end < len(self.found) and (first != place or has_call) and self.text(end + 1) != "else":
            yield self.found[first].at, self.part(first, end), ";" if first == place else ""


def names_read(script: str) -> Iterable[str]:
    """The scripts that a script imports, as paths below the folder of the scripts."""
    return re.findall(r'"/page/js/([\w/-]+\.js)"', script)


def with_all_imports(names: Sequence[str]) -> set[str]:
    """These scripts and all that they import, over any number of steps."""
    found, left = set[str](), list(names)
    while left:
        name = left.pop()
        if name not in found and (SCRIPTS / name).is_file():
            found.add(name)
            left += names_read((SCRIPTS / name).read_text(encoding="utf-8"))
    return found
