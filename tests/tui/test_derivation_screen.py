"""Derivations on the screen: typing, ordering, and finding the wrong line."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from quizapp import algebra
from quizapp.algebra.comparing import Comparison
from quizapp.algebra.meaning import meaning
from quizapp.algebra.worker import shared
from quizapp.derivations.checker import Checker
from quizapp.derivations.find_wrong_step import find_wrong_step
from quizapp.derivations.order_steps import order_steps
from quizapp.derivations.reading import load
from quizapp.derivations.run import Answer, DerivationRun, Preview
from quizapp.tui.app import QuizApp
from quizapp.tui.derivation_words import caret, definitions, symbols
from quizapp.tui.screens.derivation import DerivationScreen
from quizapp.tui.screens.derivation_list import DerivationListScreen
from quizapp.tui.screens.exercise import ExerciseScreen
from quizapp.tui.screens.find_wrong_step import FindWrongStepScreen
from quizapp.tui.screens.order_steps import OrderStepsScreen
from quizapp.tui.stoppable import run_stoppable
from quizapp.tui.widgets.board import BoardLine
from tests.tui.goldens import assert_golden, shows
from tests.tui.shots import screen_text

Make = Callable[..., QuizApp]
FILE = Path(__file__).parent / "derivations" / "double-angle.toml"
HARD = ("((x+y+z+w+u+v+1)^60 + 1)^40", "((x+y+z+w+u+v+1)^60 + 2)^40 - 1")


def ask_something_hard() -> bool:
    """Two questions in a row that sympy is not done with for minutes."""
    names = algebra.Names()
    left, right = (meaning(algebra.read(text, names), names) for text in HARD)
    assert isinstance(left, algebra.Expression)
    assert isinstance(right, algebra.Expression)
    comparison = Comparison.of([left], [right], names)
    question = {"program": comparison.program.to_json(), "symbols": {}, "complex": False}
    return any(shared().prove(question, 120).proved for _ in range(2))


@pytest.fixture(autouse=True, scope="module")
def warm_worker() -> Iterator[None]:
    algebra.warm_up()
    yield
    algebra.shut_down()


def fresh_run() -> DerivationRun:
    return DerivationRun(load(FILE), limit=20)


async def write(pilot: Pilot[None], text: str, answer: str) -> str:
    """Type a line, check it, and wait for what is said."""
    pilot.app.screen.query_one(Input).value = text
    await pilot.pause()
    await pilot.press("enter")
    return await shows(pilot, answer)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (40, 12)])
async def test_the_board_with_a_refused_line(make_app: Make, width: int, height: int) -> None:
    app = make_app(DerivationScreen(fresh_run()))
    async with app.run_test(size=(width, height)) as pilot:
        await shows(pilot, "show cos²(θ)" if width > 40 else "step 1")
        await write(pilot, "(cos(theta)^2 + 1 - sin(theta)^2)/2", "step 2")
        await write(pilot, "(1 - cos(2 theta))/2", "✗ different at theta =")
        assert_golden(
            f"derivation-{width}x{height}", await shows(pilot, "read as" if height > 12 else "different")
        )


async def test_without_colours_the_words_and_marks_are_the_same(
    make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(DerivationScreen(fresh_run()))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "step 1")
        await write(pilot, "(cos(theta)^2 + 1 - sin(theta)^2)/2", "step 2")
        await write(pilot, "(1 - cos(2 theta))/2", "✗ different at theta =")
        golden = Path(__file__).parents[1] / "golden" / "screens_derive" / "derivation-80x24.txt"
        assert await shows(pilot, "read as") == golden.read_text().removesuffix("\n")


async def test_an_own_way_reaches_the_goal_and_leaves_with_its_grade(make_app: Make) -> None:
    app = make_app()
    grades: list[int | None] = []
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.pause()
        run = fresh_run()
        app.push_screen(DerivationScreen(run), grades.append)
        await shows(pilot, "step 1")
        await write(pilot, "1 - sin(theta)^2", "own route")
        await write(pilot, "= (1 + cos(2 theta))/2", "✓ the goal is reached; suggested grade: easy")
        assert "one half" in screen_text(app)
        await pilot.press("enter")
        await pilot.pause()
        assert grades == [run.suggested_grade] == [4]


async def test_leaving_before_the_goal_gives_no_grade(make_app: Make) -> None:
    app = make_app()
    grades: list[int | None] = []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.push_screen(DerivationScreen(fresh_run()), grades.append)
        await shows(pilot, "step 1")
        await pilot.press("escape")
        await pilot.pause()
        assert grades == [None]


async def test_a_line_is_read_while_it_is_typed_and_a_mark_shows_where_it_cannot_be(make_app: Make) -> None:
    app = make_app(DerivationScreen(fresh_run()))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "step 1")
        await pilot.press(*"1/2+c")
        await shows(pilot, "read as")
        app.screen.query_one(Input).value = "1 + ) 2"
        rows = (await shows(pilot, " ^ ")).split("\n")
        typed = next(number for number, row in enumerate(rows) if "1 + )" in row)
        assert rows[typed + 1].index("^") == rows[typed].index(")")
        before = [line.latex for line in app.screen.query(BoardLine)]
        await pilot.press("enter")
        await shows(pilot, "can't read this at column 5")
        assert [line.latex for line in app.screen.query(BoardLine)] == before
        await pilot.press("q", "h", "u")
        assert app.screen.query_one(Input).value == "1 + )qhu 2"


async def test_hints_come_in_stages_then_the_step_is_revealed_and_taken_back(make_app: Make) -> None:
    app = make_app(DerivationScreen(fresh_run()))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "step 1")
        for said in ("mean of two halves", "mean of itself", "That was the last hint"):
            await pilot.press("f1")
            await shows(pilot, said)
        await pilot.press("f2")
        await shows(pilot, "✓ proved · revealed · halves")
        await pilot.press("ctrl+z")
        text = await shows(pilot, "taken back")
        assert "revealed" not in text
        assert "2 hints" in text
        await pilot.press("f3")
        text = await shows(pilot, "suggested grade: again")
        assert "shown · double angle" in text
        await pilot.press("f2", "f3")
        assert await shows(pilot, "goal is reached") == text


async def test_the_line_before_can_be_changed(make_app: Make) -> None:
    app = make_app(DerivationScreen(fresh_run()))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "step 1")
        await pilot.press("up", *" + 0")
        assert app.screen.query_one(Input).value == "cos(theta)^2 + 0"
        await pilot.press("up")
        assert app.screen.query_one(Input).value == "cos(theta)^2 + 0"


async def test_a_check_that_takes_long_can_be_stopped_and_the_screen_lives_meanwhile(
    make_app: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = fresh_run()

    def hard(text: str) -> Answer:
        ask_something_hard()
        return Answer("undecided", "undecided", f"can't decide: {text}")

    monkeypatch.setattr(run, "submit", hard)
    app = make_app(DerivationScreen(run))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "step 1")
        await write(pilot, "1", "checking… esc stops it")
        await pilot.press("2")
        assert app.screen.query_one(Input).value == "12"
        await pilot.press("escape")
        await shows(pilot, "stopped; nothing was decided")
        assert isinstance(app.screen, DerivationScreen)


async def test_a_stopped_proof_ends_at_once_and_the_worker_answers_again() -> None:
    stop = asyncio.Event()
    before = threading.active_count()
    asked = asyncio.create_task(run_stoppable(ask_something_hard, stop))
    await asyncio.sleep(0.5)
    assert not asked.done()
    stop.set()
    assert await asyncio.wait_for(asked, 20) is False
    assert threading.active_count() <= before + 2
    again = algebra.decide("(x+y)^2", "x^2 + 2x y + y^2", algebra.Names(), limit=30)
    assert again.verdict == "equal"


def test_the_symbols_and_definitions_are_drawn_as_they_are_read() -> None:
    derivation = load(FILE)
    assert symbols(derivation) == "θ real"
    assert definitions(fresh_run(), 70) == (r"c = \cos\left(\theta\right)",)


def test_the_mark_gives_way_to_the_column_where_it_would_not_be_seen() -> None:
    read = Preview(None, "a bracket is missing", 9)
    assert caret(read, "cos(x + (", indent=4, width=60).plain == " " * 12 + "^ a bracket is missing"
    assert caret(read, "cos(x + (", indent=4, width=20).plain == f"{' ' * 12}^\n    a bracket is missing"
    assert "column 9" in caret(read, "cos(x + (", indent=4, width=10).plain


# The exercises and the list.


@pytest.fixture
def listed(make_app: Make, monkeypatch: pytest.MonkeyPatch) -> QuizApp:
    """An app on the list of derivations, of which there is one."""
    monkeypatch.setattr("quizapp.derivations.folders.content_root", lambda: FILE.parents[1])
    return make_app(DerivationListScreen())


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12)])
async def test_the_list_shows_the_claim(listed: QuizApp, width: int, height: int) -> None:
    async with listed.run_test(size=(width, height)) as pilot:
        assert_golden(f"derivations-{width}x{height}", await shows(pilot, "cos²(θ)"))


async def test_an_empty_list_says_so(make_app: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quizapp.derivations.folders.content_root", lambda: tmp_path)
    app = make_app(DerivationListScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "There is no derivation")
        await pilot.press("enter", "o", "w")
        assert isinstance(app.screen, DerivationListScreen)


async def test_the_list_opens_a_derivation_and_comes_back(listed: QuizApp) -> None:
    async with listed.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "cos²(θ)")
        assert listed.screen.query_one(OptionList).option_count == 1
        for key, kind in (("enter", DerivationScreen), ("o", OrderStepsScreen), ("w", FindWrongStepScreen)):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(listed.screen, kind)
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(listed.screen, DerivationListScreen)


async def test_lines_are_put_in_order_by_keys(make_app: Make) -> None:
    exercise = order_steps(load(FILE), 3)
    app = make_app(OrderStepsScreen(exercise))
    async with app.run_test(size=(80, 30)) as pilot:
        await shows(pilot, "The lines below are shuffled")
        assert_golden("order-80x30", await shows(pilot, "3"))
        await pilot.press("enter")
        await shows(pilot, "✗ right up to place")
        # Sort by hand what the exercise says is the order.
        now = list(range(len(exercise.order)))
        for place, wanted in enumerate(exercise.order):
            screen = app.screen
            assert isinstance(screen, ExerciseScreen)
            at = now.index(wanted)
            screen.hold(at + 1)
            for _ in range(at - place):
                await pilot.press("K")
            now.insert(place, now.pop(at))
        await pilot.press("enter")
        text = await shows(pilot, "✓ right: every line follows from the one before")
        assert_golden("order-right-80x30", text)


async def test_the_order_can_be_revealed(make_app: Make) -> None:
    exercise = order_steps(load(FILE), 3)
    app = make_app(OrderStepsScreen(exercise))
    async with app.run_test(size=(80, 30)) as pilot:
        await shows(pilot, "The lines below are shuffled")
        await pilot.press("r")
        await shows(pilot, "this is the order")
        shown = [line.latex for line in app.screen.query(BoardLine)]
        checker = Checker(exercise.derivation)
        right = [checker.read(step.text) for step in (exercise.derivation.steps)]
        assert shown == [algebra.to_latex(line) for line in right]
        await pilot.press("r", "J")
        assert [line.latex for line in app.screen.query(BoardLine)] == shown


@pytest.mark.parametrize("right", [True, False])
async def test_the_wrong_line_is_found_or_shown(make_app: Make, right: bool) -> None:
    wrong = find_wrong_step(load(FILE), 5).wrong
    app = make_app(FindWrongStepScreen(load(FILE), 5))
    async with app.run_test(size=(80, 30)) as pilot:
        await shows(pilot, lambda text: "spoiling" not in text and " 4 " in text)
        screen = app.screen
        assert isinstance(screen, FindWrongStepScreen)
        guess = wrong if right else (wrong + 1) % 4
        while screen.at != guess:
            await pilot.press("j" if screen.at < guess else "k")
        await pilot.press("enter")
        said = f"✓ right, line {wrong + 1} is wrong" if right else f"it is line {wrong + 1}:"
        text = await shows(pilot, said)
        assert f"{wrong + 1}✗" in text
        assert " gives " in text
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is not screen


async def test_every_key_has_a_name_and_a_sentence() -> None:
    from textual.binding import Binding

    from quizapp.tui.screens.browse import BrowseScreen
    from quizapp.tui.screens.confirm import ConfirmScreen
    from quizapp.tui.widgets.formula import FormulaView
    from quizapp.tui.widgets.row_list import RowList

    owners = (
        DerivationScreen, DerivationListScreen, ExerciseScreen, OrderStepsScreen, BrowseScreen, ConfirmScreen,
        RowList, FormulaView,
    )  # fmt: skip
    for owner in owners:
        for binding in owner.BINDINGS:
            assert isinstance(binding, Binding)
            assert binding.id, binding
            assert binding.tooltip, binding
