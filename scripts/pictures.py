"""Take the pictures of the README and the docs from the real app, on a home of its own and a fixed clock."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from pathlib import Path

os.environ.update(
    QUIZAPP_NOW="2026-11-30T19:00:00+01:00",
    QUIZAPP_SEED="1",
    TEXTUAL_ANIMATIONS="none",
    TEXTUAL_COLOR_SYSTEM="truecolor",
)

from textual.widgets import Input

from quizapp.commands.context import Context
from quizapp.commands.options import Common
from quizapp.tui.app import QuizApp
from quizapp.tui.screens.demo import DemoScreen
from quizapp.tui.screens.derivation import DerivationScreen, load_run
from quizapp.tui.screens.drill import DrillScreen

OUT = Path(__file__).resolve().parent.parent / "docs" / "pictures"


async def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        app = QuizApp(Context(Common(Path(folder), (), False)))
        async with app.run_test(size=(80, 24)) as pilot:

            async def settle() -> None:
                await app.workers.wait_for_complete()
                await pilot.pause(0.3)

            def take(name: str) -> None:
                svg = re.sub(r"terminal-\d+-", "terminal-", app.export_screenshot(title="quizapp"))
                (OUT / f"{name}.svg").write_text(svg, encoding="utf-8")
                print(OUT / f"{name}.svg")

            await settle()
            take("home")
            await app.push_screen(DrillScreen(("rapid-fire",)))
            await settle()
            for _ in range(2):
                await pilot.press("space")
                await settle()
                await pilot.press("3")
                await settle()
            take("question")
            await pilot.press("space")
            await settle()
            take("answer")
            await pilot.press("escape")
            await settle()
            await app.push_screen(DerivationScreen(load_run(app.context, "rotation-composition")))
            await settle()
            for line in ("R(-m theta) R(n theta)", "R((m-n) theta)"):
                app.screen.query_one(Input).value = line
                await settle()
                await pilot.press("enter")
                await settle()
            take("derivation")
            await pilot.press("escape")
            await settle()
            for demo, step, name in (("rope", 0, "demo-rope"), ("sinusoid", 4, "demo-sinusoid")):
                await app.push_screen(DemoScreen(demo, step))
                await settle()
                take(name)
                await pilot.press("escape")
                await settle()


if __name__ == "__main__":
    asyncio.run(main())
