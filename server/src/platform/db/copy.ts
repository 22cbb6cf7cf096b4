// COPY … FROM STDIN, the cheapest way to insert many rows; and COPY from one database into another.

import type { Writable } from "node:stream";
import pg from "pg";
import type { Db } from "./connect.ts";

/** The part of the driver's connection that its types leave out. */
type CopyConnection = {
  stream: Writable & { pause(): void; resume(): void };
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
};

class CopyIn extends pg.Query {
  readonly #parts: readonly Uint8Array[];

  constructor(text: string, parts: readonly Uint8Array[], done: (error?: Error) => void) {
    // The driver takes a function in place of the values as the callback.
    super(text, done as never);
    this.#parts = parts;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const { stream } = connection;
    stream.cork();
    // Written directly, because the driver would copy the data twice.
    for (const part of this.#parts) {
      stream.write(copyDataHead(part.length));
      stream.write(part);
    }
    connection.endCopyFrom();
    stream.uncork();
  }
}

/** The header of a CopyData message: a letter, and a length that includes itself. */
function copyDataHead(bytes: number): Uint8Array {
  const head = Buffer.from("d\0\0\0\0");
  head.writeInt32BE(4 + bytes, 1);
  return head;
}

/**
 * Writes all parts or nothing. `text` may set options for the transaction before the COPY. The parts must not change until
 * the promise resolves.
 */
export async function copyIn(
  { pool }: Db,
  text: string,
  parts: readonly Uint8Array[],
): Promise<void> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      client.query(new CopyIn(text, parts, done));
    });
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After a failure the connection may still receive messages, so it is not used again.
    client.release(failure);
  }
}

/** Rows are gathered into messages of this size. */
const messageBytes = 256 * 1024;

/** COPY … TO STDOUT. The driver reuses the memory of a row after `onRow`. */
class CopyOut extends pg.Query {
  readonly #onRow: (row: Buffer, connection: CopyConnection) => void;

  constructor(
    text: string,
    onRow: (row: Buffer, connection: CopyConnection) => void,
    done: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super(text, done as never);
    this.#onRow = onRow;
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    this.#onRow(chunk, connection);
  }
}

/** COPY … FROM STDIN, whose rows come later. */
class CopyInto extends pg.Query {
  readonly #onReady: (connection: CopyConnection) => void;

  constructor(
    text: string,
    onReady: (connection: CopyConnection) => void,
    done: (error: Error | null, result: pg.QueryResult) => void,
  ) {
    super(text, done as never);
    this.#onReady = onReady;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#onReady(connection);
  }
}

type CopySide = { client: pg.ClientBase; text: string };

/** Streams the rows of one COPY into another one, in another database. Returns how many each of them counted. */
export async function copyBetween(
  from: CopySide,
  to: CopySide,
): Promise<{ read: number; written: number }> {
  const written = Promise.withResolvers<number>();
  const opened = Promise.withResolvers<CopyConnection>();
  const settle =
    ({ resolve, reject }: PromiseWithResolvers<number>) =>
    (error: Error | null, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result.rowCount ?? 0);
  to.client.query(new CopyInto(to.text, opened.resolve, settle(written)));
  const target = await Promise.race([opened.promise, written.promise.then(() => undefined)]);
  if (!target) throw new Error("the target did not ask for rows");

  let buffer = Buffer.allocUnsafe(messageBytes);
  let used = 0;
  /** False when the target is slower than the source. */
  const flush = (): boolean => {
    if (used === 0) return true;
    target.stream.write(copyDataHead(used));
    const isTaken = target.stream.write(buffer.subarray(0, used));
    buffer = Buffer.allocUnsafe(messageBytes);
    used = 0;
    return isTaken;
  };
  const add = (row: Buffer, source: CopyConnection): void => {
    let isTaken = used + row.length <= messageBytes || flush();
    if (row.length > messageBytes) {
      target.stream.write(copyDataHead(row.length));
      isTaken = target.stream.write(Buffer.from(row));
    } else {
      used += row.copy(buffer, used);
    }
    if (isTaken) return;
    source.stream.pause();
    target.stream.once("drain", () => source.stream.resume());
  };
  const read = Promise.withResolvers<number>();
  from.client.query(new CopyOut(from.text, add, settle(read)));
  try {
    await read.promise;
    flush();
    target.endCopyFrom();
  } catch (error) {
    target.sendCopyFail("the source failed");
    await written.promise.catch(() => {});
    throw error;
  }
  return { read: await read.promise, written: await written.promise };
}
