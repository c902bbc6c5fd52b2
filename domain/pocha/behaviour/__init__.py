"""What commands lead to, and what events change."""
