// One tab plays, others of the same seat look on: a second tab becomes a mirror until it is told to play.

interface Word {
  readonly says: 'hello' | 'here' | 'mine';
  readonly from: string;
}

export class Mirror {
  readonly #channel: BroadcastChannel | null;
  readonly #me = Math.random().toString(36).slice(2);
  #plays = true;

  constructor(table: string, seat: string, readonly onChange: (isMirror: boolean) => void) {
    this.#channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`lostcities.${table}.${seat}`);
    if (!this.#channel) return;
    this.#channel.onmessage = (heard: MessageEvent<Word>) => this.#hear(heard.data);
    this.#say('hello');
  }

  /** "Play here": all others look on from now. */
  take(): void {
    this.#set(true);
    this.#say('mine');
  }

  close(): void {
    this.#channel?.close();
  }

  #hear({ says, from }: Word): void {
    if (from === this.#me) return;
    if (says === 'hello' && this.#plays) this.#say('here');
    else if (says !== 'hello') this.#set(false);
  }

  #say(says: Word['says']): void {
    this.#channel?.postMessage({ says, from: this.#me } satisfies Word);
  }

  #set(plays: boolean): void {
    if (plays === this.#plays) return;
    this.#plays = plays;
    this.onChange(!plays);
  }
}
