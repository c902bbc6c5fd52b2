"""One module a resource: the handlers of its operations."""
