"""The HTTP side: thin handlers, bodies, problems, authentication."""
