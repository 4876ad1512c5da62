"""What the studies' verbs share: libraries that may be missing, pictures to a file, percentages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from baccarat.cli.out import FAULT, console, fail, line
from baccarat.report.save import PICTURE, CannotWrite, check_path, save


@contextmanager
def studying(svg: Path | None) -> Iterator[None]:
    """Refusals become messages with status 2; a path that cannot be written is refused before the long work."""
    try:
        if svg is not None:
            check_path(svg, PICTURE)
        yield
    except CannotWrite as error:
        fail(str(error), FAULT)
    except ModuleNotFoundError as error:
        extra = "data" if error.name == "pyarrow" else "sim"
        fail(f"this study needs {error.name}: install baccarat[{extra}]", FAULT)
    except ValueError as error:
        fail(str(error), FAULT)
    except (MemoryError, OverflowError):
        fail("this study is too large for this machine: ask for smaller numbers", FAULT)


def save_picture(svg: Path | None, picture: str, *, quiet: bool) -> None:
    """Write the picture where one is wanted."""
    if svg is None:
        return
    save(svg, picture.encode())
    if not quiet:
        console.print(line(f"written: {svg}"))


def percents(value: float, places: int = 3) -> str:
    """A share as a percentage, with a true minus."""
    return f"{100 * value:.{places}f} %".replace("-", "−")


def money(cents: float) -> str:
    """A mean of sums, in dollars, with a true minus."""
    return f"{'−' if cents < 0 else ''}${abs(cents) / 100:,.2f}"
