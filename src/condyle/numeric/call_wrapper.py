"""How Python calls an entry: a native function that looks at its arguments itself, where Numba asks a dispatcher.

It follows Python's convention for functions that take an array of arguments (METH_FASTCALL). Each argument must be of
exactly the type that the entry was compiled for; for another it answers NotImplemented, and `Entry` looks further.
Arrays are read in place, as NumPy lays them out. It compares with addresses in its `self`, an array of integers, which
also names arguments that were bound beforehand, and may say that the last one, an array, is to be made and returned.
The lock of the interpreter is released, unless `self` says otherwise.
"""

# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportIncompatibleMethodOverride=false
# (numba is not typed)

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering, NativeLowering
from numba.np.arrayobj import populate_array

from .entries.python_objects import ARRAY, CLASSES, DTYPES, FLAG_C, FLAG_F, PLACES
from .lanes import VECTOR, WIDTH, Lane
from .linked_code import EntryCompiler

WORD, BYTES = ir.IntType(64), ir.IntType(8).as_pointer()
SCALARS = {types.float64: "double", types.int64: "integer", types.boolean: "truth", types.complex128: "complex"}
CALL = "condyle.call."


class NotCallable(Exception):
    """An argument or a result of a type that calls do not know."""


class _Call:
    """The code of one call."""

    def __init__(self, context: Any, function: ir.Function) -> None:
        self.context, self.function = context, function
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.constants = self.field(function.args[0], ARRAY.data)
        self.other = function.append_basic_block("other")
        self.classes = CLASSES
        with self.builder.goto_block(self.other):
            self.returned("other")

    def field(self, thing, offset: int, kind: ir.Type = WORD):
        """A field of an object, or of an array of words, at an offset in bytes."""
        base = thing if thing.type == BYTES else self.builder.inttoptr(thing, BYTES)
        at = self.builder.gep(base, [WORD(offset)])
        return self.builder.load(self.builder.bitcast(at, kind.as_pointer()))

    def constant(self, name: str):
        """An address that the call was given."""
        return self.field(self.constants, 8 * PLACES[name])

    def api(self, name: str, result: ir.Type, *arguments):
        """A function of Python's interface."""
        kind = ir.FunctionType(result, [a.type for a in arguments])
        return self.builder.call(cgutils.get_or_insert_function(self.builder.module, kind, name), arguments)

    def arguments(self, count: int, makes: bool) -> list:
        """Functions that find the arguments: those that were bound, those that are given, then one that is made."""
        self.made = self.constant("made shape") if makes else WORD(0)
        first, bound = self.constant("bound"), self.constant("bound count")
        last = self.builder.zext(self.builder.icmp_unsigned("!=", self.made, WORD(0)), WORD)
        found = self.builder.add(self.builder.add(self.function.args[2], bound), last)
        self.require(self.same(found, WORD(count)))
        given = self.builder.ptrtoint(self.function.args[1], WORD)
        given = self.builder.sub(given, self.builder.mul(bound, WORD(8)))

        def at(i: int):
            start = self.builder.select(self.builder.icmp_unsigned("<", WORD(i), bound), first, given)
            return self.builder.inttoptr(self.field(start, 8 * i), BYTES)

        places = [lambda i=i: at(i) for i in range(count)]
        return [*places[:-1], lambda: self.made_or(places[-1])] if makes else places

    def made_or(self, given):
        """A new array if the call makes one, else what is given."""
        slot = cgutils.alloca_once(self.builder, BYTES)
        with self.builder.if_else(self.same(self.made, WORD(0))) as (otherwise, made):
            with otherwise:
                self.builder.store(given(), slot)
            with made:
                self.builder.store(self.new_array(), slot)
        self.result_array = self.builder.load(slot)
        with self.builder.if_then(self.is_null(self.result_array), likely=False):
            self.builder.ret(ir.Constant(BYTES, None))
        return self.result_array

    def new_array(self):
        """An array of the shape that the call was given."""
        number = ir.IntType(32)
        dtype = self.builder.inttoptr(self.constant("dtype float64"), BYTES)
        self.api("Py_IncRef", ir.VoidType(), dtype)
        kind = ir.FunctionType(BYTES, [number, BYTES, BYTES, number])
        make = self.builder.inttoptr(self.constant("new array"), kind.as_pointer())
        axes = self.builder.trunc(self.constant("made axes"), number)
        return self.builder.call(make, [axes, self.builder.inttoptr(self.made, BYTES), dtype, number(0)])

    def is_null(self, thing):
        """Whether an object is none at all: an error was raised."""
        return self.same(self.builder.ptrtoint(thing, WORD), WORD(0))

    def return_made(self, status) -> None:
        """Return what was made if the status is 0; else forget it, and return None."""
        with self.builder.if_then(self.builder.icmp_unsigned("!=", self.made, WORD(0))):
            with self.builder.if_then(self.same(status, WORD(0))):
                kind = self.constant("made class")
                with self.builder.if_then(self.same(kind, WORD(0))):
                    self.builder.ret(self.result_array)
                around = self.api("PyType_GenericAlloc", BYTES, self.builder.inttoptr(kind, BYTES), WORD(0))
                with self.builder.if_then(self.is_null(around), likely=False):
                    self.api("Py_DecRef", ir.VoidType(), self.result_array)
                    self.builder.ret(around)
                place = self.builder.gep(around, [self.constant("made slot")])
                self.builder.store(self.result_array, self.builder.bitcast(place, BYTES.as_pointer()))
                self.builder.ret(around)
            self.api("Py_DecRef", ir.VoidType(), self.result_array)
            self.returned("none")

    def unlocked(self, work):
        """What `work` makes, the lock of the interpreter released meanwhile unless the call keeps it."""
        state = cgutils.alloca_once(self.builder, BYTES)
        releases = self.same(self.constant("keeps the lock"), WORD(0))
        with self.builder.if_then(releases):
            self.builder.store(self.api("PyEval_SaveThread", BYTES), state)
        done = work()
        with self.builder.if_then(releases):
            self.api("PyEval_RestoreThread", ir.VoidType(), self.builder.load(state))
        return done

    def returned(self, name: str) -> None:
        """Return an object that the call was given."""
        thing = self.builder.inttoptr(self.constant(name), BYTES)
        self.api("Py_IncRef", ir.VoidType(), thing)
        self.builder.ret(thing)

    def require(self, condition) -> None:
        """Answer NotImplemented unless a condition holds."""
        go_on = self.function.append_basic_block()
        self.builder.cbranch(condition, go_on, self.other)
        self.builder.position_at_end(go_on)

    def same(self, a, b):
        """Whether two words are equal."""
        return self.builder.icmp_unsigned("==", a, b)

    def is_one_of(self, thing, *names: str):
        """Whether the class of an object is one of those that the call was given."""
        kind = self.field(thing, ARRAY.kind)
        found = self.same(kind, self.constant(names[0]))
        for name in names[1:]:
            found = self.builder.or_(found, self.same(kind, self.constant(name)))
        return found

    def value(self, typ: Any, thing):
        """An argument as the entry takes it."""
        if isinstance(typ, types.Array):
            return self.array(typ, thing)
        if isinstance(typ, types.BaseTuple):
            return self.tuple(typ, thing)
        if isinstance(typ, Lane):
            self.require(self.is_one_of(thing, "lanes"))
            return ir.Constant(VECTOR, [0.0] * WIDTH)
        if typ == types.none:
            self.require(self.same(self.builder.ptrtoint(thing, WORD), self.constant("none")))
            return self.context.get_dummy_value()
        if typ not in SCALARS:
            raise NotCallable(str(typ))
        return getattr(self, SCALARS[typ])(thing)

    def double(self, thing):
        """A float."""
        self.require(self.is_one_of(thing, "float", "float64"))
        return self.api("PyFloat_AsDouble", ir.DoubleType(), thing)

    def integer(self, thing):
        """A whole number; one of more than 64 bits ends in Python's own error."""
        self.require(self.is_one_of(thing, "int", "int64"))
        found = self.api("PyLong_AsLongLong", WORD, thing)
        with self.builder.if_then(self.same(found, WORD(-1)), likely=False):
            raised = self.builder.ptrtoint(self.api("PyErr_Occurred", BYTES), WORD)
            with self.builder.if_then(self.builder.icmp_unsigned("!=", raised, WORD(0)), likely=False):
                self.builder.ret(ir.Constant(BYTES, None))
        return found

    def truth(self, thing):
        """True or False."""
        word = self.builder.ptrtoint(thing, WORD)
        is_true = self.same(word, self.constant("true"))
        self.require(self.builder.or_(is_true, self.same(word, self.constant("false"))))
        return is_true

    def complex(self, thing):
        """A complex number."""
        self.require(self.is_one_of(thing, "complex", "complex128"))
        parts = [self.api(f"PyComplex_{part}AsDouble", ir.DoubleType(), thing) for part in ("Real", "Imag")]
        out = self.context.make_complex(self.builder, types.complex128)
        out.real, out.imag = parts
        return out._getvalue()

    def tuple(self, typ: Any, thing):
        """A tuple, or a NamedTuple of one class: the classes follow the other constants in the order of arguments."""
        expected = self.constant("tuple")
        if isinstance(typ, types.BaseNamedTuple):
            expected = self.field(self.constants, 8 * self.classes)
            self.classes += 1
        self.require(self.same(self.field(thing, ARRAY.kind), expected))
        self.require(self.same(self.api("PyTuple_Size", WORD, thing), WORD(len(typ))))
        items = [self.value(kind, self.api("PyTuple_GetItem", BYTES, thing, WORD(i))) for i, kind in enumerate(typ)]
        return self.context.make_tuple(self.builder, typ, items)

    def array(self, typ: types.Array, thing):
        """An array, without a reference to it: the caller has one."""
        if typ.dtype.name not in DTYPES:
            raise NotCallable(str(typ))
        self.require(self.is_one_of(thing, "ndarray"))
        self.require(self.same(self.field(thing, ARRAY.dtype), self.constant(f"dtype {typ.dtype.name}")))
        number = ir.IntType(32)
        self.require(self.same(self.field(thing, ARRAY.ndim, number), number(typ.ndim)))
        wanted = DTYPES["aligned"] | {"C": FLAG_C, "F": FLAG_F}.get(typ.layout, 0)
        flags = self.builder.and_(self.field(thing, ARRAY.flags, number), number(wanted))
        self.require(self.same(flags, number(wanted)))
        out = self.context.make_array(typ)(self.context, self.builder)
        shape, strides = self.field(thing, ARRAY.shape), self.field(thing, ARRAY.strides)
        data = self.builder.inttoptr(self.field(thing, ARRAY.data), out.data.type)
        size = self.context.get_abi_sizeof(self.context.get_data_type(typ.dtype))
        lengths, steps = ([self.field(x, 8 * k) for k in range(typ.ndim)] for x in (shape, strides))
        populate_array(out, data, lengths, steps, size, None)
        return out._getvalue()

    def object(self, typ: Any, value):
        """A number, or a tuple of numbers, as an object of Python."""
        if typ == types.float64:
            return self.api("PyFloat_FromDouble", BYTES, value)
        if isinstance(typ, types.Integer) and typ.bitwidth == 64:
            return self.api("PyLong_FromLongLong", BYTES, value)
        if typ == types.boolean:
            return self.api("PyBool_FromLong", BYTES, self.builder.zext(value, WORD))
        if typ == types.complex128:
            number = self.context.make_complex(self.builder, typ, value)
            return self.api("PyComplex_FromDoubles", BYTES, number.real, number.imag)
        if not isinstance(typ, types.UniTuple | types.Tuple):
            raise NotCallable(str(typ))
        out = self.api("PyTuple_New", BYTES, WORD(len(typ)))
        for i, kind in enumerate(typ):
            item = self.object(kind, self.builder.extract_value(value, i))
            self.api("PyTuple_SetItem", ir.IntType(32), out, WORD(i), item)
        return out

    def result(self, typ: Any, value) -> None:
        """Return what the entry returned."""
        if typ == types.none:
            self.returned("none")
        else:
            self.builder.ret(self.object(typ, value))


def _is_made(typ: Any) -> bool:
    """Whether a call may make an argument: an array as NumPy makes them."""
    return isinstance(typ, types.Array) and typ.dtype == types.float64 and typ.layout == "C"


def _add_call(context: Any, library: Any, descriptor: Any) -> None:
    """Add the call of an entry to its code."""
    module = context.create_module("call")
    kind = context.call_conv.get_function_type(descriptor.restype, descriptor.argtypes)
    entry = ir.Function(module, kind, descriptor.llvm_func_name)
    function = ir.Function(module, ir.FunctionType(BYTES, [BYTES, BYTES, WORD]), CALL + descriptor.llvm_func_name)
    call = _Call(context, function)
    makes = bool(descriptor.argtypes) and descriptor.restype == types.int64 and _is_made(descriptor.argtypes[-1])
    places = call.arguments(len(descriptor.argtypes), makes)
    values = [call.value(typ, place()) for typ, place in zip(descriptor.argtypes, places, strict=True)]
    status, result = call.unlocked(
        lambda: context.call_conv.call_function(
            call.builder, entry, descriptor.restype, descriptor.argtypes, values, attrs=("noinline",)
        )
    )
    with call.builder.if_then(status.is_error, likely=False):
        words = context.insert_const_string(module, f"{descriptor.qualname} could not go on")
        call.api("PyErr_SetString", ir.VoidType(), call.builder.inttoptr(call.constant("error"), BYTES), words)
        if makes:
            with call.builder.if_then(call.builder.icmp_unsigned("!=", call.made, WORD(0))):
                call.api("Py_DecRef", ir.VoidType(), call.result_array)
        call.builder.ret(ir.Constant(BYTES, None))
    if makes:
        call.return_made(result)
    call.result(descriptor.restype, result)
    library.add_ir_module(module)


class _CalledLower(Lower):
    def create_cpython_wrapper(self, release_gil: bool = False) -> None:
        """Our own call instead of Numba's, where it knows the types; else none."""
        try:
            _add_call(self.context, self.library, self.fndesc)
        except NotCallable:
            return


@register_pass(mutates_CFG=True, analysis_only=False)
class _CalledLowering(BaseNativeLowering):
    _name = "condyle_called_lowering"

    @property
    def lowering_class(self):
        return _CalledLower


class CalledCompiler(EntryCompiler):
    """The compiler of functions that Python calls by a call of condyle's own."""

    def define_pipelines(self):
        """Numba's pipelines, with another last step."""
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (_CalledLowering, words) if step is NativeLowering else (step, words) for step, words in pipeline.passes
            ]
        return pipelines


def address_of_call(compiled: Any) -> int:
    """The address of the call of compiled code; 0 if it has none."""
    return compiled.library.get_pointer_to_function(CALL + compiled.fndesc.llvm_func_name)
