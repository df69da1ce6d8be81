"""The demo screen: every key, the mouse, typing, saving, and the way to it and back."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.events import MouseScrollDown, MouseScrollUp
from textual.geometry import Region
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input, OptionList

from quizapp.demos.model import Sentence, settle
from quizapp.demos.registry import load_all
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.browse import BrowseScreen
from quizapp.tui.screens.demo import DemoScreen
from quizapp.tui.screens.demo_list import DemoListScreen
from quizapp.tui.screens.drill import DrillScreen
from quizapp.tui.widgets.controls import Controls
from quizapp.tui.widgets.picture import PictureView
from tests.tui.shots import screen_text

Make = Callable[..., QuizApp]


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


def screen_of(app: QuizApp) -> DemoScreen:
    assert isinstance(app.screen, DemoScreen)
    return app.screen


def value(app: QuizApp, name: str) -> object:
    screen = screen_of(app)
    return settle(screen.demo, screen.state)[name]


async def test_arrows_move_the_value_in_hand_and_the_numbers_follow(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        before = screen_text(app)
        assert "‹ 4 ›" in before
        await press(pilot, "right", "l", "left", "h", "right")
        assert value(app, "position") == 5
        await press(pilot, "shift+right")
        assert value(app, "position") == 105
        await press(pilot, "shift+left", "shift+left", "H")
        assert value(app, "position") == 0
        after = screen_text(app)
        assert "sin p" in after
        assert "+0.0000" in after
        assert after != before


async def test_tab_and_down_take_the_next_value_in_hand_and_go_round(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "tab", "right")
        assert value(app, "other") == 49
        await press(pilot, "j", "right")
        assert value(app, "position") == 5
        await press(pilot, "up", "left", "k", "shift+tab", "left")
        assert value(app, "other") == 47


async def test_steps_keep_their_values_and_end_at_both_ends(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "p")
        assert "step 1 of 7 · the index" in screen_text(app)
        await press(pilot, "n", "n", "n", "right")
        assert "step 4 of 7 · a row of clocks" in screen_text(app)
        await press(pilot, *["n"] * 6)
        assert "step 7 of 7 · dot product" in screen_text(app)
        assert value(app, "position") == 5
        await press(pilot, "r")
        assert value(app, "position") == 4
        assert screen_of(app).state.step == 6


async def test_why_is_a_box_and_help_lists_the_keys(make_app: Make) -> None:
    app = make_app(DemoScreen("vector"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "w")
        assert "tensor2tensor, the authors' own code" in " ".join(screen_text(app).replace("│", " ").split())
        await press(pilot, "escape", "question_mark")
        assert "The value in hand, one less" in screen_text(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, DemoScreen)


async def test_a_sentence_of_ones_own_replaces_the_sample(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "up")
        assert isinstance(screen_of(app).held, Sentence)
        await press(pilot, "enter")
        field = app.screen.query_one(Input)
        assert field.has_focus
        field.value = "[red]ja[/red] 日本 \x1b[31mx ja q"
        field.action_end()
        await press(pilot, "space", "n", "s", "enter")
        assert value(app, "sentence") == "[red]ja[/red] 日本 x ja q ns"
        seen = screen_text(app)
        assert "[red]ja[/…" in seen or "[red]ja" in seen
        assert "\x1b" not in seen
        await press(pilot, "enter")
        app.screen.query_one(Input).value = "gone"
        await press(pilot, "escape")
        assert value(app, "sentence") == "[red]ja[/red] 日本 x ja q ns"
        assert isinstance(app.screen, DemoScreen)


async def test_a_number_can_be_typed_and_a_wrong_one_is_said(make_app: Make) -> None:
    app = make_app(DemoScreen("vector"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "enter")
        app.screen.query_one(Input).value = "many"
        await press(pilot, "enter")
        assert "a whole number, 0 to 1000000" in screen_text(app)
        app.screen.query_one(Input).value = "4321"
        await press(pilot, "enter")
        assert value(app, "position") == 4321
        await press(pilot, "enter")
        app.screen.query_one(Input).value = "99999999999"
        await press(pilot, "enter")
        assert value(app, "position") == 1_000_000


async def test_the_mouse_alone_is_enough(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        controls = app.screen.query_one(Controls)
        lines = screen_text(app).splitlines()
        row = next(at for at, line in enumerate(lines) if "other position" in line)
        await pilot.click(offset=(controls.region.x + 4, row))
        await press(pilot)
        held = screen_of(app).held
        assert held is not None
        assert held.name == "other"
        line = screen_text(app).splitlines()[row]
        await pilot.click(offset=(line.index("›"), row))
        await press(pilot)
        assert value(app, "other") == 49
        await pilot.click(offset=(line.index("‹"), row))
        await pilot.click(offset=(line.index("‹"), row))
        await press(pilot)
        assert value(app, "other") == 47
        lines = screen_text(app).splitlines()
        await pilot.click(offset=(lines[-1].index("n Next"), len(lines) - 1))
        await press(pilot)
        assert screen_of(app).state.step == 3


async def test_the_wheel_moves_what_it_is_over(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        for kind in (MouseScrollUp, MouseScrollUp, MouseScrollDown):
            await pilot._post_mouse_events([kind], widget=Controls, offset=(2, 1))
        await press(pilot)
        assert value(app, "other") == 49
        assert value(app, "position") == 4


async def test_a_picture_is_saved_as_svg_and_says_where(
    make_app: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    app = make_app(DemoScreen("sinusoid", 4))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s", "s")
        assert sorted(path.name for path in work.iterdir()) == [
            "sinusoid-the-table-2.svg",
            "sinusoid-the-table.svg",
        ]
        said = sorted(note.message for note in app._notifications)
        assert said == [f"Saved as {path}" for path in sorted(work.iterdir())]
    svg = (work / "sinusoid-the-table.svg").read_text("utf-8")
    assert ET.fromstring(svg).tag.endswith("svg")
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")
    assert "1.8619" in svg.replace("&#160;", " ")


@pytest.mark.parametrize(
    ("theme", "paper"), [("ansi-dark", "#121212"), ("ansi-light", "#e0e0e0"), ("nord", "#2e3440")]
)
async def test_a_theme_of_the_terminals_own_colours_is_saved_too(
    make_app: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, theme: str, paper: str
) -> None:
    monkeypatch.chdir(tmp_path)
    app = make_app(DemoScreen("rope"), f'theme = "{theme}"\n')
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
    svg = (tmp_path / "rope-dial.svg").read_text("utf-8")
    assert f'<rect width="100%" height="100%" fill="{paper}"/>' in svg
    assert "score:&#160;" in svg


async def test_where_the_folder_takes_nothing_the_home_does(
    make_app: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "cwd", classmethod(lambda _: Path("/proc/no-such-folder")))
    app = make_app(DemoScreen("vector"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "s")
        assert (tmp_path / "home" / "pictures" / "vector-row.svg").exists()
        (tmp_path / "home" / "pictures" / "vector-row.svg").unlink()
        (tmp_path / "home" / "pictures").rmdir()
        (tmp_path / "home" / "pictures").write_text("a file in the way")
        await press(pilot, "s")
        seen = " ".join(screen_text(app).replace("│", " ").split())
        assert "the picture is not saved" in seen
        await press(pilot, "escape")
        assert isinstance(app.screen, DemoScreen)


async def test_its_cards_and_its_derivation_are_a_key_away(make_app: Make) -> None:
    app = make_app(DemoScreen("vector"))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "c")
        assert isinstance(app.screen, BrowseScreen)
        assert app.screen.query_one(Input).value == "demo:vector"
        await press(pilot, "escape")
        assert isinstance(app.screen, DemoScreen)
        await pilot.press("v")
        await pilot.pause(0.5)
        assert type(app.screen).__name__ in ("DerivationScreen", "MessageScreen")


async def test_home_leads_to_the_gallery_and_the_gallery_to_a_demo(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await press(pilot, "m")
        assert isinstance(app.screen, DemoListScreen)
        choices = app.screen.query_one(OptionList)
        assert choices.option_count == len(load_all())
        await press(pilot, "j", "j", "k")
        assert app.screen.chosen is not None
        assert app.screen.chosen.name == "sinusoid"
        assert "the index of each word" in screen_text(app)
        await press(pilot, "enter")
        assert screen_of(app).demo.name == "sinusoid"
        await press(pilot, "q", "q")
        assert "Decks" in screen_text(app)


async def test_a_drill_is_as_it_was_after_a_demo(make_app: Make, tmp_path: Path) -> None:
    deck = tmp_path / "mine"
    deck.mkdir()
    (deck / "mine.md").write_text(
        '# Mine\n\n## Norm of PE?\n\n```toml card\nkind = "number"\nanswer = 2\ndemo = "vector"\n'
        'hints = ["Square it.", "Twice."]\n```\n\nIt is 2.\n\n## Plain?\n\nYes.\n'
    )
    app = make_app(DrillScreen(("mine",)), "", deck)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "4", "f2")
        assert isinstance(app.screen, DrillScreen)
        drill: DrillScreen = app.screen
        assert drill.session is not None
        before, text = drill.session.turn, screen_text(app)
        assert before is not None
        await press(pilot, "f4")
        assert screen_of(app).demo.name == "vector"
        clock = app.context.clock
        left = clock.seconds()
        await press(pilot, "right", "n", "escape")
        assert app.screen is drill
        after = drill.session.turn
        assert after is not None
        assert (after.hints, after.answered, after.ticked) == (1, False, frozenset())
        assert screen_text(app) == text
        assert drill.query_one(Input).value == "4"
        assert drill.query_one(Input).has_focus
        assert after.opened - before.opened == pytest.approx(clock.seconds() - left, abs=2)
        await press(pilot, "d")
        assert drill.query_one(Input).value == "4d"


async def test_a_card_that_names_no_such_demo_says_so(make_app: Make, tmp_path: Path) -> None:
    deck = tmp_path / "mine"
    deck.mkdir()
    (deck / "mine.md").write_text('# Mine\n\n## What?\n\n```toml card\ndemo = "ropes"\n```\n\nThat.\n')
    app = make_app(DrillScreen(("mine",)), "", deck)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "d")
        assert "there is no demo ropes; did you mean rope?" in " ".join(screen_text(app).split())
        await press(pilot, "escape")
        assert isinstance(app.screen, DrillScreen)


async def test_a_card_without_a_demo_has_no_such_key(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot)
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.check_action("demo", ()) is False
        await press(pilot, "d")
        assert isinstance(app.screen, DrillScreen)


async def test_nothing_is_drawn_while_nothing_changes(
    make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = 0
    render = PictureView.render_lines

    def counted(self: PictureView, crop: Region) -> list[Strip]:
        nonlocal drawn
        drawn += 1
        return render(self, crop)

    monkeypatch.setattr(PictureView, "render_lines", counted)
    app = make_app(DemoScreen("sinusoid", 3))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(0.5)
        before = drawn
        await pilot.pause(0.5)
        assert drawn == before
        assert screen_of(app)._ticking is None
        await press(pilot, "right")
        assert drawn > before


async def test_a_value_runs_on_until_it_is_stopped_or_out_of_sight(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 3))
    app.animation_level = "full"
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        await pilot.pause(0.5)
        await press(pilot, "w")
        seen = settle_of(app)
        assert 5 <= seen <= 30
        await pilot.pause(0.4)
        assert settle_of(app) == seen
        await press(pilot, "escape", "space")
        await pilot.pause(0.3)
        await press(pilot, "space")
        assert settle_of(app) > seen


async def test_nothing_runs_on_where_animations_are_off(make_app: Make) -> None:
    app = make_app(DemoScreen("sinusoid", 3))
    app.animation_level = "none"
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "space")
        await pilot.pause(0.3)
        assert value(app, "position") == 4


def settle_of(app: QuizApp) -> int:
    demo = next(screen for screen in app.screen_stack if isinstance(screen, DemoScreen))
    return int(settle(demo.demo, demo.state)["position"])
