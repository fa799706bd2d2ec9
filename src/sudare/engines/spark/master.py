"""Where Spark runs: this machine, or a cluster; checked before anything is started."""

from __future__ import annotations

import os
import re
import shutil
import socket
from dataclasses import dataclass

from sudare.facts.errors import EngineUnavailable, UsageError

DEFAULT = "local[*]"
_KNOWN = re.compile(
    r"local(\[(\*|[1-9][0-9]{0,2})(, ?[0-9]+)?\])?|spark://[^\s]+|yarn|k8s://[^\s]+"
)
_LOCAL = re.compile(r"local(\[.*\])?")
_PORT = 7077
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Long enough for a slow network, short enough that nobody takes it for a hang.
_SECONDS = 5.0


@dataclass(frozen=True)
class Master:
    """A master's name as Spark takes it."""

    name: str

    @classmethod
    def of(cls, name: str | None) -> Master:
        if name is None:
            return cls(DEFAULT)
        if not _KNOWN.fullmatch(name):
            raise UsageError(
                "This is not a Spark master.",
                "Write local[*], local[2], spark://host:7077, yarn or k8s://….",
            )
        return cls(name)

    @property
    def is_local(self) -> bool:
        return _LOCAL.fullmatch(self.name) is not None

    @property
    def hosts(self) -> list[tuple[str, int]]:
        """Where a standalone master listens; there may be several."""
        if not self.name.startswith("spark://"):
            return []
        found = []
        for part in self.name.removeprefix("spark://").split(","):
            host, _, port = part.rpartition(":")
            found.append((host.strip("[]"), int(port)) if port.isdigit() else (part, _PORT))
        return found

    @property
    def settings(self) -> dict[str, str]:
        """On this machine alone nobody else has to reach the driver."""
        near = self.is_local or any(host in _LOOPBACK for host, _ in self.hosts)
        address = dict.fromkeys(("spark.driver.host", "spark.driver.bindAddress"), "127.0.0.1")
        return {"spark.master": self.name, **(address if near else {})}

    def check(self) -> None:
        """Refuse at once what would fail only after minutes."""
        home = os.environ.get("JAVA_HOME")
        if shutil.which("java", path=os.path.join(home, "bin") if home else None) is None:
            if home and shutil.which("java"):
                raise EngineUnavailable(
                    "JAVA_HOME names a folder without Java.",
                    "Set JAVA_HOME to Java 17 or newer, or unset it: java is on the PATH.",
                )
            raise EngineUnavailable(
                "Spark needs Java, which is not found.",
                "Install Java 17 or newer (Debian: openjdk-17-jre-headless), or set JAVA_HOME.",
            )
        if self.hosts and not any(map(_answers, self.hosts)):
            raise self.unavailable()

    def unavailable(self) -> EngineUnavailable:
        if self.is_local:
            return EngineUnavailable(
                "Spark cannot be started.", "Check that Java is 17 or newer: java -version."
            )
        return EngineUnavailable(
            "The Spark master cannot be reached.",
            "Check its host and port, that it runs, and that it is of the same version of Spark.",
        )


def _answers(place: tuple[str, int]) -> bool:
    try:
        socket.create_connection(place, timeout=_SECONDS).close()
    except OSError:
        return False
    return True
