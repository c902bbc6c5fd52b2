import pytest

from service.store.memory import MemoryLog
from tests.store.contract import GameLogContract


class TestMemoryLog(GameLogContract):
    @pytest.fixture
    def log(self) -> MemoryLog:
        return MemoryLog()
