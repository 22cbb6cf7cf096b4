// Keeps the ring of a process up to date. The process holds a lock of the generation that it has loaded, on a session of
// its own, so that a rotation can wait until every process can read a new key before the first one writes with it.

import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Db } from "../db/index.ts";
import { dataKeyId, type KeyRing } from "../encryption/index.ts";
import { type KeyService, KeyServiceError } from "./key-service.ts";
import {
  type DataKeyRow,
  dataKeyChannel,
  findKeys,
  type LoadedKeys,
  lockGeneration,
  runOn,
  unlockGeneration,
} from "./queries.ts";

/** Notifications are reliable while the session lives; the poll retries what failed. */
const pollMs = 5_000;
/** Shorter than the time for which a rotation waits for processes whose session was lost. */
const reconnectMs = 250;

export type KeyFollower = {
  /** As of the last load. */
  readonly rows: readonly DataKeyRow[];
  close(): Promise<void>;
};

type FollowerParts = {
  db: Pick<Db, "openClient">;
  ring: KeyRing;
  service: Pick<KeyService, "unwrap">;
  log?: { warn(context: object, message: string): void } | undefined;
};

/** Unwraps the keys that are not in the ring yet, all of them or none, and then writes with the current one. */
export async function loadDataKeys(
  ring: KeyRing,
  { rows }: Pick<LoadedKeys, "rows">,
  { unwrap }: FollowerParts["service"],
): Promise<void> {
  const fresh = rows.filter(({ id }) => !ring.has(id));
  const keys = await Promise.all(fresh.map(({ wrapped }) => unwrap(wrapped)));
  for (const [index, key] of keys.entries()) {
    if (dataKeyId(key) !== fresh[index]?.id) {
      throw new KeyServiceError(`The key service returned another key than ${fresh[index]?.id}.`);
    }
  }
  for (const key of keys) ring.add(key);
  const current = rows.find(({ state }) => state === "current");
  if (current) ring.writeWith(current.id);
}

/** Resolves when the keys are loaded. Until `close`, it loads new ones when they are announced. */
export async function followDataKeys(parts: FollowerParts): Promise<KeyFollower> {
  const { db, ring, service, log } = parts;
  let rows: readonly DataKeyRow[] = [];
  let held: number | undefined;
  let client: pg.Client | undefined;
  let isClosed = false;
  let isWoken = false;
  let endPause = () => {};
  const wake = () => {
    isWoken = true;
    endPause();
  };
  const asked = new Set<string>();

  async function connect(): Promise<pg.Client> {
    const opened = await db.openClient();
    opened.on("notification", wake);
    opened.on("end", () => {
      if (client === opened) client = held = undefined;
      wake();
    });
    try {
      await opened.query(`listen ${dataKeyChannel}`);
      held = undefined;
      await load(opened);
    } catch (error) {
      await opened.end().catch(() => {});
      throw error;
    }
    return opened;
  }

  /**
   * The lock comes before the rows: a rotation that announces a key after these rows were read finds the lock, and one
   * that looked for locks earlier has its key among the rows.
   */
  async function load(session: pg.Client): Promise<void> {
    const running = runOn(session);
    const wanted = [...asked];
    for (;;) {
      const before = await findKeys(running);
      const next = before.generation;
      if (next === held) {
        rows = before.rows;
        break;
      }
      await lockGeneration(running, next);
      try {
        const found = await findKeys(running);
        if (found.generation !== next) continue;
        await loadDataKeys(ring, found, service);
        rows = found.rows;
        if (held !== undefined) await unlockGeneration(running, held);
        held = next;
        break;
      } finally {
        if (next !== held) await unlockGeneration(running, next).catch(() => {});
      }
    }
    for (const id of wanted) {
      if (!ring.has(id)) ring.noteAbsent(id);
      asked.delete(id);
    }
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function follow(): Promise<void> {
    while (!isClosed) {
      if (!client) await sleep(reconnectMs);
      else if (!isWoken) await pause(pollMs);
      if (isClosed) return;
      isWoken = false;
      try {
        if (client) await load(client);
        else client = await connect();
      } catch (error) {
        log?.warn({ err: error }, "data keys: will load them again");
      }
    }
  }

  ring.onUnknown = (id) => {
    asked.add(id);
    wake();
  };
  client = await connect();
  const ended = follow();
  return {
    get rows() {
      return rows;
    },
    async close() {
      isClosed = true;
      wake();
      await ended;
      await client?.end().catch(() => {});
    },
  };
}
