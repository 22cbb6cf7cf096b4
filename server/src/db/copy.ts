// COPY … FROM STDIN, the cheapest way to insert many rows.

import type { Writable } from "node:stream";
import pg from "pg";
import type { Db } from "./connect.ts";

/** The part of the driver's connection that its types leave out. */
type CopyConnection = { stream: Writable; endCopyFrom(): void };

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
