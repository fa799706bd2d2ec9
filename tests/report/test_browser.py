"""The page in a real browser: no console message, no request, both languages, narrow screens."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from report import synthesized_facts
from report.releases import release
from sudare.report import synthesized
from sudare.report.html import render

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
]
# Nothing leaves this machine, whatever a page or the browser itself asks for.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--enable-logging=stderr",
    "--allow-file-access-from-files",
    "--virtual-time-budget=5000",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


@dataclass(frozen=True)
class Seen:
    dom: str
    console: list[str]
    requests: list[str]


def look(folder: Path, page: str) -> Seen:
    """Load a page; the requests are those that the page, not the browser, has started."""
    assert CHROMIUM is not None
    file, log = folder / "page.html", folder / "net.json"
    file.write_text(page, encoding="utf-8")
    done = subprocess.run(
        [
            CHROMIUM,
            *FLAGS,
            f"--user-data-dir={folder / 'profile'}",
            f"--log-net-log={log}",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    console = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    return Seen(done.stdout, console, _requests(log))


def _requests(log: Path) -> list[str]:
    found = [event.get("params", {}) for event in json.loads(log.read_text())["events"]]
    started = [params for params in found if "url" in params and "initiator" in params]
    return [params["url"] for params in started if params["initiator"] != "not an origin"]


@pytest.fixture(scope="module")
def page() -> str:
    return render(release(), extra=["A note."])


def test_the_look_sees_requests_and_messages(tmp_path: Path) -> None:
    seen = look(
        tmp_path,
        '<!doctype html><img src="https://example.org/x.png"><script>console.error(1)</script>',
    )
    assert seen.requests == ["https://example.org/x.png"]
    assert len(seen.console) == 1


def test_no_message_and_no_request(tmp_path: Path, page: str) -> None:
    seen = look(tmp_path, page)
    assert 'data-ready="yes"' in seen.dom
    assert seen.console == []
    assert seen.requests == []


def test_no_request_even_without_its_policy(tmp_path: Path, page: str) -> None:
    bare, count = POLICY.subn("", page)
    assert count == 1
    assert look(tmp_path, bare).requests == []


def test_a_script_from_elsewhere_does_not_run(tmp_path: Path, page: str) -> None:
    forged = page.replace("</main>", "<script>document.title = 'forged'</script></main>")
    seen = look(tmp_path, forged)
    assert "<title>forged" not in seen.dom
    assert any("Content Security Policy" in line for line in seen.console)


def test_the_button_switches_the_language(tmp_path: Path, page: str) -> None:
    probe = """<script>
    const shown = (name) => [...document.querySelectorAll("." + name)]
      .filter((part) => part.getClientRects().length > 0).length;
    const before = [shown("en") > 0, shown("ja")];
    document.getElementById("switch").click();
    document.body.dataset.probe = JSON.stringify([...before, shown("en"), shown("ja") > 0]);
    </script></body>"""
    seen = look(tmp_path, POLICY.sub("", page).replace("</body>", probe))
    assert 'data-probe="[true,0,0,true]"' in seen.dom
    assert '<html lang="ja"' in seen.dom
    assert "<title>「people」の保護済み統計</title>" in seen.dom
    assert re.search(r'role="img" aria-label="この公開は、', seen.dom)


@pytest.mark.parametrize("width", [360, 400, 820])
def test_no_sideways_scrolling(tmp_path: Path, page: str, width: int) -> None:
    (tmp_path / "inner.html").write_text(page, encoding="utf-8")
    frame = f"""<!doctype html><iframe src="inner.html" width="{width}" height="800"
    style="border:0"></iframe><script>onload = () => {{
      const inner = document.querySelector("iframe").contentDocument.documentElement;
      document.body.dataset.wide = inner.scrollWidth + "/" + inner.clientWidth;
    }}</script>"""
    seen = look(tmp_path, frame)
    found = re.search(r'data-wide="(\d+)/(\d+)"', seen.dom)
    assert found
    assert int(found.group(1)) <= int(found.group(2)) <= width


def test_the_page_of_synthetic_rows(tmp_path: Path) -> None:
    page = synthesized.render(synthesized_facts.exact(), "en")
    seen = look(tmp_path, page)
    assert 'data-ready="yes"' in seen.dom
    assert seen.console == []
    assert seen.requests == []
    test_no_sideways_scrolling(tmp_path, page, 360)
