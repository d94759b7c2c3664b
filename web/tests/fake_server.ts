// A line to nowhere, for tests of what the client says and when. Nothing of it is shipped.

import type { ClientMessage, HandCard, ServerMessage, Snapshot } from '../src/lib/wire';

export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }
  readyState = 0;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.();
  }
  turns(): Extract<ClientMessage, { type: 'turn' }>[] {
    return this.sent.filter((message) => message.type === 'turn');
  }
}

const yes = { ok: true, code: null, sentence: null, score_after: null };
const option = (card: string): HandCard => ({
  card,
  play: card === 'Y2' ? { ok: false, code: 'not_ascending', sentence: 'too low', score_after: null } : { ...yes, score_after: -13 },
  discard: yes,
  draws: { [card]: ['D', 'G'], [`-${card}`]: ['D', 'G'] },
  closed: { [card]: { R: 'pile_empty' }, [`-${card}`]: { R: 'just_discarded' } },
});

export function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  const hand = changes.hand ?? ['Rx', 'Rx', 'Rx', 'R7', 'Y2', 'G5', 'B5', 'W5'];
  const receipt = { sum: 0, wagers: 0, cards: 0, cost: -20, multiplier: 1, bonus: 0, total: 0, started: false };
  const colors = ['Y', 'B', 'W', 'G', 'R'] as const;
  const by = Object.fromEntries(colors.map((color) => [color, receipt]));
  return {
    table_id: 't1', version: 10, viewer: 'A', seats: ['A'], status: 'playing',
    variant: { name: 'classic', colors, lowest_rank: 2, highest_rank: 10, wagers_per_color: 3, hand_size: 8, rounds: 3, deck_size: 60, expedition_cost: -20, bonus: 20, bonus_threshold: 8, starter_policy: 'leader', match_goal: 'points', tabletop_memory: false, own_discard_block: true, stall_limit: 12 },
    names: { A: 'Ada', B: 'Ben' }, opponent: { kind: 'friend', agent: null, agent_name: null }, host: 'A', ready: { A: true, B: true },
    round: 1, rounds: 3, starter: 'A', to_move: 'A', deck: 44, turns_left: { A: 22, B: 22 }, stalling: { count: 0, limit: 12 },
    hand_sizes: { A: 8, B: 8 }, known: { A: [], B: [] }, expeditions: { A: {}, B: {} }, piles: { G: ['G9'] }, pile_sizes: { G: 1 }, unseen: 52,
    scores: { A: { total: 0, by }, B: { total: 0, by } }, totals: { A: 0, B: 0 }, history: [], legal: [], last: null, result: null,
    rematch: { offered_by: null, table_id: null }, commitment: 'c'.repeat(64), entropy: { A: '', B: '' }, secret: null, deal_revealed: false, warnings: [], invite: null,
    ...changes,
    hand, cards: hand.map(option),
  };
}
