"""How the kernel's functions are compiled: without the GIL, and cached on disk where a cache can be kept.

`domain.robots.kernel.cache_locator` says where. Where no cache can be kept the functions are compiled anew at each start.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

# numba reads this when it is first imported.
os.environ.setdefault("NUMBA_CACHE_LOCATOR_CLASSES", "domain.robots.kernel.cache_locator.KernelCacheLocator")

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile `function` when it is first called."""
    try:
        return cast("Function", numba.njit(cache=True, nogil=True)(function))
    except RuntimeError:  # no place for a cache
        return cast("Function", numba.njit(nogil=True)(function))
