import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../src/lib/api';
import { isPressed, pressOnce } from '../src/lib/presses';

const WHAT = 'join ABC';
const failing = (error: unknown, ids: string[]) => (id: string): Promise<never> => {
  ids.push(id);
  return Promise.reject(error as Error);
};

beforeEach(() => void pressOnce(WHAT, () => Promise.resolve()));

test('a press whose answer is lost keeps its id until the server has answered', async () => {
  const ids: string[] = [];
  for (const error of [new ApiError('no_connection', '', 0), new ApiError('storage', 'x', 503), new ApiError('too_many_requests', 'x', 429)]) {
    await expect(pressOnce(WHAT, failing(error, ids))).rejects.toBe(error);
    expect(isPressed(WHAT)).toBe(true);
  }
  await pressOnce(WHAT, (id) => Promise.resolve(void ids.push(id)));
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(isPressed(WHAT)).toBe(false);
});

test('after an answer, yes or no, the next press is another one', async () => {
  const ids: string[] = [];
  await expect(pressOnce(WHAT, failing(new ApiError('seat_taken', 'x', 409), ids))).rejects.toThrow();
  expect(isPressed(WHAT)).toBe(false);
  await pressOnce(WHAT, (id) => Promise.resolve(void ids.push(id)));
  await pressOnce('join DEF', (id) => Promise.resolve(void ids.push(id)));
  expect(new Set(ids).size).toBe(3);
});
