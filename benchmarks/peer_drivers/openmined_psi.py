"""OpenMined's intersection from end to end in one process: both parties' work, none of a network's.

Its "fit" is all of it: the server's setup, the client's request, the server's answer and the
client's intersection, with the messages that pass between them. It tells how many keys it found.
"""

from __future__ import annotations

import json
from pathlib import Path

import private_set_intersection.python as psi
from contract import Job, read_job, report, timed

FALSE_POSITIVES = 1e-9


def intersection(job: Job, ours: list[str], theirs: list[str]) -> list[int]:
    server = psi.server.CreateWithNewKey(True)
    client = psi.client.CreateWithNewKey(True)
    kind = psi.DataStructure[job["structure"]]
    setup = server.CreateSetupMessage(FALSE_POSITIVES, len(theirs), ours, kind)
    answer = server.ProcessRequest(client.CreateRequest(theirs))
    return client.GetIntersection(setup, answer)


def main() -> None:
    job = read_job()
    ours, theirs = (Path(job[name]).read_text("utf-8").split("\n") for name in ("ours", "theirs"))
    found, spell = timed(lambda: intersection(job, ours, theirs))
    Path(job["out"]).write_text(json.dumps(len(found)), "utf-8")
    report(spell, (0.0, 0.0))


if __name__ == "__main__":
    main()
