"""The score sheet of a table with real cards: people play, and write down bids, tricks and penalties; the rules check and add up."""
