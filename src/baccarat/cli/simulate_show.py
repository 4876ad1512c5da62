"""What `baccarat simulate` shows: progress while it runs, and what was found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from threading import Timer
from time import monotonic
from typing import Any

from rich.progress import BarColumn, TextColumn

from baccarat.cli.output import console, errors, figures, line, progress_bar, put_json, put_line, put_table
from baccarat.cli.price_data import fraction
from baccarat.cli.submission_name import typed_name
from baccarat.odds.gain import stake_objection
from baccarat.odds.show import percent
from baccarat.play.book import open_book
from baccarat.play.wager import WagerKind
from baccarat.sim.engine import Engine
from baccarat.sim.estimate import Estimate, estimates_missing
from baccarat.sim.job import Job
from baccarat.sim.manifest import ManifestRequest
from baccarat.sim.stream import source_of
from baccarat.sim.tally import Tally
from baccarat.sim.void_rounds import void_note

BAR_SECONDS = 0.25
"""Seconds between two updates of the bar."""
READY_SECONDS = 1.5
"""Seconds within which an engine that was used before is ready."""
FIRST_LINE, LINES = 1.0, 30.0
"""Without a terminal: seconds until the first line, and between the others."""
LEAST_BAR, MOST_BAR = 8, 40
"""The bar takes the width that the text next to it leaves, within these bounds."""
LEAST_SECONDS = 0.01
"""A shorter run says nothing about speed, and no rate is shown."""
UNITS = (("year", 365 * 86400), ("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
PREFIXES = ((10**15, "P"), (10**12, "T"), (10**9, "G"), (10**6, "M"), (10**3, "k"))


def duration(seconds: float) -> str:
    """`3 hours`, `1 minute`: a time in its largest unit that fits."""
    for name, size in UNITS:
        if seconds >= 1.5 * size or name == "second":
            count = round(seconds / size)
            return f"{count:,} {name}" + ("" if count == 1 else "s")
    raise AssertionError("seconds always fit")


def short_number(number: float) -> str:
    """`3.26 M`: a number with three digits."""
    for size, prefix in PREFIXES:
        if number >= size:
            return f"{number / size:.3g} {prefix}" if number < 1000 * size else f"{number / size:,.0f} {prefix}"
    return f"{number:.0f}"


@contextmanager
def announce_slow_start() -> Iterator[None]:
    """Print the reason for the wait if an engine is not ready within a moment."""
    words = "preparing: code that is not cached from an earlier run is compiled first, which takes some seconds"
    slow = Timer(READY_SECONDS, lambda: errors.print(line((words, "dim"))))
    slow.daemon = True
    slow.start()
    try:
        yield
    finally:
        slow.cancel()


class SimulationProgress:
    """Progress on standard error: a bar on a terminal; elsewhere a line now and then, for long runs only."""

    def __init__(self, job: Job, engine: Engine, request: ManifestRequest, start: Tally) -> None:
        until, stake = request.until, request.stake
        self.job, self.until, self.start = job, until, start
        self.on = until.on if until is not None else _default_wager(job)
        is_taken = stake is not None and stake_objection(open_book(job.rules), self.on, stake) is None
        self.stake = stake if is_taken else None
        self.begun = monotonic()
        self.next = self.begun + (BAR_SECONDS if errors.is_terminal else FIRST_LINE)
        if engine.prepared >= 1:
            errors.print(line((f"prepared in {engine.prepared:.1f} s ({engine.name})", "dim")))
        for note in engine.notes:
            errors.print(line((note, "yellow")))
        if start.shoes:
            errors.print(line(f"resuming after {start.shoes:,} shoes"))
        self.length = BarColumn(bar_width=LEAST_BAR)
        self.bar = progress_bar(self.length, TextColumn("{task.fields[said]}"))
        self.task = self.bar.add_task("", total=1.0, said="")

    def __enter__(self) -> SimulationProgress:
        self.bar.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.bar.stop()

    def update(self, tally: Tally) -> None:
        """The tally has grown."""
        now = monotonic()
        if now < self.next:
            return
        if errors.is_terminal:
            self.next = now + BAR_SECONDS
            said = bar_caption(self.progress_parts(tally, now), errors.width)
            spare = errors.width - 1 - max(map(len, said.splitlines()))
            self.length.bar_width = max(LEAST_BAR, min(MOST_BAR, spare))
            self.bar.update(self.task, completed=self.part(tally), said=said)
        else:
            self.next = now + LINES
            errors.print(line(" · ".join(self.progress_parts(tally, now))))

    def part(self, tally: Tally) -> float:
        """How much of the work is done."""
        shoes = tally.shoes / self.job.shoes.shoes
        return shoes if self.until is None else max(shoes, min(1.0, tally.rounds / self.until.rounds))

    def progress_parts(self, tally: Tally, now: float) -> list[str]:
        """Rounds, rate, time left, and the interval of one wager."""
        seconds = max(now - self.begun, 1e-9)
        part, before = self.part(tally), self.part(self.start)
        left = (1 - part) * seconds / (part - before) if part > before else 0
        rate = (tally.rounds - self.start.rounds) / seconds
        parts = [f"{short_number(tally.rounds)} rounds", f"{short_number(rate)}/s", f"{duration(left)} left"]
        if tally.rounds:
            found = tally.estimate(self.on, self.stake)
            parts.append(f"{found.name} edge {percent(found.edge)} ± {percent(Fraction(found.half_width))}")
        return parts


def bar_caption(parts: Sequence[str], width: int) -> str:
    """The text next to the bar: on one line if a short bar fits next to it, else the interval on its own line."""
    said = " · ".join(parts)
    if len(said) + 1 + LEAST_BAR <= width:
        return said
    return "\n".join((" · ".join(parts[:-1]), parts[-1]))


def _default_wager(job: Job) -> WagerKind:
    """The wager whose interval is shown by default."""
    kinds = [kind for kind in open_book(job.rules).kinds if kind in open_book(job.rules).verdicts]
    return WagerKind.BANKER if WagerKind.BANKER in kinds else kinds[0]


def estimates(tally: Tally, stake: int | None) -> tuple[dict[WagerKind, Estimate], list[str]]:
    """Every wager that the tally can price, and why some are priced per unit."""
    missing, notes, found = estimates_missing(tally), [], {}
    if not tally.rounds:
        return {}, ["no round was finished"]
    for on in open_book(tally.rules).kinds:
        if on.word in missing:
            continue
        try:
            found[on] = tally.estimate(on, stake)
        except ValueError as error:  # the table does not accept this stake on this wager
            found[on] = tally.estimate(on)
            notes.append(f"{found[on].name} is settled per unit: {error}")
    return found, notes


def short_shoes(job: Job) -> str | None:
    """A note if more rounds are requested than every shoe has cards for; None if all have them."""
    most = source_of(open_book(job.rules)).most_rounds
    if job.rounds is None or job.rounds <= most:
        return None
    return f"not every shoe has cards for {job.rounds:,} rounds, only for {most}: each is dealt as far as its cards go"


def unmet_goal_note(tally: Tally, request: ManifestRequest) -> str | None:
    """A note if an edge is not known as closely as requested; None if it is, or if nothing was requested."""
    until = request.until
    if until is None or until.is_reached(tally) or not tally.rounds:
        return None
    width = percent(Fraction(tally.estimate(until.on, request.stake).half_width))
    return (
        f"{until} is not reached: after {tally.rounds:,} rounds it is known to ±{width}, "
        f"and {until.rounds:,} rounds are needed"
    )


def put_found(
    tally: Tally, job: Job, request: ManifestRequest, *, manifest: Mapping[str, Any], is_whole: bool, json: bool
) -> None:  # fmt: skip
    """Show the results: a table for a person, or JSON with the counts, the estimates and the manifest."""
    found, notes = estimates(tally, request.stake)
    few = short_shoes(job)
    void = void_note(job.rules, rounds=tally.rounds, void=tally.void, to_cover=job.rounds is None)
    notes += [note for note in (few, void, unmet_goal_note(tally, request)) if note is not None]
    if json:
        until, missing = request.until, estimates_missing(tally)
        put_json({
            "tally": tally.counts_by_name(), "complete": is_whole,
            "until_reached": None if until is None else until.is_reached(tally),
            "estimates": {on.word: as_data(each) for on, each in found.items()},
            "missing": missing, "notes": notes, "manifest": manifest,
        })  # fmt: skip
        return
    if not tally.rounds:
        return  # the reason has been printed already
    how = "to the cover card" if job.rounds is None else f"{'up to ' if few else ''}{job.rounds} rounds of each"
    ranges = ", ".join(map(str, tally.ranges)) or "none"
    name = typed_name(request.submission, request.changes)
    put_line((name, "bold"), f"  edition {job.rules.edition.name}, rulebook {job.rules.hash[:12]}")
    put_line(f"seed {job.seed}, shoes {ranges}, {how}")
    _put_speed(tally, manifest)
    _put_table(found, estimates_missing(tally))
    for note in notes:
        put_line((note, "dim"))
    if job.rounds is None:
        say = "exact is the first round of a full shoe; to the cover card the cut-card effect moves edges a little"
        most = source_of(open_book(job.rules)).most_rounds
        put_line((f"{say}, with --rounds up to {most} it does not", "dim"))


def _put_table(found: Mapping[WagerKind, Estimate], missing: Mapping[str, str]) -> None:
    """Every wager with its edge, and which were not counted."""
    console.print()
    table = figures("wager", "edge found", "± 95 %", "exact", "z")
    for each in found.values():
        name = each.name if each.stake is None else f"{each.name} at {each.stake}"
        z = "–" if each.edge_z is None else f"{each.edge_z:+.2f}".replace("-", "−")
        cells = (name, percent(each.edge), percent(Fraction(each.half_width)), percent(each.exact_edge), z)
        table.add_row(*map(line, cells))
    put_table(table)
    console.print()
    for word, detail in missing.items():
        put_line((f"{word}: not counted; --detail {detail} counts it", "dim"))


def _put_speed(tally: Tally, manifest: Mapping[str, Any]) -> None:
    """How much was dealt, by which engine and how fast; rounds from a checkpoint are counted separately."""
    seconds = manifest["seconds"]
    dealt = tally.rounds - manifest["resumed_after_rounds"]
    per_shoe = f", {tally.rounds / tally.shoes:.4f} per shoe" if tally.shoes else ""
    void = f", {tally.void:,} void" if tally.void else ""
    now = "" if dealt == tally.rounds else f", {dealt:,} of them now" if dealt else ", all of them before"
    workers = f"{manifest['workers']} worker" + ("" if manifest["workers"] == 1 else "s")
    by = f"{manifest['engine']} ({manifest['engine_about']}), {workers}"
    if seconds < LEAST_SECONDS:
        time = f"less than {LEAST_SECONDS} s"
    else:
        time = f"{seconds:.2f} s" + (f", {short_number(dealt / seconds)} rounds/s" if dealt else "")
    put_line(f"{tally.rounds:,} rounds{per_shoe}{void}{now}  ", (f"{by}, {time}", "dim"))
    put_line((f"tally {tally.hash}", "dim"))


def as_data(found: Estimate) -> dict[str, Any]:
    """An estimate for a program; gains are those of the participant, per unit staked."""
    return {
        "name": found.name, "stake": None if found.stake is None else int(found.stake), "rounds": found.rounds,
        "won": found.won, "pushed": found.pushed, "mean": fraction(found.mean), "error": found.error,
        "exact": fraction(found.exact), "z": found.z, "edge": float(found.edge), "half_width_95": found.half_width,
    }  # fmt: skip
