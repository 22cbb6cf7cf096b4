// Opens the database that the configuration names, with its master key.

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Config } from "../../platform/config/index.ts";
import { followDataKeys, type KeyFollower } from "../../platform/data-keys/index.ts";
import {
  connect,
  type Db,
  findServiceRole,
  grantRuntimeRole,
  hasMigrations,
  migrate,
  migratorName,
  type ProcessPlace,
  requireSameSchema,
  requireSession,
} from "../../platform/db/index.ts";
import {
  connectionTo,
  type Embedded,
  hasDatabase,
  hasMasterKey,
  hasUnfinishedRestore,
  openEmbedded,
  unfinishedRestorePath,
} from "../../platform/embedded/index.ts";
import { type Seal, sealOf } from "../../platform/encryption/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { Tracer } from "../../platform/tracing/index.ts";
import { ensureInstallation, type FoundInstallation } from "../../tenants/installation/index.ts";
import { CliError, exitCodes } from "../setup/index.ts";
import { masterKeysOf, type OpenKeys, openKeys } from "./open-keys.ts";

export type Opened = {
  db: Db;
  seal: Seal;
  keys: OpenKeys & { follower: KeyFollower };
  installation: FoundInstallation;
  /** The embedded database, if this process runs or shares it. */
  embedded: Embedded | undefined;
  /** To PostgreSQL itself, as the login role. */
  connection: pg.ClientConfig;
  /** The migrations that opening it has applied. */
  applied: string[];
  close(): Promise<void>;
};

export type OpenOptions = {
  /** May write while the installation is in quarantine. Other commands only read then. */
  worksInQuarantine?: boolean;
  /** The name of its connections, if it is not the usual one. */
  connectionName?: string;
  /** A short name of the command: a second start shows it. */
  purpose: string;
  /** The service needs the embedded database for itself; a command may share it. */
  alone?: boolean;
  /**
   * Creates the database and its master key if there is none, and applies migrations: `serve` and `migrate`. Every other
   * command refuses a database that is missing or at another migration.
   */
  mayCreate?: boolean;
  /** A login role that receives the grants and settings of the service. */
  runtimeRole?: string | undefined;
  progress?: (text: string) => void;
  onLost?: (error: Error) => void;
  metrics?: Metrics;
  tracer?: Tracer | undefined;
  log?: Log;
  /** One of several processes: the supervisor runs the embedded database. */
  place?: ProcessPlace;
};

const commandWaitMs = 15_000;

export async function openDatabase(config: Config, options: OpenOptions): Promise<Opened> {
  const { metrics, tracer, place } = options;
  requireRestored(config);
  requireFolder(config, options.mayCreate ?? false);
  const { embedded, connection, direct } = await reach(config, options);
  const owner = connect({
    connection: { ...(direct ?? connection), application_name: migratorName },
    poolMax: 1,
  });
  let db: Db | undefined;
  let follower: KeyFollower | undefined;
  try {
    const applied = options.mayCreate ? await bringUpToDate(owner, options) : [];
    if (!options.mayCreate) {
      if (!(await hasMigrations(owner.pool))) throw noDatabase(config);
      await requireSameSchema(owner);
    }
    if (options.runtimeRole) await grantRuntimeRole(owner, options.runtimeRole);
    const keys = await openKeys(config, owner);
    const seal = sealOf(keys.ring);
    const installation = await ensureInstallation(owner, seal, config.installation);
    const role = await findServiceRole(owner);
    const { poolMax } = config;
    const isReadOnly = installation.quarantine !== undefined && !options.worksInQuarantine;
    const application_name = options.connectionName;
    const named = { ...connection, ...(application_name && { application_name }) };
    db = connect({ connection: named, direct, poolMax, role, metrics, tracer, place, isReadOnly });
    await requireSession(db, role);
    const { ring, services: service } = keys;
    const following = await followDataKeys({ db, ring, service, log: options.log });
    follower = following;
    metrics?.collectDataKeys(() => following.rows);
    await owner.close();
    const { close: closeDb } = db;
    const close = async () => {
      await following.close();
      await closeDb();
      await embedded?.stop();
    };
    const openedKeys = { ...keys, follower: following };
    return {
      ...{ db, seal, keys: openedKeys, installation, embedded, applied, close },
      connection: direct ?? connection,
    };
  } catch (error) {
    await follower?.close();
    await Promise.all([owner.close(), db?.close()]);
    await embedded?.stop();
    throw error;
  }
}

async function bringUpToDate(owner: Db, { progress }: OpenOptions): Promise<string[]> {
  progress?.("bringing the database up to date");
  return migrate(owner);
}

/** A new database in the folder of a failed restore would be taken for the restored one. */
function requireRestored({ database }: Config): void {
  if ("url" in database) return;
  const dataDir = database.embeddedIn;
  if (!hasUnfinishedRestore(dataDir)) return;
  throw new CliError(
    `The restore into ${dataDir} has not ended, or has failed, so there is no whole database in this folder.\n` +
      "Run disburse restore again, into this folder or an empty one. To create a new database here instead, delete\n" +
      `${unfinishedRestorePath(dataDir)} first.`,
    exitCodes.refused,
  );
}

/**
 * Before anything is opened: opening the embedded database would write into the folder. A new database gets its master key
 * first, so that a database without one has lost it, also where the first start was interrupted.
 */
function requireFolder(config: Config, mayCreate: boolean): void {
  if ("url" in config.database) return;
  const dataDir = config.database.embeddedIn;
  if (!hasDatabase(dataDir)) {
    if (!mayCreate) throw noDatabase(config);
    masterKeysOf(config);
    return;
  }
  const { masterKey, vault } = config.keys;
  if (masterKey || vault || hasMasterKey(dataDir)) return;
  throw new CliError(
    `The database in ${dataDir} has lost its master key: there is no file master.key.\n` +
      "Restore it from a backup, or set DISBURSE_MASTER_KEY.",
    exitCodes.notFound,
  );
}

function noDatabase({ database }: Config): CliError {
  const text =
    "url" in database
      ? "The database of DATABASE_URL holds no Disburse data.\n" +
        "Set DATABASE_URL to the database of your service."
      : `There is no database in ${database.embeddedIn} (DATA_DIR).\n` +
        "Set DATA_DIR to the folder of your service, or DATABASE_URL to its database.";
  const create = "To create a new one, run: disburse serve, or disburse migrate.";
  return new CliError(`${text}\n${create}`, exitCodes.notFound);
}

type Reached = {
  connection: pg.ClientConfig;
  direct: pg.ClientConfig | undefined;
  embedded: Embedded | undefined;
};

async function reach(config: Config, options: OpenOptions): Promise<Reached> {
  const { purpose, alone, progress, onLost, place } = options;
  if ("url" in config.database) {
    const { url, directUrl } = config.database;
    const direct = directUrl ? { connectionString: directUrl } : undefined;
    return { connection: { connectionString: url }, direct, embedded: undefined };
  }
  const dataDir = config.database.embeddedIn;
  if (place) {
    const connection = connectionTo(dataDir, join(dataDir, "postgres"));
    return { connection, direct: undefined, embedded: undefined };
  }
  const end = Date.now() + commandWaitMs;
  for (;;) {
    const embedded: Embedded = await openEmbedded({
      dataDir,
      purpose: `disburse ${purpose}, process ${process.pid}`,
      ...(progress && { progress }),
      ...(onLost && { onLost }),
    });
    if (!alone || !embedded.guest) {
      return { connection: embedded.connection, direct: undefined, embedded };
    }
    if (embedded.owner.startsWith("disburse serve") || Date.now() > end) {
      throw new CliError(
        `Disburse is running already on the data in ${dataDir} (${embedded.owner}).\n` +
          "Stop it first, or set DATA_DIR and PORT for a second one.",
      );
    }
    await sleep(100);
  }
}
