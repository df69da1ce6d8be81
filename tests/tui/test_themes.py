"""Words that say right, wrong or hint can be read in every theme, and never by colour alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.color import Color
from textual.pilot import Pilot
from textual.widgets import Input, Select

from quizapp.config import load_config
from quizapp.home import Home
from quizapp.tui.app import QuizApp
from quizapp.tui.contrast import readable
from quizapp.tui.screens.drill import DrillScreen
from quizapp.tui.screens.settings import SettingsScreen

Make = Callable[..., QuizApp]

# WCAG 2.2, success criterion 1.4.3.
READABLE = 4.5


def luminance(color: Color) -> float:
    """Relative luminance of sRGB, as WCAG 2.2 defines it."""
    channels = [value / 255 for value in color.get_truecolor()]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Color, other: Color) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def contrast_of(app: QuizApp, text: str) -> float:
    """The contrast of the first piece of the screen that starts with ``text``, as it is drawn."""
    for strip in app.screen._compositor.render_strips():
        for segment in strip:
            if segment.text.strip().startswith(text):
                assert segment.style is not None
                assert segment.style.color is not None
                assert segment.style.bgcolor is not None
                return contrast(segment.style.color, segment.style.bgcolor)
    raise AssertionError(f"{text!r} is not on the screen")


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def test_contrast_is_that_of_the_standard() -> None:
    assert contrast(Color.parse("#000000"), Color.parse("#ffffff")) == pytest.approx(21)
    assert contrast(Color.parse("#767676"), Color.parse("#ffffff")) == pytest.approx(4.54, abs=0.01)


async def test_what_was_said_of_an_answer_can_be_read_in_every_theme(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 40)) as pilot:
        await settled(pilot)
        themes = [name for name, theme in app.available_themes.items() if not theme.ansi]
        assert len(themes) >= 19
        await pilot.press("h")
        await settled(pilot)
        found = {}
        for name in themes:
            app.theme = name
            await pilot.pause()
            found[name, "hint 1 of 2"] = contrast_of(app, "hint 1 of 2")
            found[name, "Derive the"] = contrast_of(app, "Derive the")
        await pilot.press("minus")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, DrillScreen)
        assert screen.turn is not None
        await pilot.press(screen.turn.question.right_letters)
        await settled(pilot)
        for name in themes:
            app.theme = name
            await pilot.pause()
            found[name, "✓ right"] = contrast_of(app, "✓ right")
        await pilot.press("enter")
        await settled(pilot)
        screen.query_one(Input).value = "7"
        await pilot.press("enter")
        await settled(pilot)
        for name in themes:
            app.theme = name
            await pilot.pause()
            found[name, "✗ wrong"] = contrast_of(app, "✗ wrong")
            found[name, "[1 Again"] = contrast_of(app, "[1")
    assert {key: value for key, value in found.items() if value < READABLE} == {}


async def test_the_deck_in_hand_and_the_keys_can_be_read_in_every_theme(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        faint = {}
        for name in [name for name, theme in app.available_themes.items() if not theme.ansi]:
            app.theme = name
            await pilot.pause()
            for text in ("Every kind", "Drill", "quizapp", "Press enter"):
                if (value := contrast_of(app, text)) < READABLE:
                    faint[name, text] = value
    assert faint == {}


def test_a_theme_of_the_terminals_own_colours_stays_as_it_is(make_app: Make) -> None:
    app = make_app(None, 'theme = "ansi-dark"\n')
    variables = app.get_css_variables()
    assert variables["text-success"].startswith("ansi")
    assert readable(variables) == variables


async def test_without_colours_ansi_themes_are_not_offered(
    make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any(theme.ansi for theme in make_app().available_themes.values())
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(SettingsScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        offered = [value for _, value in app.screen.query_one("#theme", Select)._options]
    assert "nord" in offered
    assert not [name for name in offered if str(name).startswith("ansi")]


async def test_a_theme_is_kept_each_time_it_changes(make_app: Make) -> None:
    app = make_app(None, 'theme = "nord"\n')
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        path = Home(app.context.home.path).config
        for name in ("dracula", "nord", "ansi-dark", "textual-dark"):
            app.theme = name
            await settled(pilot)
            assert load_config(path).theme == name
