// What users do about statements.

import Type from "typebox";
import type { Tx } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { input, line, optional, required } from "../../platform/fields/index.ts";
import { Refusal } from "../../platform/refusals/index.ts";
import { act } from "../../tenants/acts/index.ts";
import { listConnections, toConnection } from "../connections/index.ts";
import { addExceptionNote } from "./exception-queries.ts";
import { listExceptions } from "./exceptions.ts";

const exceptionItem =
  "^(line|suspense|gap|overlap|batch|statement|opening|transfer|report):[0-9a-f-]{36}(:\\d{1,9})?$";

export const noteException = act({
  name: "exception.note",
  summary: "who looks after an exception, and what was found out",
  object: "bank_exception",
  may: "banks.release",
  doors: ["console", "cli"],
  input: input({
    item: required(Type.String({ pattern: exceptionItem })),
    owner: optional(
      Type.String({ maxLength: 200, pattern: line, description: "a user's email address or name" }),
    ),
    note: optional(
      Type.String({ maxLength: 500, pattern: line, description: "what was found out" }),
    ),
  }),
  async run({ tx, seal, who, atMs }, { item, owner = "", note = "" }) {
    if (!(await isException(tx, seal, item, atMs))) throw new Refusal("CONS110");
    await addExceptionNote(tx, item, { owner, note, atMs, who });
    return { result: undefined, id: item, after: { owner } };
  },
});

/** Of any connection whose settings can be decrypted. */
async function isException(tx: Tx, seal: Seal, item: string, nowMs: number): Promise<boolean> {
  for (const row of await listConnections(tx)) {
    const connection = toConnection(row, seal);
    const found = connection ? await listExceptions(tx, connection, nowMs) : [];
    if (found.some((one) => one.item === item)) return true;
  }
  return false;
}
