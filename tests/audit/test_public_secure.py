"""Secure statistics through whole sessions over TLS: what two neighbouring tables show.

The sides draw no noise here; what they would have drawn is written down with its scale. What the
collector opens is then exact. The largest log ratio of the laws is Σ |Δ| / scale with the noise of
one side alone: the other side knows its own. One person stands at a corner of the bounds in both
organisations, and at another corner, or nowhere, in the neighbour. The mutant draws noise that is
5 % too small.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudare.facts.errors import SudareError
from sudare.link import secure
from sudare.link.secure_plan import compile_secure_link
from sudare.publish import link_exchange
from support.joint import HELPER, HIGHEST, LABELS, Joint, known_to_all, write_joint
from support.linking import hurry, phone

pytestmark = pytest.mark.integration
NAMES, SIZE, PERSON = ("hospital", "shop"), 24, 5
CORNERS = [(0, LABELS[0]), (HIGHEST, LABELS[1]), (HIGHEST, LABELS[2]), None]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patching:
        hurry(patching)
        yield known_to_all(tmp_path_factory.mktemp("identities"))


def opened_with(
    folder: Path, known: Path, corner: tuple[int, str] | None, patch: pytest.MonkeyPatch
) -> tuple[NDArray[np.int64], tuple[Fraction, ...], set[Fraction], float]:
    """The exact cells of one session, the scales that they claim, and those that were drawn."""
    cells: list[Any] = []
    drawn: set[Fraction] = set()
    honest = secure.opened

    def seen(*parts: Any) -> Any:
        cells.append(honest(*parts))
        return cells[-1]

    def noiseless(bits: Any, scale: Fraction, count: int) -> NDArray[np.int64]:
        drawn.add(scale)
        return np.zeros(count, np.int64)

    patch.setattr(secure, "discrete_laplace", noiseless)
    patch.setattr(link_exchange, "opened", seen)
    plan = write_joint(folder, NAMES, SIZE, 'job = "secure"\nepsilon = 4', HELPER)
    for name in NAMES:
        table = folder / f"{name}.csv"
        head, *rows = table.read_text(encoding="utf-8").splitlines()
        rows = [row for row in rows if not row.startswith(phone(PERSON))]
        rows += [] if corner is None else [f"{phone(PERSON)},{corner[0]},{corner[1]}"]
        table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    meeting = Joint(plan, known)
    ended = meeting.run()
    failed = {name: each.what for name, each in ended.items() if isinstance(each, SudareError)}
    assert not failed
    told = ended["collector"]
    assert isinstance(told, dict)
    spent = [party["spent"]["epsilon"] for party in told["parties"]]
    return cells[0], compile_secure_link(meeting.plan).job.scales, drawn, max(spent)


def test_what_is_opened_keeps_the_claim(
    tmp_path: Path, known: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [
        opened_with(tmp_path / str(place), known, corner, monkeypatch)
        for place, corner in enumerate(CORNERS)
    ]
    scales, claim = found[0][1], found[0][3]
    assert all(drawn == set(scales) for _, _, drawn, _ in found)

    def shown(by: Fraction) -> float:
        return max(
            sum(
                float(abs(int(a) - int(b)) / (scale * by))
                for a, b, scale in zip(one[0], other[0], scales, strict=True)
            )
            for one in found
            for other in found
        )

    print("secure", shown(Fraction(1)), claim)
    assert 0.99 * claim <= shown(Fraction(1)) <= claim * (1 + 1e-9)
    assert shown(Fraction(95, 100)) > claim
