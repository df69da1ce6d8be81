"""Decks leave and come back whole: one file a format, one registry."""
