"""Power cuts between the steps of writing a file: opening it, its sync, its new name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest


class PowerLost(BaseException):
    """Nothing more is done from here on, not even tidying up."""


def cut_power_after(steps: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Cut the power after this number of steps, and tidy up nothing; returns how to ask how many were done."""
    done = 0

    def cut(real: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **named: object) -> object:
            nonlocal done
            if done == steps:
                raise PowerLost
            done += 1
            return real(*args, **named)

        return call

    monkeypatch.setattr(os, "open", cut(os.open))
    monkeypatch.setattr(os, "fsync", cut(os.fsync))
    monkeypatch.setattr(Path, "replace", cut(Path.replace))
    monkeypatch.setattr(Path, "unlink", lambda *_, **__: None)
    return lambda: done
