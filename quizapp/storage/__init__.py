"""SQLite: the append-only log of reviews, and the state of each card that is derived from it."""

from quizapp.storage.errors import LockedError, StorageError
from quizapp.storage.open import open_store
from quizapp.storage.store import Rebuilt, SqliteStore

__all__ = ["LockedError", "Rebuilt", "SqliteStore", "StorageError", "open_store"]
