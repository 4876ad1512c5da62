"""TOML as text: values as a person would write them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec


def toml_key(key: str) -> str:
    """A key, in quotation marks where TOML asks for them."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_value(key)


def toml_value(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, msgspec.Struct):
        return toml_value({key: each for key, each in msgspec.structs.asdict(value).items() if each is not None})
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # TOML wants it escaped, JSON does not
    assert isinstance(value, bool | int), f"not a value of a Submission or an edition: {value!r}"
    return str(value).lower()
