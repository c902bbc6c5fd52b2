"""Short codes in this process's memory."""

from datetime import datetime
from uuid import UUID

from service.application.ports import JoinCode


class MemoryJoinCodes:
    """Adapter of `service.application.ports.JoinCodes` that forgets everything when the process ends."""

    def __init__(self) -> None:
        self._of_target: dict[UUID, JoinCode] = {}

    async def issue(self, code: JoinCode, now: datetime) -> JoinCode | None:
        """See `JoinCodes.issue`."""
        self._of_target = {target: known for target, known in self._of_target.items() if known.expires_at > now}
        known = self._of_target.get(code.target)
        if known is None and await self.find(code.tenant, code.code, now) is None:
            known = self._of_target[code.target] = code
        return known

    async def find(self, tenant: str, code: str, now: datetime) -> JoinCode | None:
        """See `JoinCodes.find`."""
        valid = (known for known in self._of_target.values() if known.expires_at > now)
        return next((known for known in valid if (known.tenant, known.code) == (tenant, code)), None)
