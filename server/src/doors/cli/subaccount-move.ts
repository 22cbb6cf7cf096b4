// disburse subaccount move | purge: takes a subaccount to another cell, and deletes what it left behind.

import { resolve } from "node:path";
import type pg from "pg";
import { isUuid } from "../../platform/base/index.ts";
import { connect, type Db } from "../../platform/db/index.ts";
import { type Opened, openDatabase } from "../database/index.ts";
import {
  abandonMove,
  cellNameOf,
  checkFleet,
  type MoveParts,
  MoveRefused,
  MoveStopped,
  mapLines,
  moveSubaccount,
  purgeMoved,
  writeEdgeMap,
} from "../moves/index.ts";
import { RotationError, withKeysInTarget } from "../rotation/index.ts";
import { CliError, configuration, exitCodes } from "../setup/index.ts";
import { commandActor } from "./command-actor.ts";
import { userEnv } from "./environment.ts";
import { interruptible } from "./interruption.ts";
import { print } from "./output.ts";
import { stderr, stdout } from "./terminal.ts";

export type MoveOptions = {
  to: string;
  map?: string;
  auditFile?: string;
  abandon?: boolean;
  by?: string;
  json?: boolean;
};

/** One is held by the lock of the command. */
const connectionsMax = 3;

export async function runMove(id: string, options: MoveOptions): Promise<void> {
  const targetUrl = userEnv("DISBURSE_MOVE_TARGET_URL");
  if (!targetUrl) {
    throw new CliError(
      "Set DISBURSE_MOVE_TARGET_URL to the database of the cell that the subaccount goes to.",
      exitCodes.usage,
    );
  }
  await asOwner("subaccount move", id, async (opened, source) => {
    const connection = { connectionString: targetUrl };
    const target = connect({ connection, poolMax: connectionsMax, isPatient: true });
    try {
      await interruptible((signal) => move({ id, options, opened, source, target, signal }));
    } finally {
      await target.close();
    }
  });
}

type Moving = {
  id: string;
  options: MoveOptions;
  opened: Opened;
  source: Db;
  target: Db;
  signal: AbortSignal;
};

async function move({ id, options, opened, source, target, signal }: Moving): Promise<void> {
  const { to, map, auditFile, abandon, by, json } = options;
  if (abandon) {
    await abandonMove({ source, target, subaccountId: id });
    print({ subaccount_id: id, abandoned: true }, { json });
    return;
  }
  const fileOf: MoveParts["auditFile"] = (moveId) =>
    resolve(auditFile ?? `audit-${id}-${moveId}.jsonl`);
  const parts: MoveParts = {
    source,
    target,
    seal: opened.seal,
    subaccountId: id,
    sourceConnection: userEnv("DISBURSE_MOVE_SOURCE_URL") ?? connectionText(opened.connection),
    cells: { source: cellNameOf(opened.installation.cell), target: to },
    actor: { ...(await commandActor(opened.db, by)), subaccountId: id },
    auditFile: fileOf,
    signal,
    onStep: (step, what) => stderr.write(`${step}: ${what}\n`),
  };
  const onSwitched = async (keys: readonly string[]) => {
    const lines = mapLines(keys, to).map((line) => `${line}\n`);
    if (map !== undefined) writeEdgeMap(map, keys, to);
    else if (!json) stdout.write(lines.join(""));
  };
  await checkFleet(parts);
  const { ring, services } = opened.keys;
  const onWait = (processes: number) =>
    stderr.write(`keys: ${processes} processes of the target have still to load them\n`);
  const moved = await withKeysInTarget(
    { source, target, ring, services, signal, onWait },
    (whileLocked) => moveSubaccount({ ...parts, signal: whileLocked }, { onSwitched }),
  );
  print(
    {
      subaccount_id: id,
      move_id: moved.moveId,
      cell: to,
      rows: moved.rows,
      pause_ms: moved.pauseMs ?? null,
      users: moved.takenOver?.members ?? null,
      users_left: moved.takenOver?.membersLeft ?? null,
      audit_file: fileOf(moved.moveId),
      audit_entries: moved.audit_entries,
      audit_sha256: moved.audit_sha256,
      ...(json && { keys: moved.keys }),
    },
    { json },
  );
}

export async function runPurge(id: string, { by, json }: { by?: string; json?: boolean }) {
  await asOwner("subaccount purge", id, async ({ seal }, db) => {
    const rows = await purgeMoved({
      db,
      seal,
      subaccountId: id,
      actor: { ...(await commandActor(db, by)), subaccountId: id },
      onTable: (table, count) => stderr.write(`${table}: ${count} rows\n`),
    });
    print({ subaccount_id: id, deleted_rows: rows }, { json });
  });
}

/** The service's own role may not create triggers, publications or subscriptions. */
async function asOwner(
  purpose: string,
  id: string,
  work: (opened: Opened, owner: Db) => Promise<void>,
): Promise<void> {
  if (!isUuid(id)) throw new CliError(`There is no subaccount ${id}.`, exitCodes.notFound);
  const opened = await openDatabase(configuration(), { purpose });
  const { connection } = opened;
  const owner = connect({ connection, poolMax: connectionsMax, isPatient: true });
  try {
    await work(opened, owner);
  } catch (error) {
    if (error instanceof MoveStopped) throw new CliError(error.message, exitCodes.interrupted);
    if (error instanceof MoveRefused || error instanceof RotationError)
      throw new CliError(error.message, exitCodes.refused);
    throw error;
  } finally {
    await owner.close();
    await opened.close();
  }
}

/** As PostgreSQL writes it. */
function connectionText({ connectionString, ...parts }: pg.ClientConfig): string {
  if (connectionString) return connectionString;
  const { host, port, user, password, database: dbname } = parts;
  return Object.entries({ host, port, user, password, dbname })
    .map(([name, value]) => `${name}='${String(value).replace(/[\\']/g, "\\$&")}'`)
    .join(" ");
}
