"""Authentication of players, apps and users of a trusted issuer."""
