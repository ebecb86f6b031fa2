"""Raw pointers for kernels: no reference counting and no negative-index check on each access, unlike a NumPy array.

A `Table` points at an array that kernels only read, so a value that was loaded once need not be loaded again; the
array belongs to the caller of the entry. A `Room` points at scratch; the entry that allocated it releases it.
"""

# pyright: reportOptionalCall=false
# (numba's decorators are declared to return nothing)

from __future__ import annotations

import operator

from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from .number_types import ALIGNMENT


class Table(types.Type):
    """The address of numbers that do not change."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(name=f"Table({dtype})")


class Room(types.Type):
    """The address of scratch."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(name=f"Room({dtype})")


class Part(Room):
    """The address of a part of scratch, which is released with the whole."""

    def __init__(self, dtype):
        super().__init__(dtype)
        self.name = f"Part({dtype})"


class _Address(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, manager.lookup(fe_type.dtype).get_data_type().as_pointer())


register_model(Table)(_Address)
register_model(Room)(_Address)
register_model(Part)(_Address)


def _data_of_array(context, builder, sig, args):
    if isinstance(sig.args[0], Room):
        return args[0]
    return cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0]).data


@intrinsic
def table(typingctx, x):
    """The numbers of an array that the caller of an entry keeps."""
    return Table(x.dtype)(x), _data_of_array


@intrinsic
def room(typingctx, x):
    """The numbers of an array that the caller of an entry keeps, or of a part of scratch, to be written to."""
    return Room(x.dtype)(x), _data_of_array


@intrinsic
def take(typingctx, zero, count):
    """Room for as many numbers of the type of `zero`; the address that was allocated stands before them."""
    size = zero.bitwidth // 8

    def codegen(context, builder, sig, args):
        word = cgutils.intp_t
        wanted = builder.mul(args[1], word(size))
        found = context.nrt.allocate(builder, builder.add(wanted, word(ALIGNMENT + 8)))
        start = builder.ptrtoint(found, word)
        start = builder.and_(builder.add(start, word(ALIGNMENT + 7)), word(-ALIGNMENT))
        builder.store(found, _before(builder, start))
        return builder.inttoptr(start, context.get_value_type(sig.return_type))

    return Room(types.unliteral(zero))(zero, types.int64), codegen


@intrinsic
def part(typingctx, whole, start):
    """What follows the first numbers of a room."""

    def codegen(context, builder, sig, args):
        return builder.gep(args[0], [args[1]], inbounds=True)

    return Part(whole.dtype)(whole, types.int64), codegen


def _before(builder, start):
    """Where the address stands that was allocated for the room that begins at `start`."""
    return builder.inttoptr(builder.sub(start, cgutils.intp_t(8)), cgutils.voidptr_t.as_pointer())


@intrinsic
def release(typingctx, rooms):
    """Free a room, or all rooms of a tuple of them or of tuples."""

    def free(context, builder, typ, value):
        if isinstance(typ, types.BaseTuple):
            for i, each in enumerate(typ.types):  # type: ignore[attr-defined]
                free(context, builder, each, builder.extract_value(value, i))
        elif type(typ) is Room:
            start = builder.ptrtoint(value, cgutils.intp_t)
            context.nrt.free(builder, builder.load(_before(builder, start)))

    def codegen(context, builder, sig, args):
        free(context, builder, sig.args[0], args[0])
        return context.get_dummy_value()

    return types.void(rooms), codegen


def address(context, builder, typ, value, position):
    """The address of a number in a table, a room or a contiguous one-dimensional array."""
    if isinstance(typ, types.Array):
        value = cgutils.create_struct_proxy(typ)(context, builder, value=value).data
    return builder.gep(value, [position], inbounds=True)


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


@intrinsic
def read_record(typingctx, kind, x, k):
    """A NamedTuple of the integers x[k], x[k + 1], …"""
    count = len(kind.instance_class._fields)

    def codegen(context, builder, sig, args):
        table, position = sig.args[1], args[2]
        places = [builder.add(position, cgutils.intp_t(i)) for i in range(count)]
        fields = [loaded(context, builder, table, address(context, builder, table, args[1], at)) for at in places]
        return context.make_tuple(builder, sig.return_type, fields)

    return types.NamedUniTuple(x.dtype, count, kind.instance_class)(kind, x, types.int64), codegen


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
