"""Joins between organisations, whole: threads that speak real TLS over loopback, small tables."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.engines.reports import open_reports
from sudare.facts.engine import EngineChoice
from sudare.facts.errors import (
    BudgetRefused,
    InvalidPlan,
    LinkRefused,
    SudareError,
    TurnedAway,
    Unreachable,
    UsageError,
)
from sudare.publish import link_collect, link_entering, link_work
from sudare.publish.link_party import Part, take_part
from sudare.publish.link_rows import Rows
from sudare.report.link import lines
from sudare.report.link_page import page
from sudare.wires.authority import make_authority, make_identity
from sudare.wires.calling import Caller
from sudare.wires.folder import locked
from sudare.wires.identity import Identity
from support.linking import (
    COLLECTOR,
    COLORS,
    NAMES,
    Drawn,
    Ended,
    Meeting,
    Table,
    color,
    file_rows,
    hurry,
    identities,
    left_behind,
    phone,
    said,
    tables,
    write_consortium,
)
from support.wires import renewed

SIZE = 60
Meet = Callable[..., Meeting]


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patching:
        hurry(patching)
        yield patching


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return identities(tmp_path_factory.mktemp("identities"))


@pytest.fixture
def meet(tmp_path: Path, known: Path, patch: pytest.MonkeyPatch) -> Meet:
    def make(people: dict[str, Table] | None = None, wait: float = 20.0, **options: Any) -> Meeting:
        plan = write_consortium(tmp_path / "meeting", people or tables(SIZE), **options)
        return Meeting(plan, known, wait)

    return make


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    return Drawn().watch(monkeypatch)


class Held:
    """The session that most tests look at, what was drawn in it and what it said."""

    def __init__(self, meeting: Meeting, drawn: Drawn, ended: Ended) -> None:
        self.meeting, self.drawn, self.ended = meeting, drawn, ended

    @property
    def certificate(self) -> dict[str, Any]:
        found = self.ended["collector"]
        assert isinstance(found, dict), found
        return found


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory, known: Path, patch: pytest.MonkeyPatch) -> Held:
    folder = tmp_path_factory.mktemp("held")
    plan = write_consortium(folder, tables(SIZE), top='epsilon = 6\nrows = "all"')
    with pytest.MonkeyPatch.context() as watching:
        drawn = Drawn().watch(watching)
        meeting = Meeting(plan, known)
        return Held(meeting, drawn, meeting.run())


def results(ended: Ended) -> dict[str, dict[str, Any]]:
    failed = {name: each for name, each in ended.items() if isinstance(each, SudareError)}
    assert not failed, {name: each.what for name, each in failed.items()}
    return ended  # type: ignore[return-value]


def errors(ended: Ended) -> dict[str, SudareError]:
    done = [name for name, each in ended.items() if not isinstance(each, SudareError)]
    assert not done, done
    return ended  # type: ignore[return-value]


def test_rows_are_those_of_a_plain_join(held: Held) -> None:
    results(held.ended)
    wanted = held.drawn.joined(held.meeting.job, NAMES)
    assert len(wanted) == sum(n % 3 and n % 4 and n % 5 and 1 for n in range(SIZE))
    assert file_rows(held.meeting.output) == wanted
    assert held.certificate["rows"] == len(wanted)


def test_every_class_has_a_file(held: Held) -> None:
    folder, job = held.meeting.folder, held.meeting.job
    for members in (("hospital", "shop"), ("office",), ("shop", "office")):
        absent = [name for name in NAMES if name not in members]
        path = folder / f"joined.{'+'.join(members)}.parquet"
        assert file_rows(path) == held.drawn.joined(job, members, absent)
        assert len(file_rows(path)) > 0
    assert len(list(folder.glob("joined*.parquet"))) == len(held.certificate["account"]["classes"])


def test_facts_of_the_certificate(held: Held) -> None:
    told = held.certificate
    assert told["plan_sha256"] == held.meeting.plan.digest()
    assert told["collector"] == {"name": COLLECTOR, "is_party": False}
    rows = {party["name"]: party["rows"] for party in told["parties"]}
    assert rows == {name: len(each) for name, each in tables(SIZE).items()}
    assert told["epsilon"] == pytest.approx(6)
    assert all(party["spent"]["epsilon"] == pytest.approx(2) for party in told["parties"])
    assert all(party["deleted"]["signature"] for party in told["parties"])


def test_every_log_holds_and_is_countersigned(held: Held) -> None:
    plan = held.meeting.plan
    own = held.meeting.log(f"{COLLECTOR}.collector")
    assert own.owner == COLLECTOR
    assert own.plan == plan.digest()
    assert sorted(by for by, _ in own.countersigned) == sorted(NAMES)
    for party in held.certificate["parties"]:
        log = held.meeting.log(party["name"])
        # The collector signed what was sent and received, and then that it was deleted.
        assert [by for by, _ in log.countersigned] == [COLLECTOR, COLLECTOR]
        assert log.countersigned[1][1] == party["deleted"]["head"]


def test_nothing_is_left_but_the_log(held: Held) -> None:
    for role in (*NAMES, f"{COLLECTOR}.collector"):
        assert left_behind(held.meeting.place(role)) == []
    assert not list(held.meeting.folder.rglob("*.part*"))


def test_no_key_and_no_value_is_said(held: Held) -> None:
    text = said(held.meeting.folder)
    assert "plan" in text
    keys = [phone(n) for n in range(SIZE)]
    assert not [word for word in (*keys, *(key[1:] for key in keys), *COLORS) if word in text]


def test_each_is_charged_once(held: Held) -> None:
    assert {name: held.meeting.reserved(name) for name in NAMES} == dict.fromkeys(NAMES, 1)


def test_a_session_that_has_ended_is_not_run_again(held: Held) -> None:
    assert held.meeting.collect() == held.certificate
    for name in NAMES:
        again = held.meeting.take_part(name)
        assert again == held.ended[name] | {"again": True}
        assert again["confirmed"]
        assert held.meeting.reserved(name) == 1


def test_a_file_that_was_changed_later_is_not_vouched_for(held: Held, tmp_path: Path) -> None:
    folder = shutil.copytree(held.meeting.folder, tmp_path / "copy")
    changed = Meeting(folder / "link.toml", held.meeting.identities)
    changed.output.write_bytes(changed.output.read_bytes() + b"x")
    with pytest.raises(LinkRefused, match="is not the file that this session wrote"):
        changed.collect()


def test_a_session_folder_that_is_lost(held: Held, tmp_path: Path) -> None:
    """Its rows are not made again for one charge, and nobody speaks of a budget."""
    folder = shutil.copytree(held.meeting.folder, tmp_path / "copy")
    lost = Meeting(folder / "link.toml", held.meeting.identities)
    for place in folder.glob("*.link"):
        shutil.rmtree(place)
    lost.output.unlink()
    ended = errors(lost.run())
    for each in ended.values():
        assert isinstance(each, LinkRefused)
        assert each.code == "folder-lost"
    assert [lost.reserved(name) for name in NAMES] == [1, 1, 1]


def test_what_reads_randomised_files_reads_it(held: Held, tmp_path: Path) -> None:
    run = CliRunner()
    estimated = run.invoke(app, ["estimate", str(held.meeting.output), "--json"])
    assert estimated.exit_code == 0, estimated.output
    found = json.loads(estimated.stdout)
    assert "hospital_color" in json.dumps(found)
    made = tmp_path / "made.csv"
    words = ["--from-randomized", str(held.meeting.output), "-o", str(made), "--rows", "40"]
    synthesized = run.invoke(app, ["synthesize", *words])
    assert synthesized.exit_code == 0, synthesized.output
    assert len(made.read_text().splitlines()) == 41


def test_with_a_shared_salt(meet: Meet, drawn: Drawn) -> None:
    meeting = meet(top='epsilon = 6\npseudonyms = "salt"')
    results(meeting.run())
    assert file_rows(meeting.output) == drawn.joined(meeting.job, NAMES) != []
    assert left_behind(meeting.folder) == []


@pytest.mark.parametrize("pseudonyms", ["commutative", "salt"])
def test_one_that_nobody_can_call(meet: Meet, drawn: Drawn, pseudonyms: str) -> None:
    top = f'epsilon = 6\npseudonyms = "{pseudonyms}"'
    meeting = meet(top=top, unreachable=("office",))
    results(meeting.run())
    assert file_rows(meeting.output) == drawn.joined(meeting.job, NAMES) != []
    assert left_behind(meeting.folder) == []
    assert len(meeting.log("office").countersigned) == 2


def test_a_collector_that_is_one_of_them(meet: Meet, drawn: Drawn) -> None:
    meeting = meet(collector="shop")
    told = results(meeting.run())
    assert told["collector"]["collector"] == {"name": "shop", "is_party": True}
    assert file_rows(meeting.output) == drawn.joined(meeting.job, NAMES) != []


def test_pk_anonymity(meet: Meet, drawn: Drawn) -> None:
    meeting = meet(top='job = "pk"\nk = 2\njoined_rows = 20')
    told = results(meeting.run())["collector"]
    assert told["k"] is not None
    assert file_rows(meeting.output) == drawn.joined(meeting.job, NAMES) != []


def test_dummies_meet_and_are_counted(meet: Meet, drawn: Drawn) -> None:
    meeting = meet(top="epsilon = 6\n[dummies]\nepsilon = 2\ndelta = 1e-3")
    told = results(meeting.run())["collector"]
    rows = file_rows(meeting.output)
    assert rows == drawn.joined(meeting.job, NAMES)
    people = sum(bool(n % 3 and n % 4 and n % 5) for n in range(SIZE))
    assert len(rows) > people
    assert told["dummies"]["expected_each_class"] > 0
    assert left_behind(meeting.folder) == []


def repeated() -> dict[str, Table]:
    """One key twice, one key in two spellings, and rows without a usable key."""
    people = tables(30)
    people["hospital"] += [
        (phone(1), color(1, 1)),
        ("０９０-" + phone(2)[3:7] + phone(2)[7:], "cobalt"),
    ]
    people["hospital"] += [(None, "cobalt"), ("no number", "cobalt")]
    return people


def test_repeated_and_missing_keys(meet: Meet, drawn: Drawn) -> None:
    meeting = meet(repeated())
    told = results(meeting.run())
    plain = len(tables(30)["hospital"])
    assert told["hospital"]["rows"] == plain
    found = told["hospital"]["own"]
    assert found["read"] == plain + 4
    assert found["unusable"] + found["repeated"] + found["bounded"] == 4
    assert file_rows(meeting.output) == drawn.joined(meeting.job, NAMES) != []


@pytest.mark.parametrize("case", ["no common people", "no rows"])
def test_nobody_in_common(meet: Meet, case: str) -> None:
    people = tables(20)
    people["shop"] = [] if case == "no rows" else [(phone(n), "cobalt") for n in range(90, 99)]
    meeting = meet(people)
    told = results(meeting.run())
    assert told["shop"]["rows"] == len(people["shop"])
    assert (told["collector"]["rows"], told["collector"]["warnings"]) == (0, ["empty"])
    assert "WARNING" in "\n".join(lines(told["collector"], "en"))
    assert "警告" in page(told["collector"], "ja")
    assert open_reports(meeting.output).rows == 0
    assert left_behind(meeting.folder) == []


@pytest.mark.integration
@pytest.mark.parametrize("trouble", ["no file", "no column", "no budget"])
def test_who_is_not_ready_costs_nobody_anything(meet: Meet, trouble: str) -> None:
    """It is refused before it comes; the others wait in vain, and go on when it is mended."""
    meeting = meet(wait=2.0, budgets={"shop": 1.5} if trouble == "no budget" else {})
    own = meeting.folder / "shop.csv"
    whole = own.read_bytes()
    if trouble == "no file":
        own.unlink()
    elif trouble == "no column":
        own.write_text("phone\n1\n", encoding="utf-8")
    ended = errors(meeting.run())
    assert ended["shop"].exit_code == (3 if trouble == "no budget" else 4)
    for name in ("hospital", "office", "collector"):
        assert isinstance(ended[name], Unreachable), (name, ended[name].what)
    assert "shop" in ended["collector"].what
    assert [meeting.reserved(name) for name in NAMES] == [0, 0, 0]
    if trouble != "no budget":
        own.write_bytes(whole)
        results(replace(meeting, wait=20.0).run())


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks before it comes, as if the ledger or the file changed just then."""
    monkeypatch.setattr(link_work, "check_ready", lambda *_: None)


@pytest.mark.usefixtures("hasty")
def test_a_budget_that_does_not_suffice(meet: Meet) -> None:
    meeting = meet(budgets={"shop": 1.5})
    ended = errors(meeting.run())
    assert isinstance(ended["shop"], BudgetRefused)
    for name in ("hospital", "office", "collector"):
        refused = ended[name]
        assert isinstance(refused, LinkRefused), (name, refused.what)
        assert (refused.exit_code, refused.code) == (4, "budget")
        assert "shop" in refused.what
    assert meeting.reserved("shop") == 0
    assert left_behind(meeting.folder) == []
    assert not meeting.output.exists()


@pytest.mark.usefixtures("hasty")
def test_whoever_comes_later_to_what_was_given_up_pays_nothing(meet: Meet) -> None:
    meeting = meet(wait=3.0)
    (meeting.folder / "office.csv").write_text("phone\n1\n", encoding="utf-8")
    ended = errors(meeting.run())
    assert ended["office"].exit_code == 4
    before = {name: meeting.reserved(name) for name in NAMES}
    again = errors(meeting.run())
    assert all(each.exit_code == 4 for each in again.values()), again
    assert "given up" in again["shop"].what
    assert {name: meeting.reserved(name) for name in NAMES} == before
    assert left_behind(meeting.folder) == []


def test_another_plan_on_one_side(
    meet: Meet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All end at once, long before anybody's patience does."""
    monkeypatch.setattr(link_collect, "_BREAKING", 120.0)
    meeting = meet(wait=600.0)
    other = tmp_path / "other"
    shutil.copytree(meeting.folder, other)
    text = meeting.plan_file.read_text().replace("epsilon = 6", "epsilon = 7")
    (other / "link.toml").write_text(text)
    mistaken = partial(meeting.take_part, "shop", other / "link.toml")
    ended = errors(meeting.run(shop=mistaken))
    refused = ended["shop"]
    assert isinstance(refused, LinkRefused)
    assert refused.code == "plan"
    for name in ("hospital", "office", "collector"):
        told = ended[name]
        assert isinstance(told, TurnedAway), (name, told.what)
        assert told.what == "shop came with another plan and was turned away."
        assert (told.exit_code, told.code, told.by) == (4, "plan", "shop")
        assert "link.toml" in told.hint
    # Nobody pays before all have come with one plan, and the session can still be held.
    assert [meeting.reserved(name) for name in NAMES] == [0, 0, 0]
    results(Meeting(meeting.plan_file, meeting.identities).run())


def test_who_comes_last_hears_of_another_plan_at_once(
    meet: Meet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The collector counts whoever asked as told, and leaves: there is no second question."""
    meeting = meet(wait=600.0)
    other = shutil.copytree(meeting.folder, tmp_path / "other")
    text = meeting.plan_file.read_text().replace("epsilon = 6", "epsilon = 7")
    (other / "link.toml").write_text(text)
    turned, left = Event(), Event()

    def mistaken() -> Any:
        try:
            return meeting.take_part("shop", other / "link.toml")
        finally:
            turned.set()

    def late(name: str) -> Any:
        assert turned.wait(60)
        return meeting.take_part(name)

    def leaving(is_known: Callable[[], bool]) -> None:
        while not is_known():
            sleep(0.01)
        left.set()

    def unheard(*_: Any) -> None:
        assert not left.wait(2), "It was told and goes on."

    monkeypatch.setattr(link_collect, "_stay_until", leaving)
    monkeypatch.setattr(link_entering, "refuse_if_given_up", unheard)
    ended = errors(
        meeting.run(
            shop=mistaken, hospital=partial(late, "hospital"), office=partial(late, "office")
        )
    )
    for name in ("hospital", "office", "collector"):
        assert isinstance(ended[name], TurnedAway), (name, ended[name].what)
    assert not meeting.place("office").joinpath("log.jsonl").exists()


def test_a_plan_that_all_agree_to_change(
    meet: Meet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing has happened yet the session's name may be used again; afterwards not."""
    monkeypatch.setattr(link_collect, "_BREAKING", 120.0)
    meeting = meet(wait=600.0)
    other = shutil.copytree(meeting.folder, tmp_path / "other")
    text = meeting.plan_file.read_text()
    (other / "link.toml").write_text(text.replace("epsilon = 6", "epsilon = 7"))
    errors(meeting.run(shop=partial(meeting.take_part, "shop", other / "link.toml")))
    meeting.plan_file.write_text(text.replace("epsilon = 6", "epsilon = 7"))
    results(Meeting(meeting.plan_file, meeting.identities).run())
    meeting.plan_file.write_text(text)
    again = errors(Meeting(meeting.plan_file, meeting.identities, wait=3.0).run())
    for refused in again.values():
        assert isinstance(refused, LinkRefused)
        assert "under another plan" in refused.what
        assert "new session name" in refused.hint
    assert [meeting.reserved(name) for name in NAMES] == [1, 1, 1]


def test_another_plan_later_stops_nobody(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once a party has come with the plan, calls of its certificate with another plan are refused
    and change nothing; nor do those of whoever is no party of the plan."""
    meeting = meet()
    plan, tried = meeting.plan, []

    def called(name: str) -> None:
        own = Identity.load(meeting.identities / name)
        with Caller(own, plan.collector_address, plan.collector, "ab" * 32, 5.0) as caller:
            with pytest.raises(LinkRefused) as error:
                caller.act("status", b"")
            tried.append(error.value.code)

    prepare = link_work.prepare

    def prepared(*given: Any) -> Any:
        # Everybody has come by now, and somebody has paid.
        called("shop")
        called(COLLECTOR)
        return prepare(*given)

    monkeypatch.setattr(link_work, "prepare", prepared)
    results(meeting.run())
    assert tried == ["plan"] * 6


@pytest.mark.parametrize("trouble", ["expired", "authority", "missing"])
def test_certificates_that_will_not_do(
    meet: Meet, known: Path, tmp_path: Path, trouble: str
) -> None:
    own = shutil.copytree(known, tmp_path / "own")
    if trouble == "expired":
        renewed(Identity.load(own / "shop"), own / "authority", timedelta(days=-1))
    elif trouble == "missing":
        (own / "shop" / "certificate.pem").unlink()
    else:
        shutil.rmtree(own / "shop")
        make_authority(tmp_path / "strangers", "consortium", 30)
        make_identity(own / "shop", "shop", tmp_path / "strangers", 30)
    meeting = meet(wait=2.0)
    mistaken = Meeting(meeting.plan_file, own, 2.0)
    ended = errors(meeting.run(shop=partial(mistaken.take_part, "shop")))
    assert ended["shop"].exit_code == 4, ended["shop"].what
    for name in ("hospital", "office", "collector"):
        assert isinstance(ended[name], Unreachable), (name, ended[name].what)
    assert [meeting.reserved(name) for name in NAMES] == [0, 0, 0]


def test_an_authority_that_is_not_pinned(meet: Meet) -> None:
    meeting = meet(top=f'epsilon = 6\nca_sha256 = "{"ab" * 32}"')
    for run in (partial(meeting.take_part, "shop"), meeting.collect):
        with pytest.raises(LinkRefused, match="not the one that the plan pins"):
            run()


def test_who_listens_is_in_the_plan(meet: Meet) -> None:
    meeting = meet(unreachable=("office",))
    rows = Rows("none.csv", "none.ledger", EngineChoice("auto", None))
    for name, listens in (("office", True), ("shop", False)):
        own = Identity.load(meeting.identities / name)
        with pytest.raises(InvalidPlan, match=r"address in link\.toml"):
            take_part(Part(meeting.plan, own, meeting.place(name), 1.0, listens), rows)


def test_two_processes_for_one_session(meet: Meet) -> None:
    meeting = meet()
    with locked(meeting.place("shop")), pytest.raises(UsageError, match="Another process"):
        meeting.take_part("shop")
