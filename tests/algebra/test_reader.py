"""The reader: what may be typed, how it is read, and what is refused where."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quizapp.algebra import Names, Unreadable, read, read_relation, same_form, to_latex, to_text
from quizapp.errors import UsageError

ROTATION = {"R(x)": "[[cos(x), -sin(x)], [sin(x), cos(x)]]"}
NAMES = Names(
    {
        **dict.fromkeys(("m", "n", "theta", "q", "k", "omega_i", "p", "i", "x", "y", "q_1"), "real"),
        **dict.fromkeys(("b", "s"), "positive"),
        "d": "real > 2",
    },
    {**ROTATION, "A": "[[p, q], [x, y]]"},
    strict=True,
)

SAME_READING = [
    ("cos((n-m)theta)", "cos((n-m)*theta)"),
    ("b s^(d/(d-2))", "b*s^(d/(d-2))"),
    ("2pi/theta", "2*pi/theta"),
    ("10000^(2i/d)", "10000**(2*i/d)"),
    ("10000²ⁱᐟᵈ", "10000^(2*i/d)"),
    (r"\cos((n-m)\theta)", "cos((n-m)*theta)"),
    (r"\frac{p}{10000^{2i/d}}", "p/10000^(2*i/d)"),
    (r"\frac12", "1/2"),
    (r"\sqrt{x}", "sqrt(x)"),
    ("√x", "sqrt(x)"),
    (r"\sqrt[3]{x}", "root(x, 3)"),
    (r"\left( x + y \right)^2", "(x+y)^2"),
    ("θ² · 2 − ω_i", "theta^2*2 - omega_i"),
    ("ωᵢ", "omega_i"),
    (r"\omega_{i}", "omega_i"),
    (r"\omega_i k", "omega_i*k"),
    ("ω_i", "omega_i"),
    ("q1", "q_1"),
    ("q₁", "q_1"),
    ("mtheta", "m*theta"),
    ("qk", "q*k"),
    ("mtheta^2", "m*theta^2"),
    ("2mR(x)", "2*m*R(x)"),
    ("mR(x)", "m*R(x)"),
    ("sin^2 x", "sin(x)^2"),
    ("sin²(x)", "sin(x)^2"),
    (r"\sin^2\theta", "sin(theta)^2"),
    (r"\sin x \cos y", "sin(x)*cos(y)"),
    ("sin 2x cos 3y", "sin(2*x)*cos(3*y)"),
    ("log_2 x", "log(x, 2)"),
    (r"\log_{10}(x)", "log(x, 10)"),
    ("ln x", "log(x)"),
    ("arcsin(x)", "asin(x)"),
    ("-x^2", "-(x^2)"),
    ("2^-x", "2^(-x)"),
    ("x^y^2", "x^(y^2)"),
    ("|x||y|", "abs(x)*abs(y)"),
    ("2|x|", "2*abs(x)"),
    (r"\left|x\right|", "abs(x)"),
    ("⌊x⌋", "floor(x)"),
    ("n!", "factorial(n)"),
    ("A^T", "transpose(A)"),
    ("Aᵀ", "transpose(A)"),
    (r"A^\top", "transpose(A)"),
    (r"A^{\top}", "transpose(A)"),
    (r"A^{\mathsf{T}}", "transpose(A)"),
    (r"\begin{pmatrix} p & q \\ x & y \end{pmatrix}", "[[p, q], [x, y]]"),
    (r"\begin{bmatrix} p \\ q \end{bmatrix}", "[p, q]"),
    ("Matrix([[p, q], [x, y]])", "[[p, q], [x, y]]"),
    (r"\sum_{j=0}^{n} j x", "Sum(j*x, (j, 0, n))"),
    ("sum(j x, j, 0, n)", "Sum(j*x, (j, 0, n))"),
    (r"\sum^{n}_{j=0} j x", "Sum(j*x, (j, 0, n))"),
    (r"\operatorname{softmax}(A)", "softmax(A)"),
    (r"e^{I\theta}", "e^(I*theta)"),
    ("1/2 x", "(1/2)*x"),
    (r"\frac{1}{2}x", "(1/2)*x"),
    ("2 pi 10000^(i/d)", "2*pi*10000^(i/d)"),
    ("A[0, 1]", "A[0,1]"),
]


@pytest.mark.parametrize(("typed", "plain"), SAME_READING)
def test_two_ways_to_type_one_expression(typed: str, plain: str) -> None:
    assert read(typed, NAMES) == read(plain, NAMES)


@pytest.mark.parametrize(
    ("typed", "at", "part"),
    [
        ("x'", 2, "prime"),
        ("1/2x", 4, "ambiguous: write (1/2)*x or 1/(2*x)"),
        ("x/y k", 5, "ambiguous"),
        ("1/2(x+y)", 4, "ambiguous"),
        ("cos(x", 4, "never closed"),
        ("x)", 2, "never opened"),
        ("x +", 4, "the line ends"),
        ("", 1, "nothing"),
        ("2 3", 3, "write *"),
        ("thta", 1, "Did you mean theta"),
        ("x = y", 3, "not an equation"),
        ("x < y", 3, "only ="),
        ("соs(x)", 1, "CYRILLIC"),
        ("x\0", 2, "U+0000"),
        ("x\u202ey", 2, "RIGHT-TO-LEFT OVERRIDE"),
        ("sinx", 1, "sin(x)"),
        ("sin^-1 x", 4, "ambiguous"),
        ("cos(x, y)", 1, "takes 1 argument"),
        ("R(x, y)", 1, "takes 1 argument"),
        (r"\foo x", 1, "not known"),
        ("x_{i+1}", 5, "only letters and digits"),
        ("[[x, y], [x]]", 1, "different lengths"),
        ("9**9**9**9", 5, "too large"),
        ("2**(10**10)", 2, "too large"),
        ("10**(-10**9)", 3, "too large"),
        ("factorial(10^8)", 1, "50!"),
        ("100000000!", 10, "50!"),
        ("x^69420", 2, "64"),
        ("1e-999999999", 1, "power of ten"),
        ("1" * 41, 1, "41 digits"),
        ("__import__('os').system('ls')", 1, "subscript"),
        ("().__class__", 3, "FULL STOP"),
        ("x!!", 3, "double factorial"),
        ("|x", 1, "never closed"),
        (r"\begin{array}{c} x \end{array}", 1, "environment"),
    ],
)
def test_refused_with_its_place(typed: str, at: int, part: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(typed, NAMES)
    assert part in caught.value.message
    assert caught.value.at == at


@pytest.mark.parametrize(
    "hostile",
    [
        "(" * 10_000,
        "sin(" * 400,
        "(" * 900 + "x" + ")" * 900,
        "x+" * 500_000,
        "9**9**9**9",
        "(((9^9)^9)^9)^9",
        "exp(exp(exp(9)))^9999",
        "factorial(factorial(40))",
        "-" * 1500 + "x",
        "x^" * 900 + "x",
        "|" * 1000,
        "[" * 1000,
        "_" * 1000,
        "{" * 1000,
        "\\" * 1000,
        "x_{" * 300,
        "√" * 1000,
    ],
)
def test_hostile_input_is_refused_at_once(hostile: str) -> None:
    read("x", NAMES)
    start = time.perf_counter()
    with pytest.raises(Unreadable):
        read(hostile, NAMES)
    # A millisecond or two; the bound leaves room for a busy machine.
    assert time.perf_counter() - start < 0.1


def test_undeclared_names_are_real_symbols_unless_strict() -> None:
    assert to_text(read("zeta + pos", Names())) == "zeta + pos"
    with pytest.raises(Unreadable, match="zeta is not declared"):
        read("zeta", Names({"x": "real"}, strict=True))


def test_glued_words_split_only_one_way() -> None:
    assert to_text(read("qk", Names({"q": "real"}))) == "qk"
    with pytest.raises(Unreadable, match=r"abc could be"):
        read("abc", Names(dict.fromkeys(("a", "bc", "ab", "c"), "real")))


def test_e_is_a_symbol_once_declared() -> None:
    assert read("e", Names()).head == "const"
    assert read("e", Names({"e": "real"})).head == "sym"


def test_t_is_a_transpose_for_matrices_only() -> None:
    assert read("x^T", Names()).head == "pow"
    assert read("[x, y]^T", Names()).head == "transpose"
    assert read("[x, y]^T", Names({"T": "integer"})).head == "pow"


def test_chains() -> None:
    assert [to_text(side) for side in read_relation("x = y = 2x", NAMES)] == ["x", "y", "2*x"]
    assert [side.text for side in read_relation("x + y", NAMES)] == ["x + y"]


def test_external_calls_with_words_and_indices() -> None:
    names = Names(functions=("sinusoidal", "t5_bucket"), words=("bidirectional",))
    tree = read("t5_bucket(-1, 32, 128, bidirectional)", names)
    assert (tree.head, [part.head for part in tree.args]) == ("external", ["neg", "num", "num", "word"])
    assert read("sinusoidal(1, 4)[0]", names).head == "index"


@pytest.mark.parametrize(
    ("typed", "latex"),
    [
        ("cos((n-m)theta)", r"\cos\left(\left(n - m\right) \theta\right)"),
        ("p/10000^(2i/d)", r"\frac{p}{10000^{\frac{2 i}{d}}}"),
        ("R(m theta)^T", r"R\left(m \theta\right)^{\top}"),
        ("omega_i", r"\omega_{i}"),
        ("sqrt(x)", r"\sqrt{x}"),
        ("sin(x)^2", r"\sin^{2}\left(x\right)"),
        ("2*3", r"2 \cdot 3"),
        ("-(x+y)", r"-\left(x + y\right)"),
        ("x - (y - k)", r"x - \left(y - k\right)"),
        ("[[x, y]]", r"\begin{pmatrix} x & y \end{pmatrix}"),
        ("Sum(j, (j, 1, n))", r"\sum_{j=1}^{n} j"),
    ],
)
def test_latex_of_a_reading(typed: str, latex: str) -> None:
    assert to_latex(read(typed, NAMES)) == latex


@pytest.mark.parametrize(
    "typed", [typed for typed, _ in SAME_READING] + ["x - (y - k)", "x/(y/k)", "(x^y)^2"]
)
def test_text_reads_back(typed: str) -> None:
    tree = read(typed, NAMES)
    assert read(to_text(tree), NAMES) == tree


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("x + y", "y + x", True),
        ("x*y - k", "-k + y*x", True),
        ("x/(y*k)", "x/k/y", True),
        ("2*3", "6", False),
        ("x + x", "2x", False),
        ("(x+y)^2", "x^2 + 2x y + y^2", False),
        ("A*transpose(A)", "transpose(A)*A", False),
        ("1/x", "x^(-1)", True),
        ("R(x) R(y)", "R(y) R(x)", False),
    ],
)
def test_same_form(a: str, b: str, same: bool) -> None:
    assert same_form(read(a, NAMES), read(b, NAMES)) is same


@pytest.mark.parametrize(
    "assumption", ["reel", "positive real", "real > ", "complex > 2", "real > 3 < 2", ""]
)
def test_bad_assumptions_are_refused(assumption: str) -> None:
    with pytest.raises(UsageError):
        Names({"x": assumption})


def test_ranges() -> None:
    where = Names({"x": "0 < real < 1", "d": "integer > 2"}).assumptions
    assert where["x"].positive
    assert where["x"].upper == 1
    assert where["x"].open_upper
    assert where["d"].integer
    assert where["d"].lower == 2


def test_definitions_that_refer_to_themselves_are_refused() -> None:
    names = Names(let={"f(x)": "g(x)", "g(x)": "f(x)^T"})
    with pytest.raises(UsageError, match="refers to itself"):
        read("f(2)^T", names)


ALPHABET = [
    *"xyzmn0129.+-*/^()[]{}|,=!_'\\ ²ᵀθω√∑πᵢ₁&;#@\"$%~\n",
    "sin", "cos(", "\\frac{", "\\sqrt", "\\sum_{i=0}^", "\\begin{pmatrix}", "\\\\", "\\end{pmatrix}",
    "R(", "theta",
    "Sum(", "log_", "\\left(", "\\right)", "mtheta", "^T", "\\mathrm{", "e", "1e5", "Matrix(",
    "⌊", "\\operatorname",
]  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(ALPHABET), max_size=30).map("".join) | st.text(max_size=40))
@example("\\")
@example("x_\\")
@example("\\mathbf")
@example("\\text{")
@example("Sum(x,")
@example("sum_{i")
@example("log_")
@example("\\frac")
@example("²")
@example("x^²")
def test_random_text_is_read_or_refused_with_a_place(text: str) -> None:
    try:
        tree = read(text, NAMES)
    except Unreadable as error:
        refused = error
    else:
        assert to_latex(tree)
        assert read(to_text(tree), NAMES) == tree
        return
    assert 1 <= refused.at <= max(len(text), 1) + 1
    assert refused.message
