import { expect, it } from 'vitest';
import { ACTIONS, DEFAULT_KEYS, actionOf, clashesOf, isBusy, keysWith } from '../src/lib/keys';

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

it('lets Backspace undo only where it was given nothing else to do, and undo no other key', () => {
  expect(actionOf(press('Backspace'), DEFAULT_KEYS)).toBe('undo');
  expect(actionOf(press('Backspace'), { ...DEFAULT_KEYS, last: 'Backspace' })).toBe('last');
  expect(actionOf(press('Backspace'), { ...DEFAULT_KEYS, undo: 'z' })).toBeNull();
  expect(actionOf(press('Backspace'), { ...DEFAULT_KEYS, undo: 'Backspace' })).toBe('undo');
});
it('leaves Enter and space to what has the focus, whatever they were given to', () => {
  document.body.innerHTML = '<button id="button">x</button><a id="link" href="/">x</a><summary id="summary">x</summary><input id="box" type="checkbox"><p id="plain"></p>';
  const at = (id: string) => document.getElementById(id);
  for (const id of ['button', 'link', 'summary', 'box']) for (const key of ['Enter', ' ']) expect(isBusy(at(id), key), `${id} ${key}`).toBe(true);
  for (const key of ['Enter', ' ']) expect(isBusy(at('plain'), key)).toBe(false);
});
it('leaves the keys that scroll to what scrolls and has the focus', () => {
  document.body.innerHTML = '<div role="log" tabindex="0" id="log"></div><p id="plain"></p>';
  const [log, plain] = ['log', 'plain'].map((id) => document.getElementById(id));
  for (const key of ['Home', 'End', 'PageUp', 'PageDown', 'ArrowUp', 'ArrowDown', ' ']) {
    expect(isBusy(log!, key), key).toBe(true);
    expect(isBusy(plain!, key), key).toBe(false);
  }
  expect(isBusy(log!, 'p')).toBe(false);
});
it('knows which actions have the same key', () => {
  expect(clashesOf(DEFAULT_KEYS)).toEqual([]);
  expect(clashesOf({ ...DEFAULT_KEYS, play: 'x', mute: 'Home' })).toEqual([['play', 'discard'], ['first', 'mute']]);
  expect(clashesOf({ ...DEFAULT_KEYS, play: 'q' })).toEqual([['play', 'take1']]);
});
it('finds the clash with a take key that has another letter on this keyboard', () => {
  const german = keysWith(DEFAULT_KEYS, 'play', press('z', 'KeyY'));
  expect(clashesOf(german)).toEqual([['play', 'take6']]);
  expect(actionOf(press('z', 'KeyY'), german)).toBe('play');
  expect(keysWith(DEFAULT_KEYS, 'take6', press('z', 'KeyY'))).toEqual({ ...DEFAULT_KEYS, take6: 'z' });
  expect(keysWith(DEFAULT_KEYS, 'play', press('G', 'KeyG'))).toEqual({ ...DEFAULT_KEYS, play: 'g' });
});
it('lets the first of two with one key win, as Settings say', () => {
  expect(actionOf(press('q', 'KeyQ'), { ...DEFAULT_KEYS, play: 'q' })).toBe('play');
  expect(actionOf(press('x', 'KeyX'), { ...DEFAULT_KEYS, play: 'x' })).toBe('play');
});
