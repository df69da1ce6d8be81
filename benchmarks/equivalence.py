"""How often and how fast equality is decided, beside sympy's own ``simplify(a - b) == 0``.

    python benchmarks/equivalence.py [FOLDER]

Always runs the derivation pairs of tests/algebra. FOLDER holds suites of pairs, JSON files with ``cases``
of ``a``, ``b``, ``equal``, ``kind`` and ``domain``; those of kind expr and matrix are run at their stated domain.
Both sides of the comparison run warm, in this one process and its worker.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import sympy as sp

from quizapp.algebra import Names, Unreadable, decide, read, shut_down
from quizapp.algebra.comparing import Comparison
from quizapp.algebra.meaning import Matrix, meaning, symbols_of
from quizapp.algebra.symbolic import Builder
from quizapp.algebra.worker import shared

PAIRS = Path(__file__).resolve().parents[1] / "tests" / "algebra" / "derivation_pairs.json"
LIMIT = 2.0


def names_of(case: dict[str, Any]) -> Names:
    """The names that a case declares; a suite's domain goes for every symbol."""
    if "domain" not in case:
        return Names(case["symbols"], case["let"])
    try:
        symbols = {name for side in "ab" for name in symbols_of(meaning(read(case[side], Names()), Names()))}
    except Unreadable:
        symbols = set()
    return Names(dict.fromkeys(symbols, case["domain"]))


def run(title: str, cases: list[dict[str, Any]]) -> list[tuple[dict[str, Any], float]]:
    """Decide every case, print a row, and return the times."""
    counts: Counter[tuple[bool, str]] = Counter()
    times: list[tuple[dict[str, Any], float]] = []
    misses = []
    for case in cases:
        names = names_of(case)
        start = time.perf_counter()
        verdict = decide(case["a"], case["b"], names, limit=LIMIT)
        times.append((case, time.perf_counter() - start))
        counts[case["equal"], verdict.verdict] += 1
        if (case["equal"], verdict.verdict) not in ((True, "equal"), (False, "different")):
            misses.append(f"    {verdict.verdict}: {case['a']}  |  {case['b']}")
    equal = sum(count for (is_equal, _), count in counts.items() if is_equal)
    proved, undecided = counts[True, "equal"], counts[True, "undecided"]
    ordered = sorted(seconds for _, seconds in times)
    print(
        f"{title:<24} {equal:>5} {proved:>6} {undecided:>5} {100 * undecided / max(equal, 1):>5.1f}% "
        f"{len(cases) - equal:>5} {counts[False, 'different']:>6} "
        f"{counts[False, 'equal']:>6} {counts[True, 'different']:>6} "
        f"{1e3 * ordered[len(ordered) // 2]:>7.1f} {1e3 * ordered[int(0.95 * len(ordered))]:>7.1f} "
        f"{1e3 * ordered[-1]:>7.0f}"
    )
    print("\n".join(misses[:20]), end="\n" if misses else "")
    return times


def simplify_time(case: dict[str, Any]) -> tuple[float, bool]:
    """Seconds that sympy's simplify takes over the same objects, and whether it proves them equal."""
    names = names_of(case)
    sides = [meaning(read(case[side], names), names) for side in "ab"]
    first, second = (side.entries if isinstance(side, Matrix) else (side,) for side in sides)
    comparison = Comparison.of(first, second, names)
    symbols = {
        name: {
            "complex": names.assumption(name).complex,
            "integer": names.assumption(name).integer,
            "positive": names.assumption(name).positive,
            "nonnegative": names.assumption(name).nonnegative,
        }
        for name in comparison.symbols
    }
    entries = Builder(symbols, comparison.complex).build(comparison.program.to_json())
    half = len(entries) // 2
    pairs = list(zip(entries[:half], entries[half:], strict=True))
    start = time.perf_counter()
    equal = all(sp.simplify(a - b) == 0 for a, b in pairs)
    return time.perf_counter() - start, equal


def compare_with_simplify(times: list[tuple[dict[str, Any], float]]) -> None:
    """Total time over the pairs, and the ratio."""
    ours = theirs = 0.0
    proved = 0
    # One round beforehand, so that sympy is loaded and warm.
    sp.simplify(sp.sin(sp.Symbol("x")) ** 2 + sp.cos(sp.Symbol("x")) ** 2 - 1)
    for case, seconds in times:
        ours += seconds
        took, equal = simplify_time(case)
        theirs += took
        proved += equal
    print(f"\nderivation pairs, total: decide {ours:.2f} s, sympy.simplify(a - b) == 0 {theirs:.2f} s")
    print(f"ratio {ours / theirs:.3f} (at most 0.2 is wanted); simplify proves {proved} of them")


def main() -> None:
    """Print the tables."""
    shared().wait_ready()
    print(f"{'':<24} {'equal':>5} {'proved':>6} {'undec':>5} {'':>6} {'diff':>5} {'found':>6} ", end="")
    print(f"{'false=':>6} {'false#':>6} {'med ms':>7} {'p95 ms':>7} {'max ms':>7}")
    times = run("derivation pairs", json.loads(PAIRS.read_text(encoding="utf-8"))["pairs"])
    if len(sys.argv) < 2:
        print("public suites: skipped (name their folder: python benchmarks/equivalence.py FOLDER)")
    for path in sorted(Path(sys.argv[1]).glob("*.json")) if len(sys.argv) > 1 else []:
        cases = json.loads(path.read_text(encoding="utf-8"))["cases"]
        run(path.stem, [case for case in cases if case["kind"] in ("expr", "matrix")])
    compare_with_simplify(times)
    shut_down()


if __name__ == "__main__":
    main()
