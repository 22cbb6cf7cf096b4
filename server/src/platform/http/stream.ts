// Streams a long response, and ends its source when the client stops reading.

import { Readable } from "node:stream";
import { limits } from "../limits/index.ts";

/** A stream that ends its source if the client stops reading. */
export function streamWhileRead(chunks: AsyncIterable<string | Uint8Array>): Readable {
  async function* watched(): AsyncGenerator<string | Uint8Array> {
    for await (const chunk of chunks) {
      const stalled = setTimeout(() => stream.destroy(), limits.streamStallMs);
      try {
        yield chunk;
      } finally {
        clearTimeout(stalled);
      }
    }
  }
  const stream = Readable.from(watched(), { objectMode: false });
  return stream;
}
