// A pool of connections to the primary. A statement that PostgreSQL leaves without an answer fails after a time, and its
// connection stays in use: commits that wait for a standby must not pile up in PostgreSQL.

import pg from "pg";
import { connectionLimits } from "./connection-limits.ts";
import { Outage } from "./outage.ts";
import { type Primary, PrimaryClient } from "./primary.ts";

type OnConnect = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: boolean | Error) => void,
) => void;

type Unanswered = { sinceMs: number; isOverdue: boolean; reject: (error: Error) => void };

/** PostgreSQL has not answered. The statement, or the commit, may still be done. */
export class Overdue extends Outage {
  constructor() {
    super("noAnswer");
  }
}

export class PrimaryPool extends pg.Pool {
  readonly #primary: Primary;
  readonly #max: number;
  /** Oldest first. */
  readonly #unanswered = new Set<Unanswered>();
  #overdueCount = 0;

  constructor({ primary, max, ...settings }: pg.PoolConfig & { primary: Primary; max: number }) {
    const Client = PrimaryClient as unknown as NonNullable<pg.PoolConfig["Client"]>;
    const config = { ...settings, max, primary, Client };
    super(config);
    this.#primary = primary;
    this.#max = max;
  }

  get overdueCount(): number {
    return this.#overdueCount;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnect): void;
  override connect(callback?: OnConnect): Promise<pg.PoolClient> | undefined {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (error ? reject(error) : resolve(client as pg.PoolClient)));
      });
    }
    // Waiting for a connection would end in the same failure, later.
    if (this.#overdueCount >= this.#max) {
      process.nextTick(callback, new Overdue(), undefined, () => {});
      return;
    }
    super.connect((error, client, done) => {
      if (!error) return callback(undefined, client, done);
      this.#primary
        .connectAgain(error, () => super.connect())
        .then(
          (found) => callback(undefined, found, found.release),
          (failure) => callback(failure, undefined, () => {}),
        );
    });
  }

  /** The answer, or a failure when PostgreSQL gives none in time. */
  watch<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const one: Unanswered = { sinceMs: performance.now(), isOverdue: false, reject };
      this.#unanswered.add(one);
      const end = () => {
        this.#unanswered.delete(one);
        if (one.isOverdue) this.#overdueCount -= 1;
      };
      answer.then(
        (value) => {
          end();
          resolve(value);
        },
        (error) => {
          end();
          reject(error);
        },
      );
    });
  }

  /** Fails the statements that had no answer in time. Called every second. */
  failOverdue(): void {
    const latestMs = performance.now() - connectionLimits.answerTimeoutMs;
    for (const one of this.#unanswered) {
      if (one.sinceMs > latestMs) return;
      if (one.isOverdue) continue;
      one.isOverdue = true;
      this.#overdueCount += 1;
      one.reject(new Overdue());
    }
  }
}
