// Finds a receiver by its id. Calls that arrive together share one statement.

import { isUuid } from "../../platform/base/index.ts";
import { type Batching, batch, spanOf } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { TraceContext } from "../../platform/tracing/index.ts";
import { type KnownReceiver, KnownReceivers } from "./known-receivers.ts";
import { findVersions, listSame, type ReceiverKey } from "./queries.ts";
import type { Receiver } from "./schema.ts";

/** Returns the response to the caller. `trace`: the span of the request. */
export type FindReceiver = (
  key: ReceiverKey,
  trace?: TraceContext | undefined,
) => Promise<string | undefined>;

function responseWith(payload: Receiver): string {
  return JSON.stringify({ message: "get receiver successful", payload });
}

export function receiverFinder(
  { db, seal }: { db: Db; seal: Seal },
  batching?: Batching,
): FindReceiver {
  const observe = db.listeners.metrics?.batchSize("receivers-find");
  const span = spanOf<string | undefined>(db, "receivers-find");
  const receivers = new KnownReceivers();

  async function read(keys: ReceiverKey[]): Promise<(string | undefined)[]> {
    const { server } = db.listeners;
    receivers.belongTo(server);
    const known = new Map<ReceiverKey, KnownReceiver>();
    for (const key of keys) {
      const receiver = receivers.find(key);
      if (receiver) known.set(key, receiver);
    }
    const same = known.size > 0 ? await listSame(db, known) : new Set();
    const others = keys.filter((key) => !same.has(key));
    const found = others.length > 0 ? await findVersions({ db, seal }, others) : [];
    // A statement may have opened a connection to another server.
    if (db.listeners.server !== server) return read(keys);
    for (const [index, key] of others.entries()) {
      const read = found[index];
      if (!read) known.delete(key);
      else known.set(key, receivers.keep(key, read.version, responseWith(read.receiver)));
    }
    return keys.map((key) => known.get(key)?.response);
  }

  const find = batch(read, batching, { observe, span });
  const none = Promise.resolve(undefined);
  return (key, trace) => (isUuid(key.id) ? find(key, trace) : none);
}
