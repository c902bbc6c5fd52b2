"""Tells a chat when it is somebody's turn, as a bot of Telegram would: replace `send` by the call of your messenger.

Usage: POCHA_TOKEN=… python turn_notifier.py [URL]
"""

import asyncio
import os
import sys

from pocha_client import AsyncPocha
from pocha_client.models import MyGame


def text_of(event: str, game: MyGame) -> str:
    match event:
        case "turn":
            return f"It is your turn at {game.ruleset.title}."
        case "started":
            return f"{game.ruleset.title} has begun."
        case "rematch":
            return f"They want to play {game.ruleset.title} again."
        case _:
            return f"{game.ruleset.title} is over: {', '.join(str(score.points) for score in game.scores)}."


async def notify(token: str, url: str) -> None:
    async with AsyncPocha(token, url=url) as me:
        async for event, game, _ in me.events():
            send(text_of(event, game))


def send(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    asyncio.run(notify(os.environ["POCHA_TOKEN"], (sys.argv[1:] or ["http://127.0.0.1:8000"])[0]))
