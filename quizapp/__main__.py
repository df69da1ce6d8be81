"""``python -m quizapp`` works like ``quizapp``."""

from quizapp.cli import main

if __name__ == "__main__":
    main()
