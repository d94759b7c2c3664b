import { expect, it } from 'vitest';
import { ACTIONS, DEFAULT_KEYS, actionOf, isBusy } from '../src/lib/keys';

const press = (key: string, code = '', more = {}) => ({ key, code, ctrlKey: false, altKey: false, metaKey: false, ...more });

it('has one key for each action', () => {
  expect(new Set(Object.values(DEFAULT_KEYS)).size).toBe(ACTIONS.length);
  for (const action of ACTIONS) {
    const key = DEFAULT_KEYS[action];
    expect(actionOf(press(key, action.startsWith('take') ? `Key${key.toUpperCase()}` : ''), DEFAULT_KEYS)).toBe(action);
  }
});
it('takes piles by the place of the key: a German keyboard has Z where others have Y', () => {
  expect(actionOf(press('z', 'KeyY'), DEFAULT_KEYS)).toBe('take6');
  expect(actionOf(press('a', 'KeyQ'), DEFAULT_KEYS)).toBe('take1');
});
it('goes by what was chosen once a key was changed', () => {
  const keys = { ...DEFAULT_KEYS, take1: 'g', play: 'q' };
  expect(actionOf(press('g', 'KeyG'), keys)).toBe('take1');
  expect(actionOf(press('q', 'KeyQ'), keys)).toBe('play');
});
it('leaves combinations to the browser', () => {
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) expect(actionOf(press('p', 'KeyP', more), DEFAULT_KEYS)).toBeNull();
  expect(actionOf(press('Tab'), DEFAULT_KEYS)).toBeNull();
});
it('does nothing while somebody types, and lets space press a focused button', () => {
  document.body.innerHTML = '<input id="text" type="text"><button id="button">x</button><p id="plain"></p>';
  const at = (id: string) => document.getElementById(id);
  expect(isBusy(at('text'), 'p')).toBe(true);
  expect(isBusy(at('button'), ' ')).toBe(true);
  expect(isBusy(at('button'), 'p')).toBe(false);
  expect(isBusy(at('plain'), ' ')).toBe(false);
});
