// Creates the new receivers and accounts of a file, by the acts of the console: receivers wait for their identity check, and
// accounts for another user. Nothing is created twice: a receiver is known by its email, and the same account waits once.

import type { Scope } from "../../platform/base/index.ts";
import { refusals } from "../../platform/refusals/index.ts";
import { type ActBy, callerOf } from "../../tenants/acts/index.ts";
import { may } from "../../tenants/roles/index.ts";
import { addOnce, type NewPayeeParts } from "./accounts-of-rows.ts";
import { createRows } from "./create-rows.ts";
import type { Row } from "./import-rows.ts";
import type { NewPayees } from "./new-payees.ts";
import { receiversOfRows } from "./receivers-of-rows.ts";
import type { ImportLine } from "./schema.ts";

type SoFar = Extract<ImportLine, { kind: "new" }>;

/** Whether the user or the key may also do alone what the import does for new receivers and accounts. */
export function mayCreatePayees({ user, caller }: Pick<ActBy, "user" | "caller">): boolean {
  if (caller) return ["write", "bank_details"].every((scope) => caller.scopes?.has(scope as Scope));
  return !user || (may(user, "receivers.write") && may(user, "accounts.propose"));
}

/** Yields what was created so far, after each part. It may be stopped there. */
export async function* createNewPayees(
  parts: NewPayeeParts,
  by: ActBy,
  { receivers, accounts }: Pick<NewPayees, "receivers" | "accounts">,
): AsyncGenerator<SoFar> {
  const { db, seal, providers, screener, onDue } = parts;
  const made: SoFar = { kind: "new", receivers: 0, accounts: 0, problems: [] };
  const line = () => ({ ...made, problems: [...made.problems] });
  const caller = callerOf(by);
  const creating = { db, seal, provider: providers[caller.mode], screener, caller };
  const keys = new Map([...receivers.values()].map(({ key, row }) => [row.number, key]));
  const ids = new Map<string, string>();
  const rows = inOne([...receivers.values()].map(({ row }) => row));
  const creator = receiversOfRows(creating);
  for await (const some of createRows({ rows, creator, isStopped: () => false })) {
    onDue?.();
    for (const { row, outcome, id, code } of some) {
      if (outcome === "created") made.receivers += 1;
      if (id !== undefined) ids.set(keys.get(row) ?? "", id);
      else made.problems.push({ row, message: refusals[code ?? "REVR201"][1] });
    }
    yield line();
  }
  for (const { row, receiver, given } of accounts.values()) {
    const receiver_id = "id" in receiver ? receiver.id : ids.get(receiver.key);
    if (receiver_id === undefined) continue;
    const added = await addOnce(parts, by, { receiver_id, ...given });
    if (added !== "waits-already" && "id" in added) made.accounts += 1;
    else if (added !== "waits-already") made.problems.push({ row, message: added.problem.message });
    yield line();
  }
}

async function* inOne(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}
