"""What demos cost: CPU a frame of the largest heat map, CPU a key of every demo, and CPU while nothing happens.

A frame is drawn in an app of 120 by 40, in true colour: it has other values than the one before, and goes through the
compositor to the text that a terminal would get. A heat map of 64 by 128 as half blocks, larger than any demo's, stands
beside it. Idle is a demo on the screen for some seconds.

Run: python benchmarks/demos.py
"""

from __future__ import annotations

import asyncio
import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

os.environ |= {"COLORTERM": "truecolor", "TERM": "xterm-256color"}
os.environ.pop("NO_COLOR", None)

from textual.app import App, ComposeResult

from quizapp.commands.context import Context
from quizapp.commands.options import Common
from quizapp.demos.model import Choice, HeatMap, Number, Sentence, State, move, put, settle, view
from quizapp.demos.registry import load_all
from quizapp.encodings.sinusoidal import sinusoidal
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.demo import DemoScreen
from quizapp.tui.widgets.look import Look
from quizapp.tui.widgets.picture import PictureView, draw

FRAMES = 60
ROWS, COLUMNS = 64, 128
IDLE_SECONDS = 5.0
LIMIT_FRAME_MS = 12.0
LIMIT_IDLE_PERCENT = 1.0


class Frame(App[None]):
    """A picture and nothing else."""

    def compose(self) -> ComposeResult:
        yield PictureView()


def moved(picture: HeatMap) -> list[HeatMap]:
    """Frames of a heat map whose columns move on by one each, so that every cell changes."""
    values = np.asarray(picture.values, dtype=float)
    return [replace(picture, values=np.roll(values, at, axis=(0, 1)).tolist()) for at in range(FRAMES)]


def largest() -> tuple[str, HeatMap]:
    """The demo's heat map with the most cells, at the ends of every value."""
    found: dict[str, HeatMap] = {}
    for demo in load_all():
        for step, title in enumerate(demo.steps):
            state = State(step)
            for control in demo.controls(step, settle(demo, state)):
                if isinstance(control, Sentence):
                    state = put(demo, state, control.name, " ".join("abcdefghijklmnop"[: control.most]))
                elif isinstance(control, Choice):
                    state = put(demo, state, control.name, control.options[-1])
            for picture in view(demo, state).pictures:
                if isinstance(picture, HeatMap):
                    found[f"{demo.name}, {title}"] = picture
    name = max(found, key=lambda one: np.asarray(found[one].values).size)
    return name, found[name]


async def drawing(frames: list[HeatMap], size: tuple[int, int]) -> float:
    """Milliseconds of CPU a frame, with compositor and escape codes."""
    app = Frame()
    times = []
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        shown = app.query_one(PictureView)
        for frame in frames:
            start = time.process_time()
            shown.show((frame,))
            app.screen._compositor.render_full_update().render_segments(app.console)
            times.append(time.process_time() - start)
            await pilot.pause()
    return 1000 * statistics.median(times)


def moving(name: str) -> tuple[float, str]:
    """Milliseconds of CPU for the dearest step of a demo, after a key: its view, and its picture at 46x15."""
    demo = next(found for found in load_all() if found.name == name)
    dearest = (0.0, "")
    for step, title in enumerate(demo.steps):
        state = State(step)
        numbers = [c for c in demo.controls(step, settle(demo, state)) if isinstance(c, Number)]
        times = []
        for _ in range(10):
            if numbers:
                state = move(demo, state, numbers[0].name, 1)
            start = time.process_time()
            draw(view(demo, state).pictures, 46, 15, Look())
            times.append(time.process_time() - start)
        dearest = max(dearest, (1000 * statistics.median(times), title))
    return dearest


async def idle(home: Path) -> float:
    """CPU in percent of one core while a demo stands on the screen."""
    app = QuizApp(Context(Common(home, (), False)), DemoScreen("sinusoid", 3))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause(1.0)
        start = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        return 100 * (time.process_time() - start) / IDLE_SECONDS


def main() -> None:
    name, picture = largest()
    rows, columns = np.asarray(picture.values).shape
    frame = asyncio.run(drawing(moved(picture), (120, 40)))
    table = HeatMap("", sinusoidal(range(ROWS), COLUMNS).tolist(), -1.0, 1.0, diverging=True)
    worst = asyncio.run(drawing(moved(table), (COLUMNS + 4, ROWS // 2 + 3)))
    with tempfile.TemporaryDirectory() as home:
        quiet = asyncio.run(idle(Path(home)))

    def row(name: str, measured: float, unit: str, limit: float = 0.0) -> None:
        against = f"{limit:7.0f} {unit:2}{measured / limit:8.2f}" if limit else ""
        print(f"{name:44}{measured:9.2f} {unit:2}{against}")

    print(f"{'':44}{'measured':>12}{'limit':>10}{'ratio':>8}")
    row(f"a frame of {name}, {rows} by {columns}", frame, "ms", LIMIT_FRAME_MS)
    row(f"for comparison {ROWS} by {COLUMNS}, no cell alike", worst, "ms", LIMIT_FRAME_MS)
    row("a demo on the screen, idle", quiet, "%", LIMIT_IDLE_PERCENT)
    for demo in load_all():
        cost, step = moving(demo.name)
        row(f"after a key: {demo.name}, {step}", cost, "ms")


if __name__ == "__main__":
    main()
