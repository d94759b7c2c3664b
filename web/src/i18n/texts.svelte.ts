// Texts in the reader's language. Keys are typed; the build refuses a language that lacks one.

import type en from './en.json';

export type Key = keyof typeof en;
export type Catalogue = Readonly<Record<Key, string>>;
type PluralKey<K = Key> = K extends `${infer Base}.one` ? Base : never;
type Values = Readonly<Record<string, string | number>>;

export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;
/** Made from English, for finding texts that are not in a catalogue or do not fit. */
export type LanguageOrPseudo = Language | 'pseudo';

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import('./en.json'),
  de: () => import('./de.json'),
  es: () => import('./es.json'),
};

let catalogue = $state.raw<Catalogue>({} as Catalogue);
let language = $state<LanguageOrPseudo>('en');
let rules = new Intl.PluralRules('en');

export const currentLanguage = (): LanguageOrPseudo => language;

export function languageOfBrowser(wishes: readonly string[] = navigator.languages): Language {
  const known = wishes.map((wish) => wish.slice(0, 2).toLowerCase()).find((wish) => wish in LANGUAGES);
  return (known as Language | undefined) ?? 'en';
}

export async function useLanguage(wanted: LanguageOrPseudo): Promise<void> {
  const loaded = (await LOADERS[wanted === 'pseudo' ? 'en' : wanted]()).default;
  catalogue = wanted === 'pseudo' ? pseudo(loaded) : loaded;
  rules = new Intl.PluralRules(wanted === 'pseudo' ? 'en' : wanted);
  language = wanted;
  document.documentElement.lang = wanted === 'pseudo' ? 'en' : wanted;
}

export function t(key: Key, values: Values = {}): string {
  return fill(catalogue[key] ?? key, values);
}

/** A text that depends on a number, given as `{n}`. */
export function tn(key: PluralKey, num: number, values: Values = {}): string {
  const form = rules.select(num) === 'one' ? 'one' : 'other';
  return t(`${key}.${form}` as Key, { n: num, ...values });
}

/** A key that the server's data make, such as a reason code; null if no language knows it. */
export function tMaybe(key: string, values: Values = {}): string | null {
  const text = catalogue[key as Key];
  return text === undefined ? null : fill(text, values);
}

export function listOf(parts: readonly string[]): string {
  return new Intl.ListFormat(language === 'pseudo' ? 'en' : language, { type: 'conjunction' }).format(parts);
}

const fill = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? signed(values[name]!) : whole));

/** Numbers get a true minus sign. */
const signed = (value: string | number): string => (typeof value === 'number' && value < 0 ? `−${-value}` : String(value));

const ACCENTS: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ö', u: 'û', n: 'ñ', c: 'ç', A: 'Å', E: 'É', S: 'Š', y: 'ý' };

export function pseudo(texts: Catalogue): Catalogue {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, pseudoOf(text)])) as unknown as Catalogue;
}

/** 40 % longer, accented, in brackets; the places for values stay. */
export function pseudoOf(text: string): string {
  const accented = text.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? part : part.replace(/[aeiouncAESy]/g, (letter) => ACCENTS[letter]!)));
  return `[${accented.join('')}${' ~~'.repeat(Math.ceil((text.length * 0.4) / 3))}]`;
}
