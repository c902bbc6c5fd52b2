"""Whole games, played in any way that hypothesis thinks of; every answer is held to the contract, and to a small model of the table.

Hypothesis decides what is done in which order, and one seed decides the rest, so that choices stay as varied as they are many.
The model believes nothing that it can find out: it keeps the book of bids, tricks and points itself, from the moves that it sees
(`tests.contract.book`). The tables are of all kinds (`tests.contract.kinds`).
"""

import random
from collections import Counter
from typing import ClassVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.contract.endings import all_ask_for_a_rematch, all_follow_it_once_more
from tests.contract.kinds import KINDS
from tests.contract.people import People


class Table(RuleBasedStateMachine):
    """A table, and what may happen there in any order."""

    ends: ClassVar[Counter[str]] = Counter()
    seen: ClassVar[Counter[str]] = Counter()
    people: People

    @initialize(
        people=st.integers(1, 3),
        seats_left_free=st.sampled_from((0, 0, 1, 2)),
        private=st.booleans(),
        seed=st.integers(0, 2**64 - 1),
    )
    def make_the_table(self, people: int, seats_left_free: int, private: bool, seed: int) -> None:
        chance = random.Random(seed)
        kind, penalised = chance.choice(KINDS), chance.random() < 0.5
        self.people = People(self.seen, chance)
        size = chance.choice(kind.sizes)
        self.people.make_the_table(kind, size, people, seats_left_free, private=private, penalised=penalised)

    @precondition(lambda self: self.people.status == "waiting")
    @rule()
    def somebody_sits_down(self) -> None:
        self.people.somebody_sits_down()

    @precondition(lambda self: self.people.status == "waiting")
    @rule()
    def the_host_seats_a_robot(self) -> None:
        self.people.the_host_seats_a_robot()

    @rule()
    def somebody_gets_up(self) -> None:
        self.people.somebody_gets_up()

    @precondition(lambda self: self.people.away)
    @rule()
    def somebody_comes_back(self) -> None:
        self.people.somebody_comes_back()

    @precondition(lambda self: self.people.status == "playing")
    @rule()
    def somebody_makes_a_legal_move(self) -> None:
        self.people.somebody_makes_a_legal_move()

    @precondition(lambda self: self.people.status == "playing")
    @rule()
    def people_play_on(self) -> None:
        self.people.people_play_on()

    @precondition(lambda self: self.people.status == "playing" and self.people.penalised)
    @rule()
    def a_rival_claims_a_renuncio(self) -> None:
        self.people.a_rival_claims_a_renuncio()

    @rule()
    def somebody_does_wrong(self) -> None:
        self.people.somebody_does_wrong()

    @rule()
    def somebody_reads(self) -> None:
        self.people.somebody_reads()

    @precondition(lambda self: self.people.status in {"finished", "abandoned"})
    @rule()
    def people_look_back_and_go_on(self) -> None:
        all_follow_it_once_more(self.people)
        if self.people.status == "finished":
            all_ask_for_a_rematch(self.people)

    @invariant()
    def everybody_at_the_table_sees_the_same_game(self) -> None:
        """One looks at it all after every step; the others by the rule for it."""
        self.people.one_of_them_looks()

    def teardown(self) -> None:
        self.ends[self.people.status if hasattr(self, "people") else "not made"] += 1


SEEN_IN_GAMES_OF_EVERY_KIND = {
    *("normal", "india", "subastado", "oros", "ciega", "tie_break"),
    *("blind_pick_made", "auction_bid_made", "auction_passed", "auction_won", "trump_chosen", "renuncio_claimed"),
    *("bid_made", "card_played", "trick_taken", "hand_scored", "game_over"),
    *("already-claimed", "illegal-claim", "not-played", "own-play", "renuncio-enforced", "no-such-seat"),
    *("below-auction-bid", "illegal-bid", "must-bid", "not-higher", "out-of-range", "hook"),
    *("illegal-card", "must-follow", "must-trump", "not-in-hand"),
    *("illegal-pick", "no-such-position", "game-not-over", "not-acceptable", "not-your-turn", "wrong-phase"),
}


def test_games_of_every_kind_are_played_to_their_end():
    seen: Counter[str] = Counter()
    # Those without house rules are long; they are among what hypothesis plays.
    tables = [(kind, size) for kind in KINDS for size in kind.sizes if kind.house_rules]
    for number, (kind, size) in enumerate(tables):
        people, penalised = People(seen, random.Random(number)), number % 2 == 0
        people.make_the_table(kind, size, 3, 0, private=number % 3 == 0, penalised=penalised)
        while people.status == "playing":
            people.one_of_them_looks()
            people.people_play_on(12)
            people.somebody_does_wrong()
            people.somebody_reads()
            if people.status == "playing" and penalised:
                people.a_rival_claims_a_renuncio()
        people.all_read_everything()
        all_follow_it_once_more(people)
        all_ask_for_a_rematch(people)
    assert SEEN_IN_GAMES_OF_EVERY_KIND - set(seen) == set()


MET_IN_EVERY_RUN = {
    "game-full",
    "game-not-over",
    "game-over",
    "idempotency-key-reused",
    "illegal-bid",
    "illegal-card",
    "not-found",
    "not-in-hand",
    "not-your-seat",
    "unauthenticated",
    "version-conflict",
    "wrong-phase",
}


def test_games_played_in_any_way_keep_to_the_contract_and_to_the_rules():
    Table.ends.clear()
    Table.seen.clear()
    how = settings(
        max_examples=30,
        stateful_step_count=25,
        deadline=None,
        database=None,
        derandomize=True,
        # Steps are printed as they were found: to make them fewer takes minutes here. Add Phase.shrink when that is worth it.
        phases=(Phase.generate,),
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(Table, settings=how)
    assert Table.ends["finished"] >= 8, Table.ends
    assert MET_IN_EVERY_RUN - set(Table.seen) == set()
