"""Machine code for entries only: what kernels call is linked into their entries, and needs none of its own.

Numba optimises every function as a whole program and makes it ready to run when it is compiled. Functions that only
other kernels call are simplified one by one here, and kept in LLVM's form for linking; optimising the program and the
step to machine code, a third of the compiler's work, are left to the entries, which do both once.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult

from .kernel_passes import KernelCompiler


class _Codegen:
    """A code generator that sets no environments: code that does not run has no place for them."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: object) -> None:
        """Nothing: the entry that links the code in sets it."""


class LinkedCode(JITCodeLibrary):
    """The code of one function, for others to link in; the entry that does so is optimised as a whole."""

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _Codegen(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """None: the code is made ready for linking."""
        self._ensure_finalized()
        return 0

    def _optimize_final_module(self) -> None:
        """Nothing: the entry is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        """What is kept on disk: LLVM's form."""
        return self.serialize_using_bitcode()

    @classmethod
    def kept(cls, codegen: Any, state: tuple[str, str, bytes]) -> LinkedCode:
        """The code that was kept."""
        from llvmlite import binding

        name, _, bitcode = state
        library = cls(codegen, name)
        library._final_module = binding.parse_bitcode(bitcode)
        library._finalize_final_module()
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
