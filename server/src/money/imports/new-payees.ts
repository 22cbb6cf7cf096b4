// Finds which rows of a file of payouts pay new receivers or to new accounts, and what has to be created first. Rows about one
// new receiver make one proposal, and so do rows about one new account. Nothing is created here.

import { rulesFor } from "../../people/account-rules/index.ts";
import {
  isProposedAccount,
  listWaitingAccounts,
  type NewReceiverAccount,
  ReceiverAccountToValidate,
  validateAccount,
} from "../../people/accounts/index.ts";
import { maskedNumber, tailOf } from "../../people/person/index.ts";
import { emailKey } from "../../people/receivers/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { checkOf, type Fields } from "../../platform/fields/index.ts";
import { type Problem, Refusal } from "../../platform/refusals/index.ts";
import type { Row, RowProblem } from "./import-rows.ts";
import { receiverFormat } from "./receiver-file.ts";

export type NewReceiverOfFile = { key: string; row: Row; name: string };
export type NewAccountOfFile = {
  /** The first row that names it. */
  row: number;
  /** Of a new receiver its key, else its id. */
  receiver: { key: string } | { id: string };
  given: Omit<NewReceiverAccount, "receiver_id">;
};

/** A row that is paid once what it needs exists. */
export type RowOfNewPayee = {
  row: number;
  name: string;
  email: string;
  /** Masked. */
  account: string;
  /** In minor units. */
  amount: bigint;
  currency: string;
  /** `account_waits`: it waits for approval. `identity_check`: the receiver waits for it. Of both nothing is created. */
  needs: "receiver" | "account" | "account_waits" | "identity_check";
  /** The proposal of the account that waits. */
  changeId?: string;
  /** What to look at before it is created. */
  remarks: string[];
};

export type NewPayees = {
  receivers: ReadonlyMap<string, NewReceiverOfFile>;
  accounts: ReadonlyMap<string, NewAccountOfFile>;
  /** For each row: whom it would pay, its problems as those of a new payee, or undefined: it is no such row. */
  find(rows: readonly Row[]): Promise<(RowOfNewPayee | RowProblem[] | undefined)[]>;
};

type Reading = { db: Db; seal: Seal };

/** For one pass. */
export function newPayeesOf({ db, seal }: Reading, subaccountId: string): NewPayees {
  const receivers = new Map<string, NewReceiverOfFile>();
  const accounts = new Map<string, NewAccountOfFile>();

  async function find(rows: readonly Row[]) {
    const receiverIds = [...new Set(rows.flatMap(({ absent }) => absent?.receiver?.id ?? []))];
    const waiting =
      receiverIds.length > 0
        ? await listWaitingAccounts({ db, seal }, { subaccountId, receiverIds })
        : [];
    const found: Awaited<ReturnType<NewPayees["find"]>> = [];
    for (const row of rows) found.push(row.absent && (await ofRow(row, row.absent, waiting)));
    return found;
  }

  async function ofRow(
    row: Row,
    { problem, receiver: known }: NonNullable<Row["absent"]>,
    waiting: Awaited<ReturnType<typeof listWaitingAccounts>>,
  ): Promise<RowOfNewPayee | RowProblem[] | undefined> {
    const { payee = {}, ofNew = { fields: {}, problems: [] } } = row;
    const { first_name, last_name, full_name } = ofNew.fields;
    // A row without a name may have a misspelt email: it is no new receiver.
    if (!known && !first_name && !last_name && !full_name) return undefined;
    const others = row.problems.filter((one) => one !== problem);
    const receiver = known ? undefined : checkedReceiver(row);
    const wrong = [...others, ...(receiver?.problems ?? [])];
    const country = known?.country ?? receiver?.fields.country;
    if (typeof country !== "string") return wrong;
    const account = await checkedAccount(row, country, known?.id);
    wrong.push(...account.problems);
    const { sound } = account;
    if (wrong.length > 0 || !sound) return wrong;

    const email = payee.receiver_email ?? "";
    // A file of accounts has no amounts.
    const { amount = 0, currency = "" } = row.fields as { amount?: string; currency?: string };
    const masked = maskedNumber(tailOf(sound.account_number));
    const ofRow = { row: row.number, email, account: masked, amount: BigInt(amount), currency };
    const name = known?.name ?? `${first_name ?? ""} ${last_name ?? ""}`.trim();
    const { account_type, business_name } = account.given;
    const shown = account_type === "B" && business_name ? `${name}, ${business_name}` : name;
    const proposed = waiting.find(
      (change) => change.receiverId === known?.id && isProposedAccount(change, sound),
    );
    if (proposed) {
      const { id: changeId } = proposed;
      return { ...ofRow, name: shown, needs: "account_waits", changeId, remarks: [] };
    }

    const key = emailKey(email);
    const given = {
      key,
      row: { number: row.number, cells: [], fields: receiver?.fields ?? {}, problems: [] },
      name,
    };
    const first = known ? undefined : (receivers.get(key) ?? given);
    const isSame = !first || wordsOf(first.row) === wordsOf(given.row);
    if (first && !isSame) return [otherWords(row, first.row.number, "receiver")];
    const owner = known ? { id: known.id } : { key };
    const { account_number, bsb, bank_code } = sound;
    const accountKey = JSON.stringify([owner, account_number, bsb, bank_code]);
    const one = { row: row.number, receiver: owner, given: account.given };
    const earlier = accounts.get(accountKey) ?? one;
    if (JSON.stringify(earlier.given) !== JSON.stringify(one.given)) {
      return [otherWords(row, earlier.row, "account")];
    }
    if (first) receivers.set(key, first);
    accounts.set(accountKey, earlier);
    const has = known?.accounts.slice(0, 3) ?? [];
    const remarks = [
      ...(has.length > 0 ? [`${name} already has ${has.join("; ")}`] : []),
      ...account.warnings,
    ];
    return { ...ofRow, name: shown, needs: known ? "account" : "receiver", remarks };
  }

  /** The checks of the act that creates it. */
  async function checkedAccount(row: Row, country: string, receiver_id: string | undefined) {
    const given = accountOf(row, country);
    const { problems } = checkAccount(given);
    const ofReceiver = receiver_id === undefined ? { country } : { receiver_id };
    if (problems.length > 0) return { given, problems: atCells(row, problems), warnings: [] };
    try {
      const reading = { db, seal };
      const checked = await validateAccount(reading, subaccountId, { ...given, ...ofReceiver });
      const { bank_account_data, warnings } = checked;
      const texts = warnings.map(({ message }) => message);
      return { given, sound: { country, ...bank_account_data }, problems: [], warnings: texts };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { given, problems: atCells(row, error.problems), warnings: [] };
    }
  }

  return { receivers, accounts, find };
}

/** However the email is written. */
const wordsOf = ({ fields }: Row) => JSON.stringify({ ...fields, email: undefined });

const checkAccount = checkOf(ReceiverAccountToValidate);

function checkedReceiver({ number, payee = {}, ofNew }: Row): {
  fields: Fields;
  problems: RowProblem[];
} {
  const input: Fields = { address2: "", state: "", postcode: "" };
  for (const { name } of receiverFormat.fields) {
    const value = ofNew?.fields[name];
    if (value !== undefined) input[name] = value;
  }
  // It names the business, and not the person who acts for it.
  if (accountTypeOf(ofNew?.fields) === "B") delete input.full_name;
  const { receiver_email: email, receiver_reference: reference } = payee;
  const unread = ofNew?.problems ?? [];
  const { fields, problems } = receiverFormat.check({
    ...input,
    email,
    ...(reference && { reference }),
  });
  const others = problems
    .filter(({ field }) => !unread.some(({ column }) => column === field))
    .map(({ field = "", ...problem }) => ({
      row: number,
      column: field === "email" || field === "reference" ? `receiver_${field}` : field,
      value: String(input[field] ?? ""),
      ...problem,
    }));
  return { fields, problems: [...unread, ...others] };
}

const accountNames = ["business_name", "checking_or_savings", "abn", "acn", "nzbn"] as const;

function accountTypeOf(fields: Readonly<Record<string, string>> = {}): string {
  const { account_type, business_name, abn, acn, nzbn } = fields;
  if (account_type) return /^[ib]/i.exec(account_type)?.[0].toUpperCase() ?? "?";
  return business_name || abn || acn || nzbn ? "B" : "I";
}

/** The one column of a bank's code is what the country has. */
function accountOf({ payee = {}, ofNew }: Row, country: string): NewAccountOfFile["given"] {
  const { account_number = "", bank_code } = payee;
  const own: Partial<Record<(typeof accountNames)[number], string>> = {};
  for (const name of accountNames) {
    const value = ofNew?.fields[name];
    if (value) own[name] = value;
  }
  const account_type = accountTypeOf(ofNew?.fields);
  const { full_name } = ofNew?.fields ?? {};
  if (account_type === "B" && full_name) own.business_name ??= full_name;
  const codeName = rulesFor(country).fields.bsb ? "bsb" : "bank_code";
  return { account_type, account_number, ...(bank_code && { [codeName]: bank_code }), ...own };
}

function atCells(row: Row, problems: readonly Problem[]): RowProblem[] {
  return problems.map(({ field = "", ...problem }) => {
    const column = field === "bsb" ? "bank_code" : field;
    const cells: Fields = { ...row.ofNew?.fields, ...row.payee };
    return { row: row.number, column, value: String(cells[column] ?? ""), ...problem };
  });
}

function otherWords({ number }: Row, first: number, what: "receiver" | "account"): RowProblem {
  const message = `Row ${first} says something else about the same new ${what}`;
  return { row: number, column: "", code: "", message, cure: "Correct the row that is wrong" };
}
