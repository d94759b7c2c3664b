// The keyboard: every action has a key that a person may change, and all can be switched off.

export const ACTIONS = [
  'card1', 'card2', 'card3', 'card4', 'card5', 'card6', 'card7', 'card8',
  'play', 'discard', 'deck', 'take1', 'take2', 'take3', 'take4', 'take5', 'take6',
  'undo', 'last', 'board', 'scores', 'left', 'known', 'type', 'back', 'forward', 'first', 'final', 'mute', 'help',
] as const;
export type Action = (typeof ACTIONS)[number];

export const DEFAULT_KEYS: Readonly<Record<Action, string>> = {
  card1: '1', card2: '2', card3: '3', card4: '4', card5: '5', card6: '6', card7: '7', card8: '8',
  play: 'p', discard: 'x', deck: ' ', take1: 'q', take2: 'w', take3: 'e', take4: 'r', take5: 't', take6: 'y',
  undo: 'u', last: 'l', board: 'b', scores: 's', left: 'n', known: 'k', type: 'i',
  back: '[', forward: ']', first: 'Home', final: 'End', mute: 'm', help: '?',
};

/** By place on the keyboard, so that the take keys stay in a row on every layout. */
const PLACES: Readonly<Record<string, Action>> = { KeyQ: 'take1', KeyW: 'take2', KeyE: 'take3', KeyR: 'take4', KeyT: 'take5', KeyY: 'take6' };

export interface Press {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

export function actionOf(press: Press, keys: Readonly<Record<Action, string>>): Action | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const placed = PLACES[press.code];
  if (placed && keys[placed] === DEFAULT_KEYS[placed]) return placed;
  if (press.key === 'Backspace') return 'undo';
  return ACTIONS.find((action) => keys[action] === key && !isPlaced(action, keys)) ?? null;
}

/** A take key that was not changed goes by its place only: 'z' and 'y' change places on a German keyboard. */
const isPlaced = (action: Action, keys: Readonly<Record<Action, string>>): boolean =>
  Object.values(PLACES).includes(action) && keys[action] === DEFAULT_KEYS[action];

/** Whether a person is typing, or the focus is on something that has its own use for the key. */
export function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]')) return true;
  if (target.closest('dialog[open]')) return key !== '?' ;
  // Space presses the button that has the focus; everywhere else it draws from the deck.
  return key === ' ' && target.closest('button, a[href], summary, [role=button], input') !== null;
}

export const keyName = (key: string): string => (key === ' ' ? '␣' : key.length === 1 ? key.toUpperCase() : key);
