"""The table: seats, invitations, absence, time-outs, visibility. Knows no game."""
