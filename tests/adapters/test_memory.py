import pytest

from service.adapters.memory.store import MemoryStore
from tests.adapters.store_contract import GameStoreContract


class TestMemoryLog(GameStoreContract):
    @pytest.fixture
    def store(self) -> MemoryStore:
        return MemoryStore()
