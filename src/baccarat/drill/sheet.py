"""Score sheets: what was asked, answered and right, with the clauses; in figures, as CSV and as JSON."""

from __future__ import annotations

import io
from collections.abc import Sequence

import msgspec

from baccarat.drill.base import DrillKind
from baccarat.drill.trainee import GradedAnswer

COLUMNS = ("number", "drill", "case", "question", "answer_given", "right_answer", "right", "seconds", "clauses")


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How many exercises were answered, how many of them correctly, and in how many milliseconds on average."""

    asked: int
    right: int
    slow: int
    """Right, but later than a table allows."""
    milliseconds: int

    @property
    def percent(self) -> int:
        """The percentage that was right, rounded down."""
        return 100 * self.right // self.asked if self.asked else 0


def score(marks: Sequence[GradedAnswer]) -> Score:
    """The figures of some marks."""
    return Score(
        asked=len(marks),
        right=sum(mark.right for mark in marks),
        slow=sum(mark.right and mark.slow for mark in marks),
        milliseconds=sum(mark.milliseconds for mark in marks) // len(marks) if marks else 0,
    )


def scores(marks: Sequence[GradedAnswer]) -> dict[DrillKind, Score]:
    """The figures of each kind of drill that was asked, in order."""
    by_kind = {kind: [mark for mark in marks if mark.kind is kind] for kind in DrillKind}
    return {kind: score(each) for kind, each in by_kind.items() if each}


def seconds(milliseconds: int) -> str:
    """A time in seconds, to the tenth."""
    tenths = (milliseconds + 50) // 100
    return f"{tenths // 10}.{tenths % 10}"


def csv_text(marks: Sequence[GradedAnswer]) -> str:
    """The sheet as CSV, one row per exercise."""
    import csv  # noqa: PLC0415  only needed for an export

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for mark in marks:
        writer.writerow([
            mark.number, mark.kind.title, mark.case, mark.ask, _formula_safe_text(mark.given), mark.answer,
            "yes" if mark.right else "no", seconds(mark.milliseconds), "; ".join(mark.cites),
        ])  # fmt: skip
    return out.getvalue()


def _formula_safe_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


class ScoreSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A whole score sheet, as it is written as JSON."""

    edition: str
    rulebook: str
    total: Score
    by_kind: dict[DrillKind, Score]
    marks: tuple[GradedAnswer, ...]


def sheet(marks: Sequence[GradedAnswer], *, edition: str, rulebook: str) -> ScoreSheet:
    """The score sheet of some marks."""
    return ScoreSheet(edition=edition, rulebook=rulebook, total=score(marks), by_kind=scores(marks), marks=tuple(marks))


def json_text(sheet: ScoreSheet) -> str:
    """The sheet as JSON, indented for people."""
    return msgspec.json.format(msgspec.json.encode(sheet), indent=2).decode() + "\n"
