"""What every `JoinCodes` promises. Each adapter's test class inherits `JoinCodesContract`, and provides `codes`."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

from service.application.ports import JoinCode, JoinCodes, Joined
from tests.adapters.samples import WHEN

DAY = timedelta(days=1)


def code(text: str, target: UUID | None = None, tenant: str = "") -> JoinCode:
    return JoinCode(tenant, text, Joined.SCORE_KEEPER, target or uuid4(), WHEN + DAY)


class JoinCodesContract:
    async def test_a_code_leads_to_its_target_in_its_tenant(self, codes: JoinCodes) -> None:
        issued = code("CDFGHJ", tenant="app:shop")
        assert await codes.issue(issued, WHEN) == issued
        assert await codes.find("app:shop", "CDFGHJ", WHEN) == issued
        assert await codes.find("", "CDFGHJ", WHEN) is None
        assert await codes.find("app:shop", "CDFGHK", WHEN) is None

    async def test_a_target_keeps_its_code(self, codes: JoinCodes) -> None:
        target = uuid4()
        offered = [code(text, target) for text in ("CDFGH3", "CDFGH4", "CDFGH6", "CDFGH7")]
        issued = await asyncio.gather(*(codes.issue(each, WHEN) for each in offered))
        assert len(set(issued)) == 1
        assert issued[0] in offered

    async def test_a_code_has_one_target(self, codes: JoinCodes) -> None:
        issued = await asyncio.gather(*(codes.issue(code("CDFGHJ"), WHEN) for _ in range(4)))
        assert sum(each is not None for each in issued) == 1
        assert await codes.issue(code("CDFGHJ", tenant="app:shop"), WHEN) is not None

    async def test_an_expired_code_is_free_and_its_target_gets_a_new_one(self, codes: JoinCodes) -> None:
        first = code("CDFGHJ")
        assert await codes.issue(first, WHEN) == first
        later = WHEN + DAY
        assert await codes.find("", "CDFGHJ", later) is None
        second = JoinCode("", "CDFGHK", Joined.GAME, first.target, later + DAY)
        assert await codes.issue(second, later) == second
        third = JoinCode("", "CDFGHJ", Joined.GAME, uuid4(), later + DAY)
        assert await codes.issue(third, later) == third
