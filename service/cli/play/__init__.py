"""The command `pocha play`: a table in the terminal. It knows the public contract of the service, and nothing else of it."""

from service.cli.play.command import add_arguments, run

__all__ = ["add_arguments", "run"]
