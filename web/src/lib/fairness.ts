// The check of the deals, written a second time and from the recipe alone (docs/fair-deals.md):
// nothing but SHA-256 and HMAC, and done here, in the reader's own browser.

import { COLORS, type Card, type Color, type Seat } from './cards';
import type { Proof } from './wire';

export const SCHEME = 'lostcities-deal-1';
const WORD_RANGE = 2 ** 32;

export type CheckName = 'scheme' | 'commitment' | 'published' | 'deal' | 'starter';

export interface Check {
  readonly name: CheckName;
  readonly round: number | null;
  readonly ok: boolean;
  readonly expected: string;
  readonly found: string;
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const hexOf = (bytes: ArrayBuffer): string => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const ascii = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

export async function commitmentOf(matchId: string, secret: string): Promise<string> {
  return hexOf(await crypto.subtle.digest('SHA-256', ascii(`${SCHEME}|${matchId}|${secret}`)));
}

/** 32-bit words without end: HMAC-SHA-256 of the context and the number of a block. */
async function* words(secret: string, context: string): AsyncGenerator<number, never> {
  const key = await crypto.subtle.importKey('raw', bytesOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  for (let block = 0; ; block += 1) {
    const view = new DataView(await crypto.subtle.sign('HMAC', key, ascii(`${context}|${block}`)));
    for (let at = 0; at < view.byteLength; at += 4) yield view.getUint32(at);
  }
}

/** A number below the limit, every one equally likely: words that would tip the scales are skipped. */
async function below(limit: number, stream: AsyncGenerator<number, never>): Promise<number> {
  const usable = WORD_RANGE - (WORD_RANGE % limit);
  for (;;) {
    const { value } = await stream.next();
    if (value < usable) return value % limit;
  }
}

export function sortedDeck(colors: readonly Color[], wagers: number, lowest: number, highest: number): Card[] {
  const marks = [...Array<string>(wagers).fill('x')];
  for (let rank = lowest; rank <= highest; rank += 1) marks.push(rank === 10 ? 'T' : String(rank));
  return COLORS.filter((color) => colors.includes(color)).flatMap((color) => marks.map((mark) => color + mark));
}

interface Recipe {
  readonly matchId: string;
  readonly secret: string;
  readonly entropy: Readonly<Record<Seat, string>>;
}

const contextOf = ({ matchId, entropy }: Recipe, purpose: 'deal' | 'lot', round: number): string =>
  `${SCHEME}|${matchId}|A:${entropy.A}|B:${entropy.B}|${purpose}|${round}`;

export async function dealOf(recipe: Recipe, round: number, deck: readonly Card[]): Promise<Card[]> {
  const stream = words(recipe.secret, contextOf(recipe, 'deal', round));
  const order = [...deck];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = await below(last + 1, stream);
    [order[last], order[chosen]] = [order[chosen]!, order[last]!];
  }
  return order;
}

export async function lotOf(recipe: Recipe, round: number): Promise<Seat> {
  return (await below(2, words(recipe.secret, contextOf(recipe, 'lot', round)))) === 0 ? 'A' : 'B';
}

export const canCheck = (): boolean => typeof crypto !== 'undefined' && crypto.subtle !== undefined;

/** Checks a finished match; `published` is the commitment that this browser saw before the first deal. */
export async function checkProof(proof: Proof, published: string | null): Promise<Check[]> {
  const recipe: Recipe = { matchId: proof.match_id, secret: proof.secret, entropy: proof.entropy };
  const checks: Check[] = [];
  const add = (name: CheckName, round: number | null, expected: string, found: string): void =>
    void checks.push({ name, round, ok: expected === found, expected, found });
  add('scheme', null, SCHEME, proof.scheme);
  const computed = await commitmentOf(proof.match_id, proof.secret);
  add('commitment', null, computed, proof.commitment);
  if (published) add('published', null, computed, published);
  const { colors, wagers_per_color, lowest_rank, highest_rank } = proof.variant;
  const deck = sortedDeck(colors, wagers_per_color, lowest_rank, highest_rank);
  for (const { round, deal, starter } of proof.rounds) {
    add('deal', round, (await dealOf(recipe, round, deck)).join(''), deal.join(''));
    if (round === 1) add('starter', round, proof.first_starter ?? (await lotOf(recipe, round)), starter);
  }
  return checks;
}
