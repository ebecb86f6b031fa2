"""Machine code for entries only: what kernels call is linked into their entries, and needs none of its own.

Numba optimises every function as a whole program and makes it ready to run when it is compiled. Functions that only
other kernels call are simplified one by one here, and kept in LLVM's form for linking; optimising the program and the
step to machine code, a third of the compiler's work, are left to the entries, which do both once.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage, parse_bitcode
from numba.core import typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.extending import overload

PACKAGE = __name__.split(".", maxsplit=1)[0] + "."
NEEDLESS = (  # steps of Numba's compiler for closures, literals and arrays as wholes find nothing in kernels
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.RewriteDynamicRaises,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    untyped_passes.FindLiterallyCalls,
    untyped_passes.LiteralUnroll,
    untyped_passes.LiteralPropagationSubPipelinePass,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
    typed_passes.DumpParforDiagnostics,
)


class KernelCompiler(Compiler):
    """Numba's compiler without steps that do nothing to a kernel; functions from outside pass through all."""

    def define_pipelines(self) -> list[Any]:
        """Numba's pipelines, shortened."""
        pipelines, state = super().define_pipelines(), self.state
        if f"{state.func_id.modname}.".startswith(PACKAGE):  # type: ignore[attr-defined]
            for pipeline in pipelines:
                pipeline.passes = [step for step in pipeline.passes if step[0] not in NEEDLESS]
        return pipelines


class _Codegen:
    """A code generator that sets no environments: code that does not run has no place for them."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Nothing: the entry that links the code in sets it."""


class LinkedCode(JITCodeLibrary):
    """The code of one function, for others to link in; the entry that does so is optimised as a whole.

    It is without the code of what it calls until it is kept, or linked by code that is not of this class.
    """

    _whole = False

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _Codegen(self._codegen)

    @property
    def has_dynamic_globals(self) -> bool:
        """Whether it, or what it calls, refers to an address of this process, and cannot be kept."""
        return any(library._dynamic_globals for library in (self, *self._called()))

    def get_pointer_to_function(self, name: str) -> int:
        """None: the code is made ready for linking."""
        self._ensure_finalized()
        return 0

    def finalize(self) -> None:
        """End it; the entry is optimised, and checked, as a whole."""
        self._raise_if_finalized()
        for library in self._linking_libraries:
            if hasattr(library, "_reload_init"):  # of newer versions of Numba
                self._reload_init.update(library._reload_init)
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"  # it may be linked in several times
        self._finalize_dynamic_globals()
        self._finalized = True

    def _called(self) -> list[JITCodeLibrary]:
        """The code of what it calls, directly or not, that it does not contain: callers before what they call."""
        found: dict[JITCodeLibrary, None] = {}
        waiting: list[Any] = [self]
        for here in waiting:
            if isinstance(here, LinkedCode) and not here._whole:
                new = [x for x in dict.fromkeys(here._linking_libraries) if x not in found]
                found.update(dict.fromkeys(new))
                waiting += new
        return [*found]

    def _get_module_for_linking(self) -> Any:
        """The code of the function and of all that it calls."""
        self._ensure_finalized()
        for library in self._called():
            inner = isinstance(library, LinkedCode)
            module = library._final_module if inner else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        self._whole = True
        return self._final_module

    def serialize_using_object_code(self) -> Any:
        """What is kept on disk: LLVM's form."""
        self._get_module_for_linking()
        return self.serialize_using_bitcode()

    @classmethod
    def kept(cls, codegen: Any, state: tuple[str, str, bytes]) -> LinkedCode:
        """The code that was kept."""
        name, _, bitcode = state
        library = cls(codegen, name)
        library._final_module = parse_bitcode(bitcode)
        library.finalize()
        library._whole = True
        return library


class InnerCompiler(KernelCompiler):
    """The compiler of functions that kernels call."""

    def _compile_bytecode(self):
        state: Any = self.state
        state.library = LinkedCode(state.targetctx.codegen(), state.func_id.func_qualname)
        return super()._compile_bytecode()


class SeldomCompiler(InnerCompiler):
    """The compiler of functions that kernels seldom call: merged into a caller they would cost it registers."""

    def _compile_bytecode(self):
        result: Any = super()._compile_bytecode()
        result.library._final_module.get_function(result.fndesc.llvm_func_name).add_function_attribute("noinline")
        return result


class EntryCompiler(KernelCompiler):
    """The compiler of functions that Python calls: it sets the environments of all that is linked in."""

    def _compile_bytecode(self):
        result: Any = super()._compile_bytecode()
        for environment in result._find_referenced_environments():
            result.codegen.set_env(environment.env_name, environment)
        return result


def rebuilt_inner(target_context: Any, data: tuple) -> CompileResult:
    """A function that kernels call, from what was kept of it."""
    code, descriptor, environment, signature, objectmode, lifted, annotation, reload_init, environments = data
    for again in reload_init:
        again()
    library: Any = LinkedCode.kept(target_context.codegen(), code)
    return CompileResult(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=target_context.get_executable(library, descriptor, environment),
        fndesc=descriptor,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )


def compiled_as(function, **options):
    """What follows is the compiled meaning of a function, for kernels to link in."""
    inner: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": InnerCompiler}
    return overload(function, jit_options=inner | options)
