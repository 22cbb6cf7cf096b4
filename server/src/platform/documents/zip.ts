// Reads a ZIP archive by its directory. Written here: Node inflates, and spreadsheets need nothing else of the format.

import { crc32, inflateRawSync } from "node:zlib";

export type ZipPart = { name: string; read(): Uint8Array };

/** The archive is not one, was cut, or does not match its checksums. */
export class ZipError extends Error {}

const directoryEnd = 0x06054b50;
const directoryEntry = 0x02014b50;
const localHeader = 0x04034b50;
/** A spreadsheet of a list has ten megabytes. This bounds what a hostile one can make us keep. */
const unpackedBytesDefault = 256 * 1024 * 1024;
const partsMax = 10_000;

/** The parts of an archive, by their names. Each is inflated when it is read; the limit is for all of them together. */
export function openZip(
  bytes: Uint8Array,
  unpackedBytesMax = unpackedBytesDefault,
): ReadonlyMap<string, ZipPart> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return readDirectory(data, { left: unpackedBytesMax });
  } catch (error) {
    // A place beyond the end of the file.
    if (error instanceof RangeError) throw new ZipError("the archive was cut");
    throw error;
  }
}

/** The bytes that the parts may still have. */
type Room = { left: number };

function readDirectory(data: Buffer, room: Room): Map<string, ZipPart> {
  const end = findEnd(data);
  const count = data.readUInt16LE(end + 10);
  if (count > partsMax) throw new ZipError("the archive has too many parts");
  const parts = new Map<string, ZipPart>();
  let place = data.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (data.readUInt32LE(place) !== directoryEntry) throw new ZipError("the directory is broken");
    const nameLength = data.readUInt16LE(place + 28);
    const name = data.toString("utf8", place + 46, place + 46 + nameLength);
    const entry = place;
    parts.set(name, { name, read: () => readPart(data, entry, room) });
    place += 46 + nameLength + data.readUInt16LE(place + 30) + data.readUInt16LE(place + 32);
  }
  return parts;
}

/** The end of the directory stands before a comment of at most 64 KiB. */
function findEnd(data: Buffer): number {
  for (let place = data.length - 22; place >= Math.max(0, data.length - 65_557); place -= 1) {
    if (data.readUInt32LE(place) === directoryEnd) return place;
  }
  throw new ZipError("the file is not a ZIP archive");
}

function readPart(data: Buffer, entry: number, room: Room): Uint8Array {
  try {
    const method = data.readUInt16LE(entry + 10);
    const size = data.readUInt32LE(entry + 20);
    const header = data.readUInt32LE(entry + 42);
    if (data.readUInt32LE(header) !== localHeader) throw new ZipError("a part is broken");
    const start = header + 30 + data.readUInt16LE(header + 26) + data.readUInt16LE(header + 28);
    const packed = data.subarray(start, start + size);
    const part = method === 0 ? packed : inflate(packed, method, room.left);
    room.left -= part.length;
    if (room.left < 0) throw new ZipError("it is too large when unpacked");
    if (crc32(part) !== data.readUInt32LE(entry + 16)) throw new ZipError("a part is broken");
    return part;
  } catch (error) {
    if (error instanceof ZipError) throw error;
    const isTooLarge = (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw new ZipError(isTooLarge ? "it is too large when unpacked" : "a part is broken");
  }
}

function inflate(packed: Uint8Array, method: number, maxOutputLength: number): Uint8Array {
  if (method !== 8) throw new ZipError("a part is packed in an unknown way");
  return inflateRawSync(packed, { maxOutputLength });
}
