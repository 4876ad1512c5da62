"""Fuzz: random edits of editions and Submissions. Each is refused with its place, or a whole shoe plays and is priced.

python tools/fuzz.py                    ten thousand edits on all cores
python tools/fuzz.py --count 200        fewer
python tools/fuzz.py --only 4711        one of them, in full
"""

from __future__ import annotations

import os
import random
import re
import shlex
import sys
import tempfile
import tomllib
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from enum import Enum
from pathlib import Path

import msgspec
import typer
from rich.progress import Progress
from typer.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools")]

from baccarat.cli import app  # noqa: E402
from baccarat.law import edition as law  # noqa: E402
from baccarat.law.edition_file import OPTIONAL_SECTIONS, OTHER_WORDS, SECTIONS  # noqa: E402
from baccarat.law.error import InvalidSubmission, RulesError  # noqa: E402
from baccarat.law.rulebook import rulebook  # noqa: E402
from baccarat.law.submission import FIELDS  # noqa: E402
from edits import NAME, Edited, edited  # noqa: E402
from whole_shoe import Failure, is_priced, plays  # noqa: E402


class Verdict(Enum):
    """The verdict on an edit."""

    REFUSED = "refused"
    PLAYED = "played"
    FAILED = "failed"


class Result(msgspec.Struct, frozen=True):
    """The result of one edit; `say` is the refusal, or what went wrong."""

    number: int
    verdict: Verdict
    what: str
    say: str


# ------------------------------------------------------------------------------------------- judging one


def judge(number: int, *, seed: str = "baccarat") -> Result:
    """Load an edit; if it is not refused, play a shoe under it and price it."""
    case = edited(number, seed=seed)
    what = f"{case.submission_name}, {case.edited}: {case.what}"
    try:
        with tempfile.TemporaryDirectory() as folder:
            verdict, say = _judge(case, Path(folder))
    except Failure as failure:
        return Result(number, Verdict.FAILED, what, str(failure))
    except Exception:  # noqa: BLE001  whatever it is, it is what this tool looks for
        return Result(number, Verdict.FAILED, what, traceback.format_exc())
    finally:
        law.forget(NAME)
    return Result(number, verdict, what, say)


def _judge(case: Edited, folder: Path) -> tuple[Verdict, str]:
    edition, submission = folder / "edition.toml", folder / "submission.toml"
    edition.write_bytes(case.edition)
    submission.write_bytes(case.submission)
    chance = random.Random(case.number)
    try:
        law.register(edition)
        rules = rulebook(submission)
    except InvalidSubmission as error:
        for fault in error.faults:
            _names_place_of_submission(fault.where, str(fault))
        _verb(chance, edition, submission, refused=True)
        return Verdict.REFUSED, str(error)
    except RulesError as error:
        _names_place(str(error), case, edition)
        _verb(chance, edition, submission, refused=True)
        return Verdict.REFUSED, str(error)
    plays(rules, chance)
    is_priced(rules)
    _verb(chance, edition, submission, refused=False)
    return Verdict.PLAYED, ""


def _names_place_of_submission(where: str, say: str) -> None:
    if not where or not say.strip():
        raise Failure(f"a fault without a place: {say!r}")


PLACE = re.compile(r"(?P<path>[a-z_0-9]+(?:\.[^\s:.\[]+(?: [^\s:.\[]+)*|\[\d+\])*)(?::| )")


def _names_place(say: str, case: Edited, edition: Path) -> None:
    """A refusal says where in the file: a section, row and key that are there, or a line and column."""
    if "\n" in say.strip():
        raise Failure(f"a refusal of several lines: {say}")
    if "not TOML" not in say and re.search(r"Expected|Object|msgspec|NoneType|Traceback", say):
        raise Failure(f"the words of a library, not ours: {say}")
    text = say.replace(str(edition), "").replace(f"{edition.parent}/submission.toml", "").removeprefix(": ")
    text = text.removeprefix(f"{NAME}: ")
    if re.search(r"line \d+", text) or re.match(r"not a text file|not UTF-8", text):
        return
    found = PLACE.match(text)
    word = re.split(r"[.\[]", found["path"])[0] if found is not None else ""
    words = {*SECTIONS, *OPTIONAL_SECTIONS, *OTHER_WORDS, "ruleset", *FIELDS}
    if not word or (word not in words and word not in _top(case)):
        raise Failure(f"a refusal without a place: {say}")


def _top(case: Edited) -> set[str]:
    try:
        return set(tomllib.loads(case.edition.decode("utf-8-sig")))
    except ValueError:
        return set()


# ------------------------------------------------------------------------------------- the verbs, as used

VERBS: dict[str, list[str]] = {
    "check": ["rules", "check", "SUBMISSION"],
    "show": ["rules", "show", NAME],
    "diff": ["rules", "diff", "nj-punto-banco", NAME],
    "coverage": ["rules", "coverage", NAME],
    "deal": ["deal", "SUBMISSION", "--shoe", "--seed", "words"],
    "price": ["price", "SUBMISSION"],
    "play": ["play", "SUBMISSION", "--auto", "--seed", "words", "--purse", "$100,000"],
}


def _verb(chance: random.Random, edition: Path, submission: Path, *, refused: bool) -> None:
    """In every other case one verb of the program with these files: done, or a message, never a traceback."""
    if chance.random() < 0.5:
        return
    name = chance.choice(list(VERBS))
    words = [str(submission) if word == "SUBMISSION" else word for word in VERBS[name]]
    result = CliRunner().invoke(app, [*words, "--edition", str(edition)])
    if result.exception is None or isinstance(result.exception, SystemExit | RulesError):
        if not refused and result.exit_code not in (0, 1):
            raise Failure(f"baccarat {' '.join(words)} ended with {result.exit_code}: {result.output}")
        return
    raise Failure(f"baccarat {' '.join(words)}:\n" + "".join(traceback.format_exception(result.exception)))


# --------------------------------------------------------------------------------------------- many


def main(
    count: int = typer.Option(10_000, help="How many edits."),
    first: int = typer.Option(0, help="The number of the first."),
    seed: str = typer.Option("baccarat", help="Another series of edits."),
    only: int | None = typer.Option(None, help="One edit, in full."),
    jobs: int = typer.Option(os.cpu_count() or 1, help="Processes."),
) -> None:
    """Edit editions and Submissions at random: each is refused with its place, or plays."""
    if only is not None:
        result = judge(only, seed=seed)
        typer.echo(f"{result.what}\n{result.verdict.value}: {result.say}")
        raise typer.Exit(int(result.verdict is Verdict.FAILED))
    found: Counter[Verdict] = Counter()
    numbers = range(first, first + count)
    with Progress() as progress, ProcessPoolExecutor(jobs) as pool:
        bar = progress.add_task("edits", total=count)
        for result in pool.map(_Judge(seed), numbers, chunksize=8):
            found[result.verdict] += 1
            progress.advance(bar)
            if not progress.console.is_terminal and sum(found.values()) % 200 == 0:
                progress.console.print(f"{sum(found.values())} of {count}")
            if result.verdict is Verdict.FAILED:
                text = f"{result.what}\n{result.say}\nagain: {again(result, seed=seed)}\n"
                progress.console.print(text, markup=False, highlight=False, soft_wrap=True)
    said = ", ".join(f"{found[verdict]} {verdict.value}" for verdict in Verdict)
    typer.echo(f"{count} edits: {said}")
    if found[Verdict.FAILED] or found[Verdict.PLAYED] * 5 < count:
        raise typer.Exit(1)


def again(result: Result, *, seed: str) -> str:
    """The command that repeats one edit."""
    return shlex.join(["python", "tools/fuzz.py", "--seed", seed, "--only", str(result.number)])


class _Judge:
    """Judge the edits of one series; a function that another process can be given."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def __call__(self, number: int) -> Result:
        return judge(number, seed=self.seed)


if __name__ == "__main__":
    typer.run(main)
