"""The export and import screens: decks leave, come back, can be stopped, and say what went wrong."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion
from textual.app import App
from textual.widgets import Input, Select

from quizapp.commands.context import Context
from quizapp.commands.drill import command as drill
from quizapp.commands.options import Common
from quizapp.decks.library import load_library
from quizapp.tui.app import QuizApp, keymap_problems, known_bindings
from quizapp.tui.screens.export import ExportScreen
from quizapp.tui.screens.home import HomeScreen
from quizapp.tui.screens.import_files import ImportReportScreen, ImportScreen
from quizapp.tui.screens.message import MessageScreen
from quizapp.tui.watched import Watched
from quizapp.tui.widgets.file_tree import FileTree
from quizapp.tui.widgets.row_list import RowList
from quizapp.tui.widgets.tick import Tick
from tests.tui.goldens import shows
from tests.tui.shots import picture, screen_text

Make = Callable[..., QuizApp]

FOREIGN = """# Capitals

## The capital of France?

```toml card
id = "france"
```

Paris, by $\\pi$ rivers.

## The capital of Peru?

```toml card
id = "peru"
```

Lima.
"""


class Held(Watched):
    """Work that waits at its first step until it is told to stop."""

    def __call__(self, done: int, total: int) -> None:
        limit = time.monotonic() + 20
        while not self.stopping and time.monotonic() < limit:
            time.sleep(0.01)
        super().__call__(done, total)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "files"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def still(app: App[None]) -> None:
    for field in app.screen.query(Input):
        field.cursor_blink = False


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_pictures(make_app: Make, svg: SnapshotAssertion, files: Path, size: tuple[int, int]) -> None:
    (files / "capitals.md").write_text(FOREIGN)
    (files / "notes.pdf").write_text("no deck")
    (files / "more").mkdir()
    name = f"{size[0]}x{size[1]}"
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await shows(pilot, "Drill")
        await pilot.press("x")
        await shows(pilot, "kinds.apkg")
        still(app)
        assert picture(app) == svg(name=f"export-{name}")
        await pilot.press("escape", "o")
        await shows(pilot, "capitals.md")
        still(app)
        assert "notes.pdf" not in screen_text(app)
        assert picture(app) == svg(name=f"import-{name}")


async def test_a_deck_is_exported_and_comes_in_on_an_empty_home(
    make_app: Make, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "Drill")
        await pilot.press("x")
        await shows(pilot, "1 of 1 deck")
        field = app.screen.query_one("#export-file", Input)
        field.focus()
        field.value = "out.json"
        await pilot.pause()
        assert app.screen.query_one("#export-format", Select).value == "json", "the extension says the format"
        await pilot.press("enter")
        text = await shows(pilot, "Exported")
        assert "of 1 deck" in text
        await pilot.press("enter", "escape")
        await shows(pilot, "Drill")
    sent = load_library(app.context.home, app.context.config).decks
    assert [path.name for path in files.iterdir()] == ["out.json"]

    empty = tmp_path / "empty"
    (empty / "decks").mkdir(parents=True)
    monkeypatch.setattr("quizapp.decks.library.content_root", lambda: empty)
    home = tmp_path / "other"
    home.mkdir()
    app = QuizApp(Context(Common(home, (), False)))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "No decks yet")
        await pilot.press("o")
        await shows(pilot, "out.json")
        await pilot.press("down", "enter")
        await shows(pilot, "Nothing is written yet; enter imports.")
        assert list(home.rglob("*.md")) == [], "the report comes before anything is written"
        await pilot.press("enter")
        await shows(pilot, "Done.")
        await pilot.press("escape")
        await shows(pilot, lambda text: sent[0].title in text and "No decks yet" not in text)
        assert isinstance(app.screen, HomeScreen)
    came = load_library(app.context.home, app.context.config).decks
    assert [(card.id, card.kind, card.heading, card.prompt, card.answer) for card in came[0].cards] == [
        (card.id, card.kind, card.heading, card.prompt, card.answer) for card in sent[0].cards
    ]


async def test_importing_again_changes_nothing_and_says_so(make_app: Make, files: Path) -> None:
    (files / "capitals.md").write_text(FOREIGN)
    app = make_app(ImportReportScreen(files / "capitals.md"))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "enter imports")
        await pilot.press("enter")
        await shows(pilot, "2 cards made")
        await pilot.press("escape")
        app.push_screen(ImportReportScreen(files / "capitals.md"))
        text = await shows(pilot, "enter imports")
        assert "2 cards unchanged" in " ".join(text.split())


@pytest.mark.parametrize("name", ["out.json", "out.html"])
async def test_an_export_that_is_stopped_leaves_nothing(
    make_app: Make, files: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("quizapp.tui.screens.export.Watched", Held)
    app = make_app(ExportScreen(("kinds",)))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "kinds.apkg")
        app.screen.query_one("#export-file", Input).value = name
        await pilot.press("ctrl+s")
        await shows(pilot, "Writing cards…")
        await pilot.press("escape")
        await shows(pilot, "Stopped; nothing was written.")
        assert isinstance(app.screen, ExportScreen)
        assert list(files.iterdir()) == []
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, HomeScreen)


async def test_an_import_that_is_stopped_writes_nothing(
    make_app: Make, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files / "capitals.md").write_text(FOREIGN)
    app = make_app(ImportReportScreen(files / "capitals.md"))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "enter imports")
        monkeypatch.setattr("quizapp.tui.screens.import_files.Watched", Held)
        await pilot.press("enter")
        await shows(pilot, "Importing…")
        monkeypatch.undo()
        await pilot.press("escape")
        await shows(pilot, "enter imports")
        assert not (app.context.home.decks / "capitals.md").exists()


async def test_leaving_while_a_file_is_read_goes_back(
    make_app: Make, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quizapp.tui.screens.import_files.Watched", Held)
    (files / "capitals.md").write_text(FOREIGN)
    app = make_app(ImportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "capitals.md")
        await pilot.press("down", "enter")
        await shows(pilot, "Reading…")
        await pilot.press("escape")
        await shows(pilot, "Choose a file")
        assert isinstance(app.screen, ImportScreen)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("broken.apkg", b"PK\x03\x04 not a package"),
        ("broken.json", b"{"),
        ("latin.md", b"# T\n\n## caf\xe9\n"),
    ],
)
async def test_a_broken_file_is_one_calm_box(make_app: Make, files: Path, name: str, data: bytes) -> None:
    (files / name).write_bytes(data)
    app = make_app(ImportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, name)
        await pilot.press("down", "enter")
        text = await shows(pilot, "That did not work")
        assert name in text
        assert isinstance(app.screen, MessageScreen)
        await pilot.press("escape")
        await shows(pilot, "Choose a file")


@pytest.mark.usefixtures("files")
async def test_a_folder_that_is_not_there_is_one_calm_box(make_app: Make) -> None:
    app = make_app(ExportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "kinds.apkg")
        app.screen.query_one("#export-file", Input).value = "no/such/folder.json"
        await pilot.press("ctrl+s")
        await shows(pilot, "no such folder; make it first")
        assert isinstance(app.screen, MessageScreen)


async def test_a_second_writer_is_said_in_one_box(make_app: Make, files: Path, tmp_path: Path) -> None:
    app = make_app(ExportScreen(("kinds",)))
    drilled = CliRunner().invoke(
        drill,
        ["kinds", "--plain", "--limit", "1", "--home", str(app.context.home.path)],
        input="\n3\n",
    )
    assert "saved " in drilled.output
    reviews = files / "reviews.json"
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "kinds.apkg")
        app.screen.query_one(Tick).focus()
        await pilot.press("space")
        app.screen.query_one("#export-file", Input).value = reviews.name
        await pilot.pause()
        await pilot.press("ctrl+s")
        await shows(pilot, "and 1 review to")

    app = QuizApp(Context(Common(tmp_path / "other", (), False)), ImportReportScreen(reviews))
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "1 review added")
        with app.context.store(write=True):
            await pilot.press("enter")
            text = await shows(pilot, "That did not work")
        assert "another quizapp is writing" in " ".join(text.replace("│", " ").split())
        assert isinstance(app.screen, MessageScreen)


async def test_a_file_is_replaced_only_when_asked(make_app: Make, files: Path) -> None:
    (files / "kinds.apkg").write_text("mine")
    app = make_app(ExportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "kinds.apkg")
        await pilot.press("ctrl+s")
        await shows(pilot, "is there already")
        await pilot.press("n")
        await shows(pilot, "Schedule")
        assert (files / "kinds.apkg").read_text() == "mine"
        await pilot.press("ctrl+s")
        await shows(pilot, "is there already")
        await pilot.press("y")
        await shows(pilot, "Exported")
        assert (files / "kinds.apkg").read_bytes()[:2] == b"PK"


@pytest.mark.usefixtures("files")
async def test_decks_and_fields_answer_to_the_mouse(make_app: Make) -> None:
    app = make_app(ExportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "1 of 1 deck")
        await pilot.click(RowList, offset=(5, 0))
        await shows(pilot, "0 of 1 deck")
        await pilot.press("ctrl+s")
        await shows(pilot, "Tick a deck first.")
        await pilot.click(Tick)
        await pilot.pause()
        assert app.screen.query_one(Tick).holds
        assert "✓  memory" in screen_text(app), "a tick shows without colour"


@pytest.mark.usefixtures("files")
async def test_letters_typed_into_the_file_name_do_nothing_else(make_app: Make) -> None:
    app = make_app(ExportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "1 of 1 deck")
        field = app.screen.query_one("#export-file", Input)
        field.focus()
        field.value = ""
        await pilot.press("a", "space", "q")
        assert field.value == "a q"
        assert "1 of 1 deck" in screen_text(app)


async def test_the_folder_above_is_one_key_away(make_app: Make, files: Path) -> None:
    (files.parent / "above.md").write_text(FOREIGN)
    (files / "here.md").write_text(FOREIGN)
    app = make_app(ImportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "here.md")
        assert "above.md" not in screen_text(app)
        await pilot.press("backspace")
        await shows(pilot, "above.md")
        assert Path(app.screen.query_one(FileTree).path) == files.parent


@pytest.mark.usefixtures("files")
async def test_a_typed_path_is_taken(make_app: Make, tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "capitals.md").write_text(FOREIGN)
    app = make_app(ImportScreen())
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, "Choose a file")
        field = app.screen.query_one("#import-file", Input)
        field.focus()
        field.value = "../far"
        await pilot.press("enter")
        await shows(pilot, "capitals.md")
        field.focus()
        field.value = "../far/capitals.md"
        await pilot.press("enter")
        await shows(pilot, "2 cards made")


def test_their_keys_can_be_remapped() -> None:
    known = known_bindings()
    for name in ("export-write", "export-tick", "import-leave", "report-take", "files-up", "tick-toggle"):
        assert name in known
    mine = {
        name: keys
        for name, keys in known.items()
        if name.split("-")[0] in ("export", "import", "report", "files")
    }
    assert keymap_problems({}, mine) == []
