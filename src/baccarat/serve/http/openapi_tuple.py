"""Tuples of any length in the description of the interface.

Litestar reads the dots of a bounded tuple as a second type of item, which is anything. It would describe a list of
strings in a way that no list could match.
"""

from __future__ import annotations

from typing import Any

from litestar._openapi.schema_generation import SchemaCreator
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition


class TuplesOfAnyLength(OpenAPISchemaPlugin):
    """Describes `tuple[X, ...]` as an array of X; its bounds are added by Litestar."""

    @staticmethod
    def is_plugin_supported_type(value: Any) -> bool:  # noqa: ARG004  as Litestar has it
        """No type by itself: a tuple is recognized by its items."""
        return False

    @staticmethod
    def is_plugin_supported_field(field_definition: FieldDefinition) -> bool:
        """Whether it is a tuple of any length."""
        args = field_definition.args
        return field_definition.origin is tuple and len(args) == 2 and args[1] is Ellipsis

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """An array of its items."""
        items = schema_creator.for_field_definition(field_definition.inner_types[0])
        described = schema_creator.process_schema_result(field_definition, Schema(type=OpenAPIType.ARRAY, items=items))
        assert isinstance(described, Schema), "an array is described inline"
        return described
