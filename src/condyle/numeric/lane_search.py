"""The search for spans in lanes: all lanes at once and without a branch that depends on one of them.

States of a batch lie anywhere on a curve, so the branches of a search for one of them are guessed wrong half of the
time, which costs more than the search. Here all lanes take a step together, until the last of them has its span.
"""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .lanes import INDEX, INT, VECTOR, WIDTH, index, lane, splat
from .pointers import address, loaded


def _gathered(context, builder, typ, table, positions, vector_type):
    """The numbers of a table at a position for each lane."""
    out = ir.Constant(vector_type, ir.Undefined)
    for l in range(WIDTH):
        at = ir.Constant(ir.IntType(32), l)
        place = address(context, builder, typ, table, builder.extract_element(positions, at))
        out = builder.insert_element(out, loaded(context, builder, typ, place), at)
    return out


def _bucket(builder, x, left, scale, size):
    """As `number_types.bucket`, to the bit: no flags, a breakpoint must be looked for where the table counted it."""
    zero, one = ir.Constant(VECTOR, [0.0] * WIDTH), ir.Constant(VECTOR, [1.0] * WIDTH)
    t = builder.fmul(builder.fsub(x, splat(builder, left)), splat(builder, scale))
    t = builder.select(builder.fcmp_ordered(">", t, zero), t, zero)
    size = splat(builder, size)
    t = builder.select(builder.fcmp_ordered("<", t, size), t, builder.fsub(size, one))
    return builder.fptosi(t, INDEX)


@intrinsic
def bucket_bounds(typingctx, x, breaks, first, count, buckets, start, size):
    """The first and the last span that each lane can be in, by the bucket that holds it."""

    def codegen(context, builder, sig, args):
        x, table, first, count, codes, start, size = args
        last = builder.add(first, builder.sub(count, ir.Constant(INT, 1)))
        left, right = (
            loaded(context, builder, sig.args[1], address(context, builder, sig.args[1], table, at))
            for at in (first, last)
        )
        size = builder.sitofp(size, left.type)
        scale = builder.fdiv(size, builder.fsub(right, left))
        places = builder.add(_bucket(builder, x, left, scale, size), splat(builder, start, INDEX))
        after = builder.add(places, ir.Constant(INDEX, [1] * WIDTH))
        bounds = [_gathered(context, builder, sig.args[4], codes, at, INDEX) for at in (places, after)]
        beyond = builder.fcmp_ordered(">=", x, splat(builder, right))
        ends = [builder.select(beyond, splat(builder, count, INDEX), bound) for bound in bounds]
        return context.make_tuple(builder, sig.return_type, ends)

    integer = types.int64
    return types.UniTuple(index, 2)(x, breaks, integer, integer, buckets, integer, integer), codegen


@intrinsic
def unsettled(typingctx, low, high):
    """Whether any lane still has several spans to choose from."""

    def codegen(context, builder, sig, args):
        bits = builder.bitcast(builder.icmp_signed("<", *args), ir.IntType(WIDTH))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(WIDTH), 0))

    return types.boolean(index, index), codegen


@intrinsic
def halved(typingctx, x, breaks, first, low, high):
    """Half of the spans that each lane can be in; a lane that has its span keeps it."""

    def codegen(context, builder, sig, args):
        x, table, first, low, high = args
        one = ir.Constant(INDEX, [1] * WIDTH)
        middle = builder.lshr(builder.add(low, high), one)
        settled = builder.icmp_signed(">=", low, high)
        # a settled lane may stand behind the last breakpoint, where nothing may be read
        seen = builder.select(settled, ir.Constant(INDEX, [0] * WIDTH), middle)
        places = builder.add(seen, splat(builder, first, INDEX))
        reached = builder.fcmp_ordered("<=", _gathered(context, builder, sig.args[1], table, places, VECTOR), x)
        up = builder.select(reached, builder.add(middle, one), low)
        down = builder.select(reached, high, middle)
        pair = builder.select(settled, low, up), builder.select(settled, high, down)
        return context.make_tuple(builder, sig.return_type, pair)

    return types.UniTuple(index, 2)(lane, breaks, types.int64, index, index), codegen
