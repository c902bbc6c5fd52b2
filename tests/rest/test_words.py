"""No answer speaks as the authors of the service do among themselves: of numbered documents, or of rulings of a rulebook."""

import re
from pathlib import Path

import pytest

from domain.pocha.model.refusals import Reason
from domain.pocha.rules.presets import PRESETS
from domain.pocha.view.parts import SOURCES
from service.rest.errors import section_of
from service.rest.i18n import Language
from tests.contract.document import PATH
from tests.kit.player import Api

INSIDERS = re.compile(r"seeds? 00\d|\bR-[A-Z]+-\d|rulebook")
RULES = Path(__file__).parents[2] / "docs" / "rules"


def test_the_contract_has_words_of_users_only() -> None:
    assert INSIDERS.findall(PATH.read_text(encoding="utf-8")) == []


async def test_sources_have_the_names_that_readers_know(api: Api) -> None:
    for path in ("/v1/rulesets", "/v1/glossary"):
        assert INSIDERS.findall((await api.client.get(path)).text) == []
    ana = await api.guest()
    game = await ana.create(robots=2)
    rules = (await ana.ask("GET", f"/v1/games/{game['game_id']}/ruleset")).json()
    assert rules["ruleset"]["source"] == "Ludoteka, «Pocha»"
    assert {preset.source for preset in PRESETS.values()} == set(SOURCES)


@pytest.mark.parametrize("language", Language)
def test_the_rule_of_a_refusal_is_a_section_of_the_rules(language: Language) -> None:
    page = (RULES / f"{language}.md").read_text(encoding="utf-8")
    sections = {section_of(reason) for reason in Reason} - {None}
    assert len(sections) > 7
    assert [section for section in sections if f'<a id="{section}"></a>' not in page] == []
