import { expect, it } from 'vitest';
import { readRoute } from '../src/lib/router.svelte';

it.each([
  ['/', '', '', { screen: 'home' }],
  ['/new', '?with=friend', '', { screen: 'new', opponent: 'friend' }],
  ['/new', '?with=%00', '', { screen: 'new', opponent: 'computer' }],
  ['/t/abc', '', '', { screen: 'table', id: 'abc' }],
  ['/join/HQ42', '', '', { screen: 'join', code: 'HQ42' }],
  ['/recover', '', '#secret', { screen: 'recover', token: 'secret' }],
  ['/replay/abc', '?at=17', '', { screen: 'replay', id: 'abc', at: 17 }],
  ['/replay/abc', '?at=-1', '', { screen: 'replay', id: 'abc', at: null }],
  ['/verify/abc', '', '', { screen: 'verify', id: 'abc' }],
  ['/t', '', '', { screen: 'missing' }],
  ['/%E0%A4%A', '', '', { screen: 'missing' }],
])('%s%s%s', (path, query, hash, route) => expect(readRoute(path, query, hash)).toEqual(route));
