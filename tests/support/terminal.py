"""A real terminal of a given size, in which the program runs."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import sys
import termios

UNWANTED = ("COLUMNS", "LINES", "NO_COLOR")


def in_terminal(*words: str, columns: int = 80, rows: int = 24, status: int = 0, typed: str = "") -> list[str]:
    """The lines that the program prints in a terminal of this size, as it sent them, without colours.

    `typed` is what somebody types meanwhile.
    """
    child, stream = pty.fork()
    if child == 0:
        # os.environ as it is known here, because readline sets COLUMNS behind its back, and execv would pass that on
        environment = {name: value for name, value in os.environ.items() if name not in UNWANTED} | {"TERM": "xterm"}
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)
        os.execve(sys.executable, [sys.executable, "-m", "baccarat", *words], environment)
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
    _, ended = os.waitpid(child, 0)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(parts).decode()).replace("\r\n", "\n")
    assert os.waitstatus_to_exitcode(ended) == status, text
    return text.splitlines()
