"""A bot: it makes a table with robots, and plays it to the end. Usage: python bot.py [URL]."""

import sys

from pocha_client import Pocha, Turn
from pocha_client.models import AuctionTurn, BidTurn, BlindPickTurn, ChooseTrumpTurn, PlayTurn


def move(turn: Turn) -> None:
    match turn.data:
        case BidTurn(legal_bids=bids):
            turn.bid(bids[0])
        case PlayTurn(legal_cards=cards):
            turn.play(cards[0])
        case AuctionTurn(legal_bids=bids, may_pass=may_pass):
            _ = turn.pass_() if may_pass else turn.bid(bids[0])
        case ChooseTrumpTurn(legal_suits=suits):
            turn.choose(suits[0])
        case BlindPickTurn(positions=positions):
            turn.pick(positions[0])
        case _:
            turn.let_robot_play()  # an action that is newer than this bot


if __name__ == "__main__":
    with Pocha.guest("Botarate", url=(sys.argv[1:] or ["http://127.0.0.1:8000"])[0]) as me:
        game = me.create_game(players=4, ruleset="clasica", robots=["easy", "normal", "normal"])
        for turn in me.turns([game.game_id]):
            move(turn)
        print(me.score_sheet(game.game_id).totals)
