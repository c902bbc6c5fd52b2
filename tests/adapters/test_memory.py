import pytest

from service.adapters.memory.event_store import MemoryLog
from tests.adapters.contract import GameLogContract


class TestMemoryLog(GameLogContract):
    @pytest.fixture
    def log(self) -> MemoryLog:
        return MemoryLog()
