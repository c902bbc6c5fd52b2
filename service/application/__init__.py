"""What happens now: who waits for a game is woken by its commits, and who is there is remembered for a while."""
