"""The pieces of a study sheet's cards as HTML: formulas, texts, pictures, blanks, options, worked steps.

Every text passes through :func:`to_html` or ``escape``: card text never becomes markup.
"""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape, unescape
from pathlib import Path
from urllib.parse import unquote

from quizapp.decks.card import Option
from quizapp.decks.cloze import deletions
from quizapp.errors import QuizappError
from quizapp.exchange.media import is_played
from quizapp.exchange.model import Bundle, ExchangeError, Loss, Media
from quizapp.exchange.steps import Worked, WorkedStep
from quizapp.exchange.to_html import to_html
from quizapp.review.question import LETTERS
from quizapp.text import strip_controls

# Stands for a blank while Markdown is read; taken out of every text beforehand.
_MARK = "\ue000"
_BLANK = re.compile(rf"{_MARK}(\d+){_MARK}")
_TAG_OR_BLANK = re.compile(rf"<[^>]*>|{_MARK}\d+{_MARK}")
_LINK = re.compile(r'<a href="([^"]*)">(.*?)</a>')
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)">')
# A point that follows a formula stays on its line: beside it, or inside one that has a line of its own.
_POINT_AFTER = re.compile(
    r'(<span class="(m|formula)"[^>]*><math(?:(?!</math>).)*)</math></span>([.,;:!?)]+)'
)
_ADDRESS = re.compile(r"https?://[^\s<>\"]+[^\s<>\".,;:)]")
_PICTURES = {
    ".png": "png",
    ".jpg": "jpeg",
    ".jpeg": "jpeg",
    ".gif": "gif",
    ".webp": "webp",
    ".svg": "svg+xml",
}
_SOUNDS = {
    ".aac": "aac",
    ".flac": "flac",
    ".m4a": "mp4",
    ".mp3": "mpeg",
    ".oga": "ogg",
    ".ogg": "ogg",
    ".opus": "ogg",
    ".wav": "wav",
}
_LARGEST_PICTURE = 5_000_000


class Parts:
    """Makes the pieces of one sheet and counts what it could not show."""

    def __init__(self, bundle: Bundle) -> None:
        # A text may name its file with escapes; the HTML of it names the file as it is.
        self._media = {unquote(media.name): media for media in bundle.media}
        self._formulas: dict[tuple[str, bool], str] = {}
        self._pictures: dict[str, str | None] = {}
        self._blanks = 0
        self._lost: Counter[tuple[str, str]] = Counter()

    def lose(self, what: str, where: str = "") -> None:
        """Note that something is not shown."""
        self._lost[what, where] += 1

    @property
    def lost(self) -> tuple[Loss, ...]:
        return tuple(Loss(what, where, count) for (what, where), count in self._lost.items())

    def formula(self, latex: str, display: bool) -> str:
        """A formula as MathML, with its size in character cells for the style sheet to fit it by."""
        key = (latex, display)
        if key not in self._formulas:
            self._formulas[key] = self._draw(latex, display)
        return self._formulas[key]

    def _draw(self, latex: str, display: bool) -> str:
        from quizapp.notation import draw, to_mathml

        drawn = to_mathml(latex, display)
        if drawn is None:
            self.lose("a formula that is not understood is shown as its source", latex)
            return f'<code class="tex">{escape(latex)}</code>'
        size = draw(latex, display=display)
        kind = "formula" if display else "m"
        return f'<span class="{kind}" style="--w:{max(size.width, 1)};--h:{len(size.rows)}">{drawn}</span>'

    def text(self, markdown: str, *, line: bool = False) -> str:
        """Markdown as HTML; ``line`` for the words of one line, such as a heading."""
        made = to_html(strip_controls(markdown).replace(_MARK, ""), self.formula, line) if markdown else ""
        return self._finished(made)

    def _finished(self, html: str) -> str:
        if "<a " in html:
            html = _LINK.sub(self._sound, html)
        return _POINT_AFTER.sub(_with_point, _IMAGE.sub(self._picture, html))

    def block(self, markdown: str) -> str:
        """Markdown as a block of its own; nothing where there is no text."""
        return f'<div class="text">{self.text(markdown)}</div>' if markdown.strip() else ""

    def with_blanks(self, markdown: str, *, line: bool = False) -> str:
        """A cloze's text: every deletion is a blank that shows what it hides when it is ticked."""
        markdown = strip_controls(markdown).replace(_MARK, "")
        found = deletions(markdown)
        pieces: list[str] = []
        at = 0
        for number, deletion in enumerate(found):
            pieces += [markdown[at : deletion.start], f"{_MARK}{number}{_MARK}"]
            at = deletion.end
        pieces.append(markdown[at:])

        def formula(latex: str, display: bool) -> str:
            inside = [found[int(number)] for number in _BLANK.findall(latex)]
            if not inside:
                return self.formula(latex, display)
            # MathML holds no controls: the blank is the whole formula.
            asked = _BLANK.sub(r"\\boxed{\\,?\\,}", latex)
            told = _BLANK.sub(lambda match: found[int(match[1])].hidden, latex)
            hint = ", ".join(deletion.hint for deletion in inside if deletion.hint)
            return self._blank(self.formula(asked, display), self.formula(told, display), hint)

        def fill(match: re.Match[str]) -> str:
            if match[0][0] == "<":
                return _BLANK.sub("…", match[0])
            deletion = found[int(match[0].strip(_MARK))]
            asked = self.text(deletion.hint, line=True) or "…"
            return self._blank(asked, self.text(deletion.hidden, line=True), deletion.hint)

        made = to_html("".join(pieces), formula, line)
        return self._finished(_TAG_OR_BLANK.sub(fill, made))

    def _blank(self, asked: str, told: str, hint: str) -> str:
        self._blanks += 1
        name = f"Show blank {self._blanks}" + (f", hint: {hint}" if hint else "")
        return (
            f'<span class="blank"><input type="checkbox" id="blank-{self._blanks}" aria-label="{escape(name)}">'
            f'<label for="blank-{self._blanks}"><span class="gap">{asked}</span>'
            f'<span class="told">{told}</span></label></span>'
        )

    def _picture(self, match: re.Match[str]) -> str:
        name, words = unescape(match[1]), match[2]
        if name.startswith("data:image/"):
            return match[0]
        if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|//", name):
            self.lose("a picture on the network is a link, since the sheet fetches nothing", name)
            return f'<a href="{match[1]}" rel="noreferrer">{words or match[1]}</a>'
        if name not in self._pictures:
            self._pictures[name] = _embedded(self._media.get(name))
        data = self._pictures[name]
        if data is None:
            self.lose("a picture that is missing, too large or of an unknown kind is left out", name)
            return f'<span class="missing">picture: {words or match[1]}</span>'
        return f'<img src="{data}" alt="{words}">'

    def _sound(self, match: re.Match[str]) -> str:
        """A link to a sound beside the deck: the sound itself, after the words."""
        name = unquote(unescape(match[1]))
        if not is_played(name):
            return match[0]
        if name not in self._pictures:
            self._pictures[name] = _embedded(self._media.get(name))
        data = self._pictures[name]
        if data is None:
            self.lose("a sound or film that is missing, too large or of an unknown kind is left out", name)
            return match[2]
        return f'{match[2]} <audio controls src="{data}"></audio>'

    def options(self, options: Iterable[Option], *, marked: bool = False, reasons: Sequence[str] = ()) -> str:
        """The answers of a choice with their letters; ``marked`` says which are right, ``reasons`` why."""
        rows = []
        for number, option in enumerate(options):
            letter = LETTERS[number] if number < len(LETTERS) else str(number + 1)
            sign = ""
            if marked:
                sign = (
                    '<span class="right">✓ right</span> '
                    if option.right
                    else '<span class="wrong">✗ wrong</span> '
                )
            why = f'<div class="why">{self.text(reasons[number])}</div>' if reasons else ""
            rows.append(
                f'<li><span class="letter">{letter}</span><div>{sign}{self.text(option.text)}{why}</div></li>'
            )
        return f'<ol class="options">{"".join(rows)}</ol>'

    def typed(self, answer: object, symbols: dict[str, str]) -> str:
        """The right answer of a number or an expression, drawn where it is mathematics."""
        if not isinstance(answer, str):
            return f"<b>{escape(str(answer))}</b>"
        from quizapp.algebra import Names, read, to_latex

        try:
            return self.formula(to_latex(read(answer, Names(symbols=symbols))), False)
        except QuizappError:
            return f"<code>{escape(answer)}</code>"

    def claim(self, derivation: Worked, *, given: bool = True) -> str:
        """What a derivation shows, and what is ``given``: its symbols and definitions."""
        claim = f"<p>{self.formula(derivation.claim, True)}</p>"
        if not given:
            return claim
        about = [f"<p>{self.text(derivation.symbols, line=True)}</p>"] if derivation.symbols else []
        about += [f"<p>{self.formula(definition, True)}</p>" for definition in derivation.definitions]
        return f'{claim}<div class="given">{"".join(about)}</div>'

    def steps(self, derivation: Worked, *, reasons: bool = True) -> str:
        """The numbered lines, with why each follows."""
        lines = "".join(f"<li>{self._step(step, reasons)}</li>" for step in derivation.steps)
        note = f"<p>{self.text(derivation.note, line=True)}</p>" if derivation.note and reasons else ""
        return f'<ol class="steps">{lines}</ol>{note}'

    def _step(self, step: WorkedStep, reasons: bool) -> str:
        rule = f"<b>{escape(step.rule)}.</b> " if step.rule else ""
        aside = "<i>Used on the way.</i> " if step.fact else ""
        why = self.text(step.why, line=True) if reasons else ""
        return f"{self.formula(step.latex, True)}<p>{rule}{aside}{why}</p>"


def listed(title: str, lines: Iterable[str]) -> str:
    """A small titled list; nothing where there are no lines."""
    rows = "".join(f"<li>{line}</li>" for line in lines)
    return f"<h4>{title}</h4><ul>{rows}</ul>" if rows else ""


def source(text: str) -> str:
    """One source as text, its addresses as links."""
    pieces: list[str] = []
    at = 0
    for match in _ADDRESS.finditer(text):
        address = escape(match[0])
        pieces += [escape(text[at : match.start()]), f'<a href="{address}" rel="noreferrer">{address}</a>']
        at = match.end()
    return "".join((*pieces, escape(text[at:])))


def _with_point(match: re.Match[str]) -> str:
    if match[2] == "m":
        return f"{match[1]}</math>{match[3]}</span>"
    return f"{match[1]}<mtext>{match[3]}</mtext></math></span>"


def _embedded(media: Media | None) -> str | None:
    """A picture or sound as a data address, or None where it cannot be shown."""
    suffix = Path(media.name).suffix.lower() if media else ""
    kind = f"image/{_PICTURES[suffix]}" if suffix in _PICTURES else None
    kind = f"audio/{_SOUNDS[suffix]}" if suffix in _SOUNDS else kind
    if media is None or kind is None:
        return None
    try:
        data = media.read()
    except ExchangeError:
        return None
    if len(data) > _LARGEST_PICTURE:
        return None
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
