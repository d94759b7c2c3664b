import { beforeEach, expect, it, vi } from 'vitest';

const load = async (stored: string | null) => {
  vi.resetModules();
  localStorage.clear();
  if (stored !== null) localStorage.setItem('lostcities.settings', stored);
  return (await import('../src/lib/settings.svelte')).settings;
};
beforeEach(() => localStorage.clear());

it.each([[null], ['not json'], ['null'], ['[]'], ['{"theme":"pink","sound":"yes","keys":7,"language":"xx","motion":3}']])('starts from %s', async (stored) => {
  const settings = await load(stored);
  expect(settings).toMatchObject({ theme: 'system', sound: true, motion: 'system', language: 'en' });
  expect(settings.keys.play).toBe('p');
});
it('takes what was chosen', async () => {
  const settings = await load('{"theme":"dark","sound":false,"language":"es","keys":{"play":"z"},"name":"Ада"}');
  expect(settings).toMatchObject({ theme: 'dark', sound: false, language: 'es', name: 'Ада' });
  expect(settings.keys).toMatchObject({ play: 'z', discard: 'x' });
});
