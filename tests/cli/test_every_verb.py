"""Beside the result, for every verb of the program: exit status, JSON, the command that repeats it, and progress.

The verbs are enumerated from the program: a new one fails here until it has an example, or a reason why none can run.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from typer.main import get_command
from typer.testing import CliRunner, Result

from baccarat.cli import app, output
from paths import ROOT

EXAMPLES = ROOT / "docs" / "examples"
SCRIPT = (EXAMPLES / "dispute.jsonl").read_text(encoding="utf-8")
RECORD = {
    "ruleset": "ma-midi-4", "cards": ["2S", "3H", "AD", "JD", "TC", "5S"],
    "wagers": [{"seat": 3, "type": "banker", "amount": 10300}],
}  # fmt: skip
ELSEWHERE = {
    "serve": "it runs until it is ended: tests/serve",
    "bots": "it plays at a house that is served: tests/cli/test_bots.py",
    "witness": "it runs until it is ended: tests/cli/test_witness.py",
    "backup": "it needs a house: tests/serve/test_backup.py",
    "restore": "it needs a house's copy: tests/serve/test_backup.py",
    "archive": "it needs a house: tests/serve/test_archive.py",
    "doctor": "it looks at a house and at this machine: tests/serve/test_doctor.py",
    "play": "a person plays: tests/cli/test_keyboard.py",
    "drill": "a person answers: tests/cli/test_drill.py",
    "journal cosign": "it needs a witness: tests/cli/test_witness.py",
}
"""Verbs that serve, wait for a person, or need a house."""


class Example(NamedTuple):
    """A call of a verb: its words, with files in braces, and its exit status."""

    words: str
    status: int = 0


EXAMPLE_OF: dict[str, Example] = {
    "deal": Example("ma-midi-4 2s 3h Ad Jd Tc 5s -w 3:banker:$103"),
    "settle": Example("{records}"),
    "price": Example("ma-midi-4 banker --stake $103"),
    "compare": Example("ma-midi-4 --set tie_odds=9"),
    "simulate": Example("ma-midi-4 --shoes 40"),
    "roads": Example("BBPPPBBBBPBTPPPPPPPPB"),
    "run": Example("{script}", 1),
    "resettle": Example("{journal} --submission ma-midi-4 --set tie_odds=9"),
    "transcript": Example("{answers}"),
    "audit": Example("{faulty} --submission ma-midi-4", 1),
    "bundle": Example("{journal} --round 1 --output {out}"),
    "verify": Example("{journal}", 3),
    "rules new": Example("ma-midi-4"),
    "rules new-edition": Example("atlantis-1 --like ma-midi-4"),
    "rules list": Example(""),
    "rules show": Example("ma-midi-4 12(c)"),
    "rules diff": Example("ma-midi-3 ma-midi-4"),
    "rules check": Example("ma-midi-4"),
    "rules coverage": Example("ma-midi-4 --state physical"),
    "journal key": Example("{key}"),
    "journal checkpoint": Example("{journal} --key {key}"),
    "journal prove": Example("{journal} --record 2"),
    "journal check": Example("{proof} --journal {journal} --key {public}"),
    "journal names": Example("{journal}"),
    "shuffle export": Example("nj-punto-banco --seed lab --orders 2 --cards --csv --to {out}"),
    "shuffle battery": Example("ma-midi-4 --shoes 200 --seed lab"),
    "study hands": Example("ma-midi-4 --riffles 5 --shoes 20"),
    "study counts": Example("ma-midi-4-ez dragon7 --shoes 20"),
    "study patrons": Example("ma-midi-4 --seat banker=$25 --sessions 20"),
    "study wagers": Example("ma-midi-4-ez --shoes 20 --effect 20"),
    "study house": Example("ma-midi-4 --seat player=$100 --days 1"),
    "study records": Example("ma-midi-4 --shoes 2 --to {out}"),
}
RUNS_DIFFER = {
    "seconds", "seconds_by", "began", "ended", "started", "prepared_seconds", "at", "time", "machine",
    "rounds_a_second", "shoes_a_second", "cpu", "command", "processor_seconds", "memory",
}  # fmt: skip
"""What another run of the same command may say otherwise: how long it took, and on what machine."""


def verbs(command: Any, *words: str) -> Iterator[str]:
    """Every verb of the program, in words."""
    below = getattr(command, "commands", {})
    for name, each in below.items():
        yield from verbs(each, *words, name)
    if not below:
        yield " ".join(words)


def call(*words: str) -> Result:
    """What the program says to these words; a trace is a failure."""
    done = CliRunner().invoke(app, list(words))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The files that examples name."""
    folder = tmp_path_factory.mktemp("every-verb")
    place = {
        name: folder / name for name in ("script.jsonl", "journal.jsonl", "answers.jsonl", "key", "public", "proof")
    }
    place["script.jsonl"].write_text(SCRIPT, encoding="utf-8")
    done = call("run", str(place["script.jsonl"]), "--journal", str(place["journal.jsonl"]))
    assert done.exit_code == 1, "an act of the dispute is refused"
    place["answers.jsonl"].write_text(done.stdout, encoding="utf-8")
    records, out = folder / "records.jsonl", folder / "out.parquet"
    records.write_text(json.dumps(RECORD) + "\n", encoding="utf-8")
    assert call("journal", "key", str(place["key"]), "--new", "example.org/house/table/1").exit_code == 0
    place["public"].write_text(call("journal", "key", str(place["key"])).stdout, encoding="utf-8")
    assert call("journal", "checkpoint", str(place["journal.jsonl"]), "--key", str(place["key"])).exit_code == 0
    proof = call("journal", "prove", str(place["journal.jsonl"]), "--record", "2")
    place["proof"].write_text(proof.stdout, encoding="utf-8")
    named = {name.partition(".")[0]: str(path) for name, path in place.items()}
    return {**named, "records": str(records), "faulty": str(EXAMPLES / "faulty.csv"), "out": str(out)}


def words_of(verb: str, files: dict[str, str]) -> list[str]:
    """The words of a verb's example."""
    return [*verb.split(), *(word.format(**files) for word in EXAMPLE_OF[verb].words.split())]


def values_of(text: str) -> list[Any]:
    """What JSON says: one value, or one on each line."""
    try:
        return [json.loads(text)]
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def without_times(value: Any) -> Any:
    """A value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in RUNS_DIFFER}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def commands_in(value: Any) -> Iterator[list[str]]:
    """Every command of the program that a value holds."""
    if isinstance(value, dict):
        for each in value.values():
            yield from commands_in(each)
    elif isinstance(value, list):
        if value[:1] == ["baccarat"] and all(isinstance(each, str) for each in value):
            yield value[1:]
        else:
            for each in value:
                yield from commands_in(each)


def test_every_verb_has_an_example_or_a_reason() -> None:
    assert sorted([*EXAMPLE_OF, *ELSEWHERE]) == sorted(verbs(get_command(app)))
    assert all((ROOT / where.rpartition(": ")[2]).exists() for where in ELSEWHERE.values())


@pytest.mark.slow
@pytest.mark.parametrize("verb", EXAMPLE_OF)
def test_a_verb_ends_alike_in_text_and_json_and_what_it_says_to_run_again_gives_the_same(
    verb: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words, status = words_of(verb, files), EXAMPLE_OF[verb].status

    def call_anew(*given: str) -> Result:
        Path(files["out"]).unlink(missing_ok=True)
        return call(*given)

    text = call_anew(*words)
    assert text.exit_code == status, (text.stdout, text.stderr)
    assert text.stdout.endswith("\n")
    assert "\x1b" not in text.stdout, "no colours where nobody looks"
    said = call_anew(*words, "--json")
    assert said.exit_code == status, (said.stdout, said.stderr)
    assert said.stdout.endswith("\n")
    values = values_of(said.stdout)
    for again in [*commands_in(values)]:
        repeated = call_anew(*again, "--json")
        assert repeated.exit_code == status, (again, repeated.stderr)
        assert without_times(values_of(repeated.stdout)) == without_times(values), again
    for line in re.findall(r"(?:run again|again with|repeat(?: it)? with): (baccarat .+)", text.stdout + text.stderr):
        assert call_anew(*shlex.split(line)[1:]).exit_code == status, line
    monkeypatch.setattr(output.errors, "_force_terminal", True)  # progress is shown to somebody
    watched = call_anew(*words, "--json")
    assert watched.exit_code == status
    if not any(commands_in(values)):  # where a seed is drawn, a repeated command is compared instead
        assert without_times(values_of(watched.stdout)) == without_times(values), "progress is never in the result"
    assert "\x1b" not in watched.stdout
    values_of(watched.stdout)
    if verb == "simulate":
        assert "\x1b" in watched.stderr, "somebody who looks is shown how far it is"
