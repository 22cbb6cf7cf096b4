// Stand-in until recoveries are there.

import type { Db } from "../db/connect.ts";

export async function advanceRecoveries(_db: Db): Promise<string[]> {
  return [];
}
