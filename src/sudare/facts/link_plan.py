"""A join between organisations: who takes part, by which keys, which columns, at which ε.

Every organisation has the same file and the same public schemas, so the plan's digest says whether
all mean the same. Names are the common names of certificates and parts of file names and ledger
keys, so they are letters, digits, hyphens, dots and underscores of any script.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, Literal

from sudare.facts.errors import InvalidPlan
from sudare.facts.link_checks import (
    check_addresses,
    check_job,
    check_names,
    helper_address,
    inside,
    positive,
    shares,
    total,
)
from sudare.facts.link_file import LinkFile, PartyEntry, read_link_file
from sudare.facts.local_plan import Statistic, Wish, read_statistics, read_wishes
from sudare.facts.schema import Schema

Pseudonyms = Literal["commutative", "salt"]
Rows = Literal["joined", "all"]
JobName = Literal["randomize", "pk", "secure"]
# What is put behind the helper's name where its process is meant; no name has a space.
HELPING = " (helper)"


@dataclass(frozen=True)
class KeyColumn:
    """A column of the common key, and the rule that makes two spellings one."""

    column: str
    rule: str


@dataclass(frozen=True)
class Party:
    """An organisation. `address` None does not listen: it fetches. `epsilon` is what one of its
    rows costs in the join, 0 where Pk-anonymity decides it; `central` is what it spends, beside
    that, on a central release of its own columns."""

    name: str
    address: str | None
    schema: Schema
    key: tuple[KeyColumn, ...]
    columns: tuple[str, ...]
    wishes: tuple[tuple[str, Wish], ...]
    epsilon: Fraction
    central: Fraction | None


@dataclass(frozen=True)
class Dummies:
    """(ε, δ) for how many people are in which organisations."""

    epsilon: Fraction
    delta: Fraction


@dataclass(frozen=True)
class LinkPlan:
    """`epsilon` is the total of one person's joined row; with the job "secure", of the statistics
    that are opened. `rows` "all" keeps the people whom not all parties hold, in files of their own.
    `joined_rows` is how many people all parties are known to share, at least."""

    session: str
    parties: tuple[Party, ...]
    collector: str
    collector_address: str
    pseudonyms: Pseudonyms
    epsilon: Fraction
    delta: Fraction
    statistics: tuple[Statistic, ...]
    rows: Rows
    job: JobName
    k: int | None
    helper: str | None
    dummies: Dummies | None
    ca_sha256: str | None
    max_rows: int | None
    helper_address: str | None = None
    bins: int | None = None
    joined_rows: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The organisations in the order of the ring."""
        return tuple(party.name for party in self.parties)

    @property
    def members(self) -> tuple[str, ...]:
        """Everybody whom the collector waits for: the organisations, and the process that helps,
        which may be a second one of an organisation."""
        return self.names if self.helper is None else (*self.names, self.helper + HELPING)

    @property
    def callers(self) -> tuple[str, ...]:
        """The names in the certificates of those."""
        return tuple(dict.fromkeys(name.removesuffix(HELPING) for name in self.members))

    def party(self, name: str) -> Party:
        for party in self.parties:
            if party.name == name:
                return party
        raise InvalidPlan(
            f"'{name}' is not a party of this plan.", f"Parties: {', '.join(self.names)}."
        )

    def place(self, name: str) -> int:
        """Where a party stands in the ring."""
        return self.parties.index(self.party(name))

    def digest(self) -> str:
        """SHA-256 of everything that all sides must agree on, their schemas included."""
        parties = [
            {
                **_plain(party),
                "schema": party.schema.digest(),
                "key": [asdict(each) for each in party.key],
                "wishes": [[n, w.mechanism, *map(str, w.numbers)] for n, w in party.wishes],
            }
            for party in self.parties
        ]
        told = {**_plain(self), "parties": parties}
        told["dummies"] = None if self.dummies is None else _plain(self.dummies)
        text = json.dumps(["link", told], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def _plain(value: Party | LinkPlan | Dummies) -> dict[str, Any]:
    """The fields as JSON has them; what has its own form is put in by the caller."""
    own = {"schema", "key", "wishes", "parties", "dummies"}
    return {
        name: str(each) if isinstance(each, Fraction) else each
        for name, each in vars(value).items()
        if name not in own
    }


def read_link_plan(text: str, schema_of: Callable[[str], Schema]) -> LinkPlan:
    """The plan of a link.toml; `schema_of` reads the schema that a party names."""
    file = read_link_file(text)
    check_names(file)
    check_addresses(file)
    check_job(file)
    parts = shares(file)
    parties = tuple(
        _party(entry, share, schema_of) for entry, share in zip(file.parties, parts, strict=True)
    )
    own = {party.name: party.address for party in parties}
    return LinkPlan(
        session=file.session,
        parties=parties,
        collector=file.collector.name,
        collector_address=file.collector.address or "",
        pseudonyms=file.pseudonyms,
        epsilon=total(file, parts),
        delta=inside(file.delta, "delta"),
        statistics=read_statistics(",".join(file.statistics)),
        rows=file.rows,
        job=file.job,
        k=file.k,
        helper=None if file.helper is None else file.helper.name,
        dummies=_dummies(file),
        ca_sha256=file.ca_sha256,
        max_rows=file.max_rows,
        helper_address=helper_address(file, own),
        bins=file.bins,
        joined_rows=file.joined_rows,
    )


def _party(entry: PartyEntry, share: Fraction, schema_of: Callable[[str], Schema]) -> Party:
    schema = schema_of(entry.data_schema)
    columns = tuple(name.strip() for name in entry.columns)
    key = tuple(KeyColumn(each.column, each.rule) for each in entry.key)
    for name in (*columns, *(each.column for each in key)):
        schema.column(name)
    if len(set(columns)) != len(columns) or set(columns) & {each.column for each in key}:
        raise InvalidPlan(
            f"Party '{entry.name}' names a column twice, or reports a column of its key.",
            "Name every attribute once; what people are found by is not an attribute.",
        )
    wishes = read_wishes(entry.mechanisms)
    central = None if entry.central is None else positive(entry.central, "central")
    return Party(entry.name, entry.address, schema, key, columns, wishes, share, central)


def _dummies(file: LinkFile) -> Dummies | None:
    if file.dummies is None:
        return None
    delta = inside(file.dummies.delta, "dummies.delta")
    if not delta:
        raise InvalidPlan(
            "Dummies can only be added, so that hiding a number by them needs a δ.",
            "Add delta = 1e-9 under [dummies].",
        )
    return Dummies(positive(file.dummies.epsilon, "dummies.epsilon"), delta)
