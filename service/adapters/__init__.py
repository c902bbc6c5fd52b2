"""Implementations of the ports in `service.application.ports`."""
