"""What ``quizapp verify`` recomputes: the claims on cards and whole derivations."""
