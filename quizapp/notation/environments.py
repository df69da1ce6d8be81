"""The environments of amsmath that are tables: their columns, fences and style."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Environment:
    """A table. ``columns`` repeat; ``aligned`` ones come in pairs.

    ``argument``: what follows the name, "columns", "count" or nothing. ``narrow`` columns are one formula
    cut at its signs.
    """

    columns: str = "c"
    left: str = ""
    right: str = ""
    argument: str = ""
    aligned: bool = False
    display: bool = False
    narrow: bool = False


def _matrices() -> dict[str, Environment]:
    fences = {"": ("", ""), "p": "()", "b": "[]", "B": "{}", "v": "||", "V": "‖‖"}
    return {
        f"{letter}{size}matrix{star}": Environment(left=pair[0], right=pair[1])
        for letter, pair in fences.items()
        for size in ("", "small")
        for star in ("", "*")
    }


_ALIGNED = Environment("rl", aligned=True, display=True)
_CENTRED = Environment(display=True)
SINGLE_EQUATIONS = ("equation", "equation*", "displaymath", "math", "subequations")

ENVIRONMENTS: Mapping[str, Environment] = MappingProxyType(
    {
        **_matrices(),
        "array": Environment(argument="columns"),
        "cases": Environment("l", left="{"),
        "dcases": Environment("l", left="{", display=True),
        "rcases": Environment("l", right="}"),
        "drcases": Environment("l", right="}", display=True),
        **dict.fromkeys(("aligned", "align", "align*", "flalign", "flalign*", "split", "eqalign"), _ALIGNED),
        **dict.fromkeys(("alignedat", "alignat", "alignat*"), Environment("rl", "", "", "count", True, True)),
        **dict.fromkeys(("gathered", "gather", "gather*", *SINGLE_EQUATIONS), _CENTRED),
        **dict.fromkeys(("eqnarray", "eqnarray*"), Environment("rcl", display=True, narrow=True)),
        **dict.fromkeys(
            ("IEEEeqnarray", "IEEEeqnarray*"), Environment("", "", "", "columns", False, True, True)
        ),
        **dict.fromkeys(("multline", "multline*", "multlined"), Environment("l", display=True)),
        "subarray": Environment(argument="columns"),
    }
)
