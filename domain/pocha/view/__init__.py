"""What a viewer may know of a game and its events."""
