// @vitest-environment node
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error -- a plugin of the build, in plain JavaScript
import { checkCatalogues, unknownKeys } from '../plugins/catalogues.js';

const TEXTS = { 'home.title': '', 'card.one': '', 'card.other': '', 'turn.you.play': '', 'lone.one': '' };

describe('keys that the sources ask for', () => {
  it.each([
    ["t('home.title')"],
    ['t("home.title", { n: 1 })'],
    ["tn('card', n)"],
    ['t(`turn.${who}.${what}`, { a: `${b}` })'],
    ["t(a === 'b' ? 'home.title' : 'card.one')"],
    ["t(isOne('x') ? 'card.one' : 'card.other', { name: 'y' })"],
    ['tMaybe(`card.${list[0]}`)'],
    ["start('home'); at.t('home'); export function t(key: Key) {}"],
  ])('%s is known', (source) => expect(unknownKeys(source, TEXTS, 'a.ts')).toEqual([]));
  it.each([
    ["\nt('home.tilte')", "a.ts:2: no language has 'home.tilte'"],
    ["t(\n  'home',\n)", "a.ts:1: no language has 'home'"],
    ["<p>{t(is ? 'home.title' : 'home.other')}</p>", "a.ts:1: no language has 'home.other'"],
    ['t(`tern.${who}`)', "a.ts:1: no language has 'tern.…'"],
    ["tn('lone', n)", "a.ts:1: no language has 'lone.other'"],
    ['tMaybe(`reason.${code}`)', "a.ts:1: no language has 'reason.…'"],
  ])('%s is not', (source, fault) => expect(unknownKeys(source, TEXTS, 'a.ts')).toEqual([fault]));
});

describe('a build', () => {
  const root = mkdtempSync(join(tmpdir(), 'catalogues-'));
  const write = (file: string, text: string): void => writeFileSync(join(root, file), text);
  const make = () => build({ root, configFile: false, logLevel: 'silent', plugins: [checkCatalogues(pathToFileURL(`${root}/src/`))], build: { write: false } });
  beforeAll(() => {
    mkdirSync(join(root, 'src/i18n'), { recursive: true });
    write('index.html', '<script type="module" src="/src/main.js"></script>');
    write('src/i18n/en.json', '{"home.title": "Home {n}"}');
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it('goes through when every key has a text in every language', async () => {
    write('src/i18n/de.json', '{"home.title": "Heim {n}"}');
    write('src/main.js', "console.log(t('home.title'));");
    await expect(make()).resolves.toBeTruthy();
  });
  it('fails with file and key where a source asks for another', async () => {
    write('src/main.js', "console.log(\n  t('home.subtitle'));");
    await expect(make()).rejects.toThrow("main.js:2: no language has 'home.subtitle'");
  });
  it('fails with file and key where a language lacks one', async () => {
    write('src/main.js', '');
    write('src/i18n/de.json', '{}');
    await expect(make()).rejects.toThrow("i18n/de.json: 'home.title' is missing");
  });
});
