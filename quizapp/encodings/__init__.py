"""Positional encodings as numbers: pure functions on numpy float64 arrays, no state.

One convention everywhere: the query is at position m (or i), the key at n (or j), and the offset is key -
query, n - m. Import the module of the scheme you need; each of them imports numpy, this package alone does
not.
"""
