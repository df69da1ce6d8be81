"""Cards and decks: read, check and write Markdown decks."""
