"""Searching the cards, reading one, and changing its state."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Input

from quizapp.home import Home
from quizapp.review.types import CardState, Grade, Review
from quizapp.storage import SqliteStore, open_store
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.browse import BrowseScreen
from quizapp.tui.screens.confirm import ConfirmScreen
from quizapp.tui.widgets.row_list import RowList
from tests.tui.goldens import assert_golden, shows
from tests.tui.shots import screen_text

Make = Callable[..., QuizApp]
NOW = dt.datetime(2026, 11, 30, 19, tzinfo=dt.timezone(dt.timedelta(hours=1)))
TODAY = NOW.date()


def reviewed(card: str, ago: int, interval: int) -> Review:
    day = TODAY - dt.timedelta(days=ago)
    at = NOW - dt.timedelta(days=ago)
    due = day + dt.timedelta(days=interval)
    return Review(
        card, Grade.GOOD, at, day, interval, due, stability=float(interval), difficulty=5.0, seconds=12.0
    )


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home in which one card is due, one comes later, and one is suspended and marked."""
    home = Home(tmp_path / "home")
    with open_store(home, write=True) as store:
        store.add_review(reviewed("recall-card", 10, 10), leech=False)
        store.add_review(reviewed("number-card", 2, 14), leech=False)
        store.set_suspended("choice-card", True, NOW, TODAY)
        store.set_marked("choice-card", True, NOW, TODAY)
    return home


async def told(pilot: Pilot[None], text: str) -> None:
    """Wait for a toast."""
    await shows(pilot, lambda _: any(text in toast.message for toast in pilot.app._notifications))


def state(home: Home, card: str) -> CardState:
    with open_store(home, write=False) as store:
        return store.state(card)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 12)])
async def test_the_list_shows_state_and_due_and_the_card_beside_it(
    make_app: Make, width: int, height: int
) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(width, height)) as pilot:
        text = await shows(
            pilot,
            lambda said: "recall 90%" in said and "Key points" in said if width > 40 else "suspended" in said,
        )
        assert_golden(f"browse-{width}x{height}", text)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("tag:rope", ["recall-card"]),
        ("is:due", ["recall-card"]),
        ("is:suspended", ["choice-card"]),
        ("-is:new -is:suspended", ["recall-card", "number-card"]),
        ("LONGEST wave", ["cloze-card:1"]),
        ("nothing like this", []),
    ],
)
async def test_a_search_finds_while_it_is_typed(make_app: Make, query: str, ids: list[str]) -> None:
    screen = BrowseScreen()
    app = make_app(screen)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "5 of 5 cards")
        await pilot.press("slash")
        screen.query_one(Input).value = query
        await shows(pilot, f" {len(ids)} of 5 cards")
        found = []
        for row in range(len(ids)):
            screen.query_one(RowList).hold(row)
            assert screen.card is not None
            found.append(screen.card.id)
        assert found == ids
        assert (screen.card is None) == (not ids)


@pytest.mark.usefixtures("home")
async def test_a_misspelt_search_is_explained_and_the_list_stays(make_app: Make) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "5 of 5 cards")
        app.screen.query_one(Input).value = "tga:rope"
        await shows(pilot, "did you mean tag:?")
        assert "What angle is left?" in screen_text(app)
        app.screen.query_one(Input).value = "tga"
        await shows(pilot, lambda text: "did you mean" not in text and " 0 of 5" in text)


async def test_letters_typed_into_the_search_change_nothing(make_app: Make, home: Home) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "5 of 5 cards")
        await pilot.press("slash", "at", "asterisk", "r", "q", "j")
        await pilot.pause()
        assert app.screen.query_one(Input).value == "@*rqj"
    assert state(home, "recall-card") == CardState(
        "recall-card", memory=state(home, "recall-card").memory, due=TODAY, interval=10, reviews=1
    )


async def test_suspend_mark_and_undo_are_written_said_and_shown(make_app: Make, home: Home) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "due 2026-11-30")
        await pilot.press("at")
        await told(pilot, "recall-card is suspended; @ brings it back.")
        assert state(home, "recall-card").suspended
        await pilot.press("asterisk")
        await told(pilot, "recall-card is marked.")
        assert state(home, "recall-card").marked
        await pilot.press("u", "u")
        await told(pilot, "Undone: suspend")
        assert not state(home, "recall-card").suspended
        assert not state(home, "recall-card").marked


async def test_reset_asks_first_and_undo_brings_the_memory_back(make_app: Make, home: Home) -> None:
    app = make_app(BrowseScreen())
    before = state(home, "recall-card")
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "due 2026-11-30")
        await pilot.press("r")
        await shows(pilot, "Forget this card?")
        await pilot.press("n")
        await pilot.pause()
        assert not isinstance(app.screen, ConfirmScreen)
        assert state(home, "recall-card") == before
        await pilot.press("r")
        await shows(pilot, "Forget this card?")
        await pilot.press("y")
        await told(pilot, "recall-card is new again")
        assert state(home, "recall-card").memory is None
        await pilot.press("u")
        await told(pilot, "Undone: reset")
        assert state(home, "recall-card") == before


async def test_a_session_elsewhere_keeps_the_lock_and_that_is_said(make_app: Make, home: Home) -> None:
    app = make_app(BrowseScreen())
    with open_store(home, write=True) as other:
        assert isinstance(other, SqliteStore)
        async with app.run_test(size=(80, 24)) as pilot:
            await shows(pilot, "due 2026-11-30")
            await pilot.press("at")
            await shows(pilot, "That did not work")
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, BrowseScreen)
    assert not state(home, "recall-card").suspended


@pytest.mark.usefixtures("home")
async def test_the_whole_history_is_shown(make_app: Make) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(80, 30)) as pilot:
        await shows(pilot, "due 2026-11-30")
        await pilot.press("i")
        text = await shows(pilot, "2026-11-20")
        assert "next in 10 d" in " ".join(text.split())


@pytest.mark.usefixtures("home")
async def test_reading_on_a_narrow_screen_and_back(make_app: Make) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(40, 12)) as pilot:
        await shows(pilot, "suspended")
        await pilot.press("enter")
        text = await shows(pilot, "due 2026-11-30")
        assert "What angle is left?" not in text
        await pilot.press("escape")
        await shows(pilot, "What angle is left?")
        assert isinstance(app.screen, BrowseScreen)


@pytest.mark.usefixtures("home")
async def test_the_latex_is_copied(make_app: Make) -> None:
    app = make_app(BrowseScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "due 2026-11-30")
        await pilot.press("c")
        await pilot.pause()
        lines = app.clipboard.split("\n")
        assert lines[0] == r"q_m \cdot k_n"
        assert r"q_m \cdot k_n = q^\top R((n-m)\theta) k = \frac{a}{b}" in lines


async def test_an_edit_is_taken_in_and_an_error_shown_in_place(
    make_app: Make, home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = home.path / "decks"
    own.mkdir()
    deck = own / "mine.md"
    deck.write_text("# Mine\n\n## A question of mine\n\nYes.\n")
    app = make_app(BrowseScreen())

    def edited(text: str) -> Callable[..., object]:
        def edit(app: QuizApp, _card: object) -> object:
            from quizapp.commands.context import Context

            deck.write_text(text)
            app.context = Context(app.context.common)
            return app.context.library

        return edit

    async with app.run_test(size=(100, 24)) as pilot:
        await shows(pilot, "6 of 6 cards")
        await pilot.press("end")
        await shows(pilot, "Yes.")
        monkeypatch.setattr(
            "quizapp.tui.screens.browse.edit_card", edited("# Mine\n\n## A question of mine\n\nNo.\n")
        )
        await pilot.press("e")
        await shows(pilot, "No.")
        broken = "# Mine\n\n## A question of mine\n\n```toml card\ntags = 3\n```\n\nNo.\n"
        monkeypatch.setattr("quizapp.tui.screens.browse.edit_card", edited(broken))
        await pilot.press("e")
        await shows(pilot, "mine.md:6:")


class Rows(App[None]):
    def compose(self) -> ComposeResult:
        yield RowList()


async def test_ten_thousand_rows_are_as_quick_as_ten() -> None:
    drawn: list[int] = []

    def draw(row: int, width: int) -> Content:
        drawn.append(row)
        return Content(f"row {row}".ljust(width))

    app = Rows()
    async with app.run_test(size=(40, 10)) as pilot:
        rows = app.query_one(RowList)
        start = time.perf_counter()
        rows.show(10_000, draw)
        await pilot.pause()
        await pilot.press("end")
        await pilot.pause()
        assert rows.at == 9_999
        assert "row 9999" in "".join(segment.text for segment in rows.render_line(rows.size.height - 1))
        await pilot.press("g")
        await pilot.pause()
        assert rows.at == rows.scroll_offset.y == 0
        await pilot.press("pagedown", "k")
        assert rows.at == rows.size.height - 2
        # Only what was in sight was ever drawn.
        assert len(set(drawn)) <= 4 * rows.size.height
        assert time.perf_counter() - start < 30
        await pilot.click(RowList, offset=(3, 2))
        assert rows.at == 2 + rows.scroll_offset.y
        rows.show(0, draw)
        await pilot.press("down", "end")
        assert rows.at is None
