"""Vectors of float64 numbers as values of numba: lanes side by side, processed by one instruction.

The compiler vectorizes only the simplest loops by itself. Here a value *is* a vector of LLVM, so that every operation
is one whatever the loop looks like, and sums stay in registers. Nothing names a processor: if its vectors are
narrower, LLVM uses several, and if it has no fused multiply-add, two instructions.

The number of lanes is the length of the tuple `like` that the kernel is called with. So it is part of the types of
the arguments, and a kernel of four lanes is never taken from the cache for one of eight.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

IntrinsicSignature = tuple[Any, Callable[..., Any]]

compiled_in_place: Any = intrinsic
"""Makes a Python function from one that types its arguments and emits its instructions; numba is not typed."""


class Lanes(types.Type):
    """The type of a vector."""

    def __init__(self, lanes: int) -> None:
        super().__init__(name=f"Lanes({lanes})")
        self.lanes = lanes
        self.vector = ir.VectorType(ir.DoubleType(), lanes)


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, lanes.vector)  # type: ignore[no-untyped-call]


def _address(context: Any, builder: Any, kind: Any, array: Any, index: Any, lanes: Lanes) -> Any:
    """Where the vector of this index begins in a flat array; it is aligned only as a single number is."""
    data = context.make_array(kind)(context, builder, array).data
    first = builder.mul(index, ir.Constant(index.type, lanes.lanes))
    return builder.bitcast(builder.gep(data, [first]), lanes.vector.as_pointer())


@compiled_in_place  # type: ignore[untyped-decorator]
def load(_typing: Any, like: Any, array: Any, index: Any) -> IntrinsicSignature:
    """The vector of this index in a flat array: `load(like, array, index)`."""
    lanes = Lanes(len(like))

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[1], arguments[1], arguments[2], lanes)
        return builder.load(address, align=8)

    return lanes(like, array, index), generate


@compiled_in_place  # type: ignore[untyped-decorator]
def store(_typing: Any, array: Any, index: Any, value: Any) -> IntrinsicSignature:
    """Write a vector into a flat array: `store(array, index, value)`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        address = _address(context, builder, signature.args[0], arguments[0], arguments[1], signature.args[2])
        builder.store(arguments[2], address, align=8)
        return context.get_dummy_value()

    return types.void(array, index, value), generate


@compiled_in_place  # type: ignore[untyped-decorator]
def splat(_typing: Any, like: Any, _number: Any) -> IntrinsicSignature:
    """One number in every lane: `splat(like, number)`."""
    lanes = Lanes(len(like))

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        first = ir.Constant(ir.IntType(32), 0)
        whole = builder.insert_element(ir.Constant(lanes.vector, ir.Undefined), arguments[1], first)
        return builder.shuffle_vector(whole, whole, ir.Constant(ir.VectorType(ir.IntType(32), lanes.lanes), None))

    return lanes(like, types.float64), generate


def _define_operation(operation: Callable[[Any, Any], Any], name: str) -> None:
    """An operation of two vectors, rounded separately; lowered in place, since a separate function would be called."""

    @type_callable(operation)
    def _type(_context: Any) -> Callable[[Any, Any], Any]:
        def typer(one: Any, other: Any) -> Any:
            return one if isinstance(one, Lanes) and one == other else None

        return typer

    @lower_builtin(operation, Lanes, Lanes)  # type: ignore[no-untyped-call, untyped-decorator]
    def _lower(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*arguments)


_define_operation(operator.add, "fadd")
_define_operation(operator.sub, "fsub")
_define_operation(operator.mul, "fmul")
_define_operation(operator.truediv, "fdiv")


def _fused_operation(name: str) -> Any:
    """A product and a sum or difference, which the compiler may fuse into one instruction.

    That drops the rounding of the product, so it is only for whole numbers below 2^53, which are not rounded.
    """

    @compiled_in_place  # type: ignore[untyped-decorator]
    def apply(_typing: Any, start: Any, _one: Any, _other: Any) -> IntrinsicSignature:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            product = builder.fmul(arguments[1], arguments[2], flags=("contract",))
            return getattr(builder, name)(arguments[0], product, flags=("contract",))

        return start(start, start, start), generate

    return apply


plus_product = _fused_operation("fadd")
"""`plus_product(start, one, other)` is start + one · other, of whole numbers."""

less_product = _fused_operation("fsub")
"""`less_product(start, one, other)` is start - one · other, of whole numbers."""
