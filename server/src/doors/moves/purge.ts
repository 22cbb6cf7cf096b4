// Deletes the rows of a subaccount that has moved to another cell. From then on it could move back.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type Actor, audited } from "../../tenants/audit/index.ts";
import { dropGuards } from "./guard-queries.ts";
import { MoveRefused } from "./move.ts";
import { deleteMove, findMove } from "./move-queries.ts";
import { deleteLeftBehind, readPurgeObstacles } from "./purge-queries.ts";
import { deleteRows } from "./run.ts";

type PurgeParts = {
  /** As the owner of the tables. */
  db: Db;
  seal: Seal;
  subaccountId: string;
  actor: Actor;
  onTable?: (table: string, rows: number) => void;
};

/** Returns how many rows were deleted. It can be stopped, and called again. */
export async function purgeMoved(parts: PurgeParts): Promise<number> {
  const { db, seal, subaccountId, actor, onTable } = parts;
  const move = await findMove(db, subaccountId);
  if (move?.step !== "done" || !move.has_moved) {
    throw new MoveRefused("The subaccount has not moved away, or its move is not finished.");
  }
  const { bank_rows, users } = await readPurgeObstacles(db, subaccountId);
  if (bank_rows > 0) {
    throw new MoveRefused(
      "Files of a bank name payouts of this subaccount, so its rows stay as part of the bank's records.",
    );
  }
  if (users > 0) {
    throw new MoveRefused(
      `${users} users have this subaccount as their own. Give them another one, or another role, first.`,
    );
  }
  await deleteLeftBehind(db, subaccountId);
  const rows = await deleteRows(db, subaccountId, onTable);
  await dropGuards(db, subaccountId);
  await audited({ db, seal }, actor).transaction(
    {
      action: "subaccount.purge",
      object: { kind: "subaccount", id: subaccountId },
      subaccountId,
      after: { move: move.id, cell: move.other_cell, rows },
    },
    (tx) => deleteMove(tx, subaccountId),
  );
  return rows;
}
