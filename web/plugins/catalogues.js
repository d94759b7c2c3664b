// Every language has every text, with the same places for numbers and names: else there is no build.
import { readFileSync, readdirSync } from 'node:fs';

const FOLDER = new URL('../src/i18n/', import.meta.url);

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

export function checkCatalogues() {
  return {
    name: 'lostcities-catalogues',
    buildStart() {
      const read = (file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
      const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
      const faults = files.flatMap((file) => faultsOf(read('en.json'), read(file), file));
      if (faults.length) this.error(`the languages do not agree:\n  ${faults.join('\n  ')}`);
    },
  };
}
