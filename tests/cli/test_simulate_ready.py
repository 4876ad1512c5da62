"""`baccarat simulate` says what it waits for while an engine is made ready."""

from __future__ import annotations

from time import sleep

import pytest

from baccarat.cli import simulate_show
from baccarat.cli.simulate_show import announce_slow_start


def test_an_engine_that_is_not_ready_at_once_is_said_to_be_made_ready(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulate_show, "READY_SECONDS", 0.01)
    with announce_slow_start():
        while "compiled first" not in capsys.readouterr().err:
            sleep(0.01)


@pytest.mark.slow
def test_of_an_engine_that_is_ready_at_once_nothing_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulate_show, "READY_SECONDS", 0.3)
    with announce_slow_start():
        pass
    sleep(0.5)
    assert capsys.readouterr().err == ""
