"""What follows from a command, and what an event changes: `decide` and `evolve`, with a module for each part of the game."""
