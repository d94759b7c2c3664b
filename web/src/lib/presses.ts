// The press of 'Join' has an id that only this tab knows: if its answer is lost, the same press
// again brings the same seat. It is kept until the server has said yes or no.

import { ApiError } from './api';
import { randomHex } from './commitments';

const PLACE = 'lostcities.press.';
const unsaved = new Map<string, string>(); // where there is no storage: as long as the page stays

function kept(what: string): string | null {
  try {
    return sessionStorage.getItem(PLACE + what) ?? unsaved.get(what) ?? null;
  } catch {
    return unsaved.get(what) ?? null;
  }
}

/** Whether a press was made of which nobody knows what became. */
export const isPressed = (what: string): boolean => kept(what) !== null;

function begin(what: string): string {
  const id = kept(what) ?? randomHex(16);
  unsaved.set(what, id);
  try {
    sessionStorage.setItem(PLACE + what, id);
  } catch {
    // then it lasts as long as the page
  }
  return id;
}

function end(what: string): void {
  unsaved.delete(what);
  try {
    sessionStorage.removeItem(PLACE + what);
  } catch {
    // there is none
  }
}

const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429;

/** Does something once: with the id of the earlier press if it is not known what became of that. */
export async function pressOnce<T>(what: string, send: (id: string) => Promise<T>): Promise<T> {
  try {
    const answer = await send(begin(what));
    end(what);
    return answer;
  } catch (error) {
    if (isRefusal(error)) end(what);
    throw error;
  }
}
