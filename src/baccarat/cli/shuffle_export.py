"""What `baccarat shuffle export` does: writes words or orders to a file or to standard output, a block at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import msgspec
from rich.progress import BarColumn, DownloadColumn, TextColumn

from baccarat.audit.battery.series import decks_of, order_of, stream, words_used
from baccarat.cards import DECK
from baccarat.cli.deal_run import seed_of
from baccarat.cli.output import complain, exit_on, fail, progress_bar, put_json, put_line
from baccarat.law.rulebook import Rulebook
from baccarat.record.durable import written_whole
from baccarat.report.save import CannotWrite, check_path
from baccarat.shuffle import REQUEST_BYTES, WORD_BITS

WORD_BYTES = WORD_BITS // 8


class ExportRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What to export: a number of words of one generator, the words of a number of shoes, or a number of orders."""

    words: int | None
    shoes: int | None
    orders: int | None
    cards: bool
    csv: bool


def export(rules: Rulebook, wanted: ExportRequest, seed: str | None, to: Path | None, *, json: bool) -> None:
    """Write what was requested."""
    key = seed_of(seed)
    with exit_on(ValueError):
        decks_of(rules)
    parts = _parts(rules, wanted, key)
    if to is not None:
        _to_file(to, parts, _total(rules, wanted), key, json=json)
        return
    if wanted.orders is None and sys.stdout.isatty():
        fail("raw bytes are not for a terminal: send them to a program, or name a file with --to")
    if seed is None:
        complain(f"the seed is {key.hex()}")
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)
    sys.stdout.buffer.flush()


def _parts(rules: Rulebook, wanted: ExportRequest, seed: bytes) -> Iterator[bytes]:
    if wanted.orders is not None:
        return _lines(rules, seed, wanted)
    if wanted.shoes is not None:
        return words_used(rules, seed, wanted.shoes)
    blocks = stream(rules, seed)
    if wanted.words is None:
        return blocks
    whole, rest = divmod(wanted.words * WORD_BYTES, REQUEST_BYTES)
    return chain(islice(blocks, whole), (next(blocks)[:rest] for _ in range(1 if rest else 0)))


def _lines(rules: Rulebook, seed: bytes, wanted: ExportRequest) -> Iterator[bytes]:
    names = [str(card) for card in DECK]
    for number in range(1, (wanted.orders or 0) + 1):
        order = order_of(rules, seed, number)
        cells = [names[each % len(names)] for each in order] if wanted.cards else order
        yield (",".join(map(str, cells)).encode() if wanted.csv else msgspec.json.encode(cells)) + b"\n"


def _total(rules: Rulebook, wanted: ExportRequest) -> int:
    """About how many bytes there will be, for the progress bar."""
    if wanted.words is not None:
        return wanted.words * WORD_BYTES
    size = 52 * decks_of(rules)
    if wanted.shoes is not None:
        return wanted.shoes * (size - 1) * WORD_BYTES
    return (wanted.orders or 0) * size * (5 if wanted.cards and not wanted.csv else 4)


def _to_file(to: Path, parts: Iterator[bytes], total: int, seed: bytes, *, json: bool) -> None:
    """The whole file, or nothing: it is written next to its path first."""
    with exit_on(CannotWrite):
        path = check_path(to)
    written = 0
    try:
        with (
            written_whole(path, mode=None) as made,
            made.open("wb") as file,
            progress_bar(TextColumn("{task.description}"), BarColumn(), DownloadColumn()) as bar,
        ):
            task = bar.add_task("writing", total=total)
            for part in parts:
                file.write(part)
                written += len(part)
                bar.update(task, completed=written)
    except OSError as error:
        fail(f"{to}: cannot be written: {error.strerror or error}")
    if json:
        put_json({"file": str(to), "bytes": written, "seed": seed.hex()})
    else:
        put_line(f"written: {to}, {written:,} bytes, from seed {seed.hex()}")
