"""A client's board: how a game looks to one viewer, kept up to date from the stream of its events.

No rules are needed for it, only what the events say. A board is what `GET /v1/games/{game_id}` answers, field for field. It begins with
the stream's `snapshot` and follows with every `commit`:

    match frame.event:
        case "snapshot":
            board = data
        case "commit":
            board = fold(board, data)

Every function here is pure: it returns a new board and leaves the one that it was given as it was. What a commit cannot tell without the
rules, whose turn it is and what is legal, comes with it as `turn`. `server_time` and `presence` go on between commits, so that a board
keeps those of its snapshot, as with `kept_until`; `lasting` leaves them out.
"""

from typing import Any

Json = dict[str, Any]
Board = dict[str, Any]


def fold(board: Board, commit: Json) -> Board:
    """Return the board after a `commit` of the stream.

    Commits come in order, without holes: what is sent after a gap is a `snapshot`. Events of unknown types change nothing.
    """
    for event in commit["events"]:
        board = _after(board, event)
    return _without(board, "turn") | _picked(commit, "version", "status", "turn")


def lasting(board: Board) -> Board:
    """Return what is settled by the log: all of a board, or of a view, but what goes on between commits."""
    seats = [_without(_without(seat, "presence"), "kept_until") for seat in board["seats"]]
    return _without(board, "server_time") | {"seats": seats}


def _after(board: Board, event: Json) -> Board:
    match event["type"]:
        case "seat_taken" | "seat_left" | "seat_cleared" | "robot_seated":
            return _put(board, "seats", event["seat"], _occupied(board, event))
        case "auto_play_chosen":
            return _put(board, "seats", event["seat"], _choosing(board["seats"][event["seat"]], event["auto_play"]))
        case "game_started":
            return _started(board, event)
        case "hand_dealt":
            return board | {"hand": _dealt(board, event)}
        case "hand_scored":
            return board | {"scores": [_scored(*each) for each in zip(board["scores"], event["scores"], strict=True)]}
        case "renuncio_claimed":
            return _claimed(board, event)
        case "game_over":
            return _without(board, "hand") | {"result": event["result"]}
        case "game_abandoned":
            return _without(board, "hand")
        case _:
            return board | {"hand": _hand_after(board, event)} if "hand" in board else board


def _occupied(board: Board, event: Json) -> Json:
    """A seat, and who sits there now. Who leaves a started game, or sleeps, is `away`: a robot plays until they come back."""
    seat: Json = {"seat": event["seat"]}
    match event["type"]:
        case "seat_taken":
            return seat | {"player": event["player"]}
        case "seat_cleared":
            return seat
        case "seat_left":
            return seat if board["status"] == "waiting" else seat | {"away": event["player"]}
        case _:
            before = board["seats"][event["seat"]]
            away = before.get("player", before.get("away"))
            return seat | {"robot": event["robot"]} | ({"away": away} if away else {})


def _choosing(seat: Json, auto_play: str) -> Json:
    """A seat, and which moves of its player the service makes."""
    return _without(seat, "auto_play") | ({} if auto_play == "off" else {"auto_play": auto_play})


def _started(board: Board, event: Json) -> Board:
    scores = [{"seat": seat, "points": 0, "exact": 0, "missed": 0, "rank": 1} for seat in range(board["players"])]
    return board | {"status": "playing", "seats": event["seats"], "scores": scores, "hand": {"of": event["hands"]}}


def _dealt(board: Board, event: Json) -> Json:
    """A new hand. Extra hands, which break a tie, make the game longer than its schedule."""
    told = _picked(event, "number", "kind", "cards", "dealer", "mano", "multiplier", "stock_count", "trump", "turn_up")
    cards = _picked(event, "my_cards", "seen_cards")
    auction: Json = {"auction": []} if event["kind"] == "subastado" else {}
    nothing_yet: Json = {"bids": [], "tricks_won": [0] * board["players"], "trick": []}
    return told | cards | auction | nothing_yet | {"of": max(event["number"], board["hand"]["of"])}


def _hand_after(board: Board, event: Json) -> Json:
    hand: Json = board["hand"]
    match event["type"]:
        case "card_played":
            return _played(hand, event, mine=event["seat"] == board.get("my_seat"))
        case "trick_taken":
            return _taken(hand, event)
        case "bid_made":
            return _add(hand, "bids", {"seat": event["seat"], "bid": event["bid"]})
        case "auction_bid_made":
            return _add(hand, "auction", {"seat": event["seat"], "passed": False, "bid": event["bid"]})
        case "auction_passed":
            return _add(hand, "auction", {"seat": event["seat"], "passed": True})
        case "auction_won":
            return _add(hand, "bids", {"seat": event["seat"], "bid": event["bid"]}) if event["locked"] else hand
        case "trump_chosen":
            return hand | {"trump": event["suit"], "multiplier": event["multiplier"]}
        case "blind_pick_made":
            turned_up = {"trump": event["trump"], "turn_up": event["card"], "multiplier": event["multiplier"]}
            return hand | turned_up | _picked(event, "my_cards")
        case _:
            return hand


def _played(hand: Json, event: Json, *, mine: bool) -> Json:
    """A card on the table, and no longer in the hand that held it."""
    hand = _add(hand, "trick", {"seat": event["seat"], "card": event["card"]})
    if not mine or "my_cards" not in hand:
        return hand
    return hand | {"my_cards": [card for card in hand["my_cards"] if card != event["card"]]}


def _taken(hand: Json, event: Json) -> Json:
    last = {"winner": event["seat"], "plays": hand["trick"]}
    return _put(hand, "tricks_won", event["seat"], hand["tricks_won"][event["seat"]] + 1) | {
        "trick": [],
        "last_trick": last,
    }


def _scored(before: Json, event: Json) -> Json:
    kept = "exact" if event["bid"] == event["tricks"] else "missed"
    return before | {"points": event["total"], "rank": event["rank"], kept: before[kept] + 1}


def _claimed(board: Board, event: Json) -> Board:
    told = zip(board["scores"], event["totals"], event["ranks"], strict=True)
    return board | {"scores": [score | {"points": total, "rank": rank} for score, total, rank in told]}


def _put(document: Json, name: str, index: int, item: object) -> Json:
    """Return `document` with another item in one place of one of its lists."""
    items = document[name]
    return document | {name: [*items[:index], item, *items[index + 1 :]]}


def _add(document: Json, name: str, item: object) -> Json:
    """Return `document` with one item more at the end of one of its lists."""
    return document | {name: [*document[name], item]}


def _picked(document: Json, *names: str) -> Json:
    """Return those of the members that there are: what does not apply is left out."""
    return {name: document[name] for name in names if name in document}


def _without(document: Json, name: str) -> Json:
    return {key: value for key, value in document.items() if key != name}
