"""What is asked of a release of sets: the model, its numbers, and which records it is about."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, get_args

from sudare.facts.errors import UsageError

Model = Literal["rho", "sampled", "km"]
Mode = Literal["default", "paper"]
Method = Literal["suppression", "generalization"]
_MOST = 2**31
# Below it, the attackers that a test has to draw are too many for any computer.
LEAST_SHARE = 1e-6


def is_whole(number: object) -> bool:
    """A whole number from 1, of records or items that a computer can hold."""
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= _MOST


def _is_share(number: object) -> bool:
    return isinstance(number, (int, float)) and LEAST_SHARE <= number < 1


def check_knowledge(known: object) -> None:
    """Who knows nothing is another attacker, the base rate."""
    if not is_whole(known):
        raise UsageError(
            "An attacker knows at least one item, and at most 2147483648.",
            "A whole number: --max-knowledge 2, in Python max_knowledge=2.",
        )


def beside(output: Path) -> tuple[Path, Path]:
    """Where the certificate and the owner's report of a released file are written."""
    stem = output.name.removesuffix(".gz")
    stem = stem.rsplit(".", 1)[0] if "." in stem else stem
    return output.with_name(stem + ".certificate.json"), output.with_name(stem + ".report.html")


@dataclass(frozen=True)
class SetsPlan:
    """`max_knowledge` None is an attacker who may know any number of items."""

    model: Model = "rho"
    rho: Fraction | None = None
    max_knowledge: int | None = None
    eps: float | None = None
    delta: float | None = None
    k: int | None = None
    mode: Mode = "default"
    method: Method = "suppression"
    base_rate: bool = False
    at_random: bool = False

    def __post_init__(self) -> None:
        if self.model not in get_args(Model) or self.mode not in get_args(Mode):
            raise UsageError(
                "There is no such model or mode for sets.",
                "Models: rho, sampled, km. Modes: default, paper.",
            )
        if self.max_knowledge is not None:
            check_knowledge(self.max_knowledge)
        if self.k is not None and not is_whole(self.k):
            raise UsageError(
                "k is a whole number from 1 to 2147483648.", "Example: --k 5, in Python k=5."
            )
        {"rho": self._check_rho, "sampled": self._check_sampled, "km": self._check_km}[self.model]()

    def to_dict(self) -> dict[str, Any]:
        """As results and certificates show it."""
        return {
            "model": self.model,
            "mode": self.mode,
            "method": self.method,
            "rho": None if self.rho is None else str(self.rho),
            "max_knowledge": self.max_knowledge,
            "eps": self.eps,
            "delta": self.delta,
            "k": self.k,
            "base_rate": self.base_rate,
            "random": self.at_random,
        }

    def _check_rho(self) -> None:
        if self.rho is None:
            raise UsageError(
                "The model needs the confidence ρ that no attacker may pass.",
                'Example: --rho 0.5, in Python rho="0.5".',
            )
        if self.eps is not None or self.delta is not None:
            raise UsageError(
                "--eps and --delta belong to the sampled model.", "Choose the model sampled."
            )
        self._refuse_km()
        if self.mode == "paper" and (self.base_rate or self.at_random):
            raise UsageError(
                "The paper's way knows no base rate and always draws records by lot.",
                "Choose the default mode, or leave the other options out.",
            )

    def _check_sampled(self) -> None:
        if self.rho is None or self.max_knowledge is None or self.eps is None or self.delta is None:
            raise UsageError(
                "The sampled model needs ρ, the most known items, ε and δ.",
                "Example: --rho 0.5 --max-knowledge 5 --eps 0.01 --delta 0.01; in Python "
                'rho="0.5", max_knowledge=5, eps=0.01, delta=0.01.',
            )
        if not (_is_share(self.eps) and _is_share(self.delta)):
            raise UsageError(
                "--eps and --delta are at least 1e-6 and below 1.",
                "Example: --eps 0.01 --delta 0.01",
            )
        if self.base_rate or self.at_random:
            raise UsageError(
                "The sampled model knows no base rate and no random order.",
                "Choose the exact model, rho.",
            )
        self._refuse_km()

    def _check_km(self) -> None:
        if self.k is None or self.max_knowledge is None:
            raise UsageError(
                "k^m-anonymity needs k and the most known items.",
                'Example: --model km --k 5 --max-knowledge 2; in Python model="km", k=5, '
                "max_knowledge=2.",
            )
        if self.rho is not None or self.eps is not None or self.delta is not None:
            raise UsageError(
                "k^m-anonymity has no ρ, ε or δ.", "Leave them out, or choose another model."
            )
        if self.mode == "paper" or self.base_rate or self.at_random:
            raise UsageError(
                "--mode paper, --base-rate and --random are for ρ-uncertainty.", "Leave them out."
            )

    def _refuse_km(self) -> None:
        if self.k is not None or self.method != "suppression":
            raise UsageError("--k and --hierarchy are for k^m-anonymity.", "Choose the model km.")
