"""The PostgreSQL server of the tests ends with them, however they end, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from paths import TESTS

pytestmark = pytest.mark.slow

RUN = """
import sys, time
from pathlib import Path
from postgres_server import serving

made = Path(sys.argv[1])
with serving(made / "data", within=made) as server:
    print((made / "data" / "postmaster.pid").read_text().split()[0], flush=True)
    time.sleep(600)
"""
PATIENCE = 60.0


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_run_that_is_ended_from_outside_leaves_no_server_and_no_folder(how: signal.Signals) -> None:
    made = Path(tempfile.mkdtemp(prefix="baccarat-pg-"))  # where another user may look
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS / "support"), *sys.path])}
    words = [sys.executable, "-c", RUN, str(made)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as run:
        assert run.stdout is not None
        server = int(run.stdout.readline())
        assert is_running(server)
        run.send_signal(how)
        assert run.wait() == -how
    end = time.monotonic() + PATIENCE
    while (made.exists() or is_running(server)) and time.monotonic() < end:
        time.sleep(0.1)
    assert not is_running(server)
    assert not made.exists()
