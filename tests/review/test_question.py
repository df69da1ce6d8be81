"""A card as it is asked."""

from __future__ import annotations

from quizapp.decks.card import Card, Fields, Option
from quizapp.review.question import ask

OPTIONS = tuple(Option(text, text == "b") for text in "abcdef")


def choice(name: str = "which") -> Card:
    return Card(name, name, "deck", "choice", "Which?", "", "", "deck.md", 1, True, Fields(), OPTIONS)


def test_options_are_shuffled_by_card_review_and_seed_alone() -> None:
    orders = {ask(choice(), reviews, 7).options for reviews in range(30)}
    assert len(orders) > 20
    assert all(sorted(option.text for option in order) == list("abcdef") for order in orders)
    assert ask(choice(), 3, 7) == ask(choice(), 3, 7)
    assert ask(choice(), 3, 7).options != ask(choice(), 3, 8).options
    assert ask(choice(), 3, 7).options != ask(choice("other"), 3, 7).options


def test_the_right_letter_is_the_one_shown() -> None:
    for reviews in range(10):
        question = ask(choice(), reviews)
        assert [question.options["abcdef".index(letter)].text for letter in question.right_letters] == ["b"]


def test_a_cloze_hides_its_own_number_and_shows_it_after() -> None:
    heading = "RoPE {{c1::rotates::verb}} by {{c2::$m\\theta$}}"
    card = Card("x:1", "x", "deck", "cloze", heading, "", "Note.", "deck.md", 1, True, Fields(), cloze=1)
    question = ask(card, 0)
    assert "rotates" not in question.heading
    assert "[verb]" in question.heading
    assert "$m\\theta$" in question.heading
    assert question.hidden == ("rotates",)
    assert "rotates" in question.answer
    assert question.answer.endswith("Note.")
    assert question.types_answer


def generated(generator: str) -> Card:
    fields = Fields(generator=generator)
    return Card("g", "g", "deck", "generated", "Work it out", "", "", "deck.md", 1, True, fields)


def test_a_generated_card_draws_anew_at_each_review() -> None:
    drawn = {ask(generated("sinusoidal-component"), reviews).prompt for reviews in range(20)}
    assert len(drawn) > 10
    assert ask(generated("sinusoidal-component"), 5) == ask(generated("sinusoidal-component"), 5)


def test_a_generator_that_is_not_there_leaves_a_card_to_grade_by_hand() -> None:
    question = ask(generated("sinusoidal-komponent"), 0)
    assert question.problem is None
    assert "did you mean sinusoidal-component?" in question.trouble
    assert not question.types_answer
