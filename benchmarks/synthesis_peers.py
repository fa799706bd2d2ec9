"""Other makers of synthetic data, each in an environment of its own, on the same rows and bins.

    .venv/bin/python benchmarks/synthesis_peers.py [--peer mbi-aim] [--data adult] [--epsilon 1]
        [--rows 300000] [--json out.json]

- `sdv`: SDV 2's Gaussian copula, from the exact rows, with the kinds of the columns told to it.
- `mbi-mst`, `mbi-aim`: MST and AIM on mbi 2 (short drivers, see benchmarks/peer_drivers: mbi's
  wheel has no mechanisms), with δ = 1e-9 and numbers in public bins (benchmarks/peer_tables.py).
- `smartnoise-mst`: smartnoise-synth's MST, the same bins and δ; it comes with mbi 1.1.

The ε of the first two is for adding or removing a person; smartnoise-synth takes the number of rows
as known. Seconds are those of fit and of sample,
compiling included, importing and files not. An environment is made on first use, with some GB,
under benchmarks/.peers; a driver may hold 16 GiB and take 4 hours. benchmarks/synthesis.py calls
`run_peer`, so that peers are measured in the same run as sudare.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from peer_tables import BINS, BOUNDS, coding, load
from sudare.accounting.zcdp import rho_of

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE / ".peers"
RESULTS = HERE / "results"
WORK = RESULTS / "peers"
DELTA = 1e-9
ROWS = 300_000
MEMORY = 16 * 2**30
PATIENCE = 4 * 3600


class Peer(NamedTuple):
    environment: str
    driver: str
    private: bool


class Seconds(NamedTuple):
    """Of the wall clock, and of the processor for when others share the machine."""

    fit: float
    sample: float
    fit_cpu: float
    sample_cpu: float


PEERS = {
    "sdv": Peer("sdv", "sdv_copula.py", private=False),
    "mbi-mst": Peer("mbi", "mbi_mst.py", private=True),
    "mbi-aim": Peer("mbi", "mbi_aim.py", private=True),
    "smartnoise-mst": Peer("smartnoise", "smartnoise_mst.py", private=True),
}


def environment(name: str) -> Path:
    """The Python of a peer; made on first use and again when its requirements change."""
    folder = ENVIRONMENTS / name
    wanted = HERE.parent / "requirements" / f"peer-{name}.txt"
    python, stamp = folder / "bin" / "python", folder / ".ready"
    state = hashlib.sha256(wanted.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != state:
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        quiet = ["--quiet", "--disable-pip-version-check"]
        install = [str(python), "-m", "pip", "install", *quiet, "--requirement", str(wanted)]
        subprocess.run(install, check=True)
        stamp.write_text(state)
    return python


def bounded() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def drive(peer: Peer, job: dict[str, object], name: str, work: Path) -> Seconds:
    """One run in the peer's environment; its last line of output holds the seconds."""
    python, note = environment(peer.environment), work / f"{name}.job.json"
    note.write_text(json.dumps(job))
    with (work / f"{name}.log").open("w") as log:
        done = subprocess.run(
            [str(python), str(HERE / "peer_drivers" / peer.driver), str(note)],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=True,
            timeout=PATIENCE,
            preexec_fn=bounded,
        )
    said = json.loads(done.stdout.splitlines()[-1])
    return Seconds(**said)


def run_exact(peer: Peer, data: str, rows: int, name: str, work: Path) -> Seconds:
    source = work / f"{data}.csv"
    load(data).to_csv(source, index=False)
    job = {"source": str(source), "numbers": list(BOUNDS[data]), "rows": rows}
    return drive(peer, {**job, "out": str(work / f"{name}.csv")}, name, work)


def run_private(
    peer: Peer, data: str, epsilon: float, rows: int, name: str, work: Path, bins: int
) -> Seconds:
    real = load(data)
    coders = coding(data, real, bins)
    source, out = work / f"{name}.codes.npz", work / f"{name}.out.npz"
    np.savez(source, **{column: coder.encode(real[column]) for column, coder in coders.items()})
    job: dict[str, object] = {
        "source": str(source),
        "out": str(out),
        "sizes": {column: coder.size for column, coder in coders.items()},
        "rows": rows,
        "epsilon": epsilon,
        "delta": DELTA,
        "rho": rho_of(epsilon, DELTA),
    }
    seconds = drive(peer, job, name, work)
    rng = np.random.default_rng()
    with np.load(out) as codes:
        made = {column: coder.decode(codes[column], rng) for column, coder in coders.items()}
    pd.DataFrame(made).to_csv(work / f"{name}.csv", index=False)
    return seconds


def run_peer(
    peer: str,
    data: str = "adult",
    *,
    epsilon: float = 1.0,
    rows: int = ROWS,
    work: Path = WORK,
    bins: int = BINS,
) -> tuple[Path, Seconds]:
    """Fit and sample once; the CSV of synthetic rows and the seconds of both steps."""
    work.mkdir(parents=True, exist_ok=True)
    asked = PEERS[peer]
    if not asked.private:
        name = f"{peer}-{data}"
        return work / f"{name}.csv", run_exact(asked, data, rows, name, work)
    name = f"{peer}-{data}-{epsilon:g}"
    seconds = run_private(asked, data, epsilon, rows, name, work, bins)
    return work / f"{name}.csv", seconds


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", choices=list(PEERS), action="append")
    parser.add_argument("--data", choices=list(BOUNDS), action="append")
    parser.add_argument("--epsilon", type=float, action="append")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--bins", type=int, default=BINS)
    parser.add_argument("--work", type=Path, default=WORK)
    parser.add_argument("--json", type=Path, default=RESULTS / "synthesis_peers.json")
    asked = parser.parse_args()
    runs: list[dict[str, object]] = []
    for peer in asked.peer or PEERS:
        private = PEERS[peer].private
        for data in asked.data or (["adult"] if private else list(BOUNDS)):
            for epsilon in (asked.epsilon or [0.1, 1.0, 10.0]) if private else [0.0]:
                path, seconds = run_peer(
                    peer, data, epsilon=epsilon, rows=asked.rows, work=asked.work, bins=asked.bins
                )
                run = {"peer": peer, "data": data, "rows": asked.rows, "csv": str(path)}
                cost = {"epsilon": epsilon, "delta": DELTA, "bins": asked.bins} if private else {}
                runs.append({**run, **cost, **seconds._asdict()})
                print(json.dumps(runs[-1]), flush=True)
                asked.json.parent.mkdir(parents=True, exist_ok=True)
                asked.json.write_text(json.dumps(runs, indent=2) + "\n")


if __name__ == "__main__":
    main()
