// A month of payouts that were sent to banks, made by the service itself: bank connections, subaccounts with deposit
// references, receivers, and a bank batch for each planned file.

import { type BankConnection, openWindow } from "../../src/banking/connections/connection.ts";
import { connectBanks } from "../../src/banking/connections/connections.ts";
import { saveCsvMapping } from "../../src/banking/connections/csv-mapping.ts";
import { putConnection } from "../../src/banking/connections/save-connection.ts";
import { findBatch } from "../../src/banking/files/batch-queries.ts";
import { freezeBatches } from "../../src/banking/files/freeze.ts";
import { approveBatch, recordSent } from "../../src/banking/files/release.ts";
import { depositReferencesOf } from "../../src/money/ledger/deposit-reference-queries.ts";
import { fund } from "../../src/money/ledger/fund.ts";
import { createPayouts, toPayoutCreation } from "../../src/money/payouts/create.ts";
import { setPayoutLimit } from "../../src/money/payouts/limit-queries.ts";
import { type RailDirectory, railDirectory } from "../../src/money/rails/directory.ts";
import { createAccount } from "../../src/people/accounts/create.ts";
import { sandboxProvider } from "../../src/people/kyc-providers/sandbox.ts";
import { toReceiverCreation } from "../../src/people/receivers/create.ts";
import { insertReceivers } from "../../src/people/receivers/insert-queries.ts";
import { noScreening } from "../../src/people/screening/screener.ts";
import { type Caller, whoOf } from "../../src/platform/base/caller.ts";
import { newId } from "../../src/platform/base/ids.ts";
import type { Db } from "../../src/platform/db/connect.ts";
import type { Seal } from "../../src/platform/encryption/seal.ts";
import { createSubaccount } from "../../src/tenants/subaccounts/create.ts";
import { newPerson } from "../support/payers.ts";
import { type Draw, drawOf } from "./seeded-draw.ts";
import type { OwnAccount, SentFile } from "./statement-movements.ts";
import { accountPlans, type PlannedFile, paymentsFor, planFiles } from "./statement-plan.ts";
import { csvMappingOfGenerated } from "./statement-writers.ts";

export type SetupParts = { db: Db; seal: Seal };

export type SetupSize = {
  /** Of all statements together, about. */
  lines: number;
  /** The process dates. */
  days: readonly string[];
  payees: number;
  seed: number;
  /** Default: as many as suit the payments. */
  filesOfDay?: number;
};

/** An account of ours with what was sent from it, and the connection that the service knows it by. */
export type SentMonth = { account: OwnAccount; connection: BankConnection };

const subaccountsEach = 3;
const funds = 1_000_000_000_000n;
const creationsMax = 1_000;

type Payee = {
  caller: Caller;
  receiverId: string;
  accountId: string;
  account: string;
  name: string;
};

const formats = {
  AUD: {
    format: "pain.001.001.03-aud",
    settings: { debtor_name: "ACME", clearing_code: "062000" },
    details: { bsb: "083047", country: "AUS" },
    toNumber: (number: number) => String(number),
  },
  EUR: {
    format: "pain.001.001.09-eur",
    settings: { debtor_name: "ACME" },
    details: { bsb: "", country: "DEU" },
    toNumber: germanIban,
  },
};

function germanIban(number: number): string {
  const digits = `3704004400${number}`;
  return `DE${String(98n - (BigInt(`${digits}131400`) % 97n)).padStart(2, "0")}${digits}`;
}

/** `index` says which of the planned accounts. */
export async function sendMonth(
  parts: SetupParts,
  index: number,
  { lines, days, payees: payeesMax, seed, filesOfDay }: SetupSize,
): Promise<SentMonth> {
  const plan = accountPlans[index] as (typeof accountPlans)[number];
  const { currency } = plan;
  const draw = drawOf(seed + index * 1000);
  const callers: Caller[] = [];
  for (let made = 0; made < subaccountsEach; made += 1) {
    callers.push(await newPayer(parts, currency, `Payer ${index}-${made}`));
  }
  const ids = callers.map(({ subaccountId }) => subaccountId);
  const rails = railDirectory([]);
  const connection = await connect({ ...parts, rails }, index, ids);
  await saveMapping(parts, connection);
  const payees = await addPayees(parts, callers, { currency, payees: payeesMax, draw });
  const about = { days, payments: paymentsFor(lines), payees: payees.length, filesOfDay };
  const planned = planFiles(draw, about);
  const files: SentFile[] = [];
  for (const file of planned) {
    files.push(await sendFile({ ...parts, rails }, connection, payees, file));
  }
  const depositors = await Promise.all(
    ids.map(async (subaccountId) => {
      const references = await depositReferencesOf(parts.db, subaccountId, [currency]);
      return { subaccountId, reference: references.get(currency) ?? "" };
    }),
  );
  const { account_number: number } = connection.settings as { account_number: string };
  const account = { ...plan, number, opening: 5_000_000_000n, files, depositors };
  return { account, connection };
}

async function newPayer({ db, seal }: SetupParts, currency: string, name: string): Promise<Caller> {
  const { subaccountId, key } = await createSubaccount({ db, seal }, { name, mode: "live" });
  const money = { subaccountId, currency, amount: funds, reference: "first", who: "test", atMs: 1 };
  const noLimit = {
    perPayoutMax: undefined,
    perDayMax: undefined,
    approvalAbove: undefined,
    batchApprovalAbove: undefined,
    receiverDayApprovalAbove: undefined,
    accountDayApprovalAbove: undefined,
  };
  await db.transaction(async (tx) => {
    await fund(tx, money);
    await setPayoutLimit(tx, { subaccountId, currency }, noLimit);
  });
  return { subaccountId, mode: "live", key, requestId: newId(), nonce: undefined };
}

async function connect(
  { db, seal, rails }: SetupParts & { rails: RailDirectory },
  index: number,
  subaccountIds: readonly string[],
): Promise<BankConnection> {
  const { currency } = accountPlans[index] as { currency: keyof typeof formats };
  const { format, settings, toNumber } = formats[currency];
  const account_number = toNumber(70_000_001 + index * 11_111);
  const input = {
    name: `bank ${index}`,
    format,
    subaccount_ids: subaccountIds,
    settings: { ...settings, account_number },
  };
  const { after } = await db.transaction((tx) =>
    putConnection({ tx, seal }, input, { who: "operator:admin", atMs: Date.now() }),
  );
  const connections = await connectBanks({ db, seal, rails });
  return connections.find(({ id }) => id === after.id) as BankConnection;
}

function saveMapping({ db }: SetupParts, { id }: BankConnection): Promise<unknown> {
  const saving = { input: csvMappingOfGenerated, who: "operator:admin", atMs: Date.now() };
  return db.transaction((tx) => saveCsvMapping(tx, id, saving));
}

const provider = sandboxProvider({ delayMs: 0 });

async function addPayees(
  { db, seal }: SetupParts,
  callers: readonly Caller[],
  { currency, payees: count, draw }: { currency: string; payees: number; draw: Draw },
): Promise<Payee[]> {
  const { details, toNumber } = formats[currency as keyof typeof formats];
  const payees: Payee[] = [];
  for (let made = 0; made < count; made += 1) {
    const caller = callers[made % callers.length] as Caller;
    const { subaccountId } = caller;
    const account = toNumber(20_000_000 + made * 1000 + draw.below(999));
    const last_name = [..."abcdefghij"].map(() => draw.pick([..."aeiourstlm"])).join("");
    await db.transaction(async (tx) => {
      const { row } = toReceiverCreation(
        caller,
        { ...newPerson(), last_name },
        { provider, screener: noScreening, seal, who: "test" },
      );
      const decided = { status: "active", kyc_status: "completed" } as const;
      const noStep = { kyc_step: undefined, kyc_due_at_ms: undefined };
      await insertReceivers(tx, [{ ...row, ...decided, ...noStep }]);
      const given = { receiver_id: row.id, account_type: "I", ...details, account_number: account };
      const { account_id } = await createAccount(
        { tx, seal, screener: noScreening },
        { subaccountId, who: whoOf(caller) },
        given,
      );
      const name = `Ada ${last_name}`;
      payees.push({ caller, receiverId: row.id, accountId: account_id, account, name });
    });
  }
  return payees;
}

async function sendFile(
  { db, seal, rails }: SetupParts & { rails: RailDirectory },
  connection: BankConnection,
  payees: readonly Payee[],
  { day, payments }: PlannedFile,
): Promise<SentFile> {
  const { currency } = connection.row;
  const sent = payments.map(({ payee, amount, reference }) => {
    const { caller, receiverId, accountId, account, name } = payees[payee] as Payee;
    const request = {
      receiverId,
      accountId,
      amount,
      currency,
      reference,
      note: "",
      allowDuplicate: true,
      sendOn: "",
      statementReference: "",
      purpose: "",
    };
    const creation = toPayoutCreation(caller, request, { who: "test" });
    return { creation, payment: { payoutId: creation.id, amount, account, name, reference } };
  });
  for (let start = 0; start < sent.length; start += creationsMax) {
    const creations = sent.slice(start, start + creationsMax).map(({ creation }) => creation);
    const outcomes = await createPayouts({ db, rails }, creations);
    const refused = outcomes.find((outcome) => typeof outcome === "string" || "refused" in outcome);
    if (refused) throw new Error(`a payout was refused: ${JSON.stringify(refused)}`);
  }
  const window = windowOn(connection, day);
  await db.pool.query(
    `update payout set process_date = $2, due_at_ms = $3 where rail = $1 and stage = 'queued'`,
    [connection.rail, day, window.freezesAtMs],
  );
  const atMs = window.freezesAtMs;
  const request = { who: "rail:x", atMs, window };
  const [batchId, ...others] = await freezeBatches({ db, seal }, connection, request);
  if (batchId === undefined || others.length > 0) throw new Error("there must be one file");
  const { file_sha256: sha256, payouts } = (await findBatch(db, batchId)) ?? {};
  if (sha256 === undefined || payouts !== payments.length) throw new Error("a payout is missing");
  for (const who of ["operator:a", "operator:b"]) {
    const place = { id: batchId, row: connection.row };
    await db.transaction((tx) => approveBatch(tx, place, { who, atMs, sha256 }));
  }
  const sending = { id: batchId, bankReference: "", who: "operator:a", atMs };
  await db.transaction((tx) => recordSent(tx, connection, sending));
  return { batchId, day, payments: sent.map(({ payment }) => payment) };
}

/** The window of a past day. */
function windowOn(connection: BankConnection, day: string) {
  const { freezesAtMs } = { ...openWindow(connection, Date.parse(day)) };
  const cutoffMs = freezesAtMs + 3_600_000;
  return { processDate: day, freezesAtMs, cutoffMs };
}
