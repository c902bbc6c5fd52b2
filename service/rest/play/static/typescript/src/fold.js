export function fold(board, event) {
    switch (event.type) {
        case "seat_taken":
            return withSeat(board, event.seat, { seat: event.seat, player: event.player });
        case "seat_left":
            return withSeat(board, event.seat, board.status === "waiting" ? { seat: event.seat } : { seat: event.seat, away: event.player });
        case "seat_cleared":
            return withSeat(board, event.seat, { seat: event.seat });
        case "robot_seated": {
            const before = board.seats[event.seat];
            const away = before?.player ?? before?.away;
            return withSeat(board, event.seat, { seat: event.seat, robot: event.robot, ...(away ? { away } : {}) });
        }
        case "auto_play_chosen": {
            const { auto_play: _, ...seat } = board.seats[event.seat] ?? { seat: event.seat };
            return withSeat(board, event.seat, event.auto_play === "off" ? seat : { ...seat, auto_play: event.auto_play });
        }
        case "game_started":
            return {
                ...board,
                status: "playing",
                hands: event.hands,
                seats: event.seats,
                scores: event.seats.map(({ seat }) => ({ seat, points: 0, exact: 0, missed: 0, rank: 1 })),
            };
        case "hand_dealt":
            return { ...board, hand: dealt(board, event) };
        case "blind_pick_made":
            return withHand(board, (hand) => ({
                ...hand,
                trump: event.trump,
                multiplier: event.multiplier,
                turn_up: event.card,
                ...(event.my_cards ? { my_cards: event.my_cards } : {}),
            }));
        case "auction_bid_made":
            return withHand(board, (hand) => ({ ...hand, auction: [...(hand.auction ?? []), { seat: event.seat, passed: false, bid: event.bid }] }));
        case "auction_passed":
            return withHand(board, (hand) => ({ ...hand, auction: [...(hand.auction ?? []), { seat: event.seat, passed: true }] }));
        case "auction_won":
            return event.locked ? withHand(board, (hand) => ({ ...hand, bids: [...hand.bids, { seat: event.seat, bid: event.bid }] })) : board;
        case "trump_chosen":
            return withHand(board, (hand) => ({ ...hand, trump: event.suit, multiplier: event.multiplier }));
        case "bid_made":
            return withHand(board, (hand) => ({ ...hand, bids: [...hand.bids, { seat: event.seat, bid: event.bid }] }));
        case "card_played":
            return withHand(board, (hand) => ({
                ...hand,
                trick: [...hand.trick, { seat: event.seat, card: event.card }],
                ...(event.seat === board.my_seat && hand.my_cards ? { my_cards: hand.my_cards.filter((card) => card !== event.card) } : {}),
            }));
        case "trick_taken":
            return withHand(board, (hand) => ({
                ...hand,
                tricks_won: hand.tricks_won.map((tricks, seat) => (seat === event.seat ? tricks + 1 : tricks)),
                last_trick: { winner: event.seat, plays: hand.trick },
                trick: [],
            }));
        case "hand_scored": {
            const rows = new Map(event.scores.map((row) => [row.seat, row]));
            return withScores(board, (score) => {
                const row = rows.get(score.seat);
                if (!row)
                    return score;
                const hit = row.bid === row.tricks;
                return { ...score, points: row.total, rank: row.rank, exact: score.exact + Number(hit), missed: score.missed + Number(!hit) };
            });
        }
        case "renuncio_claimed":
            return withScores(board, (score) => ({
                ...score,
                points: event.totals[score.seat] ?? score.points,
                rank: event.ranks[score.seat] ?? score.rank,
            }));
        case "game_over":
            return { ...withoutHand(board), result: event.result };
        case "game_abandoned":
            return withoutHand(board);
        default:
            return board;
    }
}
function dealt(board, event) {
    const { number, kind, cards, dealer, mano, multiplier, stock_count, trump, turn_up, my_cards, seen_cards } = event;
    return {
        number,
        of: Math.max(board.hand?.of ?? board.hands ?? number, number),
        kind,
        cards,
        dealer,
        mano,
        multiplier,
        stock_count,
        bids: [],
        trick: [],
        tricks_won: board.seats.map(() => 0),
        ...(kind === "subastado" ? { auction: [] } : {}),
        ...(trump ? { trump } : {}),
        ...(turn_up ? { turn_up } : {}),
        ...(my_cards ? { my_cards } : {}),
        ...(seen_cards ? { seen_cards } : {}),
    };
}
function withSeat(board, seat, after) {
    return { ...board, seats: board.seats.map((before) => (before.seat === seat ? after : before)) };
}
function withHand(board, change) {
    return board.hand ? { ...board, hand: change(board.hand) } : board;
}
function withScores(board, change) {
    return { ...board, scores: board.scores.map(change) };
}
function withoutHand(board) {
    const { hand: _, ...rest } = board;
    return rest;
}
