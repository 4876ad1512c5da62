"""No verb overwrites a file that it reads: a journal, a log or a rulebook may be the only evidence there is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from baccarat.cli.output import fail


def keep_sources(target: Path | None, sources: Iterable[str | Path | None]) -> None:
    """Exit with a clear message if the output file is one of the input files, even under another name.

    A source that is not a file, such as the name of a shipped Submission or a key given as text, is skipped.
    """
    if target is None:
        return
    for source in sources:
        if source is not None and _is_same(target, str(source)):
            read = "standard input" if source == "-" else source
            fail(f"{target}: is also the input ({read}), and is not overwritten; choose another name")


def _is_same(target: Path, source: str) -> bool:
    try:
        written = target.stat()
        read = os.fstat(sys.stdin.fileno()) if source == "-" else os.stat(source)  # noqa: PTH116  any text, also a key
    except (OSError, ValueError, AttributeError):  # no such file, not a file name, standard input closed
        return False
    return os.path.samestat(written, read)
