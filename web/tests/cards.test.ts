import { describe, expect, it } from 'vitest';
import { arrangeHand, columnOf, rankOf } from '../src/lib/cards';

const HAND = ['Rx', 'Rx', 'Rx', 'G5', 'B5', 'W5', 'Y5', 'R5'];

describe('a hand with equal cards', () => {
  it('keeps all eight apart in both orders', () => {
    for (const order of ['color', 'rank'] as const) {
      const held = arrangeHand(HAND, order);
      expect(held.map(({ card }) => card).toSorted()).toEqual(HAND.toSorted());
      expect(new Set(held.map(({ place }) => place)).size).toBe(8);
      expect(held.filter(({ card }) => card === 'Rx').map(({ nth, equals }) => [nth, equals])).toEqual([[1, 3], [2, 3], [3, 3]]);
    }
  });
  it('is ordered by expedition, or by number', () => {
    expect(arrangeHand(HAND, 'color').map(({ card }) => card)).toEqual(['Y5', 'B5', 'W5', 'G5', 'Rx', 'Rx', 'Rx', 'R5']);
    expect(arrangeHand(HAND, 'rank').map(({ card }) => card)).toEqual(['Rx', 'Rx', 'Rx', 'Y5', 'B5', 'W5', 'G5', 'R5']);
  });
  it('looks the same whatever order the server sends', () => {
    expect(arrangeHand(HAND.toReversed(), 'color')).toEqual(arrangeHand(HAND, 'color'));
  });
});

it('reads marks and columns', () => {
  expect(['Rx', 'R2', 'RT'].map(rankOf)).toEqual([0, 2, 10]);
  expect(columnOf(['Gx', 'Gx', 'G3', 'GT'])).toEqual({ wagers: 2, ranks: [3, 10] });
});
