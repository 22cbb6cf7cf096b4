// Imports a file of payouts or receivers: each row is created once, and progress is reported. Of payouts, the totals that the
// user typed are compared with the file before.

import { hash } from "node:crypto";
import Type, { type Static } from "typebox";
import type { KycProviders } from "../../people/kyc-providers/index.ts";
import type { Screener } from "../../people/screening/index.ts";
import { newId } from "../../platform/base/index.ts";
import { input, line, optional, required } from "../../platform/fields/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, callerOf } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import type { PayoutActParts } from "../payouts/index.ts";
import { type CheckParts, checkFile, rowsOf } from "./check-file.ts";
import { checkReceivers, receiversToCreate } from "./check-receivers.ts";
import type { Row } from "./csv-rows.ts";
import { type ImportKey, insertFileImport } from "./file-import-queries.ts";
import { importLimits } from "./import-limits.ts";
import { payoutRequestOf } from "./payout-file.ts";
import type { BalanceSurvey } from "./payout-survey.ts";
import { payoutsOfRows } from "./payouts-of-rows.ts";
import { readable } from "./readable.ts";
import { receiversOfRows } from "./receivers-of-rows.ts";
import { type RunParts, runRows } from "./run-rows.ts";

type ImportStart = {
  kind: "payouts" | "receivers";
  fileName: string;
  /** How many rows will be created. */
  rows: number;
  retryOf?: string | undefined;
  /** For the audit log. */
  facts: Record<string, unknown>;
};

/** One audit entry for the whole import, before the first row. Created rows name the actor themselves. */
export async function startImport(
  parts: Pick<ActParts, "db" | "seal">,
  by: ActBy,
  { kind, facts, ...file }: ImportStart,
): Promise<ImportKey> {
  const { subaccountId } = callerOf(by);
  const key = { subaccountId, id: newId() };
  const { actor } = by;
  await audited(parts, actor).transaction(
    { action: `${kind}.import`, object: { kind: "batch", id: key.id }, after: facts },
    (tx) => insertFileImport(tx, key, { kind, ...file, who: actor.who, atMs: Date.now() }),
  );
  return key;
}

const ofFile = { object: "batch", in: "open subaccount", doors: ["console"] } as const;
const csv = required(Type.String({ minLength: 1, description: "The file, as text" }));
const file_name = optional(
  Type.String({
    maxLength: importLimits.fileNameCharsMax,
    pattern: line,
    description: "As the user's computer names it",
  }),
);

export const FileToCheck = input({ csv });

export type PayoutImportParts = ActParts & CheckParts & RunParts & PayoutActParts;

const totals = required(
  Type.Array(Type.Object({ currency: Type.String(), amount: Type.Integer({ minimum: 0 }) }), {
    description: "The totals that the user typed, in minor units of each currency",
  }),
);

/** Refuses a file with errors or unconfirmed totals. Reading the result creates the payouts. */
export const importPayoutsAct = call({
  ...ofFile,
  name: "payouts.import",
  summary: "create the payouts of a CSV file",
  may: "payouts.create",
  stepUp: true,
  twoPeople: "Create a payout: alone, in a batch, from a file, as a retry",
  input: input({ csv, file_name, retry_of: optional(Type.String({ format: "uuid" })), totals }),
  async perform(parts: PayoutImportParts, by, { csv, totals, file_name = "", retry_of }) {
    const { db, rails, onPayoutDue } = parts;
    const caller = callerOf(by);
    const { subaccountId, mode } = caller;
    const file = await readable(() => checkFile(parts, { subaccountId, mode, csv }));
    const { rows, problemCount, problems, balances } = file;
    const [first] = problems;
    if (first) {
      const message = `${problemCount} problems, the first in row ${first.row}: ${first.message}`;
      throw new Refusal("CONS503", { message });
    }
    if (!isAgreed(balances, totals)) throw new Refusal([problem("CONS504", "totals")]);
    const agreed = balances.map(({ currency, payouts, amount }) => ({ currency, payouts, amount }));
    const key = await startImport(parts, by, {
      kind: "payouts",
      fileName: file_name,
      rows,
      retryOf: retry_of,
      facts: { rows, file_sha256: hash("sha256", csv), totals: agreed },
    });
    const batchTotals = new Map(agreed.map(({ currency, amount }) => [currency, amount]));
    return runRows(parts, {
      key,
      total: rows,
      rows: justRows(csv),
      creator: payoutsOfRows({ db, rails, caller, batchId: key.id, batchTotals }),
      by,
      onCreated: () => onPayoutDue?.(),
      requestOf: payoutRequestOf,
    });
  },
});

/** The totals must name exactly the currencies of the file. */
function isAgreed(
  balances: readonly BalanceSurvey[],
  agreed: readonly Static<typeof totals>[number][],
): boolean {
  const typed = new Map(agreed.map(({ currency, amount }) => [currency, BigInt(amount)]));
  const due = balances.filter(({ payouts }) => payouts > 0);
  return (
    typed.size === due.length && due.every(({ currency, amount }) => typed.get(currency) === amount)
  );
}

async function* justRows(csv: string): AsyncGenerator<Row[]> {
  for await (const { rows } of rowsOf(csv)) yield rows;
}

export type ReceiverImportParts = ActParts &
  RunParts & {
    providers: KycProviders;
    screener: Screener;
    /** Called after a commit that made an identity check due. */
    onDue?: (() => void) | undefined;
  };

/** Refuses a file without a row to create. Reading the result creates the receivers. */
export const importReceiversAct = call({
  ...ofFile,
  name: "receivers.import",
  summary: "create the receivers of a CSV file",
  may: "receivers.write",
  input: input({ csv, file_name }),
  async perform(parts: ReceiverImportParts, by, { csv, file_name = "" }) {
    const { db, seal, providers, screener, onDue } = parts;
    const caller = callerOf(by);
    const { subaccountId, mode } = caller;
    const { counts, toCreate } = await readable(() => checkReceivers(db, { subaccountId, csv }));
    if (counts.ready === 0) throw new Refusal("CONS511");
    const total = toCreate.size;
    const facts = { rows: counts.ready, file_sha256: hash("sha256", csv) };
    const file = { kind: "receivers", fileName: file_name, rows: total, facts } as const;
    const key = await startImport(parts, by, file);
    const creating = { db, seal, provider: providers[mode], screener, caller };
    const rows = receiversToCreate(csv, toCreate);
    const creator = receiversOfRows(creating);
    return runRows(parts, { key, total, rows, creator, by, onCreated: () => onDue?.() });
  },
});
