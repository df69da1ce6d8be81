"""Anki's card templates: what a card's two sides say."""

from __future__ import annotations

import pytest

from quizapp.exchange.anki_templates import fields_shown, sides

FIELDS = {
    "A": "one",
    "B": "two",
    "Empty": " <br>&nbsp;",
    "Picture": "<img src=x.png>",
    "Cloze": "{{c1::x::h}} y",
}


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{A}} and {{ B }}", "one and two"),
        ("{{#A}}yes{{/A}}{{^A}}no{{/A}}", "yes"),
        ("{{#Empty}}yes{{/Empty}}{{^Empty}}no{{/Empty}}", "no"),
        ("{{#Picture}}yes{{/Picture}}", "yes"),
        ("{{#A}}{{^B}}x{{/B}}{{#B}}y{{/B}}{{/A}}", "y"),
        ("{{Missing}}{{#Missing}}x{{/Missing}}{{^Missing}}y{{/Missing}}", "y"),
        ("{{text:Picture}}|{{text:A}}", "|one"),
        ("{{{A}}}", "one"),
        ("{{addon:A}}", "one"),
        ("{{!note}}{{A}}", "one"),
        ("<!-- {{A}} -->{{B}}", "two"),
        ("{{=<% %>=}}<%A%>", "one"),
        ("{{#A}}open", "open"),
        ("closed{{/A}}", "closed"),
        ("{{#A}}x{{#B}}y{{/A}}z", "xyz"),
        ("{{tts en_US voices=x:A}}{{B}}", "two"),
        ("{{FrontSide}}{{A}}", "one"),
        ("<style>b{}</style>{{A}}<script>if (x) {y()}</script>", "one"),
        ("{{Card}} of it", "Card 1 &lt; 2 of it"),
    ],
)
def test_a_front(template: str, shown: str) -> None:
    assert sides(template, "", FIELDS, "Card 1 < 2").front == shown


def test_blanks_at_the_ends_of_a_section_stay() -> None:
    assert sides("{{A}}{{#B}} {{B}} {{/B}}{{A}} ", "", FIELDS).front == "one two one"


@pytest.mark.parametrize("text", ["The {{c1::sea}}", "no deletion"])
def test_a_typed_cloze_is_asked_in_its_text(text: str) -> None:
    found = sides("{{type:cloze:F}}", "{{type:cloze:F}} {{F}}", {"F": text})
    assert (found.front, found.back, found.typed) == (text, text, True)


@pytest.mark.parametrize(
    ("field", "filter_name", "shown"),
    [
        ("日本語[にほんご]", "furigana", "日本語 (にほんご)"),
        ("これ 本[ほん]です", "kana", "これほんです"),
        ("これ 本[ほん]です", "kanji", "これ本です"),
        (" 本[sound:x.mp3]", "kana", "本[sound:x.mp3]"),
    ],
)
def test_readings(field: str, filter_name: str, shown: str) -> None:
    assert sides(f"{{{{{filter_name}:F}}}}", "", {"F": field}).front == shown


@pytest.mark.parametrize(
    ("back", "shown"),
    [
        ("{{FrontSide}}\n\n<hr id=answer>\n\n{{B}}", "two"),
        ('{{FrontSide}}<hr id="answer">{{B}}', "two"),
        ("<div>{{FrontSide}}</div><HR class=x ID='answer'>{{B}}", "two"),
        ("{{A}}<hr id=answer>{{B}}", "two"),
        ("{{A}} more<hr id=answer>{{B}}", "one more<br>two"),
        ("{{FrontSide}}{{B}}", "two"),
        ("{{B}}", "two"),
        ("", ""),
    ],
)
def test_a_back_without_the_question(back: str, shown: str) -> None:
    assert sides("{{A}}", back, FIELDS).back == shown


def test_what_a_screen_alone_can_do_is_told() -> None:
    found = sides(
        "{{A}}{{hint:B}}{{hint:Missing}}{{type:B}}", "{{FrontSide}}<hr id=answer>{{type:B}}", FIELDS
    )
    assert found == ("one", "two", ("two",), True, False)
    assert sides("{{A}}", "{{tts en_US:B}}", FIELDS).spoken


def test_a_cloze_keeps_its_deletions_on_the_front_alone() -> None:
    found = sides("{{cloze:Cloze}}", "{{cloze:Cloze}}<br>{{B}}", FIELDS)
    assert (found.front, found.back) == ("{{c1::x::h}} y", "<br>two")
    typed = sides("{{type:cloze:Cloze}}", "{{type:cloze:Cloze}}{{B}}", FIELDS)
    assert (typed.front, typed.back) == ("{{c1::x::h}} y", "two")


def test_the_fields_that_a_template_shows() -> None:
    assert fields_shown("{{#A}}{{hint:B}}{{/A}}{{^C}}{{/C}}") == {"B"}


def test_a_deep_template_is_no_crash() -> None:
    assert sides("{{#A}}" * 10_000 + "x", "", FIELDS).front == "x"
