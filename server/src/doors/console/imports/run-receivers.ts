// Imports a file of receivers: rows without problems are created, each once, and progress is reported.

import { hash } from "node:crypto";
import {
  checkReceivers,
  insertFileImport,
  receiversOfRows,
  receiversToCreate,
} from "../../../money/imports/index.ts";
import type { KycProviders } from "../../../people/kyc-providers/index.ts";
import type { Screener } from "../../../people/screening/index.ts";
import { type Caller, newId } from "../../../platform/base/index.ts";
import type { Seal } from "../../../platform/encryption/index.ts";
import { Refusal } from "../../../platform/refusals/index.ts";
import { type Actor, audited } from "../../../tenants/audit/index.ts";
import { rowCallers } from "./row-callers.ts";
import { type RunParts, runRows } from "./run-rows.ts";
import type { ImportLine, ReceiverFileToImport } from "./schema.ts";

export type ReceiverImportParts = RunParts & {
  seal: Seal;
  providers: KycProviders;
  screener: Screener;
  /** Called after a commit that made an identity check due. */
  onDue?: (() => void) | undefined;
};

type Importing = { actor: Actor; caller: Caller; stillMay: () => Promise<boolean> };

/** Refuses a file without a row to create. Reading the result creates the receivers. */
export async function importReceivers(
  parts: ReceiverImportParts,
  { actor, caller, stillMay }: Importing,
  { csv, file_name: fileName = "" }: ReceiverFileToImport,
): Promise<AsyncGenerator<ImportLine>> {
  const { db, seal, providers, screener, onDue } = parts;
  const { subaccountId, mode } = caller;
  const { counts, toCreate } = await checkReceivers(db, { subaccountId, csv });
  if (counts.ready === 0) throw new Refusal("CONS511");
  const total = toCreate.size;
  const id = newId();
  const key = { subaccountId, id };
  await audited({ db, seal }, actor).transaction(
    {
      action: "receivers.import",
      object: { kind: "batch", id },
      after: { rows: counts.ready, file_sha256: hash("sha256", csv) },
    },
    (tx) =>
      insertFileImport(tx, key, {
        kind: "receivers",
        fileName,
        rows: total,
        who: actor.who,
        atMs: Date.now(),
      }),
  );
  const creating = { db, seal, provider: providers[mode], screener, who: actor.who };
  return runRows(parts, {
    key,
    total,
    rows: receiversToCreate(csv, toCreate),
    creator: receiversOfRows(creating, rowCallers(caller)),
    stillMay,
    onCreated: () => onDue?.(),
  });
}
