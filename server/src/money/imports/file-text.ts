// The text of a file, in chunks, so that a few hundred rows are checked at a time.

import { limits } from "../../platform/limits/index.ts";

export function* chunksOf(csv: string): Generator<Buffer> {
  const bytes = Buffer.from(csv);
  for (let from = 0; from < bytes.length; from += limits.bodyBytesMax) {
    yield bytes.subarray(from, from + limits.bodyBytesMax);
  }
}
