"""Secure joint statistics, whole: organisations, collector, helper and dealer as threads that speak
real TLS over loopback."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from typer.testing import CliRunner

from sudare.cli.app import app
from sudare.facts.errors import InvalidPlan, LinkRefused, SudareError, TurnedAway, Unreachable
from sudare.facts.estimated import Estimated
from sudare.link.secure import Computing
from sudare.link.secure_plan import compile_secure_link
from sudare.publish import link_secure_gather
from sudare.publish.link_exchange import Exchange
from sudare.publish.link_files import helper_of, load_link
from sudare.report.link_page import page
from sudare.wires.chunks import Chunk
from sudare.wires.log import verify_log
from support.joint import HELPER, LABELS, Joint, from_join, known_to_all, write_joint
from support.linking import Ended, hurry, left_behind, phone, said

NAMES = ("hospital", "shop")
SIZE = 60
EXACT, NOISY = "epsilon = 1000", "epsilon = 4"
Meet = Callable[..., Joint]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patching:
        hurry(patching)
        yield known_to_all(tmp_path_factory.mktemp("identities"))


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory, known: Path) -> tuple[Joint, Ended]:
    folder = tmp_path_factory.mktemp("held") / "meeting"
    top = f'job = "secure"\n{EXACT}'
    meeting = Joint(write_joint(folder, NAMES, SIZE, top, HELPER), known)
    return meeting, meeting.run()


@pytest.fixture
def meet(tmp_path: Path, known: Path) -> Meet:
    def make(top: str = EXACT, names: Any = NAMES, helper: str = HELPER, size: int = SIZE) -> Joint:
        text = f'job = "secure"\n{top}'
        return Joint(write_joint(tmp_path / "meeting", names, size, text, helper), known)

    return make


def certificate(ended: Ended) -> dict[str, Any]:
    failed = {name: each.what for name, each in ended.items() if isinstance(each, SudareError)}
    assert not failed
    found = ended["collector"]
    assert isinstance(found, dict)
    return found


def statistics(meeting: Joint) -> Estimated:
    found = json.loads(meeting.result.read_text(encoding="utf-8"))
    return Estimated.from_dict(found["estimated"])


def covariance(found: Estimated, one: str, two: str) -> Any:
    matrix = found.covariance
    assert matrix is not None
    return matrix.entries[matrix.columns.index(one)][matrix.columns.index(two)]


def test_a_huge_epsilon_gives_the_sums_of_a_plain_join(held: tuple[Joint, Ended]) -> None:
    meeting, ended = held
    told, found = certificate(ended), statistics(meeting)
    what = "count(*), avg(hospital_0), avg(shop_0), covar_pop(hospital_0, shop_0)"
    ((count, one, two, cross),) = from_join(meeting.folder, NAMES, what)
    assert found.rows == told["rows"] == count
    assert [mean.mean.raw for mean in found.means] == pytest.approx([one, two], abs=1e-9)
    assert covariance(found, "hospital_0", "shop_0").raw == pytest.approx(cross, abs=1e-9)
    assert abs(cross) > 0.01


def test_cross_tables_are_those_of_a_plain_join(held: tuple[Joint, Ended]) -> None:
    meeting, _ = held
    (table,) = statistics(meeting).tables
    rows = from_join(meeting.folder, NAMES, "hospital_label, shop_label")
    shares = dict(
        zip([(a, b) for a in table.labels[0] for b in table.labels[1]],
            [each.raw for row in table.shares for each in row], strict=True)
    )  # fmt: skip
    for pair in [(a, b) for a in LABELS for b in LABELS]:
        assert shares[pair] == pytest.approx(rows.count(pair) / len(rows), abs=1e-9)
    assert len(set(rows)) > 3


def test_everybody_pays_once_and_deletes(held: tuple[Joint, Ended]) -> None:
    meeting, ended = held
    told = certificate(ended)
    assert [party["spent"]["epsilon"] for party in told["parties"]] == [1000.0, 1000.0]
    assert [meeting.reserved(name) for name in NAMES] == [1, 1]
    roles = (*NAMES, f"{HELPER}.helper", "institute.collector")
    assert not [
        left_behind(meeting.place(role)) for role in roles if left_behind(meeting.place(role))
    ]
    assert told["helper"]["deleted"]
    assert all(party["deleted"] for party in told["parties"])
    assert not list(meeting.folder.glob("*.parquet"))


def test_logs_hold_and_tell_no_value(held: tuple[Joint, Ended]) -> None:
    meeting, _ = held
    names = (*NAMES, HELPER, "institute")
    known = {n: (meeting.identities / n / "certificate.pem").read_bytes() for n in names}
    for role in (*NAMES, f"{HELPER}.helper"):
        log = verify_log(meeting.place(role) / "log.jsonl", known)
        assert {by for by, _ in log.countersigned} == {"institute"}
    collector = verify_log(meeting.place("institute.collector") / "log.jsonl", known)
    assert {by for by, _ in collector.countersigned} >= {*NAMES, HELPER}
    texts = said(meeting.folder).replace(meeting.result.read_text(encoding="utf-8"), "")
    assert not any(phone(person) in texts for person in range(SIZE))
    assert not any(each in texts for each in LABELS)


def test_started_again_it_is_the_same_and_costs_nothing(held: tuple[Joint, Ended]) -> None:
    meeting, ended = held
    assert meeting.collect() == certificate(ended)
    assert [meeting.reserved(name) for name in NAMES] == [1, 1]
    written = meeting.result.read_bytes()
    meeting.result.write_bytes(written + b" ")
    with pytest.raises(LinkRefused, match="is not the file that this session wrote"):
        meeting.collect()
    meeting.result.write_bytes(written)


def test_the_page_speaks_both_languages(held: tuple[Joint, Ended]) -> None:
    meeting, ended = held
    found = json.loads(meeting.result.read_text(encoding="utf-8"))
    text = page(certificate(ended), "ja", found)
    assert "positive semidefinite" not in text
    for each in ("補助者", "no two of these three work together", "hospital_0", "共分散"):
        assert each in text


def test_noise_is_there_and_as_large_as_stated(meet: Meet) -> None:
    """Noise on a grid may be 0 in one cell: that it is in none of twelve has less than 1e-10.

    A Laplace share beyond twelve standard errors has less than 1e-7.
    """
    meeting = meet(NOISY, size=1500)
    ended = meeting.run()
    assert [p["spent"]["epsilon"] for p in certificate(ended)["parties"]] == [4.0, 4.0]
    found = statistics(meeting)
    what = "avg(hospital_0), avg(shop_0), covar_pop(hospital_0, shop_0)"
    ((one, two, cross),) = from_join(meeting.folder, NAMES, what)
    entry = covariance(found, "hospital_0", "shop_0")
    assert abs(entry.raw - cross) < 12 * entry.standard_error
    assert 0.001 < entry.standard_error < 1
    rows = from_join(meeting.folder, NAMES, "hospital_label, shop_label")
    (table,) = found.tables
    pairs = [(a, b) for a in table.labels[0] for b in table.labels[1]]
    shares = [each.raw for row in table.shares for each in row]
    released = [*(mean.mean.raw for mean in found.means), entry.raw, *shares]
    exact = [one, two, cross, *(rows.count(pair) / len(rows) for pair in pairs)]
    assert len(exact) >= 12
    assert released != pytest.approx(exact, abs=1e-9)


def test_an_organisation_may_help_in_a_second_process(meet: Meet) -> None:
    names = ("hospital", "shop", "office")
    meeting = meet(f'{EXACT}\npseudonyms = "salt"', names, "office")
    told = certificate(meeting.run())
    assert (told["helper"]["name"], told["helper"]["is_party"]) == ("office", True)
    assert told["dealer"] == "hospital"
    ((count, cross),) = from_join(
        meeting.folder, names, "count(*), covar_pop(hospital_0, office_0)"
    )
    assert told["rows"] == count
    found = covariance(statistics(meeting), "hospital_0", "office_0")
    assert found.raw == pytest.approx(cross, abs=1e-9)


def test_one_that_nobody_can_call(meet: Meet) -> None:
    """The one before it lays its rows out only when they are paid for."""
    meeting = meet(EXACT)
    path = meeting.folder / "link.toml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    address = f'address = "{meeting.plan.party("shop").address}"\n'
    assert lines.count(address) == 1
    path.write_text("".join(line for line in lines if line != address), encoding="utf-8")
    told = certificate(meeting.run())
    ((count,),) = from_join(meeting.folder, NAMES, "count(*)")
    assert told["rows"] == count > 0


@pytest.mark.parametrize("side", ["helper", "collector"])
def test_a_side_that_was_cut_off_goes_on_and_draws_no_noise_again(
    side: str, meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    meeting, drawn, cut = meet(), [], []
    protected, send = Computing.protected, Exchange._send

    def counted(computing: Computing, bits: Any) -> bytes:
        drawn.append(protected(computing, bits))
        return drawn[-1]

    def cut_off(exchange: Exchange, stream: str, chunks: Any) -> None:
        if stream == f"protected-{side}" and not cut:
            cut.append(stream)
            raise Unreachable("cut off", "by a test")
        send(exchange, stream, chunks)

    def twice(run: Callable[[Joint], Any]) -> Callable[[Joint], Any]:
        def again(own: Joint) -> Any:
            try:
                return run(own)
            except Unreachable:
                return run(own)

        return again

    monkeypatch.setattr(Computing, "protected", counted)
    monkeypatch.setattr(Exchange, "_send", cut_off)
    part = "assist" if side == "helper" else "collect"
    monkeypatch.setattr(Joint, part, twice(getattr(Joint, part)))
    ended = meeting.run()
    ((count,),) = from_join(meeting.folder, NAMES, "count(*)")
    assert certificate(ended)["rows"] == count
    assert cut
    assert len(drawn) == 2
    assert [meeting.reserved(name) for name in NAMES] == [1, 1]


def test_a_collector_that_drops_a_row_is_found_out(
    meet: Meet, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = link_secure_gather.helpers_half

    def dropping(*parts: Any) -> Iterator[Chunk]:
        for chunk in honest(*parts):
            rows = int.from_bytes(chunk.data[:4], "big")
            width = int.from_bytes(chunk.data[4:8], "big")
            middle = 8 + 32 * rows
            points, sealed = chunk.data[8 : middle - 32], chunk.data[middle:-width]
            data = b"".join(((rows - 1).to_bytes(4, "big"), chunk.data[4:8], points, sealed))
            yield Chunk(chunk.number, data, chunk.last)

    monkeypatch.setattr(link_secure_gather, "helpers_half", dropping)
    meeting = meet()
    ended = meeting.run()
    assert all(isinstance(each, LinkRefused) for each in ended.values()), ended
    assert ended["helper"].code == "altered"  # type: ignore[union-attr]
    assert not meeting.result.exists()


def test_a_plan_that_cannot_work_is_refused(meet: Meet, tmp_path: Path) -> None:
    meeting = meet()
    text = meeting.plan_file.read_text(encoding="utf-8")
    party = meeting.plan.party("shop").address
    changed = text.replace(str(meeting.plan.helper_address), str(party))
    meeting.plan_file.write_text(changed, encoding="utf-8")
    with pytest.raises(InvalidPlan, match="The helper listens at an address"):
        compile_secure_link(load_link(meeting.plan_file))
    plain = write_joint(tmp_path / "plain", NAMES, SIZE, "epsilon = 4")
    with pytest.raises(InvalidPlan, match="no helper"):
        helper_of(load_link(plain))


def test_labels_beyond_what_a_message_holds_are_refused(meet: Meet) -> None:
    meeting = meet()
    schema = meeting.folder / "shop.schema.toml"
    many = ", ".join(f'"{number}"' for number in range(300))
    text = schema.read_text(encoding="utf-8")
    values = ", ".join(f'"{each}"' for each in LABELS)
    schema.write_text(text.replace(values, many), encoding="utf-8")
    with pytest.raises(InvalidPlan, match="more labels than a secure computation can take"):
        compile_secure_link(load_link(meeting.plan_file))
    schema.write_text(text, encoding="utf-8")
    assert compile_secure_link(load_link(meeting.plan_file)).job.width == 2 * (1 + len(LABELS) + 1)


@pytest.mark.slow
def test_separate_processes_give_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "simulation"
    words = ["--parties", "2", "--people", "300", "--job", "secure", "--epsilon", "900"]
    words += ["--central", "5", "--json"]
    ran = CliRunner().invoke(app, ["link", "simulate", "-o", str(folder), *words])
    assert ran.exit_code == 0, ran.stderr
    told = json.loads(ran.stdout)
    what = "count(*), covar_pop(age, income)"
    ((count, cross),) = _town(folder, what)
    assert abs(told["rows"] - count) <= 1
    found = json.loads((folder / "joined.statistics.json").read_text(encoding="utf-8"))
    entry = covariance(Estimated.from_dict(found["estimated"]), "age", "income")
    assert abs(entry.raw - cross) < 6 * entry.standard_error
    assert "notary" in (folder / "joined.report.html").read_text(encoding="utf-8")


def _town(folder: Path, what: str) -> list[tuple[Any, ...]]:
    """Both tables of the simulated town, by the digits of the telephone number."""
    wide = "".join(chr(0xFF10 + digit) for digit in range(10))
    ways = {
        "hospital": "replace(phone, '-', '')",
        "shop": f"translate(phone, '{wide}', '0123456789')",
    }
    one, two = (
        f"(SELECT *, {way} AS digits FROM read_csv('{folder / name}.csv', all_varchar = true))"
        for name, way in ways.items()
    )
    with duckdb.connect() as base:
        wanted = what.replace("age", "age::DOUBLE").replace("income", "income::DOUBLE")
        return base.sql(
            f"SELECT {wanted} FROM {one} AS one JOIN {two} AS two USING (digits)"
        ).fetchall()


def test_a_helper_with_another_plan(meet: Meet, tmp_path: Path) -> None:
    """Also where it is a second process of an organisation that came with the right one."""
    meeting = meet(f'{EXACT}\npseudonyms = "salt"', ("hospital", "shop", "office"), "office")
    other = shutil.copytree(meeting.folder, tmp_path / "other")
    text = (other / "link.toml").read_text().replace('session = "s1"', 'session = "s2"')
    (other / "link.toml").write_text(text)
    mistaken = Joint(other / "link.toml", meeting.identities)
    ended = meeting.run(helper=mistaken.assist)
    for name in ("hospital", "shop", "office", "collector"):
        told = ended[name]
        assert isinstance(told, TurnedAway), told
        assert told.by == "office (helper)"
    refused = ended["helper"]
    assert isinstance(refused, LinkRefused)
    assert refused.code == "plan"
