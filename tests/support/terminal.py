"""A real terminal of a given size, in which the program runs."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios


def in_terminal(*words: str, columns: int = 80, rows: int = 24) -> list[str]:
    """The lines that the program prints in a terminal of this size, as it sent them, without colours."""
    child, stream = pty.fork()
    if child == 0:
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            os.environ.pop(name, None)
        os.environ["TERM"] = "xterm"
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.execv(sys.executable, [sys.executable, "-m", "baccarat", *words])
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
    _, status = os.waitpid(child, 0)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(parts).decode()).replace("\r\n", "\n")
    assert os.waitstatus_to_exitcode(status) == 0, text
    return text.splitlines()
