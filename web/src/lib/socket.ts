// One line to the server that comes back by itself. It knows nothing of the game.

import type { ClientMessage, ServerMessage } from './wire';

export type LineState = 'connecting' | 'open' | 'lost' | 'refused';

export interface LineEvents {
  /** The line is open: say hello. */
  onOpen: () => void;
  onMessage: (message: ServerMessage) => void;
  onState: (state: LineState) => void;
}

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
/** Shorter breaks are not worth a word. */
export const PATIENCE = 3_000;
/** A handshake that takes longer hangs. */
export const HANDSHAKE = 8_000;
const SILENCE = 25_000;
const ANSWER = 8_000;

/** How long to wait before the next try: doubling, and each client a different time. */
export function waitBefore(tries: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** tries);
  return full * (0.5 + random() / 2);
}

export class Line {
  #socket: WebSocket | null = null;
  #tries = 0;
  #isClosed = false;
  #since = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  /** Until the next sign of life; before the line is open, until it must be. */
  #pulse: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly address: string, readonly events: LineEvents) {
    addEventListener('online', this.#onOnline);
    document.addEventListener('visibilitychange', this.#onVisible);
    this.#patience = setTimeout(() => events.onState('lost'), PATIENCE);
    this.#connect();
  }

  /** Sends, if the line is open; whoever sends must be ready to send again after the next hello. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener('online', this.#onOnline);
    document.removeEventListener('visibilitychange', this.#onVisible);
    for (const timer of [this.#retry, this.#patience, this.#pulse]) clearTimeout(timer);
    this.#socket?.close(1000);
  }

  #connect(): void {
    clearTimeout(this.#retry);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}${this.address}`);
    this.#socket = socket;
    this.#since = Date.now();
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => this.#drop(), HANDSHAKE);
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.events.onOpen();
      this.#listen();
    };
    socket.onmessage = (heard) => {
      if (socket === this.#socket) this.#onMessage(String(heard.data));
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#onClose();
    };
  }

  #onMessage(text: string): void {
    this.#listen();
    const message = JSON.parse(text) as ServerMessage;
    if (message.type === 'ping') this.send({ type: 'pong' });
    else if (message.type !== 'pong') {
      if (message.type !== 'bye') this.#onHeard();
      this.events.onMessage(message);
    }
  }

  /** Only a server that talks to us counts as a connection: one that hangs up at once does not. */
  #onHeard(): void {
    this.#tries = 0;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    this.events.onState('open');
  }

  #onClose(): void {
    clearTimeout(this.#pulse);
    if (this.#isClosed) return;
    this.#patience ??= setTimeout(() => this.events.onState('lost'), PATIENCE);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#connect(), waitBefore(this.#tries++));
  }

  /** A line that died without closing is noticed: after a silence we ask, and without an answer we hang up. */
  #listen(): void {
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => this.#check(), SILENCE);
  }

  #check(): void {
    clearTimeout(this.#pulse);
    this.send({ type: 'ping' });
    this.#pulse = setTimeout(() => this.#drop(), ANSWER);
  }

  #drop(): void {
    const dead = this.#socket;
    this.#socket = null;
    dead?.close();
    this.#onClose();
  }

  /** @param patience how old a handshake may be that is waited for */
  #retryNow(patience: number): void {
    if (this.#isClosed) return;
    const state = this.#socket?.readyState;
    if (state === WebSocket.OPEN) return this.#check();
    if (state === WebSocket.CONNECTING && Date.now() - this.#since < patience) return;
    this.#tries = 0;
    const old = this.#socket;
    this.#connect();
    old?.close();
  }

  /** What was begun on the network of before may hang for long. */
  readonly #onOnline = (): void => this.#retryNow(0);

  /** Phones stop timers in the background: back in front, ask at once. */
  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible') this.#retryNow(HANDSHAKE);
  };
}
