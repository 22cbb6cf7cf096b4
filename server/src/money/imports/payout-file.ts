// A file of payouts: its columns, how they are written, and the idempotency key of a row.

import { hash } from "node:crypto";
import { NewReceiverAccount } from "../../people/accounts/index.ts";
import { isCurrency, parseDecimal, thousand } from "../../platform/base/index.ts";
import {
  type Check,
  checkOf,
  type Fields,
  type FieldWords,
  fieldsOf,
} from "../../platform/fields/index.ts";
import { problem } from "../../platform/refusals/index.ts";
import { NewPayout, type PayoutRequest, toPayoutRequest } from "../payouts/index.ts";
import type { SheetField } from "../sheets/index.ts";
import { importKey } from "./create-rows.ts";
import type { CheckAmong, GivenPayee, Row, RowFormat } from "./import-rows.ts";
import { receiverFormat } from "./receiver-file.ts";

/** Columns that users write in another way than programs do, or that need an example. */
const written: Record<string, Partial<FieldWords>> = {
  receiver_id: {
    meaning: "Who is paid",
    example: "0190f3a2-7b3c-7d1e-8f00-0123456789ab",
  },
  account_id: {
    meaning: "Which of the receiver's accounts",
    example: "0190f3a2-7b3c-7d1e-8f01-0123456789ab",
  },
  amount: { meaning: "In units of the currency: 12.50, and 1250 of JPY", example: "12.50" },
  currency: { meaning: "ISO 4217, such as AUD" },
  reference: { meaning: "Yours, at most 200 characters", example: "invoice-0042" },
  note: { meaning: "At most 500 characters", example: "May" },
  send_on: { meaning: "YYYY-MM-DD: not sent before that day" },
  statement_reference: {
    meaning: "What the receiver sees on the statement; the reference if empty",
  },
  purpose: { meaning: "ISO 20022 purpose code of 4 characters, such as SALA" },
  allow_duplicate: { meaning: "true: pay it although another row or payout says the same" },
};

const ofPayouts = fieldsOf(NewPayout).map((column) => ({ ...column, ...written[column.name] }));

export const templateColumns = ofPayouts.filter(({ name }) => name !== "allow_duplicate");

const payeeColumns: FieldWords[] = Object.entries({
  receiver_email: "The receiver's email, instead of receiver_id",
  receiver_reference: "Your reference for the receiver, instead of receiver_id",
  account_number: "The number of the account, instead of account_id",
  bank_code: "BSB, sort code or bank code of that number, where two accounts have it",
}).map(([name, meaning]) => ({ name, isRequired: false, meaning, example: "" }));

const payeeNames = ["receiver_id", "receiver_email", "receiver_reference"] as const;
const accountNames = ["account_id", "account_number", "bank_code"] as const;

/** How the columns are called in the files of payrolls and ledgers. */
const fieldWords: Record<string, { kind: SheetField["kind"]; words?: string }> = {
  receiver_id: { kind: "id", words: "payee id|empfänger id|beneficiary id" },
  receiver_email: {
    kind: "id",
    words: `email|e mail|mail|email address|receiver email address|payee email|e mail adresse|adresse email|courriel|
      correo|correo electronico`,
  },
  receiver_reference: {
    kind: "id",
    words: `receiver ref|payee reference|employee id|employee number|employee no|staff id|staff number|staff no|
      supplier id|supplier number|supplier no|vendor id|vendor number|vendor no|personalnummer|mitarbeiternummer|
      lieferantennummer|kreditor|kreditorennummer|matricule|code fournisseur|numero de empleado|codigo de proveedor`,
  },
  account_id: { kind: "id", words: "receiver account id|receiver_account_id" },
  account_number: {
    kind: "number",
    words: `account|account no|account nr|bank account|bank account number|iban|acct|acct no|konto|kontonummer|
      numero de compte|compte|cuenta|numero de cuenta`,
  },
  bank_code: {
    kind: "number",
    words: "bsb|bsb number|sort code|sortcode|routing number|aba|blz|bankleitzahl|code banque|ifsc",
  },
  amount: {
    kind: "amount",
    words:
      "amt|payment amount|net pay|net amount|betrag|zahlbetrag|nettobetrag|montant|montant net|importe|monto|importo|bedrag",
  },
  currency: {
    kind: "currency",
    words: "ccy|curr|currency code|währung|waehrung|whrg|devise|monnaie|moneda|divisa|valuta",
  },
  reference: {
    kind: "text",
    words: `ref|payment reference|invoice|invoice no|invoice number|verwendungszweck|referenz|rechnung|rechnungsnummer|
      référence|facture|numero de facture|referencia|factura|concepto`,
  },
  note: { kind: "text", words: "notes|comment|comments|memo|notiz|bemerkung|commentaire|nota" },
  send_on: {
    kind: "day",
    words: `pay on|pay date|payment date|value date|date|due date|zahldatum|zahlungsdatum|fällig|fälligkeit|datum|
      date de paiement|échéance|fecha|fecha de pago|vencimiento`,
  },
  statement_reference: { kind: "text", words: "statement text|statement" },
  purpose: { kind: "id", words: "purpose code" },
  allow_duplicate: { kind: "flag", words: "" },
};

const newAccountWords: Record<string, string> = {
  account_type: "type|kind of account|kontoart|type de compte|tipo de cuenta",
  business_name: "company|company name|firma|firmenname|entreprise|empresa|trading name",
};

const columns = [
  ...ofPayouts.map((column) => ({
    ...column,
    isRequired: column.isRequired && !/_id$/.test(column.name),
  })),
  ...payeeColumns,
];

export const payoutFormat: RowFormat = {
  columns,
  fields: columns.map(({ name, isRequired }) => ({
    name,
    isRequired,
    kind: fieldWords[name]?.kind ?? "text",
    words: fieldWords[name]?.words ?? "",
  })),
  check: checkCells,
  oneOf: [...payeeNames, "account_id", "account_number"],
};

const check: Check = checkOf(NewPayout);
const never = { no: "field accepts this" };
/** Stands for an id that is found later. */
const laterId = "00000000-0000-7000-8000-000000000000";

function checkCells(cells: Fields): ReturnType<RowFormat["check"]> {
  const given = cells as Record<string, string | undefined>;
  const { amount, currency, allow_duplicate } = given;
  const payee = payeeOf(given);
  const { receiver_email, receiver_reference, account_number, bank_code, ...own } = given;
  const { fields, problems } = check({
    ...own,
    receiver_id: own.receiver_id || (payee && laterId) || "",
    account_id: own.account_id || laterId,
    amount: minorUnits(amount, currency),
    allow_duplicate: allow_duplicate && (flags[allow_duplicate.toLowerCase()] ?? never),
  });
  const explained = problems.map((problem) => {
    if (problem.code === "PAYO208" && isCurrency((currency ?? "").toUpperCase())) {
      return { ...problem, suggestion: (currency ?? "").toUpperCase() };
    }
    if (problem.code !== "PAYO207") return problem;
    const how = `write it like ${thousand(currency as string)}`;
    return { ...problem, message: `${problem.message}: ${how}` };
  });
  if (receiver_email === exampleEmail) explained.push(exampleRow);
  return { fields, problems: explained, ...(payee && { payee }) };
}

const exampleRow = {
  ...problem("PAYO205", "receiver_email"),
  message: "This is the example row of the template",
  cure: "Delete the row",
};

/** Undefined where both ids are given and nothing else, or no receiver is named. */
function payeeOf(given: Record<string, string | undefined>): GivenPayee | undefined {
  const named = [...payeeNames, ...accountNames].filter((name) => (given[name] ?? "") !== "");
  const isByIds = named.join() === "receiver_id,account_id";
  if (isByIds || named.length === 0) return undefined;
  return Object.fromEntries(named.map((name) => [name, given[name]]));
}

const flags: Record<string, boolean> = { true: true, false: false };

/** Where the currency is wrong, that is the problem, and not the amount. */
function minorUnits(amount = "", currency = ""): unknown {
  if (amount === "") return undefined;
  if (!isCurrency(currency)) return "1";
  // Never the text itself: as minor units it would be another amount.
  return parseDecimal(amount, currency)?.toString() ?? never;
}

/** What a row says besides, where it pays a new receiver or to a new account. */
const newReceiverFields = receiverFormat.fields.filter(
  ({ name }) => name !== "email" && name !== "reference",
);
const newAccountNames = [
  "account_type",
  "business_name",
  "checking_or_savings",
  "abn",
  "acn",
  "nzbn",
] as const;
const newAccountFields = newAccountNames.map((name): SheetField => {
  return { name, isRequired: false, kind: "id", words: newAccountWords[name] ?? "" };
});
const ofNew = [...newReceiverFields, ...newAccountFields].map((field) => ({
  ...field,
  isRequired: false,
}));
const ofNewColumns = new Map(
  [...fieldsOf(NewReceiverAccount), ...receiverFormat.columns].map((column) => [
    column.name,
    column,
  ]),
);

/** The format of a file that may also pay new receivers, and to new accounts. */
export const payeesFormat: RowFormat = {
  ...payoutFormat,
  columns: [
    ...columns,
    ...ofNew.map(({ name }) => ({
      name,
      isRequired: false,
      meaning: `Of a new ${newAccountNames.some((one) => one === name) ? "account" : "receiver"}. ${ofNewColumns.get(name)?.meaning}`,
      example: "",
    })),
  ],
  fields: [...payoutFormat.fields, ...ofNew],
  ofNew: new Set(ofNew.map(({ name }) => name)),
};

/** Of the example row of a template, which is refused: no person has it. */
const exampleEmail = "delete-this-row@example.invalid";
const inExample: Record<string, string> = {
  receiver_email: exampleEmail,
  account_number: "12345999",
  bank_code: "062000",
  reference: "EXAMPLE: delete this row",
};
/** What only a business or another country has, and what the email stands for. */
const notInExample = new Set([
  ...["receiver_id", "account_id", "send_on", "statement_reference", "purpose", "allow_duplicate"],
  ...["business_name", "checking_or_savings", "abn", "acn", "nzbn"],
]);

/** Every column, with an example row of a new receiver. */
export const newPayeesTemplate: FieldWords[] = payeesFormat.columns.flatMap((column) => {
  const { name } = column;
  // The user has to confirm how it splits.
  if (name === "full_name") return [];
  const example = inExample[name] ?? (column.example || ofNewColumns.get(name)?.example || "");
  return { ...column, example: notInExample.has(name) ? "" : example };
});

const ofAccounts = new Set<string>([
  ...payeeNames,
  "account_number",
  "bank_code",
  ...newAccountNames,
]);
const isOfAccount = ({ name }: { name: string }) => ofAccounts.has(name);
const withNumber = <Field extends { name: string; isRequired: boolean }>(field: Field) =>
  field.name === "account_number" ? { ...field, isRequired: true } : field;

const accountExamples: Record<string, string> = {
  receiver_email: "ada@example.com",
  account_number: "12345999",
  bank_code: "062000",
  account_type: "I",
};

/** The format of a file of accounts, which names receivers as a file of payouts does. */
export const accountsFormat: RowFormat = {
  columns: payeesFormat.columns
    .filter(isOfAccount)
    .map((column) => ({ ...withNumber(column), example: accountExamples[column.name] ?? "" })),
  fields: payeesFormat.fields.filter(isOfAccount).map(withNumber),
  ofNew: new Set<string>(newAccountNames),
  oneOf: payeeNames,
  check(cells) {
    const payee = payeeOf(cells as Record<string, string | undefined>);
    const isNamed = payee && payeeNames.some((name) => payee[name] !== undefined);
    const problems = [
      ...(isNamed ? [] : [problem("PAYO201", "receiver_id")]),
      ...(payee?.account_number ? [] : [problem("REAC203", "account_number")]),
    ];
    return { fields: {}, problems, ...(payee && { payee }) };
  },
};

export function payoutRequestOf({ fields }: Row): PayoutRequest {
  return toPayoutRequest(fields as unknown as NewPayout);
}

type DuplicateParts = Pick<
  PayoutRequest,
  "receiverId" | "accountId" | "amount" | "currency" | "reference"
>;

/** The fields that make one payout a duplicate of another. */
function duplicateKeyOf({
  receiverId,
  accountId,
  amount,
  currency,
  reference,
}: DuplicateParts): string[] {
  return [receiverId, accountId, amount.toString(), currency, reference];
}

/** For one pass: a row that duplicates an earlier one must allow it. */
export function duplicateCheck(): CheckAmong {
  const firstRows = new Map<string, number>();
  return (row) => {
    if (row.problems.length > 0) return [];
    const request = payoutRequestOf(row);
    const name = hash("sha256", JSON.stringify(duplicateKeyOf(request)), "binary");
    const first = firstRows.get(name);
    if (first === undefined) firstRows.set(name, row.number);
    if (first === undefined || request.allowDuplicate) return [];
    const message = `Row ${first} says the same: if it is meant, allow_duplicate has to say true`;
    return [{ row: row.number, column: "", code: "PAYO226", message }];
  };
}

/** The key of a row with so many equal rows before it. */
export function rowKeyOf(row: DuplicateParts, equalBefore: number): ReturnType<typeof importKey> {
  return importKey(["payout", ...duplicateKeyOf(row), equalBefore]);
}

/**
 * For one pass: the key of each row, the same in every import. It is made from the content of the row and the number
 * of equal rows before it, so that there are as many payouts as rows, however often they are imported.
 */
export function rowKeys(): {
  keyOf: (request: PayoutRequest) => ReturnType<typeof importKey>;
  /** The key that the next such row would have. */
  peek: (request: PayoutRequest) => ReturnType<typeof importKey>;
} {
  const seen = new Map<string, number>();
  const read = (request: PayoutRequest) => {
    const duplicateKey = duplicateKeyOf(request);
    const name = hash("sha256", JSON.stringify(duplicateKey), "binary");
    const earlier = seen.get(name) ?? 0;
    return { name, earlier, key: rowKeyOf(request, earlier) };
  };
  return {
    peek: (request) => read(request).key,
    keyOf(request) {
      const { name, earlier, key } = read(request);
      seen.set(name, earlier + 1);
      return key;
    },
  };
}
