"""Witnesses over HTTP that have a share in every order, and the settings of a house that has them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote
from urllib.request import urlopen

from baccarat.record.encoding import from_base64
from baccarat.record.key import KeyKind, Signer
from baccarat.record.share import ShareSigner
from baccarat.record.witness import Witness
from baccarat.record.witness_folder import FolderMemory
from baccarat.record.witness_http import ANSWERED_PATH, WitnessServer
from baccarat.record.witness_share import ShareWitness

HOUSE = Signer("example.org/house", KeyKind.LOG, bytes(range(32)))
WITNESSES = ("surveillance", "commission")


class RunningWitness:
    """A witness over HTTP that has shares, with what it remembers in a folder; it can be switched off and on."""

    def __init__(self, name: str, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        seed = name.encode().ljust(32)[:32]
        cosigner = Signer(f"example.org/{name}", KeyKind.WITNESS, seed)
        self.key, self.secret, self.folder = cosigner.verifier, cosigner.secret, folder
        self.shares = ShareSigner(Signer(f"example.org/{name}/share", KeyKind.LOG, seed[::-1]), seed)
        memory = FolderMemory(folder, self.key)
        witness = Witness(cosigner, {}, memory, houses=[HOUSE.verifier])
        self.server = WitnessServer(("127.0.0.1", 0), witness, ShareWitness(witness, self.shares, memory))
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    @property
    def line(self) -> str:
        """How the file of witnesses names it."""
        return f"{self.key} {self.address} {self.shares.verifier}\n"


def answered_shares(address: str, origin: str) -> dict[str, bytes | None]:
    """The leaf hash of the closing for which the witness at an address opened its share, for each shoe of a log."""
    with urlopen(f"{address}{ANSWERED_PATH}?origin={quote(origin, safe='')}", timeout=10) as answer:
        rows = [line.partition(" ") for line in answer.read().decode().splitlines()]
    return {shoe: from_base64(leaf) for leaf, _, shoe in rows}


@contextmanager
def witnesses(folder: Path, names: Sequence[str] = WITNESSES) -> Iterator[list[RunningWitness]]:
    """Witnesses that answer over HTTP."""
    with ExitStack() as stack:
        running = [RunningWitness(name, folder / name) for name in names]
        for each in running:
            thread = threading.Thread(target=each.server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            stack.callback(thread.join)
            stack.callback(each.server.server_close)
            stack.callback(each.server.shutdown)
        yield running


class KnownByALine(Protocol):
    """A witness that the file of witnesses can name."""

    @property
    def line(self) -> str:
        """How it names it."""


def settings(folder: Path, running: Sequence[KnownByALine]) -> dict[str, Any]:
    """The settings of a house that signs and has these witnesses."""
    (folder / "sign.key").write_text(HOUSE.secret)
    (folder / "sign.key").chmod(0o600)
    (folder / "witness.pub").write_text("".join(each.line for each in running))
    return {"sign_key": str(folder / "sign.key"), "witness_keys": str(folder / "witness.pub")}
