"""La Pocha, the Spanish game of exact bids, as its five documents tell it (rulebook)."""
