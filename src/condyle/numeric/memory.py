"""How kernels reach their numbers: by address, without the look at negative positions that indexing an array brings.

A `Table` is an array that kernels only read, so what was read once is known for good. A `Room` is scratch. Both take
fewer registers than an array where they go from one kernel to the next.
"""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

import operator

from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model


class Table(types.Type):
    """The address of numbers that do not change."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(name=f"Table({dtype})")


class Room(types.Type):
    """The address of scratch, and who owns it."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(name=f"Room({dtype})")


@register_model(Table)
class _TableModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, manager.lookup(fe_type.dtype).get_data_type().as_pointer())


@register_model(Room)
class _RoomModel(models.StructModel):
    def __init__(self, manager, fe_type):
        owner = types.MemInfoPointer(fe_type.dtype)
        super().__init__(manager, fe_type, [("meminfo", owner), ("data", types.CPointer(fe_type.dtype))])


def _parts(context, builder, typ, value):
    """The fields of an array or a room."""
    return cgutils.create_struct_proxy(typ)(context, builder, value=value)


@intrinsic
def table(typingctx, x):
    """The numbers of an array that outlives all that is done with them: an argument of an entry."""

    def codegen(context, builder, sig, args):
        return _parts(context, builder, sig.args[0], args[0]).data

    return Table(x.dtype)(x), codegen


@intrinsic
def room(typingctx, x):
    """An array as a room."""

    def codegen(context, builder, sig, args):
        array = _parts(context, builder, sig.args[0], args[0])
        out = cgutils.create_struct_proxy(sig.return_type)(context, builder)
        out.meminfo, out.data = array.meminfo, array.data
        return impl_ret_borrowed(context, builder, sig.return_type, out._getvalue())

    return Room(x.dtype)(x), codegen


def address(context, builder, typ, value, position):
    """The address of a number in a table, a room or a contiguous one-dimensional array."""
    data = value if isinstance(typ, Table) else _parts(context, builder, typ, value).data
    return builder.gep(data, [position], inbounds=True)


def loaded(context, builder, typ, pointer):
    """The number at an address in a table, a room or an array of that type."""
    value = builder.load(pointer)
    if isinstance(typ, Table):
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return context.data_model_manager[typ.dtype].from_data(builder, value)


def _read(context, builder, sig, args):
    return loaded(context, builder, sig.args[0], address(context, builder, sig.args[0], *args))


def _write(context, builder, sig, args):
    context.pack_value(builder, sig.args[2], args[2], address(context, builder, sig.args[0], *args[:2]))
    return context.get_dummy_value()


@intrinsic
def read(typingctx, x, k):
    """x[k] for k ≥ 0."""
    return x.dtype(x, types.int64), _read


@intrinsic
def write(typingctx, x, k, value):
    """x[k] = value for k ≥ 0."""
    return types.void(x, types.int64, x.dtype), _write


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], Table | Room) and isinstance(args[1], types.Integer):
            return signature(args[0].dtype, args[0], types.int64)
        return None


@infer_global(operator.setitem)
class _ItemSet(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], Room) and isinstance(args[1], types.Integer):
            return signature(types.void, args[0], types.int64, args[0].dtype)
        return None


lower_builtin(operator.getitem, Table, types.int64)(_read)
lower_builtin(operator.getitem, Room, types.int64)(_read)
lower_builtin(operator.setitem, Room, types.int64, types.Any)(_write)
