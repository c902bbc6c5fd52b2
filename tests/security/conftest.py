"""A fresh world a test."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.security.world import MALL, SHOP, World


@pytest.fixture
async def world(tmp_path: Path) -> AsyncGenerator[World]:
    world = World(tmp_path)
    async with world.client:
        yield world


@pytest.fixture
async def shop(world: World) -> str:
    """The key of an app."""
    return await world.new_app(SHOP)


@pytest.fixture
async def mall(world: World) -> str:
    """The key of another app."""
    return await world.new_app(MALL)
