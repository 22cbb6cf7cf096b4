// What a folder of backups can restore: the newest backup, and how far the archived WAL continues it without a gap.

import { listBackups, type Manifest } from "./manifest.ts";
import {
  type ArchivedSegment,
  followingSegments,
  listSegments,
  readPoint,
  walFolderOf,
} from "./wal-folder.ts";
import { lsnText, readLsn, readWalFileName, walFileName } from "./wal-position.ts";

export type Coverage = {
  /** Archived segments that belong after the start of the backup, up to the first gap. */
  segments: ArchivedSegment[];
  histories: string[];
  /** The position of a gap: WAL after it can't be used. */
  gapAt: string | undefined;
  /** Everything committed before this time can be restored. */
  until: string;
};

export async function coverageOf(folder: string, backup: Manifest): Promise<Coverage> {
  const segmentBytes = BigInt(backup.segment_bytes);
  const walFolder = walFolderOf(folder);
  const { segments, histories } = await listSegments(walFolder, segmentBytes);
  const first = readLsn(backup.start_lsn) / segmentBytes;
  const own = ownSegments(backup);
  // Its own files are complete. The archive may hold less of the last one.
  const isOwn = (one: ArchivedSegment) =>
    own.some(({ timeline, number }) => timeline === one.timeline && number === one.number);
  const archived = segments.filter((segment) => segment.number >= first && !isOwn(segment));
  const all = [...own, ...archived];
  all.sort((one, other) => Number(one.number - other.number) || one.timeline - other.timeline);
  const { following, missing } = followingSegments(all, first);
  const used = following.filter((segment) => !isOwn(segment));
  const gapAt = missing === undefined ? undefined : lsnText(missing * segmentBytes);
  const point = await readPoint(walFolder);
  const isPast = point && Date.parse(point.at) > Date.parse(backup.ended_at);
  const until = missing === undefined && used.length > 0 && isPast ? point.at : backup.ended_at;
  return { segments: used, histories, gapAt, until };
}

export async function newestCoverage(
  folder: string,
): Promise<(Coverage & { backup: Manifest }) | undefined> {
  const backup = (await listBackups(folder)).at(-1);
  return backup && { backup, ...(await coverageOf(folder, backup)) };
}

/** The first segment that this backup, or a later one, needs. */
export function firstSegment({ start_lsn, segment_bytes }: Manifest): bigint {
  return readLsn(start_lsn) / BigInt(segment_bytes);
}

function ownSegments(backup: Manifest): ArchivedSegment[] {
  const segmentBytes = BigInt(backup.segment_bytes);
  return backup.wal.flatMap(({ path: file }) => {
    const segment = readWalFileName(file, segmentBytes);
    return segment ? [{ ...segment, file, isPartial: false }] : [];
  });
}

/** Of the newest timeline, which is the one that PostgreSQL follows. */
export function lastSegmentName({ segments }: Coverage, backup: Manifest): string {
  const all = [...ownSegments(backup), ...segments];
  const newest = Math.max(...all.map(({ timeline }) => timeline));
  const last = all.findLast(({ timeline }) => timeline === newest);
  return last ? walFileName(last, BigInt(backup.segment_bytes)) : "";
}
