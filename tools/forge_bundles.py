"""Bundles by the thousand: shoes derived again from what was published, and forgeries of one field each, refused."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests" / "support")]

from baccarat.audit.bundle.form import read_bundle, write_bundle  # noqa: E402
from baccarat.audit.bundle.verdict import GOOD  # noqa: E402
from baccarat.audit.bundle.verification import verify_bundle  # noqa: E402
from baccarat.law.rulebook import shipped_submissions  # noqa: E402
from baccarat.record.policy import policy_of_keys  # noqa: E402
from bundle_forgery import forged_at, is_refused, remade, signable, ways  # noqa: E402
from bundles import LOG, SECOND_SHOE, WHOLE, WITNESS, bundle_of, short_shoes  # noqa: E402

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def derived(words: str, submission: str) -> str:
    """What is wrong with the honest bundle of two short shoes; empty is the right answer."""
    journal = short_shoes(submission, words=words)
    bundle = read_bundle(write_bundle(bundle_of(journal, WHOLE)))
    verdict = verify_bundle(bundle, policy=policy_of_keys((LOG.verifier, WITNESS.verifier)))
    seeds = [check for check in verdict.checks if check.name == "seeds"]
    if verdict.status != GOOD or [check.state for check in seeds] != ["holds"] or "2 shoes" not in seeds[0].say:
        return f"{submission} {words}: {verdict.checks}"
    return ""


def forged(words: str, submission: str, chance: random.Random) -> str:
    """Change one field of a bundle, recomputing the hashes that a forger can; returns what was not refused."""
    journal = short_shoes(submission, words=words)
    resigned = chance.random() < 0.5
    bundle = json.loads(write_bundle(bundle_of(journal, WHOLE if resigned else SECOND_SHOE)))
    way = chance.choice(signable(bundle) if resigned else ways(bundle))
    made = forged_at(bundle, way)
    if resigned or way[-1] != "hash":
        made = remade(made, tree=resigned)
    return "" if is_refused(made) else f"{submission} {words}: {way}, signed again: {resigned}"


@app.command()
def main(
    *,
    shoes: Annotated[int, typer.Option(help="how many shoes are derived again")] = 1_000,
    forgeries: Annotated[int, typer.Option(help="how many fields are forged")] = 1_000,
    seed: Annotated[int, typer.Option(help="which ones")] = 1,
) -> None:
    """Derive shoes again from their bundles, and forge bundles; ends with status 1 if one is missed."""
    submissions = shipped_submissions()
    missed = []
    for number in track(range(shoes // 2), description="shoes derived again", transient=True):
        missed.append(derived(f"{seed} {number}", submissions[number % len(submissions)]))
        short_shoes.cache_clear()
    chance = random.Random(seed)
    for number in track(range(forgeries), description="forgeries", transient=True):
        words = f"{seed} {number % 20}"  # twenty journals, each forged many times
        missed.append(forged(words, submissions[number % 20 % len(submissions)], chance))
    found = [each for each in missed if each]
    for each in found:
        print(each)
    print(f"{shoes // 2 * 2} shoes derived again, {forgeries} forgeries, {len(found)} missed")
    raise SystemExit(bool(found))


if __name__ == "__main__":
    app()
