"""The token that gives access to the metrics.

A proxy on the same machine cannot be distinguished from a local program unless it names its client. So the address of a
request never identifies the operator.
"""

from __future__ import annotations

from pathlib import Path

from baccarat.serve.setting import Setting
from baccarat.serve.store.base import StoreError

SHORTEST, LONGEST = 16, 1000


def read_metrics_token(setting: Setting) -> bytes:
    """The token in the file that is set; empty if none is. `StoreError` says what is wrong with it."""
    if not setting.metrics_token:
        return b""
    path = Path(setting.metrics_token)
    try:
        with path.open("rb") as file:
            token = file.read(LONGEST + 2).strip()
    except OSError as error:
        raise StoreError(f"{path}: the token for /metrics cannot be read: {error.strerror}") from None
    if not SHORTEST <= len(token) <= LONGEST or not token.isascii() or len(token.split()) != 1:
        raise StoreError(
            f"{path}: expected a token for /metrics in one line, {SHORTEST} to {LONGEST} letters and digits, such as "
            "`openssl rand -hex 32` prints"
        )
    return token
