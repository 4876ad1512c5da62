"""A real terminal of a given size, in which the program runs."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import termios

from forked import Forked

UNWANTED = ("COLUMNS", "LINES", "NO_COLOR")


def in_terminal(
    *words: str, columns: int = 80, rows: int = 24, status: int = 0, typed: str = "", term: str = "xterm"
) -> list[str]:  # fmt: skip
    """The lines that the program prints in a terminal of this size, as it sent them, without colours.

    `typed` is what somebody types meanwhile.
    """
    # os.environ as it is known here: readline sets COLUMNS behind its back
    environment = {name: value for name, value in os.environ.items() if name not in UNWANTED} | {"TERM": term}
    stream, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    program = Forked(words, [inside] * 3, environment=environment, is_terminal=True)
    os.close(inside)
    if typed:
        os.write(stream, typed.encode())
    parts: list[bytes] = []
    while True:
        try:
            part = os.read(stream, 1 << 16)
        except OSError:  # the program has ended
            break
        if not part:
            break
        parts.append(part)
    os.close(stream)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(parts).decode()).replace("\r\n", "\n")
    assert program.wait() == status, text
    return text.splitlines()
