"""One anonymization from codes to what is published of every record."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sudare.facts.coded import Integers, Reals
from sudare.risk.anonymize.demand import Demand, Flags
from sudare.risk.anonymize.hierarchy import STAR
from sudare.risk.anonymize.keys import grouped, spread_of, whole_of
from sudare.risk.anonymize.lattice import Lattice, Node
from sudare.risk.anonymize.mondrian import mondrian, ranges
from sudare.risk.anonymize.records import Choice, Records
from sudare.risk.anonymize.suppress import settled, suppress
from sudare.risk.records.diversity import distances


@dataclass(frozen=True)
class Result:
    """What is published: for each quasi-identifier labels and a code a record, which records are
    kept, which lost values to "*" (a row a record), and the classes of the kept ones. Mondrian has
    no choice of levels."""

    columns: tuple[tuple[list[str], Integers], ...]
    kept: Flags
    starred: Flags
    ids: Integers
    loss: float
    choice: Choice | None = None

    @property
    def whole(self) -> Flags:
        """The records that are published with all their generalized values."""
        return self.kept & ~self.starred.any(axis=1)


def by_lattice(records: Records, demand: Demand) -> Result | None:
    """The least lossy full-domain generalization with local suppression."""
    lattice = records.lattice(demand)
    node = lattice.best()
    return None if node is None else published_at(records, demand, lattice, node)


def another(records: Records, demand: Demand, first: Choice) -> tuple[Choice, Flags] | None:
    """The least lossy good generalization that is neither finer nor coarser than the first, and
    the records that it publishes with all their generalized values."""

    def is_apart(node: Node) -> bool:
        pairs = list(zip(node, first.node, strict=True))
        return any(a < b for a, b in pairs) and any(a > b for a, b in pairs)

    node = first.lattice.best(is_apart)
    if node is None:
        return None
    done = suppress(records.generalized(node), records.secrets, demand, records.people)
    return records.choice(node, first.lattice), done.kept & ~done.starred.any(axis=1)


def published_at(records: Records, demand: Demand, lattice: Lattice, node: Node) -> Result:
    """What a node publishes once the failing classes are suppressed."""
    columns = records.generalized(node)
    done = suppress(columns, records.secrets, demand, records.people)
    published = []
    for place, each in enumerate(records.hierarchies):
        labels = list(each.steps[node[place]].labels)
        if STAR not in labels:
            labels.append(STAR)
        codes = np.where(done.starred[:, place], labels.index(STAR), columns[place])
        published.append((labels, codes))
    if records.people is not None:
        shown = [codes for _, codes in published]
        done = settled(shown, done, records.secrets, demand, records.people)
    loss = float(lattice.loss[node])
    choice = records.choice(node, lattice)
    return _result(published, done.kept, done.starred, loss, choice)


def by_mondrian(records: Records, demand: Demand) -> Result | None:
    """Ranges of values for parts of the records; nothing is suppressed."""
    parts = mondrian(records.codes, records.secrets, demand, records.people)
    if parts is None:
        return None
    published, lost = [], []
    for name, each, codes in zip(records.quasi, records.hierarchies, records.codes, strict=True):
        labels, about = each.steps[0].labels, records.counter.columns[name]
        numbers = about.size - about.has_missing if about.ordered else 0
        shown = ranges(parts, codes, labels, numbers)
        distinct = list(dict.fromkeys(shown))
        places = {label: place for place, label in enumerate(distinct)}
        published.append((distinct, np.array([places[text] for text in shown])[parts]))
        lost.append(_widths(parts, codes, about.size)[parts].mean())
    starred = np.zeros((len(parts), len(published)), bool)
    return _result(published, ~starred[:, 0], starred, float(np.mean(lost)))


def _result(
    columns: list[tuple[list[str], Integers]],
    kept: Flags,
    starred: Flags,
    loss: float,
    choice: Choice | None = None,
) -> Result:
    ids = grouped([codes[kept] for _, codes in columns])
    return Result(tuple(columns), kept, starred, ids, loss, choice)


def _widths(parts: Integers, codes: Integers, size: int) -> Reals:
    """The NCP of each part: the distance between its outermost codes."""
    order = np.argsort(parts, kind="stable")
    starts = np.flatnonzero(np.diff(parts[order], prepend=-1))
    low, high = (f.reduceat(codes[order], starts) for f in (np.minimum, np.maximum))
    return np.asarray((high - low) / max(1, size - 1))


def farthest(records: Records, result: Result) -> float:
    """The largest distance of a published class from all that is published."""
    found = [0.0]
    for secret in records.secrets:
        own = secret.codes[result.kept]
        people = None if records.people is None else records.people[result.kept]
        whole = None if people is None else whole_of(own, secret.size, people)
        spread = spread_of(result.ids, own, secret.size, secret.ordered, people, whole)
        found.append(float(distances(spread).max()))
    return max(found)
