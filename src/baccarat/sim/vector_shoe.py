"""Vectors of shoes: counters by class of card, a card drawn from each, and the finishes tallied.

A shoe is its cumulative counts: counter k holds how many cards there are of the classes 0 … k, and the last class needs
none. The card of number r belongs to the first class whose counter is above r; so the counters above r go down by one,
and their number says which class it was. Nothing is looked up in memory, so many shoes are drawn from together.

Bytes are compared as signed numbers, for which processors have an instruction: counters and drawn numbers are stored
with 128 added, modulo 256. The number 255 draws nothing: no counter is above it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types

from baccarat.sim.vector import I64, constant, emit_look, emitted, full_vector, load, pointer, sixteen_bytes

I16 = ir.IntType(16)


@emitted
def load_counters(_typing: Any, machine: Any, array: Any, shape: Any) -> Any:
    """As many vectors of bytes, one after the other in an array, as `shape` is long."""
    kind = full_vector(machine, 8)
    result = types.UniTuple(kind, len(shape))

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        found = [_counter(context, builder, array, args[1], kind, k) for k in range(len(shape))]
        return context.make_tuple(builder, result, found)

    return result(machine, array, shape), emit


def _counter(context: Any, builder: Any, array: Any, value: Any, kind: Any, k: int) -> Any:
    return load(builder, pointer(context, builder, array, value, ir.Constant(I64, k * kind.lanes), kind.llvm))


@emitted
def draw(_typing: Any, counters: Any, number: Any) -> Any:
    """A card from each shoe: the counters after it, and the class of the card."""
    result = types.Tuple((counters, number))

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        after, total = args[0], constant(number, len(counters))
        for k in range(len(counters)):
            one = builder.extract_value(args[0], k)
            above = builder.sext(builder.icmp_signed(">", one, args[1]), number.llvm)  # -1 where it is above
            after = builder.insert_value(after, builder.add(one, above), k)
            total = builder.add(total, above)
        return context.make_tuple(builder, result, [after, total])

    return result(counters, number), emit


@emitted
def add_pile(_typing: Any, counters: Any, array: Any, mask: Any) -> Any:
    """The counters with those of another pile added, in the lanes of the mask."""

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        after = args[0]
        for k in range(len(counters)):
            more = builder.and_(_counter(context, builder, array, args[1], mask, k), args[2])
            after = builder.insert_value(after, builder.add(builder.extract_value(args[0], k), more), k)
        return after

    return counters(counters, array, mask), emit


@emitted
def tally(_typing: Any, counts: Any, scratch: Any, x: Any) -> Any:
    """Increment the counter of every 16 bits of a vector.

    The vector goes through memory, because the load units are idle; the optimiser would take it apart number by number
    in registers, so an empty instruction hides from it where the numbers come from.
    """

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        data = context.make_array(scratch)(context, builder, args[1]).data
        builder.store(args[2], builder.bitcast(data, x.llvm.as_pointer())).align = 1
        same = ir.FunctionType(data.type, [data.type])
        words = builder.bitcast(builder.asm(same, "", "=r,0", [data], side_effect=False), I16.as_pointer())
        table = context.make_array(counts)(context, builder, args[0]).data
        for index in range(x.bytes // 2):
            code = load(builder, builder.gep(words, [ir.Constant(I64, index)]))
            counter = builder.gep(table, [builder.zext(code, I64)])
            found = builder.load(counter)
            builder.store(builder.add(found, ir.Constant(found.type, 1)), counter)
        return context.get_dummy_value()

    return types.none(counts, scratch, x), emit


@emitted
def load_class_table(_typing: Any, machine: Any, array: Any, index: Any, shape: Any) -> Any:
    """A table with an entry for each class of card, of which there is one more than counters: 16 entries per vector."""
    kind = full_vector(machine, 8)
    result = types.UniTuple(kind, len(shape) // 16 + 1)

    def emit(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        starts = [builder.add(args[2], ir.Constant(args[2].type, 16 * part)) for part in range(len(result))]
        found = [sixteen_bytes(context, builder, array, args[1], start, kind) for start in starts]
        return context.make_tuple(builder, result, found)

    return result(machine, array, index, shape), emit


@emitted
def look_class(_typing: Any, table: Any, card: Any) -> Any:
    """What a table says of each class of card."""

    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        parts = [builder.extract_value(args[0], part) for part in range(len(table))]
        if len(parts) == 1:
            return emit_look(builder, card, parts[0], args[1])
        # an index above 127 gives zero, and so do portable operations from 16 on: each half has its own classes
        lower = builder.add(args[1], constant(card, 112)) if card.native else args[1]
        upper = builder.sub(args[1], constant(card, 16))
        return builder.or_(emit_look(builder, card, parts[0], lower), emit_look(builder, card, parts[1], upper))

    return card(table, card), emit
