// Connects to the primary among the servers of the database, and refuses standbys and servers that only read, as libpq
// does with target_session_attrs=read-write.

import pg from "pg";
import { limits } from "../limits/index.ts";
import { isOutage, Outage } from "./outage.ts";

type Settings = pg.ClientConfig & { primary: Primary };

/** The parts of the driver's connection that its types leave out. */
type Wire = {
  stream: { destroy(): void };
  on(event: "parameterStatus", listener: (status: ParameterStatus) => void): void;
  emit(event: "errorMessage", error: Error): void;
};
type ParameterStatus = { parameterName: string; parameterValue: string };

/** The servers, in the order in which they are tried, and the open connections. */
export class Primary {
  #servers: readonly pg.ClientConfig[];
  readonly #open = new Set<PrimaryClient>();
  readonly #failures = new WeakSet<Error>();
  /** False behind a pooler, which repeats what another connection was told. */
  readonly isChecked: boolean;

  constructor(servers: readonly pg.ClientConfig[], { isChecked }: { isChecked: boolean }) {
    this.#servers = servers;
    this.isChecked = isChecked;
  }

  /** The server that is tried next: the one that was the primary last, until a connection to it fails. */
  get next(): pg.ClientConfig {
    return this.#servers[0] as pg.ClientConfig;
  }

  /** At least two, because a proxy may choose another server for the second one. */
  get tries(): number {
    return Math.max(2, this.#servers.length);
  }

  connected(client: PrimaryClient): void {
    // There is one primary. Connections to others are lost, perhaps without a sign, as when a machine is switched off.
    for (const other of this.#open) if (other.server !== client.server) other.destroy();
    this.#open.add(client);
    client.once("end", () => this.#open.delete(client));
  }

  /** Several connections may fail at the same time; only the first of them moves on to the next server. */
  failed({ server }: PrimaryClient, error: Error): void {
    this.#failures.add(error);
    if (server === this.next) this.#servers = [...this.#servers.slice(1), server];
  }

  /** After a failed connect: tries the other servers. */
  async connectAgain<T>(first: Error, connect: () => Promise<T>): Promise<T> {
    let failure = first;
    let refusal = first instanceof Outage ? first : undefined;
    for (let left = this.tries - 1; left > 0 && this.#isWorthATry(failure); left -= 1) {
      try {
        return await connect();
      } catch (error) {
        failure = error as Error;
        if (failure instanceof Outage) refusal = failure;
      }
    }
    // That a standby answers says more than that the primary does not.
    throw refusal ?? failure;
  }

  /** Not when the pool was full, and not for a wrong password. */
  #isWorthATry(failure: Error): boolean {
    return this.#failures.has(failure) && isOutage(failure);
  }
}

/** A connection to the primary. One that turns out to be to another server ends before its first statement. */
export class PrimaryClient extends pg.Client {
  readonly server: pg.ClientConfig;
  readonly #primary: Primary;
  readonly #wire: Wire;
  /** What the server reports about itself while the connection is set up, without a statement. */
  readonly #reported = new Map<string, string>();

  constructor(settings: Settings) {
    const { primary } = settings;
    const server = primary.next;
    const connectionTimeoutMillis = limits.statementTimeoutMs / primary.tries;
    // The pool hides the password from being listed, so it must be named.
    const { password } = settings;
    super({ ...settings, password, ...server, connectionTimeoutMillis });
    this.server = server;
    this.#primary = primary;
    this.#wire = (this as unknown as { connection: Wire }).connection;
    this.#wire.on("parameterStatus", ({ parameterName, parameterValue }) => {
      this.#reported.set(parameterName, parameterValue);
    });
    // Without a listener, a lost connection would end the process. The next statement reports it.
    this.on("error", () => {});
    // PostgreSQL was told to stop waiting for a standby. It reports the commit as done, with this warning before it.
    this.on("notice", ({ routine }) => {
      if (routine !== "SyncRepWaitForLSN") return;
      this.#wire.emit("errorMessage", new Outage("unconfirmed"));
    });
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error) => (error ? reject(error) : resolve(this)));
      });
    }
    super.connect((error: Error | null) => {
      const failure = error ?? this.#refusal();
      if (failure) {
        this.#primary.failed(this, failure);
        if (!error) void this.end().catch(() => {});
      } else this.#primary.connected(this);
      callback(failure as Error);
    });
  }

  #refusal(): Outage | undefined {
    if (!this.#primary.isChecked) return undefined;
    if (this.#reported.get("in_hot_standby") === "on") return new Outage("noPrimary");
    if (this.#reported.get("default_transaction_read_only") === "on") return new Outage("readOnly");
    return undefined;
  }

  /** Ends the connection without a word to the server. */
  destroy(): void {
    this.#wire.stream.destroy();
  }
}

/** A connection of its own, outside the pools: for locks and notifications. */
export async function openClient(settings: Settings): Promise<pg.Client> {
  const open = () => new PrimaryClient(settings).connect();
  return open().catch((error: Error) => settings.primary.connectAgain(error, open));
}
