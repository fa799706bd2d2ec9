"""The made town's shop: what everyone above 14 bought, and what each would keep to themselves.

The same on every machine, like the town itself; nobody in it exists.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sudare.demo.baskets_goods import DELICATE, ERRANDS, GOODS
from sudare.demo.town import Floats, people, uniform

# Who finds nothing on an errand eats in the street.
_FALLBACK = "lunch box"
_YOUNGEST = 15
# The chance that somebody minds a delicate good, and that somebody minds another one besides.
_MINDS, _MINDS_ANOTHER = 0.25, 0.2


def baskets_csv(language: str, region: str | None = None, first: int | None = None) -> str:
    """One row a person and good, in the columns user and item; of one region, or of all, and of
    those among the `first` people of the town's register."""
    return _table(purchases(), language, region, first)


def sensitive_csv(language: str, region: str | None = None, first: int | None = None) -> str:
    """One row a person and good that this person calls sensitive."""
    minded = np.zeros((len(people()["age"]), len(GOODS)), np.bool_)
    places = {good: place for place, good in enumerate(GOODS)}
    for good in DELICATE:
        minded[:, places[good]] = uniform(f"minds {good}") < _MINDS
    another = np.flatnonzero(uniform("minds another") < _MINDS_ANOTHER)
    which = np.floor(len(GOODS) * uniform("which other")).astype(np.int64)
    minded[another, which[another]] = True
    return _table(minded, language, region, first)


def purchases() -> NDArray[np.bool_]:
    """For every person of the town which goods are in the basket."""
    bought = np.zeros((len(people()["age"]), len(GOODS)), np.bool_)
    places = {good: place for place, good in enumerate(GOODS)}
    chances = _chances()
    for errand, goods in ERRANDS.items():
        goes = uniform(f"errand {errand}") < chances[errand]
        for good, chance in goods.items():
            bought[:, places[good]] |= goes & (uniform(f"errand {errand} {good}") < chance)
    bought[~bought.any(axis=1), places[_FALLBACK]] = True
    return bought


def _chances() -> dict[str, Floats]:
    """How likely each person is on each errand."""
    town = people()
    age = np.array(town["age"], np.int64)
    woman = np.array(town["sex"]) == "F"
    family = np.array(town["household"], np.int64) >= 3
    adult = age >= 20

    def where(chosen: NDArray[np.bool_], chance: float, otherwise: float = 0.0) -> Floats:
        return np.where(chosen, chance, otherwise)

    return {
        "breakfast": where(adult, 0.35, 0.1),
        "dinner": where(adult, 0.35, 0.05),
        "quick meal": where(family, 0.1, 0.25),
        "snack": where(age < 35, 0.4, 0.15),
        "evening": where(adult, 0.2) + where(adult & ~woman, 0.1),
        "smoking": where(adult, 0.12),
        "quitting": where(adult, 0.02),
        "baby": where(family & (age >= 22) & (age <= 42), 0.25),
        "expecting": where(woman & adult & (age <= 42), 0.06),
        "night": where(adult & (age <= 45), 0.06),
        "cold": where(adult, 0.06, 0.03),
        "sleepless": where(adult, 0.05),
        "sugar": where(age >= 45, 0.08),
        "diet": where(adult & (age < 60), 0.06),
        "mirror": where(woman, 0.2, 0.06),
        "hair": where(age >= 40, 0.08),
        "feet": where(adult, 0.03),
        "old age": where(age >= 70, 0.35),
        "luck": where(adult, 0.08),
        "worry": where(adult & (age < 65), 0.05),
        "school": where(age < 20, 0.4, 0.03),
        "cat": where(adult, 0.08),
        "dog": where(adult, 0.08),
        "house": where(adult, 0.2, 0.02),
    }


def _shoppers(region: str | None, first: int | None) -> Iterator[tuple[int, str]]:
    """Row and name of everyone there who goes shopping alone."""
    town = people()
    for row, age in enumerate(town["age"][:first]):
        if int(age) >= _YOUNGEST and region in (None, town["region"][row]):
            yield row, town["person_id"][row]


def _table(held: NDArray[np.bool_], language: str, region: str | None, first: int | None) -> str:
    """Persons and goods as CSV."""
    names = list(GOODS.values() if language == "ja" else GOODS)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["user", "item"])
    for row, person in _shoppers(region, first):
        writer.writerows((person, names[place]) for place in np.flatnonzero(held[row]))
    return text.getvalue()
