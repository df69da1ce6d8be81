"""A card's Markdown as it is shown."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Markdown

from quizapp.notation import draw
from quizapp.tui.widgets.card_markdown import CardMarkdown
from tests.tui.goldens import assert_golden

TEXT = r"""Both are turned, where $J = \begin{pmatrix} 0 & 1 \\ 1 & 0 \end{pmatrix}$, and **only** $n-m$ is left.

$$PE(p, 2i) = \sin\frac{p}{10000^{2i/d}} \qquad PE(p, 2i+1) = \cos\frac{p}{10000^{2i/d}} \qquad 0 \le i < d/2$$

- it costs $5 and $10
- `\\server\share` and [@click=app.quit]x[/] <b>A & B</b>
  1. 位置 θ̂

| scheme | angle |
|---|---|
| rope | $m\theta_i$ |

```python
x = "$y$"
```

![a dial](dial.png) and $\nosuch{x}$
"""


class Shown(App[None]):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield CardMarkdown(self.text)


def text_of(app: App[None]) -> str:
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips).rstrip()


@pytest.mark.parametrize("width", [80, 40])
async def test_a_card_with_everything_in_it(width: int) -> None:
    app = Shown(TEXT)
    async with app.run_test(size=(width, 48)) as pilot:
        await pilot.pause(0.2)
        assert_golden(f"card-markdown-{width}", text_of(app))


async def test_every_row_of_a_formula_is_there_and_none_is_wrapped() -> None:
    latex = r"\frac{" + " + ".join(f"a_{{{n}}}" for n in range(30)) + "}{b}"
    app = Shown(f"$${latex}$$")
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause()
        view = app.query_one(CardMarkdown)
        drawing = draw(latex)
        # Two cells of indentation, and a row below the formula that shows how far it is scrolled.
        assert view.max_x == drawing.width - (50 - 2) > 50
        assert view.size.height == len(drawing.rows) + 1
        for key, x in (("tab", 0), ("right", 1), ("end", view.max_x), ("left", view.max_x - 1), ("home", 0)):
            await pilot.press(key)
            await pilot.pause()
            shown = text_of(app).split("\n")[: len(drawing.rows)]
            assert shown == [f"  {row[x : x + 48]}".rstrip() for row in drawing.rows]
        assert app.focused is view


async def test_only_a_text_with_something_too_wide_takes_the_focus_and_its_bar_can_be_clicked() -> None:
    app = Shown("short $x$\n\n```\n" + "".join(f"{n:03}," for n in range(40)) + "\n```\n\n位置" * 2)
    async with app.run_test(size=(60, 12)) as pilot:
        await pilot.pause()
        assert app.query_one(CardMarkdown).focusable
        rows = text_of(app).split("\n")
        assert rows[2].startswith("  000,001,")
        await pilot.click(offset=(58, 3))
        await pilot.pause()
        assert text_of(app).split("\n")[2].endswith("038,039,")
        app.query_one(CardMarkdown).show("now short")
        await pilot.pause()
        assert not app.query_one(CardMarkdown).focusable


async def test_a_table_fits_its_place_and_loses_nothing() -> None:
    app = Shown("| a | b |\n|---|---|\n| one two three four five | 位置 and six seven eight |\n")
    async with app.run_test(size=(30, 12)) as pilot:
        await pilot.pause()
        shown = text_of(app)
        assert {cell_len(row) for row in shown.split("\n")} == {30}
        for word in ("one", "two", "three", "four", "five", "位置", "and", "six", "seven", "eight"):
            assert word in shown


async def test_escape_sequences_are_stripped_and_another_text_replaces_the_first() -> None:
    app = Shown("one\x1b[2J\x1b]0;title\x07 two")
    async with app.run_test(size=(50, 12)) as pilot:
        await pilot.pause(0.1)
        assert text_of(app) == "one two"
        app.query_one(CardMarkdown).show("$x^2$\x07")
        await pilot.pause(0.1)
        assert text_of(app) == "x²"
        app.query_one(CardMarkdown).show("")
        await pilot.pause(0.1)
        assert text_of(app) == ""


async def test_a_click_on_a_link_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(App, "open_url", lambda _app, url, **_: opened.append(url))
    app = Shown("[site](https://a.example) ![pic](https://b.example/p.png) <https://c.example>")
    clicked: list[Message] = []

    def hook(message: Message) -> None:
        if isinstance(message, Markdown.LinkClicked):
            clicked.append(message)

    async with app.run_test(size=(80, 5), message_hook=hook) as pilot:
        await pilot.pause(0.1)
        for x in (1, 10, 35, 60):
            await pilot.click(offset=(x, 0))
    assert opened == []
    assert clicked == []


async def test_text_can_be_selected_across_rows() -> None:
    app = Shown("one two three four\n\nfive six")
    async with app.run_test(size=(12, 8)) as pilot:
        await pilot.pause()
        assert text_of(app).split("\n") == ["one two", "three four", "", "five six"]
        await pilot.mouse_down(offset=(4, 0))
        await pilot.hover(offset=(3, 3))
        await pilot.mouse_up(offset=(3, 3))
        await pilot.pause()
        assert app.screen.get_selected_text() == "two\nthree four\n\nfive"
