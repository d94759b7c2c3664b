// What a person may choose. Each change shows at once and stays in this browser.

import { languageOfBrowser, useLanguage, type LanguageOrPseudo } from '../i18n/texts.svelte';
import type { Order } from './cards';
import { ACTIONS, DEFAULT_KEYS, type Action } from './keys';

export interface Settings {
  theme: 'system' | 'light' | 'dark' | 'contrast';
  motion: 'system' | 'off' | 'normal';
  sound: boolean;
  symbols: 'normal' | 'large';
  order: Order;
  hold: boolean;
  keysOn: boolean;
  keys: Record<Action, string>;
  language: LanguageOrPseudo;
  name: string;
}

const PLACE = 'lostcities.settings';

const defaults = (): Settings => ({
  theme: 'system', motion: 'system', sound: true, symbols: 'normal', order: 'color', hold: false,
  keysOn: true, keys: { ...DEFAULT_KEYS }, language: languageOfBrowser(), name: '',
});

function stored(): Settings {
  const settings = defaults();
  try {
    const saved: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    return saved && typeof saved === 'object' ? merge(settings, saved as Partial<Settings>) : settings;
  } catch {
    return settings; // somebody else's text, or no storage at all: the defaults do
  }
}

const CHOICES: { [K in keyof Settings]?: readonly Settings[K][] } = {
  theme: ['system', 'light', 'dark', 'contrast'], motion: ['system', 'off', 'normal'], symbols: ['normal', 'large'],
  order: ['color', 'rank'], language: ['en', 'de', 'es', 'pseudo'],
};

/** Takes what is of the right form, and only that: storage may hold anything. */
function merge(settings: Settings, saved: Partial<Settings>): Settings {
  for (const name of Object.keys(settings) as (keyof Settings)[]) {
    const value = saved[name];
    if (typeof value !== typeof settings[name] || name === 'keys') continue;
    const allowed = CHOICES[name] as readonly unknown[] | undefined;
    if (!allowed || allowed.includes(value)) Object.assign(settings, { [name]: value });
  }
  for (const action of ACTIONS) {
    const key = saved.keys?.[action];
    if (typeof key === 'string' && key.length <= 12) settings.keys[action] = key;
  }
  return settings;
}

export const settings: Settings = $state(stored());

/** To be called once, in a component: shows and keeps every change. */
export function followSettings(): void {
  $effect(() => {
    const root = document.documentElement;
    root.dataset.theme = settings.theme;
    root.dataset.motion = settings.motion;
    root.dataset.symbols = settings.symbols;
  });
  $effect(() => void useLanguage(settings.language));
  $effect(() => {
    const text = JSON.stringify(settings);
    try {
      localStorage.setItem(PLACE, text);
    } catch {
      // private windows may have no storage; the settings last as long as the page
    }
  });
}

export function resetKeys(): void {
  settings.keys = { ...DEFAULT_KEYS };
}

export const isStill = (): boolean =>
  settings.motion === 'off' || (settings.motion === 'system' && matchMedia('(prefers-reduced-motion: reduce)').matches);
