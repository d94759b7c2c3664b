// Written by web/generate_types.py from the server's schema: `make web-types` writes it anew.

/** An opponent that can be chosen. */
export interface AgentInfo {
  readonly spec: string;
  readonly name: string;
  readonly level: number | null;
  /** A word on its strength. */
  readonly word: string;
  /** Measured points a round above level 1. */
  readonly points: number | null;
  readonly colors: readonly number[];
}

/** The last word before the server closes a socket or a stream. */
export interface ByeMessage {
  readonly type: 'bye';
  readonly code: string;
  readonly sentence: string;
}

/** Cards for each seat. */
export interface CardLists {
  readonly A: readonly string[];
  readonly B: readonly string[];
}

/** One thing that was checked. */
export interface CheckInfo {
  readonly what: string;
  readonly ok: boolean;
  readonly problem: string | null;
}

/** Whether something may be done with a card, and why not. */
export interface Choice {
  readonly ok: boolean;
  readonly code: string | null;
  readonly sentence: string | null;
  /** The score of the expedition once the card lies there. */
  readonly score_after: number | null;
}

export type ClientMessage = HelloMessage | TurnMessage | ReadyMessage | ResignMessage | RematchMessage | PingMessage | PongMessage;

/** An agent that `/api/agents` lists. */
export interface ComputerOpponent {
  readonly kind: 'computer';
  readonly agent: string;
}

/** A command was carried out, now or when it came first. */
export interface Done {
  readonly status: 'done' | 'repeat';
  /** How many events this viewer has been shown. */
  readonly version: number;
}

/** A command was carried out, now or when it came first. */
export interface DoneMessage {
  readonly type: 'done';
  readonly id: string | null;
  readonly status: 'done' | 'repeat';
  /** How many events this viewer has been shown. */
  readonly version: number;
}

/** The events that the viewer has been shown after a version. */
export interface EventList {
  /** How many events this viewer has been shown. */
  readonly version: number;
  readonly events: readonly NumberedEvent[];
}

/** One event; the last event of a step brings the view after it. */
export interface EventMessage {
  readonly type: 'event';
  /** How many events this viewer has been shown. */
  readonly version: number;
  readonly event: OpenedEvent | ReadyEvent | RoundStartedEvent | TurnEvent | RoundEndedEvent | MatchEndedEvent | SecretRevealedEvent | RematchOfferedEvent | RematchAgreedEvent | StagedEvent | TakenBackEvent;
  readonly snapshot: Snapshot | null;
}

/** The expeditions of each seat by color, in the order played. */
export interface Expeditions {
  readonly A: Readonly<Partial<Record<'Y' | 'B' | 'W' | 'G' | 'R' | 'P', readonly string[]>>>;
  readonly B: Readonly<Partial<Record<'Y' | 'B' | 'W' | 'G' | 'R' | 'P', readonly string[]>>>;
}

/** Yes or no for each seat. */
export interface Flags {
  readonly A: boolean;
  readonly B: boolean;
}

/** Somebody who is sent the invite. */
export interface FriendOpponent {
  readonly kind: 'friend';
}

/** A card of the own hand and what may be done with it; one entry for each card of the hand. */
export interface HandCard {
  readonly card: string;
  readonly play: Choice;
  readonly discard: Choice;
  /** By card half of a turn ('R7', '-R7'): where the draw may come from. */
  readonly draws: Readonly<Record<string, readonly ('D' | 'Y' | 'B' | 'W' | 'G' | 'R' | 'P')[]>>;
  /** By card half: the code of the reason against each pile that is closed. */
  readonly closed: Readonly<Record<string, Readonly<Partial<Record<'Y' | 'B' | 'W' | 'G' | 'R' | 'P', string>>>>>;
}

/** The state of the server. */
export interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly version: string;
  readonly sentence: string | null;
}

/** The first word of a client: the last version that it has, if any. */
export interface HelloMessage {
  readonly type: 'hello';
  readonly last?: number | null;
}

/** Bytes for each seat, in hexadecimal digits. */
export interface HexTexts {
  readonly A: string;
  readonly B: string;
}

/** What may be agreed beyond colors and rounds; what is left out is as printed. */
export interface HouseRules {
  readonly starter_policy?: 'leader' | 'round_winner' | 'trailer' | 'alternate' | 'fixed' | 'random';
  readonly match_goal?: 'points' | 'rounds';
  readonly tabletop_memory?: boolean;
  readonly own_discard_block?: boolean;
}

/** How somebody else takes the free seat; shown to the host while it is free. */
export interface Invite {
  readonly code: string;
  readonly url: string;
}

/** What somebody invited may know before joining. */
export interface InviteInfo {
  readonly table_id: string;
  readonly host: string;
  readonly variant: VariantInfo;
  readonly free: boolean;
  readonly first_starter: 'A' | 'B' | null;
}

/** The press of 'Join'. */
export interface JoinRequest {
  readonly code: string;
  /** 1 to 24 characters of any script. */
  readonly name: string;
  readonly id?: string | null;
}

/** The seat is taken; its cookie came with this answer. */
export interface JoinedTable {
  readonly table_id: string;
  readonly seat: 'A' | 'B';
  readonly recovery: RecoveryLink;
}

/** The turn made last in this round. */
export interface LastTurn {
  readonly seat: 'A' | 'B';
  readonly turn: string;
  readonly card: string;
  readonly to: 'expedition' | 'pile';
  readonly draw: 'deck' | 'Y' | 'B' | 'W' | 'G' | 'R' | 'P';
  /** What was drawn, if this viewer may know it: an own card, or one from a pile. */
  readonly drawn: string | null;
  /** The agent that chose it, if one did. */
  readonly agent: string | null;
  /** The agent failed, and a simple one made this turn. */
  readonly flagged: boolean;
}

/** Somebody in front of the same screen. */
export interface LocalOpponent {
  readonly kind: 'local';
  /** 1 to 24 characters of any script. */
  readonly name: string;
}

/** The match is decided. */
export interface MatchEndedEvent {
  readonly kind: 'match_ended';
  readonly result: Result;
}

/** A turn, as on the socket. */
export interface MoveRequest {
  readonly seat?: 'A' | 'B' | null;
  /** How many events this viewer has been shown. */
  readonly version: number;
  /** Made by the sender, such as a UUID; a repeat gets the first answer. */
  readonly id: string;
  readonly turn: string;
}

/** Who sits where; None while a seat is free. */
export interface Names {
  readonly A: string | null;
  readonly B: string | null;
}

/** A table to be opened. A preset, or colors and rounds, which win over it. */
export interface NewTable {
  readonly preset?: 'classic' | 'long' | 'quick';
  readonly colors?: 5 | 6 | null;
  readonly rounds?: number | null;
  readonly house_rules?: HouseRules;
  readonly opponent: ComputerOpponent | FriendOpponent | LocalOpponent;
  readonly starter?: 'you' | 'other' | 'random';
  /** 1 to 24 characters of any script. */
  readonly name: string;
  readonly id?: string | null;
}

/** An event with the version that the viewer has after it. */
export interface NumberedEvent {
  /** How many events this viewer has been shown. */
  readonly version: number;
  readonly event: OpenedEvent | ReadyEvent | RoundStartedEvent | TurnEvent | RoundEndedEvent | MatchEndedEvent | SecretRevealedEvent | RematchOfferedEvent | RematchAgreedEvent | StagedEvent | TakenBackEvent;
}

/** Both seats are taken, and the dealer has committed itself. */
export interface OpenedEvent {
  readonly kind: 'opened';
  readonly names: Names;
  readonly commitment: string;
  readonly first_starter: 'A' | 'B' | null;
}

/** A table that was opened; the cookies of its seats came with this answer. */
export interface OpenedTable {
  readonly table_id: string;
  readonly seats: readonly ('A' | 'B')[];
  readonly invite: Invite | null;
  readonly recovery: readonly RecoveryLink[];
}

/** Who sits opposite the one who opened the table. */
export interface OpponentInfo {
  readonly kind: 'computer' | 'friend' | 'local';
  readonly agent: string | null;
  readonly agent_name: string | null;
}

/** Are you there? The other side answers with a pong. */
export interface PingMessage {
  readonly type: 'ping';
}

/** A number for each seat. */
export interface Points {
  readonly A: number;
  readonly B: number;
}

/** Yes. */
export interface PongMessage {
  readonly type: 'pong';
}

/** Which seats are connected. */
export interface PresenceMessage {
  readonly type: 'presence';
  readonly seats: Flags;
  readonly spectators: number;
}

/** Why something was refused: a code for programs, a sentence for people. */
export interface Problem {
  readonly code: string;
  readonly sentence: string;
  readonly version: number | null;
  readonly snapshot: Snapshot | null;
}

/** What it takes to verify the deals of a finished match, and what the server found itself. */
export interface Proof {
  readonly scheme: string;
  readonly match_id: string;
  readonly commitment: string;
  readonly secret: string;
  readonly entropy: HexTexts;
  /** The starter that was agreed, not drawn. */
  readonly first_starter: 'A' | 'B' | null;
  readonly variant: VariantInfo;
  readonly rounds: readonly RoundProof[];
  readonly checks: readonly CheckInfo[];
}

/** A seat is ready for the next round, and may have added entropy. */
export interface ReadyEvent {
  readonly kind: 'ready';
  readonly seat: 'A' | 'B';
  readonly entropy: string;
}

/** The next round may begin. */
export interface ReadyMessage {
  readonly type: 'ready';
  readonly id?: string | null;
  /** Random bytes that this seat adds to the deals of the match, after it has seen the commitment and before the first deal. */
  readonly entropy?: string;
}

/** The next round may begin. */
export interface ReadyRequest {
  readonly seat?: 'A' | 'B' | null;
  readonly id?: string | null;
  /** Random bytes that this seat adds to the deals of the match, after it has seen the commitment and before the first deal. */
  readonly entropy?: string;
}

/** What an expedition is worth now, term by term: (sum + cost) x multiplier + bonus. */
export interface Receipt {
  readonly sum: number;
  readonly wagers: number;
  readonly cards: number;
  readonly cost: number;
  readonly multiplier: number;
  readonly bonus: number;
  readonly total: number;
  readonly started: boolean;
}

/** The token of a recovery link. */
export interface RecoverRequest {
  readonly token: string;
}

/** The seat that the link led back to. */
export interface RecoveredSeat {
  readonly table_id: string;
  readonly seat: 'A' | 'B';
}

/** The way back to a seat after the cookies were cleared: the newest one. Whoever has it has the seat. */
export interface RecoveryLink {
  readonly seat: 'A' | 'B';
  readonly url: string;
}

/** A command was not carried out; nothing has changed. */
export interface RefusedMessage {
  readonly type: 'refused';
  readonly id: string | null;
  readonly code: string;
  readonly sentence: string;
  /** How many events this viewer has been shown. */
  readonly version: number;
  /** The current view, if the command was stale. */
  readonly snapshot: Snapshot | null;
}

/** Whether there will be another match, and where. */
export interface Rematch {
  readonly offered_by: 'A' | 'B' | null;
  readonly table_id: string | null;
}

/** There will be another match; the snapshot says at which table. */
export interface RematchAgreedEvent {
  readonly kind: 'rematch_agreed';
}

/** The seat would like another match, or agrees to one. */
export interface RematchMessage {
  readonly type: 'rematch' | 'accept_rematch';
  readonly id?: string | null;
}

/** A seat would like another match. */
export interface RematchOfferedEvent {
  readonly kind: 'rematch_offered';
  readonly seat: 'A' | 'B';
}

/** A match step by step, as the viewer may see it. */
export interface Replay {
  readonly complete: boolean;
  readonly steps: readonly ReplayStep[];
}

/** The table after a turn; the first of a round stands before any turn. */
export interface ReplayStep {
  readonly n: number;
  readonly round: number;
  readonly turn: LastTurn | null;
  readonly snapshot: Snapshot;
  /** What the viewer may know: the own hand; both once the secret is revealed. */
  readonly hands: ShownHands;
}

/** The seat gives up the match. */
export interface ResignMessage {
  readonly type: 'resign';
  readonly id?: string | null;
}

/** How the match ended. */
export interface Result {
  readonly totals: Points;
  readonly winner: 'A' | 'B' | null;
  readonly resigned: 'A' | 'B' | null;
}

/** The last card of the deck was drawn. */
export interface RoundEndedEvent {
  readonly kind: 'round_ended';
  readonly round: number;
  readonly scores: Points;
}

/** The deal of a round. */
export interface RoundProof {
  readonly round: number;
  readonly starter: 'A' | 'B';
  readonly deal: readonly string[];
}

/** The cards were dealt; a seat is shown its own. */
export interface RoundStartedEvent {
  readonly kind: 'round_started';
  readonly round: number;
  readonly rounds: number;
  readonly starter: 'A' | 'B';
  readonly totals: Points;
  readonly hand: readonly string[] | null;
}

/** A command that needs no more than a seat. */
export interface SeatRequest {
  readonly seat?: 'A' | 'B' | null;
  readonly id?: string | null;
}

/** What a seat would score if the round ended now. */
export interface SeatScore {
  readonly total: number;
  readonly by: Readonly<Partial<Record<'Y' | 'B' | 'W' | 'G' | 'R' | 'P', Receipt>>>;
}

/** The running scores of both seats. */
export interface SeatScores {
  readonly A: SeatScore;
  readonly B: SeatScore;
}

/** The dealer showed its secret, so that anybody can verify the deals. */
export interface SecretRevealedEvent {
  readonly kind: 'secret_revealed';
  readonly secret: string;
}

export type ServerMessage = SnapshotMessage | EventMessage | DoneMessage | RefusedMessage | PresenceMessage | PingMessage | PongMessage | ByeMessage;

/** The hands, as far as the viewer may know them. */
export interface ShownHands {
  readonly A: readonly string[] | null;
  readonly B: readonly string[] | null;
}

/** How a table stands for one viewer. */
export interface Snapshot {
  readonly table_id: string;
  /** How many events this viewer has been shown. */
  readonly version: number;
  readonly viewer: 'A' | 'B' | null;
  /** The seats that this browser holds here. */
  readonly seats: readonly ('A' | 'B')[];
  /** 'waiting': somebody has yet to join, or to be ready for the first deal. */
  readonly status: 'waiting' | 'playing' | 'round_over' | 'match_over';
  readonly variant: VariantInfo;
  readonly names: Names;
  readonly opponent: OpponentInfo;
  readonly host: 'A' | 'B';
  readonly ready: Flags;
  /** The running or the last round; 0 before the first deal. */
  readonly round: number;
  readonly rounds: number;
  readonly starter: 'A' | 'B' | null;
  readonly to_move: 'A' | 'B' | null;
  readonly deck: number;
  readonly turns_left: Points;
  readonly stalling: Stalling;
  readonly hand: readonly string[] | null;
  readonly hand_sizes: Points;
  readonly known: CardLists;
  readonly expeditions: Expeditions;
  /** Bottom to top; with tabletop memory the top only. */
  readonly piles: Readonly<Partial<Record<'Y' | 'B' | 'W' | 'G' | 'R' | 'P', readonly string[]>>>;
  readonly pile_sizes: Readonly<Partial<Record<'Y' | 'B' | 'W' | 'G' | 'R' | 'P', number>>>;
  /** Cards whose place this viewer does not know. */
  readonly unseen: number;
  readonly scores: SeatScores;
  /** The points of the finished rounds. */
  readonly totals: Points;
  readonly history: readonly Points[];
  readonly legal: readonly string[] | null;
  readonly cards: readonly HandCard[] | null;
  readonly last: LastTurn | null;
  readonly result: Result | null;
  readonly rematch: Rematch;
  readonly commitment: string;
  readonly entropy: HexTexts;
  /** The secret of the deals, once the match is over. */
  readonly secret: string | null;
  readonly deal_revealed: boolean;
  readonly warnings: readonly ('deck_low' | 'last_card' | 'stalling' | 'piles_closed')[];
  readonly invite: Invite | null;
}

/** The whole view: after the hello, and whenever a tail would not do. */
export interface SnapshotMessage {
  readonly type: 'snapshot';
  readonly snapshot: Snapshot;
}

/** The own card was put down for the time being. */
export interface StagedEvent {
  readonly kind: 'staged';
  readonly move: string;
}

/** Turns in a row that each discarded and took a discard, and when the guard closes the piles. */
export interface Stalling {
  readonly count: number;
  readonly limit: number | null;
}

export type TableEvent = OpenedEvent | ReadyEvent | RoundStartedEvent | TurnEvent | RoundEndedEvent | MatchEndedEvent | SecretRevealedEvent | RematchOfferedEvent | RematchAgreedEvent | StagedEvent | TakenBackEvent;

/** A table in which this browser has a seat. */
export interface TableSummary {
  readonly table_id: string;
  readonly seats: readonly ('A' | 'B')[];
  readonly names: Names;
  readonly status: 'waiting' | 'playing' | 'round_over' | 'match_over';
  readonly your_turn: boolean;
  readonly round: number;
  readonly rounds: number;
  readonly colors: number;
  readonly totals: Points;
  readonly opponent: OpponentInfo;
  readonly result: Result | null;
  /** When something last happened, ISO 8601 in UTC. */
  readonly updated: string;
}

/** The own card is back in the hand. */
export interface TakenBackEvent {
  readonly kind: 'taken_back';
}

/** A turn was made. */
export interface TurnEvent {
  readonly kind: 'turn';
  readonly turn: LastTurn;
}

/** A turn. */
export interface TurnMessage {
  readonly type: 'turn';
  /** How many events this viewer has been shown. */
  readonly version: number;
  /** Made by the sender, such as a UUID; a repeat gets the first answer. */
  readonly id: string;
  readonly turn: string;
}

/** The numbers of the game. */
export interface VariantInfo {
  readonly name: 'classic' | 'long' | 'non-standard';
  readonly colors: readonly ('Y' | 'B' | 'W' | 'G' | 'R' | 'P')[];
  readonly lowest_rank: number;
  readonly highest_rank: number;
  readonly wagers_per_color: number;
  readonly hand_size: number;
  readonly rounds: number;
  readonly deck_size: number;
  readonly expedition_cost: number;
  readonly bonus: number;
  readonly bonus_threshold: number;
  readonly starter_policy: string;
  readonly match_goal: string;
  readonly tabletop_memory: boolean;
  readonly own_discard_block: boolean;
  readonly stall_limit: number | null;
}
