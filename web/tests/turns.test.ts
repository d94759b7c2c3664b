import { beforeAll, describe, expect, it } from 'vitest';
import { t, useLanguage } from '../src/i18n/texts.svelte';
import { lexicon } from '../src/lib/lexicon';
import { formatTurn, parseTurn, readRequest } from '../src/lib/turns';

it.each(['R7/D', '-W9/G', 'Bx/Y', '-PT/D'])('writes %s as it read it', (text) => expect(formatTurn(parseTurn(text))).toBe(text));
it('refuses what is no turn', () => expect(() => parseTurn('R7')).toThrow("expected a turn like 'R7/D', got 'R7'"));

describe('typed lines in English', () => {
  beforeAll(() => useLanguage('en'));
  const stage = (card: string, target: 'play' | 'discard', source: string | null = null) => ({ kind: 'stage', card, target, source });
  it.each([
    ['R7/D', stage('R7', 'play', 'D')],
    ['-w9/g', stage('W9', 'discard', 'G')],
    ['r10', stage('RT', 'play')],
    ['Bx', stage('Bx', 'play')],
    ['play red 7', stage('R7', 'play')],
    ['discard white wager', stage('Wx', 'discard')],
    ['flame 7', stage('R7', 'play')],
    ['red wager/deck', stage('Rx', 'play', 'D')],
    ['D', { kind: 'draw', source: 'D' }],
    ['deck', { kind: 'draw', source: 'D' }],
    ['y', { kind: 'draw', source: 'Y' }],
    ['take green', { kind: 'draw', source: 'G' }],
    ['Scores', { kind: 'word', word: 'scores' }],
    ['last move', { kind: 'word', word: 'last' }],
    ['play the red 7', stage('R7', 'play')],
    ['red 7', stage('R7', 'play')],
    ['take the green', { kind: 'draw', source: 'G' }],
    ['draw from the deck', { kind: 'draw', source: 'D' }],
    ['play', { kind: 'unknown', text: 'play' }],
    ['play the', { kind: 'unknown', text: 'play the' }],
    ['take', { kind: 'unknown', text: 'take' }],
    ['nonsense', { kind: 'unknown', text: 'nonsense' }],
    ['R11', { kind: 'unknown', text: 'R11' }],
    ['R7/Q', { kind: 'unknown', text: 'R7/Q' }],
    ['', { kind: 'unknown', text: '' }],
  ])('%s', (line, request) => expect(readRequest(line, lexicon())).toEqual(request));
});

describe('typed lines in German', () => {
  beforeAll(() => useLanguage('de'));
  const play = (card: string, source: string | null = null) => ({ kind: 'stage', card, target: 'play', source });
  const discard = (card: string, source: string | null = null) => ({ kind: 'stage', card, target: 'discard', source });
  it.each([
    ['spiel rot 7', play('R7')],
    ['spiele rot 7', play('R7')],
    ['Spiele die rote 7', play('R7')],
    ['rot 7 spielen', play('R7')],
    ['lege rot 7 an', play('R7')],
    ['leg die rote 10 an', play('RT')],
    ['lege an rot 7', play('R7')],
    ['Flamme 7 anlegen/stapel', play('R7', 'D')],
    ['lege rot 7 an/D', play('R7', 'D')],
    ['spiele weiße Wette aus', play('Wx')],
    ['ablegen rot 7', discard('R7')],
    ['rot 7 ablegen', discard('R7')],
    ['lege rot 7 ab', discard('R7')],
    ['leg die gelbe Wette ab/grün', discard('Yx', 'G')],
    ['wirf rot 7 ab', discard('R7')],
    ['wirf rot 7 weg', discard('R7')],
    ['wirf rot 7', discard('R7')],
    ['ab rot 7', discard('R7')],
    ['nimm grün', { kind: 'draw', source: 'G' }],
    ['nimm die grüne', { kind: 'draw', source: 'G' }],
    ['nimm die grüne Karte', { kind: 'draw', source: 'G' }],
    ['grün nehmen', { kind: 'draw', source: 'G' }],
    ['ziehe vom Stapel', { kind: 'draw', source: 'D' }],
    ['vom stapel ziehen', { kind: 'draw', source: 'D' }],
    ['stapel', { kind: 'draw', source: 'D' }],
    ['punkte', { kind: 'word', word: 'scores' }],
    ['letzter Zug', { kind: 'word', word: 'last' }],
    ['karten', { kind: 'word', word: 'hand' }],
  ])('%s', (line, request) => expect(readRequest(line, lexicon())).toEqual(request));
  // Anlegen or ablegen? A card that is meant for the expedition must not be thrown away by a guess.
  it.each(['lege rot 7', 'leg rot 7/D', 'lege', 'an'])('%s is asked back', (line) => expect(readRequest(line, lexicon())).toEqual({ kind: 'unknown', text: line }));
});

describe('typed lines in Spanish', () => {
  beforeAll(() => useLanguage('es'));
  const play = (card: string, source: string | null = null) => ({ kind: 'stage', card, target: 'play', source });
  const discard = (card: string, source: string | null = null) => ({ kind: 'stage', card, target: 'discard', source });
  it.each([
    ['juega rojo 7', play('R7')],
    ['juego el rojo 7', play('R7')],
    ['jugar la roja 7', play('R7')],
    ['pon el 7 rojo', play('R7')],
    ['llama 7/mazo', play('R7', 'D')],
    ['descarta apuesta blanco', discard('Wx')],
    ['descarta la apuesta blanca', discard('Wx')],
    ['descarto el blanco 2/verde', discard('W2', 'G')],
    ['tira el 10 morado', discard('PT')],
    ['toma verde', { kind: 'draw', source: 'G' }],
    ['toma la carta verde', { kind: 'draw', source: 'G' }],
    ['coge la amarilla', { kind: 'draw', source: 'Y' }],
    ['mazo', { kind: 'draw', source: 'D' }],
    ['roba del mazo', { kind: 'draw', source: 'D' }],
    ['robo una carta del mazo', { kind: 'draw', source: 'D' }],
    ['puntos', { kind: 'word', word: 'scores' }],
    ['última', { kind: 'word', word: 'last' }],
  ])('%s', (line, request) => expect(readRequest(line, lexicon())).toEqual(request));
});

describe('what the help names as examples', () => {
  it.each(['en', 'de', 'es'] as const)('is understood in %s', async (language) => {
    await useLanguage(language);
    const examples = t('type.help').replace(/^[^A-Z]*[A-Z][^R]*?(?=R7)/, '').replace(/\.$/, '').split(/[,;]/).map((example) => example.replace(/^\s*(or|oder|o)\s/, '').trim());
    expect(examples.length).toBeGreaterThan(10);
    for (const example of examples) expect(readRequest(example, lexicon()).kind, example).not.toBe('unknown');
  });
});
