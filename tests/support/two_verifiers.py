"""The two independent verifiers side by side: many journals in one process of each, and where their reports differ."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

import verify_baccarat
from javascript import reports_of

PYTHON_VERIFIER = Path(verify_baccarat.__file__)

# What both check, with the names of the checks in Python and in JavaScript that look into it. A check that one of them
# leaves out where it has nothing to say counts as not made.
QUESTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "form": (("form",), ("form",)),
    "chain": (("chain",), ("entries", "chain")),
    "checkpoints": (("checkpoints",), ("checkpoints",)),
    "ids": (("ids",), ("ids",)),
    "shoes": (("shoes",), ("shoes",)),
    "card proofs": (("card proofs",), ("proofs of cards",)),
    "seeds": (("seeds",), ("seeds",)),
    "contributions": (("contributions",), ("contributions",)),
    "signatures": (("signatures",), ("signatures",)),
    "rules": (("rules",), ("rules",)),
    "decided again": (("decided again",), ("decided again",)),
    "other streams": (("other streams",), ("other streams",)),
    "refusals": (("refusals",), ("refusals",)),
}
GOOD = (3,)
"""The status of a file in which nothing is wrong: these verifiers decide nothing again, so all is never covered."""
WORST_FIRST = ("wrong", "holds", "not checked")


class Answer(msgspec.Struct, frozen=True):
    """What a verifier says to a file, in words that both share."""

    status: int
    checks: dict[str, str]
    """For each question: `holds`, `wrong` or `not checked`."""
    logs: tuple[tuple[str, int, str], ...]
    """Of each stream its name, its size and its root; only of a file in which nothing is wrong."""
    proved: int
    """Cards by their proofs; only of a file in which nothing is wrong."""
    derived: int
    """Cards that follow from a seed; only of a file in which nothing is wrong."""
    first_line: int
    """The first line in which something is wrong; 0 if nothing is."""


def python_reports(paths: Sequence[Path], keys: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The reports of the verifier in Python on these files under these keys, each by itself, made in one process."""
    words = [sys.executable, "-I", "-c", REPORTS, str(PYTHON_VERIFIER.parent)]
    given = json.dumps([[*map(str, paths)], [*keys]]).encode()
    done = subprocess.run(words, input=given, capture_output=True, check=False)
    assert done.stderr == b"", done.stderr.decode()
    files: list[dict[str, Any]] = json.loads(done.stdout)
    return files


# Several files on a command line must agree on each log; those of a corpus are histories that nobody reads together.
REPORTS = """
import json, sys, time
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_baccarat as verifier
names, keys = json.load(sys.stdin)
policy = verifier.policy_of_arguments(keys, None)
reports, seconds = [], []
for name in names:
    began = time.process_time()
    reports.append(verifier.verify_file(Path(name), policy))
    seconds.append(time.process_time() - began)
verifier.with_unused_keys(reports)
made = [{"file": name, "seconds": taken, **report.as_json()} for name, taken, report in zip(names, seconds, reports)]
json.dump(made, sys.stdout)
"""


def both(paths: Sequence[Path]) -> list[tuple[Answer, Answer]]:
    """What the verifiers in Python and in JavaScript say to each file."""
    with ThreadPoolExecutor(2) as pool:
        python, javascript = pool.submit(python_reports, paths), pool.submit(reports_of, paths)
        pairs = list(zip(python.result(), javascript.result(), strict=True))
    assert all(one["file"] == other["file"] for one, other in pairs)
    return [(python_answer(one), javascript_answer(other)) for one, other in pairs]


def python_answer(report: dict[str, Any]) -> Answer:
    """The report of the verifier in Python, in shared words."""
    texts = {check["check"]: check["text"] for check in report["checks"]}
    trees = [check["text"] for check in report["checks"] if check["check"] == "tree"]
    logs = [re.match(r"(.*): ([\d,]+) entries, root (\S+);", text) for text in trees]
    return Answer(
        status=report["status"],
        checks=_by_question([(check["check"], check["answer"]) for check in report["checks"]], 0),
        logs=tuple((log[1], _number(log[2]), log[3]) for log in logs if log) if report["status"] in GOOD else (),
        proved=_cards(texts.get("card proofs", "")) if report["status"] in GOOD else 0,
        derived=_cards(texts.get("seeds", "")) if report["status"] in GOOD else 0,
        first_line=_first_line(report["checks"], report["unreadable"]),
    )


def javascript_answer(report: dict[str, Any]) -> Answer:
    """The report of the verifier in JavaScript, in shared words."""
    words = {True: "holds", False: "wrong", None: "not checked"}
    texts = {check["name"]: check["say"] for check in reversed(report["checks"])}  # the first says what was derived
    is_good = report["status"] in GOOD
    return Answer(
        status=report["status"],
        checks=_by_question([(check["name"], words[check["holds"]]) for check in report["checks"]], 1),
        logs=tuple((log["stream"], log["size"], log["root"]) for log in report["logs"]) if is_good else (),
        proved=_cards(texts.get("proofs of cards", "")) if is_good else 0,
        derived=_cards(texts.get("seeds", "")) if is_good else 0,
        first_line=_first_line(report["checks"], "" if report["status"] != 2 else report["message"]),
    )


def _by_question(checks: list[tuple[str, str]], verifier: int) -> dict[str, str]:
    """The answer to each question: the worst of the checks that look into it."""
    if not checks:
        return {}
    answers: dict[str, str] = {}
    for question, names in QUESTIONS.items():
        given = [answer for name, answer in checks if name in names[verifier]]
        answers[question] = min(given, key=WORST_FIRST.index, default="not checked")
    return answers


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))


def _cards(text: str) -> int:
    """How many cards a check speaks of."""
    found = re.search(r"([\d,]+) cards?\b", text)
    return _number(found[1]) if found else 0


def _first_line(checks: list[dict[str, Any]], unreadable: str) -> int:
    """The first line that a fault, or the message about an unreadable file, names."""
    says = [fault["where"] for check in checks for fault in check["faults"]] + [unreadable]
    found = [re.match(r"line (\d+)", say) for say in says]
    return min((int(each[1]) for each in found if each), default=0)


def differences(python: Answer, javascript: Answer) -> list[str]:
    """Where the two verifiers do not say the same, each with both answers."""
    made = [
        f"{name}: {getattr(python, name)} in Python, {getattr(javascript, name)} in JavaScript"
        for name in ("status", "logs", "proved", "derived", "first_line")
        if getattr(python, name) != getattr(javascript, name)
    ]
    questions = sorted({*python.checks, *javascript.checks})
    return made + [
        f"{question}: {one} in Python, {other} in JavaScript"
        for question in questions
        if (one := python.checks.get(question)) != (other := javascript.checks.get(question))
    ]
