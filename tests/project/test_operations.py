"""The operators' page and its examples are true: settings, exit statuses, figures, the unit."""

from __future__ import annotations

import re
import tomllib

from baccarat.serve.ops.metrics import OUTCOMES, CommitFigures, Gauges, Metrics
from baccarat.serve.run import CANNOT_START, DONE, STOPPED
from baccarat.serve.setting import NAMES, Mode, read_setting
from paths import ROOT

PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
UNIT = ROOT / "docs" / "examples" / "baccarat.service"
TOML = ROOT / "docs" / "examples" / "house.toml"


def test_every_setting_is_on_the_page_about_serving() -> None:
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"| `BACCARAT_{name.upper()}` | `{name}` |" in page, name


def test_the_example_of_settings_is_taken_and_is_of_a_real_house() -> None:
    setting = read_setting({}, {}, TOML)
    assert setting.mode is Mode.PRODUCTION
    assert setting.house == "example.org/house"
    assert set(tomllib.loads(TOML.read_text(encoding="utf-8"))) <= set(NAMES)


def test_the_exit_statuses_are_those_of_the_program() -> None:
    rows = re.findall(r"^\| (\d) \| ", PAGE, flags=re.MULTILINE)
    assert list(map(int, rows)) == [DONE, CANNOT_START, STOPPED]


def test_every_figure_is_on_the_page_and_every_outcome() -> None:
    gauges = Gauges(
        rooms=lambda: 0,
        seated=lambda: 0,
        log_bytes=lambda: 0,
        is_ready=lambda: True,
        since_commit=lambda: 0.0,
        unwell=lambda: 0,
        stopped_tables=lambda: 0,
        verified=lambda: 0,
        entries=lambda: 0,
        verified_at=lambda: 0.0,
        history_findings=lambda: 0,
        overdue_seeds=lambda: 0,
        witness_waits=lambda: 0,
    )
    metrics = Metrics(gauges, CommitFigures())
    names = set(re.findall(r"^# TYPE (baccarat_[a-z_]+) ", metrics.page().decode(), flags=re.MULTILINE))
    names = {name for name in names if not name.endswith("_created")}
    said = set(re.findall(r"`(baccarat_[a-z_]+)(?:\{outcome\})?`", PAGE))
    assert names <= said, names - said
    assert all(outcome in PAGE for outcome in OUTCOMES)


def test_the_unit_starts_the_program_and_starts_it_again_only_where_that_helps() -> None:
    lines = [line.partition("=") for line in UNIT.read_text(encoding="utf-8").splitlines() if "=" in line]
    service = {name: value for name, _, value in lines}
    assert service["ExecStart"].split()[1:] == ["serve", "--config", "/etc/baccarat/house.toml"]
    assert service["RestartPreventExitStatus"] == str(CANNOT_START)
    assert service["StandardOutput"] == "null", "the administrator's link is in no log"
