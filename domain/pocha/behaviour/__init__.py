"""`decide` and `evolve`, with a module for each part of the game."""
