"""Home, help, derivations, browse, keys and themes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot
from textual.widgets import Input, OptionList
from textual.worker import WorkerCancelled

from quizapp.config import load_config
from quizapp.decks.write import take_over
from quizapp.home import Home
from quizapp.storage import open_store
from quizapp.tui.app import QuizApp, keymap_problems, known_bindings
from quizapp.tui.screens.browse import BrowseScreen
from quizapp.tui.screens.derivation import DerivationScreen, load_run
from quizapp.tui.screens.derivation_list import DerivationListScreen
from quizapp.tui.screens.drill import DrillScreen
from quizapp.tui.screens.help import help_rows
from quizapp.tui.settings import keep_setting
from tests.tui.shots import picture, screen_text

Make = Callable[..., QuizApp]


async def settled(pilot: Pilot[None]) -> None:
    """Wait until nothing runs in the background; a preview that a later key cancels is no failure."""
    for _ in range(5):
        try:
            await pilot.app.workers.wait_for_complete()
        except WorkerCancelled:
            continue
        break
    await pilot.pause()


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_home_says_how_to_start(make_app: Make, svg: SnapshotAssertion, size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert "Press enter to start" in " ".join(screen_text(app).split())
        assert picture(app) == svg(name=f"home-{size[0]}x{size[1]}")


@pytest.mark.parametrize("theme", ["textual-light", "nord", "ansi-light"])
async def test_home_in_other_themes(make_app: Make, svg: SnapshotAssertion, theme: str) -> None:
    app = make_app(None, f'theme = "{theme}"\n')
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert app.theme == theme
        assert picture(app) == svg(name=theme)


async def test_without_colours_no_ansi_theme_is_used(make_app: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert make_app(None, 'theme = "ansi-dark"\n').theme == "textual-dark"


async def test_home_counts_what_a_drill_asks_and_says_when_all_is_done(
    make_app: Make, tmp_path: Path
) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "0 due · 5 new" in screen_text(app)
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("at")
        await settled(pilot)
        await pilot.press("escape")
        await settled(pilot)
        assert "0 due · 4 new" in screen_text(app)
    with open_store(Home(tmp_path / "home"), write=False) as store:
        assert store.state("recall-card").suspended


async def test_help_names_every_binding_of_the_screen(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(100, 60)) as pilot:
        await settled(pilot)
        rows = help_rows(app.screen)
        await pilot.press("question_mark")
        await settled(pilot)
        shown = screen_text(app)
        assert {"home-drill", "home-browse", "help"} <= {name for _, _, name in rows}
        assert all(name in shown for _, _, name in rows)


async def test_every_binding_has_an_id_and_a_tooltip() -> None:
    from textual.binding import Binding

    from quizapp.tui.screens import browse, derivation, derivation_list, drill, home, summary

    for screen in (
        QuizApp, home.HomeScreen, drill.DrillScreen, summary.SummaryScreen, browse.BrowseScreen,
        derivation.DerivationScreen, derivation_list.DerivationListScreen,
    ):  # fmt: skip
        for binding in screen.BINDINGS:
            assert isinstance(binding, Binding)
            if not binding.action.startswith("choose"):
                assert binding.id, binding
                assert binding.tooltip, binding


def test_the_default_keys_do_not_conflict_and_mistakes_are_said() -> None:
    known = known_bindings()
    assert keymap_problems({}, known) == []
    assert "no action undoo" in keymap_problems({"undoo": "z"}, known)[0]
    (clash,) = keymap_problems({"drill-hint": "u"}, known)
    assert "drill-hint" in clash
    assert "drill-undo" in clash


async def test_a_remapped_key_works(make_app: Make) -> None:
    app = make_app(None, '[keys]\nhome-browse = "z"\n')
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await pilot.press("z")
        await settled(pilot)
        assert isinstance(app.screen, BrowseScreen)


async def test_browse_searches_and_marks(make_app: Make, tmp_path: Path, svg: SnapshotAssertion) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "5 of 5 cards" in screen_text(app)
        app.screen.query_one(Input).value = "tag:rope"
        await pilot.pause(0.5)
        await settled(pilot)
        assert "1 of 5 cards" in screen_text(app)
        await pilot.press("asterisk")
        await settled(pilot)
        assert picture(app) == svg(name="browse")
        with open_store(Home(tmp_path / "home"), write=False) as store:
            assert store.state("recall-card").marked
        await pilot.press("u")
        await settled(pilot)
        with open_store(Home(tmp_path / "home"), write=False) as store:
            assert not store.state("recall-card").marked


async def test_a_derivation_accepts_refuses_and_reaches_its_goal(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(100, 40)) as pilot:
        await settled(pilot)
        results: list[int | None] = []
        app.push_screen(DerivationScreen(load_run(app.context, "rotation-composition")), results.append)
        await settled(pilot)

        async def type_line(text: str) -> str:
            app.screen.query_one(Input).value = text
            await settled(pilot)
            await pilot.press("enter")
            await settled(pilot)
            return " ".join(screen_text(app).split())

        assert "can't read" in await type_line("R(m theta")
        assert "✗ different" in await type_line("R((m-n) theta)")
        assert "proved" in await type_line("R(-m theta) R(n theta)")
        assert "goal" in await type_line("R((n-m) theta)")
        await pilot.press("escape")
        await settled(pilot)
    assert len(results) == 1
    assert results[0] in (1, 2, 3)


async def test_revealing_everything_and_undoing_works(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        app.push_screen(DerivationScreen(load_run(app.context, "linear-shift")))
        await settled(pilot)
        await pilot.press("f1")
        await settled(pilot)
        assert "hint" in screen_text(app)
        await pilot.press("f2")
        await settled(pilot)
        assert "1 revealed" in screen_text(app)
        before = screen_text(app)
        await pilot.press("ctrl+z")
        await settled(pilot)
        assert screen_text(app) != before
        await pilot.press("f3")
        await settled(pilot)
        assert "goal is reached" in screen_text(app)


async def test_the_list_of_derivations_opens_one(make_app: Make) -> None:
    app = make_app(DerivationListScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert app.screen.query_one(OptionList).option_count >= 24
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, DerivationScreen)


def test_a_setting_is_kept_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('# mine\nnew_per_day = 5\ntheme = "nord"\n\n[keys]\nhelp = "f12"\n')
    keep_setting(path, "theme", "dracula")
    keep_setting(path, "reviews_per_day", 50)
    assert (
        path.read_text()
        == '# mine\nnew_per_day = 5\ntheme = "dracula"\n\nreviews_per_day = 50\n[keys]\nhelp = "f12"\n'
    )
    before = path.read_text()
    with pytest.raises(Exception, match="reviews_per_day"):
        keep_setting(path, "reviews_per_day", "many")
    assert path.read_text() == before
    assert load_config(path).reviews_per_day == 50


def test_right_and_wrong_are_said_by_a_mark_and_not_by_colour_alone() -> None:
    from quizapp.tui.screens.card_view import _SIGN

    marks = [mark for mark, _ in _SIGN.values()]
    assert len(set(marks)) == len(marks) == 3


async def test_idle_screens_do_nothing(make_app: Make) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        before = picture(app)
        await asyncio.sleep(0.3)
        assert picture(app) == before


async def test_a_reworded_card_takes_its_history_over(make_app: Make, tmp_path: Path) -> None:
    decks = tmp_path / "home" / "decks"
    decks.mkdir(parents=True)
    deck = decks / "mine.md"
    deck.write_text("# Mine\n\n## What is a rotation matrix?\n\nA.\n")
    app = make_app(DrillScreen(("mine",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        for key in ("space", "3", "enter"):
            await pilot.press(key)
            await settled(pilot)
    deck.write_text("# Mine\n\n## What is the rotation matrix?\n\nA.\n")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "w carries the history over" in " ".join(screen_text(app).split())
        await pilot.press("w")
        await pilot.pause(0.2)
        await pilot.press("y")
        await settled(pilot)
        assert "w carries" not in screen_text(app)
    with open_store(Home(tmp_path / "home"), write=False) as store:
        assert store.state("mine/what-is-the-rotation-matrix").reviews == 1
        assert store.state("mine/what-is-a-rotation-matrix").reviews == 0


async def test_home_says_that_the_original_of_an_edited_deck_has_changed(
    make_app: Make, tmp_path: Path
) -> None:
    app = make_app()
    original = tmp_path / "shipped" / "decks" / "kinds.md"
    take_over(original, tmp_path / "home" / "decks", "kinds")
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "has changed" not in screen_text(app)
    original.write_text(original.read_text() + "\n## And one more?\n\nYes.\n")
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "quizapp decks diff kinds" in " ".join(screen_text(app).split())
