"""What `baccarat simulate` does: reads its arguments, deals, saves checkpoints, and shows the results."""

from __future__ import annotations

import secrets
import sys
from contextlib import closing
from pathlib import Path
from tempfile import gettempdir
from time import monotonic
from typing import NamedTuple, cast

import typer

from baccarat.cli.deal_run import show_shoe
from baccarat.cli.interrupt import Interrupts
from baccarat.cli.money import sum_of
from baccarat.cli.output import REFUSED, complain, errors, exit_on, fail, line
from baccarat.cli.same_file import keep_sources
from baccarat.cli.simulate_show import SimulationProgress, announce_slow_start, put_found
from baccarat.cli.status import STOPPED
from baccarat.cli.submission_name import typed_name
from baccarat.cli.whole_number import read_whole
from baccarat.law.rulebook import Rulebook
from baccarat.money import Cents
from baccarat.odds.gain import stake_objection
from baccarat.play.book import open_book
from baccarat.sim.checkpoint import BadCheckpoint, CheckpointNotSaved, read_checkpoint, write_checkpoint
from baccarat.sim.engine import Engine, NoEngine, NotInstalled, grow_tally, make_engine
from baccarat.sim.job import Job, make_job, rounds_within
from baccarat.sim.manifest import ManifestRequest, manifest
from baccarat.sim.plan import Detail
from baccarat.sim.stopping_rule import Until, parse_until
from baccarat.sim.stream import SEEDS, SHOES, shoe
from baccarat.sim.tally import BadTally, Tally

CHECKPOINT_SECONDS = 10.0
"""Seconds between two checkpoints."""


class SimulateArguments(NamedTuple):
    """The arguments of the verb, as they were typed."""

    submission: str
    changes: tuple[str, ...]
    editions: tuple[Path, ...]
    shoes: str | None
    seed: str | None
    first: str
    rounds: str | None
    detail: str
    engine: str
    workers: int | None
    cluster: str | None
    until: str | None
    stake: str | None
    checkpoint: Path | None
    json: bool


def parse_whole(name: str, text: str) -> int:
    """The whole number that was typed: `1000000`, `1,000,000`, `1e6` or `10^6`; anything else exits with a message."""
    with exit_on(ValueError, where=f"{name} {text!r}"):
        return read_whole(text)


def _seed(text: str | None) -> int:
    return secrets.randbelow(SEEDS) if text is None else parse_whole("--seed", text)


def show_again(rules: Rulebook, asked: SimulateArguments, number: str) -> None:
    """Deal one shoe of a seed again, through the ordinary engine, with every ruling."""
    if asked.seed is None:
        fail("--show deals a shoe of a seed again: give the --seed too")
    others = {
        "--shoes": asked.shoes, "--first": asked.first if asked.first != "0" else None, "--until": asked.until,
        "--detail": asked.detail if asked.detail != "totals" else None, "--workers": asked.workers,
        "--engine": asked.engine if asked.engine != "auto" else None, "--cluster": asked.cluster,
        "--stake": asked.stake, "--checkpoint": asked.checkpoint,
    }  # fmt: skip
    unused = [name for name, value in others.items() if value is not None]
    if unused:
        fail(f"--show deals one shoe again, with --seed and --rounds; {', '.join(unused)} has no meaning there")
    key, which = parse_whole("--seed", asked.seed), parse_whole("--show", number)
    with exit_on(ValueError):
        cards = shoe(rules, key, which)
        rounds = None if asked.rounds is None else rounds_within(parse_whole("--rounds", asked.rounds))
    name = typed_name(asked.submission, asked.changes)
    named = {"submission_name": asked.submission, "changes": list(asked.changes), "seed": key, "shoe": which}
    said = f"seed {key}  shoe {which}"
    show_shoe(rules, cards, [], name=name, said=said, named=named, json=asked.json, number=rounds)


def run(rules: Rulebook, asked: SimulateArguments) -> None:
    """Simulate as asked."""
    if asked.shoes is None and asked.until is None:
        fail("how many? Give --shoes, or --until")
    keep_sources(asked.checkpoint, [asked.submission, *asked.editions])
    try:
        stake = _stake(rules, asked.stake)
        job = _job(rules, asked)
        until = None
        if asked.until is not None:
            until = parse_until(asked.until, rules, detail=job.detail, stake=stake)
        start = _start(job, asked.checkpoint)
        with announce_slow_start():
            engine = make_engine(job, asked.engine, workers=asked.workers, cluster=asked.cluster)
    except NotInstalled as error:
        fail(str(error))
    except NoEngine as error:
        fail(str(error), REFUSED)
    except (ValueError, BadTally) as error:
        fail(str(error))
    request = ManifestRequest(asked.submission, asked.changes, stake, until)
    with Interrupts() as interrupts, closing(engine):
        work = _SimulationRun(job, engine, request, start, asked.checkpoint, interrupts)
        status = work.run_simulation()
        about = work.manifest(command_of(asked, job, work.tally, until))
        put_found(work.tally, job, request, manifest=about, is_whole=not status, json=asked.json)
        sys.stdout.flush()
        interrupts.end()
    raise typer.Exit(status)


def command_of(asked: SimulateArguments, job: Job, tally: Tally, until: Until | None) -> tuple[str, ...] | None:
    """The command that gives the same counts again, with the seed that was drawn; the engine makes no difference.

    For a stopped run, it covers the shoes counted so far; None if there are none, or not a single range.
    """
    is_whole = tally.ranges == (job.shoes,) or (until is not None and until.is_met(tally))
    if not is_whole and len(tally.ranges) != 1:
        return None
    first, shoes = (job.shoes.first, asked.shoes) if is_whole else (tally.ranges[0].first, tally.ranges[0].shoes)
    words = ["baccarat", "simulate", asked.submission]
    for change in asked.changes:
        words += ["--set", change]
    for path in asked.editions:
        words += ["--edition", str(path)]
    options = {
        "--shoes": shoes, "--seed": job.seed, "--first": first, "--rounds": job.rounds,
        "--detail": job.detail, "--stake": asked.stake, "--until": asked.until,
    }  # fmt: skip
    return (*words, *(word for name, value in options.items() if value is not None for word in (name, str(value))))


def _stake(rules: Rulebook, text: str | None) -> int | None:
    """The stake in cents; exits with a message if no wager accepts it."""
    if text is None:
        return None
    book, stake = open_book(rules), sum_of("--stake", text)
    if stake <= 0:
        fail(f"--stake {Cents(stake)}: expected a sum of more than zero")
    reasons = [stake_objection(book, on, stake) for on in book.kinds]
    if None not in reasons:
        fail(f"--stake: no wager accepts it: {reasons[0]}")
    return stake


def _job(rules: Rulebook, asked: SimulateArguments) -> Job:
    first = parse_whole("--first", asked.first)
    shoes = max(SHOES - first, 1) if asked.shoes is None else parse_whole("--shoes", asked.shoes)
    rounds = None if asked.rounds is None else parse_whole("--rounds", asked.rounds)
    detail = cast("Detail", asked.detail)  # checked in `Job`
    return make_job(rules, seed=_seed(asked.seed), shoes=shoes, first=first, rounds=rounds, detail=detail)


def _start(job: Job, path: Path | None) -> Tally:
    """The tally of this job in a checkpoint; an empty one if there is none."""
    if path is None or not path.exists():
        if path is not None and not path.parent.is_dir():
            fail(f"{path}: there is no folder {path.parent}")
        return job.empty_tally()
    try:
        return job.admit(read_checkpoint(path, job.rules))
    except BadCheckpoint as error:
        fail(str(error))
    except BadTally as error:
        fail(f"{path}: belongs to another simulation: {error}; the file is unchanged")


class _SimulationRun:
    """A simulation in progress: its tally, and where that is saved."""

    def __init__(
        self,
        job: Job,
        engine: Engine,
        request: ManifestRequest,
        start: Tally,
        path: Path | None,
        interrupts: Interrupts,
    ) -> None:
        self.job, self.engine, self.request, self.until, self.path = job, engine, request, request.until, path
        self.tally = self.start = start
        self.interrupts = interrupts
        self.watch = SimulationProgress(job, engine, request, start)
        self.begun = self.kept_at = monotonic()
        self.seconds = 0.0
        self.has_complained = False

    def run_simulation(self) -> int:
        """Deal to the end, or until it is stopped; returns the exit status."""
        try:
            status = self._deal()
            self.interrupts.ignore()
        except KeyboardInterrupt:
            status = STOPPED
        self.seconds = monotonic() - self.begun
        if status:
            self._leave_checkpoint(status)
        elif self.path is not None and not self.keep():
            status = REFUSED
        return status

    def _deal(self) -> int:
        try:
            growing = grow_tally(self.job, self.engine, start=self.start, until=self.until)
            with self.watch, closing(growing):
                for self.tally in growing:
                    self.interrupts.check()
                    self.watch.update(self.tally)
                    if monotonic() - self.kept_at >= CHECKPOINT_SECONDS and not self.keep(say=not self.has_complained):
                        self.has_complained = True  # once is enough: the simulation continues
        except NoEngine as error:
            complain(str(error))
            return REFUSED
        return 0

    def keep(self, *, say: bool = True) -> bool:
        """Write the checkpoint; if that fails, report it: an earlier checkpoint is unchanged."""
        self.kept_at = monotonic()
        if self.path is None or self.tally is self.start:
            return True
        try:
            write_checkpoint(self.path, self.tally)
        except CheckpointNotSaved as error:
            if say:
                complain(f"{error}; an earlier checkpoint is unchanged")
            return False
        return True

    def _leave_checkpoint(self, status: int) -> None:
        """After a stop: save what is done, in a file of our choice if none was named, and print how to resume."""
        what = "stopped" if status == STOPPED else "ended early"
        if not self.tally.shoes:
            complain(f"{what} before the first shoes were counted")
            return
        if self.path is None:
            self.path = Path(f"simulate-{self.job.rules.edition.name}-seed-{self.job.seed}.checkpoint")
            if self.path.exists():
                self.path = self.path.with_suffix(f".{self.tally.hash[:8]}.checkpoint")
        is_kept = self.keep()
        if not is_kept:  # a full disk, a missing folder: perhaps there is room elsewhere
            self.path = Path(gettempdir()) / f"{self.tally.hash[:16]}-{self.path.name}"
            is_kept = self.keep()
        if is_kept:
            of = f" of {self.job.shoes.shoes:,}" if self.until is None else ""
            how = f"give the same command with --seed {self.job.seed} --checkpoint {self.path}"
            errors.print(line(f"{what} after {self.tally.shoes:,}{of} shoes; to resume, {how}"))

    def manifest(self, command: tuple[str, ...] | None) -> dict[str, object]:
        """What was run, on what, and the command that runs it again."""
        return manifest(
            self.job, self.engine, self.tally, self.request, command=command, seconds=self.seconds, resumed=self.start
        )  # fmt: skip
