"""`sudare verify`: certificates with their form, signature, files and ledger.

Claim    Where nothing at fault is found, every file that is named is, byte for byte, one that the
         holder of the signer's key certified. With a pinned key that holder is the one who was
         meant. With the ledger, the signer is one that the ledger names, and what a charged job
         states is what follows from the bytes that the ledger keeps of its release.
Needs    a fingerprint or a ledger that came from the steward by another way than the certificate.
         Without either, a certificate that somebody else made and signed looks as good: the check
         then shows that nothing was changed since it was signed, and says that it shows no more.
Gaps     Sentences (what a guarantee means in words) of another version of sudare are not compared
         with the ledger; they are under the signature all the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sudare._version import VERSION
from sudare.facts.address import shown
from sudare.facts.certificate import ENDING, JOBS, Certificate, Statement
from sudare.facts.checked import Checked, Finding
from sudare.facts.errors import SudareError, UsageError, VerificationFailed
from sudare.facts.reading import read_json
from sudare.facts.release import Release
from sudare.ledger.ledger import Ledger
from sudare.publish.books import Place
from sudare.publish.certifying import sealed
from sudare.publish.charging import second_place
from sudare.publish.private_statistics import statistics_of
from sudare.wires.signing import fingerprint_of, is_signed

# What a release says in its certificate; `report` knows the words in it.
Stated = Callable[[Release], Statement]
_MOST_BYTES = 1 << 28


def verify_files(
    files: Sequence[Path],
    stated: Stated,
    *,
    public_key: str | None = None,
    ledger: Place | None = None,
) -> Checked:
    """Check certificates, released files or folders of them."""
    pinned = None if public_key is None else read_fingerprint(public_key)
    with ExitStack() as stack:
        ledgers = _Ledgers(stack, ledger)
        check = _Check(stated, pinned, ledgers)
        found = [finding for path in files for finding in check.path(path)]
    # A certificate that several files lead to is listed once.
    return Checked(tuple({(f.file, f.code, *f.words.values()): f for f in found}.values()))


def read_fingerprint(given: str) -> str:
    """A fingerprint as it is written, or that of a public key's file."""
    plain = given.strip().lower()
    if len(plain) == 64 and not set(plain) - set("0123456789abcdef"):
        return plain
    try:
        found = fingerprint_of(Path(given).read_bytes())
    except OSError:
        found = None
    if found is None:
        raise UsageError(
            f"{given} is neither a fingerprint nor the file of a public key.",
            "Give the 64 digits that `sudare key show` prints, or what `sudare key export` wrote.",
            place=given,
        )
    return found


@dataclass(frozen=True)
class _Book:
    """A ledger at hand: whether its chain holds, who signs for it, and whether it vouches for
    them. One that only lies near the files may have come with them."""

    name: str
    books: Ledger
    fault: str | None
    signers: dict[str, int]
    vouches: bool


class _Ledgers:
    """The ledger that is named, or those that lie where a certificate's own would."""

    def __init__(self, stack: ExitStack, named: Place | None) -> None:
        self._stack, self._named = stack, named
        self._open: dict[str, _Book] = {}

    @property
    def is_named(self) -> bool:
        return self._named is not None

    def of(self, statement: Statement, folder: Path) -> _Book | None:
        """The one that a certificate is compared with."""
        if self._named is not None:
            return self._book(self._named)
        wanted = _release_id(statement)
        if wanted is None:
            return None
        around = {each.resolve(): each for each in (folder / "..", folder, Path())}
        found = [path for each in around.values() for path in sorted(each.glob("*.ledger"))]
        for path in found:
            if _holds(path, wanted):
                return self._book(path)
        source = str(_told_of(statement).get("source", ""))
        own = [path for path in found if path.stem == Path(source).name.partition(".")[0]]
        return self._book(own[0]) if own else None

    def _book(self, place: Place) -> _Book:
        name = shown(place)
        if name not in self._open:
            books = self._stack.enter_context(Ledger.open(place, second=second_place()))
            found = books.verify()
            fault = None if found.ok else f"entry {found.broken_seq}: {found.reason}"
            if fault is None and (doubt := books.doubt()) is not None:
                fault = doubt.what
            # Of a chain that does not hold nothing is believed.
            signers = {} if fault else books.signers()
            vouches = self.is_named or books.is_known_here()
            self._open[name] = _Book(name, books, fault, signers, vouches)
        return self._open[name]


def _holds(path: Path, release_id: str) -> bool:
    try:
        with Ledger.open(path) as books:
            return books.find_release(release_id) is not None
    except SudareError:
        return False


class _Check:
    """One call of `verify_files`."""

    def __init__(self, stated: Stated, pinned: str | None, ledgers: _Ledgers) -> None:
        self._stated, self._pinned, self._ledgers = stated, pinned, ledgers

    def path(self, path: Path) -> Iterator[Finding]:
        if path.is_dir():
            yield from self._folder(path)
        elif not path.is_file():
            raise UsageError(
                f"There is no file {path}.", "Name a certificate, a file beside one, or a folder.",
                place=path,
            )  # fmt: skip
        elif _is_certificate(path):
            yield from self._certificate(path)
        else:
            yield from self._released(path)

    def _folder(self, folder: Path) -> Iterator[Finding]:
        certificates = _certificates(folder)
        if not certificates:
            yield Finding(str(folder), "uncertified")
        bound: set[str] = set()
        for place in certificates:
            yield from self._certificate(place)
            bound |= set(_names(place))
        for path in sorted(each for each in folder.iterdir() if each.is_file()):
            if path.name not in bound and not _is_certificate(path) and path.name[0] != ".":
                yield Finding(str(path), "unbound")

    def _released(self, path: Path) -> Iterator[Finding]:
        """A file by the certificates beside it that speak of it."""
        near = _certificates(path.parent)
        found = [place for place in near if path.name in _names(place)]
        # One that cannot be read may be the one that spoke of it, if it is of the same name.
        own = [each for each in near if path.name.startswith(each.name.removesuffix(ENDING))]
        broken = [place for place in own if _read(place) is None]
        for place in (*broken, *found):
            yield from self._certificate(place)
        if not found:
            yield Finding(str(path), "uncertified")

    def _certificate(self, place: Path) -> Iterator[Finding]:
        found = _read(place)
        if found is None:
            yield Finding(str(place), "form")
            return
        if not is_signed(found.signer, found.signature, found.signed_bytes()):
            yield Finding(str(place), "signature", {"signer": found.signer})
            return
        words = {"signer": found.signer, "job": found.statement.job}
        yield Finding(str(place), "signed", words)
        yield from self._files(found, place.parent)
        yield from self._signer(found, place)

    def _files(self, found: Certificate, folder: Path) -> Iterator[Finding]:
        for name, known in found.files.items():
            path = folder / name
            if not path.is_file():
                yield Finding(str(path), "absent")
            else:
                yield Finding(str(path), "same" if sealed(path) == known else "changed")

    def _signer(self, found: Certificate, place: Path) -> Iterator[Finding]:
        """Who signed: by the pinned key, by the ledger, or by nobody's word."""
        if self._pinned is not None:
            is_meant = found.signer == self._pinned
            words = {"signer": found.signer, "pinned": self._pinned}
            yield Finding(str(place), "pinned" if is_meant else "another-key", words)
        book = self._ledgers.of(found.statement, place.parent)
        if book is not None:
            yield from self._ledger(found, place, book)
        if self._pinned is None and (book is None or not book.vouches):
            yield Finding(str(place), "nobody", {"signer": found.signer})
        elif book is None and JOBS[found.statement.job].is_release:
            yield Finding(str(place), "no-ledger")

    def _ledger(self, found: Certificate, place: Path, book: _Book) -> Iterator[Finding]:
        words = {"ledger": book.name}
        if book.fault is not None:
            yield Finding(str(place), "ledger-broken", words | {"fault": book.fault})
            return
        entry = book.signers.get(found.signer)
        if entry is None:
            yield Finding(str(place), "stranger", words | {"signer": found.signer})
        elif book.vouches:
            yield Finding(str(place), "known", words | {"entry": str(entry)})
        else:
            yield Finding(str(place), "brought", words)
        yield from self._release(found.statement, place, book)

    def _release(self, told: Statement, place: Path, book: _Book) -> Iterator[Finding]:
        """Whether the statement is what follows from what the ledger keeps."""
        wanted = _release_id(told)
        if wanted is None:
            return
        words = {"ledger": book.name, "release": wanted}
        stored = book.books.find_release(wanted)
        if stored is None:
            yield Finding(str(place), "no-release", words)
            return
        release = Release.from_bytes(stored)
        if not JOBS[told.job].is_release and release.statistics is None:
            yield Finding(str(place), "differs", words | {"field": "provenance.statistics"})
            return
        where = difference(*self._due(told, release))
        if where is not None:
            yield Finding(str(place), "differs", words | {"field": where})
            return
        yield Finding(str(place), "agrees", words)
        if _software(told) != _here():
            yield Finding(str(place), "words", {"software": _software(told)})

    def _due(self, told: Statement, release: Release) -> tuple[Any, Any]:
        """What the certificate should state by the ledger, and what it states."""
        if JOBS[told.job].is_release:
            return _compared(self._stated(release), told), _compared(told, told)
        # Of statistics and rows made of them the ledger knows where they come from.
        provenance = dict(statistics_of(release).provenance)
        guarantee = provenance.pop("guarantee")
        due = {"guarantee": guarantee, "provenance": {"statistics": provenance}}
        known = {
            "guarantee": told.guarantee,
            "provenance": {"statistics": told.provenance["statistics"]},
        }
        return read_json(json.dumps(due)), known


def difference(due: Any, found: Any, where: str = "") -> str | None:
    """The first place at which two plain values differ, as a path; None if they are equal."""
    if isinstance(due, dict) and isinstance(found, dict):
        for key in sorted(set(due) | set(found)):
            deeper = f"{where}.{key}" if where else key
            if key not in due or key not in found:
                return deeper
            if (told := difference(due[key], found[key], deeper)) is not None:
                return told
        return None
    if isinstance(due, list) and isinstance(found, list) and len(due) == len(found):
        pairs = zip(due, found, strict=True)
        places = (difference(a, b, f"{where}[{at}]") for at, (a, b) in enumerate(pairs))
        return next((each for each in places if each is not None), None)
    return None if type(due) is type(found) and due == found else where


def _compared(statement: Statement, told: Statement) -> dict[str, Any]:
    """A statement as it is compared: sentences of another version are left out."""
    if _software(told) != _here():
        guarantee = {k: v for k, v in (statement.guarantee or {}).items() if k != "meaning"}
        body = {k: v for k, v in statement.body.items() if k != "not_covered"}
        statement = replace(statement, guarantee=guarantee, body=body)
    return statement.to_dict()


def _software(statement: Statement) -> str:
    return str(statement.provenance.get("software"))


def _here() -> str:
    return f"sudare {VERSION}"


def _told_of(statement: Statement) -> dict[str, Any]:
    """Where the charged numbers come from, of a release or of statistics."""
    found = statement.provenance
    if not JOBS[statement.job].is_release:
        found = found.get("statistics", {})
    return dict(found) if isinstance(found, dict) else {}


def _release_id(statement: Statement) -> str | None:
    """The release that a ledger keeps behind a statement."""
    if JOBS[statement.job].is_release:
        return str(statement.body["id"])
    found = _told_of(statement).get("release")
    return None if found is None else str(found)


def _is_certificate(path: Path) -> bool:
    return path.name == ENDING or path.name.endswith(f".{ENDING}")


def _certificates(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(f"*{ENDING}") if _is_certificate(path))


def _names(place: Path) -> tuple[str, ...]:
    found = _read(place)
    return () if found is None else tuple(found.files)


def _read(place: Path) -> Certificate | None:
    try:
        if place.stat().st_size > _MOST_BYTES:
            return None
        return Certificate.from_text(place.read_bytes(), place)
    except (VerificationFailed, OSError):
        return None
