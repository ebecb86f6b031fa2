"""Tables of numbers that differ from state to state, in two orders.

Number k of lane l is x[0, k, l]; x[1] has the numbers of the first lane, then those of the second, and so on. Where a
kernel reads one number of a table that all states share, it reads a lane of x[0]; the kernel is the same. Where each
lane reads neighbours at a place of its own, they stand together in x[1], as in a table that is shared. Breakpoints are
those of all states: they are looked up in the first lane.
"""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from .lanes import INDEX, INT, VECTOR, WIDTH, index, lane, splat
from .pointers import Table


class LaneTable(types.Type):
    """Addresses of lanes that do not change, and of the same numbers lane by lane, with their count."""

    def __init__(self):
        super().__init__(name=f"LaneTable{WIDTH}")


NUMBERS = Table(types.float64)


@register_model(LaneTable)
class _Addresses(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [("lanes", NUMBERS), ("own", NUMBERS), ("count", types.int64)])


lane_table_type = LaneTable()


def _fields(context, builder, value=None):
    return cgutils.create_struct_proxy(lane_table_type)(context, builder, value=value)


@intrinsic
def lane_table(typingctx, x):
    """The numbers of an array (2, numbers, lanes) that the caller of an entry keeps."""

    def codegen(context, builder, sig, args):
        array, out = (
            cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]),
            _fields(context, builder),
        )
        out.count = builder.extract_value(array.shape, 1)
        out.lanes = array.data
        out.own = builder.gep(array.data, [builder.mul(out.count, ir.Constant(INT, WIDTH))], inbounds=True)
        return out._getvalue()

    return lane_table_type(x), codegen


def _read_lane(context, builder, sig, args):
    position = builder.mul(args[1], ir.Constant(INT, WIDTH))
    pointer = builder.gep(_fields(context, builder, args[0]).lanes, [position], inbounds=True)
    value = builder.load(builder.bitcast(pointer, VECTOR.as_pointer()), align=8)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


@intrinsic
def read_lane(typingctx, x, k):
    """Lane k."""
    return lane(x, types.int64), _read_lane


@intrinsic
def own_numbers(typingctx, x):
    """The numbers lane by lane, those of the first lane first: `own_index` says where those of each lane are."""
    return NUMBERS(x), lambda context, builder, sig, args: _fields(context, builder, args[0]).own


@intrinsic
def own_index(typingctx, x, start):
    """Where number `start` of every lane stands in `own_numbers`."""

    def codegen(context, builder, sig, args):
        count = splat(builder, _fields(context, builder, args[0]).count, INDEX)
        return builder.add(args[1], builder.mul(count, ir.Constant(INDEX, list(range(WIDTH)))))

    return index(x, index), codegen


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        if args[0] == lane_table_type and isinstance(args[1], types.Integer):
            return signature(lane, args[0], types.int64)
        return None


lower_builtin(operator.getitem, LaneTable, types.int64)(_read_lane)
