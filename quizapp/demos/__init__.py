"""Demos: what one would draw on the whiteboard, as pure models that any front can show."""
