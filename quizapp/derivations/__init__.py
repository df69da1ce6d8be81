"""Derivations: read their files, verify them, and step through them by typing."""

from quizapp.derivations.model import Derivation, Step
from quizapp.derivations.reading import DerivationError, find, load, load_library

__all__ = ["Derivation", "DerivationError", "Step", "find", "load", "load_library"]
