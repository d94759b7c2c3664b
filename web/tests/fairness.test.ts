import { describe, expect, it } from 'vitest';
import { checkProof, commitmentOf, dealOf, lotOf, sortedDeck } from '../src/lib/fairness';
import { COLORS, type Seat } from '../src/lib/cards';
import published from '../../conformance/fairness.json';
import type { Proof } from '../src/lib/wire';

interface Vector { match: string; secret: string; commitment: string; entropy: [string, string]; colors: number; round: number; lot: Seat; deal: string }
const vectors = published as unknown as Vector[];

const deckOf = (colors: number) => sortedDeck(COLORS.slice(0, colors), 3, 2, 10);
const recipeOf = (vector: Vector) => ({ matchId: vector.match, secret: vector.secret, entropy: { A: vector.entropy[0], B: vector.entropy[1] } });

describe.each(vectors)('published vector $match', (vector) => {
  it('gives the commitment, the lot and the deal', async () => {
    expect(await commitmentOf(vector.match, vector.secret)).toBe(vector.commitment);
    expect(await lotOf(recipeOf(vector), vector.round)).toBe(vector.lot);
    expect((await dealOf(recipeOf(vector), vector.round, deckOf(vector.colors))).join('')).toBe(vector.deal);
  });
});

async function proof(): Promise<Proof> {
  const vector = vectors[0]!;
  const recipe = recipeOf(vector);
  return {
    scheme: 'lostcities-deal-1', match_id: vector.match, commitment: vector.commitment, secret: vector.secret, entropy: recipe.entropy, first_starter: null,
    variant: { name: 'classic', colors: COLORS.slice(0, 5), lowest_rank: 2, highest_rank: 10, wagers_per_color: 3, hand_size: 8, rounds: 1, deck_size: 60, expedition_cost: -20, bonus: 20, bonus_threshold: 8, starter_policy: 'leader', match_goal: 'points', tabletop_memory: false, own_discard_block: true, stall_limit: 12 },
    rounds: [{ round: 1, starter: await lotOf(recipe, 1), deal: await dealOf(recipe, 1, deckOf(5)) }],
    checks: [],
  };
}
const wrongOnes = async (changed: Partial<Proof>, published: string | null = null) =>
  (await checkProof({ ...(await proof()), ...changed }, published)).filter((check) => !check.ok).map((check) => check.name);

describe('checking a match', () => {
  it('finds nothing wrong with a true one', async () => expect(await wrongOnes({}, vectors[0]!.commitment)).toEqual([]));
  it('finds two cards that changed places', async () => {
    const { rounds } = await proof();
    const [first, second, ...rest] = rounds[0]!.deal;
    expect(await wrongOnes({ rounds: [{ ...rounds[0]!, deal: [second!, first!, ...rest] }] })).toEqual(['deal']);
  });
  it('finds another secret', async () => expect(await wrongOnes({ secret: 'ff'.repeat(32) })).toContain('commitment'));
  it('finds a commitment that is not the one seen before', async () => expect(await wrongOnes({}, '00'.repeat(32))).toEqual(['published']));
  it('finds another starter', async () => {
    const { rounds } = await proof();
    const starter = rounds[0]!.starter === 'A' ? 'B' : 'A';
    expect(await wrongOnes({ rounds: [{ ...rounds[0]!, starter }] })).toEqual(['starter']);
  });
});
