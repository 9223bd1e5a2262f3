import type { Action, DecisionView, Event, MatchView, Me, RoomView, TableView } from "./protocol.js";

/** Opened within this, or given up for another ticket. */
export const OPEN_MS: number;
/** Close codes after which a client does not come back, with the reason that `line("final", reason)` gives. */
export const FINAL: Readonly<Record<number, string>>;

/** A coded refusal of the server. */
export class Refusal extends Error {
  constructor(data: { code: string; message: string; detail?: unknown; left_ms?: number | null });
  code: string;
  /** Of REST: `{field, reason, limit, status}`; of a socket: a text or nothing. */
  detail: any;
  /** After so long it may be asked again, if known. */
  leftMs: number | null;
}

/** Begins to open a line to the node of a ticket. `origin`: the server's; without: the page's. */
export function dial(path: string, origin?: string): WebSocket;
/** An id that no other request uses. */
export function requestId(): string;

export interface Hooks {
  /** Asks REST for a fresh ticket. */
  ticket: () => Promise<{ ticket: string; ws_path: string }>;
  /** Opens a line to `ws_path`; without: `dial` from the page. */
  dial?: (path: string) => WebSocket;
  /** One entry was folded; `before`: the view before it. */
  events?: (events: Event[], before: TableView | null) => void;
  /** Everything came anew. */
  synced?: () => void;
  /** View, match or decision changed. */
  changed?: () => void;
  /** A frame of another kind: presence, chat, countdown, saving, notice. */
  notice?: (kind: string, data: any) => void;
  /** The line's state; `final`: it does not come back by itself. */
  line?: (state: "open" | "lost" | "final", reason?: string) => void;
}

/** One seat's connection: hello, resume, heartbeat, requests with one answer each, which survive a lost line. */
export class TableSocket {
  constructor(hooks: Hooks);
  readonly view: TableView | null;
  readonly match: MatchView | null;
  readonly room: RoomView | null;
  readonly me: Me | null;
  /** My open question. */
  readonly decision: DecisionView | null;
  /** When its clock ends, in `performance.now()` time. */
  readonly deadline: number;
  /** The last `[round, n]`. */
  readonly last: [number, number] | null;
  /** The round that `view` shows; `match.round_no` is one ahead as soon as it is settled. */
  readonly viewRound: number;
  /** No line will be opened again. */
  readonly ended: boolean;
  /** Opens the line; comes back by itself until a final close. */
  open(): Promise<void>;
  /** Tries at once to come back. */
  retry(): void;
  /** Leaves for good. */
  close(): void;
  /** One request, one answer: the ack's data. Rejects with a `Refusal`. */
  send(kind: string, data?: object): Promise<any>;
  /** Chooses an offered action. */
  act(action: Action): Promise<any>;
}
