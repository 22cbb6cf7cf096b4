// Moves a subaccount to another cell. It can be stopped or killed at any time: the next call goes on where it was.

import { fillCountsOfSubaccount } from "../../money/payouts/index.ts";
import type { AuditExported } from "./audit-file.ts";
import { dropGuards } from "./guard-queries.ts";
import { isAtLeast, type MoveParts, MoveRefused } from "./move.ts";
import { deleteMove, findMove, holdMove, type MoveRow, updateMoveStep } from "./move-queries.ts";
import { beginMove, recordStep, startReplication, waitUntilFollowing } from "./prepare.ts";
import { deleteLeftBehind, deletePage } from "./purge-queries.ts";
import { dropPublication, dropSubscription } from "./replication-queries.ts";
import { giveUp, type SwitchFacts, type TakenOver, takeOver, thaw } from "./switch.ts";
import { listKeysOfSubaccount } from "./switch-queries.ts";
import { movedTables } from "./tables.ts";

export type Moved = AuditExported & {
  moveId: string;
  rows: string;
  /** The API keys that now lead to the target. */
  keys: string[];
  /** From the freeze of the source until the target works. Undefined: an earlier call of the command made the switch. */
  pauseMs: number | undefined;
  takenOver: TakenOver | undefined;
};

type Hooks = {
  /** Called as soon as the target works: the edge should know at once. */
  onSwitched?: (keys: readonly string[]) => Promise<void>;
};

export async function moveSubaccount(parts: MoveParts, { onSwitched }: Hooks = {}): Promise<Moved> {
  return alone(parts, async () => {
    const { source, target, subaccountId } = parts;
    let move = await beginMove(parts);
    if (move.step === "done") {
      throw new MoveRefused(`The subaccount has moved to the cell ${move.other_cell} already.`);
    }
    if (!move.has_moved) {
      // A freeze of an earlier call would expire; the source goes on while the target catches up.
      if (isAtLeast(move.step, "draining")) await thaw(parts);
      if (!isAtLeast(move.step, "copying")) await startReplication(parts);
      await waitUntilFollowing(parts);
      await recordStep(parts, "following");
      await fillCountsOfSubaccount(target, subaccountId, { nowMs: Date.now() });
      await giveUp(parts, move);
      move = (await findMove(source, subaccountId)) as MoveRow;
    }
    parts.onStep?.("moved", "the target takes over");
    const isKnown = (await findMove(target, subaccountId)) !== undefined;
    const takenOver = isKnown ? await takeOver(parts, move) : undefined;
    const facts = move.facts as SwitchFacts;
    const keys = await listKeysOfSubaccount(source, subaccountId);
    await onSwitched?.(keys);
    await endReplication(parts);
    await updateMoveStep(source, subaccountId, "done");
    const { audit_entries, audit_sha256 } = facts;
    const pauseMs = takenOver && takenOver.atMs - facts.frozen_at_ms;
    const { id: moveId } = move;
    return { moveId, rows: facts.rows, keys, pauseMs, takenOver, audit_entries, audit_sha256 };
  });
}

/** The guards of the source stay until its rows are purged: it never writes them again. */
async function endReplication({ source, target, subaccountId }: MoveParts): Promise<void> {
  await dropSubscription(target, subaccountId);
  await dropPublication(source, subaccountId);
  await dropGuards(target, subaccountId);
  await deleteMove(target, subaccountId);
}

type Abandoned = Pick<MoveParts, "source" | "target" | "subaccountId">;

/** Before the switch: the source goes on as if nothing had happened, and the target has nothing of the subaccount. */
export async function abandonMove(parts: Abandoned): Promise<void> {
  await alone(parts, async () => {
    const { source, target, subaccountId } = parts;
    const [ours, theirs] = [
      await findMove(source, subaccountId),
      await findMove(target, subaccountId),
    ];
    if (ours?.has_moved) {
      throw new MoveRefused(
        "The source has given the subaccount up. Run the command without --abandon to finish.",
      );
    }
    if (ours?.side !== "source") {
      throw new MoveRefused("There is no move of this subaccount to abandon.");
    }
    if (theirs && theirs.id !== ours.id) {
      throw new MoveRefused(
        "The target has a record of another move. Name the target of this one.",
      );
    }
    await thaw(parts);
    await dropSubscription(target, subaccountId);
    await dropPublication(source, subaccountId);
    // The record goes last: until then the target works with none of the rows.
    if (theirs) {
      await deleteLeftBehind(target, subaccountId);
      await deleteRows(target, subaccountId);
    }
    await dropGuards(target, subaccountId);
    await deleteMove(target, subaccountId);
    await dropGuards(source, subaccountId);
    await deleteMove(source, subaccountId);
  });
}

/** Returns how many rows were deleted. Tables that refer to others come first. */
export async function deleteRows(
  db: MoveParts["source"],
  subaccountId: string,
  onTable?: (table: string, rows: number) => void,
): Promise<number> {
  let all = 0;
  for (const moved of movedTables.toReversed()) {
    let rows = 0;
    for (let page = 1; page > 0; rows += page) page = await deletePage(db, moved, subaccountId);
    if (rows > 0) onTable?.(moved.table, rows);
    all += rows;
  }
  return all;
}

async function alone<T>(
  { source, subaccountId }: Pick<MoveParts, "source" | "subaccountId">,
  work: () => Promise<T>,
): Promise<T> {
  const release = await holdMove(source, subaccountId);
  if (!release) throw new MoveRefused("Another command is moving this subaccount now.");
  try {
    return await work();
  } finally {
    await release();
  }
}
