export interface Session {
  user: { id: string; name: string; [more: string]: unknown };
  access_token: string;
  refresh_token: string;
  /** Milliseconds since 1970. */
  expires_at: number;
  device_token?: string;
}

/** Keeps one text, the session; null: nothing is kept. */
export interface Store {
  read: () => string | null;
  write: (text: string | null) => void;
}

/** Does one work at a time. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T>;

/** A server's REST, as one person: a new guest, unless the store has a session. Errors are `Refusal`s. */
export class Rest {
  /** `origin`: the server's; empty: the page's own. Without `store` the session is forgotten with the program. */
  constructor(options?: { origin?: string; store?: Store; alone?: Alone });
  readonly origin: string;
  session(): Session | null;
  /** A valid session: the kept one, refreshed when due, else a new guest's. */
  signIn(): Promise<Session>;
  signInAs(body: { name: string; password: string }): Promise<Session>;
  signOut(): Promise<void>;
  /** Keeps a changed profile. */
  keepUser(user: object): void;
  /** Paths are those below `/v1`. */
  get(path: string): Promise<any>;
  post(path: string, body?: object): Promise<any>;
  patch(path: string, body: object): Promise<any>;
  remove(path: string, body?: object): Promise<any>;
  /** A call with a token of its own; empty: nobody's. */
  callAs(token: string, method: string, path: string, body?: object): Promise<any>;
}
