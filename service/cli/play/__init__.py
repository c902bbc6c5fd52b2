"""The command `pocha play`: a table in the terminal. It knows the public contract of the service, and nothing else of it."""

from service.cli.play.command import HELP, add_arguments, run

__all__ = ["HELP", "add_arguments", "run"]
