"""`python -m tests.chaos`: tables of clients that repeat themselves, while everything below them is brought down and up again."""

import argparse
import asyncio
import secrets
import sys

from uvloop import new_event_loop

from tests.chaos.scenario import ChaosFailed, Size, play


def main() -> None:
    """Play, judge, and print what happened."""
    parser = argparse.ArgumentParser("python -m tests.chaos", description=__doc__)
    usual = Size()
    parser.add_argument("--seconds", type=float, default=usual.seconds, help="how long there is trouble")
    parser.add_argument("--tables", type=int, default=usual.tables)
    parser.add_argument("--buckets", type=int, default=usual.buckets)
    parser.add_argument(
        "--seed", default=secrets.token_hex(4), help="what all luck of clients and trouble follows from"
    )
    given = parser.parse_args()
    print(f"{given.tables} tables, {given.seconds:g} seconds, {given.buckets} buckets, seed {given.seed}", flush=True)  # noqa: T201 - a command
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        try:
            run = runner.run(play(given.seed, Size(given.tables, given.seconds, given.buckets)))
        except ChaosFailed as failed:
            sys.exit(str(failed))
    print(run.tally.summary())  # noqa: T201


if __name__ == "__main__":
    main()
