"""Streaming a sinusoidal table as CSV, beside numpy's own table and formatting.

Run: python benchmarks/encode_stream.py [rows] [dim]
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

NUMPY = """
import sys
import numpy as np
rows, dim = int(sys.argv[1]), int(sys.argv[2])
angles = np.arange(rows)[:, None] / 10000.0 ** (np.arange(0, dim, 2) / dim)
table = np.empty((rows, dim))
table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
np.savetxt(sys.stdout.buffer, table, delimiter=",", fmt="%.17g")
"""


def measure(line: list[str]) -> tuple[float, float]:
    """Seconds, and the megabytes of the largest child so far."""
    start = time.perf_counter()
    subprocess.run(line, stdout=subprocess.DEVNULL, check=True, cwd=Path(__file__).parent.parent)
    elapsed = time.perf_counter() - start
    return elapsed, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    dim = int(sys.argv[2]) if len(sys.argv) > 2 else 512
    # The leaner one first: the memory of children is the maximum over all of them.
    command = ["-m", "quizapp", "encode", "sinusoidal", "--pos", f"0:{rows}", "--dim", str(dim), "--csv"]
    ours, ours_memory = measure([sys.executable, *command])
    theirs, theirs_memory = measure([sys.executable, "-c", NUMPY, str(rows), str(dim)])
    print(f"{rows} x {dim} numbers as CSV      seconds  largest MB")
    print(f"quizapp encode, streamed      {ours:9.2f} {ours_memory:11.0f}")
    print(f"numpy table and savetxt       {theirs:9.2f} {theirs_memory:11.0f}")
    print(f"ratio                         {ours / theirs:9.2f}")


if __name__ == "__main__":
    main()
