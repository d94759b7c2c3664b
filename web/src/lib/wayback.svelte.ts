// The ways back to seats that were taken just now: each is offered once, and kept in memory only.

import type { RecoveryLink } from './wire';

/** Where it is offered: to the host in the waiting room, to the guest at the table. */
type Place = 'waiting' | 'table';

interface WayBack {
  readonly url: string;
  readonly place: Place;
}

let ways = $state.raw<Readonly<Record<string, WayBack>>>({});

export function keepWayBack(table: string, link: RecoveryLink | undefined, place: Place): void {
  // A server that was told no address of its own sends a path: then the one in this window serves.
  if (link) ways = { ...ways, [table]: { url: new URL(link.url, location.origin).href, place } };
}

/** The link that is still to be offered there, if any. */
export function wayBack(table: string, place: Place): string | null {
  const way = ways[table];
  return way?.place === place ? way.url : null;
}

/** It was put away, or a newer link took its place. */
export function dropWayBack(table: string): void {
  const { [table]: _, ...others } = ways;
  ways = others;
}
