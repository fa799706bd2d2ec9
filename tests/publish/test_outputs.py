"""Files leave as a set: refused before, whole or not at all, whatever fails or kills in between."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from sudare.facts.errors import NotWritten, SudareError, UsageError
from sudare.publish.output_guard import Input, inputs_of
from sudare.publish.output_staging import Listed, settle_held
from sudare.publish.outputs import Beside, OutputSet
from support.failing_calls import Killed, faults

NAMES = ("answers.csv", "answers.certificate.json", "answers.report.html")
State = dict[str, str]


def put(folder: Path, word: str, *, force: bool = False) -> list[Path]:
    with OutputSet([folder / name for name in NAMES], force=force) as files:
        for name in files.names:
            files.write(name, f"{word} {name.name}")
        return files.finish()


def state(folder: Path) -> State:
    return {
        name: (folder / name).read_text(encoding="utf-8").split()[0]
        for name in NAMES
        if (folder / name).exists()
    }


def left(folder: Path) -> list[str]:
    return [each for each in os.listdir(folder) if ".sudare-" in each]


def next_run(folder: Path) -> None:
    """Another job that writes into this folder."""
    with OutputSet([folder / "other.html"]):
        pass


WHOLE = dict.fromkeys(NAMES, "new")
OLD = dict.fromkeys(NAMES, "old")


def steps(force: bool, folder: Path) -> int:
    if force:
        put(folder, "old")
    with faults(0) as counted:
        put(folder, "new", force=force)
    return counted.calls


@pytest.mark.parametrize("force", [False, True])
def test_a_kill_at_any_step_leaves_no_half_set_once_somebody_writes_again(
    tmp_path: Path, force: bool
) -> None:
    before: State = OLD if force else {}
    count, finished = steps(force, tmp_path), 0
    assert count > 20
    for at in range(1, count + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        if force:
            put(folder, "old")
        with faults(at), pytest.raises(Killed):
            put(folder, "new", force=force)
        if not any(each.endswith(".sudare-ready") for each in left(folder)):
            assert state(folder) in (before, WHOLE), at
        next_run(folder)
        assert state(folder) in (before, WHOLE), at
        assert left(folder) == [], at
        finished += state(folder) == WHOLE
    assert 5 < finished < count


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO])
def test_an_error_at_any_step_is_said_and_leaves_no_half_set(
    tmp_path: Path, force: bool, number: int
) -> None:
    before: State = OLD if force else {}
    for at in range(1, steps(force, tmp_path) + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        if force:
            put(folder, "old")
        refused: SudareError | None = None
        with faults(at, OSError(number, "x")):
            try:
                put(folder, "new", force=force)
            except SudareError as error:
                refused = error
        if refused is None:
            assert state(folder) == WHOLE, at
        else:
            assert refused.exit_code == 2
        if not any(each.endswith(".sudare-ready") for each in left(folder)):
            assert state(folder) in (before, WHOLE), at
        next_run(folder)
        assert state(folder) in (before, WHOLE), at
        assert left(folder) == [], at


def test_what_is_held_waits_for_its_ledger(tmp_path: Path) -> None:
    """Killed before or after the commit: only who knows the ledger decides."""
    committed: set[str] = set()

    def hold(folder: Path) -> None:
        with OutputSet([folder / name for name in NAMES]) as files:
            for name in files.names:
                files.write(name, f"new {name.name}")
            files.hold("r", "l")
            committed.add(folder.name)
            files.finish()

    with faults(0) as counted:
        hold(tmp_path)
    committed.clear()
    outcomes = set()
    for at in range(1, counted.calls + 1):
        folder = tmp_path / str(at)
        folder.mkdir()
        with faults(at), pytest.raises(Killed):
            hold(folder)
        next_run(folder)
        is_committed = folder.name in committed
        if state(folder) != WHOLE:
            assert state(folder) == {}
        settle_held(folder, lambda listed: None)
        settle_held(folder, lambda listed, known=is_committed: known)  # type: ignore[misc]
        assert state(folder) == (WHOLE if is_committed else {}), at
        assert left(folder) == [], at
        outcomes.add((is_committed, bool(state(folder))))
    assert outcomes == {(False, False), (True, True)}


def test_a_held_set_is_in_the_way_of_others(tmp_path: Path) -> None:
    with OutputSet([tmp_path / "r.parquet"]) as files:
        files.write(files.names[0], "x")
        files.hold("abc", "ledger")
    with (
        pytest.raises(UsageError, match="waits for release abc"),
        OutputSet([tmp_path / "r.parquet"], force=True),
    ):
        pass
    assert not (tmp_path / "r.parquet").exists()


def test_two_runs_do_not_write_one_set(tmp_path: Path) -> None:
    with (
        OutputSet([tmp_path / "a.csv"]) as files,
        pytest.raises(UsageError, match="being written by another run"),
        OutputSet([tmp_path / "a.csv", tmp_path / "b.csv"], force=True),
    ):
        pass
    assert files.names
    assert left(tmp_path) == []


def test_what_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    page = tmp_path / NAMES[2]

    def run() -> None:
        with OutputSet([tmp_path / name for name in NAMES]) as files:
            files.charged("abc", tmp_path / "people.ledger", tmp_path / NAMES[0])
            for name in files.names:
                files.write(name, "new")
            page.write_text("mine")
            files.finish()

    with pytest.raises(UsageError, match="with something else in it") as told:
        run()
    assert page.read_text() == "mine"
    assert f"sudare ledger release abc --ledger {tmp_path}/people.ledger -o" in told.value.hint
    assert left(tmp_path) == []
    assert os.listdir(tmp_path) == [NAMES[2]]


def test_a_repeated_run_may_find_its_own_files(tmp_path: Path) -> None:
    put(tmp_path, "new")
    (tmp_path / NAMES[1]).unlink()
    (tmp_path / NAMES[2]).write_text("in another language")
    with OutputSet([tmp_path / name for name in NAMES], is_again=lambda: True) as files:
        for name in files.names:
            files.write(name, f"new {name.name}")
        assert files.finish() == [tmp_path / NAMES[1]]
    assert (tmp_path / NAMES[2]).read_text() == "in another language"


def test_what_a_set_could_have_had_does_not_stay_of_an_older_one(tmp_path: Path) -> None:
    put(tmp_path, "old")
    with OutputSet([tmp_path / name for name in NAMES], force=True) as files:
        for name in files.names[:2]:
            files.write(name, f"new {name.name}")
        files.finish()
    assert state(tmp_path) == dict.fromkeys(NAMES[:2], "new")


def test_digests_are_those_of_the_files(tmp_path: Path) -> None:
    with OutputSet([tmp_path / "a.csv", tmp_path / "a.json"]) as files:
        files.write(files.names[0], b"a")
        digests = files.digests()
        files.write(files.names[1], str(digests))
        files.finish()
    assert list(digests) == ["a.csv"]
    assert digests["a.csv"].startswith("ca978112ca1bbdcafac231b39a23dc4d")


def test_what_is_paid_is_said_with_how_it_is_had_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.ledger").touch()

    def run(*charged: Any, **more: Any) -> None:
        with OutputSet([Path("a.csv")]) as files:
            if charged:
                files.charged(*charged, **more)
            raise OSError(errno.ENOSPC, "secret place")

    def fails(*charged: Any, **more: Any) -> NotWritten:
        with pytest.raises(NotWritten) as told:
            run(*charged, **more)
        return told.value

    assert "No space left on device" in fails().what
    assert "Nothing was charged" in fails().hint
    here = fails("abc", Path("people.ledger"), Path("a.csv"))
    assert "release abc" in here.what
    assert "stays charged" in here.hint
    assert "`sudare ledger release abc -o a.csv`" in here.hint
    Path("other.ledger").touch()
    assert "--ledger people.ledger -o a.csv" in fails("abc", "people.ledger", Path("a.csv")).hint
    then = fails("abc", "people.ledger", Path("a.json"), then="sudare synthesize").hint
    assert then.endswith("then `sudare synthesize`.")
    assert "nothing was released" in fails("abc").hint
    assert left(tmp_path) == []


@pytest.mark.parametrize("force", [False, True])
def test_no_input_is_written_over(tmp_path: Path, force: bool) -> None:
    data, ledger = tmp_path / "people.csv", tmp_path / "people.ledger"
    data.write_text("rows")
    (tmp_path / "link.csv").symlink_to(data)
    os.link(data, tmp_path / "hard.csv")
    (tmp_path / "folder").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path, target_is_directory=True)
    identity = tmp_path / "identity"
    identity.mkdir()
    (identity / "key.pem").write_text("key")
    inputs = (
        *inputs_of(data, tmp_path / "people.schema.toml", ledger, tmp_path / "plan.toml"),
        Input("the identity", identity),
        Input("parts", f"{tmp_path}/folder/*.parquet"),
        Input("a frame", object()),
        Input("a table", "postgresql://me@host/base#people"),
        Input("far away", "s3a://bucket/people.csv"),
        Input("nothing", None),
    )
    for name in (
        "people.csv", "link.csv", "hard.csv", "alias/people.csv", "folder/../people.csv",
        "people.schema.toml", "plan.toml", "people.ledger", "people.ledger-wal",
        "people.ledger-shm", "identity/key.pem", "folder/new.parquet",
    ):  # fmt: skip
        before = sorted(os.listdir(tmp_path))
        with (
            pytest.raises(UsageError, match="would replace"),
            OutputSet([tmp_path / name], inputs, force=force),
        ):
            pass
        assert sorted(os.listdir(tmp_path)) == before, name
    with OutputSet([tmp_path / "folder" / "new.csv"], inputs, force=force):
        pass
    assert data.read_text() == "rows"


def test_what_stands_in_the_way_is_noticed_before(tmp_path: Path) -> None:
    (tmp_path / "there.csv").write_text("old")
    (tmp_path / "folder.csv").mkdir()
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "nowhere")
    (tmp_path / "paid.csv").write_text("old")
    (tmp_path / "paid.certificate.json").write_text('{"id": "abc"}')
    for names, force, words in (
        (["there.csv"], False, "is there already"),
        (["new.csv", "there.csv"], False, "is there already"),
        (["dangling.csv"], False, "is there already"),
        (["folder.csv"], True, "is a folder"),
        (["pipe.csv"], True, "is no ordinary file"),
        (["a.csv", "a.csv"], True, "Two files"),
        (["there.csv/x.csv"], True, "Nothing can be written"),
        ([".."], True, "cannot be the name"),
    ):
        before = sorted(os.listdir(tmp_path))
        with (
            pytest.raises(UsageError, match=words),
            OutputSet([tmp_path / name for name in names], force=force),
        ):
            pass
        assert sorted(os.listdir(tmp_path)) == before, names
    paid = [tmp_path / "paid.csv", tmp_path / "paid.certificate.json"]
    with pytest.raises(UsageError) as told, OutputSet(paid):
        pass
    assert "release abc, which `sudare ledger release` shows again" in told.value.hint
    with OutputSet(paid, force=True) as files:
        assert files.replaces == "abc"


def test_folders_are_made_and_go_again_where_the_job_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="refused"), OutputSet([tmp_path / "a" / "b" / "c.csv"]):
        raise UsageError("refused", "h")
    assert os.listdir(tmp_path) == []
    with OutputSet([tmp_path / "a" / "b" / "c.csv"]) as files:
        files.write(files.names[0], "x")
        files.finish()
    assert (tmp_path / "a" / "b" / "c.csv").read_text() == "x"


def test_what_is_staged_is_the_owners_alone_to_read(tmp_path: Path) -> None:
    with OutputSet([tmp_path / "c.csv"]) as files:
        assert files.place(files.names[0]).parent.stat().st_mode & 0o777 == 0o700


def test_the_mode_of_a_replaced_file_stays(tmp_path: Path) -> None:
    put(tmp_path, "old")
    (tmp_path / NAMES[0]).chmod(0o600)
    put(tmp_path, "new", force=True)
    assert (tmp_path / NAMES[0]).stat().st_mode & 0o777 == 0o600


def test_a_list_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    planted = folder / ".x.1.2.sudare-ready"
    planted.mkdir()
    (tmp_path / "out.csv").write_text("mine")
    (planted / "out.csv").write_text("theirs")
    listed = Listed(("../out.csv",), force=True)
    (planted / ".sudare-list.json").write_text(listed.to_json())
    next_run(folder)
    assert (tmp_path / "out.csv").read_text() == "mine"


def test_no_names_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with OutputSet(()) as files:
        assert files.finish() == []
    assert os.listdir() == []
    assert Beside[None]().names == ()


def test_long_and_odd_names_have_a_place(tmp_path: Path) -> None:
    names = [tmp_path / ("あ" * 80 + ".csv"), tmp_path / "a b'\".json"]
    with OutputSet(names) as files:
        for name in names:
            files.write(name, "x")
        files.finish()
    assert sorted(os.listdir(tmp_path)) == sorted(name.name for name in names)
