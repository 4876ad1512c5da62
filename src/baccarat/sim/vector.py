"""Vectors as numba values: many small unsigned numbers side by side in a register, added, compared, looked up together.

LLVM does not vectorize loops such as the kernel's; here vectors are explicit. A `Vec` is an LLVM vector; inside any
compiled function + - * & | ^ and the functions below work on it. Everything is written in LLVM's portable operations,
for any processor, except three for which LLVM makes poor code on x86: there the processor's own instruction is named
(`pmulhuw`, `packuswb`, `pshufb`), in as many pieces as its registers require. Both ways give the same numbers.

This module imports numba: only `baccarat.sim.kernel` and similar modules import it, and only when needed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, lower_builtin, models, register_model, type_callable

from baccarat.sim.vector_machine import MachineType


def emitted(function: Callable[..., Any]) -> Any:
    """A function that emits code where it is called: numba asks it for the types and for the code generator."""
    return intrinsic(function)


I1, I8, I32, I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))


class Vec(types.Type):
    """`lanes` unsigned numbers of `bits` bits, side by side."""

    def __init__(self, bits: int, lanes: int, native: int) -> None:
        self.bits, self.lanes, self.native = bits, lanes, native
        super().__init__(name=f"Vec(u{bits}x{lanes}, {native})")

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.bits * self.lanes // 8

    def with_shape(self, bits: int, lanes: int) -> Vec:
        """Another vector of the same machine."""
        return Vec(bits, lanes, self.native)

    @property
    def llvm(self) -> ir.VectorType:
        """Its LLVM type."""
        return ir.VectorType(ir.IntType(self.bits), self.lanes)


@register_model(Vec)
class _VecModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Vec) -> None:
        super().__init__(manager, kind, kind.llvm)


def full_vector(machine: MachineType, bits: int) -> Vec:
    """The vector of numbers of this many bits that fills a register."""
    return Vec(bits, machine.lanes * 8 // bits, machine.native)


def constant(kind: Vec, number: int) -> ir.Constant:
    return ir.Constant(kind.llvm, [number & ((1 << kind.bits) - 1)] * kind.lanes)


def _indices(numbers: list[int]) -> ir.Constant:
    return ir.Constant(ir.VectorType(I32, len(numbers)), numbers)


def call(builder: Any, name: str, result: Any, *operands: Any) -> Any:
    function = ir.FunctionType(result, [each.type for each in operands])
    return builder.call(cgutils.get_or_insert_function(builder.module, function, name), operands)


def _generic(stem: str, kind: Vec) -> str:
    """The name of LLVM's own operation on a vector."""
    return f"llvm.{stem}.v{kind.lanes}i{kind.bits}"


# ------------------------------------------------------------------- operations on two vectors

Emit = Callable[[Any, Vec, Any, Any], Any]


def _binary(emit: Emit, result: Callable[[Vec], Vec] = lambda kind: kind) -> Any:
    """An operation on two vectors of one kind."""

    @emitted
    def operation(_typing: Any, a: Any, b: Any) -> Any:
        if isinstance(a, Vec) and a == b:
            return result(a)(a, b), lambda _context, builder, _signature, args: emit(builder, a, *args)
        return None

    return operation


def _native_or_emitted(names: dict[int, str], emit: Emit, result: Callable[[Vec], Vec] = lambda kind: kind) -> Emit:
    """The processor's own instruction, by the bytes of its registers, in pieces; otherwise `emit` writes the code."""

    def choose(builder: Any, kind: Vec, x: Any, y: Any) -> Any:
        if not kind.native:
            return emit(builder, kind, x, y)
        size = min(kind.native, kind.bytes)
        piece = kind.with_shape(kind.bits, size * 8 // kind.bits)
        found = [
            call(builder, names[size], result(piece).llvm, *(_piece(builder, each, start, piece) for each in (x, y)))
            for start in range(0, kind.lanes, piece.lanes)
        ]
        return _join_pieces(builder, found)

    return choose


def _piece(builder: Any, x: Any, start: int, piece: Vec) -> Any:
    """Some lanes of a vector."""
    if x.type == piece.llvm:
        return x
    return builder.shuffle_vector(x, x, _indices(list(range(start, start + piece.lanes))))


def _join_pieces(builder: Any, pieces: list[Any]) -> Any:
    """Pieces side by side; their number is a power of two."""
    while len(pieces) > 1:
        every = _indices(list(range(2 * pieces[0].type.count)))
        pairs = zip(pieces[::2], pieces[1::2], strict=True)
        pieces = [builder.shuffle_vector(one, two, every) for one, two in pairs]
    return pieces[0]


def _emit_high_product(builder: Any, kind: Vec, x: Any, y: Any) -> Any:
    wide = kind.with_shape(2 * kind.bits, kind.lanes)
    product = builder.mul(builder.zext(x, wide.llvm), builder.zext(y, wide.llvm))
    return builder.trunc(builder.lshr(product, constant(wide, kind.bits)), kind.llvm)


def _halves(kind: Vec) -> Vec:
    """Twice as many numbers of half the bits."""
    return kind.with_shape(kind.bits // 2, 2 * kind.lanes)


def _emit_pack(builder: Any, kind: Vec, x: Any, y: Any) -> Any:
    small = _halves(kind)
    taken = [
        group * 16 + 2 * lane + half * small.lanes
        for group in range(small.lanes // 16)
        for half in (0, 1)
        for lane in range(8)
    ]
    return builder.shuffle_vector(builder.bitcast(x, small.llvm), builder.bitcast(y, small.llvm), _indices(taken))


def _emit_look(builder: Any, kind: Vec, table: Any, x: Any) -> Any:
    found = constant(kind, 0)
    for index in range(16):
        entry = builder.shuffle_vector(table, table, _indices([index] * kind.lanes))
        found = builder.select(builder.icmp_unsigned("==", x, constant(kind, index)), entry, found)
    return found


_MULTIPLY = {16: "llvm.x86.sse2.pmulhu.w", 32: "llvm.x86.avx2.pmulhu.w", 64: "llvm.x86.avx512.pmulhu.w.512"}
_PACK = {16: "llvm.x86.sse2.packuswb.128", 32: "llvm.x86.avx2.packuswb", 64: "llvm.x86.avx512.packuswb.512"}
_LOOK = {16: "llvm.x86.ssse3.pshuf.b.128", 32: "llvm.x86.avx2.pshuf.b", 64: "llvm.x86.avx512.pshuf.b.512"}

equal = _binary(lambda builder, kind, x, y: builder.sext(builder.icmp_signed("==", x, y), kind.llvm))
"""All ones where the numbers are equal, otherwise zero."""
smaller = _binary(lambda builder, kind, x, y: call(builder, _generic("umin", kind), kind.llvm, x, y))
excess = _binary(lambda builder, kind, x, y: call(builder, _generic("usub.sat", kind), kind.llvm, x, y))
"""By how much the first number is above the second; zero if it is not."""
high_product = _binary(_native_or_emitted(_MULTIPLY, _emit_high_product))
"""The upper half of the product."""
pack = _binary(_native_or_emitted(_PACK, _emit_pack, result=_halves), result=_halves)
"""Words below 256 to bytes; every 16 bytes hold eight of the first vector and eight of the second."""
emit_look = _native_or_emitted(_LOOK, _emit_look)
look = _binary(emit_look)
"""Sixteen entries, the same in every 16 bytes of a table, looked up by bytes below 16; one above 127 gives zero."""

_SIGNS: dict[Any, Emit] = {
    operator.add: lambda builder, _kind, x, y: builder.add(x, y),
    operator.sub: lambda builder, _kind, x, y: builder.sub(x, y),
    operator.mul: lambda builder, _kind, x, y: builder.mul(x, y),
    operator.and_: lambda builder, _kind, x, y: builder.and_(x, y),
    operator.or_: lambda builder, _kind, x, y: builder.or_(x, y),
    operator.xor: lambda builder, _kind, x, y: builder.xor(x, y),
}


def _bind(sign: Any, emit: Emit) -> None:
    """Make an operator work on two vectors of one kind."""

    @type_callable(sign)
    def _type(_context: Any) -> Any:
        return lambda a, b: a if isinstance(a, Vec) and a == b else None

    @lower_builtin(sign, Vec, Vec)
    def _lower(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, signature.return_type, *args)


for _sign, _emit in _SIGNS.items():
    _bind(_sign, _emit)


# ------------------------------------------------------------------- operations on one vector


def _shifter(emit: Emit) -> Any:
    """A shift by a number that is known at compile time."""

    @intrinsic(prefer_literal=True)
    def operation(_typing: Any, a: Any, by: Any) -> Any:
        if not isinstance(by, types.IntegerLiteral):
            return None
        return a(a, by), lambda _context, builder, _signature, args: emit(
            builder, a, args[0], constant(a, by.literal_value)
        )

    return operation


shift_left = _shifter(lambda builder, _kind, x, by: builder.shl(x, by))
shift_right = _shifter(lambda builder, _kind, x, by: builder.lshr(x, by))
rotate_left = _shifter(lambda builder, kind, x, by: call(builder, _generic("fshl", kind), kind.llvm, x, x, by))


@emitted
def ones_in(_typing: Any, a: Any) -> Any:
    """How many bits are set in each number."""
    return a(a), lambda _context, builder, _signature, args: call(builder, _generic("ctpop", a), a.llvm, args[0])


@emitted
def words_of(_typing: Any, a: Any) -> Any:
    """The same bits as numbers of 16 bits."""
    result = a.with_shape(16, a.bytes // 2)
    return result(a), lambda _context, builder, _signature, args: builder.bitcast(args[0], result.llvm)


def _joiner(half: int) -> Any:
    """Of every 16 bytes the lower or the upper eight of two vectors as words: the first low, the second high."""

    @emitted
    def operation(_typing: Any, a: Any, b: Any) -> Any:
        result = a.with_shape(16, a.lanes // 2)
        groups = range(a.lanes // 16)
        taken = [group * 16 + half * 8 + i // 2 + a.lanes * (i % 2) for group in groups for i in range(16)]

        def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.bitcast(builder.shuffle_vector(*args, _indices(taken)), result.llvm)

        return result(a, b), emit

    return operation


join_lower, join_upper = _joiner(0), _joiner(1)


@emitted
def is_any(_typing: Any, a: Any) -> Any:
    """Whether any number is not zero."""
    whole = ir.IntType(a.bits * a.lanes)
    return types.boolean(a), lambda _context, builder, _signature, args: builder.icmp_unsigned(
        "!=", builder.bitcast(args[0], whole), ir.Constant(whole, 0)
    )


@emitted
def set_lanes(_typing: Any, a: Any) -> Any:
    """A bit for each lane whose number is not zero."""

    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        mask = builder.bitcast(builder.icmp_unsigned("!=", args[0], constant(a, 0)), ir.IntType(a.lanes))
        return mask if a.lanes == 64 else builder.zext(mask, I64)

    return types.uint64(a), emit


@emitted
def lane_mask(_typing: Any, machine: Any, bits: Any) -> Any:
    """Bytes that are all ones for each lane whose bit is set."""
    result = full_vector(machine, 8)

    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        mask = args[1] if result.lanes == 64 else builder.trunc(args[1], ir.IntType(result.lanes))
        return builder.sext(builder.bitcast(mask, ir.VectorType(I1, result.lanes)), result.llvm)

    return result(machine, bits), emit


@emitted
def first_bit(_typing: Any, a: Any) -> Any:
    """The number of the lowest bit that is set."""
    return types.uint64(a), lambda _context, builder, _signature, args: builder.cttz(args[0], ir.Constant(I1, 0))


# ------------------------------------------------------------------- vectors from numbers and from memory


def _repeater(bits: int) -> Any:
    """The same number in every lane."""

    @emitted
    def operation(_typing: Any, machine: Any, number: Any) -> Any:
        result = full_vector(machine, bits)

        def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            one, to = args[1], ir.IntType(bits)
            if one.type.width != bits:
                one = builder.trunc(one, to) if one.type.width > bits else builder.zext(one, to)
            blank = ir.Constant(result.llvm, ir.Undefined)
            first = builder.insert_element(blank, one, ir.Constant(I32, 0))
            return builder.shuffle_vector(first, blank, _indices([0] * result.lanes))

        return result(machine, number), emit

    return operation


all_bytes, all_words, all_longs = _repeater(8), _repeater(16), _repeater(64)


def pointer(context: Any, builder: Any, array: Any, value: Any, index: Any, to: Any) -> Any:
    """The address of a number in an array, as a pointer to another type."""
    data = context.make_array(array)(context, builder, value).data
    return builder.bitcast(builder.gep(data, [index]), to.as_pointer())


def load(builder: Any, pointer: Any) -> Any:
    found = builder.load(pointer)
    found.align = 1
    return found


def _loader(bits: int) -> Any:
    """A vector from an array, from an index on."""

    @emitted
    def operation(_typing: Any, machine: Any, array: Any, index: Any) -> Any:
        result = full_vector(machine, bits)

        def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return load(builder, pointer(context, builder, array, args[1], args[2], result.llvm))

        return result(machine, array, index), emit

    return operation


load_bytes, load_words, load_longs = _loader(8), _loader(16), _loader(64)


@emitted
def load_table(_typing: Any, machine: Any, array: Any, index: Any) -> Any:
    """Sixteen bytes of an array, the same in every 16 bytes of the vector."""
    result = full_vector(machine, 8)

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return sixteen_bytes(context, builder, array, args[1], args[2], result)

    return result(machine, array, index), emit


def sixteen_bytes(context: Any, builder: Any, array: Any, value: Any, index: Any, kind: Vec) -> Any:
    """The same for code that emits more."""
    found = load(builder, pointer(context, builder, array, value, index, ir.VectorType(I8, 16)))
    return builder.shuffle_vector(found, found, _indices([lane % 16 for lane in range(kind.lanes)]))


@emitted
def store(_typing: Any, array: Any, index: Any, x: Any) -> Any:
    """Store a vector in an array, from an index on."""

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        builder.store(args[2], pointer(context, builder, array, args[0], args[1], x.llvm)).align = 1
        return context.get_dummy_value()

    return types.none(array, index, x), emit


@emitted
def peek(_typing: Any, array: Any, index: Any) -> Any:
    """One number of an array, without checking whether its index is negative."""

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        data = context.make_array(array)(context, builder, args[0]).data
        return builder.zext(builder.load(builder.gep(data, [args[1]])), I64)

    return types.uint64(array, index), emit


@emitted
def lanes_of(_typing: Any, machine: Any) -> Any:
    """How many lanes a vector of bytes has."""
    return types.uint64(machine), lambda *_: ir.Constant(I64, machine.lanes)
