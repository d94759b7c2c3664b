// A table as this browser sees it. The server's view is shown as it came; the only thing of our own
// is the card that was chosen and not yet sent. While a device changes hands, nothing of this gives
// out more than both sides may know: the view that came is kept here, and all others see `snapshot`.

import { Line, type LineState } from './socket';
import type { Snapshot, ServerMessage, TableEvent, HandCard } from './wire';
import { arrangeHand, type Held, type Seat } from './cards';
import { formatMove, formatTurn, type Source, type Target, type Turn } from './turns';
import { settings } from './settings.svelte';
import { isCovered, openView } from './cover';
import { randomHex, rememberCommitment } from './commitments';

export interface Choice {
  readonly held: Held;
  /** Null while only the card is chosen. */
  readonly target: Target | null;
}

interface Pending {
  readonly id: string;
  readonly version: number;
  readonly turn: Turn;
}

/** What is no turn, and happens once at most. */
export type Wish = 'ready' | 'rematch' | 'resign';

export interface Refused {
  readonly code: string;
  readonly sentence: string;
}

export type Heard = (event: TableEvent, version: number, snapshot: Snapshot | null) => void;

export class Session {
  /** The view as it came; pass and play shows it to one of two. */
  #whole = $state.raw<Snapshot | null>(null);
  /** Pass and play: whose cards may be on the screen. */
  shownFor = $state<Seat | null>(null);
  readonly isCovered: boolean = $derived(this.#whole !== null && isCovered(this.#whole, this.shownFor));
  /** What may be shown now. */
  readonly snapshot: Snapshot | null = $derived(this.#whole && this.#shown(this.#whole));
  state = $state<LineState>('connecting');
  choice = $state.raw<Choice | null>(null);
  pending = $state.raw<Pending | null>(null);
  /** What was asked for and is not granted yet. */
  wish = $state<Wish | null>(null);
  refused = $state.raw<Refused | null>(null);
  bye = $state.raw<Refused | null>(null);
  presence = $state.raw<Readonly<Record<Seat, boolean>> | null>(null);
  spectators = $state(0);
  isMirror = $state(false);

  readonly hand: Held[] = $derived(arrangeHand(this.snapshot?.hand ?? [], settings.order));
  readonly isMyTurn: boolean = $derived(
    !!this.snapshot && this.snapshot.status === 'playing' && this.snapshot.viewer !== null && this.snapshot.to_move === this.snapshot.viewer,
  );
  /** What the server says about the chosen card. */
  readonly chosen: HandCard | null = $derived.by(() => {
    const card = this.choice?.held.card;
    return this.snapshot?.cards?.find((known) => known.card === card) ?? null;
  });
  /** Where a card may be drawn from once the staged card lies. */
  readonly sources: readonly Source[] = $derived.by(() => {
    const { choice, chosen } = this;
    return choice?.target && chosen && this.isMyTurn ? (chosen.draws[formatMove(choice.held.card, choice.target)] ?? []) : [];
  });

  #line: Line | null = null;
  #seat: Seat | null = null;
  #readySent = '';
  #again: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  /** Whether the line is new, and nothing has been heard on it. */
  #isBack = false;
  #listeners = new Set<Heard>();

  constructor(readonly id: string) {}

  open(seat: Seat | null): void {
    this.close();
    this.#seat = seat;
    this.#whole = null;
    this.choice = this.pending = this.refused = this.wish = null;
    this.state = 'connecting';
    this.#line = new Line(`/api/tables/${encodeURIComponent(this.id)}/socket${seat ? `?seat=${seat}` : ''}`, {
      onOpen: () => {
        this.#readySent = '';
        this.#isBack = true;
        this.#line?.send({ type: 'hello', last: this.#whole?.version ?? null });
      },
      onMessage: (message) => this.#onMessage(message),
      onState: (state) => (this.state = this.state === 'refused' ? 'refused' : state),
    });
  }

  close(): void {
    clearTimeout(this.#again);
    this.#line?.close();
    this.#line = null;
  }

  onEvent(listener: Heard): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // --- pass and play ------------------------------------------------------------------------------

  /** From here on nobody's cards may be seen. */
  cover(): void {
    this.shownFor = null;
    this.choice = this.refused = null;
  }

  #shown(snapshot: Snapshot): Snapshot {
    return isCovered(snapshot, this.shownFor) ? openView(snapshot) : snapshot;
  }

  // --- the turn: card, target, draw --------------------------------------------------------------

  choose(held: Held): void {
    if (this.pending || this.isMirror) return;
    this.refused = null;
    const isSame = this.choice?.held.place === held.place && this.choice.held.card === held.card;
    this.choice = isSame ? null : { held, target: null };
  }

  /** Puts the chosen card down for the time being; says what is against it, if anything is. */
  stage(target: Target): Refused | null {
    const { choice, chosen } = this;
    if (!choice || !chosen || this.pending || this.isMirror || !this.isMyTurn) return null;
    const answer = target === 'play' ? chosen.play : chosen.discard;
    this.refused = answer.ok ? null : { code: answer.code ?? 'unexpected', sentence: answer.sentence ?? '' };
    if (answer.ok) this.choice = { held: choice.held, target };
    return this.refused;
  }

  unstage(): void {
    if (this.pending) return;
    this.refused = null;
    this.choice = this.choice?.target ? { held: this.choice.held, target: null } : null;
  }

  /** The draw ends the turn: from here on there is no way back. */
  draw(source: Source): boolean {
    const { choice, snapshot } = this;
    if (!choice?.target || !snapshot || this.pending || this.isMirror || !this.isMyTurn) return false;
    if (!this.sources.includes(source)) {
      this.refused = { code: this.closedReason(source) ?? 'pile_empty', sentence: '' };
      return false;
    }
    this.pending = { id: crypto.randomUUID?.() ?? randomHex(16), version: snapshot.version, turn: { card: choice.held.card, target: choice.target, source } };
    this.#sendPending();
    return true;
  }

  /** The reason code against drawing from there now. */
  closedReason(source: Source): string | null {
    const { choice, chosen } = this;
    if (!choice?.target || !chosen || source === 'D') return null;
    return chosen.closed[formatMove(choice.held.card, choice.target)]?.[source] ?? null;
  }

  ready(): void {
    this.#ask('ready');
  }

  rematch(): void {
    this.#ask('rematch');
  }

  resign(): void {
    this.#ask('resign');
  }

  /** Kept until the server's view shows it: what was asked while the line was down is asked again. */
  #ask(wish: Wish): void {
    if (this.wish || this.isMirror) return;
    this.wish = wish;
    this.#line?.send({ type: wish });
  }

  /** Whether the view still leaves something to wish for. */
  #isOpen(wish: Wish, { viewer, status, ready, rematch }: Snapshot): boolean {
    if (!viewer) return false;
    if (wish === 'ready') return status === 'round_over' && !ready[viewer];
    if (wish === 'rematch') return status === 'match_over' && !rematch.table_id && rematch.offered_by !== viewer;
    return status !== 'match_over';
  }

  #sendPending(): void {
    if (!this.pending) return;
    const { id, version, turn } = this.pending;
    this.#line?.send({ type: 'turn', version, id, turn: formatTurn(turn) });
  }

  // --- what the server says --------------------------------------------------------------------

  #onMessage(message: ServerMessage): void {
    switch (message.type) {
      case 'snapshot':
        this.#take(message.snapshot);
        this.#sendPending(); // after a break: the same id, so it counts once
        break;
      case 'event':
        for (const listener of this.#listeners) listener(message.event, message.version, message.snapshot && this.#shown(message.snapshot));
        if (message.snapshot) this.#take(message.snapshot);
        break;
      case 'done':
        break; // the event that the turn made brings the new view
      case 'refused':
        this.#onRefused(message.id, message.code, message.sentence, message.snapshot);
        break;
      case 'presence':
        this.presence = message.seats;
        this.spectators = message.spectators;
        break;
      case 'bye':
        this.#onBye(message.code, message.sentence);
        break;
      case 'ping':
      case 'pong':
        break;
    }
  }

  #onRefused(id: string | null, code: string, sentence: string, snapshot: Snapshot | null): void {
    if (id && this.pending?.id === id) this.pending = null;
    if (!id) this.wish = null;
    if (snapshot) this.#take(snapshot);
    if (HARMLESS.has(code)) return;
    this.refused = { code, sentence };
    if (!id && this.#whole?.status === 'waiting') this.#addEntropyLater();
  }

  #onBye(code: string, sentence: string): void {
    this.bye = { code, sentence };
    if (!FINAL.has(code)) return;
    this.state = 'refused';
    this.close();
  }

  #take(snapshot: Snapshot): void {
    const before = this.#whole;
    // On a new line the server's word counts whatever it is: its log may have come back from a copy.
    if (before && !this.#isBack && snapshot.version < before.version) return;
    const isNews = snapshot.version !== before?.version;
    this.bye = null;
    if (before?.status === 'waiting' && snapshot.status !== 'waiting') this.refused = null;
    if (snapshot.round !== this.#round) this.cover();
    this.#round = snapshot.round;
    this.#whole = snapshot;
    if (this.wish && !this.#isOpen(this.wish, snapshot)) this.wish = null;
    if (this.pending && snapshot.version > this.pending.version) {
      this.pending = null;
      this.choice = null;
    } else if (isNews) this.#keepChoice();
    if (this.#isBack && this.wish) this.#line?.send({ type: this.wish });
    this.#isBack = false;
    if (snapshot.viewer) rememberCommitment(snapshot);
    this.#addEntropy(snapshot);
  }

  /** A card chosen before the other side moved stays chosen if it is still there. */
  #keepChoice(): void {
    const { choice } = this;
    if (!choice) return;
    const same = this.hand.find((held) => held.card === choice.held.card && held.nth === choice.held.nth);
    this.choice = same ? { held: same, target: this.isMyTurn ? choice.target : null } : null;
  }

  /** Our share of the deal: random bytes that the dealer cannot know when it has committed itself. */
  #addEntropy(snapshot: Snapshot): void {
    const seat = snapshot.viewer;
    if (snapshot.status !== 'waiting' || !seat || snapshot.ready[seat] || this.isMirror) return;
    const key = `${snapshot.table_id}${seat}`;
    if (this.#readySent === key) return;
    this.#readySent = key;
    this.#line?.send({ type: 'ready', entropy: randomHex(16) });
  }

  /** What was refused, for want of storage perhaps, may be taken a moment later; nobody else would ask for it. */
  #addEntropyLater(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      this.#readySent = '';
      if (this.#whole) this.#addEntropy(this.#whole);
    }, ENTROPY_PAUSE);
  }

  /** Whose view it is, also while it is covered. */
  get seat(): Seat | null {
    return this.#whole?.viewer ?? this.#seat;
  }
}

export const ENTROPY_PAUSE = 2_000;
/** After these there is no point in coming back. */
const FINAL = new Set(['no_such_table', 'not_your_seat', 'foreign_origin', 'bad_request']);
/** What a repeat after a break may bring, and nobody need hear of. */
const HARMLESS = new Set(['already_ready', 'entropy_too_late']);

