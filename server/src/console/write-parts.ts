// The dependencies of every write in the console.

import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";

export type WriteParts = { db: Db; seal: Seal; clock: Clock };
