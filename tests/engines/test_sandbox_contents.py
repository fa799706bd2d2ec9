"""What a block may see is found from the program and from what is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sudare.engines.sandbox.calls import COMMANDS, EVERYBODY, LOOKED_AT
from sudare.engines.sandbox.contents import of_command, of_function
from sudare.engines.sandbox.image import Image
from sudare.engines.sandbox.linking import libraries, read_linked
from sudare.engines.sandbox.packages import installed, words
from sudare.engines.sandbox.process import Job
from sudare.engines.sandbox.program import of_function as program_of
from sudare.facts.errors import EngineUnavailable


def packages(folder: Path) -> str:
    """A needs b, and c only where an extra is asked for; d is a file alone."""
    for name in "abc":
        (folder / f"pack_{name}").mkdir(parents=True)
        (folder / f"pack_{name}" / "__init__.py").write_text("")
        facts = folder / f"Pack_{name.upper()}-1.0.dist-info"
        facts.mkdir()
        (facts / "RECORD").write_text(f"pack_{name}/__init__.py,,\nbeside_{name}/x.so,,\n../x,,\n")
        (folder / f"beside_{name}").mkdir()
    needs = 'Requires-Dist: pack-b>=1; python_version > "3"\nRequires-Dist: pack-c; extra == "x"\n'
    (folder / "Pack_A-1.0.dist-info" / "METADATA").write_text(f"Name: pack-a\n{needs}\nRequires")
    (folder / "pack_d.py").write_text("")
    return str(folder)


def test_named_packages_come_with_what_they_require(tmp_path: Path) -> None:
    folder = packages(tmp_path / "site-packages")
    assert words(b"import pack_a as \x8c\x06pack_d!") >= {"pack_a", "pack_d"}
    found = {os.path.basename(each) for each in installed({"pack_a", "other"}, [folder])}
    assert found == {"pack_a", "pack_b", "beside_a", "beside_b"} | {
        f"Pack_{name}-1.0.dist-info" for name in "AB"
    }
    assert installed({"pack_d"}, [folder]) == {f"{folder}/pack_d.py"}
    # A module that lies beside a package leads to it too.
    assert f"{folder}/pack_c" in installed({"beside_c"}, [folder])


def test_what_is_hidden_is_in_it_under_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = packages(tmp_path / "site-packages")
    table = Path(folder) / "pack_a" / "people.csv"
    table.write_text("x\n1\n")
    os.link(table, table.with_name("hard.csv"))
    table.with_name("soft.csv").symlink_to(table)
    monkeypatch.syspath_prepend(folder)
    seen = of_function(b"pack_a").files
    assert {str(table), str(table.with_name("hard.csv"))} <= set(seen)
    hidden = of_function(b"pack_a", [str(table)])
    assert not [each for each in hidden.files if each.startswith(folder) and ".csv" in each]


def test_links_out_of_libraries_are_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = packages(tmp_path / "site-packages")
    (tmp_path / "people.csv").write_text("x\n1\n")
    (Path(folder) / "pack_a" / "data").symlink_to(tmp_path)
    monkeypatch.syspath_prepend(folder)
    assert str(tmp_path / "people.csv") not in of_function(b"pack_a").files


def test_nothing_lies_in_a_folder_that_is_a_link() -> None:
    for found in (of_function(b""), of_command(("/bin/sh", "-c", "sort | uniq"), ())):
        links = set(found.links)
        for path in (*found.files, *found.links):
            parents = {str(each) for each in Path(path).parents}
            assert not parents & links
        assert not set(found.files) & links


def test_a_command_sees_what_its_words_name(tmp_path: Path) -> None:
    script = tmp_path / "f.sh"
    script.write_text("#!/bin/sh\ncut -f1 | tr a b\n")
    (tmp_path / "people.csv").write_text("x\n")
    found = of_command(("/bin/sh", str(script)), [str(script)])
    names = {os.path.basename(each) for each in found.files}
    assert {"f.sh", "cut", "tr"} <= names
    assert not {"people.csv", "sort"} & names


def test_libraries_are_those_that_the_loader_names() -> None:
    """Compared with the loader's own list."""
    extension = next(Path(np.__file__).parent.glob("_core/_multiarray_umath*.so"))
    for path in (os.path.realpath(sys.executable), str(extension)):
        listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
        theirs = {line.split("=> ")[1].split()[0] for line in listed.splitlines() if "=> /" in line}
        assert theirs
        ours = {os.path.realpath(each) for each in libraries([path])}
        assert {os.path.realpath(each) for each in theirs} <= ours


def test_what_is_no_program_needs_nothing(tmp_path: Path) -> None:
    for content in (b"", b"#!/bin/sh", b"\x7fELF\x02\x01" + bytes(58), b"\x7fELF\x02\x01\xff" * 30):
        file = tmp_path / "x"
        file.write_bytes(content)
        assert read_linked(str(file)).needed == ()
    assert read_linked("/nowhere/at/all").interpreter == ""


def test_calls_have_numbers_of_their_own() -> None:
    for column in (0, 1):
        for may_fork in (False, True):
            plain = {**EVERYBODY, **(COMMANDS if may_fork else {})}
            looked = [name for name in LOOKED_AT if may_fork or name not in plain]
            numbers = [plain[name][column] for name in plain if plain[name][column] >= 0]
            numbers += [LOOKED_AT[name][column] for name in looked if name not in plain]
            assert len(numbers) == len(set(numbers))
    # Locks, watches, sockets, keyrings, load: not in any list.
    for number in (73, 253, 254, 294, 300, 41, 29, 64, 68, 240, 248, 250, 425, 298, 99, 27):
        allowed = {**EVERYBODY, **COMMANDS, **LOOKED_AT}.values()
        assert number not in {each[0] for each in allowed}


def test_memory_that_does_not_suffice_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job(program_of(len), ("m",), 1.0, 512)
    given = job.contents()
    found = job.image()
    if not found.spaces:
        pytest.skip("the kernel grants no mount namespace here")
    found.close()
    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(Job, "contents", lambda job: given._replace(size=-(2**24) + 4096))
    monkeypatch.setattr("sudare.engines.sandbox.image._PAGE", 0)
    with pytest.raises(EngineUnavailable, match="Memory does not suffice"):
        job.image()
    assert len(os.listdir("/proc/self/fd")) == before
    assert Image().spaces == ()


def seen_by(tmp_path: Path, name: str, text: str, *argv: str) -> set[str]:
    """The names of all that a script in a folder of its own sees."""
    script = tmp_path / name
    script.write_text(text)
    found = of_command((*argv, str(script)), [str(script)])
    return {os.path.basename(each) for each in (*found.files, *found.links)}


PYTHON = os.path.realpath(sys.executable)


def test_words_of_a_program_that_are_no_commands_bring_nothing(tmp_path: Path) -> None:
    texts = (
        "import sys\n# perf open sort\nprint(len(sys.stdin.read()))\n",
        '"""Calls sort and perf."""\nwith open("x") as file:\n    sort = file.read()\n',
        "import subprocess\nprint('sort failed', {'perf': 1})\n",
        "import subprocess\n# sort\nsubprocess.run(['cut', '-f1', 'sort'])\n",
    )
    for text in texts:
        assert not {"sort", "perf", "open"} & seen_by(tmp_path, "f.py", text, PYTHON)
    shells = ("# sort\ncut -f1 # | sort\n", "echo sort\n", "echo 'x; sort'\ncut -f sort\n")
    for text in shells:
        assert "sort" not in seen_by(tmp_path, "f.sh", text, "/bin/sh")
    others = ("x <- 'sort'\n", "# system('sort')\nx <- 1\n")
    for text in others:
        assert "sort" not in seen_by(tmp_path, "f.R", text, "/bin/cat")


@pytest.mark.parametrize(
    "text",
    [
        "import subprocess\nsubprocess.run(['sort', '-n'])\n",
        "from subprocess import run\nrun('cut -f1 | sort', shell=True)\n",
        "import os\nos.system('LC_ALL=C /usr/bin/sort -n')\n",
        "import os\nos.execlp('sort', 'sort')\n",
        "import subprocess as s\ncommand = ['env', 'LC_ALL=C', 'sort']\ns.Popen(command)\n",
        "import subprocess as s\ns.check_output('sort -n'.split())\n",
        "import subprocess as s\nk = 2\ns.run(f'sort -k {k}', shell=True)\n",
        "import subprocess as s\ns.run(['sh', '-c', 'cut -f1 | sort'])\n",
    ],
)
def test_commands_of_a_python_program_are_there(tmp_path: Path, text: str) -> None:
    assert "sort" in seen_by(tmp_path, "f.py", text, PYTHON)


@pytest.mark.parametrize(
    "text",
    [
        "sort",
        "cut -f1 |sort",
        'x=$(sort -n)\necho "$x"',
        'echo "$(cut -f1 | sort)"',
        "if true; then sort; fi",
        "LC_ALL=C sort",
        "nice -n 5 sort",
        "xargs -n1 sort",
        "sh -c 'cut | sort'",
        "a() { sort; }\na",
        "cut \\\n -f1 && \\\n sort",
        'exec "/usr/bin/sort"',
        "awk '{print | \"sort\"}'",
        "python3 -c 'import os; os.system(\"sort\")'",
    ],
)
def test_commands_of_a_shell_are_there(tmp_path: Path, text: str) -> None:
    assert "sort" in seen_by(tmp_path, "f.sh", text, "/bin/sh")
    of_line = of_command(("/bin/sh", "-c", text), ())
    assert "sort" in {os.path.basename(each) for each in of_line.files}


def test_commands_of_other_languages_are_there(tmp_path: Path) -> None:
    for text in ("x <- system('sort -n', intern=TRUE)\n", "print `sort`;", 'pipe("cut | sort")'):
        assert "sort" in seen_by(tmp_path, "f.R", text, "/bin/cat")


def test_packages_that_a_program_imports_or_names_are_there(tmp_path: Path) -> None:
    def folders(text: str) -> set[str]:
        script = tmp_path / "f.py"
        script.write_text(text)
        found = of_command((sys.executable, str(script)), [str(script)])
        return {"numpy"} if any("/numpy/" in each for each in found.files) else set()

    assert folders("import numpy.linalg as n\n")
    assert folders("from numpy import linalg\n")
    assert folders("import importlib\nimportlib.import_module('numpy.linalg')\n")
    assert not folders("# numpy\n'''numpy is not used'''\nprint('no numpy')\n")
    # What another Python would read is read by its lines.
    assert folders("import numpy\nprint 'x'\n")


def test_a_path_has_one_spelling(tmp_path: Path) -> None:
    """A link to a folder that is named with two slashes was a link twice, and the run refused."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("x")
    (tmp_path / "link").symlink_to(f"/{tmp_path}/real")
    (tmp_path / "again").symlink_to("link")
    files = [f"{tmp_path}/link/file", f"/{tmp_path}/again/file", f"/{tmp_path}/link/file"]
    found = of_command(("/bin/cat", *files), files)
    everything = (*found.files, *found.links)
    assert not [each for each in everything if each.startswith("//")]
    assert len(set(everything)) == len(everything)


def test_what_fails_in_copying_is_no_wall_that_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = Job(program_of(len), ("m",), 1.0, 512)
    given = job.contents()
    probe = job.image()
    if not probe.spaces:
        pytest.skip("the kernel grants no mount namespace here")
    probe.close()
    twice = given._replace(links=(*given.links, given.links[0]))
    monkeypatch.setattr(Job, "contents", lambda job: twice)
    with pytest.raises(EngineUnavailable, match="could not be made"):
        job.image()
