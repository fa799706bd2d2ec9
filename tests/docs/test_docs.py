"""The documentation against the code: links, commands, questions, schemas, refusals, outputs.

Blocks are marked after their language: `sudare-schema` is the schema of a page, `sudare-questions`
compile against it, `sudare-refused` do not, `sudare-plan` is a plan file, the output of
`sudare-exact` and `sudare-run` (printed in the `sudare-output` after it) is compared.
"""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import typer
from markdown_it import MarkdownIt
from markdown_it.token import Token
from typer.testing import CliRunner

import sudare
from sudare.cli.app import app
from sudare.facts import errors, schema
from sudare.facts.errors import InvalidPlan
from sudare.publish import files
from sudare.queries.compile import compile_question
from sudare.queries.forms import FORMS

ROOT = Path(__file__).parents[2]
SOURCE = Path(sudare.__file__).parent
DOCS = ROOT / "docs"
READMES = [ROOT / "README.md", ROOT / "README.ja.md"]
PAGES = [*READMES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted(DOCS.rglob("*.md"))]
TRANSLATED = ["index", "tutorial"]
COMMAND: Any = typer.main.get_command(app)


@dataclass(frozen=True)
class Block:
    """A fenced block: language, mark and text."""

    language: str
    mark: str
    text: str


def tokens(page: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))


def inline(page: Path, kind: str) -> list[Token]:
    return [child for token in tokens(page) for child in token.children or [] if child.type == kind]


def blocks(page: Path) -> list[Block]:
    fences = [(*f"{token.info}  ".split(" ")[:2], token) for token in tokens(page) if token.info]
    return [Block(language, mark, token.content) for language, mark, token in fences]


def marked(page: Path, mark: str) -> list[str]:
    return [block.text for block in blocks(page) if block.mark == mark]


def headings(page: Path) -> set[str]:
    found = tokens(page)
    return {b.content for a, b in itertools.pairwise(found) if a.type == "heading_open"}


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page_schema(page: Path) -> schema.Schema:
    return schema.parse_schema(marked(page, "sudare-schema")[0], page.name)


def page_ids(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=page_ids)
def test_links_lead_somewhere(page: Path) -> None:
    for link in inline(page, "link_open"):
        target, _, anchor = unquote(str(link.attrs["href"])).partition("#")
        if "://" in target:
            continue
        place = (page.parent / target).resolve() if target else page
        assert place.is_file(), f"{page.name} links to {target}"
        assert not anchor or anchor in {slug(h) for h in headings(place)}, f"{page.name}: {anchor}"


def test_every_page_is_in_the_contents() -> None:
    contents = "\n".join(block.text for block in blocks(DOCS / "index.md"))
    for page in DOCS.glob("*.md"):
        assert page.stem == "index" or re.search(rf"^{page.stem}$", contents, re.M), page.name
    for page in (DOCS / "guides").glob("*.md"):
        assert f"guides/{page.stem}\n" in contents, page.name
    assert "decisions/*" in contents


def test_pages_that_the_code_names_are_there() -> None:
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"docs/[\w/-]+\.md", text):
            assert (ROOT / name).is_file(), f"{path.name} names {name}"
        for heading in re.findall(r'docs/sensitivity\.md, "(\w+)"', text):
            assert heading in headings(DOCS / "sensitivity.md"), f"{path.name}: {heading}"


def shown_commands(page: Path) -> Iterator[list[str]]:
    """Whole command lines of shell blocks, without the program, comments and redirections."""
    for block in blocks(page):
        prompt = {"sh": "", "console": "$ "}.get(block.language)
        for line in block.text.replace("\\\n", " ").splitlines() if prompt is not None else ():
            if line.startswith(f"{prompt}sudare "):
                words = shlex.split(line.removeprefix(str(prompt)), comments=True)
                ends = [i for i, word in enumerate(words) if word in (">", "|")]
                yield words[1 : ends[0] if ends else None]


@pytest.mark.parametrize("page", PAGES, ids=page_ids)
def test_command_lines_parse(page: Path) -> None:
    for words in shown_commands(page):
        command, rest = COMMAND, words
        while hasattr(command, "commands"):
            assert rest[0] in command.commands, f"{page.name}: sudare {' '.join(words)}"
            command, rest = command.commands[rest[0]], rest[1:]
        command.make_context(command.name, list(rest))


@pytest.mark.parametrize("page", PAGES, ids=page_ids)
def test_commands_in_running_text_exist(page: Path) -> None:
    for code in inline(page, "code_inline"):
        command = COMMAND
        for word in code.content.split()[1:] if code.content.startswith("sudare ") else ():
            if hasattr(command, "commands") and not word.startswith("-"):
                assert word in command.commands, f"{page.name}: {code.content}"
                command = command.commands[word]
            elif word.startswith("-"):
                known = {name for option in command.params for name in option.opts}
                assert word in known | {"--help"}, f"{page.name}: {code.content}"


def test_both_readmes_show_the_same_commands() -> None:
    english, japanese = (blocks(page) for page in READMES)
    assert english == japanese
    assert {"sh", "text"} <= {block.language for block in english}
    glances = [blocks(DOCS / f"overview{ending}.md") for ending in ("", ".ja")]
    assert glances[0] == glances[1]
    assert {"sh", "python"} <= {block.language for block in glances[0]}
    first_screen = READMES[0].read_text(encoding="utf-8")[:1500]
    assert "make demo" in first_screen
    assert "make test" in first_screen


def test_questions_compile() -> None:
    page = DOCS / "queries.md"
    questions = "".join(marked(page, "sudare-questions")).splitlines()
    functions = {compile_question(q, page_schema(page)).query.function for q in questions}
    # A spanning tree needs a table of edges, and has one in its guide.
    assert functions == set(FORMS) - {"mst"}


def test_refused_questions_are_refused() -> None:
    page = DOCS / "queries.md"
    for question in "".join(marked(page, "sudare-refused")).splitlines():
        with pytest.raises(InvalidPlan):
            compile_question(question, page_schema(page))


@pytest.mark.parametrize("page", PAGES, ids=page_ids)
def test_shown_files_are_valid(page: Path, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.language == "toml" and "[table]" in block.text:
            schema.parse_schema(block.text, page.name)
        elif block.mark == "sudare-plan":
            (tmp_path / "plan.toml").write_text(block.text, encoding="utf-8")
            assert files.load_plan(tmp_path / "plan.toml").plan.questions
        elif block.language == "python":
            ast.parse(block.text)


def documented_keys(page: Path) -> set[str]:
    """The code in the first cell of every row of tables whose first heading is `key`."""
    found: set[str] = set()
    is_keys, first = False, False
    for token in tokens(page):
        if token.type == "tr_open":
            first = True
        elif token.type == "inline" and first:
            codes = [child.content for child in token.children or [] if child.type == "code_inline"]
            is_keys = token.content == "key" if not codes else is_keys
            found.update(codes if is_keys else ())
            first = False
    return found


def test_every_key_is_documented_and_no_other() -> None:
    models = (schema.Table, schema.Budget, schema.Column, schema.Level, schema.Invariant)
    declared = {name for model in models for name in model.model_fields}
    assert documented_keys(DOCS / "schema.md") == declared
    assert documented_keys(DOCS / "plans.md") == set(files._KEYS)


def test_the_python_page_names_everything() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    for thing in (sudare.Table, sudare.Result, sudare.TableResult, sudare.Forecasts, sudare.Answer):
        names = {*vars(thing), *getattr(thing, "__dataclass_fields__", {})}
        for name in names - {"priced"}:
            assert name.startswith("_") or f"`{name}" in text, f"{thing.__name__}.{name}"


def refusals() -> Iterator[tuple[str, str]]:
    """The longest literal part of every refusal in the code, with its place."""
    classes = {name for name in vars(errors) if name[0].isupper()} | {"error"}
    for path in sorted(SOURCE.rglob("*.py")):
        declares = path.parent.name == "facts" and path.name in ("schema.py", "levels.py")
        known = classes | ({"ValueError"} if declares else set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func)
            if name in known or (name == "super().__init__" and len(node.args) == 2):
                parts = getattr(node.args[0], "values", [node.args[0]])
                texts = [str(p.value).strip() for p in parts if isinstance(p, ast.Constant)]
                if texts and max(map(len, texts)) > 3:
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}", max(texts, key=len)


def _is_refusal(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, errors.SudareError)


def test_every_refusal_is_documented() -> None:
    text = (DOCS / "errors.md").read_text(encoding="utf-8")
    found = list(refusals())
    assert len(found) > 100
    assert not [(place, said) for place, said in found if said not in text]
    for name in (each.__name__ for each in vars(errors).values() if _is_refusal(each)):
        assert re.search(rf"`(sudare\.)?{name}`", text), name


EXACT = [page for page in PAGES if marked(page, "sudare-exact")]
RUN = [page for page in PAGES if marked(page, "sudare-run")]


@pytest.mark.parametrize("page", EXACT, ids=page_ids)
def test_exact_outputs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    given = marked(page, "sudare-schema")
    Path("people.schema.toml").write_text("".join(given), encoding="utf-8")
    for text in marked(page, "sudare-exact"):
        line, _, shown = text.partition("\n")
        found = CliRunner().invoke(app, shlex.split(line)[2:])
        assert found.output == shown, line


@pytest.mark.parametrize("page", RUN, ids=page_ids)
def test_programs_print_what_is_shown(page: Path) -> None:
    programs, outputs = marked(page, "sudare-run"), marked(page, "sudare-output")
    for program, shown in zip(programs, outputs, strict=True):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, page.name, "exec"), {})
        assert printed.getvalue() == shown


def catalog(name: str) -> dict[str, str]:
    """msgid → msgstr of a .po file; fuzzy entries fail at once."""
    text = (DOCS / "locale/ja/LC_MESSAGES" / f"{name}.po").read_text(encoding="utf-8")
    assert "fuzzy" not in text
    found: dict[str, str] = {}
    for entry in re.split(r"\n\n+", text):
        parts = re.search(r'msgid ((?:".*"\n?)+)msgstr ((?:".*"\n?)+)', entry + "\n")
        if parts and not entry.startswith("#~"):
            lines = [re.findall(r'^"(.*)"$', part, re.M) for part in parts.groups()]
            key, value = (ast.literal_eval('"' + "".join(each) + '"') for each in lines)
            found[key] = value
    return found


@pytest.mark.parametrize("name", TRANSLATED)
def test_translations_are_whole_and_current(name: str) -> None:
    page = DOCS / f"{name}.md"
    wanted = {token.content for token in tokens(page) if token.type == "inline"}
    captions = re.findall(r"^:caption: (.*)$", page.read_text(encoding="utf-8"), re.M)
    found = {key: value for key, value in catalog(name).items() if key}
    assert set(found) == wanted | set(captions)
    assert not [key for key, value in found.items() if not value]


def test_docs_requirements_are_pinned_and_do_not_conflict() -> None:
    pins = {}
    for name in ("runtime", "demo", "sets", "dev", "docs"):
        lines = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        wanted = [line for line in lines if line and not line.startswith("#")]
        assert all("==" in line for line in wanted)
        pins[name] = {re.sub(r"[-_.]+", "-", line.split("==")[0]).lower() for line in wanted}
    assert not pins["docs"] & set().union(*(pins[name] for name in pins if name != "docs"))
