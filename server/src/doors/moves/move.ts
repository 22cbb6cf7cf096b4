// The move of a subaccount to another cell: its steps, and what both cells record about it.

import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import type { Actor } from "../../tenants/audit/index.ts";

/** In this order. Calling the command again goes on at the step that the source has recorded. */
export const moveSteps = [
  // Both cells record the move and guard its tables. The target refuses all work for the subaccount.
  "prepared",
  // The subscription copies the rows.
  "copying",
  // All tables are copied, and the target follows.
  "following",
  // Background work of the source skips the subaccount. Its API goes on.
  "draining",
  // The source refuses writes and requests. The freeze expires by itself.
  "frozen",
  // The source has given the subaccount up. From here on the move can only be finished.
  "moved",
  // The target works with it, and nothing of the replication is left.
  "done",
] as const;
export type MoveStep = (typeof moveSteps)[number];

export function isAtLeast(step: MoveStep, other: MoveStep): boolean {
  return moveSteps.indexOf(step) >= moveSteps.indexOf(other);
}

export type MoveParts = {
  /** As the owner of the tables: the service's role may not create triggers and publications. */
  source: Db;
  target: Db;
  seal: Seal;
  subaccountId: string;
  /** The connection string by which the target's PostgreSQL reaches the source. */
  sourceConnection: string;
  /** The names of the cells, as `cellNameOf` says. */
  cells: { source: string; target: string };
  actor: Actor;
  /** Where the audit entries are written: a name for the move with this id. */
  auditFile: (moveId: string) => string;
  /** Stops before the next step, without a freeze left behind. */
  signal: AbortSignal;
  onStep?: (step: MoveStep, what: string) => void;
};

/** The cell without a name is the default one. */
export const cellNameOf = (cell: string) => cell || "default";

/** Why a move can't begin or go on. The command prints it. */
export class MoveRefused extends Error {}

/** The move was stopped on request. Calling the command again goes on. */
export class MoveStopped extends Error {}

export function goOnUnlessStopped(signal: AbortSignal): void {
  if (signal.aborted)
    throw new MoveStopped("The move has stopped. Run the command again to go on.");
}

/** The publication, the slot and the subscription share this name. */
export function replicationName(subaccountId: string): string {
  return `disburse_move_${subaccountId.replaceAll("-", "")}`;
}

/** A time that never comes, in milliseconds: the latest that JavaScript knows. */
export const neverMs = 8_640_000_000_000_000;
