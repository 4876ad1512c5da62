"""Checks removed from all three verifiers one at a time: a file of the corpus must then get another answer.

Every place where a verifier says that something is wrong, not readable or not covered is one check. First each verifier
reads the corpus once, and notes which of its checks find something in which case: only there can a removal make a
difference. What a verifier says of its own command line is no check of a file (`USAGE` in `check_removal.py`), and how
it reads JSON is its own. What is in `SECOND_NETS` cannot be shown by a file: another check finds the same.

Of the program, `verify` and `audit`, the checks of the modules in `program_modules.py` are removed, and of a condition
("this or that") each part alone; there another answer is also one in which other checks fail, or other gaps are named.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "verifier")]

import javascript_checks  # noqa: E402
import program_checks  # noqa: E402
import program_modules  # noqa: E402
import python_checks  # noqa: E402
from check_removal import Shown  # noqa: E402
from program_removal import ProgramRun  # noqa: E402

T = TypeVar("T")

SECOND_NETS: dict[str, str] = {
    # sizes
    "NOTE_BYTES": "a checkpoint of more than a million bytes would be most of the corpus",
    "MOST_NOTE": "the same",
    "BUNDLE_BYTES": "a bundle of more than 256 MiB",
    "MOST_BUNDLE": "the same",
    "this program reads no larger file": "a file of more than 1 GiB, or one of keys of more than a million bytes",
    "MOST_KEYS": "a file of keys or a policy of more than a million bytes would be most of the corpus",
    "MOST_JOURNAL": "the same",
    "MEMORY_BYTES": "a memory of more than 64 MiB",
    # the form of a value, of which the check that follows says less
    "a secret key": "it is no public key either; the message alone differs",
    "its last part is not base64": "without its bytes no key is made: the file is not readable either way",
    "the version `v` of the form": "the form of a record has the version 1 alone; the message alone differs",
    "of a bundle; only 1 is known": "the same of a bundle",
    "path, 'a version', value": "the next line asks for the version 1",
    "expected a JSON object, found": "every form of what is read is that of an object",
    "a key that is not ASCII: ": "`ascii_keys` finds it in what was read",
    "the field bundle is missing": "the form of a bundle has that field",
    "!bytes.length": "nothing is neither a journal nor a bundle",
    "a checkpoint in it is not a text": "what is no text cannot be read as a checkpoint",
    "base32(row)": "a hash of another length leads to another root",
    # a file that would be read without end
    "the line is half-written": "without it the same line would be read for ever",
    "only half of the line": "the same",
    # where an entry stands: its number, its index, its hash and the tree each show it
    "the index does not rise": "an index is `seq`, which rises by the chain; of a late record `seq` is above the run",
    "`seq` of a late record": "its index, which is `seq`, rises above the run",
    "entries stand by rising index": "the same",
    "the tree cannot be built": "where entries do not rise below the size, that is said of each of them",
    "its index in the log', `below": "the tree cannot be built from it",
    "nothing stands before it in its stream": "an entry without an opening is misnumbered, too",
    "the opening of the stream comes first": "nothing stands before its first entry, and the chain says so",
    "entry.stated === null) faults.push(fault(entry.where, 'its hash": "the hash after it does not follow from nothing",
    "it is no entry of a journal": "without it the tree of the log lacks an entry",
    # cards: each has a proof under the sealed root, which is compared with the root that the seed gives
    "if self.seeds.same(seen.where": "a card that was proved under the derived root is the derived card",
    "derived.cards[index], card ??": "the same",
    "another card at position": "two cards at one position cannot both have a proof",
    "'a position of the cut shoe'": "no card has a proof at a position that the shoe does not have",
    # several files
    "otherEntries(note.name, note.size), unknown": "it takes two files read together; a case is one file",
}
"""Checks that no file can show, by a part of their text: why."""


def not_shown(found: Sequence[Shown], nets: Mapping[str, str] = SECOND_NETS) -> list[Shown]:
    """The removals that no file shows, though one could."""
    return [
        each
        for each in found
        if not each.passes and not each.otherwise and not any(part in each.removal.text for part in nets)
    ]


def unneeded(found: Sequence[Shown], nets: Mapping[str, str] = SECOND_NETS) -> list[str]:
    """The second nets all of whose checks a file shows by now."""
    unseen = [each.removal.text for each in found if not each.passes and not each.otherwise]
    return [part for part in nets if not any(part in text for text in unseen)]


def chosen(removals: Sequence[T], sample: int) -> list[T]:
    """All of them, or a random sample of this size."""
    return random.Random(1).sample(removals, sample) if sample else list(removals)


def report(verifier: str, found: Sequence[Shown], nets: Mapping[str, str] = SECOND_NETS, *, is_quiet: bool) -> int:
    """Print what was found, and how many checks no file shows."""
    left = not_shown(found, nets)
    for each in left if is_quiet else found:
        print(f"{verifier}, {each}")
    passing = sum(bool(each.passes) for each in found)
    otherwise = sum(bool(each.otherwise) for each in found)
    second = len(found) - passing - otherwise - len(left)
    print(
        f"{verifier}: {len(found)} checks; without {passing} a forgery passes, without {otherwise} a file gets another "
        f"answer, {second} are second nets, {len(left)} that no file shows"
    )
    return len(left)


app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def main(
    *,
    sample: Annotated[
        int, typer.Option(help="how many checks of each verifier to remove, chosen at random; 0 means all")
    ] = 0,
    show: Annotated[bool, typer.Option("--show", help="also say which file shows each check")] = False,
) -> None:
    """Remove every check of all three verifiers in turn; ends with status 1 if no file of the corpus shows one."""
    is_silent = not sys.stdout.isatty()
    program = ProgramRun()
    asked = chosen(program_checks.checks(), sample)
    in_program = [program.shown(each) for each in track(asked, "the program", transient=True, disable=is_silent)]
    missed = report("the program", in_program, program_modules.SECOND_NETS, is_quiet=not show)
    python = python_checks.PythonRun()
    checks = chosen(list(python_checks.removals()), sample)
    found = [python.shown(each) for each in track(checks, "Python", transient=True, disable=is_silent)]
    missed += report("Python", found, is_quiet=not show)
    javascript = javascript_checks.JavaScriptRun()
    checks = chosen(list(javascript_checks.removals()), sample)
    answers = javascript.all_shown(checks)
    more = list(track(answers, "JavaScript", total=len(checks), transient=True, disable=is_silent))
    missed += report("JavaScript", more, is_quiet=not show)
    idle = [*unneeded([*found, *more]), *unneeded(in_program, program_modules.SECOND_NETS)]
    for part in () if sample else idle:
        missed += 1
        print(f"a file shows what is called a second net: {part!r}")
    raise typer.Exit(bool(missed))


if __name__ == "__main__":
    app()
