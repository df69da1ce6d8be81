"""The settings screen: values are checked in place, written at once, and used from then on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot
from textual.widgets import Input, Select

from quizapp.config import load_config
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.settings import SettingsScreen
from tests.tui.shots import picture, screen_text

Make = Callable[..., QuizApp]


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def enter(pilot: Pilot[None], name: str, value: str) -> None:
    field = pilot.app.screen.query_one(f"#{name}", Input)
    field.focus()
    field.value = value
    await pilot.press("enter")
    await settled(pilot)


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_every_setting_is_there(make_app: Make, svg: SnapshotAssertion, size: tuple[int, int]) -> None:
    app = make_app(SettingsScreen())
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        # The path differs from run to run.
        app.screen.query_one("#where").display = False
        for field in app.screen.query(Input):
            field.cursor_blink = False
        await pilot.pause()
        assert picture(app) == svg(name=f"settings-{size[0]}x{size[1]}")


async def test_a_limit_counts_as_soon_as_it_is_written(make_app: Make) -> None:
    app = make_app(None, "# mine\nnew_per_day = 4 # a few\n")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "4 new" in screen_text(app)
        await pilot.press("s")
        await settled(pilot)
        await enter(pilot, "new_per_day", "2")
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert "2 new" in screen_text(app)
        assert app.context.home.config.read_text() == "# mine\nnew_per_day = 2 # a few\n"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("desired_retention", "0.2", "Recall to aim at: 0.7 to 0.99, and not 0.2"),
        ("desired_retention", "most", "Recall to aim at: 0.7 to 0.99, and not most"),
        ("new_per_day", "", "New cards a day: 0 to 9999, and not nothing"),
        ("day_start", "24", "Day starts at: 0 to 23 o'clock, and not 24"),
        ("interview", "soon", "Interview on: a date as 2026-12-14, or empty, and not soon"),
    ],
)
async def test_a_value_that_does_not_fit_is_said_in_place_and_not_written(
    make_app: Make, name: str, value: str, said: str
) -> None:
    app = make_app(SettingsScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        field = app.screen.query_one(f"#{name}", Input)
        field.focus()
        field.value = value
        await pilot.press("escape")
        await settled(pilot)
        assert f"✗ {said}" in screen_text(app)
        assert not app.context.home.config.exists()
        assert isinstance(app.screen, SettingsScreen), "a wrong value is not lost without a word"
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, HomeScreen)
        assert not app.context.home.config.exists()


async def test_the_interview_is_counted_down_and_can_be_taken_away(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("s")
        await settled(pilot)
        await enter(pilot, "interview", "2026-12-14")
        await pilot.press("escape")
        await settled(pilot)
        assert "Mon 30 Nov · interview in 14 days" in screen_text(app)
        await pilot.press("s")
        await settled(pilot)
        await enter(pilot, "interview", "")
        await pilot.press("escape")
        await settled(pilot)
        assert "interview" not in screen_text(app)
    assert load_config(app.context.home.config).interview == ""


async def test_a_theme_that_is_chosen_is_used_and_kept(make_app: Make) -> None:
    app = make_app(SettingsScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.screen.query_one("#theme", Select).value = "nord"
        await settled(pilot)
        assert app.theme == "nord"
    assert load_config(app.context.home.config).theme == "nord"
