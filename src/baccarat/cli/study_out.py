"""What the studies' verbs share: libraries that may be missing, picture files, results, and notes on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from baccarat.cli.output import fail, put_json, put_line
from baccarat.cli.status import STOPPED
from baccarat.cli.study_arguments import StudyArguments
from baccarat.cli.study_figures import money
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.report.save import PICTURE, CannotWrite, check_path, save
from baccarat.sim.void_rounds import deep_cover_note

if TYPE_CHECKING:
    from baccarat.sim.study.strategy import Strategy


@contextmanager
def study_errors(svg: Path | None, *, shoes: int | None = None) -> Iterator[None]:
    """Turn refusals into messages with status 2; a path that cannot be written is refused before the long work.

    Meanwhile progress is shown in shoes dealt; Ctrl-C ends it with status 130.
    """
    try:
        if svg is not None:
            check_path(svg, PICTURE)
        from baccarat.cli.study_progress import progress_of  # noqa: PLC0415
        from baccarat.sim.study.round_columns import DEALT  # noqa: PLC0415  which needs numpy

        before = DEALT.shoes
        with progress_of(lambda: DEALT.shoes - before, shoes):
            yield
    except KeyboardInterrupt:
        fail("stopped; an unfinished study shows and stores nothing: ask for fewer, or let it finish", STOPPED)
    except CannotWrite as error:
        fail(str(error))
    except ModuleNotFoundError as error:
        extra = "data" if error.name == "pyarrow" else "sim"
        fail(f"this study needs {error.name}: install baccarat[{extra}]")
    except ValueError as error:
        fail(str(error))
    except (MemoryError, OverflowError):
        fail("this study is too large for this machine: ask for smaller numbers")


def save_picture(svg: Path | None, picture: str, *, quiet: bool) -> None:
    """Write the picture if one was requested."""
    if svg is None:
        return
    save(svg, picture.encode())
    if not quiet:
        put_line(f"written: {svg}")


def put_study(
    rules: Rulebook, asked: StudyArguments, found: msgspec.Struct, notes: list[str], show: Callable[[], None],
    *, json: bool, strategies: Sequence[Strategy] = (), more: Mapping[str, object] = {},
) -> None:  # fmt: skip
    """Print the results of a study, as JSON with its manifest, or as text with its notes below."""
    if json:
        about = {"rulebook": rules.hash, "manifest": asked.manifest(rules, strategies), "notes": notes}
        put_json({**about, **more, **msgspec.to_builtins(found)})
        return
    show()
    for note in notes:
        put_line((note, "yellow"))


def meters_note(name: str, meters: Mapping[str, int]) -> str:
    """A note on the meters at which a progressive is studied, in cents."""
    shown = ", ".join(f"{meter.replace('_', ' ')} {money(cents)}" for meter, cents in meters.items())
    return (
        f"{name}: wagering alone, the meters at their seeds before every round: {shown}; what the wager itself adds to "
        "them is paid with them (reading A-15)"
    )


def void_notes(rules: Rulebook) -> list[str]:
    """Notes if the cover card lies so deep that a last round may lack cards."""
    note = deep_cover_note(rules)
    return [] if note is None else [note]


def vigorish_notes(rules: Rulebook) -> list[str]:
    """Notes on how vigorish is collected, if that is later than the payout."""
    return [deferred_note(rules)] if open_book(rules).vig_deferred else []


def deferred_note(rules: Rulebook) -> str:
    """A note on what deferring means for a purse, and for a debt that it does not cover."""
    if rules.edition.vigorish_form is not None:
        written = "waived on a form, as a complimentary, and the patron may play on"
    else:
        written = "reported and stays a receivable, and the patron leaves, as the next shoe waits until it is settled"
    return (
        "vigorish is marked, and collected at the end of the shoe and when a patron leaves: until then it lies in the "
        f"purse, and may be staked. What a purse does not cover is not collected: the whole sum owed is {written}"
    )
