"""`verify_files`: what a forger can do with a certificate, its files and a key of their own.

With the ledger, or with a key that is pinned, every single-field change and every other signer is
found; with neither, a certificate that somebody else signed says that nobody vouches for it.
"""

from __future__ import annotations

import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import apsw
import pytest

from sudare.facts.checked import FAULTS, KINDS, Checked
from sudare.facts.errors import UsageError
from sudare.facts.plan import Plan
from sudare.facts.release import Release
from sudare.ledger.ledger import Ledger
from sudare.publish.ask import ask
from sudare.publish.certifying import certify, key_place, sealed, steward_key
from sudare.publish.given_statistics import statement_of
from sudare.publish.private_statistics import PrivatePlan, private_statistics, statistics_of
from sudare.publish.synthesize import Wish, make
from sudare.publish.verifying import difference, read_fingerprint, verify_files
from sudare.report.certificate import statement
from sudare.report.html import render
from sudare.report.tables import to_csv
from sudare.report.verified import TEXTS, lines
from support.bits import CountedBits
from support.certificates import another_key, changed, leaves, read, written
from support.corners import BASE, people, schema

NAME = "out.certificate.json"


@pytest.fixture(autouse=True)
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUDARE_KEY", str(tmp_path / "steward.key"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A release with its files, away from its ledger."""
    release = ask(
        people(BASE), schema(), Plan(("count()", "mean(a)", "count() by c"), Fraction(1)),
        ledger=tmp_path / "corners.ledger", bits=CountedBits("verify"),
    )  # fmt: skip
    away = tmp_path / "far" / "away"
    away.mkdir(parents=True)
    (away / "out.csv").write_text(to_csv(release), encoding="utf-8", newline="")
    (away / "out.report.html").write_text(render(release), encoding="utf-8")
    files = (away / "out.csv", away / "out.report.html")
    certify(statement(release), away / NAME, files, tmp_path / "corners.ledger")
    return away


def check(*paths: Path, **how: Any) -> Checked:
    return verify_files(paths, statement, **how)


def codes(found: Checked) -> set[str]:
    return {each.code for each in found.findings}


def faults(found: Checked) -> set[str]:
    return codes(found) & FAULTS


def test_an_honest_certificate_holds(folder: Path, tmp_path: Path) -> None:
    ledger, pinned = tmp_path / "corners.ledger", steward_key().fingerprint
    alone = check(folder / NAME)
    assert alone.ok
    assert not alone.is_vouched
    assert codes(alone) == {"signed", "same", "nobody"}
    assert codes(check(folder / NAME, ledger=ledger)) == {"signed", "same", "known", "agrees"}
    named = check(folder / NAME, public_key=pinned)
    assert codes(named) == {"signed", "same", "pinned", "no-ledger"}
    assert named.is_vouched
    for path in (folder, folder / "out.csv", folder / "out.report.html"):
        assert codes(check(path, ledger=ledger)) == {"signed", "same", "known", "agrees"}


def test_the_ledger_is_found_near_its_release(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "agrees" in codes(check(folder / NAME))
    # A ledger of other releases says nothing of this one.
    other = folder / "other.ledger"
    ask(people(BASE), schema(), Plan(("count()",), Fraction(1)), ledger=other)
    assert "agrees" in codes(check(folder / NAME))
    (tmp_path / "corners.ledger").rename(tmp_path / "away")
    assert codes(check(folder / NAME)) == {"signed", "same", "nobody"}


@pytest.mark.integration
def test_every_field_is_found_with_the_ledger_alone(folder: Path, tmp_path: Path) -> None:
    """Signed anew by a stranger, and even by the steward."""
    told, ledger = read(folder / NAME), tmp_path / "corners.ledger"
    stranger, steward = another_key(), steward_key()
    places = [where for where in leaves(told) if where[0] not in ("signer", "signature")]
    assert len(places) > 60
    for where in places:
        for signer in (stranger, steward):
            text = written(changed(told, where), signer)
            if where != ("format",):
                assert text != written(told, signer), where
            else:
                text = text.replace('"format": 1', '"format": 2')
            (folder / NAME).write_text(text, encoding="utf-8")
            found = check(folder / NAME, ledger=ledger)
            assert not found.ok, where
            if signer is stranger:
                assert faults(found) & {"stranger", "form"}, where
            elif where[0] == "files":
                # The steward's own word of the files: they are not what it says.
                assert faults(found) & {"changed", "form"}, where
            else:
                assert faults(found) & {"differs", "no-release", "form"}, where


def test_every_field_is_found_with_the_public_key_alone(folder: Path) -> None:
    told, pinned = read(folder / NAME), steward_key().fingerprint
    stranger = another_key()
    for where in leaves(told):
        # Left as it was signed, and signed anew by somebody else.
        texts = [written(changed(told, where))]
        if where[0] not in ("format", "signer", "signature"):
            texts.append(written(changed(told, where), stranger))
        if where == ("format",):
            texts = [written(told).replace('"format": 1', '"format": 2')]
        for text in texts:
            (folder / NAME).write_text(text, encoding="utf-8")
            found = check(folder / NAME, public_key=pinned)
            assert faults(found) & {"signature", "another-key", "form"}, where


def test_a_forger_who_signs_everything_anew(folder: Path, tmp_path: Path) -> None:
    told, forger = read(folder / NAME), another_key()
    told["guarantee"]["epsilon"] = 0.01
    (folder / "out.csv").write_text("forged")
    told["files"]["out.csv"] = sealed(folder / "out.csv").to_dict()
    (folder / NAME).write_text(written(told, forger), encoding="utf-8")
    with_ledger = check(folder / NAME, ledger=tmp_path / "corners.ledger")
    assert faults(with_ledger) == {"stranger", "differs"}
    pinned = check(folder / NAME, public_key=steward_key().fingerprint)
    assert faults(pinned) == {"another-key"}
    alone = check(folder / NAME)
    assert alone.ok
    assert not alone.is_vouched
    shown = lines(alone, "en")
    assert any("not whose key that is" in each for each in shown)
    assert shown[-1].startswith("Unchanged since it was signed. Who signed is not shown")


def test_a_forger_with_a_ledger_of_their_own(folder: Path, tmp_path: Path) -> None:
    """A copy of the ledger that names the forger says so only there."""
    forger, copied = another_key(), tmp_path / "forged" / "corners.ledger"
    copied.parent.mkdir()
    shutil.copy(tmp_path / "corners.ledger", copied)
    with Ledger.open(copied) as books:
        books.add_signer(forger.fingerprint)
    (folder / NAME).write_text(written(read(folder / NAME), forger), encoding="utf-8")
    assert faults(check(folder / NAME, ledger=tmp_path / "corners.ledger")) == {"stranger"}
    # Sent along with the files it is found, and vouches for nobody.
    sent = folder / "corners.ledger"
    (tmp_path / "corners.ledger").rename(tmp_path / "elsewhere")
    for path in copied.parent.glob("corners.ledger*"):
        path.rename(folder / path.name)
    found = check(folder / NAME)
    assert sent.exists()
    assert codes(found) == {"signed", "same", "brought", "agrees", "nobody"}
    assert not found.is_vouched


def test_a_ledger_that_does_not_hold_vouches_for_nothing(folder: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "corners.ledger"
    db = apsw.Connection(str(ledger))
    other = "CAST(replace(payload, '000', '001') AS BLOB)"
    db.execute(f"UPDATE entry SET payload = {other} WHERE seq = 3")
    db.close()
    assert faults(check(folder / NAME, ledger=ledger)) == {"ledger-broken"}


def test_files_that_changed_or_went(folder: Path) -> None:
    with (folder / "out.csv").open("a") as file:
        file.write(" ")
    assert faults(check(folder)) == {"changed"}
    (folder / "out.csv").unlink()
    assert "absent" in codes(check(folder))
    assert check(folder).ok
    assert not check(folder).is_complete
    pinned = read(folder / NAME)["signer"]
    told = check(folder, public_key=pinned)
    assert told.is_vouched
    assert "do not rely on those" in lines(told, "en")[-1]
    (folder / "more.csv").write_text("x")
    assert "unbound" in codes(check(folder))
    assert faults(check(folder / "more.csv")) == {"uncertified"}
    (folder / NAME).write_text("{}")
    assert faults(check(folder / "out.report.html")) == {"form", "uncertified"}
    (folder / NAME).unlink()
    assert faults(check(folder)) == {"uncertified"}


def test_names_that_lead_nowhere(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is no file"):
        check(tmp_path / "nothing.csv")
    for given in ("abc", "zz" * 32, str(tmp_path), str(folder / NAME)):
        with pytest.raises(UsageError, match="neither a fingerprint nor the file"):
            read_fingerprint(given)
    public = tmp_path / "steward.pub"
    public.write_text(steward_key().public_pem())
    assert read_fingerprint(str(public)) == steward_key().fingerprint
    assert read_fingerprint(f" {steward_key().fingerprint.upper()}\n") == steward_key().fingerprint


def test_sentences_of_another_version_are_left_to_the_signature(
    folder: Path, tmp_path: Path
) -> None:
    """A later version may say the same in other words."""
    ledger = tmp_path / "corners.ledger"
    told = read(folder / NAME)
    # The release was made by another version, and its certificate with that version's words.
    with Ledger.open(ledger) as books:
        stored = books.find_release(told["body"]["id"])
    assert stored is not None
    release = Release.from_bytes(stored)

    release.provenance["software"] = "sudare 0.0.1"
    old = statement(release).to_dict()
    told = told | {key: old[key] for key in ("guarantee", "provenance", "body")}
    told["body"]["not_covered"]["en"][0] = "Other words."
    told["guarantee"]["meaning"]["ja"] = "別の言葉。"
    (folder / NAME).write_text(written(told, steward_key()), encoding="utf-8")
    # `stated` gives what the ledger keeps; here as if that version had written it.
    found = verify_files([folder / NAME], lambda _: statement(release), ledger=ledger)
    assert found.ok
    assert "words" in codes(found)
    told["guarantee"]["epsilon"] = 0.5
    (folder / NAME).write_text(written(told, steward_key()), encoding="utf-8")
    found = verify_files([folder / NAME], lambda _: statement(release), ledger=ledger)
    assert faults(found) == {"differs"}


@pytest.mark.integration
def test_statistics_and_rows_of_them_lead_to_their_release(tmp_path: Path) -> None:
    ledger, away = tmp_path / "l.ledger", tmp_path / "a" / "b"
    away.mkdir(parents=True)
    plan = PrivatePlan(Fraction(1), columns=("a", "b", "c"))
    release = private_statistics(
        people(BASE * 10), schema(), plan, ledger=ledger, bits=CountedBits("s")
    )
    found = statistics_of(release)
    (away / "stats.json").write_text(found.to_json() + "\n", encoding="utf-8")
    told = statement_of(found, release.created)
    certify(told, away / "stats.certificate.json", [away / "stats.json"], ledger)
    made = make(found, Wish(20)).write(away / "rows.csv")
    certify(made.facts.statement(), away / "rows.certificate.json", [away / "rows.csv"], ledger)
    for name in ("stats", "rows"):
        place = away / f"{name}.certificate.json"
        assert codes(check(place, ledger=ledger)) == {"signed", "same", "known", "agrees"}
        whole = read(place)
        for where in leaves(whole):
            if where[0] not in ("guarantee", "provenance") or where == ("provenance", "software"):
                continue
            place.write_text(written(changed(whole, where), steward_key()), encoding="utf-8")
            assert not check(place, ledger=ledger).ok, where
        for where in leaves(whole):
            if where[0] in ("format", "signer", "signature"):
                continue
            place.write_text(written(changed(whole, where), another_key()), encoding="utf-8")
            assert faults(check(place, ledger=ledger)) & {"stranger", "form"}, where
        place.write_text(written(whole), encoding="utf-8")
    # A release of another kind is no release of statistics.
    asked = ask(people(BASE), schema(), Plan(("count()",), Fraction(1)), ledger=ledger)
    whole = read(away / "rows.certificate.json")
    whole["provenance"]["statistics"]["release"] = asked.id
    (away / "rows.certificate.json").write_text(written(whole, steward_key()), encoding="utf-8")
    assert faults(check(away / "rows.certificate.json", ledger=ledger)) == {"differs"}


def test_a_difference_is_named_by_its_place() -> None:
    assert difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}) is None
    assert difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == "a[1].b"
    assert difference({"a": 1}, {"a": 1.0}) == "a"
    assert difference({"a": 1}, {"a": True}) == "a"
    assert difference({"a": 1}, {}) == "a"
    assert difference([1], [1, 2]) == ""
    assert difference({"a": [1]}, {"a": [1, 2]}) == "a"


def test_every_finding_has_words_in_both_languages() -> None:
    assert set(TEXTS) - KINDS == {
        "key_made", "key_written", "valid", "unvouched", "partly", "invalid",
    }  # fmt: skip
    assert set(TEXTS) >= KINDS
    for each in TEXTS.values():
        assert set(re.findall(r"{\w+}", each.en)) == set(re.findall(r"{\w+}", each.ja))


def test_what_a_certificate_says_does_not_steer_the_terminal(folder: Path, tmp_path: Path) -> None:
    told = read(folder / NAME)
    told["provenance"]["\x1b[2Jevil"] = 1
    (folder / NAME).write_text(written(told, steward_key()), encoding="utf-8")
    found = check(folder / NAME, ledger=tmp_path / "corners.ledger")
    assert faults(found) == {"differs"}
    assert "\x1b" not in "".join(lines(found, "en"))


def test_where_the_key_lies(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert key_place() == tmp_path / "steward.key"
    monkeypatch.delenv("SUDARE_KEY")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert key_place() == Path("/data/sudare/steward.key")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/ana")
    assert key_place() == Path("/home/ana/.local/share/sudare/steward.key")
