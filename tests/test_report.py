"""The report: complete in itself, well-formed, true to the numbers, and readable in a real browser."""

from __future__ import annotations

import html.parser
import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from asymptok import AsymptokError, kernels, time_limit
from asymptok.patience import tick
from asymptok.reporting import figures, report, study
from asymptok.reporting.page import default_name
from asymptok.show.prose import prose_html

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
needs_matplotlib = pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib (asymptok[plot]) is not installed"
)

VOID = {"meta", "br", "img", "hr", "link", "input", "mspace", "use", "path", "rect", "circle", "line"}


class Page(html.parser.HTMLParser):
    """Checks that tags are balanced, and collects identifiers, links and what would need a network."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.outside: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(text)
        assert self.stack == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "xlink:href") and (value or "").startswith("#"):
                self.links.append((value or "")[1:])
            elif name in ("src", "href", "xlink:href", "action") or name.startswith("on"):
                self.outside.append(f"{tag} {name}={value}")
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.stack.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.stack:
            self.text += data


@pytest.fixture(scope="module")
def ntk_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "ntk.html"
    return report(kernels.ntk(3), 3, path, kmax=31)


def test_the_page_is_complete_in_itself(ntk_page: Path) -> None:
    text = ntk_page.read_text(encoding="utf-8")
    page = Page(text)
    assert page.outside == []
    assert "script" not in page.tags and "link" not in page.tags
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    assert set(page.links) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))


def test_the_page_has_every_section(ntk_page: Path) -> None:
    page = Page(ntk_page.read_text(encoding="utf-8"))
    names = "glance kernel expansions decay numbers agreement conditions meaning reproduce citations"
    for section in names.split():
        assert section in page.ids
    assert "math" in page.tags


def test_the_page_tells_the_numbers(ntk_page: Path) -> None:
    text = Page(ntk_page.read_text(encoding="utf-8")).text
    # 7/(4 pi), the constant for even k; mu_0 to mu_3 start like this
    for part in (
        "0.557042",
        "0.397887",
        "0.930251931642",
        "0.37078318753",
        "0.0186440772132",
        "BiettiBach2021",
    ):
        assert part in text


@needs_matplotlib
def test_the_plots_are_inline(ntk_page: Path) -> None:
    assert ntk_page.read_text(encoding="utf-8").count("<svg ") == 2


def test_without_matplotlib_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "available", lambda: False)
    text = report(kernels.laplace(), 3, tmp_path / "page.html", kmax=8).read_text(encoding="utf-8")
    assert "asymptok[plot]" in text and "<svg" not in text
    assert {"numbers", "conditions", "citations"} <= set(Page(text).ids)


def test_the_same_input_gives_the_same_page(tmp_path: Path) -> None:
    first = report("exp(-sqrt(1 - u))", 4, tmp_path / "one.html", kmax=8)
    second = report("exp(-sqrt(1 - u))", 4, tmp_path / "two.html", kmax=8)
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("kernel", "d", "expected"),
    [
        (kernels.gaussian(), 3, "for every r"),
        (kernels.laplace("c"), 3, "still has the parameter c"),
        (kernels.polynomial(2), 5, "= 0 for"),
        (kernels.cauchy(), 2, "for"),
        ("abs(u)", 3, "kink at u = 0"),
        (kernels.ntk(7), 4, "too long to be read"),
        pytest.param("kappa1(u) + (1-u)*log(1-u)", 3, "log", marks=pytest.mark.slow),
    ],
)
def test_every_kind_of_decay_has_a_page(kernel: object, d: int, expected: str, tmp_path: Path) -> None:
    path = report(kernel, d, tmp_path / "page.html", kmax=10)
    page = Page(path.read_text(encoding="utf-8"))
    assert page.outside == []
    assert expected in page.text


def test_names_of_files() -> None:
    assert default_name(kernels.ntk(3), 3) == "ntk-depth3-dim3.html"
    assert default_name(kernels.laplace("c"), 10) == "laplace-kernel-c-dim10.html"
    from asymptok.kernels.kernel import as_kernel

    assert default_name(as_kernel("exp(-sqrt(1 - u))"), 2) == "exp-sqrt-1-u-dim2.html"


def test_a_hostile_name_is_only_text(tmp_path: Path) -> None:
    from asymptok import Kernel

    kernel = Kernel("u", name='<script>alert(1)</script> & "co"')
    page = Page(report(kernel, 3, tmp_path / "page.html", kmax=3).read_text(encoding="utf-8"))
    assert "script" not in page.tags


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(AsymptokError, match="cannot write"):
        report("u", 3, tmp_path / "missing" / "page.html", kmax=2)
    with pytest.raises(AsymptokError, match="dimension"):
        report("u", 1, tmp_path / "page.html")


def test_formulas_in_prose_are_set() -> None:
    assert prose_html("c_-1 != 0, 3*sqrt(2)/pi*t**(1/2) < 1") == (
        "<i>c</i><sub>\u22121</sub> \u2260 0, 3\u2009\u221a2/\u03c0\u2009<i>t</i><sup>1/2</sup> &lt; 1"
    )


@needs_chromium
@pytest.mark.parametrize("width", [1000, 500])
def test_a_browser_shows_the_page(ntk_page: Path, width: int, tmp_path: Path) -> None:
    assert CHROMIUM is not None
    picture = tmp_path / "page.png"
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
        f"--user-data-dir={tmp_path / 'profile'}", f"--window-size={width},4000", f"--screenshot={picture}",
        ntk_page.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, capture_output=True, timeout=100, check=True)
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    # a page that is one colour compresses to next to nothing
    assert picture.stat().st_size > 50_000


@needs_chromium
def test_the_page_is_not_wider_than_a_phone(ntk_page: Path, tmp_path: Path) -> None:
    """A script outside the page measures it in a frame of the width of a phone."""
    assert CHROMIUM is not None
    frame = tmp_path / "frame.html"
    page = ntk_page.read_text(encoding="utf-8").replace("&", "&amp;").replace('"', "&quot;")
    frame.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><iframe width="390" height="800" srcdoc="{page}"></iframe><script>'
        "addEventListener('load', () => { const page = document.querySelector('iframe').contentDocument;"
        "document.body.append('width=' + page.documentElement.scrollWidth + ';'); });"
        "</script>",
        encoding="utf-8",
    )
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=5000", "--dump-dom", frame.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, timeout=100, check=True)
    measured = re.search(rb"width=(\d+);", done.stdout)
    assert measured is not None
    assert int(measured[1]) <= 390


def test_a_refuted_theorem_puts_no_law_on_the_page(tmp_path: Path) -> None:
    """|u| + exp(-sqrt(1-u)): the kink decides for even k, and c_1 + c_-1 != 0 says nothing."""
    page = Page(
        report("abs(u) + exp(-sqrt(1-u))", 3, tmp_path / "kink.html", kmax=6).read_text(encoding="utf-8")
    )
    assert "does not apply" in page.text and "mu_k ~ (c_1" not in page.text
    assert "C(d, nu) k^(-d-2nu+1)" not in page.text


def test_positive_definiteness_stands_beside_the_theorem(tmp_path: Path) -> None:
    page = Page(report("exp(-sqrt(1-u)) - 1", 3, tmp_path / "minus.html", kmax=6).read_text(encoding="utf-8"))
    assert "does not apply" not in page.text and "proved: every condition holds" in page.text
    assert "refuted: positive definite (a question beside the theorem)" in page.text
    assert "RKHS = H" not in page.text and "has no RKHS" in page.text


def test_what_does_not_end_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is written all the same, with the parts that did end."""

    def forever(*_: object, **__: object) -> None:
        while True:
            tick("for ever")

    monkeypatch.setattr(study, "certify", forever)
    with time_limit(2):
        page = report("exp(-sqrt(1 - u)/41)", 3, tmp_path / "a.html", kmax=4).read_text(encoding="utf-8")
    section = page[page.index('id="certificate"') : page.index('id="meaning"')]
    assert "left out: not finished within the time that a search may take (for ever)" in section
    assert "time_limit(120)" in section and 'id="citations"' in page
    with time_limit(0):
        page = report("exp(-sqrt(1 - u)/43)", 3, tmp_path / "b.html", kmax=4).read_text(encoding="utf-8")
    assert page.count("left out") > 3 and 'id="reproduce"' in page
