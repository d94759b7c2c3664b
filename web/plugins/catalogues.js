// Every language has every text, with the same places for numbers and names, and there is a text for
// every key that the sources ask for: else there is no build.
import { readFileSync, readdirSync } from 'node:fs';

const SOURCES = new URL('../src/', import.meta.url);
const CALL = /(?<![\w.$])(tn|tMaybe|t)\(/g;

export const placesOf = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort().join(' ');

export function faultsOf(reference, other, name) {
  const faults = [];
  for (const [key, text] of Object.entries(reference)) {
    if (!(key in other)) faults.push(`${name}: '${key}' is missing`);
    else if (!other[key].trim()) faults.push(`${name}: '${key}' is empty`);
    else if (placesOf(text) !== placesOf(other[key]))
      faults.push(`${name}: '${key}' has the places ${placesOf(other[key])}, expected ${placesOf(text)}`);
  }
  for (const key of Object.keys(other)) if (!(key in reference)) faults.push(`${name}: '${key}' is in no other language`);
  return faults;
}

/** The keys that a source asks for and no text answers; one that is put together needs a text of its form. */
export function unknownKeys(source, texts, name) {
  const keys = Object.keys(texts);
  const isKnown = (parts, ending) => {
    const form = new RegExp(`^${parts.map(escaped).join('.+')}${escaped(ending)}$`);
    return keys.some((key) => form.test(key));
  };
  return [...source.matchAll(CALL)].flatMap((call) => {
    const endings = call[1] === 'tn' ? ['.one', '.other'] : [''];
    const line = source.slice(0, call.index).split('\n').length;
    return literalsAt(source, call.index + call[0].length).flatMap((parts) =>
      endings.filter((ending) => !isKnown(parts, ending)).map((ending) => `${name}:${line}: no language has '${parts.join('…')}${ending}'`));
  });
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The literals that the first argument of a call may come to: 'a' and 'b' in t(is ? 'a' : 'b', values). */
function literalsAt(source, start) {
  const found = [];
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    const sign = source[at];
    if (`'"\``.includes(sign)) {
      const { parts, end } = readLiteral(source, at);
      if (!depth && !isCompared(source, at, end)) found.push(parts);
      at = end;
    } else if ('([{'.includes(sign)) depth += 1;
    else if (depth && ')]}'.includes(sign)) depth -= 1;
    else if (')]},'.includes(sign) && !depth) break;
  }
  return found;
}

/** The fixed parts of a literal, between whatever a template fills in. */
function readLiteral(source, start) {
  const parts = [''];
  let at = start + 1;
  for (; at < source.length && source[at] !== source[start]; at += 1) {
    if (source[start] === '`' && source.startsWith('${', at)) {
      at = source.indexOf('}', at);
      parts.push('');
    } else parts[parts.length - 1] += source[at];
  }
  return { parts, end: at };
}

const isCompared = (source, start, end) => /[=!]=\s*$/.test(source.slice(0, start).slice(-4)) || /^\s*[=!]=/.test(source.slice(end + 1));

export function checkCatalogues(sources = SOURCES) {
  return {
    name: 'lostcities-catalogues',
    buildStart() {
      const read = (file) => readFileSync(new URL(file, sources), 'utf8');
      const english = JSON.parse(read('i18n/en.json'));
      const files = readdirSync(sources, { recursive: true }).map((file) => String(file).replaceAll('\\', '/')).sort();
      const languages = files.filter((file) => /^i18n\/\w+\.json$/.test(file));
      const faults = [
        ...languages.flatMap((file) => faultsOf(english, JSON.parse(read(file)), file)),
        ...files.filter((file) => /\.(ts|js|svelte)$/.test(file)).flatMap((file) => unknownKeys(read(file), english, file)),
      ];
      if (faults.length) this.error(`the texts are not whole:\n  ${faults.join('\n  ')}`);
    },
  };
}
