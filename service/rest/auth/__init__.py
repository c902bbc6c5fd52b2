"""Who calls: guests, the players of apps and of trusted issuers of tokens, and apps themselves; and the credentials they show."""
