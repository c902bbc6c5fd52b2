"""A real browser before a real service. Without a browser these tests are left out, with one line."""

import shutil
from collections.abc import AsyncGenerator, Generator
from typing import Unpack

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.browser.person import Person, Window
from tests.conftest import Databases
from tests.kit.service_process import ServiceProcess

SECRET = "a secret of the tests in a browser, 32 or more"  # noqa: S105 - of the tests
PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def program() -> str:
    if PROGRAM is None:
        pytest.skip("no Chromium here (apt-get install chromium): the tests in a browser are left out")
    return PROGRAM


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def environment(
    program: str,  # noqa: ARG001 - no browser, no database
    postgres_server: str,
    migrated_template: str,
) -> AsyncGenerator[dict[str, str]]:
    databases = Databases(postgres_server, migrated_template)
    address = await databases.make()
    yield {
        "POCHA_DATABASE_URL": address,
        "POCHA_SECRET": SECRET,
        "POCHA_LOG_LEVEL": "warning",
        "POCHA_LIMIT_READS": "off",
    }
    await databases.drop_all()


@pytest.fixture(scope="session")
def url(environment: dict[str, str]) -> Generator[str]:
    """The address of a running service."""
    with ServiceProcess(environment) as service:
        yield service.url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(program: str) -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        # As root, and in containers, Chromium has no sandbox of its own.
        browser = await playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        await browser.close()


class People:
    """Makes people, each with a browser of their own."""

    def __init__(self, browser: Browser, url: str) -> None:
        self._browser = browser
        self._url = url
        self._all: list[Person] = []

    async def come(self, name: str = "Ana", **how: Unpack[Window]) -> Person:
        """Return somebody who has opened the page."""
        person = await Person.come(self._browser, self._url, name, **how)
        self._all.append(person)
        return person

    async def leave(self) -> None:
        """Close all windows, and see that nothing went wrong in them."""
        for person in self._all:
            await person.page.context.close()
        for person in self._all:
            assert person.complaints == [], person.name


@pytest_asyncio.fixture(loop_scope="session")
async def people(browser: Browser, url: str) -> AsyncGenerator[People]:
    people = People(browser, url)
    yield people
    await people.leave()
