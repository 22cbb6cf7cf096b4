// One act on several objects. Each is done as if it were alone, one after the other: a refusal of one does not stop the
// others.

import { Refusal } from "../../platform/refusals/index.ts";
import type { EachResult } from "./schema.ts";

export async function doEach(
  ids: readonly string[],
  perform: (id: string) => Promise<unknown>,
): Promise<EachResult> {
  const results: EachResult["results"] = [];
  for (const id of new Set(ids)) {
    try {
      await perform(id);
      results.push({ id, is_done: true, code: null, message: null });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const [{ code, message }] = error.problems;
      results.push({ id, is_done: false, code, message });
    }
  }
  return { results };
}
