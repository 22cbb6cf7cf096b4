// Connects to PostgreSQL: pools, named prepared statements, transactions.

import pg from "pg";
import { limits } from "../limits/index.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Tracer } from "../tracing/index.ts";
import { arrayLiteral } from "./array-literal.ts";
import { connectionLimits } from "./connection-limits.ts";
import { isOutage, isReadOnlyError } from "./outage.ts";
import { followIndexesCommands, followIndexesOptions } from "./plan-settings.ts";
import { openClient } from "./primary.ts";
import { Overdue, PrimaryPool } from "./primary-pool.ts";
import { onlyProcess, type ProcessPlace } from "./process-place.ts";
import { type SessionConfig, sessionOf } from "./session.ts";
import { keepTickShape } from "./tick-shape.ts";

/** A named, prepared statement and, in its type, the rows it returns. */
type Statement<Row> = StatementOptions & {
  readonly name: string;
  readonly text: string;
  readonly row?: Row;
};

type StatementOptions = {
  /** It reads the first few rows of an index, in its order: see plan-settings.ts. */
  readonly followsIndexes?: true;
};

export function statement<Row>(
  name: string,
  text: string,
  options: StatementOptions = {},
): Statement<Row> {
  return { name, text, ...options };
}

/**
 * The CTE `locked` of a statement that changes many rows. An update alone locks rows in the order of its plan, and two
 * such statements can deadlock. So every statement locks its rows first, in the order of their keys. Conditions belong
 * into the update, which sees the row as it is after the lock.
 */
export function lockedInOrder(
  table: "receiver" | "payout" | "payee_name_check",
  source: string,
): string {
  // A lateral join by key: PostgreSQL can't estimate how few rows there are, and would scan the table.
  return `locked as materialized (
     select row.subaccount_id, row.id
     from (select distinct subaccount_id, id from ${source} order by subaccount_id, id) key
     cross join lateral (
       select subaccount_id, id from ${table}
       where subaccount_id = key.subaccount_id and id = key.id for no key update
     ) row
   )`;
}

/** Runs statements: Db runs each on its own, Tx within a transaction. */
export type Runner = {
  run<Row>(statement: Statement<Row>, values?: unknown[]): Promise<Row[]>;
  /** Calls `notify` after the commit, and never after a rollback. */
  afterCommit(notify: CommitHook): void;
  readonly listeners: Listeners;
};

type CommitHook = (listeners: Listeners) => void;

/** Listeners of this process for committed changes. */
type Listeners = {
  readonly metrics: Metrics | undefined;
  /** Undefined: tracing is off. */
  readonly tracer: Tracer | undefined;
  /** Called when a subaccount has new events. */
  readonly eventListeners: Set<(subaccountId: string) => void>;
  onEventCommitted(subaccountId: string): void;
  /**
   * Stands for the server, for what this process remembers of its data. Replaced with every new connection: it may be
   * to another server, which lacks the last commits of the one before. Replaced, too, when a subaccount may have moved.
   */
  server: object;
  /** Called when data of a subaccount has changed; the live streams of the console use it. */
  readonly watchers: Set<(subaccountId: string, kind: ChangedKind) => void>;
  changed(subaccountId: string, kind: ChangedKind): void;
};

export const changedKinds = ["payouts", "receivers", "events", "requests"] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** A transaction. Functions that write with several statements take a Tx, so that they can't be called outside one. */
export type Tx = Runner & {
  readonly inTransaction: true;
  /** Adds work at the end of the transaction. Jobs run in order; if one fails, the transaction rolls back. */
  beforeCommit(work: () => Promise<void>): void;
};

/**
 * Each statement is its own transaction, and is retried after a deadlock or serialization failure. Statements,
 * transactions, shared batches and background work have separate connections, so that none waits for another kind.
 */
export type Db = Runner & {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Connections for single statements: reads, keys, readiness. */
  readonly pool: PrimaryPool;
  /** For statements that serve calls of several subaccounts. Waiting for a lock fails after a short timeout. */
  readonly shared: Db;
  readonly background: Db;
  /** A connection of its own to the primary, for locks and notifications. It is lost when the primary changes. */
  openClient(): Promise<pg.Client>;
  /** Statements, or commits, to which PostgreSQL has given no answer in time. */
  overdueCount(): number;
  /** Among the processes that share this work. */
  readonly place: ProcessPlace;
  close(): Promise<void>;
};

type TransactionOptions = {
  /** One snapshot for all statements (repeatable read). Absent: read committed. */
  snapshot?: boolean;
  /** Its statements read all rows, and take as long as they need: no timeout ends them. For commands only. */
  isUnhurried?: boolean;
};

type ConnectOptions = {
  connection: pg.ClientConfig;
  /** PostgreSQL itself, when `connection` is a pooler: for locks, notifications and shared batches. */
  direct?: pg.ClientConfig | undefined;
  poolMax: number;
  /** Statements run under this role, which has fewer rights than the login role. */
  role?: string | undefined;
  onIdleError?: (error: Error) => void;
  metrics?: Metrics | undefined;
  tracer?: Tracer | undefined;
  place?: ProcessPlace | undefined;
  /** Transactions can't write. */
  isReadOnly?: boolean;
  /** For a command whose statements read all rows of a subaccount: they are never overdue. */
  isPatient?: boolean;
};

type PoolName = "statements" | "transactions" | "shared" | "background";

/** With fewer connections than this, all kinds of work share one pool. */
const dividedFrom = 4;

/** How many connections each kind of work may use. */
function poolSizes(max: number): Record<PoolName, number> {
  const part = (share: number) => Math.max(1, Math.floor(max * share));
  // With two, a statement that waits for a lock leaves one for the others.
  const shared = Math.max(1, Math.round(max * 0.2));
  const transactions = part(0.3);
  const background = part(0.25);
  return { shared, transactions, background, statements: max - shared - transactions - background };
}

export function connect(options: ConnectOptions): Db {
  const { connection, poolMax, role, onIdleError = () => {}, metrics, tracer } = options;
  const { place = onlyProcess, isReadOnly } = options;
  // The driver and the HTTP server call nextTick for every message.
  keepTickShape();
  const direct = sessionOf(options.direct ?? connection, { role, isPooled: false, isReadOnly });
  const pooled = options.direct ? sessionOf(connection, { isPooled: true }) : direct;

  const eventListeners: Listeners["eventListeners"] = new Set();
  const watchers: Listeners["watchers"] = new Set();
  const changed = (subaccountId: string, kind: ChangedKind) => {
    for (const watch of watchers) watch(subaccountId, kind);
  };
  const onEventCommitted = (subaccountId: string) => {
    for (const listener of eventListeners) listener(subaccountId);
    changed(subaccountId, "events");
  };
  const listeners: Listeners = {
    metrics,
    tracer,
    server: {},
    eventListeners,
    onEventCommitted,
    watchers,
    changed,
  };

  function openPool(max: number, settings: ReturnType<SessionConfig>): PrimaryPool {
    const pool = new PrimaryPool({ ...settings, max });
    pool.on("error", onIdleError);
    pool.on("connect", () => {
      listeners.server = {};
    });
    return pool;
  }

  function openPools(): Record<PoolName, PrimaryPool> {
    // Through a pooler, one pool can't have another timeout than the others.
    const openShared = (max: number) =>
      openPool(max, direct(`-c lock_timeout=${limits.sharedLockWaitMs} ${followIndexesOptions}`));
    if (poolMax < dividedFrom) {
      const one = openPool(poolMax, pooled());
      const shared = pooled === direct ? one : openShared(1);
      return { statements: one, transactions: one, shared, background: one };
    }
    const sizes = poolSizes(poolMax);
    return {
      statements: openPool(sizes.statements, pooled()),
      transactions: openPool(sizes.transactions, pooled()),
      shared: openShared(sizes.shared),
      background: openPool(sizes.background, pooled()),
    };
  }

  const pools = openPools();
  const every = [...new Set(Object.values(pools))];
  metrics?.collectPool(() => ({
    total: every.reduce((sum, { totalCount }) => sum + totalCount, 0),
    idle: every.reduce((sum, { idleCount }) => sum + idleCount, 0),
    waiting: every.reduce((sum, { waitingCount }) => sum + waitingCount, 0),
  }));

  const overdueCount = () => every.reduce((sum, pool) => sum + pool.overdueCount, 0);
  const watch = setInterval(() => {
    if (options.isPatient) return;
    for (const pool of every) pool.failOverdue();
    if (overdueCount() > 0) lookForPrimary();
  }, connectionLimits.overdueCheckMs).unref();
  let isLooking = false;
  /** If another server is the primary now, connections to the one that does not answer end. */
  function lookForPrimary(): void {
    if (isLooking) return;
    isLooking = true;
    openClient(direct())
      .then((client) => client.end())
      .catch(() => {})
      .finally(() => {
        isLooking = false;
      });
  }
  const close = async () => {
    clearInterval(watch);
    await Promise.all(every.map((pool) => pool.end()));
  };

  const dbOn = (statements: PrimaryPool, transactions: PrimaryPool): Db => ({
    ...runnerOn(statements, transactions, listeners),
    pool: statements,
    get shared() {
      return shared;
    },
    get background() {
      return background;
    },
    openClient: () => openClient(direct()),
    overdueCount,
    place,
    close,
  });
  const shared = dbOn(pools.shared, pools.shared);
  const background = dbOn(pools.background, pools.background);
  return dbOn(pools.statements, pools.transactions);
}

function runnerOn(
  pool: PrimaryPool,
  transactions: PrimaryPool,
  listeners: Listeners,
): Pick<Db, "run" | "afterCommit" | "listeners" | "transaction"> {
  const notifyNow = (notify: CommitHook) => notify(listeners);
  const runner = (
    query: (config: string | pg.QueryConfig) => Promise<pg.QueryResult>,
    afterCommit: Runner["afterCommit"],
  ): Runner => ({
    async run<Row>(statement: Statement<Row>, values: unknown[] = []): Promise<Row[]> {
      const { name, text, followsIndexes } = statement;
      if (followsIndexes) await query(followIndexesCommands);
      const result = await query({ name, text, values: values.map(asParameter) });
      return result.rows as Row[];
    },
    afterCommit,
    listeners,
  });
  const alone = runner((config) => pool.watch(pool.query(config as pg.QueryConfig)), notifyNow);
  const runners: ReturnType<typeof runnerOn> = {
    async run(statement, values) {
      for (let triesLeft = limits.collisionTriesMax - 1; ; triesLeft -= 1) {
        try {
          // Its settings end with a transaction.
          return statement.followsIndexes
            ? await runners.transaction((tx) => tx.run(statement, values))
            : await alone.run(statement, values);
        } catch (error) {
          if (!isCollision(error) || triesLeft === 0) throw error;
        }
      }
    },
    afterCommit: notifyNow,
    listeners,
    async transaction(work, { snapshot, isUnhurried } = {}) {
      const client = await transactions.connect();
      const hooks: CommitHook[] = [];
      const last: (() => Promise<void>)[] = [];
      let broken: Error | undefined;
      /** The latest statement: the connection is in use until it has ended. */
      let sent: Promise<unknown> | undefined;
      const query = (config: string | pg.QueryConfig) => {
        const answer = client.query(config);
        sent = answer;
        return isUnhurried ? answer : transactions.watch(answer);
      };
      try {
        await query(snapshot ? "begin isolation level repeatable read" : "begin");
        if (isUnhurried) await query("set local statement_timeout = 0");
        const notifyLater = (notify: CommitHook) => void hooks.push(notify);
        const beforeCommit: Tx["beforeCommit"] = (work) => void last.push(work);
        const tx: Tx = {
          run: inTurn(runner(query, notifyLater).run),
          afterCommit: notifyLater,
          listeners,
          inTransaction: true,
          beforeCommit,
        };
        const result = await work(tx);
        for (const work of last) await work();
        await query("commit");
        hooks.forEach(notifyNow);
        return result;
      } catch (error) {
        // A server that only reads was the primary before; another connection finds the one that is now.
        if (error instanceof Overdue || isReadOnlyError(error)) broken = error as Error;
        if (!(broken instanceof Overdue)) {
          await query("rollback").catch((failure: Error) => {
            broken = failure;
          });
        }
        throw error;
      } finally {
        const release = () => client.release(broken);
        if (broken instanceof Overdue) void sent?.catch(() => {}).finally(release);
        else release();
      }
    },
  };
  return runners;
}

function asParameter(value: unknown): unknown {
  return Array.isArray(value) ? (arrayLiteral(value) ?? value) : value;
}

/**
 * A connection runs one statement at a time. Statements that are called meanwhile wait here, in order: the driver will not
 * queue them any more. When one fails, the transaction is over, so those that wait for it fail without being sent: sent behind
 * the rollback, they would be committed on their own.
 */
function inTurn(run: Runner["run"]): Runner["run"] {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
  return async (statement, values) => {
    const start = () => run(statement, values);
    const mine = open === 0 ? start() : last.then(start);
    open += 1;
    last = mine;
    try {
      return await mine;
    } finally {
      open -= 1;
    }
  };
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "23505" && error.constraint === constraint
  );
}

/**
 * A deadlock or a serialization failure: PostgreSQL rolled this statement back in favour of another. We take all locks in
 * one order, so it should not happen; if it does, the statement is retried.
 */
export function isCollision(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === "40P01" || error.code === "40001");
}

/** A statement called `undo_statement()`, which raises our own SQLSTATE. */
export function isUndoneByUs(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "UN001";
}

/** A shared batch did not get a lock in time. The statement was rolled back. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "55P03";
}

/** PostgreSQL refused the statement and rolled it back. */
export function isStatementError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && !isOutage(error);
}
