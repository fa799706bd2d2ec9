"""What each party's people report, so that reports of several parties can be multiplied.

Which way to spend ε is best here differs from a table of one's own. A covariance across two
parties is a mean of products of two reports whose noises are independent, so its variance is the
product of two factors, each of which a party makes smaller by itself: n times the variance of its
own *mean*. A covariance inside a party is that party's own matter. So a party's ways are compared
by the forecasts of means and of its own covariances, and only ways are taken which

* report every column in an item of its own or in a cell, because a joint label of two categories
  cannot be multiplied with another party's report;
* tell every pair of the party's own columns, unless it releases its own block centrally. Then only
  the factor above counts, and one column a person at the whole ε is best of all.

Figures  benchmarks/link_ways.py, docs/link-accounting.md.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

from sudare.facts.errors import InvalidPlan
from sudare.facts.link_plan import LinkPlan, Party
from sudare.facts.local_plan import LocalPlan, Statistic
from sudare.facts.randomized import Domain, LabelDomain, NumberDomain
from sudare.local.compile import LocalJob, compile_local
from sudare.local.items import Way, domains_of
from sudare.local.ways import default_statistics
from sudare.mechanisms.local.shares import GREATEST_EPSILON

_DEFAULT_BINS = 32


def party_job(plan: LinkPlan, party: Party) -> LocalJob:
    """The best way of one party."""
    domains = domains_of(party.schema, party.columns)
    local = LocalPlan(
        epsilon=party.epsilon,
        columns=party.columns,
        wishes=party.wishes,
        statistics=statistics_of(plan, party, domains),
        # More than one item may cost is spent on all of them.
        budget="split" if party.epsilon > GREATEST_EPSILON else "auto",
        bins=plan.bins or _DEFAULT_BINS,
        shuffle=True,
    )
    job = compile_local(local, party.schema)
    fit = tuple(each for each in job.considered if _fits(each.way, party))
    if not fit:
        raise InvalidPlan(
            f"There is no way in which '{party.name}' can report its columns for a join.",
            "Leave mechanisms out, name fewer columns, or raise its ε.",
        )
    facts = replace(job.facts, asked=fit[0].way.asked, items=fit[0].way.items)
    return LocalJob(local, facts, job.statistics, fit)


def statistics_of(
    plan: LinkPlan, party: Party, domains: dict[str, Domain]
) -> tuple[Statistic, ...]:
    """What a party's ways are compared by: what the plan asks for, as far as the party has it, with
    the means and histograms that everything across parties is made of."""
    if "synthesis" in plan.statistics:
        return ("synthesis",)
    found = list(plan.statistics) or list(default_statistics(domains))
    labels = sum(isinstance(domain, LabelDomain) for domain in domains.values())
    if any(isinstance(domain, NumberDomain) for domain in domains.values()):
        found.append("mean")
    if labels:
        found.append("histogram")
    if labels > 1:
        found.append("table")
    if party.central is not None:
        found = [name for name in found if name not in ("covariance", "table")]
    return tuple(dict.fromkeys(found))


def _fits(way: Way, party: Party) -> bool:
    crossing = set().union(
        *(item.columns for item in way.items if _crosses(item.kind, item.columns))
    )
    if not crossing >= set(party.columns):
        return False
    return party.central is not None or all(
        _tells(way, pair) for pair in combinations(party.columns, 2)
    )


def _crosses(kind: str, columns: tuple[str, ...]) -> bool:
    """Whether an item's reports are multiplied with another party's."""
    return kind in ("value", "cell") or (kind in ("label", "labels", "bins") and len(columns) == 1)


def _tells(way: Way, pair: tuple[str, ...]) -> bool:
    return way.asked > 1 or any(set(pair) <= set(item.columns) for item in way.items)
