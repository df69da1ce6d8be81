"""The Textual front: one app, its screens and widgets."""
