// The way to PostgreSQL: a pool, named prepared statements, transactions.

import pg from "pg";
import { limits } from "../limits.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** A named, prepared statement and, in its type, the rows it returns. */
export type Statement<Row> = { readonly name: string; readonly text: string; readonly row?: Row };

export function statement<Row>(name: string, text: string): Statement<Row> {
  return { name, text };
}

/**
 * The part `locked` of a statement that changes many rows. Left to itself, an update locks them in whatever
 * order its plan comes upon them, and two such statements deadlock. So they are locked first, in the order
 * of their keys, whoever does it. What is compared is compared by the update, which sees the row as it
 * is once it is ours.
 */
export function lockedInOrder(table: "receiver" | "payout", source: string): string {
  // One by one, by their keys: PostgreSQL can't know how few a limit lets through, and would read the table.
  return `locked as materialized (
     select row.subaccount_id, row.id
     from (select distinct subaccount_id, id from ${source} order by subaccount_id, id) key
     cross join lateral (
       select subaccount_id, id from ${table}
       where subaccount_id = key.subaccount_id and id = key.id for no key update
     ) row
   )`;
}

/** Either of the two below: a statement that stands alone, or one in a transaction. */
export type Runner = {
  run<Row>(statement: Statement<Row>, values?: unknown[]): Promise<Row[]>;
  /** Tells what was done, once it is committed: what is rolled back never happened. */
  afterCommit(tell: Telling): void;
};

type Telling = (listeners: Listeners) => void;

/** Those in this process who want to know what was committed. */
export type Listeners = {
  readonly metrics: Metrics | undefined;
  /** Those to be told when a subaccount has something new to hear. */
  readonly eventListeners: Set<(subaccountId: string) => void>;
  onEventCommitted(subaccountId: string): void;
  /** Those to be told when something of a subaccount looks different: the pages that show it. */
  readonly watchers: Set<(subaccountId: string, kind: ChangedKind) => void>;
  changed(subaccountId: string, kind: ChangedKind): void;
};

export const changedKinds = ["payouts", "receivers", "events", "requests"] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** A transaction. Writes of several statements take one, so that calling them outside does not compile. */
export type Tx = Runner & {
  readonly inTransaction: true;
  /** The last that the transaction does, one after the other; where one fails, nothing happened. */
  beforeCommit(work: () => Promise<void>): void;
};

/**
 * One statement run on it is one transaction of its own, and is run again after a collision. Statements, transactions,
 * shared batches and background work have connections of their own, so that none of them waits for another's.
 */
export type Db = Runner & {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** The connections of single statements: reads, keys, readiness. */
  readonly pool: pg.Pool;
  /** For calls of several subaccounts that share a statement: a lock that is not free soon is an error. */
  readonly shared: Db;
  readonly background: Db;
  readonly listeners: Listeners;
  close(): Promise<void>;
};

export type TransactionOptions = {
  /** One snapshot for all its statements. Absent: each sees what was committed before it. */
  snapshot?: boolean;
};

export type ConnectOptions = {
  connection: pg.ClientConfig;
  poolMax: number;
  /** Statements run under this role, which may less than the one who connects. */
  role?: string | undefined;
  onIdleError?: (error: Error) => void;
  metrics?: Metrics | undefined;
};

type PoolName = "statements" | "transactions" | "shared" | "background";

/** Below this there are too few connections to divide: all work uses the same ones. */
const dividedFrom = 4;

/** How many connections each kind of work may use. */
export function poolSizes(max: number): Record<PoolName, number> {
  const part = (share: number) => Math.max(1, Math.floor(max * share));
  const shared = part(0.2);
  const transactions = part(0.3);
  const background = part(0.25);
  return { shared, transactions, background, statements: max - shared - transactions - background };
}

export function connect(options: ConnectOptions): Db {
  const { connection, poolMax, role, onIdleError = () => {}, metrics } = options;

  function openPool(max: number, settings = ""): pg.Pool {
    const pool = new pg.Pool({
      ...connection,
      max,
      application_name: connection.application_name ?? "disburse",
      statement_timeout: limits.statementTimeoutMs,
      idle_in_transaction_session_timeout: limits.statementTimeoutMs,
      connectionTimeoutMillis: limits.statementTimeoutMs,
      keepAlive: true,
      // Every statement here has one good plan. Left to itself, PostgreSQL plans those with arrays anew on
      // each call, which costs more than running them.
      options: `-c plan_cache_mode=force_generic_plan${role ? ` -c role=${role}` : ""}${settings}`,
    });
    // Without listeners, a connection that dies would end the process: while idle, or between the statements
    // of a transaction. Of the latter, the next statement tells.
    pool.on("error", onIdleError);
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  }

  function openPools(): Record<PoolName, pg.Pool> {
    if (poolMax < dividedFrom) {
      const one = openPool(poolMax);
      return { statements: one, transactions: one, shared: one, background: one };
    }
    const sizes = poolSizes(poolMax);
    return {
      statements: openPool(sizes.statements),
      transactions: openPool(sizes.transactions),
      shared: openPool(sizes.shared, ` -c lock_timeout=${limits.sharedLockWaitMs}`),
      background: openPool(sizes.background),
    };
  }

  const pools = openPools();
  const every = [...new Set(Object.values(pools))];
  metrics?.collectPool(() => ({
    total: every.reduce((sum, { totalCount }) => sum + totalCount, 0),
    idle: every.reduce((sum, { idleCount }) => sum + idleCount, 0),
    waiting: every.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
  }));

  const hearers: Listeners["eventListeners"] = new Set();
  const watchers: Listeners["watchers"] = new Set();
  const changed = (subaccountId: string, kind: ChangedKind) => {
    for (const watch of watchers) watch(subaccountId, kind);
  };
  const told = (subaccountId: string) => {
    for (const hear of hearers) hear(subaccountId);
    changed(subaccountId, "events");
  };
  const listeners: Listeners = {
    metrics,
    eventListeners: hearers,
    onEventCommitted: told,
    watchers,
    changed,
  };
  const close = async () => {
    await Promise.all(every.map((pool) => pool.end()));
  };

  const dbOn = (statements: pg.Pool, transactions: pg.Pool): Db => ({
    ...runnerOn(statements, transactions, listeners),
    pool: statements,
    get shared() {
      return shared;
    },
    get background() {
      return background;
    },
    listeners,
    close,
  });
  const shared = dbOn(pools.shared, pools.shared);
  const background = dbOn(pools.background, pools.background);
  return dbOn(pools.statements, pools.transactions);
}

function runnerOn(
  pool: pg.Pool,
  transactions: pg.Pool,
  listeners: Listeners,
): Pick<Db, "run" | "afterCommit" | "transaction"> {
  const tellNow = (tell: Telling) => tell(listeners);
  const runner = (
    queryable: pg.Pool | pg.PoolClient,
    afterCommit: Runner["afterCommit"],
  ): Runner => ({
    async run<Row>({ name, text }: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
      const result = await queryable.query({ name, text, values });
      return result.rows as Row[];
    },
    afterCommit,
  });
  const alone = runner(pool, tellNow);
  return {
    async run(statement, values) {
      for (let triesLeft = limits.collisionTriesMax - 1; ; triesLeft -= 1) {
        try {
          return await alone.run(statement, values);
        } catch (error) {
          if (!isCollision(error) || triesLeft === 0) throw error;
        }
      }
    },
    afterCommit: tellNow,
    async transaction(work, { snapshot } = {}) {
      const client = await transactions.connect();
      const committed: Telling[] = [];
      const last: (() => Promise<void>)[] = [];
      let broken: Error | undefined;
      try {
        await client.query(snapshot ? "begin isolation level repeatable read" : "begin");
        const tellLater = (tell: Telling) => void committed.push(tell);
        const beforeCommit: Tx["beforeCommit"] = (work) => void last.push(work);
        const tx: Tx = { ...runner(client, tellLater), inTransaction: true, beforeCommit };
        const result = await work(tx);
        for (const work of last) await work();
        await client.query("commit");
        committed.forEach(tellNow);
        return result;
      } catch (error) {
        await client.query("rollback").catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
  };
}

// SQLSTATE classes that speak of the connection or the server, not of the statement.
// 25006: the server only reads, as one does that a failover has left behind.
// 57014 and 55P03: out of time, most likely waiting for a lock; each call alone would wait as long.
const outageStates = /^(08|53|57|58|25006|55P03)/;
const outageErrors = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT"]);

/** The database could not be reached or went away; what became of a write is not known. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) {
    return error.severity === "FATAL" || outageStates.test(error.code ?? "");
  }
  const { code } = error as NodeJS.ErrnoException;
  return (
    outageErrors.has(code ?? "") ||
    /Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|Client was closed/i.test(
      error.message,
    )
  );
}

const findReadOnly = statement<{ is_read_only: boolean }>(
  "database-read-only",
  "select pg_is_in_recovery() or current_setting('transaction_read_only')::bool as is_read_only",
);

/** A server that was replaced by another answers reads as before, and refuses writes. */
export async function isReadOnly(db: Runner): Promise<boolean> {
  return (await db.run(findReadOnly))[0]?.is_read_only === true;
}

/** The key of a table decided that a row has to stay out. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "23505" && error.constraint === constraint
  );
}

/**
 * Two got into each other's way, and PostgreSQL undid this one so that the other may go on. All locks of
 * ours are taken in one order, so this should not happen; where it does, doing it again is all there is to do.
 */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "40P01" || error.code === "40001");
}

/** A statement called `undo_statement()`, which raises our own SQLSTATE. */
export function isUndoneByUs(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "UN001";
}

/** A lock was not free in the time that a shared batch waits for it. All of the statement was rolled back. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "55P03";
}

/** PostgreSQL refused the statement itself, so that all of it was rolled back. */
export function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !isOutage(error);
}
