// The words that a person may type, in their language; the notation works in all of them.

import { t } from '../i18n/texts.svelte';
import { COLORS, type Color } from './cards';
import { WORDS, type Lexicon, type Word } from './turns';

const list = (text: string): string[] => text.toLowerCase().split('|').map((word) => word.trim());

export function lexicon(): Lexicon {
  const colors: Record<string, Color> = {};
  for (const color of COLORS) for (const word of [t(`color.${color}`), t(`place.${color}`), ...list(t(`say.color.${color}`))]) colors[word.toLowerCase()] = color;
  const words: Record<string, Word> = {};
  for (const word of WORDS) for (const said of [word, ...list(t(`say.${word}`))]) words[said] = word;
  return { colors, words, wagers: list(t('say.wager')), plays: list(t('say.play')), discards: list(t('say.discard')), draws: list(t('say.draw')), decks: list(t('say.deck')), fillers: list(t('say.filler')) };
}
