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
  readonly plays: readonly string[];
  readonly discards: readonly string[];
  readonly draws: readonly string[];
  readonly decks: readonly string[];
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
  const verb = tokens[0] ?? '';
  if (tail === undefined && (lexicon.draws.includes(verb) || tokens.length === 1)) {
    const asked = readSource(lexicon.draws.includes(verb) ? tokens.slice(1).join(' ') : verb, lexicon);
    if (asked) return { kind: 'draw', source: asked };
  }
  const minus = head.startsWith('-');
  const target: Target = minus || lexicon.discards.includes(verb) ? 'discard' : 'play';
  const rest = lexicon.discards.includes(verb) || lexicon.plays.includes(verb) ? tokens.slice(1) : tokens;
  const card = readCard(rest.join(' ').replace(/^-/, ''), lexicon);
  return card ? { kind: 'stage', card, target, source } : unknown;
}

function readSource(text: string, lexicon: Lexicon): Source | null {
  const word = text.trim();
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

