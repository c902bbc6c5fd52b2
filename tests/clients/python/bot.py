"""A bot on the client that openapi-python-client generates; type-checked with it, and run."""

import random

from pocha_api import AuthenticatedClient
from pocha_api.api.games import create_game, list_my_turns
from pocha_api.api.moves import choose_trump, make_auction_bid, make_bid, pass_auction, pick_blind, play_card
from pocha_api.models import (
    AuctionTurn,
    BidRequest,
    BidTurn,
    BlindPickRequest,
    BlindPickTurn,
    ChooseTrumpTurn,
    GameView,
    LevelChoice,
    MoveResult,
    NewGame,
    PassRequest,
    PlayRequest,
    PlayTurn,
    RobotSpec,
    TrumpRequest,
    TurnList,
    WaitingTurn,
)


async def play(client: AuthenticatedClient, luck: random.Random, ruleset: str) -> TurnList:
    """Play a game against two robots to its end."""
    robots = [RobotSpec(level=LevelChoice.EASY), RobotSpec(level=LevelChoice.EASY)]
    game = await create_game.asyncio(client=client, body=NewGame(players=3, ruleset=ruleset, robots=robots))
    assert isinstance(game, GameView)
    assert game.status == "playing"
    turns = await list_my_turns.asyncio(client=client)
    assert isinstance(turns, TurnList)
    while turns.open_games:
        for item in turns.items:
            assert isinstance(await move(client, item, luck), MoveResult)
        turns = await list_my_turns.asyncio(client=client, after=turns.next_after, wait=30)
        assert isinstance(turns, TurnList)
    return turns


async def move(client: AuthenticatedClient, item: WaitingTurn, luck: random.Random) -> object:
    """Make a legal move; None for an action that this client does not know."""
    game, turn, version = item.game_id, item.turn, item.version
    if isinstance(turn, BidTurn):
        bid = BidRequest(bid=luck.choice(turn.legal_bids), expected_version=version)
        return await make_bid.asyncio(game, client=client, body=bid)
    if isinstance(turn, PlayTurn):
        card = PlayRequest(card=luck.choice(turn.legal_cards), expected_version=version)
        return await play_card.asyncio(game, client=client, body=card)
    if isinstance(turn, AuctionTurn) and turn.may_pass:
        return await pass_auction.asyncio(game, client=client, body=PassRequest(expected_version=version))
    if isinstance(turn, AuctionTurn):
        bid = BidRequest(bid=turn.legal_bids[0], expected_version=version)
        return await make_auction_bid.asyncio(game, client=client, body=bid)
    if isinstance(turn, ChooseTrumpTurn):
        trump = TrumpRequest(suit=luck.choice(turn.legal_suits), expected_version=version)
        return await choose_trump.asyncio(game, client=client, body=trump)
    if isinstance(turn, BlindPickTurn):
        pick = BlindPickRequest(position=luck.choice(turn.positions), expected_version=version)
        return await pick_blind.asyncio(game, client=client, body=pick)
    return None
