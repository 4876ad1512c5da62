"""What the program and both small verifiers say to forged files, and whether they are right.

A forgery is refused, or what a reader is told is true. What the keys cover is what the honest log holds, to the byte:
cards, money, persons, times. Of the rest a reader is told how many entries nobody signed; their cards and money are
still those that the honest log, or that of its twin, decides for these acts. The coverage that is claimed is that of
checkpoints that were really signed, and cosigned at the time that is stated.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import forked
from forged_by_house import BY_HOUSE, untrue_of_house
from honest_files import COSIGNED, UNSIGNED, HonestFile, cosigned_at, keys_of
from javascript import reports_of
from random_forgery import JSON, MIXED, ORDER, RandomForgery
from remade import canonical
from two_verifiers import javascript_answer, python_answer, python_reports

LATEST = 10.0
"""Seconds after which an answer is too late."""
REFUSED = (1, 2)
BY_RULES_ALONE = {
    "decided again": "an act does not lead to what is recorded",
    "rules": "a rulebook's hash does not follow from its Submission or edition",
    "state before": "the stated state of a table is impossible",
    "house": "what one stream says of another",
}
"""The checks of the program that the small verifiers do not make: where only these fail, they answer 3."""
UNREAD_BY_RULES_ALONE = ("recorded under rulebook", "the Submission is not valid", "edition")
"""Why the program alone cannot read a journal: its rules are not those that its Submission gives."""
DUE_AT_THE_END = "M10"
"""What `audit` alone finds in a journal that ends in the middle of a correction: it is not settled yet."""


class LongestAnswers(msgspec.Struct):
    """The longest answer of each verifier to one file, in seconds."""

    seconds: dict[str, float] = {}

    def note(self, verifier: str, seconds: float) -> None:
        """One more answer."""
        self.seconds[verifier] = max(seconds, self.seconds.get(verifier, 0.0))


class ProgramAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the program says to one file."""

    verify: int
    audit: int | None
    """None for a bundle."""
    failed: frozenset[str]
    """The checks of `verify` that found something wrong."""
    says: str
    """Why the file could not be read, if that is so."""
    is_due: bool
    """Whether `audit` finds only what is still due where the journal ends."""
    coverage: tuple[dict[str, Any], ...]
    """How far each stream is covered; only of a file in which nothing is wrong."""


def program_answer(
    path: Path, keys: Sequence[str], *, is_journal: bool, longest: LongestAnswers
) -> ProgramAnswer | str:
    """The verdicts of `verify` and `audit`; a sentence if one of them ends in a trace or comes too late."""
    given = [part for key in keys for part in ("--key", key)]
    forked.server()  # it reads the modules once, which is not part of an answer
    began = time.monotonic()
    verified = forked.run("verify", "--json", str(path), *given)
    between = time.monotonic()
    audited = forked.run("audit", "--json", str(path), *given) if is_journal else None
    ended = time.monotonic()
    for verb, run, seconds in (("verify", verified, between - began), ("audit", audited, ended - between)):
        longest.note(verb, seconds)
        if run is not None and b"Traceback" in run.stderr:
            return f"{verb} ends in a trace: {run.stderr.decode().splitlines()[-1]}"
        if run is not None and run.returncode not in (0, 1, 2, 3):
            return f"{verb} ends with status {run.returncode}"
        if seconds > LATEST:
            return f"{verb} answers after {seconds:.1f} s"
    answers = json.loads(verified.stdout)
    found = [] if audited is None or not audited.stdout else json.loads(audited.stdout).get("findings", [])
    return ProgramAnswer(
        verify=verified.returncode,
        audit=None if audited is None else audited.returncode,
        failed=frozenset(
            check["name"] for each in answers for check in each.get("checks", ()) if check["holds"] is False
        ),
        says="; ".join(each["unreadable"] for each in answers if "unreadable" in each),
        is_due=bool(found) and all(each["promise"] == DUE_AT_THE_END for each in found),
        coverage=tuple(each["coverage"] for each in answers if "coverage" in each),
    )


def judge(
    forgeries: Sequence[RandomForgery], folder: Path, longest: LongestAnswers
) -> Iterator[tuple[RandomForgery, str]]:
    """Everything that any of the verifiers gets wrong, each with the forgery."""
    for keys in sorted({each.honest.keys for each in forgeries}):
        batch = [each for each in forgeries if each.honest.keys == keys]
        paths = [folder / f"forgery-{each.number}" for each in batch]
        for path, each in zip(paths, batch, strict=True):
            path.write_bytes(each.data)
        given = keys_of(keys)
        python = _timed_reports(python_reports, paths, given, "Python", longest)
        javascript = _timed_reports(reports_of, paths, given, "JavaScript", longest)
        for path, each, one, two in zip(paths, batch, python, javascript, strict=True):
            program = program_answer(path, given, is_journal=is_journal(each.data), longest=longest)
            for say in _faults(each, program, one, two):
                yield each, say
            path.unlink()


def is_journal(data: bytes) -> bool:
    """Whether the program takes a file for a journal."""
    return data.startswith((b'{"hash":"', b'{"checkpoint":'))


def _timed_reports(
    verifier: Any, paths: Sequence[Path], keys: Sequence[str], name: str, longest: LongestAnswers
) -> list[Any]:
    """A verifier's reports on all files; a sentence for each on which it ends in a trace or answers too late.

    The verifier itself counts the seconds that its processor works on each file, however busy the machine is.
    """
    try:
        reports: list[Any] = verifier(paths, keys)
    except (AssertionError, ValueError) as error:
        if len(paths) == 1:
            return [f"ends in a trace: {str(error)[-600:]}"]
        half = len(paths) // 2
        parts = (paths[:half], paths[half:])
        return [each for part in parts for each in _timed_reports(verifier, part, keys, name, longest)]
    for report in reports:
        longest.note(name, report["seconds"])
    return [report if report["seconds"] <= LATEST else f"answers after {report['seconds']:.1f} s" for report in reports]


def _faults(
    forgery: RandomForgery, program: ProgramAnswer | str, python: dict[str, Any] | str, javascript: dict[str, Any] | str
) -> Iterator[str]:
    """What is wrong with the three answers to a forgery."""
    answers = {"the program": program, "Python": python, "JavaScript": javascript}
    broken = [f"{who} {say}" for who, say in answers.items() if isinstance(say, str)]
    yield from broken
    if broken or isinstance(program, str) or isinstance(python, str) or isinstance(javascript, str):
        return
    yield from _small_differences(forgery, python, javascript)
    if program.audit is not None and _refuses(program.audit) is not _refuses(program.verify) and not program.is_due:
        yield f"verify answers {program.verify} and audit {program.audit}"
    yield from _disagreement(program, python["status"])
    if program.verify not in REFUSED:
        yield from untrue(forgery, program.coverage, decided=True)
    if python["status"] not in REFUSED:
        yield from (f"Python: {say}" for say in untrue(forgery, python["coverage"], decided=False))
    if javascript["status"] not in REFUSED:
        yield from (f"JavaScript: {say}" for say in untrue(forgery, javascript["coverage"], decided=False))


def _disagreement(program: ProgramAnswer, small: int) -> Iterator[str]:
    """Where the program and the small verifiers differ, except in what only the rules show."""
    if _refuses(small) is _refuses(program.verify):
        return
    if program.failed and program.failed <= BY_RULES_ALONE.keys():
        return
    if any(say in program.says for say in UNREAD_BY_RULES_ALONE):
        return
    why = ", ".join(sorted(program.failed)) or program.says
    yield f"the program answers {program.verify} ({why}) and the small verifiers {small}"


def _refuses(status: int) -> bool:
    return status in REFUSED


def _small_differences(forgery: RandomForgery, python: dict[str, Any], javascript: dict[str, Any]) -> Iterator[str]:
    """Where the two small verifiers differ: in their status, or in what they say of a file that they do not refuse.

    A line that is both wrong JSON and not what its hash says may be called either; it is refused in any case.
    """
    if python["status"] != javascript["status"]:
        if forgery.kind == JSON and _refuses(python["status"]) and _refuses(javascript["status"]):
            return
        yield f"Python answers {python['status']} and JavaScript {javascript['status']}"
    elif not _refuses(python["status"]):
        one, two = python_answer(python), javascript_answer(javascript)
        if (one.proved, one.derived) != (two.proved, two.derived):
            shown = f"{one.proved} and {one.derived} cards, JavaScript {two.proved} and {two.derived}"
            yield f"Python proves and derives {shown}"
        for mine, other in zip(python["coverage"], javascript["coverage"], strict=True):
            if mine != other:
                yield f"the coverage is {mine} in Python and {other} in JavaScript"


# ---------------------------------------------------------------------------------------------------- what is told


def untrue(forgery: RandomForgery, coverage: Sequence[dict[str, Any]], *, decided: bool) -> Iterator[str]:
    """What a reader is told of a forgery that was not refused, and is not so."""
    told = _entries(forgery.data)
    if forgery.kind in BY_HOUSE:
        yield from _untrue_by_house(forgery, coverage, told, decided=decided)
        return
    histories = [forgery.honest.history.bodies(), forgery.twin.history.bodies()]
    for each in coverage:
        stream = each["stream"]
        signed = max((reach["to"] for reach in each["signed"]), default=0)
        mine = told.get(stream, {})
        yield from _false_reach(forgery, each, mine, signed)
        own, *others = (bodies.get(stream, []) for bodies in histories)
        covered = {index: body for index, body in mine.items() if index < signed}
        if not any(_holds(covered, bodies) for bodies in (own, *others)):
            yield f"{stream}: what is signed to {signed} is not what the honest log holds"
        if not any(_holds(mine, bodies) for bodies in (own, *others)) and not _is_said_to_be_open(each, signed):
            yield f"{stream}: persons, times or acts after entry {signed} are others, and nobody says that it is open"
        if not decided and NOT_DECIDED not in each["gaps"]:
            yield f"{stream}: nothing was decided again, and nobody says so"
        if decided:
            known = own if forgery.kind != MIXED else [body for bodies in (own, *others) for body in bodies]
            is_by_number = forgery.kind not in (MIXED, ORDER)
            yield from _other_facts(stream, mine, own) if is_by_number else _unknown_acts(stream, mine, known)
    if not is_journal(forgery.data):
        yield from _other_frame(forgery, [gap for each in coverage for gap in each["gaps"]])


def _untrue_by_house(
    forgery: RandomForgery, coverage: Sequence[dict[str, Any]], told: dict[str, dict[int, Any]], *, decided: bool
) -> Iterator[str]:
    """The same of a file that the house has signed as it is: nothing but what was decided can be compared."""
    for each in coverage:
        if each["entries"] != len(told.get(each["stream"], {})) or each["decided"] > each["entries"]:
            yield f"{each['stream']}: {each['entries']} entries, {each['decided']} of them decided again"
        if not decided and NOT_DECIDED not in each["gaps"]:
            yield f"{each['stream']}: nothing was decided again, and nobody says so"
    if decided:
        yield from untrue_of_house(forgery.kind, told, forgery.honest.history.bodies())


NOT_DECIDED = "nothing was decided again: this verifier does not know the rules"


def _entries(data: bytes) -> dict[str, dict[int, Any]]:
    """The entries of a file that was not refused, by stream and number."""
    if is_journal(data):
        records = [line["record"] for line in map(json.loads, data.splitlines()) if "record" in line]
    else:
        records = [entry["record"] for entry in json.loads(data)["entries"]]
    found: dict[str, dict[int, Any]] = {}
    for record in records:
        found.setdefault(record["stream"], {})[record["seq"]] = record
    return found


def _holds(told: dict[int, Any], bodies: Sequence[bytes]) -> bool:
    return all(index < len(bodies) and canonical(record) == bodies[index] for index, record in told.items())


def _is_said_to_be_open(coverage: dict[str, Any], signed: int) -> bool:
    """Whether a reader is told that nobody has signed what comes after this many entries."""
    if signed:
        return any(f"not signed: nobody signed after entry {signed:,}" in gap for gap in coverage["gaps"])
    return any(gap.startswith(("no key was given", "no key that was given has signed it")) for gap in coverage["gaps"])


def _false_reach(forgery: RandomForgery, coverage: dict[str, Any], told: dict[int, Any], signed: int) -> Iterator[str]:
    """A coverage that the honest signatures do not give."""
    stream = coverage["stream"]
    if coverage["entries"] != len(told):
        yield f"{stream}: {coverage['entries']} entries, and the file has {len(told)}"
    if coverage["decided"] > coverage["entries"]:
        yield f"{stream}: {coverage['decided']} of {coverage['entries']} entries decided again"
    text = _text(forgery.data)
    notes = [note for each in (forgery.honest, forgery.twin) for note in _notes(each, stream)]
    there = [size for origin, size, note in notes if note in text]
    if signed and signed not in there:
        yield f"{stream}: signed to {signed}, which no honest checkpoint in the file says"
    if coverage["cosigned"] and forgery.honest.keys != COSIGNED:
        yield f"{stream}: cosigned, and nobody cosigned the honest file"
    for each in coverage["cosigned"]:
        if each["to"] not in there or each["at"] != cosigned_at(each["to"]):
            yield f"{stream}: cosigned to {each['to']} at {each['at']}, which no honest witness did"
    needs_gap = signed < max(told or {0: None}) + 1
    if needs_gap and not coverage["gaps"]:
        yield f"{stream}: signed to {signed} only, and nothing is said to be open"


def _text(data: bytes) -> str:
    """All checkpoints of a file, as text."""
    if is_journal(data):
        lines = [json.loads(line) for line in data.splitlines()]
        return "\n".join(line["checkpoint"] for line in lines if "checkpoint" in line)
    return str(json.loads(data).get("checkpoint", ""))


def _notes(honest: HonestFile, stream: str) -> list[tuple[str, int, str]]:
    """The signed texts of an honest file's checkpoints of a stream: name, size, and the text."""
    if honest.keys == UNSIGNED:
        return []
    if not honest.is_journal:
        notes = [json.loads(honest.data)["checkpoint"]]
    else:
        lines = [json.loads(line) for line in honest.data.splitlines()]
        notes = [line["checkpoint"] for line in lines if "checkpoint" in line and line["stream"] == stream]
    texts = [note.partition("\n\n")[0] for note in notes]
    return [(text.split("\n")[0], int(text.split("\n")[1]), text) for text in texts]


def _other_facts(stream: str, told: dict[int, Any], bodies: Sequence[bytes]) -> Iterator[str]:
    """Cards and money of entries that differ from the honest ones, though everything was decided again."""
    for index, record in told.items():
        if index >= len(bodies):
            yield f"{stream} {index}: the honest log has no such entry"
            continue
        honest = json.loads(bodies[index])
        for field in ("events", "refused", "seq", "event", "stream"):
            if record.get(field) != honest.get(field):
                yield f"{stream} {index}: other {field}, and nothing is wrong"


def _unknown_acts(stream: str, told: dict[int, Any], bodies: Sequence[bytes]) -> Iterator[str]:
    """Entries that stand in no honest history under any number: who did what when, and what came of it."""
    known = {_without_numbers(json.loads(body)) for body in bodies}
    for index, record in told.items():
        if _without_numbers(record) not in known:
            yield f"{stream} {index}: no honest history has this act"


def _without_numbers(record: dict[str, Any]) -> bytes:
    return canonical({name: value for name, value in record.items() if name not in ("seq", "event")})


def _other_frame(forgery: RandomForgery, gaps: Sequence[str]) -> Iterator[str]:
    """What a bundle says around its entries, which no signature covers: a reader is told what is not proved."""
    told = json.loads(forgery.data)
    frames = [json.loads(each.data) for each in (forgery.honest, forgery.twin)]
    if told.get("before") not in [each.get("before") for each in frames] and not any(
        "is stated by the bundle, not proved" in gap for gap in gaps
    ):
        yield "another state before the first record, and nobody says that it is not proved"
    if told["scope"] not in [each["scope"] for each in frames]:
        yield f"the scope {told['scope']}, and nothing is wrong"
    filed = {book["hash"]: book["submission"] for each in frames for book in each["rulebooks"]}
    if any(filed.get(book["hash"], book["submission"]) != book["submission"] for book in told["rulebooks"]):
        yield "another Submission under an honest hash, and nothing is wrong"
