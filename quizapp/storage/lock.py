"""The lock that lets one session at a time write in a home."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from quizapp.storage.errors import LockedError, StorageError


class SessionLock:
    """An operating system lock on a file: it goes with the process that holds it, however that ends.

    Raises LockedError where another process holds it, StorageError where the file can't be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        while True:
            try:
                self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise StorageError(
                    f"{path.parent}: can't be written ({reason}); check its permissions"
                ) from None
            try:
                _lock(self._file)
            except BlockingIOError:
                holder = _read(self._file)
                os.close(self._file)
                raise LockedError(_second_writer(path.parent, holder)) from None
            except OSError as error:
                os.close(self._file)
                reason = (error.strerror or str(error)).lower()
                raise StorageError(
                    f"{path}: can't be locked ({reason}); use a home on a local disk"
                ) from None
            # A process that just left may have removed the file between the opening and the locking.
            if _still_there(path, self._file):
                break
            os.close(self._file)
        # The number is for the message only, so a full disk may keep it from being written.
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, 0)
            os.lseek(self._file, _TEXT_AT, os.SEEK_SET)
            os.write(self._file, str(os.getpid()).encode())

    def release(self) -> None:
        """Let the next session in, and leave no file behind."""
        if sys.platform == "win32":
            os.close(self._file)
            with contextlib.suppress(OSError):
                self._path.unlink()
        else:
            # Removed while still locked: nobody can lock the old file and believe to hold the new one.
            with contextlib.suppress(OSError):
                self._path.unlink()
            os.close(self._file)


def holder(path: Path) -> str | None:
    """Who holds the lock: a process number (empty where it is unknown), None where nobody does."""
    try:
        file = os.open(path, os.O_RDWR)
    except OSError:
        return None
    try:
        _lock(file)
    except BlockingIOError:
        return _read(file)
    except OSError:
        return None
    finally:
        os.close(file)
    return None


def _second_writer(home: Path, holder: str) -> str:
    process = f" (process {holder})" if holder else ""
    return f"another quizapp is writing in {home}{process}; close it, or use a reader such as quizapp due"


def _read(file: int) -> str:
    try:
        os.lseek(file, _TEXT_AT, os.SEEK_SET)
        text = os.read(file, 20).decode("ascii", "replace").strip()
    except OSError:
        return ""
    return text if text.isdigit() else ""


def _still_there(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False


if sys.platform == "win32":
    import msvcrt

    # Windows keeps others from reading a locked byte, so the number stands behind it.
    _TEXT_AT = 1

    def _lock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError from error
else:
    import fcntl

    _TEXT_AT = 0

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
