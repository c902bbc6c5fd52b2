"""States, commands, events and refusals."""
