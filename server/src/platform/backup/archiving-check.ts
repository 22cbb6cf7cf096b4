// What a PostgreSQL of the operator's own lacks to be restored up to now: settings, the state of its archiver, slots.

import type { Db } from "../db/index.ts";

export type ArchivingFacts = {
  settings: Record<(typeof settingNames)[number], string>;
  archiver: { lastArchivedMs: number | null; lastFailedMs: number | null };
  /** Standbys, and clients such as pg_receivewal, that receive the WAL now. */
  receivers: number;
  slots: { name: string; isActive: boolean; isLost: boolean }[];
};

/** `missing`: backups can't work. `weak`: something can be lost. */
export type ArchivingFinding = { level: "missing" | "weak"; what: string };

const settingNames = [
  "wal_level",
  "archive_mode",
  "archive_timeout",
  "fsync",
  "full_page_writes",
  "synchronous_commit",
  "synchronous_standby_names",
  "data_checksums",
] as const;

export async function readArchiving({ pool }: Db): Promise<ArchivingFacts> {
  const { rows: settings } = await pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name = any($1)",
    [settingNames],
  );
  const { rows: archiver } = await pool.query(
    `select extract(epoch from last_archived_time) * 1000 as archived,
       extract(epoch from last_failed_time) * 1000 as failed,
       (select count(*)::int from pg_stat_replication) as receivers
     from pg_stat_archiver`,
  );
  const { rows: slots } = await pool.query<ArchivingFacts["slots"][number]>(
    `select slot_name as name, active as "isActive", coalesce(wal_status = 'lost', false) as "isLost"
     from pg_replication_slots where slot_type = 'physical'`,
  );
  const [{ archived, failed, receivers }] = archiver;
  return {
    settings: Object.fromEntries(settings.map(({ name, setting }) => [name, setting])) as never,
    archiver: { lastArchivedMs: toMs(archived), lastFailedMs: toMs(failed) },
    receivers,
    slots,
  };
}

const toMs = (value: string | null) => (value === null ? null : Math.round(Number(value)));

/** Empty: nothing is missing. */
export function findArchivingTroubles(facts: ArchivingFacts, nowMs: number): ArchivingFinding[] {
  const { settings, slots, receivers } = facts;
  const { lastArchivedMs, lastFailedMs } = facts.archiver;
  const found: ArchivingFinding[] = [];
  const missing = (what: string) => found.push({ level: "missing", what });
  const weak = (what: string) => found.push({ level: "weak", what });

  if (settings.wal_level === "minimal") missing("wal_level is minimal: set it to replica");
  const isArchiving = settings.archive_mode !== "off";
  if (!isArchiving && receivers === 0) {
    missing(
      "archive_mode is off and nothing receives the WAL: after the loss of the disk, only the last base backup is left",
    );
  }
  if (isArchiving && lastArchivedMs === null) {
    missing("no WAL file was archived yet: check archive_command, then run select pg_switch_wal()");
  }
  if (lastFailedMs !== null && lastFailedMs > (lastArchivedMs ?? 0)) {
    missing(`the last try to archive failed, at ${new Date(lastFailedMs).toISOString()}`);
  }
  if (isArchiving && settings.archive_timeout === "0" && receivers === 0) {
    weak("archive_timeout is 0: a quiet hour is archived only when its WAL file is full. Set 60");
  }
  if (isArchiving && lastArchivedMs !== null && nowMs - lastArchivedMs > hourMs) {
    weak(`the last WAL file was archived at ${new Date(lastArchivedMs).toISOString()}`);
  }
  for (const name of ["fsync", "full_page_writes"] as const) {
    if (settings[name] === "off") missing(`${name} is off: a crash can destroy the database`);
  }
  if (["off", "local"].includes(settings.synchronous_commit)) {
    weak(`synchronous_commit is ${settings.synchronous_commit}: set it to on`);
  }
  if (settings.synchronous_standby_names === "") {
    weak("no synchronous standby: the last acknowledged payouts are lost with the server");
  }
  if (settings.data_checksums === "off") {
    weak("data_checksums is off: a damaged block is copied into backups unnoticed");
  }
  for (const { name, isActive, isLost } of slots) {
    if (isLost) missing(`the replication slot ${name} has lost WAL: what used it must start again`);
    else if (!isActive) weak(`nothing reads the replication slot ${name}: WAL piles up for it`);
  }
  return found;
}

const hourMs = 3_600_000;
