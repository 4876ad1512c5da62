"""What the studies' verbs share: libraries that may be missing, pictures to a file, percentages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from baccarat.cli.output import fail, put_json, put_line
from baccarat.cli.status import STOPPED
from baccarat.cli.study_arguments import StudyArguments
from baccarat.law.rulebook import Rulebook
from baccarat.play.book import open_book
from baccarat.report.save import PICTURE, CannotWrite, check_path, save
from baccarat.sim.interval import Interval, half_width
from baccarat.sim.void_rounds import deep_cover_note

if TYPE_CHECKING:
    from baccarat.sim.study.house_study import MarkedDay
    from baccarat.sim.study.seat_sums import MarkedVigorish
    from baccarat.sim.study.strategy import Strategy


@contextmanager
def study_errors(svg: Path | None, *, shoes: int | None = None) -> Iterator[None]:
    """Refusals become messages with status 2; a path that cannot be written is refused before the long work.

    Meanwhile it is shown how many of these shoes have been dealt; Ctrl-C ends it with status 130.
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
        fail("stopped; a study that is not finished shows and keeps nothing: ask for fewer, or let it go on", STOPPED)
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
    """Write the picture where one is wanted."""
    if svg is None:
        return
    save(svg, picture.encode())
    if not quiet:
        put_line(f"written: {svg}")


def put_study(
    rules: Rulebook, asked: StudyArguments, found: msgspec.Struct, notes: list[str], show: Callable[[], None],
    *, json: bool, strategies: Sequence[Strategy] = (), more: Mapping[str, object] = {},
) -> None:  # fmt: skip
    """What a study has found, as JSON with what it takes to run it again, or as text with its notes below."""
    if json:
        about = {"rulebook": rules.hash, "manifest": asked.manifest(rules, strategies), "notes": notes}
        put_json({**about, **more, **msgspec.to_builtins(found)})
        return
    show()
    for note in notes:
        put_line((note, "yellow"))


def number(value: float, places: int, *, sign: str = "") -> str:
    """A number with a true minus, or with `+` as sign its plus too; nought has neither."""
    rounded = round(value, places)
    return f"{rounded or 0.0:{sign if rounded else ''}.{places}f}".replace("-", "−")


def percents(value: float, places: int = 3) -> str:
    """A share as a percentage, with a true minus."""
    return f"{number(100 * value, places)} %"


def money(cents: float) -> str:
    """A mean of sums, in dollars, with a true minus."""
    return f"{'−' if round(cents) < 0 else ''}${abs(cents) / 100:,.2f}"


def margin(error: float | None, samples: int | None, show: Callable[[float], str]) -> str:
    """What stands after ±: half of the 95 % interval; – where the error is not known.

    By Student's law for so many samples; None where the error is exact.
    """
    return "–" if error is None else nonzero_width(show(half_width(error, samples)))


def mean_money(mean: float, error: float | None, samples: int) -> str:
    """A mean of sums, and what stands after ±."""
    return f"{money(mean)} ± {margin(error, samples, money)}"


def owed_sums(owed: MarkedVigorish | MarkedDay, samples: int) -> list[str]:
    """Of vigorish that is deferred: what was collected, what was owed at most, and what was not collected."""
    means = (
        (owed.collected, owed.collected_error),
        (owed.peak, owed.peak_error),
        (owed.uncollected, owed.uncollected_error),
    )
    return [mean_money(mean, error, samples) for mean, error in means]


def z_text(value: float | None) -> str:
    """How many standard errors, with the sign; – where that is not known."""
    return "–" if value is None else number(value, 2, sign="+")


def nonzero_width(shown: str) -> str:
    """A width as it is shown; one that rounds to nought as less than the last digit: `<0.01`."""
    return shown if any(digit in shown for digit in "123456789") else f"<{shown[:-1]}1"


def share(value: float, interval: Interval, places: int = 2) -> str:
    """A share and its 95 % interval, in percent."""
    low, high = (number(100 * end, places) for end in interval)
    return f"{percents(value, places)} ({low}–{high})"


def ratio(value: float | None, error: float | None, samples: int, places: int) -> str:
    """A quotient of two means in percent, and what stands after ±; – for what is not known."""
    if value is None:
        return "–"
    return f"{percents(value, places)} ± {margin(error, samples, lambda half: number(100 * half, places))}"


def count(many: int, what: str) -> str:
    """`1 shoe`, `2,000 shoes`."""
    return f"{many:,} {what}{'s' if many != 1 else ''}"


def meters_note(name: str, meters: Mapping[str, int]) -> str:
    """What a progressive is studied at, in cents by meter."""
    shown = ", ".join(f"{meter.replace('_', ' ')} {money(cents)}" for meter, cents in meters.items())
    return (
        f"{name}: wagering alone, the meters at their seeds before every round: {shown}; what the wager itself adds to "
        "them is paid with them (reading A-15)"
    )


def void_notes(rules: Rulebook) -> list[str]:
    """What to know where the cover card lies so deep that a last round may lack cards."""
    note = deep_cover_note(rules)
    return [] if note is None else [note]


def vigorish_notes(rules: Rulebook) -> list[str]:
    """How vigorish is collected, where that is later than the payout."""
    return [deferred_note(rules)] if open_book(rules).vig_deferred else []


def deferred_note(rules: Rulebook) -> str:
    """What deferring means for a purse, and what becomes of a debt that it does not cover."""
    if rules.edition.vigorish_form is not None:
        written = "waived on a form, as a complimentary, and the patron may play on"
    else:
        written = "reported, and stays a receivable, and the patron leaves, for the next shoe waits until it is settled"
    return (
        "vigorish is marked, and collected at the end of the shoe and when a patron leaves: until then it lies in the "
        f"purse, and may be staked. What a purse does not cover is not collected: the whole sum owed is {written}"
    )
