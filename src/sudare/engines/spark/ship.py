"""sudare's own modules on their way to Spark's workers, as one archive a Spark.

Functions of engines travel by value (stream.py); what they call of the jobs, such as a randomizer,
is found in this archive. It holds code alone. Workers need what that code imports: NumPy, pyarrow
and, to draw randomness, cryptography.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark import SparkContext

_PACKAGE = Path(__file__).parents[2]
_sent: set[str] = set()
_lock = threading.Lock()


def ship(context: SparkContext) -> None:
    """Make the archive known to this Spark, once."""
    with _lock:
        if context.applicationId not in _sent:
            context.addPyFile(str(_archive()))
            _sent.add(context.applicationId)


def _archive() -> Path:
    """Kept until this process ends: workers that come later fetch it then."""
    folder = tempfile.mkdtemp(prefix="sudare-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "sudare-modules.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for module in sorted(_PACKAGE.rglob("*.py")):
            archive.write(module, module.relative_to(_PACKAGE.parent))
    return path
