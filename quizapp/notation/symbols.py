"""The LaTeX commands that stand for one symbol, and the spacing class of every symbol.

Classes are TeX's (The TeXbook, chapter 18): ord, op (large operators and function names), bin, rel, open,
close, punct, and inner (fractions and the like).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


def _pairs(table: str) -> dict[str, str]:
    words = table.split()
    return dict(zip(words[::2], words[1::2], strict=True))


LETTERS: Mapping[str, str] = MappingProxyType(
    _pairs(
        r"""
        alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ
        iota ι kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ
        varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ
        Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω ell ℓ hbar ℏ Re ℜ Im ℑ wp ℘
        aleph ℵ partial ∂ nabla ∇ infty ∞ emptyset ∅ varnothing ∅ imath ı jmath ȷ top ⊤ bot ⊥
        angle ∠ forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ prime ′ circledast ⊛ square □ Box □
        blacksquare ■ triangle △ checkmark ✓ complement ∁ degree ° flat ♭ sharp ♯ natural ♮
        clubsuit ♣ heartsuit ♡ diamondsuit ♢ spadesuit ♠ S § P ¶ copyright © pounds £ dag †
        ddag ‡ surd √ R ℝ N ℕ Z ℤ reals ℝ Reals ℝ natnums ℕ Complex ℂ cnums ℂ real ℜ image ℑ
        infin ∞ empty ∅ exist ∃ alef ℵ alefsym ℵ weierp ℘ thetasym ϑ backprime ‵ Alpha Α Beta Β
        Epsilon Ε Zeta Ζ Eta Η Iota Ι Kappa Κ Mu Μ Nu Ν Omicron Ο Rho Ρ Tau Τ Chi Χ
        """
    )
)

RELATIONS: Mapping[str, str] = MappingProxyType(
    _pairs(
        r"""
        le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ lt < gt > ll ≪ gg ≫ leqslant ⩽ geqslant ⩾ equiv ≡ sim ∼
        simeq ≃ approx ≈ cong ≅ propto ∝ varpropto ∝ doteq ≐ triangleq ≜ coloneqq ≔ eqqcolon ≕
        coloneq ≔ asymp ≍ in ∈ ni ∋ notin ∉ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊
        supsetneq ⊋ prec ≺ succ ≻ preceq ⪯ succeq ⪰ mid ∣ nmid ∤ parallel ∥ perp ⟂ vdash ⊢
        dashv ⊣ models ⊨ vDash ⊨ to → rightarrow → leftarrow ← gets ← leftrightarrow ↔
        Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ mapsto ↦ longrightarrow ⟶ longleftarrow ⟵
        longleftrightarrow ⟷ Longrightarrow ⟹ Longleftarrow ⟸ Longleftrightarrow ⟺ implies ⟹
        impliedby ⟸ iff ⟺ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓
        updownarrow ↕ Uparrow ⇑ Downarrow ⇓ nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖
        rightharpoonup ⇀ leftharpoonup ↼ rightleftharpoons ⇌ leadsto ⇝ rightsquigarrow ⇝
        twoheadrightarrow ↠ nrightarrow ↛ lesssim ≲ gtrsim ≳ approxeq ≊ nsim ≁ ncong ≇
        nsubseteq ⊈ nless ≮ ngtr ≯ nleq ≰ ngeq ≱ therefore ∴ because ∵ bowtie ⋈ sqsubseteq ⊑
        sqsupseteq ⊒ trianglelefteq ⊴ owns ∋ upharpoonright ↾ restriction ↾ vcentcolon : ratio :
        dblcolon ∷ defeq ≔ isin ∈ rarr → larr ← Rarr ⇒ Larr ⇐ harr ↔ lrarr ↔ hArr ⇔ uarr ↑ darr ↓
        sub ⊂ sube ⊆ supe ⊇
        """
    )
)

BINARIES: Mapping[str, str] = MappingProxyType(
    _pairs(
        r"""
        pm ± mp ∓ times × div ÷ cdot · cdotp · ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ ominus ⊖
        otimes ⊗ oslash ⊘ odot ⊙ cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ wedge ∧ land ∧ vee ∨ lor ∨
        setminus ∖ smallsetminus ∖ wr ≀ amalg ⨿ diamond ⋄ dagger † ddagger ‡ triangleleft ◁
        triangleright ▷ ltimes ⋉ rtimes ⋊ boxplus ⊞ boxtimes ⊠ boxdot ⊡ barwedge ⊼ veebar ⊻
        intercal ⊺ centerdot · backslash ∖ plusmn ± sdot · bull •
        """
    )
)

LARGE_OPERATORS: Mapping[str, str] = MappingProxyType(
    _pairs(
        r"""
        sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ bigvee ⋁
        bigwedge ⋀ biguplus ⨄ bigsqcup ⨆
        """
    )
)

# Integrals set their limits beside the sign.
INTEGRALS: Mapping[str, str] = MappingProxyType(_pairs("int ∫ iint ∬ iiint ∭ oint ∮ idotsint ∫⋯∫"))

PUNCTUATION: Mapping[str, str] = MappingProxyType(_pairs(r"colon : ldotp ."))

DOTS: Mapping[str, str] = MappingProxyType(
    _pairs(
        "dots … ldots … dotsc … dotso … mathellipsis … hdots … cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯ vdots ⋮ ddots ⋱ iddots ⋰"
    )
)

FUNCTIONS = frozenset(
    [
        "arccos",
        "arcsin",
        "arctan",
        "arccot",
        "arctg",
        "arcctg",
        "cosec",
        "ctg",
        "cth",
        "ch",
        "csch",
        "erf",
        "rank",
        "sech",
        "sh",
        "tg",
        "th",
        "tr",
        "Tr",
        "arg",
        "cos",
        "cosh",
        "cot",
        "coth",
        "csc",
        "deg",
        "dim",
        "exp",
        "hom",
        "ker",
        "lg",
        "ln",
        "log",
        "sec",
        "sin",
        "sinh",
        "tan",
        "tanh",
    ]
)

LIMIT_FUNCTIONS: Mapping[str, str] = MappingProxyType(
    {
        **{
            name: name
            for name in ["det", "gcd", "inf", "lim", "max", "min", "sup", "Pr", "argmax", "argmin", "plim"]
        },
        "liminf": "lim inf",
        "limsup": "lim sup",
        "injlim": "inj lim",
        "projlim": "proj lim",
    }
)

# The accents that sit on one letter: the combining character, and the sign that is set above a longer base.
ACCENTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "hat": ("\u0302", "^"),
        "widehat": ("\u0302", "^"),
        "bar": ("\u0304", "_"),
        "tilde": ("\u0303", "~"),
        "widetilde": ("\u0303", "~"),
        "dot": ("\u0307", "˙"),
        "ddot": ("\u0308", "¨"),
        "check": ("\u030c", "ˇ"),
        "widecheck": ("\u030c", "ˇ"),
        "breve": ("\u0306", "˘"),
        "acute": ("\u0301", "´"),
        "grave": ("\u0300", "`"),
        "mathring": ("\u030a", "˚"),
        "vec": ("\u20d7", "→"),
        "dddot": ("\u20db", "..."),
        "ddddot": ("\u20dc", "...."),
    }
)
ACCENT_MARKS: Mapping[str, str] = MappingProxyType({sign: mark for mark, sign in ACCENTS.values()})

DELIMITERS: Mapping[str, str] = MappingProxyType(
    {
        **{mark: mark for mark in "()[]|/"},
        "<": "⟨",
        ">": "⟩",
        **{
            "\\" + name: mark
            for name, mark in _pairs(
                r"""
                { { } } lbrace { rbrace } lbrack [ rbrack ] | ‖ vert | Vert ‖ lvert | rvert |
                lVert ‖ rVert ‖ langle ⟨ rangle ⟩ lang ⟨ rang ⟩ llbracket ⟦ rrbracket ⟧ lfloor ⌊
                rfloor ⌋ lceil ⌈ rceil ⌉ lgroup ( rgroup ) lparen ( rparen )
                """
            ).items()
        },
    }
)

OPENING = frozenset("([{⟨⌊⌈⟦")
CLOSING = frozenset(")]}⟩⌋⌉⟧")
BARS = frozenset("|‖")

CLASSES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(RELATIONS.values(), "rel"),
        **dict.fromkeys("=<>:⊥≜≝∥", "rel"),
        **dict.fromkeys(BINARIES.values(), "bin"),
        **dict.fromkeys("+-*−⋅", "bin"),
        "mod": "bin",
        **dict.fromkeys((*LARGE_OPERATORS.values(), *INTEGRALS.values()), "op"),
        **dict.fromkeys(OPENING, "open"),
        **dict.fromkeys((*CLOSING, "!", "?"), "close"),
        **dict.fromkeys(",;", "punct"),
        **dict.fromkeys("…⋯", "dots"),
    }
)

# Signs as they are typed or pasted, and the ones that are drawn for them.
TYPED: Mapping[str, str] = MappingProxyType({"−": "-", "∥": "‖", "〈": "⟨", "〉": "⟩"})

LARGE_SIGNS = frozenset(LARGE_OPERATORS.values())
