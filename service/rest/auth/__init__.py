"""Authentication of players, apps and users of trusted issuers."""
