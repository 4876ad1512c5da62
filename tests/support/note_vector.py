"""Published notes and keys that the tests read and sign."""

from __future__ import annotations

from typing import Any

import msgspec

from baccarat.record.key import (
    Signer,
    Verifier,
)
from paths import ROOT

VECTORS: dict[str, Any] = msgspec.json.decode((ROOT / "tests" / "data" / "log" / "vectors.json").read_bytes())


SIGNERS = [Signer.parse(each["Signer"]) for each in VECTORS["keys"]]


VERIFIERS = [Verifier.parse(each["Verifier"]) for each in VECTORS["keys"]]


LOG = SIGNERS[0]
