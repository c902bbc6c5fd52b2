"""The record of a finished game: everything of it, nothing hidden, so that anybody can check it (`docs/fairness.md`)."""
