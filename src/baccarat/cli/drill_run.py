"""What `baccarat drill` does: asks, waits, grades, and writes the score sheet."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
import typer

from baccarat.cards import Card
from baccarat.cli.output import REFUSED, console, errors, exit_on, fail, line, put_line
from baccarat.cli.submission_name import name_of
from baccarat.drill.base import AnswerGrade, DrillKind, Question, UnreadableAnswer, answer_hint
from baccarat.drill.catalogue import cases_of
from baccarat.drill.sheet import ScoreSheet, csv_text, json_text, seconds, sheet
from baccarat.drill.trainee import (
    AnsweredExercise,
    Exercise,
    GradedAnswer,
    Trainee,
    answer,
    begin,
    next_exercise,
    pass_over,
)
from baccarat.law.error import nearest
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.record.misread import MISREAD, why_unread
from baccarat.report.drill_sheet import html
from baccarat.report.save import HTML, SHEET_JSON, SHEET_TABLE, TRAINEE, CannotWrite, check_path, save

QUIT = ("quit", "q")
SHEET_KINDS = {".csv": SHEET_TABLE, ".json": SHEET_JSON, ".html": HTML}
"""The kind of a score sheet by the suffix of its name."""


def run_drill(
    rules: Rulebook,
    *,
    kinds: list[str],
    count: int,
    seed: str | None,
    sheet: Path | None,
    keep: Path | None,
    json: bool,
) -> None:
    """Ask the exercises, and exit with the status of the drill."""
    wanted = _kinds(rules, kinds)
    _check_files(sheet, keep)
    trainee = _load_trainee(keep, rules)
    sitting = DrillSession(rules, trainee, wanted, seed=secrets.token_hex(8) if seed is None else seed, json=json)
    try:
        for number in range(1, count + 1):
            if not sitting.ask(number, count):
                break
    except KeyboardInterrupt:  # someone who stops in the middle still gets the score
        console.print()
    _close(sitting, sheet, keep)
    raise typer.Exit(REFUSED if any(not mark.right for mark in sitting.marks) else 0)


class DrillSession:
    """One drill at the keyboard, or from a pipe: who is trained, and what has been answered."""

    def __init__(self, rules: Rulebook, trainee: Trainee, kinds: Sequence[DrillKind], *, seed: str, json: bool) -> None:
        self.rules, self.trainee, self.kinds = rules, trainee, kinds
        self.seed, self.json = seed, json
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self.marks: list[GradedAnswer] = []
        if not json:
            rulebook = (f"rulebook {rules.hash[:16]}…", "dim")
            put_line((rules.edition.title, "bold"), f"  {name_of(rules)}  ", rulebook)
            put_line(("An empty line shows the answer, quit ends the drill.", "dim"))

    def ask(self, number: int, count: int) -> bool:
        """Ask one exercise; False when there are no more answers."""
        exercise = next_exercise(self.rules, self.trainee, seed=self.seed, kinds=self.kinds)
        if self.json:
            self.say({"exercise": exercise})
        else:
            _show(exercise, f"{number} of {count}")
        begun = time.monotonic()
        while True:
            given = self._read()
            if given is None or given.casefold() in QUIT:
                return False
            took = int((time.monotonic() - begun) * 1000)
            outcome = self._grade_answer(given, took)
            if isinstance(outcome, AnsweredExercise):
                break
            if not self.is_terminal:
                fail(f"exercise {number}: {given[:40]!r}: {outcome.say}")
            errors.print(line((outcome.say, "yellow")))
        self.trainee = outcome.trainee
        self.marks.append(outcome.mark)
        if self.json:
            self.say({"graded": outcome.graded, "case": outcome.mark.case, "milliseconds": outcome.mark.milliseconds})
        else:
            _show_grade(outcome.graded, outcome.mark)
        return True

    def _grade_answer(self, given: str, took: int) -> AnsweredExercise | UnreadableAnswer:
        if not given:
            return pass_over(self.rules, self.trainee, seed=self.seed, milliseconds=took, kinds=self.kinds)
        return answer(self.rules, self.trainee, given, seed=self.seed, milliseconds=took, kinds=self.kinds)

    def _read(self) -> str | None:
        """The next line; None at the end."""
        try:
            if self.is_terminal and not self.json:
                return console.input("[bold]> [/]").strip()
            text = sys.stdin.readline() if sys.stdin is not None else ""
        except (EOFError, RuntimeError, UnicodeDecodeError, ValueError):  # a closed input is a RuntimeError
            return None
        return text.strip() if text else None

    def say(self, value: object) -> None:
        """Print a line of JSON immediately."""
        sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
        sys.stdout.flush()


# --------------------------------------------------------------------------------------- options and files


def _kinds(rules: Rulebook, names: list[str]) -> list[DrillKind]:
    known = {kind.value: kind for kind in DrillKind}
    for name in names:
        if name not in known:
            near = nearest(name, known)
            hint = f"; did you mean {near}?" if near else ""
            fail(f"--kind {name}: there are {', '.join(known)}{hint}")
        if known[name] not in cases_of(rules):
            fail(f"--kind {name}: there is nothing to train under these rules")
    return [known[name] for name in names]


def _check_files(sheet: Path | None, keep: Path | None) -> None:
    """Fail early if a file could not be written at the end."""
    with exit_on(CannotWrite):
        if sheet is not None:
            if sheet.suffix not in SHEET_KINDS:
                fail(f"--sheet {sheet}: a score sheet ends in {', '.join(SHEET_KINDS)}")
            check_path(sheet, SHEET_KINDS[sheet.suffix])
        if keep is not None:
            check_path(keep, TRAINEE)


def _load_trainee(keep: Path | None, rules: Rulebook) -> Trainee:
    """The trainee's progress at the end of the last drill."""
    if keep is None or not keep.exists() or not keep.stat().st_size:
        return begin(rules)
    data = keep.read_bytes()
    try:
        trainee = msgspec.json.decode(data, type=Trainee)
    except MISREAD as error:
        fail(f"--keep {keep}: {why_unread(data, Trainee, error)}")
    if trainee.rulebook != rules.hash:
        fail(f"--keep {keep}: this was learned under rulebook {trainee.rulebook[:16]}…; use another file")
    return trainee


def _close(sitting: DrillSession, path: Path | None, keep: Path | None) -> None:
    """Show the score, and write the requested files."""
    made = sheet(sitting.marks, edition=sitting.rules.edition.name, rulebook=sitting.rules.hash)
    if sitting.json:
        sitting.say({"total": made.total, "by_kind": made.by_kind, "seed": sitting.seed})
    else:
        _show_score(made, sitting.seed)
    with exit_on(CannotWrite):
        if path is not None:
            written = save(path, _sheet_text(sitting.rules, made, path.suffix).encode())
            errors.print(line((f"written: {written}", "dim")))
        if keep is not None:
            save(keep, msgspec.json.encode(sitting.trainee))


def _sheet_text(rules: Rulebook, made: ScoreSheet, suffix: str) -> str:
    if suffix == ".csv":
        return csv_text(made.marks)
    return json_text(made) if suffix == ".json" else html(rules, made)


# ------------------------------------------------------------------------------------------- what is shown

STYLES = {"♠": "", "♣": "", "♥": "red", "♦": "red"}


def _show(exercise: Exercise, where: str) -> None:
    question = exercise.question
    console.rule(line((exercise.kind.title, "bold"), (f"  {where}", "dim")), style="green")
    _show_hands(question)
    for wager in question.scene.wagers:
        put_line(f"  seat {wager.seat:>2}  {Cents(wager.stake):>12}  {wager.title}")
    for note in question.scene.notes:
        put_line(f"  {note}")
    put_line((question.ask, "bold"))
    for choice in question.choices:
        put_line("  ", (choice.key, "bold cyan"), f"  {choice.say}")
    put_line((f"({answer_hint(question)})", "dim"))


def _show_hands(question: Question) -> None:
    parts: list[str | tuple[str, str]] = []
    scene = question.scene
    for name, cards, style in (("Player", scene.player, "bold blue"), ("Banker", scene.banker, "bold red")):
        if cards:
            parts += ["  ", (f"{name} ", style), *_cards(cards), "   "]
    if parts:
        put_line(*parts)


def _cards(cards: Sequence[str | None]) -> list[str | tuple[str, str]]:
    shown: list[str | tuple[str, str]] = []
    for each in cards:
        sign = "▒▒" if each is None else Card.parse(each).sign
        shown += [" ", (f" {sign} ", f"{STYLES.get(sign[-1], 'dim')} reverse".strip())]
    return shown


def _show_grade(graded: AnswerGrade, mark: GradedAnswer) -> None:
    late = ", later than a table allows" if mark.slow else ""
    if graded.right:
        put_line(("✓ right", "bold green"), (f"  {seconds(mark.milliseconds)} s{late}", "dim"))
    else:
        put_line(("✗ wrong", "bold red"), f"  {graded.answer}")
    for reason in graded.why:
        put_line(f"  {reason.say}  ", (", ".join(reason.cites), "dim"))


def _show_score(made: ScoreSheet, seed: str) -> None:
    console.rule(line(("Score", "bold")), style="green")
    for kind, each in made.by_kind.items():
        late = f", {each.slow} late" if each.slow else ""
        figures = f"{each.right:>3} of {each.asked:<3} {seconds(each.milliseconds):>6} s{late}"
        put_line(f"  {kind.title:<34} {figures}")
    total = made.total
    said = f"{total.right} of {total.asked} right, {total.percent} %" if total.asked else "Nothing was answered."
    put_line((said, "bold"), (f"   the same again: --seed {seed}", "dim"))
