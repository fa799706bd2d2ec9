"""The files of a join: the plan with the schemas beside it, the identity, and that they fit."""

from __future__ import annotations

from pathlib import Path

from sudare.facts.errors import InvalidPlan, LinkRefused
from sudare.facts.link_plan import LinkPlan, read_link_plan
from sudare.facts.schema import Schema
from sudare.publish.files import load_schema
from sudare.wires.identity import Identity


def load_link(path: Path) -> LinkPlan:
    """The plan of a link.toml; schemas are named relative to it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        text = None
    if text is None:
        raise InvalidPlan(
            f"The plan {path} cannot be read.", "Check the path; it is UTF-8 text.", place=path
        )
    return read_link_plan(text, lambda name: load_schema(path.parent / name))


def schema_files(path: Path) -> list[Path]:
    """The schemas that a plan names."""
    found: list[Path] = []

    def load(name: str) -> Schema:
        found.append(path.parent / name)
        return load_schema(found[-1])

    read_link_plan(path.read_text(encoding="utf-8"), load)
    return found


def load_identity(folder: Path, plan: LinkPlan, name: str) -> Identity:
    """The identity of a folder, if it is this party's and from the authority that is pinned."""
    identity = Identity.load(folder)
    if identity.name != name:
        raise LinkRefused(
            f"The certificate in {folder} is that of '{identity.name}', not of '{name}'.",
            "Name the folder of the party's own identity with --identity.",
            "identity",
            place=folder,
        )
    if plan.ca_sha256 is not None and identity.ca_sha256 != plan.ca_sha256:
        raise LinkRefused(
            f"The authority in {folder} is not the one that the plan pins.",
            "Compare ca_sha256 in link.toml with what `sudare link init` printed.",
            "identity",
            place=folder,
        )
    return identity


def session_folder(plan: LinkPlan, path: Path, role: str) -> Path:
    """Where a party keeps a session unless --folder says otherwise: beside the plan."""
    return path.parent / f"{plan.session}.{role}.link"


def result_file(plan: LinkPlan, output: Path) -> Path:
    """What a collector writes: a secure computation has no records, so its statistics."""
    return output.with_name(f"{output.stem}.statistics.json") if plan.job == "secure" else output


def helper_of(plan: LinkPlan) -> str:
    if plan.helper is None:
        raise InvalidPlan(
            "This plan has no helper.", 'Only job = "secure" needs one; see docs/link-secure.md.'
        )
    return plan.helper


def session_bytes(plan: LinkPlan) -> bytes:
    """What keys and seals of one session are bound to."""
    return f"{plan.session}\n{plan.digest()}".encode()
