"""The border to libsodium, which comes inside rbcl: three functions on plain addresses.

rbcl's own functions take and give one `bytes` a point. Here a whole array is handed over by its
address, so that a call costs no object, and a thread leaves the interpreter for each call: two
threads keep two cores busy (`benchmarks/link_keys.py` measures it beside rbcl's functions).
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sudare.facts.extras import needs

# Importing the package around it initialises the library.
with needs("link"):
    from rbcl._sodium import _sodium as _LIBRARY

# rbcl writes the library to a temporary file of 2.8 MB in every process and leaves it there. It is
# loaded by now; a system that will not part with a loaded file keeps it.
with contextlib.suppress(OSError):
    Path(_LIBRARY._name).unlink()

_THREE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_TWO = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_ONE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)

# Each takes addresses: of 32 bytes a point or scalar, of 64 bytes a digest. `multiply` gives 0, or
# -1 if the point is no valid encoding or the product is the identity; `is_valid` gives 1 or 0.
multiply = _THREE(("crypto_scalarmult_ristretto255", _LIBRARY))
from_digest = _TWO(("crypto_core_ristretto255_from_hash", _LIBRARY))
is_valid = _ONE(("crypto_core_ristretto255_is_valid_point", _LIBRARY))

# Stretches a thread at the least, and items of a stretch at the most, as far as there are so many.
_STRETCHES, _LONGEST = 64, 1024


def shared_out(count: int, workers: int, work: Callable[[range], bool]) -> bool:
    """Whether `work` succeeded on every stretch of 0 ... count-1.

    There are many more stretches than threads, and whoever is free takes the next: two cores are
    seldom equally fast, and the slower one would make the other wait.
    """
    length = min(max(count // (workers * _STRETCHES), 1), _LONGEST)
    stretches = [range(low, min(low + length, count)) for low in range(0, count, length)]
    if workers < 2 or len(stretches) < 2:
        return all(work(stretch) for stretch in stretches)
    with ThreadPoolExecutor(workers) as threads:
        return all(list(threads.map(work, stretches)))
