from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.exchange.to_html import mathjax, to_html


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("Plain words > here", "Plain words &gt; here"),
        ("two\nlines\n\nnext", "<p>two lines</p><p>next</p>"),
        ("Is $i<j$ masked?", r"Is \(i&lt;j\) masked?"),
        ("$x$ is 3", r"\(x\) is 3"),
        ("$5 and $10", "$5 and $10"),
        ("$$\n- a\n+ b % c\n$$", r"\[- a + b\]"),
        ("see $$x<y$$ here", r"see \[x&lt;y\] here"),
        (r"$\text{if \(x\)}$", r"\(\text{if $x$}\)"),
        ("1 <= n <b>", "1 &lt;= n &lt;b&gt;"),
        ("a\\\nb  \nc", "a<br>b<br>c"),
        ("**a** *b* ~~c~~ `d<e`", "<b>a</b> <i>b</i> <s>c</s> <code>d&lt;e</code>"),
        ("```cpp\n#include <bits/stdc++.h>\n\n\tint x;\n```",
         '<pre><code class="language-cpp">#include &lt;bits/stdc++.h&gt;\n\n\tint x;</code></pre>'),
        ("- a\n- b\n  1. c", "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>"),
        ("![my *pic*](a%20b.png)", '<img src="a b.png" alt="my pic">'),
        ('![x](https://e.org/a%20b "t")', '<img src="https://e.org/a%20b" alt="x">'),
        ("[l](https://e.org/?a=1&b=2)", '<a href="https://e.org/?a=1&amp;b=2">l</a>'),
        ("[l](javascript:alert(1))", "[l](javascript:alert(1))"),
        ("| a | b |\n|---|--:|\n| $x$ | 2 |",
         '<table><thead><tr><th>a</th><th style="text-align:right">b</th></tr></thead><tbody><tr><td>\\(x\\)</td>'
         '<td style="text-align:right">2</td></tr></tbody></table>'),
        (r"literal \\(x\\) and [sound:x.mp3]", r"literal \<!-- -->(x\) and [<!-- -->sound:x.mp3]"),
        ("", ""),
    ],
)  # fmt: skip
def test_markdown_becomes_html(markdown: str, html: str) -> None:
    assert to_html(markdown) == html


def test_a_heading_is_one_line_without_blocks() -> None:
    assert to_html("# no\n- list **x**", inline=True) == "# no - list <b>x</b>"


def test_the_caller_draws_the_formulas() -> None:
    def draw(tex: str, display: bool) -> str:
        return f"<m{int(display)}>{tex}</m>"

    assert to_html("$a<b$ and $$c$$", draw) == "<m0>a<b</m> and <m1>c</m>"


def test_tex_comments_do_not_swallow_the_rest_of_a_formula() -> None:
    assert mathjax("a % first\n+ b \\% c", True) == r"\[a + b \% c\]"


@given(
    st.text(alphabet="ab1 >.,;:'\"()/#-+", min_size=1, max_size=30).filter(lambda text: text == text.strip())
)
def test_the_fast_way_for_plain_lines_agrees_with_the_parser(text: str) -> None:
    alone = to_html(text)
    assert (
        to_html(text + "\n\n`x`")
        == (alone if alone.startswith("<") else f"<p>{alone}</p>") + "<p><code>x</code></p>"
    )
