"""A witness, and the folder in which it keeps what it has cosigned."""

from __future__ import annotations

from pathlib import Path

import pytest

from baccarat.record.witness import Witness
from baccarat.record.witness_folder import FolderMemory
from witnessed import LOG, WITNESS


@pytest.fixture
def memory(tmp_path: Path) -> FolderMemory:
    (tmp_path / "memory").mkdir()
    return FolderMemory(tmp_path / "memory", WITNESS.verifier)


@pytest.fixture
def witness(memory: FolderMemory) -> Witness:
    return Witness(WITNESS, {LOG.verifier.name: [LOG.verifier]}, memory)
