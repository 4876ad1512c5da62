"""What the program and both small verifiers answer to cases of the conformance corpus, with all that a reader gives."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from conformance import FOLDER, Corpus, Verdict
from javascript import VERIFIER, run_node
from program_run import run_program
from two_verifiers import PYTHON_VERIFIER


class CaseAnswer(NamedTuple):
    """The status of a case, the checks that found something wrong, and everything that is not covered."""

    status: int
    wrong: set[str]
    gaps: str


def arguments(corpus: Corpus, case: Verdict) -> dict[str, Any]:
    """What a reader gives with the file of a case."""
    return {
        "file": str(case.file),
        "keys": corpus.texts_of(case),
        "receipts": [str(FOLDER / path) for path in case.receipts],
        "policy": str(FOLDER / case.policy) if case.policy else None,
        "memory": str(FOLDER / case.memory) if case.memory else None,
    }


def words(corpus: Corpus, case: Verdict) -> list[str]:
    """The same on a command line, where a reader's memory is written, too, and is therefore left out."""
    given = arguments(corpus, case)
    policy = ["--policy", given["policy"]] if given["policy"] else []
    return [
        given["file"],
        *policy,
        *(word for key in given["keys"] if not policy for word in ("--key", key)),
        *(word for path in given["receipts"] for word in ("--receipt", path)),
    ]


def program_answer(corpus: Corpus, case: Verdict, *more: str) -> CaseAnswer:
    """What `verify` answers; `more` words follow on its command line."""
    done = run_program("verify", "--json", *words(corpus, case), *more)
    assert isinstance(done.exception, SystemExit | None), (case.path, done.exception)
    if not done.stdout:
        return CaseAnswer(done.exit_code, {"unreadable"}, "")
    answers = json.loads(done.stdout)
    receipts = [each for each in answers if "receipt" in each]
    checks = [check for each in answers for check in each.get("checks", ())]
    wrong = {check["name"] for check in checks if check["holds"] is False}
    wrong |= {"unreadable" for each in answers if "unreadable" in each}
    wrong |= {"receipts" if each["status"] == 1 else "unreadable" for each in receipts if each["status"] in (1, 2)}
    gaps = [gap for each in answers for gap in each.get("coverage", {}).get("gaps", ())]
    return CaseAnswer(done.exit_code, wrong, "\n".join([*gaps, *(each["say"] for each in receipts)]))


def audit_answer(corpus: Corpus, case: Verdict, *more: str) -> CaseAnswer:
    """What `audit` answers to a journal, with the kinds of what it finds; `more` words follow on its command line."""
    done = run_program("audit", "--json", *words(corpus, case), *more)
    assert isinstance(done.exception, SystemExit | None), (case.path, done.exception)
    if not done.stdout:
        return CaseAnswer(done.exit_code, {"unreadable"}, "")
    report = json.loads(done.stdout)
    gaps = [gap for each in report["coverage"] for gap in each.get("gaps", ())]
    receipts = [f"{each['status']}: {each['say']}" for each in report["receipts"]]
    return CaseAnswer(done.exit_code, set(report["kinds"]), "\n".join([*gaps, *receipts]))


PYTHON = """
import json, sys
from pathlib import Path
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_baccarat as verifier

def reports_of(file, keys, receipts, policy, memory):
    try:
        asked = verifier.policy_of_arguments([] if policy else keys, policy)
        seen = verifier.Memory(is_stored=False) if memory is None else verifier.Memory.read(Path(memory))
    except (ValueError, verifier.UnreadableError, verifier.WrongError) as error:
        return [verifier.Report(unreadable=str(error))]
    held = [verifier.receipt_of_file(path, asked.keys) for path in receipts]
    proofs = [each for each in held if isinstance(each, verifier.Receipt)]
    reports = [verifier.verify_file(Path(file), asked, proofs, seen)]
    reports += [each for each in held if isinstance(each, verifier.Report)]
    verifier.with_unused_keys(reports)
    return reports

json.dump([[report.as_json() for report in reports_of(**each)] for each in json.load(sys.stdin)], sys.stdout)
"""


def python_answers(corpus: Corpus, cases: Sequence[Verdict]) -> list[CaseAnswer]:
    """What the verifier in Python answers, all in one process."""
    command = [sys.executable, "-I", "-c", PYTHON, str(PYTHON_VERIFIER.parent)]
    given = json.dumps([arguments(corpus, case) for case in cases]).encode()
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    assert done.stderr == b"", done.stderr.decode()
    return [_answer(reports, "check") for reports in json.loads(done.stdout)]


REPORTS_OF = """
import fs from 'node:fs';
const text = (name) => new TextDecoder('utf-8', { fatal: true }).decode(fs.readFileSync(name));
function reportsOf({ file, keys, receipts, policy, memory }) {
  const unreadable = (error) => ({ status: 2, message: error.message, coverage: [], checks: [] });
  let asked, seen;
  try {
    const given = keys.map((key) => verifier.readKey(key));
    asked = policy ? verifier.readPolicy(text(policy)) : verifier.policyOfKeys(given);
    seen = memory ? new verifier.CheckpointMemory(text(memory)) : null;
  } catch (error) {
    return [unreadable(error)];
  }
  const held = [];
  const unread = [];
  for (const name of receipts) {
    try {
      held.push(verifier.readReceipt(fs.readFileSync(name), name, asked.keys));
    } catch (error) {
      unread.push(unreadable(error));
    }
  }
  const report = verifier.reportOfFile(fs, file, { policy: asked, receipts: held, memory: seen });
  return [...verifier.withUnusedKeys([report]), ...unread];
}
"""
"""The reports of `verifier`, the module, on a file and on the receipts that cannot be read."""
JAVASCRIPT = f"""
import * as verifier from {json.dumps(VERIFIER.as_uri())};
{REPORTS_OF}
process.stdout.write(JSON.stringify(JSON.parse(fs.readFileSync(0, 'utf8')).map(reportsOf)));
"""


def javascript_answers(corpus: Corpus, cases: Sequence[Verdict]) -> list[CaseAnswer]:
    """What the verifier in JavaScript answers, all in one process."""
    given = json.dumps([arguments(corpus, case) for case in cases])
    process = run_node("--input-type=module", "--eval", JAVASCRIPT, text=given)
    assert process.stderr == b"", process.stderr.decode()
    return [_answer(reports, "name") for reports in json.loads(process.stdout)]


def _answer(reports: Sequence[dict[str, Any]], name: str) -> CaseAnswer:
    """The worst of the reports on a file and on the receipts that could not be read."""
    status = next(status for status in (1, 2, 3) if any(report["status"] == status for report in reports))
    checks = [check for report in reports for check in report["checks"]]
    wrong = {each[name] for each in checks if each.get("answer") == "wrong" or each.get("holds") is False}
    wrong |= {"unreadable" for report in reports if report["status"] == 2}
    gaps = [gap for report in reports for coverage in report["coverage"] for gap in coverage["gaps"]]
    said = [check.get("text", check.get("say")) for check in checks if check[name] == "receipts"]
    return CaseAnswer(status, wrong, "\n".join([*gaps, *said]))
