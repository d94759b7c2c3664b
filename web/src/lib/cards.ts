// Cards as the notation writes them: a color letter and a rank mark.

export const COLORS = ['Y', 'B', 'W', 'G', 'R', 'P'] as const;
export type Color = (typeof COLORS)[number];
export type Card = string;
export type Seat = 'A' | 'B';
/** 0 is a wager. */
export type Rank = number;

export const colorOf = (card: Card): Color => card[0] as Color;
export const isWager = (card: Card): boolean => card[1] === 'x';
export const rankOf = (card: Card): Rank => (card[1] === 'x' ? 0 : card[1] === 'T' ? 10 : Number(card[1]));
export const markOf = (rank: Rank): string => (rank === 0 ? 'x' : rank === 10 ? 'T' : String(rank));
export const otherSeat = (seat: Seat): Seat => (seat === 'A' ? 'B' : 'A');
export const isColor = (text: string): text is Color => (COLORS as readonly string[]).includes(text);

export type Order = 'color' | 'rank';

/** A card of a hand with its place: equal cards stay apart (the second red wager is its own card). */
export interface Held {
  readonly card: Card;
  readonly place: number;
  /** Which of its equals it is, from 1. */
  readonly nth: number;
  readonly equals: number;
}

export function arrangeHand(hand: readonly Card[], order: Order): Held[] {
  const weight = (card: Card): number => {
    const color = COLORS.indexOf(colorOf(card));
    return order === 'color' ? color * 16 + rankOf(card) : rankOf(card) * 16 + color;
  };
  const sorted = hand.map((card, at) => ({ card, at })).sort((a, b) => weight(a.card) - weight(b.card) || a.at - b.at);
  const seen = new Map<Card, number>();
  return sorted.map(({ card }, place) => {
    const nth = (seen.get(card) ?? 0) + 1;
    seen.set(card, nth);
    return { card, place, nth, equals: hand.filter((other) => other === card).length };
  });
}

/** What lies on an expedition, wagers taken together. */
export interface Column {
  readonly wagers: number;
  readonly ranks: readonly Rank[];
}

export function columnOf(cards: readonly Card[]): Column {
  const ranks = cards.filter((card) => !isWager(card)).map(rankOf);
  return { wagers: cards.length - ranks.length, ranks };
}
