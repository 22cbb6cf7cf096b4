// Finds whom each row of a file pays: by ids, by email, by the receiver's reference or by the number of the account. What a
// row says has to agree, and to name one account: two that fit are a problem, never a choice.

import { accountMarks } from "../../people/accounts/index.ts";
import { maskedNumber } from "../../people/person/index.ts";
import { emailKey } from "../../people/receivers/index.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Seal } from "../../platform/encryption/index.ts";
import { type GivenPayee, type Row, type RowProblem, shownValue } from "./import-rows.ts";
import {
  type AccountOfRow,
  findAccountsOfRows,
  findReceiversOfRows,
  type ReceiverOfRow,
} from "./payee-find-queries.ts";

export type FindParts = { db: Db; seal: Pick<Seal, "sign"> };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The rows with the ids of their receivers and accounts, or with the problem that there is no such one. */
export async function findPayees(
  parts: FindParts,
  subaccountId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const asking = rows.filter(isAsking);
  if (asking.length === 0) return [...rows];
  const known = await findKnown(parts, subaccountId, asking);
  return rows.map((row) => (row.payee && isAsking(row) ? withPayee(row, row.payee, known) : row));
}

const payeeFields = new Set<string>([
  "receiver_id",
  "receiver_email",
  "receiver_reference",
  "account_id",
  "account_number",
  "bank_code",
] satisfies (keyof GivenPayee)[]);

/** Where a cell can't be read, no receiver is searched for. */
function isAsking({ payee, problems }: Row): boolean {
  return payee !== undefined && !problems.some(({ column }) => payeeFields.has(column));
}

type Known = {
  receivers: readonly ReceiverOfRow[];
  byReceiver: ReadonlyMap<string, AccountOfRow[]>;
  byId: ReadonlyMap<string, AccountOfRow>;
  byMark: ReadonlyMap<string, AccountOfRow[]>;
  marksOf: (accountNumber: string) => readonly string[];
};

async function findKnown(
  { db, seal }: FindParts,
  subaccountId: string,
  rows: readonly Row[],
): Promise<Known> {
  const given = (name: keyof GivenPayee) => [
    ...new Set(rows.flatMap(({ payee }) => payee?.[name] ?? [])),
  ];
  const kept = new Map<string, string[]>();
  const marksOf = (accountNumber: string) => {
    const marks = kept.get(accountNumber) ?? accountMarks(seal, { subaccountId, accountNumber });
    kept.set(accountNumber, marks);
    return marks;
  };
  const receivers = await findReceiversOfRows(db, subaccountId, {
    ids: given("receiver_id").filter((id) => uuid.test(id)),
    emailKeys: given("receiver_email").map(emailKey),
    references: given("receiver_reference"),
  });
  const accounts = await findAccountsOfRows(db, subaccountId, {
    ids: given("account_id").filter((id) => uuid.test(id)),
    receiverIds: receivers.map(({ id }) => id),
    marks: given("account_number").flatMap(marksOf),
  });
  return {
    receivers,
    byReceiver: Map.groupBy(accounts, ({ receiver_id }) => receiver_id),
    byId: new Map(accounts.map((account) => [account.id, account])),
    byMark: Map.groupBy(
      accounts.filter(({ mark }) => mark !== null),
      ({ mark }) => mark as string,
    ),
    marksOf,
  };
}

type Wrong = Omit<RowProblem, "row"> & {
  /** It may be a new receiver, or a new account of a known one. */
  isNew?: boolean;
};

function withPayee(row: Row, payee: GivenPayee, known: Known): Row {
  const found = payeeOf(payee, known);
  if ("message" in found) {
    const { isNew, ...wrong } = found;
    const value = shownValue(payee[wrong.column as keyof GivenPayee]);
    const problem = { row: row.number, value, ...wrong };
    const problems = [...row.problems, problem];
    return { ...row, problems, ...(isNew && { absent: absentOf(problem, payee, known) }) };
  }
  const { receiver_id, id } = found;
  const isNamed = payee.account_id !== undefined || payee.account_number !== undefined;
  const others = (known.byReceiver.get(receiver_id) ?? []).filter((account) => account.id !== id);
  const otherAccounts = isNamed ? [] : others.map((account) => account.id);
  return { ...row, fields: { ...row.fields, receiver_id, account_id: id }, otherAccounts };
}

function payeeOf(payee: GivenPayee, known: Known): AccountOfRow | Wrong {
  const receiver = receiverOf(payee, known);
  if (receiver && "message" in receiver) return receiver;
  const named = accountsNamed(payee, known);
  if (!Array.isArray(named)) return named;
  // An id may name a closed account: the row is then refused with that reason.
  const fit = named.filter(
    ({ receiver_id, is_active }) =>
      (!receiver || receiver_id === receiver.id) && (is_active || payee.account_id !== undefined),
  );
  const [account, second] = fit;
  if (account && !second) return account;
  return account ? tooMany(payee, fit, receiver) : noAccount(payee, named, receiver);
}

function absentOf(
  problem: RowProblem,
  payee: GivenPayee,
  known: Known,
): NonNullable<Row["absent"]> {
  const receiver = receiverOf(payee, known);
  if (!receiver || "message" in receiver) return { problem };
  const { id, country } = receiver;
  const accounts = (known.byReceiver.get(id) ?? [])
    .filter(({ is_active }) => is_active)
    .map(({ bank_name, tail }) => `${bank_name} ${maskedNumber(tail)}`.trim());
  return { problem, receiver: { id, country, name: nameOf(receiver), accounts } };
}

const ways = ["receiver_id", "receiver_email", "receiver_reference"] as const;
const wayNames = { receiver_id: "ID", receiver_email: "email", receiver_reference: "reference" };

/** Undefined where the row names no receiver, only an account. */
function receiverOf(payee: GivenPayee, known: Known): ReceiverOfRow | Wrong | undefined {
  const { receivers } = known;
  let found: { way: (typeof ways)[number]; receiver: ReceiverOfRow } | undefined;
  for (const way of ways) {
    const value = payee[way];
    if (value === undefined) continue;
    const matches = receivers.filter((receiver) => isNamed(receiver, way, value));
    const [receiver, second] = matches;
    const name = wayNames[way];
    if (!receiver) {
      const orDescribed = way === "receiver_email" ? ", or describe a new receiver in the row" : "";
      const cure = `Correct the ${name}, or create the receiver first${orDescribed}`;
      const wrong = { column: way, code: "PAYO205", message: `No receiver has this ${name}`, cure };
      if (found || way !== "receiver_email") return wrong;
      const other = sameByOthers(payee, known);
      return other === undefined ? { ...wrong, isNew: true } : { ...wrong, cure: other };
    }
    if (second) {
      const cure = "Name the receiver by email, account number or ID";
      return { column: way, code: "PAYO205", message: `Several receivers have this ${name}`, cure };
    }
    if (found && found.receiver.id !== receiver.id) {
      const message = `This ${name} is of ${nameOf(receiver)}, the ${wayNames[found.way]} of ${nameOf(found.receiver)}`;
      return { column: way, code: "PAYO205", message, cure: "Correct the one that is wrong" };
    }
    found ??= { way, receiver };
  }
  return found?.receiver;
}

/** A receiver may have another email now: the reference or the account of the row is known. */
function sameByOthers(
  { receiver_reference, account_id, account_number }: GivenPayee,
  { receivers, byId, byMark, marksOf }: Known,
): string | undefined {
  const named = receivers.find(({ reference }) => reference === receiver_reference);
  if (named) return `${nameOf(named)} has the reference: correct the email of one of them`;
  const marks = account_number === undefined ? [] : marksOf(account_number);
  const account =
    byId.get((account_id ?? "").toLowerCase()) ??
    marks.flatMap((mark) => byMark.get(mark) ?? [])[0];
  return account && `${nameOf(account)} has the account: correct the email of one of them`;
}

function isNamed(receiver: ReceiverOfRow, way: (typeof ways)[number], value: string): boolean {
  if (way === "receiver_id") return receiver.id === value.toLowerCase();
  if (way === "receiver_email") return receiver.email_key === emailKey(value);
  return receiver.reference === value;
}

/** The accounts that the row can mean, before its receiver is looked at. */
function accountsNamed(payee: GivenPayee, known: Known): AccountOfRow[] | Wrong {
  const { account_id, account_number, bank_code } = payee;
  const byNumber =
    account_number === undefined
      ? undefined
      : known.marksOf(account_number).flatMap((mark) => known.byMark.get(mark) ?? []);
  const byId = account_id === undefined ? undefined : known.byId.get(account_id.toLowerCase());
  if (account_id !== undefined) {
    if (byNumber && byId && !byNumber.includes(byId)) {
      const message = "The account with this ID has another number";
      return { column: "account_number", code: "PAYO206", message, cure: correctOne };
    }
    return byId ? [byId] : [];
  }
  const candidates = byNumber ?? ofReceiver(payee, known);
  if (bank_code === undefined) return candidates;
  const atBank = candidates.filter((account) => isAtBank(account, bank_code));
  if (atBank.length > 0 || candidates.length === 0) return atBank;
  const lost = candidates.find((account) => isAtBank(account, bank_code, true));
  return {
    column: "bank_code",
    code: "PAYO206",
    message: lost ? "The first zeros are missing" : "The account is at another bank",
    cure: lost ? "Format the column as text, so that zeros stay" : correctOne,
    ...(lost && { suggestion: lost.bsb || lost.bank_code }),
  };
}

const correctOne = "Correct the one that is wrong";

function ofReceiver(payee: GivenPayee, known: Known): AccountOfRow[] {
  const receiver = receiverOf(payee, known);
  return receiver && "id" in receiver ? (known.byReceiver.get(receiver.id) ?? []) : [];
}

function isAtBank({ bsb, bank_code }: AccountOfRow, given: string, withZeros = false): boolean {
  const plain = (code: string) => {
    const text = code.replace(/[^A-Za-z0-9]/g, "").toUpperCase();
    return withZeros ? text.replace(/^0+/, "") : text;
  };
  return plain(given) !== "" && [bsb, bank_code].some((code) => plain(code) === plain(given));
}

function tooMany(
  payee: GivenPayee,
  fit: readonly AccountOfRow[],
  receiver: ReceiverOfRow | undefined,
): Wrong {
  const shown = fit.slice(0, 3).map(({ bank_name, tail, ...of }) => {
    const account = `${bank_name} ${maskedNumber(tail)}`.trim();
    return receiver ? account : `${nameOf(of)}, ${account}`;
  });
  const column = payee.account_number === undefined ? "account_id" : "account_number";
  const who = receiver ? `${nameOf(receiver)} has` : "There are";
  return {
    column,
    code: "PAYO206",
    message: `${who} ${fit.length} accounts that fit: ${shown.join("; ")}`,
    cure: "Name the account by its ID, or by number and bank code",
  };
}

function noAccount(
  { account_id, account_number }: GivenPayee,
  named: readonly AccountOfRow[],
  receiver: ReceiverOfRow | undefined,
): Wrong {
  const way = account_number === undefined ? "ID" : "number";
  const isClosed = named.some(({ is_active }) => !is_active);
  const isOther = receiver && named.some(({ receiver_id }) => receiver_id !== receiver.id);
  if (account_id === undefined && account_number === undefined) {
    const message = `${receiver ? nameOf(receiver) : "The receiver"} has no account`;
    return {
      column: "account_id",
      code: "PAYO206",
      message,
      cure: "Add one to the receiver first",
    };
  }
  const column = account_number === undefined ? "account_id" : "account_number";
  const message = isOther
    ? `The account with this ${way} is not of ${nameOf(receiver)}`
    : isClosed
      ? `The account with this ${way} is closed`
      : `No account has this ${way}`;
  const cure = `Correct the ${way}, or add the account first`;
  const isNew = receiver !== undefined && way === "number" && named.length === 0;
  return { column, code: "PAYO206", message, cure, ...(isNew && { isNew }) };
}

function nameOf({ first_name, last_name }: Pick<ReceiverOfRow, "first_name" | "last_name">) {
  return `${first_name} ${last_name}`.trim();
}
