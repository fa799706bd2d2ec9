"""A function over a stream by several threads, results in the order of the stream.

Only a few items are under way at a time, so memory does not grow with the stream. It is for
functions whose work is done by NumPy, Arrow or AES, which let other threads run meanwhile.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")
# Beyond so many threads the interpreter is the bottleneck.
_MOST = 8


def ahead(function: Callable[[Given], Made], items: Iterable[Given]) -> Iterator[Made]:
    """`function` of each item; whoever stops early waits for what is under way only."""
    threads = min(os.cpu_count() or 1, _MOST)
    with ThreadPoolExecutor(threads) as pool:
        under_way: deque[Future[Made]] = deque()
        try:
            for item in items:
                under_way.append(pool.submit(function, item))
                if len(under_way) > threads:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            for each in under_way:
                each.cancel()
