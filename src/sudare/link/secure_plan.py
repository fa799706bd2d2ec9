"""A plan of the job "secure" against the schemas: who has which role, what is computed, and that
every message fits. Reads no data."""

from __future__ import annotations

from dataclasses import dataclass, field

from sudare.facts.errors import InvalidPlan
from sudare.facts.link_plan import LinkPlan, Party
from sudare.facts.local_plan import LocalPlan
from sudare.facts.randomized import Domain
from sudare.link.compile import shown_columns
from sudare.link.packets import POINT, ROWS
from sudare.link.roles import Roles, roles_of
from sudare.link.sealing import TAG
from sudare.link.secure_job import SecureJob, compile_secure
from sudare.link.shares import WORD_BYTES
from sudare.link.triples import CHUNK
from sudare.link.vectors import Vector
from sudare.local.items import columns_of, domains_of

# What one chunk on a wire may weigh.
_MOST_BYTES = 2**28


@dataclass(frozen=True)
class SecureLink:
    """`shown` has every party's columns as the result names them."""

    plan: LinkPlan
    job: SecureJob
    roles: Roles
    shown: dict[str, dict[str, str]] = field(repr=False)

    def vector(self, name: str) -> Vector:
        return self.job.vectors[self.plan.place(name)]

    def domains(self, name: str) -> dict[str, Domain]:
        """Under the party's own names."""
        return _domains(self.plan, self.plan.party(name))


def compile_secure_link(plan: LinkPlan) -> SecureLink:
    """The job, or what is wrong with the plan."""
    roles, shown = roles_of(plan.names, plan.collector, plan.helper), shown_columns(plan)
    parties = [
        (
            party.name,
            {shown[party.name][column]: domain for column, domain in _domains(plan, party).items()},
        )
        for party in plan.parties
    ]
    job = compile_secure(parties, plan.epsilon, plan.max_rows, plan.statistics)
    _check_addresses(plan)
    _check_sizes(job)
    return SecureLink(plan, job, roles, shown)


def _domains(plan: LinkPlan, party: Party) -> dict[str, Domain]:
    fit = columns_of(party.schema, LocalPlan(plan.epsilon, columns=party.columns))
    return domains_of(party.schema, fit)


def _check_addresses(plan: LinkPlan) -> None:
    taken = {plan.collector_address, *(party.address for party in plan.parties)}
    if plan.helper_address in taken:
        raise InvalidPlan(
            "The helper listens at an address that another part of the session has.",
            "An organisation that helps does so in a process of its own: give [helper] an address "
            "with another port.",
        )


def _check_sizes(job: SecureJob) -> None:
    widest = max(vector.width for vector in job.vectors)
    sealed = ROWS * (POINT + 2 * (WORD_BYTES * widest + TAG))
    if max(sealed, CHUNK * WORD_BYTES * job.width) > _MOST_BYTES:
        raise InvalidPlan(
            "The columns have more labels than a secure computation can take.",
            "Name fewer columns, or declare fewer values: about 250 entries an organisation and "
            "500 in all.",
        )
