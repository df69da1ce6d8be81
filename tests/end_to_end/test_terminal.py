"""The real app in tmux: it stops, goes on, is resized and ends, and leaves the terminal as it was."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from quizapp.home import Home
from quizapp.review.types import Grade
from quizapp.storage import open_store
from tests.end_to_end.tmux import WAIT, Tmux

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None or not sys.platform.startswith("linux"), reason="needs tmux and /proc"
)


@pytest.fixture
def open_tmux(tmp_path: Path) -> Iterator[Callable[..., Tmux]]:
    opened: list[Tmux] = []

    def make(**environment: str) -> Tmux:
        opened.append(Tmux(tmp_path, **environment))
        return opened[-1]

    yield make
    for tmux in opened:
        tmux.close()


def graded(tmux: Tmux) -> list[tuple[str, Grade]]:
    with open_store(Home(tmux.home), write=False) as store:
        return [(review.card, review.grade) for review in store.reviews()]


def drill_one(tmux: Tmux) -> None:
    """Start a drill and grade its first card good."""
    tmux.run("drill", "rapid-fire")
    tmux.wait_for("Prove", "space Answer")
    tmux.press("Space")
    tmux.wait_for("[3 Good")
    tmux.press("3")
    tmux.wait_for("Write", "space Answer")


@pytest.mark.parametrize("how", ["key", "signal"])
def test_a_stopped_app_leaves_the_terminal_and_is_drawn_again(
    open_tmux: Callable[..., Tmux], how: str
) -> None:
    tmux = open_tmux()
    drill_one(tmux)
    shown = tmux.wait_for("Write", "space Answer")
    if how == "key":
        tmux.press("C-z")
    else:
        os.kill(tmux.app(), signal.SIGTSTP)
    tmux.wait_for("Stopped")
    tmux.assert_clean()
    assert graded(tmux) == [("equivariance-proof", Grade.GOOD)]
    tmux.type("fg")
    tmux.press("Enter")
    assert tmux.wait_for("Write", "space Answer") == shown
    assert tmux.flags()["alternate_on"] == "1"
    tmux.press("Space")
    tmux.wait_for("[3 Good")
    tmux.press("C-q")
    tmux.wait_for("$")
    tmux.assert_clean()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_in_a_drill_ends_it_cleanly(open_tmux: Callable[..., Tmux], how: signal.Signals) -> None:
    tmux = open_tmux()
    drill_one(tmux)
    os.kill(tmux.app(), how)
    tmux.wait_for("$")
    assert "Traceback" not in tmux.screen()
    tmux.assert_clean()
    assert graded(tmux) == [("equivariance-proof", Grade.GOOD)]
    assert sorted(path.name for path in tmux.home.glob("reviews*")) == ["reviews.sqlite"]


def test_closing_the_window_in_a_drill_keeps_the_grade_and_frees_the_lock(
    open_tmux: Callable[..., Tmux],
) -> None:
    tmux = open_tmux()
    drill_one(tmux)
    app = tmux.app()
    tmux.end()
    end = time.monotonic() + WAIT
    while Path(f"/proc/{app}").exists():
        assert time.monotonic() < end
        time.sleep(0.02)
    assert graded(tmux) == [("equivariance-proof", Grade.GOOD)]
    with open_store(Home(tmux.home), write=True) as store:
        assert store.review_count() == 1


def test_a_small_window_loses_nothing(open_tmux: Callable[..., Tmux], tmp_path: Path) -> None:
    (tmp_path / "home" / "decks").mkdir(parents=True)
    (tmp_path / "home" / "decks" / "two.md").write_text(
        '# Two\n\n## How many?\n\n```toml card\nkind = "number"\nanswer = "12"\n```\n\nA dozen.\n\n'
        "## And what else?\n\nThis and that.\n",
        encoding="utf-8",
    )
    # Some programs leave these to all they start.
    tmux = open_tmux(COLUMNS="80", LINES="24")

    def squeeze(*texts: str) -> None:
        before = tmux.wait_for(*texts)
        tmux.resize(20, 5)
        tmux.wait_for("?")
        tmux.resize(80, 24)
        assert tmux.wait_for(*texts) == before

    tmux.run()
    squeeze("Press enter to start", "Two", "? Help")
    tmux.press("C-q")
    tmux.wait_for("$")
    tmux.run("drill", "two")
    tmux.wait_for("How many?")
    tmux.type("7")
    squeeze("read as 7", "How many?")
    tmux.press("Enter")
    squeeze("you said 7", "1 Again", "4 Easy", "dozen")
    tmux.press("4")
    squeeze("And what else?", "space Answer", "2/2")
    tmux.press("Space")
    tmux.wait_for("This and that")
    tmux.press("4")
    squeeze("2 cards", "comes back", "Home")
    tmux.press("C-q")
    tmux.wait_for("$")
    tmux.assert_clean()
    assert [grade for _, grade in graded(tmux)] == [Grade.EASY, Grade.EASY]


def test_a_derivation_opens_from_its_file_and_as_an_exercise(
    open_tmux: Callable[..., Tmux], tmp_path: Path
) -> None:
    file = tmp_path / "square.toml"
    file.write_text(
        'id = "square"\ntitle = "A square opened up"\nclaim = "(a+b)^2 = a^2 + 2 a b + b^2"\n'
        '[symbols]\na = "real"\nb = "real"\n[[steps]]\nexpr = "(a+b)^2"\nwhy = "start"\n'
        '[[steps]]\nexpr = "(a+b)(a+b)"\nwhy = "a square"\n'
        '[[steps]]\nexpr = "a^2 + 2 a b + b^2"\nwhy = "each with each"\n',
        encoding="utf-8",
    )
    tmux = open_tmux()
    tmux.run("derive", str(file))
    tmux.wait_for("A square opened up", "step 1")
    tmux.press("Escape")
    tmux.wait_for("quizapp")
    tmux.press("q")
    tmux.wait_for("$")
    tmux.run("derive", str(file), "--order")
    tmux.wait_for("A square opened up", "Put them in order")
