// A cache of keys for the signature check. It is valid only for a moment after the database has confirmed that no key
// changed, so a revoked key stops working within a second in every process, even if timers are late or the database is
// down.

import { type AddressRange, toRange } from "../../platform/addresses/index.ts";
import type { Clock, Mode, Scope } from "../../platform/base/index.ts";
import { batch, spanOf } from "../../platform/batching/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { limits } from "../../platform/limits/index.ts";
import { type HmacKey, hmacKey } from "../../platform/signatures/index.ts";
import type { TraceContext } from "../../platform/tracing/index.ts";
import { secretIdentity } from "./api-key.ts";
import {
  findKeysVersion,
  type KeyRow,
  listLiveKeys,
  type SecretRow,
  updateSecretsUsed,
} from "./queries.ts";
import { unknownKeys } from "./unknown-keys.ts";

export type LiveSecret = { id: string; hmacKey: HmacKey; expiresAtMs: number; isUsed: boolean };

export type LiveKey = {
  key: string;
  subaccountId: string;
  mode: Mode;
  closed: boolean;
  /** Until then requests are refused: the subaccount moves to another cell. 0: it does not. */
  movesUntilMs: number;
  hasMoved: boolean;
  scopes: ReadonlySet<Scope>;
  /** Empty: any address is allowed. */
  addresses: readonly AddressRange[];
  version2Only: boolean;
  expiresAtMs: number;
  secrets: readonly LiveSecret[];
};

export type KeyCache = {
  /** Synchronous while the cache is valid, otherwise a promise. `trace`: the span of the request. */
  find(
    key: string,
    trace?: TraceContext | undefined,
  ): LiveKey | undefined | Promise<LiveKey | undefined>;
  /** Reads the current state. Called before a refusal, because the secret may be newer than the cache. */
  findAsOfNow(key: string): Promise<LiveKey | undefined>;
  noteUse(key: LiveKey, secret: LiveSecret): void;
  close(): Promise<void>;
};

type KeyCacheParts = {
  db: Db;
  seal: Seal;
  clock: Clock;
  log?: { error(context: object, message: string): void };
};

export function keyCache({ db, seal, clock, log }: KeyCacheParts): KeyCache {
  const known = new Map<string, LiveKey>();
  // Unknown keys are cached too, so that they cost the database no more than real ones. They are kept separately, so
  // that a flood of them can't evict real keys.
  const unknown = unknownKeys();
  const used = new Map<string, { key: string; secretId: string; atMs: number }>();
  let version: string | undefined;
  let confirmedAtMs = Number.NEGATIVE_INFINITY;
  let checking: Promise<void> | undefined;

  const loadAll = async (keys: string[]) => {
    const rows = await listLiveKeys(db, keys);
    const found = new Map(rows.map((row) => [row.key, toLiveKey(row)]));
    return keys.map((key) => found.get(key));
  };
  /** A secret that can't be decrypted is skipped; other secrets and keys still work. */
  function toLiveSecret(key: string, { id, sealed, expires_at_ms, used }: SecretRow): LiveSecret[] {
    const secret = seal.decryptIfReadable(Buffer.from(sealed, "base64"), secretIdentity(key, id));
    if (secret === undefined) {
      log?.error({ secret: id }, "keys: a secret can't be decrypted");
      return [];
    }
    const expiresAtMs = expires_at_ms ?? Number.POSITIVE_INFINITY;
    return [{ id, hmacKey: hmacKey(secret), expiresAtMs, isUsed: used }];
  }

  function toLiveKey(row: KeyRow): LiveKey {
    return {
      key: row.key,
      subaccountId: row.subaccount_id,
      mode: row.mode,
      closed: row.closed,
      movesUntilMs: row.writes_stop_until_ms ?? 0,
      hasMoved: row.has_moved === true,
      scopes: new Set(row.scopes),
      addresses: row.addresses.map(toRange),
      version2Only: row.version2_only,
      expiresAtMs: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      secrets: (row.secrets ?? []).flatMap((secret) => toLiveSecret(row.key, secret)),
    };
  }

  const load = batch(loadAll, undefined, {
    observe: db.listeners.metrics?.batchSize("keys-load"),
    span: spanOf<LiveKey | undefined>(db, "keys-load"),
  });

  // Never joins a check that began earlier, because that one may have missed the change.
  const checkNow = batch(async (keys: string[]) => {
    await check();
    return keys.map(() => undefined);
  });

  async function check(): Promise<void> {
    const askedAtMs = performance.now();
    const current = await findKeysVersion(db);
    // A check that began later has already finished, and knows more.
    if (askedAtMs < confirmedAtMs) return;
    if (current !== version) {
      known.clear();
      unknown.clear();
      // A subaccount may have moved to another cell and back, so what was remembered of its data is no longer valid.
      db.listeners.server = {};
    }
    version = current;
    confirmedAtMs = askedAtMs;
  }

  function checkOnce(): Promise<void> {
    checking ??= check().finally(() => {
      checking = undefined;
    });
    return checking;
  }

  const isBelieved = () => performance.now() - confirmedAtMs < limits.keyCacheBelievedMs;

  async function findUncached(key: string, trace?: TraceContext): Promise<LiveKey | undefined> {
    if (!isBelieved()) await checkOnce();
    if (isKnown(key)) return known.get(key);
    const versionAsked = version;
    const loaded = await load(key, trace);
    // If a key changed in the meantime, the result is used once but not cached.
    if (version === versionAsked) remember(key, loaded);
    return loaded;
  }

  const isKnown = (key: string) => known.has(key) || unknown.has(key);

  function remember(key: string, loaded: LiveKey | undefined): void {
    if (!loaded) {
      unknown.add(key);
      return;
    }
    if (known.size >= limits.keyCacheMax) known.delete(known.keys().next().value as string);
    known.set(key, loaded);
  }

  async function flushUses(): Promise<void> {
    const uses = [...used.values()];
    used.clear();
    if (uses.length > 0) await updateSecretsUsed(db, uses);
  }

  const checkTimer = setInterval(() => void checkOnce().catch(() => {}), limits.keyCacheCheckMs);
  const useTimer = setInterval(() => void flushUses().catch(() => {}), limits.housekeepingMs);
  checkTimer.unref();
  useTimer.unref();

  return {
    find(key, trace) {
      if (key.length > limits.keyCharsMax) return undefined;
      return isBelieved() && isKnown(key) ? known.get(key) : findUncached(key, trace);
    },
    async findAsOfNow(key) {
      await checkNow(key);
      return findUncached(key);
    },
    noteUse({ key }, secret) {
      const { id, isUsed } = secret;
      if (!isUsed) {
        // A user may be waiting to see that the key works. Later uses are recorded with the periodic cleanup.
        secret.isUsed = true;
        setTimeout(() => void flushUses().catch(() => {}), limits.firstUseRecordedMs).unref();
      }
      const use = used.get(id);
      if (use) use.atMs = clock();
      else used.set(id, { key, secretId: id, atMs: clock() });
    },
    async close() {
      clearInterval(checkTimer);
      clearInterval(useTimer);
      await checking?.catch(() => {});
      // The time of the last use is not worth failing a shutdown.
      await flushUses().catch(() => {});
    },
  };
}
