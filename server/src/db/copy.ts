// COPY … FROM STDIN: of all ways into a table the one that costs the least for each row.

import pg from "pg";
import type { Db } from "./connect.ts";

/** What the driver hands to a query, and its types don't tell. */
type CopyConnection = { sendCopyFromChunk(bytes: Uint8Array): void; endCopyFrom(): void };

class CopyIn extends pg.Query {
  readonly #parts: readonly Uint8Array[];

  constructor(text: string, parts: readonly Uint8Array[], done: (error?: Error) => void) {
    // A callback in the place of values is one, to the driver.
    super(text, done as never);
    this.#parts = parts;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const part of this.#parts) connection.sendCopyFromChunk(part);
    connection.endCopyFrom();
  }
}

/** All of it is written, or nothing. `text` may hold settings for its transaction before the COPY itself. */
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
