"""Only drawing elements pass into the page."""

from __future__ import annotations

from xml.etree import ElementTree

from sudare.report.svg import clean


def test_scripts_links_and_handlers_are_dropped() -> None:
    drawn = ElementTree.fromstring(
        '<svg xmlns="http://www.w3.org/2000/svg" width="10" onload="a()"><script>a()</script>'
        '<a href="https://example.org"><rect/></a><image href="x.png"/><style>x</style>'
        '<g><path d="M0,0h1.23456v2" fill="url(#a)" stroke="#111"/></g>'
        '<g><path d="M0,0" display="none" fill="red"/></g>'
        '<text font-size="12px" style="x">a &lt;b&gt;</text></svg>'
    )
    text = ElementTree.tostring(clean(drawn), encoding="unicode")
    assert text == (
        '<svg width="10"><g><path d="M0,0h1.23v2" stroke="#111" /></g>'
        '<text font-size="12px">a &lt;b&gt;</text></svg>'
    )
