"""Asks the fork server for one run of the program; as a script it is the program, for a shell that starts it by name.

It imports little, because it is read anew for each command of a shell.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence

COMPILED = ".compiled"
"""The ending of the address of the process that has read the compiler."""
COMPILED_VERBS = ("simulate", "study")


def ask(
    address: str, words: Sequence[str], streams: Sequence[int], *, folder: str, environment: Mapping[str, str],
    is_terminal: bool = False,
) -> socket.socket:  # fmt: skip
    """The connection over which come the id of the process, and its end."""
    request = {
        "words": list(words), "folder": folder, "environment": dict(environment), "is_terminal": is_terminal
    }  # fmt: skip
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address + COMPILED if words and words[0] in COMPILED_VERBS else address)
    socket.send_fds(connection, [json.dumps(request).encode()], list(streams))
    return connection


def main() -> None:
    """Be the program, as far as a shell can see."""
    address, *words = sys.argv[1:]
    with ask(address, words, (0, 1, 2), folder=os.getcwd(), environment=os.environ) as connection:  # noqa: PTH109
        answers = connection.makefile("rb")
        pid = int(answers.readline())
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _frame: os.kill(pid, number))
        for stream in (0, 1, 2):
            os.close(stream)  # the reader of a pipe waits for its last writer
        status = int(answers.readline())
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    main()
