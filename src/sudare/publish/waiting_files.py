"""Files that wait for the word of a ledger: complete before their release was committed.

Who randomises has paid for a file that no ledger holds. So it is whole and on the disk before the
ledger says that it was released, and gets its name only afterwards; a run that was cut off between
the two is finished by the next one that knows the ledger.
"""

from __future__ import annotations

from pathlib import Path

from sudare.ledger.ledger import Ledger
from sudare.ledger.stores import is_there
from sudare.publish.output_staging import Listed, settle_held


def settle(folder: Path, ledger: str | Path) -> None:
    """Name the files whose release was committed in this ledger; take away those whose release was
    not, and never will be, because their run has ended."""

    def is_committed(listed: Listed) -> bool | None:
        if listed.release is None or not is_there(ledger):
            return None
        with Ledger.open(ledger) as books:
            if books.id.hex() != listed.ledger:
                return None
            return books.find_release(listed.release) is not None

    settle_held(folder, is_committed)
