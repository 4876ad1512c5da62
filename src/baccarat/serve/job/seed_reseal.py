"""Changing the sealing key: what was sealed under the old one is sealed again when the house opens, or it stays shut.

A house with the wrong key must not open: its electronic shoes could not be continued. If a key is really lost, its id
is set in `lost_keys`; then the shoes in play are abandoned, and two persons report each of their seeds.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from baccarat.record.sealed_seed import KeyNotAtHand, KeyRing, SealedSeed, SealedSeedError, seal, unseal
from baccarat.serve.setting import Setting
from baccarat.serve.store.base import Batch, SealedRow, StoreError, StoreReader

SEAL_KEY_SETTING = "seal_key"
"""The setting of a store that says under which key everything in it is sealed: the key's id, 64 bits of a hash that
reveal nothing of the key. It shows that a key is another one even if nothing is sealed yet."""


def resealed_seeds(setting: Setting, reads: StoreReader, ring: KeyRing) -> Batch:
    """Everything sealed again under the ring's first key, if the store names another one; otherwise an empty batch.

    `StoreError` if the house, or something in it, has a key that is neither on the ring nor reported lost.
    """
    kept = reads.setting(SEAL_KEY_SETTING)
    if kept == ring.current.id:
        return Batch()
    if kept is not None:
        _check_change(setting, reads, ring, kept)
    resealed, missing = list[SealedRow](), Counter[str]()
    for row in reads.all_sealed():
        sealed = msgspec.json.decode(row.sealed, type=SealedSeed)
        if sealed.key == ring.current.id:
            continue
        try:
            opened = unseal(ring, sealed, sealed.of)
        except KeyNotAtHand:
            missing[sealed.key] += 1
        except SealedSeedError as error:
            raise StoreError(f"{setting.place}: {error}") from None
        else:
            resealed.append(SealedRow(row.stream, row.name, msgspec.json.encode(seal(ring, sealed.of, opened))))
    wrong = [f"{count} under {key}" for key, count in sorted(missing.items()) if key not in setting.lost_key_ids]
    if wrong:
        raise StoreError(
            f"{setting.place}: seeds are sealed under a key that is not in seal_key: {', '.join(wrong)}; "
            f"add its file after a comma, or report it lost: lost_keys"
        )
    return Batch(seals=resealed, settings={SEAL_KEY_SETTING: ring.current.id})


def _check_change(setting: Setting, reads: StoreReader, ring: KeyRing, kept: str) -> None:
    """`StoreError` if the house has another key, and the keys cannot be changed now."""
    if not ring.has(kept) and kept not in setting.lost_key_ids:
        if reads.all_sealed():
            return  # sealing again finds out, and reports what cannot be opened
        raise StoreError(
            f"{setting.place}: the house seals under the key {kept}, and seal_key has another, {ring.current.id}: "
            "every node needs the same key; provide that file, add it after a comma to change keys, or report it "
            "lost: lost_keys"
        )
    if setting.is_postgres:
        serving = reads.read("select address from node where not ended and until > clock_timestamp()")
        if serving:
            where = ", ".join(sorted(str(row[0]) for row in serving))
            raise StoreError(
                f"{setting.place}: the house seals under the key {kept}, and here {ring.current.id} comes first: keys "
                f"are changed by a single node, so stop the other nodes first ({where})"
            )
