// The data folder of the embedded PostgreSQL: socket, secrets and pid file.

import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";

export const databaseName = "disburse";
const socketPathBytesMax = 100;

export function connectionTo(dataDir: string, folder: string): pg.ClientConfig {
  return {
    host: socketFolder(dataDir, folder),
    port: 5432,
    user: "disburse",
    password: password(dataDir),
    database: databaseName,
  };
}

/** Whether the folder has an embedded database. */
export function hasDatabase(dataDir: string): boolean {
  return existsSync(join(dataDir, "postgres", "PG_VERSION"));
}

/** Written before a restore touches the folder, and removed when its database is whole. */
export function unfinishedRestorePath(dataDir: string): string {
  return join(dataDir, "restore.unfinished");
}

export function hasUnfinishedRestore(dataDir: string): boolean {
  return existsSync(unfinishedRestorePath(dataDir));
}

export function hasMasterKey(dataDir: string): boolean {
  return existsSync(masterKeyPath(dataDir));
}

/** A socket path may have about 107 bytes. For a longer path the socket goes to the temporary folder. */
export function socketFolder(dataDir: string, folder: string): string {
  if (Buffer.byteLength(join(folder, ".s.PGSQL.5432")) <= socketPathBytesMax) return folder;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return join(tmpdir(), `disburse-${name}`);
}

export function password(dataDir: string): string {
  return readOrMake(join(dataDir, "postgres.password"), () => randomBytes(24).toString("hex"));
}

/** The master key next to the embedded database, created on the first start. */
export function embeddedMasterKey(dataDir: string): Buffer {
  mkdirSync(dataDir, { recursive: true });
  return Buffer.from(
    readOrMake(masterKeyPath(dataDir), () => randomBytes(32).toString("base64")),
    "base64",
  );
}

const masterKeyPath = (dataDir: string) => join(dataDir, "master.key");

function readOrMake(path: string, make: () => string): string {
  try {
    writeFileSync(path, make(), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(path, "utf8").trim();
}

export function postmasterPid(folder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, "postmaster.pid"), "utf8"), 10);
    return pid > 0 && isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** PostgreSQL takes any process with this pid for a running server; after a reboot or a kill it may be another program. */
export function removeStalePidFile(folder: string): void {
  const pid = postmasterPid(folder);
  const process = pid === undefined ? undefined : describeProcess(pid);
  // Z: a zombie.
  if (process && (process.state === "Z" || !process.command.includes("postgres"))) {
    rmSync(join(folder, "postmaster.pid"), { force: true });
  }
}

/** Undefined when it is unknown. Then PostgreSQL decides about the pid file itself. */
function describeProcess(pid: number): { state: string; command: string } | undefined {
  try {
    // Linux: `4711 (postgres) S …`, also on machines too bare for ps.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, command = "", state = ""] = /\((.*)\) (.)/s.exec(stat) ?? [];
    return { state, command };
  } catch {
    // No /proc, as on macOS, or no such process any more.
  }
  try {
    const line = execFileSync("ps", ["-o", "stat=,comm=", "-p", String(pid)], { encoding: "utf8" });
    return { state: line.charAt(0), command: line };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
