// A screen of React Native: the own cards, the trick, and the turn. It is checked by tsc, and not run here.
import { useMemo } from "react";
import { Pressable, ScrollView, StyleSheet, Text, View } from "react-native";
import EventSource from "react-native-sse";
import { Pocha, PochaError, type Board, type Card, type Move } from "@pocha/client";
import { useGame } from "@pocha/client/react";

/** `fetch` of React Native gives no body to read, so an EventSource opens the stream, with a ticket. */
function usePocha(url: string, token: string): Pocha {
  return useMemo(() => new Pocha({ url, token, language: "es", eventSource: EventSource }), [url, token]);
}

export function TableScreen({ url, token, gameId }: { url: string; token: string; gameId: string }) {
  const pocha = usePocha(url, token);
  const { board, isConnected, isMoving, error, move } = useGame(pocha, gameId);
  if (!board) return <Text style={styles.line}>{error instanceof PochaError ? error.message : "…"}</Text>;
  return (
    <ScrollView style={styles.screen}>
      {!isConnected && <Text accessibilityRole="alert">Sin conexión</Text>}
      {error instanceof PochaError && <Text accessibilityRole="alert">{error.message}</Text>}
      {board.scores.map(({ seat, points }) => (
        <Text key={seat} style={styles.line}>
          {nameOf(board, seat)}: {points}
        </Text>
      ))}
      <View style={styles.row}>{board.hand?.trick.map(({ seat, card }) => <Text key={seat} style={styles.card}>{card}</Text>)}</View>
      <Turn board={board} isMoving={isMoving} onMove={(made) => void move(made)} />
    </ScrollView>
  );
}

function Turn({ board, isMoving, onMove }: { board: Board; isMoving: boolean; onMove: (move: Move) => void }) {
  const turn = board.turn;
  const choices: [label: string, move: Move][] =
    turn?.action === "bid" ? turn.legal_bids.map((bid) => [String(bid), { action: "bid", bid }])
    : turn?.action === "play" ? turn.legal_cards.map((card) => [card, { action: "play", card: card as Card }])
    : turn?.action === "choose_trump" ? turn.legal_suits.map((suit) => [suit, { action: "choose_trump", suit }])
    : turn?.action === "blind_pick" ? turn.positions.map((position) => [String(position + 1), { action: "blind_pick", position }])
    : turn?.action === "auction_bid" ? [...turn.legal_bids.map((bid): [string, Move] => [String(bid), { action: "auction_bid", bid }]), ["–", { action: "pass" }]]
    : [];
  return (
    <View style={styles.row}>
      {choices.map(([label, made]) => (
        <Pressable key={label} accessibilityRole="button" disabled={isMoving} onPress={() => onMove(made)}>
          <Text style={styles.card}>{label}</Text>
        </Pressable>
      ))}
    </View>
  );
}

function nameOf(board: Board, seat: number): string {
  return board.seats[seat]?.player?.display_name ?? `Robot ${seat + 1}`;
}

const styles = StyleSheet.create({
  screen: { padding: 12 },
  line: { fontSize: 16 },
  row: { flexDirection: "row", flexWrap: "wrap", marginVertical: 8 },
  card: { borderWidth: 1, borderRadius: 8, padding: 12, margin: 4 },
});
