"""The drill on the screen: every kind of card, its keys, and what is saved."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from quizapp.home import Home
from quizapp.review.types import Grade
from quizapp.storage import open_store
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.drill import DrillScreen
from quizapp.tui.screens.summary import SummaryScreen
from tests.tui.goldens import shows
from tests.tui.shots import picture, screen_text

Make = Callable[..., QuizApp]


def graded(tmp_path: Path) -> list[tuple[str, Grade]]:
    with open_store(Home(tmp_path / "home"), write=False) as store:
        return [(review.card, review.grade) for review in store.reviews()]


async def settled(pilot: Pilot[None]) -> None:
    """Wait until nothing runs in the background; a preview that a later key cancels is no failure."""
    for _ in range(5):
        try:
            await pilot.app.workers.wait_for_complete()
        except WorkerCancelled:
            continue
        break
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


async def test_space_answers_and_a_grade_is_saved_with_the_interval_shown(
    make_app: Make, tmp_path: Path
) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        assert "Derive the relative score" in screen_text(app)
        assert "In thirty seconds" not in screen_text(app)
        await press(pilot, "3")
        assert graded(tmp_path) == []
        await press(pilot, "space")
        assert "In thirty seconds" in screen_text(app)
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.session is not None
        interval = app.screen.session.outcomes[Grade.EASY].interval
        assert f"4 Easy {interval} d" in screen_text(app)
        await press(pilot, "4")
        assert graded(tmp_path) == [("recall-card", Grade.EASY)]
        with open_store(Home(tmp_path / "home"), write=False) as store:
            assert store.state("recall-card").interval == interval
        await press(pilot, "u")
        assert graded(tmp_path) == []
        assert "Derive the relative score" in screen_text(app)


async def test_card_text_is_shown_as_written_and_does_nothing(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(100, 40)) as pilot:
        await settled(pilot)
        await press(pilot, "space")
        shown = screen_text(app)
        for text in ("It costs $5 and $10", r"\\server\share", "A & B", "位置 θ̂ 🧠", "[@click=app.quit]x[/]"):
            assert text in shown


async def test_ticks_and_hints_suggest_the_grade(make_app: Make, tmp_path: Path) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 40)) as pilot:
        await settled(pilot)
        await press(pilot, "space")
        assert "[3 Good" in screen_text(app)
        await press(pilot, "x")
        assert "[1 Again" in screen_text(app)
        await press(pilot, "down", "x")
        assert "[2 Hard" in screen_text(app)
        await press(pilot, "down", "x")
        assert "[3 Good" in screen_text(app)
        await press(pilot, "enter")
    assert graded(tmp_path) == [("recall-card", Grade.GOOD)]


async def test_hints_come_one_by_one(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "h")
        assert "hint 1 of 2" in screen_text(app)
        assert "hint 2 of 2" not in screen_text(app)
        await press(pilot, "h")
        assert "hint 2 of 2" in screen_text(app)
        await press(pilot, "space")
        assert "[2 Hard" in screen_text(app)


async def test_a_choice_a_number_an_expression_and_a_cloze(make_app: Make, tmp_path: Path) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "minus")
        assert isinstance(app.screen, DrillScreen)
        turn = app.screen.turn
        assert turn is not None
        await press(pilot, turn.question.right_letters)
        assert "✓ right" in screen_text(app)
        await press(pilot, "enter", *"1/0", "enter")
        assert "division by zero" in screen_text(app)
        app.screen.query_one("#answer").value = "−0.8415 rad"  # type: ignore[attr-defined]
        await press(pilot, "enter")
        assert "the sign is flipped" in screen_text(app)
        assert "0.8415 rad" in screen_text(app)
        await press(pilot, "enter", *"cos((m-n)theta)", "enter")
        assert "✓ right (proved equal)" in screen_text(app)
        await press(pilot, "enter", *"2pi10000", "enter")
        assert "compare with the answer" in screen_text(app) or "✓ right" in screen_text(app)
    assert graded(tmp_path) == [
        ("choice-card", Grade.GOOD),
        ("number-card", Grade.AGAIN),
        ("expression-card", Grade.GOOD),
    ]


async def test_letters_type_while_an_answer_is_typed(make_app: Make, tmp_path: Path) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "minus", "minus", *"q@u3")
        assert isinstance(app.screen, DrillScreen)
        assert app.screen.query_one("#answer").value == "q@u3"  # type: ignore[attr-defined]
        assert app.screen.turn is not None
        assert app.screen.turn.card.id == "number-card"
    assert graded(tmp_path) == []


async def test_a_follow_up_opens_and_comes_back(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "space", "f")
        assert "What is PE(1, 0)" in screen_text(app)
        await press(pilot, "enter", "3")
        assert "In thirty seconds" in screen_text(app)


async def test_suspend_bury_and_mark_can_be_undone(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "at")
        assert "Which ones are masked" in screen_text(app)
        await press(pilot, "u")
        assert "Derive the relative score" in screen_text(app)
        await press(pilot, "asterisk")
        assert "marked · recall" in screen_text(app)


async def test_the_summary_ends_a_session_and_undo_goes_back(make_app: Make) -> None:
    app = make_app(DrillScreen(("kinds",), limit=1))
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "space", "3")
        assert isinstance(app.screen, SummaryScreen)
        assert "1 card" in screen_text(app)
        await press(pilot, "u")
        assert "Derive the relative score" in screen_text(app)
        await press(pilot, "space", "3", "enter")
        assert "Decks" in screen_text(app)


async def test_a_second_writer_gets_a_calm_message(make_app: Make, tmp_path: Path) -> None:
    with open_store(Home(tmp_path / "home"), write=True):
        app = make_app(DrillScreen(("kinds",)))
        async with app.run_test(size=(80, 24)) as pilot:
            await settled(pilot)
            assert "another quizapp is writing" in " ".join(screen_text(app).split())
            await press(pilot, "escape")
            assert "Decks" in screen_text(app)


async def test_an_edit_is_taken_in_at_once(
    make_app: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    script.write_text('#!/bin/sh\nsed -i "s/Derive the relative score/Say the relative score/" "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("VISUAL", str(script))
    app = make_app(DrillScreen(("kinds",)))
    monkeypatch.setattr(QuizApp, "suspend", nullcontext)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await press(pilot, "e")
        assert "Say the relative score" in screen_text(app)
    assert (tmp_path / "home" / "decks" / "kinds.md").exists()
    assert "Derive" in (tmp_path / "shipped" / "decks" / "kinds.md").read_text()


async def test_home_takes_the_last_grade_of_an_earlier_session_back(make_app: Make, tmp_path: Path) -> None:
    app = make_app(DrillScreen(("kinds",), limit=1))
    async with app.run_test(size=(80, 30), notifications=True) as pilot:
        await settled(pilot)
        await press(pilot, "space", "3", "enter", "u")
        await shows(pilot, "Undone: good on recall-card.")
        assert graded(tmp_path) == []
        await press(pilot, "u")
        await shows(pilot, "There is nothing to undo.")


async def test_the_hardest_cards_can_be_seen_again_and_the_last_grade_undone_after(
    make_app: Make, tmp_path: Path
) -> None:
    app = make_app(DrillScreen(("kinds",), limit=2))
    async with app.run_test(size=(80, 30)) as pilot:
        await settled(pilot)
        first = app.screen
        assert isinstance(first, DrillScreen)
        assert first.session is not None
        await press(pilot, "space", "2")
        assert first.turn is not None
        first.session.reveal()
        await press(pilot, "4")
        assert isinstance(app.screen, SummaryScreen)
        assert "hardest (r asks them again)" in screen_text(app)
        await press(pilot, "r")
        again = app.screen
        assert isinstance(again, DrillScreen)
        assert again is not first
        assert "Derive the relative score" in screen_text(app)
        await press(pilot, "i")
        assert "recall-card" in screen_text(app)
        await press(pilot, "escape", "space", "1", "space", "3")
        assert isinstance(app.screen, SummaryScreen)
        assert "the schedule is as it was" in screen_text(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, SummaryScreen)
        assert [grade for _, grade in graded(tmp_path)] == [Grade.HARD, Grade.EASY]
        await press(pilot, "u")
        assert app.screen is first
        assert [grade for _, grade in graded(tmp_path)] == [Grade.HARD]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_pictures(make_app: Make, svg: SnapshotAssertion, size: tuple[int, int]) -> None:
    app = make_app(DrillScreen(("kinds",)))
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        assert picture(app) == svg(name=f"asked-{size[0]}x{size[1]}")
        await press(pilot, "space")
        assert picture(app) == svg(name=f"answered-{size[0]}x{size[1]}")
