// What was promised before the first deal, kept in this browser: the check of a deal needs it from
// before, not from the one who dealt.

import type { Snapshot } from './wire';

const PLACE = 'lostcities.commitments';
const MOST = 200;

type Kept = Record<string, string>;

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    return kept && typeof kept === 'object' ? (kept as Kept) : {};
  } catch {
    return {};
  }
}

/** Keeps the first commitment that was seen for a table, as long as the secret is one. */
export function rememberCommitment(snapshot: Snapshot): void {
  if (!snapshot.commitment || snapshot.deal_revealed) return;
  const kept = read();
  if (kept[snapshot.table_id]) return;
  const entries = [...Object.entries(kept), [snapshot.table_id, snapshot.commitment] as const].slice(-MOST);
  try {
    localStorage.setItem(PLACE, JSON.stringify(Object.fromEntries(entries)));
  } catch {
    // without storage the page can still check that the record agrees with itself, and says so
  }
}

export const rememberedCommitment = (tableId: string): string | null => read()[tableId] ?? null;

export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
