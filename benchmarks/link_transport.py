"""How fast do chunks travel durably between two organisations?

    .venv/bin/python benchmarks/link_transport.py

Batches of 65,536 rows, a pseudonym of 32 bytes and a sealed report of 48 each, go over loopback
with mutual TLS to another process: once with bare Flight (one DoPut, the receiver drops what it
reads), once with `Caller.send` (each chunk on the receiver's disk before it is acknowledged). Both
in turn, several times, in one run, with the same certificates; before every timed run one that is
not timed. A party's chunks lie packed in its outbox before the first is sent, so packing is not
timed. Beside it the receiver's disk alone: the same chunks through `Mailbox.put`, three at a time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import flight
from rich.console import Console

from sudare.wires.authority import make_authority, make_identity
from sudare.wires.calling import Caller
from sudare.wires.chunks import ROWS, WRITING, Chunk, packed
from sudare.wires.identity import Identity
from sudare.wires.mailbox import Mailbox
from sudare.wires.names import party_host
from sudare.wires.serving import Post

PSEUDONYM, SEALED = 32, 48
PLAN = "0" * 64
RESULTS = Path(__file__).parent / "results" / "link_transport.json"


def batch() -> pa.RecordBatch:
    """Bytes that no layer can compress."""
    rng = np.random.default_rng(8)
    columns = {
        name: pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(width), ROWS, [None, pa.py_buffer(rng.bytes(ROWS * width))]
        )
        for name, width in (("pseudonym", PSEUDONYM), ("sealed", SEALED))
    }
    return pa.record_batch(columns)


class Bare(flight.FlightServerBase):  # type: ignore[misc]
    """The yardstick: reads batches, counts rows, says how many."""

    def do_put(self, context: Any, descriptor: Any, reader: Any, writer: Any) -> None:
        rows = sum(chunk.data.num_rows for chunk in reader)
        writer.write(str(rows).encode())


def serve(kind: str, identity: Path, mailbox: Path) -> None:
    """The receiving process: prints its port and ends with its standard input."""
    who = Identity.load(identity)
    if kind == "bare":
        server = Bare(
            "grpc+tls://127.0.0.1:0",
            tls_certificates=[(who.certificate_pem, who.key_pem)],
            verify_client=True,
            root_certificates=who.ca_pem,
        )
        print(server.port, flush=True)
        sys.stdin.read()
        server.shutdown()
        return
    streams = {f"run{number}": "a" for number in range(100)}
    with Post(
        who, "127.0.0.1:0", PLAN, ("a", "b"), Mailbox(mailbox), {}, senders=streams, readers={}
    ) as post:
        print(post.port, flush=True)
        sys.stdin.read()


@contextmanager
def receiving(kind: str, folder: Path) -> Iterator[str]:
    command = [sys.executable, __file__, "--serve", kind, "--folder", str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:  # type: ignore[call-overload]
        yield f"127.0.0.1:{int(process.stdout.readline())}"
        process.stdin.close()
        process.wait(60)


def bare_seconds(client: flight.FlightClient, data: pa.RecordBatch, chunks: int) -> float:
    began = perf_counter()
    writer, answers = client.do_put(flight.FlightDescriptor.for_command(b"x"), data.schema)
    for _ in range(chunks):
        writer.write_batch(data)
    writer.done_writing()
    assert int(answers.read().to_pybytes()) == chunks * ROWS
    writer.close()
    return perf_counter() - began


def durable_seconds(caller: Caller, stream: str, content: memoryview, chunks: int) -> float:
    began = perf_counter()
    sent = (Chunk(n, content, n == chunks - 1) for n in range(chunks))
    assert caller.send(stream, sent) == chunks
    return perf_counter() - began


def disk_seconds(folder: Path, content: memoryview, chunks: int) -> float:
    mailbox = Mailbox(folder)
    began = perf_counter()
    with ThreadPoolExecutor(WRITING) as threads:
        puts = [
            threads.submit(mailbox.put, "disk", n, content, n == chunks - 1) for n in range(chunks)
        ]
        for put in puts:
            put.result()
    return perf_counter() - began


def measured(folder: Path, chunks: int, repeats: int) -> dict[str, Any]:
    """Megabytes a second of both ways, one run after the other."""
    make_authority(folder / "authority", "benchmark", 2)
    who = make_identity(folder / "a", "a", folder / "authority", 2)
    make_identity(folder / "b", "b", folder / "authority", 2)
    data = batch()
    content = packed(data)
    found: dict[str, list[float]] = {"bare": [], "durable": [], "disk": []}
    size = data.nbytes * chunks / 1e6
    with receiving("bare", folder) as bare, receiving("durable", folder) as durable:
        client = flight.FlightClient(
            f"grpc+tls://{bare}",
            tls_root_certs=who.ca_pem,
            cert_chain=who.certificate_pem,
            private_key=who.key_pem,
            override_hostname=party_host("b"),
        )
        caller = Caller(who, durable, "b", PLAN)
        for run in range(repeats + 1):
            found["bare"].append(size / bare_seconds(client, data, chunks))
            found["durable"].append(size / durable_seconds(caller, f"run{run}", content, chunks))
            shutil.rmtree(folder / "mail" / f"run{run}")
            found["disk"].append(size / disk_seconds(folder / f"disk{run}", content, chunks))
            shutil.rmtree(folder / f"disk{run}")
        caller.close()
        client.close()
    # The first run warms connections, allocators and the file system.
    return {way: [round(each, 1) for each in values[1:]] for way, values in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--serve", choices=("bare", "durable"))
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.serve:
        serve(options.serve, options.folder / "b", options.folder / "mail")
        return
    folder = Path(tempfile.mkdtemp(prefix="link_transport", dir=options.folder))
    try:
        runs = measured(folder, options.chunks, options.repeats)
    finally:
        shutil.rmtree(folder)
    rates = {way: statistics.median(values) for way, values in runs.items()}
    pairs = zip(runs["durable"], runs["bare"], strict=True)
    result = {
        "python": platform.python_version(),
        "pyarrow": pa.__version__,
        "cores": len(os.sched_getaffinity(0)),
        "rows_per_chunk": ROWS,
        "bytes_per_row": PSEUDONYM + SEALED,
        "chunks": options.chunks,
        "megabytes_per_second": rates,
        "durable_over_bare": round(statistics.median(d / b for d, b in pairs), 3),
        "runs": runs,
    }
    RESULTS.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    console = Console()
    for way, rate in rates.items():
        console.print(f"{way:8} {rate:7.0f} MB/s")
    console.print(f"durable / bare: {result['durable_over_bare']}")


if __name__ == "__main__":
    main()
