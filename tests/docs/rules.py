"""Writes the rules of each preset in words, from its parameters and the sentences of one language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from domain.cards import Card, Suit
from domain.pocha.rules import ruleset
from domain.pocha.rules.presets import PRESETS
from domain.pocha.rules.ruleset import AuctionProtocol, Ruleset
from domain.pocha.rules.schedule import HandKind, HandPlan
from service.rest.i18n import Language, join_list, messages_in

# The sign of multiplication, and the dash of a range and of an empty cell.
_TIMES, _TO = "\u00d7", "\u2013"
SENTENCES = Path(__file__).parent / "sentences"


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: str
    removed: str
    hands: str
    order: str


class Sentences(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sentences of one language. Most are keyed by the value of a parameter."""

    and_: str = msgspec.field(name="and")
    to: str
    four: str
    headings: dict[str, str]
    introductions: dict[str, str]
    players: dict[str, str]
    pack: dict[str, str]
    order: str
    trump: dict[str, str]
    hook: dict[str, str]
    play: dict[str, str]
    auction: dict[str, str]
    points: str
    multipliers: dict[str, str]
    renuncio: dict[str, str]
    tie: dict[str, str]
    table: _Table


def sentences(language: Language) -> Sentences:
    """Return the sentences of a language."""
    return msgspec.toml.decode((SENTENCES / f"{language}.toml").read_bytes(), type=Sentences)


def presets(language: Language) -> str:
    """Return the sections of all presets, in Markdown."""
    return "\n".join(section(preset, language) for preset in PRESETS.values())


def section(preset: Ruleset, language: Language) -> str:
    """Return the section of one preset."""
    return _Section(preset, language).text()


class _Section:
    def __init__(self, preset: Ruleset, language: Language) -> None:
        self._preset = preset
        self._language = language
        self._words = messages_in(language)
        self._say = sentences(language)

    def text(self) -> str:
        items = {
            "players": self._players(),
            "pack": self._pack(),
            "trump": self._trump(),
            "hook": self._hook(),
            "play": self._play(),
            "auction": self._auction(),
            "points": self._points(),
            "renuncio": self._renuncio(),
            "tie": self._tie(),
        }
        lines = [f"- **{self._say.headings[name]}** {' '.join(said)}" for name, said in items.items() if said]
        preset = self._preset
        heading = f'### {preset.title} (`{preset.id}`) <a id="{preset.id}"></a>'
        return "\n".join((heading, "", self._say.introductions[preset.id], "", *lines, "", *self._table(), ""))

    def _players(self) -> list[str]:
        rules = self._preset.players
        said = [self._say.players["allowed"].format(self._numbers(rules.allowed))]
        for name, numbers in (("occasional", rules.occasional), ("extrapolated", rules.extrapolated)):
            if numbers:
                said.append(self._say.players[name].format(self._listed(map(str, numbers))))
        return said

    def _pack(self) -> list[str]:
        names = (self._words.numbers.get(str(number), str(number)) for number in self._preset.deck.rank_order)
        return [self._say.pack[str(self._preset.deck.size)], self._say.order.format(", ".join(names))]

    def _trump(self) -> list[str]:
        said = [self._say.trump["turned-up"]]
        if self._deals_every_card():
            said.append(self._say.trump[self._preset.trump.when_all_dealt])
        return said

    def _deals_every_card(self) -> bool:
        """Tell whether a hand with a turned-up card leaves no stock."""
        return any(
            plan.kind is HandKind.NORMAL and plan.cards * players == len(ruleset.deck(self._preset, players))
            for players in self._preset.players.allowed
            for plan in ruleset.hand_schedule(self._preset, players)
        )

    def _hook(self) -> list[str]:
        hook = self._preset.bidding.hook
        if not hook.enabled:
            return [self._say.hook["off"]]
        if hook.exempt_cards:
            return [self._say.hook["exempt"].format(self._listed(map(str, hook.exempt_cards)))]
        return [self._say.hook["on"]]

    def _play(self) -> list[str]:
        rules = self._preset.play
        said = [self._say.play[f"beat-{rules.must_beat}"]]
        if rules.must_beat != "never" and rules.beat_waived_after_ruff:
            said.append(self._say.play["waived-after-ruff"])
        said.append(self._say.play["must-trump" if rules.must_trump else "need-not-trump"])
        if rules.must_trump:
            said.append(self._say.play["must-overtrump" if rules.must_overtrump else "need-not-overtrump"])
            said.append(self._say.play[f"undertrump-{rules.undertrump_when_cannot_overtrump}"])
        return said

    def _auction(self) -> list[str]:
        rules = self._preset.auction
        if rules.protocol is AuctionProtocol.NONE:
            return []
        return [self._say.auction[rules.protocol], self._say.auction[rules.winner_second_bid]]

    def _points(self) -> list[str]:
        rules = self._preset.scoring
        said = [self._say.points.format(rules.hit_base, rules.hit_per_trick, rules.miss_per_trick)]
        if not rules.suit_multiplier and not rules.turn_up_multiplier:
            return [*said, self._say.multipliers["none"]]
        factors = (
            f"{self._words.suits[suit]} {_TIMES} {factor}"
            for suit, factor in sorted(rules.suit_multiplier.items(), key=lambda one: one[1])
        )
        said.append(self._say.multipliers["suits"].format(self._listed(factors)))
        said += [
            self._say.multipliers["card"].format(self._words.card(card), factor)
            for card, factor in rules.turn_up_multiplier.items()
        ]
        return said

    def _renuncio(self) -> list[str]:
        rules = self._preset.renuncio
        said = [self._say.renuncio[rules.mode]]
        if rules.penalty:
            name = "scaled" if rules.scales_with_multiplier else "flat"
            said.append(self._say.renuncio[name].format(rules.penalty))
        return said

    def _tie(self) -> list[str]:
        steps = self._preset.tiebreak.steps
        return [self._say.tie[step] for step in steps] or [self._say.tie["shared"]]

    def _table(self) -> Iterator[str]:
        names = self._say.table
        yield f"| {names.players} | {names.removed} | {names.hands} | {names.order} |"
        yield "|---|---|---|---|"
        for players in self._preset.players.allowed:
            plans = ruleset.hand_schedule(self._preset, players)
            removed = self._removed(ruleset.removed(self._preset, players))
            yield f"| {players} | {removed} | {len(plans)} | {', '.join(_runs(plans, self._words.sheet.kinds))} |"

    def _removed(self, cards: Sequence[Card]) -> str:
        by_number = ((number, list(group)) for number, group in groupby(cards, lambda card: card.number))
        return ", ".join(self._few(number, group) for number, group in by_number) or _TO

    def _few(self, number: int, cards: Sequence[Card]) -> str:
        if len(cards) == len(Suit):
            return self._say.four.format(number)
        return ", ".join(self._words.card(card) for card in cards)

    def _numbers(self, numbers: Sequence[int]) -> str:
        """Return `3 to 8` for a run of numbers, `4` for one."""
        return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} {self._say.to} {numbers[-1]}"

    def _listed(self, items: Iterable[str]) -> str:
        return join_list(items, self._say.and_)


def _runs(plans: Sequence[HandPlan], names: Mapping[HandKind, str]) -> Iterator[str]:
    """Yield the hands in short: three of one card, one each of 2 to 11, three oros hands of 12, and so on."""
    blocks = [(plan, len(list(group))) for plan, group in groupby(plans)]
    run: list[int] = []
    for plan, times in blocks:
        is_single = times == 1 and plan.kind is HandKind.NORMAL
        if run and not (is_single and abs(plan.cards - run[-1]) == 1):
            yield _span(run)
            run = []
        if is_single:
            run.append(plan.cards)
        else:
            kind = "" if plan.kind is HandKind.NORMAL else f" ({names[plan.kind]})"
            yield f"{times} {_TIMES} {plan.cards}{kind}"
    if run:
        yield _span(run)


def _span(run: Sequence[int]) -> str:
    return str(run[0]) if len(run) == 1 else f"{run[0]}{_TO}{run[-1]}"
