"""What an attacker wins from the synthetic rows: membership, linkage, inference.

Source   Three attacks through nearest neighbours in the manner of Giomi, Boenisch, Wehmeyer and
         Tasnádi 2023 (PoPETs), whose library does not run beside ours: docs/decisions/0014.
Control  With a holdout: the same attack on people whom the synthesiser never saw, which tells what
         is learnt of everyone. Without: the same attack on the same people through as many other
         real rows in place of the synthetic ones, which tells what honest data of the population
         give. Risk is the share of what the control leaves that the attack wins.
Gaps     These attacks bound nothing: a better attacker may win more. Only an ε bounds them all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.facts.compared import Attacks
from sudare.facts.microdata import Microdata
from sudare.randomness.bits import RandomBits
from sudare.risk.compare.distance import Points, points_of
from sudare.risk.compare.inference import inference
from sudare.risk.compare.linkage import linkage
from sudare.risk.compare.membership import membership
from sudare.risk.compare.sampling import halves, some

MOST_ATTACKS = 1_000
MOST_REFERENCE = 20_000


@dataclass(frozen=True, eq=False)
class _Scene:
    """Who is attacked through which rows: the attack, and its control."""

    attack: tuple[Points, Points]
    control: tuple[Points, Points]


def attacks(
    real: Microdata, synthetic: Microdata, holdout: Microdata | None, bits: RandomBits
) -> Attacks:
    """Every attack that these tables allow, on at most `MOST_ATTACKS` people."""
    made = some(synthetic, MOST_REFERENCE, bits)
    if holdout is None:
        scene = _without_holdout(real, made, bits)
    else:
        scene = _with_holdout(real, made, holdout, bits)
    several = len(real.columns) > 1
    return Attacks(
        "other_rows" if holdout is None else "holdout",
        scene.attack[1].rows,
        None if holdout is None else membership(scene.attack[0], scene.control[0], scene.attack[1]),
        linkage(scene.attack, scene.control) if several else None,
        inference(real.names, scene.attack, scene.control) if several else (),
    )


def _with_holdout(real: Microdata, made: Microdata, holdout: Microdata, bits: RandomBits) -> _Scene:
    inside, aside = (some(each, MOST_ATTACKS, bits) for each in (real, holdout))
    _, through, members, others = points_of([real, made, inside, aside])
    return _Scene((members, through), (others, through))


def _without_holdout(real: Microdata, made: Microdata, bits: RandomBits) -> _Scene:
    people, others = halves(real, MOST_REFERENCE, bits)
    # As many rows on either side: more rows would be nearer by their number alone.
    rows = np.arange(min(made.rows, others.rows))
    tables = [real, some(people, MOST_ATTACKS, bits), made.taken(rows), others.taken(rows)]
    _, victims, through, instead = points_of(tables)
    return _Scene((victims, through), (victims, instead))
