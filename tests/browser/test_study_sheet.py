"""The study sheet in a real Chromium: seen, toggled, filtered, printed, with and without its script."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quizapp.decks.entry import entries
from quizapp.decks.load import load_decks, sources
from quizapp.derivations import load_library
from quizapp.exchange.html import write
from quizapp.exchange.model import Bundle, DeckText
from quizapp.exchange.sheet_cut import A_PAGE
from quizapp.library import content_root

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = Path("/usr/bin/chromium")
if not CHROMIUM.exists():
    pytest.skip("no /usr/bin/chromium", allow_module_level=True)

NOW = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as api:
        started = api.chromium.launch(executable_path=str(CHROMIUM))
        yield started
        started.close()


def written(target: Path, *names: str) -> int:
    """Write the sheet of some built-in decks; how many cards it has."""
    found = [source for source in sources(content_root() / "decks") if not names or source.name in names]
    decks = tuple(
        DeckText(deck.name, deck.title, deck.description, entries(deck.cards))
        for deck in load_decks(found, None)
    )
    derivations = load_library([content_root() / "derivations"])
    return write(Bundle(decks, {}, NOW, NOW.date(), 4, 0.9, derivations=derivations), target).cards


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    target = tmp_path_factory.mktemp("sheet") / "rope.html"
    return target, written(target, "rope")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    target = tmp_path_factory.mktemp("sheet") / "all.html"
    return target, written(target)


@pytest.fixture
def page(browser: Any, sheet: tuple[Path, int]) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1000, "height": 900})
    opened = context.new_page()
    problems: list[str] = []
    opened.on("console", lambda message: problems.append(message.text))
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.goto(sheet[0].as_uri())
    yield opened
    context.close()
    assert problems == []


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def test_formulas_are_drawn(page: Any) -> None:
    page.click("#show")
    formulas = page.locator("main math")
    boxes = page.evaluate(
        "Array.from(document.querySelectorAll('main math'), m => m.getBoundingClientRect())"
        ".map(b => [b.width, b.height])"
    )
    assert formulas.count() == len(boxes) > 200
    assert all(width > 3 and height > 5 for width, height in boxes)
    fraction = page.locator("main mfrac").first
    top, bottom = (fraction.locator("> *").nth(n).bounding_box() for n in (0, 1))
    assert top["y"] + top["height"] <= bottom["y"] + 1
    grown = page.evaluate(
        "Array.from(document.querySelectorAll('main mtable'), t => "
        "[t.getBoundingClientRect().height, t.previousElementSibling?.getBoundingClientRect().height ?? 999])"
    )
    assert grown
    assert all(fence > 0.7 * table for table, fence in grown)


def test_answers_open_by_mouse_and_by_key(page: Any) -> None:
    card = page.locator("article.card").first
    answer = card.locator("> details.answer")
    words = answer.locator("> .text")
    assert not words.is_visible()
    answer.locator("> summary").click()
    assert words.is_visible()
    answer.locator("> summary").focus()
    page.keyboard.press("Enter")
    assert not words.is_visible()
    page.keyboard.press("Space")
    assert words.is_visible()
    hint = card.locator("> details.hint")
    assert not hint.locator("> div").is_visible()
    hint.locator("> summary").click()
    assert hint.locator("> div").is_visible()


def test_blanks_open_by_mouse_and_by_key(page: Any) -> None:
    blank = page.locator(".blank").first
    gap, told = blank.locator(".gap"), blank.locator(".told")
    assert gap.is_visible()
    assert not told.is_visible()
    gap.click()
    assert told.is_visible()
    assert not gap.is_visible()
    blank.locator("input").focus()
    page.keyboard.press("Space")
    assert gap.is_visible()
    page.keyboard.press("Enter")
    assert told.is_visible()


def test_every_control_is_reached_by_tab_and_named(page: Any) -> None:
    names = []
    for _ in range(8):
        page.keyboard.press("Tab")
        names.append(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert names[:6] == ["To the cards", "All cards", "filter", "show", "hide", "print-cut"]
    unnamed = page.evaluate(
        "Array.from(document.querySelectorAll('input'))"
        ".filter(i => !(i.getAttribute('aria-label') || i.labels.length)).length"
    )
    assert unnamed == 0


def test_all_answers_show_and_hide(page: Any) -> None:
    closed = page.locator("main details:not([open])")
    total = closed.count()
    page.click("#show")
    assert closed.count() == 0
    assert page.locator("main .blank input:not(:checked)").count() == 0
    page.click("#hide")
    assert closed.count() == total > 30
    assert page.locator("main .blank input:checked").count() == 0


def test_the_filter_leaves_what_it_finds(page: Any) -> None:
    cards = page.locator("main .card")
    total = cards.count()
    page.fill("#filter", "Transposed SIGN-trap")
    shown = [text.lower() for text in page.locator("main .card:not([hidden])").all_text_contents()]
    assert 0 < len(shown) < total
    assert all("transposed" in text and "sign-trap" in text for text in shown)
    assert page.inner_text("#count") == f"{len(shown)} of {total}"
    page.fill("#filter", "no such word anywhere")
    assert not page.locator("main .deck").first.is_visible()
    page.press("#filter", "Escape")
    assert page.locator("main .card:not([hidden])").count() == total


def test_nothing_is_fetched(browser: Any, whole: tuple[Path, int]) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(whole[0].as_uri())
    page.click("#show")
    page.pdf()
    page.close()
    assert asked == [whole[0].as_uri()]


def test_it_works_without_its_script(browser: Any, sheet: tuple[Path, int]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sheet[0].as_uri())
    assert not page.locator("#filter").is_visible()
    answer = page.locator("article.card > details.answer").first
    assert not answer.locator("> .text").is_visible()
    answer.locator("> summary").click()
    assert answer.locator("> .text").is_visible()
    page.locator(".blank .gap").first.click()
    assert page.locator(".blank .told").first.is_visible()
    assert pages(page.pdf(format="A4")) == 2 * math.ceil(sheet[1] / A_PAGE)
    page.check("#print-list")
    assert pages(page.pdf(format="A4")) != 2 * math.ceil(sheet[1] / A_PAGE)
    context.close()


@pytest.mark.parametrize("options", [{"format": "A4"}, {"format": "Letter"}, {"prefer_css_page_size": True}])
def test_cards_to_cut_fill_the_pages_that_can_be_computed(
    browser: Any, sheet: tuple[Path, int], options: dict[str, Any]
) -> None:
    page = browser.new_page()
    page.goto(sheet[0].as_uri())
    expected = 2 * math.ceil(sheet[1] / 6)
    assert f"({expected} pages, double-sided)" in page.inner_text("fieldset")
    assert pages(page.pdf(**options)) == expected
    page.close()


def test_each_answer_lies_behind_its_question(browser: Any, sheet: tuple[Path, int]) -> None:
    page = browser.new_page()
    page.goto(sheet[0].as_uri())
    page.emulate_media(media="print")
    front, back = (
        page.evaluate(
            "n => {const p = document.querySelectorAll('.page')[n], o = p.getBoundingClientRect(); return "
            "Array.from(p.querySelectorAll('.cut'), c => {const b = c.getBoundingClientRect(); return "
            "[c.querySelector('footer span:last-child').textContent, b.left - o.left, o.right - b.right, "
            "b.top - o.top]})}",
            number,
        )
        for number in (0, 1)
    )
    # Turned on its long edge, a page's left is the other's right.
    behind = sorted((number, round(right), round(top)) for number, _, right, top in back)
    assert sorted((number, round(left), round(top)) for number, left, _, top in front) == behind
    page.close()


def test_no_card_to_cut_runs_over(browser: Any, whole: tuple[Path, int]) -> None:
    for script in (True, False):
        page = browser.new_page()
        page.goto(whole[0].as_uri())
        if script:
            page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        over = page.evaluate(
            "Array.from(document.querySelectorAll('.face')).filter(f => f.scrollHeight > f.clientHeight + 2 || "
            "f.scrollWidth > f.clientWidth + 2).map(f => f.innerText.slice(0, 80))"
        )
        assert over == []
        assert page.locator(".face").count() == 2 * whole[1]
        page.close()


def test_a_list_prints_every_answer(page: Any) -> None:
    page.check("#print-list")
    page.emulate_media(media="print")
    assert page.locator("article.card > details.answer > .text").first.is_visible()
    assert page.locator("main .blank .told").first.is_visible()
    assert not page.locator(".pages").is_visible()
    assert not page.locator(".tools").is_visible()


@pytest.mark.parametrize("width", [390, 320, 1000])
def test_a_narrow_screen_never_scrolls_sideways(browser: Any, whole: tuple[Path, int], width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(whole[0].as_uri())
    page.click("#show")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(browser: Any, sheet: tuple[Path, int], scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme)
    page.goto(sheet[0].as_uri())
    page.click("#show")
    found = page.evaluate(_COLOURS)
    page.close()
    assert len(found) > 8
    weak = [(pair, round(ratio, 2)) for pair in found if (ratio := _contrast(*pair)) < 4.5]
    assert weak == []
    backgrounds = {tuple(pair[1]) for pair in found}
    assert all((sum(colour) < 300) == (scheme == "dark") for colour in backgrounds)


# Every pair of text colour and the first opaque background behind it.
_COLOURS = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const pairs = new Map();
  for (const element of document.querySelectorAll("body *")) {
    const own = Array.from(element.childNodes).some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !element.checkVisibility() || element.closest(".skip, script, style")) continue;
    let behind = element, colour = [0, 0, 0, 0];
    while (behind) {
      colour = rgb(getComputedStyle(behind).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) break;
      behind = behind.parentElement;
    }
    const pair = [rgb(getComputedStyle(element).color).slice(0, 3), colour.slice(0, 3)];
    pairs.set(JSON.stringify(pair), pair);
  }
  return Array.from(pairs.values());
}"""


def _contrast(one: list[float], other: list[float]) -> float:
    """The contrast of two colours (WCAG 2.2, relative luminance)."""

    def light(colour: list[float]) -> float:
        parts = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in colour)
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
