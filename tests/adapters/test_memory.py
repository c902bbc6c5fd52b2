import pytest

from service.adapters.memory.event_store import MemoryStore
from tests.adapters.contract import GameLogContract


class TestMemoryLog(GameLogContract):
    @pytest.fixture
    def log(self) -> MemoryStore:
        return MemoryStore()
