// The names of WAL files, and which archived ones continue a backup.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { coverageOf } from "../../../src/platform/backup/coverage.ts";
import type { Manifest } from "../../../src/platform/backup/manifest.ts";
import {
  lsnText,
  readLsn,
  readWalFileName,
  walFileName,
} from "../../../src/platform/backup/wal-position.ts";

const segmentBytes = 16n * 1024n * 1024n;

test("positions and names are PostgreSQL's", () => {
  const lsn = readLsn("16/B374D848");
  expect(lsnText(lsn)).toBe("16/B374D848");
  const name = walFileName({ timeline: 3, number: lsn / segmentBytes }, segmentBytes);
  expect(name).toBe("0000000300000016000000B3");
  expect(readWalFileName(name, segmentBytes)).toEqual({ timeline: 3, number: lsn / segmentBytes });
  expect(readWalFileName(`${name}.partial`, segmentBytes)).toBeUndefined();
});

const nameOf = (number: number, timeline = 1) =>
  walFileName({ timeline, number: BigInt(number) }, segmentBytes);

async function coverageWith(files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "disburse-wal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "wal"));
  for (const file of files) writeFileSync(join(folder, "wal", file), "");
  const point = { lsn: "0/9000000", at: "2026-11-16T12:00:00.000Z" };
  writeFileSync(join(folder, "wal", "archived.json"), JSON.stringify(point));
  const own = [4, 5].map((number) => ({ path: nameOf(number), bytes: 0, sha256: "" }));
  const backup = { start_lsn: "0/4000028", segment_bytes: Number(segmentBytes), wal: own };
  const ended_at = "2026-11-16T11:00:00.000Z";
  const found = await coverageOf(folder, { ...backup, ended_at } as unknown as Manifest);
  return { ...found, segments: found.segments.map(({ file }) => file) };
}

test("a backup is continued by the archive up to a gap, with its own files before archived ones", async () => {
  const until = "2026-11-16T12:00:00.000Z";
  const whole = [nameOf(3), nameOf(4), `${nameOf(5)}.partial`, nameOf(6), `${nameOf(7)}.partial`];
  expect(await coverageWith(whole)).toMatchObject({
    segments: [nameOf(6), `${nameOf(7)}.partial`],
    gapAt: undefined,
    until,
  });
  expect(await coverageWith([nameOf(6), nameOf(8)])).toMatchObject({
    segments: [nameOf(6)],
    gapAt: "0/7000000",
    until: "2026-11-16T11:00:00.000Z",
  });
  expect(await coverageWith([])).toMatchObject({ segments: [], gapAt: undefined });
});

test("a timeline that a restored copy began continues the one before it", async () => {
  const branch = [nameOf(6), nameOf(7), nameOf(7, 2), `${nameOf(8, 2)}.partial`];
  expect(await coverageWith(branch)).toMatchObject({ segments: branch, gapAt: undefined });
});
