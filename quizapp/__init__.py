"""Drill a hard technical interview subject in the terminal until you own it."""

__version__ = "0.1.0"
