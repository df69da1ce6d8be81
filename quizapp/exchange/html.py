"""A study sheet: one HTML file to read, to quiz oneself with, and to print, as cards to cut or as a list.

It fetches nothing: style, script, formulas (MathML) and pictures are inside. It works without its script, which only
shows and hides all answers at once, filters, and fits the print. Card text can never become markup; a content security
policy in the page forbids whatever might slip through.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from quizapp.exchange.model import Bundle, DeckText, Loss, Progress, Written, silent
from quizapp.exchange.sheet_card import SheetCard
from quizapp.exchange.sheet_cut import Labelled, Sheets, sheets
from quizapp.exchange.sheet_parts import Parts


def write(bundle: Bundle, target: Path, progress: Progress = silent) -> Written:
    """Write the study sheet of a bundle to ``target``.

    Raises:
        Cancelled: from ``progress``.
    """
    parts = Parts(bundle)
    total = sum(len(deck.entries) for deck in bundle.decks)
    decks: list[tuple[DeckText, list[SheetCard]]] = []
    for deck in bundle.decks:
        first = sum(len(cards) for _, cards in decks) + 1
        decks.append(
            (
                deck,
                [
                    SheetCard(entry, first + n, parts, bundle.derivations)
                    for n, entry in enumerate(deck.entries)
                ],
            )
        )
    known = {card.entry.id: card for _, cards in decks for card in cards}
    sections: list[str] = []

    def faces() -> Iterator[Labelled]:
        for deck, cards in decks:
            written: list[str] = []
            for card in cards:
                progress(card.number - 1, total)
                follow_ups = [known[name] for name in card.entry.fields.follow_ups if name in known]
                written.append(card.html(follow_ups))
                yield from (Labelled(face, deck.title, card.number) for face in card.faces())
            sections.append(
                f'<section class="deck" id="{escape(_anchor(deck))}">'
                f"<h2>{'Cards' if len(decks) == 1 else parts.text(deck.title, line=True)}</h2>"
                f"{parts.block(deck.description)}{''.join(written)}</section>"
            )

    cut = sheets(faces())
    target.write_text(_page(bundle, decks, sections, cut), encoding="utf-8", newline="\n")
    progress(total, total)
    return Written(total, cut.cards, (*parts.lost, *_left_out(bundle, cut)))


def _left_out(bundle: Bundle, cut: Sheets) -> list[Loss]:
    entries = [entry for deck in bundle.decks for entry in deck.entries]
    demos = sum(entry.fields.demo is not None for entry in entries)
    drawn = sum(entry.kind == "generated" for entry in entries)
    checks = sum(len(entry.fields.checks) for entry in entries)
    known = {entry.id for entry in entries}
    elsewhere = sum(name not in known for entry in entries for name in entry.fields.follow_ups)
    lost = [
        Loss("demos, which move in the app only", count=demos),
        Loss("claims, which quizapp verify recomputes", count=checks),
        Loss("follow-ups that are not on this sheet", count=elsewhere),
        Loss("new numbers at each review: the sheet has a few examples of each drawn card", count=drawn),
        Loss("long answers, shortened on the cards to cut (the sheet has them whole)", count=cut.shortened),
    ]
    if bundle.with_schedule:
        lost.append(Loss("the schedule and the review log: a sheet of paper has none"))
    return [loss for loss in lost if loss.count]


def _page(
    bundle: Bundle, decks: Sequence[tuple[DeckText, list[SheetCard]]], sections: Sequence[str], cut: Sheets
) -> str:
    style, script = _asset("sheet.css"), _asset("sheet.js")
    title = decks[0][0].title if len(decks) == 1 else "Study sheet"
    count = sum(len(cards) for _, cards in decks)
    day = f"{bundle.day.day} {bundle.day:%B %Y}"
    said = f"{count} card{'s' if count != 1 else ''} · {day}"
    if len(decks) > 1:
        said = f"{len(decks)} decks · {said}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; img-src data:; media-src data:; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#cards">To the cards</a>\n'
        f'<header class="top"><h1>{escape(title)}</h1><p class="quiet">{said}</p></header>\n'
        f"{_contents(decks)}\n{_tools(cut)}\n"
        f'<main id="cards">{"".join(sections)}</main>\n'
        f'<div class="pages" aria-hidden="true">{cut.html}</div>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _tools(cut: Sheets) -> str:
    sides = f"{cut.pages} pages, double-sided" if cut.pages else "no pages"
    return (
        '<div class="tools"><div class="live" hidden>'
        '<label class="find">Filter <input type="search" id="filter" placeholder="words or a tag"></label>'
        '<button type="button" id="show">Show all answers</button>'
        '<button type="button" id="hide">Hide all answers</button>'
        '<span class="quiet" id="count" role="status"></span></div>'
        '<fieldset class="print"><legend>Print as</legend>'
        f'<label><input type="radio" name="print" id="print-cut" checked> cards to cut ({sides})</label>'
        '<label><input type="radio" name="print" id="print-list"> a list with answers</label>'
        "</fieldset></div>"
    )


def _contents(decks: Sequence[tuple[DeckText, list[SheetCard]]]) -> str:
    if len(decks) == 1:
        made = f"<details><summary>All cards</summary>{_links(decks[0][1])}</details>"
    else:
        rows = (
            f'<li><a href="#{quote(_anchor(deck), safe="")}">{escape(deck.title)}</a> '
            f'<span class="quiet">{len(cards)}</span>'
            f"<details><summary>Cards</summary>{_links(cards)}</details></li>"
            for deck, cards in decks
        )
        made = f"<ul>{''.join(rows)}</ul>"
    return f'<nav aria-label="Contents"><h2>Contents</h2>{made}</nav>'


def _links(cards: Sequence[SheetCard]) -> str:
    rows = (
        f'<li value="{card.number}"><a href="{card.link}">{card.plain_heading}</a></li>' for card in cards
    )
    return f"<ol>{''.join(rows)}</ol>"


def _anchor(deck: DeckText) -> str:
    return f"deck-{deck.name}"


def _asset(name: str) -> str:
    return files("quizapp.exchange").joinpath(name).read_text(encoding="utf-8")
