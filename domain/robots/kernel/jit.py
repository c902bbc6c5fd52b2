"""How the kernel's functions are compiled: without the GIL, and cached on disk where a cache can be kept.

`domain.robots.kernel.cache_locator` says where. Where no cache can be kept the functions are compiled anew at each start.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

# numba reads this when it is first imported.
os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", "domain.robots.kernel.cache_locator.KernelCacheLocator")

import numba
from llvmlite import ir  # pyright: ignore[reportMissingTypeStubs]
from numba import types
from numba.extending import intrinsic, overload

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile `function` when it is first called."""
    try:
        return cast("Function", numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no place for a cache
        return cast("Function", numba.njit(nogil=True)(function))


def as_instruction(name: str, *flags: int) -> Callable[[Function], Function]:
    """Compile a function of one integer as the instruction `name` of LLVM, with these flags; plain Python calls the function itself."""

    def decorate(function: Function) -> Function:
        @intrinsic
        def instruction(_context: Any, _mask: Any) -> Any:
            def build(_: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
                return getattr(builder, name)(arguments[0], *(ir.Constant(ir.IntType(1), flag) for flag in flags))

            return types.int64(types.int64), build

        @overload(function)
        def typed(mask: Any) -> Any:  # noqa: ARG001 - numba asks by the types of the arguments
            def call(mask: Any) -> Any:
                return instruction(mask)  # pyright: ignore[reportCallIssue] - the context is numba's to give

            return call

        return function

    return decorate
