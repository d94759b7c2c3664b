// The server's answers to single questions. Faults come as one type with a code and a sentence.

import type { AgentInfo, Done, EventList, InviteInfo, JoinedTable, JoinRequest, NewTable, OpenedTable, Proof, RecoveredSeat, RecoveryLink, Replay, Snapshot, TableSummary } from './wire';
import type { Seat } from './cards';
import { dropWayBack } from './wayback.svelte';

export class ApiError extends Error {
  constructor(readonly code: string, sentence: string, readonly status: number) {
    super(sentence);
  }
}

async function ask<T>(path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, body === undefined ? { headers: { accept: 'application/json' } } : {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'lostcities' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new ApiError('no_connection', '', 0);
  }
  const content: unknown = await answer.json().catch(() => null);
  if (answer.ok) return content as T;
  const { code = 'unexpected', sentence = '' } = (content ?? {}) as { code?: string; sentence?: string };
  throw new ApiError(code, sentence, answer.status);
}

const of = (id: string): string => `/tables/${encodeURIComponent(id)}`;
/** Whose view is asked for; 'none' is what everybody may know. */
export type Viewer = Seat | 'none';
const seen = (seat: Viewer | null | undefined): string => (seat ? `?seat=${seat}` : '');

export const api = {
  agents: () => ask<AgentInfo[]>('/agents'),
  tables: () => ask<TableSummary[]>('/tables'),
  open: (table: NewTable) => ask<OpenedTable>('/tables', table),
  invite: (code: string) => ask<InviteInfo>(`/invites/${encodeURIComponent(code)}`),
  join: (id: string, request: JoinRequest) => ask<JoinedTable>(`${of(id)}/join`, request),
  recover: (token: string) => ask<RecoveredSeat>('/recover', { token }),
  recovery: async (id: string, seat: Seat): Promise<RecoveryLink> => {
    const link = await ask<RecoveryLink>(`${of(id)}/recovery`, { seat });
    dropWayBack(id); // the earlier one leads nowhere now
    return link;
  },
  resign: (id: string, seat: Seat) => ask<Done>(`${of(id)}/resign`, { seat }),
  snapshot: (id: string, seat?: Viewer | null) => ask<Snapshot>(`${of(id)}${seen(seat)}`),
  events: (id: string, seat: Seat | null, after: number) => ask<EventList>(`${of(id)}/events?after=${after}${seat ? `&seat=${seat}` : ''}`),
  replay: (id: string, seat?: Viewer | null) => ask<Replay>(`${of(id)}/replay${seen(seat)}`),
  proof: (id: string) => ask<Proof>(`${of(id)}/verify`),
  recordUrl: (id: string, seat?: Viewer | null) => `/api${of(id)}/record${seen(seat)}`,
};
