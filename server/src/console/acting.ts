// Who acts at the console, for the verbs behind it: what histories and the audit say of the person.

import type { Act } from "../audit/record.ts";
import type { Clock } from "../clock.ts";
import type { Db } from "../db/connect.ts";
import type { Seal } from "../seal.ts";

export type Acting = Pick<Act, "who" | "ip" | "requestId"> & { personId: string };

/** What a verb of the console needs beside its input. */
export type ActParts = { db: Db; seal: Seal; clock: Clock };
