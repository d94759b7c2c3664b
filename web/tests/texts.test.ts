import { describe, expect, it } from 'vitest';
// @ts-expect-error -- a plugin of the build, in plain JavaScript
import { faultsOf, placesOf } from '../plugins/catalogues.js';
import en from '../src/i18n/en.json';
import de from '../src/i18n/de.json';
import es from '../src/i18n/es.json';
import { languageOfBrowser, pseudo, pseudoOf, t, tn, useLanguage, type Key } from '../src/i18n/texts.svelte';
import { ACTIONS } from '../src/lib/keys';

const sources = Object.values(import.meta.glob('../src/**/*.{ts,svelte}', { query: '?raw', import: 'default', eager: true })).join('\n') as string;

describe('the catalogues', () => {
  it.each([['de', de], ['es', es]] as const)('%s has all texts and the same places', (name, catalogue) => expect(faultsOf(en, catalogue, name)).toEqual([]));
  it('lets no build through that lacks a text, a place or has one too many', () => {
    expect(faultsOf({ a: 'x {n}' }, {}, 'xx')).toEqual(["xx: 'a' is missing"]);
    expect(faultsOf({ a: 'x {n}' }, { a: 'y' }, 'xx')).toEqual(["xx: 'a' has the places , expected n"]);
    expect(faultsOf({ a: 'x' }, { a: ' ' }, 'xx')).toEqual(["xx: 'a' is empty"]);
    expect(faultsOf({}, { a: 'x' }, 'xx')).toEqual(["xx: 'a' is in no other language"]);
  });
  it('holds no text that nothing shows', () => {
    const made = /^(color|place|reason|turn|warning|level|levelName|say|key|help|theme|motion|symbols|order|verify)\./; // keys that are put together
    const unused = Object.keys(en).filter((key) => {
      const base = key.replace(/\.(one|other)$/, '');
      return !made.test(key) && !sources.includes(`'${key}'`) && !sources.includes(`'${base}'`);
    });
    expect(unused).toEqual([]);
  });
  it('names every key and every reason', () => {
    for (const action of ACTIONS) expect(en).toHaveProperty([`key.${action}`]);
    const codes = ['round_over', 'not_your_turn', 'no_pass', 'wrong_phase', 'card_not_in_hand', 'not_ascending', 'wager_after_number', 'no_such_color', 'just_discarded', 'pile_empty', 'must_draw_deck', 'match_over'];
    for (const code of codes) expect(en).toHaveProperty([`reason.${code}`]);
  });
});

describe('the pseudo-language', () => {
  it('keeps the places and makes every text longer', () => {
    for (const [key, text] of Object.entries(pseudo(en))) {
      expect(placesOf(text)).toBe(placesOf(en[key as Key]));
      expect(text.length).toBeGreaterThan(en[key as Key].length);
      expect(text).toMatch(/^\[.*\]$/s);
    }
    expect(pseudoOf('Next {n}')).toBe('[Néxt {n} ~~ ~~]');
  });
});

describe('texts', () => {
  it('fills in values, with a true minus', async () => {
    await useLanguage('en');
    expect(t('score.points', { n: -8 })).toBe('counts −8');
    expect(tn('cards', 1)).toBe('1 card');
    expect(tn('cards', 5)).toBe('5 cards');
  });
  it('leaves what a person wrote as it is', async () => {
    await useLanguage('de');
    expect(t('status.theirTurn', { name: '<b>{name}</b>' })).toBe('<b>{name}</b> ist dran');
  });
  it('follows the wishes of the browser', () => {
    expect(languageOfBrowser(['fr-FR', 'de-AT'])).toBe('de');
    expect(languageOfBrowser(['fr'])).toBe('en');
  });
});
