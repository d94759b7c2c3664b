// Turns as the notation writes them, and as people type them.

import { type Card, type Color, isColor, markOf } from './cards';

export type Target = 'play' | 'discard';
export type Source = 'D' | Color;

export interface Turn {
  readonly card: Card;
  readonly target: Target;
  readonly source: Source;
}

export const formatTurn = (turn: Turn): string => `${formatMove(turn.card, turn.target)}/${turn.source}`;
export const formatMove = (card: Card, target: Target): string => (target === 'discard' ? `-${card}` : card);

/** Reads `[-]CARD/SOURCE[=DRAWN]`; the caller only gives turns that the server wrote. */
export function parseTurn(text: string): Turn {
  const found = /^(-?)([YBWGRP][x2-9T])\/([DYBWGRP])/.exec(text);
  if (!found) throw new Error(`expected a turn like 'R7/D', got '${text}'`);
  return { target: found[1] ? 'discard' : 'play', card: found[2]!, source: found[3] as Source };
}

/** What a typed line asks for. */
export type Request =
  | { kind: 'stage'; card: Card; target: Target; source: Source | null }
  | { kind: 'draw'; source: Source }
  | { kind: 'word'; word: Word }
  | { kind: 'unknown'; text: string };

export const WORDS = ['last', 'board', 'scores', 'hand', 'left', 'undo', 'repeat', 'known', 'help'] as const;
export type Word = (typeof WORDS)[number];

/** The words of one language for colors, ranks and verbs, as people say them. */
export interface Lexicon {
  readonly colors: Readonly<Record<string, Color>>;
  readonly wagers: readonly string[];
  /** Verbs; one of two words may stand around the card, as German ones do: 'lege an' in 'lege rot 7 an'. */
  readonly plays: readonly string[];
  readonly discards: readonly string[];
  readonly draws: readonly string[];
  readonly decks: readonly string[];
  /** Words that may stand anywhere and say nothing: 'the'. */
  readonly fillers: readonly string[];
  readonly words: Readonly<Record<string, Word>>;
}

export function readRequest(line: string, lexicon: Lexicon): Request {
  const text = line.trim().toLowerCase();
  const unknown: Request = { kind: 'unknown', text: line.trim() };
  const word = lexicon.words[text];
  if (word) return { kind: 'word', word };
  const [head = '', tail] = text.split('/', 2);
  const source = tail === undefined ? null : readSource(tail, lexicon);
  if (tail !== undefined && source === null) return unknown;
  const tokens = head.split(/[\s,]+/).filter(Boolean);
  if (tail === undefined) {
    const asked = readSource((withoutVerb(tokens, lexicon.draws) ?? tokens).join(' '), lexicon);
    if (asked) return { kind: 'draw', source: asked };
  }
  const discarded = withoutVerb(tokens, lexicon.discards);
  const target: Target = discarded || head.startsWith('-') ? 'discard' : 'play';
  const rest = discarded ?? withoutVerb(tokens, lexicon.plays) ?? tokens;
  const card = readCard(meant(rest, lexicon).join(' ').replace(/^-/, ''), lexicon);
  return card ? { kind: 'stage', card, target, source } : unknown;
}

/** What is left of a line without its verb, which stands at its begin, at its end, or around it; null if there is none. */
function withoutVerb(tokens: readonly string[], verbs: readonly string[]): string[] | null {
  const last = tokens.length - 1;
  const inTwo = verbs.map((verb) => verb.split(' ')).sort((a, b) => b.length - a.length);
  for (const [verb, particle] of inTwo) {
    if (particle === undefined) {
      if (tokens[0] === verb) return tokens.slice(1);
      if (tokens[last] === verb) return tokens.slice(0, last);
    } else if (tokens[0] === verb) {
      if (tokens[1] === particle) return tokens.slice(2);
      if (tokens[last] === particle) return tokens.slice(1, last);
    }
  }
  return null;
}

const meant = (tokens: readonly string[], lexicon: Lexicon): string[] => tokens.filter((token) => !lexicon.fillers.includes(token));

function readSource(text: string, lexicon: Lexicon): Source | null {
  const word = meant(text.trim().split(/\s+/), lexicon).join(' ');
  if (word === 'd' || lexicon.decks.includes(word)) return 'D';
  if (isColor(word.toUpperCase())) return word.toUpperCase() as Color;
  return lexicon.colors[word] ?? null;
}

export function readCard(text: string, lexicon: Lexicon): Card | null {
  const glued = /^([ybwgrp])\s*(10|[xht2-9])$/.exec(text.trim());
  if (glued) return glued[1]!.toUpperCase() + rankMark(glued[2]!, lexicon)!;
  const parts = text.trim().split(/\s+/);
  if (parts.length !== 2) return null;
  for (const [first, second] of [parts, [...parts].reverse()] as [string, string][]) {
    const color = lexicon.colors[first] ?? (isColor(first.toUpperCase()) ? (first.toUpperCase() as Color) : undefined);
    const mark = rankMark(second, lexicon);
    if (color && mark) return color + mark;
  }
  return null;
}

function rankMark(text: string, lexicon: Lexicon): string | null {
  if (text === 'x' || text === 'h' || lexicon.wagers.includes(text)) return 'x';
  if (text === 't' || text === '10') return 'T';
  return /^[2-9]$/.test(text) ? markOf(Number(text)) : null;
}

