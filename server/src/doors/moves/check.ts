// The checks of a move: two cells of one fleet, an empty place in the target, and nothing that only the source can finish.

import { bankRailPrefix } from "../../money/rails/index.ts";
import { provesMasterKey } from "../../tenants/installation/index.ts";
import {
  hasSubaccount,
  listConnectionIdentities,
  listOccupiedTables,
  listUnfitTables,
  readBankObstacles,
  readCellFacts,
} from "./check-queries.ts";
import { cellNameOf, type MoveParts, MoveRefused } from "./move.ts";
import { findMove } from "./move-queries.ts";

type Checked = Pick<MoveParts, "source" | "target" | "seal" | "subaccountId" | "cells">;

/** Whether the two belong together: before the keys of the source are brought to the target. */
export async function checkFleet(checked: Omit<Checked, "subaccountId">): Promise<void> {
  const { source, target, seal, cells } = checked;
  const [here, there] = [await readCellFacts(source), await readCellFacts(target)];
  if (!here || !there) throw new MoveRefused("The target holds no Disburse data. Start it once.");
  if (here.identity === there.identity) {
    throw new MoveRefused(
      "Source and target are the same database. Name the database of another cell.",
    );
  }
  if (cellNameOf(there.cell) !== cells.target || here.cell === there.cell) {
    throw new MoveRefused(
      `The database of the target is that of the cell ${cellNameOf(there.cell)}. Name another cell than this one, and its database.`,
    );
  }
  if (here.migrations !== there.migrations) {
    throw new MoveRefused(
      "The two cells have different versions of the schema. Run the same version of Disburse in both.",
    );
  }
  if (here.merchant_id !== there.merchant_id) {
    throw new MoveRefused(
      "The two cells have different merchant ids. Cells of one fleet share one.",
    );
  }
  // Where the target has data keys, the id of the original one is compared when the keys are brought there.
  if (!there.has_data_keys && !provesMasterKey(seal, there.master_key_check)) {
    throw new MoveRefused("The target has another master key, so it could not read the secrets.");
  }
  if (here.is_quarantined || there.is_quarantined) {
    throw new MoveRefused(
      `The ${here.is_quarantined ? "source" : "target"} is in quarantine. Release it first: disburse restore release`,
    );
  }
  if (here.wal_level !== "logical") {
    throw new MoveRefused(
      `wal_level of the source is ${here.wal_level}. Run "alter system set wal_level = logical" there and restart PostgreSQL.`,
    );
  }
}

/** Before anything is created. */
export async function checkCells(checked: Checked): Promise<void> {
  const { source, target, subaccountId } = checked;
  await checkFleet(checked);
  const unfit = await listUnfitTables(source);
  if (unfit.length > 0) {
    throw new MoveRefused(
      `These tables lack a replica identity with the subaccount: ${unfit.join(", ")}.`,
    );
  }
  if (!(await hasSubaccount(source, subaccountId))) {
    throw new MoveRefused(`There is no subaccount ${subaccountId} in the source.`);
  }
  const left = await findMove(target, subaccountId);
  if (left?.has_moved) {
    throw new MoveRefused(
      "The target still has the rows of an earlier move away from it. Run there: disburse subaccount purge",
    );
  }
  if (left) {
    throw new MoveRefused(
      "The target has a record of another move of this subaccount. Abandon that move first.",
    );
  }
  const occupied = await listOccupiedTables(target, subaccountId);
  if (occupied.length > 0) {
    throw new MoveRefused(
      `The target has rows of this subaccount already: ${occupied.join(", ")}.`,
    );
  }
}

/** Before the copy, and again while it is frozen. Returns the rails of the target for those of the source. */
export async function checkBanks({
  source,
  target,
  subaccountId,
}: Pick<MoveParts, "source" | "target" | "subaccountId">): Promise<Map<string, string>> {
  const { with_bank, open_recalls, rails } = await readBankObstacles(source, subaccountId);
  if (with_bank > 0) {
    throw new MoveRefused(
      `${with_bank} payouts of the subaccount are in a bank file or with the bank. Move it when the bank has settled or returned them: the bank answers the cell that sent the file.`,
    );
  }
  if (open_recalls > 0) {
    throw new MoveRefused(
      `${open_recalls} recalls of the subaccount are open. Decide them first: the bank answers the cell that asked.`,
    );
  }
  const ids = rails.map((rail) => rail.slice(bankRailPrefix.length));
  const ours = ids.length > 0 ? await listConnectionIdentities(source, ids) : [];
  const theirs = ids.length > 0 ? await listConnectionIdentities(target) : [];
  return new Map(
    ids.map((id) => {
      const mine = ours.find((one) => one.id === id);
      const same = theirs.find(
        ({ name, format, currency }) =>
          name === mine?.name && format === mine.format && currency === mine.currency,
      );
      if (!same) {
        throw new MoveRefused(
          `Payouts wait for the bank connection ${mine?.name ?? id}. Add one with the same name, format and currency to the target.`,
        );
      }
      return [bankRailPrefix + id, bankRailPrefix + same.id];
    }),
  );
}
