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

export type Keys = Readonly<Record<Action, string>>;

/** Of two actions with one key the first one wins. */
export function actionOf(press: Press, keys: Keys): Action | null {
  if (press.ctrlKey || press.altKey || press.metaKey) return null;
  const key = keyOf(press);
  const found = ACTIONS.find((action) => (isPlaced(action, keys) ? PLACES[press.code] === action : keys[action] === key));
  return found ?? (key === 'Backspace' && keys.undo === DEFAULT_KEYS.undo ? 'undo' : null);
}

const keyOf = (press: Press): string => (press.key.length === 1 ? press.key.toLowerCase() : press.key);

/** A take key that was not changed goes by its place only: 'z' and 'y' change places on a German keyboard. */
const isPlaced = (action: Action, keys: Keys): boolean =>
  Object.values(PLACES).includes(action) && keys[action] === DEFAULT_KEYS[action];

/** Gives a key to an action. What that key is called here may show that it is a take key by its place: then both have it. */
export function keysWith(keys: Keys, action: Action, press: Press): Record<Action, string> {
  const placed = PLACES[press.code];
  const taken = placed && placed !== action && isPlaced(placed, keys) ? { [placed]: keyOf(press) } : {};
  return { ...keys, ...taken, [action]: keyOf(press) };
}

/** The actions that share a key, each group in the order in which they win. */
export function clashesOf(keys: Keys): Action[][] {
  const groups = ACTIONS.map((action) => ACTIONS.filter((other) => keys[other] === keys[action]));
  return groups.filter((group, at) => group.length > 1 && group[0] === ACTIONS[at]);
}

const PRESSING = new Set([' ', 'Enter']);
const SCROLLING = new Set([' ', 'Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowDown']);

/** Whether a person is typing, or the focus is on something that has its own use for the key. */
export function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]')) return true;
  if (target.closest('dialog[open]')) return key !== '?' ;
  if (SCROLLING.has(key) && target.closest('[role=log]')) return true;
  // These press the button that has the focus; everywhere else they do what they were given to.
  return PRESSING.has(key) && target.closest('button, a[href], summary, [role=button], input') !== null;
}

export const keyName = (key: string): string => (key === ' ' ? '␣' : key.length === 1 ? key.toUpperCase() : key);
