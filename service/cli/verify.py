"""The command `pocha verify`."""

import argparse
import sys
from pathlib import Path

from service.application.record.verify import verify


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument `record`."""
    parser.add_argument(
        "record",
        metavar="RECORD",
        help="file with the response of GET /v1/games/{game_id}/record; - for standard input",
    )


def run(args: argparse.Namespace) -> None:
    """Verify a record.

    Raises:
        InvalidRecord: it is wrong.
        OSError: the file cannot be read.
    """
    source: str = args.record
    result = verify(sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes())
    print(f"the record is valid: {result.hands} hands, {result.moves} moves")
