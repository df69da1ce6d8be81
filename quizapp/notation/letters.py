"""Letters in mathematical fonts, and scripts of one row: Unicode's own characters for both."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

_GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ"

# First capital, first small letter, first digit (or None) of each font in the block of mathematical letters.
_FONTS: Mapping[str, tuple[int, int, int | None]] = MappingProxyType(
    {
        "bold": (0x1D400, 0x1D41A, 0x1D7CE),
        "bold-italic": (0x1D400, 0x1D41A, 0x1D7CE),
        "script": (0x1D4D0, 0x1D4EA, None),
        "double-struck": (0x1D538, 0x1D552, 0x1D7D8),
        "fraktur": (0x1D504, 0x1D51E, None),
        "sans-serif": (0x1D5A0, 0x1D5BA, 0x1D7E2),
        "monospace": (0x1D670, 0x1D68A, 0x1D7F6),
    }
)
_BOLD_GREEK = 0x1D6A8

# Letters that Unicode had before the block was made, so that their places in it are empty.
_EARLIER: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        **{("double-struck", plain): made for plain, made in zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)},
        **{("fraktur", plain): made for plain, made in zip("CHIRZ", "ℭℌℑℜℨ", strict=True)},
    }
)


def in_font(character: str, font: str) -> str | None:
    """``character`` in ``font`` ("bold", "double-struck", ...), or None where Unicode has no such letter."""
    if font in ("normal", "italic"):
        return character
    if (font, character) in _EARLIER:
        return _EARLIER[font, character]
    capital, small, digit = _FONTS[font]
    if "A" <= character <= "Z":
        return chr(capital + ord(character) - ord("A"))
    if "a" <= character <= "z":
        return chr(small + ord(character) - ord("a"))
    if "0" <= character <= "9":
        # Unicode has no script or Fraktur digits, nor has TeX: `\mathcal{L_1}` has a plain one.
        return character if digit is None else chr(digit + ord(character) - ord("0"))
    if font in ("bold", "bold-italic") and character in _GREEK:
        return chr(_BOLD_GREEK + _GREEK.index(character))
    return None


SUPERSCRIPTS: Mapping[str, str] = MappingProxyType(
    dict(
        zip(
            "0123456789+-=()/′abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθ⊤∘°",
            "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᐟ′ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵀ°°",
            strict=True,
        )
    )
    | {"″": "″", "‴": "‴"}
)

SUBSCRIPTS: Mapping[str, str] = MappingProxyType(
    dict(
        zip(
            "0123456789+-=()aehijklmnoprstuvxβγρχ",
            "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵪ",
            strict=True,
        )
    )
)

# A longer run of small characters is harder to read than a raised row.
LONGEST_SCRIPT = 12


def unspaced(text: str) -> str:
    """``text`` as a small script is set, tight. Between words the space stays, for which there is no script."""
    return re.sub(r"(?<!\w)[ \u00a0]+|[ \u00a0]+(?!\w)", "", text)


def as_script(text: str, table: Mapping[str, str]) -> str | None:
    """``text`` in the characters of ``table``, or None where one is missing or the text is too long."""
    if not text or len(text) > LONGEST_SCRIPT or any(character not in table for character in text):
        return None
    return "".join(table[character] for character in text)
