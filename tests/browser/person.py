"""Somebody who plays in a browser: sees what the page shows, and clicks."""

import asyncio
import json
from typing import Any, NamedTuple, Self, TypedDict, Unpack
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from playwright.async_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.kit.waiting import PATIENCE_SECONDS

Json = dict[str, Any]
PATIENCE = PATIENCE_SECONDS * 1000


class Size(NamedTuple):
    """Of a window, in pixels."""

    width: int
    height: int


DESK = Size(1280, 800)
PHONE = Size(390, 844)
SMALL_PHONE = Size(320, 568)
CHOICES = ".number:enabled, .actions .pass:enabled, .suit-choice:enabled, .fan .legal:not([aria-disabled=true]):not(:disabled)"
MINUS = "\N{MINUS SIGN}"
expect.set_options(PATIENCE)


class Window(TypedDict, total=False):
    """How somebody looks at the page. Events are shown without pauses unless `pace` says so: tests need not wait for them."""

    language: str
    size: Size
    is_dark: bool
    pace: float


class Person:
    """A window of a browser, and who looks at it."""

    def __init__(self, page: Page, url: str, name: str) -> None:
        self.page = page
        self.url = url
        self.name = name
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._console)
        page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    @classmethod
    async def come(cls, browser: Browser, url: str, name: str, **window: Unpack[Window]) -> Self:
        """Open the page in a window of its own."""
        size = window.get("size", DESK)
        context = await browser.new_context(
            viewport={"width": size.width, "height": size.height},
            locale=window.get("language", "en"),
            color_scheme="dark" if window.get("is_dark") else "light",
            has_touch=size.width < 500,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        await context.add_init_script(
            "if (!localStorage.getItem('pocha.settings'))"
            f" localStorage.setItem('pocha.settings', JSON.stringify({{ pace: {window.get('pace', 0)} }}));"
        )
        person = cls(await context.new_page(), url, name)
        await person.page.goto(f"{url}/play")
        return person

    def _console(self, message: ConsoleMessage) -> None:
        # The browser itself reports refused and interrupted requests.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    async def sit_down(self) -> None:
        """Give a name, and become a guest."""
        await self.page.locator("input[name=name]").fill(self.name)
        await self.page.locator("form button.primary").click()
        await self.page.locator(".new-table select[name=ruleset] option").first.wait_for(state="attached")

    async def open_table(
        self, ruleset: str, players: int, robots: int | None = None, *, is_private: bool = False
    ) -> None:
        """Make a table with the form of the page."""
        await self.page.locator("select[name=ruleset]").select_option(ruleset)
        await self.page.locator("select[name=players]").select_option(str(players))
        await self.page.locator("select[name=robots]").select_option(str(players - 1 if robots is None else robots))
        await self.page.locator("select[name=level]").select_option("easy")
        if is_private:
            await self.page.locator("input[name=private]").check()
        await self.page.locator(".new-table button.primary").click()
        await self.table.wait_for()

    async def go_to(self, game_id: str) -> None:
        """Open a table by its address."""
        await self.page.goto(f"{self.url}/play#/t/{game_id}")
        await self.table.wait_for()

    @property
    def table(self) -> Locator:
        """The table, once it is shown."""
        return self.page.locator(".table")

    @property
    def game_id(self) -> str:
        """The game that is open."""
        return self.page.url.partition("#/t/")[2]

    @property
    def choices(self) -> Locator:
        """What may be clicked in this turn."""
        return self.page.locator(CHOICES)

    async def ask(self, path: str, body: Json | None = None) -> Json:
        """Ask the service in this person's name, behind the page's back."""
        token = await self.page.evaluate("JSON.parse(localStorage.getItem('pocha.player')).token")
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        request = Request(f"{self.url}/v1{path}", None if body is None else json.dumps(body).encode(), headers)  # noqa: S310 - our own address
        return await asyncio.to_thread(_read, request)

    async def view(self) -> Json:
        """Return the game that is open, as the service has it."""
        return await self.ask(f"/games/{self.game_id}")

    async def act(self) -> str:
        """Do the next thing that there is to do, and return what it was; `over` when the game is over."""
        scored, over = self.page.locator(".scored .primary"), self.page.locator(".outcome")
        await self.choices.or_(scored).or_(over).first.wait_for()
        if await over.count():
            return "over"
        if await scored.count():
            number = await self.page.locator(".scored h2").inner_text()
            await scored.click()
            await expect(self.page.locator(".scored h2", has_text=number)).to_have_count(0)
            return "read"
        return await self.choose()

    async def choose(self, place: int = 0) -> str:
        """Click one of the choices, and wait until the service has taken it."""
        version = int(await self.table.get_attribute("data-version") or 0)
        choice = self.choices.nth(place)
        kind = await choice.get_attribute("class") or ""
        await touch(choice)
        lifted = self.page.locator(".fan .lifted")
        if await lifted.count():
            await touch(lifted)
        await self.page.wait_for_function(
            "before => Number(document.querySelector('.table')?.dataset.version ?? 0) > before", arg=version
        )
        return kind

    async def play_on(self, until: str = "over") -> list[str]:
        """Do what there is to do until something of the kind `until` is done, and return all of it.

        The page clicks by itself, which takes less time than to move a mouse for each of some hundred cards.
        """
        return await self.page.evaluate(_PLAY_ON, [CHOICES, until])


_PLAY_ON = """async ([choices, until]) => {
    const done = [];
    const find = () => document.querySelector(`${choices}, .scored .primary, .outcome`);
    const changed = () => new Promise(resolve => {
        const observer = new MutationObserver(() => { observer.disconnect(); resolve(); });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    for (let found; !done.at(-1)?.includes(until) && done.length < 1000; ) {
        while (!(found = find())) await changed();
        if (found.matches(".outcome")) { done.push("over"); break; }
        if (found.matches(".scored .primary")) { done.push("read"); found.click(); await changed(); continue; }
        const version = document.querySelector(".table").dataset.version;
        done.push(found.className);
        while (document.querySelector(".table")?.dataset.version === version) {
            document.querySelector(".fan .lifted, " + choices)?.click();
            await changed();
        }
    }
    return done;
}"""


async def touch(choice: Locator) -> None:
    """Click where a card shows that lies under the next one, and is turned."""
    box = await choice.bounding_box()
    assert box
    await choice.click(position={"x": box["width"] * 0.28, "y": box["height"] * 0.4})


def number(shown: str) -> int:
    """Return the number that a text of the page says in one of the languages."""
    return int(shown.replace(MINUS, "-").translate({ord(each): None for each in ".,\N{NARROW NO-BREAK SPACE}"}))


def _read(request: Request) -> Json:
    with urlopen(request) as answer:  # noqa: S310 - our own address
        return json.load(answer)
