"""Pictures are drawn by functions: every kind at many sizes, in colour and without, and what each must show."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style
from textual.strip import Strip

from quizapp.demos.model import (
    Bar,
    Bars,
    Curve,
    Curves,
    Dial,
    Hand,
    HeatMap,
    Matrix,
    Picture,
)
from quizapp.tui.widgets import bars, curves, dial, heat_map, matrix, scale
from quizapp.tui.widgets.look import Look, fit, number, thinned
from quizapp.tui.widgets.picture import draw, groups, size
from tests.tui.test_themes import luminance

COLOUR = Look(
    text=Style(color="#e0e0e0", bgcolor="#101010"),
    muted=Style(color="#909090", bgcolor="#101010"),
    accent=Style(color="#ffa62b", bgcolor="#101010", bold=True),
    lines=tuple(
        Style(color=name, bgcolor="#101010") for name in ("#57a5e2", "#ffa62b", "#8ad4a1", "#d58bd0")
    ),
)
PLAIN = Look(colour=False)
WORDS = ("the", "cat", "日本語", "😀", "on", "[b]the[/b]", "a_very_long_word_indeed", "x")

MAP = HeatMap(
    "map",
    [[math.sin(row * column / 5) for column in range(16)] for row in range(8)],
    -1,
    1,
    WORDS,
    tuple(map(str, range(16))),
    diverging=True,
    marked=(0, 5),
    cursor=(3, 4),
)
PICTURES: dict[str, Picture] = {
    "map": MAP,
    "masked": HeatMap("masked", [[1.0, -math.inf], [math.nan, 0.0]], 0, 1),
    "flat": HeatMap("flat", [[2.0, 2.0]], 2.0, 2.0, cursor=(0, 1)),
    "large": HeatMap("large", [[(row * column) % 7 for column in range(300)] for row in range(200)], 0, 6,
                     marked=(7, 150)),
    "dial": Dial("dial", (Hand("q", 2.0), Hand("k", -0.5, 0.7)), (-0.5, 2.0)),
    "bars": Bars("bars", tuple(Bar(word, at - 3.5, f"{at - 3.5:+.1f}", "here" if at == 2 else "")
                               for at, word in enumerate(WORDS)), -4, 5, limit=3),
    "positive": Bars("positive", tuple(Bar(f"b{at}", at, str(at)) for at in range(50)), 0, 50),
    "curves": Curves("curves", (Curve("sine", range(100), [math.sin(x / 9) for x in range(100)]),
                                Curve("line", range(100), [x / 100 for x in range(100)]),
                                Curve("here", [40], [0.5])), "x", "y"),
    "log": Curves("log", (Curve("", [0, 1, 10, 1000], [math.nan, 1, 2, 3]),), "n", "error", log_x=True),
    "matrix": Matrix("matrix", tuple(tuple(str(j - i) for j in range(8)) for i in range(8)), WORDS, WORDS,
                     [[abs(i - j) / 7 for j in range(8)] for i in range(8)], (2, 5), ((1, 1), (0, 0))),
}  # fmt: skip


def text(strips: list[Strip]) -> str:
    return "\n".join(strip.text for strip in strips)


@pytest.mark.parametrize("look", [COLOUR, PLAIN], ids=["colour", "plain"])
@pytest.mark.parametrize("name", PICTURES)
def test_every_size_is_filled_exactly(name: str, look: Look) -> None:
    chosen = random.Random(1)
    sizes = [
        (46, 15),
        (78, 11),
        (88, 30),
        (4, 1),
        (12, 3),
        (30, 6),
        *((chosen.randint(4, 140), chosen.randint(1, 50)) for _ in range(30)),
    ]
    for width, height in sizes:
        strips = draw((PICTURES[name],), width, height, look)
        assert len(strips) == height
        for strip in strips:
            assert strip.cell_length == width
            assert cell_len(strip.text) == width
            assert strip.text.isprintable()


@pytest.mark.parametrize("name", PICTURES)
def test_several_pictures_share_the_room(name: str) -> None:
    for width, height in [(46, 15), (88, 30), (20, 8), (4, 2)]:
        strips = draw((PICTURES[name], MAP, PICTURES["dial"], PICTURES["dial"]), width, height, COLOUR)
        assert [strip.cell_length for strip in strips] == [width] * height


def test_dials_that_follow_each_other_are_one_row() -> None:
    one = PICTURES["dial"]
    assert [type(group).__name__ for group in groups((one, one, MAP, one))] == ["tuple", "HeatMap", "tuple"]
    assert size(groups((one, one, one))[0])[0] == 3 * size(groups((one,))[0])[0]


# The heat map.


@pytest.mark.parametrize("diverging", [False, True])
def test_the_lightness_of_the_scale_rises_at_every_level(diverging: bool) -> None:
    found = [luminance(Color.from_rgb(*colour)) for colour in scale.colours(diverging=diverging)]
    assert all(after >= before - 0.002 for before, after in itertools.pairwise(found))
    assert all(after > before + 0.01 for before, after in itertools.pairwise(found[::4]))
    # Both ends are seen on black and on white.
    assert (found[0] + 0.05) / 0.05 > 1.3
    assert 1.05 / (found[-1] + 0.05) > 1.15


@pytest.mark.parametrize("diverging", [False, True])
def test_the_scale_needs_no_red_told_from_green(diverging: bool) -> None:
    """Levels an eighth apart stay apart for a dichromat: by lightness alone, or by blue against yellow."""
    colours = scale.colours(diverging=diverging)
    for low, high in zip(colours, colours[4:], strict=False):
        lighter = luminance(Color.from_rgb(*high)) / (luminance(Color.from_rgb(*low)) + 1e-9)
        bluer = abs((low[2] - (low[0] + low[1]) / 2) - (high[2] - (high[0] + high[1]) / 2))
        assert lighter > 1.1 or bluer > 10


def test_levels_lie_between_the_ends() -> None:
    assert scale.level(-5, -1, 1) == 0
    assert scale.level(1, -1, 1) == scale.LEVELS - 1
    assert scale.level(0, -1, 1) in (15, 16)
    assert scale.level(math.nan, 0, 1) is None
    assert scale.level(3, 3, 3) is not None


def test_a_cell_has_the_colour_of_its_value() -> None:
    picture = HeatMap("two", [[0.0, 1.0]], 0, 1)
    strips = heat_map.render(picture, 20, 5, COLOUR)
    filled = [segment.style for segment in strips[1] if segment.style and not segment.text.strip()]
    shown = [
        style.bgcolor.get_truecolor()
        for style in filled
        if style.bgcolor and style.bgcolor != COLOUR.text.bgcolor
    ]
    assert [tuple(colour) for colour in shown] == [scale.colours()[0], scale.colours()[-1]]


def test_half_blocks_show_two_rows_a_line() -> None:
    picture = HeatMap("rows", [[0.0], [1.0]] * 10, 0, 1)
    strips = heat_map.render(picture, 20, 12, COLOUR)
    assert len(strips) == 12
    (cell,) = [segment for segment in strips[1] if "▀" in segment.text]
    assert cell.style is not None
    assert cell.style.color is not None
    assert cell.style.bgcolor is not None
    assert tuple(cell.style.color.get_truecolor()) == scale.colours()[0]
    assert tuple(cell.style.bgcolor.get_truecolor()) == scale.colours()[-1]


def test_without_colour_shades_stand_for_the_values() -> None:
    picture = HeatMap("ramp", [[0.0, 0.25, 0.5, 0.75, 1.0]], 0, 1)
    line = heat_map.render(picture, 30, 5, PLAIN)[1].text
    assert [shade for shade in heat_map.SHADES if shade * 2 in line] == list(heat_map.SHADES)
    assert line.index("░") < line.index("▒") < line.index("▓") < line.index("█")


def test_marked_rows_the_cursor_and_the_scale_are_said_in_signs() -> None:
    for look in (COLOUR, PLAIN):
        seen = text(heat_map.render(MAP, 60, 15, look))
        assert "● the" in seen
        assert "▸ 😀" in seen
        assert "▲4" in seen
        assert "[" in seen.splitlines()[4]
        assert "-1 " in seen.splitlines()[-1]
        assert seen.splitlines()[-1].rstrip().endswith(" 1")


def test_masked_cells_are_not_part_of_the_scale() -> None:
    for look in (COLOUR, PLAIN):
        seen = text(heat_map.render(PICTURES["masked"], 40, 8, look))  # type: ignore[arg-type]
        assert "masked" in seen
        assert seen.count("·") >= 2


def test_what_is_left_out_is_said_and_marked_rows_stay() -> None:
    large = PICTURES["large"]
    assert isinstance(large, HeatMap)
    seen = text(heat_map.render(large, 60, 12, COLOUR))
    assert "/200 rows" in seen
    assert "/300 cols" in seen
    assert {7, 150} <= set(thinned(200, 18, large.marked))


def test_indices_are_thinned_evenly() -> None:
    assert thinned(3, 5) == [0, 1, 2]
    assert thinned(100, 5) == [0, 25, 50, 74, 99]
    kept = thinned(100, 5, [30, 60])
    assert {30, 60} <= set(kept)
    assert kept == sorted(kept)
    assert len(kept) <= 5
    assert thinned(9, 1, [4]) == [4]


# The dial.


def dots(strips: list[Strip]) -> set[tuple[int, int]]:
    """The dots of a drawing, from its braille signs: a second way than the canvas."""
    bits = dict(enumerate([(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]))
    found = set()
    for row, strip in enumerate(strips):
        for column, sign in enumerate(strip.text):
            mask = ord(sign) - 0x2800
            if 0 < mask < 256:
                found |= {
                    (2 * column + dx, 4 * row + dy) for bit, (dx, dy) in bits.items() if mask >> bit & 1
                }
    return found


@pytest.mark.parametrize("angle", [0.0, 0.7, math.pi / 2, 2.5, -1.0, -3.0, 40.0])
def test_a_hand_points_at_its_angle(angle: float) -> None:
    bare = dots(dial.draw(Dial("", ()), 40, 20, COLOUR))
    hand = dots(dial.draw(Dial("", (Hand("", angle),)), 40, 20, COLOUR)) - bare
    x, y = max(hand, key=lambda dot: math.hypot(dot[0] - 40, dot[1] - 40))
    assert math.remainder(math.atan2(40 - y, x - 40) - angle, 2 * math.pi) == pytest.approx(0, abs=0.08)


@pytest.mark.parametrize(("wedge", "share"), [((0.0, math.pi), 0.5), ((1.0, 1.0 + math.pi / 2), 0.25),
                                              ((2.0, 2.0 - math.pi), 0.5), ((0.0, 0.0), 0.0),
                                              ((0.0, 9.0), 1.0)])  # fmt: skip
def test_a_wedge_fills_its_share_of_the_face(wedge: tuple[float, float], share: float) -> None:
    bare = dots(dial.draw(Dial("", ()), 40, 20, COLOUR))
    filled = dots(dial.draw(Dial("", (), wedge), 40, 20, COLOUR)) - bare
    whole = dots(dial.draw(Dial("", (), (0.0, 7.0)), 40, 20, COLOUR)) - bare
    assert len(filled) / len(whole) == pytest.approx(share, abs=0.06)


def test_hands_have_names_and_patterns_of_their_own() -> None:
    strips = dial.render(Dial("two", (Hand("q", 1.0), Hand("k", 1.0))), 40, 16, COLOUR)
    assert "q" in text(strips)
    assert "k" in text(strips)
    one = dots(dial.draw(Dial("", (Hand("", 0.5),)), 40, 20, COLOUR))
    two = dots(dial.draw(Dial("", (Hand("", 3.6), Hand("", 0.5))), 40, 20, COLOUR))
    right = {dot for dot in one if dot[0] > 45}
    assert len({dot for dot in two if dot[0] > 45}) < len(right)


def test_a_hand_that_points_nowhere_is_left_out() -> None:
    assert dots(dial.draw(Dial("", (Hand("", math.nan),)), 20, 10, COLOUR)) == dots(
        dial.draw(Dial("", ()), 20, 10, COLOUR)
    )


# Bars.


def bar_cells(line: str, label: int) -> str:
    return line[label + 1 :]


def test_bars_are_as_long_as_their_values() -> None:
    picture = Bars("", tuple(Bar("b", value, "") for value in (0.0, 2.5, 5.0, 10.0)), 0, 10)
    lines = [strip.text for strip in bars.render(picture, 43, 6, PLAIN)][1:5]
    assert [line.count("█") for line in lines] == [0, 10, 20, 40]


def test_negative_bars_go_left_of_zero() -> None:
    picture = Bars("", (Bar("a", -2, "-2"), Bar("b", 2, "2"), Bar("c", 0, "0")), -4, 4)
    left, right, none = (strip.text for strip in bars.render(picture, 60, 6, PLAIN)[1:4])
    zero = none.index("│")
    assert left.index("█") < zero < right.index("█")
    assert left.count("█") == pytest.approx(right.count("█"), abs=1)
    assert "█" not in none


def test_a_limit_is_a_line_with_its_number() -> None:
    seen = text(bars.render(PICTURES["bars"], 60, 12, PLAIN))  # type: ignore[arg-type]
    assert seen.count("┊") + seen.count("┃") == 1 + len(WORDS)
    assert seen.splitlines()[0].endswith("┊ 3")
    assert "◂ here" in seen
    outside = Bars("", (Bar("a", 1, "1"),), 0, 2, limit=5)
    assert "┊ 5, outside" in text(bars.render(outside, 60, 5, PLAIN))


def test_too_many_bars_are_thinned_and_counted() -> None:
    seen = text(bars.render(PICTURES["positive"], 60, 12, PLAIN))  # type: ignore[arg-type]
    assert "10/50 bars" in seen
    assert "b0 " in seen
    assert "b49 " in seen


# Curves.


def test_a_curve_goes_through_its_points() -> None:
    picture = Curves("", (Curve("", [0, 10], [0.0, 10.0]),), "x", "y")
    strips = curves.render(picture, 44, 24, PLAIN)
    drawn = sorted(dots(strips))
    assert drawn[0][1] > drawn[-1][1]
    slopes = {round((y - drawn[0][1]) / (x - drawn[0][0]), 1) for x, y in drawn[20:]}
    assert len(slopes) <= 3


def test_axes_have_round_numbers_and_names() -> None:
    seen = text(curves.render(PICTURES["curves"], 60, 16, PLAIN))  # type: ignore[arg-type]
    assert "0.5 ┤" in seen
    assert "-0.5 ┤" in seen
    assert "across: x · up: y" in seen
    assert "─── sine" in seen
    assert "╌╌╌ line" in seen
    assert "● here" in seen
    assert seen.count("●") == 2


def test_a_logarithmic_axis_has_powers_of_ten_at_equal_distances() -> None:
    lines = text(curves.render(PICTURES["log"], 60, 12, PLAIN)).splitlines()  # type: ignore[arg-type]
    numbers = lines[-2]
    assert numbers.split() == ["1", "10", "100", "1000"]
    ticks = [at for at, sign in enumerate(lines[-3]) if sign == "┬"]
    gaps = [after - before for before, after in itertools.pairwise(ticks)]
    assert max(gaps) - min(gaps) <= 1


def test_curves_without_points_are_an_empty_picture() -> None:
    nothing = Curves("nothing", (Curve("a", [1, 2], [math.nan, math.inf]),), "x", "y")
    assert "nothing" in text(draw((nothing,), 40, 10, PLAIN))


# The matrix.


def test_a_matrix_keeps_the_part_round_its_cursor() -> None:
    cells = tuple(tuple(f"{i},{j}" for j in range(30)) for i in range(30))
    names = tuple(map(str, range(30)))
    seen = text(matrix.render(Matrix("m", cells, names, names, cursor=(20, 25)), 46, 12, PLAIN))
    assert "[20,25]" in seen
    assert "rows 15-24 of 0-29" in seen
    assert any(line.startswith("▸20 ") for line in seen.splitlines())


def test_shades_lie_behind_the_text_and_ink_follows_them() -> None:
    shaded = Matrix("m", (("1", "2"),), ("r",), ("a", "b"), [[0.0, 1.0]])
    cells = [
        segment for segment in matrix.render(shaded, 30, 5, COLOUR)[2] if segment.text.strip() in ("1", "2")
    ]
    for segment, ink in zip(cells, ("#ffffff", "#000000"), strict=True):
        assert segment.style is not None
        assert segment.style.color is not None
        assert segment.style.color.name == ink
    plain = matrix.render(shaded, 30, 5, PLAIN)[2]
    assert all(segment.style is None or segment.style.bgcolor is None for segment in plain)


def test_marked_cells_are_underlined_and_keep_their_text() -> None:
    strips = matrix.render(PICTURES["matrix"], 90, 12, PLAIN)  # type: ignore[arg-type]
    marked = [segment.text.strip() for segment in strips[3] if segment.style and segment.style.underline]
    assert "".join(marked) == "0"


# Words and numbers.


def test_texts_are_cut_by_cells() -> None:
    assert fit("日本語", 4) == "日 …"
    assert cell_len(fit("日本語", 4)) == 4
    assert fit("ab", 4, right=True) == "  ab"
    assert fit("a\nb", 5) == "a b  "
    assert fit("abc", 0) == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (1, "1"), (-1, "-1"), (0.25, "0.25"), (62831.85, "6.283e+04"), (1e-5, "1e-5"), (123456, "1.2e5"),
     (1000, "1000"), (0.3333333, "0.333")],
)  # fmt: skip
def test_numbers_on_an_axis_are_short(value: float, said: str) -> None:
    assert number(value) == said
