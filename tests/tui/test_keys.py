"""The line of keys, the mouse, the letters of a choice, and the palette."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from quizapp.home import Home
from quizapp.review.types import Grade
from quizapp.storage import open_store
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.drill import DrillScreen
from quizapp.tui.screens.help import HelpScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.message import MessageScreen
from tests.tui.shots import screen_text

Make = Callable[..., QuizApp]


async def settled(pilot: Pilot[None]) -> None:
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def place_of(app: QuizApp, text: str) -> tuple[int, int]:
    """Where ``text`` starts on the screen: column and row. The text before it is one cell wide a character."""
    for row, line in enumerate(screen_text(app).splitlines()):
        if text in line:
            return line.index(text), row
    raise AssertionError(f"{text!r} is not on the screen")


async def click(pilot: Pilot[None], app: QuizApp, text: str) -> None:
    await pilot.click(offset=place_of(app, text))
    await settled(pilot)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
async def test_the_line_of_keys_holds_what_fits_and_always_help(make_app: Make, width: int) -> None:
    app = make_app()
    async with app.run_test(size=(width, 24)) as pilot:
        await settled(pilot)
        line = screen_text(app).splitlines()[-1]
        assert line.endswith("? Help")
        assert len(line) <= width
        assert ("q Quit" in line) == (width >= 80)


async def test_a_drill_goes_by_mouse_alone(make_app: Make, tmp_path: Path) -> None:
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await settled(pilot)
        await click(pilot, app, "Drill")
        assert isinstance(app.screen, DrillScreen)
        await click(pilot, app, "Hint")
        assert "hint 1 of 2" in screen_text(app)
        await click(pilot, app, "Answer")
        await click(pilot, app, "angles add")
        assert "✓  angles add" in screen_text(app)
        await click(pilot, app, "2 Hard")
        await click(pilot, app, "i < j")
        assert "✓ right" in screen_text(app)
        await click(pilot, app, "space Good")
    with open_store(Home(tmp_path / "home"), write=False) as store:
        assert [(review.card, review.grade) for review in store.reviews()] == [
            ("recall-card", Grade.HARD),
            ("choice-card", Grade.GOOD),
        ]


async def test_the_answer_key_says_what_it_will_do(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "space Answer" in screen_text(app)
        await pilot.press("space")
        await settled(pilot)
        assert "space Good" in screen_text(app)
        await pilot.press("x")
        await settled(pilot)
        assert "space Again" in screen_text(app)


async def test_vi_keys_move_like_arrows(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, HomeScreen)
        await pilot.press("question_mark")
        await settled(pilot)
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        await pilot.press("enter", "space")
        await settled(pilot)
        await pilot.press("j")
        await settled(pilot)
        by_letter = screen_text(app)
        await pilot.press("k", "down")
        await settled(pilot)
        assert screen_text(app) == by_letter
        assert "▸·  angles add" in by_letter


async def test_the_palette_holds_every_key_of_the_screen(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        commands = {command.title: command.callback for command in app.get_system_commands(app.screen)}
        named = {active.binding.description for active in app.screen.active_bindings.values()}
        assert {name for name in named if name} <= set(commands)
        commands["Suspend"]()
        await settled(pilot)
        with open_store(Home(app.context.home.path), write=False) as store:
            assert store.state("recall-card").suspended


async def test_a_second_session_is_refused_in_one_calm_box(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        with open_store(app.context.home, write=True):
            await pilot.press("enter")
            await settled(pilot)
            assert isinstance(app.screen, MessageScreen)
            assert "another quizapp is writing" in " ".join(screen_text(app).split())
            await pilot.press("escape")
            await settled(pilot)
            assert isinstance(app.screen, HomeScreen)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, DrillScreen)


@pytest.mark.parametrize("keys", ['nothing = "z"', 'drill-hint = "u"'])
async def test_a_mistaken_key_is_said_when_the_app_opens(make_app: Make, keys: str) -> None:
    app = make_app(None, f"[keys]\n{keys}\n")
    async with app.run_test(size=(100, 24)) as pilot:
        await settled(pilot)
        assert keys.partition(" ")[0] in " ".join(note.message for note in app._notifications)
