// Copies the WAL of the embedded database to the archive, each second up to the last byte that PostgreSQL has written.
//
// It reads PostgreSQL's own files: on one machine that is all that a replication client would do. A replication slot keeps
// each file in place until it is archived, so nothing is lost while the archive is away or the service is stopped.

import { constants } from "node:fs";
import { type FileHandle, open, readdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { startPoller } from "../db/index.ts";
import { administrator } from "../embedded/index.ts";
import { copyFile, hashFile, makeFolder, syncFolder, writeDurably } from "./durable-files.ts";
import { BackupError } from "./manifest.ts";
import {
  hashEnding,
  listSegments,
  partialEnding,
  pointFile,
  readSource,
  sourceFile,
  walFolderOf,
} from "./wal-folder.ts";
import { isHistoryFile, lsnText, readLsn, readWalFileName, walFileName } from "./wal-position.ts";

const slotName = "disburse_archive";
const everyMs = 1_000;
const chunkBytes = 1024 * 1024;

type ArchiverParts = {
  connection: pg.ClientConfig;
  /** The data folder of PostgreSQL. */
  dataFolder: string;
  /** Where backups are kept. */
  folder: string;
  /** Everything that was committed before this time is archived. */
  onArchived(atMs: number): Promise<void>;
  /** WAL is missing in the archive: only a new backup can be restored up to now. */
  onGap(): void;
  /** The next try comes after a second. */
  onError(error: unknown): void;
};

export type WalArchiver = {
  /** Copies the rest, and ends. */
  close(): Promise<void>;
};

export function startWalArchiver(parts: ArchiverParts): WalArchiver {
  let archiving: Archiving | undefined;
  async function archive(): Promise<void> {
    try {
      archiving ??= await Archiving.open(parts);
      await archiving.catchUp();
    } catch (error) {
      await archiving?.close();
      archiving = undefined;
      throw error;
    }
  }
  const poller = startPoller({ poll: archive, everyMs, onError: parts.onError });
  return {
    async close() {
      await poller.close();
      await archive().catch(parts.onError);
      await archiving?.close();
    },
  };
}

/** From now on, PostgreSQL keeps WAL until it is archived. */
export async function createArchiveSlot(client: pg.Client): Promise<void> {
  await client.query(
    `select pg_create_physical_replication_slot($1, true)
     where not exists (select from pg_replication_slots where slot_name = $1)`,
    [slotName],
  );
}

/** Without an archive, the slot would keep all WAL until the disk is full. */
export async function dropArchiveSlot(connection: pg.ClientConfig): Promise<void> {
  const client = administrator(connection);
  await client.connect();
  try {
    await client.query(
      "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1",
      [slotName],
    );
  } finally {
    await client.end();
  }
}

type ServerState = {
  flushed: bigint;
  timeline: number;
  segmentBytes: bigint;
  restart: bigint;
  system: string;
};

class Archiving {
  readonly #parts: ArchiverParts;
  readonly #client: pg.Client;
  readonly #folder: string;
  /** Archived up to here. */
  #position = 0n;
  #partial: { number: bigint; file: FileHandle } | undefined;

  private constructor(parts: ArchiverParts, client: pg.Client) {
    this.#parts = parts;
    this.#client = client;
    this.#folder = walFolderOf(parts.folder);
  }

  static async open(parts: ArchiverParts): Promise<Archiving> {
    const client = administrator(parts.connection);
    client.on("error", () => {});
    const archiving = new Archiving(parts, client);
    try {
      await client.connect();
      await archiving.#findPosition();
      return archiving;
    } catch (error) {
      await archiving.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#partial?.file.close();
    await this.#client.end().catch(() => {});
  }

  async catchUp(): Promise<void> {
    const atMs = Date.now();
    const { flushed, timeline, segmentBytes } = await this.#findState();
    const before = this.#position;
    while (this.#position < flushed) {
      const number = this.#position / segmentBytes;
      const end = (number + 1n) * segmentBytes;
      const name = walFileName({ timeline, number }, segmentBytes);
      await this.#copyPart(name, number, {
        from: Number(this.#position % segmentBytes),
        to: Number((end < flushed ? end : flushed) - number * segmentBytes),
      });
      this.#position = end < flushed ? end : flushed;
      if (this.#position === end) await this.#complete(name);
    }
    if (this.#position !== before) {
      const point = { lsn: lsnText(this.#position), at: new Date(atMs).toISOString() };
      // Only a hint for restores. It need not survive a power failure.
      await writeFile(join(this.#folder, `${pointFile}.new`), JSON.stringify(point), {
        mode: 0o600,
      });
      await rename(join(this.#folder, `${pointFile}.new`), join(this.#folder, pointFile));
    }
    await this.#parts.onArchived(atMs);
  }

  async #findState(): Promise<ServerState> {
    const { rows } = await this.#client.query(
      `select flushed::text, pg_walfile_name(flushed) as file, system_identifier::text as system,
         (select setting from pg_settings where name = 'wal_segment_size') as segment_bytes,
         (select restart_lsn::text from pg_replication_slots where slot_name = $1) as restart
       from pg_current_wal_flush_lsn() flushed, pg_control_system()`,
      [slotName],
    );
    const [{ flushed, file, system, segment_bytes, restart }] = rows;
    const segmentBytes = BigInt(segment_bytes);
    const timeline = readWalFileName(file, segmentBytes)?.timeline ?? 1;
    if (!restart) throw new BackupError(`the replication slot ${slotName} is gone`);
    const positions = { flushed: readLsn(flushed), restart: readLsn(restart) };
    return { ...positions, timeline, segmentBytes, system };
  }

  async #findPosition(): Promise<void> {
    const { folder } = this.#parts;
    await makeFolder(this.#folder);
    await createArchiveSlot(this.#client);
    const state = await this.#findState();
    const { segmentBytes, timeline, flushed, restart } = state;
    await this.#requireOwnArchive(state.system);
    await this.#copyHistories();
    const { segments } = await listSegments(this.#folder, segmentBytes);
    const last = segments.findLast((segment) => segment.timeline === timeline);
    const oldest = restart / segmentBytes;
    // A partial file is copied again from its start: a power failure may have left zeros in it.
    const next = last ? last.number + (last.isPartial ? 0n : 1n) : oldest;
    if (next * segmentBytes > flushed) {
      throw new BackupError(
        `${folder} holds later WAL than the database has. Give this database another BACKUP_DIR.`,
      );
    }
    // A restored copy goes on in a new timeline, in the file in which the old one ended.
    const isContinued =
      segments.length === 0 || segments.some(({ number }) => number >= oldest - 1n);
    const isMissing = last ? next < oldest : !isContinued;
    if (isMissing) this.#parts.onGap();
    this.#position = (isMissing ? oldest : next) * segmentBytes;
  }

  async #requireOwnArchive(system: string): Promise<void> {
    const known = await readSource(this.#folder);
    if (known === undefined) {
      await writeDurably(join(this.#folder, sourceFile), `${JSON.stringify({ system })}\n`);
    } else if (known !== system) {
      throw new BackupError(
        `${this.#parts.folder} is the archive of another database. Give this one another BACKUP_DIR.`,
      );
    }
  }

  /** They say which timeline follows which. */
  async #copyHistories(): Promise<void> {
    const folder = join(this.#parts.dataFolder, "pg_wal");
    const kept = new Set(await readdir(this.#folder));
    for (const name of (await readdir(folder)).filter(isHistoryFile)) {
      if (kept.has(name)) continue;
      await copyFile(join(folder, name), join(this.#folder, name));
      await syncFolder(this.#folder);
    }
  }

  async #copyPart(
    name: string,
    number: bigint,
    { from, to }: { from: number; to: number },
  ): Promise<void> {
    const target = await this.#openPartial(name, number);
    const source = await open(join(this.#parts.dataFolder, "pg_wal", name), "r");
    try {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, to - from));
      for (let at = from; at < to; ) {
        const { bytesRead } = await source.read(buffer, 0, Math.min(buffer.length, to - at), at);
        if (bytesRead === 0) throw new BackupError(`${name} is shorter than its content`);
        await target.write(buffer, 0, bytesRead, at);
        at += bytesRead;
      }
    } finally {
      await source.close();
    }
    await target.datasync();
  }

  async #openPartial(name: string, number: bigint): Promise<FileHandle> {
    if (this.#partial?.number === number) return this.#partial.file;
    await this.#partial?.file.close();
    this.#partial = undefined;
    const { O_CREAT, O_RDWR } = constants;
    const path = join(this.#folder, `${name}${partialEnding}`);
    const file = await open(path, O_CREAT | O_RDWR, 0o600);
    this.#partial = { number, file };
    await syncFolder(this.#folder);
    return file;
  }

  async #complete(name: string): Promise<void> {
    const path = join(this.#folder, name);
    await this.#partial?.file.close();
    this.#partial = undefined;
    const hashed = await hashFile(`${path}${partialEnding}`);
    if (!hashed) throw new BackupError(`${name} has vanished from the archive`);
    await writeDurably(`${path}${hashEnding}`, `${hashed.sha256}  ${name}\n`);
    await rename(`${path}${partialEnding}`, path);
    await syncFolder(this.#folder);
    await this.#client.query("select pg_replication_slot_advance($1, $2::text::pg_lsn)", [
      slotName,
      lsnText(this.#position),
    ]);
  }
}
