// The dependencies of every write in the console.

import type { Clock } from "../../platform/base/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";

export type WriteParts = { db: Db; seal: Seal; clock: Clock };
