// Pass and play: whose cards may be on the screen, and what is left of a view when nobody's may.

import type { Seat } from './cards';
import type { Snapshot } from './wire';

/** Whether both sides sit at this one device. */
export const isLocal = (snapshot: Snapshot): boolean => snapshot.opponent.kind === 'local' && snapshot.seats.length === 2;

/** Whether the view belongs to somebody who may not be the one in front of the screen. */
export const isCovered = (snapshot: Snapshot, shownFor: Seat | null): boolean =>
  isLocal(snapshot) && snapshot.status === 'playing' && shownFor !== snapshot.viewer;

/** What both may know. Turns are then told as to a spectator, who is not told what came from the deck. */
export function openView(snapshot: Snapshot): Snapshot {
  const { viewer, last, unseen, hand, known } = snapshot;
  const own = viewer && hand ? hand.length - known[viewer].length : 0;
  return {
    ...snapshot,
    viewer: null, hand: null, cards: null, legal: null, invite: null,
    last: last && last.draw === 'deck' ? { ...last, drawn: null } : last,
    unseen: unseen + own,
  };
}
