"""Adult and Census-Income as paper 002 takes them: which columns, and what is publicly known.

Numbers have the bounds of the data sets' documentation. Labels are read off the files, which only
public data allow: everybody has these files, and there is no claim of privacy here.

The paper counts 41 attributes of Census-Income, 12 of them numbers. Those are all columns that hold
numbers, codes of industries, of occupations and of answers among them, without the instance weight,
which the data set's own description says to leave out.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sudare.engines.complete import complete_rows, labels_in
from sudare.facts.errors import InvalidFile
from sudare.facts.schema import Schema, make_schema

_ADULT_COLUMNS = """
    age workclass fnlwgt education education_num marital_status occupation relationship race sex
    capital_gain capital_loss hours_per_week native_country income
"""
_CENSUS_COLUMNS = """
    age class_of_worker industry_code occupation_code education wage_per_hour
    enrolled_in_edu_last_wk marital_status major_industry major_occupation race hispanic_origin sex
    union_member reason_for_unemployment full_or_part_time capital_gains capital_losses dividends
    tax_filer_status region_prev_residence state_prev_residence household_family_stat
    household_summary migration_msa migration_reg migration_within_reg same_house_1yr
    migration_sunbelt num_persons_employer family_under_18 birth_father birth_mother birth_self
    citizenship self_employed veteran_questionnaire veterans_benefits weeks_worked year income
"""
VARIABLE = "SUDARE_DATA"
_BESIDE = Path("../shared/data")
_MISSING = "?"


@dataclass(frozen=True)
class PublicTable:
    """One data set: the stem of its file, all its columns in order, bounds of its numbers."""

    data: Literal["adult", "census"]
    stem: str
    names: tuple[str, ...]
    bounds: dict[str, tuple[int, int]]

    def schema(self, domains: dict[str, tuple[str, ...]]) -> Schema:
        columns: dict[str, Any] = {}
        for name in self.names:
            if name in self.bounds:
                low, high = self.bounds[name]
                columns[name] = {"type": "integer", "min": low, "max": high, "complete": True}
            else:
                columns[name] = {"type": "category", "values": domains[name]}
        return make_schema({"table": {"name": self.data}, "columns": columns})


ADULT = PublicTable(
    "adult",
    "adult",
    tuple(_ADULT_COLUMNS.split()),
    {
        "age": (17, 90),
        "fnlwgt": (0, 1_500_000),
        "education_num": (1, 16),
        "capital_gain": (0, 99_999),
        "capital_loss": (0, 5_000),
        "hours_per_week": (1, 99),
    },
)
CENSUS = PublicTable(
    "census",
    "census-income",
    tuple(_CENSUS_COLUMNS.split()),
    {
        "age": (0, 90),
        "industry_code": (0, 51),
        "occupation_code": (0, 46),
        "wage_per_hour": (0, 9_999),
        "capital_gains": (0, 99_999),
        "capital_losses": (0, 5_000),
        "dividends": (0, 99_999),
        "num_persons_employer": (0, 6),
        "self_employed": (0, 2),
        "veterans_benefits": (0, 2),
        "weeks_worked": (0, 52),
        "year": (94, 95),
    },
)


def find_files(given: Path | None) -> dict[str, Path]:
    """Where both files lie: as named, as the environment names it, or beside the working folder."""
    folder = given or Path(os.environ.get(VARIABLE) or _BESIDE)
    found: dict[str, Path] = {}
    for table in (ADULT, CENSUS):
        places = [folder / f"{table.stem}.csv{end}" for end in (".gz", "")]
        place = next((each for each in places if each.is_file()), None)
        if place is None:
            raise InvalidFile(
                f"{folder} does not hold {table.stem}.csv or {table.stem}.csv.gz.",
                "Both data sets are public; docs/reproduce.md says how to get them. Name their "
                f"folder with --data or in {VARIABLE}.",
                place=folder,
            )
        found[table.data] = place
    return found


def read_complete(path: Path, table: PublicTable) -> tuple[Any, Schema]:
    """The rows without a missing value, and a schema whose labels are those that occur."""
    rows = complete_rows(path, table.names, _MISSING)
    labels = {name: labels_in(rows, name) for name in table.names if name not in table.bounds}
    return rows, table.schema(labels)
