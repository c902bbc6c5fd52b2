"""The `pocha` command."""
