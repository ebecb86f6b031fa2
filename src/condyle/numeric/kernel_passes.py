"""The steps of Numba's compiler that kernels need: those for closures, literals and arrays as wholes find nothing here.

Functions from outside the package, which may hold such things, pass through all steps.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes, untyped_passes
from numba.core.compiler import Compiler

PACKAGE = __name__.split(".", maxsplit=1)[0] + "."
NEEDLESS = (
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
    """Numba's compiler without steps that do nothing to a kernel of the package."""

    def define_pipelines(self) -> list[Any]:
        """Numba's pipelines, shortened."""
        pipelines, state = super().define_pipelines(), self.state
        if f"{state.func_id.modname}.".startswith(PACKAGE):  # type: ignore[attr-defined]
            for pipeline in pipelines:
                pipeline.passes = [step for step in pipeline.passes if step[0] not in NEEDLESS]
        return pipelines
