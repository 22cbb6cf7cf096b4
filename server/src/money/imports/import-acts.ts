// Imports a file of payouts, receivers or accounts: each row is created once, and progress is reported. Of payouts, the totals that the
// user typed are compared with the file before.

import Type, { type Static } from "typebox";
import { newId } from "../../platform/base/index.ts";
import { input, line, optional, required } from "../../platform/fields/index.ts";
import { problem, Refusal } from "../../platform/refusals/index.ts";
import { type ActBy, type ActParts, call, callerOf } from "../../tenants/acts/index.ts";
import { audited } from "../../tenants/audit/index.ts";
import type { PayoutActParts } from "../payouts/index.ts";
import { accountsOfRows, type NewPayeeParts } from "./accounts-of-rows.ts";
import { checkAccounts } from "./check-accounts.ts";
import { type CheckedFile, type CheckParts, checkFile } from "./check-file.ts";
import { checkReceivers } from "./check-receivers.ts";
import { createNewPayees, mayCreatePayees } from "./create-new-payees.ts";
import { type ImportKey, insertFileImport } from "./file-import-queries.ts";
import { importLimits } from "./import-limits.ts";
import type { Row } from "./import-rows.ts";
import { type FileKind, saveImportMapping } from "./mapping-queries.ts";
import type { GivenFile } from "./opened-file.ts";
import { payoutRequestOf } from "./payout-file.ts";
import type { BalanceSurvey } from "./payout-survey.ts";
import { payoutsOfRows } from "./payouts-of-rows.ts";
import { readable } from "./readable.ts";
import type { RememberedReading } from "./reading-plan.ts";
import { receiversOfRows } from "./receivers-of-rows.ts";
import { type RunParts, runRows } from "./run-rows.ts";
import type { ImportLine } from "./schema.ts";
import { keepWaitingRows } from "./waiting-rows.ts";

type ImportStart = {
  kind: FileKind;
  fileName: string;
  /** How many rows will be created. */
  rows: number;
  retryOf?: string | undefined;
  /** For the audit log. */
  facts: Record<string, unknown>;
  /** How the file was read, for the next one. */
  remember?: RememberedReading;
};

/** One audit entry for the whole import, before the first row. Created rows name the actor themselves. */
export async function startImport(
  parts: Pick<ActParts, "db" | "seal">,
  by: ActBy,
  { kind, facts, remember, ...file }: ImportStart,
): Promise<ImportKey> {
  const { subaccountId } = callerOf(by);
  const key = { subaccountId, id: newId() };
  const { actor } = by;
  await audited(parts, actor).transaction(
    { action: `${kind}.import`, object: { kind: "batch", id: key.id }, after: facts },
    async (tx) => {
      const { who } = actor;
      const atMs = Date.now();
      await insertFileImport(tx, key, { kind, ...file, who, atMs });
      if (remember) await saveImportMapping(tx, { subaccountId, kind }, remember, { who, atMs });
    },
  );
  return key;
}

const ofFile = { object: "batch", in: "open subaccount", doors: ["console"] } as const;
const told = {
  content: required(Type.Unsafe<Uint8Array>({ description: "The bytes of the file" })),
  columns: optional(
    Type.Record(
      Type.String({ maxLength: 64 }),
      Type.Integer({ minimum: 0, maximum: importLimits.columnsMax }),
      {
        description: "The column of each field, from 0. Found by their names if absent",
      },
    ),
  ),
  fixed: optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 200 }), {
      description: "The value of a field that has no column, for every row",
    }),
  ),
  decimal: optional(
    Type.String({ enum: [".", ","], description: "What stands before the decimals of amounts" }),
  ),
  edits: optional(
    Type.Array(
      Type.Object(
        {
          row: Type.Integer({ minimum: 1 }),
          field: Type.String({ maxLength: 64 }),
          value: Type.String({ maxLength: 1000 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: importLimits.editsMax, description: "Texts that the user wrote over cells" },
    ),
  ),
};
const file_name = optional(
  Type.String({
    maxLength: importLimits.fileNameCharsMax,
    pattern: line,
    description: "As the user's computer names it",
  }),
);

export const FileToCheck = input(told);

type ToldFile = Static<typeof FileToCheck>;

export function givenFileOf({ content, decimal, ...reading }: ToldFile): GivenFile {
  if (!(content instanceof Uint8Array)) throw new Refusal([problem("CONS107", "content")]);
  return { content, told: { ...reading, decimal: decimal as "." | "," | undefined } };
}

export type PayoutImportParts = NewPayeeParts & CheckParts & RunParts & PayoutActParts;

const new_payees = optional(
  Type.Object(
    { receivers: Type.Integer({ minimum: 0 }), accounts: Type.Integer({ minimum: 0 }) },
    {
      additionalProperties: false,
      description: "How many new receivers and accounts the user agreed to create. Absent: none",
    },
  ),
);

const totals = required(
  Type.Array(Type.Object({ currency: Type.String(), amount: Type.Integer({ minimum: 0 }) }), {
    description: "The totals that the user typed, in minor units of each currency",
  }),
);

/** Creates the rows without problems. Refuses unconfirmed totals. Reading the result creates the payouts. */
export const importPayoutsAct = call({
  ...ofFile,
  name: "payouts.import",
  summary: "create the payouts of a CSV or Excel file",
  may: "payouts.create",
  stepUp: true,
  twoPeople: "Create a payout: alone, in a batch, from a file, as a retry",
  input: input({
    ...told,
    file_name,
    retry_of: optional(Type.String({ format: "uuid" })),
    totals,
    new_payees,
  }),
  async perform(
    parts: PayoutImportParts,
    by,
    { totals, new_payees, file_name = "", retry_of, ...given },
  ) {
    const { db, rails, onPayoutDue } = parts;
    const caller = callerOf(by);
    const { subaccountId, mode } = caller;
    const opened = givenFileOf(given);
    const file = await readable(() => checkFile(parts, { ...opened, subaccountId, mode }));
    const { problemCount, problems, balances, toCreate, sha256 } = file;
    const rows = toCreate.length;
    const [first] = problems;
    const isWithPayees = new_payees !== undefined;
    if (rows === 0 && !isWithPayees && first) {
      const message = `${problemCount} problems, the first in row ${first.row}: ${first.message}`;
      throw new Refusal("CONS503", { message });
    }
    if (rows === 0 && !isWithPayees) throw new Refusal("CONS511");
    if (isWithPayees) requireAgreedPayees(by, file, new_payees);
    if (!isAgreed(balances, totals)) throw new Refusal([problem("CONS504", "totals")]);
    const agreed = balances.map(({ currency, payouts, amount }) => ({ currency, payouts, amount }));
    const key = await startImport(parts, by, {
      kind: "payouts",
      fileName: file_name,
      rows,
      retryOf: retry_of,
      facts: {
        rows,
        file_sha256: sha256,
        ...changesOf(given, file.wrongRows + file.waiting.count),
        totals: agreed,
        ...(isWithPayees && {
          new_receivers: new_payees.receivers,
          new_accounts: new_payees.accounts,
        }),
      },
      remember: file.toRemember,
    });
    const batchTotals = new Map(agreed.map(({ currency, amount }) => [currency, amount]));
    return runRows(parts, {
      key,
      total: rows,
      rows: inOne(toCreate),
      creator: payoutsOfRows({ db, rails, caller, batchId: key.id, batchTotals }),
      by,
      onCreated: () => onPayoutDue?.(),
      requestOf: payoutRequestOf,
      first: beforeRows(parts, by, { key, file, isWithPayees }),
    });
  },
});

/** Keeps the rows that wait once it is known what they wait for. */
async function* beforeRows(
  parts: PayoutImportParts,
  by: ActBy,
  { key, file, isWithPayees }: { key: ImportKey; file: CheckedFile; isWithPayees: boolean },
): AsyncGenerator<ImportLine> {
  if (isWithPayees) yield* createNewPayees(parts, by, file.newPayees);
  await keepWaitingRows(parts, key, file.waiting.toKeep);
}

/** What was shown is what is created: another user may have created some of it since. */
function requireAgreedPayees(
  by: ActBy,
  { newPayees: { receivers, accounts } }: CheckedFile,
  agreed: NonNullable<Static<typeof new_payees>>,
): void {
  if (!mayCreatePayees(by)) throw new Refusal("CONS102");
  if (agreed.receivers === receivers.size && agreed.accounts === accounts.size) return;
  throw new Refusal("CONS514");
}

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

/** What the user changed or left out, for the audit log. */
function changesOf({ edits = [] }: Pick<ToldFile, "edits">, leftOut: number) {
  return {
    ...(edits.length > 0 && { cells_corrected: edits.length }),
    ...(leftOut > 0 && { rows_left_out: leftOut }),
  };
}

async function* inOne(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows;
}

export type ReceiverImportParts = NewPayeeParts & RunParts;

/** Refuses a file without a row to create. Reading the result creates the receivers. */
export const importReceiversAct = call({
  ...ofFile,
  name: "receivers.import",
  summary: "create the receivers of a CSV or Excel file",
  may: "receivers.write",
  input: input({ ...told, file_name }),
  async perform(parts: ReceiverImportParts, by, { file_name = "", ...given }) {
    const { db, seal, providers, screener, onDue } = parts;
    const caller = callerOf(by);
    const { subaccountId, mode } = caller;
    const opened = givenFileOf(given);
    const checked = await readable(() => checkReceivers(db, { ...opened, subaccountId }));
    const { counts, toCreate, sha256: file_sha256, toRemember: remember } = checked;
    if (counts.ready === 0) throw new Refusal("CONS511");
    const total = toCreate.length;
    const facts = {
      rows: counts.ready,
      file_sha256,
      ...changesOf(given, counts.problem + counts.duplicate),
    };
    const file = { kind: "receivers", fileName: file_name, rows: total, facts, remember } as const;
    const key = await startImport(parts, by, file);
    const creating = { db, seal, provider: providers[mode], screener, caller };
    const rows = inOne(toCreate);
    const creator = receiversOfRows(creating);
    return runRows(parts, { key, total, rows, creator, by, onCreated: () => onDue?.() });
  },
});

/** Refuses a file without an account to add. Reading the result adds the accounts, which wait for another user. */
export const importAccountsAct = call({
  ...ofFile,
  name: "accounts.import",
  summary: "add the accounts of a CSV or Excel file to receivers",
  may: "accounts.propose",
  twoPeople:
    "Add or change an account of a receiver, at the console or by a notification of the bank",
  input: input({ ...told, file_name }),
  async perform(parts: ReceiverImportParts, by, { file_name = "", ...given }) {
    const { subaccountId } = callerOf(by);
    const opened = givenFileOf(given);
    const checked = await readable(() => checkAccounts(parts, { ...opened, subaccountId }));
    const { counts, toCreate, sha256: file_sha256, toRemember: remember } = checked;
    if (toCreate.length === 0) throw new Refusal("CONS511");
    const total = toCreate.length;
    const facts = { rows: total, file_sha256, ...changesOf(given, counts.problem) };
    const file = { kind: "accounts", fileName: file_name, rows: total, facts, remember } as const;
    const key = await startImport(parts, by, file);
    const rows = inOne(toCreate);
    const creator = accountsOfRows(parts, by);
    return runRows(parts, { key, total, rows, creator, by, onCreated() {} });
  },
});
