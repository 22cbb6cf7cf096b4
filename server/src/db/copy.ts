// COPY … FROM STDIN: of all ways into a table the one that costs the least for each row.

import type { Writable } from "node:stream";
import pg from "pg";
import type { Db } from "./connect.ts";

/** What the driver hands to a query, and its types don't tell. */
type CopyConnection = { stream: Writable; endCopyFrom(): void };

class CopyIn extends pg.Query {
  readonly #parts: readonly Uint8Array[];

  constructor(text: string, parts: readonly Uint8Array[], done: (error?: Error) => void) {
    // A callback in the place of values is one, to the driver.
    super(text, done as never);
    this.#parts = parts;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    const { stream } = connection;
    stream.cork();
    // By hand, because the driver would copy all of it, twice.
    for (const part of this.#parts) {
      stream.write(copyDataHead(part.length));
      stream.write(part);
    }
    connection.endCopyFrom();
    stream.uncork();
  }
}

/** A letter, and a length that counts itself. */
function copyDataHead(bytes: number): Uint8Array {
  const head = Buffer.from("d\0\0\0\0");
  head.writeInt32BE(4 + bytes, 1);
  return head;
}

/**
 * All of it is written, or nothing. `text` may hold settings for its transaction before the COPY itself. The parts must
 * stay as they are until then.
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
    // After a failure the driver may still be told things about it: that connection is not used again.
    client.release(failure);
  }
}
