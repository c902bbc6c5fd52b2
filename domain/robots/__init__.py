"""Robots: functions from what a seat sees to a move. A robot never sees more than a person at that seat would."""
