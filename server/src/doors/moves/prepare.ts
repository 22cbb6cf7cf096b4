// The first steps of a move: both cells record it and guard their tables, then the rows are copied and followed.

import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../../platform/base/index.ts";
import { checkBanks, checkCells } from "./check.ts";
import { addGuards } from "./guard-queries.ts";
import { goOnUnlessStopped, type MoveParts, MoveRefused, neverMs } from "./move.ts";
import { findMove, insertMove, type MoveRow, updateMoveStep } from "./move-queries.ts";
import {
  createPublication,
  createSlot,
  createSubscription,
  readCopyState,
  readMarker,
  writeMarker,
} from "./replication-queries.ts";

const pollMs = 100;
/** The target may be behind by this much before the freeze. */
const lagMaxMs = 1_000;

/** Begins a move, or returns the one in progress. */
export async function beginMove(parts: MoveParts): Promise<MoveRow> {
  const { source, target, subaccountId, cells } = parts;
  let ours = await findMove(source, subaccountId);
  if (ours && (ours.side !== "source" || ours.other_cell !== cells.target)) {
    throw new MoveRefused(
      `The subaccount has a move ${ours.side === "source" ? "to" : "from"} the cell ${ours.other_cell}. Finish or abandon that one first.`,
    );
  }
  if (!ours) {
    await checkCells(parts);
    await checkBanks(parts);
    const id = newId();
    const move = { subaccountId, id, step: "prepared" as const };
    await insertMove(source, {
      ...move,
      side: "source",
      other_cell: cells.target,
      stopsUntilMs: 0,
    });
    ours = (await findMove(source, subaccountId)) as MoveRow;
  }
  if (ours.has_moved) return ours;
  const { id } = ours;
  // Before any row is there: the target's workers and its API must not work with a half-copied subaccount.
  const joining = { side: "target", step: "prepared", other_cell: cells.source } as const;
  await insertMove(target, { ...joining, subaccountId, id, stopsUntilMs: neverMs });
  const theirs = await findMove(target, subaccountId);
  if (theirs?.id !== id) throw new MoveRefused("The target has a record of another move.");
  return ours;
}

/** Each part is left as it is where it is there already. */
export async function startReplication(parts: MoveParts): Promise<void> {
  const { source, target, subaccountId, sourceConnection, onStep } = parts;
  onStep?.("prepared", "guards the tables in both cells");
  await addGuards(target, subaccountId);
  await addGuards(source, subaccountId);
  goOnUnlessStopped(parts.signal);
  await createPublication(source, subaccountId);
  await createSlot(source, subaccountId);
  await createSubscription(target, subaccountId, sourceConnection);
  await recordStep(parts, "copying");
}

export async function recordStep(
  { source, target, subaccountId }: MoveParts,
  step: "copying" | "following" | "draining",
): Promise<void> {
  await updateMoveStep(target, subaccountId, step);
  await updateMoveStep(source, subaccountId, step);
}

/** Resolves when all tables are copied and the target is behind by little. */
export async function waitUntilFollowing(parts: MoveParts): Promise<void> {
  const { target, subaccountId, signal, onStep } = parts;
  let shown = -1;
  for (;;) {
    goOnUnlessStopped(signal);
    const { ready, tables } = await readCopyState(target, subaccountId);
    if (ready !== shown) onStep?.("copying", `${ready} of ${tables} tables are copied`);
    shown = ready;
    if (tables > 0 && ready === tables) break;
    await sleep(pollMs);
  }
  for (;;) {
    const startMs = performance.now();
    await waitUntilReceived(parts, signal);
    const lagMs = Math.round(performance.now() - startMs);
    onStep?.("following", `the target is ${lagMs} ms behind`);
    if (lagMs <= lagMaxMs) return;
  }
}

/** Resolves when the target has all that the source has committed before this call. */
export async function waitUntilReceived(
  { source, target, subaccountId }: Pick<MoveParts, "source" | "target" | "subaccountId">,
  signal: AbortSignal,
): Promise<void> {
  const number = await writeMarker(source, subaccountId);
  while ((await readMarker(target, subaccountId)) < number) {
    goOnUnlessStopped(signal);
    await sleep(2);
  }
}
