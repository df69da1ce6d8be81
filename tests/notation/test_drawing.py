"""The traps of formulas, one line each; and what is never done: raise, drop, guess."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizapp.notation import draw, inline, to_mathml
from quizapp.notation.width import cells


def drawn(latex: str, *, display: bool = True) -> str:
    drawing = draw(latex, display=display)
    assert not drawing.is_source, latex
    return "\n".join(row.rstrip() for row in drawing.rows)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\operatorname{softmax}(x)", "softmax(x)"),
        (r"\begin{aligned} a &= b \\ &= c \end{aligned}", "a = b\n  = c"),
        (r"\begin{align*} a &= b \end{align*}", "a = b"),
        (r"\begin{split} a &= b \end{split}", "a = b"),
        (r"\left. x \right|_{0}", "x|₀"),
        (r"\text{a {b} \emph{c}}", "a b c"),
        (r"\text{if $x_i$ is}", "if xᵢ is"),
        (r"a \not= b", "a ≠ b"),
        (r"a \not\in B", "a ∉ B"),
        (r"10000^{2i/d}", "10000²ⁱᐟᵈ"),
        (r"x^\frac12", "  1\n ───\n  2\nx"),
        (r"\frac12", " 1\n───\n 2"),
        (r"\frac{a+b}{c}", " a + b\n───────\n   c"),
        (r"\dfrac{a}{b}\tfrac{c}{d}", " a   c\n─── ───\n b   d"),
        (r"-\frac{a}{b}", "   a\n- ───\n   b"),
        (r"1{,}000 = 1,000", "1,000 = 1,000"),
        (r"\{1,200\}, (0,100), 12,000x", "{1, 200}, (0, 100), 12,000x"),
        (r"\lim_{x->0} √{x}", "    ┌─\nlim √x\nx→0"),
        (r"||x||_2 + ||a|-|b||", "||x||₂ + ||a| - |b||"),
        (r"\left(||\frac{a}{b}||_2\right)", "⎛││ a ││ ⎞\n⎜││───││ ⎟\n⎝││ b ││₂⎠"),
        (r"\{x | |x|<1\}, \{|x| | x>1\}", "{x | |x| < 1}, {|x| | x > 1}"),
        (r"P(|X|>t | Y), D(p||q)", "P(|X| > t | Y), D(p||q)"),
        (r"s = <x,y> = 1, 0<x<1", "s = <x, y> = 1, 0 < x < 1"),
        (r"\mathcal{L_1}", "𝓛₁"),
        (r"∥x̂∥₂ \textbf{v}^{−1}", "‖x̂‖₂𝐯⁻¹"),
        (r"x^- y + \hat{x}^-_k + 2 ~ \mathrm{m}", "x⁻y + x̂ₖ⁻ + 2 m"),
        (r"\mathbf 1_i \mathbb 1", "𝟏ᵢ𝟙"),
        (r"\begin{aligned} x =& a \\ +& b\end{aligned}", "x = a\n  + b"),
        (r"a,\,_2F_1", "a, ₂F₁"),
        (r"\Big\{\begin{array}{l} a \\ b\end{array}", "⎧ a\n⎨\n⎩ b"),
        (r"\begin{array}{l} a \\ b\end{array}\Big\}^2", " a ⎫²\n   ⎬\n b ⎭"),
        (r"\operatorname{rotate\_half}(x)", "rotate_half(x)"),
        (r"{}+a, \begin{aligned} x ={}& b \\ {}& + c\end{aligned}", " + a, x = b\n           + c"),
        (r"x\hspace*{1em}y\vspace{1mm}", "x   y"),
        (r"a &= b \\ &= c", "a = b\n  = c"),
        (r"\smash[b]{x} \text dx", "xdx"),
        ("a \\\n b", "a b"),
        (r"x_{\text{a b}}", "x\n a b"),
        (r"\left\{\begin{aligned} a &= b \\ c &= d\end{aligned}\right.", "⎧ a = b\n⎨\n⎩ c = d"),
        (r"\frac{a}{b}\Big|_0^1", " a │¹\n───│\n b │₀"),
        (r"P\Big(\frac{a}{b}\Big|c\Big)", " ⎛ a  │  ⎞\nP⎜─── │ c⎟\n ⎝ b  │  ⎠"),
        (r"f(x, y)", "f(x, y)"),
        (r"\mathbf{R}\mathbb{R}\mathcal{L}", "𝐑ℝ𝓛"),
        (r"\max(0, -x)", "max(0, -x)"),
        (r"x_q", "x\n q"),
        (r"\mathrm{PE}(p)", "PE(p)"),
        (r"2\sin x\cos y", "2 sin x cos y"),
        (r"x \% y", "x%y"),
        (r"a % a comment", "a"),
        (r"\color{red} x + \textcolor{blue}{y}", "x + y"),
        (r"f''(x)", "f″(x)"),
        (r"\hat\theta", "θ̂"),
        (r"日_i", "日ᵢ"),
    ],
)
def test_trap(latex: str, expected: str) -> None:
    assert drawn(latex) == expected


@pytest.mark.parametrize(
    "latex",
    [
        r"\foo x", r"\frac{a}", r"{x", r"x}", r"x & y", r"a & b & c \\ d & e & f",
        r"x^2^3", r"x_1_2", r"\left( x", r"x \right)",
        r"\begin{nope}x\end{nope}",
        r"\begin{cases} x", r"\cancel{x}", r"\sideset{}{'}\sum", r"\sqrt[3", r"\text{\foo}",
        r"\left\foo x \right)", "", " ", "#1",
        r"\newcommand{\a}{b}\a", r"e^-x", r"x^(i+1)", r"x ~ N(0,1)", r"\operatorname{a^b}", "a\x07b",
        r"\begin{array}{p{3cm}} a \end{array}", "x" + "^{x" * 200,
    ],
)  # fmt: skip
def test_doubt_shows_the_source(latex: str) -> None:
    drawing = draw(latex)
    assert drawing.is_source
    assert inline(latex) is None
    assert to_mathml(latex) is None
    assert all(character.isprintable() for row in drawing.rows for character in row)
    assert {cells(row) for row in drawing.rows} == {drawing.width}


def test_limits_stand_beside_the_operator_in_text() -> None:
    assert drawn(r"\sum_{i=0}^{n} x_i", display=False) == "∑ᵢ₌₀ⁿ xᵢ"
    assert drawn(r"\sum_{i=0}^{n} x_i") == " n\n ∑  xᵢ\ni=0"


_PIECES = st.sampled_from(
    [
        r"x",
        r"y",
        r"2",
        r"+",
        r"-",
        r"=",
        r"(",
        r")",
        r"[",
        r"]",
        r"{",
        r"}",
        r"^",
        r"_",
        r"&",
        r"'",
        r",",
        r"|",
        r"\frac",
        r"\sqrt",
        r"\sum",
        r"\left(",
        r"\right)",
        r"\text{a}",
        r"\\",
        r"\begin{cases}",
        r"\end{cases}",
        r"\hat",
        r"\alpha",
        r"\mathbf",
        r"\underbrace",
        r"\substack",
        r"\operatorname{f}",
        r"\middle|",
        r"\|",
        r"\{",
        r"\}",
        r"\not",
        r"\over",
        r"\xrightarrow",
        r"\overset",
    ]
)


@given(st.lists(_PIECES, max_size=14).map(" ".join))
@settings(deadline=None, max_examples=500)
def test_no_input_raises(latex: str) -> None:
    drawing = draw(latex)
    assert {cells(row) for row in drawing.rows} == {drawing.width}
    line = inline(latex)
    assert line is None or "\n" not in line
    mathml = to_mathml(latex)
    assert mathml is None or ElementTree.fromstring(mathml).tag.endswith("math")
    if not drawing.is_source:
        shown = "".join(drawing.rows)
        assert "\\" not in shown
        assert "&" not in shown


@given(st.text(max_size=30))
@settings(deadline=None)
def test_no_text_raises(text: str) -> None:
    assert all(character.isprintable() for row in draw(text).rows for character in row)
    inline(text)


def test_mathml_is_standard_and_escaped() -> None:
    assert to_mathml(r"i < \frac{a}{b}", display=False) == (
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline">'
        "<mi>i</mi><mo>&lt;</mo><mfrac><mrow><mi>a</mi></mrow>"
        "<mrow><mi>b</mi></mrow></mfrac></math>"
    )


def test_mathml_tables_and_frames_are_css() -> None:
    table = ElementTree.fromstring(to_mathml(r"\begin{array}{r|l} a & b \\ \hline c & d \end{array}") or "")
    cells_of_table = [item for item in table.iter() if item.tag.endswith("mtd")]
    assert [cell.get("style") for cell in cells_of_table] == [
        "text-align: right",
        "text-align: left; border-left: 1px solid",
        "text-align: right; border-top: 1px solid",
        "text-align: left; border-left: 1px solid; border-top: 1px solid",
    ]
    assert "border: 1px solid" in (to_mathml(r"\boxed{x}") or "")
    assert 'mathvariant="normal">d<' in (to_mathml(r"\mathrm{d}x") or "")


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\frac{a+b}{c}", "(a + b)/c"),
        (r"\frac{a}{b+c}", "a/(b + c)"),
        (r"\frac{a}{bc}", "a/(bc)"),
        (r"\frac{1}{2}x", "(1/2)x"),
        (r"x\frac{1}{2}", "x(1/2)"),
        (r"\frac{1}{2} + x", "1/2 + x"),
        (r"\frac{\frac{a}{b}}{c}", "(a/b)/c"),
        (r"{\frac{a}{b}}^2", "(a/b)²"),
        (r"\sqrt{d_k}", "√dₖ"),
        (r"\sqrt{d}x", "√(d)x"),
        (r"\sqrt{a+b}", "√(a + b)"),
        (r"\sqrt{(a+b)}", "√(a + b)"),
        (r"\sqrt{(a)(b)}", "√((a)(b))"),
        (r"\sin\frac{x}{2}", "sin(x/2)"),
        (r"\frac{\sin x}{2}", "(sin x)/2"),
        (r"a/\frac{b}{c}", "a/(b/c)"),
        (r"q_m^\top R_{n-m} k_n", "qₘᵀRₙ₋ₘkₙ"),
        (r"W_Q x", "W_Q x"),
        (r"x_{i,j}", "x_(i,j)"),
        (r"W_Q^\top x", "Wᵀ_Q x"),
        (r"p_\theta(x)", "p_θ(x)"),
        (r"e^\omega(x)", None),
        (r"\mathbb{R}^{n \times d}", "ℝ^(n×d)"),
        (r"\sum_i \frac{a}{b}", "∑ᵢ(a/b)"),
        (r"e^{-x_i^2}", "e^(-xᵢ²)"),
        (r"\hat q", "q̂"),
        (r"\begin{pmatrix} a \\ b \end{pmatrix}", None),
        (r"\underbrace{x}_{n}", None),
        (r"\overline{x+y}", None),
        (r"\binom{n}{k}", None),
        (r"\left. x \right|_0", "x|₀"),
        (r"\left. x + y \right|_0", None),
        (r"{K^r_{\delta(i,j)}}^\top", None),
        (r"W_{Q^2}", "W_(Q²)"),
        (r"f_{\theta'}", "f_(θ′)"),
        (r"\int_{\mathbb{R}^n} f", "∫_(ℝⁿ) f"),
        (r"q^* x^\dagger", "q^* x^†"),
        (r"Q^*(s,a)", "Q^*(s, a)"),
        (r"\frac{\partial\mathcal{L}}{\partial\theta_j}", "∂𝓛/∂θⱼ"),
        (r"\frac{1}{dx}", "1/(dx)"),
        (r"\frac{\text{cal}}{\text{mol K}}", "cal/(mol K)"),
        (r"\sqrt{\frac{a}{b}}^3", "(√(a/b))³"),
        (r"\sqrt{(a+b)^2}", "√((a + b)²)"),
        (r"\frac{\exp(e_{ij})}{Z}", "exp(eᵢⱼ)/Z"),
        (r"\frac{\text{score}(q,k)}{Z}", "score(q, k)/Z"),
        (r"\frac{p(x)}{b(c+d)}", "p(x)/(b(c + d))"),
        (r"\frac{f(x) + 1}{2}", "(f(x) + 1)/2"),
        (r"\log\frac{a}{b}c", None),
        (r"a \pmod n", "a   (mod n)"),
        (r"\prod_{p\ \text{prime}} x", "∏_(p prime) x"),
        (r"x_{\text{max len}}", "x_(max len)"),
        (r"x^{y^{z^q}}", None),
    ],
)
def test_one_line_keeps_the_meaning(latex: str, expected: str | None) -> None:
    assert inline(latex) == expected


def test_nothing_is_imported_before_the_first_formula() -> None:
    code = "import sys, quizapp.notation as n; print({'latex2mathml', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
