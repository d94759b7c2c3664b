import { expect, it } from 'vitest';
import { isCovered, openView } from '../src/lib/cover';
import type { Snapshot } from '../src/lib/wire';
import { snapshot } from './fake_server';

const local = (changes: Partial<Snapshot> = {}): Snapshot =>
  snapshot({ opponent: { kind: 'local', agent: null, agent_name: null }, seats: ['A', 'B'], ...changes });

it('covers a running round until the cards are shown to the one whose view it is', () => {
  expect(isCovered(local(), null)).toBe(true);
  expect(isCovered(local(), 'B')).toBe(true);
  expect(isCovered(local(), 'A')).toBe(false);
  expect(isCovered(local({ viewer: 'B' }), 'A')).toBe(true);
});
it('covers nothing between rounds, nor where a friend sits elsewhere', () => {
  expect(isCovered(local({ status: 'round_over' }), null)).toBe(false);
  expect(isCovered(snapshot(), null)).toBe(false);
});
it('leaves nothing of the view that is not open to both', () => {
  const last = { seat: 'A', turn: 'R7/D', card: 'R7', to: 'expedition', draw: 'deck', drawn: 'B9', agent: null, flagged: false } as const;
  const one = local({ last, hand: ['Rx', 'Rx', 'Rx', 'B9', 'Y2', 'G5', 'B5', 'W5'], known: { A: ['G5'], B: [] }, unseen: 44 });
  const open = openView(one);
  const hidden = ['Rx', 'B9', 'Y2', 'B5', 'W5'];
  expect(hidden.filter((card) => JSON.stringify(open).includes(`"${card}"`))).toEqual([]);
  expect(open).toMatchObject({ viewer: null, hand: null, cards: null, legal: null, unseen: 51, seats: ['A', 'B'], known: { A: ['G5'] } });
});
it('keeps what was taken from a pile: everybody saw it', () => {
  const last = { seat: 'A', turn: 'R7/G', card: 'R7', to: 'expedition', draw: 'G', drawn: 'G9', agent: null, flagged: false } as const;
  expect(openView(local({ last })).last).toEqual(last);
});
