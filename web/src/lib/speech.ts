// The table in words: for the ear, for the line of text under the board, and for labels.

import { listOf, t, tMaybe, tn } from '../i18n/texts.svelte';
import { colorOf, columnOf, isWager, otherSeat, rankOf, type Card, type Color, type Held, type Seat } from './cards';
import type { Choice, HandCard, LastTurn, OpponentInfo, Receipt, Snapshot } from './wire';
import type { Refused } from './session.svelte';
import { parseTurn } from './turns';

export const colorName = (color: Color): string => t(`color.${color}`);
export const placeName = (color: Color): string => t(`place.${color}`);
export const pileName = (color: Color): string => t('pile.name', { place: placeName(color), color: colorName(color) });

export function cardName(card: Card): string {
  const color = colorOf(card);
  const values = { place: placeName(color), color: colorName(color), rank: rankOf(card) };
  return t(isWager(card) ? 'card.wager' : 'card.number', values);
}

/** A card of a hand; equal ones are counted: 'Flame wager (red), second of two'. */
export function heldName(held: Held): string {
  return held.equals > 1 ? t('card.nth', { card: cardName(held.card), nth: held.nth, all: held.equals }) : cardName(held.card);
}

/** 'two wagers, 3, 5, 8'. */
export function columnWords(cards: readonly Card[]): string {
  const { wagers, ranks } = columnOf(cards);
  const parts = [...(wagers ? [tn('wagers', wagers)] : []), ...ranks.map(String)];
  return parts.join(', ') || t('nothing');
}

export function receiptWords(receipt: Receipt): string {
  if (!receipt.started) return t('score.unopened');
  const short = -receipt.cost - receipt.sum;
  const way = short > 0 ? t('score.short', { n: short }) : '';
  return [t('score.points', { n: receipt.total }), way].filter(Boolean).join('; ');
}

/** '(16 − 20) × 3 + 20 = 8'. */
export function receiptTerms(receipt: Receipt): string {
  const base = `${receipt.sum} − ${Math.abs(receipt.cost)}`;
  const times = receipt.multiplier > 1 ? `(${base}) × ${receipt.multiplier}` : base;
  return `${times}${receipt.bonus ? ` + ${receipt.bonus}` : ''} = ${signed(receipt.total)}`;
}

export const signed = (value: number): string => (value < 0 ? `−${-value}` : String(value));
export const gained = (value: number): string => (value < 0 ? `−${-value}` : `+${value}`);

/** A level in the reader's language; other programs keep the name that the server gives them. */
export const levelName = (name: string): string => tMaybe(`levelName.${name}`) ?? name;

interface Named {
  readonly names: Snapshot['names'];
  readonly opponent: OpponentInfo;
  /** Who opened the table; the one who looks at it, where only that one is shown it. */
  readonly host?: Seat;
  readonly seats: readonly Seat[];
}

/** Who sits there; null if nobody does. People keep their names, even where a level is called the same. */
export function nameAt(table: Named, seat: Seat): string | null {
  const name = table.names[seat] ?? null;
  const isProgram = table.opponent.kind === 'computer' && seat !== (table.host ?? table.seats[0]);
  return name && isProgram ? levelName(name) : name;
}

export const nameOf = (snapshot: Snapshot, seat: Seat): string => nameAt(snapshot, seat) ?? t('seat.free');

/** Who sits below: the viewer; for spectators seat A. */
export const nearSeat = (snapshot: Snapshot): Seat => snapshot.viewer ?? 'A';
export const farSeat = (snapshot: Snapshot): Seat => otherSeat(nearSeat(snapshot));

export function turnSentence(snapshot: Snapshot, last: LastTurn): string {
  const { target, source } = parseTurn(last.turn);
  const who = last.seat === snapshot.viewer ? 'you' : 'they';
  const values = { name: nameOf(snapshot, last.seat), card: cardName(last.card), drawn: last.drawn ? cardName(last.drawn) : '' };
  const from = source === 'D' ? (last.drawn && who === 'you' ? 'own' : 'deck') : 'pile';
  const sentence = from === 'own' ? t(`turn.you.${target}.own`, values) : t(`turn.${who}.${target}.${from}`, values);
  return last.flagged ? `${sentence} ${t('turn.flagged')}` : sentence;
}

export function choiceSentence(held: Held, known: HandCard | null, receipt: Receipt | undefined): string {
  if (!known) return t('stage.chosen', { card: heldName(held) });
  const play = known.play;
  const answer = play.ok && play.score_after !== null && receipt ? t('stage.would', { gain: gained(play.score_after - receipt.total), total: play.score_after }) : reasonOf(play);
  return t('stage.chosenWith', { card: heldName(held), answer });
}

export function stagedSentence(card: Card, target: 'play' | 'discard', known: HandCard | null): string {
  if (target === 'discard') return t('stage.discard', { card: cardName(card), pile: pileName(colorOf(card)) });
  return t('stage.play', { card: cardName(card), total: known?.play.score_after ?? 0 });
}

export const reasonOf = (choice: Choice | Refused): string =>
  (choice.code && tMaybe(`reason.${choice.code}`)) || choice.sentence || t('reason.unexpected');

/** A reason stands in the middle of sentences, and alone. */
export const asSentence = (text: string): string => {
  const [first = '', ...rest] = text;
  const whole = first.toUpperCase() + rest.join('');
  return /[.!?…]$/.test(whole) ? whole : `${whole}.`;
};

export function leftSentence(snapshot: Snapshot): string {
  const near = nearSeat(snapshot);
  const far = farSeat(snapshot);
  const own = snapshot.viewer
    ? t('left.you', { n: snapshot.turns_left[near], name: nameOf(snapshot, far), m: snapshot.turns_left[far] })
    : t('left.names', { a: nameOf(snapshot, near), n: snapshot.turns_left[near], b: nameOf(snapshot, far), m: snapshot.turns_left[far] });
  return `${tn('deck.cards', snapshot.deck)} ${own}`;
}

export function scoresSentence(snapshot: Snapshot): string {
  const parts = ([nearSeat(snapshot), farSeat(snapshot)] as const).map((seat) =>
    t('scores.one', { name: snapshot.viewer === seat ? t('you') : nameOf(snapshot, seat), n: snapshot.scores[seat].total, total: snapshot.totals[seat] }));
  return parts.join(' ');
}

export function handSentence(hand: readonly Held[]): string {
  return hand.length ? listOf(hand.map(heldName)) : t('nothing');
}

export function boardSentence(snapshot: Snapshot): string {
  const line = (seat: Seat): string => {
    const parts = snapshot.variant.colors.flatMap((color) => {
      const cards = snapshot.expeditions[seat][color] ?? [];
      return cards.length ? [`${placeName(color)}: ${columnWords(cards)}; ${signed(snapshot.scores[seat].by[color]?.total ?? 0)}`] : [];
    });
    return `${snapshot.viewer === seat ? t('you') : nameOf(snapshot, seat)}: ${parts.join('. ') || t('nothing')}.`;
  };
  const piles = snapshot.variant.colors.flatMap((color) => {
    const top = snapshot.piles[color]?.at(-1);
    return top ? [cardName(top)] : [];
  });
  return `${line(nearSeat(snapshot))} ${line(farSeat(snapshot))} ${t('piles.say', { tops: piles.join(', ') || t('nothing') })}`;
}

export function pileLabel(snapshot: Snapshot, color: Color): string {
  const top = snapshot.piles[color]?.at(-1);
  const num = snapshot.pile_sizes[color] ?? 0;
  return top ? `${pileName(color)}: ${t('pile.top', { card: cardName(top) })}, ${tn('cards', num)}` : `${pileName(color)}: ${t('pile.empty')}`;
}

export function warningsOf(snapshot: Snapshot): string[] {
  return snapshot.warnings.map((code) => (code === 'deck_low' ? tn('warning.deck_low', snapshot.deck) : t(`warning.${code}`)));
}

export function roundSentence(snapshot: Snapshot): string {
  const near = nearSeat(snapshot);
  const far = farSeat(snapshot);
  const round = snapshot.history.at(-1);
  if (!round) return '';
  const values = { round: snapshot.round, a: round[near], b: round[far], name: nameOf(snapshot, round[near] >= round[far] ? near : far) };
  if (round[near] === round[far]) return t('round.drawn', { round: snapshot.round, a: round[near] });
  if (snapshot.viewer) return t(round[near] > round[far] ? 'round.won' : 'round.lost', { ...values, name: nameOf(snapshot, far) });
  return t('round.wonBy', { ...values, a: Math.max(round.A, round.B), b: Math.min(round.A, round.B) });
}

export function resultSentence(snapshot: Snapshot): string {
  const { result } = snapshot;
  if (!result) return '';
  const near = nearSeat(snapshot);
  const far = farSeat(snapshot);
  if (result.resigned) {
    return result.resigned === snapshot.viewer ? t('match.youResigned', { name: nameOf(snapshot, far) }) : t('match.resigned', { name: nameOf(snapshot, result.resigned) });
  }
  const values = { a: result.totals[near], b: result.totals[far], name: nameOf(snapshot, far) };
  if (!result.winner) return t('match.drawn', { a: result.totals.A });
  if (snapshot.viewer && snapshot.opponent.kind !== 'local') return t(result.winner === snapshot.viewer ? 'match.won' : 'match.lost', values);
  const loser = otherSeat(result.winner);
  return t('match.wonBy', { name: nameOf(snapshot, result.winner), a: result.totals[result.winner], b: result.totals[loser] });
}
