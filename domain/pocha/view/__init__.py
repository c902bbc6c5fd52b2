"""Views of games and events, for one viewer each."""
