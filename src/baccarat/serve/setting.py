"""Settings of a server: flags override the environment, which overrides the file, which overrides defaults.

`baccarat serve --port 9000` · `BACCARAT_PORT=9000 baccarat serve` · `port = 9000` in the TOML file of `--config`.
All faults are reported together, each with its place and what was expected.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta

from baccarat.table.reveal_deadline import LONGEST_REVEAL, StatedDeadline

PREFIX = "BACCARAT_"
FOLDER = "baccarat-house"
"""The default folder of a practice house."""

TRAINING = "training"
"""The table of a practice house that visitors deal, and its pit."""
FORMS_TRAINING = "training-forms"
"""The same under a document that has forms for vigorish that is waived."""


def is_for_training(name: str) -> bool:
    """Whether visitors of a practice house may work at a table, or in a pit, of this name: nobody else plays there."""
    return name == TRAINING or name.startswith(f"{TRAINING}-")


"""The table of a practice house at which visitors deal themselves."""


class Mode(Enum):
    """What a house is for."""

    PRACTICE = "practice"
    """Play money, automated dealers and company; a visitor gets a seat immediately, without signing on."""
    PRODUCTION = "production"
    """People with roles, devices and keys of their own; nothing has a default that would be a secret."""


class SettingFault(ValueError):  # noqa: N818
    """Invalid settings: every fault, one per line."""


Seconds = Annotated[float, Meta(ge=0, le=3600)]
Interval = Annotated[float, Meta(ge=0.01, le=60)]
LONGEST_WAIT = 15.0
"""The longest that a table waits for one person, in seconds: a round is over within 30 seconds of the last act of a
person, and others may have to be waited for as well."""
PersonWait = Annotated[float, Meta(ge=0, le=LONGEST_WAIT)]


class Setting(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings with which a server starts."""

    db: Annotated[str, Meta(min_length=1, max_length=1000)] = f"{FOLDER}/house.db"
    """A file (SQLite), or an address that begins with `postgresql://`."""
    host: Annotated[str, Meta(min_length=1, max_length=253)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8414
    mode: Mode = Mode.PRACTICE
    house: Annotated[str, Meta(max_length=100)] = ""
    """The name of the house, which is in checkpoints: `example.org/house`."""
    origin: Annotated[str, Meta(max_length=300)] = ""
    """The address under which browsers see the house, such as `https://…`."""
    seal_key: Annotated[str, Meta(max_length=1000)] = ""
    """The file with the key that seeds are sealed under, never in the database; after a comma, older keys."""
    lost_keys: Annotated[str, Meta(max_length=1000)] = ""
    """The ids of lost sealing keys, separated by commas: seeds under them are abandoned."""
    new_house: bool = False
    """Whether a new house may be created where an earlier one has left its lock or its key, but no database."""
    sign_key: Annotated[str, Meta(max_length=1000)] = ""
    """The file with the key that signs checkpoints."""
    witness_keys: Annotated[str, Meta(max_length=1000)] = ""
    """The file with the public keys of the witnesses whose cosignatures are accepted, one per line."""
    lost_logs: Annotated[str, Meta(max_length=10_000)] = ""
    """Files, separated by commas, each with the last cosigned checkpoint of a log that lost entries: the log of that
    stream continues under its successor's name."""
    betting_seconds: Seconds = 20.0
    squeeze_seconds: PersonWait = 15.0
    answer_seconds: PersonWait = 10.0
    reveal_seconds: Annotated[int, Meta(ge=0, le=LONGEST_REVEAL)] = 600
    """The deadline for seeds that an electronic table states when it opens, unless the act says another; 0: none."""
    pace: Annotated[float, Meta(ge=0, le=60)] = 0.7
    """Seconds between two acts of an automated dealer."""
    company: Annotated[int, Meta(ge=0, le=13)] = 3
    """Automated participants at a practice table."""
    requests_a_second: Annotated[float, Meta(gt=0, le=1_000_000)] = 50.0
    """How fast a budget fills: that of a person who has signed on, or of an address (`access/budget.py`)."""
    requests_at_once: Annotated[int, Meta(ge=1, le=1_000_000)] = 200
    """How full a budget gets."""
    connections_at_once: Annotated[int, Meta(ge=1, le=1_000_000)] = 500
    """How many open connections one address may have; reverse proxies (`proxy`) have as many as they need."""
    connections_in_all: Annotated[int, Meta(ge=1, le=1_000_000)] = 20_000
    """How many connections of all addresses may be open, if the system lets this program open that many files."""
    proxy: Annotated[str, Meta(max_length=300)] = ""
    """The addresses of reverse proxies, separated by commas, that are trusted on where a request comes from."""
    lease_seconds: Annotated[float, Meta(ge=1, le=60)] = 2.0
    """If several nodes serve one house: how long after a node stops the others take its tables."""
    hand_over_seconds: Annotated[float, Meta(gt=0, le=60)] = 4.0
    """How long an act that needs tables of several nodes waits for them; long enough for a lost node's lease to end."""
    look_seconds: Interval = 0.1
    """How often a node checks whether another is gone, and which node has which tables."""
    follow_seconds: Interval = 1.0
    """How often a node reads what is new in the log without being notified."""
    news_seconds: Interval = 0.5
    """How often a node looks for sessions that were ended and names that were entered or erased elsewhere."""
    verify_share: Annotated[float, Meta(ge=0, le=1)] = 0.25
    """The share of one processor that deciding the history of the house again in the background may use; 0: it is not
    decided again."""
    metrics_token: Annotated[str, Meta(max_length=1000)] = ""
    """The file with the token for which `/metrics` is answered; without it, nobody is answered there."""
    log_level: Annotated[str, Meta(pattern="^(debug|info|warning|error)$")] = "info"

    @property
    def reveal_within(self) -> StatedDeadline:
        """The deadline that a table states when it opens, if it says no other."""
        return self.reveal_seconds or UNSET

    @property
    def is_postgres(self) -> bool:
        """Whether the store is PostgreSQL."""
        return self.db.startswith(("postgresql://", "postgres://"))

    @property
    def is_over_tls(self) -> bool:
        """Whether browsers see the house over TLS, which ends at a proxy."""
        return self.origin.startswith("https://")

    @property
    def own_names(self) -> frozenset[str]:
        """The names under which the house is requested, in lower case, besides those of any machine for itself."""
        given = {self.host, urlsplit(self.origin).hostname or ""}
        return frozenset(name.lower() for name in given if name)

    @property
    def proxies(self) -> list[str]:
        """Those trusted on where a request comes from; in production there is always a proxy, for TLS."""
        given = [each.strip() for each in self.proxy.split(",") if each.strip()]
        return given or (["127.0.0.1", "::1"] if self.mode is Mode.PRODUCTION else [])

    @property
    def seal_keys(self) -> list[str]:
        """The files of the sealing keys, beginning with the one that seals."""
        return [each.strip() for each in self.seal_key.split(",") if each.strip()]

    @property
    def lost_key_ids(self) -> frozenset[str]:
        """The ids of sealing keys that are lost."""
        return frozenset(each.strip() for each in self.lost_keys.split(",") if each.strip())

    @property
    def folder(self) -> Path:
        """The folder of the house's files."""
        return Path(FOLDER) if self.is_postgres else Path(self.db.removeprefix("sqlite:")).resolve().parent

    @property
    def place(self) -> str:
        """Where the house is stored, for messages."""
        return "PostgreSQL" if self.is_postgres else str(self.file)

    @property
    def file(self) -> Path:
        """The file of a SQLite store."""
        return Path(self.db.removeprefix("sqlite:"))


NAMES = Setting.__struct_fields__


def read_setting(flags: Mapping[str, Any], environment: Mapping[str, str], config: Path | None = None) -> Setting:
    """The settings of a server; `SettingFault` with every fault in them."""
    found: dict[str, Any] = {}
    where: dict[str, str] = {}
    faults: list[str] = []
    for name, value in _from_file(config, faults).items():
        found[name], where[name] = value, str(config)
    for name in NAMES:
        given = environment.get(f"{PREFIX}{name.upper()}")
        if given is not None:
            found[name], where[name] = given, f"{PREFIX}{name.upper()}"
    for name, value in flags.items():
        if value is not None:
            found[name], where[name] = value, f"--{name.replace('_', '-')}"
    made: dict[str, Any] = {}
    for field in msgspec.structs.fields(Setting):
        if field.name not in found:
            continue
        try:
            made[field.name] = msgspec.convert(found[field.name], field.type, strict=where[field.name] == str(config))
        except msgspec.ValidationError:
            faults.append(f"{where[field.name]}: {_expectation(field.name)}, not {found[field.name]!r}")
    unknown = sorted(set(found) - set(NAMES))
    faults += [f"{where[name]}: there is no setting {name!r}; there are {', '.join(NAMES)}" for name in unknown]
    if faults:
        raise SettingFault("\n".join(faults))
    return Setting(**made)


def _from_file(config: Path | None, faults: list[str]) -> dict[str, Any]:
    if config is None:
        return {}
    try:
        return tomllib.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        faults.append(f"{config}: cannot be read: {error.strerror}")
    except UnicodeDecodeError:
        faults.append(f"{config}: expected text in UTF-8")
    except tomllib.TOMLDecodeError as error:
        faults.append(f"{config}: not valid TOML: {error}")
    return {}


_EXPECTED = {
    "new_house": "expected true or false",
    "port": "expected a port, a whole number from 0 to 65535 (0 takes any free one)",
    "mode": "expected practice or production",
    "company": "expected the number of automated participants, from 0 to 13",
    "pace": "expected seconds between two acts of the dealer, from 0 to 60",
    "requests_a_second": "expected a number above 0",
    "requests_at_once": "expected a whole number above 0",
    "connections_at_once": "expected a whole number above 0",
    "connections_in_all": "expected a whole number above 0",
    "squeeze_seconds": f"expected seconds, from 0 to {LONGEST_WAIT:g}",
    "answer_seconds": f"expected seconds, from 0 to {LONGEST_WAIT:g}",
    "reveal_seconds": f"expected whole seconds, from 0 (no deadline) to {LONGEST_REVEAL}",
    "lease_seconds": "expected seconds, from 1 to 60",
    "hand_over_seconds": "expected seconds, above 0 and up to 60",
    "look_seconds": "expected seconds, from 0.01 to 60",
    "follow_seconds": "expected seconds, from 0.01 to 60",
    "news_seconds": "expected seconds, from 0.01 to 60",
    "verify_share": "expected a share of one processor, from 0 to 1",
    "log_level": "expected debug, info, warning or error",
}


def _expectation(name: str) -> str:
    if name in _EXPECTED:
        return _EXPECTED[name]
    return "expected seconds, from 0 to 3600" if name.endswith("_seconds") else "expected a text"
