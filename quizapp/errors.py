"""The errors that a user reads: one line that says what, where, and how to mend it."""


class QuizappError(Exception):
    """Something the user can mend. The fronts print the message as it is, never a traceback.

    ``exit_code`` is what a command returns: 2 for wrong usage and unreadable input, 1 for a check that failed.
    """

    exit_code = 2


class UsageError(QuizappError):
    """A command was called with values that do not fit."""


class CheckFailed(QuizappError):  # noqa: N818
    """A check ran and found something wrong."""

    exit_code = 1
