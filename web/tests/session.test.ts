import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flushSync } from 'svelte';
import { ENTROPY_PAUSE, Session } from '../src/lib/session.svelte';
import { HANDSHAKE, PATIENCE, waitBefore } from '../src/lib/socket';
import { FakeSocket, snapshot } from './fake_server';

let session: Session;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  FakeSocket.all = [];
  localStorage.clear();
  session = new Session('t1');
  session.open('A');
  FakeSocket.last.open();
  FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot() });
});
afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const held = (card: string, nth = 1) => session.hand.find((one) => one.card === card && one.nth === nth)!;
function stage(card: string): void {
  session.choose(held(card));
  session.stage('play');
}

describe('a turn', () => {
  it('says hello first, and asks for the seat', () => {
    expect(FakeSocket.last.url).toContain('/api/tables/t1/socket?seat=A');
    expect(FakeSocket.last.sent[0]).toEqual({ type: 'hello', last: null });
  });
  it('marks one of three equal cards', () => {
    session.choose(held('Rx', 2));
    expect(session.hand.filter((one) => session.choice?.held.place === one.place)).toEqual([held('Rx', 2)]);
  });
  it('is sent once, with the version seen and an id', () => {
    stage('R7');
    expect(session.draw('D')).toBe(true);
    expect(session.draw('D')).toBe(false);
    expect(session.draw('G')).toBe(false);
    expect(FakeSocket.last.turns()).toEqual([{ type: 'turn', version: 10, id: expect.stringMatching(/^[0-9a-f-]{32,36}$/), turn: 'R7/D' }]);
  });
  it('can be taken back until the draw, and sends nothing before', () => {
    stage('R7');
    session.unstage();
    expect(session.choice).toMatchObject({ target: null });
    session.unstage();
    expect(session.choice).toBeNull();
    expect(FakeSocket.last.turns()).toEqual([]);
  });
  it('says why a card cannot be played, and why a pile is closed', () => {
    session.choose(held('Y2'));
    expect(session.stage('play')).toMatchObject({ code: 'not_ascending' });
    expect(session.choice).toMatchObject({ target: null });
    session.choose(held('R7'));
    session.stage('discard');
    expect(session.draw('R')).toBe(false);
    expect(session.refused).toMatchObject({ code: 'just_discarded' });
    expect(FakeSocket.last.turns()).toEqual([]);
  });
  it('changes nothing on the screen before the server has said so', () => {
    stage('R7');
    session.draw('D');
    expect(session.hand).toHaveLength(8);
    expect(session.snapshot).toMatchObject({ version: 10, deck: 44, expeditions: { A: {} } });
    FakeSocket.last.say({ type: 'done', id: session.pending!.id, status: 'done', version: 11 });
    expect(session.snapshot!.version).toBe(10);
    const turn = { seat: 'A', turn: 'R7/D', card: 'R7', to: 'expedition', draw: 'deck', drawn: 'B9', agent: null, flagged: false } as const;
    FakeSocket.last.say({ type: 'event', version: 11, event: { kind: 'turn', turn }, snapshot: snapshot({ version: 11, to_move: 'B', hand: ['Rx', 'Rx', 'Rx', 'B9', 'Y2', 'G5', 'B5', 'W5'] }) });
    expect(session.pending).toBeNull();
    expect(session.choice).toBeNull();
    expect(session.isMyTurn).toBe(false);
  });
  it('gives the card back when the server refuses', () => {
    stage('R7');
    session.draw('D');
    FakeSocket.last.say({ type: 'refused', id: session.pending!.id, code: 'stale', sentence: 'moved on', version: 12, snapshot: snapshot({ version: 12, to_move: 'B' }) });
    expect(session.pending).toBeNull();
    expect(session.refused).toMatchObject({ code: 'stale' });
    expect(session.snapshot!.version).toBe(12);
    expect(session.choice).toMatchObject({ target: null });
    expect(session.hand).toHaveLength(8);
  });
  it('is not made by a tab that looks on', () => {
    session.isMirror = true;
    session.choose(held('R7'));
    expect(session.choice).toBeNull();
  });
});

describe('a line that breaks', () => {
  it('keeps the turn and sends it again under the same id', () => {
    stage('R7');
    FakeSocket.last.readyState = 3; // the line is down, and nobody has noticed
    session.draw('D');
    const { id } = session.pending!;
    FakeSocket.last.onclose?.();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent[0]).toEqual({ type: 'hello', last: 10 });
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot() });
    expect(FakeSocket.last.turns()).toMatchObject([{ id, turn: 'R7/D', version: 10 }]);
  });
  it('forgets the turn when it had arrived', () => {
    stage('R7');
    session.draw('D');
    FakeSocket.last.close();
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 11, to_move: 'B' }) });
    expect(session.pending).toBeNull();
    expect(FakeSocket.last.turns()).toEqual([]);
  });
  it('asks again for the next round, though what came back was news of the other side', () => {
    const over = snapshot({ version: 20, status: 'round_over', to_move: null, ready: { A: false, B: false } });
    FakeSocket.last.say({ type: 'snapshot', snapshot: over });
    FakeSocket.last.readyState = 3;
    session.ready();
    session.ready(); // a second press asks for nothing more
    FakeSocket.last.onclose?.();
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    FakeSocket.last.say({ type: 'event', version: 21, event: { kind: 'ready', seat: 'B', entropy: '' }, snapshot: { ...over, version: 21, ready: { A: false, B: true } } });
    expect(FakeSocket.last.sent.slice(1)).toEqual([{ type: 'ready' }]);
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 24, round: 2 }) });
    expect(session.wish).toBeNull();
  });
  it('says so after three seconds, not before', () => {
    FakeSocket.last.close();
    vi.advanceTimersByTime(PATIENCE - 100);
    expect(session.state).toBe('open');
    vi.advanceTimersByTime(200);
    expect(session.state).toBe('lost');
    vi.advanceTimersByTime(10_000);
    FakeSocket.last.open();
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot() });
    expect(session.state).toBe('open');
  });
  it('is noticed when it died without closing', () => {
    vi.advanceTimersByTime(25_000);
    expect(FakeSocket.last.sent.at(-1)).toEqual({ type: 'ping' });
    vi.advanceTimersByTime(8_000);
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all).toHaveLength(2);
  });
  it('answers a ping', () => {
    FakeSocket.last.say({ type: 'ping' });
    expect(FakeSocket.last.sent.at(-1)).toEqual({ type: 'pong' });
  });
  it('comes back at once when the network does', () => {
    FakeSocket.last.close();
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
  });
  it('gives up a handshake that hangs, and tries again', () => {
    FakeSocket.last.close();
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.all).toHaveLength(2);
    const hanging = FakeSocket.last;
    vi.advanceTimersByTime(HANDSHAKE - 1_000);
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(3_000);
    expect(FakeSocket.all.length).toBeGreaterThan(2);
    expect(hanging.readyState).toBe(3);
    const sent = FakeSocket.last.sent.length;
    hanging.open(); // too late: another one has taken its place
    expect(FakeSocket.last.sent).toHaveLength(sent);
    expect(hanging.sent).toEqual([]);
    FakeSocket.last.open();
    vi.advanceTimersByTime(HANDSHAKE);
    expect(FakeSocket.last.readyState).toBe(1);
  });
  it('does not wait for a handshake on a network that has changed', () => {
    FakeSocket.last.close();
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(2);
    dispatchEvent(new Event('online'));
    expect(FakeSocket.all).toHaveLength(3);
    expect(FakeSocket.all.map((socket) => socket.readyState)).toEqual([3, 3, 0]);
    vi.advanceTimersByTime(1_000); // no second try beside it
    expect(FakeSocket.all).toHaveLength(3);
  });
  it('lets a young handshake be when somebody comes back to the page, and not one that is old', () => {
    FakeSocket.last.close();
    vi.advanceTimersByTime(1_000);
    const show = () => document.dispatchEvent(new Event('visibilitychange'));
    show();
    expect(FakeSocket.all).toHaveLength(2);
    vi.setSystemTime(Date.now() + HANDSHAKE); // timers stood still in the background
    show();
    expect(FakeSocket.all).toHaveLength(3);
  });
  it('stays away when the server says that there is nothing', () => {
    FakeSocket.last.say({ type: 'bye', code: 'no_such_table', sentence: 'no such table' });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(session.state).toBe('refused');
  });
  it('waits longer each time, and each client differently', () => {
    expect(waitBefore(0, () => 0)).toBe(200);
    expect(waitBefore(0, () => 1)).toBe(400);
    expect(waitBefore(3, () => 1)).toBe(3_200);
    expect(waitBefore(30, () => 1)).toBe(8_000);
  });
  it('never goes back to an older view', () => {
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 9, deck: 40 }) });
    expect(session.snapshot!.version).toBe(10);
  });
  it('takes what a new line shows first, even if it is older', () => {
    FakeSocket.last.close();
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 6, deck: 42 }) });
    expect(session.snapshot!.deck).toBe(42);
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 5 }) });
    expect(session.snapshot!.version).toBe(6);
  });
});

describe('before the first deal', () => {
  it('adds entropy once a connection, without being asked, and keeps the commitment', () => {
    session.open('A');
    FakeSocket.last.open();
    for (let n = 0; n < 2; n += 1) FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ status: 'waiting', ready: { A: false, B: false } }) });
    const ready = FakeSocket.last.sent.filter((message) => message.type === 'ready');
    expect(ready).toEqual([{ type: 'ready', entropy: expect.stringMatching(/^[0-9a-f]{32}$/) }]);
    expect(JSON.parse(localStorage.getItem('lostcities.commitments')!)).toEqual({ t1: 'c'.repeat(64) });
  });
  it('sends its entropy again after a pause when it was refused, and says why meanwhile', () => {
    const waiting = snapshot({ status: 'waiting', version: 1, ready: { A: false, B: true } });
    const refuse = (code: string): void => FakeSocket.last.say({ type: 'refused', id: null, code, sentence: '', version: 1, snapshot: null });
    const shares = () => FakeSocket.last.sent.filter((message) => message.type === 'ready');
    session.open('A');
    FakeSocket.last.open();
    FakeSocket.last.say({ type: 'snapshot', snapshot: waiting });
    for (let tries = 1; tries < 4; tries += 1) {
      expect(shares()).toHaveLength(tries);
      refuse('storage');
      expect(session.refused).toMatchObject({ code: 'storage' });
      vi.advanceTimersByTime(ENTROPY_PAUSE - 100);
      expect(shares()).toHaveLength(tries);
      vi.advanceTimersByTime(100);
    }
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 4 }) });
    expect(session.refused).toBeNull();
    vi.advanceTimersByTime(10 * ENTROPY_PAUSE);
    expect(shares()).toHaveLength(4);
  });
  it('sends no entropy again that came too late, nor on a line that is gone', () => {
    const waiting = snapshot({ status: 'waiting', version: 1, ready: { A: false, B: true } });
    for (const code of ['already_ready', 'storage']) {
      session.open('A');
      FakeSocket.last.open();
      FakeSocket.last.say({ type: 'snapshot', snapshot: waiting });
      FakeSocket.last.say({ type: 'refused', id: null, code, sentence: '', version: 1, snapshot: null });
      if (code === 'storage') session.close();
      vi.advanceTimersByTime(ENTROPY_PAUSE);
      expect(FakeSocket.last.sent.filter((message) => message.type === 'ready')).toHaveLength(1);
    }
  });
  it('does not take a commitment that comes later for the one seen before', () => {
    FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 11, commitment: 'd'.repeat(64) }) });
    flushSync();
    expect(JSON.parse(localStorage.getItem('lostcities.commitments')!)).toEqual({ t1: 'c'.repeat(64) });
  });
});

it('keeps a card that was chosen while the other side moved, if it is still there', () => {
  FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 11, to_move: 'B' }) });
  session.choose(held('Rx', 3));
  FakeSocket.last.say({ type: 'snapshot', snapshot: snapshot({ version: 12 }) });
  expect(session.choice?.held).toEqual(held('Rx', 3));
});
