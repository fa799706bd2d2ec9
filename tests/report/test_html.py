"""The page: whole in itself, in both languages, and safe against what labels say."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from report.releases import (
    AGES,
    COUNT,
    COVARIANCE,
    COVARIANCES,
    HOSTILE,
    INCOMES,
    LOST,
    MANY,
    NASTY,
    PUBLIC,
    SEX,
    release,
)
from sudare.facts.release import Release
from sudare.report.heat import luminance
from sudare.report.html import render
from sudare.report.sentences import sentence

VOID = {"meta", "link", "br", "img", "rect", "line", "path"}
FETCHING = {"src", "srcset", "href", "xlink:href", "data", "action", "formaction", "poster"}


class Page(HTMLParser):
    """Elements with their attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]


@pytest.fixture(scope="module")
def whole() -> str:
    return render(release(), extra=["A <b>note</b>."])


@pytest.fixture(scope="module")
def page(whole: str) -> Page:
    return Page(whole)


def test_nothing_is_fetched_from_outside(whole: str, page: Page) -> None:
    for _, attributes in page.elements:
        for name in FETCHING & attributes.keys():
            value = attributes[name] or ""
            assert value.startswith("#") or value == "data:,", (name, value)
    assert "http://" not in whole
    assert "https://" not in whole
    assert "@import" not in whole
    assert "url(" not in whole
    assert not page.all("iframe", "object", "embed", "img", "video", "audio", "source", "base")


def test_only_its_own_script_may_run(whole: str, page: Page) -> None:
    scripts = re.findall(r"<script>(.*?)</script>", whole, re.DOTALL)
    assert len(scripts) == 1
    digest = base64.b64encode(hashlib.sha256(scripts[0].encode()).digest()).decode()
    policy = next(a for a in page.all("meta") if "http-equiv" in a)["content"] or ""
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}';" in policy
    handlers = [name for _, found in page.elements for name in found if name.startswith("on")]
    assert handlers == []


def test_labels_are_escaped(page: Page) -> None:
    hostile = Page(render(release(NASTY)))
    for label in HOSTILE:
        assert label in hostile.words
    assert "A <b>note</b>." in page.words
    assert not page.all("img", "b")


def test_hostile_names_everywhere() -> None:
    bad = '"><script>x</script>'
    answer = replace(SEX, query=f"histogram({bad})", columns=(bad,))
    made = replace(release(answer, unit=bad), id=bad, table=bad, labels={bad: bad + "!"})
    made.provenance["source"] = bad
    text = render(made)
    assert text.count("<script>") == 1
    assert bad in Page(text).words


def test_both_languages_are_inside(page: Page) -> None:
    for language, words in (("en", "What is promised"), ("ja", "約束されること")):
        assert any(a.get("lang") == language for a in page.all("span"))
        assert words in page.words
    for answer in release().answers:
        for language in ("en", "ja"):
            said = sentence(answer, language, release().labels)  # type: ignore[arg-type]
            assert said.replace("± ", "±\u00a0") in page.words


@pytest.mark.parametrize(("language", "title"), [("en", "Protected"), ("ja", "「people」の保護")])
def test_it_opens_in_the_wanted_language(language: str, title: str) -> None:
    text = render(release(COUNT), language)  # type: ignore[arg-type]
    assert f'<html lang="{language}"' in text
    assert re.search(f"<title>{title}", text)


def test_headings_come_in_order(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_landmarks_headers_and_labels(page: Page) -> None:
    for landmark in ("header", "main", "footer"):
        assert len(page.all(landmark)) == 1
    assert all("scope" in header for header in page.all("th"))
    pictures = [found for _, found in page.elements if found.get("role") == "img"]
    assert pictures
    assert all(found["aria-label"] and found["data-ja"] for found in pictures)
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    wanted = {found["aria-labelledby"] for _, found in page.elements if "aria-labelledby" in found}
    wanted |= {(found["href"] or "").removeprefix("#") for found in page.all("a")}
    assert wanted <= set(ids)


def test_noise_is_not_printed_as_a_number() -> None:
    words = Page(render(release(LOST, replace(AGES, drowned=tuple(AGES.value))))).words  # type: ignore[arg-type]
    assert "12,345" not in words
    assert "2,933" not in words
    assert words.count("lost in the noise") == 13


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_words_stand_out_from_their_ground(whole: str, theme: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", whole, re.DOTALL)
    colors = dict(re.findall(r"--(\w+): #(\w{6});", blocks[theme]))
    light = {name: luminance(list(bytes.fromhex(code))) for name, code in colors.items()}
    for words in ("ink", "soft", "accent"):
        for ground in ("paper", "card"):
            high, low = max(light[words], light[ground]), min(light[words], light[ground])
            assert (high + 0.05) / (low + 0.05) >= 4.5, (words, ground)


def test_budget_bar(page: Page) -> None:
    bar = next(found for found in page.all("rect") if found.get("class") == "spent")
    assert bar["width"] == "33.33"
    assert "Left afterwards: ε = 2" in page.words


def test_long_tables_are_cut_with_a_note() -> None:
    found = Page(render(release(MANY)))
    assert "The first 200 of 242 rows are shown; the CSV file has all of them." in found.words
    assert len(found.all("tr")) == 1 + 200 + 2
    assert "The first" not in Page(render(release(SEX))).words


def test_many_matrices_are_cut_with_a_note() -> None:
    matrix, errors = COVARIANCE.value, COVARIANCE.errors95
    names = [str(place) for place in range(80)]
    many = replace(
        COVARIANCES, value=dict.fromkeys(names, matrix), errors95=dict.fromkeys(names, errors)
    )
    found = Page(render(release(many)))
    assert "The first 594 of 720 numbers are shown" in found.words
    assert "Charts are drawn for the first 6 of 80 groups." in found.words
    assert len(found.all("figure")) == 6


def test_groups_of_two_columns_have_two_headers() -> None:
    found = Page(render(release(INCOMES)))
    assert "east, far" in found.words
    rows = [a for a in found.all("th") if a.get("scope") == "row"]
    assert len(rows) == 2 * 5 + 1


def test_public_counts_are_called_public() -> None:
    found = Page(render(release(PUBLIC)))
    assert "public, free" in found.words
    assert not [a for a in found.all("span") if a.get("class") == "error"]


def test_provenance_is_shown(page: Page) -> None:
    digest = hashlib.sha256(release().to_bytes()).hexdigest()
    for fact in (digest, "5c" * 32, "a1" * 32, "sudare 0.1.0", "add-remove", "people.csv"):
        assert fact in page.words


def test_a_stored_release_renders() -> None:
    again = Release.from_bytes(release().to_bytes())
    assert "quantile(born, 0.9) by sex" in render(again)


def test_charts_use_labels_for_people_unless_they_collide() -> None:
    assert "M / south" in Page(render(release(INCOMES))).words
    twins = {"a / b, c": 5, "a, b / c": 6}
    clash = replace(SEX, query="count() by (x, y)", function="count", by=("x", "y"), columns=(),
                    value=twins, errors95=None)  # fmt: skip
    assert "a / b, c" in Page(render(release(clash))).words
