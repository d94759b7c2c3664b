import { beforeAll, describe, expect, it } from 'vitest';
import { useLanguage } from '../src/i18n/texts.svelte';
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
    ['nonsense', { kind: 'unknown', text: 'nonsense' }],
    ['R11', { kind: 'unknown', text: 'R11' }],
    ['R7/Q', { kind: 'unknown', text: 'R7/Q' }],
    ['', { kind: 'unknown', text: '' }],
  ])('%s', (line, request) => expect(readRequest(line, lexicon())).toEqual(request));
});

describe('typed lines in other languages', () => {
  it('German', async () => {
    await useLanguage('de');
    expect(readRequest('spiel rot 7', lexicon())).toMatchObject({ kind: 'stage', card: 'R7', target: 'play' });
    expect(readRequest('lege weiß wette', lexicon())).toMatchObject({ kind: 'stage', card: 'Wx', target: 'discard' });
    expect(readRequest('nimm grün', lexicon())).toEqual({ kind: 'draw', source: 'G' });
    expect(readRequest('punkte', lexicon())).toEqual({ kind: 'word', word: 'scores' });
  });
  it('Spanish', async () => {
    await useLanguage('es');
    expect(readRequest('juega rojo 7', lexicon())).toMatchObject({ kind: 'stage', card: 'R7', target: 'play' });
    expect(readRequest('descarta apuesta blanco', lexicon())).toMatchObject({ kind: 'stage', card: 'Wx', target: 'discard' });
    expect(readRequest('mazo', lexicon())).toEqual({ kind: 'draw', source: 'D' });
  });
});
