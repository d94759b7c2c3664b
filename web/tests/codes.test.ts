import { describe, expect, it } from 'vitest';
import { readCode } from '../src/lib/codes';

describe('the code of an invitation', () => {
  it.each([
    ['ABCDE23456'],
    ['abcde23456'],
    ['  abcde 23456 '],
    ['ABCDE-23456'],
    ['abc-de2 – 34 56'],
    ['http://192.168.1.7:8765/join/ABCDE23456'],
    ['https://play.example/join/abcde23456?x#y'],
  ])('%s', (typed) => expect(readCode(typed)).toBe('ABCDE23456'));
  it.each([[''], ['  '], ['ABCDE2345'], ['ABCDE234567'], ['ÄBCDE23456'], ['../tables/1'], ['https://play.example/join/']])('%s is none', (typed) => expect(readCode(typed)).toBeNull());
});
