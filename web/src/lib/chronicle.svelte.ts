// What has happened at a table, line by line: the log.

import { api } from './api';
import type { Seat } from './cards';
import { nameOf, turnSentence } from './speech';
import type { Snapshot, TableEvent } from './wire';
import { t } from '../i18n/texts.svelte';

export interface Entry {
  readonly n: number;
  readonly event: TableEvent;
}

export class Chronicle {
  entries = $state.raw<readonly Entry[]>([]);
  /** Up to here nothing is missing. */
  #whole = 0;
  #isAsking = false;

  /** Fetches what is missing up to a version: what this viewer was shown, and no more. */
  async catchUp(id: string, seat: Seat | null, version: number): Promise<void> {
    if (version <= this.#whole || this.#isAsking) return;
    this.#isAsking = true;
    try {
      const list = await api.events(id, seat, this.#whole);
      this.#merge(list.events.map((numbered) => ({ n: numbered.version, event: numbered.event })));
      this.#whole = Math.max(this.#whole, list.version);
    } finally {
      this.#isAsking = false;
    }
  }

  add(n: number, event: TableEvent): void {
    this.#merge([{ n, event }]);
    if (n === this.#whole + 1) this.#whole = n;
  }

  /** Events heard and events fetched may cross on the way: each stands here once, in its place. */
  #merge(more: readonly Entry[]): void {
    const all = new Map([...this.entries, ...more].map((entry) => [entry.n, entry]));
    this.entries = [...all.values()].sort((a, b) => a.n - b.n);
  }
}

export function entryText(event: TableEvent, snapshot: Snapshot): string | null {
  switch (event.kind) {
    case 'turn':
      return turnSentence(snapshot, event.turn);
    case 'round_started':
      return t('log.round', { round: event.round, rounds: event.rounds, name: nameOf(snapshot, event.starter) });
    case 'round_ended':
      return t('log.roundEnded', { round: event.round, a: event.scores.A, b: event.scores.B, nameA: nameOf(snapshot, 'A'), nameB: nameOf(snapshot, 'B') });
    case 'match_ended':
      return t('log.matchEnded');
    case 'secret_revealed':
      return t('log.secret');
    case 'rematch_offered':
      return t('log.rematch', { name: nameOf(snapshot, event.seat) });
    default:
      return null;
  }
}
