"""The record of a finished game: built, parsed, replayed and verified."""
