"""How long one formula takes to draw, uncached, against the limit of 2 ms.

Run: python benchmarks/formula.py
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from quizapp.notation.drawing import draw

LIMIT_MS = 2.0
GOLDENS = Path(__file__).parent.parent / "tests" / "golden" / "notation"


def main() -> None:
    """Draw every golden formula seven times and print the median, the slowest and the ratio to the limit."""
    formulas = [path.read_text(encoding="utf-8").split("\n", 1)[0] for path in sorted(GOLDENS.glob("*.txt"))]
    draw.__wrapped__(formulas[0])
    times = []
    for latex in formulas:
        best = []
        for _ in range(7):
            start = time.perf_counter()
            draw.__wrapped__(latex)
            best.append(1000 * (time.perf_counter() - start))
        times.append(statistics.median(best))
    print(f"{'formulas':<10}{'median ms':>12}{'slowest ms':>12}{'limit ms':>10}{'median/limit':>14}")
    median = statistics.median(times)
    print(f"{len(times):<10}{median:>12.3f}{max(times):>12.3f}{LIMIT_MS:>10.1f}{median / LIMIT_MS:>14.2f}")


if __name__ == "__main__":
    main()
