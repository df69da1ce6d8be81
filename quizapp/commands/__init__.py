"""The commands, one file each; a module is imported when its command is asked for.

Each module defines ``command``, a :class:`click.Command`, and imports nothing heavy at module level, so that
``quizapp --help`` and ``quizapp due`` stay fast.
"""
