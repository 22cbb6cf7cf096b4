// Positions in the write-ahead log (WAL) of PostgreSQL, and the names of its files. Pure.

/** A file of the WAL. After a restore, the WAL goes on in a new timeline. */
export type WalSegment = { timeline: number; number: bigint };

/** From PostgreSQL's text, such as 16/B374D848. */
export function readLsn(text: string): bigint {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? [];
  if (high === undefined || low === undefined) throw new Error(`no position in the WAL: ${text}`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function lsnText(lsn: bigint): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
}

const hex = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, "0");

const segmentsInHigh = (segmentBytes: bigint) => 0x1_0000_0000n / segmentBytes;

export function walFileName({ timeline, number }: WalSegment, segmentBytes: bigint): string {
  const many = segmentsInHigh(segmentBytes);
  return hex(timeline) + hex(number / many) + hex(number % many);
}

/** Undefined for other files of the folder. */
export function readWalFileName(name: string, segmentBytes: bigint): WalSegment | undefined {
  if (!/^[0-9A-F]{24}$/.test(name)) return undefined;
  const part = (from: number) => BigInt(`0x${name.slice(from, from + 8)}`);
  return {
    timeline: Number(part(0)),
    number: part(8) * segmentsInHigh(segmentBytes) + part(16),
  };
}

export const isHistoryFile = (name: string): boolean => /^[0-9A-F]{8}\.history$/.test(name);
