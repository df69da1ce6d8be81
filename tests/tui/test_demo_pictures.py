"""How every demo looks: pictures to be looked at, and its text at every step."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from quizapp.demos.registry import NAMES, load
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.demo import DemoScreen
from quizapp.tui.screens.demo_list import DemoListScreen
from quizapp.tui.widgets.picture import PictureView
from tests.tui.shots import picture, screen_text

Make = Callable[..., QuizApp]
TEXTS = Path(__file__).parents[1] / "golden" / "screens_demo"
STEPS = [(name, step) for name in NAMES for step in range(len(load(name).steps))]


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


async def shot(app: QuizApp, width: int, height: int) -> tuple[str, str]:
    """The screen as a picture and as text, once it has come to rest."""
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause(0.1)
        await pilot.pause()
        return picture(app), screen_text(app)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("width", "height", "theme"),
    [(80, 24, "textual-dark"), (80, 24, "textual-light"), (120, 40, "textual-dark")],
    ids=["80x24-dark", "80x24-light", "120x40-dark"],
)
async def test_every_demo(
    make_app: Make, svg: SnapshotAssertion, name: str, width: int, height: int, theme: str
) -> None:
    app = make_app(DemoScreen(name), f'theme = "{theme}"\n')
    drawn, _ = await shot(app, width, height)
    assert drawn == svg(name=f"{name}-{width}x{height}-{theme}")


@pytest.mark.parametrize("name", NAMES)
async def test_every_demo_without_colour(
    make_app: Make, svg: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(DemoScreen(name))
    drawn, _ = await shot(app, 80, 24)
    assert drawn == svg(name=f"{name}-no-color")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40)], ids=["80x24", "120x40"])
@pytest.mark.parametrize(("name", "step"), STEPS)
async def test_every_step_as_text(make_app: Make, name: str, step: int, width: int, height: int) -> None:
    _, seen = await shot(make_app(DemoScreen(name, step)), width, height)
    path = TEXTS / f"{name}-{step + 1}-{width}x{height}.txt"
    if os.environ.get("UPDATE"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{seen}\n", encoding="utf-8")
    assert f"{seen}\n" == path.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "step"), STEPS)
async def test_what_is_said_fits_a_small_screen(make_app: Make, name: str, step: int) -> None:
    """At 80x24 the sentences and every reading are whole, and a picture has ten lines at least."""
    screen = DemoScreen(name, step)
    app = make_app(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.1)
        await pilot.pause()
        assert screen.shown is not None
        flat = " ".join(screen_text(app).split())
        assert " ".join(screen.shown.see.split()) in flat
        assert flat.count("Say it:") == 1
        assert screen.shown.say.split()[-1] in flat
        side, picture_ = screen.query_one("#side"), screen.query_one(PictureView)
        assert side.virtual_size.height <= side.size.height
        assert picture_.size.height >= 10


@pytest.mark.parametrize("name", NAMES)
async def test_a_very_small_screen_scrolls(make_app: Make, name: str) -> None:
    app = make_app(DemoScreen(name))
    async with app.run_test(size=(40, 12)) as pilot:
        await pilot.pause(0.1)
        assert screen_text(app).splitlines()[-1].rstrip().endswith("? Help")
        assert app.screen.query_one("#all").max_scroll_y > 0
        before = screen_text(app)
        await pilot.press("pagedown")
        await pilot.pause(0.1)
        assert screen_text(app) != before
        for _ in range(6):
            await pilot.press("pagedown")
        await pilot.pause(0.1)
        screen = app.screen
        assert isinstance(screen, DemoScreen)
        assert screen.shown is not None
        assert screen.shown.say.split()[-1] in screen_text(app)


async def test_the_gallery(make_app: Make, svg: SnapshotAssertion) -> None:
    drawn, _ = await shot(make_app(DemoListScreen()), 80, 24)
    assert drawn == svg


async def test_shades_stand_for_colours_where_there_are_none(
    make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, coloured = await shot(make_app(DemoScreen("sinusoid", 4)), 80, 24)
    assert not set("░▒▓█").intersection(coloured)
    monkeypatch.setenv("NO_COLOR", "1")
    _, plain = await shot(make_app(DemoScreen("sinusoid", 4)), 80, 24)
    assert set("░▒▓█") <= set(plain)
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("COLORTERM", "")
    monkeypatch.setenv("TERM", "linux")
    _, sixteen = await shot(make_app(DemoScreen("sinusoid", 4)), 80, 24)
    assert set("░▒▓█") <= set(sixteen)
