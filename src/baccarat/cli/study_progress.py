"""Progress of a study: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic

from rich.progress import BarColumn, TextColumn

from baccarat.cli.output import errors, line, progress_bar
from baccarat.cli.simulate_show import BAR_SECONDS, LINES, duration, short_number


@contextmanager
def progress_of(dealt: Callable[[], int], total: int | None) -> Iterator[None]:
    """Show how many shoes have been dealt during a long run; without a total, that it is still running."""
    bar = progress_bar(BarColumn(), TextColumn("{task.fields[said]}"))
    task, over, begun = bar.add_task("", total=total, said=""), Event(), monotonic()

    def look() -> None:
        while not over.wait(BAR_SECONDS if errors.is_terminal else LINES):
            said = _progress_text(dealt(), total, monotonic() - begun)
            if errors.is_terminal:
                bar.update(task, completed=dealt() if total is not None else None, said=said)
            else:
                errors.print(line(said))

    looking = Thread(target=look, daemon=True)
    with bar:
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()


def _progress_text(shoes: int, total: int | None, seconds: float) -> str:
    """Shoes, rate and time left."""
    if total is None or not shoes:
        return f"{duration(seconds)}"
    left = max(0, total - shoes) * seconds / shoes
    done, rate = f"{short_number(shoes)} of {short_number(total)} shoes", f"{short_number(shoes / seconds)}/s"
    return f"{done} · {rate} · {duration(left)} left"
