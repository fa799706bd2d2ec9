"""The border of this room: what Flight and gRPC say stops here, in both directions.

Their messages quote addresses, Python tracebacks and, through those, values. A server therefore
answers with a word (see `refusals`) and nothing else, and a caller drops every text it is sent.
New errors are raised after the handler has ended, so that not even `__context__` leads back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TypeVar

# gRPC writes its own reports of failed handshakes to standard error unless told otherwise before
# it starts; they would come between the lines that are meant for people.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import pyarrow as pa
from pyarrow import flight

from sudare.facts.errors import LinkRefused, SudareError
from sudare.wires.refusals import FAILED, refusal

Result = TypeVar("Result")
PLAN_HEADER = "sudare-plan"


class Lost(Exception):
    """The connection, or the other side, went away; it is worth trying again."""


def answered(handle: Callable[[], Result]) -> Result:
    """What a server's handler returns, or the word for what went wrong in it."""
    try:
        return handle()
    except LinkRefused as refused:
        code = refused.code
    except Exception:
        code = FAILED
    raise spoken(code)


def answered_each(items: Iterator[Result]) -> Iterator[Result]:
    """The same for a handler that yields."""
    ended = object()
    while (item := answered(lambda: next(items, ended))) is not ended:
        yield item  # type: ignore[misc]


def spoken(code: str) -> flight.FlightUnauthorizedError:
    """A refusal as it travels."""
    return flight.FlightUnauthorizedError("refused", extra_info=code.encode())


def heard(call: Callable[[], Result]) -> Result:
    """What a call to another host returns; its refusal, or `Lost`, in place of what it raised."""
    try:
        return call()
    except SudareError:
        raise
    except flight.FlightError as error:
        found: Exception = _meaning(error)
    except (pa.ArrowException, OSError, StopIteration):
        found = Lost()
    raise found


def _meaning(error: flight.FlightError) -> Exception:
    code = bytes(getattr(error, "extra_info", b"")).decode("ascii", "replace")
    return refusal(code) if code else Lost()
