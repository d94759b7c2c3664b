import { beforeAll, describe, expect, it } from 'vitest';
import { useLanguage } from '../src/i18n/texts.svelte';
import { levelName, nameAt, nameOf, turnSentence } from '../src/lib/speech';
import type { OpponentInfo } from '../src/lib/wire';
import { snapshot } from './fake_server';

const computer: OpponentInfo = { kind: 'computer', agent: 'level:3', agent_name: 'Guide' };
const against = (name: string, opponent = computer) => snapshot({ names: { A: 'Guide', B: name }, opponent });

describe('the names of the levels', () => {
  beforeAll(() => useLanguage('de'));
  it('are in the language of the reader', () => {
    expect(levelName('Explorer')).toBe('Entdecker');
    expect(nameOf(against('Guide'), 'B')).toBe('Bergführer');
    const last = { seat: 'B', turn: '-W2/D', card: 'W2', to: 'pile', draw: 'deck', drawn: null, flagged: false } as const;
    expect(turnSentence(against('Guide'), { ...last, agent: null } as never)).toMatch(/^Bergführer hat/);
  });
  it('stay as they are for other programs', () => {
    expect(levelName('Somebody')).toBe('Somebody');
    expect(nameOf(against('My program'), 'B')).toBe('My program');
  });
  it('are no names of people', () => {
    expect(nameOf(against('Porter'), 'A')).toBe('Guide');
    expect(nameOf(against('Guide', { kind: 'friend', agent: null, agent_name: null }), 'B')).toBe('Guide');
  });
  it('are the same in the list of games', () => {
    const table = { names: { A: 'Guide', B: 'Guide' }, opponent: computer, seats: ['A'] as const };
    expect(nameAt(table, 'B')).toBe('Bergführer');
    expect(nameAt(table, 'A')).toBe('Guide');
    expect(nameAt({ ...table, names: { A: 'Ann', B: null } }, 'B')).toBeNull();
  });
});
