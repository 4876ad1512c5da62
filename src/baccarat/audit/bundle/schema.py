"""The form of a bundle as a JSON Schema, made from the types that read it."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Raw

from baccarat.audit.bundle.form import FORM, Bundle, BundleEntry, StatedState
from baccarat.record.entry import NO_BYTES, ActRecord, BoundedRecord, StreamOpening

NO_CONTROLS = r"^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$"
DIALECT = "https" + "://json-schema.org/draft/2020-12/schema"


def schema() -> dict[str, Any]:
    """The form as a JSON Schema."""
    _, parts = msgspec.json.schema_components(
        [Bundle, StreamOpening, _plain_struct(ActRecord, BoundedRecord)], ref_template="#/$defs/{name}"
    )
    bodies = [{"$ref": f"#/$defs/{body.__name__}"} for body in (StreamOpening, ActRecord)]
    parts[BundleEntry.__name__]["properties"]["record"] = {"anyOf": bodies}
    parts[StatedState.__name__]["properties"]["state"] = {"type": "object"}
    whole = parts.pop(Bundle.__name__)
    whole["properties"]["bundle"] = {"const": FORM}
    whole["oneOf"] = [{"required": ["checkpoint"]}, {"required": ["tree_head"]}]
    made: dict[str, Any] = _portable_schema(
        {"$schema": DIALECT, **whole, "title": "A bundle of a baccarat journal", "$defs": dict(sorted(parts.items()))}
    )
    return made


def _plain_struct(kind: type[msgspec.Struct], bounded: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The same struct with its bounds, and with objects in place of raw bytes, which have no schema."""
    types = {field.name: field.type for field in msgspec.structs.fields(bounded)}
    made: list[Any] = []
    for field in msgspec.structs.fields(kind):
        given: Any = dict[str, Any] if field.type is Raw else types[field.name]
        if field.type == tuple[Raw, ...]:
            given = tuple[dict[str, Any], ...]
        if field.required:
            made.append((field.name, given))
            continue
        default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
        made.append((field.name, given, {} if default is NO_BYTES else default))
    return msgspec.defstruct(
        kind.__name__, made, kw_only=True, forbid_unknown_fields=True, namespace={"__doc__": kind.__doc__}
    )


def _portable_schema(part: Any) -> Any:
    """The same for other readers: portable patterns, and an absent field is not null."""
    if isinstance(part, list):
        return [_portable_schema(each) for each in part]
    if not isinstance(part, dict):
        return part
    options = part.get("anyOf", [])
    if {"type": "null"} in options and part.get("default", 0) is None:
        left = [each for each in options if each != {"type": "null"}]
        part = {key: value for key, value in part.items() if key not in ("anyOf", "default")}
        part = {**part, **left[0]} if len(left) == 1 else {**part, "anyOf": left}
    return {key: _pattern(value) if key == "pattern" else _portable_schema(value) for key, value in part.items()}


def _pattern(ours: str) -> str:
    """A pattern in ECMA-262 syntax; one with characters beyond four digits only excludes control characters."""
    return NO_CONTROLS if r"\U" in ours else ours.replace(r"\Z", "$")
