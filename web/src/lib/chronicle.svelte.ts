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
  #version = 0;

  /** Fetches what is new; what this viewer was shown, and no more. */
  async catchUp(id: string, seat: Seat | null): Promise<void> {
    const list = await api.events(id, seat, this.#version);
    const fresh = list.events.filter((numbered) => numbered.version > this.#version).map(({ version, event }) => ({ n: version, event }));
    this.#version = Math.max(this.#version, list.version);
    if (fresh.length) this.entries = [...this.entries, ...fresh];
  }

  add(n: number, event: TableEvent): void {
    if (n <= this.#version) return;
    this.#version = n;
    this.entries = [...this.entries, { n, event }];
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
