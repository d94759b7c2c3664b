import { describe, expect, it } from 'vitest';
import { journey, sceneOf } from '../src/art/scenes';
import { COLORS } from '../src/lib/cards';

const NUMBERS_ONLY = /^[MLHVCSQTAZmlhvcsqtaz0-9 .,-]+$/;

describe.each(COLORS)('the pictures of %s', (color) => {
  it('are drawn for every rank, and differ', () => {
    const drawn = [0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((rank) => sceneOf(color, rank).map(({ d }) => d).join());
    for (const d of drawn) expect(d.replaceAll(',', '')).toMatch(NUMBERS_ONLY);
    expect(new Set(drawn).size).toBe(10);
  });
  it('have a way that goes through every card', () => {
    expect(journey(color, [], 30, 6)).toEqual([]);
    for (const stroke of journey(color, [11, 33, 55, 77], 30, 6)) expect(stroke.d).toMatch(NUMBERS_ONLY);
    expect(journey(color, [11, 33, 55, 77], 30, 6)).toHaveLength(5);
  });
});
it('can be counted: a 7 has seven of its motif', () => {
  expect(sceneOf('W', 7)).toHaveLength(7);
  expect(sceneOf('B', 7)).toHaveLength(7);
  expect(sceneOf('R', 7)).toHaveLength(7);
  expect(sceneOf('G', 7)).toHaveLength(7 + 1); // and the stem
  expect(sceneOf('P', 7)).toHaveLength(7 + 1); // and the lines between the stars
  expect(sceneOf('Y', 7)).toHaveLength(7 + 4); // the sun and three dunes
});
